"""Findings in SARIF 2.1.0, the format of analysis results in code hosts and editors.

Every code is a rule, every finding a result. Its node is a logical location (of kind `member`, since SARIF has no
kind for a layer). The file is the physical location, with line and column if the finding is about a text. A remark is a `note`.
Parts without a SARIF field are stored in `properties`, under the names of `nopt.findings/1`.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0 Plus Errata 01, sections 3.13 to 3.49.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from .diagnostics import Code, Finding, Severity
from .explanations import find_explanation

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.REMARK: "note"}
PLACE = re.compile(r"(?P<file>.*?)(?::(?P<line>\d+):(?P<column>\d+)|:\$.*)?", re.DOTALL)
"""`file:line:col`, `file:$.key` of a JSON document, or the file alone."""
NO_BYTES = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Lone surrogates that do not stand for a byte of a file name."""


def sarif(findings: Sequence[Finding], is_done: bool = True) -> dict[str, Any]:
    """Returns a SARIF log with one run; `is_done` is whether the command completed."""
    from importlib.metadata import version

    codes = sorted({finding.code for finding in findings}, key=lambda code: code.id)
    return {
        "$schema": SARIF_SCHEMA,
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
    """Returns a code as a rule, with its explanation if the room or plug-in has one."""
    entry = {"id": code.id, "name": code.name, "shortDescription": {"text": code.summary}}
    if found := find_explanation(code.id):
        entry.update(fullDescription={"text": found.cause}, help={"text": found.remedy})
    return entry


def result(finding: Finding, index: int) -> dict[str, Any]:
    """Returns one finding as a result. Its message contains all lines of the text form."""
    details = "\n".join(line.removeprefix("  ") for line in list(finding.lines())[1:])
    kept = {
        name: value for name, value in finding.as_json().items() if name not in ("code", "name", "severity", "message")
    }
    return {
        "ruleId": finding.code.id,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "message": {"text": f"{finding.message}\n{details}".rstrip()},
        "locations": [place] if (place := location(finding)) else [],
        "properties": kept,
    }


def location(finding: Finding) -> dict[str, Any]:
    """Returns the location of a finding, empty if it is unknown."""
    found: dict[str, Any] = {}
    match = PLACE.fullmatch(finding.place or finding.file or "")
    assert match is not None  # the pattern matches any text
    if (file := match["file"]) and not file.startswith("<"):  # `<stdin>` is not a file
        physical: dict[str, Any] = {"artifactLocation": {"uri": uri(file)}}
        if match["line"]:
            # column 0 marks an unknown column
            physical["region"] = {"startLine": int(match["line"]), "startColumn": max(int(match["column"]), 1)}
        found["physicalLocation"] = physical
    if finding.node:
        found["logicalLocations"] = [{"fullyQualifiedName": finding.node, "kind": "member"}]
    return found


def uri(file: str) -> str:
    """Returns a path as a URI reference; a relative path stays relative. Bytes that are not UTF-8 are escaped as they are."""
    path = PurePath(NO_BYTES.sub("\ufffd", file))
    return Path(path).as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")
