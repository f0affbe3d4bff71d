"""A command that runs again and again in this process, on other networks and with fewer options, and its findings."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, cast

from attrs import evolve, field, frozen

from .main import INTERRUPTED, main

Findings = list[dict[str, Any]]
"""The records of findings that `--format json` prints."""

OTHER_FLAGS = {"passes": "-p", "emit": "-t"}
"""Options whose name differs from the name of their value, by that name."""
REQUIRED = ("target", "device", "load_target", "passes")
"""Options that `without` keeps."""


@frozen
class Command:
    """Command with its options, without the file."""

    verb: str
    """A verb; empty for the textual driver."""
    options: Mapping[str, Any] = field(factory=dict[str, Any])
    """Values by option name; a list for a repeated option."""
    reads_no_files: bool = False
    """Whether the command has `--no-config`, because its options already include the values of configuration files."""

    def words(self, file: str, out: str = "build") -> list[str]:
        """Returns the arguments of `nopt`."""
        found = [*filter(None, [self.verb]), file]
        for name, value in self.options.items():
            flag = OTHER_FLAGS.get(name, f"--{name.replace('_', '-')}")
            for text in map(str, option_entries(value)):
                found += [f"{flag}={text}"] if text.startswith("-") else [flag, text]
        found += ["-o", out] if self.verb == "compile" else []
        return [*found, "--no-config"] if self.reads_no_files else found

    def text(self, file: str) -> str:
        return shlex.join(["nopt", *self.words(file)])

    def without(self) -> Iterator[Command]:
        """Yields variants of the command, each without one option or without one value of a repeated option."""
        for name, value in self.options.items():
            if name in REQUIRED:
                continue
            yield evolve(self, options={key: one for key, one in self.options.items() if key != name})
            if len(entries := option_entries(value)) > 1:
                parts = ([*entries[:k], *entries[k + 1 :]] for k in range(len(entries)))
                yield from (evolve(self, options={**self.options, name: left}) for left in parts)


def option_entries(value: object) -> list[object]:
    """Returns the values of an option: several, if it is repeated."""
    return [*cast("list[object]", value)] if isinstance(value, list) else [value]


def findings_of(words: Sequence[str], folder: Path) -> Findings:
    """Runs a command and returns its findings; temporary files are written to `folder`."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), temporary_files(folder):
        code = main([*words, "--format", "json"])
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    found: Findings = []
    for text in (out.getvalue(), err.getvalue()):
        start = text.find("{\n")
        if start >= 0:
            record, _ = json.JSONDecoder().raw_decode(text, start)
            found += record.get("findings", [])
    return found


@contextmanager
def temporary_files(folder: Path) -> Generator[None]:
    """Lets reproducers of defects be written to a folder."""
    before = tempfile.tempdir
    tempfile.tempdir = os.fspath(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before
