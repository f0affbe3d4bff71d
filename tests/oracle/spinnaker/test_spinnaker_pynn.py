"""A script of PyNN has as many cores in sPyNNaker, on a virtual board, as its exported network has when it is compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from places import TESTS

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

TOOL = TESTS / "oracle" / "tools" / "pynn_cores.py"
SETTINGS = "[Machine]\nversion = 5\nvirtual_board = True\n"
MINUTES = 10


def run(python: str, folder: Path, back_end: str, out: Path, delay: float) -> None:
    """Runs the script in a folder, which is also the home of its user, where sPyNNaker reads its settings."""
    environment = {**os.environ, "HOME": str(folder), "MPLCONFIGDIR": str(folder)}
    done = subprocess.run(
        [python, str(TOOL), back_end, str(out), str(delay)],
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
    run(str(python_of("spynnaker")), tmp_path, "pyNN.spiNNaker", tmp_path / "cores.json", delay)
    run(sys.executable, tmp_path, "nopt.pynn", tmp_path / "net.mlir", delay)
    nopt.compile(tmp_path / "net.mlir", target="spinnaker", out=tmp_path / "build", diagnostics=Diagnostics())
    chip = json.loads((tmp_path / "build" / "artefact" / "network.json").read_text())["chip"]
    cores = [op for op in chip["body"] if op["op"] == "spinnaker.core"]
    own = Counter(one["source"] for core in cores for one in core["body"] if "source" in one)
    assert dict(own) == json.loads((tmp_path / "cores.json").read_text())
