"""Writes a `dynapcnn.configuration` for the vendor's library.

| file | content |
| --- | --- |
| `configuration.json` | the fields of `SpeckConfiguration`: `cnn_layers` by the number of the core, and `dvs_layer` |
| `mapping.json` | the names of the network, and the memory of each layer (`nopt.dynapcnn/1`) |
| `device.json` | the device |
| `apply_configuration.py` | makes the configuration with samna, validates it, and applies it to a board: `python apply_configuration.py [BOARD]` |

Every decision was made before: the emitter chooses nothing. Source: sinabs 3.1.3, backend/dynapcnn/chips/dynapcnn.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.device.device_attr import record_of
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.chip_base.json_form import probes_json
from ...dialects.dynapcnn import CnnLayerOp, ConfigurationOp
from ...dialects.dynapcnn.layers import READOUT_STEP, STATE_BYTES, Map
from .model import Model

MAPPING_SCHEMA = "nopt.dynapcnn/1"
CONFIGURATION, MAPPING, DEVICE = "configuration.json", "mapping.json", "device.json"
SCRIPT = "apply_configuration.py"
APPLY_SCRIPT = Path(__file__).parent / f"{SCRIPT}.in"
FLAGS = ("return_to_zero", "leak_enable", "monitor_enable")
"""Members that are flags of a layer."""
READOUT_LAYER, READOUT_ADDRESSES, LONG_WINDOW = 12, 3, 32
"""The number of the readout block as a destination, its addresses of one position, and the longer of its averages."""
DESTINATIONS = 2
"""Entries of `destinations` in the vendor's structure, used or not."""


def configuration_json(op: ConfigurationOp) -> dict[str, Any]:
    """Returns the configuration in the vendor's structure. The camera is off, since the host sends all events."""
    layers = sorted(op.layers, key=lambda layer: layer.number)
    found: dict[str, Any] = {
        "cnn_layers": {str(layer.number): layer_json(layer) for layer in layers},
        "dvs_layer": {"pass_sensor_events": False, "monitor_enable": False},
    }
    readout = next((layer.readout for layer in layers if layer.readout is not None), None)
    return found if readout is None else found | {"readout": readout_json(readout.values.tolist())}


def readout_json(numbers: list[int]) -> dict[str, Any]:
    """Returns the fields of the readout block. Its addresses are those of 16 features of one position."""
    threshold, window, mode = numbers
    return {
        "enable": True,
        "threshold": threshold,
        "readout_configuration_sel": READOUT_ADDRESSES,
        "output_mode_sel": mode,
        "low_pass_filter_disable": window == 1,
        "low_pass_filter32_not16": window == LONG_WINDOW,
        "readout_pin_monitor_enable": True,
    }


def stored(layer: CnnLayerOp, values: AnyArray) -> AnyArray:
    """Returns an array of filters as the core has it: with silent filters between the classes of the readout block. Shapes: [f, …]."""
    if layer.readout is None:
        return values
    found = np.zeros((layer.stored_filters(len(values)), *values.shape[1:]), values.dtype)
    found[::READOUT_STEP] = values
    return found


def layer_json(layer: CnnLayerOp) -> dict[str, Any]:
    """Returns an entry of `cnn_layers`."""
    sends = [
        {"enable": True, "layer": number, "pooling": pooling, "feature_shift": layer.first + first}
        for number, pooling, first in layer.sends
    ]
    (stride_x, stride_y), (padding_x, padding_y) = layer.axis("stride"), layer.axis("padding")
    low, high = layer.thresholds
    if layer.readout is not None:
        sends.append({"enable": True, "layer": READOUT_LAYER, "pooling": 1, "feature_shift": 0})
    sends += [{"enable": False, "layer": 0, "pooling": 1, "feature_shift": 0}] * (DESTINATIONS - len(sends))
    features = layer.stored_filters(layer.made[0])
    biases = np.zeros(layer.made[0], np.int64) if layer.biases is None else layer.biases.values
    return {
        "dimensions": {
            "input_shape": shape_json(layer.given),
            "output_shape": shape_json((features, *layer.made[1:])),
            "padding": {"x": padding_x, "y": padding_y},
            "stride": {"x": stride_x, "y": stride_y},
            "kernel_size": layer.kernel[0],
        },
        "weights": stored(layer, layer.weights.values).tolist(),
        "biases": stored(layer, biases).tolist(),
        "leak_enable": layer.leak_enable is not None,
        "return_to_zero": layer.return_to_zero is not None,
        "threshold_high": high,
        "threshold_low": low,
        "monitor_enable": layer.monitor_enable is not None,
        "neurons_initial_value": np.zeros((features, *layer.made[1:]), np.int64).tolist(),
        "destinations": sends,
    }


def shape_json(shape: Map) -> dict[str, Any]:
    features, x, y = shape
    return {"feature_count": features, "size": {"x": x, "y": y}}


def mapping_json(op: ConfigurationOp, device: Device) -> dict[str, Any]:
    """Returns the names of the network, and the core and memory of each layer, in the order of computation."""
    return {
        "schema": MAPPING_SCHEMA,
        "network": op.sym_name.data,
        "device": device.key,
        "tick_ns": op.tick_ns.value.data,
        "inputs": [
            {
                "name": one.node.data,
                "shape": shape_json(one.made),
                "layers": [number for number, *_ in one.sends],
                "feature_shifts": [first for _, _, first in one.sends],
            }
            for one in op.inputs
        ],
        "layers": [
            {
                "layer": layer.number,
                "name": layer.node.data,
                "source": layer.source.data,
                "features": layer.made[0],
                "feature_shift": layer.first,
                "memory": layer.words(),
                **({} if layer.readout is None else {"readout": layer.readout.values.tolist()}),
            }
            for layer in op.layers
        ],
        "outputs": [{"name": one.node.data, "source": one.source.data, "type": str(one.type)} for one in op.outputs],
        **probes_json(op),
    }


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `configuration.json` of a module (`-t dynapcnn`). Errors: CHI018."""
    return json.dumps(configuration_json(Model.chip_of(module))) + "\n"


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the vendor's library. Errors: CHI018."""
    op = Model.chip_of(module)
    files = {
        CONFIGURATION: emit(module, diagnostics).encode(),
        MAPPING: (json.dumps(mapping_json(op, device), indent=1) + "\n").encode(),
        DEVICE: f"{record_of(device).text}\n".encode(),
        SCRIPT: APPLY_SCRIPT.read_bytes(),
    }
    words = [layer.words() for layer in op.layers]
    memory: dict[str, int | None] = {
        "kernels": sum(one["kernel"] for one in words),
        "neurons": sum(one["neuron"] for one in words) * STATE_BYTES,
        "biases": sum(one["bias"] for one in words),
    }
    return Artefact(files=files, memory=memory, arithmetic="integers", facts=core_report(op, device))


def core_report(op: ConfigurationOp, device: Device) -> dict[str, Any]:
    """Returns the entries of the report: `cores`, used and available, the memory of each layer, and the features of the parts of a population."""
    split = {name: [part.made[0] for part in parts] for name, parts in op.populations.items() if len(parts) > 1}
    return {
        "cores": {
            "used": len(op.layers),
            "available": device.integer("topology.cores"),
            "split": split,
            "layers": mapping_json(op, device)["layers"],
        }
    }
