"""Every device of every target compiles three generated networks, and the chip that is read back from its artefact has the bits of the network."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.conformance.networks import run_network
from nopt.api.conformance.subject import Compiled, Subject
from nopt.core import registry
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.ntensor.interface import CompiledOperation

NETWORKS, DRAWN = 3, 40
"""Networks of a device, and the number of seeds among which as many must fit."""
DEVICES = [
    f"{slug}/{name}"
    for slug, target in registry.usable_targets().items()
    if target.artefact is not None and target.model is not None
    for name in registry.devices()[slug]
]


def fitting(subject: Subject, most: int = NETWORKS) -> list[Compiled]:
    """Returns the first networks that fit, with the help of their refusals followed."""
    networks = (subject.follow(drawn) for seed in range(DRAWN) if (drawn := subject.draw(seed)) is not None)
    return [*islice((compiled for compiled in networks if compiled.fit.is_fitting), most)]


@pytest.mark.parametrize("key", DEVICES)
def test_the_chip_of_an_artefact_computes_the_network(key: str) -> None:
    subject = Subject(find_device(*key.split("/")), NETWORKS, 0)
    networks = fitting(subject)
    assert len(networks) == NETWORKS
    for compiled in networks:
        files, load = subject.files(compiled), subject.target.load
        assert files
        outputs = subject.run(compiled, module=load and load()(files, Diagnostics()))
        expected = run_network(compiled.network, compiled.drawn.x)
        assert outputs.keys() == expected.keys()
        for name, values in expected.items():
            np.testing.assert_array_equal(outputs[name], values, f"{compiled.drawn.name}: {name}")


@pytest.mark.parametrize("key", DEVICES)
def test_a_compiled_module_is_emitted_and_run_without_its_network(key: str, tmp_path: Path) -> None:
    subject = Subject(find_device(*key.split("/")), 1, 0)
    (compiled,) = fitting(subject, 1)
    module = nopt.parse(nopt.write(compiled.module))
    nopt.compile(module, target=key, out=tmp_path / "build", diagnostics=Diagnostics())
    root = tmp_path / "build" / "artefact"
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert files == subject.files(compiled)
    if not any(isinstance(op, CompiledOperation) for op in module.ops):
        return  # a program of C, which the model compiles from its network
    x = compiled.drawn.x
    expected = subject.run(compiled)
    for network in (module, tmp_path / "build"):
        outputs = nopt.run(network, x, diagnostics=Diagnostics())
        assert outputs.keys() == expected.keys()
        for name, values in expected.items():
            np.testing.assert_array_equal(outputs[name], values, f"{compiled.drawn.name}: {name}")
