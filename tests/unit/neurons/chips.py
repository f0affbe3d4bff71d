"""Helpers of the tests of the chips' neurons: random numbers over whole ranges, and runs of an update for many neurons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from places import ROOT
from xdsl.dialects.builtin import f64

from nopt.core.neuron.neuron import check_neuron, parse_neurons
from nopt.core.neuron.tree import Neuron
from nopt.dialects import fixed, ntensor
from nopt.dialects.equations.build import build_update
from nopt.simulation.update import Accumulation, Step, initial

FOLDER = ROOT / "passes" / "legalize" / "neurons"
FILES = sorted(FOLDER.glob("*.neuron"))


def neuron(file: str, name: str | None = None) -> Neuron:
    """Returns a neuron of a file, by default the one with the file's name."""
    path = FOLDER / f"{file}.neuron"
    found = next(
        n for n in parse_neurons(path.read_text(encoding="utf-8"), path.name).neurons if n.name == (name or file)
    )
    check_neuron(found)
    return found


def update_of(file: str, name: str | None = None, **options: str) -> ntensor.UpdateOp:
    update = build_update(neuron(file, name), options=options, precision=f64)
    update.verify()
    return update


def integers(rng: np.random.Generator, low: int, high: int, *shape: int) -> Any:
    """Returns random integers in low..high: a third uniform, a third near the ends or zero, a third of every order of magnitude."""
    even = rng.integers(low, high, shape, endpoint=True)
    near = rng.integers(-3, 3, shape, endpoint=True) + rng.choice([low, high, 0, low // 2, high // 2], shape)
    size = np.exp2(rng.uniform(0, max(abs(low), abs(high)).bit_length(), shape)).astype(np.int64) - 1
    small = size * rng.choice([-1, 1], shape)
    kind = rng.integers(3, size=shape)
    return np.clip(np.where(kind == 0, even, np.where(kind == 1, near, small)), low, high)


def ranges(update: ntensor.UpdateOp) -> tuple[dict[str, tuple[int, int]], dict[str, tuple[int, int]]]:
    """Returns the whole ranges of the integer parameters and states of an update, by name."""
    params, states = (
        {name: (type.lower, type.upper) for name, type in types.items() if isinstance(type, fixed.IntType)}
        for types in (update.param_types, update.state_types)
    )
    return params, states


def run(
    update: ntensor.UpdateOp,
    params: Mapping[str, Any],
    inputs: Mapping[str, Any],
    start: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Returns the output (""), records and states of every tick, by name. Inputs that accumulate have a last axis of terms.

    Shapes: inputs [ticks, neurons], or [ticks, neurons, terms]; results [ticks, neurons].
    """
    ticks, count = next(iter(inputs.values())).shape[:2]
    states = {name: np.broadcast_to(value, (1, count)).copy() for name, value in initial(update, params).items()}
    for name, value in (start or {}).items():
        states[name][...] = value
    step = Step(update, params, (1, count))
    trace: dict[str, list[Any]] = {}
    for t in range(ticks):
        emission = tick(step, update, {name: given[t] for name, given in inputs.items()}, states)
        records = {f"record {name}": value for name, value in emission.records.items()}
        for name, value in {"": emission.value, **records, **states}.items():
            trace.setdefault(name, []).append(value[0].copy())
    return {name: np.array(values) for name, values in trace.items()}


def tick(step: Step, update: ntensor.UpdateOp, given: Mapping[str, Any], states: dict[str, Any]) -> Any:
    """Accumulates the terms of a tick one by one, then runs its step."""
    for name, into, block in update.accumulators:
        accumulate = Accumulation(update, name, into, block, states[into].shape)
        for term in np.moveaxis(given[name], -1, 0):
            accumulate(term[None], states[into])
    return step([given[name.data][None] for name in update.inputs], states)


Loop = Callable[..., tuple[Any, ...]]


def compare(
    update: ntensor.UpdateOp,
    loop: Loop,
    inputs: Mapping[str, Any],
    *,
    params: Mapping[str, Any],
    start: Mapping[str, Any],
) -> dict[str, Any]:
    """Compares an update with a loop over single numbers, and returns the results of the update.

    `loop(params, states, inputs)` returns the output and the next states, all in their order, for one neuron and one tick.
    """
    found = run(update, params, inputs, start)
    kept = [name.data for name in update.states]
    ticks, count = found[""].shape
    columns = {name: np.broadcast_to(value, (count,)).tolist() for name, value in params.items()}
    given = {name: value.tolist() for name, value in inputs.items()}
    states = {name: np.broadcast_to(start[name], (count,)).tolist() for name in kept}
    got = [found[name].tolist() for name in ("", *kept)]
    for n in range(count):
        held = [states[name][n] for name in kept]
        own = {name: column[n] for name, column in columns.items()}
        for t in range(ticks):
            emitted, *held = loop(own, held, {name: value[t][n] for name, value in given.items()})
            wanted = [emitted, *held]
            if any(rows[t][n] != value for rows, value in zip(got, wanted, strict=True)):
                seen = [rows[t][n] for rows in got]
                raise AssertionError(f"neuron {n}, tick {t}, {['', *kept]}: {seen}, but the loop has {wanted}; {own}")
    return found
