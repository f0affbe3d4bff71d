"""The exported module of PyTorch equals the model of the chip in every entry, on every device of every target."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from nopt.api.conformance.subject import Compiled, Subject
from nopt.api.exporting.drawn_chips import drawn_parameters
from nopt.api.running.run import execute
from nopt.api.running.variability import Draw
from nopt.core import registry
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.simulation.host.hosted_model import chip_model
from nopt.simulation.imperfections import Imperfections

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'nopt[torch]'")

from torch_modules import differing, exported, network_of, run_module  # noqa: E402

DRAWN = 20
"""Seeds among which a network must fit."""
DEVICES = [
    f"{slug}/{name}"
    for slug, target in registry.usable_targets().items()
    if target.artefact is not None and target.model is not None
    for name in registry.devices()[slug]
]


def first_fitting(subject: Subject) -> tuple[ModuleOp, Compiled]:
    """Returns the first generated network that fits, before and after the passes."""
    networks = (drawn for seed in range(DRAWN) if (drawn := subject.draw(seed)) is not None)
    found = ((drawn.module, subject.follow(drawn)) for drawn in networks)
    return next((module, compiled) for module, compiled in found if compiled.fit.is_fitting)


@pytest.mark.parametrize("key", DEVICES)
def test_the_module_equals_the_chip(key: str, tmp_path: Path) -> None:
    subject = Subject(find_device(*key.split("/")), 1, 0)
    given, compiled = first_fitting(subject)
    module = exported(network_of(compiled.network), tmp_path, given)
    assert module.NODES
    assert not differing(subject.run(compiled), run_module(module, compiled.drawn.x))


VARIED = [key for key in DEVICES if key.split("/")[0] in ("dynapse", "neurogrid")]


@pytest.mark.parametrize("key", VARIED)
def test_the_module_of_a_manufactured_chip_equals_its_model(key: str, tmp_path: Path) -> None:
    subject = Subject(find_device(*key.split("/")), 1, 0)
    given, compiled = first_fitting(subject)
    network = network_of(compiled.network)
    drawn = drawn_parameters(compiled.module, network, compiled.device, Draw(2, 0))
    module = exported(network, tmp_path, given, drawn=drawn)
    net, x = module.Net.load(), torch.as_tensor(np.asarray(compiled.drawn.x))
    assert subject.target.model is not None
    model = chip_model(subject.target.model(), compiled.module, compiled.device)
    wanted = []
    for chip in range(2):
        net.chip = chip
        own = partial(model, imperfections=Imperfections(0, chip))
        arrays = execute(compiled.network, compiled.drawn.x, chip=own, diagnostics=Diagnostics()).arrays
        wanted.append(arrays)
        assert not differing(arrays, {name: values.detach().numpy() for name, values in net.run(x).items()})
    assert any((wanted[0][name] != wanted[1][name]).any() for name in wanted[0])
