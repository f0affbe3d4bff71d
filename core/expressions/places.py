"""Positions in a text, and findings that point at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..diagnostics import Code, Finding

if TYPE_CHECKING:
    from lark import Token, Tree


@frozen
class Place:
    """Position in a text; line and column count from 1."""

    line: int
    column: int


NOWHERE = Place(0, 0)


def place_of(node: Tree[Token] | Token) -> Place:
    """Returns the start of a node of the parser's tree."""
    meta: Any = node if hasattr(node, "line") else getattr(node, "meta")  # noqa: B009
    return Place(meta.line, meta.column)


def line_with_caret(lines: Sequence[str], place: Place) -> str:
    """Returns the line of a place, with a caret below the column."""
    line = lines[place.line - 1].replace("\t", " ").rstrip() if 0 < place.line <= len(lines) else ""
    return f"line {place.line}\n{line}\n{' ' * (place.column - 1)}^"


def finding_at(code: Code, message: str, source: str, lines: Sequence[str], place: Place, **parts: Any) -> Finding:
    """Returns a finding about a place in a text, with the line and a caret below the column."""
    note = line_with_caret(lines, place)
    return Finding(code, message, place=f"{source}:{place.line}:{place.column}", notes=(note,), **parts)
