"""Writes an `akida.model` for the vendor's tool.

| file | content |
| --- | --- |
| `model.json` | the layers with their numbers, for `akida.Model.from_json` |
| `mapping.json` | names of the network, neural processors of each layer, parameters of learning (`nopt.akida/1`) |
| `device.json` | the device |
| `build_model.py` | builds the same model layer by layer, maps it onto a device, and saves it: `python build_model.py [OUT.fbz]` |
| `run_model.py` | runs that model and records it: `python run_model.py IN.npz OUT.npz [--record NAME] [--board]` |

Every decision was made before: the emitter chooses nothing. Source: the JSON form of models of BrainChip akida 2.19.3.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.device.device_attr import record_of
from ...core.device.topology import topology_of
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.akida import FullyConnectedOp
from ...dialects.akida.layer_bases import LayerBase, NpBase
from ...dialects.akida.model_base import ModelBase
from ...dialects.akida.parts import HRC
from ...dialects.chip_base.json_form import probes_json
from ...dialects.ntensor.network import FRAME_TICKS, INPUT_PADDING, STACKED_TICKS
from .layer_fields import parameters_of, variables_of
from .model import Model
from .placement import PASSES_NOTE

MAPPING_SCHEMA = "nopt.akida/1"
MODEL, MAPPING, DEVICE, SCRIPT = "model.json", "mapping.json", "device.json", "build_model.py"
RUN_SCRIPT = "run_model.py"
VERSION = "2.19.3"
"""The version of the vendor's package whose JSON form is written."""


def model_json(model: ModelBase) -> dict[str, Any]:
    """Returns the model in the vendor's form."""
    layers, before = list[dict[str, Any]](), list[str]()
    if (data := model.input_data) is not None:
        height, width, channels = (int(n) for n in data.input_shape.values)
        parameters = {
            "input_bits": data.bits,
            "input_channels": channels,
            "input_height": width,
            "input_signed": 0,
            "input_width": height,
            "layer_type": "InputData",
        }
        shape = [height, width, channels]
        layers.append(entry(data.node.data, parameters, {}, [], shape, shape))
        before = [data.node.data]
    for layer in model.layers:
        name = layer_name(model, layer)
        variables = {key: variable_json(values) for key, values in variables_of(layer).items()}
        layers.append(entry(name, parameters_of(layer), variables, before, list(layer.shape), list(layer.output_shape)))
        before = [name]
    return {
        "Akida version": VERSION,
        "IP version": model.ip_version.data,
        "layers": layers,
        "learning": None,
        "input_shape": layers[0]["input_shape"],
        "output_shape": layers[-1]["output_shape"],
    }


def layer_name(model: ModelBase, layer: LayerBase) -> str:
    """Returns the name of a layer; the suffix `_layer` is added if the input has the same name."""
    data = model.input_data
    return f"{layer.node.data}_layer" if data is not None and data.node == layer.node else layer.node.data


def entry(
    name: str, parameters: dict[str, Any], variables: dict[str, Any], before: list[str], *shapes: list[int]
) -> dict[str, Any]:
    """Returns the entry of a layer. `shapes`: the input shape, then the output shape."""
    input_shape, output_shape = shapes
    return {
        "name": name,
        "parameters": parameters,
        "variables": variables,
        "inbounds": before,
        "input_shape": input_shape,
        "output_shape": output_shape,
    }


def variable_json(values: AnyArray) -> dict[str, Any]:
    bits = 0
    if values.dtype.kind in "iu":
        ends = (int(values.min(initial=0)), int(values.max(initial=0)))
        bits = max(2, 1 + max((~ends[0] if ends[0] < 0 else ends[0]).bit_length(), ends[1].bit_length()))
    return {"shape": list(values.shape), "dtype": str(values.dtype), "bitwidth": bits, "data": values.tolist()}


def mapping_json(model: ModelBase, device: Device) -> dict[str, Any]:
    """Returns the names of the network and the processors of each layer."""
    return {
        "schema": MAPPING_SCHEMA,
        "network": model.sym_name.data,
        "device": device.key,
        "tick_ns": model.tick_ns.value.data,
        "input": model.input_name,
        "frame": frame_json(model),
        "outputs": [{"name": op.node.data, "source": op.source.data, "type": str(op.type)} for op in model.outputs],
        "layers": [
            {
                "layer": layer_name(model, layer),
                "name": layer.node.data,
                "source": layer.source.data,
                "pass": layer.number_of_pass,
                "learning": layer.learned if isinstance(layer, FullyConnectedOp) else None,
                "processors": [processor_json(np) for np in layer.nps],
            }
            for layer in model.layers
        ],
        **probes_json(model),
    }


