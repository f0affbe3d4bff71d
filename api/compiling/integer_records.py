"""The integers of a compiled network: sums that provably fit into their types, the overflow of states, and the units of outputs.

A sum is proven by interval arithmetic over its weights, its bias and all integers that its operands can be (`analysis/integer_ranges.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Operation, SSAValue

from ...analysis.integer_ranges import IntegerRanges
from ...analysis.output_units import output_units
from ...core.diagnostics import describe_op
from ...core.fixed_point import Interval
from ...core.ir.graph_region import walk_upstream
from ...core.ir.operation import element_type
from ...core.number_texts import counted_text
from ...dialects import fixed, ntensor
from ..modules import only_network

OVERFLOW: dict[type[Operation], str] = {fixed.WrapOp: "wraps", fixed.SaturateOp: "saturates"}
"""Kinds of overflow, by the op that causes it, the worst first. A state that is computed without these ops cannot overflow."""
OVERFLOW_TEXTS = {"wraps": "wrap around on overflow", "saturates": "saturate on overflow", "fits": "never overflow"}


def integer_records(module: ModuleOp) -> dict[str, Any] | None:
    """Returns the ranges of sums, the widths of states and the steps of outputs; None for a network without populations of integers."""
    network = only_network(module)
    updates = ntensor.updates_of(network)
    populations = [op for op in network.populations if updates[op.update_name].takes_integers]
    if not populations:
        return None
    ranges = IntegerRanges(network)
    sums: list[dict[str, Any]] = []
    for op in network.body.block.ops:
        found = ranges.sums(op) if op.results else None
        held = ntensor.interval_of(element_type(op.results[0])) if op.results else None
        if found is not None and held is not None:
            sums.append(
                {
                    "node": describe_op(op)[1],
                    **ends(found.partial),
                    "bits": held.signed_bits,
                    "proof": "interval arithmetic",
                }
            )
    states = [
        {"node": op.node.data, "state": name, **widths}
        for op in populations
        for name, widths in states_of(updates[op.update_name])
    ]
    steps = {name: unit.tolist() for name, unit in output_units(network).items()}
    return {"sums": sums, "states": states, "steps": steps}


def ends(range: Interval) -> dict[str, int]:
    return {"low": range.low, "high": range.high}


def states_of(update: ntensor.UpdateOp) -> list[tuple[str, dict[str, Any]]]:
    """Returns the bits and the overflow of each integer state; overflow of intermediate values is included."""
    last = update.step.block.last_op
    assert last is not None  # verified: a step ends in ntensor.emit
    found: list[tuple[str, dict[str, Any]]] = []
    for k, (name, type) in enumerate(update.state_types.items()):
        if isinstance(type, fixed.IntType):
            overflow = overflow_of(last.operands[1 + k], update.state_types.keys() - {name})
            found.append((name, {"bits": type.interval.signed_bits, "overflow": overflow}))
    return found


def overflow_of(value: SSAValue, others: Collection[str]) -> str:
    """Returns the worst overflow in the computation of a state. States in `others` are not followed: their overflow is reported separately."""

    def is_passed(op: Operation) -> bool:
        return op.results[0].type != i1 and not (isinstance(op, ntensor.LetOp) and op.variable.data in others)

    ops = {type(found.owner) for found in walk_upstream([value], is_passed)}
    return next((text for op, text in OVERFLOW.items() if op in ops), "fits")


def integer_notes(records: dict[str, Any] | None) -> Iterator[str]:
    """Yields lines about the integers for the details of a compilation."""
    if records is None:
        return
    widths = dict.fromkeys(f"{one['bits']} bits ({OVERFLOW_TEXTS[one['overflow']]})" for one in records["states"])
    states = f"; states of {', '.join(widths)}" if widths else ""
    yield f"integers: {counted_text(len(records['sums']), 'sum')}, proven never to overflow{states}"
