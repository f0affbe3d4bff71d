"""Contract language: conditions on a device and on a network that is mapped to it, with units.

    fan_in <= 256 or weight_bits <= 1
    neuron_bytes <= neurons * 64 byte
    ceil(log2(fan_in)) + weight_bits <= 16

`parse_contract` reads a text and checks names and units; a `Contract` evaluates and explains it, and solves it for one quantity.
`docs/devices.md` explains the language, `contract.lark` is its grammar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from attrs import field, frozen

from ..cache.parsed_texts import parsed
from ..diagnostics import Code, Finding, Refused
from ..expressions.places import Place, line_with_caret
from ..expressions.reader import (
    OPERATORS,
    SIGNS,
    build_expression,
    describe_allowed,
    find_too_deep,
    find_unexpected,
    make_parser,
)
from ..expressions.tree import INVERSE, Expr, Name, Number, format_expression, walk
from ..units import unit
from .checker import Checker
from .evaluation import Undefined, Values, evaluate
from .explanation import Explanation, explain
from .solver import Needed, solve
from .terms import Term

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

NEU023 = Code("NEU023", "contract-syntax-error", "syntax error in a contract")

DEEPEST_CONTRACT = 100
"""Maximum nesting depth of an expression; a deeper one would exhaust the stack of a recursive reader."""
LONGEST_NAME = 30
"""Maximum number of digits, and maximum exponent; larger numbers do not occur in hardware."""

TERMINALS = {
    "NAME": "a quantity",
    "NUMBER": "a number",
    "CMP": "a comparison",
    **dict.fromkeys((*OPERATORS, "MINUS"), "an operator"),
    **SIGNS,
    "$END": "the end",
}
"""The names of terminals in messages, in the order of listing."""
EQUIVALENTS = {
    "=": "==",
    "&": "and",
    "&&": "and",
    "|": "or",
    "||": "or",
    "!": "not",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "·": "*",
    "×": "*",  # noqa: RUF001
    "//": "/",
    "**": "x * x",
    "=>": "not a or b",
    "->": "not a or b",
    "implies": "not a or b",
    "in": "low <= x and x <= high",
    "if": "test and a or not test and b",
    **dict.fromkeys(("<", "<=", ">", ">="), "a <= b and b <= c"),
}
"""Notations of other languages, with their equivalents in contracts; a second comparison is part of a chain."""


@frozen
class Contract:
    """Condition on the quantities of a device and of a network.

    Values are numbers in the declared units of the quantities: integers, fractions, floats (read as the decimals that are
    written for them), booleans. None and absent values are unknown.
    """

    expr: Expr
    term: Term = field(eq=False, repr=False)
    lines: tuple[str, ...] = field(default=(), eq=False, repr=False)
    at: str = field(default="", eq=False, repr=False)
    file: str | None = field(default=None, eq=False, repr=False)

    def __str__(self) -> str:
        """Returns the contract in its canonical layout, which parses to an equal contract."""
        return format_expression(self.expr)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Returns the quantities in the contract, in the order of their first use."""
        return tuple(dict.fromkeys(part.name for part in walk(self.expr) if isinstance(part, Name)))

    def holds(self, values: Values) -> bool | None:
        """Returns whether the contract holds; None if that depends on unknown quantities.

        Errors: NEU032 a division by zero; NEU033 log2 of a number that is not positive.
        """
        return evaluate_text(self, values)

    def explain(self, values: Values) -> Explanation:
        """Returns every part with its value, the comparisons that make it fail, and their excess. Errors: none."""
        return explain(self.term, values)

    def needed(self, name: str, values: Values) -> Needed | None:
        """Solves the contract for one quantity: returns the largest or smallest integer at which it holds, with all other quantities unchanged.

        Returns None if the contract holds for no value or for every value, or if it is not monotonic in the quantity.
        """
        return solve(self.term, name, values)


@frozen
class Amount:
    """Number that is computed from the quantities of a device and of a network."""

    expr: Expr
    term: Term = field(eq=False, repr=False)
    lines: tuple[str, ...] = field(default=(), eq=False, repr=False)
    at: str = field(default="", eq=False, repr=False)
    file: str | None = field(default=None, eq=False, repr=False)

    def value(self, values: Values) -> int | Fraction | None:
        """Returns the number; None if it depends on unknown quantities. Errors: NEU032, NEU033 as those of a contract."""
        return evaluate_text(self, values)


def evaluate_text(one: Contract | Amount, values: Values) -> Any:
    """Returns the value of a contract or of an amount. Errors: NEU032, NEU033."""
    try:
        return evaluate(one.term, values)
    except Undefined as failure:
        raise Refused(
            Finding(
                failure.code,
                f"{failure} in {failure.term.text}",
                at=one.at,
                file=one.file,
                expected=failure.expected,
                found=failure.found,
                notes=(line_with_caret(one.lines, failure.term.expr.place),),
            )
        ) from None


