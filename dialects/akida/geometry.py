"""Geometry of layers that the blocks of a device compute: kernels, strides, pools, paddings, sizes of maps, and bits.

A device states its numbers among its features; an absent number limits nothing.
"""

from __future__ import annotations

from typing import NoReturn, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from ...core.device.limits import OTHER_DEVICE
from ...core.device.records import Device
from ...core.diagnostics import Code, choices_text, invalid
from ...core.fixed_point import Interval
from ...core.help_text import Passes, Phrase
from ...core.ir.pipeline import option_text
from ..ntensor import ApproximationAttr
from .layer_bases import LayerBase, WindowBase
from .layers import (
    ConvolutionalOp,
    FullyConnectedOp,
    InputConvolutionalOp,
    LayerOp,
    SeparableConvolutionalOp,
    WindowLayerOp,
)
from .parts import IMAGE_CHANNELS, SAME, VALID, feature
from .tiles import input_bytes

AKI003 = Code("AKI003", "layer-geometry-unsupported", "a layer has a geometry that the device does not compute")
AKI004 = Code("AKI004", "layer-bits-unsupported", "a layer has bits that the device does not have")

SMALLER_KERNELS = "replace the layer by several with smaller kernels"
PADDED = "pad the convolution so that the size of its map is kept"
DISCRETISE = "convert-nir-to-ntensor"
ENCODE_RATES = "ntensor-encode-rates"
EXPAND_SYNAPSES = "ntensor-expand-synapses"
RELAY_MAX_POOLS = "ntensor-relay-max-pools"
QUANTIZE_INPUTS, QUANTIZE_WEIGHTS = "ntensor-quantize-inputs", "ntensor-quantize-weights"
IMAGE = Phrase(Passes(f"{QUANTIZE_INPUTS}{{kind=count bits=8}}"))
UNDIVIDED = "a sum of a whole map cannot be divided into tiles"
SMALL_IMAGE, PAD_IMAGE = "the image is smaller than the block reads", "pad the image"
SPLIT = "split the layer into several, or make its map smaller by a stride or pool before it"


# ---- refusals


def refuse_geometry(
    layer: LayerBase, device: Device, name: str, message: str, expected: str, found: str, help: str, code: Code = AKI003
) -> NoReturn:
    """Refuses a property of a layer beyond a number of the device. Errors: AKI003, or the given code.

    `name`: among the features of the device, or the path of a field. `help`: passes, or advice for the author of the network.
    """
    path = name if "." in name else f"features.{name}"
    notes = () if isinstance(help, Phrase) else (help,)
    if isinstance(layer, WindowBase) and layer.pool is None and not layer.is_summed and code is AKI003:
        help = with_matrix(layer, help)
    if name in ("pooled_last", "cnp_pool") and ENCODE_RATES in steps_of(layer):
        help = Phrase(Passes(f"{RELAY_MAX_POOLS}{{size={feature(device, 'cnp_pool')}}}"))
    invalid(
        layer,
        code,
        message,
        expected=expected,
        found=found,
        **device.limit_facts(path, limit=device.integer(path)),
        help=help if isinstance(help, Phrase) else OTHER_DEVICE,
        notes=notes,
    )


def with_matrix(layer: WindowBase, help: str) -> str:
    """Returns a help with the matrix of a convolution as another remedy, if the layer comes from a network of spikes."""
    if ENCODE_RATES not in steps_of(layer):
        return help
    alternatives = (*help.parts, ", or ") if isinstance(help, Phrase) else ()
    return Phrase(*alternatives, Passes(f"{EXPAND_SYNAPSES}{{nodes={option_text(layer.node.data)}}}"))


def steps_of(layer: LayerBase) -> set[str]:
    """Returns the names of the passes that approximated the network of a layer."""
    return {record.step.data.partition("{")[0] for record in records_of(layer)}


def records_of(layer: LayerBase) -> list[ApproximationAttr]:
    """Returns the approximations of the network of a layer."""
    model = layer.parent_op()
    records = model.properties.get("approximations") if model is not None else None
    listed = cast("ListAttr[Attribute]", records) if isinstance(records, ListAttr) else ()
    return [record for record in listed if isinstance(record, ApproximationAttr)]


def verify_most(
    layer: LayerBase, device: Device, name: str, value: int, message: str, expected: str, help: str, found: str = ""
) -> None:
    """Refuses a value above a number of the device, which stands for `{}` in `expected`. Errors: AKI003."""
    if above(device, name, value):
        text = expected.format(feature(device, name))
        refuse_geometry(layer, device, name, message, text, found or str(value), help)


