"""Every program in the artefact of every device: it has a help, and refuses a missing file and a missing package with a message and without a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_every_target import DEVICES, fitting

from nopt.api.conformance.subject import Subject
from nopt.core.device.device import find_device

NAMES = {
    "akida": {"build_model.py", "run_model.py"},
    "cuda": {"run.py"},
    "dynapcnn": {"apply_configuration.py"},
    "glsl": {"run.py"},
    "linalg": {"run.py"},
    "loihi2": {"lava_network.py"},
    "memxbar": {"run_aihwkit.py"},
    "neurogrid": {"neurogrid_network.py"},
    "opencl": {"run.py"},
    "spinnaker": {"spynnaker_network.py"},
    "spinnaker2": {"spinnaker2_network.py"},
    "truenorth": {"pack.py", "ranc_network.py"},
    "wgsl": {"run.py"},
    "xylo": {"xylo_network.py"},
}
"""The programs of the artefacts of a target, each of which a test runs: `test_<target>_script.py`, or a test with the tool of the vendor in `tests/oracle`."""


def artefact(key: str, folder: Path) -> Path:
    """Writes the artefact of the first generated network that fits."""
    subject = Subject(find_device(*key.split("/")), 1, 0)
    (compiled,) = fitting(subject, 1)
    for name, data in subject.files(compiled).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def run(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a program with NumPy alone."""
    command = [sys.executable, program.name, *arguments]
    return subprocess.run(command, cwd=program.parent, env={}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("key", DEVICES)
def test_every_program_has_a_help_and_clear_refusals(key: str, tmp_path: Path) -> None:
    programs = sorted(artefact(key, tmp_path).rglob("*.py"))
    assert {one.name for one in programs} - {"readout.py"} == NAMES.get(key.split("/")[0], set())
    for program in programs:
        told = run(program, "--help")
        assert told.returncode == 0, told.stderr
        assert program.name in told.stdout
        refused = run(program, "missing.npz", "out.npz")
        assert refused.returncode in (1, 2)
        assert refused.stderr.strip()
        assert "Traceback" not in refused.stderr, f"{program.name}: {refused.stderr}"
        assert not (program.parent / "out.npz").exists()
