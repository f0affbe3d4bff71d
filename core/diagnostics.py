"""Diagnostics: codes and findings, with their text and JSON forms.

Every refusal has a stable `Code`, declared at the top of the file that raises it. A `Finding` is one use of a code: the problem,
the place (the user's own node name and file), the expected and found values, and the next command to type. All findings of a run
are reported, not only the first.

    error[DEV016]: fan-in 62 exceeds the limit 4 [limit-exceeded]
      at: ntensor.neuron "lif1.lif", slice 0 of 1 (model.nir)
      expected: at most 4 synapses (asic/edge, core.fan_in: set by the user)
      found: 62 synapses
      help: nopt compile model.nir --target asic/edge --set core.fan_in=4 -p 'ntensor-split-fan-in{max-fan-in=4}'
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from attrs import Factory, evolve, field, frozen
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from .help_text import Part, Phrase, spell_records
from .output import printable

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr

MOST_SOURCES = 4
"""Maximum number of nodes in the description of an op that comes from several."""


class ExitCode(IntEnum):
    """Exit code of a command."""

    DONE = 0
    REFUSED = 1
    """File missing, unreadable or refused; files that differ; a finding of severity error."""
    MISUSED = 2
    """Unknown option, pass, target, preset, engine or code, or a malformed value."""
    BUG = 3
    """A defect of nopt, for example a pass that leaves invalid IR."""
    OUT_OF_TIME = 4
    """The time budget ended (`--max-time`); finished parts that are results were kept."""


class Severity(StrEnum):
    """Severity of a finding: an error refuses the input, a warning reports a suspicion, a remark reports a choice."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


@frozen
class Code:
    """Stable identifier of one kind of finding: three letters of the room or chip and three digits, and a readable name.

    `nopt explain` prints it with its explanation (`core/explanations.py`); `docs/codes.md` is generated from both.
    """

    id: str
    name: str
    """Two to five words with hyphens, which no other code has."""
    summary: str
    """One line, lower case, without a full stop."""
    exit_code: ExitCode = ExitCode.REFUSED

    def __str__(self) -> str:
        return self.id


@frozen
class Finding:
    """One error, warning or remark about a network, a file or a command."""

    KEYS: ClassVar[tuple[str, ...]] = (
        "code",
        "name",
        "severity",
        "message",
        "at",
        "place",
        "node",
        "file",
        "target",
        "device",
        "expected",
        "found",
        "source",
        "path",
        "limit",
        "value",
        "step",
        "help",
        "notes",
    )
    """Keys of its JSON. All but `name` are fields."""

    code: Code
    message: str = Factory(lambda self: self.code.summary, takes_self=True)
    """The problem; the summary of the code unless it names more."""
    severity: Severity = Severity.ERROR
    at: str = ""
    """The op and the user's own name for it, or the option; `file:line:col` is kept apart in `place`."""
    node: str | None = None
    file: str | None = None
    place: str | None = None
    """`file:line:col`, if the finding is about a text; `file:$.key` in a JSON document."""
    expected: str | None = None
    found: str | None = None
    help: str | None = None
    """Repair, as the user types it; a `Phrase` if its spelling differs between verbs."""
    source: str | None = None
    """Declaration of the limit."""
    path: str | None = None
    """Device field that declares the limit: `core.fan_in`."""
    limit: int | float | None = None
    """The limit as a number; `expected` has its unit."""
    value: int | float | None = None
    """The value that exceeds the limit; `found` has its unit."""
    step: str | None = field(default=None, eq=False)
    """Pass that refused the network, or passes that changed it."""
    target: str | None = None
    device: str | None = None
    notes: tuple[str, ...] = field(default=(), converter=tuple[str, ...])

    def located(
        self, at: str = "", node: str | None = None, file: str | None = None, place: str | None = None
    ) -> Finding:
        """Returns the finding with the missing parts of its place filled in."""
        return evolve(self, at=self.at or at, node=self.node or node, file=self.file or file, place=self.place or place)

    def about(self, op: Operation) -> Finding:
        """Returns the finding with the missing parts of its place filled in: the name of an op, and the source that it comes from."""
        from .ir.location_parts import nodes_of

        at, node = describe_op(op)
        sources = [f'"{name}"' for name in nodes_of(op.location) if node is None or not node.startswith(name)]
        if sources and symbol_of(op) is None:
            at = f"{at}, from {first_of(sources, MOST_SOURCES)}"
        return self.located(at, node).with_location(op.location)

    def with_location(self, location: LocationAttr) -> Finding:
        """Returns the finding with the file of a location, and with its line if it has one."""
        from .ir.location_parts import line_of

        if (line := line_of(location)) is None:
            return self
        file = line.filename.data
        return self.located(file=file, place=f"{file}:{line.line.data}:{line.column.data}" if line.line.data else None)

    def respelled(self, spell: Callable[[Part], str]) -> Finding:
        """Returns the finding with each option, pass and command in the form that `spell` returns."""
        at, expected, help = (text and spell_records(text, spell) for text in (self.at, self.expected, self.help))
        return evolve(self, at=at or "", expected=expected, help=help or None)

    def lines(self) -> Iterator[str]:
        """Yields the text form: the headline, then one indented line per known part; safe to print on a terminal."""
        return map(printable, self._lines())

    @property
    def head(self) -> str:
        """Severity, code, message, and the name of the code."""
        return f"{self.severity}[{self.code}]: {self.message} [{self.code.name}]"

    def _lines(self) -> Iterator[str]:
        yield f"{self.place}: {self.head}" if self.place else self.head
        at = self.at or (f'"{self.node}"' if self.node else "")
        if self.file and self.file not in at and not (self.place or "").startswith(self.file):
            at = f"{at} ({self.file})" if at else self.file
        expected = f"{self.expected} ({self.source})" if self.expected and self.source else self.expected
        for name, value in (("at", at), ("expected", expected), ("found", self.found), ("help", self.help)):
            if value:
                first, *rest = value.split("\n")
                yield f"  {name}: {first}"
                yield from (f"    {line}" for line in rest)
        for note in self.notes:
            first, *rest = note.split("\n")
            yield f"  note: {first}"
            yield from (f"    {line}" for line in rest)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def as_json(self) -> dict[str, Any]:
        """Returns the record that `--format json` prints; absent values are null, never omitted."""
        changed = {
            "code": self.code.id,
            "name": self.code.name,
            "severity": str(self.severity),
            "at": self.at or None,
            "notes": list(self.notes),
        }
        return {key: changed[key] if key in changed else getattr(self, key) for key in self.KEYS}


