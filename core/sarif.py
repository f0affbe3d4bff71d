"""Findings in SARIF 2.1.0, the form that code hosts and editors take for the results of an analysis.

Every code is a rule, every finding a result. The node that it is about is a logical location (`kind` member, since SARIF has no
word for a layer); the file is the physical one, with line and column where the finding is about a text. A remark is a `note`.
What SARIF has no field for stands in `properties`, under the names of `nopt.findings/1`.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0 Plus Errata 01, sections 3.13 to 3.49.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from .diagnostics import Code, Finding, Severity

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.REMARK: "note"}
PLACE = re.compile(r"(?P<file>.*?)(?::(?P<line>\d+):(?P<column>\d+))?", re.DOTALL)
"""`file:line:col`, or the file alone."""


def sarif(findings: Sequence[Finding], is_done: bool = True) -> dict[str, Any]:
    """A SARIF log with one run; `is_done` says whether the command came to its end."""
    from importlib.metadata import version

    codes = sorted({finding.code for finding in findings}, key=lambda code: code.name)
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "nopt", "version": version("nopt"), "rules": list(map(rule, codes))}},
                "invocations": [{"executionSuccessful": is_done}],
                "columnKind": "unicodeCodePoints",
                "results": [result(finding, codes.index(finding.code)) for finding in findings],
            }
        ],
    }


def rule(code: Code) -> dict[str, Any]:
    """What `nopt explain` says about a code."""
    return {
        "id": code.name,
        "shortDescription": {"text": code.summary},
        "fullDescription": {"text": code.cause},
        "help": {"text": code.remedy},
    }


def result(finding: Finding, index: int) -> dict[str, Any]:
    """One finding. Its message says all that the text form says below the headline."""
    details = "\n".join(line.removeprefix("  ") for line in list(finding.lines())[1:])
    kept = {name: value for name, value in finding.as_json().items() if name not in ("code", "severity", "message")}
    return {
        "ruleId": finding.code.name,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "message": {"text": f"{finding.message}\n{details}".rstrip()},
        "locations": [place] if (place := location(finding)) else [],
        "properties": kept,
    }


def location(finding: Finding) -> dict[str, Any]:
    """Where a finding is; empty where nobody knows."""
    found: dict[str, Any] = {}
    match = PLACE.fullmatch(finding.place or finding.file or "")
    assert match is not None  # the pattern takes any text
    if (file := match["file"]) and not file.startswith("<"):  # `<stdin>` is no file
        physical: dict[str, Any] = {"artifactLocation": {"uri": uri(file)}}
        if match["line"]:
            # column 0 is how a location says that it does not know
            physical["region"] = {"startLine": int(match["line"]), "startColumn": max(int(match["column"]), 1)}
        found["physicalLocation"] = physical
    if finding.node:
        found["logicalLocations"] = [{"fullyQualifiedName": finding.node, "kind": "member"}]
    return found


def uri(file: str) -> str:
    """A path as a URI reference: a relative one stays relative."""
    path = PurePath(file)
    return Path(file).as_uri() if path.is_absolute() else quote(path.as_posix())
