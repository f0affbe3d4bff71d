"""What `keep=NODE,…` names: nodes that stay although they lead to no output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from xdsl.ir import Operation

from ....core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ....core.pipeline import option_text
from ....dialects import nir, ntensor

DEA001 = Code(
    "DEA001",
    "a node that shall be kept is not in the network",
    cause="`keep` names nodes by their full names, those of nested graphs joined with dots. There is no such node.",
    remedy="Write the name as the network has it; `nopt FILE` prints the names.",
    exit_code=ExitCode.MISUSED,
)
DEA002 = Code(
    "DEA002",
    "populations that lead to no output are removed",
    cause="What these neurons do shows in no output of the network, so it computes the same without them. They cannot be recorded any more.",
    remedy="Name those that you record: `keep=NODE,…`.",
)


def kept(names: Sequence[str], nodes: Mapping[str, Sequence[Operation]]) -> list[Operation]:
    """The ops that `keep` names; a record of a state, `lif.v`, keeps its node.

    Errors: DEA001 a name that stands for no node.
    """
    found: list[Operation] = []
    for name in names:
        node = name
        owner = name.rpartition(".")[0]
        if name not in nodes and any(
            isinstance(op, nir.PopulationOp | ntensor.NeuronOp) for op in nodes.get(owner, ())
        ):
            node = owner  # its state
        if node not in nodes:
            near = get_close_matches(name, nodes, 1, 0) or ["lif"]
            refuse(
                DEA001,
                f'there is no node "{name}" to keep',
                at="keep",
                expected=f"one of {', '.join(sorted(nodes)[:12])}{', …' if len(nodes) > 12 else ''}",
                found=name,
                help=f"keep={option_text(near[0])}",
            )
        found += nodes[node]
    return found


def remark_removed(step: str, removed: Iterable[str], diagnostics: Diagnostics) -> None:
    """Says which populations have gone."""
    if names := list(removed):
        shown = ", ".join(f'"{name}"' for name in names[:6]) + (", …" if len(names) > 6 else "")
        diagnostics.remark(
            DEA002,
            "populations that lead to no output are removed",
            at=step,
            node=names[0],
            expected="populations that lead to an output, or are named by keep",
            found=f"{len(names)}: {shown}",
            help=f"{step}{{keep={','.join(map(option_text, names))}}}" + " keeps them",
        )
