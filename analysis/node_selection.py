"""Selection of nodes: the ops that `nodes=NODE,…` names, by the user's own names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..core.diagnostics import Code, ExitCode, near_notes, refuse
from ..core.ir.pipeline import option_text
from ..dialects import ntensor
from ..dialects.ntensor.network import networks

ANA031 = Code("ANA031", "selected-node-missing", "a selected node does not exist", exit_code=ExitCode.MISUSED)

LISTED = 12
"""Maximum number of names in a message."""


def name_of(op: Operation) -> str:
    """Returns the user's name of a node."""
    return str(getattr(op.properties.get("node"), "data", ""))


def is_plastic(op: Operation) -> bool:
    """Returns whether the weights of an op change."""
    return isinstance(op, ntensor.SynapseOpInterface) and op.learning_rule is not None


def check_names(module: ModuleOp, names: Sequence[str], is_meant: Callable[[Operation], bool], step: str) -> None:
    """Refuses names that match no op of a supported kind. Errors: ANA031."""
    known = [name_of(op) for network in networks(module) for op in network.body.block.ops if is_meant(op)]
    for name in names:
        if name not in known:
            refuse(
                ANA031,
                f'{step} has no node "{name}" to work on',
                at="nodes",
                expected=f"one of {', '.join(known[:LISTED])}{', …' * (len(known) > LISTED)}" if known else "none",
                found=name,
                help=right_names("nodes", names, known) or f"leave nodes out of {step}",
                notes=near_notes(name, known),
            )


def right_names(key: str, names: Sequence[str], known: Sequence[str]) -> str:
    """Returns an option with the known names that are similar to the given names, else the nearest known name; empty if no name is known.

    "nodes=fc1,fc2" == right_names("nodes", ["fc1", "fcc2", "x"], ["fc1", "fc2"])
    """
    near = [near for name in names for near in get_close_matches(name, known, 1)]
    near = near or get_close_matches(names[0], known, 1, 0)
    return f"{key}={option_text(tuple(dict.fromkeys(near)))}" if near else ""


def choose_ops(
    network: ntensor.NetworkOp, names: Sequence[str], is_meant: Callable[[Operation], bool]
) -> list[Operation]:
    """Returns the named ops, or all supported ops without names, in the order of the network."""
    return [op for op in network.body.block.ops if is_meant(op) and (not names or name_of(op) in names)]
