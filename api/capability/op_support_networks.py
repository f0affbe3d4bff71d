"""Small networks with one op each, in the types of numbers that their weights have.

Each op has one or more networks: the op before a population, between layers, or in a layer of two axes. The op is served if one of its networks is.
A network of an op of `ntensor` that no op of `nir` is converted to is made from another network by a replacement after the conversion.

| type | weights |
| --- | --- |
| `f32` | reals that no integer of a few bits represents |
| `i8`, `i4` | integers with a sign, of which the largest takes all bits |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr, TensorType, i1
from xdsl.ir import Operation, SSAValue

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import element_type, shape_of
from ...dialects import nir, ntensor
from ..modules import only_network
from .probe_networks import PROBED_FAMILIES, ProbeDrawing

DTYPES = ("f32", "i8", "i4")
LARGEST_WEIGHT: Mapping[str, int] = {"i8": 127, "i4": 7}
REALS = (0.31, -0.17, 0.77, 1.0, -0.43, 0.59)
FLAT, MAP, SMALL_MAP = (3,), (1, 6, 6), (1, 2, 2)
"""Shapes of inputs: neurons in a row, and maps of one channel."""
NEURONS = 4
"""Neurons of a population in a row."""
KERNEL = 3
SUBJECT = "subject"
"""Placeholder name of the node with the tested op. Ops without a name do not use it."""


class OpDrawing(ProbeDrawing):
    """A network for one op on a device, with weights of a type. The input is declared by `start`. Nodes are named by their number."""

    def __init__(self, tick_ns: int, family: str, dtype: str, least: int):
        super().__init__(tick_ns, family)
        self.dtype = dtype
        self.least = least
        """The shortest delay of the device in ticks."""
        self.has_padding = False
        """Whether convolutions of maps pad them."""
        self.subject: str | None = None
        """Name of the node with the tested op."""

    def add(self, kind: type[nir.NodeOp], node: str, x: SSAValue, **entries: Any) -> SSAValue:
        name = f"n{len(self.block.ops)}"
        if node == SUBJECT:
            self.subject = name
        return super().add(kind, name, x, **entries)

    def weights(self, *shape: int) -> NDArray[Any]:
        """Returns weights of a shape: real constants in turn, or the largest integer followed by integers of alternating sign."""
        if self.dtype not in LARGEST_WEIGHT:
            return np.resize(REALS, shape)
        most = LARGEST_WEIGHT[self.dtype]
        values = [most if k == 0 else (-1) ** k * (k % most + 1) for k in range(prod(shape))]
        return np.array(values, np.int8).reshape(shape)

    def start(self, *shape: int, is_delayed: bool = True) -> SSAValue:
        """Declares the shape of the input. Returns the input, delayed by the shortest delay of the device."""
        self.block.erase_arg(self.block.args[0])
        x = self.block.insert_arg(TensorType(i1, shape), 0)
        return self.waiting("wait", x) if is_delayed else x

    def waiting(self, node: str, x: SSAValue) -> SSAValue:
        """Adds the shortest delay of the device."""
        return self.delay(node, x, self.least) if self.least else x

    def dense(self, node: str, x: SSAValue) -> SSAValue:
        return self.linear(node, x, self.weights(NEURONS, *shape_of(x)))

    def conv(self, node: str, x: SSAValue, channels: int = 2, kernel: int = KERNEL) -> SSAValue:
        """Adds a convolution of a row or a map. With padding, the sizes remain the same."""
        before, *sizes = shape_of(x)
        padding = kernel // 2 if self.has_padding else 0
        return self.add(
            nir.Conv2dOp if len(sizes) > 1 else nir.Conv1dOp,
            node,
            x,
            weight=self.weights(channels, before, *[kernel] * len(sizes)),
            bias=np.zeros(channels),
            stride=[1] * len(sizes),
            padding=[padding] * len(sizes),
            dilation=[1] * len(sizes),
            groups=[1],
        )

    def first_map(self) -> SSAValue:
        """Adds a convolution of the input and a population. Returns the spikes, delayed by the shortest delay of the device."""
        return self.waiting("between", self.neuron("first", self.conv("conv", self.start(*MAP))))


# ---- networks

Make = Callable[[OpDrawing], SSAValue]
"""Draws a network, and returns its output."""


def single(kind: type[nir.NodeOp], parameter: str, *shape: int, **entries: Any) -> Make:
    """Returns the network of one synapse of three inputs before a population."""

    def make(net: OpDrawing) -> SSAValue:
        x = net.start(*FLAT)
        return net.neuron("neuron", net.add(kind, SUBJECT, x, **{parameter: net.weights(*shape)}, **entries))

    return make


def conv(*shape: int) -> Make:
    """Returns the network of a convolution before a population."""
    return lambda net: net.neuron("neuron", net.conv(SUBJECT, net.start(*shape)))


POOLS = {"kernel_size": [2, 2], "stride": [2, 2], "padding": [0, 0]}


def pool(kind: type[nir.NodeOp]) -> Make:
    """Returns the network of a pool before a population."""
    return lambda net: net.neuron("neuron", net.add(kind, SUBJECT, net.start(*MAP), **POOLS))


def pool_between(kind: type[nir.NodeOp]) -> Make:
    """Returns the network of a pool between two convolutions."""
    return lambda net: net.neuron("neuron", net.conv("last", net.add(kind, SUBJECT, net.first_map(), **POOLS), 2, 1))


def transposed(net: OpDrawing) -> SSAValue:
    steps = {"stride": [2, 2], "padding": [0, 0], "output_padding": [0, 0], "dilation": [1, 1], "groups": [1]}
    weight, bias = net.weights(1, 2, 2, 2), np.zeros(2)
    return net.neuron(
        "neuron", net.add(nir.ConvTranspose2dOp, SUBJECT, net.start(*SMALL_MAP), weight=weight, bias=bias, **steps)
    )


def upsampled(net: OpDrawing) -> SSAValue:
    more = net.add(nir.Upsample2dOp, SUBJECT, net.start(*SMALL_MAP), factor=[2, 2], mode=StringAttr("nearest"))
    return net.neuron("neuron", net.conv("last", more, 1, 1))


def family_flat(family: str) -> Make:
    """Returns the network of a synapse before a population of a family. A population of values reads a population of spikes, as a readout does."""

    def make(net: OpDrawing) -> SSAValue:
        x = net.start(*FLAT)
        if not PROBED_FAMILIES[family][0].SPIKES:
            x = net.waiting("between", net.neuron("first", net.dense("fc", x)))
        return net.neuron(SUBJECT, net.dense("last", x), family)

    return make


def family_map(family: str) -> Make:
    """Returns the network of a convolution before a population of a family. A population of values reads a population of spikes, as a readout does."""

    def make(net: OpDrawing) -> SSAValue:
        x = net.start(*MAP) if PROBED_FAMILIES[family][0].SPIKES else net.first_map()
        return net.neuron(SUBJECT, net.conv("last", x), family)

    return make


OWN = """neuron own
param v_threshold
state v = 0
input x
v = v + x
z = v > v_threshold
v = 0.0 if z else v
emit spike z
"""
"""Equations that no family of NIR has."""


def own_neuron(net: OpDrawing) -> SSAValue:
    params = DictionaryAttr({"v_threshold": ArrayAttr.of(np.array(2.0))})
    return net.add(nir.NeuronOp, SUBJECT, net.dense("last", net.start(*FLAT)), equations=StringAttr(OWN), params=params)


def sum_of_two(net: OpDrawing) -> SSAValue:
    x = net.start(*FLAT)
    return net.neuron("neuron", net.sum(net.dense("fc1", x), net.dense("fc2", x)))


def kept_as_is(net: OpDrawing) -> SSAValue:
    same = net.add(nir.IdentityOp, SUBJECT, net.start(*FLAT, is_delayed=False))
    return net.neuron("neuron", net.dense("fc", net.waiting("wait", same)))


def flat_layers(flatten: str, linear: str) -> Make:
    """Returns the network of a convolution, a flattening and a linear layer with these names."""

    def make(net: OpDrawing) -> SSAValue:
        flat = net.add(nir.FlattenOp, flatten, net.first_map(), start_dim=0, end_dim=-1)
        return net.neuron("neuron", net.dense(linear, flat))

    return make


def flat_by_reshape(net: OpDrawing) -> SSAValue:
    x = net.first_map()
    rows = net.add(nir.ReshapeOp, SUBJECT, x, shape=[prod(shape_of(x))])
    return net.neuron("neuron", net.dense("fc", rows))


def padded(make: Make) -> Make:
    """Returns the same network with padding in its convolutions."""

    def make_padded(net: OpDrawing) -> SSAValue:
        net.has_padding = True
        return make(net)

    return make_padded


def with_padding(*networks: Make) -> tuple[Make, ...]:
    """Returns networks of maps, then the same ones with padding."""
    return (*networks, *map(padded, networks))


def later(net: OpDrawing) -> SSAValue:
    x = net.start(*FLAT, is_delayed=False)
    return net.neuron("neuron", net.dense("fc", net.delay(SUBJECT, x, net.least + 1)))


def nested(net: OpDrawing) -> SSAValue:
    x, inner = net.start(*FLAT), ProbeDrawing(net.tick_ns, net.family, *FLAT)
    parts = inner.close(inner.linear("inner", inner.x, net.weights(NEURONS, *FLAT)))
    block = nir.SubgraphOp("block", [x], *parts)
    net.block.add_op(block)
    return net.neuron("neuron", block.results[0])


# ---- replacements in ntensor

Replace = Callable[[ModuleOp], None]


def replaced(module: ModuleOp, kind: type[Operation], made: type[Operation], **values: NDArray[np.generic]) -> None:
    """Replaces the only op of a kind by an op of another kind with the same operand and node."""
    old = next(op for op in only_network(module).body.block.ops if isinstance(op, kind))
    result = element_type(old.results[0])
    new = made.create(
        operands=list(old.operands),
        result_types=[TensorType(result, shape_of(old.results[0]))],
        properties={"node": old.properties["node"], **{name: ArrayAttr.of(one) for name, one in values.items()}},
    )
    block = old.parent
    assert block is not None  # the op is in the body of the network
    block.insert_op_before(new, old)
    old.results[0].replace_all_uses_with(new.results[0])
    old.detach()
    old.erase()


def weight_of(module: ModuleOp) -> NDArray[np.generic]:
    return next(op for op in only_network(module).body.block.ops if isinstance(op, ntensor.LinearOp)).weight.values


def to_sparse(module: ModuleOp) -> None:
    weight = weight_of(module).T
    source, target = np.nonzero(np.ones(weight.shape))
    replaced(
        module,
        ntensor.LinearOp,
        ntensor.SparseLinearOp,
        weight=weight.reshape(-1),
        source=source.astype(np.int32),
        target=target.astype(np.int32),
    )


def to_fan_in(module: ModuleOp) -> None:
    weight = weight_of(module)
    source = np.resize(np.arange(weight.shape[1], dtype=np.int32), weight.shape)
    replaced(module, ntensor.LinearOp, ntensor.FanInLinearOp, weight=weight, source=source)


@frozen
class OpProbe:
    """An op with the networks that contain it."""

    op: str
    networks: tuple[Make, ...]
    replace: Replace | None = None
    """Change of the network in ticks."""
    like: tuple[str, ...] = ()
    """The ops of `nir` that are converted to this op; their networks also test this op."""


DENSE = single(nir.LinearOp, "weight", NEURONS, *FLAT)
FAMILY_PROBES = tuple(
    OpProbe(f"nir.{family}", (family_flat(family), *with_padding(family_map(family)))) for family in PROBED_FAMILIES
)
PROBES: tuple[OpProbe, ...] = (
    OpProbe("nir.linear", (DENSE, *with_padding(flat_layers("flat", SUBJECT)))),
    OpProbe("nir.affine", (single(nir.AffineOp, "weight", NEURONS, *FLAT, bias=np.ones(NEURONS)),)),
    OpProbe("nir.scale", (single(nir.ScaleOp, "scale", *FLAT),)),
    OpProbe("nir.conv1d", (conv(1, 8),)),
    OpProbe("nir.conv2d", with_padding(conv(*MAP))),
    OpProbe("nir.sum_pool2d", (pool(nir.SumPool2dOp), *with_padding(pool_between(nir.SumPool2dOp)))),
    OpProbe("nir.avg_pool2d", (pool(nir.AvgPool2dOp), *with_padding(pool_between(nir.AvgPool2dOp)))),
    OpProbe("nir.max_pool2d", with_padding(pool_between(nir.MaxPool2dOp))),
    OpProbe("nir.conv_transpose2d", (transposed,)),
    OpProbe("nir.upsample2d", (upsampled,)),
    *FAMILY_PROBES,
    OpProbe("nir.neuron", (own_neuron,)),
    OpProbe("nir.sum", (sum_of_two,)),
    OpProbe("nir.identity", (kept_as_is,)),
    OpProbe("nir.flatten", with_padding(flat_layers(SUBJECT, "fc"))),
    OpProbe("nir.reshape", with_padding(flat_by_reshape)),
    OpProbe("nir.delay", (later,)),
    OpProbe("nir.subgraph", (nested,)),
    OpProbe("ntensor.neuron", (), like=tuple(one.op for one in FAMILY_PROBES)),
    OpProbe("ntensor.update", (), like=tuple(one.op for one in FAMILY_PROBES)),
    OpProbe("ntensor.linear", (), like=("nir.linear",)),
    OpProbe("ntensor.sparse_linear", (DENSE,), to_sparse),
    OpProbe("ntensor.fan_in_linear", (DENSE,), to_fan_in),
    OpProbe("ntensor.scale", (), like=("nir.scale",)),
    OpProbe("ntensor.conv1d", (), like=("nir.conv1d",)),
    OpProbe("ntensor.conv2d", (), like=("nir.conv2d",)),
    OpProbe("ntensor.sum_pool2d", (), like=("nir.sum_pool2d",)),
    OpProbe("ntensor.avg_pool2d", (), like=("nir.avg_pool2d",)),
    OpProbe("ntensor.max_pool2d", (), like=("nir.max_pool2d",)),
    OpProbe("ntensor.conv_transpose2d", (), like=("nir.conv_transpose2d",)),
    OpProbe("ntensor.upsample2d", (), like=("nir.upsample2d",)),
    OpProbe("ntensor.sum", (), like=("nir.sum",)),
    OpProbe("ntensor.reshape", (), like=("nir.flatten",)),
    OpProbe("ntensor.delay", (), like=("nir.delay",)),
)
