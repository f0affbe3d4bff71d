"""Chains of helps of commands that do not exist, and of two networks on two devices."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from chain_networks import chain_network
from chains import LONGEST, Ending, Outcome, Search, helps_of
from forked_commands import Command, Reply
from outcomes import exit_code, report

TOOL = Path(__file__).parent
FIRST = ("compile", "x.nir", "--target", "a/one")
SOLVED = Reply(0)


def finding(code: str, help: str | None = None) -> dict[str, Any]:
    return {"code": code, "severity": "error", "message": "a limit", "expected": "1", "found": "2", "help": help}


def refusal(*helps: str | None, code: int = 1) -> Reply:
    """Returns a refusal with an error for each help: ABC001, ABC002, ..."""
    return Reply(code, [finding(f"ABC{k:03}", help) for k, help in enumerate(helps, 1)])


def typed(*words: str) -> str:
    """Returns the first command with more words, as a help shows it."""
    return " ".join(("nopt", *FIRST, *words))


def ending(replies: Mapping[str, Reply]) -> tuple[Ending, list[str]]:
    """Returns the end of a search whose commands have these results, and the commands that were typed."""
    called: list[str] = []

    def run(command: Command) -> Reply:
        called.append(" ".join(("nopt", *command)))
        return replies[called[-1]]

    return Search(run).ending(FIRST), [line.removeprefix(typed()).strip() for line in called]


def test_network_that_fits_needs_no_help() -> None:
    found, called = ending({typed(): SOLVED})
    assert (found.outcome, found.helps, called) == (Outcome.FITS, 0, [""])


def test_helps_are_typed_until_the_network_fits() -> None:
    found, _ = ending({typed(): refusal(typed("-a")), typed("-a"): refusal(typed("-b")), typed("-b"): SOLVED})
    assert (found.outcome, found.helps) == (Outcome.FITS, 2)
    assert [label for _, label in found.chain] == ["ABC001", "ABC001", "exit code 0"]


def test_next_alternative_follows_one_that_leads_nowhere() -> None:
    replies = {
        typed(): refusal(f"{typed('-a')}\nor a larger core\n{typed('-b')}"),
        typed("-a"): refusal(None),
        typed("-b"): SOLVED,
    }
    found, called = ending(replies)
    assert (found.outcome, found.helps, called) == (Outcome.FITS, 1, ["", "-a", "-b"])


def test_helps_of_all_errors_are_typed_in_order() -> None:
    replies = {typed(): refusal(None, typed("-b")), typed("-b"): SOLVED}
    assert ending(replies)[0].outcome == Outcome.FITS


def test_choices_are_alternatives() -> None:
    replies = {
        typed(): refusal(f"{typed('--like')} NAME, where NAME is one of c, d or e"),
        typed("--like", "c"): refusal(None),
        typed("--like", "d"): SOLVED,
    }
    assert ending(replies)[1] == ["", "--like c", "--like d"]


def test_command_that_was_typed_is_a_circle() -> None:
    found, _ = ending({typed(): refusal(typed("-a")), typed("-a"): refusal(typed())})
    assert (found.outcome, found.helps, found.reason) == (Outcome.CIRCLE, 1, "ABC001")


def test_circle_needs_that_every_alternative_leads_nowhere() -> None:
    replies = {typed(): refusal(typed("-a")), typed("-a"): refusal(f"{typed()}\n{typed('-b')}"), typed("-b"): SOLVED}
    assert ending(replies)[0].outcome == Outcome.FITS


def test_change_that_is_repeated_is_a_circle() -> None:
    replies = {typed(*["-a"] * k): refusal(typed(*["-a"] * (k + 1))) for k in range(LONGEST + 2)}
    found, called = ending(replies)
    assert (found.outcome, found.helps, len(called)) == (Outcome.CIRCLE, LONGEST, LONGEST + 1)


def test_refusal_in_two_branches_is_followed_once() -> None:
    replies = {
        typed(): refusal(f"{typed('-a')}\n{typed('-b')}"),
        typed("-a"): refusal(typed("-c")),
        typed("-b"): refusal(typed("-c")),
        typed("-c"): refusal(None),
    }
    found, called = ending(replies)
    assert (found.outcome, called) == (Outcome.NO_REMEDY, ["", "-a", "-c", "-b"])


@pytest.mark.parametrize("help", [None, "choose a device with larger cores", "nopt explain ABC001", "nopt targets"])
def test_refusal_without_a_command_has_no_remedy(help: str | None) -> None:
    found, _ = ending({typed(): refusal(help)})
    assert (found.outcome, found.reason) == (Outcome.NO_REMEDY, "ABC001")
    assert "expected: 1; found: 2" in found.detail


@pytest.mark.parametrize("words", ["--passes FILE", "-o DIR", "--passes 'open", "--dt TIME"])
def test_help_with_a_place_to_fill_cannot_be_typed(words: str) -> None:
    assert ending({typed(): refusal(typed(words))})[0].outcome == Outcome.UNTYPEABLE


def test_places_of_the_user_and_for_the_sample_can_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.npy").touch()
    monkeypatch.chdir(tmp_path)
    own = (*FIRST, "--passes", "FILE")
    (help,) = helps_of(finding("ABC001", f"nopt {' '.join(own)} --calib FILE --input X.npy"), own)
    assert help.command == (*own, "--calib", "x.npy", "--input", "x.npy")


SEARCH = "nopt check x.nir --target auto"


def test_search_for_another_device_is_typed_last() -> None:
    found, _ = ending({typed(): refusal(f"{SEARCH}\n{typed('-a')}"), typed("-a"): refusal(SEARCH), SEARCH: Reply(1)})
    assert (found.outcome, found.helps, found.reason) == (Outcome.DEVICE, 2, "ABC001")
    assert ending({typed(): refusal(SEARCH), SEARCH: Reply(3)})[0].outcome == Outcome.FAILS


@pytest.mark.parametrize("other", ["nopt compile x.nir --target b/two", typed("--set", "core.neurons=9")])
def test_another_target_or_size_is_another_device(other: str) -> None:
    assert ending({typed(): refusal(other), other: SOLVED})[0].outcome == Outcome.DEVICE


@pytest.mark.parametrize("code", [2, 3, -9])
def test_help_that_fails_is_reported_even_if_another_one_leads_on(code: int) -> None:
    replies = {
        typed(): refusal(f"{typed('-a')}\n{typed('-b')}"),
        typed("-a"): refusal("nopt --help", code=code),
        typed("-b"): SOLVED,
    }
    found, _ = ending(replies)
    assert (found.outcome, found.chain[-1][0]) == (Outcome.FAILS, (*FIRST, "-a"))


def test_misuse_of_the_first_command_is_a_refusal() -> None:
    assert ending({typed(): refusal(typed("-a"), code=2), typed("-a"): SOLVED})[0].outcome == Outcome.FITS


def test_command_without_an_end_is_too_long() -> None:
    found, _ = ending({typed(): Reply(None)})
    assert (found.outcome, found.chain) == (Outcome.LATE, ((FIRST, "took too long"),))
    slow = {typed(f"-{k}"): Reply(None) for k in range(9)}
    found, called = ending({typed(): refusal("\n".join(slow)), **slow})
    assert (found.outcome, len(called)) == (Outcome.LATE, 4)


def record(outcome: Outcome, seed: int = 0) -> dict[str, Any]:
    chain = [[["compile", "a b.nir"], "ABC001"]]
    return {
        "seed": seed, "device": "a/one", "outcome": str(outcome), "helps": 0, "reason": "ABC001", "detail": "a limit",
        "chain": chain,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Outcome.FITS, 0),
        (Outcome.DEVICE, 0),
        (Outcome.NO_REMEDY, 0),
        (Outcome.UNTYPEABLE, 0),
        (Outcome.CIRCLE, 1),
        (Outcome.FAILS, 1),
    ],
)
def test_one_of_20_pairs_may_have_no_remedy(outcome: Outcome, expected: int) -> None:
    assert exit_code([record(outcome), *[record(Outcome.FITS)] * 19]) == expected
    assert exit_code([record(Outcome.NO_REMEDY)] * 2 + [record(Outcome.FITS)] * 19) == 1


def test_chain_that_leads_nowhere_is_printed_whole() -> None:
    text = report([record(Outcome.CIRCLE, 1), record(Outcome.CIRCLE, 2), record(Outcome.FITS, 3)])
    assert (
        "circle: ABC001: network 1 on a/one\n  nopt compile 'a b.nir'\n    ABC001\n  a limit\n  also 2 on a/one" in text
    )


def test_seeds_give_many_structures() -> None:
    nodes = [dict(chain_network(seed).graph.nodes) for seed in range(60)]
    kinds = {type(node).__name__ for network in nodes for node in network.values()}
    assert kinds >= {"LIF", "IF", "CubaLIF", "LI", "CubaLI", "Conv1d", "Conv2d", "SumPool2d", "AvgPool2d", "Delay"}
    assert any(name.isdecimal() for network in nodes for name in network)


def test_results_of_an_earlier_run_are_kept(root: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{root / 'tests' / 'support'}:{root / 'lit-tests'}"}
    options = ["--networks", "2", "--devices", "asic/edge,c/int8", "--jobs", "1", "--keep", str(tmp_path)]
    runs = [
        subprocess.run([sys.executable, TOOL, *options], capture_output=True, text=True, check=False, env=environment)
        for _ in range(2)
    ]
    first, second = (run.stdout.splitlines() for run in runs)
    assert first[0].endswith("0 pairs are from an earlier run")
    assert second[0].endswith("4 pairs are from an earlier run")
    assert first[1:] == second[1:]
    records = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert {(one["seed"], one["device"]) for one in records} == {
        (seed, device) for seed in (0, 1) for device in ("asic/edge", "c/int8")
    }
    assert {one["outcome"] for one in records} <= {Outcome.FITS, Outcome.DEVICE}
