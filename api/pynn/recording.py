"""Recorded spikes and potentials as the arrays that PyNN turns into blocks of neo.

A neuron spikes at the end of a tick: row n of an output is n + 1 ticks after the start. Row n of a source is n ticks after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...core.arrays.numeric import Ints, Reals
from . import simulator
from .bases import RecorderBase
from .models.cells import CONDUCTANCES, V
from .models.sources import spikes_of


class Recorder(RecorderBase):
    """The recorded variables of a population."""

    _simulator: Any = simulator

    def _record(self, variable: Any, new_ids: Any, sampling_interval: float | None = None) -> None:
        if sampling_interval is not None:
            steps = sampling_interval / simulator.state.dt
            if abs(steps - round(steps)) > 1e-9 or steps < 0.5:
                raise ValueError(f"sampling_interval {sampling_interval} ms is not a multiple of the time step")
            self.sampling_interval: float = sampling_interval

    def _columns(self, ids: Iterable[Any]) -> Ints:
        return np.asarray(self.population.id_to_index(np.fromiter(ids, dtype=np.int64)), np.int64).reshape(-1)

    def _events(self) -> tuple[Ints, Reals]:
        """Returns neuron and time [ms] of each spike of the population since the start of the recording."""
        state, population = simulator.state, self.population
        if population.is_source:
            found = spikes_of(population, state.populations.index(population), state.tick, state)
            index, tick = np.repeat(found.index, found.count), np.repeat(found.tick, found.count)
        else:
            tick, index = np.nonzero(state.spikes[population.label][: state.tick])
            tick = tick + 1
        times: Reals = tick * np.float64(state.dt)
        late = times >= float(self._recording_start_time) - 1e-9
        return index[late].astype(np.int64), times[late]

    def _get_spiketimes(self, ids: Any, clear: bool = False) -> dict[int, Reals]:
        chosen = list(ids) if np.iterable(ids) else [ids]
        index, times = self._events()
        order = np.lexsort((times, index))
        index, times = index[order], times[order]
        columns = self._columns(chosen)
        low, high = np.searchsorted(index, columns), np.searchsorted(index, columns, "right")
        return {int(one): times[a:b] for one, a, b in zip(chosen, low, high, strict=True)}

    def _get_all_signals(self, variable: Any, ids: Sequence[Any], clear: bool = False) -> tuple[Reals, None]:
        """Returns the values of a state at the start and after each tick. Shapes: [samples, neurons]."""
        state, population = simulator.state, self.population
        columns = self._columns(ids)
        rows = state.arrays[f"{population.label}.{variable.name}"][:, columns]
        if variable.name in CONDUCTANCES:  # the run has one more tick
            values = rows[: state.tick + 1]
        else:
            rest = population.values.get("v_rest") if variable.name == V else None
            shift = 0.0 if rest is None else np.asarray(rest, np.float64)[columns]
            values = np.concatenate([population.initial[variable.name][None, columns], rows[: state.tick] + shift])
        start = round(float(self._recording_start_time) / state.dt)
        step = round(self.sampling_interval / state.dt)
        return values[start::step], None

    def _local_count(self, variable: Any, filter_ids: Any = None) -> dict[int, int]:
        chosen = sorted(self.filter_recorded(variable, filter_ids))
        return {key: len(times) for key, times in self._get_spiketimes(chosen).items()}

    def _clear_simulator(self) -> None:
        """Keeps the arrays of the run: the start of the recording selects what is new."""

    def _reset(self) -> None:
        """Keeps the arrays of the run, which all recorders share."""
