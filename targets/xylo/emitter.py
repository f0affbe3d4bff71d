"""Writes a `xylo.chip`: the specification and the configuration of rockpool, and a script that applies them.

| file | content |
| --- | --- |
| `specification.json` | the arguments of rockpool's functions: `weights_in`, `dash_mem`, `threshold`, … |
| `configuration.json` | the fields of samna's `XyloConfiguration` of this chip, as `config_from_specification` sets them |
| `chip.json` | names of inputs, populations and outputs, with the numbers of channels and neurons (`nopt.xylo/1`) |
| `device.json` | the device |
| `xylo_network.py` | runs and records the network with XyloSim: `python xylo_network.py IN.npz OUT.npz`, or makes the configuration of a board: `--configure OUT.json` |

Defects of rockpool 3.1.0 that the files avoid:

1. `config_from_specification` takes hidden biases as `bias_hidden` and ignores `bias`, which the mapper writes. The specification has `bias`, which
   XyloSim takes. The script passes it under both names, and the configuration has it.
2. `global_quantize` scales the biases of output neurons like those of hidden neurons. All numbers here are integers already.
3. More than 128 neurons of an expansion are cut off with a warning only. The verifier of `xylo.chip` refuses them, and expansions here have
   as many neurons as are used.
4. An empty list of aliases enables aliasing. Without aliases the specification has none.

A chip without output neurons gets one silent output neuron, which rockpool needs. Every decision was made before: the emitter chooses nothing.

Source: rockpool 3.1.0, devices/xylo: xylo_samna.py and xylo_sim.py of syns61201, syns65302 and syns63300.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import Ints
from ...core.device.device import Device
from ...core.device.device_attr import record_of
from ...core.device.named_device import device_of
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.chip_base.json_form import DEVICE, array_json, node_json, output_json, probes_json
from ...dialects.xylo import LARGEST, NO_ALIAS, ChipOp, NumberedOp, ReadoutOp, WeightLayer
from ...simulation.host.script_files import script_bytes
from .model import Model

XYLO_SCHEMA = "nopt.xylo/1"
SPECIFICATION, CONFIGURATION, CHIP, SCRIPT = (
    "specification.json",
    "configuration.json",
    "chip.json",
    "xylo_network.py",
)
ROCKPOOL_SCRIPT = Path(__file__).parent / f"{SCRIPT}.in"
REGISTER_BITS = 36
"""Bits of the registers of a hidden neuron: three decays of 4, a threshold of 16 and a bias of 8."""


@frozen
class Form:
    """The names of a chip in rockpool and samna."""

    package: str
    samna: str
    hidden: str
    """The name of the hidden layer in samna's configuration."""


FORMS = {
    (False, 2): Form("syns61201", "xyloCore2", "reservoir"),
    (True, 2): Form("syns65302", "xyloAudio3", "hidden"),
    (True, 1): Form("syns63300", "xyloImu", "hidden"),
    (False, 1): Form("syns63300", "xyloImu", "hidden"),
}
"""The form of a chip by its limits: whether it has an input expansion, and its synaptic currents."""


def form_of(device: Device) -> Form:
    currents = device.integer("features.currents") or 2
    return FORMS[device.integer("features.input_expansion") is not None, min(currents, 2)]


def specification(chip: ChipOp, device: Device) -> dict[str, Any]:
    """Returns the arguments of rockpool's functions."""
    core, form = chip.core, form_of(device)
    sizes = [sum(op.size for op in ops) for ops in (core.hidden, core.readouts)]
    hidden, outputs = (max(1, n) for n in sizes)
    currents = 1 if (device.integer("features.currents") or 2) == 1 else 2
    given, recurrent, out = (weights_of(chip, layer) for layer in WeightLayer)
    is_expanded = form.hidden == "hidden"
    inputs = max(1, int(given[1].max(initial=0)) + 1) if is_expanded else hidden
    first = min(int(out[0].min(initial=hidden - 1)), hidden - 1) if is_expanded else 0
    registers = {name: np.zeros(hidden, np.int64) for name in ("dash_mem", "dash_syn", "dash_syn_2", "bias")}
    registers |= {f"{name}_out": np.zeros(outputs, np.int64) for name in ("dash_mem", "dash_syn", "bias")}
    registers |= {name: np.full(n, LARGEST) for name, n in (("threshold", hidden), ("threshold_out", outputs))}
    aliases: list[list[int]] = [[] for _ in range(hidden)]
    for op in core.neurons:
        suffix = "_out" if isinstance(op, ReadoutOp) else ""
        for name, values in op.held().items():
            registers[f"{name}{suffix}"][op.numbers] = values
    for op in core.hidden:
        for number, alias in zip(op.numbers.tolist(), op.aliases.values.tolist(), strict=True):
            if alias != NO_ALIAS:
                aliases[number] = [alias]
    shifts = {layer: 0 if (op := core.weights.get(layer)) is None else op.shift.value.data for layer in WeightLayer}
    return {
        "weights_in": dense(given, (max(1, chip.channels), inputs, currents)).tolist(),
        "weights_rec": dense(recurrent, (hidden, hidden, currents)).tolist(),
        "weights_out": dense(out - np.array([[first], [0], [0], [0]]), (hidden - first, outputs, 1))[:, :, 0].tolist(),
        **{name: values.tolist() for name, values in registers.items()},
        "weight_shift_in": shifts[WeightLayer.INPUT],
        "weight_shift_rec": shifts[WeightLayer.RECURRENT],
        "weight_shift_out": shifts[WeightLayer.OUTPUT],
        "aliases": aliases if any(aliases) else None,
        "dt": chip.tick_ns.value.data / 1e9,
    }


