"""Delays as rings of rows in the state: read at their position in the order, written at the end of the tick."""

from __future__ import annotations

from xdsl.dialects.builtin import i1, i64
from xdsl.ir import SSAValue

from ....core.ir.operation import element_type, shape_of
from ....dialects import c
from ....dialects.ntensor import DelayOp
from .program import storage_type
from .synapses import name_of
from .values import Values


class Delays:
    """The delays of a network."""

    def __init__(self, values: Values):
        self.values = values
        self.rings: dict[DelayOp, SSAValue] = {}
        """The row of each delay of at least one tick that receives the input of this tick."""
        self.rows: set[SSAValue] = set()
        """The same rows: memory that the end of the tick overwrites."""

    def read(self, op: DelayOp) -> None:
        """Adds the ops that read the output of a delay from its ring, before all other ops of the tick. The delay is at least one tick."""
        ticks, program, shape = op.ticks.values.reshape(-1), self.values.program, shape_of(op.y)
        element = storage_type(element_type(op.y))
        longest = int(ticks.max(initial=1))
        is_even = not ticks.size or bool((ticks == longest).all())
        rows = longest if is_even else longest + 1
        spikes = element_type(op.y) == i1
        ring = program.state(f"{name_of(op)}_ring", element, (rows, *shape), spikes=spikes)
        cursor = program.cursor(rows)
        self.rings[op] = program.row(ring, cursor)
        self.rows.add(self.rings[op])
        if is_even:
            self.values.held[op.y] = self.rings[op]
            return
        assert cursor is not None  # different delays need several rows
        self.values.held[op.y] = self.gathered(op, ring, cursor)

    def gathered(self, op: DelayOp, ring: SSAValue, cursor: SSAValue) -> SSAValue:
        y = self.values.program.scratch(name_of(op), c.element_of_memory(ring), shape_of(op.y))
        ticks = self.values.program.constant(f"{name_of(op)}_ticks", op.ticks.values, i64)
        self.values.program.add(c.GatherOp(ring, cursor, ticks, y))
        return y

    def write(self, op: DelayOp) -> None:
        """Ends the tick of a delay. The row of another delay is copied first, because that delay may be written earlier."""
        x = self.values.memory(op.x)
        if c.base_of(x) in self.rows:
            aside = self.values.program.scratch(f"{name_of(op)}_aside", c.element_of_memory(x), shape_of(op.x))
            self.values.program.copy(f"{name_of(op)}_aside", x, aside)
            x = aside
        self.values.program.copy(name_of(op), x, self.rings[op], last=True)

    def pass_on(self, op: DelayOp) -> SSAValue:
        """Adds a delay of zero ticks for some or all neurons."""
        ticks, program, x = op.ticks.values, self.values.program, self.values.memory(op.x)
        if not ticks.size or not ticks.any():
            return program.view(x, shape_of(op.y))
        rows = int(ticks.max()) + 1
        ring = program.state(f"{name_of(op)}_ring", c.element_of_memory(x), (rows, *shape_of(op.y)))
        cursor = program.cursor(rows)
        assert cursor is not None  # one delay is zero, another is not
        program.copy(f"{name_of(op)}_ring", x, program.row(ring, cursor))
        return self.gathered(op, ring, cursor)
