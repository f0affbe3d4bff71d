"""Reader of expressions: a Lark grammar over shared rules, the records of a parse tree, and the cause of a syntax error."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from attrs import frozen

from .places import Place, place_of
from .tree import Binary, Call, Cond, Expr, Is, Name, Neg, Not, Number

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

RULES = Path(__file__).parent / "expression.lark"
OPERATORS = ("PM", "MD", "SHIFT", "OR", "AND")
"""The terminals of binary operators other than comparisons."""
SIGNS = {"LPAR": "'('", "RPAR": "')'", "COMMA": "','"}
"""Names of punctuation in messages."""


def make_parser(*grammars: Path, postlex: Any = None) -> Lark:
    """Returns the parser of grammar files, of which the first has the start rule, with the shared rules of expressions."""
    from lark import Lark

    text = "\n".join(grammar.read_text(encoding="utf-8") for grammar in (*grammars, RULES))
    return Lark(text, parser="lalr", postlex=postlex, propagate_positions=True, maybe_placeholders=True)


def build_expression(node: Any) -> Expr:
    """Returns the records of an expression in the parser's tree."""
    place, children = place_of(node), node.children
    match node.data:
        case "number":
            unit = children[1] if len(children) > 1 else None
            return Number(str(children[0]), place, unit=None if unit is None else str(unit))
        case "name":
            return Name(str(children[0]), place)
        case "neg":
            return Neg(build_expression(children[0]), place)
        case "not_":
            return Not(build_expression(children[0]), place)
        case "is_":
            option, value = children
            return Is(str(option), str(value), place, place_of(value))
        case "cond":
            then, test, otherwise = map(build_expression, children)
            return Cond(then, test, otherwise, place)
        case "call":
            name, *arguments = children
            return Call(str(name), tuple(map(build_expression, arguments)), place)
        case _:
            left, operator, right = children
            return Binary(str(operator), build_expression(left), build_expression(right), place_of(operator))


def find_too_deep(tree: Tree[Token], limit: int) -> Place | None:
    """Returns the place of a node nested deeper than `limit` levels; None if the tree is shallower."""
    from lark import Tree

    level: list[Tree[Token]] = [tree]
    for _ in range(limit):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    return place_of(level[0]) if level else None


@frozen
class Unexpected:
    """Unexpected token, with the terminals that are allowed in its place."""

    place: Place
    terminal: str
    """The name of the token's terminal; empty for a character that cannot start a token."""
    text: str
    allowed: frozenset[str]


def find_unexpected(error: UnexpectedInput, parser: Lark, lines: Sequence[str]) -> Unexpected:
    """Returns the token or character at which a parser stopped."""
    from lark.exceptions import UnexpectedToken

    line, column = max(error.line, 1), max(error.column, 1)
    if not isinstance(error, UnexpectedToken):
        state = cast("Any", parser).parse_interactive("\n".join([*lines[: line - 1], lines[line - 1][: column - 1]]))
        state.exhaust_lexer()
        text = lines[line - 1][column - 1 : column]
        return Unexpected(Place(line, column), "", text, frozenset(state.accepts()))
    token = cast("Token", vars(error)["token"])
    if token.type == "$END":
        line = max(1, len(lines) - (not lines[-1]))
        column = len(lines[line - 1]) + 1
    return Unexpected(Place(line, column), token.type, str(token), frozenset(error.accepts or error.expected))


def describe_allowed(allowed: Collection[str], names: Mapping[str, str]) -> str | None:
    """Returns the allowed terminals for a message: first the named ones, in the order of the names, then the others in their own spelling."""
    named = [names[terminal] for terminal in names if terminal in allowed]
    words = sorted(f"'{terminal.lower().lstrip('_')}'" for terminal in allowed if terminal not in names)
    return ", ".join(dict.fromkeys(named + words)) or None
