"""Parameters of a new update that exceed their registers, and the properties of the rule that change by that.

A parameter that is rounded to the nearest integer of its register differs by half a step at most. One whose rounded value is outside of the
register saturates at its end: that is a clip, whatever its size.

1. Each rounding of the region `derive` counts, also one that only other parameters read, such as the code of a bias generator.
2. A clip changes the property of each canonical value that differs with it, in ideal arithmetic (`_real_semantics.py`) with the wanted value and with
   the clipped integer in its place. Small differences count if all are small: a parameter can change the steps of others.
3. A clip that changes no canonical value changes `reset` if the parameter comes from v_reset, or `dynamics`, if an output differs under the stimuli of
   `_update_comparison.py`.
4. A clip without either is harmless: a finer grid than the register has, of states that it represents exactly.
5. A relative difference of 1e-8 is none: 2^31 in a register that ends at 2^31 - 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import f64
from xdsl.ir import Operation, SSAValue

from ....core.arrays.numeric import AnyArray, Bools, Ints, NamedReals, Reals
from ....core.fixed_point import ROUND_REALS, Interval
from ....core.ir.graph_region import names, walk_upstream
from ....core.ir.operation import texts_of
from ....core.names import primed
from ....dialects import fixed, ntensor
from ....simulation.scalars import Program, scalar
from ....simulation.update import refuse_unknown
from ..numbers._real_semantics import Ideal, UnknownOp, known_function
from ._update_comparison import CANONICAL, NEAR, PROPERTIES, SPREAD, are_apart, stimuli

KEPT_PROBES = 256
"""Probes of updates that are kept."""
SCALES = ("step", "gain", "gain_i")
"""Canonical values that are units, and no property."""
STEP = 1 / 1024
"""Relative difference that is more than the step of another parameter."""
MOST_ROWS = 8
"""Neurons with a clipped parameter that are run."""


@frozen
class Clipped:
    """A parameter that was clipped to its register."""

    param: str
    held: Interval
    wanted: AnyArray
    """The unclipped values of the neurons where it does not fit."""
    is_alike: bool
    """Whether all neurons have the same value."""
    depends_on_unit: bool
    properties: tuple[str, ...]
    """The properties of the rule that differ by the clip."""


Narrowing = fixed.FromRealOp | fixed.SaturateOp


@frozen(eq=False)
class Probe:
    """An update that also returns each derived integer as it was before saturation."""

    update: ntensor.UpdateOp
    watched: dict[str, Narrowing]
    """The op that saturates each parameter."""

    @classmethod
    @lru_cache(KEPT_PROBES)
    def of(cls, update: ntensor.UpdateOp) -> Probe:
        """Returns a probe: a copy of an update that has each value before saturation as an additional canonical parameter."""
        probe = update.clone()
        last = probe.derive.block.last_op
        assert last is not None  # verified: the region ends in ntensor.derived
        watched: dict[str, Narrowing] = {}
        given = list(last.operands)
        for op in list(probe.derive.block.ops):  # 1
            if not isinstance(op, Narrowing):
                continue
            x = op.operands[0]
            watched[primed(narrowed_parameter(op, probe), watched)] = op
            if x.type != f64:
                widened = fixed.ToRealOp(x, f64)
                probe.derive.block.insert_op_before(widened, last)
                x = widened.results[0]
            given.append(x)
        last.operands = given
        probe.canonical = names([*(name.data for name in probe.canonical), *map(unclipped, watched)])
        return cls(probe, watched)


def unclipped(param: str) -> str:
    """Returns the name of the value of a parameter before it saturates."""
    return f"{param} before it is clipped"


def narrowed_parameter(op: Operation, update: ntensor.UpdateOp) -> str:
    """Returns the name of the parameter that an integer becomes, or is part of."""
    value, ends = op.results[0], [*texts_of(update.params), *texts_of(update.canonical)]
    while users := [use.operation for use in value.uses]:
        user = users[0]
        if isinstance(user, ntensor.LetOp):
            return user.variable.data
        if user is update.derive.block.last_op:
            return ends[list(user.operands).index(value)]
        value = user.results[0]
    return "a parameter"


def derived_values(probe: Probe, dt: float, raw: NamedReals) -> dict[str, Reals]:
    """Returns all results of a probe's `derive` region, including integers before saturation. Shapes: the broadcast shape of all raw parameters."""
    arrays = [np.asarray(raw[name], np.float64) for name in texts_of(probe.update.raw)]
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    evaluate = Program(probe.update.derive.block, lambda op: scalar(op) or refuse_unknown(probe.update, op))
    rows = list(zip(*(np.broadcast_to(array, shape).ravel().tolist() for array in arrays), strict=True))
    seen = {row: evaluate([float(dt), *row]) for row in dict.fromkeys(rows)}
    ends = [*texts_of(probe.update.params), *texts_of(probe.update.canonical)]
    return {name: np.array([seen[row][k] for row in rows], np.float64).reshape(shape) for k, name in enumerate(ends)}


