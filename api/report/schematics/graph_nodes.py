"""Boxes of the graph of a network: inputs, populations, other ops and outputs, each with the boxes that it reads."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from typing import Literal

from attrs import evolve, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ....core.diagnostics import describe_op
from ....core.ir.operation import shape_of
from ....core.number_texts import counted_text
from ....dialects import nir, ntensor
from ....dialects.nir.populations import PopulationOp

Role = Literal["end", "population", "op", "helper"]
"""The role of a box: an input or output, a population, another op, or a population that the compiler added."""
MOST_NODES = 160
"""Largest number of boxes of a drawing; of more, those are folded that only pass on what they read."""


@frozen
class GraphNode:
    """A box of the graph: its name, its kind with a shape, the boxes that it reads, and its role."""

    name: str
    kind: str
    sources: tuple[int, ...]
    role: Role = "op"


def first_network(module: ModuleOp) -> ntensor.NetworkOp | nir.GraphOp | None:
    return next((op for op in module.ops if isinstance(op, ntensor.NetworkOp | nir.GraphOp)), None)


def network_name(module: ModuleOp) -> str:
    """Returns the name of the first network of a module."""
    network = first_network(module)
    return "network" if network is None else describe_op(network)[0].rpartition("@")[2]


def graph_nodes(module: ModuleOp, added: Collection[str] = ()) -> list[GraphNode]:
    """Returns the boxes of the first network of a module, in its order: inputs, ops with a node, outputs. `added` are populations of the compiler."""
    network = first_network(module)
    if network is None:
        return []
    block = network.body.block
    places: dict[SSAValue, int] = {arg: k for k, arg in enumerate(block.args)}
    boxed: list[Operation] = [op for op in block.ops if op.results]
    places |= {result: len(block.args) + k for k, op in enumerate(boxed) for result in op.results}

    def shape(value: SSAValue) -> str:
        return "x".join(map(str, shape_of(value))) or "1"

    def sources(op: Operation) -> tuple[int, ...]:
        return tuple(dict.fromkeys(places[value] for value in op.operands if value in places))

    nodes = [
        GraphNode(name.data, f"input {shape(arg)}", (), "end")
        for name, arg in zip(network.input_names, block.args, strict=True)
    ]
    for op in boxed:
        kind, name = op.name.partition(".")[2], describe_op(op)[1]
        is_population = isinstance(op, ntensor.NeuronOp | PopulationOp)
        role: Role = "helper" if name in added else "population" if is_population else "op"
        nodes.append(GraphNode(name or kind, f"{kind} {shape(op.results[0])}", sources(op), role))
    last = block.last_op
    if last is not None:
        for name, value in zip(network.output_names, last.operands, strict=False):
            read = (places[value],) if value in places else ()
            nodes.append(GraphNode(name.data, f"output {shape(value)}", read, "end"))
    return nodes


def fold_nodes(nodes: Sequence[GraphNode], *, most: int = MOST_NODES) -> list[GraphNode]:
    """Returns the boxes without chains of helpers, each of which becomes one box; of many boxes, also without ops that read one box."""
    nodes = join_chains(nodes, {"helper"})
    if len(nodes) > most:
        nodes = bypass(nodes)
    return join_chains(nodes, {"population", "op", "helper"}) if len(nodes) > most else list(nodes)


def users_of(nodes: Sequence[GraphNode]) -> list[list[int]]:
    """Returns the boxes that read each box."""
    users: list[list[int]] = [[] for _ in nodes]
    for target, node in enumerate(nodes):
        for source in node.sources:
            users[source].append(target)
    return users


def nearest_sources(nodes: Sequence[GraphNode], start: int, shown: Container[int]) -> list[int]:
    """Returns the nearest boxes upstream of a box that are shown."""
    found, waiting, seen = list[int](), [*nodes[start].sources], {*nodes[start].sources}
    while waiting:
        k = waiting.pop(0)
        if k in shown:
            found.append(k)
            continue
        waiting += [source for source in nodes[k].sources if source not in seen]
        seen |= {*nodes[k].sources}
    return found


def bypass(nodes: Sequence[GraphNode]) -> list[GraphNode]:
    """Returns the boxes without ops that read exactly one other box; their users read that box."""
    through = {k: node.sources[0] for k, node in enumerate(nodes) if node.role == "op" and len(node.sources) == 1}

    def origin(source: int) -> int:
        k, seen = source, set[int]()
        while k in through:
            if k in seen:  # a cycle of such ops stays
                return source
            seen.add(k)
            k = through[k]
        return k

    kept = [k for k in range(len(nodes)) if origin(k) == k]
    index = {k: n for n, k in enumerate(kept)}
    return [
        evolve(nodes[k], sources=tuple(dict.fromkeys(index[origin(source)] for source in nodes[k].sources)))
        for k in kept
    ]


def join_chains(nodes: Sequence[GraphNode], roles: Collection[Role]) -> list[GraphNode]:
    """Returns the boxes with each chain of boxes of these roles as one box. The ops between two helpers belong to their chain."""
    users = users_of(nodes)
    head = list(range(len(nodes)))
    inner: list[list[int]] = [[k] for k in range(len(nodes))]

    def leads_to_role(k: int) -> bool:
        """Returns whether a box, or the first of its chain of ops with one user each, has one of the roles."""
        seen = set[int]()
        while nodes[k].role == "op" and len(users[k]) == 1 and k not in seen:
            seen.add(k)
            k = users[k][0]
            if len(nodes[k].sources) != 1:
                return False
        return nodes[k].role in roles

    def is_joined(k: int, source: int) -> bool:
        if len(nodes[k].sources) != 1 or len(users[source]) != 1 or source >= k:
            return False
        return nodes[head[source]].role in roles and leads_to_role(k)

    for k, node in enumerate(nodes):
        if node.sources and is_joined(k, node.sources[0]):
            head[k] = head[node.sources[0]]
            inner[head[k]].append(k)
    kept = [k for k in range(len(nodes)) if head[k] == k]
    index = {k: n for n, k in enumerate(kept)}
    joined: list[GraphNode] = []
    for k in kept:
        sources = tuple(dict.fromkeys(index[head[source]] for source in nodes[k].sources))
        named = [j for j in inner[k] if nodes[j].role != "op"] or inner[k]
        name = nodes[k].name if len(named) == 1 else f"{nodes[named[0]].name} to {nodes[named[-1]].name}"
        noun = "population" if nodes[k].role == "helper" else "box"
        kind = nodes[k].kind if len(named) == 1 else counted_text(len(named), noun)
        joined.append(evolve(nodes[k], name=name, kind=kind, sources=sources))
    return joined
