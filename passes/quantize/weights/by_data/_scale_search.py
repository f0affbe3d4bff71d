"""Weights of a group rounded by the second moments of their inputs, with scales by the loss of the sums.

Each scale starts at that of the nearest rounding and becomes the candidate below it with the least loss after rounding: first one of `FACTORS`, then one
of `NEAR` around the best. Rows with scales of their own choose alone, and rows of a class, of a population or of an op together. Scales of columns keep
their ratios, because a row has weights of several. A power of two stays one. In a group with an op that has no blocks, scales stay, and
this op keeps its nearest integers.

Where the nearest rounding has the lower loss, it stays, for each scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from attrs import evolve, frozen

from .....core.arrays.numeric import AnyArray, Bools, Ints, Reals
from .._weight_groups import Group
from .._weight_quantizer import MOST_LOST, Rounded
from ..scales._weight_scales import most_of, precise, products, spread_scale
from ._adaround import descend
from ._gptq import GridRounding, Moments, round_with_feedback
from ._layer_inputs import WeightLayer

FACTORS = (1.0, 0.84, 0.71, 0.59, 0.5, 0.42, 0.35, 0.3, 0.25, 0.21, 0.18, 0.15)
"""Candidate scales, relative to the scale of the nearest rounding."""
MANY_BITS = 6
"""Bits from which a scale near that of the range is best."""
FINE_FACTORS = (1.0, 0.97, 0.94, 0.91, 0.88, 0.85, 0.8, 0.75)
"""Candidates with at least `MANY_BITS` bits."""
NEAR = (0.89, 0.945, 1.06, 1.12)
"""Candidates around the best of these, relative to it."""
POWERS = (1.0, 0.5, 0.25, 0.125)
"""Candidates that keep powers of two."""
SIGN_FACTORS = (1.0, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3)
"""Candidates for weights of one bit, whose scale is a mean size."""


@frozen
class GridLimits:
    """The integers and scales that a group may have."""

    bits: int
    """Signed bits of an integer."""
    is_power: bool = False
    is_unsigned: bool = False
    has_classes: bool = False
    """Whether the parts of a group with equal scales keep equal ones."""
    least: Reals | None = None
    """The smallest scale of each part of the group."""

    def factors(self) -> tuple[float, ...]:
        if self.is_power:
            return POWERS
        if self.bits == 1:
            return SIGN_FACTORS
        return FACTORS if self.bits < MANY_BITS else FINE_FACTORS

    def near(self) -> tuple[float, ...]:
        return NEAR if not self.is_power and 1 < self.bits < MANY_BITS else ()

    def integers(self, values: Reals, scale: Reals) -> Reals:
        """Returns the integers whose products with the scale are nearest to some values."""
        if self.bits == 1:
            return np.where(values < 0, -1.0, 1.0)
        most = most_of(self.bits)
        return np.clip(np.rint(values / scale), 0 if self.is_unsigned else -most, most)


@frozen(eq=False)
class Problem:
    """A layer and the moments of each of its blocks."""

    layer: WeightLayer
    moments: Sequence[Moments]
    corrections: Sequence[Reals] | None = None
    """Of each block the matrix that corrects the errors of the layers before it; None: they are not corrected."""

    def targets(self, flat: Reals) -> list[Reals]:
        """Returns the reals that are rounded, by block, from the weights of the layer."""
        rows = [flat[block.weights] for block in self.layer.blocks]
        if self.corrections is None:
            return rows
        return [weights @ matrix for weights, matrix in zip(rows, self.corrections, strict=True)]


@frozen(eq=False)
class Solution:
    """Reals on a grid for each problem, and the loss of each part of the group. Shapes: values flat, as the weights of a layer."""

    values: list[Reals]
    losses: Reals


@frozen(eq=False)
class GroupRounding:
    """The rounding of one group of weights."""

    group: Group
    nearest: list[Rounded]
    problems: list[Problem]
    limits: GridLimits

    def rounded(self, *, descends: bool) -> list[Rounded]:
        """Returns the weights of the group; `descends` with `_adaround.py` after the feedback of errors."""
        if not self.problems:
            return self.nearest
        factors = self.searched() if self.can_search else np.ones(self.group.count)
        scales = self.scales(factors)
        best = self.solved(scales, descends=descends)
        former = self.measured([each.after.astype(np.float64) for each in self.nearest])
        whole = self.measured([np.zeros(each.before.shape) for each in self.nearest])
        is_coarse = bool(best.losses.sum() > MOST_LOST * whole.sum())
        unit = self.units()
        is_better = self.of_units(best.losses) < self.of_units(former)
        kept = is_better[unit]
        return [
            self.merged(each, scale, values, kept, is_coarse=is_coarse)
            for each, scale, values in zip(self.nearest, scales, self.of_ops(best.values), strict=True)
        ]

    @cached_property
    def targets(self) -> list[list[Reals]]:
        """Returns the reals that are rounded, by problem and block."""
        before = [each.before for each in self.nearest]
        return [problem.targets(self.flat(problem.layer, before)) for problem in self.problems]

    @property
    def can_search(self) -> bool:
        """Returns whether all ops of the group have blocks."""
        return sum(len(problem.layer.ops) for problem in self.problems) == len(self.nearest)

    def searched(self) -> Reals:
        """Returns the factor of the scale of each part of the group."""
        best, least = np.ones(self.group.count), np.full(self.group.count, np.inf)
        unit = self.units()
        centre = best
        for near in (self.limits.factors(), self.limits.near()):
            for factor in near:
                tried = centre * factor
                losses = self.of_units(self.solved(self.scales(tried)).losses)[unit]
                is_allowed = self.is_allowed(tried)
                is_better = (losses < least) & is_allowed
                best, least = np.where(is_better, tried, best), np.where(is_better, losses, least)
            centre = best
        return best

    def is_allowed(self, factors: Reals) -> Bools:
        """Returns which parts may have their scale times a factor: every one of a unit has to reach its smallest scale."""
        return self.is_allowed_scale(self.nearest, factors)

    def is_allowed_scale(self, found: Sequence[Rounded], factors: Reals) -> Bools:
        """Returns which parts may have the scale of some weights times a factor."""
        if self.limits.least is None:
            return np.ones(self.group.count, np.bool_)
        unit, scale = self.units(), self.part_scales(found) * factors
        is_fine = np.ones(int(unit.max()) + 1, np.bool_)
        np.logical_and.at(is_fine, unit, (scale >= self.limits.least) | (factors == 1))
        return is_fine[unit]

    def part_scales(self, weights: Sequence[Rounded]) -> Reals:
        """Returns the scale of each part of some weights of the group."""
        found = np.zeros(self.group.count)
        for each in weights:
            np.maximum.at(
                found, self.parts_of(each).reshape(-1), np.broadcast_to(each.scale, each.before.shape).reshape(-1)
            )
        return found

    def parts_of(self, each: Rounded) -> Ints:
        """Returns the part of the group of each weight, in the shape of the weights."""
        parts = np.arange(self.group.count, dtype=np.float64)
        return np.broadcast_to(spread_scale(each.lines, self.group, parts), each.before.shape).astype(np.int64)

    def units(self) -> Ints:
        """Returns a number for each part; parts with the same number change their scales together."""
        if self.has_columns:
            return np.zeros(self.group.count, np.int64)
        if self.limits.has_classes:
            return np.unique(self.part_scales(self.nearest), return_inverse=True)[1]
        return np.arange(self.group.count)

    @property
    def has_columns(self) -> bool:
        return any(lines.kind == "column" for lines in self.group.lines)

    def of_units(self, losses: Reals) -> Reals:
        """Returns the sum of the losses of the parts of each unit."""
        return np.bincount(self.units(), losses).astype(np.float64)

    def scales(self, factors: Reals) -> list[Reals]:
        """Returns the scales of each op, with a factor for each part of the group. Shapes: broadcast to the weights."""
        found: list[Reals] = []
        for each in self.nearest:
            scale = each.scale * spread_scale(each.lines, self.group, factors)
            scale = scale if self.limits.is_power else precise(scale, [each.before], most_of(self.limits.bits))
            found.append(np.where(spread_scale(each.lines, self.group, factors) == 1, each.scale, scale))
        return found

    def solved(self, scales: list[Reals], *, descends: bool = False) -> Solution:
        """Returns the rounded weights for some scales. Ops without blocks keep their nearest values."""
        by_op = {each.lines.op: scale for each, scale in zip(self.nearest, scales, strict=True)}
        values: list[Reals] = []
        for problem, targets in zip(self.problems, self.targets, strict=True):
            each_scale = [np.broadcast_to(by_op[op], self.shape_of(op)) for op in problem.layer.ops]
            spread = np.concatenate([scale.reshape(-1) for scale in each_scale])
            found = self.flat(problem.layer, [each.before for each in self.nearest])
            for block, moments, weights in zip(problem.layer.blocks, problem.moments, targets, strict=True):
                grid = self.grid(spread[block.weights])
                after = round_with_feedback(weights, moments, grid)
                found[block.weights] = descend(weights, after, moments, grid) if descends else after
            values.append(found)
        return Solution(values, self.losses(values))

    def grid(self, scale: Reals) -> GridRounding:
        """Returns the grid of rows with scales. Shapes: scale [rows, inputs]."""
        return lambda values, j: self.limits.integers(values, scale[:, j]) * scale[:, j]

    def losses(self, values: Sequence[Reals]) -> Reals:
        """Returns the loss of each part of the group, for the values of each problem."""
        found = np.zeros(self.group.count)
        for problem, rounded, targets in zip(self.problems, values, self.targets, strict=True):
            parts = self.flat(problem.layer, [self.parts_of(each) for each in self.nearest])
            for block, moments, wanted in zip(problem.layer.blocks, problem.moments, targets, strict=True):
                errors = rounded[block.weights] - wanted
                if errors.size:
                    np.add.at(found, parts[block.weights[:, 0]].astype(np.int64), moments.losses(errors))
        return found

    def measured(self, arrays: Sequence[AnyArray]) -> Reals:
        """Returns the loss of each part of the group, for the weights of each op."""
        return self.losses([self.flat(problem.layer, arrays) for problem in self.problems])

    def flat(self, layer: WeightLayer, arrays: Sequence[AnyArray]) -> Reals:
        """Returns the numbers of the ops of a layer, one after the other, from those of all ops of the group."""
        by_op = {each.lines.op: array for each, array in zip(self.nearest, arrays, strict=True)}
        return np.concatenate([by_op[op].astype(np.float64).reshape(-1) for op in layer.ops])

    def shape_of(self, op: object) -> tuple[int, ...]:
        return next(each.before.shape for each in self.nearest if each.lines.op is op)

    def of_ops(self, values: list[Reals]) -> list[Reals | None]:
        """Returns the values of each op of the group; None for an op without blocks."""
        found: dict[object, Reals] = {}
        for problem, flat in zip(self.problems, values, strict=True):
            start = 0
            for op in problem.layer.ops:
                shape = self.shape_of(op)
                size = int(np.prod(shape))
                found[op] = flat[start : start + size].reshape(shape)
                start += size
        return [found.get(each.lines.op) for each in self.nearest]

    def merged(self, each: Rounded, scale: Reals, values: Reals | None, kept: Bools, *, is_coarse: bool) -> Rounded:
        """Returns the weights of an op: rounded values in the parts that keep them, else the nearest ones."""
        if values is None or not kept.any():
            return each
        is_kept = kept[self.parts_of(each)]
        spread = spread_scale(each.lines, self.group, kept.astype(np.float64))  # in the shape of scales
        chosen = np.where(spread == 1, scale, each.scale)
        integers = np.where(is_kept, np.rint(values / scale), each.integers.astype(np.float64)) + 0.0
        after = products(integers, chosen, each.before.dtype)
        return evolve(each, after=after, integers=integers.astype(np.int16), scale=chosen, is_coarse=is_coarse)
