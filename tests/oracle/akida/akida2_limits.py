"""Layer networks just inside and just outside of each limit of Akida 2.0.

Layers are words: `conv FILTERS KERNEL BITS`, with `s2` for a stride and `valid` for no padding; `dw KERNEL BITS`, `fc UNITS BITS`,
`pool SIZE STRIDE`, `sum` after `positive`, `act BITS`, and `bias N SHIFT` for the activation after it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from akida_stacks import Case, Chain2
from attrs import evolve, frozen
from layer_stacks import Stack
from xdsl.dialects.builtin import ModuleOp

from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.targets.akida.emitter import emit
from nopt.targets.akida.passes.convert_ntensor_to_akida2 import Builder

SIX, TWELVE, TWO = "six_nodes_v2", "twelve_nodes_v2", "two_nodes_v2"


@frozen
class Limit2:
    """A network at a limit. `fits`: whether it is accepted; else `code` is that of the refusal."""

    name: str
    shape: tuple[int, ...]
    bits: int
    layers: tuple[str, ...]
    code: str = ""
    device: str = TWELVE
    is_ours: bool = False
    """Whether the mapper accepts what is refused: the reason is in `reason`."""
    reason: str = ""

    @property
    def fits(self) -> bool:
        return not self.code

    def stack(self) -> Stack:
        rng = np.random.default_rng(0)
        frames = np.zeros((1, *self.shape), np.int64)
        chain = Chain2(f"akida/{self.device}", self.shape, self.bits, rng, frames)
        bias = (0, 0)
        for text in self.layers:
            word, *rest = text.split()
            numbers = [int(one) for one in rest if one.lstrip("-").isdigit()]
            stride = 2 if "s2" in rest else 3 if "s3" in rest else 1
            padding = "valid" if "valid" in rest else "same"
            match word:
                case "conv":
                    chain.convolution(numbers[0], numbers[1], numbers[2], stride=stride, padding=padding)
                case "image":
                    chain.convolution(numbers[0], numbers[1], 8, stride=numbers[2], padding=padding)
                case "dw":
                    channels = shape_of(chain.value)[0]
                    chain.convolution(channels, numbers[0], numbers[1], stride=stride, padding=padding, groups=channels)
                case "fc":
                    chain.dense(numbers[0], numbers[1])
                case "pool":
                    chain.max_pool(numbers[0], numbers[1], padding)
                case "sum":
                    chain.sum_map()
                case "positive":
                    chain.is_positive = True
                case "bias":
                    bias = numbers[0], numbers[1]
                case _:
                    params = {"output_scale": 128, "output_shift": 16, "bias": bias[0], "bias_shift": bias[1]}
                    chain.add_scaled(numbers[0], params)
                    bias = (0, 0)
        return evolve(chain.module(), kinds=self.layers)


def pair(
    name: str, shape: tuple[int, ...], bits: int, inside: tuple[str, ...], outside: tuple[str, ...], code: str
) -> tuple[Limit2, Limit2]:
    """Returns the network just inside and the one just outside of a limit."""
    return Limit2(f"{name}, inside", shape, bits, inside), Limit2(f"{name}, outside", shape, bits, outside, code)


END = ("conv 2 1 4", "act 8")
MAP = (4, 8, 9)
LIMITS2: tuple[Limit2, ...] = (
    *pair("kernel", (4, 12, 12), 8, ("conv 3 7 8", "act 8"), ("conv 3 9 8", "act 8"), "AKI003"),
    *pair("depthwise kernel", MAP, 8, ("dw 3 8", "act 8"), ("dw 1 8", "act 8"), "AKI003"),
    *pair("large depthwise kernel", (4, 12, 12), 8, ("dw 7 8", "act 8"), ("dw 9 8", "act 8"), "AKI003"),
    *pair("stride", MAP, 8, ("conv 3 3 8 s2", "act 8"), ("conv 3 3 8 s3", "act 8"), "AKI003"),
    *pair("stride of 1 x 1", MAP, 8, ("conv 3 1 8 s2", "act 8"), ("conv 3 1 8 s3", "act 8"), "AKI003"),
    *pair("strided kernel", MAP, 8, ("conv 3 3 8 s2", "act 8"), ("conv 3 5 8 s2", "act 8"), "AKI003"),
    *pair("depthwise stride", MAP, 8, ("dw 3 8 s2", "act 8"), ("dw 5 8 s2", "act 8"), "AKI003"),
    *pair("padding", MAP, 8, ("conv 3 3 8", "act 8"), ("conv 3 3 8 valid", "act 8"), "AKI003"),
    *pair("depthwise padding", MAP, 8, ("dw 3 8", "act 8"), ("dw 3 8 valid", "act 8"), "AKI003"),
    *pair(
        "pool", MAP, 8, ("conv 3 3 8", "pool 2 2", "act 8", *END), ("conv 3 3 8", "pool 3 3", "act 8", *END), "AKI003"
    ),
    *pair(
        "overlapping pool",
        MAP,
        8,
        ("conv 3 3 8", "pool 2 1", "act 8", *END),
        ("conv 3 3 8", "pool 3 2", "act 8", *END),
        "AKI003",
    ),
    *pair(
        "depthwise pool", MAP, 8, ("dw 3 8", "pool 2 2", "act 8", *END), ("dw 3 8", "pool 3 2", "act 8", *END), "AKI003"
    ),
    *pair(
        "pool and stride",
        MAP,
        8,
        ("conv 3 3 8", "pool 2 2", "act 8", *END),
        ("conv 3 3 8 s2", "pool 2 2", "act 8", *END),
        "AKI003",
    ),
    *pair(
        "pool at the end",
        MAP,
        8,
        ("conv 3 3 8", "pool 2 2", "act 8", *END),
        ("conv 3 3 8", "pool 2 2", "act 8"),
        "AKI003",
    ),
    *pair(
        "pool before dense",
        MAP,
        8,
        ("conv 3 3 8", "pool 2 2", "act 8", "dw 3 8", "act 8"),
        ("conv 3 3 8", "pool 2 2", "act 8", "fc 3 8"),
        "AKI003",
    ),
    Limit2("pool larger than the map", (4, 1, 5), 8, ("conv 3 3 8", "pool 2 2", "act 8", *END), "AKI003"),
    Limit2("pool of the whole map", (4, 2, 2), 8, ("conv 3 3 8", "pool 2 2", "act 8", *END)),
    *pair(
        "sum", (4, 12, 12), 8, ("positive", "conv 3 3 8", "sum", "act 8"), ("positive", "conv 3 3 8", "sum"), "AKI003"
    ),
    Limit2("sum of too many positions", (4, 12, 13), 8, ("positive", "conv 3 3 8", "sum", "act 8"), "AKI003"),
    Limit2("sum of a high map", (4, 65, 2), 8, ("positive", "conv 3 3 8", "sum", "act 8"), "AKI003"),
    Limit2("sum of a map of 64 rows", (4, 64, 2), 8, ("positive", "conv 3 3 8", "sum", "act 8")),
    Limit2("sum and stride", (4, 12, 12), 8, ("positive", "conv 3 3 8 s2", "sum", "act 8"), "AKI003"),
    Limit2(
        "sum of weights of both signs",
        (4, 8, 8),
        8,
        ("conv 3 3 8", "sum", "act 8"),
        "AKI003",
        is_ours=True,
        reason="the chip replaces negative potentials by 0 before it adds them, which changes values, not the mapping",
    ),
    *pair("weights of the input", MAP, 4, ("conv 3 3 4", "act 8"), ("conv 3 3 8", "act 8"), "AKI004"),
    *pair(
        "weights of a narrow activation",
        MAP,
        8,
        ("conv 3 3 8", "act 4", "conv 3 1 4", "act 8"),
        ("conv 3 3 8", "act 4", "conv 3 1 8", "act 8"),
        "AKI004",
    ),
    *pair("dense weights of the input", (16,), 4, ("fc 3 4", "act 4"), ("fc 3 8", "act 4"), "AKI004"),
    *pair("dense activation of narrow weights", (16,), 4, ("fc 3 4",), ("fc 3 4", "act 8"), "AKI004"),
    *pair("depthwise activation of narrow weights", MAP, 4, ("dw 3 4", "act 4"), ("dw 3 4", "act 8"), "AKI004"),
    *pair("channels", (2048, 1, 1), 8, ("conv 3 1 4", "act 8"), ("conv 3 1 4", "act 8"), "AKI003"),
    *pair("inputs of a dense layer", (2048,), 8, ("fc 2 8",), ("fc 2 8",), "AKI003"),
    *pair("filters of one processor", (4, 3, 3), 8, ("conv 512 1 4", "act 8"), ("conv 513 1 4", "act 8"), ""),
    *pair("dense weights in the processor", (2048,), 8, ("fc 23 8",), ("fc 24 8",), ""),
    *pair("rows of a tile", (2, 64, 8), 8, ("conv 3 3 4", "act 8"), ("conv 513 3 4", "act 8"), ""),
    Limit2("65 rows", (2, 65, 8), 8, ("conv 3 3 4", "act 8")),
    Limit2("256 columns", (2, 8, 256), 8, ("conv 3 3 4", "act 8")),
    Limit2("257 columns", (2, 8, 257), 8, ("conv 3 3 4", "act 8")),
    Limit2("tiles with a pool", (2, 70, 20), 8, ("conv 3 3 4", "pool 2 2", "act 8", *END)),
    Limit2("tiles with an overlapping pool", (2, 70, 20), 8, ("conv 3 3 4", "pool 2 1", "act 8", *END)),
    Limit2("tiles with a stride", (2, 70, 20), 8, ("conv 3 3 4 s2", "act 8")),
    Limit2("tiles by memory", (64, 64, 32), 8, ("conv 3 3 4", "act 8")),
    Limit2("depthwise tiles by memory", (64, 40, 40), 8, ("dw 3 8", "act 8")),
    Limit2("depthwise groups by memory", (64, 64, 64), 8, ("dw 3 8", "act 8")),
    Limit2("depthwise groups by filters", (600, 3, 3), 8, ("dw 3 8", "act 8")),
    Limit2("depthwise tiles with a pool", (64, 50, 40), 8, ("dw 3 8", "pool 2 2", "act 8", *END)),
    *pair("image filters", (1, 16, 16), 8, ("image 512 3 1", "act 8"), ("image 513 3 1", "act 8"), "AKI003"),
    *pair("image kernel", (3, 16, 16), 8, ("image 4 7 1", "act 8"), ("image 4 9 1", "act 8"), "AKI003"),
    *pair("small image kernel", (3, 16, 16), 8, ("image 4 3 1", "act 8"), ("image 4 1 1", "act 8"), "AKI003"),
    *pair("image stride of 3 x 3", (3, 20, 20), 8, ("image 4 3 3", "act 8"), ("image 4 3 4", "act 8"), "AKI003"),
    *pair("image stride of 5 x 5", (3, 30, 30), 8, ("image 4 5 5", "act 8"), ("image 4 5 6", "act 8"), "AKI003"),
    *pair("image stride of 7 x 7", (3, 30, 30), 8, ("image 4 7 6", "act 8"), ("image 4 7 7", "act 8"), "AKI003"),
    *pair(
        "image pool",
        (3, 20, 20),
        8,
        ("image 4 3 1", "pool 3 2", "act 8", *END),
        ("image 4 3 1", "pool 3 3", "act 8", *END),
        "AKI003",
    ),
    *pair(
        "image pool of 2",
        (3, 20, 20),
        8,
        ("image 4 3 1", "pool 2 2", "act 8", *END),
        ("image 4 3 1", "pool 2 1", "act 8", *END),
        "AKI003",
    ),
    *pair(
        "image pool at the end",
        (3, 20, 20),
        8,
        ("image 4 3 1", "pool 2 2", "act 8", *END),
        ("image 4 3 1", "pool 2 2", "act 8"),
        "AKI003",
    ),
    *pair("image potentials", (3, 20, 20), 8, ("image 4 3 1", "act 4"), ("image 4 3 1",), "AKI003"),
    *pair("even image kernel", (3, 16, 16), 8, ("image 4 4 1", "act 8"), ("image 4 6 1", "act 8"), "AKI003"),
    *pair("image stride of 4 x 4", (3, 30, 30), 8, ("image 4 4 4", "act 8"), ("image 4 4 5", "act 8"), "AKI003"),
    *pair("smallest image kernel", (3, 16, 16), 8, ("image 4 3 1", "act 8"), ("image 4 2 1", "act 8"), "AKI003"),
    *pair(
        "even image kernel without padding",
        (1, 20, 20),
        8,
        ("image 4 4 2 valid", "pool 2 2 valid", "act 8", *END),
        ("image 4 4 2 valid", "pool 2 1 valid", "act 8", *END),
        "AKI003",
    ),
    Limit2("image of 384 columns", (1, 10, 384), 8, ("image 4 3 3", "act 8")),
    Limit2("image of 385 columns", (1, 10, 385), 8, ("image 4 3 3", "act 8"), "AKI003"),
    Limit2("image of 800 rows", (1, 800, 10), 8, ("image 4 3 3", "act 8")),
    Limit2("padded map before a dense layer", (8, 8, 31), 8, ("conv 8 1 8", "act 8", "fc 20 8")),
    Limit2("map of words before a dense layer", (8, 7, 36), 8, ("conv 8 1 8", "act 8", "fc 20 8")),
    Limit2("map before a dense layer in the processor", (8, 1, 1), 8, ("conv 64 1 4", "act 4", "fc 682 4")),
    Limit2("map before a dense layer outside", (8, 1, 1), 8, ("conv 64 1 4", "act 4", "fc 683 4")),
    Limit2("padded map within the inputs", (8, 2, 2), 8, ("conv 512 1 4", "act 4", "fc 3 4")),
    Limit2("padded map beyond the inputs", (8, 3, 1), 8, ("conv 680 1 4", "act 4", "fc 3 4"), "AKI003"),
    *pair("image padding", (3, 20, 20), 8, ("image 4 3 1 valid", "act 4"), ("image 4 3 4 valid", "act 4"), "AKI003"),
    Limit2("image of 5 rows", (1, 5, 20), 8, ("image 4 3 1", "act 8")),
    Limit2("image of 4 rows", (1, 4, 20), 8, ("image 4 3 1", "act 8"), "AKI003"),
    Limit2("image of 4 columns", (1, 20, 4), 8, ("image 4 3 1", "act 8"), "AKI003"),
    Limit2("processors of two nodes", (4, 2, 2), 8, ("conv 5 1 8", "act 8") * 8, device=TWO),
    Limit2("more layers than processors", (4, 2, 2), 8, ("conv 5 1 8", "act 8") * 9, device=TWO),
    Limit2("dense layers of two nodes", (4,), 8, ("fc 5 8", "act 8") * 2, device=TWO),
    Limit2("dense layers of six nodes", (4,), 8, ("fc 5 8", "act 8") * 3, device=SIX),
    Limit2("large dense layer", (2048,), 8, ("fc 100 8", "act 8", "fc 3 8"), device=TWO),
    Limit2("dense layer larger than all processors", (1024,), 8, ("fc 1024 8",), device=TWO),
    Limit2(
        "two large dense layers",
        (1024,),
        8,
        ("fc 200 8", "act 8", "fc 300 8", "act 8", "fc 200 8"),
        "AKI008",
        device=TWO,
    ),
    Limit2(
        "accumulator",
        MAP,
        8,
        ("conv 3 7 8", "bias 127 20", "act 8"),
        "AKI010",
        is_ours=True,
        reason="the mapper does not check sums: they saturate",
    ),
)
BEYOND = {"channels, outside": (2049, 1, 1), "inputs of a dense layer, outside": (2049,)}
"""Inputs of networks that are outside of a limit by their input."""


def limits() -> list[Limit2]:
    """Returns all networks at limits."""
    return [evolve(one, shape=BEYOND.get(one.name, one.shape)) for one in LIMITS2]


def compile_unlimited2(limit: Limit2, case: Case, folder: Path) -> Case:
    """Returns a refused network as an artefact without processors, for the mapper."""
    build = folder / "builds" / case.name
    (build / "artefact").mkdir(parents=True)
    device = find_device("akida", limit.device)
    model = Builder(case.stack.network, device).unplaced()
    model.attributes.clear()
    text = emit(ModuleOp([model]), Diagnostics())
    (build / "artefact" / "model.json").write_text(text, encoding="utf-8")
    return evolve(case, build=build)
