"""The table of ops: its cells are compiled again, all of them in `make soak`, and every op of both dialects has a row."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from extent import some
from xdsl.irdl import IRDLOperation

import nopt.api as nopt
from nopt.api.capability.op_support import ON_HOST, OP_STATES, op_devices, permitted_outcome
from nopt.api.capability.op_support_networks import DTYPES, PROBES, OpDrawing
from nopt.api.capability.probe_networks import in_ticks, random_spikes, rules_of, tick_of, typed_passes
from nopt.core import registry
from nopt.core.device.device import find_device
from nopt.passes.pipelines import needs_calibration
from nopt.tools.main import main

STRUCTURE = {
    "nir": {"graph", "output"},
    "ntensor": {
        "network",
        "readout",
        "output",
        "derived",
        "initial",
        "accumulated",
        "emit",
        "let",
        "round_real",
        "rule",
        "learned",
        "transmitted",
    },
}
"""Ops that hold others, or that are parts of an update or of a learning rule."""


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

    assert states("asic/edge", "nir.conv2d") == ["exact"] * 3  # weights of 4 bits are a number format
    assert states("c/generic", "nir.conv2d") == ["exact"] * 3  # reals
    assert states("dynapse/se2", "nir.linear") == ["approximate"] * 3  # the reset of the device's neurons
    assert states("dynapcnn/speck2f", "nir.delay") == ["approximate"] * 3  # without the delay
    assert states("akida/akd1000", "nir.delay") == ["refused"] * 3
    assert states("truenorth/ns1e", "nir.li") == ["exact"] * 3  # on the host


def test_a_readout_on_the_host_is_named() -> None:
    on_host = {cell.op for cell in nopt.op_support("truenorth/ns1e") if ON_HOST in cell.note}
    assert on_host == {"nir.i", "nir.li", "nir.cuba_li"}
    assert not [cell for cell in nopt.op_support("c/generic") if ON_HOST in cell.note]


@pytest.mark.parametrize("key", ["asic/edge", "c/generic", "dynapcnn/speck2f", "dynapse/se2", "truenorth/ns1e"])
def test_cells_agree_with_check(key: str) -> None:
    device, states = find_device(*key.split("/")), {"exact": "exact", "approximate": "approximate", "no": "refused"}
    families = {family: rules_of(family)[0] for family in ("lif", "if")}
    probes = [one for one in PROBES if one.op in ("nir.conv2d", "nir.delay", "nir.linear", "nir.if")]
    seen = set[str]()
    for probe, (family, rule) in product(probes, families.items()):
        net = OpDrawing(tick_of(device), family, DTYPES[-1], device.integer("synapse.delay.min") or 0)
        module = in_ticks(device, net.finish(probe.networks[0](net)), rule, probe.replace)
        state, note = permitted_outcome(device, module, net.subject)
        given = {"input": random_spikes(module)} if needs_calibration(device) else None  # as for the table
        fitted = nopt.check(module, given, target=key, passes=",".join(typed_passes(device)), approximate="all")
        assert states[fitted.targets[0].fits] == state, (probe.op, family, note)
        assert all(name in note for name in fitted.targets[0].approximations)
        seen.add(state)
    assert seen - {"refused"}


def test_each_state_is_the_best_of_the_networks(root: Path) -> None:
    assert {cell.state for cell in nopt.op_support("dynapcnn/speck2f", op="nir.if")} == {"approximate"}
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