def above(device: Device, name: str, value: int) -> bool:
    """Returns whether a value exceeds a number of the device."""
    limit = feature(device, name)
    return limit is not None and value > limit


def below(device: Device, name: str, value: int) -> bool:
    limit = feature(device, name)
    return limit is not None and value < limit


def is_changed_by(layer: LayerBase, node: str, step: str) -> bool:
    """Returns whether a pass changes a node of the network: it did before, or the network is from a file of reals."""
    return any(
        (name := record.step.data.partition("{")[0]) == DISCRETISE
        or (name == step and any(touched.data == node for touched in record.touched))
        for record in records_of(layer)
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


# ---- both instruction sets


def verify_square(layer: WindowBase, device: Device, largest: str, least: str) -> None:
    """Refuses kernels, strides and pools that differ along both axes, and kernels out of range."""
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
        refuse_geometry(layer, device, largest, message, expected, times(kernel), SMALLER_KERNELS)
    for what, name, size in (
        ("stride", "hrc_square_strides" if is_image else "equal_strides", layer.stride),
        *(("pool", "hrc_square_pools" if is_image else "equal_pools", size) for size in layer.pool or ()),
    ):
        if size[0] != size[1] and feature(device, name):
            message, help = f"the {what} differs along both axes", f"make the {what} equal"
            refuse_geometry(layer, device, name, message, "equal along both axes", times(size), help)


def verify_pool(layer: WindowBase, device: Device, limit: str) -> None:
    if (pool := layer.pool) is None:
        return
    help = "pool by 2 x 2, or compile for a device with larger pools"
    message = "the pool is larger than the device computes"
    verify_most(layer, device, limit, max(pool[0]), message, "at most {0} x {0}", help, times(pool[0]))
    if max(pool[0]) > min(layer.shape[:2]):
        message, expected = "the pool is larger than the input", f"at most the input of {times(layer.shape[:2])}"
        refuse_geometry(layer, device, limit, message, expected, times(pool[0]), "remove the pool")


def verify_stride(layer: WindowBase, device: Device, name: str, help: str) -> None:
    message = "the stride is larger than the device computes"
    verify_most(layer, device, name, max(layer.stride), message, "at most {}", help, times(layer.stride))


def verify_window(layer: WindowBase, device: Device, *, has_one_kernel: bool) -> None:
    """Refuses a stride, a padding, channels or a pool of a convolution of a map. `has_one_kernel`: whether a stride requires one size of kernels."""
    verify_stride(layer, device, "cnp_stride", "use a stride of 2, or a pool")
    strided, kernel = feature(device, "cnp_strided_kernel"), layer.kernel[0]
    if max(layer.stride) > 1 and strided is not None and (kernel > strided or (has_one_kernel and kernel != strided)):
        size = times((strided, strided))
        other, most = ("another", "") if has_one_kernel else ("a smaller", "at most ")
        message, help = f"a stride requires {other} kernel", f"use a kernel of {size}"
        refuse_geometry(
            layer, device, "cnp_strided_kernel", message, f"a kernel of {most}{size}", times(layer.kernel), help
        )
    if layer.padding.data != SAME and feature(device, "cnp_same_padding"):
        message, expected, help = "a processor pads every map", f"padding {SAME}", padding_help(layer)
        refuse_geometry(layer, device, "cnp_same_padding", message, expected, layer.padding.data, help)
    message, help = "a layer reads more channels than a processor", "give the layer before fewer filters"
    verify_most(layer, device, "cnp_channels", layer.shape[2], message, "at most {} channels", help)
    verify_pool(layer, device, "cnp_pool")


def verify_pooled_last(layer: WindowBase, device: Device, after: LayerBase | None, help: str) -> None:
    """Refuses a max pool that no convolution follows."""
    if layer.pool is not None and not isinstance(after, WindowBase) and feature(device, "pooled_last") == 0:
        message = "a layer with max pooling is not followed by a convolution"
        found = "no layer" if after is None else f"{after.TYPE} after it"
        refuse_geometry(layer, device, "pooled_last", message, "a convolution after it", found, help)


def verify_summed_height(layer: WindowBase, device: Device) -> None:
    """Refuses a sum of a map that is higher than a tile."""
    verify_most(layer, device, "cnp_height", layer.shape[0], UNDIVIDED, "a height of at most {}", SPLIT)


def verify_image_size(layer: WindowBase, device: Device, filters: str) -> None:
    """Refuses filters and sizes of an image that the block of the input convolution does not compute. `filters`: the feature that limits filters."""
    message, help = "the input convolution has more filters than the block holds", "give the first layer fewer filters"
    verify_most(layer, device, filters, layer.filters, message, "at most {} filters", help)
    height, width, _ = layer.shape
    message = "the image is wider than a line of the block"
    help = "scale the image down, or exchange height and width"
    verify_most(layer, device, "hrc_width", width, message, "a width of at most {}", help)
    if below(device, "hrc_least_size", min(height, width)):
        expected = f"at least {feature(device, 'hrc_least_size')} along each axis"
        refuse_geometry(layer, device, "hrc_least_size", SMALL_IMAGE, expected, times((height, width)), PAD_IMAGE)


def verify_image_result(layer: WindowBase, device: Device) -> None:
    """Refuses potentials and sums of a map, which the block of the input convolution does not compute."""
    if layer.act_bits is None and feature(device, "hrc_activation"):
        message, help = "the input block has no activation", "add an activation, or another layer after it"
        expected = f"an activation of {choices_text(layer.ACT_BITS)} bits"
        refuse_geometry(layer, device, "hrc_activation", message, expected, "potentials", help)
    if layer.is_summed:
        message, help = (
            "the block of the input convolution does not add a whole map",
            "add a convolution before the sum",
        )
        refuse_geometry(layer, device, "hrc_pool", message, "max pooling or none", "average", help)


# ---- layers of version 1


def verify_geometry(layer: LayerBase, bits: int, device: Device, after: LayerBase | None) -> None:
    """Refuses the first property of a layer that the device does not compute. `bits`: of the input; `after`: the next layer. Errors: AKI003, AKI004."""
    match layer:
        case FullyConnectedOp():
            verify_dense(layer, device)
        case InputConvolutionalOp():
            verify_image(layer, device)
        case _:
            assert isinstance(layer, WindowLayerOp)
            verify_map(layer, bits, device, after)
    assert isinstance(layer, LayerOp)
    verify_activation(layer, device)


def verify_activation(layer: LayerOp, device: Device) -> None:
    """Refuses thresholds and steps that the registers of the device do not hold, and weights that are all 0."""
    bits = feature(device, "threshold_bits")
    if layer.threshold is not None and bits is not None:
        values, register = (
            Interval(int(layer.threshold.data.least()), int(layer.threshold.data.greatest())),
            Interval.signed(bits),
        )
        if not register.holds(values):
            message, help = "thresholds exceed their register", "make weights or bias smaller"
            expected, found = f"{register}: {bits} bits", f"{values.low} to {values.high}"
            refuse_geometry(layer, device, "threshold_bits", message, expected, found, help, AKI004)
    if layer.act_step is not None:
        steps = layer.act_step.values
        least, most = (device.number(f"features.{name}") for name in ("least_act_step", "most_act_step"))
        for name, is_beyond, found in (
            ("least_act_step", least is not None and steps.min() < least, steps.min()),
            ("most_act_step", most is not None and steps.max() >= most + 1, steps.max()),
        ):
            if is_beyond:
                expected = f"{least} to below {int(most or 0) + 1}"
                message = "steps exceed their register"
                help = "scale the weights of the layer, and its threshold and step with them"
                refuse_geometry(layer, device, name, message, expected, f"{found:g}", help, AKI004)
    is_plain = not isinstance(layer, InputConvolutionalOp | SeparableConvolutionalOp)
    if not is_plain and feature(device, "nonzero_weights") and not any(map(np.any, layer.stored_weights().values())):
        message, expected = "all weights of a layer are 0", "a weight that is not 0"
        refuse_geometry(layer, device, "nonzero_weights", message, expected, "0", "remove the layer")


def verify_dense(layer: FullyConnectedOp, device: Device) -> None:
    verify_bits(layer, device, "dense_bits")
    message = "a dense layer has more inputs than a processor reads"
    help = "pool the map before the layer, or compile for a device with more inputs"
    verify_most(layer, device, "dense_inputs", layer.inputs, message, "at most {} inputs", help)


def verify_bits(layer: LayerBase, device: Device, name: str) -> None:
    """Refuses weights with more bits than a processor has. Errors: AKI004."""
    if not above(device, name, layer.bits):
        return
    limit = feature(device, name)
    expected, found, help = f"at most {limit} bits", f"{layer.bits} bits", f"use weights of {limit} bits"
    if is_changed_by(layer, layer.node.data, QUANTIZE_WEIGHTS):
        help = Phrase(Passes(f"{QUANTIZE_WEIGHTS}{{bits={limit} per=neuron}}"))
    message = "the weights have more bits than a processor has"
    refuse_geometry(layer, device, name, message, expected, found, help, AKI004)


def verify_image(layer: InputConvolutionalOp, device: Device) -> None:
    """Refuses an input convolution that its hardware block does not support."""
    height, _, channels = layer.shape
    verify_square(layer, device, "hrc_kernel", "hrc_least_kernel")
    verify_stride(layer, device, "hrc_stride", "use a smaller stride, then a pool")
    name = f"hrc_filters_{channels}_{layer.kernel[0]}"
    known = {int(key.split("_")[2]) for key in device.features if key.startswith("hrc_filters_")}
    if name not in device.features and known:
        message = "the input has a number of channels that the block does not read"
        expected = " or ".join(map(str, sorted(known))) + " channels"
        help = "give the input convolution an image with one or three channels"
        refuse_geometry(layer, device, "hrc_channels", message, expected, str(channels), help)
    verify_image_size(layer, device, name)
    if feature(device, "hrc_least_size") is not None and height < layer.kernel[0]:
        expected = f"a height of at least {layer.kernel[0]}, that of the kernel"
        refuse_geometry(layer, device, "hrc_least_size", SMALL_IMAGE, expected, str(height), PAD_IMAGE)
    verify_pool(layer, device, "hrc_pool")
    columns = layer.convolved_shape[1] if layer.padding.data == VALID else None
    if layer.pool is not None:
        columns = min(layer.output_shape[1], columns or layer.output_shape[1])
        if layer.pool[0] != layer.pool[1] and feature(device, "hrc_equal_pools"):
            expected, found = f"a stride of {times(layer.pool[0])}, that of the pool", times(layer.pool[1])
            message, help = "pools of the input block overlap", "make the stride of the pool equal to its size"
            refuse_geometry(layer, device, "hrc_equal_pools", message, expected, found, help)
    if columns is not None and below(device, "hrc_least_columns", columns):
        message = "the result of the input block is too narrow"
        expected = f"at least {feature(device, 'hrc_least_columns')} columns of the result"
        help = "use a smaller stride, or an image with more columns"
        refuse_geometry(layer, device, "hrc_least_columns", message, expected, str(columns), help)
    verify_image_result(layer, device)


def verify_map(layer: WindowLayerOp, bits: int, device: Device, after: LayerBase | None) -> None:
    """Refuses a convolution of a map that a processor does not support."""
    is_separable = isinstance(layer, SeparableConvolutionalOp)
    verify_square(layer, device, "cnp_kernel", "separable_least_kernel" if is_separable else "cnp_least_kernel")
    verify_bits(layer, device, "cnp_bits")
    name = "separable_least_bits"
    if is_separable and below(device, name, layer.bits):
        message, help = "separable weights have too few bits", "store the weights with 2 bits"
        expected = f"at least {feature(device, name)} bits"
        refuse_geometry(layer, device, name, message, expected, f"{layer.bits}", help, AKI004)
    verify_window(layer, device, has_one_kernel=True)
    help = "pool by a stride, by a sum of the whole map, or before another convolution"
    verify_pooled_last(layer, device, after, help)
    if layer.is_summed:
        verify_sum(layer, bits, device)


def verify_sum(layer: WindowLayerOp, bits: int, device: Device) -> None:
    """Refuses sums of whole maps that a processor does not compute."""
    height, width, channels = layer.shape
    verify_summed_height(layer, device)
    if below(device, "summed_least_width", layer.convolved_shape[1]):
        expected = f"a width of at least {feature(device, 'summed_least_width')}"
        message, found = "the map of a sum is too narrow", str(layer.convolved_shape[1])
        refuse_geometry(layer, device, "summed_least_width", message, expected, found, "use a dense layer")
    path = "core.memory.input.bytes"
    room = device.integer(path)
    if room is not None and (used := input_bytes(height, width, channels, bits)) > room:
        refuse_geometry(layer, device, path, UNDIVIDED, f"an input of at most {room} bytes", f"{used} bytes", SPLIT)


def verify_tiles(layer: LayerBase, tiles: int, device: Device) -> None:
    """Refuses pools that a processor does not compute on a map in several tiles. Errors: AKI003."""
    if tiles < 2 or not isinstance(layer, WindowLayerOp) or (pool := layer.pool) is None:
        return
    expected, found = "a map in one tile", f"{tiles} tiles"
    if pool[0][0] > pool[1][0]:
        message = "a pool whose windows overlap needs the whole map on one processor"
        help = "make the stride of the pool equal to its size"
        refuse_geometry(layer, device, "overlapping_tiles", message, expected, found, help)
    if isinstance(layer, ConvolutionalOp) and max(layer.stride) > 1:
        message = "a convolution with a stride and a pool needs the whole map on one processor"
        help = "use the stride or the pool alone"
        refuse_geometry(layer, device, "strided_pool_tiles", message, expected, found, help)
