"""Model of a `dynapse.chip`: events with tags, synapses that compare them, and the circuits of the neurons (`circuit.py`), tick by tick.

    1. The events of a tick reach the cores of their destinations in the next tick. The host sends those of inputs one tick later, too.
    2. Each synapse whose tag is that of an event adds the currents of its mask, as often as the neuron spiked; an inhibitory one subtracts them.
    3. AnalogueNeurons are updated, and send their spikes.

A manufactured chip has other currents, capacitances and constants for each neuron: each is multiplied by a normal number with the mean 1 and the
deviation `imperfections.mismatch` of the device. The currents of weights are the same for all neurons of a core.

Source: rockpool 3.1.0, devices/dynapse: DynapSim, whose mismatch (30 % are three standard deviations) has the same places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ModuleOp, i1

from ...core.arrays.numeric import AnyArray, Ints, Reals
from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...core.ir.operation import element_type, shape_of
from ...dialects.chip_base.groups import GroupOp
from ...dialects.dynapse import ChipOp, NeuronsOp, destinations_of
from ...dialects.dynapse.circuit import LAYOUT
from ...simulation.chip_model import ChipModel
from ...simulation.core_grid import ChipGrid, Sender, Table, Tick
from .circuit import Circuit, RunningNeurons, currents_of, mismatched

MISMATCH = "imperfections.mismatch"
MOST_EVENTS = 15
"""Spikes of a neuron in a tick that the model counts."""


@frozen(eq=False)
class AnalogueNeurons:
    """A group of neurons. `given` has the sums of weights of each source, by the group or input that sends. Shapes: [neurons of the source, neurons]."""

    sender: Sender
    circuit: Circuit
    is_single: bool
    given: Mapping[str, Reals]


@frozen(eq=False)
class DynapseGrid(ChipGrid):
    """Inputs and groups of neurons."""

    inputs: tuple[Sender, ...]
    groups: tuple[AnalogueNeurons, ...]

    @property
    def senders(self) -> Sequence[Sender]:
        return [*self.inputs, *(one.sender for one in self.groups)]

    def start(self, samples: int) -> RunningChips:
        return RunningChips(self, samples)


class RunningChips:
    """The state of some samples while they run."""

    def __init__(self, grid: DynapseGrid, samples: int):
        self.grid = grid
        self.late: dict[str, AnyArray] = {}
        """The events of the tick before, by sender. Shapes: [samples, neurons]."""
        self.running = [RunningNeurons(one.circuit, samples, len(one.sender.index)) for one in grid.groups]
        self.shapes = [(samples, len(one.sender.index)) for one in grid.groups]

    def tick(self, t: int, given: Mapping[str, AnyArray]) -> Tick:
        """Runs one tick. Shapes: given, by the name of the input: [samples, entries]."""
        outputs = {sender.name: given[sender.source][:, sender.index] for sender in self.grid.inputs}
        states: dict[str, Mapping[str, AnyArray]] = {}
        for one, neurons, shape in zip(self.grid.groups, self.running, self.shapes, strict=True):
            x = np.zeros(shape)
            for name, weights in one.given.items():
                if name in self.late and self.late[name].any():
                    x += self.late[name].astype(np.float64) @ weights  # 2
            spikes = neurons.tick(x, MOST_EVENTS)  # 3
            outputs[one.sender.name] = spikes != 0 if one.is_single else spikes
            names = ("isyn", "iahp", "imem", "v", "timer", "n")
            states[one.sender.name] = {name: getattr(neurons, name) for name in names}
        self.late = outputs  # 1
        return Tick(outputs, states)


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "dynapse/se2"
    is_imperfect = True

    def tables(self, op: GroupOp, axons: int) -> Iterator[Table]:
        """Yields nothing: synapses with tags take the place of tables."""
        yield from ()

    def build_grid(self, chip: ChipOp, module: ModuleOp, device: Device) -> DynapseGrid:
        inputs = [Sender(op.node.data, op.source.data, op.index.values.astype(np.int64), ()) for op in chip.inputs]
        own = topology_of(device, len(chip.cores)).own
        events = list(arrivals(chip, own))
        dt = chip.tick_ns.value.data * 1e-9
        groups = [
            AnalogueNeurons(
                Sender(op.node.data, op.source.data, op.index.values.astype(np.int64), ()),
                self.circuit(op, device, dt),
                element_type(op.type) == i1,
                weights_into(op, [one for one in events if one.core == place]),
            )
            for place, core in chip.cores.items()
            for op in core.groups
        ]
        return DynapseGrid(tuple(inputs), tuple(groups))

    def circuit(self, op: NeuronsOp, device: Device, dt: float) -> Circuit:
        """Returns the circuits of a group on the ideal or a manufactured chip."""
        params = op.parameters()
        numbers: dict[str, AnyArray | float] = {**currents_of(params, dt), **LAYOUT}
        spread = device.number(MISMATCH)
        if self.imperfections is not None and spread:
            size = prod(shape_of(op.type))
            every = dict(mismatched(numbers, float(spread), size, op.source.data, self.imperfections))
            numbers = {name: values[op.index.values] for name, values in every.items()}
        return Circuit.of(numbers, params["i_w"], dt)


@frozen(eq=False)
class Arrival:
    """The events of one sender that reach a core. Shapes: neuron (a place in the sender) and tag [destinations]."""

    sender: str
    size: int
    core: int
    neuron: Ints
    tag: Ints


def arrivals(chip: ChipOp, own: int) -> Iterator[Arrival]:
    """Yields the events of each sender for each core that they reach."""  # 1
    for _, op in chip.senders():
        if (found := destinations_of(op)) is None:
            continue
        place, cores = found.chip.values.astype(np.int64), found.cores.values.astype(np.int64)
        for core in chip.cores:
            mine = (place == core // own) & ((cores >> core % own) & 1 == 1)
            if mine.any():
                neuron, tag = found.neuron.values[mine].astype(np.int64), found.tag.values[mine].astype(np.int64)
                yield Arrival(op.node.data, op.size, core, neuron, tag)


def weights_into(op: NeuronsOp, events: Sequence[Arrival]) -> dict[str, Reals]:
    """Returns the sums of currents that a group receives from each sender."""  # 2
    held = op.synapses
    if held is None or not held.neuron.data.size:
        return {}
    masks = held.mask.values.astype(np.int64)
    worth = held.signs * (((masks[:, None] >> np.arange(4)) & 1) @ op.currents.values.astype(np.int64))
    found: dict[str, Reals] = {}
    for one in events:
        matrix = found.setdefault(one.sender, np.zeros((one.size, op.size)))
        order = np.argsort(one.tag, kind="stable")
        first = np.searchsorted(one.tag[order], held.tag.values, side="left")
        last = np.searchsorted(one.tag[order], held.tag.values, side="right")
        synapse = np.repeat(np.arange(len(first)), last - first)
        rank = np.arange(len(synapse)) - np.repeat(np.cumsum(last - first) - (last - first), last - first)
        np.add.at(matrix, (one.neuron[order][first[synapse] + rank], held.neuron.values[synapse]), worth[synapse])
    return found