class Refused(Exception):
    """Refusal of the user's input, with every finding that the command prints."""

    def __init__(self, *findings: Finding):
        super().__init__("\n".join(map(str, findings)))
        self.findings = findings

    @property
    def exit_code(self) -> ExitCode:
        return max((f.code.exit_code for f in self.findings), default=ExitCode.REFUSED)


class InvalidOp(VerifyException):
    """Exception of a verifier: a finding in the form that xDSL passes on."""

    def __init__(self, finding: Finding):
        super().__init__(str(finding))
        self.finding = finding


def finding_about(op: Operation, code: Code, message: str = "", **parts: Any) -> Finding:
    """Returns a finding about an op, which it names by the user's node name."""
    return Finding(code, message or code.summary, **parts).about(op)


def invalid(op: Operation, code: Code, message: str = "", **parts: Any) -> NoReturn:
    """Refuses `op` from inside its verifier."""
    raise InvalidOp(finding_about(op, code, message, **parts))


def refuse_op(op: Operation, code: Code, message: str = "", **parts: Any) -> NoReturn:
    """Refuses `op` outside of a verifier."""
    raise Refused(finding_about(op, code, message, **parts))


def refuse(code: Code, message: str = "", **parts: Any) -> NoReturn:
    """Refuses outside of a verifier. The default message is the summary of the code."""
    raise Refused(Finding(code, message or code.summary, **parts))


def choices_text(choices: Iterable[Any]) -> str:
    """Formats choices for a message."""
    *others, last = map(str, choices)
    return f"{', '.join(others)} or {last}" if others else last


def first_of(names: Sequence[str], most: int, comma: str = ", ") -> str:
    """Formats at most some of several names."""
    return comma.join(names[:most]) + (f"{comma}…" if len(names) > most else "")


MOST_NAMES = 10
"""Largest number of names in a list of a message."""


def quote_names(names: Iterable[str]) -> str:
    """Formats names in quotes, at most the first ten; `none` for no name."""
    listed = list(names)
    more = f" and {len(listed) - MOST_NAMES} more" if len(listed) > MOST_NAMES else ""
    return ", ".join(f'"{name}"' for name in listed[:MOST_NAMES]) + more or "none"