def frame_json(model: ModelBase) -> dict[str, Any]:
    """Returns how a frame of the input follows from the data: its ticks, whether they are the first axis, and zeros around each axis."""
    ticks, padding = model.attributes.get(FRAME_TICKS), model.attributes.get(INPUT_PADDING)
    rows = padding.data.get(model.input_name) if isinstance(padding, DictionaryAttr) else None
    return {
        "ticks": ticks.value.data if isinstance(ticks, IntegerAttr) else 1,
        "stacked": STACKED_TICKS in model.attributes,
        "padding": rows.values.tolist() if isinstance(rows, ArrayAttr) else [],
    }


def processor_json(op: NpBase) -> dict[str, Any]:
    """Returns a part of a layer on its processor."""
    arrays = {name: list(op.numbers(name)) for name in op.ARRAYS}
    return {"function": op.function.data, **arrays, **dict(zip(op.BYTES, op.needs, strict=True))}


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `model.json` of a module (`-t akida`). Errors: CHI018."""
    return json.dumps(model_json(Model.chip_of(module))) + "\n"


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the vendor's tool. Errors: CHI018."""
    model = Model.chip_of(module)
    files = {
        MODEL: emit(module, diagnostics).encode(),
        MAPPING: (json.dumps(mapping_json(model, device), indent=1) + "\n").encode(),
        DEVICE: f"{record_of(device).text}\n".encode(),
        **{name: Path(__file__).with_name(f"{name}.in").read_bytes() for name in (SCRIPT, RUN_SCRIPT)},
    }
    return Artefact(files=files, memory=memory_of(model), arithmetic="integers", facts=report(model, device))


def memory_of(model: ModelBase) -> dict[str, int | None]:
    """Returns the NP memory of the largest pass, and the external memory for the weights of all passes."""
    passes = [[0, 0, 0] for _ in model.processors_by_pass]
    for layer in model.layers:
        for np in layer.nps:
            of_pass = passes[layer.number_of_pass]
            of_pass[:] = (a + b for a, b in zip(of_pass, np.needs, strict=True))
    inputs, weights, external = zip(*passes, strict=True)
    return {"input": max(inputs), "weights": max(weights), "external": sum(external)}


PERFORMANCE = ("frames_per_second", "frame_energy")
"""Features of a device that are numbers of a frame."""


def report(model: ModelBase, device: Device) -> dict[str, Any]:
    """Returns the entries of the report: `processors` with their memory and the bits of each layer, and `performance`, null where unpublished."""
    layers = [
        {
            "layer": layer.source.data,
            "type": layer.TYPE,
            "weights_bits": layer.bits,
            "act_bits": layer.activation_bits,
            "input_bits": bits,
            "pass": layer.number_of_pass,
            "processors": [processor_json(np) for np in layer.nps],
        }
        for layer, bits in zip(model.layers, model.input_bits(), strict=True)
    ]
    by_pass = model.processors_by_pass
    used = [np for layer in model.layers for np in layer.nps if np.function.data != HRC]
    topology = topology_of(device, 1)
    processors = {
        "used": max(by_pass),
        "available": int(topology.is_usable.sum()),
        "passes": len(by_pass),
        "used_by_pass": by_pass,
        "passes_note": PASSES_NOTE if len(by_pass) > 1 else None,
        "largest_input_bytes": max((np.needs[0] for np in used), default=0),
        "largest_weight_bytes": max((np.needs[1] for np in used), default=0),
        "input_bytes_of_each": device.integer("core.memory.input.bytes"),
        "weight_bytes_of_each": device.integer("core.memory.weights.bytes"),
        "layers": layers,
    }
    facts = {name: device.entry("features")[name] for name in PERFORMANCE if name in device.features}
    return {
        "processors": processors,
        "performance": {name: {"value": fact.value, "note": fact.note} for name, fact in facts.items()},
    }
