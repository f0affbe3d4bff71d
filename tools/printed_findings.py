"""Findings on standard error: sorted, merged, in colour on a terminal; their number for the results of verbs."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TextIO

from attrs import evolve

from ..core.diagnostics import Finding, Severity
from ..core.output import json_text
from ..core.sarif import sarif

NAMED_NODES = 4
"""Maximum number of nodes that a remark names."""
COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.REMARK: "36"}


def report(findings: Sequence[Finding], format: str, file: str | None = None, *, is_brief: bool = False) -> None:
    """Prints findings to standard error, errors last. A SARIF log is complete even without findings. `file` is that of `sarif`.

    With `is_brief`, a text has one line for each remark.
    """
    sys.stdout.flush()  # results precede findings if both go to one file
    ordered = sorted(findings, key=lambda finding: finding.severity is Severity.ERROR)
    if format == "sarif":
        print(json_text(sarif(ordered, file)), file=sys.stderr)
        return
    if format == "json":
        if ordered:
            record = {"schema": "nopt.findings/1", "findings": [finding.as_json() for finding in ordered]}
            print(json_text(record), file=sys.stderr)
        return
    is_coloured = has_colour(sys.stderr)
    for finding in merge_remarks(ordered, is_brief=is_brief):
        text = brief_text(finding) if is_brief and finding.severity is Severity.REMARK else str(finding)
        print(coloured(text, finding) if is_coloured else text, file=sys.stderr)


def has_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR")


def coloured(text: str, finding: Finding) -> str:
    """Returns the text of a finding with its severity and code in colour."""
    head = f"{finding.severity}[{finding.code}]"
    return text.replace(head, f"\x1b[1;{COLOURS[finding.severity]}m{head}\x1b[0m", 1)


def brief_text(remark: Finding) -> str:
    """Returns a remark in one line, with its place."""
    return f"{remark.head}, at {remark.at}" if remark.at else remark.head


def merge_remarks(findings: Iterable[Finding], *, is_brief: bool = False) -> list[Finding]:
    """Merges remarks that differ only in their nodes into one remark, and returns the findings. Brief remarks need only have one message."""
    groups: dict[Finding, list[Finding]] = {}
    for finding in findings:
        has_nodes = finding.severity is Severity.REMARK and finding.node and finding.at.endswith(f'"{finding.node}"')
        merged = evolve(finding, at="", node=None, place=None) if has_nodes else finding
        if has_nodes and is_brief:
            merged = Finding(finding.code, finding.message, finding.severity)
        groups.setdefault(merged, []).append(finding)
    return [evolve(first, at=places_text([first, *others])) for first, *others in groups.values()]


def places_text(findings: Sequence[Finding]) -> str:
    """Returns the places of findings in one line: the place of the first finding, and the node names of the others."""
    first, *others = findings
    names = "".join(f', "{one.node}"' for one in others[: NAMED_NODES - 1])
    return f"{first.at}{names}" + (f" and {more} more" if (more := len(others) - NAMED_NODES + 1) > 0 else "")


def count_findings(findings: Iterable[Finding]) -> str:
    """Formats the number of findings of each severity."""
    counts = Counter(finding.severity for finding in findings)
    return ", ".join(f"{n} {one}{'s' * (n > 1)}" for one in Severity if (n := counts[one])) or "no problems found"
