"""A compilation that is killed leaves the earlier directory or the complete new one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from nopt.core import replacement

ROOT = Path(__file__).parents[2]
NET = ROOT / "examples" / "bars" / "bars.nir"
KILLS = 5


def command(out: Path, prefix: str) -> list[str]:
    options = ["--target", "c", "--dt", "1ms", "--like", "sinabs", "--set", f"c.prefix={prefix}", "-o", str(out)]
    return [sys.executable, "-m", "nopt.tools.main", "compile", str(NET), *options]


def test_a_killed_compilation_leaves_a_whole_directory(tmp_path: Path) -> None:
    out = tmp_path / "build"
    start = time.perf_counter()
    subprocess.run(command(out, "first"), check=True, capture_output=True)
    seconds = time.perf_counter() - start
    for k in range(KILLS):
        running = subprocess.Popen(command(out, f"kill{k}"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds * (0.4 + 0.6 * np.random.default_rng(k).random()))
        running.send_signal(signal.SIGKILL)
        running.wait()
        report = json.loads((out / "report.json").read_text())
        prefix = report["device"]["overridden"]["preferences.prefix"]
        files = {path.name for path in (out / "artefact").iterdir()}
        assert files == {"Makefile", "main.c", "manifest.json", f"{prefix}.c", f"{prefix}.h"}
        assert f"{prefix}_init" in (out / "artefact" / f"{prefix}.h").read_text()
    subprocess.run(command(out, "last"), check=True, capture_output=True)
    assert [path.name for path in tmp_path.iterdir()] == ["build"]


@pytest.mark.parametrize("can_exchange", [True, False])
def test_replacement(can_exchange: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not can_exchange:
        monkeypatch.setattr(replacement, "exchange", lambda one, other: False)
    for name in ("new", "build"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    replacement.replace_folder(tmp_path / "new", tmp_path / "build")
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == ["build", "build/new"]


def test_a_killed_replacement_is_restored(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (tmp_path / f".build.{dead.pid}.old").mkdir()
    (tmp_path / f".build.{dead.pid}.tmp").mkdir()
    (tmp_path / f".build.{os.getpid()}.tmp").mkdir()
    replacement.remove_left(tmp_path / "build")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f".build.{os.getpid()}.tmp", "build"]
