"""Geometry of layers that the blocks of a device compute: kernels, strides, pools, paddings, sizes of maps, and bits.

A device states its numbers among its features; an absent number limits nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from ...core.device.limits import OTHER_DEVICE
from ...core.device.records import Device
from ...core.diagnostics import Code, invalid
from ...core.fixed_point import Interval
from ...core.help_text import Passes, Phrase
from ..ntensor import ApproximationAttr
from ._parts import feature
from .layer_bases import IMAGE_CHANNELS, LayerBase, WindowBase
from .layers import (
    SAME,
    VALID,
    ConvolutionalOp,
    FullyConnectedOp,
    InputConvolutionalOp,
    LayerOp,
    SeparableConvolutionalOp,
    WindowLayerOp,
)
from .tiles import input_bytes

AKI003 = Code("AKI003", "layer-geometry-unsupported", "a layer has a geometry that the device does not compute")
AKI004 = Code("AKI004", "layer-bits-unsupported", "a layer has bits that the device does not have")

SMALLER_KERNELS = "replace the layer by several with smaller kernels"
PADDED = "pad the convolution so that the size of its map is kept"
DISCRETISE = "convert-nir-to-ntensor"
QUANTIZE_INPUTS, QUANTIZE_WEIGHTS = "ntensor-quantize-inputs", "ntensor-quantize-weights"
IMAGE = Phrase(Passes(f"{QUANTIZE_INPUTS}{{kind=count bits=8}}"))
SPLIT = "split the layer into several, or make its map smaller by a stride or pool before it"


@frozen
class Violation:
    """A property of a layer beyond a number of the device."""

    message: str
    feature: str
    """The name among the features of the device, or the path of a field."""
    expected: str
    found: str
    help: str
    """Passes that remove the violation, or advice for the author of the network."""
    code: Code = AKI003

    def refuse(self, layer: LayerBase, device: Device) -> None:
        path = self.feature if "." in self.feature else f"features.{self.feature}"
        has_passes = isinstance(self.help, Phrase)
        invalid(
            layer,
            self.code,
            self.message,
            expected=self.expected,
            found=self.found,
            **device.limit_facts(path, limit=device.whole(path)),
            help=self.help if has_passes else OTHER_DEVICE,
            notes=() if has_passes else (self.help,),
        )


def is_changed_by(layer: LayerBase, node: str, step: str) -> bool:
    """Returns whether a pass changes a node of the network: it did before, or the network is from a file of reals."""
    model = layer.parent_op()
    records = model.properties.get("approximations") if model is not None else None
    if not isinstance(records, ListAttr):
        return False
    return any(
        (name := one.step.data.partition("{")[0]) == DISCRETISE
        or (name == step and any(touched.data == node for touched in one.touched))
        for one in cast("ListAttr[Attribute]", records)
        if isinstance(one, ApproximationAttr)
    )


def padding_help(layer: WindowBase) -> str:
    """Returns the passes that make an input convolution, which needs no padding, of the first layer; else advice."""
    data = layer.prev_op
    node = data.properties.get("node") if data is not None and not isinstance(data, LayerBase) else None
    is_image = layer.shape[2] in IMAGE_CHANNELS
    if is_image and isinstance(node, StringAttr) and is_changed_by(layer, node.data, QUANTIZE_INPUTS):
        return IMAGE
    return PADDED


def times(pair: tuple[int, int]) -> str:
    return f"{pair[0]} x {pair[1]}"


def verify_geometry(layer: LayerBase, bits: int, device: Device, after: LayerBase | None) -> None:
    """Refuses the first property of a layer that the device does not compute. `bits`: of the input; `after`: the next layer. Errors: AKI003, AKI004."""
    match layer:
        case FullyConnectedOp():
            found = dense_violations(layer, device)
        case InputConvolutionalOp():
            found = image_violations(layer, device)
        case _:
            assert isinstance(layer, WindowLayerOp)
            found = map_violations(layer, bits, device, after)
    assert isinstance(layer, LayerOp)
    for violation in (*found, *activation_violations(layer, device)):
        violation.refuse(layer, device)


def above(device: Device, name: str, value: int) -> bool:
    """Returns whether a value exceeds a number of the device."""
    limit = feature(device, name)
    return limit is not None and value > limit


def below(device: Device, name: str, value: int) -> bool:
    limit = feature(device, name)
    return limit is not None and value < limit


def activation_violations(layer: LayerOp, device: Device) -> Iterator[Violation]:
    """Yields thresholds and steps that the registers of the device do not hold, and weights that are all 0."""
    bits = feature(device, "threshold_bits")
    if layer.threshold is not None and bits is not None:
        low, high = int(layer.threshold.data.least()), int(layer.threshold.data.greatest())
        held = Interval.signed(bits)
        if not held.holds(Interval(low, high)):
            message = "thresholds exceed their register"
            help = "make weights or bias smaller"
            yield Violation(message, "threshold_bits", f"{held}: {bits} bits", f"{low} to {high}", help, AKI004)
    if layer.act_step is not None:
        steps = layer.act_step.values
        least, most = (device.number(f"features.{name}") for name in ("least_act_step", "most_act_step"))
        for name, is_beyond, found in (
            ("least_act_step", least is not None and steps.min() < least, steps.min()),
            ("most_act_step", most is not None and steps.max() >= most + 1, steps.max()),
        ):
            if is_beyond:
                expected = f"{least} to below {int(most or 0) + 1}"
                help = "scale the weights of the layer, and its threshold and step with them"
                yield Violation("steps exceed their register", name, expected, f"{found:g}", help, AKI004)
    is_plain = not isinstance(layer, InputConvolutionalOp | SeparableConvolutionalOp)
    if not is_plain and feature(device, "nonzero_weights") and not any(map(np.any, layer.stored_weights().values())):
        yield Violation(
            "all weights of a layer are 0", "nonzero_weights", "a weight that is not 0", "0", "remove the layer"
        )


def dense_violations(layer: FullyConnectedOp, device: Device) -> Iterator[Violation]:
    if above(device, "dense_bits", layer.bits):
        yield wide_weights("dense_bits", layer, device)
    if above(device, "dense_inputs", layer.inputs):
        limit = feature(device, "dense_inputs")
        message = "a dense layer has more inputs than a processor reads"
        help = "pool the map before the layer, or compile for a device with more inputs"
        yield Violation(message, "dense_inputs", f"at most {limit} inputs", str(layer.inputs), help)


def wide_weights(name: str, layer: LayerBase, device: Device) -> Violation:
    limit = feature(device, name)
    expected, found, help = f"at most {limit} bits", f"{layer.bits} bits", f"use weights of {limit} bits"
    if is_changed_by(layer, layer.node.data, QUANTIZE_WEIGHTS):
        help = Phrase(Passes(f"{QUANTIZE_WEIGHTS}{{bits={limit} per=neuron}}"))
    return Violation("the weights have more bits than a processor has", name, expected, found, help, AKI004)


def square_violations(layer: WindowBase, largest: str, least: str, device: Device) -> Iterator[Violation]:
    """Yields kernels, strides and pools that differ along both axes, and kernels out of range."""
    kernel, is_image = layer.kernel, layer.is_image
    even = feature(device, "hrc_even_kernel") if is_image else None
    if (
        kernel[0] != kernel[1]
        or (kernel[0] % 2 == 0 and kernel[0] != even)
        or above(device, largest, kernel[0])
        or below(device, least, kernel[0])
    ):
        odd = f"square, odd, {feature(device, least) or 1} to {feature(device, largest) or 'any size'}"
        expected = odd if even is None else f"{odd}, or {times((even, even))}"
        message = "the kernel has a size that the device does not compute"
        yield Violation(message, largest, expected, times(kernel), SMALLER_KERNELS)
    for what, name, given in (
        ("stride", "hrc_square_strides" if is_image else "equal_strides", layer.stride),
        *(("pool", "hrc_square_pools" if is_image else "equal_pools", one) for one in layer.pool or ()),
    ):
        if given[0] != given[1] and feature(device, name):
            message = f"the {what} differs along both axes"
            yield Violation(message, name, "equal along both axes", times(given), f"make the {what} equal")


def pool_violations(layer: WindowBase, limit: str, device: Device) -> Iterator[Violation]:
    if (pool := layer.pool) is None:
        return
    if above(device, limit, max(pool[0])):
        expected = f"at most {feature(device, limit)} x {feature(device, limit)}"
        help = "pool by 2 x 2, or compile for a device with larger pools"
        yield Violation("the pool is larger than the device computes", limit, expected, times(pool[0]), help)
    if max(pool[0]) > min(layer.shape[:2]):
        expected = f"at most the input of {times(layer.shape[:2])}"
        yield Violation("the pool is larger than the input", limit, expected, times(pool[0]), "remove the pool")


def image_violations(layer: InputConvolutionalOp, device: Device) -> Iterator[Violation]:
    """Yields what the block of the input convolution does not compute."""
    height, _, channels = layer.shape
    yield from square_violations(layer, "hrc_kernel", "hrc_least_kernel", device)
    if above(device, "hrc_stride", max(layer.stride)):
        expected = f"at most {feature(device, 'hrc_stride')}"
        yield Violation(
            "the stride is larger than the device computes",
            "hrc_stride",
            expected,
            times(layer.stride),
            "use a smaller stride, then a pool",
        )
    name = f"hrc_filters_{channels}_{layer.kernel[0]}"
    if name not in device.features and any(one.startswith("hrc_filters_") for one in device.features):
        known = sorted({int(one.split("_")[2]) for one in device.features if one.startswith("hrc_filters_")})
        expected = " or ".join(map(str, known)) + " channels"
        help = "give the input convolution an image with one or three channels"
        yield Violation(
            "the input has a number of channels that the block does not read",
            "hrc_channels",
            expected,
            str(channels),
            help,
        )
    if above(device, name, layer.filters):
        expected = f"at most {feature(device, name)} filters"
        yield Violation(
            "the input convolution has more filters than the block holds",
            name,
            expected,
            str(layer.filters),
            "give the first layer fewer filters",
        )
    yield from size_violations(layer, device)
    if feature(device, "hrc_least_size") is not None and height < layer.kernel[0]:
        expected = f"a height of at least {layer.kernel[0]}, that of the kernel"
        yield Violation(
            "the image is smaller than the block reads", "hrc_least_size", expected, str(height), "pad the image"
        )
    yield from pool_violations(layer, "hrc_pool", device)
    columns = layer.convolved_shape[1] if layer.padding.data == VALID else None
    if layer.pool is not None:
        columns = min(layer.output_shape[1], columns or layer.output_shape[1])
        if layer.pool[0] != layer.pool[1] and feature(device, "hrc_equal_pools"):
            expected, found = f"a stride of {times(layer.pool[0])}, that of the pool", times(layer.pool[1])
            message, help = "pools of the input block overlap", "make the stride of the pool equal to its size"
            yield Violation(message, "hrc_equal_pools", expected, found, help)
    if columns is not None and below(device, "hrc_least_columns", columns):
        expected = f"at least {feature(device, 'hrc_least_columns')} columns of the result"
        help = "use a smaller stride, or an image with more columns"
        yield Violation(
            "the result of the input block is too narrow", "hrc_least_columns", expected, str(columns), help
        )
    if layer.act_bits is None and feature(device, "hrc_activation"):
        message, help = "the input block has no activation", "add an activation, or another layer after it"
        yield Violation(message, "hrc_activation", "an activation of 1, 2 or 4 bits", "potentials", help)
    if layer.is_summed:
        message = "the block of the input convolution does not add a whole map"
        yield Violation(message, "hrc_pool", "max pooling or none", "average", "add a convolution before the sum")


def size_violations(layer: WindowBase, device: Device) -> Iterator[Violation]:
    """Yields sizes of an image that the block of the input convolution does not read."""
    height, width, _ = layer.shape
    if above(device, "hrc_width", width):
        message, help = (
            "the image is wider than a line of the block",
            "scale the image down, or exchange height and width",
        )
        expected = f"a width of at most {feature(device, 'hrc_width')}"
        yield Violation(message, "hrc_width", expected, str(width), help)
    if below(device, "hrc_least_size", min(height, width)):
        message, expected = (
            "the image is smaller than the block reads",
            f"at least {feature(device, 'hrc_least_size')} along each axis",
        )
        yield Violation(message, "hrc_least_size", expected, times((height, width)), "pad the image")


def map_violations(layer: WindowLayerOp, bits: int, device: Device, after: LayerBase | None) -> Iterator[Violation]:
    """Yields what a processor does not compute of a convolution of a map."""
    channels = layer.shape[2]
    separable = isinstance(layer, SeparableConvolutionalOp)
    least = "separable_least_kernel" if separable else "cnp_least_kernel"
    yield from square_violations(layer, "cnp_kernel", least, device)
    if above(device, "cnp_bits", layer.bits):
        yield wide_weights("cnp_bits", layer, device)
    if separable and below(device, "separable_least_bits", layer.bits):
        expected = f"at least {feature(device, 'separable_least_bits')} bits"
        yield Violation(
            "separable weights have too few bits",
            "separable_least_bits",
            expected,
            f"{layer.bits}",
            "store the weights with 2 bits",
            AKI004,
        )
    if above(device, "cnp_stride", max(layer.stride)):
        expected = f"at most {feature(device, 'cnp_stride')}"
        yield Violation(
            "the stride is larger than the device computes",
            "cnp_stride",
            expected,
            times(layer.stride),
            "use a stride of 2, or a pool",
        )
    strided = feature(device, "cnp_strided_kernel")
    if max(layer.stride) > 1 and strided is not None and layer.kernel[0] != strided:
        expected = f"a kernel of {strided} x {strided}"
        yield Violation(
            "a stride requires another kernel",
            "cnp_strided_kernel",
            expected,
            times(layer.kernel),
            f"use a kernel of {strided} x {strided}",
        )
    if layer.padding.data != SAME and feature(device, "cnp_same_padding"):
        yield Violation(
            "a processor pads every map",
            "cnp_same_padding",
            f"padding {SAME}",
            layer.padding.data,
            padding_help(layer),
        )
    if above(device, "cnp_channels", channels):
        expected = f"at most {feature(device, 'cnp_channels')} channels"
        yield Violation(
            "a layer reads more channels than a processor",
            "cnp_channels",
            expected,
            str(channels),
            "give the layer before fewer filters",
        )
    yield from pool_violations(layer, "cnp_pool", device)
    if layer.pool is not None and not isinstance(after, WindowLayerOp) and feature(device, "pooled_last") == 0:
        message = "a layer with max pooling is not followed by a convolution"
        found = "no layer" if after is None else f"{after.TYPE} after it"
        help = "pool by a stride, by a sum of the whole map, or before another convolution"
        yield Violation(message, "pooled_last", "a convolution after it", found, help)
    if layer.is_summed:
        yield from sum_violations(layer, bits, device)


def sum_violations(layer: WindowLayerOp, bits: int, device: Device) -> Iterator[Violation]:
    """Yields sums of whole maps that a processor does not compute."""
    height, width, channels = layer.shape
    if above(device, "cnp_height", height):
        expected = f"a height of at most {feature(device, 'cnp_height')}"
        yield Violation("a sum of a whole map cannot be divided into tiles", "cnp_height", expected, str(height), SPLIT)
    if below(device, "summed_least_width", layer.convolved_shape[1]):
        expected = f"a width of at least {feature(device, 'summed_least_width')}"
        found = str(layer.convolved_shape[1])
        yield Violation("the map of a sum is too narrow", "summed_least_width", expected, found, "use a dense layer")
    room = device.whole("core.memory.input.bytes")
    if room is not None and (used := input_bytes(height, width, channels, bits)) > room:
        message = "a sum of a whole map cannot be divided into tiles"
        yield Violation(message, "core.memory.input.bytes", f"an input of at most {room} bytes", f"{used} bytes", SPLIT)


def verify_tiles(layer: LayerBase, tiles: int, device: Device) -> None:
    """Refuses pools that a processor does not compute on a map in several tiles. Errors: AKI003."""
    if tiles < 2 or not isinstance(layer, WindowLayerOp) or (pool := layer.pool) is None:
        return
    expected, found = "a map in one tile", f"{tiles} tiles"
    if pool[0][0] > pool[1][0]:
        message = "a pool whose windows overlap needs the whole map on one processor"
        Violation(
            message, "overlapping_tiles", expected, found, "make the stride of the pool equal to its size"
        ).refuse(layer, device)
    if isinstance(layer, ConvolutionalOp) and max(layer.stride) > 1:
        message = "a convolution with a stride and a pool needs the whole map on one processor"
        Violation(message, "strided_pool_tiles", expected, found, "use the stride or the pool alone").refuse(
            layer, device
        )
