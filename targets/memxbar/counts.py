"""Work of the arrays in one tick: products, reads, drives of rows, and conversions, which the coefficients of cost are multiplied by.

| count | what |
| --- | --- |
| `reads` | products of a layer that follow each other on its arrays |
| `phases` | reads of each product: one, or one for each bit of the inputs with converters of 1 bit, twice for signed inputs |
| `row_drives` | rows of all tiles, in every read and phase |
| `dac_conversions` | those of rows whose inputs are not binary: spikes switch a fixed voltage |
| `adc_conversions` | outputs and slices of all tiles, in every read and phase |
| `adc_steps` | the longest sequence of conversions of one converter in a tick, which determines the time of a layer |

A read counts whether its inputs are zero or not. A spike drives a row by one bit. A converter of B bits takes the energy of B drives, and inputs that
are sent bit by bit take a read for each bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...dialects.memxbar import Crossbar, LayerBase, NetworkOp
from ...dialects.memxbar.crossbar import DIFFERENTIAL
from .model import Model

TOTALS = ("arrays", "row_drives", "dac_conversions", "adc_conversions")


def phases_of(layer: LayerBase, dac_bits: int) -> int:
    """Returns the reads of one product."""
    if layer.is_binary or dac_bits != 1:
        return 1
    return max(1, layer.largest_input.bit_length()) * (2 if layer.is_signed else 1)


def layer_counts(layer: LayerBase, crossbar: Crossbar) -> dict[str, int]:
    """Returns the work of a layer in one tick."""
    phases, slices = phases_of(layer, crossbar.dac_bits), layer.slices.value.data
    repeats = layer.reads * phases
    rows = sum(tile.span("rows")[1] for tile in layer.tiles)
    outputs = [tile.span("columns")[1] * slices for tile in layer.tiles]
    drives = repeats * rows
    return {
        "arrays": len(layer.tiles),
        "reads": layer.reads,
        "phases": phases,
        "row_drives": drives,
        "dac_conversions": 0 if layer.is_binary else drives,
        "adc_conversions": repeats * sum(outputs),
        "adc_steps": repeats * min(crossbar.columns_per_adc, max(outputs, default=0)),
    }


def event_counts(module: ModuleOp, device: Device, mapping: Mapping[str, Any] | None) -> dict[str, float]:
    """Returns the events of a tick that have a cost. A converter of B bits drives a row as often as B bits do."""
    crossbar, network = Crossbar.of(device), Model.chip_of(module)
    works = [layer_counts(layer, crossbar) for layer in network.layers]
    bits = max(1, crossbar.dac_bits)
    return {
        "multiply": sum(work["reads"] * layer_cells(layer) for layer, work in zip(network.layers, works, strict=True)),
        "row": sum(work["row_drives"] + (bits - 1) * work["dac_conversions"] for work in works),
        "cell": sum(
            work["reads"] * work["phases"] * cells_of_weight(layer, crossbar) * layer_cells(layer)
            for layer, work in zip(network.layers, works, strict=True)
        ),
        "conversion": sum(work["adc_conversions"] for work in works),
    }


def layer_cells(layer: LayerBase) -> int:
    """Returns the places of weights in all tiles of a layer, whatever their weight."""
    return sum(tile.span("rows")[1] * tile.span("columns")[1] for tile in layer.tiles)


def cells_of_weight(layer: LayerBase, crossbar: Crossbar) -> int:
    """Returns the cells of one weight."""
    return layer.slices.value.data * (2 if crossbar.encoding == DIFFERENTIAL else 1)


def work_report(network: NetworkOp, device: Device) -> dict[str, Any]:
    """Returns the entry of the report: `crossbars`, the work of each layer and of all in a tick."""
    crossbar = Crossbar.of(device)
    layers = {layer.node.data: layer_counts(layer, crossbar) for layer in network.layers}
    return {
        "crossbars": {
            "available": crossbar.arrays,
            "layers": layers,
            "total": {name: sum(one[name] for one in layers.values()) for name in TOTALS},
            "conversions_saved_by_spikes": sum(
                one["row_drives"] for one in layers.values() if not one["dac_conversions"]
            ),
        }
    }
