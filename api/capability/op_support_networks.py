"""Small networks with one op each, in the types of numbers that their weights have.

Each op has one or more networks: the op before a population, between layers, or in a layer of two axes. The op is served if one of them is.
A network of an op of `ntensor` that no op of `nir` is converted to is made from another network by a replacement after the conversion.

| type | weights |
| --- | --- |
| `f32` | reals that no integer of a few bits represents |
| `i8`, `i4` | integers with a sign, of which the largest takes all bits |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import element_type, shape_of
from ...dialects import ntensor
from ..modules import only_network
from .device_features import PROBED_FAMILIES

DTYPES = ("f32", "i8", "i4")
LARGEST_WEIGHT: Mapping[str, int] = {"i8": 127, "i4": 7}
REALS = (0.31, -0.17, 0.77, 1.0, -0.43, 0.59)
FLAT, MAP = (3,), (1, 6, 6)
"""Shapes of inputs: neurons in a row, and a map of one channel."""
KERNEL = 3
KEEPING = ("delay", "flatten", "identity")
"""Ops whose result has the type of their operand."""


def array_text(values: NDArray[np.generic]) -> str:
    shape = "".join(f"{n}x" for n in values.shape)
    kind = {"f": "f", "i": "i"}[values.dtype.kind]
    return f'#nopt.array<"0x{values.tobytes().hex()}" : tensor<{shape}{kind}{8 * values.dtype.itemsize}>>'


def integers_text(*values: int) -> str:
    return array_text(np.array(values, "<i8"))


@frozen
class Weights:
    """Numbers of a network, in one type."""

    dtype: str

    def values(self, *shape: int) -> NDArray[np.generic]:
        """Returns weights of a shape: reals in turn, or integers from the largest one down."""
        count = prod(shape)
        if self.dtype in LARGEST_WEIGHT:
            most = LARGEST_WEIGHT[self.dtype]
            each = [most if k == 0 else (-1) ** k * (k % most + 1) for k in range(count)]
            return np.array(each, "<i1").reshape(shape)
        return np.resize(REALS, count).astype("<f4").reshape(shape)

    def text(self, *shape: int) -> str:
        return array_text(self.values(*shape))


@define
class ProbeBuilder:
    """A network under construction, as lines of IR."""

    weights: Weights
    tick_ns: int
    family: str
    """The family of its populations."""
    least: int
    """The shortest delay of the device in ticks."""
    has_padding: bool = False
    """Whether convolutions of maps pad them."""
    lines: list[str] = field(factory=list[str])
    subjects: list[str] = field(factory=list[str])
    """Nodes of the op that the network is for."""

    elements: dict[str, str] = field(factory=lambda: {"x": "i1"})
    """Element type of each value."""

    def add(self, op: str, x: str, given: Sequence[int], result: Sequence[int], to: str = "f32", **values: str) -> str:
        """Adds a node with one operand, and returns its value."""
        name = f"n{len(self.lines)}"
        text = ", ".join(f"{key} = {value}" for key, value in values.items())
        element = self.elements[x]
        self.elements[name] = element if op in KEEPING else to
        types = f"{tensor_text(given, element)} -> {tensor_text(result, self.elements[name])}"
        self.lines.append(f'%{name} = nir.{op} "{name}" %{x} {{{text}}} : {types}')
        return name

    def define(self, name: str, *lines: str) -> str:
        """Adds lines that define one value of reals."""
        self.lines += lines
        self.elements[name] = "f32"
        return name

    def subject(self, name: str) -> str:
        """Marks a node as one of the op that the network is for."""
        self.subjects.append(name)
        return name

    def waiting(self, x: str, shape: Sequence[int]) -> str:
        """Adds the shortest delay of the device."""
        return x if not self.least else self.delay(x, shape, self.least)

    def delay(self, x: str, shape: Sequence[int], ticks: int) -> str:
        seconds = np.full(shape, ticks * self.tick_ns * 1e-9, "<f4")
        return self.add("delay", x, shape, shape, delay=array_text(seconds))

    def linear(self, x: str, inputs: int, outputs: int) -> str:
        return self.add("linear", x, (inputs,), (outputs,), weight=self.weights.text(outputs, inputs))

    def conv(self, x: str, given: tuple[int, ...], channels: int, kernel: int = KERNEL) -> str:
        """Adds a convolution of a map, whose sizes it keeps if it pads."""
        weight = self.weights.text(channels, given[0], kernel, kernel)
        padding = kernel // 2 if self.has_padding else 0
        return self.add(
            "conv2d", x, given, self.conv_shape(given, channels, kernel), **conv_sizes(weight, channels, 2, padding)
        )

    def conv_shape(self, given: tuple[int, ...], channels: int, kernel: int = KERNEL) -> tuple[int, ...]:
        """Returns the shape of the result of a convolution."""
        return (channels, *(n if self.has_padding else n - kernel + 1 for n in given[1:]))

    def neuron(self, x: str, shape: Sequence[int], family: str | None = None) -> str:
        family = family or self.family
        spikes, parameters = PROBED_FAMILIES[family]
        has_times = any(one.startswith("tau") for one in parameters)

        def value(key: str, number: float) -> str:
            rate = 1 if has_times or key != "r" else 1 / self.tick_ns
            scale = self.tick_ns if key.startswith("tau") else rate
            return array_text(np.full(shape, number * scale, "<f8"))

        values = {key: value(key, number) for key, number in parameters.items()}
        return self.add(family, x, shape, shape, "i1" if spikes else "f32", **values)

    def graph(self, given: Sequence[int], result: Sequence[int], last: str) -> str:
        """Returns the network as IR."""
        types = tensor_text(given, "i1"), tensor_text(result, self.elements[last])
        head = f'nir.graph @probe("in" %x: {types[0]}) -> ("out": {types[1]}) {{'
        return "\n".join([head, *(f"  {line}" for line in self.lines), f"  nir.output %{last} : {types[1]}", "}"])


def tensor_text(shape: Sequence[int], element: str) -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


def conv_sizes(weight: str, channels: int, rank: int, padding: int = 0) -> dict[str, str]:
    ones, padded = integers_text(*[1] * rank), integers_text(*[padding] * rank)
    bias = array_text(np.zeros(channels, "<f4"))
    return {
        "weight": weight,
        "stride": ones,
        "padding": padded,
        "dilation": ones,
        "groups": integers_text(1),
        "bias": bias,
    }


# ---- networks

Make = Callable[[ProbeBuilder], str]


def single(op: str) -> Make:
    """Returns the network of one synapse of three inputs before a population."""

    def make(net: ProbeBuilder) -> str:
        x = net.waiting("x", FLAT)
        outputs = FLAT if op == "scale" else (4,)
        values = {"scale": net.weights.text(*FLAT)} if op == "scale" else {"weight": net.weights.text(*outputs, *FLAT)}
        if op == "affine":
            values["bias"] = array_text(np.ones(outputs, "<f4"))
        made = net.subject(net.add(op, x, FLAT, outputs, **values))
        return net.graph(FLAT, outputs, net.neuron(made, outputs))

    return make


def conv1d(net: ProbeBuilder) -> str:
    shape, result = (1, 8), (2, 6)
    sizes = conv_sizes(net.weights.text(2, 1, KERNEL), 2, 1)
    made = net.subject(net.add("conv1d", net.waiting("x", shape), shape, result, **sizes))
    return net.graph(shape, result, net.neuron(made, result))


def conv2d(net: ProbeBuilder) -> str:
    result = net.conv_shape(MAP, 2)
    return net.graph(MAP, result, net.neuron(net.subject(net.conv(net.waiting("x", MAP), MAP, 2)), result))


def pool_values() -> dict[str, str]:
    two, none = integers_text(2, 2), integers_text(0, 0)
    return {"kernel_size": two, "stride": two, "padding": none}


def pool(op: str) -> Make:
    """Returns the network of a pool before a population."""

    def make(net: ProbeBuilder) -> str:
        made = net.subject(net.add(op, net.waiting("x", MAP), MAP, (1, 3, 3), **pool_values()))
        return net.graph(MAP, (1, 3, 3), net.neuron(made, (1, 3, 3)))

    return make


def pool_between(op: str) -> Make:
    """Returns the network of a pool between two convolutions."""

    def make(net: ProbeBuilder) -> str:
        shape = net.conv_shape(MAP, 2)
        pooled = (shape[0], *(n // 2 for n in shape[1:]))
        before = net.neuron(net.conv(net.waiting("x", MAP), MAP, 2), shape)
        made = net.subject(net.add(op, net.waiting(before, shape), shape, pooled, **pool_values()))
        return net.graph(MAP, pooled, net.neuron(net.conv(made, pooled, 2, 1), pooled))

    return make


def family_flat(family: str) -> Make:
    """Returns the network of a synapse before a population of a family."""

    def make(net: ProbeBuilder) -> str:
        made = net.linear(net.waiting("x", FLAT), 3, 4)
        return net.graph(FLAT, (4,), net.subject(net.neuron(made, (4,), family)))

    return make


def family_map(family: str) -> Make:
    """Returns the network of a convolution before a population of a family."""

    def make(net: ProbeBuilder) -> str:
        result = net.conv_shape(MAP, 2)
        made = net.conv(net.waiting("x", MAP), MAP, 2)
        return net.graph(MAP, result, net.subject(net.neuron(made, result, family)))

    return make


def sum_of_two(net: ProbeBuilder) -> str:
    x, type = net.waiting("x", FLAT), "tensor<4xf32>"
    one, two = net.linear(x, 3, 4), net.linear(x, 3, 4)
    made = net.define("s", f"%s = nir.sum %{one}, %{two} : ({type}, {type}) -> {type}")
    return net.graph(FLAT, (4,), net.neuron(made, (4,)))


def kept_as_is(net: ProbeBuilder) -> str:
    same = net.subject(net.add("identity", "x", FLAT, FLAT))
    return net.graph(FLAT, (4,), net.neuron(net.linear(net.waiting(same, FLAT), 3, 4), (4,)))


def flatten(net: ProbeBuilder) -> str:
    return flat_layers(net, is_linear=False)


def linear_of_maps(net: ProbeBuilder) -> str:
    return flat_layers(net, is_linear=True)


def flat_layers(net: ProbeBuilder, *, is_linear: bool) -> str:
    """Returns a convolution, a flattening and a linear layer; the op of interest is one of the last two."""
    shape = net.conv_shape(MAP, 2)
    before = net.waiting(net.neuron(net.conv(net.waiting("x", MAP), MAP, 2), shape), shape)
    values = {"start_dim": array_text(np.array(0, "<i8")), "end_dim": array_text(np.array(-1, "<i8"))}
    flat = net.add("flatten", before, shape, (prod(shape),), **values)
    made = net.linear(flat, prod(shape), 4)
    net.subject(made if is_linear else flat)
    return net.graph(MAP, (4,), net.neuron(made, (4,)))


def padded(make: Make) -> Make:
    """Returns the same network with convolutions that pad."""

    def make_padded(net: ProbeBuilder) -> str:
        net.has_padding = True
        return make(net)

    return make_padded


def with_padding(*networks: Make) -> tuple[Make, ...]:
    """Returns networks of maps, then the same ones with padding."""
    return (*networks, *map(padded, networks))


def later(net: ProbeBuilder) -> str:
    delayed = net.subject(net.delay("x", FLAT, net.least + 1))
    return net.graph(FLAT, (4,), net.neuron(net.linear(delayed, 3, 4), (4,)))


def nested(net: ProbeBuilder) -> str:
    x = net.waiting("x", FLAT)
    inner = f'%w = nir.linear "inner" %u {{weight = {net.weights.text(4, 3)}}} : tensor<3xi1> -> tensor<4xf32>'
    made = net.define(
        "b",
        f'%b = nir.subgraph "block" (%{x}) ("in" %u: tensor<3xi1>) -> ("out": tensor<4xf32>) {{',
        f"  {inner}",
        "  nir.output %w : tensor<4xf32>",
        "}",
    )
    return net.graph(FLAT, (4,), net.neuron(made, (4,)))


# ---- replacements in ntensor

Replace = Callable[[ModuleOp], None]


def replaced(module: ModuleOp, kind: type[Operation], made: type[Operation], **values: NDArray[np.generic]) -> None:
    """Replaces the only op of a kind by one of another kind with the same operand and node; a max pool keeps the type of its operand."""
    old = next(op for op in only_network(module).body.block.ops if isinstance(op, kind))
    result = element_type(old.operands[0] if made is ntensor.MaxPool2dOp else old.results[0])
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


def to_max_pool(module: ModuleOp) -> None:
    pools = [op for op in only_network(module).body.block.ops if isinstance(op, ntensor.SumPool2dOp)]
    kernel, stride, padding = (getattr(pools[0], name).values for name in ("kernel", "stride", "padding"))
    replaced(module, ntensor.SumPool2dOp, ntensor.MaxPool2dOp, kernel=kernel, stride=stride, padding=padding)


@frozen
class OpProbe:
    """An op with the networks that contain it."""

    op: str
    networks: tuple[Make, ...]
    replace: Replace | None = None
    """Change of the network in ticks."""
    like: tuple[str, ...] = ()
    """The ops of `nir` that are converted to this op, whose networks are the same."""


FAMILY_PROBES = tuple(
    OpProbe(f"nir.{family}", (family_flat(family), *with_padding(family_map(family)))) for family in PROBED_FAMILIES
)
PROBES: tuple[OpProbe, ...] = (
    OpProbe("nir.linear", (single("linear"), *with_padding(linear_of_maps))),
    OpProbe("nir.affine", (single("affine"),)),
    OpProbe("nir.scale", (single("scale"),)),
    OpProbe("nir.conv1d", (conv1d,)),
    OpProbe("nir.conv2d", with_padding(conv2d)),
    OpProbe("nir.sum_pool2d", (pool("sum_pool2d"), *with_padding(pool_between("sum_pool2d")))),
    OpProbe("nir.avg_pool2d", (pool("avg_pool2d"), *with_padding(pool_between("avg_pool2d")))),
    *FAMILY_PROBES,
    OpProbe("nir.sum", (sum_of_two,)),
    OpProbe("nir.identity", (kept_as_is,)),
    OpProbe("nir.flatten", with_padding(flatten)),
    OpProbe("nir.delay", (later,)),
    OpProbe("nir.subgraph", (nested,)),
    OpProbe("ntensor.neuron", (), like=tuple(one.op for one in FAMILY_PROBES)),
    OpProbe("ntensor.update", (), like=tuple(one.op for one in FAMILY_PROBES)),
    OpProbe("ntensor.linear", (), like=("nir.linear",)),
    OpProbe("ntensor.sparse_linear", (single("linear"),), to_sparse),
    OpProbe("ntensor.fan_in_linear", (single("linear"),), to_fan_in),
    OpProbe("ntensor.scale", (), like=("nir.scale",)),
    OpProbe("ntensor.conv1d", (), like=("nir.conv1d",)),
    OpProbe("ntensor.conv2d", (), like=("nir.conv2d",)),
    OpProbe("ntensor.sum_pool2d", (), like=("nir.sum_pool2d",)),
    OpProbe("ntensor.avg_pool2d", (), like=("nir.avg_pool2d",)),
    OpProbe("ntensor.max_pool2d", with_padding(pool_between("sum_pool2d")), to_max_pool),
    OpProbe("ntensor.sum", (), like=("nir.sum",)),
    OpProbe("ntensor.reshape", (), like=("nir.flatten",)),
    OpProbe("ntensor.delay", (), like=("nir.delay",)),
)
