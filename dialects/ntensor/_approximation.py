"""Record of a lossy pass on a network."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import FloatAttr, NoneType, StringAttr, f64
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser

from ...core.ir.graph_region import names


@irdl_attr_definition
class ApproximationAttr(ParametrizedAttribute):
    """Record of a lossy pass: its effect, the affected nodes, and the largest and mean error if known.

    `unit` is the unit of the errors: `s`, `1` or the unit of the parameter. An error is `none` if it was not measured.
    """

    name = "ntensor.approximation"
    step: StringAttr
    """The pass with its options, in pipeline syntax."""
    what: StringAttr
    touched: ListAttr[StringAttr]
    largest: FloatAttr | NoneType
    mean: FloatAttr | NoneType
    unit: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        def text(what: str) -> StringAttr:
            return StringAttr(parser.parse_str_literal(f" for {what}"))

        def error() -> FloatAttr | NoneType:
            at = parser.pos
            found = parser.parse_attribute()
            if not isinstance(found, FloatAttr | NoneType):
                parser.raise_error("expected an error as a number of f64, or none", at, parser.pos)
            return found

        def comma() -> None:
            parser.parse_punctuation(",", " in an approximation: step, what, [touched], largest, mean, unit")

        with parser.in_angle_brackets():
            found: list[Attribute] = [text("the pass")]
            comma()
            found.append(text("the effect"))
            comma()
            found.append(names(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: text("a node").data)))
            for _ in range(2):
                comma()
                found.append(error())
            comma()
            found.append(text("the unit of the errors"))
        return found

    @staticmethod
    def of(
        step: str,
        what: str,
        touched: Iterable[str],
        largest: float | None = None,
        mean: float | None = None,
        unit: str = "1",
    ) -> ApproximationAttr:
        def number(value: float | None) -> FloatAttr | NoneType:
            return NoneType() if value is None else FloatAttr(value, f64)

        return ApproximationAttr(
            StringAttr(step), StringAttr(what), names(touched), number(largest), number(mean), StringAttr(unit)
        )
