"""A C program under construction: its buffers, each with a name and a type, and the ops of its tick."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    DictionaryAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerType,
    LocationAttr,
    MemRefType,
    Signedness,
    StringAttr,
    UnitAttr,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....core.arrays.arrays import ArrayAttr, half_of, is_half
from ....core.fixed_point import Interval
from ....core.names import Names
from ....dialects import c, fixed
from ....dialects.ntensor import interval_of
from ..printing.text import dtype_of
from .narrowing import copy_narrowed, drop_unused

Values = list[SSAValue]
ZERO = np.zeros((), np.int64)
OPERAND_BITS = 16
"""Bits of the integers that vectors multiply in fewest instructions."""
Body = Callable[[Block, Values], Sequence[SSAValue]]


CPLUSPLUS = re.compile(
    r"alignas|alignof|and(_eq)?|asm|bit(and|or)|catch|char(8|16|32)_t|class|co_(await|return|yield)|compl|concept|const(_cast|eval|expr|init)"
    r"|decltype|delete|dynamic_cast|explicit|export|friend|mutable|namespace|new|noexcept|not(_eq)?|nullptr|operator|x?or(_eq)?|private"
    r"|protected|public|reinterpret_cast|requires|static_(assert|cast)|template|this|thread_local|throw|try|type(id|name)|using|virtual|wchar_t"
)
"""Keywords of C++ that are not keywords of C: the header can also be included from C++."""


def identifier(name: str) -> str:
    """Returns a C identifier that resembles a user's name."""
    text = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "node"
    text = text if text[0].isalpha() else f"n{text}"
    return text if c.is_identifier(text) and CPLUSPLUS.fullmatch(text) is None else f"{text}_"


def storage_type(element: Attribute) -> Attribute:
    """Returns the element type in memory of a signal: reals unchanged, spikes and integers in the smallest C integer."""
    held = interval_of(element)
    return element if held is None else c.storage_for(held)


def integers_in(values: NDArray[Any]) -> Interval:
    """Returns the smallest interval that contains an array of integers."""
    return Interval(int(values.min()), int(values.max())) if values.size else Interval(0, 0)


def pack_array(values: NDArray[Any], widest: Attribute, *, is_operand: bool = False) -> tuple[NDArray[Any], Attribute]:
    """Returns an array in the smallest C type that holds it; reals at most as wide as `widest`.

    Integers of 16 bits that are operands of a loop are signed if they can be, since vectors multiply signed numbers of 16 bits in fewer instructions.
    """
    if is_half(widest):
        return values, widest
    if c.is_real(widest):
        element = f32 if values.dtype == np.float32 else widest
    else:
        held = integers_in(values)
        element = c.storage_for(held)
        if is_operand and element.width.data == OPERAND_BITS and Interval.signed(OPERAND_BITS).holds(held):
            element = IntegerType(OPERAND_BITS, Signedness.SIGNED)
    return values.astype(dtype_of(element), copy=False), element


def bits_of(values: NDArray[Any]) -> NDArray[Any]:
    """Returns reals as integers of the same bits; integers unchanged."""
    return values.view(f"u{values.dtype.itemsize}") if values.dtype.kind == "f" else values


def is_uniform(values: NDArray[Any]) -> bool:
    """Returns whether all entries are the same number, to the bit."""
    return not values.ndim or not values.size or bool((bits_of(values) == bits_of(values.flat[0])).all())


MARKS = ("spikes", "occasional", "kept")
"""Optional parts that are true or absent."""


class BufferParts(TypedDict, total=False):
    """Optional parts of memory."""

    values: NDArray[Any]
    node: str
    spikes: bool
    occasional: bool
    kept: bool
    density: float | None