@cache
def parser() -> Lark:
    return make_parser(Path(__file__).parent / "contract.lark")


def parse_contract(text: str, declared: Mapping[str, str], at: str = "", file: str | None = None) -> Contract:
    """Reads a contract and checks its names and units. `at` and `file` are its location in messages.

    `declared` has the unit of every quantity that may be used: `byte`, `pJ/spike`, `1`, `neurons`, or `boolean`.

    Errors: NEU023 a syntax error; NEU026, NEU027, NEU028, NEU029, NEU030, NEU031, see `checker`; all findings at once.
    """
    return Contract(*resolve_text(text, declared, at, file, is_condition=True))


def parse_amount(text: str, declared: Mapping[str, str], at: str = "", file: str | None = None) -> Amount:
    """Reads an amount, with the names and units of `parse_contract`. Errors: NEU023; NEU026 to NEU031."""
    return Amount(*resolve_text(text, declared, at, file, is_condition=False))


def resolve_text(
    text: str, declared: Mapping[str, str], at: str, file: str | None, *, is_condition: bool
) -> tuple[Expr, Term, tuple[str, ...], str, str | None]:
    """Reads a text and checks its names and units; returns its tree, its terms, its lines and its location."""
    expr = read_contract(text, at, file)
    lines = tuple(text.split("\n"))
    units = {name: None if kind == "boolean" else unit(kind) for name, kind in declared.items()}
    unknown = [name for name, kind in declared.items() if units[name] is None and kind != "boolean"]
    if unknown:
        raise ValueError(f"{unknown[0]} has the unknown unit {declared[unknown[0]]}")
    checker = Checker(units, lines, at, file)
    term = checker.resolve(expr, is_condition=is_condition)
    checker.found.raise_errors()
    assert term is not None
    return expr, term, lines, at, file


def read_contract(text: str, at: str = "", file: str | None = None) -> Expr:
    """Returns the expression of a contract, without a check of its names, from the cache of the user if it is there. Errors: NEU023."""
    return parsed(Expr, "contract", text, lambda one: read_expression(one, at, file))


def read_expression(text: str, at: str, file: str | None) -> Expr:
    """Returns the expression of a contract. Errors: NEU023."""
    from lark.exceptions import UnexpectedInput

    lines = text.split("\n")

    def refuse(message: str, place: Place, **parts: Any) -> Refused:
        return Refused(Finding(NEU023, message, at=at, file=file, notes=(line_with_caret(lines, place),), **parts))

    try:
        tree: Tree[Token] = cast("Any", parser()).parse(text)
    except UnexpectedInput as error:
        message, place, parts = describe_unexpected(error, lines)
        raise refuse(message, place, **parts) from None
    place = find_too_deep(tree, DEEPEST_CONTRACT)
    if place:
        parts = {"expected": f"at most {DEEPEST_CONTRACT} levels", "help": "write it as several contracts"}
        raise refuse("the contract is nested too deeply", place, **parts)
    expr = build_expression(tree.children[0])
    for part in walk(expr):
        if isinstance(part, Number) and is_excessive(part.text):
            parts = {"expected": f"at most {LONGEST_NAME} digits", "found": f"{part.text[:LONGEST_NAME]}…"}
            raise refuse("a number has too many digits", part.place, **parts)
    return expr


def is_excessive(number: str) -> bool:
    digits, _, exponent = number.lower().partition("e")
    return len(digits) > LONGEST_NAME + 1 or len(exponent) > 4 or abs(int(exponent or "0")) > LONGEST_NAME


def describe_unexpected(error: UnexpectedInput, lines: list[str]) -> tuple[str, Place, dict[str, Any]]:
    """Returns the message of a syntax error, its place and the other parts of its finding."""
    token = find_unexpected(error, parser(), lines)
    found = "the end" if token.terminal == "$END" else f"'{token.text}'"
    # A minus where an operand is expected is its sign. A name after an operand is a unit.
    is_operand = "NUMBER" in token.allowed
    allowed = token.allowed - ({"MINUS"} if is_operand else {"LPAR"})
    names = {**TERMINALS, "NAME": "a quantity" if is_operand else "a unit"}
    line, column = token.place.line, token.place.column
    signs = re.finditer(r"[^\w\s()\[\].,]+", lines[line - 1])
    sign = next((one[0] for one in signs if one.start() < column <= one.end()), token.text)
    help = None if is_operand and sign in INVERSE else EQUIVALENTS.get(sign)
    parts = {"expected": describe_allowed(allowed, names), "found": found, "help": help}
    return f"unexpected {found.removeprefix('the ')}", token.place, parts
