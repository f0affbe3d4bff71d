"""Writes a `memxbar.network` for a programmer of arrays, for its periphery, and for aihwkit.

| file | content |
| --- | --- |
| `crossbars.json` | layers, tiles, encodings and converters (`nopt.memxbar/1`) |
| `conductances.npz` | for each array `array-N/target`, the conductances of its cells [uS], and `array-N/level`, their levels |
| `periphery.mlir` | the digital program, in which layers have no tiles |
| `aihwkit.json` | the settings of a `TorchInferenceRPUConfig` with the converters and the PCM model of the device |
| `run_aihwkit.py` | multiplies inputs by the matrix of a layer in aihwkit: `python run_aihwkit.py LAYER in.npz out.npz` |
| `device.json` | the device |

Every decision was made before: the emitter chooses nothing. Source: the format is our own; names of settings are those of aihwkit 1.1.0.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.device.device_attr import DEVICE, record_of
from ...core.device.named_device import device_of
from ...core.diagnostics import Diagnostics
from ...core.ir import source
from ...core.ir.context import NoptContext
from ...core.target import Artefact
from ...dialects.chip_base.json_form import array_json
from ...dialects.memxbar import ConvolutionOp, Crossbar, DenseOp, LayerBase, NetworkOp, TileOp
from ...dialects.ntensor import UpdateOp
from .cells import feature, imperfection
from .costs import cost_report
from .model import Model

MEMXBAR_SCHEMA = "nopt.memxbar/1"
CROSSBARS, CONDUCTANCES, PERIPHERY, DEVICE_FILE = "crossbars.json", "conductances.npz", "periphery.mlir", "device.json"
AIHWKIT, SCRIPT = "aihwkit.json", "run_aihwkit.py"
SCRIPT_FILE = Path(__file__).parent / f"{SCRIPT}.in"
ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The date of all members of an archive, so that equal arrays have equal bytes."""
OUTPUT_BOUND = 12.0
"""The range of results in aihwkit, where inputs and weights are at most 1."""


def tile_json(tile: TileOp) -> dict[str, Any]:
    return {
        "array": tile.array.value.data,
        "group": tile.group.value.data,
        "rows": list(tile.span("rows")),
        "columns": list(tile.span("columns")),
        "cells": list(tile.levels.shape),
        "adc_range": None if tile.adc_range is None else tile.adc_range.values.tolist(),
    }


def layer_json(layer: LayerBase) -> dict[str, Any]:
    """Returns a layer with its tiles."""
    groups, rows, outputs = layer.matrix_shape
    found: dict[str, Any] = {
        "layer": layer.node.data,
        "mapping": "dense" if isinstance(layer, DenseOp) else "im2col",
        "matrix": {"groups": groups, "rows": rows, "outputs": outputs},
        "encoding": layer.encoding.data,
        "slices": layer.slices.value.data,
        "cell_bits": layer.cell_bits.value.data,
        "input": "binary" if layer.is_binary else "signed" if layer.is_signed else "unsigned",
        "dac_range": None if layer.dac_range is None else layer.dac_range.value.data,
        "reads": layer.reads,
        "bias": None if layer.bias is None else array_json(layer.bias.values),
        "exponent": None if layer.exponent is None else array_json(layer.exponent.values),
        "tiles": [tile_json(tile) for tile in layer.tiles],
    }
    if isinstance(layer, ConvolutionOp):
        found["mapping"] = "im2col" if layer.positions.value.data == 1 else "sliding-rows"
        found |= {name: layer.numbers(name).tolist() for name, _, _ in layer.ARRAYS}
        found["positions"] = layer.positions.value.data
    return found


def crossbars_json(network: NetworkOp, device: Device) -> str:
    """Returns the text of `crossbars.json`."""
    crossbar = Crossbar.of(device)
    record = {
        "schema": MEMXBAR_SCHEMA,
        "network": network.sym_name.data,
        "device": device.key,
        "conductance": {"low": crossbar.g_min, "high": crossbar.g_max, "levels": crossbar.levels, "unit": "uS"},
        "converters": {
            "dac_bits": crossbar.dac_bits,
            "adc_bits": crossbar.adc_bits,
            "columns_per_adc": crossbar.columns_per_adc,
        },
        "layers": [layer_json(layer) for layer in network.layers],
    }
    return json.dumps(record, indent=1) + "\n"


