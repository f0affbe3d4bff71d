"""Generated networks on several cores of SpiNNaker 2: the model of connections equals the network in ticks in every state."""

from __future__ import annotations

import numpy as np
import pytest
from extent import times
from spinnaker2_networks import compiled

from nopt.api.conformance.networks import run_network
from nopt.api.conformance.subject import Compiled, records_of
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.spinnaker2 import ChipOp

NETWORKS = times(5)
DEVICES = ("chip", "chip_delays")


def chip_of(found: Compiled) -> ChipOp:
    return next(op for op in found.module.ops if isinstance(op, ChipOp))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("seed", range(NETWORKS))
def test_model_equals_the_network_in_every_state(seed: int, device: str) -> None:
    """Every bit: the fidelity of the device itself asks for sums of spikes alone."""
    subject, found = compiled(seed, device)
    assert len(chip_of(found).cores) > 3
    record = records_of(found.network)
    mine, wanted = subject.run(found, record), run_network(found.network, found.drawn.x, record)
    assert mine.keys() == wanted.keys()
    for name, values in wanted.items():
        np.testing.assert_array_equal(mine[name], values)
    assert run_network(found.network, found.drawn.x)["output"].any()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("seed", range(4))
def test_loader_reads_the_chip_back(seed: int, device: str) -> None:
    subject, found = compiled(seed, device)
    assert subject.target.load is not None
    loaded = subject.target.load()(subject.files(found), Diagnostics())
    before, after = chip_of(found), next(op for op in loaded.ops if isinstance(op, ChipOp))
    assert {**before.properties, "approximations": None} == {**after.properties, "approximations": None}
    assert before.body.is_structurally_equivalent(after.body)
