"""The same chip of small cores, so that every network needs several, with each kind of links between them: the model equals the network."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from extent import times

from nopt.api.conformance.conform import conform
from nopt.core.device.topology import topologies


@pytest.mark.parametrize("kind", sorted(topologies()))
def test_chip_equals_network_on_each_topology(kind: str, root: Path, tmp_path: Path) -> None:
    devices = root / "targets" / "asic" / "devices"
    chip = json.loads((devices / "bus.json").read_text(encoding="utf-8"))
    del chip["core"]["fan_out"]
    chip["core"]["neurons"]["value"] = 16
    chip["topology"] = {"kind": kind, "cores": chip["topology"]["cores"] | {"value": 25}}
    shutil.copy(devices / "bus.neuron", tmp_path)
    path = tmp_path / "chip.json"
    path.write_text(json.dumps(chip), encoding="utf-8")
    (found,) = conform(path, only=["artefact", "equivalence"], networks=times(2)).devices
    assert not [*map(str, found.findings())]
    assert [one.status for one in found.questions] == ["passed", "passed"]
