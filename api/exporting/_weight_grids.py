"""Grids of the weights of an op: the numbers that a device can store for each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import evolve, frozen

from ...core.arrays.numeric import AnyArray
from ...core.fixed_point import Interval
from ...core.ir.operation import element_type
from ...dialects.ntensor import SynapseOpInterface, interval_of
from ...dialects.ntensor.axon_types import subset_masks, subset_sums


@frozen(eq=False)
class WeightGrid:
    """The numbers that each weight can be, in steps of a scale.

    Shapes: steps those of the weights; scale, zero and row broadcast to them; levels [rows, values].
    """

    kind: str
    """`real`, `grid` from `low` to `high`, `sign`, or `levels`."""
    steps: AnyArray
    """The stored numbers of the op, without their zero point."""
    scale: AnyArray
    is_real: bool
    """Whether the op computes with reals, which are the steps times the scale."""
    low: int = 0
    high: int = 0
    unit: int = 1
    """The numbers of a `grid` are multiples of this power of two, and its ends are in units."""
    zero: AnyArray | None = None
    levels: AnyArray | None = None
    row: AnyArray | None = None

    def values(self) -> AnyArray:
        """Returns the numbers that the op computes with."""
        return self.steps * self.scale if self.is_real and self.kind != "real" else self.steps

    def rounded(self, reals: AnyArray) -> AnyArray:
        """Returns the steps of reals: the nearest numbers of the grid."""
        if self.kind == "real":
            return reals
        steps = reals / self.scale
        if self.kind == "sign":
            return np.where(steps >= 0, 1.0, -1.0)
        if self.kind == "levels":
            assert self.levels is not None  # the kind has them
            levels = self.levels[0] if self.row is None else self.levels[self.row]
            nearest = np.abs(levels - steps[..., None]).argmin(-1)
            return np.take_along_axis(
                np.broadcast_to(levels, (*steps.shape, levels.shape[-1])), nearest[..., None], -1
            )[..., 0]
        zero = 0.0 if self.zero is None else self.zero
        return self.unit * (np.clip(np.rint(steps / self.unit + zero), self.low, self.high) - zero)

    def arrays(self) -> dict[str, AnyArray]:
        """Returns the arrays of the grid, by their names in the file."""
        levels = self.levels
        found = {
            "scale": None if self.kind == "real" else self.scale.astype(np.float64),
            "zero": self.zero,
            "levels": levels[0] if levels is not None and self.row is None else levels,
            "row": self.row,
        }
        return {name: np.asarray(array) for name, array in found.items() if array is not None}

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "low": self.low, "high": self.high, "unit": self.unit, "is_real": self.is_real}


def grid_of(
    op: SynapseOpInterface, *, few_values: bool = False, is_unsigned: bool = False, stored_bits: int | None = None
) -> WeightGrid:
    """Returns the grid of the weights of an op. `few_values`: the weights are the values that occur among them. `stored_bits`: those of a weight
    without the power of two that the weights of the op share.
    """
    weights, quantized = op.weights, op.quantized_weights
    assert weights is not None  # asked before
    steps = op.weight_steps().values.astype(np.float64)
    is_real = interval_of(element_type(op.y)) is None
    if quantized is None and is_real:
        levels = np.unique(np.append(steps, 0.0))[None] if few_values else None
        return WeightGrid("real" if levels is None else "levels", steps, np.ones(()), is_real, levels=levels)
    if quantized is None:  # integers that no pass rounded
        most = max(1, int(np.abs(steps).max(initial=1)))
        bits = max(8, weights.data.dtype.itemsize * 8)
        return WeightGrid(
            "grid",
            steps,
            np.ones(()),
            is_real,
            -(2 ** (bits - 1)) if bits < 64 else -most,
            2 ** (bits - 1) - 1 if bits < 64 else most,
        )
    bits, scale = quantized.bits.data, quantized.scale.values.astype(np.float64)
    most = max(1, 2 ** (bits - 1) - 1)
    is_full = quantized.has_zero or bool((steps < -most).any())
    found = WeightGrid("grid", steps, scale, is_real, 0 if is_unsigned else -most - is_full, most)
    if quantized.has_zero:
        return evolve(found, zero=quantized.zero.values.astype(np.float64))
    if bits == 1:
        return evolve(found, kind="sign")
    if op.typed_axons is not None:
        levels, row = axon_levels(op, Interval.signed(bits))
        return evolve(found, kind="levels", levels=levels, row=row)
    if stored_bits is not None and stored_bits < bits:
        most = max(1, 2 ** (stored_bits - 1) - 1)
        return evolve(found, unit=2 ** (bits - stored_bits), low=-most, high=most)
    if few_values:
        return evolve(found, kind="levels", levels=np.unique(np.append(steps, 0.0))[None])
    return found


def axon_levels(op: SynapseOpInterface, held: Interval) -> tuple[AnyArray, AnyArray]:
    """Returns the sums of the axons that each weight can use within an interval, one row for each set of sums. Shapes: [rows, values], and those of the weights."""
    given, weights = op.typed_axons, op.weights
    assert given is not None  # asked before
    assert weights is not None
    source, target, place = op.pairs()
    delay = np.zeros(len(place), np.int64)
    if op.delays is not None:
        delay = np.broadcast_to(op.delays.values, weights.shape).reshape(-1)[place].astype(np.int64)
    table, slices = given.table, given.slices.values.astype(np.int64)
    sizes = int(source.max(initial=0)) + 1, int(max(delay.max(initial=0), table[:, 3].max(initial=0))) + 1
    keys = (table[:, 0] * sizes[0] + table[:, 1]) * sizes[1] + table[:, 3]
    wanted = (slices[target] * sizes[0] + source) * sizes[1] + delay
    order = np.argsort(keys, kind="stable")
    first = np.searchsorted(keys[order], wanted, "left")
    count = np.searchsorted(keys[order], wanted, "right") - first
    rows: dict[tuple[float, ...], int] = {(0.0,): 0}
    sets: dict[int, frozenset[float]] = {}
    for n in np.unique(count[count > 0]).tolist():
        some = np.flatnonzero(count == n)
        types = table[order[first[some, None] + np.arange(n)], 2]
        values = given.values.values[target[some, None], types]
        sums = subset_sums(values, subset_masks(n), np.dtype(np.int64)).astype(np.float64)
        for at, line in zip(place[some].tolist(), sums.tolist(), strict=True):
            storable = frozenset(value for value in line if held.low <= value <= held.high)
            sets[at] = sets[at] & storable if at in sets else storable  # a kernel weight has several targets
    row = np.zeros(weights.data.size, np.int64)
    for at, line in sets.items():
        row[at] = rows.setdefault(tuple(sorted(line | {0.0})), len(rows))
    width = max(map(len, rows))
    levels = np.array([[*line, *[line[-1]] * (width - len(line))] for line in rows])
    return levels, row.reshape(weights.shape)
