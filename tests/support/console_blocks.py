"""Commands of pages with their expected output: ```console blocks. Files of pages: blocks with a name, such as ```c main.c.

The shell runs each line `$ command`. The lines up to the next command are its expected output. `…` in a line matches any text; a line that is only `…`
matches any number of lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Command:
    """A command, which the shell runs, and its expected output."""

    line: str
    expected: str


@dataclass(frozen=True)
class File:
    """A file that a page shows."""

    name: str
    content: str


def steps(text: str) -> Iterator[Command | File]:
    """Yields the files and commands of a page from top to bottom."""
    for kind, name, content in BLOCK.findall(text):
        if name:
            yield File(name, content)
        elif kind == "console":
            for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                lines = part.split("\n")
                size = 1
                while lines[size - 1].endswith("\\"):
                    size += 1
                yield Command("\n".join(lines[:size]), "\n".join(lines[size:]).rstrip())


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yields every command of a page with its expected output."""
    yield from ((step.line, step.expected) for step in steps(text) if isinstance(step, Command))


def pattern(expected: str) -> str:
    """Converts a page's output to a regular expression."""
    lines = expected.split("\n") if expected else []
    parts = [
        r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + r" *\n" for line in lines
    ]
    return "".join(parts)
