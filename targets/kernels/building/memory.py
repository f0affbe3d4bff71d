"""Memory of a kernel program under construction: the buffers of a C program, its rows and views, and buffers of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import MemRefType, StringAttr, UnitAttr, f32, i32
from xdsl.ir import Attribute, Block, SSAValue

from ....core.arrays.arrays import ArrayAttr, is_half
from ....core.diagnostics import Code, refuse_op
from ....core.fixed_point import Interval
from ....core.help_text import OtherDevice, Phrase
from ....core.names import Names
from ....dialects import c, kernels
from .bodies import Builder

KNL001 = Code("KNL001", "kernel-type-unsupported", "a type of the network cannot be compiled to kernels")
COMPUTED = "reals of 16 bits that a tick computes cannot be compiled to kernels"
WEIGHTS_ALONE = "f32, f64 or integers; reals of 16 bits in weights alone, ntensor-round-reals{of=weights}"
WORD = 32
"""Ticks of the past that a word holds."""


@frozen
class Place:
    """Elements of a buffer: all, or the row of a ring at this tick. `rows`: of the ring."""

    memory: SSAValue
    rows: int = 1
    length: int = 0

    def index(self, builder: Builder, element: int | SSAValue) -> int | SSAValue:
        """Returns the index of an element in the buffer."""
        if self.rows == 1:
            return element
        row = builder.modulo(builder.add(kernels.TickOp()), self.rows)
        return builder.plus(builder.times(row, self.length), element)


class Buffers:
    """The buffers of a kernel program. A buffer of the C program gets its own at its first use."""

    def __init__(self, program: c.ProgramOp):
        self.block = Block()
        self.names = Names(())
        self.known: dict[c.BufferOp, SSAValue] = {}
        self.program = program
        for buffer in program.of_kind(c.Kind.INPUT, c.Kind.OUTPUT, c.Kind.PROBE):
            self.of(buffer.memory)

    def of(self, memory: SSAValue) -> SSAValue:
        """Returns the buffer that a buffer, row or view of the C program is in."""
        buffer = c.buffer_of(memory)
        if buffer not in self.known:
            if is_half(buffer.element) and buffer.kind.data is not c.Kind.CONSTANT:
                refuse_op(
                    buffer,
                    KNL001,
                    COMPUTED,
                    expected=WEIGHTS_ALONE,
                    found=f"{buffer.label.data} of {buffer.element}",
                    help=Phrase(OtherDevice()),
                )
            parts: dict[str, Attribute] = {}
            if buffer.values is not None:
                parts["values"] = buffer.values
            if buffer.node is not None:
                parts["node"] = buffer.node
            if buffer.is_spikes is not None:
                parts["spikes"] = UnitAttr()
            kind = kernels.Kind(str(buffer.kind.data))
            shape = c.memory_shape(buffer.memory)
            self.known[buffer] = self.add(buffer.label.data, kind, buffer.element, shape, parts)
        return self.known[buffer]

    def add(
        self,
        label: str,
        kind: kernels.Kind,
        element: Attribute,
        shape: Sequence[int],
        parts: dict[str, Attribute] | None = None,
    ) -> SSAValue:
        """Adds a buffer under a name like `label`. A constant of reals of 16 bits becomes one of f32, which has all of their numbers."""
        if is_half(element):
            given = (parts or {})["values"]
            assert isinstance(given, ArrayAttr)  # constants have values
            element, parts = f32, {**(parts or {}), "values": ArrayAttr.of(given.values.astype(np.float32))}
        properties: dict[str, Attribute] = {
            "label": StringAttr(self.names.take(label)),
            "kind": kernels.KindAttr(kind),
            **(parts or {}),
        }
        op = kernels.BufferOp.create(result_types=[MemRefType(element, shape)], properties=properties)
        self.block.add_op(op)
        return op.memory

    def constant(self, label: str, values: NDArray[Any], element: Attribute | None = None) -> SSAValue:
        """Adds a constant; integers without a type in the smallest that holds them, and in one of at least 32 bits where they exceed it."""
        if element is None:
            low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
            element = c.storage_for(Interval(low, high))
        dtype = np.dtype(f"{'u' if c.is_unsigned(element) else 'i'}{c.element_bytes(element)}")
        held = values if c.is_real(element) else values.astype(dtype)
        return self.add(label, kernels.Kind.CONSTANT, element, held.shape, {"values": ArrayAttr.of(held)})

    def place(self, memory: SSAValue) -> Place:
        """Returns the elements of an operand of the C program."""
        base = c.base_of(memory)
        owner = base.owner
        if isinstance(owner, c.RowOp):
            rows = c.memory_shape(owner.ring)[0]
            return Place(self.of(owner.ring), rows, c.length_of(base))
        return Place(self.of(base), 1, c.length_of(base))

    def past(self, bits: SSAValue) -> tuple[SSAValue, int]:
        """Returns the words with the past of each neuron, and the words of a neuron: 1 for up to 32 ticks, else 2. Shapes: [words, neurons]."""
        buffer = c.buffer_of(bits)
        bits_held = c.integer_bits(buffer.element)
        assert bits_held is not None  # verified: bits of the past
        words = -(-bits_held // WORD)
        if buffer not in self.known:
            zero: dict[str, Attribute] = {"values": ArrayAttr.of(np.zeros((), np.int32))}
            shape = (words, c.length_of(bits))
            self.known[buffer] = self.add(buffer.label.data, kernels.Kind.STATE, i32, shape, zero)
        return self.known[buffer], words


def constant_values(memory: SSAValue) -> NDArray[Any]:
    """Returns the numbers of a constant of the C program."""
    values = c.buffer_of(memory).values
    assert values is not None  # verified: constants have values
    return np.broadcast_to(values.values, c.memory_shape(c.buffer_of(memory).memory))


def interval_in(memory: SSAValue) -> Interval:
    """Returns the interval of integers in memory: of a constant, of its numbers; of spikes, 0 and 1; else, of its type."""
    buffer = c.buffer_of(memory)
    if buffer.kind.data is c.Kind.CONSTANT:
        values = constant_values(memory)
        return Interval(int(values.min()), int(values.max())) if values.size else Interval(0, 0)
    held = c.stored_interval(buffer.element, is_spikes=buffer.is_spikes is not None)
    assert held is not None  # integers
    return held
