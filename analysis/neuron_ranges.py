"""Ranges of neurons: which integers a population can emit, by interval arithmetic over the step of its update.

Inputs are in given intervals, parameters are what the population has, and a state is anywhere in its type. Every operation of `fixed` infers the
interval of its result; a result of any other operation is anywhere in its type.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ..core.fixed_point import Interval
from ..dialects.fixed import FixedOperation, IntType
from ..dialects.ntensor import LetOp, NeuronOp, UpdateOp, interval_of


def range_of_emission(op: NeuronOp, update: UpdateOp, xs: Sequence[Interval | None]) -> Interval | None:
    """Returns the integers that a population can emit, for inputs in `xs`; None where it emits reals."""
    emitted = update.emitted
    if not isinstance(emitted.type, IntType):
        return interval_of(emitted.type)
    return ranges_of_step(op, update, xs).get(emitted, emitted.type.interval)


def ranges_of_step(op: NeuronOp, update: UpdateOp, xs: Sequence[Interval | None]) -> dict[SSAValue, Interval]:
    """Returns the integers that the values of a population's step can be, for inputs in `xs`."""
    block = update.step.block
    known: dict[SSAValue, Interval] = {}
    for arg, x in zip(block.args[: len(update.inputs)], xs, strict=False):
        if isinstance(arg.type, IntType):
            known[arg] = within(x, arg.type.interval)
    params = dict(op.arrays(op.params))
    for name, arg in zip(update.params, block.args[len(update.inputs) + len(update.states) :], strict=True):
        values = params[name.data].values if name.data in params else None
        if isinstance(arg.type, IntType) and values is not None and values.size:
            known[arg] = within(Interval(int(values.min()), int(values.max())), arg.type.interval)

    for arg in block.args:
        if isinstance(arg.type, IntType):
            known.setdefault(arg, arg.type.interval)

    def range_of(value: SSAValue) -> Interval:
        assert isinstance(value.type, IntType)  # asked of integers alone
        return known.get(value, value.type.interval)

    for inner in block.ops:
        result = inferred(inner, [range_of(x) for x in inner.operands if isinstance(x.type, IntType)])
        if result is not None:
            known[inner.results[0]] = result
    return known


def inferred(op: Operation, operands: Sequence[Interval]) -> Interval | None:
    """Returns the interval of the integer result of an op in an update; None where its type is all that is known."""
    if isinstance(op, FixedOperation):
        return op.infer(*operands)
    return operands[0] if isinstance(op, LetOp) and operands else None


def within(x: Interval | None, held: Interval) -> Interval:
    """Returns the intersection of an interval and the range of a type; the range of the type if the interval is unknown or they do not overlap."""
    if x is None or x.high < held.low or held.high < x.low:
        return held
    return Interval(max(x.low, held.low), min(x.high, held.high))