def buffer_op(
    label: str, kind: c.Kind, element: Attribute, shape: Sequence[int], **parts: Unpack[BufferParts]
) -> c.BufferOp:
    """Returns memory of a kind."""
    properties: dict[str, Attribute] = {"label": StringAttr(label), "kind": c.KindAttr(kind)}
    if "values" in parts:
        values = parts["values"]
        properties["values"] = ArrayAttr.nearest(values, half_of(element)) if is_half(element) else ArrayAttr.of(values)
    if "node" in parts:
        properties["node"] = StringAttr(parts["node"])
    properties |= {name: UnitAttr() for name in MARKS if parts.get(name)}
    if (density := parts.get("density")) is not None:
        properties["density"] = FloatAttr(density, f64)
    return c.BufferOp.create(result_types=[MemRefType(element, shape)], properties=properties)


class Program:
    """Builder of a program: collects the memory and the ops of its tick, and returns the complete op."""

    def __init__(self, reserved: Sequence[str] = ()):
        self.top = Block()
        self.tick = Block()
        self.origin: LocationAttr = UNKNOWN_LOC
        """The location of the ops that are added."""
        self.ends: list[Operation] = []
        """Ops at the end of the tick."""
        self._names = Names(["self", *reserved])
        self._cursors: dict[int, SSAValue] = {}
        self._views: dict[tuple[SSAValue, tuple[int, ...]], SSAValue] = {}

    def buffer(
        self, label: str, kind: c.Kind, element: Attribute, shape: Sequence[int], **parts: Unpack[BufferParts]
    ) -> SSAValue:
        """Adds memory of a kind, under the name `label` or a similar one."""
        op = buffer_op(self._names.take(label), kind, element, shape, **parts)
        self.top.add_op(self.placed(op))
        return op.memory

    def placed(self, op: Operation) -> Operation:
        """Returns an op with the location of its origin, which the ops in it have, too."""
        for one in op.walk():
            one.location = self.origin
        return op

    def scratch(self, label: str, element: Attribute, shape: Sequence[int], **parts: Unpack[BufferParts]) -> SSAValue:
        return self.buffer(label, c.Kind.SCRATCH, element, shape, **parts)

    def state(
        self,
        label: str,
        element: Attribute,
        shape: Sequence[int],
        values: Any = ZERO,
        *,
        spikes: bool = False,
        kept: bool = False,
    ) -> SSAValue:
        return self.buffer(label, c.Kind.STATE, element, shape, values=values, spikes=spikes, kept=kept)

    def constant(self, label: str, values: NDArray[Any], widest: Attribute, *, is_operand: bool = False) -> SSAValue:
        """Adds an array in the smallest type that holds it; reals at most as wide as `widest`. Operands of loops are packed for vectors (`pack_array`)."""
        held, element = pack_array(values, widest, is_operand=is_operand)
        return self.buffer(label, c.Kind.CONSTANT, element, values.shape, values=held)

    def view(self, memory: SSAValue, shape: Sequence[int]) -> SSAValue:
        """Returns a view of memory with another shape. Each shape has one view, so that equal memory is the same SSA value."""
        base, wanted = c.base_of(memory), tuple(shape)
        if c.memory_shape(base) == wanted:
            return base
        if (base, wanted) not in self._views:
            op = c.ViewOp(base, wanted)
            self.top.add_op(self.placed(op))
            self._views[base, wanted] = op.y
        return self._views[base, wanted]

    def row(self, ring: SSAValue, cursor: SSAValue | None) -> SSAValue:
        op = c.RowOp(ring, cursor)
        self.top.add_op(self.placed(op))
        return op.row

    def cursor(self, rows: int) -> SSAValue | None:
        """Returns the common cursor of all rings with this number of rows, which advances at the end of a tick; None for rings of one row."""
        if rows == 1:
            return None
        if rows not in self._cursors:
            self._cursors[rows] = self.state(f"row_of_{rows}", IntegerType(32, Signedness.SIGNED), (1,))
        return self._cursors[rows]

    def add(self, op: Operation) -> None:
        self.tick.add_op(self.placed(op))

    def loop(
        self,
        label: str,
        ins: Sequence[tuple[SSAValue, Attribute]],
        outs: Sequence[SSAValue],
        body: Body,
        *,
        last: bool = False,
    ) -> None:
        """Adds a loop: its inputs with the types of the computation, its outputs, and the ops of its body."""
        block = Block(arg_types=[type for _, type in ins])
        results = list(body(block, list(block.args)))
        block.add_op(c.YieldOp(*results))
        drop_unused(block)
        op = c.LoopOp(label, [memory for memory, _ in ins], outs, Region(block))
        if last:
            self.ends.append(self.placed(op))
        else:
            self.add(op)

    def copy(self, label: str, source: SSAValue, into: SSAValue, *, last: bool = False) -> None:
        """Adds a loop that copies; it converts elements and layouts."""
        element = c.element_of_memory(into)
        spikes = c.buffer_of(source).is_spikes is not None
        type = element if c.is_real(element) else i1 if spikes else compute_type(source)
        self.loop(label, [(source, type)], [into], lambda _, args: args, last=last)

    def finish(self, name: str, prefix: str, tick_ns: int, preferences: Mapping[str, Attribute]) -> c.ProgramOp:
        for op in self.ends:
            self.tick.add_op(op)
        for rows, cursor in self._cursors.items():
            self.tick.add_op(c.AdvanceOp(cursor, rows))
        self.top.add_op(c.TickOp(Region(self.tick)))
        return c.ProgramOp(name, prefix, tick_ns, Region(self.top), DictionaryAttr(dict(preferences)))


