"""Shapes and kinds of all signals of a network, inferred from its inputs and parameters, and held against what it declares.

A node claims a shape for what arrives at it: by its parameters, or because the file declares one. Claims are known from the
start, so shapes are known in loops too; everything else follows from what arrives. A claim that may mean more than it says
(parameters with axes of size one, a shape that the file declares for what computes nothing) counts only where nothing arrives.
At the end every claim is compared with what arrives, and repaired or refused. Nothing recurses, and the result does not depend
on names or order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from math import prod
from typing import NamedTuple

from attrs import Factory, define, evolve
from xdsl.dialects.builtin import StringAttr, TensorType, f32
from xdsl.ir import Attribute, Block

from ..core.diagnostics import Code, Diagnostics, InvalidOp
from ..dialects import nir as ops
from ..dialects.nir_ops.node import verify_finite
from .limits import Limits
from .nir_graph import Graph, Node, graphs
from .nir_repairs import (
    arrays_of,
    drop_axes,
    flatten_without_samples,
    has_more_axes,
    is_elementwise,
    may_spread,
    parameter_shape,
    settle_input,
    spread,
)
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
    "while an array arrives that is too large to write them out.",
    remedy="Check the shape that the Input declares; if it is meant, allow more with `--limit bytes=N`.",
)
NIF018 = Code(
    "NIF018",
    "a shape cannot be inferred",
    cause="Neither the file nor a parameter says the shape of the signal, and nothing that arrives does.",
    remedy="Declare the shape of the Input in the file.",
)

Shape = tuple[int, ...]

LONGEST_LOOK = 1000
"""Most nodes behind an Input or Flatten that are asked for its shape."""


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


def declared_sizes(probe: ops.NodeOp | None) -> Shape | None:
    """The sizes that a convolution declares for its operand, beside the channels."""
    if not isinstance(probe, ops.ConvolutionOp) or probe.input_shape is None:
        return None
    return ops.integers(probe.input_shape, probe.RANK)


@define
class Inference:
    """Works on one network; errors go to `problems`."""

    root: Graph
    notes: Diagnostics
    problems: Diagnostics
    most_bytes: int
    """Most bytes of the parameters that are written out for a population."""
    nodes: list[Node] = Factory(list[Node])
    probes: dict[Node, ops.NodeOp] = Factory(dict[Node, ops.NodeOp])
    """An op for each node that computes: asked for shapes, never part of the IR."""
    claims: dict[Node, Shape] = Factory(dict[Node, Shape])
    """What nodes say by their parameters."""
    shapes: dict[Node, Shape] = Factory(dict[Node, Shape])
    """Shape of what each node gives."""
    heard_by: dict[Node, list[Node]] = Factory(dict[Node, list[Node]])

    def run(self) -> dict[Node, Signal]:
        """The signal that each node gives; incomplete after an error."""
        self.nodes = [node for graph in graphs(self.root) for node in graph.nodes.values()]
        self.make_probes()
        for node in self.nodes:
            if (claim := self.claim(node)) is not None:
                self.claims[node] = claim
        for node in self.root.inputs:
            readers = self.first_readers(node)
            wanted = [self.claims[reader] for reader in readers if reader in self.claims and not self.declares(reader)]
            if not wanted:
                likely = [shape for shape in map(self.weak_claim, readers) if shape is not None]
                given = node.declared
                wanted = [shape for shape in likely if given in (None, shape) or has_more_axes(given, shape)]
            probes = [self.probes[reader] for reader in readers if reader in self.probes]
            if (shape := settle_input(node, wanted, probes, self.notes)) is not None:
                self.claims[node] = shape
        self.heard_by = {node: [] for node in self.nodes}
        for node in self.nodes:
            for source in hears(node):
                self.heard_by[source].append(node)
        self.propagate(self.claims)
        for node in sorted(self.nodes, key=lambda node: node.type == "Output"):  # others may say more than an Output
            if node not in self.shapes and (weak := self.weak_claim(node)) is not None:
                self.propagate({node: weak})
        for node in self.nodes:
            self.compare(node)
        if not self.problems.errors:
            self.refuse_unknown()
        if self.problems.errors:
            return {}
        kinds = self.kinds()
        return {node: Signal(self.shapes[node], kinds[node]) for node in self.nodes}

    def make_probes(self) -> None:
        for node in self.nodes:
            if node.op is None:
                continue
            probe = self.probe(node, node.op)
            try:
                for name, array in probe.parameters():
                    verify_finite(probe, name, array)
                probe.verify_parameters()
            except InvalidOp as refusal:
                self.problems.add(refusal.finding)
            else:
                self.probes[node] = probe

    def probe(self, node: Node, op: type[ops.NodeOp]) -> ops.NodeOp:
        scalar = TensorType(f32, ())
        return op.create(
            operands=[Block(arg_types=[scalar]).args[0]],
            result_types=[scalar],
            properties={"node": StringAttr(node.path), **node.properties},
        )

    # ---- what each node says by itself

    def claim(self, node: Node) -> Shape | None:
        """The shape that a node asks for by its parameters, where they say it without a doubt."""
        probe = self.probes.get(node)
        shape = None if probe is None else probe.operand_shape()
        return None if shape is None or (is_elementwise(node) and 1 in shape) else shape

    def weak_claim(self, node: Node) -> Shape | None:
        """The shape that a node has where nothing arrives that says it."""
        probe = self.probes.get(node)
        return node.declared if probe is None or node.declared is not None else probe.operand_shape()

    def first_readers(self, node: Node) -> list[Node]:
        """The first nodes behind an Input that may say its shape, through nested Inputs and what keeps any shape."""
        found: dict[Node, None] = {}
        waiting = deque(node.readers)
        seen = set(waiting)
        while waiting and len(seen) <= LONGEST_LOOK:
            reader = waiting.popleft()
            inside = reader.inside.inputs if reader.inside else [reader]
            for inner in inside:
                if inner.type == "Input" or (inner not in self.claims and self.keeps(inner)):
                    waiting += [other for other in inner.readers if other not in seen]
                    seen.update(inner.readers)
                if inner.type != "Input":
                    found[inner] = None
        return list(found)

    def declares(self, node: Node) -> bool:
        """Whether what a node claims is a declaration of the file, with which it could compute as well as without."""
        return node.op is not None and issubclass(node.op, ops.ConvolutionOp)

    def keeps(self, node: Node) -> bool:
        """Whether a node gives what arrives in the same shape, whatever that is."""
        return node.op is not None and (is_elementwise(node) or issubclass(node.op, ops.IdentityOp))

    def taken(self, node: Node) -> Iterable[Shape]:
        """What the first readers of a node take, by their parameters."""
        return dict.fromkeys(self.claims[reader] for reader in self.first_readers(node) if reader in self.claims)

    # ---- what follows

    def propagate(self, claims: dict[Node, Shape]) -> None:
        """Gives every node the shape of its result, first where it is claimed, then from what arrives."""
        waiting: deque[Node] = deque()
        for node, claim in claims.items():
            self.give(node, claim, waiting)
        while waiting:
            source = waiting.popleft()
            for node in self.heard_by[source]:
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
            self.repair(node, node.op, arriving)
            try:
                self.shapes[node] = self.probes[node].result_shape(arriving)
            except InvalidOp as refusal:
                self.problems.add(refusal.finding)
                del self.probes[node]  # one refusal is enough
                return
        waiting.append(node)

    def repair(self, node: Node, op: type[ops.NodeOp], arriving: Shape) -> None:
        """Puts right the parameters of a node that take what arrives in one way only."""
        own = parameter_shape(node)
        if own is not None and own != arriving and may_spread(own, arriving):
            entries = sum(array.values.itemsize for array in arrays_of(node).values())
            if prod(arriving) * entries <= self.most_bytes:
                spread(node, arriving, self.notes)
                self.probes[node] = self.probe(node, op)
            elif not own:
                self.refuse_scalars(node, arriving)
        elif issubclass(op, ops.FlattenOp) and len(wanted := list(self.taken(node))) == 1:
            flatten_without_samples(node, self.probes[node], arriving, wanted[0], self.notes)

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
        if node.declared not in (None, shape) and drop_axes(node, shape, self.notes):
            if node.op is None:
                self.shapes[node] = shape
        elif node.declared not in (None, shape):
            self.refuse_declared(node, f"shape {node.declared}", f"shape {shape}")
        elif sizes is not None and len(shape) == len(sizes) + 1 and shape[1:] != sizes:
            self.refuse_declared(node, f"input_shape {sizes}", f"input_shape {shape[1:]}")
        elif probe is not None:
            try:
                probe.result_shape(shape)
            except InvalidOp as refusal:
                self.problems.add(evolve(refusal.finding, notes=[f'the operand comes from "{source.path}"']))

    def refuse_scalars(self, node: Node, shape: Shape) -> None:
        self.problems.error(
            NIF017,
            "the parameters are scalars, but a very large array arrives",
            **node.parts(),
            expected=f"parameters of at most {self.most_bytes} bytes",
            found=f"scalars, for shape {shape}",
            help="correct the shape of the Input, or allow more: --limit bytes=N",
        )

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


def signals(root: Graph, notes: Diagnostics, problems: Diagnostics, limits: Limits) -> dict[Node, Signal]:
    """The signal that each node of a network gives; empty after an error. Remarks go to `notes`, errors to `problems`.

    Parameters that have one entry for all neurons are written out, up to a limit for a node.

    Errors: NIF015 to NIF018, and those of the ops. Remarks: NIF020 to NIF022, NIF026.
    """
    return Inference(root, notes, problems, limits.bytes).run()
