"""Assigns the layers of a model to neural processors (NPs), as the vendor's mapper does with the fewest processors.

1. Layers are placed in their order; the input convolution is on its own block.
2. A layer with a window is divided into tiles of its input and groups of filters (`dialects/akida/tiles.py`). Each part takes an NP.
3. A dense layer takes one NP: with its weights in the NP (FNP3) if they fit and one is free, else in external memory (FNP2).
4. `processors.py` chooses the NPs, and starts another pass where they are missing.

Errors: AKI003, AKI004 a layer that no processor computes; AKI006 weights of one filter that exceed the memory; AKI008 too few processors.
Remarks: AKI011 several passes. Warnings: AKI012 many passes. Source: observed on the mapper of BrainChip akida 2.19.3, `MapMode.Minimal`.
"""

from __future__ import annotations

from collections import Counter

from xdsl.dialects.builtin import IntegerAttr, i64

from ...core.device.limits import OTHER_DEVICE
from ...core.device.records import Device
from ...core.diagnostics import Code, Diagnostics, InvalidOp, Refused
from ...dialects.akida import ConvolutionalOp
from ...dialects.akida.geometry import AKI003
from ...dialects.akida.layer_bases import LayerBase, WindowBase
from ...dialects.akida.model_base import ModelBase
from ...dialects.akida.parts import CNP1, FNP2, FNP3, HRC, feature
from ...dialects.akida.processors import AKI006
from ...dialects.akida.tiles import Spans, TileLimits, choose_tiles, split_filters
from ..network_conversion import refuse_layers
from .processors import Processors

AKI011 = Code("AKI011", "layers-need-several-passes", "the layers take several passes over the processors")
AKI012 = Code("AKI012", "vendor-mapper-may-refuse", "the vendor's mapper may refuse the model for its passes")

PASSES_NOTE = "the chip loads the weights of each pass again for each frame, from memory outside of its processors, and a frame ends before the next one starts"
"""The consequence of several passes, from the source of the driver in the package akida 2.19.3 (`engine`)."""
PASS_DESCRIPTORS = 2
"""Descriptors of a pass in addition to those of its layers."""
LayerPart = tuple[tuple[int, int], tuple[int, int, int, int]]
"""Filters and tile of a part."""


def place_layers(model: ModelBase, device: Device, diagnostics: Diagnostics) -> None:
    """Adds the processors of every layer. Remarks: AKI011."""
    processors = Processors(device)
    layers = model.layers
    for layer, bits, after in zip(layers, model.input_bits(), [*layers[1:], None], strict=True):
        try:
            model.verify_layer(layer, bits, device, after)
            function, parts = parts_of(model, layer, bits, device)
            model.verify_tiles(layer, len({tile for _, tile in parts}), device)
        except InvalidOp as refusal:
            raise Refused(refusal.finding.located(node=layer.source.data)) from refusal
        if function == HRC:
            layer.body.block.add_op(model.NP(HRC, (0, 0, 0), *parts[0], (0, 0, 0)))
            continue
        function, idents = processors.take(layer, function, len(parts))
        if processors.number:
            layer.pass_number = IntegerAttr(processors.number, i64)
        for ident, (filters, tile) in zip(idents, parts, strict=True):
            needs = model.part_needs(layer, function, filters[1], tile, bits, device)
            layer.body.block.add_op(model.NP(function, ident, filters, tile, needs))
    if processors.number:
        report_passes(model, device, diagnostics)


def report_passes(model: ModelBase, device: Device, diagnostics: Diagnostics) -> None:
    """Reports several passes. Remarks: AKI011. Warnings: AKI012 models that the mapper may refuse."""
    by_pass = model.processors_by_pass
    diagnostics.remark(
        AKI011,
        op=model,
        expected="one pass, in which frames follow each other without a gap",
        found=f"{len(by_pass)} passes, of {', '.join(map(str, by_pass))} processors",
        help=OTHER_DEVICE,
        notes=(PASSES_NOTE,),
    )
    most = feature(device, "descriptors")
    counts = Counter(layer.number_of_pass for layer in model.layers)
    needed = len(by_pass) * (max(counts.values()) + PASS_DESCRIPTORS)
    if most is not None and needed > most:
        diagnostics.warning(
            AKI012,
            op=model,
            expected=f"at most {most} descriptors ({device.cite('features.descriptors')})",
            found=f"up to {needed}: {len(by_pass)} passes of up to {max(counts.values())} layers",
            help=OTHER_DEVICE,
            notes=("build_model.py asks the mapper",),
        )


