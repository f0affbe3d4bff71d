"""The table of ops: its cells are compiled again, all of them in `make soak`, and every op of both dialects has a row."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from extent import some
from xdsl.irdl import IRDLOperation

import nopt.api as nopt
from nopt.api.capability.op_support import OP_STATES, op_devices
from nopt.api.capability.op_support_networks import DTYPES, PROBES
from nopt.core import registry
from nopt.tools.main import main

STRUCTURE = {
    "nir": {"graph", "output"},
    "ntensor": {"network", "output", "derived", "initial", "accumulated", "emit", "let", "round_real"},
}
"""Ops that hold others, or that are parts of an update."""


@cache
def record(root: Path) -> dict[str, Any]:
    return json.loads((root / "docs" / "reference" / "op-support.json").read_text(encoding="utf-8"))


def test_every_op_has_a_row() -> None:
    for name, structure in STRUCTURE.items():
        ops = {op.name for op in registry.dialects()[name]().operations if issubclass(op, IRDLOperation)}
        rows = {one.op for one in PROBES if one.op.startswith(f"{name}.")}
        assert rows == ops - {f"{name}.{one}" for one in structure}


def test_one_device_of_each_target_has_every_cell(root: Path) -> None:
    keys = [device.key for device in op_devices()]
    assert [key.partition("/")[0] for key in keys] == sorted({*registry.devices()} & {*registry.usable_targets()})
    found = [(one["device"], one["op"], one["dtype"]) for one in record(root)["cells"]]
    assert found == [(key, one.op, dtype) for key in keys for one in PROBES for dtype in DTYPES]
    assert record(root)["devices"] == {device.key: device.digest for device in op_devices()}


FIRST = 6
"""Op that the first device is asked about. An op of all families needs many networks unless the first is exact, as on the devices that this selects."""


def asked() -> list[tuple[str, str]]:
    """Returns each device with every twelfth op, from one op further on for each device: all together ask each device, and about each op."""
    keys, ops = [device.key for device in op_devices()], [one.op for one in PROBES]
    return [(key, op) for first, key in enumerate(keys, FIRST) for op in some([*ops[first:], *ops[:first]], 12)]


def test_each_device_and_each_op_is_asked() -> None:
    keys, ops = ({*column} for column in zip(*asked(), strict=True))
    assert keys == {device.key for device in op_devices()}
    assert ops == {one.op for one in PROBES}


@pytest.mark.parametrize(("key", "op"), asked())
def test_cells_are_compiled_again(root: Path, key: str, op: str) -> None:
    expected = [one for one in record(root)["cells"] if (one["device"], one["op"]) == (key, op)]
    found = [cell.as_json() for cell in nopt.op_support(key, op=op)]
    assert found == expected, "remove docs/reference/op-support.json, then run `make docs`"


def test_states_follow_the_device() -> None:
    def states(device: str, op: str) -> list[str]:
        return [cell.state for cell in nopt.op_support(device, op=op)]

    assert states("asic/edge", "nir.conv2d") == ["approximate", "approximate", "exact"]  # 4 bits
    assert states("asic/bus", "nir.conv2d") == ["approximate", "exact", "exact"]  # 8 bits
    assert states("c/generic", "nir.conv2d") == ["exact"] * 3  # reals
    assert states("dynapcnn/speck2f", "nir.delay") == ["refused"] * 3


def test_each_state_is_the_best_of_the_networks(root: Path) -> None:
    (cell,) = nopt.op_support("dynapcnn/speck2f", op="nir.if", state="approximate")
    assert cell.dtype == "i4"
    assert {one["state"] for one in record(root)["cells"]} <= {*OP_STATES}


def test_a_template_is_planned(tmp_path: Path, nopt_folder: Path) -> None:
    nopt.new_target("my_chip", tmp_path)
    (file,) = tmp_path.rglob("target.py")
    words = ("targets", "my_chip", "--ops", "--op", "nir.lif", "--format", "json", "--load-target", str(file))
    done = subprocess.run([nopt_folder / "nopt", *words], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert {cell["state"] for cell in json.loads(done.stdout)["cells"]} == {"planned"}, done.stderr


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(nopt.Refused, match="API021"):
        nopt.op_support("asics")
    assert main(["targets", "asic", "--ops", "--op", "nir.linea"]) == 2
    assert "help: nopt targets asic --ops --op nir.linear" in capsys.readouterr().err
