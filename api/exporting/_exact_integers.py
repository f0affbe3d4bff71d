"""Check that float64 holds every integer of a network: sums, and values within updates."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ...analysis.integer_ranges import IntegerRanges
from ...analysis.neuron_ranges import ranges_of_step
from ...core.device.limits import OTHER_DEVICE
from ...core.diagnostics import Code, refuse_op
from ...core.fixed_point import EXACT_IN_F64, Interval
from ...dialects import ntensor
from .scalar_expressions import shown

PYT002 = Code("PYT002", "sum-exceeds-exact-reals", "a sum exceeds the integers that float64 holds")

EXACT = Interval(-EXACT_IN_F64, EXACT_IN_F64)


def require_exact(network: ntensor.NetworkOp) -> None:
    """Refuses integers of more than 53 bits. Errors: PYT002."""
    ranges, updates = IntegerRanges(network), ntensor.updates_of(network)
    for op in network.body.block.ops:
        if isinstance(op, ntensor.NeuronOp):
            require_exact_step(op, updates[op.update_name], ranges)
        elif op.results and (sums := ranges.sums(op)) is not None and not EXACT.holds(sums.partial):
            refuse_sum(op, str(sums.partial))


def require_exact_step(op: ntensor.NeuronOp, update: ntensor.UpdateOp, ranges: IntegerRanges) -> None:
    known = ranges_of_step(op, update, [ranges[x] for x in op.xs])
    for value, held in known.items():
        if not EXACT.holds(held):
            owner = value.owner
            refuse_sum(op, f"{held} of {shown(owner) if isinstance(owner, Operation) else named(update, value)}")


def named(update: ntensor.UpdateOp, value: SSAValue) -> str:
    """Returns the name of an argument of a step."""
    names = [*update.inputs, *update.states, *update.params]
    return next(name.data for name, arg in zip(names, update.step.block.args, strict=True) if arg is value)


def refuse_sum(op: Operation, found: str) -> None:
    refuse_op(op, PYT002, expected=f"integers of 53 bits, {EXACT}", found=found, help=OTHER_DEVICE)
