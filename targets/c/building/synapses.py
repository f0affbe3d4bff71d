"""Synapses as scatters: tables in the order in which events read them, and intervals of integer sums."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, Signedness, StringAttr, UnitAttr, f32, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....analysis.synapse_ranges import add_weights, bound_sums, hull
from ....core.arrays import arrays
from ....core.arrays.arrays import ArrayAttr, is_half
from ....core.arrays.elementwise import map_blocks
from ....core.arrays.numeric import Ints
from ....core.arrays.sums import SAFE
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type, shape_of
from ....core.windows import reached_taps
from ....dialects import c, fixed
from ....dialects.ntensor import (
    ConvolutionOp,
    LinearOp,
    PoolOp,
    SparseLinearOp,
    SynapseOpInterface,
    interval_of,
)
from ..printing.text import dtype_of
from .program import (
    Program,
    bits_of,
    identifier,
    inline_block,
    insert_op,
    integers_in,
    is_uniform,
    literal,
    widen_value,
)

WIDEST = Interval.signed(64)


def name_of(op: Operation) -> str:
    """Returns the prefix of the names of an op's memory and loops."""
    node = op.properties.get("node")
    return identifier(node.data) if isinstance(node, StringAttr) else op.name.split(".")[1]


# ---- tables


def stored_type(array: ArrayAttr | None, result: Attribute) -> Attribute:
    """Returns the widest memory type of weights: the type of the sums; for reals of 16 bits, their own type."""
    return result if array is None or not is_half(array.element) else array.element


@frozen(eq=False)
class HeldWeights:
    """Weights in memory, their widest type, and the factors of integers: a scale and a zero point.

    Shapes: scale and zero [1], or [outputs], or [channels] of a convolution.
    """

    values: NDArray[Any]
    widest: Attribute
    scale: NDArray[Any] | None = None
    zero: NDArray[Any] | None = None


def held_weights(op: SynapseOpInterface, result: Attribute) -> HeldWeights:
    """Returns the weights of an op as memory holds them.

    Quantised weights of real sums are integers if the weights of each output have one scale, every product in the type of the sums is finite
    and has the bits of the weight, and integers with their factors need fewer bytes. A zero point is subtracted before, unless that needs more
    bytes for each weight.
    """
    weights, given = op.weights, op.quantized_weights
    if weights is None:
        return HeldWeights(np.ones(1, np.int64), result)
    scale = op.output_scale() if c.is_real(result) else None
    if scale is None or given is None:
        return HeldWeights(op.weight_values().values, stored_type(weights, result))
    steps, dtype, stored = op.weight_steps().values, dtype_of(result), weights.values
    real, factors = arrays.dtype_of(element_type(op.y)), given.scale.values.astype(np.float64)
    if real is None or real.kind != "f":
        return HeldWeights(op.weight_values().values, result)

    def is_same(step: NDArray[Any], factor: NDArray[Any]) -> NDArray[Any]:
        product = step.astype(dtype) * factor.astype(dtype)
        return np.isfinite(product) & (product == np.multiply(step, factor).astype(real))

    with np.errstate(over="ignore", under="ignore"):
        are_same = map_blocks(is_same, np.bool_, steps, factors)
        scale = narrowed(np.where(np.isnan(scale), 1.0, scale).astype(dtype))
    if not are_same.all():
        return HeldWeights(op.weight_values().values, result)
    zero = op.output_numbers(given.zero.values)
    if zero is None or packed_bytes(steps) <= packed_bytes(stored):
        found = HeldWeights(steps, i64, scale)
    else:
        found = HeldWeights(stored, i64, scale, narrowed(np.where(np.isnan(zero), 0, zero).astype(np.int16)))
    parts = [found.values] + ([] if found.zero is None else [found.zero])
    if sum(map(packed_bytes, parts)) + scale.nbytes < steps.size * real.itemsize:
        return found
    return HeldWeights(op.weight_values().values, result)


