"""Sources of currents: their values in each tick, which the host computes.

A current of tick n flows from n to n + 1 ticks. A change of a parameter acts on the ticks from then on.
"""

from __future__ import annotations

from abc import abstractmethod
from hashlib import blake2b
from typing import Any

import numpy as np

from ....core.arrays.numeric import Bools, Ints, Reals
from .. import simulator
from ..bases import AlternatingBase, DirectBase, NoisyBase, StepBase
from ..requirements import package
from .cells import own_names

spaces: Any = package("pyNN.parameters")


class Injected:
    """Parameters and targets of a source of a current."""

    default_parameters: Any

    def prepare(self, given: Any) -> None:
        """Evaluates the parameters of a new source."""
        self.targets: list[tuple[Any, Ints]] = []
        """Populations, and the neurons that get the current."""
        self.changes: list[tuple[int, dict[str, Any]]] = [(0, current_parameters(given))]
        """The first tick of each set of parameters, and the parameters."""
        self.number: int = len(simulator.state.currents)
        simulator.state.currents.append(self)

    def inject_into(self, cells: Any) -> None:
        from ..populations import parts  # populations know cells

        if not hasattr(cells, "size"):  # single neurons
            for cell in cells:
                if not cell.celltype.injectable:
                    raise TypeError("a source of spikes takes no current")
                self.targets.append((cell.parent, np.array([cell.parent.id_to_index(cell)], np.int64)))
            return
        self.targets += [(population, np.asarray(index, np.int64)) for population, index in parts(cells)]

    def get_native_parameters(self) -> Any:
        return spaces.ParameterSpace(dict(self.changes[-1][1]), shape=(1,))

    def set_native_parameters(self, space: Any) -> None:
        """Changes parameters from the present tick on."""
        now = simulator.state.tick
        self.changes = [one for one in self.changes if one[0] < now or one is self.changes[-1]]
        self.changes.append((now, self.changes[-1][1] | current_parameters(space)))

    def restart(self) -> None:
        """Keeps the last parameters, for a clock that starts again."""
        self.changes = [(0, self.changes[-1][1])]

    def key(self) -> bytes:
        """Returns a hash of the parameters and targets."""
        digest = blake2b()
        for tick, values in self.changes:
            digest.update(f"{tick} {type(self).__name__}".encode())
            for name, value in values.items():
                digest.update(name.encode() + np.asarray(value, np.float64).tobytes())
        for population, index in self.targets:
            digest.update(f"{population.label!r}".encode() + index.tobytes())
        return digest.digest()

    def amplitudes(self, ticks: int) -> Reals:
        """Returns the current in each tick [nA]."""
        dt = simulator.state.dt
        found = np.zeros(ticks)
        stops = [tick for tick, _ in self.changes[1:]] + [ticks]
        for (start, values), stop in zip(self.changes, stops, strict=True):
            tick = np.arange(start, min(stop, ticks))
            found[tick] = self.current(tick, dt, values)
        return found

    @abstractmethod
    def current(self, tick: Ints, dt: float, values: dict[str, Any]) -> Reals:
        """Returns the current in some ticks [nA]. Units: dt [ms]."""
        ...

    def record(self) -> None:
        """Does nothing: the current of each tick is known."""

    def _get_data(self) -> tuple[Reals, Reals]:
        ticks = simulator.state.tick
        return np.arange(ticks) * np.float64(simulator.state.dt), self.amplitudes(ticks)


def current_parameters(space: Any) -> dict[str, Any]:
    """Returns numbers and arrays of a set of parameters."""
    space.shape = (1,)
    space.evaluate(simplify=False)
    found: dict[str, Any] = {}
    for name, value in space.items():
        one = value[0]
        found[name] = np.asarray(getattr(one, "value", one), np.float64)
    return found


def is_on(tick: Ints, dt: float, values: dict[str, Any]) -> Bools:
    """Returns whether a source is on in some ticks; its start and stop are rounded to ticks."""
    found: Bools = (tick >= np.rint(values["start"] / dt)) & (tick < np.rint(values["stop"] / dt))
    return found


def currents_of(state: Any, population: Any, ticks: int) -> Reals:
    """Returns the injected currents of a population [nA]. Shapes: [1, ticks, neurons]."""
    found = np.zeros((1, ticks, population.size))
    for source in state.currents:
        for other, index in source.targets:
            if other is population:
                np.add.at(found[0].T, index, source.amplitudes(ticks))
    return found


class DCSource(Injected, DirectBase):
    """A constant current from a start to a stop."""

    translations: Any = own_names(DirectBase)

    def __init__(self, **given: Any):
        DirectBase.__init__(self, **given)
        self.prepare(self.parameter_space)

    def current(self, tick: Ints, dt: float, values: dict[str, Any]) -> Reals:
        return np.where(is_on(tick, dt, values), values["amplitude"], 0.0)


class ACSource(Injected, AlternatingBase):
    """A sine from a start to a stop."""

    translations: Any = own_names(AlternatingBase)

    def __init__(self, **given: Any):
        AlternatingBase.__init__(self, **given)
        self.prepare(self.parameter_space)

    def current(self, tick: Ints, dt: float, values: dict[str, Any]) -> Reals:
        time = (tick * dt - values["start"]) / 1000
        wave = np.sin(2 * np.pi * values["frequency"] * time + np.deg2rad(values["phase"]))
        return np.where(is_on(tick, dt, values), values["offset"] + values["amplitude"] * wave, 0.0)


class StepCurrentSource(Injected, StepBase):
    """A current that changes at given times."""

    translations: Any = own_names(StepBase)

    def __init__(self, **given: Any):
        StepBase.__init__(self, **given)
        self.prepare(self.parameter_space)

    def current(self, tick: Ints, dt: float, values: dict[str, Any]) -> Reals:
        times, amplitudes = values["times"].reshape(-1), values["amplitudes"].reshape(-1)
        if len(times) != len(amplitudes) or (np.diff(times) <= 0).any() or (times < 0).any():
            raise ValueError("times of a StepCurrentSource have to increase from 0, with an amplitude for each")
        place = np.searchsorted(np.rint(times / dt), tick, "right") - 1
        return np.where(place >= 0, np.append(amplitudes, 0.0)[place], 0.0)


class NoisyCurrentSource(Injected, NoisyBase):
    """A current with normally distributed values, which change every `dt`. The seed is `setup(rng_seed=…)`."""

    translations: Any = own_names(NoisyBase)

    def __init__(self, **given: Any):
        given.pop("rng", None)
        if "dt" not in given:
            given["dt"] = simulator.state.dt
        NoisyBase.__init__(self, **given)
        self.prepare(self.parameter_space)

    def current(self, tick: Ints, dt: float, values: dict[str, Any]) -> Reals:
        every = max(1, round(float(values["dt"]) / dt))
        steps = (tick - round(float(values["start"]) / dt)) // every
        draw = np.random.default_rng([simulator.state.seed, self.number])
        noise = draw.standard_normal(int(max(steps.max(initial=0), 0)) + 1)[np.maximum(steps, 0)]
        return np.where(is_on(tick, dt, values), values["mean"] + values["stdev"] * noise, 0.0)
