"""A sample of the help lines of the goldens: one code of PARTS, in one golden each, chosen anew whenever a golden changes.

A code can be chosen if a golden checks its finding together with a help that can be typed. A checksum of all goldens chooses the
codes, and one of several goldens. So a tree always gives the same sample, and its successors rotate through the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from help_trials import FORM, is_command

HEAD = re.compile(r"(?P<prefix>[A-Z_]+)(?:-[A-Z]+)*: .*(?:error|warning)\[(?P<code>[A-Z]{3}\d{3})\]")
HELP = re.compile(r"[A-Z_]+(?:-[A-Z]+)*: *(?:\{\{\^\}\} *)?help: (?P<help>.*)")
PREFIX = re.compile(r"--check-prefix(?:es)?[= ](?P<names>\S+)")


PARTS = 48
"""One of so many codes is in the sample."""


def checked(text: str) -> Iterator[tuple[str, str, str]]:
    """The check prefix, the code and the help of each finding that a golden checks with its help."""
    head: tuple[str, str] | None = None
    for line in text.splitlines():
        if match := HEAD.search(line):
            head = match["prefix"], match["code"]
        elif head is not None and (match := HELP.search(line)):
            yield *head, match["help"]
            head = None


def is_typeable(help: str) -> bool:
    """Whether a help is a command with no place that only the user can fill."""
    text = re.sub(r"\{\{.*?\}\}", "", help.partition(", where ")[0])
    return is_command(text) and not FORM.search(text.replace("NAME", "") if ", where " in help else text)


def choose(folder: Path) -> dict[str, list[str]]:
    """The goldens of the sample, each with the codes whose help it tries."""
    found: dict[str, list[str]] = {}
    total = 0
    for path in sorted([*folder.rglob("*.mlir"), *folder.rglob("*.test")]):
        if "inputs" in path.relative_to(folder).parts:
            continue
        text = path.read_bytes()
        total = crc32(text, total)
        for _, code, help in checked(text.decode("utf-8", "replace")):
            name = path.relative_to(folder).as_posix()
            if is_typeable(help) and name not in found.setdefault(code, []):
                found[code].append(name)
    sample: dict[str, list[str]] = {}
    for number, (code, names) in enumerate((code, names) for code, names in sorted(found.items()) if names):
        if (number + total) % PARTS == 0:
            sample.setdefault(names[total // PARTS % len(names)], []).append(code)
    return sample


def is_needed(line: Any, text: str, codes: Sequence[str]) -> bool:
    """Whether a RUN line makes a file for others, or its check is about one of the codes."""
    if not isinstance(line, list) or line[-1].args[0] != "filecheck":
        return True
    match = PREFIX.search(" ".join(line[-1].args))
    names = match["names"].split(",") if match else ["CHECK"]
    return any(prefix in names and code in codes and is_typeable(help) for prefix, code, help in checked(text))
