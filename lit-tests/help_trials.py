"""Helps as commands, which a user types who follows the help of a refusal.

Each line of a help is one alternative:

    command   nopt compile x.nir --dt 1ms          typed as it is
    choices   nopt x.nir --like NAME, where NAME is one of a or b
    form      nopt FILE -o OUT                     has a place that only the user can fill; it cannot be typed
    sample    nopt x.nir --calib x.npy             typed with a generated input in place of the user's data
    prose     anything else, and nopt explain
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHOICES = re.compile(r"(?P<text>.*), where (?P<places>[A-Z]+ is one of .*)")
FORM = re.compile(r"\b(?:FILE|DIR|TARGET/NAME|VALUE|A,B|EDGE|NAME|TIME|N|X)\b|\b(?:C|[0-9]+)x(?:HxW|L)\b|…")
"""Places that only the user can fill."""
SAMPLE = re.compile(r'"?(?<![\w./-])x\.npy"?')
"""Data of the user in a help."""
GENERATED = "poisson:0.5"
INPUTS = (".mlir", ".test")
OF_CHUNKS = ("--split-input-file", "--verify-diagnostics")
"""Options of a command on several chunks of a file."""


def commands(line: str) -> Iterator[str]:
    """Yields the command of a line; with placeholders for choices, one command per choice, with the first choices for other placeholders.

    ["--like a", "--like b"] == list(commands("--like NAME, where NAME is one of a or b"))
    """
    match = CHOICES.fullmatch(line)
    if match is None:
        yield line
        return
    texts = [text.split(" is one of ") for text in re.split(r" and (?=[A-Z]+ is one of )", match["places"])]
    places = {name: re.split(r", | or ", choices) for name, choices in texts}
    first = {name: choices[0] for name, choices in places.items()}
    chosen = [first | {name: choice} for name, choices in places.items() for choice in choices]
    parts = re.split(rf"\b({'|'.join(places)})\b", match["text"])
    yield from dict.fromkeys("".join(values.get(part, part) for part in parts) for values in chosen)


def is_command(line: str) -> bool:
    """Returns whether a line of a help is a command that may change a result."""
    return line.startswith("nopt ") and not line.startswith("nopt explain ")


def words_of(command: str, typed: Sequence[str]) -> list[str] | None:
    """Returns the arguments of a command, or None if it cannot be typed after the arguments `typed`."""
    if set(FORM.findall(command)) - set(FORM.findall(" ".join(typed))):
        return None
    try:
        words = shlex.split(command)[1:]
    except ValueError:
        return None
    return (
        words
        if Path("x.npy").exists()
        else [SAMPLE.sub(GENERATED if w == "x.npy" else f'"{GENERATED}"', w) for w in words]
    )


@dataclass(frozen=True)
class Trial:
    """One command to try, or None if it cannot be typed. A help is good if one trial solves its refusal, or each trial that is needed."""

    argv: list[str] | None
    files: dict[str, str] = field(default_factory=dict)
    is_needed: bool = False
    """Whether the next trial runs also if this one succeeds: it is another choice of a list."""


def trials(argv: Sequence[str], finding: Any, chunk: tuple[str, int] | None) -> Iterator[Trial]:
    """Yields the commands of the help of a finding, after the command `argv` was refused, on the refused chunk alone."""
    text, offset = chunk or ("", 0)
    inputs = [arg for arg in argv if arg.endswith(INPUTS) and Path(arg).is_file()]
    names, files = dict[str, str](), dict[str, str]()
    if chunk is not None and inputs and not set(OF_CHUNKS).isdisjoint(argv):
        name = str(Path(tempfile.gettempdir()) / f"nopt-help-chunk-{os.getpid()}.mlir")
        names, files = {inputs[0]: name}, {name: "\n" * offset + text}  # lines keep their numbers
    for line in filter(is_command, finding.help.split("\n")):
        for command in commands(line):
            words = words_of(command, argv)
            if words is not None:
                words = [names.get(word, word) for word in words if not (names and word in OF_CHUNKS)]
            yield Trial(words, files, CHOICES.fullmatch(line) is not None)
