"""A compilation that is killed leaves the earlier directory or the complete new one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path

import numpy as np
import pytest
from warm import call

from nopt.core import replacement
from nopt.tools.main import main

ROOT = Path(__file__).parents[2]
NET = ROOT / "examples" / "bars" / "bars.nir"
KILLS = 5


def start(out: Path, prefix: str) -> ForkProcess:
    """Starts a compilation in a fork of this process."""
    options = ["--target", "c", "--dt", "1ms", "--like", "sinabs", "--set", f"c.prefix={prefix}", "-o", str(out)]
    command = ["nopt", "compile", str(NET), *options]
    fork = get_context("fork").Process(target=lambda: sys.exit(call(main, command)))
    fork.start()
    return fork


def finish(fork: ForkProcess) -> None:
    fork.join(60)
    assert fork.exitcode == 0


@pytest.mark.long
def test_a_killed_compilation_leaves_a_whole_directory(tmp_path: Path) -> None:
    out = tmp_path / "build"
    begun = time.perf_counter()
    finish(start(out, "first"))
    seconds = time.perf_counter() - begun
    for k in range(KILLS):
        running = start(out, f"kill{k}")
        time.sleep(seconds * (0.4 + 0.6 * np.random.default_rng(k).random()))
        running.kill()
        running.join()
        report = json.loads((out / "report.json").read_text())
        prefix = report["device"]["overridden"]["preferences.prefix"]
        files = {path.name for path in (out / "artefact").iterdir()}
        assert files == {"Makefile", "main.c", "manifest.json", f"{prefix}.c", f"{prefix}.h"}
        assert f"{prefix}_init" in (out / "artefact" / f"{prefix}.h").read_text()
    finish(start(out, "last"))
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
