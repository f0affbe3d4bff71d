"""The nodes of a network without nesting: each with its full name and what it reads.

`lif1.lif` is the node `lif` of the nested graph `lif1`. Terminals of nested graphs are wires and leave no node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import define, field
from xdsl.ir import Attribute, Operation, SSAValue

from ..core.diagnostics import Code, refuse, refuse_op
from ..core.ir.operation import is_tensor
from ..dialects import nir

ANA011 = Code("ANA011", "wire-leads-to-itself", "a wire of a nested graph leads nowhere but to itself")


ANA012 = Code("ANA012", "node-name-repeated", "two nodes have the same full name")


@define(eq=False)
class Node:
    """A node, an edge sum, or an input of the whole network (which has no op)."""

    name: str
    """The full name in the network; empty for a sum."""
    op: nir.NodeOp | nir.SumOp | None
    type: Attribute
    reads: list[Node] = field(factory=list["Node"])
    """The inputs, one entry for each operand."""
    readers: list[tuple[Node, int]] = field(factory=list[tuple["Node", int]])
    """The readers of this node, with the number of the operand."""
    is_output: bool = False
    """Whether the network outputs this node's value."""

    @property
    def is_population(self) -> bool:
        return isinstance(self.op, nir.PopulationOp)

    @property
    def spikes(self) -> bool:
        """Whether the output of this node is spikes."""
        return is_tensor(self.type) and nir.is_spike(self.type.get_element_type())

    label: str = ""
    """How messages call it: its name; a sum is called by the node or output that it leads to."""


@define(eq=False)
class Flat:
    """A network without nesting."""

    inputs: list[Node]
    nodes: list[Node]
    """Everything else, in the order of the IR; operands may come later."""
    outputs: list[Node]

    @property
    def populations(self) -> list[nir.PopulationOp]:
        return [node.op for node in self.nodes if isinstance(node.op, nir.PopulationOp)]

    @property
    def names(self) -> dict[Operation, str]:
        """The full name of every node, by its op."""
        return {node.op: node.name for node in self.nodes if isinstance(node.op, nir.NodeOp)}

    def all(self) -> Iterator[Node]:
        yield from self.inputs
        yield from self.nodes


def flatten(graph: nir.GraphOp) -> Flat:
    """Returns the nodes of a graph and of its nested graphs in one graph. Errors: ANA011 a circle of wires; ANA012 a full name of two nodes."""
    wires: dict[SSAValue, SSAValue] = {}
    """The replacements of wires: the operand for an inner argument, the inner operand for a result."""
    found: dict[SSAValue, Node] = {}
    nodes: list[Node] = []
    taken = {name.data for name in (*graph.input_names, *graph.output_names)}
    work: list[tuple[nir.GraphOp | nir.SubgraphOp, str]] = [(graph, "")]
    while work:
        outer, prefix = work.pop(0)
        for op in outer.body.block.ops:
            if isinstance(op, nir.SubgraphOp):
                inner = op.body.block
                wires.update(zip(inner.args, op.xs, strict=True))
                last = inner.last_op
                wires.update(zip(op.ys, last.operands if last else (), strict=True))
                work.append((op, f"{prefix}{op.node.data}."))
            elif isinstance(op, nir.NodeOp | nir.SumOp):
                name = f"{prefix}{op.node.data}" if isinstance(op, nir.NodeOp) else ""
                if name and name in taken:
                    refuse_op(
                        op,
                        ANA012,
                        at=f"nir.graph @{graph.sym_name.data}",
                        node=name,
                        expected="each full name once",
                        found=f'"{name}" twice',
                        help="rename one of the two nodes, or the nested graph",
                    )
                taken.add(name)
                node = Node(name, op, op.y.type)
                found[op.y] = node
                nodes.append(node)
    block = graph.body.block
    inputs = [Node(name.data, None, arg.type) for name, arg in zip(graph.input_names, block.args, strict=True)]
    found.update(zip(block.args, inputs, strict=True))

    def resolve(value: SSAValue) -> Node:
        seen: set[SSAValue] = set()
        while (node := found.get(value)) is None:
            if value in seen or value not in wires:
                at = f"nir.graph @{graph.sym_name.data}"
                expected = "a node between the output and the input of the nested graph"
                help = "put a node into the circle, or remove it"
                refuse(ANA011, at=at, expected=expected, found=f"a circle of {len(seen)} wires", help=help)
            seen.add(value)
            value = wires[value]
        return node

    for node in nodes:
        assert node.op is not None
        for k, operand in enumerate(node.op.operands):
            source = resolve(operand)
            node.reads.append(source)
            source.readers.append((node, k))
    last = block.last_op
    outputs = [resolve(value) for value in (last.operands if last else ())]
    for node in outputs:
        node.is_output = True
    names = {node: name.data for node, name in zip(outputs, graph.output_names, strict=True)}
    for node in (*inputs, *nodes):
        node.label = label(node, names)
    return Flat(inputs, nodes, outputs)


def label(node: Node, outputs: Mapping[Node, str]) -> str:
    """Returns the name of a node or output. An unnamed sum has the name of the nearest named node or output after it, else `sum`."""
    seen = {node}
    work = [node]
    while work:
        at = work.pop(0)
        if at.name or at in outputs:
            return at.name or outputs[at]
        work += [reader for reader, _ in at.readers if reader not in seen]
        seen.update(work)
    return "sum"
