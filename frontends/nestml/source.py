"""Text of a NESTML model, its tree of rules, and refusals that point at a line.

The package `nestml` has the licence GPL-2.0-or-later. Its parser runs in a process of its own (`parser_process.py`) with limits on time
and memory. nopt reads the tree that the process writes, and no part of the package is loaded into nopt.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from attrs import frozen

from ...core.diagnostics import Code, Refused, refuse
from ...core.expressions.places import Place, finding_at
from ...core.files import read_head
from ...core.ir.source import decode_text
from ..frameworks.foreign import IMP007
from ..limits import NIF027, Limits
from .parser_process import MISSING

NML001 = Code("NML001", "nestml-syntax-error", "syntax error in a NESTML model")
NML002 = Code("NML002", "nestml-construct-unsupported", "a construct of NESTML has no equations here")
NML003 = Code("NML003", "nestml-name-unknown", "a name of a NESTML model is not defined")
NML004 = Code("NML004", "nestml-parser-failed", "the parser of NESTML failed")

EXTRA = "import-nestml"
DEEPEST_RULE = 240
"""Largest number of nested rules. An expression in parentheses has two rules."""
MEMORY = 2**31
"""Bytes that the process of the parser may need."""
MOST_TEXT_BYTES = 2**18
"""Bytes of a model: the longest model of NESTML's library has a tenth of it, and the parser needs 10 s for a model of this size."""
SECONDS = 15
"""Least limit of the parser's processor time: the parser is interpreted."""
PROGRAM = Path(__file__).with_name("parser_process.py")


@frozen
class GrammarRule:
    """A rule or a token of the grammar of NESTML."""

    name: str
    place: Place
    text: str
    """The text of a token; empty for a rule."""
    parts: tuple[GrammarRule, ...] = ()

    def all(self, *names: str) -> list[GrammarRule]:
        """Returns the direct parts with one of the names."""
        return [part for part in self.parts if part.name in names]

    def first(self, *names: str) -> GrammarRule | None:
        return next(iter(self.all(*names)), None)

    def one(self, *names: str) -> GrammarRule:
        """Returns the part that the grammar guarantees."""
        return self.all(*names)[0]

    def has(self, *names: str) -> bool:
        return bool(self.all(*names))

    def tokens(self) -> Iterator[str]:
        """Yields the texts of all tokens."""
        if self.text:
            yield self.text
        for part in self.parts:
            yield from part.tokens()

    def spelled(self) -> str:
        return " ".join(self.tokens())


@frozen
class Source:
    """File name and lines of a model."""

    file: str
    lines: tuple[str, ...]

    def refuse(self, code: Code, place: Place, message: str = "", **parts: Any) -> NoReturn:
        """Refuses the model with the line of a place."""
        raise Refused(finding_at(code, message or code.summary, self.file, self.lines, place, **parts))

    def unsupported(self, place: Place, what: str, expected: str, found: str, help: str | None = None) -> NoReturn:
        """Refuses a construct. Errors: NML002."""
        help = help or f"nopt explain {NML002}"
        self.refuse(NML002, place, f"{what} not supported", expected=expected, found=found, help=help)


def parse_model(path: Path, limits: Limits) -> tuple[Source, GrammarRule]:
    """Parses a file. Errors: COR008 a file that cannot be read; IMP007 without the package; NIF027; NML001; NML004; those of the text."""
    read_head(path)
    size = path.stat().st_size
    if size > min(limits.bytes, MOST_TEXT_BYTES):
        expected = f"at most {min(limits.bytes, MOST_TEXT_BYTES)} bytes"
        help = "remove comments and models that are not needed"
        refuse(NIF027, "the model is too large", file=str(path), expected=expected, found=f"{size} bytes", help=help)
    text = decode_text(path.read_bytes(), str(path))
    source = Source(str(path), tuple(text.splitlines()))
    found = run_parser(text, source, max(limits.seconds, SECONDS))
    if found["errors"]:
        raise Refused(*(syntax_error(one, source) for one in found["errors"]))
    return source, grammar_rule(found["tree"])


def syntax_error(error: Any, source: Source) -> Any:
    place = Place(int(error["line"]), int(error["column"]))
    message = str(error["message"]).splitlines()[0]
    help = f"nopt explain {NML001}"
    return finding_at(NML001, NML001.summary, source.file, source.lines, place, found=message, help=help)


def run_parser(text: str, source: Source, seconds: int) -> Any:
    """Runs the parser of NESTML in a process. Errors: IMP007, NML004."""
    command = [sys.executable, "-P", str(PROGRAM), str(seconds), str(MEMORY), str(DEEPEST_RULE)]
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=2 * seconds, check=False)
    except subprocess.TimeoutExpired:
        return refuse_parser(source, f"no answer after {2 * seconds} s")
    if done.returncode == MISSING:
        refuse(
            IMP007,
            "the Python package nestml is missing",
            file=source.file,
            expected="nestml in the environment of nopt (licence GPL-2.0-or-later)",
            found="no such package",
            help=f"pip install 'nopt[{EXTRA}]'",
        )
    if done.returncode:
        if b"RecursionError" in done.stderr:
            refuse_parser(source, "rules that are nested too deeply")
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return refuse_parser(source, last[0][:200])
    return json.loads(done.stdout)


def refuse_parser(source: Source, found: str) -> NoReturn:
    help = "write shorter expressions, or a smaller model"
    refuse(NML004, file=source.file, expected="a tree of the model", found=found, help=help)


def grammar_rule(given: Any) -> GrammarRule:
    name, line, column, parts = given
    if isinstance(parts, str):
        return GrammarRule(name, Place(line, column), parts)
    return GrammarRule(name, Place(line, column), "", tuple(map(grammar_rule, parts)))
