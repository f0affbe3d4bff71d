"""Trace of a network through passes: the trained weights, the first ops in ticks, and the last reals of each op before they are rounded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.ir import pipeline
from ...dialects import nir, ntensor
from ...dialects.ntensor import SynapseOpInterface
from ...passes.pipelines import FEW_VALUES
from ..compiling.builds import Stages
from ..modules import available_passes
from .weight_masters import Origin

PARAMETERS = ("weight", "bias", "scale", "v_threshold")


class NetworkTrace(Stages):
    """A hook of pipelines that stores no module, but the ops that weights of the chip follow from."""

    def __init__(self) -> None:
        super().__init__(Path())
        self.trained: dict[str, dict[str, AnyArray]] = {}
        self.first: dict[str, SynapseOpInterface] = {}
        self.before: dict[str, list[Operation]] = {}
        self.last: dict[str, SynapseOpInterface] = {}

    def __call__(self, done: ModulePass | None, module: ModuleOp, next: ModulePass | None) -> None:
        if not self.trained and not self.first:
            self.trained = {node: values for op in module.ops for node, values in parameters_of(op)}
        names: tuple[str, ...] = getattr(done, "APPROXIMATES", ())
        for network in (op for op in module.ops if isinstance(op, ntensor.NetworkOp)):
            ops = [op for op in network.body.block.ops if isinstance(op, SynapseOpInterface) and op.weights is not None]
            if not self.first:
                self.first = {op.node.data: detached(op) for op in ops}
                self.before = {op.node.data: [*upstream(op)] for op in ops}
            for op in () if "precision" in names else ops:
                weights = op.weights
                if weights is not None and weights.data.dtype.kind == "f":
                    known = self.last.get(op.node.data)
                    if known is None or known.properties != op.properties:
                        self.last[op.node.data] = detached(op)

    def origins(self) -> dict[str, Origin]:
        """Returns the nodes of the trained network that have weights."""
        return {
            node: Origin(op, self.trained_of(node, op), self.last.get(node), self.before[node])
            for node, op in self.first.items()
        }

    def trained_of(self, node: str, op: SynapseOpInterface) -> dict[str, AnyArray]:
        """Returns the weights and biases of a node as the user trained them."""
        known, own = self.trained.get(node, {}), values_of(op)
        return {
            name: known[name] if name in known and known[name].shape == array.shape else array
            for name, array in own.items()
        }

    def thresholds(self) -> dict[str, AnyArray]:
        """Returns the thresholds of the trained populations, by node."""
        return {node: values["v_threshold"] for node, values in self.trained.items() if "v_threshold" in values}

    def grids(self, network: ntensor.NetworkOp) -> tuple[frozenset[str], frozenset[str], int | None]:
        """Returns the nodes whose weights have a few values, those whose weights have no sign, and the bits of weights before a power of two.

        The records of the network have them.
        """
        few, unsigned, bits = set[str](), set[str](), list[int]()
        for one in network.approximations or ():
            step, *_ = pipeline.parse_pipeline(one.step.data, available_passes())
            nodes = {name.data for name in one.touched}
            few |= nodes if step.name in FEW_VALUES else set()
            unsigned |= nodes if getattr(step, "grid", None) == "unsigned" else set()
            bits += [width] if (width := getattr(step, "bits_before_shift", None)) is not None else []
        return frozenset(few), frozenset(unsigned), min(bits, default=None)


def detached(op: SynapseOpInterface) -> SynapseOpInterface:
    """Returns a copy of an op that is part of no network."""
    made = type(op).create(
        operands=[Block(arg_types=[op.x.type]).args[0]], result_types=[op.y.type], properties=dict(op.properties)
    )
    assert isinstance(made, SynapseOpInterface)
    return made


def upstream(op: SynapseOpInterface) -> Iterator[Operation]:
    """Yields copies of the ops without weights between an op and the neurons before it, the nearest first."""
    owner = op.x.owner
    while isinstance(owner, SynapseOpInterface | ntensor.ReshapeOp) and (
        isinstance(owner, ntensor.ReshapeOp) or owner.weights is None
    ):
        if isinstance(owner, SynapseOpInterface):
            yield detached(owner)
        owner = owner.x.owner


def values_of(op: Operation) -> dict[str, AnyArray]:
    """Returns the real parameters of an op, by name."""
    found = {name: op.properties.get(name) for name in PARAMETERS}
    return {
        name: array.values
        for name, array in found.items()
        if isinstance(array, ArrayAttr) and array.data.dtype.kind == "f"
    }


def parameters_of(op: Operation, path: str = "") -> Iterator[tuple[str, dict[str, AnyArray]]]:
    """Yields the names and the parameters of nodes, with those of nested graphs."""
    for inner in op.walk():
        if inner is op or not isinstance(inner, nir.NodeOp | SynapseOpInterface):
            continue
        if values := values_of(inner):
            yield full_name(inner), values


def full_name(op: nir.NodeOp | SynapseOpInterface) -> str:
    """Returns the name of a node, after those of the nested graphs that contain it."""
    names, parent = [op.node.data], op.parent_op()
    while isinstance(parent, nir.SubgraphOp):
        names.append(parent.node.data)
        parent = parent.parent_op()
    return ".".join(reversed(names))
