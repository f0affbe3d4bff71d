"""Counts of the results of `make test` and `make long`: pytest's XML, lit's JSON and the checks that leave only `NAME.ok`.

    python tests/summary.py FOLDER [NAME …]
    nopt: 345 passed, 0 failed, 2 skipped

The exit code is 1 if anything failed. A runner without a report counts as one failure. NAME is a check or a runner; without names, all count.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from xml.etree import ElementTree

PASSED, FAILED, SKIPPED = OUTCOMES = ("passed", "failed", "skipped")
CHECKS = ("lint", "types")
"""Checks; each counts as one test."""
RUNNERS = {"unit": ("unit.xml",), "long": ("long.xml",), "lit": ("lit.json",)}
"""Runners; they write reports."""

LIT_PASSED = frozenset(["PASS", "FLAKYPASS", "FIXED", "XFAIL"])
LIT_SKIPPED = frozenset(["UNSUPPORTED", "SKIPPED", "EXCLUDED"])


def pytest_outcomes(report: Path) -> Iterator[tuple[str, str]]:
    for case in ElementTree.parse(report).iter("testcase"):
        parts = {part.tag for part in case}
        outcome = FAILED if parts & {"failure", "error"} else SKIPPED if "skipped" in parts else PASSED
        yield outcome, f"{case.get('classname')}::{case.get('name')}"


def lit_outcomes(report: Path) -> Iterator[tuple[str, str]]:
    for test in json.loads(report.read_text())["tests"]:
        code = test["code"]
        yield PASSED if code in LIT_PASSED else SKIPPED if code in LIT_SKIPPED else FAILED, test["name"]


def outcomes(reports: Path, chosen: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yields the outcome and the name of every test of the chosen checks and runners."""
    for check in (one for one in CHECKS if one in chosen):
        yield PASSED if (reports / f"{check}.ok").exists() else FAILED, f"make {check}"
    for runner, names in ((one, names) for one, names in RUNNERS.items() if one in chosen):
        found = [
            outcome
            for name in names
            if (reports / name).exists()
            for outcome in (pytest_outcomes if name.endswith(".xml") else lit_outcomes)(reports / name)
        ]
        yield from found
        if not (reports / f"{runner}.ok").exists() and all(outcome != FAILED for outcome, _ in found):
            yield FAILED, f"make {runner}"


def main(reports: Path, chosen: Collection[str] = ()) -> int:
    found = list(outcomes(reports, chosen or {*CHECKS, *RUNNERS}))
    for outcome, name in found:
        if outcome == FAILED:
            print(f"failed: {name}")
    counts = {kind: sum(outcome == kind for outcome, _ in found) for kind in OUTCOMES}
    print("nopt: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts[FAILED] else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
