"""Model of a `spinnaker.chip`, tick by tick: keys select rows of words, and words fill the ring buffers.

    1. A core takes the slot of its ring buffers of this tick: the sums of both receptors. The slot becomes 0.
    2. It updates its neurons, and sends the key of each that spikes. The host sends the keys of inputs.
    3. A key goes to the cores of its sender. There the entries of the master population table that match it select a row each.
    4. Each word of a row adds its weight to the entry of its receptor and neuron, in the slot of its delay. An entry saturates at 0xFFFF.

The order of keys within a tick changes nothing: weights have no sign, so a saturated sum is the same in each order.

Source: sPyNNaker 7.4.1, neural_modelling/src/neuron: c_main.c, spike_processing.c, synapses.c, population_table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.diagnostics import refuse_op
from ...dialects.chip_base.groups import GroupOp
from ...dialects.ntensor import NetworkOp, UpdateOp
from ...dialects.spinnaker import ChipOp, NeuronsOp
from ...dialects.spinnaker.cores import RECEPTORS, KeyedOp
from ...dialects.spinnaker.rows import RING_MOST, RowsOp, unsigned
from ...simulation.chip_model import CHI020, ChipModel
from ...simulation.core_grid import ChipGrid, Group, Sender, Table, Tick
from ...simulation.elements import working_dtype
from ...simulation.update import Step

LOW = 16
"""Bits of a word below the weight."""
HEADER = 3


@frozen(eq=False)
class Fan:
    """The synaptic events of one sender in one group. Shapes: start [neurons + 1]; slot, entry and weight [events], by neuron.

    `entry` is the place of receptor and neuron in a slot; `slot` is counted from the current one.
    """

    group: str
    start: Ints
    slot: Ints
    entry: Ints
    weight: Ints


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`; CHI020 weights that learn."""

    chip, device = ChipOp, "spinnaker/spinn5"

    def __init__(self, module: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        for group in self.chip_of(module).groups:
            for rows in group.rows:
                if rows.plasticity is not None:
                    refuse_op(
                        rows,
                        CHI020,
                        node=group.source.data,
                        expected="weights that stay as they are",
                        found=f"{rows.plasticity} on the rows of {rows.node.data}",
                        help="compile the network with --passes ntensor-freeze-plasticity",
                    )
        super().__init__(module, network, device=device, record=record)

    def tables(self, op: GroupOp, axons: int) -> Iterator[Table]:
        """Yields nothing: rows of words take the place of tables."""
        yield from ()

    def build_grid(self, chip: ChipOp, module: ModuleOp, device: Device) -> ChipGrid:
        updates = {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}
        inputs = [Sender(op.node.data, op.source.data, op.index.values.astype(np.int64), ()) for op in chip.inputs]
        groups = [
            self.group(op, place, updates[op.update_name], (), core.axons.value.data)
            for place, core in chip.cores.items()
            for op in core.groups
        ]
        slots = {op.node.data: op.format.slots for op in chip.groups}
        fans = {op.node.data: tuple(fans_of(chip, op)) for op in chip.keyed}
        return SpinnakerGrid(tuple(inputs), tuple(groups), slots, fans)


def fans_of(chip: ChipOp, sender: KeyedOp) -> Iterator[Fan]:
    """Yields the events of a sender by group: its keys pass the master population table of each core that they reach."""
    key = sender.key.value.data | np.arange(sender.size)
    for place in sender.cores.values.tolist():
        for group in chip.cores[place].groups:
            found = [one for rows in group.rows if (one := events_of(key, rows, group)) is not None]
            if found:
                neuron, slot, entry, weight = (np.concatenate(part) for part in zip(*found, strict=True))
                order = np.argsort(neuron, kind="stable")
                start = np.searchsorted(neuron[order], np.arange(sender.size + 1))
                yield Fan(group.node.data, start, slot[order], entry[order], weight[order])


def events_of(key: Ints, rows: RowsOp, group: NeuronsOp) -> tuple[Ints, Ints, Ints, Ints] | None:
    """Returns sending neuron, slot, entry and weight of each word that some keys select; None if the table does not match them."""
    mask, words = rows.mask.value.data, unsigned(rows.words.values)
    neuron = np.flatnonzero(key & mask == rows.key.value.data)
    row = key[neuron] & ~mask
    is_held = row < len(words)
    neuron, row = neuron[is_held], row[is_held]
    if not len(neuron):
        return None
    count = words[row, 1]
    total = np.cumsum(count)
    column = np.arange(int(total[-1])) - np.repeat(total - count, count)
    word = words[np.repeat(row, count), HEADER + column]
    index, delay = group.index_bits.value.data, group.delay_bits.value.data
    slots = 1 << delay
    slot = word >> (index + 1) & (slots - 1)
    entry = (word >> index & 1) * group.size + (word & ((1 << index) - 1))
    return np.repeat(neuron, count), slot, entry, word >> LOW


@frozen(eq=False)
class SpinnakerGrid(ChipGrid):
    """Inputs and groups of the chip, with the slots of the ring buffers of each group and the events of each sender."""

    inputs: tuple[Sender, ...]
    groups: tuple[Group, ...]
    slots: Mapping[str, int]
    fans: Mapping[str, tuple[Fan, ...]]

    @property
    def senders(self) -> Sequence[Sender]:
        return [*self.inputs, *self.groups]

    def start(self, samples: int) -> RunningBuffers:
        return RunningBuffers(self, samples)


class RunningBuffers:
    """The state of some samples while they run."""

    def __init__(self, grid: SpinnakerGrid, samples: int):
        self.grid, self.samples = grid, samples
        self.rings: dict[str, AnyArray] = {}
        """Ring buffers by group. Shapes: [slots, samples, receptors * neurons]."""
        self.steps: dict[str, Step] = {}
        self.states: dict[str, dict[str, AnyArray]] = {}
        for group in grid.groups:
            shape = samples, len(group.index)
            self.rings[group.name] = np.zeros((grid.slots[group.name], samples, RECEPTORS * shape[1]), np.int64)
            self.steps[group.name] = Step(group.update, group.params, shape)
            self.states[group.name] = {
                name: np.broadcast_to(group.initial[name], shape).astype(working_dtype(type), order="C")
                for name, type in group.update.state_types.items()
            }

    def tick(self, t: int, given: Mapping[str, AnyArray]) -> Tick:
        """Runs one tick. Shapes: given, by the name of the input: [samples, entries]."""
        outputs = {sender.name: given[sender.source][:, sender.index] for sender in self.grid.inputs}
        seen: dict[str, Mapping[str, AnyArray]] = {}  # the recorded v is that before the update
        for group in self.grid.groups:
            ring = self.rings[group.name]
            slot = ring[t % len(ring)]
            sums = np.split(slot.copy(), RECEPTORS, axis=1)
            slot[:] = 0
            states = self.states[group.name]
            done = self.steps[group.name](sums[: len(group.update.inputs)], states)
            outputs[group.name], seen[group.name] = done.value, {**states, **done.records}
        for name, spikes in outputs.items():
            self.send(t, self.grid.fans[name], spikes)
        return Tick(outputs, seen)

    def send(self, t: int, fans: Sequence[Fan], spikes: AnyArray) -> None:
        """Adds the words that the keys of some spikes select."""
        sample, neuron = np.nonzero(spikes)
        if not len(sample):
            return
        for fan in fans:
            first = fan.start[neuron]
            count = fan.start[neuron + 1] - first
            total = np.cumsum(count)
            if not total[-1]:
                continue
            word = np.repeat(first - (total - count), count) + np.arange(int(total[-1]))
            ring = self.rings[fan.group]
            slots, _, width = ring.shape
            place = (t + fan.slot[word]) % slots * self.samples + np.repeat(sample, count)
            flat = ring.reshape(-1)
            np.add.at(flat, place * width + fan.entry[word], fan.weight[word])
            np.minimum(flat, RING_MOST, out=flat)
