"""Model of a `spinnaker2.chip`, tick by tick: spikes select connections, and connections fill the sums of later ticks.

    1. A core takes the sums of this tick, one for each neuron, and sets them to 0.
    2. It updates its neurons in single precision. Each neuron that fires sends a spike; the host sends the spikes of inputs.
    3. Each connection of a neuron that fired adds its weight to the sum of its target, d + 1 ticks later for the delay d.

Sums are integers, so the order of spikes within a tick changes nothing. Nothing published limits their width: they are exact.

Source: py-spinnaker2 as of the NIR paper (2024), examples of its neurons: "Actual delay on the hardware is: delay+1".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...dialects.chip_base.groups import GroupOp
from ...dialects.ntensor import UpdateOp
from ...dialects.spinnaker2 import ChipOp, NeuronsOp
from ...simulation.chip_model import ChipModel
from ...simulation.core_grid import ChipGrid, Group, Sender, Table, Tick
from ...simulation.elements import working_dtype
from ...simulation.update import Step


@frozen(eq=False)
class Fan:
    """The connections of one population or input into one group.

    Shapes: start [neurons + 1]; wait, post and weight [connections], by pre. `wait` is the number of ticks until the weight arrives.
    """

    group: str
    start: Ints
    wait: Ints
    post: Ints
    weight: Ints


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "spinnaker2/chip"

    def tables(self, op: GroupOp, axons: int) -> Iterator[Table]:
        """Yields nothing: connections take the place of tables."""
        yield from ()

    def build_grid(self, chip: ChipOp, module: ModuleOp, device: Device) -> ChipGrid:
        updates = {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}
        inputs = [Sender(op.node.data, op.source.data, op.index.values.astype(np.int64), ()) for op in chip.inputs]
        groups = [
            self.group(op, place, updates[op.update_name], (), core.axons.value.data)
            for place, core in chip.cores.items()
            for op in core.groups
        ]
        sizes: dict[str, int] = {}
        for _, op in chip.senders():
            sizes[op.source.data] = sizes.get(op.source.data, 0) + op.size
        fans: dict[str, list[Fan]] = {source: [] for source in sizes}
        for group in chip.groups:
            for source, fan in fans_into(group, sizes):
                fans[source].append(fan)
        longest = {op.node.data: max((one.longest for one in op.connections), default=1) for op in chip.groups}
        return Spinnaker2Grid(tuple(inputs), tuple(groups), longest, sizes, fans)


def fans_into(group: NeuronsOp, sizes: Mapping[str, int]) -> Iterator[tuple[str, Fan]]:
    """Yields the connections of a group by the population that they come from."""
    for op in group.connections:
        pre = op.pre.values.astype(np.int64)
        start = np.searchsorted(pre, np.arange(sizes[op.source.data] + 1))
        arrays = op.delay.values + 1, op.post.values, op.weight.values
        wait, post, weight = (np.broadcast_to(one, pre.shape).astype(np.int64) for one in arrays)
        yield op.source.data, Fan(group.node.data, start, wait, post, weight)


@frozen(eq=False)
class Spinnaker2Grid(ChipGrid):
    """Inputs and groups of the chip, with the longest wait into each group, and the connections of each population by its name."""

    inputs: tuple[Sender, ...]
    groups: tuple[Group, ...]
    longest: Mapping[str, int]
    sizes: Mapping[str, int]
    fans: Mapping[str, Sequence[Fan]]

    @property
    def senders(self) -> Sequence[Sender]:
        return [*self.inputs, *self.groups]

    def start(self, samples: int) -> RunningSums:
        return RunningSums(self, samples)


class RunningSums:
    """The state of some samples while they run."""

    def __init__(self, grid: Spinnaker2Grid, samples: int):
        self.grid, self.samples = grid, samples
        self.sums: dict[str, AnyArray] = {}
        """Sums of the next ticks by group. Shapes: [ticks, samples, neurons]."""
        self.steps: dict[str, Step] = {}
        self.states: dict[str, dict[str, AnyArray]] = {}
        for group in grid.groups:
            shape = samples, len(group.index)
            self.sums[group.name] = np.zeros((grid.longest[group.name], *shape), np.int64)
            self.steps[group.name] = Step(group.update, group.params, shape)
            self.states[group.name] = {
                name: np.broadcast_to(group.initial[name], shape).astype(working_dtype(type), order="C")
                for name, type in group.update.state_types.items()
            }

    def tick(self, t: int, given: Mapping[str, AnyArray]) -> Tick:
        """Runs one tick. Shapes: given, by the name of the input: [samples, entries]."""
        outputs = {sender.name: given[sender.source][:, sender.index] for sender in self.grid.inputs}
        seen: dict[str, Mapping[str, AnyArray]] = {}
        for group in self.grid.groups:
            ahead = self.sums[group.name]
            arrived = ahead[t % len(ahead)].copy()  # 1
            ahead[t % len(ahead)] = 0
            states = self.states[group.name]
            done = self.steps[group.name]([arrived], states)  # 2
            outputs[group.name], seen[group.name] = done.value, {**states, **done.records}
        spikes: dict[str, AnyArray] = {}
        for sender in self.grid.senders:
            whole = spikes.setdefault(sender.source, np.zeros((self.samples, self.grid.sizes[sender.source]), np.bool_))
            whole[:, sender.index] = outputs[sender.name]
        for source, whole in spikes.items():
            self.send(t, self.grid.fans[source], whole)
        return Tick(outputs, seen)

    def send(self, t: int, fans: Sequence[Fan], spikes: AnyArray) -> None:
        """Adds the weights of the connections of some spikes."""  # 3
        sample, neuron = np.nonzero(spikes)
        for fan in fans:
            first = fan.start[neuron]
            count = fan.start[neuron + 1] - first
            total = np.cumsum(count)
            if not len(total) or not total[-1]:
                continue
            which = np.repeat(first - (total - count), count) + np.arange(int(total[-1]))
            ahead = self.sums[fan.group]
            ticks, samples, neurons = ahead.shape
            place = (t + fan.wait[which]) % ticks * samples + np.repeat(sample, count)
            np.add.at(ahead.reshape(-1), place * neurons + fan.post[which], fan.weight[which])
