"""Memory of a program in C: fields of the caller's struct, and constants; all sizes are known before compilation."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.ir import Attribute, SSAValue

from ....core.arrays.arrays import half_of, is_half
from ....core.half_precision import half_bits
from ....dialects import c
from ....dialects.c import Kind, Layout
from .functions import constant_name
from .text import c_type, dtype_of

CALLERS = (Kind.INPUT, Kind.OUTPUT, Kind.PROBE)


@frozen
class Field:
    """A member of the struct: an array of elements."""

    label: str
    element: Attribute
    length: int

    @property
    def bytes(self) -> int:
        return self.length * c.element_bytes(self.element)


def length_in(buffer: c.BufferOp) -> int:
    """Returns the number of elements of a buffer in memory, with its margin and copies; at least 1, because C has no empty arrays."""
    return max(1, c.placement_of(buffer.memory).length * buffer.copy_count)


def region_label(element: Attribute) -> str:
    """Returns the member that scratch memory of an element type shares."""
    return f"shared_{c_type(element).removesuffix('_t')}"


class Memory:
    """The struct of a program, its constants, and the addresses of both in a tick."""

    def __init__(self, program: c.ProgramOp):
        self.program = program
        self.states = program.of_kind(Kind.STATE)
        self.constants = program.of_kind(Kind.CONSTANT)
        scratch = program.of_kind(Kind.SCRATCH)
        shared: dict[str, Field] = {}
        self.own = [b for b in scratch if b.offset is None]
        """Scratch memory that is not shared."""
        for buffer in scratch:
            if buffer.offset is not None:
                element = buffer.element
                label, end = region_label(element), buffer.offset.value.data + length_in(buffer)
                before = shared.get(label)
                shared[label] = Field(label, element, max(end, before.length if before else 0))
        fields = [self.field(b) for b in self.states]
        rest = [*(self.field(b) for b in self.own), *shared.values()]
        self.state_fields = fields
        self.fields = sorted([*fields, *rest], key=lambda f: (-c.element_bytes(f.element), -f.length))
        """Members, largest elements first, so that only the end of the struct is padded; among those, the longest first, because short arrays before them would move
        large ones away from multiples of a vector."""

    @staticmethod
    def field(buffer: c.BufferOp) -> Field:
        return Field(buffer.label.data, buffer.element, length_in(buffer))

    @property
    def struct_bytes(self) -> int:
        """Returns the size of the struct."""
        size = sum(f.bytes for f in self.fields)
        most = max((c.element_bytes(f.element) for f in self.fields), default=1)
        return max(1, -(-size // most) * most)

    @property
    def state_bytes(self) -> int:
        return sum(f.bytes for f in self.state_fields)

    @property
    def constant_bytes(self) -> int:
        arrays = [*self.constants, *(b for b in self.states if self.start_of(b) is not None)]
        return sum(c.storage_bytes(b.element, length_in(b)) for b in arrays)

    def keep_constants(self, names: Container[str]) -> None:
        """Removes the constants that no function reads, because intervals turned them into numbers."""
        prefix = self.program.prefix.data
        self.constants = [b for b in self.constants if constant_name(prefix, b) in names]

    def start_of(self, buffer: c.BufferOp) -> NDArray[Any] | None:
        """Returns the initial elements of a state if they differ, else None."""
        values = None if buffer.values is None else buffer.values.values
        return None if values is None or not values.ndim else values

    def address(self, memory: SSAValue) -> str:
        """Returns the argument expression that passes memory from `net_step` to the function of an op."""
        base = c.base_of(memory)
        buffer = c.buffer_of(base)
        label, kind = buffer.label.data, buffer.kind.data
        if kind in CALLERS:
            return label
        if kind is Kind.SCRATCH and buffer.offset is not None:
            offset = buffer.offset.value.data
            return f"self->{region_label(c.element_of_memory(base))}" + (f" + {offset}" if offset else "")
        owner = base.owner
        if isinstance(owner, c.RowOp) and owner.cursor is not None:
            cursor = c.buffer_of(owner.cursor).label.data
            return f"self->{label} + (size_t)self->{cursor}[0] * {c.length_of(base)}"
        return f"self->{label}"


def arrange_values(buffer: c.BufferOp, values: NDArray[Any]) -> NDArray[Any]:
    """Returns values in their order and type in memory."""
    element = buffer.element
    shape = c.memory_shape(buffer.memory)
    full = np.broadcast_to(values, shape)
    if buffer.layout_data is Layout.CHANNELS_LAST and len(shape) > 1:
        full = np.moveaxis(full, 0, -1)
    flat = np.ascontiguousarray(full).reshape(-1)
    flat = np.tile(flat, buffer.copy_count) if buffer.copy_count > 1 else flat
    if c.is_packed(element):
        return packed(flat, buffer.block_size)
    if is_half(element):
        return half_bits(flat if flat.size else np.zeros(1, np.float32), half_of(element))
    return (flat if flat.size else np.zeros(1)).astype(dtype_of(element), copy=False)


def packed(integers: NDArray[Any], block: int) -> NDArray[Any]:
    """Returns integers of 4 bits in two's complement: byte k of a block has element k in its low half, and element k + block / 2 in its high half."""
    halves = np.zeros(integers.size + integers.size % 2, np.uint8)
    halves[: integers.size] = integers.astype(np.int8).view(np.uint8) & np.uint8(15)
    blocks = halves.reshape(-1, 2, block // 2)
    return (blocks[:, 0] | blocks[:, 1] << np.uint8(4)).reshape(-1)


def arrays_of(memory: Memory) -> Iterator[tuple[str, Attribute, NDArray[Any]]]:
    """Yields every constant array of the program: its name, element type and elements in memory order."""
    prefix = memory.program.prefix.data
    for buffer in memory.constants:
        assert buffer.values is not None  # verified
        yield (
            constant_name(prefix, buffer),
            buffer.element,
            arrange_values(buffer, buffer.values.values),
        )
    for buffer in memory.states:
        if (values := memory.start_of(buffer)) is not None:
            yield constant_name(prefix, buffer), buffer.element, arrange_values(buffer, values)
