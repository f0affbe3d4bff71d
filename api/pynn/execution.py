"""A run of a script: the network from its first tick, on an engine of nopt."""

from __future__ import annotations

from ...core.diagnostics import Code, refuse
from ..running.run import execute
from .description import describe, inputs_of, recorded_potentials
from .network import Builder
from .simulator import State

PYN003 = Code("PYN003", "pynn-network-changed", "the network changed after a run")
PYN004 = Code("PYN004", "pynn-plasticity-not-run", "synapses that learn are exported, but not run")


def run_network(state: State, ticks: int) -> None:
    """Computes a number of ticks from the first one, and stores the arrays in the state. Errors: PYN003, PYN004; those of `nopt.execute`."""
    require_fixed_weights(state)
    net = describe(state)
    fingerprint = net.fingerprint()
    if state.last not in (None, fingerprint):
        refuse(
            PYN003,
            expected="the same parameters and synapses in all runs from one reset() to the next",
            found=f"a change after {state.t:g} ms",
            help="call reset() before the next run()",
        )
    module, given = Builder(net).build(), inputs_of(state, ticks)
    result = execute(module, given, ticks=ticks, record=recorded_potentials(state), engine=state.engine)
    state.arrays = {name: array[0] if result.has_samples else array for name, array in result.arrays.items()}
    state.spikes = {label: state.arrays[name] for label, name in net.output_names.items()}
    state.last = fingerprint


def require_fixed_weights(state: State) -> None:
    """Refuses to run synapses that learn. Errors: PYN004."""
    if learning := [one.label for one in state.projections if one.learns]:
        refuse(
            PYN004,
            at=f'projection "{learning[0]}"',
            node=learning[0],
            expected="StaticSynapse",
            found="STDPMechanism",
            help='export("net.mlir") and compile it for a chip that learns, or use StaticSynapse',
        )
