"""Moves max pools of values after the population that reads them, for devices that pool spikes alone.

    %m = ntensor.max_pool2d "pool" %c {kernel = [2, 2]} : tensor<4x8x8xf64> -> tensor<4x4x4xf64>
    %z = ntensor.neuron "lif" @lif(%m) : tensor<4x4x4xf64> -> tensor<4x4x4xi1>
      =>
    %s = ntensor.neuron "lif" @lif(%c) : tensor<4x8x8xf64> -> tensor<4x8x8xi1>
    %z = ntensor.max_pool2d "pool" %s {kernel = [2, 2]} : tensor<4x8x8xi1> -> tensor<4x4x4xi1>

1. Each neuron of the map integrates its own value. A window spikes if one of its neurons does. Where one neuron of a window has the greatest value in
   every tick, its spikes are those of the network; other neurons of the window can add spikes.
2. A parameter or state with a value for each neuron is repeated: neuron (y, x) takes those of the position (y / stride, x / stride).
3. The population has no other input, the max pool has no other reader, and the population emits spikes.

Exactness: recorded.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; LEG103 another reader, or another emission.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, Float32Type, Float64Type, ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.node_selection import check_names, choose_ops
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Ints
from ....core.device.limits import OTHER_DEVICE
from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks

LEG103 = Code("LEG103", "max-pool-not-movable", "a max pool cannot be moved after a population")


def is_pool_of_values(op: Operation) -> bool:
    """Returns whether an op is a max pool of reals."""
    return isinstance(op, ntensor.MaxPool2dOp) and isinstance(element_type(op.x), Float32Type | Float64Type)


@dataclass(frozen=True)
class NtensorMoveMaxPoolsPass(NoptPass):
    """Moves the max pools of values of every `ntensor.network`.

    Options:
        nodes: the max pools; default all of values.
    """

    name = "ntensor-move-max-pools"
    APPROXIMATES = ("dynamics",)
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_pool_of_values, self.name)
        for network in networks(op):
            done: list[str] = []
            for pool in choose_ops(network, self.nodes, is_pool_of_values):
                assert isinstance(pool, ntensor.MaxPool2dOp)  # is_pool_of_values
                move(pool, reader_of(pool))
                done.append(pool.node.data)
            if done:
                what = "max pools of values after the population: each neuron of a window integrates its own value"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, done, unit="none"))


def reader_of(op: ntensor.MaxPool2dOp) -> ntensor.NeuronOp:
    """Returns the population that reads a max pool. Errors: LEG103."""  # 3
    readers = [use.operation for use in op.y.uses]
    expected = "one population of spikes, without another input"
    if len(readers) != 1 or not isinstance(reader := readers[0], ntensor.NeuronOp) or len(reader.xs) != 1:
        found = ", ".join(describe_op(reader)[0] for reader in readers) or "no reader"
        refuse_op(op, LEG103, expected=expected, found=found, help=OTHER_DEVICE)
    if not ntensor.is_event(element_type(reader.z)):
        found = f"{describe_op(reader)[0]}, which emits {element_type(reader.z)}"
        refuse_op(op, LEG103, expected=expected, found=found, help=OTHER_DEVICE)
    return reader


def move(pool: ntensor.MaxPool2dOp, neuron: ntensor.NeuronOp) -> None:
    """Exchanges a max pool and the population after it."""
    shape, element = shape_of(pool.x), element_type(neuron.z)
    index = positions(pool)

    def spread(values: DictionaryAttr) -> DictionaryAttr:
        return DictionaryAttr({name: repeated(held, index) for name, held in values.data.items()})

    made = neuron.clone()
    made.operands[0] = pool.x
    for name in ("params", "initial", "canonical"):
        if isinstance(values := made.properties.get(name), DictionaryAttr):
            made.properties[name] = spread(values)
    Rewriter.replace_value_with_new_type(made.z, TensorType(element, shape))
    Rewriter.insert_op(made, InsertPoint.before(neuron))
    pooled = ntensor.MaxPool2dOp.create(
        operands=[made.z],
        result_types=[TensorType(element, shape_of(pool.y))],
        properties=dict(pool.properties),
    )
    pooled.location = pool.location
    pooled.results[0].name_hint = pool.y.name_hint
    Rewriter.replace_op(neuron, pooled)
    Rewriter.erase_op(pool)


def positions(pool: ntensor.MaxPool2dOp) -> Ints:
    """Returns the flat position of the result whose parameters each element of the operand takes. Shapes: that of the operand."""  # 2
    (channels, *sizes), stride = shape_of(pool.x), pool.stride.values.tolist()
    results = shape_of(pool.y)
    rows, columns = (
        np.minimum(np.arange(size) // step, most - 1)
        for size, step, most in zip(sizes, stride, results[1:], strict=True)
    )
    return (np.arange(channels)[:, None, None] * results[1] + rows[:, None]) * results[2] + columns


def repeated(held: object, index: Ints) -> ArrayAttr:
    """Returns an array with an entry for each element of the operand; a single number is unchanged."""
    assert isinstance(held, ArrayAttr)  # parameters and states are arrays
    return held if not held.shape else ArrayAttr.of(np.ascontiguousarray(held.values.reshape(-1)[index]))
