"""Sets the representation of the signals that synapse ops read.

    nir.linear "fc2" %x {weight}  =>  nir.linear "fc2" %x {weight, transmission = #nir.transmission<rate>}

1. A NIR file has no transmission, so an imported network gets it from this pass. `nodes` are full names, `outer.inner` in a nested graph.
2. `to=rate` requires synapses that read spikes, `to=analog` synapses that read values.
3. `to=spike` removes the attribute, since it is the default.

Errors: DIS010 a node that is not a synapse op of the network; ANA007 a signal of another kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument

from ...analysis.discretisation_conflicts import ANA007
from ...core.diagnostics import refuse_op
from ...core.ir.operation import element_type
from ...core.ir.pipeline import NoptPass, option_text
from ...dialects import nir
from ._synapse_nodes import find_synapses, refuse_node

SIGNALS = {nir.Transmission.RATE: "rates", nir.Transmission.ANALOG: "analog values"}


def verify_transmission(op: nir.SynapseOp, node: str) -> None:
    """Refuses rates of values, analog values of spikes, and spike-timing-dependent plasticity of either. Errors: ANA007."""
    kind, is_spike = op.kind_of_transmission, nir.is_spike(element_type(op.x))
    if kind is nir.Transmission.SPIKE:
        return

    def refuse_signal(message: str, expected: str, found: str, other: nir.Transmission, *notes: str) -> NoReturn:
        refuse_op(
            op,
            ANA007,
            message,
            at=f'{op.name} "{node}"',
            node=node,
            expected=expected,
            found=found,
            help=f"nir-set-transmission{{nodes={option_text(node)} to={other}}}",
            notes=notes,
        )

    if op.plasticity is not None:
        message = f"a synapse that reads {SIGNALS[kind]} has no times of spikes to learn from"
        found = f"plasticity, and transmission = {kind}"
        refuse_signal(message, "transmission = spike", found, nir.Transmission.SPIKE)
    if kind is nir.Transmission.RATE and not is_spike:
        message, found = "a synapse reads rates of a signal without spikes", "values (f32)"
        note = "an input of the network holds spikes if it is declared as a tensor of i1"
        is_input = isinstance(op.x, BlockArgument) and isinstance(op.parent_op(), nir.GraphOp)
        notes = (note,) if is_input else ()
        refuse_signal(message, "spikes (i1)", found, nir.Transmission.ANALOG, *notes)
    if kind is nir.Transmission.ANALOG and is_spike:
        message, found = "a synapse reads analog values of a signal of spikes", "spikes (i1), which are 0 or 1"
        refuse_signal(message, "values (f32)", found, nir.Transmission.SPIKE)


@dataclass(frozen=True)
class NirSetTransmissionPass(NoptPass):
    """Sets the transmission of synapse ops of every `nir.graph`.

    Options:
        nodes: the synapse ops, required.
        to: `spike`, `rate` or `analog`, required.
    """

    name = "nir-set-transmission"
    nodes: tuple[str, ...]
    to: Literal["spike", "rate", "analog"]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        synapses = dict(find_synapses(op))
        for name in self.nodes:
            if name not in synapses:
                refuse_node(name, self.nodes, list(synapses), "set the transmission")
        for name in self.nodes:
            synapse = synapses[name]
            kind = nir.Transmission(self.to)
            synapse.transmission = None if kind is nir.Transmission.SPIKE else nir.TransmissionAttr(kind)  # 3
            verify_transmission(synapse, name)  # 2
