"""Sets the representation of the signals that synapse ops read.

    nir.linear "fc2" %x {weight}  =>  nir.linear "fc2" %x {weight, transmission = #nir.transmission<rate>}

1. A NIR file has no transmission, so an imported network gets it from this pass. `nodes` are full names, `outer.inner` in a nested graph.
2. `to=rate` requires synapses that read spikes, `to=analog` synapses that read values.
3. `to=spike` removes the attribute, since it is the default.

Errors: DIS010 a node that is not a synapse op of the network; ANA007 a signal of another kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.flat_graph import flatten
from ...analysis.node_selection import right_names
from ...core.diagnostics import Code, ExitCode, first_of, near_notes, refuse
from ...core.ir.pipeline import NoptPass
from ...dialects import nir
from ._transmission import verify_transmission

DIS010 = Code(
    "DIS010",
    "selected-node-not-synapse",
    "a selected node is not a synapse op of the network",
    exit_code=ExitCode.MISUSED,
)

SHOWN = 12
"""Maximum number of names in a message."""


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
                refuse_node(name, self.nodes, list(synapses))
        for name in self.nodes:
            synapse = synapses[name]
            kind = nir.Transmission(self.to)
            synapse.transmission = None if kind is nir.Transmission.SPIKE else nir.TransmissionAttr(kind)  # 3
            verify_transmission(synapse, name)  # 2


def find_synapses(module: ModuleOp) -> Iterator[tuple[str, nir.SynapseOp]]:
    """Yields the synapse ops of every graph, with their full names."""
    for graph in (op for op in module.ops if isinstance(op, nir.GraphOp)):
        for node in flatten(graph).nodes:
            if isinstance(node.op, nir.SynapseOp):
                yield node.name, node.op


def refuse_node(name: str, names: Sequence[str], known: list[str]) -> None:
    """Refuses a name that is not a synapse op. Errors: DIS010."""
    refuse(
        DIS010,
        f'the network has no synapse op "{name}"',
        at="nodes",
        expected=f"one of {first_of(known, SHOWN)}" if known else "a network in continuous time with synapse ops",
        found=name,
        help=right_names("nodes", names, known) or "set the transmission before convert-nir-to-ntensor",
        notes=near_notes(name, known),
    )
