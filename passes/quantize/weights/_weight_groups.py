"""Groups of weights: lines of one op, and lines of several ops that are added. `weight_lines.py` defines lines.

Ops whose results meet, in a sum or in a neuron, share scales where their integers are added. Delays and reshapes keep the order:
row r of R belongs to group `r G / R` where G divides the number of rows of every op that meets. An op that reads a mean of n elements adds
1 / n of its weights, so its scale is n times that of the others.

Preconditions of weights: finite numbers, and enough memory to process them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import frexp, gcd, prod

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from ....analysis.node_selection import is_plastic
from ....analysis.weight_lines import Lines, Weighted, columns, rows, weight_of
from ....core.diagnostics import Code, Diagnostics, refuse_op
from ....core.ir.operation import element_type, shape_of
from ....core.memory import available_bytes
from ....dialects import ntensor

QUA030 = Code("QUA030", "weight-not-finite", "a weight is not finite")
QUA031 = Code("QUA031", "weights-exceed-memory", "weights do not fit into memory to be rounded")

KEPT_BYTES = 10
"""Bytes per weight that are kept until the record is written, in addition to the weights before and after: its integer and its error."""
WORKING_BYTES = 80
"""Bytes per weight that rounding uses in addition to the result: some arrays of f64."""


def check_readable(ops: Sequence[Operation], together: Iterable[Sequence[Weighted]] | None = None) -> None:
    """Refuses weights that cannot be processed. `together` are the ops whose weights are read at a time; default one by one."""
    weighted = [op for op in ops if isinstance(op, Weighted)]
    check_memory(weighted, [[op] for op in weighted] if together is None else together)
    findings = Diagnostics()
    for op in weighted:
        if (at := weight_of(op).data.not_finite()) is not None:
            value = np.asarray(weight_of(op).values)[at]
            findings.error(
                QUA030,
                op=op,
                expected="finite numbers",
                found=f"{op.WEIGHTS}[{', '.join(map(str, at))}] = {value}",
                help="correct the weight in the file that it came from",
            )
    findings.raise_errors()


def check_memory(ops: Sequence[Weighted], together: Iterable[Sequence[Weighted]]) -> None:
    sizes = {op: weight_of(op).data.size for op in ops}
    kept = sum(size * (2 * weight_of(op).data.dtype.itemsize + KEPT_BYTES) for op, size in sizes.items())
    working = max((sum(sizes.get(op, 0) for op in some) for some in together), default=0) * WORKING_BYTES
    available = available_bytes()
    if available is not None and kept + working > available:
        largest = max(sizes, key=lambda op: sizes[op])
        refuse_op(
            largest,
            QUA031,
            expected=f"at most {available} bytes, which this machine has free",
            found=f"about {kept + working} bytes; {sizes[largest]} weights of this op are the most",
            help="give the array fewer elements"
            + (", or work on one op at a time: nodes=NODE" if len(sizes) > 1 else ""),
        )


def is_weighted(op: Operation) -> bool:
    """Returns whether an op has weights of reals and a result of reals, so that its weights can be rounded without a change of units."""
    return (
        isinstance(op, Weighted)
        and op.has_quantized_weights
        and isinstance(element_type(op.y), Float32Type | Float64Type)
    )


# ---- groups of rows that are added


@frozen(eq=False)
class Group:
    """Lines (rows or columns) of one op, or of ops that the same sum adds, with `count` scales: line l of L has scale `l count / L`."""

    lines: Sequence[Lines]
    count: int
    pooled: int = 1
    """Elements of the kernels of pools between the ops and where they meet."""
    factors: Sequence[float] = ()
    """The effect of a weight of 1 of each op on the sum, powers of two; none: that of all ops is equal."""


Channelwise = ntensor.SumPool2dOp | ntensor.MaxPool2dOp | ntensor.Upsample2dOp
"""Ops of maps that compute each channel on its own, so that the scales of its elements have to be equal."""


def alone(op: Weighted, per: str) -> Group:
    """Returns the group of a single op. It has one scale, or one scale for each row or column."""
    lines = columns(op) if per == "column" else rows(op)
    return Group([lines], 1 if per == "tensor" else lines.count)


def together(network: ntensor.NetworkOp, ops: Sequence[Operation], per: str) -> list[Group]:
    """Returns groups of ops that the same sum adds, in network order. A group has one scale for each neuron, or one scale for the population.

    With `spiking-neuron` a group has one scale for all neurons where its sums, or the values that its neurons emit, are results: they have one unit; and where
    weights learn, since their rule has one unit.
    An op with an exponent shares its scale with no other: the value of 1 in its result is not its scale.
    """
    sets = DisjointSet(ops)
    pools: dict[Operation, list[Channelwise]] = {op: [] for op in ops}
    is_valued = set[Operation]()
    """Ops whose weights have an effect on the unit of a result."""
    for reader in network.body.block.ops:
        added = [reader.operands] if isinstance(reader, ntensor.NeuronOp) else [[x] for x in reader.operands]
        for values in added:
            found: dict[Operation, None] = {}
            passed: list[Channelwise] = []
            for value in values:
                for giver in source_ops(value):
                    if isinstance(giver, Channelwise):
                        passed.append(giver)
                    elif giver in pools and "exponent" not in giver.properties:
                        found[giver] = None
            if emits_values(reader):
                is_valued |= found.keys()
            first, *others = found or (None,)
            if first is not None:
                pools[first] += passed
                for other in others:
                    sets.union(first, other)
    members: dict[Operation, list[Operation]] = {}
    for op in ops:
        members.setdefault(sets.find(op), []).append(op)
    return [
        join_lines(
            found,
            [pool for op in found for pool in pools[op]],
            is_one=per == "population"
            or (per == "spiking-neuron" and (any(map(is_plastic, found)) or not is_valued.isdisjoint(found))),
        )
        for found in members.values()
    ]


def emits_values(reader: Operation) -> bool:
    """Returns whether sums that an op reads are results of the network, or determine the values that a population emits."""
    return isinstance(reader, ntensor.OutputOp) or (
        isinstance(reader, ntensor.NeuronOp) and isinstance(element_type(reader.z), Float32Type | Float64Type)
    )


def join_lines(ops: Sequence[Operation], pools: Sequence[Channelwise], is_one: bool) -> Group:
    lines = [rows(op) for op in ops if isinstance(op, Weighted)]
    counts = [*(each.count for each in lines), *(shape_of(pool.y)[0] for pool in pools)]
    added = [pool for pool in dict.fromkeys(pools) if isinstance(pool, ntensor.SumPool2dOp)]
    kernels = prod(int(pool.kernel.values.prod()) for pool in added)
    factors = [factor_of(each.op.x) for each in lines]
    is_exact = len(set(factors)) > 1 and all(frexp(factor)[0] == 0.5 for factor in factors)
    return Group(lines, 1 if is_one else gcd(*counts), kernels, factors if is_exact else ())


def factor_of(value: SSAValue) -> float:
    """Returns the value of the 1 that means of events count in; 1 for all other values."""
    factor = 1.0
    while isinstance(op := value.owner, ntensor.PoolOp | Channelwise | ntensor.ReshapeOp | ntensor.DelayOp):
        factor /= prod(op.kernel.values.tolist()) if isinstance(op, ntensor.AvgPool2dOp) else 1
        value = op.x
    return factor if ntensor.interval_of(element_type(value)) is not None else 1.0


def source_ops(value: SSAValue) -> Iterator[Operation]:
    """Yields the channelwise ops, and the first other ops, that are found upstream of a value through sums, delays, reshapes and channelwise ops."""
    work: list[SSAValue] = [value]
    seen: set[Operation] = set()
    while work:
        at = work.pop()
        if not isinstance(at, OpResult) or at.op in seen:
            continue
        seen.add(at.op)
        if isinstance(at.op, ntensor.SumOp | ntensor.DelayOp | ntensor.ReshapeOp | Channelwise):
            work += reversed(at.op.operands)
        if not isinstance(at.op, ntensor.SumOp | ntensor.DelayOp | ntensor.ReshapeOp):
            yield at.op
