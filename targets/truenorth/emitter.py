"""Writes a `truenorth.chip` for its loader: the network and configuration of the simulator RANC, and the memory rows of each core.

| file | content |
| --- | --- |
| `network.json` | cores with axon types, neurons, connections and the output bus, in the format of RANC |
| `config.json` | sizes and switches of the simulator |
| `chip.json` | what that format lacks: names, indices, packets of the inputs, rows of the outputs, further registers (`nopt.truenorth/1`) |
| `pack.py` | adds the packets of an input: `python pack.py IN.npy OUT.json` |
| `ranc_network.py` | runs all samples of an input in the simulator: `python ranc_network.py IN.npz OUT.npz --simulator ranc_sim` |
| `core-N.hex` | the rows of a core as memory words, one on each line |
| `device.json` | the device |

In `network.json`, the delay of a destination is 1 more than `destination_tick`, and the negative threshold is a negative number. Positions count from
the corner of the smallest rectangle that holds all cores in use, since the simulator computes every core of its grid. The output bus is a position
above the last line of this rectangle. Rows without a destination send to its last row.

Every decision was made before: the emitter chooses nothing. Source: RANC, UA-RCL/RANC, simulator/src/decode.hpp, config.hpp.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...analysis.core_tables import uniform_entry
from ...core.device.device import Device
from ...core.device.device_attr import record_of
from ...core.device.named_device import device_of
from ...core.device.register_fields import hex_lines
from ...core.device.topology import Topology, topology_of
from ...core.diagnostics import Diagnostics
from ...core.ir.operation import shape_of
from ...core.target import Artefact
from ...dialects.truenorth import BUS, ChipOp, CoreOp, InputOp, NeuronsOp, OutputOp, column, line
from .images import bus_rows, core_image, row_word
from .model import Model, axon_weights
from .overflow import overflows, report_wraps

CHIP_SCHEMA = "nopt.truenorth/1"
NETWORK, CONFIG, CHIP, DEVICE_FILE = "network.json", "config.json", "chip.json", "device.json"
SCRIPTS = "pack.py", "ranc_network.py"
MEMBERS = {
    "reset_potential": "reset_potential",
    "leak": "leak",
    "positive_threshold": "threshold",
    "reset_mode": "reset_mode",
}
"""Members of a neuron in `network.json`, and the parameters of the row."""
FURTHER = ("leak_reversal", "negative_mode", "random_weights", "random_leak", "threshold_mask")
"""Parameters that `network.json` cannot express."""
NO_RESET = 2
"""The reset mode that the simulator does not have."""
DEAD_THRESHOLD = 2**18 - 1
"""The threshold of unused rows, whose potential stays 0."""


class Writer:
    """Writer of one chip."""

    def __init__(self, chip: ChipOp, device: Device):
        self.chip, self.device = chip, device
        self.topology: Topology = topology_of(device, len(chip.cores))
        self.outputs = bus_rows(chip)
        places = [(column(self.topology, core), line(self.topology, core)) for core in chip.cores] or [(0, 0)]
        x, y = zip(*places, strict=True)
        self.origin = min(x), min(y)
        """Column and line of the corner of the cores in use."""
        self.width, self.height = max(x) - min(x) + 1, max(y) - min(y) + 1
        self.bus = (0, self.height)

    def position(self, core: int) -> list[int]:
        """Returns the position of a core in the rectangle of cores in use."""
        return [column(self.topology, core) - self.origin[0], line(self.topology, core) - self.origin[1]]

    # ---- the network of the simulator

    def network(self) -> dict[str, Any]:
        return {
            "packets": [],
            "output_bus": {"coordinates": list(self.bus), "num_outputs": self.outputs + 1},
            "cores": [self.core(place, core) for place, core in sorted(self.chip.cores.items())],
        }

    def config(self) -> dict[str, int]:
        size = {name: self.device.integer(path) for name, path in SIZES.items()}
        used = {
            "num_neurons": max((sum(op.size for op in core.neurons) for core in self.chip.cores.values()), default=1),
            "num_axons": max((core.axons.value.data for core in self.chip.cores.values()), default=1),
            "num_weights": max((op.weights.shape[1] for op in self.chip.neurons), default=1),
        }
        return {
            **{name: n or used[name] for name, n in size.items()},
            "num_cores_x": self.width,
            "num_cores_y": self.height + 1,
            "max_tick_offset": 1 + (self.device.integer("synapse.delay.max") or 15),
            "neuron_block_trace_verbosity": 0,
            "core_controller_trace_verbosity": 0,
            "scheduler_trace_verbosity": 0,
            "neuron_reset_type": self.chip.neuron_reset_type.value.data,
        }

    def core(self, place: int, core: CoreOp) -> dict[str, Any]:
        neurons = [one for op in core.neurons for one in self.neurons(place, op)]
        connections: list[list[int]] = [row for op in core.neurons for row in op.crossbar.values.tolist()]
        unused = max(0, (self.device.integer("core.neurons") or 0) - len(neurons))
        return {
            "coordinates": self.position(place),
            "axons": core.types.values.tolist(),
            "neurons": neurons + [self.unused_row(place, core)] * unused,
            "connections": connections + [[]] * unused,
        }

    def neurons(self, place: int, op: NeuronsOp) -> list[dict[str, Any]]:
        """Returns the rows of a group."""
        registers, weights, potentials = op.registers(), op.weights.values.tolist(), op.potentials().tolist()
        found = [
            {
                **{member: int(registers[name][k]) for member, name in MEMBERS.items()},
                "negative_threshold": -int(registers["negative_threshold"][k]),
                "weights": weights[k],
                "current_potential": potentials[k],
                **self.destination(place, BUS, self.outputs, 1),
            }
            for k in range(op.size)
        ]
        if (sent := self.chip.sent(place, op, self.topology)) is not None:
            rows: list[int] = sent.row.tolist()
            places = zip(sent.core.tolist(), sent.axon.tolist(), sent.tick.tolist(), strict=True)
            for row, (core, axon, tick) in zip(rows, places, strict=True):
                found[row] |= self.destination(place, core, axon, tick)
        return found

    def unused_row(self, place: int, core: CoreOp) -> dict[str, Any]:
        types = core.neurons[0].weights.shape[1] if core.neurons else 1
        return {
            **dict.fromkeys(MEMBERS, 0),
            "positive_threshold": DEAD_THRESHOLD,
            "negative_threshold": -DEAD_THRESHOLD,
            "weights": [0] * types,
            "current_potential": 0,
            **self.destination(place, BUS, self.outputs, 1),
        }

    def destination(self, place: int, core: int, axon: int, tick: int) -> dict[str, Any]:
        """Returns the destination of a row."""
        x, y = self.bus if core == BUS else self.position(core)
        own = self.position(place)
        return {
            "destination_core_offset": [x - own[0], y - own[1]],
            "destination_axon": axon,
            "destination_tick": tick - 1,
        }

    # ---- what that format lacks

    def content(self) -> dict[str, Any]:
        chip = self.chip
        return {
            "schema": CHIP_SCHEMA,
            "network": chip.sym_name.data,
            "device": self.device.key,
            "tick_ns": chip.tick_ns.value.data,
            "potential_bits": chip.potential_bits.value.data,
            "overflow": chip.overflow.data,
            "neuron_reset_type": chip.neuron_reset_type.value.data,
            "bus": chip.bus.values.tolist(),
            "origin": [*self.origin],
            "inputs": [self.input(op) for op in chip.inputs],
            "cores": [
                {"core": place, "groups": [self.group(op) for op in core.neurons]}
                for place, core in sorted(chip.cores.items())
            ],
            "outputs": [self.output(op) for op in chip.outputs],
        }

    def input(self, op: InputOp) -> dict[str, Any]:
        found = op.packets
        packets: dict[str, list[Any]] = {"neuron": [], "core": [], "axon": [], "delay": []}
        if found is not None:
            packets = {name: getattr(found, name).values.tolist() for name in ("neuron", "axon", "delay")}
            packets["core"] = [self.position(core) for core in found.core.values.tolist()]
        return {
            "name": op.node.data,
            "input": op.source.data,
            "type": str(op.type),
            "shape": list(shape_of(op.type)),
            "core": op.at.value.data,
            "index": op.index.values.tolist(),
            "packets": packets,
        }

    def group(self, op: NeuronsOp) -> dict[str, Any]:
        registers = op.registers()
        return {
            "name": op.node.data,
            "population": op.source.data,
            "type": str(op.type),
            "index": op.index.values.tolist(),
            "registers": {name: np.asarray(uniform_entry(registers[name])).tolist() for name in FURTHER},
        }

    def output(self, op: OutputOp) -> dict[str, Any]:
        size = int(np.prod(shape_of(op.type)))
        return {
            "name": op.node.data,
            "population": op.source.data,
            "type": str(op.type),
            "delay": np.broadcast_to(op.delay.values, (size,)).tolist(),
            "rows": None if op.rows is None else op.rows.values.tolist(),
        }

    # ---- the report

    def notes(self) -> list[str]:
        """Returns notes on computations that the simulator does differently from the chip."""
        found: list[str] = []
        every = [(op, op.registers()) for op in self.chip.neurons]
        reversing = {op.source.data for op, one in every if ((one["leak_reversal"] == 1) & (one["leak"] != 0)).any()}
        keeping = {op.source.data for op, one in every if (one["reset_mode"] == NO_RESET).any()}
        for names, what in (
            (reversing, "a leak that has the sign of the potential"),
            (keeping, "neurons without a reset"),
        ):
            if names:
                found.append(
                    f"{NETWORK}: RANC does not compute {what} ({', '.join(sorted(names))}): its results differ"
                )
        if (earliest := self.earliest_saturation()) is not None:
            found.append(
                f"{NETWORK}: RANC resets a potential below the negative threshold, where {self.device.key} saturates: at the earliest "
                f"after {earliest} ticks of the largest inhibition"
            )
        if (earliest := min((one.tick for one in overflows(self.chip)), default=None)) is not None:
            found.append(
                f"{NETWORK}: RANC has no bound of potentials, where those of {self.device.key} {self.chip.overflow.data} at "
                f"{self.chip.potential_bits.value.data} bits: at the earliest after {earliest} ticks of the largest excitation or inhibition"
            )
        return found

    def earliest_saturation(self) -> int | None:
        """Returns the first tick in which a potential can saturate at its negative threshold; None if no potential can."""
        earliest: int | None = None
        for core in self.chip.cores.values():
            for op in core.neurons:
                registers, typed = op.registers(), axon_weights(op, core.types.values.astype(np.int64))
                down = -(np.minimum(typed, 0).sum(axis=1) + np.minimum(registers["leak"], 0))
                falls = (registers["negative_mode"] == 1) & (down > 0)
                if falls.any():
                    ticks = int((registers["negative_threshold"][falls] // down[falls]).min()) + 1
                    earliest = ticks if earliest is None else min(earliest, ticks)
        return earliest

    def facts(self) -> dict[str, Any]:
        """Returns the entries of the report."""
        rows = sum(op.size for op in self.chip.neurons)
        neurons = sum(len(op.first_rows()) for op in self.chip.neurons)
        return {
            "cores": len(self.chip.cores),
            "axons": sum(core.axons.value.data for core in self.chip.cores.values()),
            "duplicated_axons": self.duplicates(),
            "rows": rows,
            "replicated_neurons": rows - neurons,
            "hops": self.hops(),
        }

    def duplicates(self) -> int:
        """Returns the axons of cores beyond the first of each sender and delay."""
        axons = 0
        for place, op in self.chip.senders():
            index = op.index.values.astype(np.int64)
            columns: list[Any] = []
            if isinstance(op, InputOp) and (packets := op.packets) is not None:
                columns = [index[packets.neuron.values], packets.core.values, packets.delay.values]
            elif isinstance(op, NeuronsOp) and (sent := self.chip.sent(place, op, self.topology)) is not None:
                to_cores = sent.core != BUS
                columns = [one[to_cores] for one in (index[sent.row], sent.core, sent.tick)]
            if columns:
                table = np.stack(columns, axis=1)
                axons += len(table) - len(np.unique(table, axis=0))
        return axons

    def hops(self) -> int:
        """Returns the links of all destinations of rows in cores, if each row spikes once."""
        sent = [op.destinations for op in self.chip.neurons]
        return sum(int(np.abs(one.dx.values).sum() + np.abs(one.dy.values).sum()) for one in sent if one is not None)


SIZES = {"num_neurons": "core.neurons", "num_axons": "core.input_axons", "num_weights": "core.crossbar.axon_types"}


def dump(content: Any) -> str:
    """Returns JSON text with one line for each core and each row."""
    return (
        json.dumps(content, separators=(",", ":"))
        .replace('{"reset_potential"', '\n{"reset_potential"')
        .replace("],[", "],\n[")
        + "\n"
    )


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `network.json` of a module (`-t truenorth`). Errors: CHI018; DEV023 no device is specified; those of reading a device."""
    chip = Model.chip_of(module)
    return dump(Writer(chip, device_of(chip)).network())


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: CHI018. Warnings: TRN011 potentials that wrap soon."""
    chip = Model.chip_of(module)
    report_wraps(chip, diagnostics)
    writer, word = Writer(chip, device), row_word(device)
    files = {
        NETWORK: dump(writer.network()).encode(),
        CONFIG: f"{json.dumps(writer.config(), indent=1)}\n".encode(),
        CHIP: f"{json.dumps(writer.content(), separators=(',', ':'))}\n".encode(),
        **{name: (Path(__file__).parent / f"{name}.in").read_bytes() for name in SCRIPTS},
        DEVICE_FILE: f"{record_of(device).text}\n".encode(),
    }
    rows = sum(op.size for op in chip.neurons)
    if word is not None:
        for place, core in sorted(chip.cores.items()):
            image = core_image(chip, core, device, writer.topology, word)
            files[f"core-{place}.hex"] = hex_lines(image, word.bits).encode()
    memory: dict[str, int | None] = {"rows": None if word is None else -(-rows * word.bits // 8)}
    return Artefact(files=files, memory=memory, notes=tuple(writer.notes()), facts=writer.facts())
