"""Ops without a state as loop nests: weights, pools, scales and sums."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects.builtin import Float64Type, StringAttr, UnitAttr, i1, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Ints
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type, shape_of
from ....dialects import c
from ....dialects.fixed import IntType
from ....dialects.ntensor import AvgPool2dOp, MaxPool2dOp, PoolOp, ScaleOp, SumOp, SynapseOpInterface, interval_of
from .program import Body, insert_op, integers_in, is_uniform, literal, storage_type
from .synapses import (
    add_affine,
    add_scatter,
    add_values,
    arithmetic_type,
    held_weights,
    multiply_values,
    name_of,
    number,
    sum_interval,
    within,
)
from .values import Values


def meet(held: Interval, range: Interval | None) -> Interval:
    """Returns the integers of a type that are in a range, if the range is known."""
    return held if range is None else Interval(max(held.low, range.low), min(held.high, range.high))


def lower_synapse(values: Values, op: SynapseOpInterface) -> SSAValue:
    program, x, result, shape = values.program, values.memory(op.x), element_type(op.y), shape_of(op.y)
    element, held = result, None
    if (declared := interval_of(result)) is not None:
        given = values.ranges[op.x]
        assert given is not None  # verified: integers result from integers
        held = sum_interval(op, given)
        element = c.storage_for(held)
    sums = program.scratch(f"{name_of(op)}_sums", element, shape)
    program.add(c.ClearOp(sums))
    add_scatter(program, op, x, sums, result)
    bias, exponent = affine_arrays(op)
    if bias is None and exponent is None:
        return sums
    element = result if declared is None else c.storage_for(declared)
    y = program.scratch(name_of(op), element, shape)
    add_affine(program, op, sums, bias, exponent, y, result, held)
    return y


def affine_arrays(op: SynapseOpInterface) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
    """Returns bias and exponent in the shape for a loop over the result: (), [c, 1, ...] or the shape of the result."""
    rank = len(shape_of(op.y))

    def spread(array: NDArray[Any]) -> NDArray[Any]:
        if array.size and is_uniform(array):
            return array.reshape(-1)[0]
        return array.reshape(*array.shape, *[1] * (rank - array.ndim)) if array.ndim else array

    given = [op.optional_array(name) for name in ("bias", "exponent")]
    bias, exponent = (None if array is None else spread(array.values) for array in given)
    if bias is not None and not bias.ndim and bias == 0:
        # adding 0 changes no sum: a sum that starts at +0 is never -0
        bias = None
    return bias, exponent


def lower_pool(values: Values, op: PoolOp) -> SSAValue:
    program, x, result = values.program, values.program.view(values.memory(op.x), shape_of(op.x)), element_type(op.y)
    size = prod(int(k) for k in op.kernel.values)
    held = interval_of(c.element_of_memory(x)) if element_type(op.x) != i1 else Interval(0, 1)
    element: Attribute = result
    if held is not None:
        held = meet(held, values.ranges[op.x])
        counts = Interval(min(0, size * held.low), max(0, size * held.high))
        limit = 2**53 if isinstance(result, Float64Type) else 2**24
        exact = interval_of(result) is not None or Interval(-limit, limit).holds(counts)
        element = c.storage_for(counts) if exact and counts.fits else result
    label = name_of(op)
    sums = program.scratch(f"{label}_sums", element, shape_of(op.y))
    program.add(c.PoolOp(operands=[x, sums], properties=window_properties(op, label)))
    if not isinstance(op, AvgPool2dOp):
        return sums
    y = program.scratch(label, result, shape_of(op.y))

    def body(block: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
        return [insert_op(block, arith.DivfOp(args[0], literal(block, float(size), result)))]

    program.loop(label, [(sums, result)], [y], body)
    return y


def lower_max_pool(values: Values, op: MaxPool2dOp) -> SSAValue:
    program, x = values.program, values.program.view(values.memory(op.x), shape_of(op.x))
    y = program.scratch(name_of(op), c.element_of_memory(x), shape_of(op.y))
    program.add(c.PoolOp(operands=[x, y], properties={**window_properties(op, name_of(op)), "greatest": UnitAttr()}))
    return y


def window_properties(op: PoolOp | MaxPool2dOp, label: str) -> dict[str, Attribute]:
    """Returns the label and the window of a pool."""
    return {
        "label": StringAttr(label),
        "kernel": op.kernel,
        "stride": op.stride,
        "before": ArrayAttr.of(op.padding.values[:, 0].astype(np.int64)),
    }


def scaled_by(values: Values, op: ScaleOp) -> SSAValue:
    program, x, result = values.program, values.memory(op.x), element_type(op.y)
    held = held_weights(op, result)
    scale, widest, unit = held.values, held.widest, held.scale
    if unit is not None and (unit.size > 1 or not scale.ndim or held.zero is not None):
        scale, widest, unit = op.weight_values().values, result, None
    ins = [(x, arithmetic_type(x, result))]
    if scale.ndim:
        memory = program.constant(f"{name_of(op)}_scale", scale, widest)
        ins.append((memory, arithmetic_type(memory, result)))

    def body(block: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
        factor = args[1] if scale.ndim else number(block, scale, result)
        if unit is not None:
            factor = multiply_values(block, factor, literal(block, unit[0], result), result)
        return [within_type(block, multiply_values(block, args[0], factor, result), result)]

    return computed_loop(values, op, ins, result, body)


def multiply_state(values: Values, label: str, state: SSAValue, factor: Ints, into: SSAValue) -> None:
    """Adds a loop that stores a state, whose memory holds quotients, in a probe."""
    program = values.program
    ins = [(state, arithmetic_type(state, i64))]
    is_number = is_uniform(factor)
    if not is_number:
        memory = program.constant(f"{label}_factor", factor, i64)
        ins.append((memory, arithmetic_type(memory, i64)))

    def body(block: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
        other = literal(block, factor.reshape(-1)[0], IntType.of(integers_in(factor))) if is_number else args[1]
        held = interval_of(c.element_of_memory(into))
        assert held is not None  # a probe of integers
        return [within(block, multiply_values(block, args[0], other, i64), held)]

    program.loop(label, ins, [into], body)


def lower_sum(values: Values, op: SumOp) -> SSAValue:
    result = element_type(op.y)
    ins = [(values.memory(x), arithmetic_type(values.memory(x), result)) for x in op.xs]

    def body(block: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
        y, *rest = args
        for x in rest:
            y = add_values(block, y, x, result)
        return [within_type(block, y, result)]

    return computed_loop(values, op, ins, result, body)


def within_type(block: Block, y: SSAValue, result: Attribute) -> SSAValue:
    """Returns a result with the interval of its type; reals unchanged."""
    held = interval_of(result)
    return y if held is None else within(block, y, held)


def computed_loop(
    values: Values, op: Operation, ins: Sequence[tuple[SSAValue, Attribute]], result: Attribute, body: Body
) -> SSAValue:
    """Adds a loop that computes the result of an op, and its memory."""
    y = values.program.scratch(name_of(op), storage_type(result), shape_of(op.results[0]))
    values.program.loop(name_of(op), ins, [y], body)
    return y
