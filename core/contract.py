"""The contract language: what must hold of a device and of what runs on it, as boolean expressions with units.

    core.neurons * synapse.bits * core.axons <= core.synapse_bytes
    fan_in <= 64 or weight_bits <= 1
    ceil(log2(fan_in)) + weight_bits <= 16

`parse` reads a text and checks names and units at once; a `Contract` evaluates it, explains the result, and says what would have to
change. `docs/contracts.md` explains the language, `contract.lark` is its grammar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from attrs import field, frozen

from .contract_checks import Checker
from .contract_measures import Measure, measure_of, measured
from .contract_needs import Needed, needed
from .contract_nodes import Node
from .contract_reasons import Explanation, Slack, explained, slack
from .contract_tree import (
    Among,
    Between,
    Binary,
    Call,
    Compare,
    Cond,
    Expr,
    Name,
    Neg,
    Not,
    Number,
    Truth,
    spelled,
    walk,
)
from .contract_values import Closure, Undefined, Value, Values, blaming, compiled
from .diagnostics import Code, Finding, Refused
from .places import Place, place_of, shown
from .units import Unit, unit

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

__all__ = ["Contract", "Explanation", "Needed", "Slack", "Value", "Values", "Verdict", "parse", "read"]

CON001 = Code(
    "CON001",
    "a contract cannot be read",
    cause="At the place that the caret shows stands something that cannot follow what stands before it.",
    remedy="Write one of the things that the message expects; docs/contracts.md has the grammar.",
)

DEEPEST = 100
"""Levels that an expression may nest; deeper ones would exhaust the stack of a recursive reader."""
LONGEST = 30
"""Digits that a number may have, and the largest exponent: larger ones say nothing about hardware."""

EXPECTED = {
    "NAME": "a quantity",
    "NUMBER": "a number",
    "CMP": "a comparison",
    **dict.fromkeys(("PM", "MD", "OR", "AND", "IMPLIES", "_IF", "_IN", "MINUS"), "an operator"),
    "RANGE": "'..'",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "COMMA": "','",
    "$END": "the end",
}
"""How messages call the terminals of the grammar, in the order in which they list them; others are named as they are spelled."""
MISTAKES = {
    "=": "==",
    "&": "and",
    "&&": "and",
    "|": "or",
    "||": "or",
    "!": "not",
    "^": "pow2(x), or x * x",
    "**": "pow2(x), or x * x",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "·": "*",
    "×": "*",  # noqa: RUF001
    "=>": "implies",
    "->": "implies",
    "<<": "* pow2(x)",
    ">>": "// pow2(x)",
}
"""What other languages write, and what it is called here."""


@frozen
class Verdict:
    """Whether a contract holds; None if that depends on quantities that are not known."""

    holds: bool | None
    unchecked: tuple[str, ...] = ()
    """The quantities that nobody has published, or that are not known yet, and that would decide it."""

    def __str__(self) -> str:
        if self.holds is None:
            return f"not checked: {', '.join(self.unchecked)} {'is' if len(self.unchecked) == 1 else 'are'} not known"
        return "holds" if self.holds else "fails"


HOLDS, FAILS = Verdict(True), Verdict(False)


@frozen
class Contract:
    """A condition on the quantities of a device and of what runs on it; equal to others that say the same.

    Values are numbers in the units in which the quantities are declared: integers, fractions, floats (read as the decimals that are
    written for them), booleans, lists. None and what is absent is not known.
    """

    expr: Expr
    node: Node = field(eq=False, repr=False)
    lines: tuple[str, ...] = field(default=(), eq=False, repr=False)
    at: str = field(default="", eq=False, repr=False)
    file: str | None = field(default=None, eq=False, repr=False)

    def __str__(self) -> str:
        """The contract in its one layout; it parses to an equal contract."""
        return spelled(self.expr)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The quantities that it uses, in the order in which they stand."""
        return tuple(dict.fromkeys(part.name for part in walk(self.expr) if isinstance(part, Name)))

    @cached_property
    def closure(self) -> Closure:
        return compiled(self.node)

    @cached_property
    def blame(self) -> Closure:
        return blaming(self.node)

    def holds(self, values: Values) -> bool | None:
        """Whether it holds, as fast as can be. Errors: those of `evaluate`."""
        try:
            return self.closure(values)
        except Undefined as failure:
            raise Refused(self.undefined(failure)) from None

    def evaluate(self, values: Values) -> Verdict:
        """Whether it holds, and what is missing to say so.

        Errors: CON009 a division by zero; CON010 log2 of a number that is not positive; CON011 pow2 of a fraction or of too much.
        """
        held = self.holds(values)
        if held is None:
            return Verdict(None, tuple(dict.fromkeys(self.blame(values))))
        return HOLDS if held else FAILS

    def explain(self, values: Values) -> Explanation:
        """Every part with its value, the comparisons that make it fail, and by how much. Errors: none."""
        return explained(self.node, values)

    def slack(self, values: Values) -> Slack | None:
        """How far the comparison that decides is from its limit; None if there is none that can be computed."""
        return slack(self.node, values)

    def needed(self, name: str, values: Values) -> Needed | None:
        """The largest or smallest whole value of one quantity at which it holds, all others as they are.

        None if there is none, if it holds whatever the quantity is, or if it cannot be seen to hold on one side of a limit only.
        """
        return needed(self.node, name, values)

    def undefined(self, failure: Undefined) -> Finding:
        place = failure.node.expr.place
        return Finding(
            failure.code,
            f"{failure} in {failure.node.text}",
            at=self.at,
            file=self.file,
            expected=failure.expected,
            found=failure.found,
            notes=(shown(self.lines, place),),
        )


