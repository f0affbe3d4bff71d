"""Progress on a terminal: verbs show the share that is done and the time that is left, and remove the line at the end.

The tests run verbs in this process, with a pseudo-terminal as standard error. The line appears at once, not after a second.
"""

from __future__ import annotations

import inspect
import os
import pty
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import sleep

import numpy as np
import pytest
from places import GOLDENS, ROOT

import nopt
from nopt.api.capability.device_features import cached_results
from nopt.core.progress import doing, part_progress, report_part
from nopt.tools import progress
from nopt.tools.main import main

LIF = str(GOLDENS / "tools" / "inputs" / "lif.mlir")
CHOICES = ["--dt", "1ms", "--like", "norse"]
QUESTION = "determinism"

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LEFT = re.compile(r"\d:\d\d:\d\d left")
ERASE = "\x1b[2K"


class Terminal:
    """A pseudo-terminal, and the text that was written to it."""

    def __init__(self) -> None:
        self.inner, outer = pty.openpty()
        self.stream = os.fdopen(outer, "w", encoding="utf-8", buffering=1)
        self.bytes = bytearray()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        try:
            while data := os.read(self.inner, 65536):
                self.bytes += data
        except OSError:  # Linux: the other end is closed
            return

    def close(self) -> str:
        """Returns the text."""
        self.stream.close()
        self.reader.join()
        os.close(self.inner)
        return self.bytes.decode()


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Runs a command with a terminal as standard error, and returns the text on it."""
    monkeypatch.setattr(progress, "PATIENCE_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def run(*argv: str, code: int = 0) -> str:
        terminal = Terminal()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", terminal.stream)
            assert main(argv) == code
        return terminal.close()

    return run


@pytest.fixture(scope="module")
def stimulus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("progress") / "x.npy"
    np.save(path, (np.random.default_rng(0).random((4, 400, 2)) < 0.3).astype(np.float32))
    return path


@pytest.fixture(scope="module")
def build(stimulus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a build for a target whose chips differ."""
    out, quiet = tmp_path_factory.mktemp("progress") / "build", nopt.Diagnostics()
    nopt.compile(LIF, target="memxbar", calib=stimulus, out=out, dt="1ms", like="norse", diagnostics=quiet)
    return out


def commands(stimulus: Path, build: Path, out: Path) -> dict[str, list[str]]:
    data = ["--input", str(stimulus)]
    return {
        "run": ["run", LIF, *data, *CHOICES, "--engine", "numpy"],
        "chips": ["run", str(build), *data, "--chips", "3"],
        "compile": ["compile", LIF, "--target", "c", "--calib", str(stimulus), *CHOICES, "-o", str(out / "build")],
        "check": ["check", LIF, "--target", "auto", *CHOICES],
        "conform": ["conform", "asic/edge", "--only", QUESTION, "--networks", "1"],
        "sweep": ["sweep", LIF, "--vary", "weights.bits=2,4,8", *data, *CHOICES, "-j", "1"],
        "driver": [LIF, "-p", "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", "-o", str(out / "net.mlir")],
    }


NAMES = ("run", "chips", "compile", "check", "conform", "sweep", "driver")


@pytest.mark.parametrize("name", NAMES)
def test_progress_is_shown_and_removed(
    name: str, stimulus: Path, build: Path, tmp_path: Path, on_terminal: Callable[..., str]
) -> None:
    argv = commands(stimulus, build, tmp_path)[name]
    text = on_terminal(*argv)
    shown, erased, after = text.rpartition(ERASE)
    assert erased, repr(text)
    assert LEFT.search(CONTROL.sub("", shown)), repr(shown)
    assert "%" in shown
    assert "left" not in CONTROL.sub("", after)  # the findings, and nothing else


@pytest.mark.parametrize("name", ["run", "compile"])
def test_quiet_commands_show_nothing(
    name: str, stimulus: Path, build: Path, tmp_path: Path, on_terminal: Callable[..., str]
) -> None:
    assert on_terminal(*commands(stimulus, build, tmp_path)[name], "--quiet") == ""


