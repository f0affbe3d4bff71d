"""Inference of the shapes and kinds of all signals of a network, from its inputs and parameters, and comparison with declared shapes.

The parameters of a node, or a declaration in the file, claim a shape for its operand. Claims are known from the start, so that shapes
are known in loops too; all other shapes follow from the incoming signals. An ambiguous claim (parameters with axes of size one or with one
value for all neurons, a declaration for a node that computes nothing) is used only if no incoming signal determines the shape. At the end every claim is
compared with the incoming signal, in the order of the data flow, and repaired or refused. Only the first contradicting node is refused: a
downstream node is valid if it accepts the signal that results from the first node's incoming signal. The inference is not recursive, and the result
does not depend on names or order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from math import prod
from typing import NamedTuple

from attrs import Factory, define, evolve
from xdsl.dialects.builtin import StringAttr, TensorType, f32
from xdsl.ir import Attribute, Block

from ..core.diagnostics import Code, Diagnostics, Finding, InvalidOp, quote_names
from ..core.ir.graph_region import reverse_postorder
from ..dialects import nir as ops
from ..dialects.nir.node import verify_finite
from .limits import Limits
from .nir_graph import Graph, Node, graphs
from .nir_repairs import (
    arrays_of,
    broadcast_parameters,
    drop_axes,
    flatten_without_samples,
    has_more_axes,
    is_elementwise,
    is_loose,
    may_spread,
    parameter_shape,
    parameters_of_shape,
    settle_inner_input,
    settle_input,
)

NIF015 = Code("NIF015", "declared-shape-differs", "a declared shape differs from the inferred shape")
NIF016 = Code("NIF016", "node-shapes-differ", "edges with different shapes meet at a node")
NIF017 = Code("NIF017", "scalar-parameters-many-neurons", "a node has scalar parameters, but very many neurons")
NIF018 = Code("NIF018", "shape-not-inferable", "a shape cannot be inferred")

Shape = tuple[int, ...]

LONGEST_LOOK = 1000
"""Maximum number of nodes after an Input or Flatten that are examined for its shape."""


class Signal(NamedTuple):
    """The signal of an edge: its shape and kind."""

    shape: Shape
    kind: Attribute

    @property
    def type(self) -> TensorType[Attribute]:
        return TensorType(self.kind, self.shape)


def senders(node: Node) -> list[Node]:
    """Returns the nodes whose signals a node reads, across the boundaries of nested graphs."""
    if node.inside is not None:
        return node.inside.outputs
    if node.type == "Input" and node.graph.owner is not None:
        return node.graph.owner.sources
    return node.sources


def declared_otherwise(node: Node, declared: str, inferred: str) -> Finding:
    """Returns the finding about a declaration that differs from the incoming signal."""
    return Finding(
        NIF015,
        "the declared shape differs from the shape of the incoming signal",
        **node.parts(),
        expected=f"{inferred}, inferred from the nodes before it",
        found=f"{declared} in the file",
        help="correct the declaration in the file, or remove it",
    )


@define
class Inference:
    """Inference for one network; errors go to `problems`."""

    root: Graph
    notes: Diagnostics
    problems: Diagnostics
    most_bytes: int
    """Maximum size in bytes of the expanded parameters of a population."""
    nodes: list[Node] = Factory(list[Node])
    probes: dict[Node, ops.NodeOp] = Factory(dict[Node, ops.NodeOp])
    """An op for each computing node, used to compute shapes, never part of the IR."""
    claims: dict[Node, Shape] = Factory(dict[Node, Shape])
    """Shapes of operands that parameters determine."""
    shapes: dict[Node, Shape] = Factory(dict[Node, Shape])
    """Shape of the result of each node."""
    loose: dict[Node, Shape] = Factory(dict[Node, Shape])
    """Claims of parameters with one value for all neurons, which are used only if no incoming signal determines the shape."""
    heard_by: dict[Node, list[Node]] = Factory(dict[Node, list[Node]])
    failures: dict[Node, Finding] = Factory(dict[Node, Finding])
    """Refusals of nodes without a result."""
    others: dict[Node, Shape] = Factory(dict[Node, Shape])
    """Result shapes downstream of a refused node, under the assumption that its incoming signal is right and its parameters are wrong."""

    def run(self) -> dict[Node, Signal]:
        """Infers the result of each node; incomplete after an error."""
        self.nodes = [node for graph in graphs(self.root) for node in graph.nodes.values()]
        self.make_probes()
        for node in self.nodes:
            if (claim := self.claimed_shape(node)) is not None:
                self.claims[node] = claim
        for node in self.root.inputs:
            readers = self.first_readers(node)
            wanted = [self.claims[reader] for reader in readers if reader in self.claims and not self.declares(reader)]
            if not wanted:
                likely = [shape for shape in map(self.weak_claim, readers) if shape is not None]
                given = node.declared
                wanted = [shape for shape in likely if given is None or given == shape or has_more_axes(given, shape)]
            probes = [self.probes[reader] for reader in readers if reader in self.probes]
            if (shape := settle_input(node, wanted, probes, self.notes)) is not None:
                self.claims[node] = shape
        self.heard_by = {node: [] for node in self.nodes}
        for node in self.nodes:
            for source in senders(node):
                self.heard_by[source].append(node)
        self.loose = {node: claim for node, claim in self.claims.items() if is_loose(node)}
        self.propagate({node: claim for node, claim in self.claims.items() if node not in self.loose})
        self.propagate(self.loose)
        # other nodes may be more specific than an Output
        for node in sorted(self.nodes, key=lambda node: node.type == "Output"):
            if node not in self.shapes and (weak := self.weak_claim(node)) is not None:
                self.propagate({node: weak})
        for node in reverse_postorder([*self.root.inputs, *self.nodes], self.heard_by.__getitem__):
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
            properties={"node": StringAttr(node.path), **node.op_properties()},
        )

    # ---- claims of single nodes

    def claimed_shape(self, node: Node) -> Shape | None:
        """Returns the shape of a node's operand that its parameters determine unambiguously, or None."""
        probe = self.probes.get(node)
        shape = None if probe is None else probe.operand_shape()
        return None if shape is None or (is_elementwise(node) and 1 in shape) else shape

    def weak_claim(self, node: Node) -> Shape | None:
        """Returns the shape of a node's operand that is used if no incoming signal determines it, or None."""
        probe = self.probes.get(node)
        return node.declared if probe is None or node.declared is not None else probe.operand_shape()

    def first_readers(self, node: Node) -> list[Node]:
        """Returns the first nodes downstream of an Input that may determine its shape. Nested Inputs and shape-preserving nodes are skipped."""
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
        """Returns whether the claim of a node is a declaration in the file, which the computation does not use."""
        return node.op is not None and issubclass(node.op, ops.ConvolutionOp)

    def keeps(self, node: Node) -> bool:
        """Returns whether a node preserves the shape of its operand, for every shape."""
        return node.op is not None and (is_elementwise(node) or issubclass(node.op, ops.IdentityOp))

    def taken(self, node: Node) -> Iterable[Shape]:
        """Returns the distinct shapes that a node's first readers claim."""
        return dict.fromkeys(self.claims[reader] for reader in self.first_readers(node) if reader in self.claims)

    # ---- propagation

    def propagate(self, claims: dict[Node, Shape]) -> None:
        """Computes the shape of every node's result, first from claims, then from incoming signals."""
        waiting: deque[Node] = deque()
        for node, claim in claims.items():
            self.give(node, claim, waiting)
        while waiting:
            source = waiting.popleft()
            for node in self.heard_by[source]:
                self.give(node, self.shapes[source], waiting)

    def give(self, node: Node, arriving: Shape, waiting: deque[Node]) -> None:
        """Computes the result of a node for an incoming shape, if it is not known yet."""
        if node in self.shapes or node in self.failures:
            return
        if node.op is None or (node not in self.probes and issubclass(node.op, ops.PopulationOp)):
            self.shapes[node] = arriving  # also for a population whose parameters are refused
        elif node not in self.probes:
            return
        else:
            self.repair(node, node.op, arriving)
            if node in self.loose and parameter_shape(node) != arriving:
                arriving = self.loose[node]  # `compare` reports the incoming signal
            try:
                self.shapes[node] = self.probes[node].result_shape(arriving)
            except InvalidOp as refusal:
                self.failures[node] = refusal.finding
                return
        waiting.append(node)

    def repair(self, node: Node, op: type[ops.NodeOp], arriving: Shape) -> None:
        """Repairs the parameters of a node if only one interpretation fits the incoming shape."""
        own = parameter_shape(node)
        if own is not None and own != arriving and may_spread(node, arriving):
            entries = sum(array.values.itemsize for array in arrays_of(node).values())
            if prod(arriving) * entries <= self.most_bytes:
                broadcast_parameters(node, arriving, self.notes)
                self.probes[node] = self.probe(node, op)
            elif not own:
                self.problems.error(
                    NIF017,
                    "the parameters are scalars, but the incoming signal is very large",
                    **node.parts(),
                    expected=f"parameters of at most {self.most_bytes} bytes",
                    found=f"scalars, for shape {arriving}",
                    help="correct the shape of the Input, or raise the limit: --limit bytes=N",
                )
        elif issubclass(op, ops.FlattenOp) and len(wanted := list(self.taken(node))) == 1:
            flatten_without_samples(node, self.probes[node], arriving, wanted[0], self.notes)

    # ---- comparison with claims

    def compare(self, node: Node) -> None:
        """Compares the claim of a node with the incoming signals. A difference is refused unless the refusal of an upstream node explains it."""
        known = {source: self.shapes[source] for source in senders(node) if source in self.shapes}
        others = known | {source: self.others[source] for source in senders(node) if source in self.others}
        if others == known and self.settle(node, known):
            return
        finding = self.contradiction(node, known) or self.failures.get(node)
        if finding is not None and (others == known or self.contradiction(node, others) is not None):
            self.problems.add(finding)
        if finding is not None or others != known:
            other = self.other_result(node, next(iter(others.values()), None))
            if other is not None and other != self.shapes.get(node):
                self.others[node] = other

    def contradiction(self, node: Node, arriving: dict[Node, Shape]) -> Finding | None:
        """Returns the difference between the claim of a node and its incoming signals."""
        if node.inside is not None or not arriving:
            return None
        if len(set(arriving.values())) > 1:
            return Finding(
                NIF016,
                **node.parts(),
                expected="one shape",
                found=", ".join(f'{shape} from "{source.path}"' for source, shape in arriving.items()),
                help="correct the nodes at the start of the edges",
            )
        source, shape = next(iter(arriving.items()))
        probe = self.probes.get(node)
        sizes: Shape | None = None  # that a convolution declares for its operand, without the channels
        if isinstance(probe, ops.ConvolutionOp) and probe.input_shape is not None:
            sizes = ops.integers(probe.input_shape, probe.RANK)
        if node.declared not in (None, shape):
            return declared_otherwise(node, f"shape {node.declared}", f"shape {shape}")
        if sizes is not None and len(shape) == len(sizes) + 1 and shape[1:] != sizes:
            return declared_otherwise(node, f"input_shape {sizes}", f"input_shape {shape[1:]}")
        try:
            _ = None if probe is None else probe.result_shape(shape)
        except InvalidOp as refusal:
            finding = parameters_of_shape(node, shape, refusal.finding) if is_elementwise(node) else refusal.finding
            return evolve(finding, notes=[f'the operand comes from "{source.path}"'])
        return None

    def other_result(self, node: Node, arriving: Shape | None) -> Shape | None:
        """Returns the result shape of a node for an operand shape that contradicts its parameters; None if it cannot be computed."""
        probe = self.probes.get(node)
        if arriving is None or node.op is None or is_elementwise(node):
            return arriving
        if isinstance(probe, ops.ConvolutionOp):
            probe = probe.clone()
            probe.properties.pop("input_shape", None)
        try:
            return None if probe is None else probe.result_shape(arriving)
        except InvalidOp:
            return None

    def settle(self, node: Node, arriving: dict[Node, Shape]) -> bool:
        """Repairs the declaration of a node, for one incoming shape; returns whether it did."""
        shape = next(iter(arriving.values()), None)
        if (
            shape is None
            or node.inside is not None
            or set(arriving.values()) != {shape}
            or node.declared in (None, shape)
        ):
            return False
        if drop_axes(node, shape, self.notes):
            if node.op is None:
                self.shapes[node] = shape
            return True
        return node.type == "Input" and self.settle_inner(node, shape)

    def settle_inner(self, node: Node, shape: Shape) -> bool:
        """Repairs the Input of a nested graph, for an incoming signal of a shape; returns whether it did."""
        readers = self.first_readers(node)
        probes = [self.probes[reader] for reader in readers if reader in self.probes]
        return settle_inner_input(node, shape, self.taken(node), probes, self.notes)

    def refuse_unknown(self) -> None:
        unknown = [node for node in self.nodes if node not in self.shapes]
        if unknown:
            first = next((node for node in unknown if node.type == "Input"), unknown[0])
            self.problems.error(
                NIF018,
                **first.parts(),
                expected="a declared Input, or a node with parameters that determine the shape",
                found=f"no shape for {quote_names(node.path for node in unknown)}",
                help="declare the shape of the Input in the file",
            )

    # ---- spikes and values

    def kinds(self) -> dict[Node, Attribute]:
        """Infers element types. Network inputs and sums are values, most nodes determine the type of their result, and all others preserve it."""
        found: dict[Node, Attribute] = {}
        for node in self.nodes:
            chain: dict[Node, None] = {}
            last = node
            while last not in found and last not in chain and not self.settles(last):
                chain[last] = None
                last = senders(last)[0]
            if last not in found:  # a cycle in which no node determines the kind carries values
                kind = f32 if last.op is None else self.probes[last].result_kind(f32)
                found[last] = kind if self.settles(last) else f32
            found |= dict.fromkeys(chain, found[last])
        return found

    def settles(self, node: Node) -> bool:
        """Returns whether a node determines the kind of its result, independent of its operand."""
        return len(senders(node)) != 1 or not (node.op is None or issubclass(node.op, ops.KeepingOp))


def signals(root: Graph, notes: Diagnostics, problems: Diagnostics, limits: Limits) -> dict[Node, Signal]:
    """Infers the result of each node of a network; empty after an error. Remarks go to `notes`, errors to `problems`.

    Parameters with one entry for all neurons are expanded, up to a limit per node.

    Errors: NIF015 to NIF018, and those of the ops. Remarks: NIF020 to NIF022, NIF026.
    """
    return Inference(root, notes, problems, limits.bytes).run()
