"""Work of the arrays in one tick: reads, drives of rows, and conversions, with their energy where the device states it.

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

from typing import Any

from ...core.device.records import Device
from ...dialects.memxbar import Crossbar, LayerBase, NetworkOp

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


def cost_report(network: NetworkOp, device: Device) -> dict[str, Any]:
    """Returns the entry of the report: `crossbars`, the work of each layer and of all in a tick, with energies; null where the device states none."""
    crossbar = Crossbar.of(device)
    layers = {layer.node.data: layer_counts(layer, crossbar) for layer in network.layers}
    total = {name: sum(one[name] for one in layers.values()) for name in TOTALS}
    drive, conversion = (device.number(f"features.{name}") for name in ("drive_pj", "adc_pj"))
    bits = max(1, crossbar.dac_bits)
    saved = sum(one["row_drives"] for one in layers.values() if not one["dac_conversions"])
    return {
        "crossbars": {
            "available": crossbar.arrays,
            "layers": layers,
            "total": total,
            "conversions_saved_by_spikes": saved,
            "energy_pj": {
                "rows": None if drive is None else drive * (saved + bits * total["dac_conversions"]),
                "adc": None if conversion is None else conversion * total["adc_conversions"],
                "saved_by_spikes": None if drive is None else drive * (bits - 1) * saved,
            },
        }
    }
