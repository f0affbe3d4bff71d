"""A run of a script: the network from its first tick, on an engine of nopt."""

from __future__ import annotations

from ...core.diagnostics import Code, refuse
from ..running.run import execute
from .building.description import describe, inputs_of, recorded_states, sources_key
from .building.network import Builder
from .models.cells import CONDUCTANCES
from .simulator import State

PYN003 = Code("PYN003", "pynn-network-changed", "the network changed after a run")

MOST_WEIGHTS = 2**25
"""Largest number of weights that a run with calls of the script records in advance."""


def run_network(state: State, ticks: int) -> None:
    """Stores the arrays of a number of ticks in the state, and computes them where it is necessary. Errors: PYN003, PYN006; those of `nopt.execute`."""
    net = describe(state)
    fingerprint = net.fingerprint()
    if state.last not in (None, fingerprint):
        refuse(
            PYN003,
            expected="the same parameters and synapses in all runs from one reset() to the next",
            found=f"a change after {state.t:g} ms",
            help="call reset() before the next run()",
        )
    state.last = fingerprint
    key = sources_key(state)
    if state.computed >= ticks and key == state.given:
        return
    if state.computed > state.tick:  # the sources have changed since the computation
        state.ahead = 0
    builder, length = Builder(net), max(ticks, state.ahead)
    module = builder.build()
    weights = sum(len(one.number) for one in builder.learnt)
    interval = max(1, state.sampling or length)
    if length != ticks and length // interval * weights > MOST_WEIGHTS:
        length = ticks
    interval = max(1, length if length % interval else interval)
    states = recorded_states(state)
    last = length + any(name.endswith(CONDUCTANCES) for name in states)
    given = inputs_of(state, last)
    records = [f"{one.node}.weight@{interval}ticks" for one in builder.learnt] if length else []
    result = execute(module, given, ticks=last, record=[*states, *records], engine=state.engine)
    state.arrays = {name: array[0] if result.has_samples else array for name, array in result.arrays.items()}
    state.spikes = {label: state.arrays[name] for label, name in net.output_names.items()}
    state.learnt, state.interval = (builder.learnt if length else []), interval
    state.computed, state.given = length, key
