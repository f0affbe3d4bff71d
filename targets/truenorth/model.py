"""Runs a `truenorth.chip`, row by row, by the equations of Cassidy et al. (2013).

    V = V + sum over axons i with a spike of switch[i] * weight[type of i]
    Omega = (1 - epsilon) + epsilon * sgn(V);  V = V + Omega * lambda;  if epsilon and V changed its sign: V = 0
    if V >= alpha:  spike; V = R (gamma = 0) | V - alpha (gamma = 1) | V (gamma = 2)
    elif V < -beta: V = -beta (kappa = 1), else -R | V + beta | V, by gamma

Published models differ. The chip op has these differences as switches: `overflow` and `potential_bits` after each addition, and
`neuron_reset_type`, with which RANC's simulator also resets at V == -beta. The simulator of RANC has no bound of V. Spikes that arrive on one
axon in one tick count once. Random modes are refused.

The sums of a tick are matrix products over f32, which are exact: 256 axons with weights of 9 bits add less than 2^24. The copies of a neuron are
computed once. Samples run in groups, in one thread for each processor.

Source: A. S. Cassidy et al., Cognitive computing building block, IJCNN 2013; RANC, simulator/src/neuronblock.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve, frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...core.diagnostics import Code, refuse_op
from ...dialects.truenorth import BUS, RANDOM, ChipOp, CoreOp, InputOp, NeuronsOp
from ...dialects.truenorth.chip import Sent
from ...dialects.truenorth.neurons import PARAMETERS
from ...simulation.chip_grid import Sender, Tick
from ...simulation.chip_model import ChipModel
from ...simulation.fan_out_grid import Block, FanOut, FanOutGrid

TRN010 = Code("TRN010", "random-modes-not-simulated", "the model does not compute random modes")

STATE = "v"
"""The name of the potential in records."""
EXACT = 2**24
"""Integers below this are exact as f32."""


@frozen(eq=False)
class Crossbar:
    """The neurons of a core, each once. Shapes: matrix [axons, neurons]; registers and initial [neurons]."""

    groups: tuple[Sender, ...]
    matrix: AnyArray
    registers: Mapping[str, Ints]
    initial: Ints


class RunningCrossbar:
    """The neurons of a core while some samples run. Shapes: potential [samples, neurons]."""

    def __init__(self, chip: ChipOp, core: Crossbar, samples: int):
        self.chip, self.core = chip, core
        self.potential = np.broadcast_to(core.initial, (samples, len(core.initial))).copy()

    def tick(self, sums: Ints) -> Tick:
        """Runs one tick. Shapes: sums [samples, axons], 1 for an axon with a spike."""
        spikes, outputs, states = self.update(sums.astype(np.float32)), dict[str, AnyArray](), dict[str, Any]()
        ends = np.cumsum([len(group.index) for group in self.core.groups])
        for group, end in zip(self.core.groups, ends.tolist(), strict=True):
            mine = slice(end - len(group.index), end)
            outputs[group.name], states[group.name] = spikes[:, mine], {STATE: self.potential[:, mine]}
        return Tick(outputs, states)

    def bounded(self, values: Ints) -> Ints:
        """Returns potentials in their width."""
        bits = self.chip.potential_bits.value.data
        low, high = -(1 << bits - 1), (1 << bits - 1) - 1
        if self.chip.overflow.data == "wrap":
            return (values - low) % (1 << bits) + low
        return np.clip(values, low, high)

    def update(self, arrived: AnyArray) -> AnyArray:
        """Updates the potentials, and returns the spikes. Shapes: arrived [samples, axons], spikes [samples, neurons]."""
        p = self.core.registers
        v = self.bounded(self.potential + (arrived @ self.core.matrix).astype(np.int64))
        before = np.sign(v)
        v = self.bounded(v + np.where(p["leak_reversal"] == 1, before, 1) * p["leak"])
        v = np.where((p["leak_reversal"] == 1) & (np.sign(v) * before < 0), 0, v)
        alpha, beta, r, gamma, kappa = (
            p[name] for name in ("threshold", "negative_threshold", "reset_potential", "reset_mode", "negative_mode")
        )
        spikes = v >= alpha
        is_low = ~spikes & ((v <= -beta) if self.chip.neuron_reset_type.value.data == 1 else (v < -beta))
        up = np.select([gamma == 0, gamma == 1], [r, v - alpha], v)
        down = np.where(kappa == 1, -beta, np.select([gamma == 0, gamma == 1], [-r, v + beta], v))
        self.potential = np.where(spikes, up, np.where(is_low, down, v))
        return spikes


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`; TRN010 random modes."""

    chip, device = ChipOp, "truenorth/ns1e"

    def build_grid(self, chip: ChipOp, module: ModuleOp, device: Device) -> FanOutGrid:
        """Returns the cores of the chip. Errors: TRN010."""
        refuse_random(chip)
        topology = topology_of(device, len(chip.cores))
        fans = {op.node.data: list(fans_of_input(op)) for op in chip.inputs}
        blocks = list[Block]()
        for place, core in chip.cores.items():
            crossbar = crossbar_of(core)
            start = partial(RunningCrossbar, chip, crossbar)
            blocks.append(Block(str(place), crossbar.groups, core.axons.value.data, start, most=1))
            fans |= {op.node.data: list(fans_of_rows(op, chip.sent(place, op, topology))) for op in core.neurons}
        return FanOutGrid(tuple(map(Sender.of, chip.inputs)), tuple(blocks), fans)


