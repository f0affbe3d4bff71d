"""Neuron language: reads, checks and writes the equations of a neuron's update in one tick.

`parse_neurons` reads a text into the records of `tree`, `check_neuron` reports invalid neurons (`elaboration`), `format` writes
the records as text again. `docs/neuron-language.md` explains the language, `neuron.lark` is its grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from attrs import evolve

from ..cache.parsed_texts import parsed
from ..diagnostics import Code, Diagnostics, Finding, Refused
from ..expressions.places import Place, finding_at, place_of
from ..expressions.reader import (
    OPERATORS,
    SIGNS,
    build_expression,
    describe_allowed,
    find_too_deep,
    find_unexpected,
    make_parser,
)
from .elaboration import NEU004, Elaboration
from .expressions import NEU003
from .kinds import STATEMENTS, is_reserved
from .tree import (
    Assign,
    Bounds,
    Comments,
    Declaration,
    Declarations,
    Declared,
    Emit,
    Item,
    Neuron,
    NeuronFile,
    Option,
    Preset,
    Record,
    format,
)

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

__all__ = ["Neuron", "NeuronFile", "Preset", "check_bounds", "check_neuron", "format", "parse_neurons"]

NEU001 = Code("NEU001", "neuron-syntax-error", "syntax error in the neuron language")
NEU002 = Code("NEU002", "bracket-unmatched", "unmatched bracket")
NEU005 = Code("NEU005", "neuron-option-unknown", "unknown option or value")
NEU006 = Code("NEU006", "parameter-out-of-bounds", "the value of a parameter is out of its bounds")

DEEPEST_EXPRESSION = 120
"""Maximum nesting depth of an expression; a deeper one would exhaust the stack of a recursive reader."""
LONGEST_LITERAL = 1000
"""Maximum length of a number or a type, because Python does not read integers of more than 4300 digits."""
NUMBERS = ("NUMBER", "BOUND", "TYPE")
"""Terminals with digits that are read as numbers."""
REMEMBERED = 1024
"""Size of the caches of texts and checked neurons: every conversion reads the same presets."""

MOST_COMBINATIONS = 64
"""Maximum number of option combinations that are all checked. Beyond it, each value is checked with the defaults of the other options."""

STATEMENT = re.compile(rf"[ \t]*(?:({'|'.join(STATEMENTS)})\b|([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=(?!=))")
KEYWORD_AS_NAME = re.compile(rf"[ \t]*({'|'.join(STATEMENTS)})[ \t]*(?::[^=\n]*)?=(?!=)")

DECLARED_PARTS = {
    "param": ("name", "unit", "declared", "value"),
    "canonical": ("name", "value"),
    "state": ("name", "declared", "value"),
    "input": ("name", "declared", "each", "into"),
}
"""The children of the grammar's rules for declarations."""
EXPECTED = {
    "NAME": "a name",
    "NUMBER": "a number",
    "FAMILY": "a family of neurons",
    "TYPE": "a type (real, f32, f64, bool, uN, sN)",
    "MODE": "wrap or saturate",
    "KIND": "spike, count, graded or value",
    "UNIT": "a unit",
    "BOUND": "a number",
    "CMP": "a comparison",
    "_NL": "the end of the line",
    "$END": "the end of the text",
    **dict.fromkeys((*OPERATORS, "IF"), "an operator"),
    "MINUS": "'-'",
    "EQUAL": "'='",
    "COLON": "':'",
    **SIGNS,
    "LSQB": "'['",
    "RSQB": "']'",
    "VBAR": "'|'",
}
"""Names of the grammar's terminals in messages, in their order; others are shown as they are spelled."""


# ---- reading


