"""Buffers of a kernel program, and the form of their elements in the memory of a device.

| kind | rows | written by |
| --- | --- | --- |
| `input`, `output`, `probe` | one for each sample and tick of a window | the host; the kernels |
| `state` | one for each sample, from tick to tick | the kernels |
| `scratch` | one for each sample, within one tick | the kernels |
| `shared` | one for each workgroup, within one dispatch | one kernel of the form `group` |
| `constant` | one | the host |

| storage | integers of | memory |
| --- | --- | --- |
| `plain` | any size | its own bytes |
| `wide` | 8 or 16 bits | a word of 32 bits |
| `packed` | 8 or 16 bits, constants alone | four or two in a word of 32 bits, the first in the lowest bits |
| `split` | 64 bits | two words of 32 bits, the lower first |
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, MemRefType, StringAttr, UnitAttr, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.utils.str_enum import StrEnum

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, invalid
from ...core.fixed_point import Interval
from ...core.ir.operation import NoptOperation
from ..c.memory import element_of_memory, integer_bits, length_of, memory_shape, stored_interval

KRN001 = Code("KRN001", "kernel-program-inconsistent", "a kernel program is not consistent")
REBUILD = "build the program with convert-c-to-kernels"


class Kind(StrEnum):
    INPUT = "input"
    OUTPUT = "output"
    PROBE = "probe"
    STATE = "state"
    SCRATCH = "scratch"
    SHARED = "shared"
    CONSTANT = "constant"


class Storage(StrEnum):
    PLAIN = "plain"
    WIDE = "wide"
    PACKED = "packed"
    SPLIT = "split"


class Form(StrEnum):
    GRID = "grid"
    GROUP = "group"


class Phase(StrEnum):
    ENTER = "enter"
    TICK = "tick"
    LEAVE = "leave"


ARENAS = {
    Kind.CONSTANT: "constant",
    Kind.STATE: "memory",
    Kind.SCRATCH: "memory",
    Kind.SHARED: "shared",
    Kind.INPUT: "input",
    Kind.OUTPUT: "output",
    Kind.PROBE: "output",
}
"""The memory that buffers of a kind share."""


@irdl_attr_definition
class KindAttr(EnumAttribute[Kind], SpacedOpaqueSyntaxAttribute):  # pyrefly: ignore[partially-unknown-type]
    """The kind of a buffer."""

    name = "kernels.kind"


@irdl_attr_definition
class StorageAttr(EnumAttribute[Storage], SpacedOpaqueSyntaxAttribute):  # pyrefly: ignore[partially-unknown-type]
    """The form of the elements of a buffer in memory."""

    name = "kernels.storage"


@irdl_attr_definition
class FormAttr(EnumAttribute[Form], SpacedOpaqueSyntaxAttribute):  # pyrefly: ignore[partially-unknown-type]
    """The form of a kernel: an invocation for each element, or a workgroup for each sample."""

    name = "kernels.form"


@irdl_attr_definition
class PhaseAttr(EnumAttribute[Phase], SpacedOpaqueSyntaxAttribute):  # pyrefly: ignore[partially-unknown-type]
    """When the stages of a group run: once before its ticks, in each, or once after them."""

    name = "kernels.phase"


def inconsistent(op: Operation, message: str, expected: str, found: str) -> None:
    """Refuses an op that is not consistent with its program. Errors: KRN001."""
    invalid(op, KRN001, message, expected=expected, found=found, help=REBUILD)


@irdl_op_definition
class BufferOp(NoptOperation):
    """Memory with a name: one row, or one for each sample; `values` are those of a constant, and of a state before the first tick.

    `offset` is the first element in the memory that buffers of the kind and type share; `kernels-plan-buffers` sets it.
    Errors: KRN001 values of another shape, a constant without them, or storage that the element or kind does not have.
    """

    name = "kernels.buffer"
    label = prop_def(StringAttr)
    kind = prop_def(KindAttr)
    storage = opt_prop_def(StorageAttr)
    values = opt_prop_def(ArrayAttr)
    node = opt_prop_def(StringAttr)
    """The user's name of the input, output or record in this buffer."""
    is_spikes = opt_prop_def(UnitAttr, prop_name="spikes")
    """Every element is 0 or 1."""
    offset = opt_prop_def(IntegerAttr.constr(i64))
    memory = result_def(base(MemRefType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$label qualified($kind) attr-dict `:` type($memory)"

    @property
    def element(self) -> Attribute:
        return element_of_memory(self.memory)

    @property
    def length(self) -> int:
        """Returns the elements of a row."""
        return length_of(self.memory)

    @property
    def entries(self) -> int:
        """Returns the entries of a row in its region: two for each element in split storage."""
        return self.length * (2 if self.form is Storage.SPLIT else 1)

    @property
    def interval(self) -> Interval | None:
        """Returns the interval of the integers that the buffer can hold; None for reals."""
        return stored_interval(self.element, is_spikes=self.is_spikes is not None)

    @property
    def row_name(self) -> str:
        """Returns the user's name of an input, output or record."""
        return (self.node or self.label).data

    @property
    def form(self) -> Storage:
        return Storage.PLAIN if self.storage is None else self.storage.data

    def verify_(self) -> None:
        shape = memory_shape(self.memory)
        if self.values is not None and self.values.shape not in ((), shape):
            inconsistent(self, "the values of a buffer have another shape", str(shape), str(self.values.shape))
        if self.kind.data is Kind.CONSTANT and self.values is None:
            inconsistent(self, "a constant has no values", "values", "none")
        if self.form is not Storage.PLAIN:
            element, bits = self.element, integer_bits(self.element)
            is_narrow = bits is not None and bits < 32
            fits = is_narrow and (self.form is Storage.PACKED) == (self.kind.data is Kind.CONSTANT)
            if not (bits == 64 if self.form is Storage.SPLIT else fits):
                expected = "packed constants and wide rows, of integers of 8 or 16 bits; split rows, of 64 bits"
                inconsistent(self, f"a buffer cannot be {self.form}", expected, f"{self.kind.data} of {element}")


def buffer_of(value: SSAValue) -> BufferOp:
    """Returns the buffer of an operand."""
    owner = value.owner
    assert isinstance(owner, BufferOp)  # verified: bindings are buffers
    return owner
