"""Shapes and kinds of all signals of a network, inferred from its inputs and parameters, and held against what it declares.

A node claims a shape for what arrives at it: by its parameters, or because the file declares one. Claims are known from the
start, so shapes are known in loops too; everything else follows from what arrives. At the end every claim is compared with
what arrives. Nothing recurses, and the result does not depend on names or order.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from attrs import Factory, define, evolve
from xdsl.dialects.builtin import StringAttr, TensorType, f32
from xdsl.ir import Attribute, Block

from ..core.arrays import ArrayAttr
from ..core.diagnostics import Code, Diagnostics, InvalidOp
from ..dialects import nir as ops
from ..dialects.nir_ops.node import verify_finite
from .nir_graph import Graph, Node, graphs
from .nir_values import listed

NIF015 = Code(
    "NIF015",
    "the file declares another shape than its parameters give",
    cause="Inputs, outputs, convolutions and Flatten declare a shape in the file. What arrives there has another one, so either the "
    "declaration or a layer before it is wrong.",
    remedy="Correct the declaration in the file, or leave it out: then it is inferred.",
)
NIF016 = Code(
    "NIF016",
    "edges with different shapes meet at a node",
    cause="What arrives at a node over several edges is added, element by element, so all edges carry the same shape.",
    remedy="Correct the nodes that the edges come from; the message names the shape of each.",
)
NIF017 = Code(
    "NIF017",
    "a node has scalars for parameters, but several neurons",
    cause="Parameters of NIR have one entry for each neuron, and their shape is that of the population. Here they are scalars, "
    "while an array arrives.",
    remedy="Write one entry for each neuron, for example with `numpy.full(shape, value)`.",
)
NIF018 = Code(
    "NIF018",
    "a shape cannot be inferred",
    cause="Neither the file nor a parameter says the shape of the signal, and nothing that arrives does.",
    remedy="Declare the shape of the Input in the file.",
)

Shape = tuple[int, ...]


class Signal(NamedTuple):
    """What an edge carries."""

    shape: Shape
    kind: Attribute

    @property
    def type(self) -> TensorType[Attribute]:
        return TensorType(self.kind, self.shape)


def hears(node: Node) -> list[Node]:
    """Whose signals arrive at a node, through the walls of nested graphs."""
    if node.inside is not None:
        return node.inside.outputs
    if node.type == "Input" and node.graph.owner is not None:
        return node.graph.owner.sources
    return node.sources


def is_scalar(node: Node) -> bool:
    """Whether all of a node's parameters are scalars while they could be one for each neuron."""
    arrays = [array for array in node.properties.values() if isinstance(array, ArrayAttr)]
    is_elementwise = node.op is not None and issubclass(node.op, ops.PopulationOp | ops.ScaleOp | ops.DelayOp)
    return is_elementwise and not any(array.shape for array in arrays)


def declared_sizes(probe: ops.NodeOp | None) -> Shape | None:
    """The sizes that a convolution declares for its operand, beside the channels."""
    if not isinstance(probe, ops.ConvolutionOp) or probe.input_shape is None:
        return None
    return ops.integers(probe.input_shape, probe.RANK)


