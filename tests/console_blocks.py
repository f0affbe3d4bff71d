"""Commands of pages with their expected output: ```console blocks.

The shell runs each line `$ command`. The lines up to the next command are its expected output. `…` in a line matches any text; a line that is only `…`
matches any number of lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yields every command of a page with its expected output."""
    for block in BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.split("\n")
            size = 1
            while lines[size - 1].endswith("\\"):
                size += 1
            yield "\n".join(lines[:size]), "\n".join(lines[size:]).rstrip()


def pattern(expected: str) -> str:
    """Converts a page's output to a regular expression."""
    lines = expected.split("\n") if expected else []
    parts = [
        r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + r" *\n" for line in lines
    ]
    return "".join(parts)
