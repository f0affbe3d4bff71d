"""Runs a `xylo.chip` tick by tick, with integers, by the equations of the vendor's model.

    decay(x, d) = x >> d, but -1 or 1 instead of 0 for x != 0

    1. The spikes of inputs of the tick before, which the host sends one tick later, add `weight << shift` to synaptic currents, spike by spike:
       by channel, then by target. Then the spikes of hidden neurons of the tick before do, by neuron. Each sum saturates at 16 bits.
    2. Hidden neurons: isyn -= decay(isyn, dash_syn) for each current; dv = sat(isyn + isyn2 - decay(v, dash_mem)); v = sat(v + sat(dv + bias)).
    3. A neuron spikes while v >= threshold, up to 31 times with the spikes of its aliases, and loses the threshold each time. Its spikes are added
       to those of its alias, in the order of neurons.
    4. Output neurons do the same with one current, and spike once at most.

Sums of a tick are matrix products where no current can saturate. Spikes of one source and of one sign can be added at once, because saturation
keeps their order.

Source: xylosim 0.1.3, core v2. The equations were written from its behaviour, not from its text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.ir.operation import element_type
from ...dialects.ntensor import interval_of
from ...dialects.xylo import ChipOp, NumberedOp, WeightLayer
from ...simulation.chip_grid import ChipGrid, Sender, Tick
from ...simulation.chip_model import ChipModel

LOW, HIGH = -32768, 32767
HIDDEN_SPIKES, OUTPUT_SPIKES = 31, 1
CURRENTS = ("i", "i_2")
"""Names of the synaptic currents in records."""
POTENTIAL = "v"


def saturated(values: Ints) -> Ints:
    return np.clip(values, LOW, HIGH)


def decay(values: Ints, dash: Ints) -> Ints:
    """Returns the amount that decays from each state in one tick; at least one unit for a state other than 0."""
    lost = values >> dash
    return np.where(lost == 0, np.sign(values), lost)


@frozen(eq=False)
class Fan:
    """The synapses of one source neuron. Shapes: place (of current and neuron) and weight [synapses]."""

    place: Ints
    weight: Ints


@frozen(eq=False)
class IntegerNeurons:
    """All hidden or all output neurons of a chip, with their synapses. Shapes: dash [currents, neurons]; others [neurons].

    `given` are the synapses of channels, or None, and of hidden neurons, by source; `matrix` has them as weights [sources, currents * neurons] where
    no current can saturate.
    """

    dash: Ints
    dash_mem: Ints
    threshold: Ints
    bias: Ints
    fans: tuple[Mapping[int, Fan], Mapping[int, Fan]]
    matrices: tuple[AnyArray, AnyArray] | None
    most: int

    @property
    def size(self) -> int:
        return len(self.threshold)


@frozen(eq=False)
class XyloGrid(ChipGrid):
    """Inputs and groups of the chip. Groups have the numbers of their neurons, and whether these are hidden."""

    inputs: tuple[Sender, ...]
    channels: tuple[Ints, ...]
    groups: tuple[tuple[Sender, Ints, bool, bool], ...]
    """Sender, numbers of its neurons, whether they are hidden, and whether their type is a single spike."""
    hidden: IntegerNeurons
    outputs: IntegerNeurons
    aliases: Ints
    count_channels: int

    @property
    def senders(self) -> Sequence[Sender]:
        return [*self.inputs, *(one for one, *_ in self.groups)]

    def start(self, samples: int) -> RunningCore:
        return RunningCore(self, samples)


class RunningCore:
    """The state of some samples while they run. Shapes: isyn [samples, currents, neurons]; v and spikes [samples, neurons]."""

    def __init__(self, grid: XyloGrid, samples: int):
        self.grid = grid
        self.late = np.zeros((samples, grid.count_channels), np.int64)
        self.spikes = np.zeros((samples, grid.hidden.size), np.int64)
        self.isyn = [np.zeros((samples, *one.dash.shape), np.int64) for one in (grid.hidden, grid.outputs)]
        self.v = [np.zeros((samples, one.size), np.int64) for one in (grid.hidden, grid.outputs)]

    def tick(self, t: int, given: Mapping[str, AnyArray]) -> Tick:
        """Runs one tick. Shapes: given, by the name of the input: [samples, entries]."""
        grid = self.grid
        for k, neurons in enumerate((grid.hidden, grid.outputs)):  # 1
            deliver(self.isyn[k], neurons, (self.late, self.spikes))
        fired = [self.update(k, neurons) for k, neurons in enumerate((grid.hidden, grid.outputs))]
        self.spikes = fired[0]
        outputs: dict[str, AnyArray] = {}
        states: dict[str, Mapping[str, AnyArray]] = {}
        for one, channels in zip(grid.inputs, grid.channels, strict=True):
            outputs[one.name] = given[one.source][:, one.index]
            self.late[:, channels] = outputs[one.name]
        for sender, numbers, is_hidden, is_single in grid.groups:
            k = 0 if is_hidden else 1
            sent = fired[k][:, numbers]
            outputs[sender.name] = sent != 0 if is_single and sent.max(initial=0) <= 1 else sent
            currents = {
                name: self.isyn[k][:, n][:, numbers] for n, name in enumerate(CURRENTS[: 2 if is_hidden else 1])
            }
            states[sender.name] = {**currents, POTENTIAL: self.v[k][:, numbers]}
        return Tick(outputs, states)

    def update(self, k: int, neurons: IntegerNeurons) -> Ints:
        """Updates the hidden or output neurons for one tick, and returns their spikes. Shapes: [samples, neurons]."""  # 2
        self.isyn[k] = self.isyn[k] - decay(self.isyn[k], neurons.dash)
        dv = saturated(self.isyn[k].sum(axis=1) - decay(self.v[k], neurons.dash_mem))
        v = saturated(self.v[k] + saturated(dv + neurons.bias))
        if k == 0 and (self.grid.aliases >= 0).any():
            spikes, self.v[k] = aliased(v, neurons, self.grid.aliases)
            return spikes
        spikes = np.clip(v // neurons.threshold, 0, neurons.most)  # 3, 4
        self.v[k] = v - spikes * neurons.threshold
        return spikes


def aliased(v: Ints, neurons: IntegerNeurons, aliases: Ints) -> tuple[Ints, Ints]:
    """Returns spikes and potentials of neurons that spike with others, in their order. Shapes: v [samples, neurons]."""
    spikes, v = np.zeros_like(v), v.copy()
    for j, alias in enumerate(aliases.tolist()):
        own = np.clip(np.minimum(v[:, j] // neurons.threshold[j], neurons.most - spikes[:, j]), 0, None)
        v[:, j] -= own * neurons.threshold[j]
        spikes[:, j] += own
        if alias >= 0:
            spikes[:, alias] = np.minimum(neurons.most, spikes[:, alias] + spikes[:, j])
    return spikes, v


def deliver(isyn: Ints, neurons: IntegerNeurons, sent: tuple[Ints, Ints]) -> None:
    """Adds the spikes of channels, then of hidden neurons, to currents. Shapes: isyn [samples, currents, neurons]; sent [samples, sources]."""
    flat = isyn.reshape(len(isyn), -1)
    if neurons.matrices is not None:
        for spikes, matrix in zip(sent, neurons.matrices, strict=True):
            if spikes.any():
                flat += (spikes.astype(np.float64) @ matrix).astype(np.int64)
        return
    for spikes, fans in zip(sent, neurons.fans, strict=True):
        for source in np.flatnonzero(spikes.any(axis=0)).tolist():
            if (fan := fans.get(source)) is not None:
                flat[:, fan.place] = saturated(flat[:, fan.place] + spikes[:, source, None] * fan.weight)


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "xylo/audio2"

    def build_grid(self, chip: ChipOp, module: ModuleOp, device: Device) -> XyloGrid:
        core = chip.core
        groups = [(Sender.of(op), op.numbers, op in core.hidden, op.is_single) for op in core.neurons]
        aliases = np.full(sum(op.size for op in core.hidden), -1, np.int64)
        for op in core.hidden:
            aliases[op.numbers] = op.aliases.values
        layers = {layer: synapses_of(chip, layer) for layer in WeightLayer}
        most = most_spikes(chip)
        nothing = np.zeros((4, 0), np.int64)
        return XyloGrid(
            tuple(map(Sender.of, chip.inputs)),
            tuple(op.channels.values.astype(np.int64) for op in chip.inputs),
            tuple(groups),
            integer_neurons(core.hidden, (layers[WeightLayer.INPUT], layers[WeightLayer.RECURRENT]), most),
            integer_neurons(core.readouts, (nothing, layers[WeightLayer.OUTPUT]), most, is_output=True),
            aliases,
            chip.channels,
        )


def synapses_of(chip: ChipOp, layer: WeightLayer) -> Ints:
    """Returns source, target, current and shifted weight. Shapes: [4, synapses]."""
    op = chip.core.weights.get(layer)
    if op is None:
        return np.zeros((4, 0), np.int64)
    source, target, current, weight = op.synapses
    return np.stack([source, target, current, weight << op.shift.value.data])


def most_spikes(chip: ChipOp) -> tuple[Ints, Ints]:
    """Returns the spikes that each channel and each hidden neuron sends in a tick at most."""
    channels = np.ones(chip.channels, np.int64)
    for op in chip.inputs:
        held = interval_of(element_type(op.type))
        channels[op.channels.values] = HIGH if held is None else held.high
    hidden = np.full(sum(op.size for op in chip.core.hidden), HIDDEN_SPIKES, np.int64)
    for op in chip.core.hidden:
        if op.is_single:
            hidden[op.numbers] = 1
    return channels, hidden


def integer_neurons(
    ops: Sequence[NumberedOp], given: tuple[Ints, Ints], most: tuple[Ints, Ints], *, is_output: bool = False
) -> IntegerNeurons:
    """Returns all hidden or all output neurons of a chip, with their synapses."""
    size = sum(op.size for op in ops)
    names = ["dash_mem", "dash_syn", "threshold", "bias"] + ([] if is_output else ["dash_syn_2"])
    held = {name: np.zeros(size, np.int64) for name in names}
    for op in ops:
        for name, values in op.held().items():
            held[name][op.numbers] = values
    dash = np.stack([held["dash_syn"]] + ([] if is_output else [held["dash_syn_2"]]))
    fans = tuple(fans_of(one, size) for one in given)
    is_safe = not can_saturate(given, most, dash)
    matrices = tuple(matrix_of(one, len(count), dash.shape) for one, count in zip(given, most, strict=True))
    return IntegerNeurons(
        dash,
        held["dash_mem"],
        held["threshold"],
        held["bias"],
        (fans[0], fans[1]),
        (matrices[0], matrices[1]) if is_safe else None,
        OUTPUT_SPIKES if is_output else HIDDEN_SPIKES,
    )


def fans_of(given: Ints, size: int) -> dict[int, Fan]:
    """Returns the synapses of each source."""
    source, target, current, weight = given
    place = current * size + target
    return {int(n): Fan(place[source == n], weight[source == n]) for n in np.unique(source)}


def matrix_of(given: Ints, sources: int, shape: tuple[int, ...]) -> AnyArray:
    """Returns weights as reals. Shapes: [sources, currents * neurons]."""
    found = np.zeros((sources, shape[0], shape[1]))
    found[given[0], given[2], given[1]] = given[3]
    return found.reshape(sources, -1)


def can_saturate(given: tuple[Ints, Ints], most: tuple[Ints, Ints], dash: Ints) -> bool:
    """Returns whether a current can leave 16 bits: below (p + 1) << dash for positive terms of at most p in each tick, and likewise below 0."""
    for sign in (1, -1):
        total = np.zeros(dash.shape, np.int64)
        for (source, target, current, weight), spikes in zip(given, most, strict=True):
            np.add.at(total, (current, target), np.maximum(sign * weight, 0) * spikes[source])
        if ((((total + 1) << dash) - 1) * (total > 0) > HIGH).any():
            return True
    return False
