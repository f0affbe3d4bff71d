"""Losses of rounded numbers: rows of weights that become zero, weights that vanish because of a strong one, and numbers beyond the ends of a grid.

| finding | when |
| --- | --- |
| ANA028 | weights of a row were not all zero, and are now |
| ANA029 | more than half of the weights of a row become zero, because of a weight of more than 16 times their median size |
| ANA030 | a weight lies beyond the ends of its grid, by more than half a step |
| ANA026 | the same for a bias |
| ANA027 | biases were not all zero, and are now |

Numbers of neurons that become 0, or another number without an effect, are found by `Lost`; each pass has its own finding and help for them.

Every pass that rounds weights reports them here, whatever its grid is. Each op has each finding at most once. It counts the rows, and names the
first ones and the weight that determines the scale. Weights that were 0 are not synapses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen

from ..core.arrays.elementwise import map_blocks
from ..core.arrays.numeric import AnyArray, Bools, Ints, Reals
from ..core.diagnostics import Code, Diagnostics, describe_op
from ..core.fixed_point import Interval
from .weight_lines import Lines, Weighted, rows

ANA028 = Code("ANA028", "row-rounds-to-zero", "all weights of a row become zero")
ANA029 = Code("ANA029", "row-rounds-mostly-to-zero", "most weights of a row become zero")
ANA030 = Code("ANA030", "weights-clipped", "weights are clipped")
ANA026 = Code("ANA026", "biases-saturate", "biases saturate")
ANA027 = Code("ANA027", "biases-become-zero", "all biases become 0")

MANY = 16
"""Smallest ratio of an outlier to the median size."""
NAMED_LINES = 4
"""Maximum number of rows that a finding names."""
Help = str | Callable[[float, float], str]
"""A command that keeps weights, or empty; or a function that returns it for the size of a weight that vanishes and its step."""
HALF = 0.5 + 1e-6
"""Steps by which a number within the ends of its grid is rounded at most, with the rounding of the reals themselves."""


@frozen(eq=False)
class RoundedWeights:
    """The weights of an op before and after a pass rounded them. Shapes: before and after those of the weights; step broadcasts to them."""

    op: Weighted
    before: AnyArray
    after: AnyArray
    step: Reals | None = None
    """The distance of two neighbouring numbers of the grid; None where it is not the same for all of them."""
    given_lines: Lines | None = None
    """The rows, where the numbers are those of a chain of ops; None: the rows of the op."""
    dtype: np.dtype[Any] | None = None
    """The type in which the op computes; None: that of `before`."""

    @property
    def lines(self) -> Lines:
        return rows(self.op) if self.given_lines is None else self.given_lines

    def text(self, at: Sequence[Any]) -> str:
        """Formats a weight with its place."""
        return f"{self.op.WEIGHTS}[{', '.join(str(int(n)) for n in at)}] = {self.before[tuple(at)]:.4g}"

    def spread(self) -> Reals:
        return np.broadcast_to(np.zeros(()) if self.step is None else self.step, self.before.shape)


@frozen(eq=False)
class Lost:
    """Neurons with a number that rounding replaced by a value without an effect, such as a threshold of 0."""

    values: Reals
    """The numbers that were there."""
    indices: Ints
    """Of the neurons, flat."""
    size: int
    """Number of neurons with numbers of their own; 1 for a number that all neurons share."""

    @classmethod
    def of(cls, before: AnyArray | Reals, after: AnyArray | Reals, end: float) -> Lost | None:
        """Returns the neurons whose number became `end`; None if there are none. Shapes: before and after broadcast to each other."""
        old, new = np.broadcast_arrays(np.asarray(before, np.float64), np.asarray(after, np.float64))
        lost = ((new == end) & (old != end)).reshape(-1)
        return cls(old.reshape(-1)[lost], np.flatnonzero(lost), lost.size) if lost.any() else None

    @property
    def neurons(self) -> str:
        """Returns the end of a message: in how many neurons."""
        return f" in {len(self.indices)} of {self.size} neurons" if self.size > 1 else ""

    @property
    def places(self) -> str:
        """Returns the indices of the first neurons, after the first number."""
        first = ", ".join(map(str, self.indices[:NAMED_LINES]))
        return f" at index {first}{', …' * (len(self.indices) > NAMED_LINES)}" if self.size > 1 else ""


def report_weights(
    sharing: Sequence[RoundedWeights],
    diagnostics: Diagnostics,
    help: Help = "",
    cause: str = "",
    *,
    of_thin: Help | None = None,
    of_clipped: str = "",
    is_clip_chosen: bool = False,
) -> None:
    """Warns of weights that are lost. `sharing` are ops whose weights share scales.

    `help` keeps a weight of each row, `of_thin`, by default the same, most weights of each row, and `of_clipped` the largest ones. `cause` names what determines the scale, where it differs from the largest weight. With `is_clip_chosen`
    an option asked for weights beyond the ends.
    """
    for each in sharing:
        if each.before.size and not np.array_equal(each.before, each.after):
            report_zeros(each, sharing, diagnostics, help, help if of_thin is None else of_thin, cause)
            if not is_clip_chosen:
                report_clipped(each, sharing, diagnostics, of_clipped)


def report_zeros(
    each: RoundedWeights,
    sharing: Sequence[RoundedWeights],
    diagnostics: Diagnostics,
    help: Help,
    of_thin: Help,
    cause: str,
) -> None:
    """Warnings: ANA028, ANA029."""
    lines = each.lines
    is_gone = (each.before != 0) & (each.after == 0)
    if not is_gone.any():
        return
    there, gone = lines.count_of(each.before != 0), lines.count_of(is_gone)
    ends = (lines.reduced(extreme, each.before, 0.0, is_gone) for extreme in (np.maximum, np.minimum))
    largest = np.max([np.abs(end.astype(np.float64)) for end in ends], axis=0)
    steps = lines.reduced(np.maximum, each.spread().astype(np.float64, copy=False), 0.0)
    is_lost = (there > 0) & (gone == there)
    if is_lost.any():
        worst = int(np.where(is_lost, largest, -1.0).argmax())
        least = int(np.where(is_lost, largest / np.where(steps > 0, steps, 1.0), np.inf).argmin())
        half = f" of half a step, {steps[is_lost].min() / 2:.4g}, or more" if each.step is not None else " other than 0"
        diagnostics.warning(
            ANA028,
            f"all weights of a {lines.kind} become zero",
            op=each.op,
            expected=f"a weight{half} in each {lines.kind}",
            found=f"{format_lines(lines, is_lost)}; the largest weight there is {largest[is_lost].max():.4g}",
            help=help_text(help, ANA028, float(largest[least]), float(steps[least])),
            notes=cause_notes(each, sharing, float(steps[worst]), cause),
        )
    is_thin = (2 * gone > there) & ~is_lost
    if is_thin.any():
        worst = int(np.where(is_thin, gone, -1).argmax())
        strong = strongest(each, sharing, float(steps[worst]))
        usual = float(np.median(np.abs(each.before[is_gone].astype(np.float64))))
        if not cause and (strong is None or abs(float(strong[0].before[strong[1]])) <= MANY * usual):
            return
        diagnostics.warning(
            ANA029,
            f"most weights of a {lines.kind} become zero",
            op=each.op,
            expected=f"weights of at most {MANY} times the size of most weights, {usual:.4g}"
            if not cause
            else f"values for most weights of each {lines.kind}",
            found=f"{format_lines(lines, is_thin)}; in {lines.called(worst)}, {gone[worst]} of {there[worst]}, "
            f"of at most {largest[worst]:.4g}",
            help=help_text(of_thin, ANA029, usual, float(steps[worst])),
            notes=cause_notes(each, sharing, float(steps[worst]), cause),
        )


def clipped_weights(each: RoundedWeights, sharing: Sequence[RoundedWeights]) -> Bools:
    """Returns the weights whose error exceeds half a step, and which become smaller but not zero. Blocks of weights are compared, to need little memory."""
    dtype = each.before.dtype if each.dtype is None else each.dtype
    eps = np.finfo(dtype if dtype.kind == "f" else np.float64).eps
    largest = 0.0
    if each.step is None:  # less than half of a number, which is larger than all others, is left of it
        largest = max(float(np.abs(one.after).max(initial=0)) for one in sharing)

    def clipped(before: AnyArray, after: AnyArray, step: AnyArray | None = None) -> AnyArray:
        old, new = before.astype(np.float64, copy=False), after.astype(np.float64, copy=False)
        sizes, rests, errors = np.abs(old), np.abs(new), np.abs(new - old)
        within = np.where(sizes > largest, sizes / 2, np.inf) if step is None else HALF * step
        return (rests < sizes) & (errors > within + eps * sizes) & (new != 0)

    return map_blocks(clipped, np.bool_, each.before, each.after, *([] if each.step is None else [each.step]))


def report_clipped(
    each: RoundedWeights, sharing: Sequence[RoundedWeights], diagnostics: Diagnostics, help: str
) -> None:
    """Warnings: ANA030."""
    lines, is_clipped = each.lines, clipped_weights(each, sharing)
    if not is_clipped.any():
        return
    before, after = (part.astype(np.float64, copy=False) for part in (each.before, each.after))
    errors = np.abs(after - before)
    at = np.unravel_index(int(np.where(is_clipped, errors, 0).argmax()), before.shape)
    where = lines.reduced(np.add, is_clipped.astype(np.int64), 0) > 0
    diagnostics.warning(
        ANA030,
        f"{np.count_nonzero(is_clipped)} of {np.count_nonzero(before)} weights are clipped",
        op=each.op,
        expected=f"weights of at most {np.abs(after[is_clipped]).max():.4g}",
        found=f"{each.text(at)} becomes {after[at]:.4g}; {lines.kind}s with clipped weights: {format_lines(lines, where)}",
        help=help or f"nopt explain {ANA030}",
    )


def report_bias(
    op: Weighted,
    before: AnyArray,
    after: AnyArray,
    step: Reals | float,
    within: Interval,
    diagnostics: Diagnostics,
    *,
    finer: str = "",
    wider: Callable[[int], str] | None = None,
) -> None:
    """Warns of biases that saturate, and of biases that all become 0. Warnings: ANA026, ANA027.

    `finer` is a command that keeps small biases, and `wider` returns one that keeps a bias of some steps.
    """
    old, new = before.astype(np.float64).reshape(-1), after.astype(np.float64).reshape(-1)
    steps = np.broadcast_to(step, before.shape).astype(np.float64).reshape(-1)
    with np.errstate(over="ignore", invalid="ignore"):  # the first of infinitely many steps is the worst
        ratio = np.abs(np.rint(old / steps))
        beyond = np.isfinite(old) & (
            (np.rint(old / steps) < float(within.low)) | (np.rint(old / steps) > float(within.high))
        )
    if beyond.any():
        worst = int(np.where(beyond, ratio, 0).argmax())
        count = round(Fraction(float(old[worst])) / Fraction(float(steps[worst])))
        diagnostics.warning(
            ANA026,
            f"{beyond.sum()} of {old.size} biases saturate at {within.signed_bits} bits",
            op=op,
            expected=f"{within} steps of {steps[worst]:.6g}",
            found=f"{old[worst]:.6g} at index {worst}: {count} steps",
            help=wider(count) if wider is not None else f"nopt explain {ANA026}",
        )
    if old.any() and not new.any():
        diagnostics.warning(
            ANA027,
            op=op,
            expected=f"biases of half a step or more: {steps.min() / 2:.6g}",
            found=f"at most {np.abs(old).max():.6g}",
            help=finer or f"nopt explain {ANA027}",
        )


def strongest(
    each: RoundedWeights, sharing: Sequence[RoundedWeights], step: float
) -> tuple[RoundedWeights, tuple[Any, ...]] | None:
    """Returns the op with the largest weight among the weights of this step, and the index of this weight; None without such a weight."""
    found: tuple[float, RoundedWeights, int] | None = None
    for one in [each, *(other for other in sharing if other is not each)]:
        sizes = np.where(one.spread() == step, np.abs(one.before.astype(np.float64)), 0.0)
        if sizes.size and (best := float(sizes.max())) > (0.0 if found is None else found[0]):
            found = best, one, int(sizes.argmax())
    if found is None:
        return None
    return found[1], tuple(np.unravel_index(found[2], found[1].before.shape))


def help_text(help: Help, code: Code, size: float, step: float) -> str:
    """Returns a command that keeps weights of a size."""
    return (help if isinstance(help, str) else help(size, step)) or f"nopt explain {code}"


def cause_notes(each: RoundedWeights, sharing: Sequence[RoundedWeights], step: float, cause: str) -> list[str]:
    """Returns a note with the cause of the scale: the given cause, else the largest weight that shares the scale; no note without either."""
    if cause:
        return [cause]
    strong = strongest(each, sharing, step)
    if strong is None:
        return []
    lines = strong[0].lines
    marked: Bools = np.zeros(strong[0].before.shape, bool)
    marked[strong[1]] = True
    line = int(lines.reduced(np.logical_or, marked, False).argmax())
    where = "" if strong[0] is each else f" of {describe_op(strong[0].op)[0]}"
    return [f"{strong[0].text(strong[1])} in {lines.called(line)}{where} determines the scale"]


def format_lines(lines: Lines, which: Bools) -> str:
    """Formats the number of selected lines, and the names of the first ones."""
    at = np.flatnonzero(which)
    first = ", ".join(lines.called(int(line)) for line in at[:NAMED_LINES])
    return f"{len(at)} of {lines.count}: {first}{', …' * (len(at) > NAMED_LINES)}"
