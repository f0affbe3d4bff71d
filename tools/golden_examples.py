"""Examples of codes for users: the command of a golden and the message that it prints, without the marks of the test."""

from __future__ import annotations

import re
from collections.abc import Iterator

CHECKED = re.compile(r"^(?:#|//) (?P<prefix>[\w-]+?)(?:-NEXT|-SAME)?:\s?(?P<text>.*)$")
RUN = re.compile(r"^(?:#|//) RUN: (?:exits \d )?(?P<command>nopt .*?)(?: 2>&1)? \| filecheck %s(?P<options>.*)$")
PATTERN = re.compile(r"\{\{.*?\}\}")
FOLDERS = re.compile(r"%(?:S|root|t|shared)(?:[\w.]*/)?(?:\.\./)*(?:[\w.-]+/)*")


def example_lines(golden: str, code: str) -> Iterator[str]:
    """Yields the command, and the message with a code; nothing if the golden has no such pair."""
    lines = golden.splitlines()
    found = [CHECKED.match(line) for line in lines]
    start = next((k for k, one in enumerate(found) if one and re.search(rf"\w+\[{code}\]", one["text"])), None)
    if start is None or (first := found[start]) is None:
        return
    prefix = first["prefix"]
    command = next(
        (run["command"] for line in lines if (run := RUN.match(line)) and prefix_of(run["options"]) == prefix), None
    )
    if command is None:
        return
    yield f"$ {FOLDERS.sub('', command)}"
    yield PATTERN.sub("…", first["text"].strip())
    for one in found[start + 1 :]:
        if one is None or one["prefix"] != prefix or re.match(r"\w+\[", one["text"].strip()):
            return
        yield f"  {PATTERN.sub('…', one['text'].strip())}"


def prefix_of(options: str) -> str:
    named = re.search(r"--check-prefix=(\S+)", options)
    return named[1] if named else "CHECK"