class Additions:
    """Memory that a pass adds to a complete program."""

    def __init__(self, program: c.ProgramOp):
        self.program = program
        self._names = Names(buffer.label.data for buffer in program.buffers)

    def buffer(
        self, label: str, kind: c.Kind, element: Attribute, shape: Sequence[int], **parts: Unpack[BufferParts]
    ) -> SSAValue:
        """Adds memory under the name `label` or a similar one."""
        op = buffer_op(self._names.take(label), kind, element, shape, **parts)
        self.program.body.block.insert_op_before(op, self.program.tick)
        return op.memory

    def constant(self, label: str, values: NDArray[Any], widest: Attribute = i64) -> SSAValue:
        """Adds an array in the smallest type that holds it."""
        held, element = pack_array(values, widest)
        return self.buffer(label, c.Kind.CONSTANT, element, held.shape, values=held)


def compute_type(memory: SSAValue) -> Attribute:
    """Returns the type that a loop uses to compute with an element in memory."""
    element = c.element_of_memory(memory)
    held = interval_of(element)
    return element if held is None else fixed.IntType.of(held)


# ---- ops of bodies


def insert_op(block: Block, op: Operation) -> SSAValue:
    """Adds an op to a body and returns its result."""
    block.add_op(op)
    return op.results[0]


def literal(block: Block, value: Any, type: Attribute) -> SSAValue:
    """Adds a number to a body: of a real type, `i1`, or an interval that holds it."""
    if isinstance(type, Float32Type | Float64Type):
        return insert_op(block, arith.ConstantOp(FloatAttr(float(value), type)))
    if type == i1:
        return insert_op(block, arith.ConstantOp.from_int_and_width(int(bool(value)), i1))
    constant = insert_op(block, fixed.ConstantOp(int(value)))
    return widen_value(block, constant, type)


def widen_value(block: Block, x: SSAValue, type: Attribute) -> SSAValue:
    """Converts an integer to another interval: unchanged if that interval holds it, else saturated."""
    assert isinstance(type, fixed.IntType)  # integers have interval types
    if x.type == type:
        return x
    holds = type.interval.holds(fixed.interval_of(x))
    return insert_op(block, (fixed.WidenOp if holds else fixed.SaturateOp)(x, type.interval))


def inline_block(block: Block, body: Block, arguments: Mapping[SSAValue, SSAValue]) -> list[SSAValue]:
    """Copies the ops of a region's block into a body, in the intervals of the arguments; returns the results of its last op there."""
    known = dict(arguments)
    last = body.last_op
    for op in body.ops:
        if op is last:
            break
        known.update(zip(op.results, copy_narrowed(block, op, known), strict=True))
    return [known[x] for x in last.operands] if last is not None else []