# ---- reading


@cache
def parser() -> Lark:
    from lark import Lark

    grammar = (Path(__file__).parent / "contract.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=True)


def parse(text: str, declared: Mapping[str, str | Unit], at: str = "", file: str | None = None) -> Contract:
    """Reads a contract and checks its names and units. `at` and `file` say in messages where it stands.

    `declared` has the unit of every quantity that may be used: `byte`, `pJ/spike`, `1`, `neurons`, also `boolean` and `list of byte`.

    Errors: CON001 what cannot be read; CON002 to CON008, see `contract_checks`; all findings at once.
    """
    expr = read(text, at, file)
    lines = tuple(text.split("\n"))
    checker = Checker({name: declaration(name, one) for name, one in declared.items()}, lines, at, file)
    node = checker.contract(expr)
    checker.found.check()
    assert node is not None
    return Contract(expr, node, lines, at, file)


def declaration(name: str, declared: str | Unit) -> Measure:
    measure = measure_of(declared) if isinstance(declared, str) else measured(declared)
    if measure is None:
        raise ValueError(f"{name} is declared in {declared}, which is no unit")
    return measure


def read(text: str, at: str = "", file: str | None = None) -> Expr:
    """The expression of a contract, with nothing known about its names. Errors: CON001."""
    from lark.exceptions import UnexpectedInput

    lines = text.split("\n")
    try:
        tree: Tree[Token] = cast("Any", parser()).parse(text)
    except UnexpectedInput as error:
        raise Refused(unexpected(error, lines, at, file)) from None
    check_size(tree, lines, at, file)
    return expression(tree.children[0])


def unreadable(message: str, place: Place, lines: list[str], at: str, file: str | None, **parts: Any) -> Finding:
    return Finding(CON001, message, at=at, file=file, notes=(shown(lines, place),), **parts)


def check_size(tree: Tree[Token], lines: list[str], at: str, file: str | None) -> None:
    from lark import Token, Tree

    level: list[Tree[Token]] = [tree]
    for _ in range(DEEPEST):
        for node in level:
            for child in node.children:
                if isinstance(child, Token) and child.type == "NUMBER" and is_excessive(child):
                    parts = {"expected": f"at most {LONGEST} digits", "found": f"{str(child)[:LONGEST]}…"}
                    message = "a number has too many digits"
                    raise Refused(unreadable(message, place_of(child), lines, at, file, **parts))
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    if level:
        parts = {"expected": f"at most {DEEPEST} levels", "help": "write it as several contracts"}
        raise Refused(unreadable("the contract is nested too deeply", place_of(level[0]), lines, at, file, **parts))


def is_excessive(number: str) -> bool:
    digits, _, exponent = number.lower().partition("e")
    return len(digits) > LONGEST + 1 or len(exponent) > 4 or abs(int(exponent or "0")) > LONGEST


def unexpected(error: UnexpectedInput, lines: list[str], at: str, file: str | None) -> Finding:
    """What a parse error means to whoever wrote the contract."""
    from lark.exceptions import UnexpectedToken

    line, column = max(error.line, 1), max(error.column, 1)
    if isinstance(error, UnexpectedToken):
        token = cast("Token", vars(error)["token"])
        allowed = set(error.accepts or error.expected)
        found = "the end" if token.type == "$END" else str(token)
        if token.type == "$END":
            line, column = len(lines), len(lines[-1]) + 1
    else:
        before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]])
        state = cast("Any", parser()).parse_interactive(before)
        state.exhaust_lexer()
        allowed = set(state.accepts())
        found = lines[line - 1][column - 1 : column]
    around = re.finditer(r"[^\w\s()\[\].,]+", lines[line - 1])
    signs = next((one for one in around if one.start() < column <= one.end()), None)
    quoted = found if found == "the end" else f"'{found}'"
    # an operand is expected, and the minus is its sign; or an operand is there, and a name behind it is a unit
    allowed -= {"MINUS", "PM"} if "NUMBER" in allowed else {"LPAR"}
    named = {**EXPECTED, "NAME": "a quantity" if "NUMBER" in allowed else "a unit"}
    words = sorted(f"'{name.lower().lstrip('_')}'" for name in allowed if name not in named)
    expected = ", ".join(dict.fromkeys([named[name] for name in named if name in allowed] + words))
    return unreadable(
        f"{quoted} cannot stand here",
        Place(line, column),
        lines,
        at,
        file,
        expected=expected or None,
        found=quoted,
        help=MISTAKES.get(signs[0]) if signs else None,
    )