def parts_of(model: ModelBase, layer: LayerBase, bits: int, device: Device) -> tuple[str, list[LayerPart]]:
    """Returns the function of the processors of a layer, and its parts. Errors: AKI003, AKI006."""
    height, width, channels = layer.shape
    whole: LayerPart = ((0, layer.filters), (0, 0, height, width))
    if layer.is_image:
        return HRC, [whole]
    if layer.is_dense:
        room = feature(device, "dense_bytes")
        used = model.part_needs(layer, FNP3, layer.filters, whole[1], bits, device)[1]
        return (FNP3 if room is None or used <= room else FNP2), [whole]
    assert isinstance(layer, WindowBase)
    groups = filter_groups(model, layer, bits, device)
    if layer.IS_CHANNELWISE:
        groups, tiles = channel_groups(model, layer, bits, device, len(groups))
    else:
        tiles = tiles_of(model, layer, channels, bits, device)
    if tiles is None:
        path = "core.memory.input.bytes"
        refuse_layers(
            layer,
            AKI003,
            "one position of the input exceeds the memory of a processor",
            node=layer.source.data,
            expected=f"at most {device.integer(path)} bytes",
            found=f"{channels} channels of {bits} bits",
            **device.limit_facts(path),
            advice="give the layer before fewer filters",
        )
    rows, columns = tiles
    return CNP1, [(group, (h[0], w[0], h[1], w[1])) for h in rows for w in columns for group in groups]


def tiles_of(
    model: ModelBase, layer: WindowBase, channels: int, bits: int, device: Device
) -> tuple[Spans, Spans] | None:
    """Returns the tiles of the input of a layer along h and w; None if a single position does not fit."""
    room = None if layer.is_summed else device.integer("core.memory.input.bytes")
    limits = TileLimits(feature(device, "cnp_height"), feature(device, "cnp_width"), room)
    step = layer.pool[1][0] if layer.pool is not None else 1

    def needed(high: int, wide: int) -> int:
        return model.input_needs(high, wide, channels, bits)

    return choose_tiles(layer.shape[:2], needed, layer.margin, step, limits)


def channel_groups(
    model: ModelBase, layer: WindowBase, bits: int, device: Device, least: int
) -> tuple[list[tuple[int, int]], tuple[Spans, Spans] | None]:
    """Returns the filter groups and tiles of a channelwise layer, with the fewest parts; among equal numbers of parts, with the fewest groups."""
    best: tuple[list[tuple[int, int]], tuple[Spans, Spans] | None] = ([], None)
    fewest: int | None = None
    for count in range(least, layer.filters + 1):
        if fewest is not None and count >= fewest:
            break
        size = -(-layer.filters // count)
        groups = [(first, min(size, layer.filters - first)) for first in range(0, layer.filters, size)]
        tiles = tiles_of(model, layer, size, bits, device)
        if tiles is not None and (fewest is None or len(groups) * len(tiles[0]) * len(tiles[1]) < fewest):
            best, fewest = (groups, tiles), len(groups) * len(tiles[0]) * len(tiles[1])
    return best


def filter_groups(model: ModelBase, layer: WindowBase, bits: int, device: Device) -> list[tuple[int, int]]:
    """Returns the groups of filters of a layer. Errors: AKI006, AKI003."""
    room = device.integer("core.memory.weights.bytes")

    def needed(filters: int) -> int:
        return model.part_needs(layer, CNP1, filters, (0, 0, *layer.shape[:2]), bits, device)[1]

    groups = split_filters(layer.filters, feature(device, "cnp_filters"), room, needed)
    if groups is None:
        used = needed(1)
        refuse_layers(
            layer,
            AKI006,
            "the weights of one filter exceed the memory of a processor",
            node=layer.source.data,
            expected=f"at most {room} bytes",
            found=f"{used} bytes for {layer.shape[2]} channels of {layer.bits} bits",
            **device.limit_facts("core.memory.weights.bytes", used, room),
            advice="give the layer before fewer filters, or the weights fewer bits",
        )
    lanes = feature(device, "single_channel_groups") or 1
    if layer.shape[2] == 1 and isinstance(layer, ConvolutionalOp):
        for _, filters in groups:
            found = -(-filters // 8)
            if found > 1 and found % lanes:
                refuse_layers(
                    layer,
                    AKI003,
                    "a layer with one input channel has an odd number of groups of filters",
                    node=layer.source.data,
                    expected=f"8 filters, or a multiple of {8 * lanes}, rounded up to 8, on each processor",
                    found=f"{filters} filters on one",
                    **device.limit_facts("features.single_channel_groups", found, lanes),
                    advice=f"give the layer {-(-filters // (8 * lanes)) * 8 * lanes} filters",
                )
    return groups
