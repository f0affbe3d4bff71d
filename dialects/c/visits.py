"""Visits of a C program: changes of synapses and traces at the events of neurons.

    c.visit "fc_pre" if %learning on %x by %start places(%target) (%w, %y) -> (%w) {reads = [-1, 0], writes = [-1]} …

    for each group g whose event is not 0: for each member s of g: outs[s] = body(ins[s])

Groups are visited in their order, and members in theirs. An element is read from all buffers before it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, MemRefType, StringAttr, i64
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    var_operand_def,
)

from ...core.ir.operation import NoptOperation
from .loops import YieldOp, can_read, can_write
from .memory import element_of_memory, inconsistent, length_of, memory_shape

SINGLE, GROUP, MEMBER, PLACE_IN_GROUP, EVENT_ROW = -5, -2, -1, -3, -4
"""The element of a buffer that a visit accesses: its only one, that of the group, that of the member, that of the member's place in its group, or
that of the member in the row of the event, of a buffer of rows. A number from 0 is the element that the table of places names for the member."""
WAYS = (SINGLE, GROUP, MEMBER, PLACE_IN_GROUP, EVENT_ROW)


@irdl_op_definition
class VisitOp(NoptOperation):
    """Visit of the groups that have an event: `outs = body(ins)` for each member of the group.

    `switch` is 0 if nothing is visited. The event of group g is element `neuron[g]` of `events`, or g itself; with `delay`, that of a number of ticks
    ago, from a ring of rows at its cursor. Without `events` all groups have one. Members `start[g]` to `start[g + 1]` belong to group g; without
    `start`, group g has the member g. With `member`, a table names each of them. `reads` and `writes` list the element of each of `ins` and `outs` that a member
    accesses. The last arguments of the body are random numbers, one for each of `draws`, for (`seed`, `clock`, draw, `marks[member]`).

    Shapes: events [neurons] or [rows, neurons]; neuron, delay [groups]; start [groups + 1]; member and places [members]; switch, cursor, clock [1].
    Errors: CSR013 other numbers of elements, arguments or values, a type that memory cannot store, an unknown access.
    """

    name = "c.visit"
    label = prop_def(StringAttr)
    groups = prop_def(IntegerAttr.constr(i64))
    reads = prop_def(DenseArrayBase.constr(i64))
    writes = prop_def(DenseArrayBase.constr(i64))
    seed = opt_prop_def(IntegerAttr.constr(i64))
    draws = opt_prop_def(DenseArrayBase.constr(i64))
    switch = opt_operand_def(base(MemRefType))
    events = opt_operand_def(base(MemRefType))
    neuron = opt_operand_def(base(MemRefType))
    delay = opt_operand_def(base(MemRefType))
    cursor = opt_operand_def(base(MemRefType))
    start = opt_operand_def(base(MemRefType))
    member = opt_operand_def(base(MemRefType))
    clock = opt_operand_def(base(MemRefType))
    marks = opt_operand_def(base(MemRefType))
    places = var_operand_def(base(MemRefType))
    ins = var_operand_def(base(MemRefType))
    outs = var_operand_def(base(MemRefType))
    body = region_def("single_block")
    irdl_options = (ParsePropInAttrDict(), AttrSizedOperandSegments(as_property=True))
    assembly_format = (
        "$label (`if` $switch^ `:` type($switch))? (`on` $events^ `:` type($events))? (`of` $neuron^ `:` type($neuron))?"
        " (`late` $delay^ `:` type($delay))? (`at` $cursor^ `:` type($cursor))? (`by` $start^ `:` type($start))?"
        " (`list` $member^ `:` type($member))? (`clock` $clock^ `:` type($clock))? (`marks` $marks^ `:` type($marks))?"
        " (`places` $places^ `:` type($places))?"
        " `(` $ins `)` `->` `(` $outs `)` attr-dict `:` `(` type($ins) `)` `->` `(` type($outs) `)` $body"
    )

    @property
    def ways(self) -> Iterator[tuple[SSAValue, int]]:
        """Yields each of `ins` and `outs` with its access."""
        for memories, given in ((self.ins, self.reads), (self.outs, self.writes)):
            yield from zip(memories, (int(k) for k in given.get_values()), strict=True)

    @property
    def drawn(self) -> list[int]:
        return [] if self.draws is None else [int(k) for k in self.draws.get_values()]

    @property
    def yielded(self) -> Sequence[SSAValue]:
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)  # verified
        return last.values

    @property
    def members(self) -> int | None:
        """Returns the number of members; None if only `start` knows it."""
        if self.start is None:
            return self.groups.value.data
        tables = [memory for memory in (self.member, self.marks, *self.places) if memory is not None]
        return length_of(tables[0]) if tables else None

    def verify_(self) -> None:
        block = self.body.block
        if not isinstance(block.last_op, YieldOp):
            inconsistent(self, "a visit has no terminator", "c.yield", str(block.last_op and block.last_op.name))
        found = len(block.args), len(self.yielded), len(self.reads), len(self.writes)
        wanted = len(self.ins) + len(self.drawn), len(self.outs), len(self.ins), len(self.outs)
        if found != wanted:
            message = "the body of a visit does not match its buffers"
            inconsistent(self, message, f"{wanted} arguments, values and accesses", str(found))
        for fits, scalar, memory in (
            *((can_read, scalar, memory) for scalar, memory in zip(block.args, self.ins, strict=False)),
            *((can_write, scalar, memory) for scalar, memory in zip(self.yielded, self.outs, strict=True)),
        ):
            if not fits(element_of_memory(memory), scalar.type):
                message = "the element type of a buffer does not match the value"
                inconsistent(self, message, str(scalar.type), str(memory.type))
        self.verify_tables()

    def verify_tables(self) -> None:
        """Refuses tables that do not match the groups and members. Errors: CSR013."""
        groups = self.groups.value.data
        for memory, wanted in ((self.neuron, groups), (self.delay, groups), (self.start, groups + 1)):
            if memory is not None and length_of(memory) != wanted:
                message = "a table of groups has another length"
                inconsistent(self, message, str(wanted), str(length_of(memory)))
        for memory in (self.marks, *self.places):
            if memory is not None and self.members not in (None, length_of(memory)):
                message = "a table of members has another length"
                inconsistent(self, message, str(self.members), str(length_of(memory)))
        if self.delay is not None and (self.events is None or self.cursor is None):
            inconsistent(self, "late events have no ring", "events at a cursor", "none")
        if bool(self.drawn) != (self.clock is not None) or (self.clock is None) != (self.marks is None):
            inconsistent(self, "random numbers have no clock and marks", "draws, a clock and marks", "some of them")
        for memory, way in self.ways:
            if way not in WAYS and not 0 <= way < len(self.places):
                message = "a visit accesses an unknown element"
                inconsistent(self, message, f"{min(WAYS)} to {len(self.places) - 1}", str(way))
            if way == SINGLE and length_of(memory) != 1:
                inconsistent(self, "a visit reads the only element of several", "1 element", str(length_of(memory)))
            if way == EVENT_ROW and (self.cursor is None or len(memory_shape(memory)) != 2):
                inconsistent(self, "a visit accesses a row of memory without rows", "a ring", str(memory.type))


def visit(
    label: str,
    groups: int,
    ins: Sequence[tuple[SSAValue, int]],
    outs: Sequence[tuple[SSAValue, int]],
    body: Region,
    *,
    places: Sequence[SSAValue] = (),
    random: tuple[int, Sequence[int]] | None = None,
    **operands: SSAValue | None,
) -> VisitOp:
    """Returns a visit. Options: random: the seed and the draws; operands: the others by name."""
    properties: dict[str, Attribute] = {"label": StringAttr(label), "groups": IntegerAttr(groups, i64)}
    for name, ways in (("reads", ins), ("writes", outs)):
        properties[name] = DenseArrayBase.from_list(i64, [way for _, way in ways])
    if random is not None and random[1]:
        properties |= {"seed": IntegerAttr(random[0], i64), "draws": DenseArrayBase.from_list(i64, [*random[1]])}
    names = ("switch", "events", "neuron", "delay", "cursor", "start", "member", "clock", "marks")
    single = [operands.get(name) for name in names]
    buffers = [[memory for memory, _ in ways] for ways in (ins, outs)]
    return VisitOp(operands=[*single, list(places), *buffers], properties=properties, regions=[body])
