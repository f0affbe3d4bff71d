"""Random networks in `nir` with all patterns of the normalising passes, and functions that run them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, TensorType, f32
from xdsl.ir import Block, Operation, Region, SSAValue

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.graph_region import Signature, names
from nopt.core.ir.operation import element_type
from nopt.core.ir.source import check_module
from nopt.dialects import nir

SHAPE = (2, 4)
"""Two channels of four neurons, which linear maps, convolutions and populations support."""
VALUES = TensorType(f32, SHAPE)


class Maker:
    """Generator of one random network.

    `terms` is the largest number of operands of a sum; `is_dyadic` chooses numbers whose products and sums are exact; scales
    are powers of two unless `has_any_scale`; `width` is the approximate number of nodes.
    """

    def __init__(
        self, seed: int, *, terms: int = 2, is_dyadic: bool = False, has_any_scale: bool = False, width: int = 14
    ):
        self.rng = np.random.default_rng(seed)
        self.terms, self.is_dyadic, self.has_any_scale, self.width = terms, is_dyadic, has_any_scale, width
        self.count = 0

    def numbers(self, *shape: int) -> np.ndarray:
        if self.is_dyadic:
            return (self.rng.integers(-8, 9, shape) / 8).astype(np.float32)
        return self.rng.normal(0, 0.7, shape).astype(np.float32)

    def factors(self) -> np.ndarray:
        """Returns the numbers of a scale: one, one per channel, or one per neuron."""
        shape = [(), (2, 1), SHAPE][self.rng.integers(3)]
        signs = self.rng.choice([1, 1, 1, -1], shape)
        powers = signs * 2.0 ** self.rng.integers(-2, 3, shape)
        found = self.numbers(*shape) if self.has_any_scale and self.rng.random() < 0.6 else powers
        return (np.asarray(found) if shape == () else np.broadcast_to(found, SHAPE)).astype(np.float32)

    def node(self, kind: type[Operation], block: Block, x: SSAValue, node: str = "", **arrays: Any) -> SSAValue:
        self.count += 1
        name = node or f"{kind.name.partition('.')[2]}{self.count}"
        properties = {key: value if isinstance(value, StringAttr) else array(value) for key, value in arrays.items()}
        draft = kind.create(operands=[x], result_types=[x.type], properties={"node": StringAttr(name), **properties})
        assert isinstance(draft, nir.NodeOp)
        op = kind.create(
            operands=[x],
            result_types=[TensorType(draft.result_kind(element_type(x)), SHAPE)],
            properties=dict(draft.properties),
        )
        draft.operands = []
        block.add_op(op)
        return op.results[0]

    def population(self, block: Block, x: SSAValue, node: str = "") -> SSAValue:
        return self.node(
            nir.LIFOp,
            block,
            x,
            node,
            tau=np.full(SHAPE, 0.0078125, np.float32) if self.is_dyadic else self.rng.uniform(4e-3, 3e-2, SHAPE),
            r=np.float32(4),
            v_leak=np.float32(0.125),
            v_threshold=np.full(SHAPE, 0.5, np.float32),
            v_reset=np.zeros(SHAPE, np.float32),
        )

    def step(self, block: Block, values: list[SSAValue]) -> SSAValue:
        """Adds one or a few nodes that read earlier values."""
        x = values[self.rng.integers(max(0, len(values) - 4), len(values))]
        match self.rng.integers(10):
            case 0:
                return self.node(nir.IdentityOp, block, x)
            case 1:
                return self.node(nir.DelayOp, block, x, delay=np.zeros([(), SHAPE][self.rng.integers(2)], np.float32))
            case 2:
                return self.node(nir.FlattenOp, block, x, start_dim=np.int64(1), end_dim=np.int64(-1))
            case 3:
                return self.weights(block, self.scale(block, x))
            case 4:
                return self.scale(block, self.weights(block, x))
            case 5:
                return self.scale(block, x)
            case 6:
                return self.weights(block, x)
            case 7:
                return self.population(block, x)
            case 8:
                return self.add(block, [values[k] for k in self.rng.integers(0, len(values), self.terms)])
            case _:
                others = [values[k] for k in self.rng.integers(0, len(values), self.terms + 1)]
                xs = [*others[2:], self.add(block, others[:2])]
                return self.add(block, [xs[k] for k in self.rng.permutation(len(xs))])

    def scale(self, block: Block, x: SSAValue) -> SSAValue:
        return self.node(nir.ScaleOp, block, x, scale=self.factors())

    def weights(self, block: Block, x: SSAValue) -> SSAValue:
        """Adds a synapse op that can absorb the factors of a scale."""
        match self.rng.integers(3):
            case 0:
                return self.linear(block, x)
            case 1:
                return self.node(nir.AffineOp, block, x, weight=self.numbers(2, 4, 4), bias=self.numbers(*SHAPE))
            case _:
                groups = self.rng.integers(1, 3)
                return self.node(
                    nir.Conv1dOp,
                    block,
                    x,
                    weight=self.numbers(2, 2 // groups, 3),
                    stride=np.int64(1),
                    padding=StringAttr("same"),
                    dilation=np.int64(1),
                    groups=np.int64(groups),
                    bias=self.numbers(2),
                )

    def linear(self, block: Block, x: SSAValue) -> SSAValue:
        return self.node(nir.LinearOp, block, x, weight=self.numbers(2, 4, 4))

    def add(self, block: Block, xs: Sequence[SSAValue]) -> SSAValue:
        op = nir.SumOp.create(operands=list(xs), result_types=[VALUES])
        block.add_op(op)
        return op.results[0]

    def nested(self, block: Block, x: SSAValue) -> SSAValue:
        """Adds a nested graph with a recurrent population, an identity in its cycle, and dead nodes."""
        inner = Block(arg_types=[x.type])
        given = self.add(inner, [inner.args[0], inner.args[0]])
        z = self.population(inner, given, "lif")
        kept = self.node(nir.IdentityOp, inner, self.scale(inner, z))
        back = self.linear(inner, kept)
        assert isinstance(given.owner, Operation)
        given.owner.operands[1] = back
        self.population(inner, self.step(inner, [z, back]))
        inner.add_op(nir.OutputOp(z))
        self.count += 1
        type = FunctionType.from_lists([x.type], [z.type])
        op = nir.SubgraphOp(f"part{self.count}", [x], Signature(names(["in"]), names(["out"]), type), Region(inner))
        block.add_op(op)
        return op.ys[0]

    def module(self, has_nested: bool = True) -> ModuleOp:
        block = Block(arg_types=[VALUES])
        values: list[SSAValue] = [block.args[0], self.linear(block, block.args[0])]
        for _ in range(self.width):
            values.append(
                self.nested(block, values[-1]) if has_nested and self.rng.random() < 0.15 else self.step(block, values)
            )
        outputs = [self.population(block, values[-1]), values[-2]]
        block.add_op(nir.OutputOp(*outputs))
        type = FunctionType.from_lists([VALUES], [output.type for output in outputs])
        signature = Signature(names(["input"]), names(["spikes", "values"]), type)
        module = ModuleOp([nir.GraphOp("net", signature, Region(block))])
        check_module(module)
        return module


def array(values: Any) -> ArrayAttr:
    values = np.asarray(values)
    return ArrayAttr.of(values.astype(np.float32) if values.dtype.kind == "f" else values)


def stimulus(seed: int, ticks: int = 24) -> np.ndarray:
    """Returns short binary fractions, many of them zero. Shapes: [ticks, *SHAPE]."""
    rng = np.random.default_rng(seed)
    return (rng.integers(-4, 9, (ticks, *SHAPE)) * rng.integers(0, 2, (ticks, *SHAPE)) / 4).astype(np.float32)


def populations(module: ModuleOp) -> list[str]:
    """Returns the full names of the populations of a network, `nir` or `ntensor`."""
    found: list[str] = []
    for op in module.walk():
        if op.name in ("nir.lif", "ntensor.neuron"):
            name = op.properties["node"].data
            outer = op.parent_op()
            while isinstance(outer, nir.SubgraphOp):
                name = f"{outer.node.data}.{name}"
                outer = outer.parent_op()
            found.append(name)
    return found


def run(module: ModuleOp, x: np.ndarray, record: Sequence[str] = (), **choices: Any) -> dict[str, np.ndarray]:
    """Runs a network in the reference engine, which needs no compiler; tests/target/c compares the native engine with it."""
    return nopt.run(module, x, record=list(record), engine="numpy", diagnostics=Diagnostics(), **choices)


def assert_same(before: dict[str, np.ndarray], after: dict[str, np.ndarray]) -> None:
    """Asserts that two runs agree in every bit."""
    assert before.keys() == after.keys()
    for name in before:
        assert before[name].dtype == after[name].dtype, name
        assert before[name].tobytes() == after[name].tobytes(), name
