"""The state of the back end: its clock, the network of PyNN, and the arrays of the last run.

PyNN's classes read the names `name`, `state` and `ID` of this module.

A run computes the network from its first tick, so that `run(x)` and `run(y)` equal `run(x + y)`. The network must not change between them, except for
the spikes of sources. A run with callbacks computes all its ticks at once, and the clock moves through them; spikes of sources that change meanwhile
start a new computation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.diagnostics import Code, refuse
from .bases import IDBase, StateBase

PYN005 = Code("PYN005", "pynn-time-step-invalid", "the time step cannot be used")

name = "nopt"


class ID(int, IDBase):
    """Number of a neuron among all of a script."""

    def __init__(self, n: int):
        IDBase.__init__(self)


class State(StateBase):
    """Clock and network of a script. Units: t, dt, min_delay, max_delay [ms]."""

    def __init__(self) -> None:
        StateBase.__init__(self)
        self.mpi_rank: int = 0
        self.num_processes: int = 1
        self.dt: float = 0.1
        self.min_delay: float | str = "auto"
        self.max_delay: float | str = "auto"
        self.engine: str = "auto"
        self.seed: int = 0
        self.has_rules: bool = False
        self.compute: Callable[[State, int], None] | None = None
        """Computes a number of ticks and stores their arrays; set by `control.py`."""
        self.clear()

    def clear(self) -> None:
        """Forgets the network."""
        self.recorders: set[Any] = set()
        self.populations: list[Any] = []
        self.projections: list[Any] = []
        self.currents: list[Any] = []
        """Sources of currents that are injected."""
        self.id_counter: int = 0
        self.segment_counter: int = -1
        self.reset()

    def reset(self) -> None:
        """Sets the clock to 0."""
        self.running: bool = False
        self.t: float = 0.0
        self.t_start: float = 0.0
        self.segment_counter += 1
        for one in self.populations:
            one.trains = None
        for source in self.currents:
            source.restart()
        self.last: bytes | None = None
        """The fingerprint of the network of the last run; None before the first."""
        self.arrays: Mapping[str, NDArray[Any]] = {}
        """Outputs and records of the last run, from its first tick on. Shapes: each [computed ticks, neurons]."""
        self.spikes: Mapping[str, NDArray[Any]] = {}
        """The outputs among them, by population."""
        self.computed: int = 0
        """The number of ticks that the arrays have."""
        self.given: bytes = b""
        """A hash of the parameters of the sources with which they were computed."""
        self.learnt: list[Any] = []
        """The places of weights in the arrays (`building/learning.py`)."""
        self.interval: int = 0
        """Ticks between two rows of weights."""
        self.ahead: int = 0
        """The last tick of the run that is under way, up to which is computed."""
        self.sampling: int = 0
        """Ticks between two calls of a script during a run; 0 without calls."""

    @property
    def tick(self) -> int:
        """The number of ticks until now."""
        return round(self.t / self.dt)

    def choose_step(self, timestep: float) -> None:
        """Sets the time step. Errors: PYN005 a step that is not a positive number of nanoseconds."""
        nanoseconds = float(timestep) * 1_000_000
        if not (np.isfinite(nanoseconds) and nanoseconds >= 1 and abs(nanoseconds - round(nanoseconds)) < 1e-6):
            refuse(
                PYN005,
                expected="a whole number of nanoseconds, of 1 or more",
                found=f"{timestep} ms",
                help="setup(timestep=0.1)",
            )
        self.dt = float(timestep)

    # ---- running

    def run(self, simtime: float) -> None:
        self.run_until(self.t + simtime)

    def run_until(self, tstop: float) -> None:
        """Runs the network from its first tick to `tstop` [ms]. Errors: those of `execution.run_network`."""
        ticks = round(tstop / self.dt)
        assert self.compute is not None  # `control` sets it
        self.compute(self, ticks)
        self.t, self.running = ticks * self.dt, True

    def weights_of(self, projection: Any) -> NDArray[np.float64] | None:
        """Returns the weights of a projection at this time, in its order; None if they are those before the first tick."""
        own = [one for one in self.learnt if one.owner == self.projections.index(projection)]
        if not self.tick or not own:
            return None
        if self.tick % self.interval:
            assert self.compute is not None  # `control` sets it
            self.ahead, self.sampling, self.computed = 0, 0, 0
            self.compute(self, self.tick)
        row = self.tick // self.interval - 1
        found = np.zeros(len(projection))
        for one in (one for one in self.learnt if one.owner == self.projections.index(projection)):
            found[one.number] = self.arrays[f"{one.node}.weight@{self.interval}ticks"][row]
        return found


state = State()
