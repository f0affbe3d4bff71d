"""Chooses for each scatter whether it visits events only, or all presynaptic neurons.

    c.rows "fc" %x, %table into %sums …
    =>
    c.events %x -> %list, %count …
    c.rows "fc" %x, %table into %sums events %list, %count …

A list of events costs a scan of the neurons, in words of 8 bytes, and skips the rows of weights of silent neurons. Both methods
add the same terms to the same sums in the same order, so their results are equal.

1. Convolutions always use events: the word-wise scan is cheap compared with a window.
2. Compressed synapses and bitmaps use events, and so do terms, because a term of zero is skipped.
3. Other synapses use events if `ntensor-calibrate` observed that at most `DENSE_SHARE` of the neurons are active in a tick. Without
   observations, spikes and whole numbers use events. Inputs of the network do, too, because most files declare spike inputs as
   reals. Real outputs of neurons do not.
4. Synapses with individual delays read the past, not a list.

`activity=events` or `activity=dense` overrides 3; `events` and `dense` override all but 4 for the nodes that they name.

Exactness: no number changes. Errors: CSR007 a name that is not a synapse op of the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, Signedness
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from ....core.diagnostics import Code, refuse
from ....core.fixed_point import Interval
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import c
from ....dialects.c import Kind, Layout, length_of, memory_shape
from ..building.program import Additions, identifier

CSR007 = Code("CSR007", "selected-synapse-op-missing", "no synapse op has a given name")

DENSE_SHARE = 0.5
"""Fraction of active neurons above which adding every row of weights without a test is faster than adding the rows of events."""


def scatters_of(program: c.ProgramOp) -> list[c.ScatterOp]:
    return [op for op in program.tick.body.block.ops if isinstance(op, c.ScatterOp)]


def takes_events(op: c.ScatterOp, activity: str) -> bool:
    """Returns whether a scatter uses events by default."""
    if not isinstance(op, c.RowsOp) or op.combine is not None or op.is_finite is None:  # 1, 2
        return True
    if activity != "auto":
        return activity == "events"
    source = c.buffer_of(op.x)  # 3
    if source.density is not None:
        return source.density.value.data <= DENSE_SHARE
    return source.kind.data is Kind.INPUT or not c.is_real(c.element_of_memory(op.x))


def planes_of(op: c.ScatterOp) -> int:
    """Returns the number of planes of the event lists, such that planes then positions are the operand's flat order C."""
    base = c.base_of(op.x)
    if isinstance(op, c.WindowOp):
        return memory_shape(op.x)[0]
    return memory_shape(base)[0] if c.layout_of(base) is Layout.CHANNELS_LAST else 1


class Lists:
    """The lists of a program, one for each operand and number of planes."""

    def __init__(self, program: c.ProgramOp):
        self.program = program
        self.additions = Additions(program)
        self.found: dict[tuple[SSAValue, int], tuple[SSAValue, SSAValue]] = {}

    def of(self, op: c.ScatterOp) -> tuple[SSAValue, SSAValue]:
        """Returns the list and count for the operand of an op, created before the op if they are missing."""
        base, planes = c.base_of(op.x), planes_of(op)
        if (base, planes) not in self.found:
            each = length_of(base) // planes
            label = c.buffer_of(base).label.data
            entries = c.storage_for(Interval(0, max(0, each - 1)))
            entries = IntegerType(max(16, entries.width.data), Signedness.UNSIGNED)
            lists = self.additions.buffer(f"{label}_events", Kind.SCRATCH, entries, (planes, each))
            counts = IntegerType(32, Signedness.UNSIGNED)
            count = self.additions.buffer(f"{label}_count", Kind.SCRATCH, counts, (planes,))
            block = self.program.tick.body.block
            block.insert_op_before(c.EventsOp(base, lists, count), op)
            self.found[base, planes] = lists, count
        return self.found[base, planes]


def with_events(op: c.ScatterOp, lists: SSAValue, count: SSAValue) -> Operation:
    """Returns the same scatter over a list of events."""
    regions = [region.clone() for region in op.regions] or [None]
    own: list[SSAValue | None] = []
    if isinstance(op, c.CompressedOp):
        own = [op.start, op.target, None, None, None, None]
    elif isinstance(op, c.BitmapOp):
        own = [op.start, op.bits]
    properties = {name: value for name, value in op.properties.items() if name != "operandSegmentSizes"}
    operands = [*own, op.x, op.table, op.sums, lists, count, op.shift, op.scale, op.zero]
    return type(op)(operands=operands, properties=properties, regions=regions)


@dataclass
class UseEvents(RewritePattern):
    """rows(x, table) => rows(x, table) events(x), and the same for other scatters"""

    lists: Lists
    activity: str
    chosen: Mapping[str, bool]
    """Whether nodes use events, by label."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: c.ScatterOp, rewriter: PatternRewriter, /) -> None:
        is_chosen = self.chosen.get(op.label.data, takes_events(op, self.activity))
        if is_chosen and op.list is None and not (isinstance(op, c.CompressedOp) and op.ring is not None):  # 4
            rewriter.replace(op, with_events(op, *self.lists.of(op)))


@dataclass(frozen=True)
class CChooseEventsPass(NoptPass):
    """Adds lists of events to the scatters of every `c.program`.

    Options:
        activity: `auto`, or `events` or `dense` for all scatters with a choice; default auto.
        events, dense: nodes that always use events, or all neurons, `dense=fc1,"2"`; default none.
    """

    name = "c-choose-events"
    activity: Literal["auto", "events", "dense"] = "auto"
    events: tuple[str, ...] = ()
    dense: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        programs = [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]
        scatters = [scatter for program in programs for scatter in scatters_of(program)]
        self.check({scatter.label.data for scatter in scatters})
        chosen = {identifier(name): False for name in self.dense} | {identifier(name): True for name in self.events}
        for program in programs:
            pattern = UseEvents(Lists(program), self.activity, chosen)
            PatternRewriteWalker(pattern, apply_recursively=False).rewrite_region(program.tick.body)

    def check(self, labels: set[str]) -> None:
        """Refuses names of missing nodes."""
        unknown = [name for name in (*self.events, *self.dense) if identifier(name) not in labels]
        if unknown:
            near = get_close_matches(unknown[0], sorted(labels), 1)
            refuse(
                CSR007,
                f'no synapse op is called "{unknown[0]}"',
                at=pass_text(self),
                expected=", ".join(sorted(labels)) or "none: the program has no synapses",
                found=unknown[0],
                help=f"{'events' if unknown[0] in self.events else 'dense'}={near[0]}" if near else None,
            )
