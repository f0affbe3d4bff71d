"""Chooses, scatter by scatter, whether to go through events only, or through all presynaptic neurons.

    c.rows "fc" %x, %table into %sums …
    =>
    c.events %x -> %list, %count …
    c.rows "fc" %x, %table into %sums events %list, %count …

A list of events costs a scan of the neurons, in words of 8 bytes, and saves the rows of weights of those that are silent. Both ways
add the same terms to the same sums in the same order, so they give the same bytes.

1. Convolutions always take events: what a word-wise scan costs is small beside a window.
2. So do compressed synapses, and terms, of which a zero is none.
3. Other synapses take events where `ntensor-calibrate` saw that at most `DENSE_SHARE` of the neurons are active in a tick; where
   nothing was observed, spikes and whole numbers take events, and so do inputs of the network, because most files declare as real
   numbers what are spikes; what neurons emit as real numbers does not.
4. Synapses with delays of their own look at the past, not at a list.

`activity=events` or `activity=dense` overrides 3.

Exactness: no number changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, MemRefType, ModuleOp, Signedness, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ....core.fixed_point import Interval
from ....core.pipeline import NoptPass
from ....dialects import c
from ....dialects.c import Kind, Layout, length_of, memory_shape

DENSE_SHARE = 0.5
"""Part of active neurons from which adding every row of weights, without a test, is faster than adding those of events."""


def takes_events(op: c.ScatterOp, activity: str) -> bool:
    if isinstance(op, c.CompressedOp) and op.ring is not None:  # 4
        return False
    if not isinstance(op, c.RowsOp) or op.combine is not None or op.is_finite is None:  # 1, 2
        return True
    if activity != "auto":
        return activity == "events"
    source = c.buffer_of(op.x)  # 3
    if source.density is not None:
        return source.density.value.data <= DENSE_SHARE
    return source.kind.data is Kind.INPUT or not c.is_real(c.element_of_memory(op.x))


def planes_of(op: c.ScatterOp) -> int:
    """In how many planes the events of an operand are listed, so that planes then positions are its flat order C."""
    base = c.base_of(op.x)
    if isinstance(op, c.WindowOp):
        return memory_shape(op.x)[0]
    return memory_shape(base)[0] if c.layout_of(base) is Layout.CHANNELS_LAST else 1


class Lists:
    """The lists of a program, one for each operand and number of planes."""

    def __init__(self, program: c.ProgramOp):
        self.program = program
        self.names = {buffer.label.data for buffer in program.buffers}
        self.found: dict[tuple[SSAValue, int], tuple[SSAValue, SSAValue]] = {}

    def scratch(self, label: str, element: Attribute, shape: tuple[int, ...]) -> SSAValue:
        name, k = label, 1
        while name in self.names:
            name, k = f"{label}_{k}", k + 1
        self.names.add(name)
        properties: dict[str, Attribute] = {"label": StringAttr(name), "kind": c.KindAttr(Kind.SCRATCH)}
        op = c.BufferOp.create(result_types=[MemRefType(element, shape)], properties=properties)
        block = self.program.body.block
        block.insert_op_before(op, self.program.tick)
        return op.memory

    def of(self, op: c.ScatterOp) -> tuple[SSAValue, SSAValue]:
        """The list and count of what an op reads, made before it where they are not there yet."""
        base, planes = c.base_of(op.x), planes_of(op)
        if (base, planes) not in self.found:
            each = length_of(base) // planes
            label = c.buffer_of(base).label.data
            entries = c.storage_for(Interval(0, max(0, each - 1)))
            entries = IntegerType(max(16, entries.width.data), Signedness.UNSIGNED)
            lists = self.scratch(f"{label}_events", entries, (planes, each))
            count = self.scratch(f"{label}_count", IntegerType(32, Signedness.UNSIGNED), (planes,))
            block = self.program.tick.body.block
            block.insert_op_before(c.EventsOp(base, lists, count), op)
            self.found[base, planes] = lists, count
        return self.found[base, planes]


def with_events(op: c.ScatterOp, lists: SSAValue, count: SSAValue) -> Operation:
    """The same scatter over a list of events."""
    regions = [region.clone() for region in op.regions] or [None]
    own: list[SSAValue | None] = []
    if isinstance(op, c.CompressedOp):
        own = [op.start, op.target, None, None, None, None]
    properties = {name: value for name, value in op.properties.items() if name != "operandSegmentSizes"}
    operands = [*own, op.x, op.table, op.sums, lists, count, op.shift]
    return type(op)(operands=operands, properties=properties, regions=regions)


@dataclass(frozen=True)
class CChooseEventsPass(NoptPass):
    """Gives the scatters of every `c.program` lists of events.

    Options:
        activity: `auto`, or for all that may go either way `events` or `dense`; default auto.
    """

    name = "c-choose-events"
    activity: Literal["auto", "events", "dense"] = "auto"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]:
            lists = Lists(program)
            block = program.tick.body.block
            for scatter in [inner for inner in block.ops if isinstance(inner, c.ScatterOp)]:
                if scatter.list is None and takes_events(scatter, self.activity):
                    block.insert_op_before(with_events(scatter, *lists.of(scatter)), scatter)
                    block.erase_op(scatter)
