"""Builder of a network of values in ntensor: one tick is one sample."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from attrs import evolve
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    FunctionType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints, Reals
from ...core.ir.graph_region import Signature, names
from ...core.ir.location_parts import file_location, node_location
from ...core.ir.operation import element_type, shape_of
from ...core.names import Names
from ...core.windows import window_outputs
from ...dialects import ntensor
from ..nir_module import hint, legal
from . import populations
from .values import Constant, LinearParts, Real, Scaled, Sizes, Stored, Term, WindowSizes

TICK_NS = 1_000_000
"""Length of a tick, which has no meaning for a network without states."""
INTEGER_INPUTS: Mapping[str, Attribute] = {
    "UINT8": ntensor.CountType(8),
    "UINT16": ntensor.CountType(16),
    "INT8": IntegerType(8),
    "INT16": IntegerType(16),
}
"""Types of inputs that hold stored integers."""
EXACT_IN_F32 = 2**24


class TensorBuilder:
    """Builder of one module. Each method adds the ops of a node, and returns its value."""

    def __init__(self, file: str, name: str, ends: Iterable[str]):
        self.place, self.name = file_location(file), legal(name) or "network"
        self.block = Block()
        self.updates: dict[str, ntensor.UpdateOp] = {}
        self.symbols: dict[str, str] = {}
        """Symbols of the updates, by the texts of their neurons."""
        self.sources: dict[SSAValue, tuple[Real | Scaled, float]] = {}
        """The quantised value and its scale, of each population of integers."""
        self.inputs: list[str] = []
        self.names = Names(ends, start=2, separator=".")
        """Names of ends and ops."""
        self.precision: Float32Type | Float64Type = f32

    # ---- ends

    def input(self, name: str, dtype: str, shape: Sizes) -> Real | Stored:
        """Adds an input of the network."""
        self.inputs.append(name)
        element = INTEGER_INPUTS.get(dtype, f64 if dtype == "DOUBLE" else f32)
        if dtype == "DOUBLE":
            self.precision = f64
        arg = self.block.insert_arg(TensorType(element, shape), len(self.block.args))
        arg.name_hint, arg.location = hint(name), node_location(name, self.place)
        if dtype not in INTEGER_INPUTS:
            return Real(shape, arg)
        held = ntensor.interval_of(element)
        assert held is not None  # integers
        return Stored(shape, arg, 0, held.low, held.high)

    def module(self, outputs: Mapping[str, SSAValue]) -> ModuleOp:
        """Returns the module of the network, without ops that no output depends on."""
        end = ntensor.OutputOp(*outputs.values())
        end.location = self.place
        self.block.add_op(end)
        for op in reversed(list(self.block.ops)):
            if op is not end and not any(result.uses for result in op.results):
                op.detach()
                op.erase()
        used = {op.update_name for op in self.block.ops if isinstance(op, ntensor.NeuronOp)}
        updates = [update for symbol, update in self.updates.items() if symbol in used]
        types = FunctionType.from_lists(
            [arg.type for arg in self.block.args], [value.type for value in outputs.values()]
        )
        signature = Signature(names(self.inputs), names(outputs), types)
        network = ntensor.NetworkOp(self.name, signature, TICK_NS, Region(self.block))
        network.location = self.place
        module = ModuleOp([*updates, network])
        module.location = self.place
        return module

    # ---- ops

    def add(self, op: Operation, node: str) -> SSAValue:
        """Adds an op to the network, with the location of its node."""
        op.location = node_location(node, self.place)
        op.results[0].name_hint = hint(node)
        self.block.add_op(op)
        return op.results[0]

    def put(
        self, kind: type[Operation], node: str, x: SSAValue, element: Attribute, shape: Sizes, **parts: Any
    ) -> SSAValue:
        """Adds an op with one operand. Arrays among `parts` become properties; None is omitted."""
        properties: dict[str, Attribute] = {"node": StringAttr(self.names.take(node))}
        for key, value in parts.items():
            if value is not None:
                properties[key] = value if isinstance(value, Attribute) else ArrayAttr.of(value)
        op = kind.create(operands=[x], result_types=[TensorType(element, shape)], properties=properties)
        return self.add(op, node)

    def reshape_value(self, node: str, x: SSAValue, shape: Sizes) -> SSAValue:
        if shape_of(x) == shape:
            return x
        return self.put(ntensor.ReshapeOp, node, x, element_type(x), shape)

    def populate(
        self,
        node: str,
        text: str,
        xs: Sequence[SSAValue],
        params: Mapping[str, AnyArray],
        canonical: Mapping[str, Reals] | None = None,
    ) -> SSAValue:
        """Adds a population of a neuron, whose update is shared by populations of the same neuron."""
        first = text.split()[1]
        if (symbol := self.symbols.get(text)) is None:
            count = sum(name.split(".")[0] == first for name in self.updates)
            symbol = self.symbols[text] = first if not count else f"{first}.{count + 1}"
            self.updates[symbol] = populations.update_of(text, symbol, self.precision).clone()
        op = populations.new_population_of(self.names.take(node), self.updates[symbol], symbol, xs, params, canonical)
        return self.add(op, node)

    # ---- reals

    def handle(self, x: Real) -> SSAValue:
        """Returns the value of a real; a linear op without a value is added now."""
        if x.handle is None:
            assert x.parts is not None  # a real has a value or parts
            x.handle = self.linear_value(x.parts, x.shape)
        return x.handle

    def linear_value(self, parts: LinearParts, shape: Sizes) -> SSAValue:
        x = self.handle(parts.x)
        element = element_type(x)
        if parts.window is None:
            return self.put(ntensor.LinearOp, parts.node, x, element, shape, weight=parts.weight, bias=parts.bias)
        return self.convolve(parts.node, x, element, shape, parts.window, parts.weight, parts.bias)

    def convolve(
        self,
        node: str,
        x: SSAValue,
        element: Attribute,
        shape: Sizes,
        window: WindowSizes,
        weight: AnyArray,
        bias: AnyArray | None,
    ) -> SSAValue:
        parts: dict[str, Any] = {
            "weight": weight,
            "bias": bias,
            "stride": np.array(window.stride, np.int64),
            "padding": np.array(window.padding, np.int64),
            "dilation": np.array(window.dilation, np.int64),
            "groups": IntegerAttr(window.groups, i64),
        }
        kind = ntensor.Conv1dOp if len(window.kernel) == 1 else ntensor.Conv2dOp
        return self.put(kind, node, x, element, shape, **parts)

    def pool(self, kind: type[Operation], node: str, x: SSAValue, element: Attribute, window: WindowSizes) -> SSAValue:
        """Adds a pool; one of rows is a pool of maps with one row."""
        shape, extra = shape_of(x), 3 - len(shape_of(x))
        maps = (shape[0], *[1] * extra, *shape[1:])
        ones = [1] * extra
        kernel, stride = [*ones, *window.kernel], [*ones, *window.stride]
        padding = [*[(0, 0)] * extra, *window.padding]
        sizes = tuple(window_outputs(maps[1:], kernel, stride, padding, (1, 1)))
        value = self.put(
            kind,
            node,
            self.reshape_value(f"{node}.maps", x, maps),
            element,
            (shape[0], *sizes),
            kernel=np.array(kernel, np.int64),
            stride=np.array(stride, np.int64),
            padding=np.array(padding, np.int64),
        )
        return self.reshape_value(f"{node}.rows", value, (shape[0], *sizes[extra:]))

    def real_pool(self, node: str, x: Real, window: WindowSizes, is_max: bool) -> Real:
        given = self.handle(x)
        kind = ntensor.MaxPool2dOp if is_max else ntensor.AvgPool2dOp
        value = self.pool(kind, node, given, element_type(given), window)
        return Real(shape_of(value), value, is_rectified=x.is_rectified)

    def rectify(self, node: str, x: Real, low: float, high: float) -> Real:
        kind = np.float64 if isinstance(self.precision, Float64Type) else np.float32
        bounds = {"low": low, "high": high}
        params = {name: np.asarray(value, kind) for name, value in bounds.items() if np.isfinite(value)}
        value = self.populate(node, populations.rectify_text(low, high), [self.handle(x)], params)
        return Real(x.shape, value, is_rectified=low >= 0)

    def add_reals(self, node: str, xs: Sequence[Real]) -> Real:
        values = [self.handle(x) for x in xs]
        op = ntensor.SumOp.build(operands=[values], result_types=[values[0].type])
        return Real(xs[0].shape, self.add(op, node), is_rectified=all(x.is_rectified for x in xs))

    def reshape_real(self, node: str, x: Real, shape: Sizes) -> Real:
        return Real(shape, self.reshape_value(node, self.handle(x), shape), is_rectified=x.is_rectified)

    def embed(self, node: str, x: Real, axis: int, start: int, total: int) -> Real:
        """Returns a real in a whole of zeros: along `axis`, from `start` on, `total` elements long."""
        value = self.embed_value(node, self.handle(x), axis, start, total)
        return Real(shape_of(value), value, is_rectified=x.is_rectified)

    def embed_value(self, node: str, x: SSAValue, axis: int, start: int, total: int) -> SSAValue:
        """Adds a convolution with the weight 1, whose padding is the rest of the whole. It moves no element, so any axis is that of rows."""
        shape, element = shape_of(x), element_type(x)
        size, others = shape[axis], (prod(shape[:axis]), prod(shape[axis + 1 :]))
        if isinstance(element, Float32Type | Float64Type):
            kind = np.float64 if isinstance(element, Float64Type) else np.float32
        else:
            kind, element = np.int8, IntegerType(32 if populations.input_bits(x) <= 32 else 64)
        window = WindowSizes((1, 1), [1, 1], [(start, total - start - size), (0, 0)], [1, 1], others[0])
        rows = self.reshape_value(f"{node}.rows", x, (others[0], size, others[1]))
        weight = np.ones((others[0], 1, 1, 1), kind)
        whole = self.convolve(node, rows, element, (others[0], total, others[1]), window, weight, None)
        return self.reshape_value(f"{node}.maps", whole, (*shape[:axis], total, *shape[axis + 1 :]))

    # ---- integers

    def quantise(self, node: str, x: Real, scale: float, zero: int, low: int, high: int) -> Stored:
        """Returns the integers of a real, without the zero point; `low` and `high` bound them."""
        kind = np.float64 if isinstance(self.precision, Float64Type) else np.float32
        params = {"scale": np.asarray(scale, kind)}
        value = self.populate(node, populations.quantise_text(low, high), [self.handle(x)], params)
        self.sources[value] = x, scale
        return Stored(x.shape, value, zero, low, high)

    def requantise(self, node: str, x: Scaled, scale: float, zero: int, low: int, high: int) -> Stored:
        """Returns the integers of a sum of scaled integers; its bounds narrow `low` and `high`."""
        low = max(low, int(np.clip(np.rint(x.low / scale), low, high)))
        high = min(high, int(np.clip(np.rint(x.high / scale), low, high)))
        before, given = self.sources.get(x.terms[0].value, (None, 0.0))
        if before is not None and x.has_one_scale and given == scale == x.terms[0].scale:
            # The integers of the quantisation before, within narrower bounds: one quantisation with these bounds.
            low, high = (int(np.clip(bound, low, high)) for bound in (x.terms[0].low, x.terms[0].high))
            if isinstance(before, Real):
                return self.quantise(node, before, scale, zero, low, high)
            return self.requantise(node, before, scale, zero, low, high)
        has_offset = bool(x.offset.any())
        is_activation = len(x.terms) == 1 and low == 0 and bool((x.terms[0].scale > 0).all())
        text, bits = populations.requantise_text(x, low, high, has_offset, is_activation)
        numbers = populations.requantise_numbers(x, scale, bits, has_offset)
        if is_activation and (numbers["multiplier_a"] < 1).any():
            is_activation = False  # a factor that is 0
            text, _ = populations.requantise_text(x, low, high, has_offset, is_activation)
        canonical = populations.activation_numbers(numbers) if is_activation else None
        value = self.populate(node, text, [term.value for term in x.terms], numbers, canonical)
        self.sources[value] = x, scale
        return Stored(x.shape, value, zero, low, high)

    def rescale(self, node: str, x: Scaled) -> Real:
        """Returns a sum of scaled integers as a real."""
        term, is_rectified = x.terms[0], x.low >= 0
        is_exact = max(-term.low, term.high) <= EXACT_IN_F32 and populations.input_bits(term.value) <= 24
        if x.is_plain and is_exact:
            kind = np.float64 if isinstance(self.precision, Float64Type) else np.float32
            scale = np.asarray(term.scale.reshape(()), kind)
            value = self.put(ntensor.ScaleOp, node, term.value, self.precision, x.shape, scale=scale)
            return Real(x.shape, value, is_rectified=term.low >= 0)
        text = populations.rescale_text(x, self.precision)
        value = self.populate(node, text, [one.value for one in x.terms], populations.rescale_numbers(x))
        return Real(x.shape, value, is_rectified=is_rectified)

    def with_zero(self, node: str, x: Stored, zero: int) -> Stored:
        """Returns the stored integers of another zero point: `n + (old zero point) - (new zero point)`."""
        by = x.zero - zero
        if not by:
            return x
        held = ntensor.interval_of(element_type(x.value))
        assert held is not None  # integers
        value = self.populate(node, populations.shift_text(held.low, held.high, by), [x.value], {})
        return Stored(x.shape, value, zero, x.low + by, x.high + by)

    def integer_linear(
        self, node: str, term: Term, weight: Constant, bias: Ints | None, window: WindowSizes | None, shape: Sizes
    ) -> Term:
        """Returns the sums of integers of a linear map or a convolution. Their scale is left to the caller."""
        assert weight.steps is not None  # asked before
        steps = populations.narrowed(weight.steps)
        lines = weight.steps.reshape(len(weight.steps), -1)
        positive, negative = np.maximum(lines, 0).sum(1), np.minimum(lines, 0).sum(1)
        # Padding adds zeros, so that each end is at most that of the whole kernel.
        high = positive * max(term.high, 0) - negative * max(-term.low, 0)
        low = negative * max(term.high, 0) - positive * max(-term.low, 0)
        added = 0 if bias is None else bias
        ends = int((low + np.minimum(added, 0)).min(initial=0)), int((high + np.maximum(added, 0)).max(initial=0))
        element = IntegerType(32 if populations.bits_of(*ends) <= 32 else 64)
        addend = None if bias is None else populations.narrowed(bias)
        if window is None:
            value = self.put(ntensor.LinearOp, node, term.value, element, shape, weight=steps, bias=addend)
        else:
            value = self.convolve(node, term.value, element, shape, window, steps, addend)
        return Term(value, term.scale, *ends)

    def integer_pool(self, node: str, term: Term, window: WindowSizes, is_max: bool) -> Term:
        """Returns the greatest integers, or the sums, of windows."""
        if is_max:
            value = self.pool(ntensor.MaxPool2dOp, node, term.value, element_type(term.value), window)
            return evolve(term, value=value)
        count = int(np.prod(window.kernel))
        low, high = min(term.low * count, 0), max(term.high * count, 0)
        element = IntegerType(32 if populations.bits_of(low, high) <= 32 else 64)
        value = self.pool(ntensor.SumPool2dOp, node, term.value, element, window)
        return Term(value, term.scale / count, low, high)
