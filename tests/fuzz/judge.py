"""What the output of a command may be: documents that parse, text without control characters, C that compiles."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn

RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal obeys, or that turn the direction of a text; lines may end and be indented."""
WARNING = re.compile(r"^\S+:\d+: \w*Warning: .*", re.MULTILINE)


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def document_fault(text: str, format: str) -> str | None:
    """What keeps a text from being one document; nothing where there is none."""
    if not text.strip():
        return None
    try:
        found = json.loads(text, parse_constant=refuse_constant)
    except ValueError as failure:
        return f"no {format}: {failure}"
    if not isinstance(found, dict) or ("runs" if format == "sarif" else "schema") not in found:
        return f"no document of {format}"
    return None


def faults(format: str, printed: bytes, said: bytes) -> Iterator[str]:
    """What is wrong with standard output and standard error of a command that was asked for a format."""
    for name, data in (("output", printed), ("error", said)):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as failure:
            yield f"standard {name} is no UTF-8: {failure}"
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
    """Why C that was written does not compile. GCC reads `-Wall -Wextra`, too: a warning is a fault."""
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
