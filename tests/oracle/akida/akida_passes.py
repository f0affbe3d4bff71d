"""Deep layer networks on all devices of Akida, for the comparison of passes with the vendor's mapper.

Layers are words, as `akida_limits.py` has them: `conv FILTERS KERNEL BITS`, `sep FILTERS KERNEL BITS`, `dw KERNEL BITS`, `fc UNITS BITS`, and
`image FILTERS KERNEL STRIDE` for an input convolution, or `image FILTERS KERNEL STRIDES POOLS` with both axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from akida_stacks import VENDOR, Case, Chain, Chain2
from attrs import evolve, frozen
from layer_stacks import Stack
from xdsl.dialects.builtin import ModuleOp

from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.targets.akida.chain_builder import ChainBuilder
from nopt.targets.akida.emitter import emit
from nopt.targets.akida.lowering import Builder
from nopt.targets.akida.passes.convert_ntensor_to_akida2 import Builder as Builder2

BUILDERS: dict[bool, type[ChainBuilder]] = {False: Builder, True: Builder2}
"""The conversions, by whether a device is of Akida 2.0."""
FRAMES = 4


@frozen
class Deep:
    """A network of several layers. `bits`: of the input and of all activations but those of Akida 2.0, which have 4 or 8."""

    device: str
    shape: tuple[int, ...]
    bits: int
    layers: tuple[str, ...]

    @property
    def is_version_2(self) -> bool:
        return self.device.endswith("v2")

    def stack(self, seed: int, *, has_values: bool) -> Stack:
        """Returns the network. `has_values`: whether the activations follow from the potentials of the frames, which takes time."""
        rng = np.random.default_rng([seed, 61])
        frames = rng.integers(0, 2**self.bits, (FRAMES, *self.shape))
        kind = Chain2 if self.is_version_2 else Chain
        chain = kind(f"akida/{self.device}", self.shape, self.bits, rng, frames)
        for k, text in enumerate(self.layers):
            add_words(chain, text)
            if k < len(self.layers) - 1 or text.startswith("image"):
                self.activate(chain, has_values=has_values)
        return evolve(chain.module(), kinds=self.layers)

    def activate(self, chain: Chain, *, has_values: bool) -> None:
        bits = 4 if self.is_version_2 else 1 if self.bits == 1 else 4
        if has_values:
            chain.activate(bits)
        elif isinstance(chain, Chain2):
            chain.add_scaled(bits, {"output_scale": 128, "output_shift": 16, "bias": 0, "bias_shift": 0})
        else:
            chain.add_neuron(bits)


def add_words(chain: Chain, text: str) -> None:
    """Adds the op of a layer."""
    kind, *words = text.split()
    numbers = [int(word) for word in words]
    match kind:
        case "conv":
            chain.convolution(*numbers)
        case "image":
            filters, kernel, *steps = numbers
            chain.convolution(filters, kernel, 8, stride=(steps[0], steps[:2][-1]))
            if pool := steps[2:]:
                chain.max_pool((pool[0], pool[1]), (pool[0], pool[1]))
        case "sep":
            chain.separable(*numbers)
        case "dw":
            channels = shape_of(chain.value)[0]
            chain.convolution(channels, *numbers, groups=channels)
        case _:
            chain.dense(*numbers)


def draw_deep(seed: int, device: str, most: int) -> Deep:
    """Returns a random network of 1 to `most` layers: maps of one or several tiles, narrow and wide layers, dense layers in the NP and outside."""
    rng = np.random.default_rng([seed, 67])
    is_2 = device.endswith("v2")
    count, dense = int(rng.integers(1, most + 1)), float(rng.choice([0.03, 0.15, 0.5, 0.9]))
    layers: list[str] = []
    is_image = rng.random() < 0.2
    if is_image:
        bits, shape = 8, (3, int(rng.integers(5, 9)), int(rng.integers(5, 9)))
        layers.append(f"image 8 {rng.choice([3, 4, 5, 7] if is_2 else [3, 5, 7])} {rng.integers(1, 3)}")
    else:
        bits = 4 if is_2 else int(rng.choice([1, 4]))
        height = int(rng.choice([1, 2, 40 if not is_2 else 70]))
        shape = (int(rng.choice([8, 32, 64])), height, int(rng.choice([1, 2, 3])))
    is_flat = False
    while len(layers) < count:
        weights = 4 if is_2 else int(rng.choice([1, 2, 4]))
        is_flat = is_flat or rng.random() < dense
        wide, kernel = int(rng.choice([8, 16, 32, 64])), int(rng.choice([1, 1, 1, 3, 5, 7]))
        if is_flat:
            layers.append(f"fc {rng.choice([5, 16, 40, 40, 500])} {weights}")
        elif kernel > 1 and rng.random() < 0.2:
            layers.append(f"dw {kernel} 4" if is_2 else f"sep {wide} {kernel} {max(weights, 2)}")
        else:
            layers.append(f"conv {wide} {kernel} {weights}")
    return Deep(device, shape, bits, tuple(layers))


def deep_networks(count: int, most: int) -> Iterator[tuple[int, Deep]]:
    """Yields seeds and networks for all devices in turn."""
    devices = tuple(VENDOR)
    for seed in range(count):
        yield seed, draw_deep(seed, devices[seed % len(devices)], most)


def unplaced(case: Case, folder: Path) -> Case:
    """Returns a refused network as an artefact without processors, for the mapper."""
    build = folder / "builds" / f"{case.name}-unplaced"
    (build / "artefact").mkdir(parents=True)
    builder = BUILDERS[case.device.endswith("v2")]
    model = builder(case.stack.network, find_device("akida", case.device)).unplaced()
    text = emit(ModuleOp([model]), Diagnostics())
    (build / "artefact" / "model.json").write_text(text, encoding="utf-8")
    return evolve(case, build=build)
