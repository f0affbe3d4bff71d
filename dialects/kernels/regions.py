"""Memory of a kernel program: the regions that are bound to kernels, and the address of every element in them.

A region is one buffer of the device. Buffers without an offset have their own; those with an offset share one with all buffers of the same role and
type of words.

| role | address of element `k` of a row of `length` elements, of sample `s` of `samples` and tick `t` of a window of `window` |
| --- | --- |
| `constant` | `k` |
| `memory` | `s length + k`; `k samples + s` if the program is interleaved |
| `shared` | `k`, in the memory of the workgroup |
| `input`, `output` | `(s window + t) length + k` |
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, frozen
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import SSAValue

from ..c import element_bytes, integer_bits, is_unsigned
from .memory import ARENAS, BufferOp, Kind, Storage, buffer_of

WORD_BYTES = 4


@frozen
class Word:
    """The type of the words of a region: `f32`, `f64`, or integers; `packed` elements share a word of 32 bits."""

    kind: str
    """`f`, `i` or `u`, as NumPy writes it."""
    bits: int
    packed: int = 1

    @property
    def name(self) -> str:
        return f"{self.kind}{self.bits}" + (f"x{self.packed}" if self.packed > 1 else "")

    @property
    def dtype(self) -> str:
        """Returns the name of the NumPy type of an element."""
        return f"{self.kind}{self.bits // 8}"

    def bytes_of(self, elements: int) -> int:
        """Returns the bytes of elements in memory."""
        return -(-elements // self.packed) * WORD_BYTES if self.packed > 1 else elements * self.bits // 8


def word_of(buffer: BufferOp) -> Word:
    """Returns the type of words of a buffer in memory."""
    plain = plain_word(buffer)
    match buffer.form:
        case Storage.WIDE:
            return Word("i", 8 * WORD_BYTES)
        case Storage.SPLIT:
            return Word("u", 8 * WORD_BYTES)
        case Storage.PACKED:
            return Word(plain.kind, plain.bits, 8 * WORD_BYTES // plain.bits)
        case _:
            return plain


def plain_word(buffer: BufferOp) -> Word:
    """Returns the type of the elements of a buffer."""
    element, bits = buffer.element, integer_bits(buffer.element)
    if bits is not None:
        return Word("u" if is_unsigned(element) else "i", bits)
    assert isinstance(element, Float32Type | Float64Type)  # verified: memory holds reals of 32 or 64 bits and integers
    return Word("f", 8 * element_bytes(element))


@define
class MemoryRegion:
    """A buffer of the device. `length`: elements of a row; `buffers`: those in it; `names`: unique in the program."""

    name: str
    role: str
    word: Word
    length: int
    buffers: list[BufferOp]

    @property
    def row_bytes(self) -> int:
        return self.word.bytes_of(self.length)

    @property
    def is_constant(self) -> bool:
        return self.role == ARENAS[Kind.CONSTANT]

    @property
    def is_shared(self) -> bool:
        """Returns whether it is in the memory of a workgroup, which no host binds."""
        return self.role == ARENAS[Kind.SHARED]


class Memory:
    """The regions of a program in the order of their first buffers, and the place of every buffer."""

    def __init__(self, buffers: Iterable[BufferOp]):
        self.regions: list[MemoryRegion] = []
        self.places: dict[BufferOp, tuple[MemoryRegion, int]] = {}
        shared: dict[tuple[str, Word], MemoryRegion] = {}
        for buffer in buffers:
            role, word = ARENAS[buffer.kind.data], word_of(buffer)
            if buffer.offset is None:
                region = MemoryRegion(f"{buffer.label.data}_{role}", role, word, 0, [])
                self.regions.append(region)
                offset = 0
            else:
                if (role, word) not in shared:
                    shared[role, word] = MemoryRegion(f"{role}_{word.name}", role, word, 0, [])
                    self.regions.append(shared[role, word])
                region, offset = shared[role, word], buffer.offset.value.data
            region.buffers.append(buffer)
            region.length = max(region.length, offset + max(1, buffer.entries))
            self.places[buffer] = region, offset

    def of(self, memory: SSAValue) -> tuple[MemoryRegion, int]:
        """Returns the region of a buffer, and its first element there."""
        return self.places[buffer_of(memory)]

    def bound(self, memories: list[SSAValue]) -> list[MemoryRegion]:
        """Returns the regions of some buffers that the host binds, each once, in the order of the regions."""
        return [region for region in self.used(memories) if not region.is_shared]

    def shared(self, memories: list[SSAValue]) -> list[MemoryRegion]:
        """Returns the regions of some buffers that are in the memory of a workgroup."""
        return [region for region in self.used(memories) if region.is_shared]

    def used(self, memories: list[SSAValue]) -> list[MemoryRegion]:
        used = {id(self.of(memory)[0]) for memory in memories}
        return [region for region in self.regions if id(region) in used]

    def sample_bytes(self) -> int:
        """Returns the bytes of the memory of a sample, without the rows of inputs and outputs."""
        return sum(region.row_bytes for region in self.regions if region.role == ARENAS[Kind.STATE])

    def shared_bytes(self) -> int:
        """Returns the bytes of the memory of a workgroup."""
        return sum(region.row_bytes for region in self.regions if region.is_shared)

    def constant_bytes(self) -> int:
        return sum(region.row_bytes for region in self.regions if region.is_constant)

    def tick_bytes(self) -> int:
        """Returns the bytes of the inputs and outputs of a sample in a tick."""
        return sum(region.row_bytes for region in self.regions if region.role in ("input", "output"))
