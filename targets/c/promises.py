"""What C does not promise of a network: the sums that the reference would watch, and the functions that have other last bits.

C computes what the reference computes, bit for bit, with two exceptions. The reference looks at every sum of integers and refuses one
that leaves its type; C does not look, so that only networks run whose sums all fit. And `exp` and `log` are as exact as each library
makes them, so that a step that has them gives other last bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import math
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from ...core.arrays import ArrayAttr
from ...core.diagnostics import Code, Finding, described
from ...core.fixed_point import Interval
from ...core.operation import element_type, shape_of
from ...dialects.ntensor import (
    AvgPool2dOp,
    ConvolutionOp,
    LinearOp,
    NetworkOp,
    NeuronOp,
    PoolOp,
    ScaleOp,
    SparseLinearOp,
    SumOp,
    TermsType,
    UpdateOp,
    interval_of,
)

NAT001 = Code(
    "NAT001",
    "the engine `native` does not run a network as the reference does",
    cause="The reference looks at every sum of integers and refuses one that leaves its type; C does not look, so it takes networks "
    "alone whose sums all fit, whatever arrives. Nor does it run weights that change.",
    remedy="Give the result of the synapse the type that the message names, or run with `--engine numpy`.",
)

INEXACT = (math.ExpOp, math.LogOp)
SAFE = 2**62
"""Sums below this leave room for one more addition in 64 bits."""


def inexact(network: NetworkOp, updates: Mapping[str, UpdateOp]) -> str | None:
    """Why results may differ in the last bits, or None where they never do."""
    for op in network.body.block.ops:
        update = updates.get(op.update.root_reference.data) if isinstance(op, NeuronOp) else None
        if update is not None and (found := next((x for x in update.step.walk() if isinstance(x, INEXACT)), None)):
            return f"@{update.sym_name.data} computes {found.name} in every tick, whose last bits each library rounds as it likes"
    return None


def unkept(network: NetworkOp) -> Iterator[Finding]:
    """What of a network C does not run as the reference does. Errors: NAT001."""
    for op in network.body.block.ops:
        if isinstance(op, LinearOp | SparseLinearOp) and op.plasticity is not None:
            yield Finding(
                NAT001,
                "weights that change do not run in C",
                at=described(op)[0],
                node=described(op)[1],
                expected="weights that stay as they are",
                found=op.plasticity.name,
                help="-p ntensor-freeze-plasticity",
            )
        reach = reach_of(op)
        if reach is None:
            continue
        element = element_type(op.results[0])
        held = Interval(-SAFE, SAFE - 1) if isinstance(element, TermsType) else interval_of(element)
        if held is not None and not (held.holds(reach) and Interval(-SAFE, SAFE - 1).holds(reach)):
            bits = 1 + max((~reach.low).bit_length() if reach.low < 0 else 0, reach.high.bit_length())
            yield Finding(
                NAT001,
                f"a sum can leave {element}",
                at=described(op)[0],
                node=described(op)[1],
                expected=str(held),
                found=f"sums in {reach}",
                help=f"give the result {IntegerType(bits)}, or run with --engine numpy"
                if bits <= 62
                else "make weights narrower",
            )


def reach_of(op: Operation) -> Interval | None:
    """All integers that the sums of an op can be, on the way too; None where it adds no integers."""
    given = [interval_of(element_type(x)) for x in op.operands]
    if not given or any(one is None for one in given):
        return None
    intervals = [one.join(Interval(0, 0)) for one in given if one is not None]
    if isinstance(op, SumOp):
        return Interval(sum(one.low for one in intervals), sum(one.high for one in intervals))
    x = intervals[0]
    match op:
        case LinearOp():
            return weighted(by_sign(op.weight.values, -1), x, op.bias, op.exponent)
        case SparseLinearOp():
            target, count = op.target.values.astype(np.int64), max(1, prod(shape_of(op.y)))
            up, down = (np.bincount(target, part, count) for part in by_sign(op.weight.values[:, None], -1))
            if max(up.max(initial=0), down.max(initial=0)) < 2**53:  # else no f64 says it to the last bit
                up, down = up.astype(np.int64), down.astype(np.int64)
            return weighted((up, down), x, op.bias, op.exponent)
        case ConvolutionOp():
            weight = op.weight.values
            return weighted(by_sign(weight.reshape(len(weight), -1), -1), x, op.bias, op.exponent)
        case ScaleOp():
            return weighted(by_sign(op.scale.values[..., None], -1), x, None, None)
        case PoolOp() if not isinstance(op, AvgPool2dOp):
            taps = np.array(prod(int(k) for k in op.kernel.values))
            return weighted((taps, np.zeros_like(taps)), x, None, None)
        case _:
            return None


def by_sign(weight: NDArray[Any], axis: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Per target, the sums of positive weights and of negated negative ones; as f64 where 64 bits may not hold them."""
    wide = weight.astype(np.int64 if np.abs(weight.astype(np.float64)).sum() < SAFE else np.float64)
    return np.maximum(wide, 0).sum(axis), np.maximum(-wide, 0).sum(axis)


def weighted(
    sums: tuple[NDArray[Any], NDArray[Any]], x: Interval, bias: ArrayAttr | None, exponent: ArrayAttr | None
) -> Interval:
    """All that `(sum + bias) 2^exponent` can be."""
    if any(part.dtype == np.float64 for part in sums):
        return Interval(-(2**63), 2**63 - 1)
    if float(sum(part.max(initial=0) for part in sums)) * max(-x.low, x.high, 1) >= SAFE:
        return Interval(-(2**63), 2**63 - 1)
    whole = [part.reshape(-1) for part in sums]
    low, high = whole[0] * x.low - whole[1] * x.high, whole[0] * x.high - whole[1] * x.low
    if bias is not None:
        added = bias.values.astype(np.int64).reshape(-1)
        low, high = low + added, high + added
    if exponent is not None:
        powers = exponent.values.astype(np.int64).reshape(-1)
        largest = max(1.0, -float(low.min(initial=0)), float(high.max(initial=0)))
        if 2.0 ** float(powers.max(initial=0)) * largest >= SAFE:
            return Interval(-(2**63), 2**63 - 1)
        low, high = ((end << np.maximum(powers, 0)) >> np.maximum(-powers, 0) for end in (low, high))
    return Interval(min(0, int(low.min(initial=0))), max(0, int(high.max(initial=0))))