MOST_NEAR = 5
"""Largest number of similar names in a message."""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Returns the known names that are similar to an unknown one, the most similar first. Case does not count."""
    by_lower: dict[str, list[str]] = {}
    for one in known:
        by_lower.setdefault(one.lower(), []).append(one)
    near = get_close_matches(name.lower(), by_lower, MOST_NEAR, 0.5)
    return [one for lower in near for one in by_lower[lower]][:MOST_NEAR]


def near_notes(name: str, known: Iterable[str]) -> list[str]:
    """Returns a note with the known names that are similar to an unknown one; none without such a name."""
    near = near_names(name, known)
    return [f"near matches: {', '.join(near)}"] if near else []


def choose(text: str | Part, choices: Iterable[str], name: str = "NAME") -> Phrase:
    """Formats a help line with a placeholder for one of several choices, where any single choice would be a guess."""
    return Phrase(text, placeholders_text({name: choices}))


def placeholders_text(choices: Mapping[str, Iterable[Any]]) -> str:
    """Formats the choices for each placeholder of a help line."""
    named = [f"{name} is one of {choices_text(some)}" for name, some in choices.items()]
    return f", where {' and '.join(named)}" if named else ""


def describe_op(op: Operation) -> tuple[str, str | None]:
    """Returns an op's description in messages, for example `nir.lif "lif1.lif"`, and its node name."""
    name = op.properties.get("node") or op.attributes.get("node")
    if (node := getattr(name, "data", None)) is not None:
        return f'{op.name} "{node}"', str(node)
    symbol = symbol_of(op)
    return (op.name if symbol is None else f"{op.name} @{symbol}"), None


def symbol_of(op: Operation) -> str | None:
    """Returns the symbol that an op defines."""
    return getattr(op.properties.get("sym_name"), "data", None)


class Diagnostics:
    """Collection of the findings of one run, in the order of their creation."""

    def __init__(self, findings: Iterable[Finding] = (), late: Iterable[Finding] = ()):
        self._findings: dict[Finding, None] = dict.fromkeys(findings)
        self._late = late
        """Findings from other sources, such as the loading of plug-ins."""
        self.is_strict = False
        """Whether warnings and remarks are errors before output is written (`--strict`)."""
        self._change: Callable[[Finding], Finding] | None = None

    @property
    def findings(self) -> list[Finding]:
        """Returns the findings so far, without duplicates."""
        return list(self._findings)

    def add(self, finding: Finding) -> None:
        self._findings.setdefault(self.changed(finding))

    def changed(self, finding: Finding) -> Finding:
        """Returns a finding with the change that `changing` applies."""
        return finding if self._change is None else self._change(finding)

    @contextmanager
    def changing(self, change: Callable[[Finding], Finding]) -> Generator[None]:
        """Changes the findings that the context adds."""
        before, self._change = self._change, change
        try:
            yield
        finally:
            self._change = before

    def extend(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self.add(finding)

    def discard(self, is_replaced: Callable[[Finding], bool]) -> None:
        """Removes the findings for which `is_replaced` holds."""
        self._findings = {one: None for one in self._findings if not is_replaced(one)}

    @contextmanager
    def collecting(self, except_misuse: bool = False) -> Generator[None]:
        """Context that ends at a refusal and adds its findings; with `except_misuse`, a refusal of the command is raised."""
        try:
            yield
        except Refused as refusal:
            if except_misuse and refusal.exit_code is ExitCode.MISUSED:
                raise
            self.extend(refusal.findings)

    def report(self, severity: Severity, code: Code, message: str, op: Operation | None = None, **parts: Any) -> None:
        """Adds a finding. The default message is the summary of the code. `op` determines the missing parts of its place."""
        found = Finding(code, message or code.summary, severity, **parts)
        self.add(found if op is None else found.about(op))

    def remark(self, code: Code, message: str = "", **parts: Any) -> None:
        self.report(Severity.REMARK, code, message, **parts)

    def warning(self, code: Code, message: str = "", **parts: Any) -> None:
        self.report(Severity.WARNING, code, message, **parts)

    def error(self, code: Code, message: str = "", **parts: Any) -> None:
        self.report(Severity.ERROR, code, message, **parts)

    @property
    def errors(self) -> list[Finding]:
        return [f for f in self.findings if f.severity is Severity.ERROR]

    def raise_errors(self) -> None:
        """Raises `Refused` with all collected errors, if any."""
        if self.errors:
            raise Refused(*self.errors)

    def settle(self) -> None:
        """Refuses before output is written if there are errors; with `is_strict`, warnings and remarks count as errors."""
        if self.is_strict:
            self.extend(self._late)
            self.promote_warnings()
        self.raise_errors()

    def promote_warnings(self) -> None:
        """Turns warnings and remarks into errors (`--strict`)."""
        self._findings = dict.fromkeys(evolve(f, severity=Severity.ERROR) for f in self._findings)
