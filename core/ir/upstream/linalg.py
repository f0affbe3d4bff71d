"""The upstream dialect `linalg`, with a `linalg.generic` that reads what it prints: xDSL 0.74 prints several results in parentheses, and reads them without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.linalg import Linalg
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Dialect, SSAValue
from xdsl.parser import Parser

Part = TypeVar("Part")


class GenericOp(linalg.GenericOp):
    """A `linalg.generic` that reads several results."""

    @classmethod
    def parse(cls, parser: Parser) -> GenericOp:
        start = parser.pos
        attributes = parser.parse_optional_attr_dict()
        maps: Any = attributes.pop("indexing_maps", None)
        kinds: Any = attributes.pop("iterator_types", None)
        if not all(isinstance(one, ArrayAttr) for one in (maps, kinds)):
            parser.raise_error("expected indexing_maps and iterator_types", start, parser.pos)
        doc, call = (cast("StringAttr | None", attributes.pop(name, None)) for name in ("doc", "library_call"))
        ins, outs = (operands(parser, word) for word in ("ins", "outs"))
        more = parser.parse_optional_keyword("attrs")
        if more:
            parser.parse_punctuation("=")
            attributes |= parser.parse_optional_attr_dict()
        body = parser.parse_region()
        types: Any = ()
        if parser.parse_optional_punctuation("->"):
            types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
            types = [parser.parse_type()] if types is None else types
        op = cls(ins, outs, body, cast(Any, maps), [iterator(parser, kind) for kind in kinds], types, doc, call)
        op.attributes |= attributes
        return op


def iterator(parser: Parser, kind: Any) -> IteratorTypeAttr:
    """Returns the kind of a loop, which is an attribute or its text."""
    if isinstance(kind, IteratorTypeAttr):
        return kind
    if not isinstance(kind, StringAttr) or kind.data not in [one.value for one in IteratorType]:
        parser.raise_error(f"unknown iterator type {kind}")
    return IteratorTypeAttr(IteratorType(kind.data))


def listed(parser: Parser, one: Callable[[], Part]) -> list[Part]:
    """Returns what is between commas."""
    found = [one()]
    while parser.parse_optional_punctuation(","):
        found.append(one())
    return found


def operands(parser: Parser, word: str) -> list[SSAValue]:
    """Returns the operands of `ins(…)` or `outs(…)`."""
    place = parser.pos
    if not parser.parse_optional_characters(word):
        return []
    parser.parse_punctuation("(")
    names = listed(parser, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    types = listed(parser, parser.parse_type)
    parser.parse_punctuation(")")
    return list(parser.resolve_operands(names, types, place))


LINALG = Dialect(
    Linalg.name,
    [GenericOp if op is linalg.GenericOp else op for op in Linalg.operations],
    list(Linalg.attributes),
)