def crossbar_of(core: CoreOp) -> Crossbar:
    """Returns the neurons of a core."""
    types = core.types.values.astype(np.int64)
    rows = [(op, op.first_rows()) for op in core.neurons]
    groups = tuple(evolve(Sender.of(op), index=op.index.values.astype(np.int64)[first]) for op, first in rows)
    none = np.zeros(0, np.int64)
    matrix = np.concatenate([np.zeros((0, len(types))), *(axon_weights(op, types)[first] for op, first in rows)]).T
    assert np.abs(matrix).sum(axis=0).max(initial=0) < EXACT  # weights of registers
    registers = {
        name: np.concatenate([none, *(op.registers()[name][first] for op, first in rows)]) for name in PARAMETERS
    }
    initial = np.concatenate([none, *(op.potentials()[first] for op, first in rows)])
    return Crossbar(groups, np.ascontiguousarray(matrix, np.float32), registers, initial)


def axon_weights(op: NeuronsOp, types: Ints) -> Ints:
    """Returns for each row its weight of each axon, 0 without a synapse. Shapes: types [axons]; [rows, axons]."""
    weights = op.weights.values.astype(np.int64)
    typed = weights[:, np.minimum(types, weights.shape[1] - 1)]  # an axon of another type has no switch here
    return typed * op.crossbar.values


def fans_of_input(op: InputOp) -> Iterator[FanOut]:
    """Yields the fan-out of an input by core."""
    if (packets := op.packets) is not None:
        columns = (packets.neuron, packets.core, packets.axon, packets.delay)
        yield from fans_by_core(op.size, *(one.values.astype(np.int64) for one in columns))


def fans_of_rows(op: NeuronsOp, sent: Sent | None) -> Iterator[FanOut]:
    """Yields the fan-out of a group by core. The copies of a neuron, which are alike but for their destinations, send for it."""
    if sent is not None:
        _, first, neuron = np.unique(op.index.values, return_index=True, return_inverse=True)
        place = np.searchsorted(np.sort(first), first[neuron.reshape(-1)])
        yield from fans_by_core(len(first), place[sent.row], sent.core, sent.axon, sent.tick)


def fans_by_core(size: int, neuron: Ints, core: Ints, axon: Ints, delay: Ints) -> Iterator[FanOut]:
    """Yields one record of destinations for each core; destinations on the output bus are left out."""
    for place in np.unique(core[core != BUS]).tolist():
        mine = core == place
        yield FanOut.of(str(place), size, neuron[mine], axon[mine], wait=delay[mine])


def refuse_random(chip: ChipOp) -> None:
    """Refuses rows with random modes. Errors: TRN010."""
    for op in chip.neurons:
        for name in RANDOM:
            if (values := op.registers()[name]).any():
                refuse_op(
                    op,
                    TRN010,
                    node=op.source.data,
                    expected=f"{name} = 0",
                    found=f"{name} = {int(values.max())}",
                    help=f"set {name} to 0, or compile the network again",
                )
