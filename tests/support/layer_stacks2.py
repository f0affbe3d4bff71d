"""Random layer networks in ticks for Akida 2.0: convolutions, depthwise ones, dense layers, pools, and activations of 4 or 8 bits.

stack = draw2(17, "akida/six_nodes_v2")
stack.module, stack.frames
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from attrs import define
from layer_stacks import FRAMES, Chain, Stack
from xdsl.dialects.builtin import TensorType, f64

from nopt.core.device.named_device import resolve_device
from nopt.core.ir.operation import shape_of
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects import ntensor
from nopt.dialects.equations.build import build_update

OPTIONS = {4: "four", 8: "eight"}
MOST = {4: 15, 8: 127}
RANGES = {4: (-8, 7), 8: (-128, 127)}


@cache
def update2_of(device: str, bits: int) -> ntensor.UpdateOp:
    """Returns the neuron of a device for some bits."""
    name, entry = next(iter(resolve_device(device).updates.items()))
    rule = next(one for one in parse_neurons("\n".join(entry.text), device).neurons if one.name == name)
    return build_update(rule, options={"act_bits": OPTIONS[bits]}, precision=f64)


@define
class Chain2(Chain):
    """A network that grows by layers of Akida 2.0."""

    is_positive: bool = False
    """Whether the weights that are drawn next are not negative."""

    def weights(self, bits: int, *shape: int) -> Any:
        low, high = RANGES[bits]
        found = self.rng.integers(0 if self.is_positive else low, high, shape, endpoint=True).astype(np.int8)
        found.reshape(-1)[0] = high
        return found

    def activate(self, bits: int) -> None:
        """Adds an activation whose bias, scale and shift follow from the potentials of the frames."""
        potentials = self.potentials()
        shape = shape_of(self.value)
        by_filter = np.moveaxis(potentials, 1, 0).reshape(shape[0], -1)
        low, high = np.quantile(by_filter, [0.4, 0.95], axis=1)
        levels = np.maximum((high - low) / MOST[bits], 1 / 255)
        shift = np.clip(np.floor(np.log2(255 * levels)), 0, 31)
        scale = np.clip(np.round(2**shift / levels), 1, 255)
        wanted = np.zeros_like(low) if self.is_positive else -low
        bias_shift = np.clip(np.ceil(np.log2(np.maximum(np.abs(wanted), 127) / 127)), 0, 20)
        bias = np.clip(np.round(wanted / 2**bias_shift), -128, 127)
        params = {"output_scale": scale, "output_shift": shift, "bias": bias, "bias_shift": bias_shift}
        self.add_scaled(bits, params)

    def add_scaled(self, bits: int, params: dict[str, Any]) -> None:
        """Adds an activation. Shapes: parameters () or [filters]."""
        shape = shape_of(self.value)
        each = (-1, *(1,) * (len(shape) - 1))
        arrays = {
            name: np.broadcast_to(np.asarray(value).reshape(each), shape).astype(np.int32).copy()
            for name, value in params.items()
        }
        update = self.used.setdefault(bits, update2_of(self.device, bits).clone())
        neuron = ntensor.NeuronOp(
            f"act{self.layers}",
            update.sym_name.data,
            [self.value],
            TensorType(ntensor.CountType(4 if bits == 4 else 7), shape),
            params=ntensor.array_dictionary({name: arrays[name] for name in update.param_types}),
            initial=ntensor.array_dictionary({}),
            family="activation",
        )
        self.add(neuron)
        self.bits = bits
        self.layers += 1
        self.is_positive = False


def draw2(seed: int, device: str) -> Stack:
    """Returns a random network of 1 to 4 layers."""
    rng = np.random.default_rng([seed, 29])
    kinds: list[str] = []
    if rng.random() < 0.25:
        chain = Chain2(device, (int(rng.integers(2, 40)),), int(rng.choice([1, 4, 8])), rng, np.zeros(0))
        kinds.append("flat")
    else:
        bits = int(rng.choice([1, 4, 8, 8]))
        height, width = (int(n) for n in rng.integers(5, 12, 2))
        channels = int(rng.choice([1, 3, 4])) if bits == 8 else int(rng.integers(2, 6))
        chain = Chain2(device, (channels, height, width), bits, rng, np.zeros(0))
        kinds.append("map")
    chain.frames = rng.integers(0, 2**chain.bits, (FRAMES, *chain.shape))
    layers = int(rng.integers(1, 5))
    for k in range(layers):
        add_layer2(chain, rng, kinds, is_first=k == 0, is_last=k == layers - 1)
    made = chain.module()
    return Stack(made.module, made.frames, tuple(kinds))


def add_layer2(chain: Chain2, rng: np.random.Generator, kinds: list[str], *, is_first: bool, is_last: bool) -> None:
    """Adds a random layer to a chain, with a pool and an activation."""
    shape = shape_of(chain.value)
    is_map = len(shape) == 3
    is_image = is_first and chain.bits == 8 and is_map and shape[0] in (1, 3)
    widths = [4] if chain.bits <= 4 else [4, 8]
    bits, output = int(rng.choice(widths)), int(rng.choice([4, 8]))
    must_be_map, chain.is_pooled = chain.is_pooled, False
    has_activation = not is_last or rng.random() < 0.5
    if not is_map or (not is_image and not must_be_map and rng.random() < 0.25):
        if bits == 4 and max(widths) == 4:
            output = 4
        chain.dense(int(rng.integers(2, 20)), bits)
        kinds.append(f"dense {bits}")
    elif is_image:
        has_activation = True
        kernel, stride = int(rng.choice([3, 5, 7])), int(rng.integers(1, 4))
        padding = "valid" if rng.random() < 0.5 and min(shape[1:]) >= kernel + stride else "same"
        chain.convolution(int(rng.integers(2, 9)), kernel, 8, stride=stride, padding=padding)
        kinds.append(f"input convolution, {kernel}, stride {stride}, {padding}")
        if not is_last and rng.random() < 0.4 and min(shape_of(chain.value)[1:]) >= 4:
            size = int(rng.choice([2, 3]))
            chain.max_pool(size, 2, padding)
            chain.is_pooled = True
            kinds.append(f"max pool {size}")
    else:
        is_depthwise = shape[0] > 1 and rng.random() < 0.35
        if is_depthwise and max(widths) == 4:
            output = 4
        kernel = int(rng.choice([3, 5, 7] if is_depthwise else [1, 3, 5, 7]))
        pool = rng.random()
        stride = int(rng.integers(1, 3)) if kernel == 3 and pool >= 0.55 else 1
        is_summed = 0.4 <= pool < 0.55
        chain.is_positive = is_summed
        filters = shape[0] if is_depthwise else int(rng.integers(2, 9))
        chain.convolution(filters, kernel, bits, stride=stride, groups=shape[0] if is_depthwise else 1)
        kinds.append(f"{'depthwise' if is_depthwise else 'convolution'} {bits}, {kernel}, stride {stride}")
        if pool < 0.4 and min(shape[1:]) >= 3 and not is_last:
            chain.max_pool(2, int(rng.integers(1, 3)))
            chain.is_pooled = True
            kinds.append("max pool")
        elif is_summed:
            chain.sum_map()
            has_activation = True
            kinds.append("sum pool")
    if has_activation:
        chain.activate(output)
        kinds.append(f"activation {output}")
    else:
        chain.is_positive = False
        kinds.append("potentials")
