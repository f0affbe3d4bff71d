"""Random networks with every op that has weights, and NumPy computations on their arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import FunctionType, IntegerAttr, ModuleOp, StringAttr, TensorType, f32, f64, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.diagnostics import Diagnostics, Finding
from nopt.core.ir.graph_region import Signature, names
from nopt.core.ir.source import check_module
from nopt.dialects import ntensor

CHANNELS, WIDTH = 2, 4
SHAPE = (CHANNELS, WIDTH)
SIZE = CHANNELS * WIDTH


class Maker:
    """Generator of one random network: `inputs` of an element type, some synapses on each, sums of them, two outputs.

    `grid` makes weights multiples of 1/32 up to 3; else they are normal, with rows of zeros and rows of another size here and there.
    """

    def __init__(
        self, seed: int, element: Attribute = i1, real: Attribute = f64, dtype: Any = np.float32, grid: bool = False
    ):
        self.rng = np.random.default_rng(seed)
        self.element, self.real, self.dtype, self.grid = element, real, dtype, grid
        self.block = Block(arg_types=[TensorType(element, SHAPE), TensorType(element, SHAPE)])
        self.count = 0

    def numbers(self, *shape: int) -> np.ndarray:
        if self.grid:
            return np.asarray(self.rng.integers(-96, 97, shape) / 32).astype(self.dtype)
        found = self.rng.normal(0, 1, shape) * 10 ** self.rng.uniform(-2, 2)
        if found.ndim > 1 and self.rng.random() < 0.5:
            found[self.rng.integers(len(found))] *= self.rng.choice([0, 30, 1e6])
        most = float(np.finfo(self.dtype).max)
        return np.asarray(np.clip(found, -most, most).astype(self.dtype))

    def add(self, kind: type[Operation], xs: Sequence[SSAValue], shape: Sequence[int], **properties: Any) -> SSAValue:
        held = {
            key: ArrayAttr.of(value) if isinstance(value, np.ndarray) else value for key, value in properties.items()
        }
        if kind is not ntensor.SumOp:
            self.count += 1
            held["node"] = StringAttr(f"n{self.count}")
        element = self.real if kind not in (ntensor.ReshapeOp, ntensor.DelayOp) else xs[0].type.get_element_type()  # type: ignore[attr-defined]
        op = kind.create(operands=list(xs), result_types=[TensorType(element, shape)], properties=held)
        self.block.add_op(op)
        return op.results[0]

    def flat(self, x: SSAValue, shape: Sequence[int]) -> SSAValue:
        return self.add(ntensor.ReshapeOp, [x], shape)

    def synapse(self, x: SSAValue) -> SSAValue:
        """Adds a synapse op, with shape [2, 4] before and after."""
        match self.rng.integers(6):
            case 0:
                y = self.add(ntensor.LinearOp, [self.flat(x, (SIZE,))], (SIZE,), weight=self.numbers(SIZE, SIZE))
                return self.flat(y, SHAPE)
            case 1:
                weight = self.numbers(CHANNELS, WIDTH, WIDTH)
                return self.add(ntensor.LinearOp, [x], SHAPE, weight=weight, bias=self.numbers(*SHAPE))
            case 2:
                k = int(self.rng.integers(1, 30))
                at = np.sort(self.rng.integers(0, SIZE * SIZE, k))
                return self.add(
                    ntensor.SparseLinearOp,
                    [x],
                    SHAPE,
                    weight=self.numbers(k, 1)[:, 0],
                    source=at // SIZE,
                    target=at % SIZE,
                    delay=self.rng.integers(0, 3, k),
                )
            case 3:
                groups = int(self.rng.integers(1, 3))
                return self.add(
                    ntensor.Conv1dOp,
                    [x],
                    SHAPE,
                    weight=self.numbers(CHANNELS, CHANNELS // groups, 3),
                    stride=np.array([1]),
                    padding=np.array([[1, 1]]),
                    dilation=np.array([1]),
                    groups=IntegerAttr(groups, i64),
                )
            case 4:
                y = self.add(
                    ntensor.Conv2dOp,
                    [self.flat(x, (CHANNELS, 2, 2))],
                    (CHANNELS, 2, 2),
                    weight=self.numbers(CHANNELS, CHANNELS, 3, 3),
                    stride=np.array([1, 1]),
                    padding=np.array([[1, 1], [1, 1]]),
                    dilation=np.array([1, 1]),
                    groups=IntegerAttr(1, i64),
                )
                return self.flat(y, SHAPE)
            case _:
                shape = [(), SHAPE][self.rng.integers(2)]
                return self.add(ntensor.ScaleOp, [x], SHAPE, scale=self.numbers(*shape))

    def meeting(self, xs: Sequence[SSAValue]) -> SSAValue:
        """Adds a sum of some synapses, one of them delayed by a tick."""
        ys = [self.synapse(xs[self.rng.integers(len(xs))]) for _ in range(self.rng.integers(1, 4))]
        if self.rng.random() < 0.5:
            ys[0] = self.add(ntensor.DelayOp, [ys[0]], SHAPE, ticks=np.array(1))
        return self.add(ntensor.SumOp, ys, SHAPE)

    def module(self) -> ModuleOp:
        xs = list(self.block.args)
        first = self.meeting(xs)
        outputs = [self.meeting([*xs, first] if self.rng.random() < 0.5 else xs), first]
        self.block.add_op(ntensor.OutputOp(*outputs))
        type = FunctionType.from_lists([arg.type for arg in self.block.args], [y.type for y in outputs])
        signature = Signature(names(["a", "b"]), names(["y", "first"]), type)
        module = ModuleOp([ntensor.NetworkOp("net", signature, 1000, Region(self.block))])
        check_module(module)
        return module


def applied(module: ModuleOp, passes: str) -> tuple[ModuleOp, list[Finding]]:
    other, found = module.clone(), Diagnostics()
    nopt.apply(other, passes, diagnostics=found)
    return other, found.findings


def network(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def records(module: ModuleOp) -> list[ntensor.ApproximationAttr]:
    return list(network(module).approximations or ())


def weighted(module: ModuleOp) -> dict[str, Any]:
    """Returns ops with weights, by node."""
    kinds = (ntensor.LinearOp, ntensor.SparseLinearOp, ntensor.ConvolutionOp, ntensor.ScaleOp)
    return {op.node.data: op for op in network(module).body.block.ops if isinstance(op, kinds)}


def weights(module: ModuleOp) -> dict[str, np.ndarray]:
    """Returns the numbers by which a network multiplies, by node."""
    return {name: op.weight_values().values for name, op in weighted(module).items()}


def difference(before: ModuleOp, after: ModuleOp, touched: Sequence[str]) -> tuple[float, float]:
    """Returns the largest and the mean difference of the weights of some nodes, in one NumPy expression each."""
    old, new = weights(before), weights(after)
    errors = [np.abs(new[name].astype(np.float64) - old[name].astype(np.float64)).ravel() for name in touched]
    every = np.concatenate(errors)
    return float(every.max()), float(every.mean())


def run(module: ModuleOp, **inputs: np.ndarray) -> dict[str, np.ndarray]:
    """Runs a network in the reference engine, which compiles nothing."""
    return nopt.run(module, inputs, engine="numpy", diagnostics=Diagnostics())


REALS = {"f32": f32, "f64": f64}
