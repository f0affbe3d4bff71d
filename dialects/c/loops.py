"""Loops over all elements of some buffers; neurons, sums, biases, scales and copies compile to them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, MemRefType, StringAttr, UnitAttr, i1, i64
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    var_operand_def,
)

from ...core.arrays.arrays import is_half
from ...core.ir.operation import NoptOperation, TerminatorOperation
from ..fixed import IntType
from ..ntensor import rounding_of
from .memory import element_of_memory, inconsistent, is_real, length_of, memory_shape


def can_read(element: Attribute, scalar: Attribute) -> bool:
    """Returns whether an element in memory can be read as a scalar of an update; integers become reals."""
    return can_write(element, scalar) or (isinstance(element, IntegerType) and is_real(scalar))


def is_rounded(element: Attribute, value: SSAValue) -> bool:
    """Returns whether memory of 16 bits holds a value without a change, because it was rounded to that format."""
    rounding = rounding_of(value)
    return not is_half(element) or (rounding is not None and rounding.into == element)


def can_write(element: Attribute, scalar: Attribute) -> bool:
    """Returns whether a scalar of an update can be written to an element in memory."""
    if isinstance(element, IntegerType):
        return scalar == i1 or isinstance(scalar, IntType)
    return is_real(element) and is_real(scalar)


@irdl_op_definition
class YieldOp(TerminatorOperation):
    """Terminator of a loop, with one value for each buffer that it writes, or of the `combine` region of a scatter, with the new sum."""

    name = "c.yield"


@irdl_op_definition
class LoopOp(NoptOperation):
    """Elementwise loop: `outs[e] = body(ins[e])` for every element e; an element is read from all buffers before it is written.

    The body has an argument for each of `ins`, in the type of the computation, and yields a value for each of `outs`. A buffer of
    one element is broadcast; one of shape [c, 1, ...] is broadcast along the axes of length 1. Buffers with the same number of elements
    but another shape are read in flat C order. `clears` lists the entries of `ins` that the loop sets to zero.

    Errors: CSR013 another number of elements, of arguments or of values; a type that memory cannot store, or reals that memory would round.
    """

    name = "c.loop"
    label = prop_def(StringAttr)
    clears = opt_prop_def(DenseArrayBase.constr(i64))
    is_split = opt_prop_def(UnitAttr, prop_name="split")
    """Each thread computes a part of the elements that it writes."""
    ins = var_operand_def(base(MemRefType))
    outs = var_operand_def(base(MemRefType))
    body = region_def("single_block")
    irdl_options = (ParsePropInAttrDict(), AttrSizedOperandSegments(as_property=True))
    assembly_format = (
        "$label `(` $ins `)` `->` `(` $outs `)` attr-dict `:` `(` type($ins) `)` `->` `(` type($outs) `)` $body"
    )

    def __init__(
        self, label: str, ins: Sequence[SSAValue], outs: Sequence[SSAValue], body: Region, clears: Sequence[int] = ()
    ):
        properties: dict[str, Attribute] = {"label": StringAttr(label)}
        if clears:
            properties["clears"] = DenseArrayBase.from_list(i64, list(clears))
        super().__init__(operands=[ins, outs], properties=properties, regions=[body])

    @property
    def cleared(self) -> list[int]:
        return [] if self.clears is None else [int(k) for k in self.clears.get_values()]

    @property
    def yielded(self) -> Sequence[SSAValue]:
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)  # verified
        return last.values

    def verify_(self) -> None:
        block = self.body.block
        if not isinstance(block.last_op, YieldOp):
            inconsistent(self, "a loop has no terminator", "c.yield", str(block.last_op and block.last_op.name))
        if (len(block.args), len(self.yielded)) != (len(self.ins), len(self.outs)):
            inconsistent(
                self,
                "the body of a loop does not match its buffers",
                f"{len(self.ins)} arguments and {len(self.outs)} values",
                f"{len(block.args)} arguments and {len(self.yielded)} values",
            )
        held = [
            *((can_read, scalar, memory) for scalar, memory in zip(block.args, self.ins, strict=True)),
            *((can_write, scalar, memory) for scalar, memory in zip(self.yielded, self.outs, strict=True)),
        ]
        for fits, scalar, memory in held:
            if not fits(element_of_memory(memory), scalar.type):
                inconsistent(
                    self, "the element type of a buffer does not match the value", str(scalar.type), str(memory.type)
                )
        for memory, value in zip(self.outs, self.yielded, strict=True):
            if not is_rounded(element_of_memory(memory), value):
                message = "a value would be rounded by its memory"
                expected = f"ntensor.round_real {element_of_memory(memory)}"
                inconsistent(self, message, expected, str(value.type))
        if any(not 0 <= k < len(self.ins) for k in self.cleared):
            inconsistent(
                self, "a loop clears a buffer that it does not read", f"below {len(self.ins)}", str(self.cleared)
            )
        sizes = {length_of(memory) for memory in self.outs}
        length = max([*sizes, *(length_of(memory) for memory in self.ins)], default=0)
        if any(size != length for size in sizes):
            inconsistent(self, "a loop writes buffers of different lengths", str(length), str(sorted(sizes)))
        for memory in self.ins:
            shape = memory_shape(memory)
            wide = [memory_shape(other) for other in (*self.outs, *self.ins) if length_of(other) == length]
            if length_of(memory) in (1, length):
                continue
            if not any(
                len(shape) == len(other) and all(n in (1, m) for n, m in zip(shape, other, strict=True))
                for other in wide
            ):
                inconsistent(self, "a loop reads a buffer of another length", str(length), str(shape))


@irdl_op_definition
class ClearOp(NoptOperation):
    """Assignment of zero to all elements of a buffer, margin included."""

    name = "c.clear"
    is_split = opt_prop_def(UnitAttr, prop_name="split")
    """Each thread computes a part of the elements that it writes."""
    memory = operand_def(base(MemRefType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$memory attr-dict `:` type($memory)"

    def __init__(self, memory: SSAValue):
        super().__init__(operands=[memory])