def clipped(update: ntensor.UpdateOp, dt: float, raw: NamedReals, first: str) -> Iterator[Clipped]:
    """Yields the integers of a shared update that saturate to their width, where that changes the rule. `first` is the input that is driven."""
    probe = Probe.of(update)  # pyrefly: ignore[bad-argument-type]
    found = derived_values(probe, dt, raw) if probe.watched else {}
    for name, op in probe.watched.items():
        held = fixed.interval_of(op.results[0])
        wanted = found[unclipped(name)]
        if isinstance(op, fixed.FromRealOp):
            wanted = ROUND_REALS[op.rounding.data](wanted)
        outside = are_apart(wanted, np.clip(wanted, held.low, held.high), NEAR * np.abs(wanted))  # 5
        if not outside.any():
            continue
        properties = tuple(Clip(probe, op, dt, raw, wanted, held).properties(first, outside))
        if properties:
            is_alike = bool((wanted == wanted.flat[0]).all())
            depends = reads(op.operands[0], "unit", probe.update)
            yield Clipped(name, held, wanted[outside], is_alike, depends, properties)


@frozen(eq=False)
class Clip:
    """The effect of one clip."""

    probe: Probe
    op: Narrowing
    dt: float
    raw: NamedReals
    wanted: Reals
    held: Interval

    def properties(self, first: str, outside: Bools) -> Iterator[str]:
        """Yields the properties of the rule that differ. `first` is the input that is driven, `outside` are the clipped neurons."""
        limit = np.clip(self.wanted, self.held.low, self.held.high)
        try:
            ideal = Ideal(self.probe.update)
            with np.errstate(all="ignore"):
                before, after = self.derived(None), self.derived(limit)
        except UnknownOp:
            yield "dynamics"
            return
        ends = [name for name in texts_of(self.probe.update.canonical) if not name.endswith(unclipped(""))]
        own = [name for name in ends if name not in SCALES]
        large, small = ([name for name in own if differ(before[name], after[name], most)] for most in (STEP, NEAR))
        if changed := large or small:  # 2
            named = [CANONICAL.get(name, name.removesuffix("_step")) for name in changed]
            yield from dict.fromkeys(name if name in PROPERTIES else "dynamics" for name in named)
        elif self.has_other_output(ideal, before, after, first, np.flatnonzero(outside)[:MOST_ROWS]):  # 3
            yield "reset" if reads(self.op.operands[0], "v_reset", self.probe.update) else "dynamics"

    def derived(self, value: Reals | None) -> dict[str, Any]:
        """Returns all results of `derive` in reals, with a value in the place of the op that saturates."""

        def function_of(op: Operation) -> Any:
            if op is self.op and value is not None:
                return partial(constant, value)
            if (function := known_function(op, False)) is None:
                raise UnknownOp(op.name)
            return function

        update = self.probe.update
        ends = Program(update.derive.block, function_of)([self.dt, *(self.raw[name] for name in texts_of(update.raw))])
        return dict(zip([*texts_of(update.params), *texts_of(update.canonical)], ends, strict=True))

    def has_other_output(
        self, ideal: Ideal, before: Mapping[str, Any], after: Mapping[str, Any], first: str, rows: Ints
    ) -> bool:
        """Returns whether the output of any of these neurons differs for a stimulus by more than a small change of the stimulus explains."""

        def of(value: Any) -> Reals:
            return np.broadcast_to(np.asarray(value, np.float64), self.wanted.shape).reshape(-1)[rows, None]

        way = np.abs(of(self.raw.get("threshold", 1.0)) - of(self.raw.get("leak", 0.0)))
        units = of(self.raw.get("unit", 1.0))
        with np.errstate(over="ignore", invalid="ignore"):  # a tiny unit needs an infinite drive
            unit = np.where(way > 0, way, 1.0) / np.where(units == 0, 1.0, units)
            drive = np.concatenate(list(stimuli().values()), 1)[:, None, :] * unit
        params = texts_of(self.probe.update.params)
        was, now = ({name: of(values[name]) for name in params} for values in (before, after))
        runs = [ideal.run(was, drive * factor, first) for factor in (1, 1 - SPREAD, 1 + SPREAD)]
        scale = 0.01 * (1 + np.abs(runs[0])) if not self.spikes else 0.0
        firm = np.logical_and.accumulate(np.abs(runs[1] - runs[2]) <= scale, 0)
        return bool((firm & (np.abs(ideal.run(now, drive, first) - runs[0]) > scale)).any())

    @property
    def spikes(self) -> bool:
        return self.probe.update.emits.data in (ntensor.Emits.SPIKE, ntensor.Emits.COUNT)


def constant(value: Reals, x: Any) -> Reals:
    del x
    return value


def differ(before: Any, after: Any, most: float) -> bool:
    """Returns whether numbers have a larger relative difference."""
    was, now = np.broadcast_arrays(np.asarray(before, np.float64), np.asarray(after, np.float64))
    return bool(are_apart(was, now, most * np.abs(was)).any())


def reads(value: SSAValue, raw: str, update: ntensor.UpdateOp) -> bool:
    """Returns whether a value is derived from a raw parameter."""
    args = dict(zip(texts_of(update.raw), update.derive.block.args[1:], strict=True))
    return raw in args and args[raw] in walk_upstream([value], lambda op: True)
