"""Memory images of the cores of a `truenorth.chip`: one word for each row, with the fields that the device declares (`core.images.rows`).

| field | content |
| --- | --- |
| `synapses` | a bit for each axon, axon 0 lowest |
| `weights` | the weights of all types, type 0 lowest |
| `potential`, `leak`, `threshold`, `reset`, `mode`, … | registers, negative numbers in two's complement |
| `floor`, `negative` | the negative threshold as a magnitude, or as a negative number |
| `dx`, `dy`, `axon`, `tick`, `late` | the destination; `late` is the delay minus 1 |

Rows without a destination send to the first row of the output bus after the outputs. Unused rows have no synapses and the largest threshold.
"""

from __future__ import annotations

import numpy as np

from ...core.arrays.numeric import Ints
from ...core.device.device import Device
from ...core.device.register_fields import Field, Word
from ...core.device.topology import Topology
from ...dialects.truenorth import PARAMETERS, REGISTERS, SIGNED, ChipOp, CoreOp, column, line, register_bits


def row_word(device: Device) -> Word | None:
    """Returns the fields of a row; None if the device declares none."""
    bits = register_bits(device)
    return Word(tuple(Field(name, n, name in SIGNED) for name, n in bits.items())) if bits else None


def bus_rows(chip: ChipOp) -> int:
    """Returns the number of rows of the output bus that are outputs."""
    rows = [int(op.rows.values.max(initial=-1)) for op in chip.outputs if op.rows is not None]
    return 1 + max(rows, default=-1)


def destinations(chip: ChipOp, core: CoreOp, topology: Topology) -> Ints:
    """Returns dx, dy, axon and tick of each row. Shapes: [rows, 4]."""
    place, unused, each = core.place.value.data, bus_rows(chip), chip.axons_of_bus
    x, y = chip.bus.values.tolist()
    nowhere = [x + unused // each - column(topology, place), y - line(topology, place), unused % each, 1]
    parts: list[Ints] = [np.zeros((0, 4), np.int64)]
    for op in core.neurons:
        found = np.tile(np.array(nowhere, np.int64), (op.size, 1))
        if (sent := op.destinations) is not None:
            given = [one.values.astype(np.int64) for one in (sent.dx, sent.dy, sent.axon, sent.tick)]
            found[sent.row.values] = np.stack(given, axis=1)
        parts.append(found)
    return np.concatenate(parts)


def core_image(chip: ChipOp, core: CoreOp, device: Device, topology: Topology, word: Word) -> list[int]:
    """Returns the rows of a core, unused ones included."""
    bits = register_bits(device)
    sent = destinations(chip, core, topology)
    used, rows = len(sent), max(device.integer("core.neurons") or 0, len(sent))
    columns = {name: np.zeros(rows, np.int64) for name in (*PARAMETERS, "potential")}
    columns["threshold"][used:] = (1 << bits.get("threshold", 1)) - 1
    synapses, weights = np.zeros(rows, object), np.zeros(rows, object)
    types = device.integer("core.crossbar.axon_types") or 1
    each, first = bits.get("weights", types) // types, 0
    for op in core.neurons:
        own = slice(first, first + op.size)
        for name, values in {**op.registers(), "potential": op.potentials()}.items():
            columns[name][own] = values
        synapses[own] = [sum(1 << int(k) for k in np.flatnonzero(row)) for row in op.crossbar.values]
        mask = (1 << each) - 1
        weights[own] = [
            sum((int(weight) & mask) << (k * each) for k, weight in enumerate(row))
            for row in op.weights.values.tolist()
        ]
        first += op.size
    fields: dict[str, Ints] = {REGISTERS.get(name, name): values for name, values in columns.items()}
    fields["negative"] = -columns["negative_threshold"]
    for k, name in enumerate(("dx", "dy", "axon", "tick")):
        fields[name] = np.concatenate([sent[:, k], np.full(rows - used, sent[0, k] if used else 0)])
    fields["late"] = np.maximum(fields["tick"] - 1, 0)
    known = {field.name for field in word.fields}
    return word.pack(
        {name: values for name, values in {**fields, "synapses": synapses, "weights": weights}.items() if name in known}
    )