def expression(node: Any) -> Expr:
    """The records of a parser's tree."""
    place, children = place_of(node), node.children
    match node.data:
        case "number":
            text, name = children
            return Number(str(text), None if name is None else unit_name(str(name)), place)
        case "true" | "false":
            return Truth(node.data == "true", place)
        case "name":
            return Name(str(children[0]), place)
        case "neg":
            return Neg(expression(children[0]), place)
        case "not_":
            return Not(expression(children[0]), place)
        case "compare":
            operators = tuple(map(str, children[1::2]))
            places = tuple(map(place_of, children[1::2]))
            return Compare(tuple(map(expression, children[0::2])), operators, places)
        case "between":
            x, low, high = (expression(children[k]) for k in (0, 1, 3))
            return Between(x, low, high, x.place)
        case "member":
            x, items = map(expression, children)
            return Among(x, items, x.place)
        case "among":
            x, *items = map(expression, children)
            return Among(x, tuple(items), x.place)
        case "cond":
            then, test, otherwise = map(expression, children)
            return Cond(then, test, otherwise, place)
        case "call":
            name, *arguments = children
            return Call(str(name), tuple(map(expression, arguments)), place)
        case _:
            left, operator, right = children
            return Binary(str(operator), expression(left), expression(right), place_of(operator))


def unit_name(name: str) -> str:
    """A unit in its one spelling: `byte` for `bytes`."""
    found = unit(name)
    return found.name if found else name
