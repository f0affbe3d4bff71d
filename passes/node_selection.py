"""What `nodes=NODE,…` names: the ops of a network that a pass shall work on, by the user's own names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..core.diagnostics import Code, ExitCode, described, refuse
from ..core.ir.pipeline import option_text
from ..dialects import nir, ntensor

QNO001 = Code(
    "QNO001",
    "a node that a pass shall work on is not there",
    cause="`nodes` names ops by their node names. No op of this name is in the network, or it is none that the pass works on.",
    remedy="Write one of the names that the message lists; without `nodes` the pass works on all of them.",
    exit_code=ExitCode.MISUSED,
)
QNO002 = Code(
    "QNO002",
    "there is no network in ticks to work on",
    cause="The module holds a network in continuous time, and the pass works on one in ticks, an `ntensor.network`. It would change nothing.",
    remedy="Convert the network before the pass: `convert-nir-to-ntensor`.",
)

LISTED = 12
"""Names that a message lists."""


def networks(module: ModuleOp) -> Iterator[ntensor.NetworkOp]:
    """The networks of a module. Errors: QNO002 those that it has are in continuous time."""
    found = [op for op in module.ops if isinstance(op, ntensor.NetworkOp)]
    graph = next((op for op in module.ops if isinstance(op, nir.GraphOp)), None)
    if not found and graph is not None:
        refuse(
            QNO002,
            "there is no network in ticks to work on",
            at=described(graph)[0],
            expected="ntensor.network",
            found=graph.name,
            help="convert-nir-to-ntensor{dt-ns=1000000 like=norse} before it",
        )
    return iter(found)


def name_of(op: Operation) -> str:
    """The user's name of a node."""
    return str(getattr(op.properties.get("node"), "data", ""))


def check_names(module: ModuleOp, names: Sequence[str], is_meant: Callable[[Operation], bool], step: str) -> None:
    """Refuses a name that stands for no op of a kind that the pass works on. Errors: QNO001."""
    known = [name_of(op) for network in networks(module) for op in network.body.block.ops if is_meant(op)]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1, 0)
            refuse(
                QNO001,
                f'{step} has no node "{name}" to work on',
                at="nodes",
                expected=f"one of {', '.join(known[:LISTED])}{', …' * (len(known) > LISTED)}" if known else "none",
                found=name,
                help=f"nodes={option_text(near[0])}" if near else f"{step} without nodes",
            )


def chosen(network: ntensor.NetworkOp, names: Sequence[str], is_meant: Callable[[Operation], bool]) -> list[Operation]:
    """The ops that the names stand for, without names all that are meant, in the order of the network."""
    return [op for op in network.body.block.ops if is_meant(op) and (not names or name_of(op) in names)]
