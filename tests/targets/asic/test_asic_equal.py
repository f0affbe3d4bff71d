"""The model of the chip equals the discretised network, before and after the artefact is written and read; `make soak` runs more networks."""

from __future__ import annotations

import asic_networks
import pytest

SEEDS = range(40)


@pytest.mark.parametrize("device", asic_networks.devices(), ids=lambda device: device.name)
def test_chip_equals_network(device: asic_networks.Device) -> None:
    ended = [asic_networks.outcome(seed, device) for seed in SEEDS]
    assert ended.count("equal") >= 0.8 * len(SEEDS), ended
