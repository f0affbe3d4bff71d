"""Synapse ops that passes of networks in continuous time name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp

from ...analysis.flat_graph import flatten
from ...analysis.node_selection import right_names
from ...core.diagnostics import Code, ExitCode, first_of, near_notes, refuse
from ...dialects import nir

DIS010 = Code(
    "DIS010",
    "selected-node-not-synapse",
    "a selected node is not a synapse op of the network",
    exit_code=ExitCode.MISUSED,
)

SHOWN = 12
"""Maximum number of names in a message."""


def find_synapses(module: ModuleOp) -> Iterator[tuple[str, nir.SynapseOp]]:
    """Yields the synapse ops of every graph, with their full names."""
    for graph in (op for op in module.ops if isinstance(op, nir.GraphOp)):
        for node in flatten(graph).nodes:
            if isinstance(node.op, nir.SynapseOp):
                yield node.name, node.op


def refuse_node(name: str, names: Sequence[str], known: list[str], verb: str) -> None:
    """Refuses a name that is not a synapse op; `verb` is the action of the pass, for the help. Errors: DIS010."""
    refuse(
        DIS010,
        f'the network has no synapse op "{name}"',
        at="nodes",
        expected=f"one of {first_of(known, SHOWN)}" if known else "a network in continuous time with synapse ops",
        found=name,
        help=right_names("nodes", names, known) or f"{verb} before convert-nir-to-ntensor",
        notes=near_notes(name, known),
    )
