"""Networks on Xylo, and the checks of their neurons and weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from attrs import Factory, field, frozen
from xdsl.irdl import irdl_op_definition

from ...core.arrays.numeric import Ints
from ...core.device.limits import OTHER_DEVICE, Contracts
from ...core.device.records import Device
from ...core.device.topology import Topology
from ...core.diagnostics import Code, invalid
from ...core.help_text import Option, Phrase
from ...core.ir.body_ops import body_ops, body_ops_by_place
from ...core.ir.operation import NoptOperation, element_type
from ..chip_base.chip import ChipBase, verify_names, verify_places
from ..chip_base.parts import HELP_RECOMPILE, refuse_chip, verify_limit
from ..chip_base.user import verify_resources
from ..ntensor import interval_of
from .cores import CoreOp, InputOp
from .neurons import LARGEST, NO_ALIAS, XYL001, NumberedOp
from .weights import WeightLayer, WeightsOp

XYL002 = Code("XYL002", "chip-inputs-exceeded", "the network has more inputs than the chip")
XYL003 = Code("XYL003", "hidden-neurons-exceeded", "the network has more hidden neurons than the chip")
XYL004 = Code("XYL004", "output-neurons-exceeded", "the network has more output neurons than the chip")
XYL005 = Code("XYL005", "input-expansion-exceeded", "inputs reach hidden neurons beyond the input expansion")
XYL006 = Code("XYL006", "output-expansion-missed", "hidden neurons before the output expansion reach output neurons")
XYL007 = Code("XYL007", "hidden-fan-out-exceeded", "a hidden neuron reaches too many others")
XYL008 = Code("XYL008", "recurrent-synapses-exceeded", "the network has more recurrent synapses than the chip")
XYL009 = Code("XYL009", "synaptic-currents-exceeded", "a hidden neuron has more synaptic currents than the chip")
XYL010 = Code("XYL010", "alias-unsupported", "an alias is not one of the chip")
XYL011 = Code("XYL011", "input-spikes-per-tick-exceeded", "an input sends more spikes in a tick than the chip takes")
XYL012 = Code("XYL012", "single-spike-neuron-may-repeat", "a neuron of single spikes can spike several times in a tick")
XYL013 = Code("XYL013", "bias-exceeds-register", "a bias has more bits than its register")


@irdl_op_definition
class ChipOp(ChipBase):
    """A network on the chip. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: CHI001, CHI002, CHI003, XYL001 to XYL013, DEV016, DEV021; those of reading the device.
    """

    name = "xylo.chip"
    inputs = body_ops(InputOp)
    cores = body_ops_by_place(CoreOp)

    @property
    def core(self) -> CoreOp:
        """Returns the only core of the chip."""
        (found,) = self.cores.values()
        return found

    @property
    def channels(self) -> int:
        """Returns the number of input channels, which is the greatest used channel number plus 1."""
        return 1 + max((int(op.channels.values.max(initial=-1)) for op in self.inputs), default=-1)

    def verify_structure(self) -> None:
        if len(self.cores) != 1:
            refuse_chip(self, "the chip has one core", "1 core", str(len(self.cores)), XYL001)
        verify_names(self)
        verify_numbers(self)
        verify_weights(self)
        verify_aliases(self)
        verify_single_spikes(self)

    def verify_on(self, device: Device, contracts: Contracts, topology: Topology) -> None:
        verify_places(self, topology)
        verify_limits(self, device)
        for op in self.core.neurons:
            verify_resources(op, device, contracts)
        verify_resources(self.core, device, None)


# ---- structure


def verify_numbers(chip: ChipOp) -> None:
    """Refuses channels and neurons that do not have the numbers from 0 on, each once. Errors: XYL001."""
    core = chip.core
    for what, op, numbers in (
        ("channels", chip, [one.channels.values for one in chip.inputs]),
        ("hidden neurons", core, [one.numbers for one in core.hidden]),
        ("output neurons", core, [one.numbers for one in core.readouts]),
    ):
        every = np.sort(np.concatenate([np.zeros(0, np.int64), *numbers]))
        if not np.array_equal(every, np.arange(len(every))):
            expected = f"each number below {len(every)} once"
            refuse_chip(op, f"the numbers of {what} are invalid", expected, "others", XYL001)
    if core.axons.value.data != chip.channels:
        refuse_chip(core, "axons are not the channels of the inputs", str(chip.channels), str(core.axons.value.data))


def verify_weights(chip: ChipOp) -> None:
    """Refuses layers that occur twice, and synapses of neurons that do not exist. Errors: XYL001."""
    core = chip.core
    layers = [op.layer.data for op in core.body.block.ops if isinstance(op, WeightsOp)]
    if len(set(layers)) < len(layers):
        twice = max(layers, key=layers.count)
        refuse_chip(
            core.weights[WeightLayer(twice)], "a layer has two lists of weights", "each layer once", twice, XYL001
        )
    hidden, outputs = (sum(op.size for op in ops) for ops in (core.hidden, core.readouts))
    sizes = {
        WeightLayer.INPUT: (chip.channels, hidden),
        WeightLayer.RECURRENT: (hidden, hidden),
        WeightLayer.OUTPUT: (hidden, outputs),
    }
    for layer, op in core.weights.items():
        for what, places, below in zip(("source", "target"), op.synapses[:2], sizes[layer], strict=True):
            if (last := int(places.max(initial=-1))) >= below:
                refuse_chip(op, f"the {what} of a weight does not exist", f"below {below}", str(last), XYL001)


def verify_aliases(chip: ChipOp) -> None:
    """Refuses aliases of neurons that do not exist, and of a neuron itself. Errors: XYL010."""
    hidden = sum(op.size for op in chip.core.hidden)
    for op in chip.core.hidden:
        aliases = op.aliases.values.astype(np.int64)
        wrong = (aliases >= hidden) | (aliases == op.numbers)
        if wrong.any():
            expected = f"another hidden neuron below {hidden}, or {NO_ALIAS}"
            refuse_chip(op, XYL010.summary, expected, str(int(aliases[wrong][0])), XYL010)


def verify_single_spikes(chip: ChipOp) -> None:
    """Refuses hidden neurons of single spikes whose potential can reach two thresholds, or that are aliases of others. Errors: XYL012."""
    core = chip.core
    incoming = synapses_by_target(chip)
    aliased = {int(n) for op in core.hidden for n in op.aliases.values}
    for op in core.hidden:
        if not op.is_single:
            continue
        held = {name: values.tolist() for name, values in op.held().items()}
        for k, number in enumerate(op.numbers.tolist()):
            registers = {name: values[k] for name, values in held.items()}
            is_single = is_bounded(registers, incoming.get(number, [])) or is_relay(
                number, registers, incoming.get(number, [])
            )
            if number in aliased or not is_single:
                threshold = registers["threshold"]
                found = "an alias of another neuron" if number in aliased else f"{threshold} of hidden neuron {number}"
                expected = f"a threshold of at least {(LARGEST + 1) // 2}, and no alias"
                invalid(
                    op, XYL012, XYL012.summary, node=op.source.data, expected=expected, found=found, help=HELP_RECOMPILE
                )


Incoming = tuple[int, bool, int, int]
"""A synapse into a neuron: its source, -1 for a channel; whether it sends single spikes; its current; its shifted weight."""


def synapses_by_target(chip: ChipOp) -> dict[int, list[Incoming]]:
    """Returns the synapses into each hidden neuron."""
    channels = {int(n) for op in chip.inputs if is_single_spike(op) for n in op.channels.values}
    hidden = {int(n) for op in chip.core.hidden if op.is_single for n in op.numbers}
    found: dict[int, list[Incoming]] = {}
    for layer, single in ((WeightLayer.INPUT, channels), (WeightLayer.RECURRENT, hidden)):
        if (op := chip.core.weights.get(layer)) is None:
            continue
        weights = (part.tolist() for part in op.synapses)
        for source, target, current, weight in zip(*weights, strict=True):
            sender = -1 if layer is WeightLayer.INPUT else source
            found.setdefault(target, []).append((sender, source in single, current, weight << op.shift.value.data))
    return found


def is_single_spike(op: InputOp) -> bool:
    held = interval_of(element_type(op.type))
    return held is not None and held.high == 1


def is_bounded(registers: Mapping[str, int], incoming: Sequence[Incoming]) -> bool:
    """Returns whether two thresholds do not fit into the potential of a neuron; without synapses it is the bias if that fires."""
    most = LARGEST if incoming or registers["bias"] > registers["threshold"] else max(registers["bias"], 0)
    return 2 * registers["threshold"] > most


def is_relay(number: int, registers: Mapping[str, int], incoming: Sequence[Incoming]) -> bool:
    """Returns whether a neuron forwards one source's single spikes: with threshold u, input weight 2 u, recurrent weight -u, and no memory."""
    unit = registers["threshold"]
    own = [weight for source, _, current, weight in incoming if source == number and current == 0]
    other = [one for one in incoming if one[0] != number]
    return (
        (registers["dash_syn"], registers["dash_mem"], registers["bias"]) == (1, 0, 0)
        and own == [-unit]
        and [one[1:] for one in other] == [(True, 0, 2 * unit)]
    )


