"""A compilation that is killed leaves the earlier directory or the complete new one, and another one keeps the files of the user."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import EXAMPLES
from warm import call

from nopt.api.compiling.compile import compile
from nopt.api.report.pages import write_report
from nopt.core import replacement
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.tools.main import main

NET = EXAMPLES / "bars" / "bars.nir"
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


def build(out: Path, **options: Any) -> None:
    compile(NET, target="c", dt="1ms", like="sinabs", out=out, diagnostics=Diagnostics(), **options)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("has_links", [True, False])
def test_files_of_the_user_are_kept(has_links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, fresh = tmp_path / "build", tmp_path / "fresh"
    build(out, set=["c.prefix=first"])
    (out / "mine.txt").write_text("mine")
    (out / "artefact" / "notes").mkdir()
    (out / "artefact" / "notes" / "todo.txt").write_text("todo")
    (out / "empty").mkdir()
    (out / "away").symlink_to(tmp_path / "nowhere")
    (out / "folder").symlink_to(tmp_path)
    (out / "ir" / "00-input.mlir").unlink()  # a missing file is not a changed one
    if not has_links:
        monkeypatch.setattr(os, "link", refuse_links)
    build(out, set=["c.prefix=second"])
    build(fresh, set=["c.prefix=second"])
    assert (out / "empty").is_dir()
    assert os.readlink(out / "away") == str(tmp_path / "nowhere")
    assert os.readlink(out / "folder") == str(tmp_path)
    (out / "folder").unlink()
    own = {"mine.txt": b"mine", "artefact/notes/todo.txt": b"todo"}
    assert contents(out) == contents(fresh) | own


def refuse_links(*_: Any, **__: Any) -> None:
    raise OSError(errno.EPERM, "no hard links")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda out: (out / "artefact" / "Makefile").write_text("all:"), "artefact/Makefile"),
        (lambda out: replace(out / "device.json", lambda path: path.symlink_to(out / "report.json")), "device.json"),
        (lambda out: replace(out / "device.json", lambda path: path.mkdir()), "device.json"),
        (lambda out: (out / "artefact" / "second.c").write_text("int x;"), "artefact/second.c"),
        (lambda out: (out / "artefact" / "second.c").mkdir(), "artefact/second.c"),
    ],
    ids=["edited", "a link", "a folder", "in the way", "a folder in the way"],
)
def test_files_of_the_user_are_not_replaced(change: Callable[[Path], Any], expected: str, tmp_path: Path) -> None:
    out = tmp_path / "build"
    build(out, set=["c.prefix=first"])
    change(out)
    before = contents(out)
    with pytest.raises(Refused, match="CMP008") as refusal:
        build(out, set=["c.prefix=second"])
    assert refusal.value.findings[0].at == str(out / expected)
    assert contents(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["build"]


def replace(path: Path, make: Callable[[Path], Any]) -> None:
    path.unlink()
    make(path)


def test_pages_of_a_build_are_files_of_nopt(tmp_path: Path) -> None:
    out = tmp_path / "build"
    build(out)
    fresh = contents(out)
    for name in ("report.html", "other.html", "report.html"):
        write_report(out / name, out)
    first = (out / "report.html").read_bytes()
    write_report(out / "report.html", out)
    assert (out / "report.html").read_bytes() == first
    build(out)
    assert contents(out) == fresh
    write_report(out / "report.html", out)
    (out / "report.html").write_bytes(first + b"<!-- mine -->")
    with pytest.raises(Refused, match="CMP008"):
        build(out)


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
