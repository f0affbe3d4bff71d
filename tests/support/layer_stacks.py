"""Random layer networks in ticks: convolutions, separable ones, dense layers, pools, and activations of 1, 2 or 4 bits.

    stack = draw(17, "akida/akd1000")
    stack.module, stack.frames

Each network is a chain, as chips of layers compute it. Thresholds and steps follow from the potentials of the frames, so that activations
are neither silent nor saturated.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from attrs import define, field, frozen
from xdsl.dialects.builtin import FunctionType, IntegerAttr, IntegerType, ModuleOp, StringAttr, TensorType, f64, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.device.named_device import name_device, resolve_device
from nopt.core.ir.graph_region import Signature, names
from nopt.core.ir.operation import element_type, shape_of
from nopt.core.neuron.neuron import parse_neurons
from nopt.core.windows import window_outputs
from nopt.dialects import ntensor
from nopt.dialects.equations.build import build_update
from nopt.simulation.signals import DenseSignal
from nopt.targets.reference.model import ReferenceModel

OPTIONS = {1: "one", 2: "two", 4: "four"}
RANGES = {1: (0, 1), 2: (-1, 1), 4: (-7, 7), 8: (-128, 127)}
i32 = IntegerType(32)


@frozen
class Stack:
    """A network, and frames for it."""

    module: ModuleOp
    frames: np.ndarray[Any, np.dtype[Any]]
    """Shapes: [frames, *shape]."""
    kinds: tuple[str, ...]
    """The parts of the network, for counts."""

    @property
    def network(self) -> ntensor.NetworkOp:
        return next(op for op in self.module.ops if isinstance(op, ntensor.NetworkOp))


@cache
def update_of(device: str, bits: int) -> ntensor.UpdateOp:
    """Returns the neuron of a device for some bits."""
    name, entry = next(iter(resolve_device(device).updates.items()))
    rule = next(one for one in parse_neurons("\n".join(entry.text), device).neurons if one.name == name)
    return build_update(rule, options={"act_bits": OPTIONS[bits]}, precision=f64)


def same_pads(size: Sequence[int], kernel: Sequence[int], stride: Sequence[int]) -> list[list[int]]:
    """Returns the padding with which a window has as many positions as the map divided by its stride, rounded up."""
    missing = [max((-(-n // s) - 1) * s + k - n, 0) for n, k, s in zip(size, kernel, stride, strict=True)]
    return [[n // 2, n - n // 2] for n in missing]


def both(given: int | tuple[int, int]) -> list[int]:
    """Returns a size or a stride along both axes."""
    return [given] * 2 if isinstance(given, int) else list(given)


@define
class Chain:
    """A network that grows by layers."""

    device: str
    shape: tuple[int, ...]
    bits: int
    rng: np.random.Generator
    frames: np.ndarray[Any, np.dtype[Any]]
    block: Block = field(init=False)
    value: SSAValue = field(init=False)
    used: dict[int, ntensor.UpdateOp] = field(factory=dict)
    layers: int = 0
    is_pooled: bool = False
    """Whether the last layer has a max pool, and is none of the input block."""

    def __attrs_post_init__(self) -> None:
        element: Attribute = ntensor.CountType(self.bits)
        self.block = Block(arg_types=[TensorType(element, self.shape)])
        self.value = self.block.args[0]

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        self.value = op.results[0]
        return self.value

    def op(self, kind: Any, name: str, shape: Sequence[int], element: Attribute, **properties: Any) -> SSAValue:
        """Adds an op; arrays become attributes."""
        made = {k: ArrayAttr.of(v) if isinstance(v, np.ndarray) else v for k, v in properties.items() if v is not None}
        op = kind.create(
            operands=[self.value],
            result_types=[TensorType(element, shape)],
            properties={"node": StringAttr(name), **made},
        )
        return self.add(op)

    def weights(self, bits: int, *shape: int) -> Any:
        low, high = RANGES[bits]
        found = self.rng.integers(low, high, shape, endpoint=True).astype(np.int8)
        found.reshape(-1)[0] = high
        return found

    def convolution(
        self,
        filters: int,
        kernel: int,
        bits: int,
        *,
        stride: int | tuple[int, int] = 1,
        padding: str = "same",
        groups: int = 1,
        bias: bool = False,
        name: str | None = None,
    ) -> None:
        """Adds a convolution."""
        channels, *size = shape_of(self.value)
        steps = both(stride)
        pads = same_pads(size, [kernel] * 2, steps) if padding == "same" else [[0, 0], [0, 0]]
        found = window_outputs(size, [kernel] * 2, steps, pads, (1, 1))
        self.op(
            ntensor.Conv2dOp,
            name or f"conv{self.layers}",
            [filters, *found],
            i32,
            weight=self.weights(bits, filters, channels // groups, kernel, kernel),
            bias=self.rng.integers(-9, 9, filters).astype(np.int32) if bias else None,
            stride=np.array(steps),
            padding=np.array(pads),
            dilation=np.array([1, 1]),
            groups=IntegerAttr(groups, i64),
        )

    def separable(self, filters: int, kernel: int, bits: int, *, stride: int = 1) -> None:
        """Adds a convolution of each channel, then one of points."""
        channels = shape_of(self.value)[0]
        self.convolution(channels, kernel, bits, stride=stride, groups=channels, name=f"depth{self.layers}")
        self.convolution(filters, 1, bits, name=f"points{self.layers}")

    def dense(self, units: int, bits: int, *, bias: bool = False) -> None:
        """Adds a dense layer, which reads a map flat."""
        shape = shape_of(self.value)
        inputs = int(np.prod(shape))
        if len(shape) > 1:
            element = self.value.type.get_element_type()
            self.op(ntensor.ReshapeOp, f"flat{self.layers}", [inputs], element)
        self.op(
            ntensor.LinearOp,
            f"fc{self.layers}",
            [units],
            i32,
            weight=self.weights(bits, units, inputs),
            bias=self.rng.integers(-9, 9, units).astype(np.int32) if bias else None,
        )

    def max_pool(self, size: int | tuple[int, int], stride: int | tuple[int, int], padding: str = "same") -> None:
        channels, *around = shape_of(self.value)
        sizes, steps = both(size), both(stride)
        pads = same_pads(around, sizes, steps) if padding == "same" else [[0, 0], [0, 0]]
        found = window_outputs(around, sizes, steps, pads, (1, 1))
        window = {"kernel": np.array(sizes), "stride": np.array(steps), "padding": np.array(pads)}
        self.op(ntensor.MaxPool2dOp, f"pool{self.layers}", [channels, *found], element_type(self.value), **window)

    def sum_map(self) -> None:
        channels, *size = shape_of(self.value)
        window = {"kernel": np.array(size), "stride": np.array(size), "padding": np.zeros((2, 2), np.int64)}
        self.op(ntensor.SumPool2dOp, f"sum{self.layers}", [channels, 1, 1], i32, **window)

    def activate(self, bits: int) -> None:
        """Adds an activation whose threshold and steps follow from the potentials of the frames."""
        potentials = self.potentials()
        shape = shape_of(self.value)
        by_filter = np.moveaxis(potentials, 1, 0).reshape(shape[0], -1)
        low, high = np.quantile(by_filter, [0.4, 0.95], axis=1)
        sixteenths = np.maximum(np.round(16 * (high - low) / (2**bits - 1) / 2 ** (4 - bits)), 1)
        each = (shape[0], *(1,) * (len(shape) - 1))
        thresholds, steps = (one.astype(np.int32).reshape(each) for one in (np.floor(low), sixteenths))
        self.add_neuron(bits, np.broadcast_to(thresholds, shape).copy(), np.broadcast_to(steps, shape).copy())

    def add_neuron(self, bits: int, threshold: Any = 0, steps: Any = 16) -> None:
        """Adds an activation. Units: steps [1/16]."""
        params = {"threshold_potential": np.asarray(threshold, np.int32), "act_step": np.asarray(steps, np.int32)}
        shape = shape_of(self.value)
        update = self.used.setdefault(bits, update_of(self.device, bits).clone())
        neuron = ntensor.NeuronOp(
            f"act{self.layers}",
            update.sym_name.data,
            [self.value],
            TensorType(ntensor.CountType(bits), shape),
            params=ntensor.array_dictionary(params),
            initial=ntensor.array_dictionary({}),
            family="activation",
        )
        self.add(neuron)
        self.bits = bits
        self.layers += 1

    def potentials(self) -> Any:
        """Returns the values of the network so far."""
        network = self.module().network
        found = ReferenceModel(network).run({"input": as_signal(self.frames)})["output"]
        return found[:, 0]

    def module(self) -> Stack:
        """Returns the network as it is."""
        block = Block(arg_types=[arg.type for arg in self.block.args])
        values: dict[SSAValue, SSAValue] = dict(zip(self.block.args, block.args, strict=True))
        for op in self.block.ops:
            block.add_op(op.clone(values))
        value = values[self.value]
        block.add_op(ntensor.OutputOp(value))
        types = FunctionType.from_lists([block.args[0].type], [value.type])
        signature = Signature(names(["input"]), names(["output"]), types)
        network = ntensor.NetworkOp("stack", signature, 1_000_000, Region(block))
        name_device(network, resolve_device(self.device))
        module = ModuleOp([*(update.clone() for update in self.used.values()), network])
        return Stack(module, self.frames, ())


def as_signal(frames: Any) -> DenseSignal:
    """Returns frames as ticks of one sample each."""
    return DenseSignal(frames[:, None])


FRAMES = 4


def draw(seed: int, device: str, *, is_valid: bool = False) -> Stack:
    """Returns a random network of 1 to 4 layers. `is_valid`: whether convolutions without padding occur, which not every block computes."""
    rng = np.random.default_rng([seed, 17])
    kinds: list[str] = []
    if rng.random() < 0.25:
        chain = Chain(device, (int(rng.integers(2, 40)),), int(rng.choice([1, 2, 4])), rng, np.zeros(0))
        kinds.append("flat")
    else:
        bits = int(rng.choice([1, 2, 4, 8]))
        height, width = (int(n) for n in rng.integers(5, 12, 2))
        channels = int(rng.choice([1, 3])) if bits == 8 else int(rng.integers(2, 6))
        chain = Chain(device, (channels, height, width), bits, rng, np.zeros(0))
        kinds.append("image" if bits == 8 else "map")
    chain.frames = rng.integers(0, 2**chain.bits, (FRAMES, *chain.shape))
    layers = int(rng.integers(1, 5))
    for k in range(layers):
        is_last = k == layers - 1
        add_layer(chain, rng, kinds, is_first=k == 0, is_last=is_last, is_valid=is_valid)
    made = chain.module()
    return Stack(made.module, made.frames, tuple(kinds))


def add_layer(
    chain: Chain, rng: np.random.Generator, kinds: list[str], *, is_first: bool, is_last: bool, is_valid: bool
) -> None:
    """Adds a random layer to a chain, with a pool and an activation."""
    shape = shape_of(chain.value)
    is_image = is_first and chain.bits == 8
    must_be_map = chain.is_pooled  # a processor with a max pool sends to a convolution
    chain.is_pooled = False
    if len(shape) == 1 or (not is_image and not must_be_map and rng.random() < 0.25):
        bits = int(rng.choice([1, 2, 4]))
        has_activation = not is_last or rng.random() < 0.5
        chain.dense(int(rng.integers(2, 20)), bits, bias=has_activation and rng.random() < 0.5)
        kinds.append(f"dense {bits}")
    else:
        has_activation = not is_last or is_image or rng.random() < 0.5
        add_convolution(chain, rng, kinds, is_image=is_image, is_valid=is_valid, has_bias=has_activation)
        pool = rng.random()
        size = shape_of(chain.value)[1:]
        if pool < 0.4 and min(size) >= 4 and min(shape[1:]) >= 3 and (not is_last or is_image):
            padding = "valid" if kinds[-1].endswith("valid") else "same"
            stride = 2 if is_image else int(rng.integers(1, 3))
            chain.max_pool(2, stride, padding)
            chain.is_pooled = not is_image
            kinds.append(f"max pool, stride {stride}")
        elif pool < 0.55 and not is_image and size[1] >= 3:
            chain.sum_map()
            kinds.append("sum pool")
    if has_activation:
        bits = int(rng.choice([1, 2, 4]))
        chain.activate(bits)
        kinds.append(f"activation {bits}")
    else:
        kinds.append("potentials")


def add_convolution(
    chain: Chain, rng: np.random.Generator, kinds: list[str], *, is_image: bool, is_valid: bool, has_bias: bool
) -> None:
    """Adds a random convolution, for the input block if the input is an image."""
    filters = int(rng.integers(2, 9))
    bias = has_bias and rng.random() < 0.5
    if is_image:
        kernel, stride = int(rng.choice([3, 5])), int(rng.integers(1, 4))
        padding = "valid" if rng.random() < 0.5 and min(shape_of(chain.value)[1:]) >= kernel + stride else "same"
        bits = int(rng.choice([1, 2, 4, 8]))
        chain.convolution(filters, kernel, bits, stride=stride, padding=padding, bias=bias)
        kinds.append(f"input convolution {bits}, {kernel}, stride {stride}, {padding}")
        return
    if rng.random() < 0.3:
        kernel, bits = int(rng.choice([3, 5, 7])), int(rng.choice([2, 4]))
        stride = int(rng.integers(1, 3)) if kernel == 3 else 1
        chain.separable(filters, kernel, bits, stride=stride)
        kinds.append(f"separable {bits}, {kernel}, stride {stride}")
        return
    kernel, bits = int(rng.choice([1, 3, 5, 7])), int(rng.choice([1, 2, 4]))
    stride = int(rng.integers(1, 3)) if kernel == 3 else 1
    padding = "valid" if is_valid and kernel <= min(shape_of(chain.value)[1:]) and rng.random() < 0.3 else "same"
    chain.convolution(filters, kernel, bits, stride=stride, padding=padding, bias=bias)
    kinds.append(f"convolution {bits}, {kernel}, stride {stride}, {padding}")