# ---- limits of the device


@frozen
class Use:
    """Amount of a field of the device that a network uses."""

    op: NoptOperation
    code: Code
    node: str | None
    path: str
    value: int
    unit: str
    found: str = field(default=Factory(lambda self: f"{self.value} {self.unit}", takes_self=True))
    help: str | None = None
    """The remedy, if it is not another device of the target."""

    def exceeds(self, device: Device) -> bool:
        limit = device.integer(self.path)
        return limit is not None and self.value > limit


def verify_limits(chip: ChipOp, device: Device) -> None:
    """Refuses the first use beyond a field of the device. Errors: XYL002 to XYL009, XYL011, XYL013."""
    core = chip.core
    parts = (uses_of_counts(chip), uses_of_expansions(core), uses_of_recurrence(core), uses_of_registers(core))
    uses = [use for part in (*parts, uses_of_inputs(chip)) for use in part]
    for use in uses:
        if use.exceeds(device):
            help = use.help or larger_device(device, uses)
            verify_limit(use.op, use.code, device, use.path, use.value, use.unit, use.found, node=use.node, help=help)


def larger_device(device: Device, uses: Sequence[Use]) -> str | Phrase:
    """Returns the option that selects the first alternative of a device that no use exceeds."""
    from ...core.device.named_device import resolve_device

    for name in device.alternatives:
        key = f"{device.target}/{name}"
        other = resolve_device(key)
        if not any(use.exceeds(other) for use in uses):
            return Phrase(Option(f"compile the network with --target {key}", f"--target {key}"))
    return OTHER_DEVICE