class Lines:
    """Filter between lexer and parser that drops line ends inside brackets."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depth = 0
        for token in stream:
            depth += (token.type in ("LPAR", "LSQB")) - (token.type in ("RPAR", "RSQB"))
            if token.type != "_NL" or depth <= 0:
                yield token


@cache
def parser() -> Lark:
    return make_parser(Path(__file__).parent / "neuron.lark", postlex=Lines())


@lru_cache(maxsize=REMEMBERED)
def parse_tree(text: str) -> Tree[Token]:
    """Parses a text independently of its name. The tree is never changed."""
    return cast("Any", parser()).parse(text)


def parse_neurons(text: str, source: str = "<neuron>") -> NeuronFile:
    """Reads a file of neurons. `source` is its name in messages. Results are cached by text.

    Errors: NEU001 a syntax error; NEU002 an unmatched bracket; NEU003 a reserved word as a name; NEU004 a neuron
    or switch that occurs twice, or a second preset.
    """
    return parse_text(text, source)


@lru_cache(maxsize=REMEMBERED)
def parse_text(text: str, source: str) -> NeuronFile:
    """Parses a text under a name. Equal texts under different names, as in the records of devices, are parsed once."""
    try:
        file = parse_unnamed(text)
    except Refused:
        return read_text(text, source)  # the same refusals with the name
    return evolve(file, neurons=tuple(evolve(neuron, source=source) for neuron in file.neurons), source=source)


@lru_cache(maxsize=REMEMBERED)
def parse_unnamed(text: str) -> NeuronFile:
    """Parses a text without a name; its tree is never changed, so that all readers share it, also those of later commands."""
    return parsed(NeuronFile, "neuron", text, lambda one: read_text(one, "<neuron>"))


def read_text(text: str, source: str) -> NeuronFile:
    """Parses a text without a cache. Errors: those of `parse_neurons`."""
    from lark.exceptions import UnexpectedInput

    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    text = text if text.endswith("\n") else text + "\n"
    lines = text.split("\n")
    check_brackets(source, lines)
    try:
        tree = parse_tree(text)
    except UnexpectedInput as error:
        raise Refused(syntax_finding(error, source, lines)) from None
    place = find_too_deep(tree, DEEPEST_EXPRESSION)
    if place:
        parts = {"expected": f"at most {DEEPEST_EXPRESSION} levels", "help": "name a part of it on a line of its own"}
        raise Refused(finding_at(NEU001, "the expression is nested too deeply", source, lines, place, **parts))
    check_numbers(tree, source, lines)
    return Reader(source, lines).file(tree)


def check_numbers(tree: Tree[Token], source: str, lines: list[str]) -> None:
    """Refuses a number or a type that is too long. Errors: NEU001."""
    tokens: Iterator[Any] = tree.scan_values(bool)
    for token in (token for token in tokens if token.type in NUMBERS and len(token) > LONGEST_LITERAL):
        parts = {"expected": f"at most {LONGEST_LITERAL} characters", "found": f"{len(token)} characters"}
        raise Refused(finding_at(NEU001, "a number is too long", source, lines, place_of(token), **parts))


def check_brackets(source: str, lines: list[str]) -> None:
    """Refuses an unmatched bracket at the place of the bracket; the parser would report the line below."""
    opened: list[tuple[str, Place]] = []
    for number, line in enumerate(lines, 1):
        if opened and STATEMENT.match(line):
            break
        for column, sign in enumerate(line.partition("#")[0], 1):
            if sign in "([":
                opened.append((sign, Place(number, column)))
            elif sign in ")]":
                if not opened or opened[-1][0] + sign not in ("()", "[]"):
                    message = f"'{sign}' has no opening bracket"
                    raise Refused(finding_at(NEU002, message, source, lines, Place(number, column)))
                opened.pop()
    if opened:
        sign, place = opened[-1]
        raise Refused(finding_at(NEU002, f"'{sign}' is never closed", source, lines, place))


def syntax_finding(error: UnexpectedInput, source: str, lines: list[str]) -> Finding:
    """Returns the finding of a syntax error."""
    token = find_unexpected(error, parser(), lines)
    line = token.place.line
    if word := KEYWORD_AS_NAME.match(lines[line - 1]):
        return reserved_finding(word[1], source, lines, Place(line, word.start(1) + 1))
    if "NAME" in token.allowed and is_reserved(token.text):
        return reserved_finding(token.text, source, lines, token.place)
    found = EXPECTED[token.terminal] if token.terminal in ("_NL", "$END") else f"'{token.text}'"
    parts = {"expected": describe_allowed(token.allowed, EXPECTED), "found": found}
    return finding_at(NEU001, f"unexpected {found.removeprefix('the ')}", source, lines, token.place, **parts)


def reserved_finding(word: str, source: str, lines: list[str], place: Place) -> Finding:
    parts = {"expected": "a name of your own", "found": word, "help": f"rename it, for example to {word}_0"}
    return finding_at(NEU003, f"'{word}' is a reserved word", source, lines, place, **parts)


class Reader:
    """Conversion of the parser's tree into records."""

    def __init__(self, source: str, lines: list[str]):
        self.source = source
        self.lines = lines
        self.found = Diagnostics()
        self.starts: list[int] = []
        self.head = 0

    def file(self, tree: Tree[Token]) -> NeuronFile:
        blocks: list[Any] = list(tree.children)
        presets = [block for block in blocks if block.data == "preset"]
        neurons = [block for block in blocks if block.data == "neuron"]
        self.starts = sorted(self.starting(blocks))
        self.head = self.heading(self.starts[0] - 1)
        self.once("preset", (block.children[0] for block in presets[1:]), {""})
        self.once("neuron", (block.children[0] for block in neurons))
        preset = self.preset(presets[0]) if presets else None
        read = tuple(self.neuron(block) for block in neurons)
        self.found.raise_errors()
        head = [line.strip() for line in self.lines[: self.head]]
        comment = "\n".join(line.removeprefix("#").removeprefix(" ") for line in head).strip("\n")
        ending = tuple(line.strip() for line in self.lines[self.end(len(self.starts) - 1) :] if line.strip())
        return NeuronFile(preset, read, self.source, comment, ending)

    def once(self, what: str, tokens: Iterable[Token], seen: set[str] | None = None) -> None:
        """Reports tokens that occur twice or are in `seen`; with `{""}`, every token is reported."""
        names = set[str]() if seen is None else seen
        for token in tokens:
            if token in names or "" in names:
                message = f"a file can have only one {what}" if "" in names else f"{what} {token} occurs twice"
                self.found.add(
                    finding_at(NEU004, message, self.source, self.lines, place_of(token), help="remove one of them")
                )
            names.add(token)

    # comments

    def starting(self, blocks: list[Any]) -> Iterator[int]:
        """Yields the first line of each statement."""
        for block in blocks:
            yield block.meta.line
            if block.data == "preset":
                yield from (key.line for key in block.children[1::2])
            else:
                yield from (item.meta.line for item in block.children if getattr(item, "data", None) is not None)

    def heading(self, start: int) -> int:
        """Returns the number of lines in the comment of the file: all above the first statement, except the last of several blocks."""
        block = start
        while block and self.lines[block - 1].strip():
            block -= 1
        return block if any(line.strip() for line in self.lines[:block]) else start

    def end(self, k: int) -> int:
        """Returns the last line of the statement with index `k`, apart from trailing comments."""
        start = self.starts[k]
        after = self.starts[k + 1] if k + 1 < len(self.starts) else len(self.lines) + 1
        return max(n for n in range(start, after) if n == start or self.lines[n - 1].partition("#")[0].strip())

    def comments(self, line: int) -> Comments:
        k = self.starts.index(line)
        before = range(self.end(k - 1) if k else self.head, line - 1)
        above = [text for n in before if (text := self.lines[n].strip())]
        held = [(self.lines[n - 1].partition("#"), n) for n in range(line, self.end(k) + 1)]
        beside = "  ".join(f"#{comment.rstrip()}" for (_, mark, comment), _ in held if mark)
        return Comments(tuple(above), beside)

    # blocks

    def preset(self, block: Any) -> Preset:
        name, *rest = block.children
        keys, values = rest[::2], rest[1::2]
        self.once("switch", keys)
        switches = {
            str(key): float(value) if value.type == "NUMBER" else str(value)
            for key, value in zip(keys, values, strict=True)
        }
        beside = {str(key): self.comments(key.line) for key in keys}
        kept = {key: comments for key, comments in beside.items() if comments != Comments()}
        return Preset(str(name), switches, self.comments(block.meta.line), kept, place_of(name))

    def neuron(self, block: Any) -> Neuron:
        name, *rest = block.children
        families = tuple(str(token) for token in rest if getattr(token, "type", None) == "FAMILY")
        items = tuple(self.item(node) for node in rest if getattr(node, "data", None) is not None)
        comments = self.comments(block.meta.line)
        return Neuron(str(name), families, items, comments, place_of(name), self.source, tuple(self.lines))

    def item(self, node: Any) -> Item:
        place, comments, children = place_of(node), self.comments(node.meta.line), node.children
        match node.data:
            case "option":
                return Option(place, str(children[0]), tuple(map(str, children[1:])), comments=comments)
            case "params" | "canonicals" | "states" | "inputs" as keyword:
                entries = tuple(map(self.declaration, children))
                return Declarations(place, keyword.removesuffix("s"), entries, comments=comments)
            case "assign":
                name, declared, value = children
                return Assign(place, str(name), self.declared(declared), build_expression(value), comments=comments)
            case "emit":
                kind, value = children
                return Emit(place, None if kind is None else str(kind), build_expression(value), comments=comments)
            case _:
                name, value = children
                return Record(place, str(name), build_expression(value), comments=comments)

    def declaration(self, node: Any) -> Declaration:
        given = dict(zip(DECLARED_PARTS[node.data], node.children, strict=True))
        value, unit, into = (given.get(part) for part in ("value", "unit", "into"))
        return Declaration(
            str(given["name"]),
            None if value is None else build_expression(value),
            self.declared(given.get("declared")),
            None if unit is None else str(unit),
            None if into is None else str(into),
            place_of(given["name"]),
        )

    def declared(self, node: Any) -> Declared | None:
        if node is None:
            return None
        if node.data == "bounds":
            return Declared(bounds=self.bounds(node), place=place_of(node))
        type, mode, bounds = node.children
        return Declared(
            str(type),
            "" if mode is None else str(mode),
            None if bounds is None else self.bounds(bounds),
            place_of(type),
        )

    def bounds(self, node: Any) -> Bounds:
        return Bounds(*map(str, node.children))


