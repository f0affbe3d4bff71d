"""Memory of a C program: buffers, the layout of their elements, and views of them.

| kind | storage | written by |
| --- | --- | --- |
| `input`, `output`, `probe` | the caller's rows, in C order | the caller; the tick |
| `state` | the caller's struct, from tick to tick; saved and loaded | the tick |
| `constant` | the program | read-only |
| `scratch` | the caller's struct, within one tick; `zeroed` buffers are zero between ticks and share no bytes | the tick |

The logical shape of a buffer is its `memref` type, in flat C order. Under the layout `channels_last` the first axis varies
fastest in memory: [c, y, x] is stored as [y, x, c]. A margin adds positions before and after every other axis.

Weights of the type `si4` are packed in blocks of `block` elements, by default 2: byte k of a block holds element k of the flat C order in its low
half, and element k + block / 2 in its high half, each in two's complement. The last half of an odd number of elements is zero. Only constants that
scatters read as their table can be packed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Any, cast

from attrs import frozen
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.str_enum import StrEnum

from ...core.arrays.arrays import ArrayAttr, is_half
from ...core.diagnostics import Code, invalid
from ...core.fixed_point import Interval
from ...core.ir.operation import NoptOperation

CSR013 = Code("CSR013", "c-program-inconsistent", "a C program is not consistent")
CSR014 = Code("CSR014", "c-name-invalid-or-repeated", "a name is not a C identifier, or is used twice")

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
KEYWORDS = re.compile(
    r"auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register"
    r"|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while"
    r"|bool|true|false|u?int(8|16|32|64)_t|size_t|main"
    r"|NULL|NAN|INFINITY|EOF|errno|stdin|stdout|stderr"
)


def is_identifier(name: str) -> bool:
    """Returns whether a name is a C identifier that does not clash with a keyword or a library name."""
    return IDENTIFIER.fullmatch(name) is not None and KEYWORDS.fullmatch(name) is None


def verify_identifier(op: Operation, what: str, name: str, help: str) -> None:
    """Refuses a name that is not a C identifier. Errors: CSR014."""
    if not is_identifier(name):
        expected = "letters, digits and underscores, a letter first, not a keyword"
        invalid(op, CSR014, f"{what} is not a C identifier", expected=expected, found=name, help=help)


class Kind(StrEnum):
    INPUT = "input"
    OUTPUT = "output"
    STATE = "state"
    CONSTANT = "constant"
    SCRATCH = "scratch"
    PROBE = "probe"


class Layout(StrEnum):
    C = "c"
    CHANNELS_LAST = "channels_last"


@irdl_attr_definition
class KindAttr(EnumAttribute[Kind], SpacedOpaqueSyntaxAttribute):  # pyrefly: ignore[partially-unknown-type]
    """The kind of a buffer."""

    name = "c.kind"


@irdl_attr_definition
class LayoutAttr(EnumAttribute[Layout], SpacedOpaqueSyntaxAttribute):  # pyrefly: ignore[partially-unknown-type]
    """The order of the elements of a buffer in memory."""

    name = "c.layout"


# ---- element types


def storage_for(interval: Interval) -> IntegerType:
    """Returns the smallest C integer that holds an interval; it is unsigned if the interval has no negative number."""
    sign = Signedness.UNSIGNED if interval.low >= 0 else Signedness.SIGNED
    for bits in (8, 16, 32):
        held = Interval.unsigned(bits) if interval.low >= 0 else Interval.signed(bits)
        if held.holds(interval):
            return IntegerType(bits, sign)
    return IntegerType(64, Signedness.SIGNED)


PACKED = IntegerType(4, Signedness.SIGNED)
"""The element type of packed weights: two in a byte."""


def is_packed(element: Attribute) -> bool:
    """Returns whether two elements share a byte in memory."""
    return element == PACKED


def is_real(element: Attribute) -> bool:
    """Returns whether an element in memory is a real. Reals of 16 bits are computed as f32 or f64."""
    return isinstance(element, Float32Type | Float64Type) or is_half(element)


def storage_bytes(element: Attribute, length: int) -> int:
    """Returns the size of an array in memory, in whole bytes."""
    return -(-length // 2) if is_packed(element) else length * element_bytes(element)


def integer_bits(element: Attribute) -> int | None:
    """Returns the bits of an integer type in memory; None for another type. It narrows the static type of the width in one place."""
    if not isinstance(element, IntegerType):
        return None
    integer: IntegerType = element
    return integer.width.data


def is_unsigned(element: Attribute) -> bool:
    """Returns whether an element in memory is an integer without a sign."""
    if not isinstance(element, IntegerType):
        return False
    integer: IntegerType = element
    return integer.signedness.data is Signedness.UNSIGNED


def stored_interval(element: Attribute, *, is_spikes: bool = False) -> Interval | None:
    """Returns the interval of the integers that an element in memory can hold, for spikes 0 and 1; None for reals."""
    bits = integer_bits(element)
    if bits is None:
        return None
    if is_spikes:
        return Interval(0, 1)
    return Interval.unsigned(bits) if is_unsigned(element) else Interval.signed(bits)


def element_bytes(element: Attribute) -> int:
    """Returns the size of an element in memory, which is not packed."""
    bits = integer_bits(element)
    match element:
        case _ if bits is not None:
            return bits // 8
        case Float64Type():
            return 8
        case _ if is_half(element):
            return 2
        case _:
            return 4


def element_of_memory(value: SSAValue) -> Attribute:
    return memory_type(value).element_type


def memory_type(value: SSAValue) -> MemRefType[Attribute]:
    """Returns the type of a buffer or view. Operands are typed `SSAValue[Attribute]`; this is the only place that narrows the type."""
    return cast("MemRefType[Attribute]", value.type)


def memory_shape(value: SSAValue) -> tuple[int, ...]:
    return tuple(memory_type(value).get_shape())


def length_of(value: SSAValue) -> int:
    return prod(memory_shape(value))


# ---- layout


@frozen
class Placement:
    """Layout of the logical axes of a buffer in memory.

    `strides` are elements per step along each logical axis; `start` is the position of element 0 of all axes; `length` is the number of
    all elements with the margin.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    start: int
    length: int


