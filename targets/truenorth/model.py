"""Runs a `truenorth.chip`, row by row, by the equations of Cassidy et al. (2013).

    V = V + sum over axons i with a spike of switch[i] * weight[type of i]
    Omega = (1 - epsilon) + epsilon * sgn(V);  V = V + Omega * lambda;  if epsilon and V changed its sign: V = 0
    if V >= alpha:  spike; V = R (gamma = 0) | V - alpha (gamma = 1) | V (gamma = 2)
    elif V < -beta: V = -beta (kappa = 1), else -R | V + beta | V, by gamma

Published models differ. The chip op has these differences as switches: `overflow` and `potential_bits` after each addition, and
`neuron_reset_type`, with which RANC's simulator also resets at V == -beta. The simulator of RANC has no bound of V. Spikes that arrive on one
axon in one tick count once. Random modes are refused.

The sums of a tick are matrix products over f32, which are exact: 256 axons with weights of 9 bits add less than 2^24. Rows that are equal but for
their destination are computed once. Samples run in groups, in one thread for each processor.

Source: A. S. Cassidy et al., Cognitive computing building block, IJCNN 2013; RANC, simulator/src/neuronblock.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from attrs import define, frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...core.diagnostics import Code, refuse_op
from ...dialects.chip_base.groups import GroupOp
from ...dialects.truenorth import BUS, RANDOM, ChipOp, CoreOp, NeuronsOp
from ...simulation.chip_model import ChipModel
from ...simulation.core_grid import ChipGrid, Sender, Table, Tick

TRN010 = Code("TRN010", "random-modes-not-simulated", "the model does not compute random modes")

STATE = "v"
"""The name of the potential in records."""
EXACT = 2**24
"""Integers below this are exact as f32."""


@frozen(eq=False)
class Link:
    """The axons of one core that a sender's spikes reach after the same delay. Shapes: neuron and axon [spikes]. Units: delay [ticks]."""

    core: int
    delay: int
    neuron: Ints
    """A place among the distinct rows of a core, or among the entries of an input."""
    axon: Ints


@frozen(eq=False)
class Core:
    """The distinct rows of a core. Shapes: matrix [axons, rows]; registers and initial [rows]."""

    place: int
    matrix: AnyArray
    registers: Mapping[str, Ints]
    initial: Ints
    groups: tuple[tuple[Sender, Ints], ...]
    """Each group of neurons with the distinct row of each."""
    links: tuple[Link, ...]


@define(eq=False)
class CoreState:
    """State of the samples that run. Shapes: potential [samples, rows]; waiting [ticks, samples, axons]."""

    potential: Ints
    waiting: AnyArray


@frozen(eq=False)
class CrossbarGrid(ChipGrid):
    """Inputs and cores of a chip."""

    inputs: tuple[Sender, ...]
    sending: Mapping[str, tuple[Link, ...]]
    """The axons that each input reaches, by its name."""
    cores: tuple[Core, ...]
    potential_bits: int
    overflow: str
    neuron_reset_type: int

    @property
    def senders(self) -> list[Sender]:
        return [*self.inputs, *(group for core in self.cores for group, _ in core.groups)]

    @property
    def slots(self) -> int:
        """Returns the ticks in which spikes wait: the longest delay and the current one."""
        links = [link for links in (*self.sending.values(), *(core.links for core in self.cores)) for link in links]
        return 1 + max((link.delay for link in links), default=0)

    def start(self, samples: int) -> Running:
        return Running(self, samples)


