"""The model of the chip equals the discretised network, before and after the artefact is written and read; `make soak` runs more networks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import asic_networks
import pytest
from attrs import evolve

from nopt.core import registry
from nopt.core.device.device import load_device
from nopt.core.device.records import Naming

BLOCKS, SIZE = 4, 10
"""40 networks for each device. The devices of a block share its networks."""


@pytest.mark.parametrize("block", range(BLOCKS))
def test_chip_equals_network(block: int) -> None:
    assert asic_networks.devices()
    for device in asic_networks.devices():
        ended = [asic_networks.outcome(seed, device) for seed in range(block * SIZE, (block + 1) * SIZE)]
        assert ended.count("equal") >= 0.8 * SIZE, f"{device.key}: {ended}"


@pytest.mark.parametrize("kind", sorted(registry.topologies()))
def test_chip_equals_network_on_each_topology(kind: str, root: Path, tmp_path: Path) -> None:
    """The same chip of small cores, so that every network needs several, with each kind of links between them."""
    devices = root / "targets" / "asic" / "devices"
    chip = json.loads((devices / "bus.json").read_text(encoding="utf-8"))
    del chip["core"]["fan_out"]
    chip["core"]["neurons"]["value"] = 16
    chip["topology"] = {"kind": kind, "cores": chip["topology"]["cores"] | {"value": 25}}
    shutil.copy(devices / "bus.neuron", tmp_path)
    path = tmp_path / "chip.json"
    path.write_text(json.dumps(chip), encoding="utf-8")
    device = evolve(load_device(path), named_as=Naming(str(path)))
    ended = [asic_networks.outcome(seed, device) for seed in range(6)]
    assert ended.count("equal") >= 5, ended
