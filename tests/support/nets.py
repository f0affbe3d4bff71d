"""Builder of small `ntensor` networks in Python, and a function that runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, FunctionType, IntegerAttr, ModuleOp, StringAttr, TensorType, f64, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.ir.graph_region import Signature, names
from nopt.core.ir.operation import element_type
from nopt.core.ir.source import check_module
from nopt.core.windows import window_outputs
from nopt.dialects.ntensor import (
    AvgPool2dOp,
    Conv1dOp,
    Conv2dOp,
    DelayOp,
    LinearOp,
    NetworkOp,
    NeuronOp,
    OutputOp,
    ReshapeOp,
    ScaleOp,
    SumOp,
    SumPool2dOp,
    UpdateOp,
)
from nopt.simulation.signals import DenseSignal, Signal
from nopt.targets.reference.model import ReferenceModel


class Net:
    """A network under construction. `later` creates values that are used before their definition."""

    def __init__(self, element: Attribute = f64, **inputs: tuple[Sequence[int], Attribute]):
        self.element = element
        self.input_names = list(inputs)
        self.block = Block(arg_types=[TensorType(of, shape) for shape, of in inputs.values()])
        self.updates: list[UpdateOp] = []

    def input(self, name: str) -> SSAValue:
        return self.block.args[self.input_names.index(name)]

    def add(
        self,
        kind: type[Operation],
        operands: Sequence[Any],
        shape: Sequence[int],
        element: Attribute | None = None,
        **properties: Any,
    ) -> SSAValue:
        held = {
            key: ArrayAttr.of(value) if isinstance(value, np.ndarray) else value
            for key, value in properties.items()
            if value is not None
        }
        op = kind.create(
            operands=list(operands), result_types=[TensorType(element or self.element, shape)], properties=held
        )
        self.block.add_op(op)
        return op.results[0]

    def linear(self, x: SSAValue, weight: np.ndarray, bias: np.ndarray | None = None, node: str = "") -> SSAValue:
        node = node or f"linear{len(self.block.ops)}"
        return self.add(LinearOp, [x], weight.shape[:-1], node=StringAttr(node), weight=weight, bias=bias)

    def conv(
        self,
        x: SSAValue,
        weight: np.ndarray,
        bias: np.ndarray | None = None,
        *,
        stride: Sequence[int] = (1, 1),
        padding: Sequence[Sequence[int]] = ((0, 0), (0, 0)),
        dilation: Sequence[int] = (1, 1),
        groups: int = 1,
    ) -> SSAValue:
        rank = weight.ndim - 2
        stride, padding, dilation = stride[:rank], padding[:rank], dilation[:rank]
        sizes = window_outputs(x.type.get_shape()[1:], weight.shape[2:], stride, padding, dilation)
        return self.add(
            Conv2dOp if rank == 2 else Conv1dOp,
            [x],
            (len(weight), *sizes),
            node=StringAttr(f"conv{len(self.block.ops)}"),
            weight=weight,
            bias=bias,
            stride=np.array(stride),
            padding=np.array(padding),
            dilation=np.array(dilation),
            groups=IntegerAttr(groups, i64),
        )

    def pool(
        self,
        x: SSAValue,
        kernel: Sequence[int],
        stride: Sequence[int],
        padding: Sequence[Sequence[int]] = ((0, 0), (0, 0)),
        mean: bool = False,
    ) -> SSAValue:
        shape = x.type.get_shape()
        sizes = window_outputs(shape[1:], kernel, stride, padding, (1, 1))
        return self.add(
            AvgPool2dOp if mean else SumPool2dOp,
            [x],
            (shape[0], *sizes),
            node=StringAttr(f"pool{len(self.block.ops)}"),
            kernel=np.array(kernel),
            stride=np.array(stride),
            padding=np.array(padding),
        )

    def scale(self, x: SSAValue, scale: np.ndarray) -> SSAValue:
        node = StringAttr(f"scale{len(self.block.ops)}")
        return self.add(ScaleOp, [x], x.type.get_shape(), node=node, scale=scale)

    def reshape(self, x: SSAValue, shape: Sequence[int]) -> SSAValue:
        return self.add(ReshapeOp, [x], shape, element_type(x), node=StringAttr(f"reshape{len(self.block.ops)}"))

    def sum(self, *xs: SSAValue) -> SSAValue:
        return self.add(SumOp, xs, xs[0].type.get_shape())

    def add_terms(self, *xs: SSAValue) -> SSAValue:
        """Adds a sum that is not evaluated, of terms of one width."""
        return self.add(SumOp, xs, xs[0].type.get_shape(), element_type(xs[0]))

    def delay(self, x: SSAValue, ticks: Any, node: str = "") -> SSAValue:
        node = node or f"delay{len(self.block.ops)}"
        return self.add(
            DelayOp, [x], x.type.get_shape(), element_type(x), node=StringAttr(node), ticks=np.asarray(ticks)
        )

    def neuron(
        self,
        node: str,
        update: UpdateOp,
        xs: Sequence[SSAValue],
        element: Attribute,
        params: Mapping[str, Any],
        initial: Mapping[str, Any],
    ) -> SSAValue:
        if update not in self.updates:
            self.updates.append(update)

        def arrays(given: Mapping[str, Any]) -> DictionaryAttr:
            return DictionaryAttr({key: ArrayAttr.of(value) for key, value in given.items()})

        op = NeuronOp(
            node,
            update.sym_name.data,
            xs,
            TensorType(element, xs[0].type.get_shape()),
            params=arrays(params),
            initial=arrays(initial),
        )
        self.block.add_op(op)
        return op.z

    def network(self, **outputs: SSAValue) -> NetworkOp:
        self.block.add_op(OutputOp(*outputs.values()))
        signature = Signature(
            names(self.input_names),
            names(outputs),
            FunctionType.from_lists([arg.type for arg in self.block.args], [value.type for value in outputs.values()]),
        )
        network = NetworkOp("net", signature, 1_000_000, Region(self.block))
        check_module(ModuleOp([*self.updates, network]))
        return network


def run(network: NetworkOp, *, record: Sequence[str] = (), ticks: int | None = None, **inputs: Any) -> dict[str, Any]:
    """Runs a network in index order; inputs are arrays `[samples, ticks, *shape]` or signals; `block` is passed on."""
    block, order = inputs.pop("block", None), inputs.pop("sum_order", "index")
    model = ReferenceModel(network, record=record, block=block, sum_order=order)
    signals: dict[str, Signal] = {k: DenseSignal(v) if isinstance(v, np.ndarray) else v for k, v in inputs.items()}
    return model.run(signals, ticks=ticks)


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Returns whether two arrays agree in dtype, shape and every bit, including the sign of zero."""
    return (
        a.dtype == b.dtype
        and a.shape == b.shape
        and np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()
    )