@pytest.mark.parametrize("name", ["run", "sweep"])
def test_other_outputs_show_nothing(
    name: str,
    stimulus: Path,
    build: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(progress, "PATIENCE_S", 0.0)
    assert main(commands(stimulus, build, tmp_path)[name]) == 0
    text = capfd.readouterr().err
    assert "left" not in text
    assert "\x1b" not in text


def test_short_commands_show_nothing(
    stimulus: Path, build: Path, tmp_path: Path, on_terminal: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE_S", 100.0)
    assert "left" not in on_terminal(*commands(stimulus, build, tmp_path)["run"])


def test_refused_commands_remove_the_line(tmp_path: Path, on_terminal: Callable[..., str]) -> None:
    np.save(tmp_path / "x.npy", np.zeros((3, 3, 7)))
    text = on_terminal("run", LIF, "--input", str(tmp_path / "x.npy"), *CHOICES, code=1)
    assert "left" not in CONTROL.sub("", text.rpartition(ERASE)[2])
    assert "error[" in CONTROL.sub("", text)


def test_the_line_appears_also_without_a_finished_step(on_terminal: Callable[..., str]) -> None:
    terminal = Terminal()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stderr", terminal.stream)
        with progress.Bar("runs"):
            sleep(0.2)
    assert "runs" in (text := terminal.close())
    assert "?:??:?? left" in CONTROL.sub("", text)


def test_the_line_names_what_is_done() -> None:
    with progress.Bar("passes") as bar:
        assert bar.description() == "passes"
        with doing("device asic/edge", 3, 9), doing("pass \x1b[31mred"):
            assert bar.description() == "passes: pass \\x1b[31mred"
        with doing("device asic/edge", 3, 9):
            assert bar.description() == "passes: device asic/edge (3 of 9)"
        assert bar.description() == "passes"


def test_the_time_left_follows_from_the_steps(on_terminal: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(progress, "perf_counter", lambda: now[0])
    monkeypatch.setattr(progress, "PATIENCE_S", 100.0)
    terminal = Terminal()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stderr", terminal.stream)
        with progress.Bar() as bar:
            assert bar.progress is not None
            now[0] = 30.0
            bar.progress(1, 241)
            assert bar.time_left() == "2:00:00 left"  # 240 steps of 30 s
            now[0] = 90.0
            assert bar.time_left() == "1:59:00 left"  # the next step takes longer
            now[0] = 7300.0
            assert bar.time_left() == "?:??:?? left"  # than all were estimated to take
            bar.progress(241, 241)
            assert bar.time_left() == "0:00:00 left"
    terminal.close()


def test_parts_of_a_progress_follow_each_other() -> None:
    seen: list[tuple[int, int]] = []

    def watch(done: int, all: int) -> None:
        seen.append((done, all))

    first, second = part_progress(watch, 0, 2), part_progress(watch, 1, 2)
    assert first is not None
    assert second is not None
    first(1, 4)
    report_part(watch, 1, 2)
    second(1, 2)
    report_part(watch, 2, 2)
    assert seen == [(250, 2000), (1000, 2000), (1500, 2000), (2000, 2000)]
    assert part_progress(None, 0, 2) is None


# ---- the functions of the API

LONG = (
    "apply",
    "bench",
    "build_metrics",
    "check",
    "check_device",
    "compare",
    "compare_presets",
    "compile",
    "conform",
    "diff",
    "execute",
    "execute_batches",
    "export_brian2",
    "export_state_dict",
    "export_torch",
    "feature_choices",
    "import_network",
    "import_onnx",
    "levels",
    "measure_host",
    "neurobench",
    "op_support",
    "run",
    "run_chips",
    "select_device",
    "sweep",
    "tune",
    "write_report",
)
"""Functions that can take longer than two seconds."""


def parameters(name: str) -> dict[str, inspect.Parameter]:
    found = getattr(nopt, name)
    return dict(inspect.signature(found).parameters) if inspect.isfunction(found) else {}


def test_long_functions_take_a_progress() -> None:
    assert {name for name in nopt.api.__all__ if "progress" in parameters(name)} == set(LONG)
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8").partition("## Progress")[2].partition("\n## ")[0]
    assert [name for name in LONG if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", LONG)
def test_progress_of_another_type_is_a_type_error(name: str) -> None:
    required = {
        key: None
        for key, one in parameters(name).items()
        if one.default is one.empty and one.kind is not one.VAR_KEYWORD
    }
    with pytest.raises(TypeError, match=r"progress: expected a function of two integers.*found str"):
        getattr(nopt, name)(**required, progress="bar")


def test_progress_never_decreases_and_ends(stimulus: Path, build: Path, tmp_path: Path) -> None:
    data, quiet = np.load(stimulus), nopt.Diagnostics()
    module = nopt.read(LIF)
    made = {"dt": "1ms", "like": "norse"}
    calls: dict[str, Callable[..., object]] = {
        "apply": lambda **p: nopt.apply(module.clone(), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", **p),
        "bench": lambda **p: nopt.bench(module, data, engine="numpy", seconds=0.1, choices=made, **p),
        "check": lambda **p: nopt.check(module, data, target="c", **made, **p),
        "check_device": lambda **p: nopt.check_device("asic/edge", **p),
        "compare": lambda **p: nopt.compare({"a": data, "b": data}, {"a": data, "b": data + 1}, **p),
        "compile": lambda **p: nopt.compile(
            module, target="c", calib=data, out=tmp_path / "b", diagnostics=quiet, **made, **p
        ),
        "conform": lambda **p: nopt.conform("asic/edge", only=[QUESTION], networks=1, **p),
        "diff": lambda **p: nopt.diff(build, build, data, diagnostics=quiet, **p),
        "export_torch": lambda **p: nopt.export_torch(
            module, target="c", out=tmp_path / "chip.py", diagnostics=quiet, **made, **p
        ),
        "levels": lambda **p: nopt.levels(
            module, data, passes="ntensor-quantize-weights{bits=8}", diagnostics=quiet, **made, **p
        ),
        "run": lambda **p: nopt.run(module, data, engine="numpy", **made, **p),
        "run_chips": lambda **p: nopt.run_chips(build, data, chips=2, diagnostics=quiet, **p),
        "sweep": lambda **p: nopt.sweep(module, data, {"weights.bits": [4, 8]}, diagnostics=quiet, **made, **p),
        "write_report": lambda **p: nopt.write_report(tmp_path / "r.html", build, data, diagnostics=quiet, **p),
    }
    cached_results.cache_clear()  # of the features of devices that other tests have checked
    for name, call in calls.items():
        seen: list[tuple[int, int]] = []
        call(progress=lambda done, all, seen=seen: seen.append((done, all)))
        shares = [done / all for done, all in seen]
        assert shares, name
        assert shares == sorted(shares), name
        assert len({all for _, all in seen}) == 1, name
        assert shares[-1] == 1 or name in ("check_device", "compare"), name  # these report the start of each step
