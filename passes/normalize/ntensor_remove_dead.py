"""Removes ops that no output of the network depends on, and updates without a user.

    %y = ntensor.neuron "watched" @lif(%x) …    =>    nothing, where no output depends on %y

An op stays if

1. it is an output of the network, `keep` lists it, or it has a probe,
2. an op that stays reads it,
3. or it is a delay that is part of an op that stays: the output of that node, in records, is the output of the delay.

Inputs of the network stay, also unused ones. An update stays if any op of the module names it.

Exactness: outputs, and the records of what stays, are the same bit for bit.

Errors: NRM001 a name in `keep` that no node has. Remarks: NRM002 removed populations, which can no longer be recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ...analysis.node_selection import right_names
from ...core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ...core.ir.context import diagnostics_of
from ...core.ir.graph_region import sources
from ...core.ir.pipeline import NoptPass, option_text
from ...dialects import nir, ntensor
from ...dialects.ntensor.network import erase_unused_updates
from ...dialects.ntensor.probes import probes_of

NRM001 = Code("NRM001", "kept-node-missing", "a node to keep is not in the network", exit_code=ExitCode.MISUSED)
NRM002 = Code("NRM002", "dead-populations-removed", "populations that no output depends on are removed")

Network = nir.GraphOp | ntensor.NetworkOp
Population = nir.PopulationOp | ntensor.NeuronOp


def remove_dead_ops(networks: Sequence[Network], keep: Sequence[str], step: str, diagnostics: Diagnostics) -> None:
    """Removes the ops that neither an output nor a node of `keep` depends on.

    Errors: NRM001 a name in `keep` that no node has. Remarks: NRM002 removed populations.
    """
    if not networks:
        return
    names = {op: name for network in networks for op, name in full_names(network)}
    roots = find_kept(keep, names, step)
    for network in networks:
        dead = dead_ops(network, roots)
        removed = [inner for outer in dead for inner in outer.walk() if isinstance(inner, Population)]
        remark_removed(step, keep, [names[inner] for inner in removed], diagnostics)
        for op in dead:
            op.operands = []  # dead ops may form a cycle
        for op in dead:
            Rewriter.erase_op(op)


def full_names(network: Network) -> Iterator[tuple[Operation, str]]:
    """Yields every node and nested graph with its full name."""
    work: list[tuple[Network | nir.SubgraphOp, str]] = [(network, "")]
    for outer, prefix in work:  # grows during the walk
        for op in outer.body.block.ops:
            if "node" in op.properties:
                yield op, f"{prefix}{getattr(op.properties['node'], 'data', '')}"
            if isinstance(op, nir.SubgraphOp):
                work.append((op, f"{prefix}{op.node.data}."))


def dead_ops(network: Network, roots: Iterable[Operation]) -> list[Operation]:
    """Returns the ops that neither the outputs nor `roots` depend on, in the order of the IR; a dead nested graph as a whole."""
    last = network.body.block.last_op
    assert last is not None  # the network verifies
    work = [last, *roots]
    live: set[Operation] = {network}
    while work:
        op = work.pop()
        if op in live:
            continue
        live.add(op)
        work += sources(op)
        work += ntensor.owned_delays(op)
        if isinstance(outer := op.parent_op(), nir.SubgraphOp):
            work.append(outer)
        if isinstance(op, nir.SubgraphOp) and (end := op.body.block.last_op) is not None:
            work.append(end)
    outers = [op for op in live if isinstance(op, Network | nir.SubgraphOp)]
    dead = {op for outer in outers for op in outer.body.block.ops if op not in live}
    return [op for op in network.walk() if op in dead]


def find_kept(keep: Sequence[str], names: Mapping[Operation, str], step: str) -> list[Operation]:
    """Returns the ops that `keep` names; the name of a state, such as `lif.v`, means its population."""
    nodes: dict[str, list[Operation]] = {}
    for op, name in names.items():
        nodes.setdefault(name, []).append(op)

    def ops_of(name: str) -> list[Operation]:
        owners = nodes.get(name.rpartition(".")[0], [])
        return nodes.get(name) or (owners if any(isinstance(op, Population) for op in owners) else [])

    if (wrong := next((name for name in keep if not ops_of(name)), None)) is not None:
        refuse(
            NRM001,
            f'no node "{wrong}" to keep',
            at="keep",
            expected=f"one of {', '.join(sorted(nodes)[:12])}{', …' if len(nodes) > 12 else ''}",
            found=wrong,
            help=f"{step}{{{right_names('keep', keep, [*nodes, *filter(ops_of, keep)])}}}",
        )
    return [op for name in keep for op in ops_of(name)]


def remark_removed(step: str, keep: Sequence[str], names: Sequence[str], diagnostics: Diagnostics) -> None:
    """Reports the populations that are removed."""
    if not names:
        return
    shown = ", ".join(f'"{name}"' for name in names[:6]) + (", …" if len(names) > 6 else "")
    diagnostics.remark(
        NRM002,
        at=step,
        node=names[0],
        expected="populations that an output depends on, or that keep lists",
        found=f"{len(names)}: {shown}",
        help=f"{step}{{keep={option_text((*keep, *names))}}}",
    )


@dataclass(frozen=True)
class NtensorRemoveDeadPass(NoptPass):
    """Removes dead ops of every `ntensor.network`.

    Options:
        keep: nodes that stay with all that they depend on, `keep=lif1,"lif2.lif"`; default none. It takes the names that `--record` takes.
    """

    name = "ntensor-remove-dead"
    sees_host = True
    keep: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        networks = [inner for inner in op.ops if isinstance(inner, ntensor.NetworkOp)]
        if not networks:
            return
        nodes = {population.node.data for network in networks for population in network.populations}
        probed = [one.node for network in networks for one in probes_of(network, nodes) if one.node in nodes]
        remove_dead_ops(networks, [*self.keep, *probed], self.name, diagnostics_of(ctx))
        erase_unused_updates(op, ntensor.find_updates(op).values())
