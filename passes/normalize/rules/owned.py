"""Delays that are a part of the node in front of them: what such a node gives is what leaves its delay."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from ....dialects import ntensor


def owned_delays(op: Operation) -> Iterator[ntensor.DelayOp]:
    """The delays that are part of an op; a verified network has at most one."""
    for result in op.results:
        for use in result.uses:
            delay = use.operation
            if isinstance(delay, ntensor.DelayOp) and delay.part_of is not None:
                yield delay


def owns_delay(op: Operation) -> bool:
    """Whether an op cannot go without leaving a delay that is part of nothing."""
    return any(True for _ in owned_delays(op))
