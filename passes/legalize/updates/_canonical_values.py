"""Report of a conversion to another update, for the record of `ntensor-set-neuron-model`.

Canonical values of a new update that its registers cannot represent: a decay that becomes 0 or 1, a threshold or a leak that becomes 0.

1. Each is a rounding by half a step at most, not a clip (`_clipped_parameters.py`), but the neuron works differently: it keeps nothing or
   everything from tick to tick, fires at any input, or has no leak.
2. A property of the rule that differs, because the new neuron has no such parameter or because of a clip, is recorded already.
3. Only neurons for which the value was another one count, by more than the rounding of reals: near to 0 and 1, or in parts of the threshold.
4. Where a gain is a register, its rounding multiplies all weights or counts of the population.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

import numpy as np
from attrs import define, field, frozen

from ....analysis.approximation_errors import mean_of
from ....analysis.rounding_losses import Lost
from ....core.arrays.numeric import NamedReals, Reals
from ....core.ir.operation import shape_of
from ._update_comparison import CANONICAL, NEAR
from ._update_options import Choice

MOST_ERROR = 0.1
"""Largest error of a gain that is not reported, relative to it."""
GAINS = {"unit": "the membrane potential that one integer adds", "level": "the potential of one more count"}
"""Canonical values that multiply all inputs or counts of a population, and their meaning."""
ENDS = {"decay": (0.0, 1.0), "decay_i": (0.0, 1.0), "threshold": (0.0,), "leak": (0.0,)}
"""Values at which a canonical value has no effect."""
EFFECTS = {
    ("decay", 0.0): "the potential is not kept between ticks",
    ("decay", 1.0): "the potential does not decay",
    ("decay_i", 0.0): "the current is not kept between ticks",
    ("decay_i", 1.0): "the current does not decay",
    ("threshold", 0.0): "each input can make the neuron spike",
    ("leak", 0.0): "the potential rests at 0",
}


@frozen(eq=False)
class LostValue:
    """A canonical value that rounding replaced by a value without an effect, such as a threshold of 0."""

    name: str
    end: float
    lost: Lost

    @property
    def effect(self) -> str:
        return EFFECTS[self.name, self.end]


def lost_values(before: NamedReals, after: NamedReals, properties: Container[str]) -> Iterator[LostValue]:
    """Yields the lost canonical values of a population, except values of the `properties` in which the rules differ anyway."""
    for name, ends in ENDS.items():
        if name in before and name in after and CANONICAL[name] not in properties:  # 2
            unit = np.abs(before.get("threshold", 1.0)) if name == "leak" else 0.0 if name == "threshold" else 1.0
            for end in ends:
                was = np.where(np.abs(before[name] - end) <= NEAR * unit, end, before[name])  # 3
                if (lost := Lost.of(was, after[name], end)) is not None:
                    yield LostValue(name, end, lost)


@frozen
class GainError:
    """The largest error of a gain, relative to it, and the neuron's numbers before and after."""

    error: float
    wanted: float
    found: float

    @classmethod
    def of(cls, wanted: Reals, found: Reals) -> GainError:
        old, new = np.broadcast_arrays(np.asarray(wanted, np.float64), np.asarray(found, np.float64))
        errors = (np.abs(new - old) / np.where(old != 0, np.abs(old), 1.0)).reshape(-1)
        if not errors.size:  # a population without neurons
            return cls(0.0, 0.0, 0.0)
        worst = int(errors.argmax())
        return cls(float(errors[worst]), float(old.flat[worst]), float(new.flat[worst]))


def gain_errors(raw: NamedReals, after: NamedReals) -> dict[str, GainError]:
    """Returns the largest error of each gain of a neuron that is a register."""  # 4
    return {name: GainError.of(raw[name], after[name]) for name in GAINS if name in raw and name in after}


@define
class Report:
    """The effects of the conversions of one network."""

    touched: list[str] = field(factory=list[str])
    rules: dict[str, None] = field(factory=dict[str, None])
    differences: dict[str, list[Reals]] = field(factory=dict[str, list[Reals]])
    """By canonical name."""
    properties: dict[str, str] = field(factory=dict[str, str])
    """Properties of the rule that differ, and how."""
    unit_error: float = 0.0
    """The largest error of what one integer adds, relative to it."""
    kept_apart: dict[str, None] = field(factory=dict[str, None])
    """Values that cannot be compared."""
    limits: dict[str, None] = field(factory=dict[str, None])
    """Fewer spikes in a tick than the population can emit, where no stimulus of the comparison reaches them."""

    def what(self) -> str:
        exact = [name for name, found in self.differences.items() if not any(part.any() for part in found)]
        parts = [f"{', '.join(exact)} exact"] if exact else []
        for name, found in self.differences.items():
            if name not in exact:
                errors = np.concatenate([np.ravel(part) for part in found])
                parts.append(f"{name} differs by at most {errors.max():.3g}, {mean_of(errors):.3g} on average")
        if self.unit_error:
            parts.append(f"the value of an integer differs by at most {self.unit_error:.3g} of it")
        parts += [f"{name} differs ({text})" for name, text in self.properties.items()] or ["the rule is the same"]
        parts += [] if "count" in self.properties else self.limits
        if self.kept_apart:
            parts.append(f"not compared: {', '.join(self.kept_apart)}")
        return f"{', '.join(self.rules)}: {'; '.join(parts)}"

    def errors(self) -> tuple[float | None, float | None]:
        every = [np.ravel(part) for found in self.differences.values() for part in found]
        if not every:
            return None, None
        joined = np.concatenate(every)
        return float(joined.max()), mean_of(joined)

    def add(self, choice: Choice, canonical: Mapping[str, Reals], *, has_unit: bool) -> None:
        """Adds the comparison of the old and the new update of a population; `canonical` are its values."""
        op = choice.op
        self.touched.append(op.node.data)
        self.rules.setdefault(f"@{choice.old.sym_name.data} becomes @{choice.update.sym_name.data}")
        for name, array in op.arrays(op.canonical) if op.canonical is not None else ():
            if has_unit and name in ("gain", "gain_i"):
                continue  # they are part of the unit
            if name in canonical:
                with np.errstate(over="ignore"):  # a difference beyond the reals is an infinite one
                    error = np.abs(np.asarray(canonical[name], np.float64) - array.values)
                self.differences.setdefault(name, []).append(np.broadcast_to(error, shape_of(op.z)))
            else:
                self.kept_apart.setdefault(name)
        if choice.old.emits != choice.update.emits:
            self.kept_apart.setdefault(f"{choice.old.emits.data} as {choice.update.emits.data}")
        for name in choice.old.operand_names[1:]:
            self.kept_apart.setdefault(f"input {name}")
        before, after = (getattr(one.emitted.type, "upper", 1) for one in (choice.old, choice.update))
        if after < before:
            self.limits.setdefault(f"at most {after} spikes in a tick instead of {before}")
        for name, text in choice.differences.items():
            self.properties.setdefault(name, text)
