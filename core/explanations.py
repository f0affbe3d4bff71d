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


def find_explanation(name: str) -> Explanation | None:
    """Returns the explanation of a code; None if its room or plug-in has none."""
    return explanations(name[:3]).get(name)


def cause_of(name: str) -> str:
    """Returns the cause of a code, which must have an explanation."""
    found = find_explanation(name)
    assert found is not None, f"{name} has no explanation"
    return found.cause


@cache
def explanations(letters: str) -> dict[str, Explanation]:
    """Returns the explanations of all codes that start with these letters, by code."""
    return {name: entry for folder in registry.code_folders() for name, entry in read_explanations(folder, letters)}


def read_explanations(folder: Path, letters: str = "*") -> Iterator[tuple[str, Explanation]]:
    """Yields the name and the explanation of each code in the files `codes/*.md` of a folder and of the folders in it.

    `letters` is the start of the codes, which is the name of their file.
    """
    paths = (path for place in ("codes", "*/codes") for path in folder.glob(f"{place}/{letters}.md"))
    for path in sorted(paths):
        for match in SECTION.finditer(path.read_text(encoding="utf-8")):
            if match["name"].startswith(path.stem):
                yield match["name"], Explanation(*(" ".join(match[part].split()) for part in ("cause", "remedy")))
