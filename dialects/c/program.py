"""Programs of the c dialect."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr, SymbolNameConstraint, i64
from xdsl.ir import Attribute, Region
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator, SymbolOpInterface

from ...core.diagnostics import invalid
from ...core.ir.operation import ComputesInOrder, NoptOperation
from ..ntensor.probes import NodeProbe, ProbedOperation
from .memory import (
    CSR014,
    BufferOp,
    Kind,
    element_of_memory,
    inconsistent,
    is_packed,
    verify_identifier,
)
from .synapses import other_reader


@irdl_op_definition
class TickOp(NoptOperation):
    """The ops of one tick, in order."""

    name = "c.tick"
    body = region_def("single_block")
    traits = lazy_traits_def(lambda: (NoTerminator(), HasParent(ProgramOp)))
    assembly_format = "attr-dict-with-keyword $body"

    def __init__(self, body: Region):
        super().__init__(regions=[body])


@irdl_op_definition
class ProgramOp(ProbedOperation):
    """A network as a C program: its memory, then one tick.

    Every name that the program defines starts with `prefix`. `preferences` holds the preferences of the device that only the emitter
    reads. Units: tick_ns [ns].
    Errors: CSR013 no tick, or several, or packed memory that an op reads as another operand than the table of a scatter; CSR014 a prefix or
    buffer name that is not a C identifier, or a name that is used twice; COR010 a value that is used before it is defined.
    """

    name = "c.program"
    sym_name = prop_def(SymbolNameConstraint())
    prefix = prop_def(StringAttr)
    tick_ns = prop_def(IntegerAttr.constr(i64))
    preferences = opt_prop_def(DictionaryAttr)
    body = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove(), NoTerminator(), ComputesInOrder())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"

    def __init__(self, name: str, prefix: str, tick_ns: int, body: Region, preferences: DictionaryAttr | None = None):
        properties: dict[str, Attribute | None] = {
            "sym_name": StringAttr(name),
            "prefix": StringAttr(prefix),
            "tick_ns": IntegerAttr(tick_ns, i64),
            "preferences": preferences,
        }
        super().__init__(properties=properties, regions=[body])

    @property
    def buffers(self) -> Iterator[BufferOp]:
        return (op for op in self.body.block.ops if isinstance(op, BufferOp))

    def of_kind(self, *kinds: Kind) -> list[BufferOp]:
        """Returns the buffers of some kinds, in their order."""
        return [buffer for buffer in self.buffers if buffer.kind.data in kinds]

    def places(self, probe: NodeProbe) -> list[str]:
        return [f"argument {row.label.data}" for row in self.of_kind(Kind.PROBE) if row.row_name == probe.array]

    @property
    def tick(self) -> TickOp:
        tick = self.body.block.last_op
        assert isinstance(tick, TickOp)  # verified
        return tick

    def preference(self, name: str, default: int | str) -> int | str:
        """Returns a preference that the emitter reads, or `default` if it is not set."""
        given = self.preferences.data.get(name) if self.preferences is not None else None
        if isinstance(given, IntegerAttr):
            return given.value.data
        return given.data if isinstance(given, StringAttr) else default

    def verify_(self) -> None:
        last = self.body.block.last_op
        ticks = [op for op in self.body.block.ops if isinstance(op, TickOp)]
        if len(ticks) != 1 or ticks[0] is not last:
            inconsistent(self, "a program does not end in its only tick", "one c.tick, last", f"{len(ticks)}")
        verify_identifier(self, "the prefix", self.prefix.data, "correct the prefix")
        seen: set[str] = set()
        for buffer in self.buffers:
            if buffer.label.data in seen:
                message = "two buffers have the same name"
                help = "rename one of the two"
                invalid(self, CSR014, message, expected="each name once", found=buffer.label.data, help=help)
            seen.add(buffer.label.data)
            if is_packed(element_of_memory(buffer.memory)):
                reader = other_reader(buffer.memory)
                if reader is not None:
                    found = f"an operand of {reader.name}"
                    inconsistent(buffer, "packed memory is not a table", "the table of scatters", found)
