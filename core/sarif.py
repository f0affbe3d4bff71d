"""Findings in SARIF 2.1.0, the format of analysis results in code hosts and editors.

Every code is a rule. A finding about a file is a result. Its physical location is its own file, else the file of the command: code hosts
drop results without one. They also require a line, which is the first one if the finding is not about a line of a text. The node is a logical
location (of kind `member`, since SARIF has no kind for a layer). A remark is a `note`. A finding about the command or its run, such as an unknown
option or the end of a time budget, is a notification of the invocation. Parts without a SARIF field are stored in `properties`, under the names of
`nopt.findings/1`.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0 Plus Errata 01, sections 3.13 to 3.58.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from .diagnostics import Code, ExitCode, Finding, Severity
from .explanations import find_explanation

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
INFORMATION = "https://pypi.org/project/nopt/"
STANDARD_INPUT = "-"
"""Location of a network from standard input, as it is typed; its places are `<stdin>:1:1`."""
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.REMARK: "note"}
PLACE = re.compile(r"(?P<file>.*?)(?::(?P<line>\d+):(?P<column>\d+)|:\$.*)?", re.DOTALL)
"""`file:line:col`, `file:$.key` of a JSON document, or the file alone."""
NO_BYTES = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Lone surrogates that do not stand for a byte of a file name."""


def sarif(findings: Sequence[Finding], file: str | None = None) -> dict[str, Any]:
    """Returns a SARIF log with one run. `file` is the network or device of the command, `-` for standard input."""
    from importlib.metadata import version

    codes = sorted({finding.code for finding in findings}, key=lambda code: code.id)
    results: list[dict[str, Any]] = []
    notifications: dict[str, list[dict[str, Any]]] = {"Configuration": [], "Execution": []}
    for finding in findings:
        index = codes.index(finding.code)
        is_about_run = finding.code.exit_code is not ExitCode.REFUSED and not (finding.place or finding.file)
        if is_about_run or not (place := location(finding, file)):
            kind = "Configuration" if finding.code.exit_code is ExitCode.MISUSED else "Execution"
            notifications[kind].append({"associatedRule": {"id": finding.code.id, "index": index}, **parts(finding)})
        else:
            results.append({"ruleId": finding.code.id, "ruleIndex": index, **parts(finding), "locations": [place]})
    is_done = all(
        finding.code.exit_code is ExitCode.REFUSED for finding in findings if finding.severity is Severity.ERROR
    )
    invocation = {"executionSuccessful": is_done} | {
        f"tool{kind}Notifications": some for kind, some in notifications.items() if some
    }
    driver = {
        "name": "nopt",
        "informationUri": INFORMATION,
        "version": version("nopt"),
        "rules": list(map(rule, codes)),
    }
    return {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [invocation],
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }


def rule(code: Code) -> dict[str, Any]:
    """Returns a code as a rule, with its explanation if the room or plug-in has one."""
    entry = {"id": code.id, "name": code.name, "shortDescription": {"text": code.summary}}
    if found := find_explanation(code.id):
        entry.update(fullDescription={"text": found.cause}, help={"text": found.remedy})
    return entry


def parts(finding: Finding) -> dict[str, Any]:
    """Returns the parts that results and notifications share. The message contains all lines of the text form."""
    details = "\n".join(line.removeprefix("  ") for line in list(finding.lines())[1:])
    kept = {
        name: value for name, value in finding.as_json().items() if name not in ("code", "name", "severity", "message")
    }
    return {
        "level": LEVELS[finding.severity],
        "message": {"text": f"{finding.message}\n{details}".rstrip()},
        "properties": kept,
    }


def location(finding: Finding, file: str | None) -> dict[str, Any] | None:
    """Returns the location of a finding; None if neither the finding nor the command has a file."""
    match = PLACE.fullmatch(finding.place or finding.file or "")
    assert match is not None  # the pattern matches any text
    path = STANDARD_INPUT if match["file"].startswith("<") else match["file"] or file
    if not path:
        return None
    # column 0 marks an unknown column
    region = (
        {"startLine": int(match["line"]), "startColumn": max(int(match["column"]), 1)}
        if match["line"]
        else {"startLine": 1}
    )
    found: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": uri(path)}, "region": region}}
    if finding.node:
        found["logicalLocations"] = [{"fullyQualifiedName": finding.node, "kind": "member"}]
    return found


def uri(file: str) -> str:
    """Returns a path as a URI reference; a relative path stays relative. Bytes that are not UTF-8 are escaped as they are."""
    path = PurePath(NO_BYTES.sub("\ufffd", file))
    return Path(path).as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")
