"""Requirements on the output of a command: documents that parse, text without control characters, C that compiles."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn

RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters of terminals, and bidirectional marks; line ends and tabs are allowed."""
WARNING = re.compile(r"^\S+:\d+: \w*Warning: .*", re.MULTILINE)


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def document_fault(text: str, format: str) -> str | None:
    """Returns why a text is not one document, or None."""
    if not text.strip():
        return None
    try:
        found = json.loads(text, parse_constant=refuse_constant)
    except ValueError as failure:
        return f"not {format}: {failure}"
    names = {"runs"} if format == "sarif" else {"schema", "properties"}  # a record, or a JSON Schema
    if not isinstance(found, dict) or names.isdisjoint(found):
        return f"not a document of {format}"
    return None


def faults(format: str, printed: bytes, said: bytes) -> Iterator[str]:
    """Yields the faults of standard output and standard error of a command with a given format."""
    for name, data in (("output", printed), ("error", said)):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as failure:
            yield f"standard {name} is not UTF-8: {failure}"
            continue
        if raw := RAW.search(text):
            start = max(0, raw.start() - 40)
            yield f"standard {name} holds {raw[0]!a}: {text[start : raw.end() + 20]!a}"
        if warning := WARNING.search(text):
            yield f"standard {name} holds a warning of Python: {warning[0]}"
        if format != "text" and (fault := document_fault(text, format)):
            yield f"standard {name} is {fault}"
    if format == "sarif" and not (printed + said).strip():
        yield "no log of SARIF"


def source_fault(paths: Iterable[Path]) -> str | None:
    """Returns why the written C does not compile. GCC uses `-Wall -Wextra`: a warning is a fault."""
    for path in paths:
        done = subprocess.run(
            ["cc", "-x", "c", "-std=c99", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", path.name],
            cwd=path.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error" in line]
            return f"{path.name} does not compile: {errors[:1]}"
    return None