@define
class Inference:
    """Works on one network; errors go to `problems`."""

    root: Graph
    problems: Diagnostics
    nodes: list[Node] = Factory(list[Node])
    probes: dict[Node, ops.NodeOp] = Factory(dict[Node, ops.NodeOp])
    """An op for each node that computes: asked for shapes, never part of the IR."""
    claims: dict[Node, Shape] = Factory(dict[Node, Shape])
    shapes: dict[Node, Shape] = Factory(dict[Node, Shape])
    """Shape of what each node gives."""

    def run(self) -> dict[Node, Signal]:
        """The signal that each node gives; incomplete after an error."""
        self.nodes = [node for graph in graphs(self.root) for node in graph.nodes.values()]
        self.make_probes()
        for node in self.nodes:
            if (claim := self.claim(node)) is not None:
                self.claims[node] = claim
        for node in self.root.inputs:
            if node not in self.claims and (wanted := self.wanted(node)) is not None:
                self.claims[node] = wanted
        self.propagate()
        for node in self.nodes:
            self.compare(node)
        if not self.problems.errors:
            self.refuse_unknown()
        if self.problems.errors:
            return {}
        kinds = self.kinds()
        return {node: Signal(self.shapes[node], kinds[node]) for node in self.nodes}

    def make_probes(self) -> None:
        scalar = TensorType(f32, ())
        for node in self.nodes:
            if node.op is None:
                continue
            probe = node.op.create(
                operands=[Block(arg_types=[scalar]).args[0]],
                result_types=[scalar],
                properties={"node": StringAttr(node.path), **node.properties},
            )
            try:
                for name, array in probe.parameters():
                    verify_finite(probe, name, array)
                probe.verify_parameters()
            except InvalidOp as refusal:
                self.problems.add(refusal.finding)
            else:
                self.probes[node] = probe

    # ---- what each node says by itself

    def claim(self, node: Node) -> Shape | None:
        """The shape that a node by itself wants to arrive, or None."""
        probe = self.probes.get(node)
        return node.declared if probe is None or node.declared is not None else probe.operand_shape()

    def wanted(self, node: Node) -> Shape | None:
        """The shape that the first readers of an Input want, through nested Inputs and identities."""
        waiting = deque(node.readers)
        seen = set(waiting)
        while waiting:
            reader = waiting.popleft()
            for inner in reader.inside.inputs if reader.inside else [reader]:
                if inner in self.claims:
                    return self.claims[inner]
                if inner.type in ("Input", "Identity"):
                    waiting += [other for other in inner.readers if other not in seen]
                    seen.update(inner.readers)
        return None

    # ---- what follows

    def propagate(self) -> None:
        """Gives every node the shape of its result, first where it is claimed, then from what arrives."""
        heard_by: dict[Node, list[Node]] = {node: [] for node in self.nodes}
        for node in self.nodes:
            for source in hears(node):
                heard_by[source].append(node)
        waiting: deque[Node] = deque()
        for node, claim in self.claims.items():
            self.give(node, claim, waiting)
        while waiting:
            source = waiting.popleft()
            for node in heard_by[source]:
                self.give(node, self.shapes[source], waiting)

    def give(self, node: Node, arriving: Shape, waiting: deque[Node]) -> None:
        """The result of a node for what arrives, if it is not known yet."""
        if node in self.shapes:
            return
        if node.op is None or (node not in self.probes and issubclass(node.op, ops.PopulationOp)):
            self.shapes[node] = arriving  # also of a population whose parameters are refused
        elif node not in self.probes:
            return
        else:
            try:
                self.shapes[node] = self.probes[node].result_shape(arriving)
            except InvalidOp as refusal:
                self.problems.add(refusal.finding)
                del self.probes[node]  # one refusal is enough
                return
        waiting.append(node)

    # ---- what does not fit

    def compare(self, node: Node) -> None:
        """Holds what a node claims against what arrives."""
        if node.inside is not None:
            return
        arriving = {source: self.shapes[source] for source in hears(node) if source in self.shapes}
        if len(set(arriving.values())) > 1:
            self.problems.error(
                NIF016,
                "edges with different shapes meet at a node",
                **node.parts(),
                expected="one shape",
                found=", ".join(f'{shape} from "{source.path}"' for source, shape in arriving.items()),
                help="correct the nodes that the edges come from",
            )
            return
        for source in list(arriving)[:1]:
            self.compare_shape(node, source, arriving[source])

    def compare_shape(self, node: Node, source: Node, shape: Shape) -> None:
        probe = self.probes.get(node)
        sizes = declared_sizes(probe)
        if node.declared not in (None, shape):
            self.refuse_declared(node, f"shape {node.declared}", f"shape {shape}")
        elif sizes is not None and len(shape) == len(sizes) + 1 and shape[1:] != sizes:
            self.refuse_declared(node, f"input_shape {sizes}", f"input_shape {shape[1:]}")
        elif is_scalar(node) and shape:
            self.problems.error(
                NIF017,
                "the parameters are scalars, but an array arrives",
                **node.parts(),
                expected=f"parameters of shape {shape}, one entry for each neuron",
                found="scalars",
                help=f"write each parameter as numpy.full({shape}, value)",
            )
        elif probe is not None:
            try:
                probe.result_shape(shape)
            except InvalidOp as refusal:
                self.problems.add(evolve(refusal.finding, notes=[f'the operand comes from "{source.path}"']))

    def refuse_declared(self, node: Node, declared: str, inferred: str) -> None:
        self.problems.error(
            NIF015,
            "the file declares another shape than what arrives",
            **node.parts(),
            expected=f"{inferred}, inferred from the nodes before it",
            found=f"{declared} in the file",
            help="correct the declaration in the file, or leave it out",
        )

    def refuse_unknown(self) -> None:
        unknown = [node for node in self.nodes if node not in self.shapes]
        if unknown:
            first = next((node for node in unknown if node.type == "Input"), unknown[0])
            self.problems.error(
                NIF018,
                "a shape cannot be inferred",
                **first.parts(),
                expected="a declared Input, or a node with parameters that say the shape",
                found=f"no shape for {listed(node.path for node in unknown)}",
                help="declare the shape of the Input in the file",
            )

    # ---- spikes and values

    def kinds(self) -> dict[Node, Attribute]:
        """Element types: inputs of the network are values; sums are values; most nodes say what they give, the others keep it."""
        found: dict[Node, Attribute] = {}
        for node in self.nodes:
            chain: dict[Node, None] = {}
            last = node
            while last not in found and last not in chain and not self.settles(last):
                chain[last] = None
                last = hears(last)[0]
            if last not in found:  # a ring in which nothing settles the kind carries values
                found[last] = self.own_kind(last) if self.settles(last) else f32
            found |= dict.fromkeys(chain, found[last])
        return found

    def settles(self, node: Node) -> bool:
        """Whether a node gives a kind of its own, whatever arrives."""
        return len(hears(node)) != 1 or not (node.op is None or issubclass(node.op, ops.KeepingOp))

    def own_kind(self, node: Node) -> Attribute:
        return f32 if node.op is None else self.probes[node].result_kind(f32)


def signals(root: Graph, problems: Diagnostics) -> dict[Node, Signal]:
    """The signal that each node of a network gives; empty after an error.

    Errors: NIF015 to NIF018, and those of the ops.
    """
    return Inference(root, problems).run()