def placement_of(value: SSAValue) -> Placement:
    """Returns the layout of a buffer, or of a row or view of a buffer. Only buffers of layout C have views of another shape."""
    owner = value.owner
    margin = owner.margin_pairs if isinstance(owner, BufferOp) else []
    return place(memory_shape(value), layout_of(value), margin)


def layout_of(value: SSAValue) -> Layout:
    return buffer_of(value).layout_data if memory_shape(base_of(value)) == memory_shape(value) else Layout.C


def place(shape: Sequence[int], layout: Layout, margin: Sequence[tuple[int, int]] = ()) -> Placement:
    """Returns the placement of a shape; `margin` has a pair for every axis but the first."""
    margin = list(margin) or [(0, 0)] * max(0, len(shape) - 1)
    sizes = [*shape[:1], *(before + n + after for n, (before, after) in zip(shape[1:], margin, strict=True))]
    axes = [*range(1, len(shape)), 0] if layout is Layout.CHANNELS_LAST and len(shape) > 1 else list(range(len(shape)))
    strides, step = [0] * len(shape), 1
    for axis in reversed(axes):
        strides[axis] = step
        step *= sizes[axis]
    start = sum(strides[1 + k] * before for k, (before, _) in enumerate(margin))
    return Placement(tuple(shape), tuple(strides), start, step)


# ---- ops


