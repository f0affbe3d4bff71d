"""Worst-case sums of integers: the bits that a group needs if every possible input arrives in one tick.

    high = sum of n > 0 times the largest input + sum of n < 0 times the lowest, low likewise; bits hold both, the sign included

The sums of ops that share scales and meet are added. A pool downstream of them counts every element of its kernel. Biases are excluded,
because they are not integers yet. No partial sum leaves the range, whatever the order of the additions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd

import numpy as np
from attrs import frozen
from xdsl.ir import Operation

from ....analysis.integer_ranges import IntegerRanges
from ....analysis.weight_lines import rows
from ....core.diagnostics import Code, Diagnostics, Finding, describe_op, finding_about
from ....core.fixed_point import Interval
from ....dialects import ntensor
from ._weight_groups import Group
from ._weight_quantizer import Rounded

QUA007 = Code("QUA007", "accumulator-overflows", "an accumulator overflows")
QUA008 = Code("QUA008", "accumulator-unchecked", "an accumulator is not checked")


@frozen
class WorstCaseSum:
    """The worst sum of a group: where it is, its range, and the bits that hold it."""

    at: Rounded
    where: str
    low: int
    high: int

    @property
    def bits(self) -> int:
        return Interval(self.low, self.high).signed_bits


def worst(group: Group, found: Sequence[Rounded], ranges: IntegerRanges) -> WorstCaseSum | None:
    """Returns the sum with the greatest width in a group; None if an op reads reals, or if the group is empty."""
    if not found:
        return None
    count = max(rows(each.lines.op).count for each in found)
    if any(count % rows(each.lines.op).count for each in found):
        count = gcd(*(rows(each.lines.op).count for each in found))
    total = np.zeros((2, count))
    for each in found:
        given = ranges[each.lines.op.x]
        if given is None:
            return None
        lines = rows(each.lines.op)
        add = np.maximum if isinstance(each.lines.op, ntensor.ScaleOp) else np.add
        integers = each.integers.astype(np.int64)
        positive = lines.reduced(add, np.maximum(integers, 0), 0).astype(np.float64)
        negative = lines.reduced(add, np.maximum(-integers, 0), 0).astype(np.float64)
        least, most = float(min(given.low, 0)), float(max(given.high, 0))
        for k, sums in enumerate((negative * most - positive * least, positive * most - negative * least)):
            wide = np.repeat(sums, count // lines.count) if count >= lines.count else sums.reshape(count, -1).max(1)
            total[k] += wide * group.pooled
    line = int(np.argmax(total.max(0)))
    first = max(found, key=lambda each: rows(each.lines.op).count)
    return WorstCaseSum(first, rows(first.lines.op).called(line), -int(total[0].max()), int(total[1].max()))


def find_overflows(
    groups: Sequence[Group],
    found: Sequence[Sequence[Rounded]],
    accumulator: int,
    ranges: IntegerRanges,
    narrower: Callable[[Group], Iterable[tuple[str, Sequence[Rounded]]]],
    wider: Callable[[int], str],
    diagnostics: Diagnostics,
) -> Iterable[Finding]:
    """Returns errors for sums that exceed the accumulator.

    `narrower` yields the group with ever fewer bits, each with the option to type; `wider` returns the option for a wider accumulator.
    """
    for group, each in zip(groups, found, strict=True):
        needed = worst(group, each, ranges)
        if needed is None:
            for lines in group.lines:
                if ranges[lines.op.x] is None:
                    remark(lines.op, diagnostics)
        elif needed.bits > accumulator:
            fitting = next(
                (text for text, less in narrower(group) if fits(worst(group, less, ranges), accumulator)), None
            )
            yield finding_about(
                needed.at.lines.op,
                QUA007,
                expected=f"sums of at most {accumulator} bits",
                found=f"{needed.bits} bits: {needed.low} to {needed.high}, the most in {needed.where}"
                + (f", with {len(each)} ops that meet there" if len(each) > 1 else ""),
                help=", or ".join(text for text in (fitting, wider(needed.bits)) if text is not None),
                notes=[f"{describe_op(some.lines.op)[0]} reads {span(some, ranges)} in a tick" for some in each],
            )


def span(found: Rounded, ranges: IntegerRanges) -> str:
    """Formats the range of the inputs of an op."""
    given = ranges[found.lines.op.x]
    return "real numbers" if given is None else f"{given.low} to {given.high}"


def fits(found: WorstCaseSum | None, accumulator: int) -> bool:
    return found is not None and found.bits <= accumulator


def remark(op: Operation, diagnostics: Diagnostics) -> None:
    diagnostics.remark(
        QUA008,
        op=op,
        expected="spikes, counts or integers to read",
        found="real numbers",
        help="ntensor-quantize-inputs",
    )