class Running:
    """The state of some samples while they run."""

    def __init__(self, grid: CrossbarGrid, samples: int):
        self.grid, self.slots = grid, grid.slots
        self.states = {
            core.place: CoreState(
                np.broadcast_to(core.initial, (samples, len(core.initial))).copy(),
                np.zeros((self.slots, samples, len(core.matrix)), np.float32),
            )
            for core in grid.cores
        }

    def tick(self, t: int, given: Mapping[str, AnyArray]) -> Tick:
        """Runs one tick. Shapes: given, by the name of the input: [samples, entries]."""
        outputs: dict[str, AnyArray] = {}
        potentials: dict[str, Mapping[str, AnyArray]] = {}
        for one in self.grid.inputs:
            outputs[one.name] = given[one.source][:, one.index]
            self.send(t, outputs[one.name], self.grid.sending[one.name])
        for core in self.grid.cores:
            state = self.states[core.place]
            arrived = state.waiting[t % self.slots]
            spikes = self.update(core, state, arrived)
            arrived[:] = 0
            self.send(t, spikes, core.links)
            for group, row in core.groups:
                outputs[group.name] = spikes[:, row]
                potentials[group.name] = {STATE: state.potential[:, row]}
        return Tick(outputs, potentials)

    def send(self, t: int, spikes: AnyArray, links: Sequence[Link]) -> None:
        """Delivers spikes; several on one axon in one tick are one."""
        for link in links:
            if (state := self.states.get(link.core)) is None:
                continue
            slot = state.waiting[(t + link.delay) % self.slots]
            slot[:, link.axon] = np.maximum(slot[:, link.axon], spikes[:, link.neuron] != 0)

    def bounded(self, values: Ints) -> Ints:
        """Returns potentials in their width."""
        bits = self.grid.potential_bits
        low, high = -(1 << bits - 1), (1 << bits - 1) - 1
        if self.grid.overflow == "wrap":
            return (values - low) % (1 << bits) + low
        return np.clip(values, low, high)

    def update(self, core: Core, state: CoreState, arrived: AnyArray) -> AnyArray:
        """Updates the potentials of a core, and returns its spikes. Shapes: arrived [samples, axons], spikes [samples, rows]."""
        p = core.registers
        v = self.bounded(state.potential + (arrived @ core.matrix).astype(np.int64))
        before = np.sign(v)
        v = self.bounded(v + np.where(p["leak_reversal"] == 1, before, 1) * p["leak"])
        v = np.where((p["leak_reversal"] == 1) & (np.sign(v) * before < 0), 0, v)
        alpha, beta, r, gamma, kappa = (
            p[name] for name in ("threshold", "negative_threshold", "reset_potential", "reset_mode", "negative_mode")
        )
        spikes = v >= alpha
        is_low = ~spikes & ((v <= -beta) if self.grid.neuron_reset_type == 1 else (v < -beta))
        up = np.select([gamma == 0, gamma == 1], [r, v - alpha], v)
        down = np.where(kappa == 1, -beta, np.select([gamma == 0, gamma == 1], [-r, v + beta], v))
        state.potential = np.where(spikes, up, np.where(is_low, down, v))
        return spikes


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`; TRN010 random modes."""

    chip, device = ChipOp, "truenorth/ns1e"

    def tables(self, op: GroupOp, axons: int) -> Iterator[Table]:
        raise AssertionError("a crossbar has no tables")  # build_grid asks for none

    def build_grid(self, chip: ChipOp, module: ModuleOp, device: Device) -> CrossbarGrid:
        """Returns the cores of the chip. Errors: TRN010."""
        refuse_random(chip)
        self.topology = topology_of(device, len(chip.cores))
        inputs: list[Sender] = []
        sending: dict[str, tuple[Link, ...]] = {}
        for op in chip.inputs:
            inputs.append(Sender(op.node.data, op.source.data, op.index.values.astype(np.int64), ()))
            found = op.packets
            given = () if found is None else (found.neuron, found.core, found.axon, found.delay)
            sending[op.node.data] = links_of(*(one.values.astype(np.int64) for one in given)) if given else ()
        return CrossbarGrid(
            tuple(inputs),
            sending,
            tuple(self.core(chip, place, core) for place, core in chip.cores.items()),
            chip.potential_bits.value.data,
            chip.overflow.data,
            chip.neuron_reset_type.value.data,
        )

    def core(self, chip: ChipOp, place: int, core: CoreOp) -> Core:
        """Returns the distinct rows of a core with their links."""
        types = core.types.values.astype(np.int64)
        parts, groups = [row_table(op, types) for op in core.neurons], list[tuple[Sender, Ints]]()
        table = np.concatenate(parts) if parts else np.zeros((0, len(types)), np.int64)
        distinct, which = np.unique(table, axis=0, return_inverse=True)
        which, first = which.reshape(-1), 0
        sent: list[Ints] = []
        for op in core.neurons:
            rows = which[first : first + op.size]
            unique = op.first_rows()
            sender = Sender(op.node.data, op.source.data, op.index.values.astype(np.int64)[unique], ())
            groups.append((sender, rows[unique]))
            if (found := chip.sent(place, op, self.topology)) is not None:
                to_cores = found.core != BUS
                columns = rows[found.row], found.core, found.axon, found.tick
                sent.append(np.stack(columns)[:, to_cores])
            first += op.size
        count = len(types)
        matrix = np.ascontiguousarray(distinct[:, :count].T).astype(np.float32)
        assert np.abs(matrix).sum(axis=0).max(initial=0) < EXACT  # weights of registers
        names = list(core.neurons[0].registers()) if core.neurons else []
        registers = {name: distinct[:, count + 1 + k] for k, name in enumerate(names)}
        links = links_of(*np.concatenate(sent, axis=1)) if sent else ()
        return Core(place, matrix, registers, distinct[:, count], tuple(groups), links)


def row_table(op: NeuronsOp, types: Ints) -> Ints:
    """Returns for each row its weight of each axon, its initial potential and its registers. Shapes: [rows, axons + 1 + registers]."""
    return np.column_stack([axon_weights(op, types), op.potentials(), *op.registers().values()])


def axon_weights(op: NeuronsOp, types: Ints) -> Ints:
    """Returns for each row its weight of each axon, 0 without a synapse. Shapes: types [axons]; [rows, axons]."""
    weights = op.weights.values.astype(np.int64)
    typed = weights[:, np.minimum(types, weights.shape[1] - 1)]  # an axon of another type has no switch here
    return typed * op.crossbar.values


def links_of(neuron: Ints, core: Ints, axon: Ints, delay: Ints) -> tuple[Link, ...]:
    """Returns destinations with one record for each core and delay."""
    found: list[Link] = []
    for place, ticks in np.unique(np.stack([core, delay], axis=1), axis=0).tolist():
        own = (core == place) & (delay == ticks)
        found.append(Link(place, ticks, neuron[own], axon[own]))
    return tuple(found)


def refuse_random(chip: ChipOp) -> None:
    """Refuses rows with random modes. Errors: TRN010."""
    for core in chip.cores.values():
        for op in core.neurons:
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