# ---- checking


@lru_cache(maxsize=REMEMBERED)
def check_neuron(neuron: Neuron) -> None:
    """Checks names, kinds and widths of a neuron for every choice of its options, and reports all findings together.

    Refusals are not cached, because equal neurons can be declared in different places.
    Errors: NEU003 to NEU004 and NEU007 to NEU022, see `elaboration`.
    """
    found = Diagnostics()
    for options in combinations(neuron.options):
        for finding in Elaboration(neuron, options).found.findings:
            found.add(finding)
    found.raise_errors()


def combinations(options: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    """Yields every choice of options; if there are too many, each value with the defaults of the others."""
    default = {name: values[0] for name, values in options.items()}
    if prod(map(len, options.values())) <= MOST_COMBINATIONS:
        for chosen in product(*options.values()):
            yield dict(zip(options, chosen, strict=True))
        return
    yield default
    for name, values in options.items():
        yield from ({**default, name: value} for value in values[1:])


def choose_options(neuron: Neuron, options: Mapping[str, str]) -> dict[str, str]:
    """Returns the value of every option: the caller's, else the first. Errors: NEU005 an unknown option or value."""
    found = Diagnostics()
    declared = neuron.options
    for name, value in options.items():
        if value not in declared.get(name, ()):
            what = f"option {name} has no value '{value}'" if name in declared else f"unknown option '{name}'"
            allowed = declared.get(name) or tuple(declared)
            found.add(
                finding_at(
                    NEU005,
                    f"{what} in neuron {neuron.name}",
                    neuron.source,
                    neuron.lines,
                    next((item.place for item in neuron.of(Option) if item.name == name), neuron.place),
                    expected=" or ".join(allowed) or "no options",
                    found=value if name in declared else name,
                    help=f"{name}={allowed[0]}" if name in declared else None,
                )
            )
    found.raise_errors()
    return {name: options.get(name, values[0]) for name, values in declared.items()}


def check_bounds(neuron: Neuron, values: Mapping[str, Any], node: str | None = None) -> None:
    """Refuses values of parameters, raw or derived, outside of the neuron's declared bounds; `values` are given by name.

    Shapes: any. Errors: NEU006 a value outside of its bounds.
    """
    import numpy as np

    found = Diagnostics()
    for param in neuron.params:
        if param.bounds is None or param.name not in values:
            continue
        low, high = float(param.bounds.low), float(param.bounds.high)
        given = np.asarray(values[param.name])
        outside = given[~((given >= low) & (given <= high))]
        if outside.size:
            parts = {"expected": f"{param.name} {param.bounds}", "found": str(outside.flat[0]), "node": node}
            message = f"parameter {param.name} is out of its bounds"
            found.add(finding_at(NEU006, message, neuron.source, neuron.lines, param.place, **parts))
    found.raise_errors()
