"""Parts of a contract that are understood: operations with what their values are measured in, conversions between them.

Bytes and bits convert by themselves. As many people write the conversion out, `bits <= 8 * bytes` and `bits / 8 <= bytes`, a bare
8 beside bytes that meet bits is that conversion, not a second one; marks on the nodes follow such an 8 until bytes meet bits.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from attrs import evolve, frozen

from .contract_measures import BIT, PURE, Measure, eighth
from .contract_tree import Expr, spelled

INVERSE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
"""Each comparison with its negation."""
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@frozen(eq=False)
class Node:
    """A part of a contract that is understood: its operation, its operands, what its value is measured in."""

    op: str
    measure: Measure
    expr: Expr
    args: tuple[Node, ...] = ()
    data: Any = None
    """The value of a constant, the name of a quantity, the factor of a conversion."""
    is_bare: bool = False
    """Whether it is of numbers without a unit alone; those may be bits."""
    eight: Literal["", "factor", "bits", "mixed"] = ""
    """`factor`: a pure number with a bare 8 in it. `bits`: bytes times such a factor, or bits divided by 8. `mixed`: in parts."""

    @property
    def text(self) -> str:
        return spelled(self.expr)


# ---- helpers


def exact_number(text: str) -> int | Fraction:
    return whole(Fraction(text))


def whole(value: Fraction) -> int | Fraction:
    """An integer where it is one: it is faster."""
    return value.numerator if value.denominator == 1 else value


def is_zero(node: Node) -> bool:
    """0 is 0 in every unit."""
    return node.op == "number" and node.data == 0 and node.is_bare


def converted(node: Node, measure: Measure) -> Node:
    """A value in another unit of its dimension."""
    if node.measure.scale == measure.scale:
        return node
    factor = whole(node.measure.scale / measure.scale)
    return Node("convert", measure, node.expr, (node,), data=factor, is_bare=node.is_bare, eight=node.eight)


def pure(node: Node) -> Node:
    """A quotient of bytes and bits, or a frequency times a time, as the pure number that it is."""
    if any(node.measure.powers) or node.measure.scale == 1:
        return evolve(node, measure=PURE) if node.measure.is_pure else node
    return Node("convert", PURE, node.expr, (node,), data=whole(node.measure.scale))


def eight_of_product(left: Node, right: Node) -> Any:
    """What a factor of 8 may mean in a product."""
    if left.measure.is_pure and right.measure.is_pure:
        return "factor" if "factor" in (left.eight, right.eight) else ""
    memory, other = (left, right) if left.measure.is_memory else (right, left)
    if not (memory.measure.is_memory and other.measure.is_pure):
        return ""
    if other.eight == "factor" and memory.measure.is_bytes and not memory.eight:
        return "bits"
    return memory.eight


def eight_of_quotient(left: Node, right: Node) -> Any:
    """What a division by 8 may mean."""
    if not (left.measure.is_memory and right.measure.is_pure):
        return ""
    if left.measure.is_bit and right.op == "number" and right.eight == "factor" and not left.eight:
        return "bits"
    return left.eight


def one_mark(marks: set[Any]) -> Any:
    marks = marks - {"factor"} | ({""} if "factor" in marks else set())
    return marks.pop() if len(marks) == 1 else "mixed"


def retold(node: Node) -> Node:
    """The same numbers in bits where they were in bytes, in bytes where they were in bits: the factor of 8 was the conversion."""
    measure = Measure("byte", BIT.powers, Fraction(8)) if node.measure.is_bit else eighth(node.measure)
    args = tuple(retold(arg) if arg.eight == "bits" else arg for arg in node.args)
    return evolve(node, measure=measure, args=args, eight="")