def conductance_arrays(network: NetworkOp, device: Device) -> dict[str, AnyArray]:
    """Returns the target conductances and levels of the cells of each array."""
    crossbar, found = Crossbar.of(device), dict[str, AnyArray]()
    for tile in (tile for layer in network.layers for tile in layer.tiles):
        levels = tile.levels.values
        name = f"array-{tile.array.value.data}"
        found[f"{name}/target"] = crossbar.g_min + crossbar.step * levels.astype(np.float64)
        found[f"{name}/level"] = levels
    return found


def archive(arrays: Mapping[str, AnyArray]) -> bytes:
    """Returns arrays as the bytes of a .npz file, the same for the same arrays."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as file:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            file.writestr(zipfile.ZipInfo(f"{name}.npy", ZIP_TIME), member.getvalue())
    return made.getvalue()


def aihwkit_json(device: Device) -> str:
    """Returns the settings of aihwkit for the converters and cells of a device."""
    crossbar = Crossbar.of(device)

    def resolution(bits: int) -> float:
        return 1 / (2**bits - 2) if bits > 1 else -1.0

    record = {
        "forward": {
            "inp_res": resolution(crossbar.dac_bits),
            "out_res": resolution(crossbar.adc_bits),
            "out_bound": OUTPUT_BOUND,
            "out_noise": imperfection(device, "output_noise") * OUTPUT_BOUND,
            "w_noise": 0.0,
            "inp_noise": 0.0,
        },
        "mapping": {
            "max_input_size": crossbar.rows or 0,
            "max_output_size": (crossbar.columns or 0) // 2,
            "weight_scaling_omega": 1.0,
            "digital_bias": True,
        },
        "noise_model": {
            "class": "PCMLikeNoiseModel",
            "g_max": crossbar.g_max,
            "t_0": feature(device, "t_0", 20.0),
            "t_read": feature(device, "t_read", 250e-9),
            "prog_noise_scale": imperfection(device, "programming_noise"),
            "read_noise_scale": imperfection(device, "read_noise"),
            "drift_scale": imperfection(device, "drift"),
        },
        "drift_compensation": bool(device.preferred.get("drift_compensation")),
    }
    return json.dumps(record, indent=1) + "\n"


def periphery_text(module: ModuleOp, network: NetworkOp) -> str:
    """Returns the digital program: the network without tiles and device, and the updates of its neurons."""
    bare = network.clone()
    bare.attributes.pop(DEVICE, None)
    bare.properties.pop("approximations", None)
    for layer in bare.layers:
        for tile in layer.tiles:
            tile.detach()
            tile.erase()
    used = {op.update_name for op in network.neurons}
    updates = [op.clone() for op in module.ops if isinstance(op, UpdateOp) and op.sym_name.data in used]
    return source.format_module(NoptContext(), ModuleOp([*updates, bare]))


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `crossbars.json` of a module (`-t memxbar`). Errors: CHI018; DEV023 no device is specified."""
    network = Model.chip_of(module)
    return crossbars_json(network, device_of(network))


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files of a network. Errors: CHI018."""
    network = Model.chip_of(module)
    tiles = [tile for layer in network.layers for tile in layer.tiles]
    files = {
        CROSSBARS: crossbars_json(network, device).encode(),
        CONDUCTANCES: archive(conductance_arrays(network, device)),
        PERIPHERY: periphery_text(module, network).encode(),
        AIHWKIT: aihwkit_json(device).encode(),
        SCRIPT: SCRIPT_FILE.read_bytes(),
        DEVICE_FILE: f"{record_of(device).text}\n".encode(),
    }
    memory: dict[str, int | None] = {"cells": sum(tile.quantities(device)["synapse_bytes"] for tile in tiles)}
    return Artefact(files=files, memory=memory, arithmetic="integers", facts=cost_report(network, device))