def narrowed(factors: NDArray[Any]) -> NDArray[Any]:
    """Returns the output factors as a flat array, with a single entry if all are equal."""
    flat = factors.reshape(-1)
    return flat[:1] if is_uniform(flat) else flat


def packed_bytes(integers: NDArray[Any]) -> int:
    """Returns the bytes of integers in the smallest type in memory that holds them; weights of at most 4 bits can share bytes."""
    held = integers_in(integers)
    element = c.PACKED if Interval.signed(c.PACKED.width.data).holds(held) else c.storage_for(held)
    return c.storage_bytes(element, integers.size)


def window_table(weight: NDArray[Any], groups: int, stride: Sequence[int], dilation: Sequence[int]) -> NDArray[Any]:
    """Returns the weights of a convolution as `c.window` reads them: [channel], then by remainders, reversed taps, target channels innermost."""
    outputs, inside, *kernel = weight.shape
    grouped = weight.reshape(groups, outputs // groups, inside, *kernel)
    taps = np.moveaxis(grouped, 1, -1).reshape(groups * inside, *kernel, outputs // groups)
    parts: list[NDArray[Any]] = []
    for rests in np.ndindex(*stride):
        found = taps
        for axis, rest in enumerate(rests):
            chosen = reached_taps(kernel[axis], dilation[axis], stride[axis], rest)[::-1]
            found = found.take(chosen, axis=1 + axis)
        parts.append(found.reshape(len(taps), -1))
    return np.concatenate(parts, axis=1).reshape(-1)


# ---- intervals of sums


def sum_interval(op: SynapseOpInterface, x: Interval) -> Interval:
    """Returns the interval of all partial sums of a synapse op, without its bias; all of 64 bits if they exceed them."""
    weights = add_weights(op)
    assert weights is not None  # integers are added
    sums = hull(*bound_sums(*weights, x))
    return sums if sums.magnitude <= SAFE else WIDEST


# ---- scatters


def add_scatter(
    program: Program,
    op: SynapseOpInterface,
    x: SSAValue,
    sums: SSAValue,
    result: Attribute,
    combine: Region | None = None,
    shift: SSAValue | None = None,
) -> None:
    """Adds the scatter of a synapse op from the memory `x` into `sums`; `result` is the type of its sums."""
    label = name_of(op)
    given = held_weights(op, result)
    weight, widest = given.values, given.widest
    scale = None if given.scale is None else program.constant(f"{label}_scale", given.scale, result)
    zero = None if given.zero is None else program.constant(f"{label}_zero", given.zero, i64)
    if isinstance(op, PoolOp):
        weight = np.ones((shape_of(op.x)[0], 1, *op.kernel.values), np.int64)
    properties: dict[str, Attribute] = {"label": StringAttr(label)}
    if element_type(op.x) == i1:
        properties["spikes"] = UnitAttr()
    if weight.dtype.kind != "f" or bool(np.isfinite(weight).all()):
        properties["finite"] = UnitAttr()
    regions: list[Region | None] = [combine]
    match op:
        case LinearOp():
            table = np.ascontiguousarray(
                np.swapaxes(weight.reshape(prod(weight.shape[:-2]), *weight.shape[-2:]), -1, -2)
            )
            held = program.constant(f"{label}_weight", table, widest)
            operands = [x, held, sums, None, None, shift, scale, zero]
            program.add(c.RowsOp(operands=operands, properties=properties, regions=regions))
        case ConvolutionOp() | PoolOp():
            groups = op.groups.value.data if isinstance(op, ConvolutionOp) else len(weight)
            stride = [int(k) for k in op.stride.values]
            dilation = [int(k) for k in op.dilation.values] if isinstance(op, ConvolutionOp) else [1] * len(stride)
            table = window_table(weight, groups, stride, dilation)
            held = program.constant(f"{label}_weight", table, widest)
            properties |= {
                "kernel": ArrayAttr.of(np.array(weight.shape[2:], np.int64)),
                "stride": ArrayAttr.of(np.array(stride, np.int64)),
                "dilation": ArrayAttr.of(np.array(dilation, np.int64)),
                "before": ArrayAttr.of(op.padding.values[:, 0].astype(np.int64)),
                "groups": IntegerAttr(groups, i64),
            }
            operands = [
                program.view(x, shape_of(op.x)),
                held,
                program.view(sums, shape_of(op.y)),
                None,
                None,
                shift,
                scale,
                zero,
            ]
            program.add(c.WindowOp(operands=operands, properties=properties, regions=regions))
        case _:
            add_compressed(program, op, (weight, widest), x, sums, properties, combine, (shift, scale, zero))


def add_compressed(
    program: Program,
    op: SynapseOpInterface,
    weights: tuple[NDArray[Any], Attribute],
    x: SSAValue,
    sums: SSAValue,
    properties: dict[str, Attribute],
    combine: Region | None,
    factors: tuple[SSAValue | None, SSAValue | None, SSAValue | None],
) -> None:
    """Adds synapses by source; with individual delays, by source and delay, over a ring of past inputs.

    `weights` are those in memory, and their widest type; `factors` are the shifts, scales and zero points of targets.
    """
    label, neurons = name_of(op), prod(shape_of(op.x))
    weight, source, target, delay = sorted_synapses(op, weights[0])
    late: list[SSAValue | None] = [None, None, None, None]
    if delay is None or not delay.any():
        dtype = (
            source.dtype if neurons <= np.iinfo(source.dtype).max else np.int64
        )  # another type would copy the sources
        start = np.searchsorted(source, np.arange(neurons + 1, dtype=dtype))
    else:
        rows = int(delay.max()) + 1
        cursor = None
        if element_type(op.x) == i1 and rows <= 64:
            bits = next(bits for bits in (8, 16, 32, 64) if rows <= bits)
            ring = program.state(f"{label}_past", IntegerType(bits, Signedness.UNSIGNED), c.memory_shape(x))
            program.add(c.PastOp(x, ring))
        else:
            ring = program.state(f"{label}_past", c.element_of_memory(x), (rows, *c.memory_shape(x)))
            cursor = program.cursor(rows)
            program.copy(f"{label}_past", x, program.row(ring, cursor))
        order = group_order(source, target, delay)
        source, target, weight, delay = source[order], target[order], weight[order], delay[order]
        first = np.flatnonzero(np.r_[True, (source[1:] != source[:-1]) | (delay[1:] != delay[:-1])])
        start = np.r_[first, len(source)]
        group = np.searchsorted(source[first], np.arange(neurons + 1))
        late = [
            program.constant(f"{label}_group", group, i64),
            program.constant(f"{label}_delay", delay[first], i64),
            ring,
            cursor,
        ]
    kept = share_weights(weight, source, neurons)
    held = program.constant(f"{label}_weight", kept, weights[1])
    starts = program.constant(f"{label}_start", start, i64)
    targets = program.constant(f"{label}_target", target, i64)
    operands = [starts, targets, *late, x, held, sums, None, None, *factors]
    program.add(c.CompressedOp(operands=operands, properties=properties, regions=[combine]))


def sorted_synapses(
    op: SynapseOpInterface, weights: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Returns weights, sources, targets and delays of single synapses, by source, then target. Arrays of an op that is sorted are not copied."""
    flat = weights.reshape(-1)
    if isinstance(op, SparseLinearOp):  # verified: it is sorted
        source, target = op.source.values, op.target.values
        delay = None if op.delays is None else np.broadcast_to(op.delays.values.astype(np.int64), source.shape)
        return flat, source, target, delay
    source, target, place = op.pairs()
    if not are_sorted(source, target):
        order = np.argsort(source * (int(target.max(initial=0)) + 1) + target, kind="stable")
        source, target, place = source[order], target[order], place[order]
    if op.weights is None:
        weight: NDArray[Any] = np.ones(len(place), np.int64)
    else:
        weight = np.broadcast_to(flat[:1], place.shape) if flat.size and is_uniform(flat) else flat[place]
    if op.weights is None or op.delays is None:
        return weight, source, target, None
    delay = np.broadcast_to(op.delays.values.astype(np.int64), op.weights.shape)
    return weight, source, target, delay.reshape(-1)[place]


SORTED_AT_ONCE = 2**18
"""Synapses that are compared at once, so that no array of all synapses is needed."""


def are_sorted(source: Ints, target: Ints) -> bool:
    """Returns whether synapses are sorted by source, then target."""
    for first in range(0, len(source) - 1, SORTED_AT_ONCE):
        part = slice(first, first + SORTED_AT_ONCE + 1)
        s, t = source[part], target[part]
        if ((s[1:] < s[:-1]) | ((s[1:] == s[:-1]) & (t[1:] < t[:-1]))).any():
            return False
    return True


def group_order(source: NDArray[Any], target: NDArray[Any], delay: NDArray[Any]) -> NDArray[Any]:
    """Returns an order of synapses by source, then delay. If a source reaches a target twice, the order is unchanged, since sorting would change a sum."""
    twice = (source[1:] == source[:-1]) & (target[1:] == target[:-1])
    if twice.any():
        return np.arange(len(source))
    return np.lexsort((target, delay, source))


def share_weights(weight: NDArray[Any], source: NDArray[Any], neurons: int) -> NDArray[Any]:
    """Returns a single weight if all weights have equal bits, one weight per source if the weights of each source have equal bits, else all weights."""
    if is_uniform(weight):
        return weight[:1]
    each = np.zeros(neurons, weight.dtype)
    each[source] = weight
    alike = bits_of(each[source]) == bits_of(weight)
    return each if alike.all() and neurons < len(weight) else weight


# ---- after a sum


def add_affine(
    program: Program,
    op: SynapseOpInterface,
    sums: SSAValue,
    bias: NDArray[Any] | None,
    exponent: NDArray[Any] | None,
    into: SSAValue,
    result: Attribute,
    held: Interval | None,
) -> None:
    """Adds `into = (sums + bias) 2^exponent`. Shapes: bias and exponent () or [c, 1, ...] or those of the sums.

    `held` is the interval of the sums of integers, which is narrower than that of their memory.
    """
    ins: list[tuple[SSAValue, Attribute]] = [(sums, result if held is None else fixed.IntType.of(held))]
    parts: list[str] = []
    for name, values in (("bias", bias), ("exponent", exponent)):
        if values is not None and values.ndim:
            if c.is_real(result) and name == "exponent":  # stored as powers of 2
                values = np.ldexp(np.ones(values.shape), values)
            if c.is_real(result):
                values = values.astype(np.float32 if result == f32 else np.float64)
            element = stored_type(op.optional_array(name), result)
            memory = program.constant(f"{name_of(op)}_{name}", values, element)
            ins.append((memory, result if c.is_real(result) else fixed.IntType.of(integers_in(values))))
            parts.append(name)

    def body(block: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
        given = dict(zip(parts, args[1:], strict=True))
        y = args[0]
        if bias is not None:
            y = add_values(block, y, given["bias"] if "bias" in given else number(block, bias, result), result)
        if exponent is not None:
            y = scale_by_power(block, y, given.get("exponent"), exponent, result)
        return [y]

    program.loop(f"{name_of(op)}_affine", ins, [into], body)


def number(block: Block, value: NDArray[Any], result: Attribute) -> SSAValue:
    """Adds a number to sums of type `result`."""
    return literal(block, value, result if c.is_real(result) else fixed.IntType(int(value), int(value)))


def arithmetic_type(memory: SSAValue, result: Attribute) -> Attribute:
    """Returns the type of a value in sums of type `result`: reals as that type, integers in the type of their memory."""
    held = interval_of(c.element_of_memory(memory))
    declared = interval_of(result)
    if declared is None:
        return result
    assert held is not None  # verified: integers result from integers
    return fixed.IntType.of(held)


def within(block: Block, x: SSAValue, bound: Interval) -> SSAValue:
    """Returns an integer with its interval cut to `bound`: a value outside of it would have left its declared type."""
    assert isinstance(x.type, fixed.IntType)  # integers only
    held = x.type.interval
    cut = Interval(max(held.low, bound.low), min(held.high, bound.high))
    if cut == held:
        return x
    return insert_op(block, fixed.SaturateOp(x, cut if cut.low <= cut.high else Interval(bound.low, bound.low)))


HALF = Interval(-(2**62), 2**62 - 1)
"""The sum of two such integers fits into 64 bits."""


def add_values(block: Block, a: SSAValue, b: SSAValue, result: Attribute) -> SSAValue:
    if interval_of(result) is None:
        return insert_op(block, arith.AddfOp(a, b))
    if not (fixed.interval_of(a) + fixed.interval_of(b)).fits:
        a, b = within(block, a, HALF), within(block, b, HALF)
    return insert_op(block, fixed.AddOp(a, b))


def multiply_values(block: Block, a: SSAValue, b: SSAValue, result: Attribute) -> SSAValue:
    if interval_of(result) is None:
        return insert_op(block, arith.MulfOp(a, b))
    if not (fixed.interval_of(a) * fixed.interval_of(b)).fits:
        other = max(1, abs(fixed.interval_of(b)).high)
        a = within(block, a, Interval(-(2**63 // other), (2**63 - 1) // other))
    return insert_op(block, fixed.MulOp(a, b))


def scale_by_power(
    block: Block, x: SSAValue, given: SSAValue | None, exponent: NDArray[Any], result: Attribute
) -> SSAValue:
    """Returns `x 2^exponent`, rounded down if integers lose bits; `given` is the exponent if it is an array."""
    if interval_of(result) is None:
        power = given if given is not None else literal(block, np.ldexp(1.0, int(exponent)), result)
        return insert_op(block, arith.MulfOp(x, power))
    lowest, highest = int(exponent.min()), int(exponent.max())
    amount = given if given is not None else insert_op(block, fixed.ConstantOp(int(exponent)))
    if highest > 0:
        left = amount if lowest >= 0 else insert_op(block, fixed.MaxOp(amount, insert_op(block, fixed.ConstantOp(0))))
        x = within(block, x, Interval(-(2**63 >> highest), (2**63 - 1) >> highest))
        x = insert_op(block, fixed.ShlOp(x, left))
    if lowest < 0:
        back = insert_op(block, fixed.NegOp(amount))
        right = back if highest <= 0 else insert_op(block, fixed.MaxOp(back, insert_op(block, fixed.ConstantOp(0))))
        x = insert_op(block, fixed.ShrOp(x, right))
    return x


# ---- terms


def combination(
    op: Operation, accumulate: Block, x: Interval, weight: Interval, exponent: NDArray[Any] | None
) -> Region:
    """Returns a region that adds a synapse op's term to a state: `accumulate(term 2^exponent, state)`."""
    term = fixed.IntType.of((x * weight).join(Interval(0, 0)))
    state = accumulate.args[1].type
    shift = exponent is not None and exponent.ndim > 0
    block = Block(
        arg_types=[term, state, *([fixed.IntType.of(integers_in(exponent))] if exponent is not None and shift else [])]
    )
    value: SSAValue = block.args[0]
    if exponent is not None:
        value = scale_by_power(block, value, block.args[2] if shift else None, exponent, i64)
    value = widen_value(block, value, accumulate.args[0].type)
    (after,) = inline_block(block, accumulate, {accumulate.args[0]: value, accumulate.args[1]: block.args[1]})
    block.add_op(c.YieldOp(after))
    return Region(block)
