"""Writes a `memxbar.network`: `network.json`, the conductances of its arrays, and a script that multiplies by them in aihwkit.

| file | content |
| --- | --- |
| `network.json`, `arrays/NNNN.npy` | the `memxbar.network` in the form of `dialects/chip_base/codec.py` (`nopt.memxbar/2`) |
| `conductances.npz` | for each array `array-N/target`, the conductances of its cells [uS], and `array-N/level`, their levels |
| `updates.mlir` | the updates of the neurons |
| `aihwkit.json` | the settings of a `TorchInferenceRPUConfig` with the converters and the PCM model of the device |
| `run_aihwkit.py` | computes the layers in aihwkit: `python run_aihwkit.py IN.npz OUT.npz` |
| `device.json` | the device |

The levels of a tile are in the archive: `{"type": "ui8", "shape": [8, 6], "file": "conductances.npz", "member": "array-0/level"}`.

Every decision was made before: the emitter chooses nothing. Source: the format is our own; names of settings are those of aihwkit 1.1.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import IRDLOperation

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact, Pieces
from ...dialects.chip_base.codec import OpWriter, chip_files
from ...dialects.memxbar import Crossbar, NetworkOp, TileOp
from ...simulation.host.script_files import script_bytes
from .array_archive import archive
from .cells import feature, imperfection
from .counts import work_report
from .model import Model

CONDUCTANCES, AIHWKIT, SCRIPT = "conductances.npz", "aihwkit.json", "run_aihwkit.py"
SCRIPT_FILE = Path(__file__).parent / f"{SCRIPT}.in"
OUTPUT_BOUND = 12.0
"""The range of results in aihwkit, where inputs and weights are at most 1."""


class CrossbarWriter(OpWriter):
    """Writer of a network whose levels are in the archive of conductances."""

    def array(self, op: IRDLOperation, path: str, array: ArrayAttr) -> dict[str, Any]:
        if not isinstance(op, TileOp) or path != "levels":
            return super().array(op, path, array)
        head = {"type": str(array.element), "shape": list(array.shape)}
        return {**head, "file": CONDUCTANCES, "member": f"array-{op.array.value.data}/level"}


def conductance_arrays(network: NetworkOp, device: Device) -> Iterator[tuple[str, AnyArray]]:
    """Yields the target conductances and levels of the cells of each array by name, one array at a time."""
    crossbar = Crossbar.of(device)
    for tile in (tile for layer in network.layers for tile in layer.tiles):
        levels = tile.levels.values
        name = f"array-{tile.array.value.data}"
        yield f"{name}/target", crossbar.g_min + crossbar.step * levels.astype(np.float64)
        yield f"{name}/level", levels


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


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `network.json` of a module (`-t memxbar`). Errors: CHI018."""
    return CrossbarWriter().text(Model.chip_of(module))


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files of a network. Errors: CHI018."""
    network = Model.chip_of(module)
    files: dict[str, bytes | Pieces] = {
        **chip_files(module, network, device, CrossbarWriter()),
        **array_files(network, device),
        SCRIPT: script_bytes(SCRIPT_FILE),
    }
    tiles = [tile for layer in network.layers for tile in layer.tiles]
    memory: dict[str, int | None] = {"cells": sum(tile.quantities(device)["synapse_bytes"] for tile in tiles)}
    return Artefact(files=files, memory=memory, arithmetic="integers", facts=work_report(network, device))


def array_files(network: NetworkOp, device: Device) -> dict[str, bytes | Pieces]:
    """Returns the files of the arrays: conductances, and the settings of aihwkit."""
    return {
        CONDUCTANCES: Pieces(lambda: archive(conductance_arrays(network, device))),
        AIHWKIT: aihwkit_json(device).encode(),
    }
