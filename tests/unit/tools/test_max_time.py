"""Time budgets: a verb that exceeds its time ends with exit code 4, names the step, and leaves neither files nor processes.

The plug-in of `slow_chip.py` has a pass and an artefact that do not end. Budgets are longer than the start of a verb on a busy machine.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
import threading
import time
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import GOLDENS, ROOT
from test_progress import LONG

import nopt
from nopt.api.checking import inspection
from nopt.api.compiling.device_fit import Fit
from nopt.api.sweeping import workers as sweep_workers
from nopt.core import budget
from nopt.core.budget import Budget, Expired, OutOfTime, Partial
from nopt.core.diagnostics import ExitCode, Refused
from nopt.core.progress import doing
from nopt.tools.main import main
from nopt.tools.verbs import VERBS, verb_module

INPUTS = GOLDENS / "tools" / "inputs"
BIN = Path(sys.executable).parent
CROSS = INPUTS / "cross.mlir"
CHOICES = ["--dt", "1ms", "--like", "norse"]
CONVERT = "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
ACTIVE = {"TMPDIR": "tmp", "XDG_CACHE_HOME": "cache"}


@pytest.fixture(scope="module")
def chip(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Returns the options of the slow target."""
    folder = tmp_path_factory.mktemp("slow") / "slow"
    subprocess.run([sys.executable, INPUTS / "slow_chip.py", folder], check=True)
    return ["--load-target", str(folder / "target.py")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ACTIVE.values():
        (tmp_path / name).mkdir()
    return tmp_path


def children_of(session: int) -> list[int]:
    """Returns the processes of a session that are running."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, own = path.read_text().rpartition(")")[2].split()[:4]
        except OSError:  # it has ended
            continue
        if int(own) == session and state != "Z":
            found.append(int(path.parent.name))
    return found


def call(folder: Path, *words: object, **more: str) -> tuple[int, str, str]:
    """Runs a command in a session of its own, requires that nothing of it is left, and returns its exit code and outputs."""
    places = {name: str(folder / value) for name, value in ACTIVE.items()}
    command = [str(BIN / "nopt"), *map(str, words)]
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **places, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        out, error = process.communicate(timeout=120)
    end = time.monotonic() + 5
    while (left := children_of(process.pid)) and time.monotonic() < end:
        time.sleep(0.05)
    assert left == []
    assert list((folder / "tmp").iterdir()) == []
    assert "Traceback" not in error
    return process.returncode, out, error


# ---- the context


def wait() -> None:
    with doing("pass wait", 2, 3):
        while True:
            pass


def test_a_loop_ends() -> None:
    with pytest.raises(OutOfTime) as refused, Budget(0.02):
        wait()
    (finding,) = refused.value.findings
    assert finding.code is budget.COR006
    assert finding.message == "the time budget is used up in pass wait (2 of 3)"
    assert refused.value.exit_code is ExitCode.OUT_OF_TIME == 4
    assert isinstance(refused.value, Refused)


def test_a_wait_ends() -> None:
    start = time.monotonic()
    with pytest.raises(OutOfTime), Budget(0.02):
        time.sleep(30)
    assert time.monotonic() - start < 10


def test_handlers_of_errors_do_not_catch_the_end() -> None:
    def work() -> None:
        while True:
            try:
                sum(range(100))
            except Exception:
                continue

    with pytest.raises(OutOfTime), Budget(0.02):
        work()


def test_a_caught_end_is_raised_again() -> None:
    caught: list[BaseException] = []

    def work() -> None:
        for _ in range(2):
            try:
                wait()
            except BaseException as end:
                caught.append(end)

    with pytest.raises(OutOfTime), Budget(0.02):
        work()
    assert list(map(type, caught)) == [Expired, Expired]


def test_clean_up_is_not_interrupted() -> None:
    steps: list[int] = []

    def work() -> None:
        try:
            wait()
        finally:
            for step in range(4):
                time.sleep(budget.PERIOD_S)
                steps.append(step)

    with pytest.raises(OutOfTime), Budget(0.02):
        work()
    assert steps == [0, 1, 2, 3]


@pytest.mark.parametrize("times", [(0.02, 60.0), (60.0, 0.02)], ids=["outer", "inner"])
def test_the_earliest_end_of_nested_budgets_holds(times: tuple[float, float]) -> None:
    outer, inner = times
    with pytest.raises(OutOfTime, match=r"within 0\.02 s"), Budget(outer), Budget(inner):
        wait()


def test_a_budget_that_is_not_used_up_changes_nothing() -> None:
    with Budget(60.0):
        pass
    with pytest.raises(KeyError), Budget(60.0):
        raise KeyError
    assert budget.deadline() is None


def test_imports_are_not_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import within a budget is complete, unless it takes much longer. A budget within an import ends as any other."""
    (tmp_path / "slow_import.py").write_text("import time\ntime.sleep(0.2)\nVALUE = 7\n")
    (tmp_path / "imported_budget.py").write_text(
        "import time\nfrom nopt.core.budget import Budget\nwith Budget(0.02):\n    time.sleep(30)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    def work() -> None:
        import_module("slow_import")
        wait()

    with pytest.raises(OutOfTime), Budget(0.02):
        work()
    assert sys.modules["slow_import"].VALUE == 7
    start = time.monotonic()
    with pytest.raises(OutOfTime):
        import_module("imported_budget")
    assert time.monotonic() - start < budget.GRACE_S


def test_systems_without_timers_have_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("signal.setitimer")
    with pytest.raises(OutOfTime, match="in pass wait"), Budget(0.02):
        wait()
    with Budget(0.05):
        with Partial() as result:
            wait()
        time.sleep(2 * budget.PERIOD_S)
    assert result.is_partial


def test_an_alarm_of_the_program_goes_on() -> None:
    import signal

    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(OutOfTime), Budget(0.02):
            time.sleep(30)
        time.sleep(0.1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == [signal.SIGALRM]


def test_finished_parts_are_kept() -> None:
    parts: list[int] = []
    with Budget(0.05):
        with Partial() as result:
            for part in range(3):
                parts.append(part)
                while part == 1:
                    pass
        time.sleep(2 * budget.PERIOD_S)  # the output has time
    assert parts == [0, 1]
    assert result.is_partial
    finding = result.finding("2 of 3 parts are")
    assert finding is not None
    assert str(finding).startswith("error[COR007]: 2 of 3 parts are not finished")


def test_other_threads_have_budgets() -> None:
    refused: list[OutOfTime] = []

    def work() -> None:
        try:
            with Budget(0.02):
                wait()
        except OutOfTime as end:
            refused.append(end)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(30)
    assert [one.findings[0].message for one in refused] == ["the time budget is used up in pass wait (2 of 3)"]


@pytest.mark.parametrize("given", ["0", "-1s", "3d", "x", "1..2s", "1e99h", "nan", "", float("inf"), 0, True])
def test_other_times_are_refused(given: float | str) -> None:
    with pytest.raises(Refused, match="API022"):
        nopt.compare({}, {}, max_time=given)


# ---- the functions


def test_functions_end() -> None:
    x = np.zeros((10_000_000, 2), bool)
    nopt.run(CROSS, x[:10], dt="1ms", like="norse", engine="numpy")
    with pytest.raises(OutOfTime, match=r"simulation \(numpy\)"):
        nopt.run(CROSS, x, dt="1ms", like="norse", engine="numpy", max_time=0.2)
    assert issubclass(OutOfTime, Refused)
    assert not issubclass(Expired, Exception)


# ---- the commands


def test_the_pass_is_named(chip: list[str], folder: Path) -> None:
    code, out, error = call(folder, CROSS, "-p", f"{CONVERT},slow-wait", *chip, "--max-time", "4s", "-o", "out.mlir")
    assert (code, out) == (4, "")
    assert "error[COR006]: the time budget is used up in pass slow-wait (2 of 2) [time-budget-exhausted]\n" in error
    assert re.search(r"found: pass slow-wait \(2 of 2\) for \d+\.\d s, in passes for \d+\.\d s, 50 % done\n", error)
    assert f"help: nopt {CROSS} -p '{CONVERT},slow-wait' --load-target" in error
    assert "--max-time" not in error.partition("help:")[2].partition("\n")[0]
    assert not (folder / "out.mlir").exists()


@pytest.mark.parametrize("bits", [1, 2], ids=["loop", "process"])
def test_compile_leaves_nothing(bits: int, chip: list[str], folder: Path) -> None:
    words = ["compile", CROSS, "--target", "weights", "--set", f"preferences.bits={bits}", *CHOICES, *chip]
    code, _, error = call(folder, *words, "-o", "build", "--max-time", "6s")
    assert code == 4
    assert "in artefact of weights/edge" in error
    assert {path.name for path in folder.iterdir()} == set(ACTIVE.values())


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_sweep_keeps_its_points(jobs: int, chip: list[str], folder: Path) -> None:
    words = ["sweep", CROSS, "--target", "weights", "--vary", "preferences.bits=3,4,1,2", *CHOICES, *chip, "-j", jobs]
    code, out, error = call(folder, *words, "-o", "out", "--format", "json", "--max-time", "12s")
    assert code == 4
    assert [point["code"] for point in json.loads(out)["points"]] == [None, None, "COR007", "COR007"]
    (finding,) = json.loads(error)["findings"]
    assert finding["code"] == "COR007"
    assert finding["message"].startswith("2 of 4 points are not finished")
    assert (folder / "out" / "points.jsonl").read_bytes().count(b"\n") == 2
    assert (folder / "out" / "sweep.csv").read_text().count("COR007") == 2


def test_a_search_keeps_its_points(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluated, asked = sweep_workers.evaluate, count()

    def evaluate_slowly(folder: str, task: Any) -> dict[str, Any]:
        if next(asked) == 2:
            wait()
        return evaluated(folder, task)

    monkeypatch.setattr(sweep_workers, "evaluate", evaluate_slowly)
    x = np.random.default_rng(0).random((20, 2)) < 0.5
    given = {"goal": "count_error-0.5", "dt": "1ms", "like": "norse", "max_time": 3}
    found = nopt.sweep(CROSS, x, {"weights.bits": [2, 3, 4, 8]}, **given)
    assert [point.options["fc.bits"] for point in found.points] == [8, 4]
    assert found.search is None
    assert found.unfinished is not None
    assert found.unfinished.message == "the search is not finished: the time is used up"


def test_a_compiler_that_hangs_is_ended(folder: Path) -> None:
    compiler = folder / "cc"
    compiler.write_text("#!/bin/sh\ntouch $TMPDIR/left\nsleep 600\ntrue\n")
    compiler.chmod(0o755)
    np.save(folder / "x.npy", np.zeros((10, 2), bool))
    words = ["run", CROSS, "--input", "x.npy", "--engine", "native", *CHOICES, "--max-time", "4s"]
    code, _, error = call(folder, *words, CC=str(compiler))
    assert code == 4
    assert "in C compiler" in error


def test_questions_that_are_left_are_not_asked(chip: list[str], folder: Path) -> None:
    words = ["conform", "weights", "--set", "preferences.bits=1", *chip, "--networks", "1", "--format", "json"]
    code, out, _ = call(folder, *words, "--only", "delays,determinism,weights", "--max-time", "8s")
    assert code == 4
    (device,) = json.loads(out)["devices"]
    assert not device["conforms"]
    assert [one["status"] for one in device["questions"]][-2:] == ["not_asked", "not_asked"]


def test_devices_that_are_left_are_not_checked(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fit, asked = inspection.fit, count()

    def fit_slowly(*args: Any, **options: Any) -> Fit:
        if next(asked) == 2:
            wait()
        return fit(*args, **options)

    monkeypatch.setattr(inspection, "fit", fit_slowly)
    words = ["check", str(CROSS), "--target", "auto", *CHOICES, "--max-time", "4s", "--format", "json"]
    assert main(words) == 4
    found = json.loads(capfd.readouterr().out)
    unchecked = [one["device"] for one in found["ranking"] if one["reason"] == "not checked"]
    assert len(unchecked) == len(found["ranking"]) - 2
    (finding,) = [one for one in found["findings"] if one["code"] == "COR007"]
    assert finding["message"].startswith(f"{len(unchecked)} of {len(unchecked) + 2} devices are not finished")
    assert finding["found"].startswith("pass wait (2 of 3) for")
    assert f"in device {unchecked[0]} (3 of " in finding["found"]
    assert finding["help"] == f"nopt check {CROSS} --target auto --dt 1ms --like norse --format json"


@pytest.fixture
def configured(folder: Path) -> Path:
    (folder / "nopt.toml").write_text('[project]\nmax_time = "0.1ms"\n')
    return folder / "nopt.toml"


def test_the_configuration_has_a_budget(configured: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = [str(CROSS), "-p", CONVERT, "--config", str(configured)]
    assert main(words) == 4
    error = capfd.readouterr().err
    assert "at: --max-time 0.0001s" in error
    assert f"help: nopt {CROSS} -p '{CONVERT}' --config {configured} --max-time none\n" in error
    assert main([*words, "--max-time", "none"]) == 0


def test_the_page_has_all_exit_codes() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert [f"| {int(code)} |" in page for code in ExitCode] == [True] * len(ExitCode)
    long = [verb for verb in VERBS if getattr(verb_module(verb), "IS_LONG", False)]
    assert [verb for verb in long if f"`{verb}`" not in page] == []


@pytest.mark.parametrize("name", [*LONG, "plot"])
def test_long_functions_have_a_budget(name: str) -> None:
    assert "max_time" in inspect.signature(getattr(nopt, name)).parameters
