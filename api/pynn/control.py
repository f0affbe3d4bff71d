"""Functions of a script: setup, run, reset, end, recording, and the export of the network."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import gcd
from pathlib import Path
from typing import Any, Literal

from xdsl.dialects.builtin import ModuleOp

from ...simulation.signals import EventSignal
from ..modules import write
from ..running.array_writers import save
from . import simulator
from .building.description import describe, inputs_of, records_variable
from .building.network import Builder
from .building.nir_export import nir_module
from .execution import run_network
from .models.synapses import StaticSynapse
from .populations import Population, refuse_feature
from .projections import Projection
from .requirements import package

common: Any = package("pyNN.common")
connectors: Any = package("pyNN.connectors")
recordings: Any = package("pyNN.recording")

PAIRS = "pairs"
STEP = common.control.DEFAULT_TIMESTEP
"""Default time step [ms]."""


def setup(
    timestep: float = STEP,
    min_delay: float | str = "auto",
    *,
    engine: str = "auto",
    rng_seed: int = 0,
    array_rules: bool = False,
    **others: Any,
) -> int:
    """Starts a new network and returns the number of this process, 0.

        sim.setup(timestep=1.0, engine="native")

    `engine` computes the runs (`nopt engines`), `rng_seed` is the seed of Poisson sources, and `array_rules` allows weights by rules of nopt.
    Other options of PyNN are accepted; `max_delay` limits delays.

    Units: timestep, min_delay [ms]. Errors: PYN005 a time step that cannot be used.
    """
    common.setup(timestep, min_delay, **others)
    state = simulator.state
    state.choose_step(timestep)
    state.clear()
    state.min_delay, state.max_delay = min_delay, others.get("max_delay", "auto")
    state.engine, state.seed, state.has_rules = engine, rng_seed, array_rules
    return state.mpi_rank


def end(compatible_output: bool = True) -> None:
    """Writes the files that `record` promised."""
    state = simulator.state
    for population, variables, name in state.write_on_end:
        population.write_data(recordings.get_io(name), variables)
    state.write_on_end.clear()


def export(
    path: str | Path | None = None,
    *,
    input: str | Path | None = None,
    ticks: int | None = None,
    approximate: Collection[str] = (),
    learning: Literal["script", "pairs"] = "script",
) -> ModuleOp:
    """Returns the network as a module, and writes it to a file: `.mlir` with its equations and time step, or `.nir` for other tools.

        sim.export("net.mlir", input="input.npz")
        sim.export("net.nir", approximate=["refractory"])

    `approximate` permits properties to be left out that NIR lacks: `refractory`, `initial`. `learning="pairs"` writes synapses that learn with the pair
    rule of chips, `#nir.stdp`, instead of the rule that `run` computes.

    Outputs are the populations that record spikes; without such populations, all. `input` is a file for the spikes of the sources in a number of `ticks`, by
    default as many as were run.

    Errors: PYN002 another suffix; PYN006 a rule that chips lack; PYN007 a `.nir` file that cannot have the network; those of `nopt.write` and `nopt.save`.
    """
    state = simulator.state
    chosen = [one.label for one in state.populations if not one.is_source and records_variable(one, "spikes")]
    net, suffix = describe(state, chosen or None), ".mlir" if path is None else Path(path).suffix
    if suffix not in (".mlir", ".nir"):
        refuse_feature(f"the file {Path(str(path)).name}", "a file with the suffix .mlir or .nir", 'export("net.mlir")')
    module = Builder(net, has_pairs=learning == PAIRS).build() if suffix == ".mlir" else nir_module(net, approximate)
    if path is not None:
        write(module, path)
    if input is not None:
        length = state.tick if ticks is None else ticks
        given = inputs_of(state, length)
        arrays = {
            name: signal.window(slice(0, 1), slice(0, length))[:, 0] if isinstance(signal, EventSignal) else signal[0]
            for name, signal in given.items()
        }
        save(input, arrays, has_samples=False)
    return module


def run(simtime: float, callbacks: Sequence[Callable[[float], float]] | None = None) -> float:
    """Advances the clock by a time and returns it. Units: simtime [ms]. Errors: those of `run_until`."""
    return run_until(simulator.state.t + simtime, callbacks)


def run_until(time_point: float, callbacks: Sequence[Callable[[float], float]] | None = None) -> float:
    """Advances the clock to a time and returns it. Each callback gets the time and returns the time of its next call.

    Units: time_point [ms]. Errors: ValueError a time in the past; those of `execution.run_network`.
    """
    state = simulator.state
    if time_point < state.t - state.dt / 2:
        raise ValueError(f"{time_point:g} ms is before the current time, {state.t:g} ms")
    calls = [*(callbacks or ())]
    times = [call(state.t) for call in calls]
    state.ahead = round(time_point / state.dt)
    state.sampling = gcd(state.ahead, state.tick, *(round(time / state.dt) for time in times)) if calls else 0
    while calls and state.t + 1e-9 < time_point:
        next_time = min(times)
        state.run_until(min(next_time, time_point))
        for k, call in enumerate(calls):
            if abs(times[k] - next_time) < state.dt:
                times[k] = call(state.t)
    state.run_until(time_point)
    state.ahead = state.sampling = 0
    return float(state.t)


simulator.state.compute = run_network
run_for: Any = run
reset: Any = common.build_reset(simulator)
initialize: Any = common.initialize
create: Any = common.build_create(Population)
connect: Any = common.build_connect(Projection, connectors.FixedProbabilityConnector, StaticSynapse)
record: Any = common.build_record(simulator)

(
    get_current_time,
    get_time_step,
    get_min_delay,
    get_max_delay,
    num_processes,
    rank,
) = common.build_state_queries(simulator)


def record_v(source: Any, filename: str | None) -> None:
    """Records the potentials of neurons."""
    record(["v"], source, filename)
