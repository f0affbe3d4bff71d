"""The examples of PyNN run on nopt and on NEST with one script: every spike is equal, and so are the potentials of linear cells.

A script has as many cores in sPyNNaker, on a virtual board, as its exported network has when it is compiled.

NEST integrates conductances by an adaptive method, and the cells of nopt by a step of second order, so that their potentials differ slightly. Potentials of cells
with an upswing differ by its slope, and are not compared.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import ROOT, TESTS

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

EXAMPLES = ROOT / "examples" / "pynn"
CORES = TESTS / "oracle" / "tools" / "pynn_cores.py"
SETTINGS = "[Machine]\nversion = 5\nvirtual_board = True\n"
MINUTES = 10
ROUNDING = 1e-9
"""Of times [ms] and potentials [mV]."""
CONDUCTANCE_ERROR = 4e-3
"""Of the potential of a cell with conductances [mV]."""
UPSWING_ERROR = 0.25
"""Of the times of spikes of cells with an upswing [ms]: NEST resets them between ticks."""
UPSWING_SHARE = 0.95
"""Of the spikes with this error: near the threshold one error shifts a spike by more."""
UPSWINGS = ("eif_exp", "eif_alpha", "hh")


def results(python: str, back_end: str, script: str, out: Path, *arguments: str) -> dict[str, np.ndarray[Any, Any]]:
    """Runs a script on a back end and returns its arrays."""
    done = subprocess.run(
        [python, str(EXAMPLES / script), back_end, str(out), *arguments],
        capture_output=True,
        text=True,
        timeout=MINUTES * 60,
        check=False,
        cwd=out.parent,
    )
    assert not done.returncode, done.stderr[-2000:]
    with np.load(out) as file:
        return dict(file)


@pytest.mark.parametrize("script", ["small.py", "balanced.py", "learning.py", "cells.py"])
def test_spikes_are_those_of_nest(script: str, tmp_path: Path, python_of: Callable[[str], Path]) -> None:
    nest = results(str(python_of("pynn_nest")), "pyNN.nest", script, tmp_path / "nest.npz")
    own = results(sys.executable, "nopt.pynn", script, tmp_path / "nopt.npz")
    assert own.keys() == nest.keys()
    for name, expected in nest.items():
        assert own[name].shape == expected.shape, name
        cell, _, variable = name.rpartition(".")
        if cell in UPSWINGS and variable == "v":
            continue
        tolerance = CONDUCTANCE_ERROR if cell.startswith("cond") and variable == "v" else ROUNDING
        if cell in UPSWINGS:
            if variable == "time":
                assert (np.abs(own[name] - expected) < UPSWING_ERROR + ROUNDING).mean() >= UPSWING_SHARE, name
                continue
            tolerance = 1e-8
        assert np.abs(own[name] - expected).max(initial=0) < tolerance, name
    counts = {name: len(times) for name, times in nest.items() if name.endswith(".time")}
    assert min(counts.values()) > 0, counts


def run_in(python: str, folder: Path, back_end: str, out: Path, delay: float) -> None:
    """Runs the script in a folder, which is also the home of its user, where sPyNNaker reads its settings."""
    environment = {**os.environ, "HOME": str(folder), "MPLCONFIGDIR": str(folder)}
    done = subprocess.run(
        [python, str(CORES), back_end, str(out), str(delay)],
        capture_output=True,
        text=True,
        timeout=MINUTES * 60,
        check=False,
        cwd=folder,
        env=environment,
    )
    assert not done.returncode, done.stderr[-2000:]


@pytest.mark.parametrize("delay", [1.0, 10.0, 20.0])
def test_a_script_has_the_cores_of_spynnaker(delay: float, tmp_path: Path, python_of: Callable[[str], Path]) -> None:
    (tmp_path / ".spynnaker.cfg").write_text(SETTINGS, encoding="utf-8")
    run_in(str(python_of("spynnaker")), tmp_path, "pyNN.spiNNaker", tmp_path / "cores.json", delay)
    run_in(sys.executable, tmp_path, "nopt.pynn", tmp_path / "net.mlir", delay)
    nopt.compile(tmp_path / "net.mlir", target="spinnaker", out=tmp_path / "build", diagnostics=Diagnostics())
    chip = json.loads((tmp_path / "build" / "artefact" / "network.json").read_text())["chip"]
    cores = [op for op in chip["body"] if op["op"] == "spinnaker.core"]
    own = Counter(one["source"] for core in cores for one in core["body"] if "source" in one)
    assert dict(own) == json.loads((tmp_path / "cores.json").read_text())
