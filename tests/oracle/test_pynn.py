"""The examples of PyNN run on nopt and on NEST with one script: every spike is equal, and so are the potentials of linear cells.

NEST integrates conductances by an adaptive method, and the cell of nopt by a step of second order, so that their potentials differ slightly.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import ROOT

EXAMPLES = ROOT / "examples" / "pynn"
MINUTES = 10
ROUNDING = 1e-9
"""Of times [ms] and potentials [mV]."""
CONDUCTANCE_ERROR = 2e-3
"""Of the potential of a cell with conductances [mV]."""


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


@pytest.mark.parametrize("script", ["small.py", "balanced.py"])
def test_spikes_are_those_of_nest(script: str, tmp_path: Path, python_of: Callable[[str], Path]) -> None:
    nest = results(str(python_of("pynn_nest")), "pyNN.nest", script, tmp_path / "nest.npz")
    own = results(sys.executable, "nopt.pynn", script, tmp_path / "nopt.npz")
    assert own.keys() == nest.keys()
    for name, expected in nest.items():
        assert own[name].shape == expected.shape, name
        tolerance = CONDUCTANCE_ERROR if name == "conductances.v" else ROUNDING
        assert np.abs(own[name] - expected).max(initial=0) < tolerance, name
    counts = {name: len(times) for name, times in nest.items() if name.endswith(".time")}
    assert min(counts.values()) > 0, counts
