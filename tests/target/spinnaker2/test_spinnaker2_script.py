"""The script of an artefact, run against a mock of py-spinnaker2 (`mock/`).

The mock has the calls of the published examples and computes the published equations. It proves that the script builds the network of the
chip. It does not prove that py-spinnaker2 accepts the script: that tool was not run.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from artefact_scripts import run_script, verify_script
from extent import times
from places import GOLDENS
from spinnaker2_networks import TICKS, compiled

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.spinnaker2 import ChipOp, OutputOp

MOCK = Path(__file__).parent / "mock"
INPUTS = GOLDENS / "targets" / "spinnaker2" / "inputs"
SCRIPT = "spinnaker2_network.py"
NEAR = 1e-2
"""Difference of potentials in least bits of weights: py-spinnaker2 rounds two synaptic currents, and the model their sum. Spikes are equal."""


def written(folder: Path, files: dict[str, bytes], x: np.ndarray) -> Path:
    """Writes an artefact and the spikes of its input."""
    for name, content in files.items():
        path = folder / "artefact" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    np.savez(folder / "in.npz", input=x)
    return folder


@pytest.mark.parametrize("device", ["chip", "chip_delays", "board48"])
@pytest.mark.parametrize("seed", range(times(2)))
def test_script_builds_and_runs_the_network(seed: int, device: str, tmp_path: Path) -> None:
    subject, found = compiled(seed, device)
    chip = next(op for op in found.module.ops if isinstance(op, ChipOp))
    x = found.drawn.x
    folder = written(tmp_path, dict(subject.files(found)), x)
    records = [name for group in chip.groups for name in (group.source.data, f"{group.source.data}.v")]
    done = run_script(folder, SCRIPT, MOCK, "in.npz", "out.npz", "--record", ",".join(records), "--ip", "10.0.0.1")
    assert done.returncode == 0, done.stderr
    calls = json.loads((folder / "calls.json").read_text())
    assert len(calls) == len(x)
    is_board = device == "board48"
    for sample, call in enumerate(calls):
        assert call["machine"] == ("SpiNNcloud48NodeBoard" if is_board else "SpiNNaker2Chip")
        assert call["address"] == {"stm_ip" if is_board else "eth_ip": "10.0.0.1"}
        assert call["timesteps"] == TICKS
        verify_populations(call["populations"], chip, x[sample])
        assert connections_of_script(call["projections"]) == connections_of_chip(chip)
    own = subject.run(found, tuple(dict.fromkeys(records)))
    comparison = nopt.compare(folder / "out.npz", own, tolerance=NEAR)
    assert comparison.equal, comparison
    assert own["one"].any()


def verify_populations(populations: list[dict[str, Any]], chip: ChipOp, x: np.ndarray) -> None:
    """Compares sizes, models, parameters and spikes of inputs with those of the chip."""
    by_name = {one["name"]: one for one in populations}
    stimulus = by_name.pop("input")
    assert stimulus["neuron_model"] == "spike_list"
    assert stimulus["params"] == {str(k): np.flatnonzero(x[:, k]).tolist() for k in range(x.shape[1])}
    assert by_name.keys() == {group.source.data for group in chip.groups}
    for group in chip.groups:
        one, own = by_name[group.source.data], group.index.values
        assert one["neuron_model"] == group.model.data
        assert one["record"] == ["spikes", "v"]
        assert one["max_atoms_per_core"] >= group.size
        assert one["params"]["reset"] == group.reset.data
        for name, values in group.parameters().items():
            called = {"v_threshold": ["threshold"], "syn_decay": ["exc_decay", "inh_decay"]}.get(name, [name])
            for key in called:
                given = np.broadcast_to(np.asarray(one["params"][key], np.float32), one["size"])
                assert np.array_equal(given[own], np.broadcast_to(values, group.size)), key
        more = {"v_reset": 0.0, "t_refrac": 0}
        assert all(one["params"][key] == value for key, value in more.items() if key in one["params"])


Listed = dict[tuple[str, str], list[tuple[int, int, int, int]]]


def connections_of_script(projections: list[dict[str, Any]]) -> Listed:
    """Returns the connections between two populations, sorted."""
    found: Listed = {}
    for one in projections:
        found.setdefault((one["pre"], one["post"]), []).extend(map(tuple, one["connections"]))
    return {pair: sorted(rows) for pair, rows in found.items()}


def connections_of_chip(chip: ChipOp) -> Listed:
    found: Listed = {}
    for group in chip.groups:
        for op in group.connections:
            post = group.index.values[op.post.values]
            rows = zip(
                op.pre.values.tolist(), post.tolist(), op.weight.values.tolist(), op.delays.tolist(), strict=True
            )
            found.setdefault((op.source.data, group.source.data), []).extend(rows)
    return {pair: sorted(rows) for pair, rows in found.items()}


def test_script_runs_the_simulator(tmp_path: Path) -> None:
    subject, found = compiled(0, "chip")
    folder = written(tmp_path, dict(subject.files(found)), found.drawn.x[0])
    done = run_script(folder, SCRIPT, MOCK, "in.npz", "out.npz", "--backend", "brian2", "--ticks", "3")
    assert done.returncode == 0, done.stderr
    (call,) = json.loads((folder / "calls.json").read_text())
    assert call["machine"] == "Brian2Backend"
    assert call["timesteps"] == 3
    assert all(one["record"] != ["spikes", "v"] for one in call["populations"])
    (output,) = (op for op in found.module.walk() if isinstance(op, OutputOp))
    with np.load(folder / "out.npz") as out:
        assert {name: len(values) for name, values in out.items()} == {output.node.data: 3}


@pytest.mark.parametrize("device", ["chip", "chip_delays"])
def test_the_script_has_the_spikes_and_potentials_of_nopt_run(device: str, tmp_path: Path) -> None:
    build, records = tmp_path / "build", ["one", "one.v", "two.v"]
    nopt.compile(
        INPUTS / "net.mlir", target=f"spinnaker2/{device}", out=build, diagnostics=Diagnostics(), dt="1ms", like="norse"
    )
    x = np.random.default_rng(5).random((3, 40, 3)) < 0.7
    assert verify_script(build, SCRIPT, MOCK, {"x": x}, records)["one"].any()
    assert not verify_script(build, SCRIPT, MOCK, {"x": x[0] & False}, records, "--ticks", "40")["one"].any()


def test_the_script_records_the_probes(tmp_path: Path) -> None:
    build, probes = tmp_path / "build", ["one:v", "two"]
    choices = {"dt": "1ms", "like": "norse"}
    nopt.compile(
        INPUTS / "net.mlir", target="spinnaker2", out=build, probe=probes, diagnostics=Diagnostics(), **choices
    )
    x = np.random.default_rng(5).random((2, 40, 3)) < 0.7
    assert verify_script(build, SCRIPT, MOCK, {"x": x}, []).keys() == {"y", "one.v", "two"}


@pytest.mark.parametrize(
    ("options", "arrays", "said"),
    [
        ((), {}, "has other arrays than the inputs of the network\n  expected: x\n  found: none"),
        ((), {"x": np.zeros((4, 2))}, "the input x has another shape\n  expected: [ticks, 3] or [samples, ticks, 3]"),
        ((), {"x": np.full((4, 3), 2)}, "the input x has other values than events\n  expected: 0 or 1\n  found: 2"),
        (
            ("--record", "one.i"),
            {"x": np.zeros((4, 3))},
            "this array cannot be recorded\n  expected: some of one, one.v",
        ),
        (("--ticks", "0"), {"x": np.zeros((4, 3))}, "a number of ticks from 1 is expected"),
        (("--backend", "brian2", "--ip", "10.0.0.1"), {"x": np.zeros((4, 3))}, "not allowed with --backend brian2"),
    ],
)
def test_what_the_script_refuses(
    options: tuple[str, ...], arrays: dict[str, np.ndarray], said: str, tmp_path: Path
) -> None:
    build = tmp_path / "build"
    nopt.compile(INPUTS / "net.mlir", target="spinnaker2", out=build, diagnostics=Diagnostics(), dt="1ms", like="norse")
    np.savez(build / "in.npz", **arrays)
    done = run_script(build, SCRIPT, MOCK, "in.npz", "out.npz", *options)
    assert done.returncode == (2 if "usage:" in done.stderr else 1)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (build / "out.npz").exists()
