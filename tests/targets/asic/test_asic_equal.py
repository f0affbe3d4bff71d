"""The model of the chip equals the discretised network, before and after the artefact is written and read; `make soak` runs more networks."""

from __future__ import annotations

import asic_networks
import pytest

BLOCKS, SIZE = 4, 10
"""40 networks for each device. The devices of a block share its networks."""


@pytest.mark.parametrize("block", range(BLOCKS))
def test_chip_equals_network(block: int) -> None:
    assert asic_networks.devices()
    for device in asic_networks.devices():
        ended = [asic_networks.outcome(seed, device) for seed in range(block * SIZE, (block + 1) * SIZE)]
        assert ended.count("equal") >= 0.8 * SIZE, f"{device.key}: {ended}"