def weights_of(chip: ChipOp, layer: WeightLayer) -> Ints:
    """Returns source, target, current and weight. Shapes: [4, synapses]."""
    op = chip.core.weights.get(layer)
    return np.zeros((4, 0), np.int64) if op is None else np.stack(op.synapses)


def dense(given: Ints, shape: tuple[int, int, int]) -> Ints:
    """Returns weights in an array [sources, targets, currents]."""
    found = np.zeros(shape, np.int64)
    found[given[0], given[1], given[2]] = given[3]
    return found


def configuration(found: dict[str, Any], device: Device) -> dict[str, Any]:
    """Returns the fields of samna's configuration for a specification."""
    form = form_of(device)
    has_second = np.asarray(found["weights_in"]).shape[2] > 1
    layers: dict[str, dict[str, Any]] = {"input": {"weight_bit_shift": found["weight_shift_in"]}}
    layers[form.hidden] = {"weight_bit_shift": found["weight_shift_rec"], "aliasing": found["aliases"] is not None}
    layers["readout"] = {"weight_bit_shift": found["weight_shift_out"], "weights": found["weights_out"]}
    for layer, name in (("input", "weights_in"), (form.hidden, "weights_rec")):
        weights = np.asarray(found[name])
        layers[layer]["weights"] = weights[:, :, 0].tolist()
        if has_second:
            layers[layer]["syn2_weights"] = weights[:, :, 1].tolist()
    names = {"v_mem_decay": "dash_mem", "i_syn_decay": "dash_syn", "threshold": "threshold", "v_mem_bias": "bias"}
    for layer, suffix in ((form.hidden, ""), ("readout", "_out")):
        own = {**names, **({"i_syn2_decay": "dash_syn_2"} if has_second and not suffix else {})}
        columns = {field: found[f"{name}{suffix}"] for field, name in own.items()}
        layers[layer]["neurons"] = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for number, alias in enumerate(found["aliases"] or []):
        if alias:
            layers[form.hidden]["neurons"][number]["alias_target"] = alias[0]
    switches = {"bias_enable": any(found["bias"]) or any(found["bias_out"])}
    return {**switches, **({"synapse2_enable": True} if has_second else {}), **layers}


def chip_json(chip: ChipOp, device: Device) -> dict[str, Any]:
    """Returns the names of a chip."""
    form = form_of(device)
    return {
        "schema": XYLO_SCHEMA,
        "network": chip.sym_name.data,
        "device": device.key,
        "package": form.package,
        "samna": form.samna,
        "tick_ns": chip.tick_ns.value.data,
        "inputs": [
            {
                **node_json(op, "input"),
                "core": op.at.value.data,
                "index": array_json(op.index.values),
                "outputs": None,
                "channels": array_json(op.channels.values),
            }
            for op in chip.inputs
        ],
        "neurons": [neurons_json(op) for op in chip.core.neurons],
        "outputs": [output_json(op) for op in chip.outputs],
        **probes_json(chip),
    }


def neurons_json(op: NumberedOp) -> dict[str, Any]:
    kind = "output" if isinstance(op, ReadoutOp) else "hidden"
    arrays = {"index": array_json(op.index.values), "ids": array_json(op.ids.values)}
    return {"name": op.node.data, "population": op.source.data, "kind": kind, "type": str(op.type), **arrays}


def as_json(record: dict[str, Any]) -> str:
    """Returns a record with each of its members on a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in record.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `specification.json` of a module (`-t xylo`). Errors: CHI018; DEV023 no device is specified; those of reading a device."""
    chip = Model.chip_of(module)
    return as_json(specification(chip, device_of(chip)))


def texts(chip: ChipOp, device: Device) -> dict[str, bytes]:
    """Returns the files that follow from a chip."""
    found = specification(chip, device)
    return {
        SPECIFICATION: as_json(found).encode(),
        CONFIGURATION: as_json(configuration(found, device)).encode(),
        CHIP: as_json(chip_json(chip, device)).encode(),
    }


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for rockpool. Errors: CHI018."""
    chip = Model.chip_of(module)
    files = {
        **texts(chip, device),
        DEVICE: f"{record_of(device).text}\n".encode(),
        SCRIPT: script_bytes(ROCKPOOL_SCRIPT),
    }
    neurons = sum(op.size for op in chip.core.neurons)
    memory: dict[str, int | None] = {
        "synapses": sum(op.weight.data.size for op in chip.core.weights.values()),
        "neurons": -(-REGISTER_BITS * neurons // 8),
    }
    return Artefact(files=files, memory=memory)
