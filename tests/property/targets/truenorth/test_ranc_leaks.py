"""Leaky populations on RANC, whose leak has no sign: the model of the chip, and an interpreter of the emitted files, spike by spike."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import nir
import numpy as np
import pytest
from ranc import Simulator

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

INPUTS, TICKS = 8, 60


def network(rng: np.random.Generator, file: Path) -> None:
    """Writes two layers of leaky neurons with little inhibition, so that no potential leaves its 9 bits."""
    nodes: dict[str, nir.NIRNode] = {"in": nir.Input({"input": np.array([INPUTS])})}
    names = ["in"]
    for k, (inputs, neurons) in enumerate(((INPUTS, 10), (10, 4))):
        one = np.ones(neurons)
        nodes[f"fc{k}"] = nir.Linear(weight=rng.normal(4.0, 6.0, (neurons, inputs)))
        nodes[f"lif{k}"] = nir.LIF(tau=0.02 * one, r=one, v_leak=0 * one, v_threshold=one, v_reset=0 * one)
        names += [f"fc{k}", f"lif{k}"]
    nodes["out"] = nir.Output({"output": np.array([4])})
    nir.write(file, nir.NIRGraph(nodes, list(zip(names, [*names[1:], "out"], strict=True))))


def interpreted(folder: Path, x: np.ndarray) -> np.ndarray:
    """Returns the spikes of the output from the files of an artefact alone. Shapes: x [ticks, inputs], result [ticks, neurons]."""
    np.save(folder / "in.npy", x)
    command = [sys.executable, "pack.py", "in.npy", "out.json"]
    lines = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.splitlines()
    network, config = (json.loads((folder / name).read_text()) for name in ("out.json", "config.json"))
    rows = Simulator(network, config).run(int(lines[0].split()[1]))
    found = np.zeros((len(x), len(lines) - 1), np.int64)
    for k, line in enumerate(lines[1:]):  # output NAME INDEX: row R of line t + 1 is the spike of tick t + D
        words = line.replace(":", "").split()
        row, delay = int(words[4]), int(words[-1])
        found[delay:, k] = [rows[t + 1, row] for t in range(len(x) - delay)]
    return found


@pytest.mark.parametrize("reset", ["value", "subtract"])
def test_files_of_leaky_populations_have_the_spikes_of_the_model(reset: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(48)
    network(rng, net := tmp_path / "net.nir")
    x = rng.random((6, TICKS, INPUTS)) < 0.08
    np.save(tmp_path / "x.npy", x)
    build = nopt.compile(
        net,
        out=tmp_path / "b",
        target="truenorth/ranc",
        approximate="all",
        calib=str(tmp_path / "x.npy"),
        dt="1ms",
        like="norse",
        reset=reset,
        diagnostics=Diagnostics(),
    )
    leaks = [one["step"] for one in build.report["approximations"] if one["step"].startswith("ntensor-linearize-leak")]
    assert leaks == ["ntensor-linearize-leak{direction=down}"]
    output = nopt.run(tmp_path / "b", x[0], diagnostics=Diagnostics())["out"]
    assert output.any()
    assert np.array_equal(interpreted(tmp_path / "b" / "artefact", x[0]), output.astype(np.int64))
