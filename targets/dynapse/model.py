"""Model of a `dynapse.chip`: events with tags, synapses that compare them, and the circuits of the neurons (`circuit.py`), tick by tick.

    1. The events of a tick reach the cores of their destinations in the next tick. The host sends those of inputs one tick later, too.
    2. Each synapse whose tag is that of an event adds the currents of its mask, as often as the neuron spiked; an inhibitory one subtracts them.
    3. Neurons are updated, and send their spikes.

A manufactured chip has other currents, capacitances and constants for each neuron: each is multiplied by a normal number with the mean 1 and the
deviation `imperfections.mismatch` of the device. The currents of weights are the same for all neurons of a core.

Source: rockpool 3.1.0, devices/dynapse: DynapSim, whose mismatch (30 % are three standard deviations) has the same places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from math import prod

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ModuleOp, i1

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...core.ir.operation import element_type, shape_of
from ...dialects.chip_base.groups import GroupOp
from ...dialects.dynapse import ChipOp, NeuronsOp, destinations_of
from ...dialects.dynapse.circuit import LAYOUT
from ...simulation.chip_grid import Sender, Tick
from ...simulation.chip_model import ChipModel
from ...simulation.fan_out_grid import Block, FanOut, FanOutGrid
from ...simulation.imperfections import Imperfections
from .circuit import Circuit, RunningNeurons, currents_of, mismatched, parameters_of

MISMATCH = "imperfections.mismatch"
MOST_EVENTS = 15
"""Spikes of a neuron in a tick that the model counts."""


class RunningCircuits:
    """The neurons of a group while some samples run."""

    def __init__(self, group: Sender, circuit: Circuit, is_single: bool, samples: int):
        self.group, self.is_single = group, is_single
        self.neurons = RunningNeurons(circuit, samples, len(group.index))

    def tick(self, sums: Ints) -> Tick:
        """Runs one tick. Shapes: sums [samples, neurons]."""  # 3
        spikes = self.neurons.tick(sums.astype(np.float64), MOST_EVENTS)
        states = {name: getattr(self.neurons, name) for name in ("isyn", "iahp", "imem", "v", "timer", "n")}
        name = self.group.name
        return Tick({name: spikes != 0 if self.is_single else spikes}, {name: states})


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "dynapse/se2"
    is_imperfect = True
    varies_neurons = True

    def build_grid(self, chip: ChipOp, module: ModuleOp, device: Device) -> FanOutGrid:
        arriving = list(arrivals(chip, topology_of(device, len(chip.cores)).own))
        dt = chip.tick_ns.value.data * 1e-9
        blocks, fans = list[Block](), dict[str, list[FanOut]]()
        for place, core in chip.cores.items():
            for op in core.groups:
                group, is_single = Sender.of(op), element_type(op.type) == i1
                start = partial(RunningCircuits, group, self.circuit(op, device, dt), is_single)
                blocks.append(Block(group.name, (group,), op.size, start))
                for arrival in arriving:
                    if arrival.core == place and (fan := fan_into(op, arrival)) is not None:
                        fans.setdefault(arrival.sender, []).append(fan)
        return FanOutGrid(tuple(map(Sender.of, chip.inputs)), tuple(blocks), fans)

    @classmethod
    def varied_parameters(
        cls, op: GroupOp, core: int, dt: float, device: Device, imperfections: Imperfections
    ) -> Mapping[str, AnyArray]:
        """Returns the parameters of the update on a manufactured chip."""
        known = parameters_of(circuit_of(op, device, dt, imperfections))
        return {name: values for name, values in known.items() if name in op.parameters()}

    def circuit(self, op: NeuronsOp, device: Device, dt: float) -> Circuit:
        """Returns the circuits of a group on the ideal or a manufactured chip."""
        return circuit_of(op, device, dt, self.imperfections)


def circuit_of(op: GroupOp, device: Device, dt: float, imperfections: Imperfections | None) -> Circuit:
    """Returns the circuits of a group on the ideal or a manufactured chip."""
    params = op.parameters()
    numbers: dict[str, AnyArray | float] = {**currents_of(params, dt), **LAYOUT}
    spread = device.number(MISMATCH)
    if imperfections is not None and spread:
        size = prod(shape_of(op.type))
        every = dict(mismatched(numbers, float(spread), size, op.source.data, imperfections))
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


def fan_into(op: NeuronsOp, arrival: Arrival) -> FanOut | None:
    """Returns the synapses of a group that the events of a sender reach, with their currents; None if there are none."""  # 2
    synapses = op.synapses
    if synapses is None:
        return None
    masks = synapses.mask.values.astype(np.int64)
    weight = synapses.signs * (((masks[:, None] >> np.arange(4)) & 1) @ op.currents.values.astype(np.int64))
    order = np.argsort(arrival.tag, kind="stable")
    first, last = (np.searchsorted(arrival.tag[order], synapses.tag.values, side=side) for side in ("left", "right"))
    count = last - first
    synapse = np.repeat(np.arange(len(count)), count)
    rank = np.arange(len(synapse)) - np.repeat(np.cumsum(count) - count, count)
    neuron = arrival.neuron[order][first[synapse] + rank]
    entry = synapses.neuron.values[synapse]
    return FanOut.of(op.node.data, arrival.size, neuron, entry, weight[synapse])