def largest_layer(ops: Sequence[NumberedOp]) -> str | None:
    """Returns the layer with the most neurons."""
    return max(ops, key=lambda op: op.size).source.data if ops else None


def uses_of_counts(chip: ChipOp) -> Iterator[Use]:
    """Yields the numbers of inputs and neurons."""
    core, channels = chip.core, chip.channels
    hidden, outputs = (sum(op.size for op in ops) for ops in (core.hidden, core.readouts))
    first = chip.inputs[0].source.data if chip.inputs else None
    yield Use(core, XYL002, first, "features.inputs", channels, "inputs")
    yield Use(core, XYL003, largest_layer(core.hidden), "features.hidden_neurons", hidden, "hidden neurons")
    yield Use(core, XYL004, largest_layer(core.readouts), "features.output_neurons", outputs, "output neurons")


def uses_of_expansions(core: CoreOp) -> Iterator[Use]:
    """Yields two uses: hidden neurons that inputs reach (counted from the first), and hidden neurons that reach outputs (counted from the last)."""
    hidden = sum(op.size for op in core.hidden)
    if (op := core.weights.get(WeightLayer.INPUT)) is not None:
        used = 1 + int(op.synapses[1].max(initial=-1))
        found = f"{used}: inputs reach hidden neuron {used - 1}"
        yield Use(op, XYL005, layer_of(core, used - 1), "features.input_expansion", used, "neurons", found)
    if (op := core.weights.get(WeightLayer.OUTPUT)) is not None:
        first = int(op.synapses[0].min(initial=hidden))
        found = f"{hidden - first}: hidden neuron {first} of {hidden} reaches output neurons"
        yield Use(op, XYL006, layer_of(core, first), "features.output_expansion", hidden - first, "neurons", found)


def layer_of(core: CoreOp, number: int) -> str | None:
    """Returns the population of a hidden neuron."""
    return next((op.source.data for op in core.hidden if number in op.numbers), None)


def uses_of_recurrence(core: CoreOp) -> Iterator[Use]:
    """Yields the largest fan-out of a hidden neuron, the recurrent synapses, and the synaptic currents of each layer."""
    if (op := core.weights.get(WeightLayer.RECURRENT)) is not None:
        source, target, _, _ = op.synapses
        pairs = np.unique(np.stack([source, target]), axis=1)
        count: Ints = np.bincount(pairs[0])
        most, who = int(count.max(initial=0)), int(count.argmax()) if len(count) else 0
        found = f"{most} of hidden neuron {who}"
        yield Use(op, XYL007, layer_of(core, who), "features.hidden_fan_out", most, "hidden neurons", found)
        yield Use(op, XYL008, None, "features.recurrent_synapses", len(source), "synapses")
    for op in core.weights.values():
        used = 1 + int(op.synapses[2].max(initial=0))
        yield Use(op, XYL009, None, "features.currents", used, "synaptic currents", f"{used} currents")


def uses_of_registers(core: CoreOp) -> Iterator[Use]:
    """Yields the bits of the biases."""
    path = "features.bias_bits"
    for op in core.neurons:
        bias = op.held()["bias"]
        used = 1 + max(int(bias.max(initial=0)).bit_length(), max(~int(bias.min(initial=0)), 0).bit_length())
        found = f"{used} bits, for {int(bias.min(initial=0))} to {int(bias.max(initial=0))}"
        help = Phrase(Option(f"compile the network with --set {path}={used}", f"--set {path}={used}"))
        yield Use(op, XYL013, op.source.data, path, used, "bits", found, help)


def uses_of_inputs(chip: ChipOp) -> Iterator[Use]:
    """Yields the spikes of each input in a tick. Errors: XYL011 an input of other numbers than counts."""
    for op in chip.inputs:
        held = interval_of(element_type(op.type))
        most = None if held is None else held.high
        if most is None or (held is not None and held.low < 0):
            refuse_chip(op, XYL011.summary, "spikes, or counts of spikes", str(element_type(op.type)), XYL011)
        found = f"up to {most} of {element_type(op.type)}"
        yield Use(op, XYL011, op.source.data, "features.input_spikes", most, "spikes", found, HELP_RECOMPILE)
