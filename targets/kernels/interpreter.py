"""Interpreter of kernel programs on NumPy: every invocation of a stage, and every sample, at once.

A value of a body is an array that broadcasts to [samples, elements]. Loops with the same bounds for all invocations are loops of Python; others run as
often as the longest, with a mask. Scalar ops are those of `simulation/update.py`, so no number depends on this file alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, gpu, scf
from xdsl.dialects.builtin import Float32Type, Float64Type, IndexType, i1, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...core.diagnostics import refuse
from ...dialects import c, fixed, kernels, ntensor
from ...dialects.kernels import Storage
from ...simulation.update import dtype_of
from ...simulation.update import kernel as scalar_call
from .lowering import KNL002

Array = NDArray[Any]
FULL = np.int64(0xFFFFFFFF)
WORD_SIZE = 2**32
COMPARISONS: Mapping[int, Callable[[Any, Any], Any]] = {
    0: np.equal,
    1: np.not_equal,
    6: lambda a, b: a.astype(np.uint64) < b.astype(np.uint64),
}
"""Comparisons of indices and words by the number of their predicate: eq, ne, ult. A negative index is a large one."""
WORDS: Mapping[type[Operation], Callable[[Any, Any], Any]] = {
    arith.AddiOp: np.add,
    arith.SubiOp: np.subtract,
    arith.MuliOp: np.multiply,
    arith.DivUIOp: np.floor_divide,
    arith.RemUIOp: np.remainder,
    arith.AndIOp: np.bitwise_and,
    arith.OrIOp: np.bitwise_or,
    arith.XOrIOp: np.bitwise_xor,
    arith.ShLIOp: lambda a, b: (a << b) & FULL,
    arith.ShRUIOp: np.right_shift,
}
"""Ops of indices and words of 32 bits."""


class Interpreter:
    """A program, its constants, and the memory of a number of samples."""

    def __init__(self, program: kernels.ProgramOp, samples: int):
        self.program, self.samples = program, samples
        self.rows: dict[SSAValue, Array] = {}
        self.tick = 0
        for buffer in program.buffers:
            dtype = memory_dtype(buffer.element)
            length = max(1, buffer.entries)
            values = np.zeros((), dtype) if buffer.values is None else buffer.values.values.astype(dtype)
            flat = np.broadcast_to(values, c.memory_shape(buffer.memory)).reshape(-1)
            flat = words_of(flat) if buffer.form is Storage.SPLIT else flat
            flat = flat if flat.size else np.zeros(1, dtype)
            if buffer.kind.data is kernels.Kind.CONSTANT:
                self.rows[buffer.memory] = flat
            else:
                self.rows[buffer.memory] = np.broadcast_to(flat, (samples, length)).copy()

    def step(self, inputs: Mapping[str, Array]) -> None:
        """Runs one tick. Shapes: inputs [samples, row], by label; the rows of outputs are in `rows`."""
        for buffer in self.program.of_kind(kernels.Kind.INPUT):
            values = inputs[buffer.label.data]
            self.rows[buffer.memory][...] = words_of(values) if buffer.form is Storage.SPLIT else values
        with np.errstate(all="ignore"):
            for one in self.program.kernels:
                for stage in one.stages:
                    self.run_stage(stage)
        self.tick += 1

    def row(self, buffer: kernels.BufferOp) -> Array:
        """Returns the elements of a buffer. Shapes: [samples, elements]."""
        values = self.rows[buffer.memory]
        if buffer.form is Storage.SPLIT:
            values = values.astype("<u4").view("<i8")
        return values[:, : buffer.length]

    def run_stage(self, stage: kernels.StageOp) -> None:
        block = stage.body.block
        e: Array = np.arange(stage.elements, dtype=np.int64)[None, :]
        self.run(block, {block.args[0]: e}, None)

    def run(self, block: Block, known: dict[SSAValue, Array], mask: Array | None) -> None:
        """Runs the ops of a block, except its terminator, for the invocations of a mask."""
        for op in block.ops:
            if not isinstance(op, scf.YieldOp):
                self.run_op(op, known, mask)

    def run_op(self, op: Operation, known: dict[SSAValue, Array], mask: Array | None) -> None:
        match op:
            case kernels.LoadOp():
                known[op.value] = self.load(op, known[op.index], mask)
            case kernels.StoreOp():
                self.store(op, known[op.index], known[op.value], mask)
            case kernels.TickOp():
                known[op.tick] = np.array(self.tick, np.int64)
            case kernels.AssumeOp() | ntensor.LetOp() | fixed.WidenOp():
                known[op.results[0]] = known[op.operands[0]]
            case arith.ConstantOp() | fixed.ConstantOp():
                value: Any = op.value
                number, type = value.value.data, op.results[0].type
                known[op.results[0]] = np.array(number % WORD_SIZE if type == i32 else number, value_dtype(type))
            case kernels.WordOp():
                known[op.y] = known[op.x] & FULL
            case kernels.IntegerOp():
                known[op.y] = signed(known[op.x])
            case arith.UIToFPOp() | arith.FPToUIOp():
                known[op.results[0]] = known[op.operands[0]].astype(value_dtype(op.results[0].type))
            case scf.ForOp():
                self.run_for(op, known, mask)
            case scf.IfOp():
                self.run_if(op, known, mask)
            case arith.IndexCastOp():
                known[op.results[0]] = known[op.operands[0]]
            case arith.CmpiOp():
                compare = COMPARISONS[op.predicate.value.data]
                known[op.results[0]] = compare(*(np.asarray(known[x]) for x in op.operands))
            case gpu.BarrierOp():
                pass
            case _ if isinstance(op.results[0].type, IndexType) or op.results[0].type == i32:
                known[op.results[0]] = self.words(op, [known[x] for x in op.operands])
            case _:
                call = scalar_call(op)
                if call is None:
                    refuse(
                        KNL002,
                        f"{op.name} cannot be run",
                        at="a kernel",
                        expected="arith, math or fixed",
                        found=op.name,
                    )
                args = [known[x] for x in op.operands]
                out = np.empty(np.broadcast_shapes(*(x.shape for x in args)), dtype_of(op.results[0].type))
                call(*args, out)
                known[op.results[0]] = out

    def words(self, op: Operation, args: list[Array]) -> Array:
        if isinstance(op, arith.SelectOp):
            return np.where(*args)
        result = np.asarray(WORDS[type(op)](*args))
        return result & FULL if op.results[0].type == i32 else result

    # ---- memory

    def load(self, op: kernels.LoadOp, index: Array, mask: Array | None) -> Array:
        rows, type = self.rows[op.memory], op.value.type
        if mask is not None:
            index = np.clip(index, 0, rows.shape[-1] - 1)
        if rows.ndim == 1:
            found = rows[index]
        elif index.ndim == 0:
            found = rows[:, index][:, None]
        elif index.shape[0] == 1:
            found = rows[:, index[0]]
        else:
            found = np.take_along_axis(rows, index, axis=1)
        if type == i1:
            return found != 0
        return found & FULL if type == i32 else found.astype(value_dtype(type), copy=False)

    def store(self, op: kernels.StoreOp, index: Array, value: Array, mask: Array | None) -> None:
        rows = self.rows[op.memory]
        shape = np.broadcast_shapes(index.shape, value.shape, () if mask is None else mask.shape, (self.samples, 1))
        columns, values = np.broadcast_to(index, shape), np.broadcast_to(value, shape)
        if mask is None:
            np.put_along_axis(rows, columns, values.astype(rows.dtype), axis=1)
            return
        sample, element = np.nonzero(np.broadcast_to(mask, shape))
        rows[sample, columns[sample, element]] = values[sample, element]

    # ---- control

    def run_for(self, op: scf.ForOp, known: dict[SSAValue, Array], mask: Array | None) -> None:
        low, high = np.asarray(known[op.lb]), np.asarray(known[op.ub])
        block = op.body.block
        held = [known[x] for x in op.iter_args]
        last: Any = block.last_op
        if low.ndim == high.ndim == 0:
            for i in range(int(low), int(high)):
                known[block.args[0]] = np.array(i, np.int64)
                known.update(zip(block.args[1:], held, strict=True))
                self.run(block, known, mask)
                held = [known[x] for x in last.operands]
        else:
            for i in range(int((high - low).max(initial=0))):
                place = low + i
                active = place < high if mask is None else mask & (place < high)
                if not active.any():
                    break
                known[block.args[0]] = place
                known.update(zip(block.args[1:], held, strict=True))
                self.run(block, known, active)
                held = [np.where(active, known[x], old) for x, old in zip(last.operands, held, strict=True)]
        known.update(zip(op.results, held, strict=True))

    def run_if(self, op: scf.IfOp, known: dict[SSAValue, Array], mask: Array | None) -> None:
        test = np.asarray(known[op.cond])
        active = test if mask is None else mask & test
        yes: Any = op.true_region.block
        no: Any = op.false_region.blocks[0] if op.false_region.blocks else None
        if active.any():
            self.run(yes, known, active)
        if no is not None and not test.all():
            self.run(no, known, ~test if mask is None else mask & ~test)
        if not op.results:
            return
        assert no is not None  # an op with results has both regions
        others = [known[x] for x in no.last_op.operands] if not test.all() else None
        if not active.any():
            others = [known[x] for x in no.last_op.operands] if others is None else others
            found = others
        elif others is None:
            found = [known[x] for x in yes.last_op.operands]
        else:
            found = [np.where(test, known[a], b) for a, b in zip(yes.last_op.operands, others, strict=True)]
        known.update(zip(op.results, found, strict=True))


def words_of(values: Array) -> Array:
    """Returns integers of 64 bits as words, the lower first."""
    return np.ascontiguousarray(values, "<i8").view("<u4").astype(np.int64)


def signed(words: Array) -> Array:
    """Returns words as integers in two's complement."""
    return np.where(words >> 31 != 0, words - WORD_SIZE, words)


def memory_dtype(element: Attribute) -> np.dtype[Any]:
    """Returns the NumPy type of an element of a row: reals in their own, integers in 64 bits."""
    match element:
        case Float32Type():
            return np.dtype(np.float32)
        case Float64Type():
            return np.dtype(np.float64)
        case _:
            return np.dtype(np.int64)


def value_dtype(type: Attribute) -> np.dtype[Any]:
    """Returns the NumPy type of a value in a body."""
    return np.dtype(np.int64) if isinstance(type, IndexType) or type == i32 else dtype_of(type)
