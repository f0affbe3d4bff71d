"""A short run of the fuzz suite with a fixed seed, and tests of its detection."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import judge
import pytest
import trial
from cases import Case, Suite
from extent import times
from jsonschema import Draft202012Validator
from material import material
from places import ROOT
from schema_mutations import Documents
from seeds import generated, seeds

from nopt.core.device.schema import schema
from nopt.tools.verbs import VERBS

BATCHES, SIZE = times(2), 15
TARGETS = ("asic", "c")
"""Targets whose builds are damaged."""


@pytest.fixture(scope="module")
def suite() -> Suite:
    """Uses examples, generated networks and a few targets only, because goldens and samples change."""
    return Suite(seeds(), 0, material(TARGETS))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_damaged_networks_are_read_or_refused(suite: Suite, batch: int, tmp_path: Path) -> None:
    for number in range(batch * SIZE, (batch + 1) * SIZE):
        case = suite.case(number)
        verdict = suite.tried(case, tmp_path)
        assert not verdict.faults, (
            f"case {number} ({case.how}, {case.shown()}): {verdict.faults}\n{verdict.errors[-2000:]}"
        )


def test_good_networks_are_read(suite: Suite, tmp_path: Path) -> None:
    for data in suite.seeds.files:
        case = Case((("good.nir", data),), ("good.nir", "-o", "out"), "good")
        verdict = suite.tried(case, tmp_path)
        assert (verdict.code, verdict.faults) == (0, ()), verdict.errors


def test_a_case_depends_on_seed_and_number_alone(suite: Suite) -> None:
    assert generated() == generated()
    again = Suite(seeds(), 0, suite.material)
    assert again.seeds == suite.seeds
    assert [suite.case(number) for number in (40, 3, 40)] == [again.case(number) for number in (40, 3, 40)]
    assert suite.case(40) != suite.case(43)


def test_good_commands_of_each_kind_exist(suite: Suite) -> None:
    """A good command has only values that are neither damaged nor unusual."""
    cases = [suite.case(number) for number in range(1200)]
    assert suite.verbs is not None
    names = {maker.__name__ for maker, _ in suite.verbs.makers}
    assert {case.kind for case in cases} == {*names, "file", "text"}
    assert {*VERBS} <= {case.arguments[0] for case in cases if case.arguments}
    assert not any(odd in case.arguments for case in cases if case.is_good for odd in ("\x1b[31mred\x1b[0m", "9" * 30))


@pytest.mark.parametrize(
    ("code", "printed", "answer", "is_success"),
    [
        (0, b"", "", True),
        (1, b"different\n", "^different$", True),
        (1, b"error[XYZ001]", "^different$", False),
        (1, b"", "", False),
    ],
)
def test_success_of_a_command(code: int, printed: bytes, answer: str, is_success: bool) -> None:
    case = Case((), (), "diff", answer=answer)
    assert case.succeeds(trial.Verdict(code, printed, b"", 0.0)) == is_success


def test_values_of_a_schema_are_valid() -> None:
    """Changes that follow the schema of device files keep most files valid, and change them."""
    text = (ROOT / "targets" / "asic" / "devices" / "edge.json").read_text()
    documents = Documents(schema(), [json.loads(text)])
    validator = Draft202012Validator(schema())
    made = [documents.damaged(Random(number), text) for number in range(40)]
    assert len({*made}) > 30
    assert sum(validator.is_valid(json.loads(one)) for one in made) > 20


def refuses() -> int:
    print("error[XYZ001]: no", file=sys.stderr)
    return 1


def writes_and_refuses() -> int:
    Path("half").write_text("half of it")
    return refuses()


def changes_and_refuses() -> int:
    Path("made/net.json").write_text("other")
    return refuses()


def breaks() -> int:
    raise KeyError("lif")


def eats() -> int:
    return len(bytearray(4 << 30)) and 0


def computes() -> int:
    while time.process_time() >= 0:
        pass
    return 0


def sleeps() -> int:
    time.sleep(60)
    return 0


@pytest.mark.parametrize(
    ("entry", "faults"),
    [
        (lambda: 0, []),
        (refuses, []),
        (lambda: 1, ["refused without a message"]),
        (lambda: 3, ["ended with exit code 3"]),
        (writes_and_refuses, ["left half"]),
        (changes_and_refuses, ["changed made/net.json"]),
        (breaks, ["ended with exit code 125", "printed a traceback"]),
        (eats, ["ended with exit code 125", "printed a traceback", "took more than 1024 MiB"]),
        (computes, ["took more than 0 s"]),
        (sleeps, ["took more than 2 s"]),
    ],
    ids=["done", "refused", "mute", "misused", "half", "changed", "broken", "eater", "busy", "asleep"],
)
def test_notices(entry: Callable[[], int], faults: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "SECONDS", 0 if entry is computes else 1)  # rounded up to whole seconds
    monkeypatch.setattr(trial, "PATIENCE", 2 if entry is sleeps else 60)
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "net.json").write_text("a file")
    assert list(trial.tried(entry, [], trial.Trial(tmp_path)).faults) == faults


def test_each_of_several_commands_has_its_own_verdict(tmp_path: Path) -> None:
    """A command that ends the process, or that breaks, changes no other verdict."""

    def entry() -> int:
        match sys.argv[1]:
            case "ends":
                os._exit(3)
            case "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            case "breaks":
                return breaks()
        print(sys.argv[1])
        return 0

    names = ("first", "ends", "breaks", "second", "dies", "third")
    for name in names:
        (tmp_path / name).mkdir()
    verdicts = trial.tried_in_turn(entry, [([name], trial.Trial(tmp_path / name)) for name in names])
    assert [verdict.code for verdict in verdicts] == [0, 3, 125, 0, -9, 0]
    assert [verdict.printed for verdict in verdicts] == [b"first\n", b"", b"", b"second\n", b"", b"third\n"]
    assert [bool(verdict.faults) for verdict in verdicts] == [False, True, True, False, True, False]


@pytest.mark.parametrize(
    ("format", "printed", "said", "words"),
    [
        ("text", b"lif 3\n", b"", None),
        ("text", b"lif\x1b[31m", b"", "standard output holds"),
        ("text", b"", "\u202e".encode(), "standard error holds"),
        ("text", b"", b"\xff", "not UTF-8"),
        ("text", b"", b"x.py:3: RuntimeWarning: overflow", "a warning of Python"),
        ("json", b'{"schema": "a/1"}', b"", None),
        ("json", b"", b'{"schema": "a/1"}', None),
        ("json", b'{"schema": "a/1"}{"schema": "a/1"}', b"", "Extra data"),
        ("json", b'{"schema": "a/1", "x": Infinity}', b"", "Infinity is not JSON"),
        ("json", b"text", b"", "standard output is not json"),
        ("sarif", b"", b'{"version": "2.1.0", "runs": []}', None),
        ("sarif", b"", b"", "no log"),
    ],
)
def test_notices_output(format: str, printed: bytes, said: bytes, words: str | None) -> None:
    found = list(judge.faults(format, printed, said))
    assert len(found) == (words is not None)
    assert words is None or words in found[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int f(int x) { return x; }", None),
        ("int f(int x) { int unused = 1; return x; }", "unused"),
        ("int f(int x) { return y; }", "undeclared"),
    ],
    ids=["good", "warning", "error"],
)
def test_notices_source(text: str, words: str | None, tmp_path: Path) -> None:
    (tmp_path / "out").write_text(text)
    found = judge.source_fault([tmp_path / "out"])
    assert (found is None) == (words is None)
    assert words is None or words in (found or "")
