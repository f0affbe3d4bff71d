"""Moves the thresholds of neurons onto the grid of their membrane potentials: that of the weights, or one of a range.

    weights in steps of 0.25, gain 0.5:        v_threshold = 1.03        =>        v_threshold = 1.0        (8 steps of 0.125)

    n = round(threshold / step), ties to even, within -2^(bits - 1) .. 2^(bits - 1) - 1;   threshold' = step n

1. A population whose rule has a canonical `threshold` that follows from its parameters, and parameters of the step that equal it and
   are derived from the same raw ones: `_populations.py`. All of them change; the reset that subtracts a threshold follows.
2. `range=weights`: the step is the effect of one step of the weights on v: their scale times the canonical `gain`, times `gain_i` where
   there is one. Every synapse of the input sum is quantized, and all synapses of a neuron have the same scale.
3. Where 2 does not hold, and with `range=observed`: the smallest power of two with which the bits hold the lowest and highest v of
   `ntensor.observed`, and the threshold. `range=given`: the same for `low` and `high`.
4. A rule whose step carries the threshold as an integer has its own grid, and stays.

A threshold beyond the bits saturates. Infinities and NaN stay. Recorded: the largest and the mean error over the numbers of
the parameters as they are stored; without a change nothing is recorded.

Errors: NTE009 a network in continuous time;
QUA028 no range is known; QUA029 `low` and `high` do not fit `range`; QUA039 a threshold that no parameter carries; QUA027 bits;
ANA031 a node that is not there. Warnings: QUA040 a threshold that becomes 0; QUA041 one that needs more bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import name_of
from ....analysis.rounding_losses import Lost
from ....core.arrays.numeric import AnyArray
from ....core.diagnostics import Code, Diagnostics
from ....core.fixed_point import Interval
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ._parameter_grid import Moved, arriving, bits_for, bits_held, changes, check_bits, exponent_for, moved, steps_of
from ._populations import carriers, check_range, entry_values, follow, param_of, populations, range_of, refuse_uncarried

QUA039 = Code("QUA039", "threshold-not-step-parameter", "a threshold is not a parameter of the step")
QUA040 = Code("QUA040", "threshold-becomes-zero", "a threshold becomes 0")
QUA041 = Code("QUA041", "threshold-needs-more-bits", "a threshold needs more bits")


@frozen(eq=False)
class Grid:
    """The step for each neuron, and its origin."""

    step: NDArray[np.float64]
    origin: str


def grid_of_weights(op: ntensor.NeuronOp) -> Grid | None:  # 2
    """Returns the effect of a step of the weights on v, for each neuron; None without a common step."""
    canonical = op.canonical
    if len(op.xs) != 1 or canonical is None or "gain" not in canonical.data:
        return None
    scale = arriving(op.xs[0])
    if scale is None:
        return None
    for name in ("gain", "gain_i"):
        if name in canonical.data:
            scale = scale * np.abs(entry_values(canonical, name).astype(np.float64))
    return Grid(scale, "weights") if ((scale > 0) & np.isfinite(scale)).all() else None


@dataclass(frozen=True)
class NtensorQuantizeThresholdPass(NoptPass):
    """Moves the thresholds of the populations of every `ntensor.network` onto a grid.

    Options:
        bits: signed bits of a threshold, 2 to 53, to 24 where the step computes in f32; default 16.
        range: the origin of the grid's step: `weights`, the default, else `observed`; `observed`: the potentials of
            a calibration; `given`: low and high.
        low, high: the range of v; with `range=given` only.
        nodes: the populations, `nodes=lif1,"lif2.lif"`; default all that have a threshold.
    """

    name = "ntensor-quantize-threshold"
    APPROXIMATES = ("precision",)
    bits: int = 16
    range: Literal["weights", "observed", "given"] = "weights"
    low: float | None = None
    high: float | None = None
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_bits(self, self.bits, 2, 53)
        check_range(self.name, self.range == "given", self.low, self.high)
        for network, found in populations(op, self.nodes, self.name):
            errors = Errors()
            origins = [self.quantize(neuron, update, errors, diagnostics_of(ctx)) for neuron, update in found]
            grids = " or ".join(origin for origin in dict.fromkeys(origins) if origin is not None)
            errors.record(network, pass_text(self), f"thresholds of {self.bits} bits on a grid of the {grids}")

    def quantize(
        self, op: ntensor.NeuronOp, update: ntensor.UpdateOp, errors: Errors, diagnostics: Diagnostics
    ) -> str | None:
        """Moves the threshold of a population. Returns the origin of the grid that changed a number."""
        if op.canonical is None or "threshold" not in op.canonical.data:  # 1
            return None
        found = carriers(op, update, "threshold")
        names = [one.name for one in found.found if not one.is_complement]
        if found.is_constant or (found.has_integers and not names):  # 1, 4
            return None
        if not names:
            refuse_uncarried(QUA039, "the threshold", op, "equals the threshold")
        threshold = entry_values(op.canonical, "threshold").astype(np.float64)
        for name in names:
            check_bits(self, self.bits, 2, bits_held(update.param_types[name]), op)
        grid = self.grid(op, threshold)
        params: dict[str, NDArray[Any]] = {}
        for name in names:
            before = param_of(op, update, name)
            made = moved(
                np.broadcast_to(before, np.broadcast_shapes(before.shape, grid.step.shape)),
                grid.step,
                Interval.signed(self.bits),
            )
            self.warn(op, name, before, made, grid, diagnostics)
            if (change := changes(np.broadcast_to(before, made.values.shape), made.values)).any():
                errors.add(name_of(op), change)
                params[name] = made.values
        if not params:
            return None
        follow(op, update, params, {"threshold": next(iter(params.values())).astype(np.float64)})
        return grid.origin

    def grid(self, op: ntensor.NeuronOp, threshold: NDArray[np.float64]) -> Grid:
        if self.range == "weights" and (found := grid_of_weights(op)) is not None:
            step = found.step
            return Grid(step.reshape(-1)[0] if step.size and (step == step.flat[0]).all() else step, found.origin)
        help = f'ntensor-calibrate{{data="x.npy"}},{pass_text(self)}, or {self.name}{{range=given low=-1 high=1}}'
        lowest, highest = range_of(op, "v", (self.low, self.high), help)
        finite = threshold[np.isfinite(threshold)]
        if self.range != "given" and finite.size:  # 3
            lowest, highest = min(lowest, float(finite.min())), max(highest, float(finite.max()))
        step = np.float64(2.0) ** exponent_for(lowest, highest, self.bits, -100)
        return Grid(np.asarray(step), "given range" if self.range == "given" else "observed range")

    def warn(
        self, op: ntensor.NeuronOp, name: str, before: AnyArray, made: Moved, grid: Grid, diagnostics: Diagnostics
    ) -> None:
        """Warns of thresholds that become 0 or saturate."""
        before = np.broadcast_to(before.astype(np.float64), made.values.shape)
        step, held = np.broadcast_to(grid.step, before.shape), 24 if made.values.dtype == np.float32 else 53
        if (lost := Lost.of(before, made.values, 0.0)) is not None:
            value, each = float(lost.values[0]), float(step.flat[int(lost.indices[0])])
            finer = replace(self, bits=self.bits + max(1, math.floor(math.log2(each) - math.log2(abs(value)))))
            more = (
                pass_text(finer) if finer.bits <= held else "ntensor-quantize-state with a fraction of its own instead"
            )
            diagnostics.warning(
                QUA040,
                f"{name} becomes 0{lost.neurons}",
                op=op,
                expected=f"half a step or more: {each / 2:.6g}",
                found=f"{value:.6g}{lost.places}",
                help="ntensor-quantize-weights with more bits" if grid.origin == "weights" else more,
            )
        if made.beyond.any():
            worst = int(np.where(made.beyond, np.abs(made.errors), 0).argmax())
            value, each = float(before.flat[worst]), float(step.flat[worst])
            count = steps_of(value, each)
            wider = replace(self, bits=bits_for(count))
            if self.low is not None and self.high is not None:
                wider = replace(self, low=min(self.low, value), high=max(self.high, value))
            diagnostics.warning(
                QUA041,
                f"{made.beyond.sum()} of {before.size} thresholds saturate at {self.bits} bits",
                op=op,
                expected=f"{Interval.signed(self.bits)} steps of {each:.6g}",
                found=f"{value:.6g}{(f' at index {worst}' if before.ndim else '')}: {count} steps",
                help=pass_text(wider) if wider.bits <= held else pass_text(replace(self, range="observed")),
            )
