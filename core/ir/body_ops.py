"""Properties of an op that select ops of its body by their class.

groups = body_ops(NeuronsOp)                # all of them, in their order
groups = inner_body_ops(CoreOp, NeuronsOp)  # ops in the bodies of all ops of another class
axons = optional_body_op(AxonsOp)           # the first of them, or None
cores = body_ops_by_place(CoreOp)           # all of them, by their number `place`
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from xdsl.ir import Operation

Inner = TypeVar("Inner", bound=Operation)
Selected = TypeVar("Selected", covariant=True)


class BodyProperty(property, Generic[Selected]):
    """Property with a typed value. It is necessary because an op class in xDSL cannot be generic in other op classes."""

    if TYPE_CHECKING:

        @overload
        def __get__(self, instance: None, owner: type, /) -> Self: ...
        @overload
        def __get__(self, instance: Any, owner: type | None = None, /) -> Selected: ...
        def __get__(self, instance: Any, owner: type | None = None, /) -> Any: ...


def ops_in(op: Operation, kind: type[Inner]) -> Iterator[Inner]:
    """Yields the ops of a class in the body of an op."""
    return (inner for inner in op.regions[0].block.ops if isinstance(inner, kind))


def body_ops(kind: type[Inner]) -> BodyProperty[Sequence[Inner]]:
    """Returns a property that lists the ops of a class."""
    return BodyProperty(lambda op: list(ops_in(op, kind)))


def inner_body_ops(outer: type[Operation], kind: type[Inner]) -> BodyProperty[Sequence[Inner]]:
    """Returns a property that lists the ops of a class in all ops of an outer class."""
    return BodyProperty(lambda op: [inner for each in ops_in(op, outer) for inner in ops_in(each, kind)])


def optional_body_op(kind: type[Inner]) -> BodyProperty[Inner | None]:
    """Returns a property whose value is the first op of a class; None if there is none."""
    return BodyProperty(lambda op: next(ops_in(op, kind), None))


def body_ops_by_place(kind: type[Inner]) -> BodyProperty[Mapping[int, Inner]]:
    """Returns a property that maps numbers to the ops of a class."""
    number = attrgetter("place.value.data")
    return BodyProperty(lambda op: {number(inner): inner for inner in ops_in(op, kind)})
