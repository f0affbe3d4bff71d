"""Languages of equations: reading of a text into a parse tree, with findings that point at the line.

A `Language` has a grammar, statements and the code of its syntax errors; the neuron language and the synapse language are two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from attrs import frozen

from ..diagnostics import Code, Finding, Refused
from ..expressions.places import Place, finding_at, place_of
from ..expressions.reader import (
    OPERATORS,
    SIGNS,
    describe_allowed,
    find_too_deep,
    find_unexpected,
    make_parser,
)
from .expressions import NEU003
from .kinds import is_reserved

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

NEU002 = Code("NEU002", "bracket-unmatched", "unmatched bracket")

SHARED_RULES = Path(__file__).parent / "equations.lark"
DEEPEST_EXPRESSION = 120
"""Maximum nesting depth of an expression; a deeper one would exhaust the stack of a recursive reader."""
LONGEST_LITERAL = 1000
"""Maximum length of a number or a type, because Python does not read integers of more than 4300 digits."""
NUMBERS = ("NUMBER", "BOUND", "TYPE")
"""Terminals with digits that are read as numbers."""

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


class Lines:
    """Filter between lexer and parser that drops line ends inside brackets."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depth = 0
        for token in stream:
            depth += (token.type in ("LPAR", "LSQB")) - (token.type in ("RPAR", "RSQB"))
            if token.type != "_NL" or depth <= 0:
                yield token


@frozen(slots=False)
class Language:
    """A language of equations."""

    grammar: Path
    statements: tuple[str, ...]
    """Words that start a line."""
    syntax_error: Code
    expected: Mapping[str, str] = EXPECTED
    """Names of the grammar's terminals in messages."""

    @cached_property
    def parser(self) -> Lark:
        return make_parser(self.grammar, SHARED_RULES, postlex=Lines())

    @cached_property
    def statement(self) -> re.Pattern[str]:
        return re.compile(rf"[ \t]*(?:({'|'.join(self.statements)})\b|([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=(?!=))")

    @cached_property
    def keyword_as_name(self) -> re.Pattern[str]:
        return re.compile(rf"[ \t]*({'|'.join(self.statements)})[ \t]*(?::[^=\n]*)?=(?!=)")

    def parse(self, text: str, source: str) -> tuple[Tree[Token], list[str]]:
        """Returns the parse tree of a text and its lines. Errors: the syntax error of the language; NEU002, NEU003."""
        from lark.exceptions import UnexpectedInput

        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        text = text if text.endswith("\n") else text + "\n"
        lines = text.split("\n")
        check_brackets(self, source, lines)
        try:
            tree = cast("Any", self.parser).parse(text)
        except UnexpectedInput as error:
            raise Refused(syntax_finding(self, error, source, lines)) from None
        if place := find_too_deep(tree, DEEPEST_EXPRESSION):
            parts = {
                "expected": f"at most {DEEPEST_EXPRESSION} levels",
                "help": "name a part of it on a line of its own",
            }
            finding = finding_at(
                self.syntax_error, "the expression is nested too deeply", source, lines, place, **parts
            )
            raise Refused(finding)
        check_numbers(self, tree, source, lines)
        return tree, lines


def check_numbers(language: Language, tree: Tree[Token], source: str, lines: list[str]) -> None:
    """Refuses a number or a type that is too long. Errors: the syntax error of the language."""
    tokens: Iterator[Any] = tree.scan_values(bool)
    for token in (token for token in tokens if token.type in NUMBERS and len(token) > LONGEST_LITERAL):
        parts = {"expected": f"at most {LONGEST_LITERAL} characters", "found": f"{len(token)} characters"}
        raise Refused(
            finding_at(language.syntax_error, "a number is too long", source, lines, place_of(token), **parts)
        )


def check_brackets(language: Language, source: str, lines: list[str]) -> None:
    """Refuses an unmatched bracket at the place of the bracket; the parser would report the line below."""
    opened: list[tuple[str, Place]] = []
    for number, line in enumerate(lines, 1):
        if opened and language.statement.match(line):
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


def syntax_finding(language: Language, error: UnexpectedInput, source: str, lines: list[str]) -> Finding:
    """Returns the finding of a syntax error."""
    token = find_unexpected(error, language.parser, lines)
    line = token.place.line
    if word := language.keyword_as_name.match(lines[line - 1]):
        return reserved_finding(word[1], source, lines, Place(line, word.start(1) + 1))
    if "NAME" in token.allowed and is_reserved(token.text):
        return reserved_finding(token.text, source, lines, token.place)
    found = language.expected[token.terminal] if token.terminal in ("_NL", "$END") else f"'{token.text}'"
    parts = {"expected": describe_allowed(token.allowed, language.expected), "found": found}
    return finding_at(
        language.syntax_error, f"unexpected {found.removeprefix('the ')}", source, lines, token.place, **parts
    )


def reserved_finding(word: str, source: str, lines: list[str], place: Place) -> Finding:
    parts = {"expected": "a name of your own", "found": word, "help": f"rename it, for example to {word}_0"}
    return finding_at(NEU003, f"'{word}' is a reserved word", source, lines, place, **parts)
