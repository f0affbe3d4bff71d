"""Counts of the results of several kinds of tests: pytest's XML, lit's JSON and the checks that leave only `NAME.ok`.

    python tests/support/summary.py FOLDER NAME…
    nopt: 345 passed, 0 failed, 2 skipped

The exit code is 1 if anything failed. A kind without `NAME.ok` and without a failed test counts as one failure.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

PASSED, FAILED, SKIPPED = OUTCOMES = ("passed", "failed", "skipped")
CHECKS = ("lint", "types")
"""Checks without a report; each counts as one test."""

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


def outcomes(reports: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yields the outcome and the name of every test of a kind, or those of a check."""
    has_passed = (reports / f"{name}.ok").exists()
    if name in CHECKS:
        yield PASSED if has_passed else FAILED, f"make {name}"
        return
    results: list[tuple[str, str]] = []
    for suffix, read in ((".xml", pytest_outcomes), (".json", lit_outcomes)):
        if (report := reports / f"{name}{suffix}").exists():
            results += read(report)
    yield from results
    if not has_passed and all(outcome != FAILED for outcome, _ in results):
        yield FAILED, f"make {name}"


def main(reports: Path, names: Sequence[str]) -> int:
    results = [result for name in names for result in outcomes(reports, name)]
    for outcome, test in results:
        if outcome == FAILED:
            print(f"failed: {test}")
    counts = {kind: sum(outcome == kind for outcome, _ in results) for kind in OUTCOMES}
    print("nopt: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts[FAILED] else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
