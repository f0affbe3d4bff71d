"""The script of an artefact, run against a mock of py-spinnaker2 (`mock/`).

The mock has the calls of the published examples and computes the published equations. It proves that the script builds the network of the
chip. It does not prove that py-spinnaker2 accepts the script: that tool was not run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import times
from spinnaker2_networks import TICKS, compiled

from nopt.dialects.spinnaker2 import ChipOp

MOCK = Path(__file__).parent / "mock"
SCRIPT = "spinnaker2_network.py"


def run_script(folder: Path, ticks: int, *options: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns what the script asked for, and its output."""
    command = [sys.executable, str(folder / SCRIPT), "out.json", "--ticks", str(ticks), *options]
    path = {"PYTHONPATH": str(MOCK)}
    done = subprocess.run(command, cwd=folder, env=path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return (json.loads((folder / name).read_text()) for name in ("calls.json", "out.json"))


def written(folder: Path, files: dict[str, bytes], x: np.ndarray) -> Path:
    """Writes an artefact and the spikes of its input."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    np.savez(folder / "spikes.npz", input=x)
    return folder


@pytest.mark.parametrize("device", ["chip", "chip_delays", "board48"])
@pytest.mark.parametrize("seed", range(times(2)))
def test_script_builds_and_runs_the_network(seed: int, device: str, tmp_path: Path) -> None:
    subject, found = compiled(seed, device)
    chip = next(op for op in found.module.ops if isinstance(op, ChipOp))
    x = found.drawn.x[0]
    folder = written(tmp_path, dict(subject.files(found)), x)
    calls, out = run_script(folder, TICKS, "--spikes", "spikes.npz", "--ip", "10.0.0.1")
    is_board = device == "board48"
    assert calls["machine"] == ("SpiNNcloud48NodeBoard" if is_board else "SpiNNaker2Chip")
    assert calls["address"] == {"stm_ip" if is_board else "eth_ip": "10.0.0.1"}
    assert calls["timesteps"] == TICKS
    verify_populations(calls["populations"], chip, x)
    assert connections_of_script(calls["projections"]) == connections_of_chip(chip)
    spikes = subject.run(found, tuple({group.source.data for group in chip.groups}))
    for group in chip.groups:
        values = spikes[group.source.data][0].reshape(TICKS, -1)
        for neuron in group.index.values.tolist():
            assert out["spikes"][group.source.data][str(neuron)] == np.flatnonzero(values[:, neuron]).tolist()


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
        assert one["record"] == ["spikes"]
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
    calls, _ = run_script(folder, 3, "--backend", "brian2")
    assert calls["machine"] == "Brian2Backend"
    assert calls["timesteps"] == 3
