"""Explanations of codes, from the Markdown files `codes/*.md` of every room and plug-in.

## NIR002

Cause and effect, in one or two sentences.

Remedy: repair that the user can make.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attrs import frozen

from . import registry

SECTION = re.compile(
    r"^## (?P<name>[A-Z]{3}\d{3})\n\n(?P<cause>.+?)\n\nRemedy: (?P<remedy>.+?)(?=\n\n## |\s*\Z)", re.M | re.S
)


@frozen
class Explanation:
    """Cause and remedy of one code."""

    cause: str
    """Cause and effect, in one or two sentences."""
    remedy: str
    """Repair that the user can make."""


@cache
def explanations() -> dict[str, Explanation]:
    """Returns the explanation of each code."""
    return {name: entry for folder in registry.code_folders() for name, entry in read_explanations(folder)}


def read_explanations(folder: Path) -> Iterator[tuple[str, Explanation]]:
    """Yields the name and the explanation of each code in the files `codes/*.md` of a folder and its sub-folders."""
    for path in sorted(folder.rglob("codes/*.md")):
        for match in SECTION.finditer(path.read_text(encoding="utf-8")):
            yield match["name"], Explanation(*(" ".join(match[part].split()) for part in ("cause", "remedy")))
