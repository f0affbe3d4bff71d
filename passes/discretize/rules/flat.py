"""The nodes of a network without nesting: each with its full name and what it reads.

`lif1.lif` is the node `lif` of the nested graph `lif1`. Terminals of nested graphs are wires and leave no node.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue
from xdsl.utils.hints import isa

from ....core.diagnostics import Code, refuse
from ....dialects import nir

FLA001 = Code(
    "FLA001",
    "a wire of a nested graph leads nowhere but to itself",
    cause="The outputs and inputs of nested graphs are connected to each other in a circle, without a node between them.",
    remedy="Put a node into the circle, or remove it.",
)


@define(eq=False)
class Node:
    """A node, an edge sum, or an input of the whole network (which has no op)."""

    name: str
    op: nir.NodeOp | nir.SumOp | None
    type: Attribute
    reads: list[Node] = field(factory=list["Node"])
    """What arrives, one entry for each operand."""
    readers: list[tuple[Node, int]] = field(factory=list[tuple["Node", int]])
    """Who reads this node, with the number of the operand."""
    is_output: bool = False
    """Whether the network gives this node's value."""

    @property
    def is_population(self) -> bool:
        return isinstance(self.op, nir.PopulationOp)

    @property
    def spikes(self) -> bool:
        """Whether what leaves this node are spikes."""
        return isa(self.type, TensorType[Attribute]) and nir.is_spike(self.type.get_element_type())

    def __repr__(self) -> str:
        return f"Node({self.name})"


@define(eq=False)
class Flat:
    """A network without nesting."""

    inputs: list[Node]
    nodes: list[Node]
    """Everything else, in the order of the IR; operands may come later."""
    outputs: list[Node]

    def all(self) -> Iterator[Node]:
        yield from self.inputs
        yield from self.nodes


def flatten(graph: nir.GraphOp) -> Flat:
    """Takes nested graphs apart. Errors: FLA001 a circle of wires."""
    wires: dict[SSAValue, SSAValue] = {}
    """What stands in for a wire: the operand behind an inner argument, the inner operand behind a result."""
    found: dict[SSAValue, Node] = {}
    nodes: list[Node] = []
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
                refuse(
                    FLA001,
                    "a wire of a nested graph leads nowhere but to itself",
                    at=f"nir.graph @{graph.sym_name.data}",
                    expected="a node between the output and the input of the nested graph",
                    found=f"a circle of {len(seen)} wires"
                    if isinstance(value, OpResult | BlockArgument)
                    else "nothing",
                    help="put a node into the circle, or remove it",
                )
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
    return Flat(inputs, nodes, outputs)
