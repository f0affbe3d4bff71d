"""Commands in help lines: one for each choice that a line lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

CHOICES = re.compile(r"(?P<text>.*), where (?P<name>[A-Z]+) is one of (?P<choices>.*)")


def commands(help: str) -> Iterator[str]:
    """Yields the command of a help line; with a placeholder for a choice, one command per choice.

    ["--like a", "--like b"] == list(commands("--like NAME, where NAME is one of a or b"))
    """
    match = CHOICES.fullmatch(help)
    if match is None:
        yield help
        return
    for choice in re.split(r", | or ", match["choices"]):
        yield match["text"].replace(match["name"], choice)
