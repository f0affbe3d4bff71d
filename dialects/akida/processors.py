"""Processors of the layers of a model: they exist, have the function, compute all of a layer once, and have the memory.

A pass uses each processor once. A device may have a limit of passes (`features.passes`). The first layer of a pass uses none of the processors of
the layer before it, and a processor computes one dense layer with external weights in all passes together.

Errors: AKI003 tiles that a layer cannot have; AKI005 to AKI008.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...core.device.core_kinds import kind_of_cores
from ...core.device.limits import OTHER_DEVICE
from ...core.device.records import Device
from ...core.device.topology import Topology, topology_of
from ...core.diagnostics import Code, invalid
from ..chip_base.parts import verify_limit
from .layer_bases import LayerBase, NpBase
from .parts import FNP2, HRC, KIND_FUNCTIONS, Needs, Tile, feature, refuse_layer

AKI005 = Code("AKI005", "processor-cannot-compute-layer", "a processor does not compute a layer")
AKI006 = Code("AKI006", "processor-memory-exceeded", "a part of a layer exceeds the memory of its processor")
AKI007 = Code("AKI007", "layer-computed-in-part", "the processors of a layer do not compute all of it")
AKI008 = Code("AKI008", "too-few-processors", "the device has too few processors for the layers")


EXTERNAL = -1
"""The key of the dense layers with external weights of all passes."""


class Placed(Protocol):
    """A model whose layers have processors."""

    @property
    def layers(self) -> Sequence[LayerBase]: ...

    def input_bits(self) -> list[int]: ...

    def verify_tiles(self, layer: LayerBase, tiles: int, device: Device) -> None: ...

    def part_needs(
        self, layer: LayerBase, function: str, filters: int, tile: Tile, bits: int, device: Device
    ) -> Needs: ...


def ident_of(core: int, topology: Topology) -> tuple[int, int, int]:
    """Returns column, row and number of an NP, from its number in the device file."""
    _, x, y = topology.place(core)[:3]
    return x + 1, y + 1, core % topology.slots


def core_of(ident: tuple[int, ...], topology: Topology) -> int | None:
    """Returns the number of an NP in the device file; None if the device has none there."""
    found = next((core for core in range(topology.cores) if ident_of(core, topology) == tuple(ident)), None)
    return found if found is not None and topology.is_usable[found] else None


def verify_processors(model: Placed, device: Device) -> None:
    """Refuses processors that the device lacks, that two layers use, or whose memory is too small. Errors: AKI005 to AKI008."""
    verify_counts(model, device)
    topology = topology_of(device, 1)
    names, kinds = kind_of_cores(device, topology.cores, topology.own)
    used: dict[tuple[int, tuple[int, ...]], LayerBase] = {}
    layers = model.layers
    for before, layer, bits in zip([layers[0], *layers], layers, model.input_bits(), strict=False):
        is_first_of_pass = before.number_of_pass < layer.number_of_pass
        verify_cover(model, layer, device)
        for np in layer.nps:
            ident, function = np.numbers("ident"), np.function.data
            if function not in layer.FUNCTIONS:
                message, expected = "the function does not compute this layer", " or ".join(layer.FUNCTIONS)
                refuse_layer(layer, message, expected, function, AKI005)
            if function == HRC:
                if any(ident) or any(np.needs):
                    found = f"{list(ident)} with {', '.join(map(str, np.needs))} bytes"
                    message = "the block of the input convolution is not an NP"
                    refuse_layer(layer, message, "[0, 0, 0] with 0 bytes", found, AKI005)
                continue
            core = core_of(ident, topology)
            if core is None:
                message, expected = f"{device.key} has no such processor", "column, row and number of an NP"
                refuse_layer(layer, message, expected, str(list(ident)), AKI005)
            able: tuple[str, ...] = KIND_FUNCTIONS.get(names[int(kinds[core])], ())
            if function not in able:
                message = f"the processor {list(ident)} has no such function"
                refuse_layer(layer, message, ", ".join(able), function, AKI005)
            others = [used.setdefault((layer.number_of_pass, ident), layer)]
            if function == FNP2:
                others.append(used.setdefault((EXTERNAL, ident), layer))
            other = next((other for other in others if other is not layer), layer)
            is_twice = ident in [other_np.numbers("ident") for other_np in layer.nps if other_np is not np]
            if other is not layer or is_twice:
                found = f"{other.source.data} and {layer.source.data}"
                refuse_layer(layer, f"two parts use the processor {list(ident)}", "a part on each", found, AKI005)
            if is_first_of_pass and ident in [before_np.numbers("ident") for before_np in before.nps]:
                message = f"the first layer of pass {layer.number_of_pass} uses the processor {list(ident)} of the layer before it"
                refuse_layer(layer, message, "another processor", f"that of {before.source.data}", AKI005)
            verify_memory(model, layer, np, bits, device)


def verify_counts(model: Placed, device: Device) -> None:
    """Refuses more passes than the device has, and more dense layers with external weights than processors for them. Errors: AKI008."""
    passes, last = feature(device, "passes"), model.layers[-1]
    if passes is not None and last.number_of_pass >= passes:
        invalid(
            last,
            AKI008,
            "the layers take more passes than the device has",
            expected=f"at most {passes}",
            found=f"{last.number_of_pass + 1}",
            **device.limit_facts("features.passes", last.number_of_pass + 1, passes),
            help=OTHER_DEVICE,
        )
    kind = device.core_kinds.get("fnp2")
    large = [layer for layer in model.layers if any(np.function.data == FNP2 for np in layer.nps)]
    if kind is not None and len(large) > len(kind.cores):
        invalid(
            large[-1],
            AKI008,
            "too many dense layers have weights in external memory",
            expected=f"at most {len(kind.cores)} in all passes together",
            found=f"{len(large)}: {', '.join(layer.source.data for layer in large)}",
            source=f"{device.key}, core_kinds.fnp2",
            path="core_kinds.fnp2",
            help=OTHER_DEVICE,
            notes=("make dense layers smaller, or their weights narrower",),
        )


def verify_cover(model: Placed, layer: LayerBase, device: Device) -> None:
    """Refuses processors that do not compute each filter at each position once. Errors: AKI007, AKI003."""
    parts = [(np.numbers("filters"), np.numbers("tile")) for np in layer.nps]
    height, width = layer.shape[:2]
    wanted = layer.filters * height * width
    found = sum(filters[1] * tile[2] * tile[3] for filters, tile in parts)
    is_inside = all(
        first >= 0 and first + n <= layer.filters and h >= 0 and h + m <= height and w >= 0 and w + k <= width
        for (first, n), (h, w, m, k) in parts
    )
    is_once = len(set(parts)) == len(parts)
    if found != wanted or not is_inside or not is_once:
        expected = f"{layer.filters} filters at {height} x {width} positions, each once"
        text = f"{found} of {wanted}" if parts else "no processor"
        refuse_layer(layer, "the processors do not compute all of a layer", expected, text, AKI007)
    model.verify_tiles(layer, len({tile for _, tile in parts}), device)


def verify_memory(model: Placed, layer: LayerBase, np: NpBase, bits: int, device: Device) -> None:
    """Refuses a part whose memory differs from its declaration or exceeds that of its processor. Errors: AKI006."""
    filters, tile = np.numbers("filters"), np.numbers("tile")
    needs = model.part_needs(layer, np.function.data, filters[1], (tile[0], tile[1], tile[2], tile[3]), bits, device)
    if needs != np.needs:
        message = "the memory of a part differs from its contents"
        expected, found = (", ".join(map(str, one)) + " bytes" for one in (needs, np.needs))
        refuse_layer(layer, message, expected, found, AKI006)
    for what, used, path in (
        ("input", needs[0], "core.memory.input.bytes"),
        ("weights", needs[1], "features.dense_bytes" if layer.is_dense else "core.memory.weights.bytes"),
    ):
        message = f"the {what} of a part exceed the memory of its processor"
        verify_limit(layer, AKI006, device, path, used, "bytes", message=message)
