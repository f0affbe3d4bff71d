"""Programs of `nopt export --brian2` in Brian 2: populations of random networks emit the values of the reference, bit for bit."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from nets import run
from real_networks import real_network

import nopt
from nopt.core.diagnostics import Diagnostics

SEEDS = range(0, 60, 2)
"""Networks of f64."""
DELAYED = "values with a delay of synapses"
SECONDS = 300


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_emit_the_values_of_the_reference(seed: int, python_of: Callable[[str], Path], tmp_path: Path) -> None:
    case = real_network(seed)
    module = case.network.parent_op()
    file = tmp_path / "net.py"
    try:
        nopt.export_brian2(module, out=file, diagnostics=Diagnostics())  # type: ignore[arg-type]
    except nopt.Refused as refused:
        causes = [finding.found for finding in refused.findings]
    else:
        causes = []
    if causes:
        assert causes == [DELAYED]
        return
    np.savez(tmp_path / "in.npz", **case.inputs)
    names = [op.node.data for op in case.network.populations]
    command = [
        str(python_of("brian2")),
        str(file),
        str(tmp_path / "in.npz"),
        str(tmp_path / "out.npz"),
        "--record",
        ",".join(names),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    ours = run(case.network, record=names, **case.inputs)
    with np.load(tmp_path / "out.npz") as theirs:
        for name in names:
            np.testing.assert_array_equal(theirs[name], np.asarray(ours[name], np.float64))
