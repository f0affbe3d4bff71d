"""Interpreter of functions of tensors on NumPy: a `linalg.generic` over all of its parallel loops at once, its reductions one after the other.

Integers have the width of their type and wrap as it does; reals are computed by the evaluator of updates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float64Type,
    IndexType,
    IntegerType,
    i1,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...core.diagnostics import refuse
from ...core.half_precision import round_to_half
from ...core.ir.operation import element_type, shape_of
from ...simulation.update import kernel as scalar_call
from .building.bodies import LNG001, width_of

Array = NDArray[Any]


def dtype_of(type: Attribute) -> np.dtype[Any]:
    """Returns the NumPy type of a number."""
    kind: Any = type
    match type:
        case IntegerType():
            return np.dtype(np.bool_) if type == i1 else np.dtype(f"i{width_of(kind) // 8}")
        case IndexType():
            return np.dtype(np.int64)
        case Float64Type():
            return np.dtype(np.float64)
        case _:
            return np.dtype(np.float32)  # formats of 16 bits are rounded where they arise


def toward_zero(a: Array, b: Array) -> Array:
    return (np.abs(a) // np.abs(b)) * np.sign(a) * np.sign(b)


BINARY: Mapping[type[Operation], Callable[[Any, Any], Any]] = {
    arith.AddiOp: np.add,
    arith.SubiOp: np.subtract,
    arith.MuliOp: np.multiply,
    arith.AndIOp: np.bitwise_and,
    arith.OrIOp: np.bitwise_or,
    arith.XOrIOp: np.bitwise_xor,
    arith.ShLIOp: np.left_shift,
    arith.ShRSIOp: np.right_shift,
    arith.MaxSIOp: np.maximum,
    arith.MinSIOp: np.minimum,
    arith.RemSIOp: np.fmod,
    arith.RemUIOp: np.remainder,
    arith.DivSIOp: toward_zero,
}
COMPARISONS: Mapping[int, Callable[[Any, Any], Any]] = {
    0: np.equal,
    1: np.not_equal,
    2: np.less,
    3: np.less_equal,
    4: np.greater,
    5: np.greater_equal,
    6: np.less,  # of indices, which are not negative
}
"""Comparisons of integers by the number of their predicate: eq, ne, slt, sle, sgt, sge, ult."""
CASTS = (
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.SIToFPOp,
    arith.UIToFPOp,
    arith.FPToSIOp,
    arith.IndexCastOp,
    arith.ExtFOp,
)


class Interpreter:
    """Runs a function of tensors."""

    def __init__(self, function: func.FuncOp):
        self.block = function.body.block

    def __call__(self, args: Sequence[Any]) -> list[Array]:
        known: dict[SSAValue, Any] = dict(zip(self.block.args, args, strict=True))
        with np.errstate(all="ignore"):
            for op in self.block.ops:
                if isinstance(op, func.ReturnOp):
                    return [known[x] for x in op.operands]
                known.update(zip(op.results, self.results(op, known), strict=True))
        raise AssertionError("a function ends with func.return")

    def results(self, op: Operation, known: dict[SSAValue, Any]) -> Sequence[Any]:
        """Returns the results of an op outside of bodies. Errors: LNG001."""
        match op:
            case tensor.EmptyOp():
                return [np.zeros(shape_of(op.tensor), dtype_of(element_type(op.tensor)))]
            case linalg.FillOp():
                out = op.outputs[0]
                return [np.full(shape_of(out), known[op.inputs[0]], dtype_of(element_type(out)))]
            case linalg.GenericOp():
                return Loops(op, known).run()
            case tensor.CollapseShapeOp() | tensor.ExpandShapeOp():
                return [known[op.src].reshape(shape_of(op.result))]
            case tensor.InsertSliceOp():
                found = known[op.dest].copy()
                found[places(op, known)] = known[op.source].reshape(op.static_sizes.get_values())
                return [found]
            case tensor.ExtractSliceOp():
                return [known[op.source][places(op, known)].reshape(shape_of(op.result))]
            case _:
                return [scalar(op, [known[x] for x in op.operands])]


class Loops:
    """A `linalg.generic`: an axis of arrays for each of its loops."""

    def __init__(self, op: linalg.GenericOp, known: Mapping[SSAValue, Any]):
        self.op, self.known = op, known
        self.maps = [attribute.data for attribute in op.indexing_maps]
        self.is_parallel = [one.data is IteratorType.PARALLEL for one in op.iterator_types]
        sizes: dict[int, int] = {}
        for map, x in zip(self.maps, op.operands, strict=True):
            place: Any = map
            for expression, size in zip(place.results, known[x].shape, strict=True):
                position = getattr(expression, "position", None)
                if position is not None:
                    sizes[position] = size
        self.sizes = [sizes[k] for k in range(len(self.is_parallel))]
        self.axes = [k for k, parallel in enumerate(self.is_parallel) if parallel]
        self.shape = [self.sizes[k] for k in self.axes]

    def run(self) -> list[Array]:
        """Returns the results after the last reduction."""
        block = self.op.body.block
        outs = [self.known[x] for x in self.op.outputs]
        reduced = [k for k, parallel in enumerate(self.is_parallel) if not parallel]
        ranks = (
            dict(zip(self.axes, np.ix_(*(np.arange(size) for size in self.shape)), strict=True)) if self.axes else {}
        )
        given = len(self.op.inputs)
        for now in product(*(range(self.sizes[k]) for k in reduced)):
            loops: list[Any] = [ranks[k] if parallel else 0 for k, parallel in enumerate(self.is_parallel)]
            for k, value in zip(reduced, now, strict=True):
                loops[k] = value
            values: dict[SSAValue, Any] = dict(self.known)
            for arg, map, x in zip(block.args[:given], self.maps, self.op.inputs, strict=False):
                index = tuple(map.eval(loops, []))
                values[arg] = self.known[x][index] if arg.uses else np.zeros(())
            values.update(zip(block.args[given:], outs, strict=True))
            outs = self.step(block, values, loops, outs)
        return outs

    def step(self, block: Block, values: dict[SSAValue, Any], loops: Sequence[Any], outs: list[Array]) -> list[Array]:
        for op in block.ops:
            match op:
                case linalg.YieldOp():
                    return [
                        np.broadcast_to(values[x], out.shape).astype(out.dtype, copy=True)
                        for x, out in zip(op.operands, outs, strict=True)
                    ]
                case linalg.IndexOp():
                    values[op.result] = np.asarray(loops[op.dim.value.data])
                case tensor.ExtractOp():
                    values[op.result] = values[op.tensor][tuple(values[x] for x in op.indices)]
                case _:
                    values[op.results[0]] = scalar(op, [values[x] for x in op.operands])
        raise AssertionError("a body ends with linalg.yield")


def scalar(op: Operation, args: Sequence[Any]) -> Any:
    """Returns the result of an op of numbers. Errors: LNG001."""
    result = op.results[0].type
    dtype = dtype_of(result)
    if isinstance(op, arith.ConstantOp):
        value: Any = op.value
        return np.array(value.value.data, np.int64 if dtype.kind == "b" else None).astype(dtype)
    if type(op) in BINARY and dtype.kind != "f":
        return np.asarray(BINARY[type(op)](*args), dtype)
    if isinstance(op, arith.CmpiOp):
        return COMPARISONS[op.predicate.value.data](*args)
    if isinstance(op, arith.SelectOp):
        return np.where(*args)
    if isinstance(op, arith.TruncFOp):
        x = np.asarray(args[0])
        if isinstance(result, Float16Type | BFloat16Type):
            return round_to_half(x, "f16" if isinstance(result, Float16Type) else "bf16")
        return x.astype(dtype)
    if isinstance(op, CASTS):
        return np.asarray(args[0]).astype(dtype)
    call = scalar_call(op)
    if call is None:
        refuse(LNG001, f"{op.name} cannot be run", at="a body", expected="an op of arith or math", found=op.name)
    out = np.empty(np.broadcast_shapes(*(np.shape(x) for x in args)), dtype)
    call(*args, out)
    return out


def places(op: tensor.InsertSliceOp | tensor.ExtractSliceOp, known: Mapping[SSAValue, Any]) -> tuple[slice, ...]:
    """Returns the elements of a slice."""
    moving = iter(op.offsets)
    found: list[slice] = []
    for offset, size, stride in zip(
        op.static_offsets.get_values(), op.static_sizes.get_values(), op.static_strides.get_values(), strict=True
    ):
        start = int(known[next(moving)]) if offset == tensor.DYNAMIC_INDEX else int(offset)
        found.append(slice(start, start + (int(size) - 1) * int(stride) + 1, int(stride)))
    return tuple(found)
