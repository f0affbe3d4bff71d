"""Copies of means and rearranged sums that populations share, some of which become integers and others not yet.

    %m = ntensor.avg_pool2d "pool" %z            =>    %m = ntensor.avg_pool2d "pool" %z             read by "b"
    %a = ntensor.linear "a" %m …                       %n = ntensor.avg_pool2d "pool.copy" %z        read by "a"
    %b = ntensor.linear "b" %m …

A conversion changes the populations of one rule. A mean that they share with others would become integers for all. Pools, reshapes and delays
have no weights, so a copy is exact; it costs their additions, and the memory of a delay, again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects import ntensor
from ..relays._relays import NodeNames

PLAIN = (ntensor.PoolOp, ntensor.MaxPool2dOp, ntensor.ReshapeOp, ntensor.DelayOp)
"""Ops without weights, with one operand."""


def separate_readers(
    neurons: Sequence[ntensor.NeuronOp], type_of: Callable[[SSAValue], Attribute], names: NodeNames
) -> None:
    """Makes copies for populations of plain ops of reals that other ops read, too."""
    every: list[Operation] = [*neurons]
    own = dict.fromkeys(every)
    work = [x for op in neurons for x in op.operands]
    while work:
        op = work.pop().owner
        if not isinstance(op, Operation) or isinstance(op, ntensor.NeuronOp) or op in own:
            continue
        if ntensor.interval_of(type_of(op.results[0])) is None:
            own[op] = None
            work += op.operands
    while shared := [op for op in own if isinstance(op, PLAIN) and any(use.operation not in own for use in op.y.uses)]:
        for op in shared:
            del own[op]
            own[copied(op, own, names)] = None


def copied(
    op: ntensor.PoolOp | ntensor.MaxPool2dOp | ntensor.ReshapeOp | ntensor.DelayOp,
    readers: Collection[Operation],
    names: NodeNames,
) -> Operation:
    """Makes a copy of an op, which some of its readers read from then on."""
    copy = op.clone()
    copy.properties["node"] = StringAttr(names.take(f"{op.node.data}.copy"))
    Rewriter.insert_op(copy, InsertPoint.after(op))
    for use in [use for use in op.y.uses if use.operation in readers]:
        use.operation.operands[use.index] = copy.results[0]
    return copy