@irdl_op_definition
class BufferOp(NoptOperation):
    """Memory with a name. A constant has `values`; a state starts each run with `values` (one for all, or one for each element).

    Shapes: values () or that of the memory, in C order for every layout; margin [axes - 1, 2].
    Errors: CSR013 values of another shape, a constant without them, copies of other memory, or packed memory that is not a constant of integers of 4 bits
    in C order; CSR014 a name that is not a C identifier.
    """

    name = "c.buffer"
    label = prop_def(StringAttr)
    kind = prop_def(KindAttr)
    layout = opt_prop_def(LayoutAttr)
    margin = opt_prop_def(ArrayAttr)
    values = opt_prop_def(ArrayAttr)
    node = opt_prop_def(StringAttr)
    """The user's name of the input, output or record in this buffer."""
    zeroed = opt_prop_def(UnitAttr)
    is_spikes = opt_prop_def(UnitAttr, prop_name="spikes")
    """Every element is 0 or 1."""
    is_occasional = opt_prop_def(UnitAttr, prop_name="occasional")
    """A record in an interval of ticks: it is written where the caller passes a row, and a run has one for all of its ticks."""
    is_kept = opt_prop_def(UnitAttr, prop_name="kept")
    """A state that a restart of the network keeps, because it is learnt."""
    density = opt_prop_def(base(FloatAttr))
    """The observed fraction of nonzero elements per tick [1], if known."""
    offset = opt_prop_def(IntegerAttr.constr(i64))
    """The first element of a scratch buffer in the region of its element type; set by the memory plan."""
    block = opt_prop_def(IntegerAttr.constr(i64))
    """The elements of a block of packed weights, an even divisor of their number; 2 if it is not set."""
    copies = opt_prop_def(IntegerAttr.constr(i64))
    """How often a constant is stored, one copy after the other, for loops over several positions; set by the memory plan."""
    memory = result_def(base(MemRefType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$label qualified($kind) attr-dict `:` type($memory)"

    @property
    def element(self) -> Attribute:
        """Returns the type of its elements in memory."""
        return element_of_memory(self.memory)

    @property
    def row_length(self) -> int:
        """Returns the number of elements of a row; at least 1, because C has no empty arrays."""
        return max(1, length_of(self.memory))

    @property
    def row_bytes(self) -> int:
        """Returns the bytes of a row."""
        return self.row_length * element_bytes(self.element)

    @property
    def row_name(self) -> str:
        """Returns the user's name of an input, output or record."""
        return (self.node or self.label).data

    @property
    def block_size(self) -> int:
        """Returns the number of packed elements whose halves are in consecutive bytes."""
        return 2 if self.block is None else self.block.value.data

    @property
    def copy_count(self) -> int:
        """Returns how often its elements are stored."""
        return 1 if self.copies is None else self.copies.value.data

    @property
    def layout_data(self) -> Layout:
        return Layout.C if self.layout is None else self.layout.data

    @property
    def margin_pairs(self) -> list[tuple[int, int]]:
        return [] if self.margin is None else [(int(a), int(b)) for a, b in self.margin.values.tolist()]

    def verify_(self) -> None:
        verify_identifier(self, "the name of a buffer", self.label.data, "rename the buffer")
        shape = memory_shape(self.memory)
        if self.values is not None and self.values.shape not in ((), shape):
            inconsistent(self, "the values of a buffer have another shape", str(shape), str(self.values.shape))
        if self.kind.data is Kind.CONSTANT and self.values is None:
            inconsistent(self, "a constant has no values", "values", "none")
        if self.margin is not None and self.margin.shape != (len(shape) - 1, 2):
            inconsistent(self, "the margin does not match the shape", str((len(shape) - 1, 2)), str(self.margin.shape))
        if self.copies is not None and (self.kind.data is not Kind.CONSTANT or self.copy_count < 1):
            found = f"{self.copy_count} copies of {self.kind.data}"
            inconsistent(self, "only constants have copies", "1 or more copies of a constant", found)
        if is_packed(element_of_memory(self.memory)):
            self.verify_packed()

    def verify_packed(self) -> None:
        """Refuses packed memory that is not a constant of integers of 4 bits in C order. Errors: CSR013."""
        if self.kind.data is not Kind.CONSTANT or self.layout_data is not Layout.C:
            found = f"{self.kind.data}, {self.layout_data}"
            inconsistent(self, "packed memory is not a constant in C order", "constant, c", found)
        assert self.values is not None  # a constant has values
        if self.block is not None and (
            self.block_size < 2 or self.block_size % 2 or self.values.values.size % self.block_size
        ):
            found = f"{self.block_size} of {self.values.values.size}"
            inconsistent(self, "packed weights have no such blocks", "an even divisor of their number", found)
        values, held = self.values.values, Interval.signed(PACKED.width.data)
        if values.dtype.kind not in "iu" or not held.holds(
            Interval(int(values.min(initial=0)), int(values.max(initial=0)))
        ):
            found = f"{values.min(initial=0)} to {values.max(initial=0)}"
            inconsistent(self, "an element does not fit into 4 bits", f"integers from {held.low} to {held.high}", found)


@irdl_op_definition
class RowOp(NoptOperation):
    """The row of a ring at its cursor: a view without code. A ring of one row has no cursor.

    Shapes: ring [rows, *row], cursor [1]. Errors: CSR013 a row of another shape.
    """

    name = "c.row"
    ring = operand_def(base(MemRefType))
    cursor = opt_operand_def(base(MemRefType))
    row = result_def(base(MemRefType))
    traits = traits_def(Pure())
    assembly_format = "$ring (`at` $cursor^ `:` type($cursor) `,`)? attr-dict `of` type($ring) `->` type($row)"

    def __init__(self, ring: SSAValue, cursor: SSAValue | None):
        type = memory_type(ring)
        row = MemRefType(type.element_type, type.get_shape()[1:])
        super().__init__(operands=[ring, cursor], result_types=[row])

    def verify_(self) -> None:
        if memory_shape(self.ring)[1:] != memory_shape(self.row):
            inconsistent(self, "a row has another shape", str(memory_shape(self.ring)[1:]), str(memory_shape(self.row)))
        if self.cursor is None and memory_shape(self.ring)[0] != 1:
            inconsistent(self, "a ring of several rows has no cursor", "a cursor", "none")


@irdl_op_definition
class ViewOp(NoptOperation):
    """A reshape without code: the same elements in the same flat C order. Errors: CSR013 another number of elements."""

    name = "c.view"
    x = operand_def(base(MemRefType))
    y = result_def(base(MemRefType))
    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x) `->` type($y)"

    def __init__(self, x: SSAValue, shape: Sequence[int]):
        super().__init__(operands=[x], result_types=[MemRefType(memory_type(x).element_type, shape)])

    def verify_(self) -> None:
        if length_of(self.x) != length_of(self.y):
            inconsistent(self, "a view has another length", str(length_of(self.x)), str(length_of(self.y)))


def base_of(value: SSAValue) -> SSAValue:
    """Returns the buffer or row under a view."""
    while isinstance(owner := value.owner, ViewOp):
        value = owner.x
    return value


def buffer_of(value: SSAValue) -> BufferOp:
    """Returns the buffer that a row or view is part of."""
    value = base_of(value)
    if isinstance(owner := value.owner, RowOp):
        value = base_of(owner.ring)
    assert isinstance(value.owner, BufferOp)  # verified: memory is a buffer, a row of one, or a view
    return value.owner


def inconsistent(op: Operation, message: str, expected: str, found: str) -> Any:
    """Refuses an op that is not consistent with its memory."""
    invalid(op, CSR013, message, expected=expected, found=found, help="build the program with convert-ntensor-to-c")
