"""Layer networks just inside and just outside of each limit of AKD1000 and AKD1500.

Layers are words: `conv FILTERS KERNEL BITS`, with `s2` for a stride and `valid` for no padding; `sep`, `fc UNITS BITS`, `pool SIZE STRIDE`,
`sum`, `act BITS`, and `bias N` for the last one with weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from akida_stacks import Case, Chain
from attrs import evolve, frozen
from layer_stacks import Stack
from xdsl.dialects.builtin import ModuleOp

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor
from nopt.targets.akida.emitter import emit
from nopt.targets.akida.lowering import Builder

END = "conv 2 1 1"
"""A small layer after one that may not be the last."""


@frozen
class Limit:
    """A network at a limit."""

    name: str
    device: str
    shape: tuple[int, ...]
    bits: int
    layers: tuple[str, ...]
    fits: bool
    code: str = ""
    """The code of the refusal."""

    def stack(self) -> Stack:
        rng = np.random.default_rng(0)
        chain = Chain(
            f"akida/{self.device}", self.shape, self.bits, rng, rng.integers(0, 2**self.bits, (1, *self.shape))
        )
        for text in self.layers:
            add(chain, text)
        return chain.module()


def add(chain: Chain, text: str) -> None:
    """Adds the ops of a layer."""
    kind, *words = text.split()
    stride = next((int(word[1:]) for word in words if word.startswith("s")), 1)
    numbers = [int(word) for word in words if word.lstrip("-").isdigit()]
    match kind:
        case "wide":
            chain.convolution(*numbers[:3], stride=(numbers[3], numbers[4]))
        case "conv":
            chain.convolution(*numbers, stride=stride, padding="valid" if "valid" in words else "same")
        case "zero":
            chain.convolution(*numbers)
            zero_weights(chain)
        case "sep":
            chain.separable(*numbers, stride=stride)
        case "fc":
            chain.dense(*numbers)
        case "pool":
            chain.max_pool(*numbers)
        case "pools":
            chain.max_pool((numbers[0], numbers[1]), (numbers[2], numbers[3]))
        case "sum":
            chain.sum_map()
        case "bias":
            op = chain.value.owner
            assert isinstance(op, ntensor.SynapseOpInterface)
            op.properties["bias"] = ArrayAttr.of(np.full(op.y.type.get_shape()[0], numbers[0], np.int32))
        case _:
            chain.add_neuron(numbers[0], *numbers[1:])


def zero_weights(chain: Chain) -> None:
    """Sets the weights of the last op to 0."""
    op = chain.value.owner
    assert isinstance(op, ntensor.SynapseOpInterface)
    assert op.weights is not None
    op.replace_weights(ArrayAttr.of(np.zeros(op.weights.shape, np.int8)), None)


def compile_unlimited(limit: Limit, case: Case, folder: Path) -> Case:
    """Writes the model of a network without placing it, for a tool that shall refuse it."""
    device = find_device("akida", limit.device)
    build = folder / "builds" / f"{case.name}-unlimited"
    (build / "artefact").mkdir(parents=True)
    model = Builder(case.stack.network, device).unplaced()
    text = emit(ModuleOp([model]), Diagnostics())
    (build / "artefact" / "model.json").write_text(text, encoding="utf-8")
    return evolve(case, build=build)


def pair(
    name: str,
    device: str,
    inside: tuple[tuple[int, ...], int, list[str]],
    outside: tuple[tuple[int, ...], int, list[str]],
    code: str,
) -> Iterator[Limit]:
    """Yields a network inside and one outside of a limit."""
    yield Limit(f"{name}, inside", device, inside[0], inside[1], tuple(inside[2]), True)
    yield Limit(f"{name}, outside", device, outside[0], outside[1], tuple(outside[2]), False, code)


def between(*layers: str, bits: int = 1) -> list[str]:
    """Returns layers with an activation, and a small layer after them."""
    return [*layers, f"act {bits}", END]


def limits() -> Iterator[Limit]:
    small, image = (2, 8, 8), (1, 16, 16)
    for device in ("akd1000", "akd1500"):
        yield from pair(
            "kernel", device, (small, 4, between("conv 4 7 4")), (small, 4, between("conv 4 9 4")), "AKI003"
        )
        yield from pair(
            "strided kernel",
            device,
            (small, 4, between("conv 4 3 4 s2")),
            (small, 4, between("conv 4 5 4 s2")),
            "AKI003",
        )
        yield from pair(
            "stride", device, (small, 2, between("conv 4 3 2 s2")), (small, 2, between("conv 4 3 2 s3")), "AKI003"
        )
        yield from pair(
            "padding", device, (small, 4, between("conv 4 3 4")), (small, 4, between("conv 4 3 4 valid")), "AKI003"
        )
        yield from pair(
            "separable kernel", device, (small, 4, between("sep 4 3 2")), (small, 4, between("sep 4 1 2")), "AKI003"
        )
        most = 2 if device == "akd1000" else 3
        yield from pair(
            "pool",
            device,
            (small, 4, between("conv 4 3 4", f"pool {most} {most}")),
            (small, 4, between("conv 4 3 4", f"pool {most + 1} {most + 1}")),
            "AKI003",
        )
        yield from pair(
            "pooled last layer",
            device,
            (small, 4, between("conv 4 3 4", "pool 2 2")),
            (small, 4, ["conv 4 3 4", "pool 2 2", "act 4"]),
            "AKI003",
        )
        yield from pair(
            "pool before a dense layer",
            device,
            (image, 8, ["conv 2 3 8", "pool 2 2", "act 1", "fc 2 1"]),
            (small, 4, ["conv 4 3 4", "pool 2 2", "act 4", "fc 2 1"]),
            "AKI003",
        )
        yield from pair(
            "pool of a small input",
            device,
            ((2, 2, 2), 4, between("conv 4 1 4", "pool 2 2")),
            ((2, 1, 2), 4, between("conv 4 1 4", "pool 2 2")),
            "AKI003",
        )
        for kernel, bits, channels in ((1, 1, 896), (1, 4, 448), (3, 2, 896), (5, 4, 448), (7, 4, 149)):
            yield from pair(
                f"weights of {kernel} x {kernel} with {bits} bits",
                device,
                ((channels, 1, 1), 1, between(f"conv 4 {kernel} {bits}")),
                ((channels + 1, 1, 1), 1, between(f"conv 4 {kernel} {bits}")),
                "AKI006",
            )
        yield from pair(
            "overlapping pools in tiles",
            device,
            ((2, 32, 8), 4, between("conv 2 3 2", "pool 2 1")),
            ((2, 33, 8), 4, between("conv 2 3 2", "pool 2 1")),
            "AKI003",
        )
        yield from pair(
            "stride and pool in tiles",
            device,
            ((2, 32, 8), 4, between("conv 2 3 2 s2", "pool 2 2")),
            ((2, 33, 8), 4, between("conv 2 3 2 s2", "pool 2 2")),
            "AKI003",
        )
        yield from pair(
            "height of a sum",
            device,
            ((2, 32, 8), 4, ["conv 2 3 2", "sum"]),
            ((2, 33, 8), 4, ["conv 2 3 2", "sum"]),
            "AKI003",
        )
        yield from pair(
            "width of a sum",
            device,
            ((2, 8, 3), 4, ["conv 2 3 2", "sum"]),
            ((2, 8, 2), 4, ["conv 2 3 2", "sum"]),
            "AKI003",
        )
        yield from pair(
            "input of a sum",
            device,
            ((84, 32, 32), 4, ["conv 2 1 1", "sum"]),
            ((85, 32, 32), 4, ["conv 2 1 1", "sum"]),
            "AKI003",
        )
        inputs = 57334 if device == "akd1000" else 81920
        yield from pair(
            "inputs of a dense layer", device, ((inputs,), 1, ["fc 2 1"]), ((inputs + 1,), 1, ["fc 2 1"]), "AKI003"
        )
        large = ["fc 769 1", "act 1", "fc 371 1", "act 1", "fc 673 1", "act 1", "fc 414 1", "act 1", "fc 673 1"]
        fewest = 4 if device == "akd1000" else 1
        yield from pair(
            "large dense layers",
            device,
            ((299,), 1, large[: 2 * fewest - 1]),
            ((299,), 1, large[: 2 * fewest + 1]),
            "AKI008",
        )
        for channels, kernel, filters in ((1, 3, 512), (1, 5, 192), (1, 7, 96), (3, 3, 192), (3, 5, 64), (3, 7, 32)):
            shape = (channels, 16, 16)
            yield from pair(
                f"filters of the input block, {channels} channels, {kernel} x {kernel}",
                device,
                (shape, 8, [f"conv {filters} {kernel} 8", "act 1"]),
                (shape, 8, [f"conv {filters + 1} {kernel} 8", "act 1"]),
                "AKI003",
            )
        yield from pair(
            "channels of the input block",
            device,
            ((3, 16, 16), 8, ["conv 2 3 8", "act 1"]),
            ((2, 16, 16), 8, ["conv 2 3 8", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "kernel of the input block",
            device,
            (image, 8, ["conv 2 7 8", "act 1"]),
            (image, 8, ["conv 2 9 8", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "least kernel of the input block",
            device,
            (image, 8, ["conv 2 3 8", "act 1"]),
            (image, 8, ["conv 2 1 8", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "stride of the input block",
            device,
            (image, 8, ["conv 2 3 8 s3", "act 1"]),
            (image, 8, ["conv 2 5 8 s4", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "width of the input block",
            device,
            ((1, 8, 256), 8, ["conv 2 3 8", "act 1"]),
            ((1, 8, 257), 8, ["conv 2 3 8", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "size of the input block",
            device,
            ((1, 5, 5), 8, ["conv 2 3 8", "act 1"]),
            ((1, 4, 5), 8, ["conv 2 3 8", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "height of the input block",
            device,
            ((1, 7, 8), 8, ["conv 2 7 8", "act 1"]),
            ((1, 6, 8), 8, ["conv 2 7 8", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "columns without padding",
            device,
            ((1, 8, 7), 8, ["conv 2 5 8 s2 valid", "act 1"]),
            ((1, 8, 6), 8, ["conv 2 5 8 s2 valid", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "columns of a pool",
            device,
            ((1, 9, 7), 8, ["conv 2 3 8 s3", "pool 2 2", "act 1"]),
            ((1, 9, 6), 8, ["conv 2 3 8 s3", "pool 2 2", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "pools of the input block",
            device,
            (image, 8, ["conv 2 3 8", "pool 2 2", "act 1"]),
            (image, 8, ["conv 2 3 8", "pool 2 1", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "activation of the input block",
            device,
            (image, 8, ["conv 2 3 8", "act 1"]),
            (image, 8, ["conv 2 3 8"]),
            "AKI003",
        )
        yield from pair(
            "pool of the input block",
            device,
            (image, 8, ["conv 2 3 8", "pool 2 2", "act 1"]),
            (image, 8, ["conv 2 3 8", "pool 3 3", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "sum in the input block",
            device,
            (image, 8, ["conv 2 3 8", "act 1"]),
            (image, 8, ["conv 2 3 8", "sum", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "weights of the input block",
            device,
            (image, 8, ["conv 2 3 8", "act 1"]),
            (image, 8, ["zero 2 3 8", "act 1"]),
            "AKI003",
        )
        yield from pair(
            "threshold",
            device,
            ((4,), 4, ["fc 2 4", "act 4 524287"]),
            ((4,), 4, ["fc 2 4", "bias -1", "act 4 524287"]),
            "AKI004",
        )
    yield from pair(
        "filters of one channel",
        "akd1000",
        (((1, 8, 8)), 4, between("conv 16 3 2")),
        ((1, 8, 8), 4, between("conv 17 3 2")),
        "AKI003",
    )
    yield Limit("filters of one channel, other chip", "akd1500", (1, 8, 8), 4, tuple(between("conv 17 3 2")), True)
    image = (3, 16, 16)
    for k, pools in enumerate(("1 2 1 2", "2 1 2 1", "2 2 2 2", "1 2 1 1", "2 1 1 1", "3 1 3 1", "1 3 1 3")):
        layers = ("conv 4 3 8", f"pools {pools}", "act 4")
        yield Limit(f"pool {pools} of the input block", "akd1000", image, 8, layers, k < 3, "" if k < 3 else "AKI003")
    for strides in ("1 2", "2 1", "3 1", "2 3", "1 4"):
        fits = "4" not in strides
        layers = (f"wide 4 3 8 {strides}", "act 4")
        yield Limit(f"stride {strides} of the input block", "akd1500", image, 8, layers, fits, "" if fits else "AKI003")
    for layer in ("wide 4 3 2 1 2", "wide 4 3 2 2 1"):
        yield Limit(f"{layer} of a processor", "akd1000", (4, 8, 8), 4, (layer, "act 4"), False, "AKI003")
    for pools in ("1 2 1 2", "2 1 2 1"):
        layers = ("conv 4 3 2", f"pools {pools}", "act 4", "conv 2 1 1")
        yield Limit(f"pool {pools} of a processor", "akd1000", (4, 8, 8), 4, layers, False, "AKI003")
    for filters in (504, 505, 512, 513):
        for device in ("akd1000", "akd1500"):
            yield Limit(f"groups of {filters} filters", device, (2, 4, 4), 1, ("conv " + str(filters) + " 1 1",), True)
    for height, width in ((32, 8), (33, 8), (8, 256), (8, 257), (97, 8)):
        yield Limit(
            f"tiles of {height} x {width}", "akd1000", (2, height, width), 4, tuple(between("conv 4 3 4")), True
        )
    for channels in (42, 84, 85, 100):
        yield Limit(f"input of {channels} channels", "akd1000", (channels, 32, 32), 4, ("conv 2 3 1",), True)
    chain = [word for _ in range(77) for word in ("conv 2 1 1", "act 1")]
    yield from pair(
        "processors",
        "akd1000",
        ((2, 2, 2), 1, [*chain, "conv 2 1 1"]),
        ((2, 2, 2), 1, [*chain, "conv 2 1 1", "act 1", "conv 2 1 1"]),
        "AKI008",
    )
    dense = [word for _ in range(23) for word in ("fc 8 1", "act 1")]
    yield Limit("dense layers with weights inside", "akd1000", (8,), 1, tuple(dense[:35]), True)
    yield from pair("dense layers", "akd1000", ((8,), 1, dense[:43]), ((8,), 1, dense[:45]), "AKI008")
    yield Limit("two dense layers", "two_nodes_v1", (8,), 1, tuple(dense[:3]), True)


LIMITS = tuple(limits())
