"""Helps that are options or passes alone, in the command that was typed."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from chains import SAMPLE, Command, Finding, Help, helps_of
from help_trials import trials

GUESSES = 3
"""Number of places in a command that are tried for the passes of a help."""


def bare_helps(finding: Finding, typed: Command) -> Iterator[Help]:
    """Yields the commands that a help stands for."""
    text = finding["help"] or ""
    if not text:
        return
    if text.startswith("nopt "):
        yield from helps_of(finding, typed)
        return
    made: list[Command] = []
    is_blank = False
    for trial in trials(typed, SimpleNamespace(help=SAMPLE.sub("x.npy", text)), None):
        if trial.kind in ("form", "words"):
            is_blank = True
        elif tuple(trial.argv) not in made:
            made.append(tuple(trial.argv))
    if is_blank and not made:
        yield Help(None, text)
    yield from (Help(command, text) for command in made[:GUESSES])
