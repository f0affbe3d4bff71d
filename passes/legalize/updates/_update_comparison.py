"""Comparison of the rule of another update with that of a population, property by property.

Both are run in ideal arithmetic (`../numbers/_real_semantics.py`) on the same stimuli, so that a difference is one of the rule and not of rounding. The stimuli are
in multiples of the way from rest to threshold, with the parameters of the population:

| property | differs where |
| --- | --- |
| `decay`, `leak`, `current`, `threshold` | the canonical value that the new parameters stand for is another one, before they are rounded; `threshold` also if one of both adapts |
| `initial` | a constant input makes the first spike come at another time |
| `bound` | inhibition that comes first makes it come at another time |
| `count` | the first spikes are another number, or the first difference is the limit of one of both |
| `comparison` | one fires where v equals the threshold (`>=`), the other does not (`>`); not compared where `dynamics` differs |
| `refractory` | under a strong input the shortest way from spike to spike has other ticks |
| `reset` | later spikes come at other times, of pulses with some silence after them where refractory periods differ |
| `dynamics` | something else, or something that cannot be run in ideal arithmetic |

1. A unit of integers is 2^-12 of that way, whatever it will be: the threshold of a chip that compares with `>=` is one unit higher, which
   then plays no role, and v stays within 16 bits.
2. A difference that an input change of 0.1 % can cause is not a property: after the first tick with such a change nothing is compared.
3. Integers are above a threshold if they reach the next one: `v >= th + 1` is `v > th`, and `v > th - 1` is `v >= th`. Inputs close to the
   threshold show that.
4. A count differs where the first difference of a run is the limit of one of the updates. A threshold that adapts makes later spikes come at other times:
   then neither the reset nor a refractory period is compared.
5. Parameters distinguish neurons. Of many, those with the least and the largest value of each parameter are compared, and some others.

The method is a test on generated vectors, not a proof. A difference that no stimulus shows is not found.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from attrs import frozen
from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ....analysis.calibration_records import PEAKS
from ....core.arrays.numeric import Bools, Ints, NamedReals, Reals
from ....core.fixed_point import Rounding
from ....core.ir.contents import op_contents
from ....core.ir.graph_region import walk_upstream
from ....core.ir.operation import shape_of
from ....dialects import fixed, ntensor
from ....dialects.fixed import comparison_symbol
from ..numbers._real_semantics import Ideal, UnknownOp, emission_ops
from . import _canonical_parameters as parameters

CANONICAL = {"decay": "decay", "leak": "leak", "decay_i": "current", "threshold": "threshold"}
BEHAVIOUR = ("initial", "bound", "count", "comparison", "refractory", "reset", "dynamics")
PROPERTIES = (*CANONICAL.values(), *BEHAVIOUR)
UNITS = 4096
"""Units from rest to threshold."""
TICKS = 40
SPREAD = 1e-3
"""Part of an input that decides nothing."""
NEAR = 1e-8
"""Relative difference of numbers that are the same."""
TIE = 1e-11
"""Relative distance of an input from the threshold that it reaches; steps of 32 bits are larger."""
GRID = 8 / UNITS
"""Relative difference of thresholds by the next integer, whose value is that of several units where a current decays fast."""
SHIFT = 16 / UNITS
"""Relative distance of an input that no shift of the threshold reaches."""
KEPT = 1024
"""Comparisons whose result is kept."""
NEURONS = 8
"""Number of compared neurons of a population, in addition to those with the least and the largest parameters."""


class Differences(dict[str, str]):
    """Property: how the old rule and the new one differ in it."""

    distance: int = 0
    """Spikes that differ under all stimuli."""


@frozen(eq=False)
class Sample:
    """Some neurons of a population, and what a comparison needs of them. Shapes: (neurons, 1)."""

    params: NamedReals
    """Of the old update."""
    raw: NamedReals
    """Of the new one, for integers in units of `unit`."""
    canonical: NamedReals
    way: Reals
    """From rest to threshold."""
    old_unit: Reals
    """The change of the membrane by an input of 1, under the old update."""
    new_unit: Reals

    @property
    def content(self) -> Hashable:
        """Returns a key that is equal for equal neurons."""
        named = (*self.params.items(), *self.raw.items(), *self.canonical.items())
        own = (("way", self.way), ("old_unit", self.old_unit), ("new_unit", self.new_unit))
        return tuple((name, array.shape, array.tobytes()) for name, array in (*named, *own))


# ---- what is compared


@cache
def stimuli() -> dict[str, Reals]:
    """Returns test inputs by purpose, in multiples of the distance from rest to threshold. Shapes: (ticks, stimuli)."""
    rng = np.random.default_rng(11)

    def drawn(count: int, low: float, high: float) -> Reals:
        return rng.uniform(low, high, (TICKS, count))

    inhibited = drawn(8, 0, 1)
    inhibited[:6] = rng.uniform(-0.6, 0, (6, 8))
    steady = np.repeat(np.array([[0.0, 0.02, 0.1, 0.3, 0.55, 0.8, 1.1, 1.3]]), TICKS, 0)
    pulses = np.zeros((TICKS, 8))
    for k in range(8):
        pulses[k % 3 :: 7 + k % 2, k] = rng.uniform(1.05, 1.7, len(pulses[k % 3 :: 7 + k % 2, k]))
        pulses[k % 3 + 3 :: 7 + k % 2, k] = rng.uniform(0.3, 0.9, len(pulses[k % 3 + 3 :: 7 + k % 2, k]))
    return {
        "steady": np.concatenate([steady, drawn(6, 0, 0.7)], 1),
        "inhibited": inhibited,
        "large": np.concatenate([drawn(4, 1.9, 3), np.repeat(np.array([[2.3, 3.6]]), TICKS, 0)], 1),
        "strong": np.repeat(np.array([[3.1, 4.3]]), TICKS, 0),
        "pulses": pulses,
        "positive": drawn(6, 0, 1.2),
        "mixed": np.concatenate([drawn(4, 0, 2.5), drawn(6, -1, 1.8)], 1),
    }


def columns() -> Iterator[tuple[str, slice]]:
    start = 0
    for name, array in stimuli().items():
        yield name, slice(start, start + array.shape[1])
        start += array.shape[1]


# ---- sampling


def sample(op: ntensor.NeuronOp, old: ntensor.UpdateOp, new: ntensor.UpdateOp, unit: Reals | None, dt: float) -> Sample:
    """Returns the neurons of a population that are compared. Errors: LEG033 a parameter that is not known."""
    shape = shape_of(op.z)
    canonical = parameters.canonical_of(op)
    rest = canonical.get("leak", np.float64(0))
    own = {name: array.values.astype(np.float64) for name, array in op.arrays(op.params)}
    way = np.abs(canonical["threshold"] - rest) if "threshold" in canonical else np.asarray(np.abs(rest))
    way = np.maximum(way, canonical.get("level", np.float64(0)))
    way = np.where(np.isfinite(way) & (way > 0), way, 1.0)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        gain = np.asarray(canonical.get("gain", np.float64(1)) * canonical.get("gain_i", np.float64(1)))
    gain = np.where(np.isfinite(gain) & (gain != 0), gain, 1.0)
    old_unit = gain if unit is None or not old.takes_integers else unit
    new_unit = way / UNITS if unit is not None else old_unit
    known = {"unit": new_unit, "unit_inhibitory": new_unit, parameters.INHIBITION: np.zeros(())}
    raw = parameters.raw_values(op, new, {} if unit is None else known, dt)
    picked = picks([*own.values(), *canonical.values()], shape)

    def of(value: Any) -> Reals:
        array = np.asarray(value, np.float64)
        chosen = (
            np.broadcast_to(array, shape).reshape(-1)[picked] if array.ndim else np.broadcast_to(array, picked.shape)
        )
        return chosen[:, None]

    def each(values: NamedReals) -> dict[str, Reals]:
        return {name: of(value) for name, value in values.items()}

    return Sample(each(own), each(raw), each(canonical), of(way), of(old_unit), of(new_unit))


def picks(arrays: Sequence[Reals], shape: tuple[int, ...]) -> Ints:
    """Neurons with the least and the largest value of each parameter, and some."""  # 4
    size = int(np.prod(shape))
    found = {0}
    for array in arrays:
        if array.ndim and array.size > 1:
            flat = np.broadcast_to(array, shape).reshape(-1)
            found |= {int(flat.argmin()), int(flat.argmax()), *(size * k // NEURONS for k in range(NEURONS))}
    return np.array(sorted(found))


def join_samples(samples: Sequence[Sample]) -> Sample:
    """Returns one sample with the neurons of several samples."""

    def join(kind: str) -> Reals:
        return np.concatenate([getattr(one, kind) for one in samples])

    def each(kind: str) -> dict[str, Reals]:
        listed: list[NamedReals] = [getattr(one, kind) for one in samples]
        return {name: np.concatenate([arrays[name] for arrays in listed]) for name in listed[0]}

    return Sample(each("params"), each("raw"), each("canonical"), join("way"), join("old_unit"), join("new_unit"))


# ---- comparing


def differences(
    old: ntensor.UpdateOp, new: ntensor.UpdateOp, first: tuple[str, str], samples: Sequence[Sample], dt: float
) -> list[Differences]:
    """How the rules differ for each population; all of them have these two updates. `first` names the input of each; `new` is shared."""
    contents = op_contents(old), shared_contents(new)  # pyrefly: ignore[bad-argument-type]
    if None in contents:
        return compare(old, new, first, samples, dt)
    found = known_differences((*contents, first, dt, *(sample.content for sample in samples)))
    if not found:
        found.extend(compare(old, new, first, samples, dt))
    return found


shared_contents = lru_cache(KEPT)(op_contents)
"""Returns the contents of a shared update, which nothing changes."""


@lru_cache(KEPT)
def known_differences(key: tuple[Any, ...]) -> list[Differences]:
    """Returns the place of the differences of updates with these contents for neurons with these contents."""
    del key
    return []


def compare(
    old: ntensor.UpdateOp, new: ntensor.UpdateOp, first: tuple[str, str], samples: Sequence[Sample], dt: float
) -> list[Differences]:
    """Returns the differences as `differences` does."""
    try:
        before, after = Ideal(old), Ideal(new)
    except UnknownOp as unknown:
        return [Differences(dynamics=f"{unknown} is not run in ideal arithmetic") for _ in samples]
    with np.errstate(all="ignore"):  # extreme parameters make infinities, which are compared as such
        comparison = Comparison(before, after, first, join_samples(samples), dt)
        found, start = comparison.run(), 0
    result: list[Differences] = []
    for one in samples:
        own = slice(start, start := start + len(one.way))
        result.append(Differences({name: text for name, (is_other, text) in found.items() if is_other[own].any()}))
        result[-1].distance = int(comparison.distance[own].sum())
    return result


def are_apart(was: Reals, now: Reals, most: Reals) -> Bools:
    """Returns whether numbers differ by more than `most`; an infinity or a NaN is near to its like alone."""
    is_same = (was == now) | (np.isnan(was) & np.isnan(now))
    with np.errstate(over="ignore", invalid="ignore"):
        is_near = np.isfinite(was) & np.isfinite(now) & ~(np.abs(now - was) > most)
    return ~is_same & ~is_near


def is_count(update: ntensor.UpdateOp) -> bool:
    """Returns whether an update emits counts of more than one spike."""
    return update.emits.data is ntensor.Emits.COUNT and int(getattr(update.emitted.type, "upper", 1)) > 1


class Comparison:
    """Two updates on the same neurons."""

    def __init__(self, old: Ideal, new: Ideal, first: tuple[str, str], sample: Sample, dt: float):
        self.old, self.new, self.first, self.sample, self.dt = old, new, first, sample, dt
        self.rows = len(sample.way)
        self.params, self.canonical = new.derive(dt, sample.raw)
        self.found: dict[str, tuple[Bools, str]] = {}
        self.distance = np.zeros(self.rows, np.int64)
        """Ticks of all stimuli in which the spikes differ, for each neuron."""

    @property
    def are_layers(self) -> bool:
        """Whether both are functions of the input to counts, of which rounded parameters shift the steps."""
        return all(len(one.update.states) == 0 and is_count(one.update) for one in (self.old, self.new))

    def run(self) -> dict[str, tuple[Bools, str]]:
        """Returns the differing properties, each with a mask of the affected neurons and a description."""
        drive = np.concatenate(list(stimuli().values()), 1)[:, None, :] * self.sample.way
        was, near = self.runs_of_old(drive)
        now = self.new.run(self.params, drive / self.sample.new_unit, self.first[1])
        kinds = self.old.update.emits.data, self.new.update.emits.data
        spiking = {ntensor.Emits.SPIKE, ntensor.Emits.COUNT}
        self.compare_canonical()
        if not spiking.issuperset(kinds):
            now = now * self.canonical.get("step", 1.0)
            other = are_apart(was, now, 0.01 * (self.sample.way + np.abs(was)) + near)
            self.note("dynamics" if not self.found else None, other.any((0, 2)), "values that are emitted differ")
            return self.found
        if self.are_layers:
            now = np.where(np.abs(now - was) <= 1, was, now)
        firm = near < 0.5  # 2
        firm = np.logical_and.accumulate(firm, 0)
        slices = dict(columns())
        silent = np.logical_and.accumulate((was == 0) & (now == 0), 0)
        silent = np.concatenate([np.ones_like(silent[:1]), silent[:-1]])  # no spike before
        diverged = firm & ((was > 0) != (now > 0)) & silent
        steady = diverged[..., slices["steady"]].any((0, 2))
        unexplained = steady & ~self.any_of(*CANONICAL.values())
        has_start = self.has_start()
        self.note("initial", unexplained & has_start, "the state before the first tick differs")
        self.note("dynamics", unexplained & ~has_start, "the first spikes come at other times")
        self.note("bound", diverged[..., slices["inhibited"]].any((0, 2)) & ~steady, "v is bounded otherwise")
        counted = firm & (was > 0) & (now > 0) & (was != now) & silent
        most = [getattr(one.update.emitted.type, "upper", 1) for one in (self.old, self.new)]
        other = firm & (was != now)
        earliest = other & ~np.concatenate([np.zeros_like(other[:1]), np.logical_or.accumulate(other, 0)[:-1]])
        is_limited = np.minimum(was, now) == min(most) if most[0] != most[1] else np.zeros_like(other)
        limited = (earliest & is_limited & (np.minimum(was, now) > 0)).any((0, 2))  # 4
        self.note("count", counted.any((0, 2)) | limited, f"at most {most[0]} in a tick, at most {most[1]}")
        self.compare_threshold()
        adapts = [has_adapting_threshold(one.update) for one in (self.old, self.new)]
        if adapts[0] == adapts[1]:
            self.compare_refractory(was[..., slices["strong"]], now[..., slices["strong"]])
        else:
            texts = ["the threshold adapts" if one else "the threshold is constant" for one in adapts]
            self.note("threshold", other.any((0, 2)), ", ".join(texts))
        single = np.logical_and.accumulate((was <= 1) & (now <= 1), 0)
        later = firm & single & ((was > 0) != (now > 0)) & ~silent
        explained = self.any_of(*CANONICAL.values(), "initial", "bound", "dynamics", "count", "refractory")
        pulsed = later[..., slices["pulses"]].any((0, 2))  # a refractory period is over before the next input
        pulsed |= later[..., slices["positive"]].any((0, 2)) & ~self.any_of("refractory")
        pulsed &= adapts[0] == adapts[1]
        self.note("reset", pulsed & ~self.any_of("dynamics"), "the membrane after a spike differs")
        differing = other.any((0, 2))
        self.note("reset", differing & ~pulsed & ~explained, "the membrane after a spike differs")
        self.distance = other.sum((0, 2))
        return self.found

    def runs_of_old(self, drive: Reals) -> tuple[Reals, Reals]:
        """Returns the output of the old update, and its change under a slightly larger or smaller input."""
        x, count = drive / self.sample.old_unit, drive.shape[-1]
        three = np.concatenate([x, x * (1 - SPREAD), x * (1 + SPREAD)], -1)
        found = self.old.run(self.sample.params, three, self.first[0])
        was, less, more = (found[..., k * count : (k + 1) * count] for k in range(3))
        return was, np.maximum(np.abs(less - was), np.abs(more - was))

    def any_of(self, *names: str) -> Bools:
        return np.logical_or.reduce([np.zeros(self.rows, bool), *(self.found[n][0] for n in names if n in self.found)])

    def note(self, name: str | None, is_other: Any, text: str) -> None:
        if name is not None and is_other.any():
            before = self.found.get(name, (np.zeros(self.rows, bool), text))
            self.found[name] = before[0] | np.asarray(is_other), before[1]

    def compare_canonical(self) -> None:
        for name, property in CANONICAL.items():
            if name in self.canonical and name in self.sample.canonical:
                was = self.sample.canonical[name][:, 0]
                now = np.broadcast_to(self.canonical[name], (self.rows, 1))[:, 0]
                most = GRID * self.sample.way[:, 0] if name in ("leak", "threshold") else 1e-6
                is_other = are_apart(was, now, most + NEAR * np.abs(was))
                if is_other.any():
                    k = int(is_other.argmax())
                    self.note(property, is_other, f"{name} {was[k]:g}, {now[k]:g}")

    def has_start(self) -> Bools:
        """Returns whether states are other than 0 before the first tick, under either update."""
        starts = [*self.old.start(self.sample.params).values(), *self.new.start(self.params).values()]
        return np.logical_or.reduce([np.broadcast_to(np.asarray(one) != 0, (self.rows, 1))[:, 0] for one in starts])

    def compare_threshold(self) -> None:
        relations = [relation_of(one.update) for one in (self.old, self.new)]
        if relations[1] is not None:
            relations[1] = self.shifted_relation() or relations[1]
        if relations[0] != relations[1] or None in relations:
            texts = [f"v {one} threshold" if one else "unknown" for one in relations]
            self.note("comparison", ~self.any_of("dynamics"), ", ".join(texts))

    def shifted_relation(self) -> str | None:  # 3
        """Returns the relation of the new update, if its integer threshold is some units above or below that of the population."""
        raw = dict(self.sample.raw)
        if "threshold" not in raw or "unit" not in raw:
            return None
        way = np.abs(raw["threshold"])
        raw |= {name: np.zeros_like(raw[name]) for name in ("leak", "v_leak", "leak_step") if name in raw}
        raw |= {name: way for name in PEAKS if name in raw}  # the finest steps of v
        raw |= {
            name: np.full_like(raw[name], 0.5) for name in ("decay_i",) if name in raw
        }  # a current that every chip has
        raw["unit"] = way / UNITS
        params, _ = self.new.derive(self.dt, raw)
        drive = UNITS * (1 + np.array([-SHIFT, -TIE, TIE, SHIFT]))
        pulse = np.broadcast_to(drive, (1, self.rows, len(drive)))
        fired = self.new.run(params, pulse, self.first[1])[0, way[:, 0] > 0] > 0
        if not len(fired) or fired[:, 0].any() or not fired[:, -1].all():
            return None
        return ">=" if fired[:, 1].all() else None if fired[:, 2].any() else ">"

    def compare_refractory(self, was: Reals, now: Reals) -> None:
        """Compares the shortest intervals between spikes, in the second half of the run."""
        shortest: list[Ints] = []
        for one in (was, now):
            fired = one > 0
            gap, least = np.zeros(fired.shape[1:], int), np.full(fired.shape[1:], TICKS)
            for tick in range(TICKS):
                gap = gap + 1
                if tick >= TICKS // 2:
                    least = np.where(fired[tick], np.minimum(least, gap), least)
                gap = np.where(fired[tick], 0, gap)
            shortest.append(least.min(-1))
        is_other = shortest[0] != shortest[1]
        if is_other.any():
            k = int(is_other.argmax())
            self.note("refractory", is_other, f"{shortest[0][k] - 1} ticks, {shortest[1][k] - 1} ticks")


STRICT = {">": ">", "<": ">", ">=": ">=", "<=": ">="}
COUNTED = {Rounding.FLOOR: ">=", Rounding.CEIL: ">"}
"""The comparison of a number of spikes: floor(v / threshold), or ceil((v - threshold) / level)."""


def relation_of(update: ntensor.UpdateOp) -> str | None:
    """Returns the comparison of the fired value with the threshold, `>` or `>=`; None if the equations do not determine it."""
    tests, counts, _ = emission_ops(update)
    found = {COUNTED.get(op.rounding.data) for op in counts}
    for op in tests:
        symbol = comparison_symbol(op) if isinstance(op, arith.CmpfOp | fixed.CmpOp) else ""
        if symbol in STRICT and depends_on_input(op, update):
            found.add(STRICT[symbol])
    return found.pop() if len(found) == 1 else None


def has_adapting_threshold(update: ntensor.UpdateOp) -> bool:
    """Returns whether the input is compared with a value that depends on a state, which spikes change."""
    tests, counts, _ = emission_ops(update)
    quotients = [op.operands[0].owner if isinstance(op, fixed.FromRealOp) else op for op in counts]
    compared = [op for op in tests if isinstance(op, arith.CmpfOp | fixed.CmpOp)]
    compared += [op for op in quotients if isinstance(op, arith.DivfOp | fixed.DivOp)]
    args = update.step.block.args[len(update.inputs) :]
    states = set(args[: len(update.states)])

    def changes(value: SSAValue) -> bool:
        return not states.isdisjoint(walk_upstream([value], lambda op: True))

    return any(depends_on_input(op, update) and all(map(changes, op.operands)) for op in compared)


def depends_on_input(op: Operation, update: ntensor.UpdateOp) -> bool:
    """Returns whether a comparison depends on an input, or on a state that accumulates inputs."""
    args = update.step.block.args
    added = {into for _, into, _ in update.accumulators}
    first = len(update.inputs)
    sources: set[SSAValue] = {*args[:first]}
    sources |= {arg for arg, name in zip(args[first:], update.states, strict=False) if name.data in added}
    return not sources.isdisjoint(walk_upstream(op.operands, lambda op: True))
