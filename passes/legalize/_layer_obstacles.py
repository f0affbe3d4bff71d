"""Obstacles to layers: parts of a network of spikes that a network of counts does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...core.diagnostics import Code, Finding, describe_op, finding_about
from ...core.help_text import Phrase, WithoutPass
from ...core.ir.graph_region import find_cycle, is_loop, schedule, walk_upstream
from ...core.ir.operation import element_type
from ...core.number_texts import counted_text
from ...dialects import ntensor
from .updates._canonical_parameters import canonical_of

LEG085 = Code("LEG085", "layer-depends-on-itself", "a layer depends on its own output")
LEG086 = Code("LEG086", "layer-cannot-delay", "a layer has no delays")
LEG087 = Code("LEG087", "layer-cannot-learn", "a layer has no weights that learn")
LEG088 = Code("LEG088", "population-without-layer-form", "a population has no form as a layer")
LEG089 = Code("LEG089", "layer-cannot-leak", "a layer keeps no state that leaks")
LEG092 = Code("LEG092", "bias-reaches-output-and-population", "a bias reaches an output and a population")

Updates = Mapping[str, ntensor.UpdateOp]
OTHER_KIND = "a device that computes every tick; the list of nopt targets --matrix has them"
UNROLLED = (
    "ntensor-unroll-ticks{window=N} makes layers of the ticks of a small network, with its loops, delays and leaks"
)


def is_leaky(op: ntensor.NeuronOp) -> bool:
    """Returns whether the potential or the current of a population decays."""
    canonical = canonical_of(op)
    return bool((canonical.get("decay", np.ones(1)) != 1).any() or np.any(canonical.get("decay_i", 0.0)))


def loops(network: ntensor.NetworkOp, name: str) -> Iterator[Finding]:
    """Yields an error for each loop; `name` is that of the pass."""

    def is_broken(_: Operation) -> bool:
        return False

    for component in schedule(network.body.block, is_broken):
        if is_loop(component, is_broken):
            cycle = find_cycle(component, is_broken)
            first = next((op for op in cycle if isinstance(op, ntensor.NeuronOp)), cycle[0])
            path = " -> ".join(describe_op(one)[0] for one in [*cycle, cycle[0]])
            yield finding_about(
                first,
                LEG085,
                expected="a network without loops: a layer keeps nothing of earlier frames",
                found=path,
                help=Phrase(WithoutPass(name)),
                notes=[UNROLLED],
            )


def unfit(network: ntensor.NetworkOp, updates: Updates, permitted: Sequence[str]) -> Iterator[Finding]:
    """Yields errors for ops that no layer has."""
    direct, inner = upstream(network, updates)
    for op in network.body.block.ops:
        if isinstance(op, ntensor.SynapseOpInterface) and (rule := op.learning_rule) is not None:
            help = "ntensor-freeze-plasticity"
            yield finding_about(op, LEG087, expected="weights that stay", found=rule.name, help=help)
        if isinstance(op, ntensor.DelayOp) and "delay" not in permitted:
            ticks = int(op.ticks.values.max())
            found = counted_text(ticks, "tick")
            yield finding_about(op, LEG086, expected="no delay", found=found)
        if isinstance(op, ntensor.SynapseOpInterface) and op.delays is not None and op.delays.values.any():
            found = f"{int(op.delays.values.max())} ticks"
            help = "ntensor-clamp-delays{max-delay=0}"
            yield finding_about(op, LEG086, expected="no delay", found=found, help=help)
        bias = op.optional_array("bias") if isinstance(op, ntensor.SynapseOpInterface) else None
        if bias is not None and bias.values.any() and op in direct and op in inner:
            help = "a synapse op of its own for the output"
            found = "an output and a population"
            yield finding_about(op, LEG092, expected="readers of one kind", found=found, help=help)
        if isinstance(op, ntensor.NeuronOp):
            yield from unfit_population(op, updates[op.update_name], permitted)


def unfit_population(op: ntensor.NeuronOp, update: ntensor.UpdateOp, permitted: Sequence[str]) -> Iterator[Finding]:
    """Yields errors for a population without a form as a layer."""
    canonical = canonical_of(op)
    is_value = update.emits.data is ntensor.Emits.VALUE
    if update.takes_integers or len(op.xs) != 1:
        found = f"{len(op.xs)} inputs" if len(op.xs) != 1 else str(element_type(op.xs[0]))
        help = "convert to rates first, and to integers after it"
        yield finding_about(op, LEG088, expected="one input of reals", found=found, help=help)
        return
    if update.emits.data is ntensor.Emits.GRADED:
        help = "choose a neuron that emits spikes or counts for convert-nir-to-ntensor"
        yield finding_about(op, LEG088, expected="spikes, counts or values", found="graded spikes", help=help)
        return
    readers = [use.operation for use in op.z.uses if not isinstance(use.operation, ntensor.OutputOp)]
    if is_value and readers:
        help = OTHER_KIND
        found = f"values, which {describe_op(readers[0])[0]} reads"
        yield finding_about(op, LEG088, expected="spikes between two layers", found=found, help=help)
        return
    decay = {name: np.atleast_1d(canonical[name]) for name in ("decay", "decay_i") if name in canonical}
    if (is_value or is_leaky(op)) and "leak" not in permitted:
        still = {"decay": 1.0, "decay_i": 0.0}
        leaks = {
            name: float(value[value != still[name]][0]) for name, value in decay.items() if (value != still[name]).any()
        }
        what = ", ".join(f"{name} = {value:g}" for name, value in leaks.items())
        found = f"family {op.family.data if op.family else 'none'}{': ' * bool(what)}{what}"
        expected = "an integrate-and-fire neuron: its potential is the sum of its inputs"
        yield finding_about(op, LEG089, expected=expected, found=found)


def upstream(network: ntensor.NetworkOp, updates: Updates) -> tuple[set[Operation], set[Operation]]:
    """Returns two sets of ops: ops between populations and an output, and ops before a population that becomes a layer."""
    ends, inner = list(network.outputs.values), list[SSAValue]()
    for op in network.populations:
        is_value = updates[op.update_name].emits.data is ntensor.Emits.VALUE
        (ends if is_value else inner).extend(op.xs)

    def is_passed(op: Operation) -> bool:
        return not isinstance(op, ntensor.NeuronOp)

    def ops(values: list[SSAValue]) -> set[Operation]:
        return {value.owner for value in walk_upstream(values, is_passed) if isinstance(value.owner, Operation)}

    return ops(ends), ops(inner)
