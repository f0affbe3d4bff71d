"""Synapse ops as `linalg.generic`: sums over sources in the order of the flat presynaptic index, then bias and exponent.

Shapes: signals [samples, *shape]. Sums of reals have the type of the result; sums of integers 32 bits if every partial sum fits, else 64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AnyFloat, IntegerType, f32, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....analysis.synapse_ranges import range_of_sums
from ....core.diagnostics import describe_op
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type, shape_of
from ....core.windows import WindowAxis
from ....dialects.ntensor import (
    AvgPool2dOp,
    ConvolutionOp,
    ConvTranspose2dOp,
    LinearOp,
    PoolOp,
    ScaleOp,
    SynapseOpInterface,
    Upsample2dOp,
)
from .bodies import Body, integer_type, storage_of, type_in_body, width_of
from .function import TickFunction, late_row
from .tensors import INDEX, Index, d


@frozen(eq=False)
class Sums:
    """The sums of a synapse op."""

    element: Attribute
    """Type of the sums."""
    is_finite: bool
    """Whether every weight is: a source without an event then adds a zero."""

    def term(self, b: Body, acc: SSAValue, x: SSAValue, w: SSAValue | None, *more: SSAValue) -> SSAValue:
        """Adds one term: a weight times a signal, or the signal. `more` are the elements of other operands."""
        value = b.converted(x, self.element)
        is_real = isinstance(self.element, AnyFloat)
        if w is not None:
            value = b.add((arith.MulfOp if is_real else arith.MuliOp)(value, b.converted(w, self.element)))
        found = b.add((arith.AddfOp if is_real else arith.AddiOp)(acc, value))
        return found if self.is_finite else b.select(b.is_event(x), found, acc)


@frozen(eq=False)
class Terms(Sums):
    """Terms that a neuron adds one by one: `accumulate` of its update takes a term and the state. A term of zero is none."""

    block: Block
    place: Operation
    start: SSAValue
    powers: NDArray[Any] | None = None
    """Power of two of each neuron. Shapes: those of the neurons."""

    def term(self, b: Body, acc: SSAValue, x: SSAValue, w: SSAValue | None, *more: SSAValue) -> SSAValue:
        value = b.converted(x, i64)
        if w is not None:
            value = b.add(arith.MuliOp(value, b.converted(w, i64)))
        for exponent in more:
            value = b.powered(value, b.converted(exponent, i64), i64)
        term, state = self.block.args
        known: dict[SSAValue, SSAValue] = {
            term: b.to_width(value, type_in_body(term.type)),
            state: b.to_width(acc, type_in_body(state.type)),
        }
        (after,) = b.inline(self.block, known, self.place)
        return b.select(b.is_event(value), b.to_width(after, self.element), acc)


class SynapseLowering:
    """Lowers the synapse ops of one network."""

    def __init__(self, function: TickFunction, ranges: Callable[[SSAValue], Interval | None]):
        self.function, self.tensors = function, function.tensors
        self.ranges = ranges

    def lowered(self, op: SynapseOpInterface, x: SSAValue) -> SSAValue:
        """Returns the result of a synapse op for an operand."""
        sums = self.sums_of(op)
        match op:
            case ScaleOp():
                y = self.scaled(op, x, sums)
            case Upsample2dOp():
                y = self.upsampled(op, x, sums)
            case _:
                y = self.added(op, x, sums)
        return self.finished(op, y, sums)

    def accumulated(self, op: SynapseOpInterface, x: SSAValue, terms: Terms) -> SSAValue:
        """Returns the state after the terms of a synapse op: those of its sources, then its bias. Shapes: state [samples, *shape of y]."""
        exponent = op.optional_array("exponent")
        if exponent is not None and exponent.values.any():
            terms = evolve(terms, powers=np.broadcast_to(op.spread_outputs(exponent.values), shape_of(op.y)))
        match op:
            case ScaleOp():
                state = self.scaled(op, x, terms)
            case Upsample2dOp():
                state = self.upsampled(op, x, terms)
            case _:
                state = self.added(op, x, terms)
        bias = op.optional_array("bias")
        if bias is None:
            return state
        values = op.spread_outputs(shifted(bias.values, None if exponent is None else exponent.values))
        held = self.function.constant(f"{name_of(op)}_bias", np.broadcast_to(values, shape_of(op.y)).astype(np.int64))
        return self.one_by_one(held, state, evolve(terms, powers=None), has_samples=False)

    def one_by_one(self, x: SSAValue, state: SSAValue, terms: Terms, *, has_samples: bool = True) -> SSAValue:
        """Adds one term to each neuron. Shapes: x that of the state, or without samples."""
        every = [*range(len(shape_of(state)))]

        def make(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            return [terms.term(b, args[1], args[0], None)]

        place = every if has_samples else every[1:]
        return self.tensors.generic([(x, place)], [(state, every)], len(every), 0, make)[0]

    def added(self, op: SynapseOpInterface, x: SSAValue, sums: Sums) -> SSAValue:
        """Returns the sums of an op over its sources."""
        match op:
            case LinearOp():
                return self.linear(op, x, sums)
            case ConvolutionOp():
                return self.convolution(op, x, sums)
            case ConvTranspose2dOp():
                return self.transposed(op, x, sums)
            case PoolOp():
                return self.pool(op, x, sums)
            case _:
                return self.sparse(op, x, sums)

    def more(self, shape: Sequence[int], sums: Sums) -> list[tuple[SSAValue, Index]]:
        """Returns the further operands of sums, after signals and weights, for loops over samples and the axes of `shape`."""
        if not isinstance(sums, Terms) or sums.powers is None:
            return []
        powers = np.array(sums.powers.reshape(shape), order="C")
        return [(self.function.constant(f"{name_of(sums.place)}_exponent", powers), [*range(1, 1 + len(shape))])]

    def sums_of(self, op: SynapseOpInterface) -> Sums:
        weights, element = op.weights, element_type(op.y)
        values = None if weights is None else op.weight_values().values
        is_finite = values is None or values.dtype.kind != "f" or bool(np.isfinite(values).all())
        if isinstance(element, AnyFloat):
            return Sums(element, is_finite)
        held = self.ranges(op.x)
        assert held is not None  # verified: integers result from integers
        reach = range_of_sums(op, [held])
        assert reach is not None  # a synapse op
        weight = Interval(0, 1) if values is None else Interval(int(values.min(initial=0)), int(values.max(initial=0)))
        return Sums(integer_type(reach.partial.join(held).join(weight)), True)

    def weight(self, op: SynapseOpInterface, values: NDArray[Any]) -> SSAValue:
        """Returns the weights as an argument; reals in the type of the sums, or in 32 bits if they have them."""
        element = element_type(op.y)
        if isinstance(element, AnyFloat):
            narrow = element == f32 or values.dtype == np.float32
            values = values.astype(np.float32 if narrow else np.float64)
        return self.function.constant(f"{name_of(op)}_weight", np.array(values, order="C"))

    def start(self, shape: Sequence[int], sums: Sums) -> SSAValue:
        """Returns what sums begin with: zeros, or the state to which terms are added."""
        whole = (self.function.samples, *shape)
        if isinstance(sums, Terms):
            return self.tensors.reshaped(sums.start, whole)
        return self.tensors.filled(0, whole, sums.element)

    def summed(
        self, x: tuple[SSAValue, Index], w: tuple[SSAValue, Index], shape: Sequence[int], reductions: int, sums: Sums
    ) -> SSAValue:
        """Adds weighted signals: the loops are the samples, the axes of the result, and the sources."""
        outs = [(self.start(shape, sums), [*range(1 + len(shape))])]

        def make(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            return [sums.term(b, args[-1], *args[:-1])]

        return self.tensors.generic(
            [x, w, *self.more(shape, sums)], outs, 1 + len(shape) + reductions, reductions, make
        )[0]

    # ---- ops

    def linear(self, op: LinearOp, x: SSAValue, sums: Sums) -> SSAValue:
        values = op.weight_values().values
        lead = list(range(1, values.ndim - 1))
        o, i = values.ndim - 1, values.ndim
        w = self.weight(op, np.swapaxes(values, -1, -2))
        return self.summed((x, [0, *lead, i]), (w, [*lead, i, o]), values.shape[:-1], 1, sums)

    def scaled(self, op: ScaleOp, x: SSAValue, sums: Sums) -> SSAValue:
        values = op.weight_values().values
        shape = shape_of(x)
        every = [*range(len(shape))]
        w = self.weight(op, values)
        is_real = isinstance(sums.element, AnyFloat)
        ins: list[tuple[SSAValue, Index]] = [(x, every), (w, every[1:] if values.ndim else [])]
        if isinstance(sums, Terms):
            outs = [(self.start(shape[1:], sums), every)]
            return self.tensors.generic(
                [*ins, *self.more(shape[1:], sums)],
                outs,
                len(every),
                0,
                lambda b, args: [sums.term(b, args[-1], *args[:-1])],
            )[0]

        def make(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            a, k = (b.converted(arg, sums.element) for arg in args[:2])
            return [b.add((arith.MulfOp if is_real else arith.MuliOp)(a, k))]

        return self.tensors.each(ins, shape, [sums.element], make)[0]

    def upsampled(self, op: Upsample2dOp, x: SSAValue, sums: Sums) -> SSAValue:
        samples, channels, rows, columns = shape_of(x)
        fy, fx = op.factors
        groups = [[0], [1], [2, 3], [4, 5]]
        start = self.tensors.expanded(
            self.start(shape_of(op.y), sums), (samples, channels, rows, fy, columns, fx), groups
        )

        def make(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            return [sums.term(b, args[-1], args[0], None, *args[1:-1])]

        ins = [(x, [0, 1, 2, 4]), *self.more(shape_of(start)[1:], sums)]
        (y,) = self.tensors.generic(ins, [(start, [*range(6)])], 6, 0, make)
        return self.tensors.collapsed(y, groups)

    def convolution(self, op: ConvolutionOp, x: SSAValue, sums: Sums) -> SSAValue:
        values = op.weight_values().values
        values = values[:, :, None] if op.RANK == 1 else values
        y = self.window(op, x, values, op.groups.value.data, op.axes(), sums)
        return self.tensors.reshaped(y, (self.function.samples, *shape_of(op.y)))

    def window(
        self,
        op: SynapseOpInterface,
        x: SSAValue,
        values: NDArray[Any],
        groups: int,
        axes: tuple[WindowAxis, WindowAxis],
        sums: Sums,
    ) -> SSAValue:
        """Adds what windows read. Shapes: x [samples, c, y, x] or [samples, c, x], weights [c', c, y, x], result [samples, c', y, x]."""
        outputs, inside = values.shape[:2]
        around = self.padded(x, axes, groups * inside)
        given = self.patches(around, groups, axes)
        w = self.weight(op, values.reshape(groups, outputs // groups, -1))
        g, f, y, q, r = range(1, 6)
        shape = (groups, outputs // groups, axes[0].outputs, axes[1].outputs)
        found = self.summed((given, [0, g, r, y, q]), (w, [g, f, r]), shape, 1, sums)
        return self.tensors.collapsed(found, [[0], [1, 2], [3], [4]])

    def patches(self, around: SSAValue, groups: int, axes: tuple[WindowAxis, WindowAxis]) -> SSAValue:
        """Copies what each window reads, so that one loop adds it: a compiler may exchange the loops over channels and taps, and with them sums.

        Shapes: around [samples, c, y, x], result [samples, group, channels and taps of a group, y, x].
        """
        samples, channels, rows, columns = shape_of(around)
        inside = channels // groups
        given = self.tensors.expanded(around, (samples, groups, inside, rows, columns), [[0], [1, 2], [3], [4]])
        v, h = axes
        ky, kx, y, q = 3, 4, 5, 6
        place: Index = [0, 1, 2, d(y) * v.stride + d(ky) * v.dilation, d(q) * h.stride + d(kx) * h.dilation]
        shape = (samples, groups, inside, v.taps, h.taps, v.outputs, h.outputs)
        found = self.tensors.each([(given, place)], shape, [element_type(around)], lambda _, xs: xs[:1])[0]
        return self.tensors.collapsed(found, [[0], [1], [2, 3, 4], [5], [6]])

    def padded(
        self, x: SSAValue, axes: tuple[WindowAxis, WindowAxis], channels: int, least: Any = 0, spread: bool = False
    ) -> SSAValue:
        """Returns maps with their padding; `spread` inserts the zeros of a transposed window, whose strides are those of the axes."""
        samples = self.function.samples
        sizes = [(axis.inputs - 1) * (axis.stride if spread else 1) + 1 for axis in axes]
        maps = self.tensors.reshaped(x, (samples, channels, axes[0].inputs, axes[1].inputs))
        whole = [size + axis.before + axis.after for size, axis in zip(sizes, axes, strict=True)]
        if whole == [axis.inputs for axis in axes]:
            return maps
        room = self.tensors.filled(least, (samples, channels, *whole), element_type(x))
        strides = [1, 1, *(axis.stride if spread else 1 for axis in axes)]
        return self.tensors.inserted(maps, room, [0, 0, axes[0].before, axes[1].before], strides)

    def transposed(self, op: ConvTranspose2dOp, x: SSAValue, sums: Sums) -> SSAValue:
        """A transposed convolution is a convolution over spread maps, with the taps in reverse."""
        values = op.weight_values().values[:, :, ::-1, ::-1]
        spread: list[WindowAxis] = []
        slices: list[WindowAxis] = []
        for axis, size, result in zip(op.axes(), shape_of(op.x)[1:], shape_of(op.y)[1:], strict=True):
            reach = (axis.taps - 1) * axis.dilation
            wide = (size - 1) * axis.stride + 1
            before = reach - axis.before
            after = result + reach - wide - before
            spread.append(WindowAxis(size, result, axis.taps, axis.stride, max(0, before), max(0, after), 1))
            slices.append(WindowAxis(wide, result, axis.taps, 1, before, after, axis.dilation))
        around = self.padded(x, (spread[0], spread[1]), shape_of(op.x)[0], spread=True)
        cut = [max(0, -axis.before) for axis in slices]
        sizes = [axis.outputs + (axis.taps - 1) * axis.dilation for axis in slices]
        samples, channels = self.function.samples, shape_of(op.x)[0]
        around = self.tensors.taken(around, [0, 0, *cut], (samples, channels, *sizes))
        flat = [
            WindowAxis(size, axis.outputs, axis.taps, 1, 0, 0, axis.dilation)
            for size, axis in zip(sizes, slices, strict=True)
        ]
        return self.window(op, around, values, op.groups.value.data, (flat[0], flat[1]), sums)

    def pool(self, op: PoolOp, x: SSAValue, sums: Sums) -> SSAValue:
        axes = op.axes()
        around = self.padded(x, axes, shape_of(op.x)[0])

        def add(b: Body, acc: SSAValue, value: SSAValue, *more: SSAValue) -> SSAValue:
            return sums.term(b, acc, value, None, *more)

        shape = shape_of(op.y)
        y = self.pooled(around, axes, self.start(shape, sums), add, self.more(shape, sums))
        if not isinstance(op, AvgPool2dOp):
            return y
        count = prod(op.kernel.values.tolist())
        every = [*range(len(shape_of(y)))]

        def mean(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            return [b.add(arith.DivfOp(args[0], b.number(count, sums.element)))]

        return self.tensors.each([(y, every)], shape_of(y), [sums.element], mean)[0]

    def pooled(
        self,
        around: SSAValue,
        axes: tuple[WindowAxis, WindowAxis],
        start: SSAValue,
        add: Callable[..., SSAValue],
        more: Sequence[tuple[SSAValue, Index]] = (),
    ) -> SSAValue:
        """Combines the elements of windows of each channel."""
        given = self.patches(around, shape_of(around)[1], axes)
        y, q, r = 2, 3, 4

        def make(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            return [add(b, args[-1], args[0], *args[1:-1])]

        ins: list[tuple[SSAValue, Index]] = [(given, [0, 1, r, y, q]), *more]
        return self.tensors.generic(ins, [(start, [0, 1, y, q])], 5, 1, make)[0]

    def sparse(self, op: SynapseOpInterface, x: SSAValue, sums: Sums) -> SSAValue:
        """Adds listed synapses: those of a target are a row, filled up with synapses that add nothing. Delays read a ring."""
        outputs = prod(shape_of(op.y))
        source, target, weight, delay = listed(op)
        counts = np.bincount(target, minlength=outputs)
        width = max(1, int(counts.max(initial=0)))
        place = np.arange(len(target)) - np.repeat(np.cumsum(counts) - counts, counts)

        def table(values: NDArray[Any]) -> NDArray[Any]:
            found = np.zeros((outputs, width), values.dtype)
            found[target, place] = values
            return found

        name, samples = name_of(op), self.function.samples
        count = self.function.constant(f"{name}_count", counts)
        sources = self.function.constant(f"{name}_source", table(source))
        weights = self.weight(op, table(weight))
        neurons = prod(shape_of(op.x))
        flat = self.tensors.reshaped(x, (samples, neurons))
        arrays: list[tuple[SSAValue, Index]] = [(sources, [1, 2]), (weights, [1, 2]), (count, [1])]
        rows = 0 if delay is None else int(delay.max(initial=0)) + 1
        row = None
        if delay is not None:
            arrays.append((self.function.constant(f"{name}_delay", table(delay)), [1, 2]))
            ring = self.function.ring(f"{name}_past", rows, element_type(x), (neurons,))
            flat, row = self.function.write(ring, flat), self.function.row_of(rows)

        lists = len(arrays)
        arrays += self.more((outputs,), sums)

        def make(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            acc = args[-1]
            sample = b.add(linalg.IndexOp(0))
            index = [sample, b.add(arith.IndexCastOp(args[0], INDEX))]
            if row is not None:
                index.insert(0, late_row(b, row, args[3], rows))
            x = b.add(tensor.ExtractOp(flat, index, element_type(flat)))
            found = sums.term(b, acc, x, args[1], *args[lists:-1])
            total = b.add(arith.IndexCastOp(args[2], INDEX))
            return [b.select(b.compare(b.add(linalg.IndexOp(2)), "ult", total), found, acc)]

        y = self.tensors.generic(arrays, [(self.start((outputs,), sums), [0, 1])], 3, 1, make)[0]
        return self.tensors.reshaped(y, (samples, *shape_of(op.y)))

    # ---- after a sum

    def finished(self, op: SynapseOpInterface, y: SSAValue, sums: Sums) -> SSAValue:
        """Adds the bias, multiplies by the power of two, and stores the result in the type of its tensor."""
        stored = storage_of(element_type(op.y))
        shape = shape_of(y)
        every = [*range(len(shape))]
        given = {name: op.optional_array(name) for name in ("bias", "exponent")}
        arrays = {name: array.values for name, array in given.items() if array is not None and array.values.any()}
        if not arrays and stored == sums.element:
            return y
        is_real = isinstance(sums.element, AnyFloat)
        if is_real and "exponent" in arrays:
            powers = np.ldexp(1.0, arrays["exponent"].astype(np.int32))
            arrays["exponent"] = powers.astype(np.float32 if sums.element == f32 else np.float64)
        if is_real and "bias" in arrays:
            arrays["bias"] = arrays["bias"].astype(np.float32 if sums.element == f32 else np.float64)
        ins: list[tuple[SSAValue, Index]] = [(y, every)]
        for name, values in arrays.items():
            ins.append((self.function.constant(f"{name_of(op)}_{name}", values), [*range(1, 1 + values.ndim)]))

        def make(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            found = args[0]
            named = dict(zip(arrays, args[1:], strict=False))
            if is_real:
                for name, combine in (("bias", arith.AddfOp), ("exponent", arith.MulfOp)):
                    if name in named:
                        found = b.add(combine(found, named[name]))
                return [found]
            if "bias" in named:
                found = b.add(arith.AddiOp(found, b.to_width(named["bias"], sums.element)))
            if "exponent" in named:
                found = b.powered(
                    found, b.to_width(named["exponent"], sums.element), IntegerType(width_of(sums.element))
                )
            return [b.to_width(found, stored)]

        return self.tensors.each(ins, shape, [stored], make)[0]


def name_of(op: Operation) -> str:
    """Returns the name of the node of an op, for names of arrays."""
    return describe_op(op)[1] or "node"


def shifted(values: NDArray[Any], powers: NDArray[Any] | None) -> NDArray[Any]:
    """Returns `floor(x 2^power)` of integers."""
    if powers is None:
        return values
    wide, by = values.astype(np.int64), powers.astype(np.int64)
    return (wide << np.maximum(by, 0)) >> np.maximum(-by, 0)


def listed(op: SynapseOpInterface) -> tuple[Any, Any, NDArray[Any], NDArray[Any] | None]:
    """Returns source, target, weight and delay of each synapse, sorted by target; those of a target by source, in the order of the op."""
    source, target, place = op.pairs()
    weights = None if op.weights is None else op.weight_values().values
    weight = np.ones(len(place), np.int8) if weights is None else weights.reshape(-1)[place]
    delay = None
    if op.delays is not None and op.delays.values.any():
        delay = np.broadcast_to(op.delays.values.astype(np.int64), () if weights is None else weights.shape)
        delay = delay.reshape(-1)[place]
    order = np.lexsort((source, target))
    found = source[order], target[order], weight[order]
    return (*found, None if delay is None else delay[order])
