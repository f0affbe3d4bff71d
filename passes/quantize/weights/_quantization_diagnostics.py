"""Diagnostics of quantized weights: outliers, rows of zeros, weights reduced to their signs, and lost weights below 0.

| finding | where | when |
| --- | --- | --- |
| QUA019 | one scale for many weights | the step exceeds half the median size, because of a weight of more than 16 times that size |
| QUA020 | any scale | all weights of a row are zero |
| QUA021 | one bit | always: sizes are gone, and zeros have a sign |
| QUA022 | an unsigned grid | weights below 0 become 0 |

`rounding_losses.py` reports rows that become zero, as for other grids. Each node has each finding at most once. It counts the rows and names the first ones. Medians leave zeros out: most are not synapses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ....analysis.rounding_losses import MANY, RoundedWeights, format_lines, report_weights
from ....analysis.weight_lines import rows
from ....core.diagnostics import Code, Diagnostics
from ._weight_quantizer import Rounded

QUA019 = Code("QUA019", "outlier-makes-grid-coarse", "an outlier makes the grid coarse")
QUA020 = Code("QUA020", "row-all-zero", "all weights of a row are zero")
QUA021 = Code("QUA021", "weights-reduced-to-signs", "only the signs of weights are left")
QUA022 = Code("QUA022", "negative-weights-become-zero", "weights below 0 become 0")

ENOUGH = 4
"""Fewest weights for a report of outliers."""
GRID_BITS = 15
"""Signed bits that all grids have at most."""
Again = Callable[..., str]
"""The text of the pass with other options."""


def report(
    found: Sequence[Rounded],
    bits: int,
    again: Again,
    diagnostics: Diagnostics,
    *,
    is_unsigned: bool = False,
    is_clip_chosen: bool = False,
) -> None:
    """Reports the losses of the weights of a group. `found` share scales; `again(per="neuron")` is the same pass with another option."""
    if bits > 1:
        report_outlier(found, again, diagnostics)
    roundings = [compared_weights(each, is_unsigned=is_unsigned) for each in found]

    def more_bits(size: float, step: float) -> str:
        wanted = bits + math.floor(math.log2(step) - math.log2(size))  # each bit halves the step
        return again(bits=wanted - is_unsigned) if wanted <= GRID_BITS else ""

    report_weights(
        roundings,
        diagnostics,
        more_bits if all(each.scale.ndim for each in found) else again(per="neuron", classes=None),
        of_thin=more_bits,
        of_clipped=again(bits=2) if bits == 1 else "",
        is_clip_chosen=is_clip_chosen,
    )
    for each in found:
        report_rows(each, bits, again, diagnostics)
        if is_unsigned:
            report_negatives(each, bits, again, diagnostics)


def report_outlier(found: Sequence[Rounded], again: Again, diagnostics: Diagnostics) -> None:
    if any(each.scale.ndim for each in found) or all(each.is_exact for each in found):
        return
    sizes = [np.abs(each.compact) for each in found]
    every = np.concatenate([size[size > 0] for size in sizes])
    if every.size < ENOUGH:
        return
    half = (every.size - 1) // 2
    every.partition([half, every.size - 2, every.size - 1])
    middle, following, largest = every[[half, -2, -1]].tolist()
    del every
    step = float(found[0].scale)
    if largest <= MANY * middle or step <= middle / 2:
        return
    each, size = next((each, size) for each, size in zip(found, sizes, strict=True) if (size == largest).any())
    at = np.unravel_index(int(np.argmax(size)), size.shape)
    lines = rows(each.lines.op)
    row = lines.called(int(np.argmax(lines.reduced(np.maximum, size, 0.0))))
    error = max(float(each.errors.max(initial=0)) for each in found)
    most = round(largest / step)
    where = ", ".join(str(int(n)) for n in at)
    diagnostics.remark(
        QUA019,
        op=each.lines.op,
        expected=f"weights of at most {MANY} times their median size, {middle:.4g}, or a step of at most half of it",
        found=f"{each.lines.op.WEIGHTS}[{where}] = {each.before[at]:.4g} in {row}, {largest / middle:.0f} times the median size; "
        f"one step is {step:.4g}",
        help=again(per="neuron"),
        notes=[
            f"the largest error is {error:.4g}; without this weight the largest is {following:.4g}, "
            f"and the largest error at most {following / most / 2:.4g}"
        ],
    )


def compared_weights(found: Rounded, *, is_unsigned: bool) -> RoundedWeights:
    """Returns the weights before and after rounding. On an unsigned grid, negative weights count as 0, since QUA022 reports them."""
    before = np.maximum(found.compact, 0) if is_unsigned else found.compact
    return RoundedWeights(found.lines.op, before, found.after, found.scale, dtype=found.dtype)


def report_rows(found: Rounded, bits: int, again: Again, diagnostics: Diagnostics) -> None:
    lines = rows(found.lines.op)
    sizes = np.abs(found.compact)
    largest = lines.reduced(np.maximum, sizes, 0.0)
    is_there = lines.sizes > 0
    is_zero = is_there & (largest == 0)
    if is_zero.any():
        diagnostics.remark(
            QUA020,
            f"all weights of a {lines.kind} are zero",
            op=found.lines.op,
            expected=f"a weight other than 0 in each {lines.kind}",
            found=format_lines(lines, is_zero),
            help=f"nopt explain {QUA020}",
        )
    if bits == 1 and found.before.size and not found.is_exact:
        errors = lines.reduced(np.maximum, found.errors, 0.0)
        worst = int(np.argmax(errors))
        zeros = int(np.count_nonzero(found.before == 0))
        diagnostics.remark(
            QUA021,
            op=found.lines.op,
            expected="weights of one size for each scale",
            found=f"sizes from {sizes.min():.4g} to {sizes.max():.4g}; the largest error, {errors[worst]:.4g}, is in {lines.called(worst)}"
            + (f"; {zeros} of {found.before.size} weights were 0 and are positive now" if zeros else ""),
            help=again(bits=2),
        )


def report_negatives(found: Rounded, bits: int, again: Again, diagnostics: Diagnostics) -> None:
    """Warns of negative weights on an unsigned grid, which has no negative values. `bits`: the signed width of the stored integers."""
    negative = found.before < 0
    if not negative.any():
        return
    lines = rows(found.lines.op)
    where = format_lines(lines, lines.reduced(np.add, negative.astype(np.int64), 0) > 0)
    diagnostics.warning(
        QUA022,
        op=found.lines.op,
        expected="weights of 0 and above for an unsigned grid",
        found=f"{np.count_nonzero(negative)} of {found.before.size}, down to {found.before.min():.4g}, in {where}",
        help=again(grid="symmetric", bits=bits),
    )
