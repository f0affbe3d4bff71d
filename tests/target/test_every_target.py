"""Every device of every target compiles three generated networks, and the chip that is read back from its artefact has the bits of the network."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from nopt.api.conformance.networks import run_network
from nopt.api.conformance.subject import Compiled, Subject
from nopt.core import registry
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics

NETWORKS, DRAWN = 3, 40
"""Networks of a device, and the number of seeds among which as many must fit."""
DEVICES = [
    f"{slug}/{name}"
    for slug, target in registry.usable_targets().items()
    if target.artefact is not None and target.model is not None
    for name in registry.devices()[slug]
]


def fitting(subject: Subject) -> list[Compiled]:
    """Returns the first networks that fit, with the help of their refusals followed."""
    networks = (subject.follow(drawn) for seed in range(DRAWN) if (drawn := subject.draw(seed)) is not None)
    return [*islice((compiled for compiled in networks if compiled.fit.fits), NETWORKS)]


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
