"""Rounds weights to integers that share a power of two for each layer of the chip, with thresholds of at least 16384 for single spikes.

    %s = ntensor.linear "fc" %x {weight = [0.5, -0.26]}, threshold 1, single spikes
      =>
    %s = ntensor.linear "fc" %x {weight = [64, -33] * 2^7, quantized = <15, scale 2^-14>}

    %s = ntensor.linear "fc" %x {weight = [0.5, -0.26]}, threshold 1, numbers of spikes
      =>
    %s = ntensor.linear "fc" %x {weight = [64, -33] * 2^2, quantized = <10, scale 2^-9>}

A membrane potential of Xylo is at most 32767, so that a neuron with a threshold of 16384 or more sends one spike in a tick at most. That is for
populations of single spikes. One that emits numbers of spikes, also as a neuron of the device, needs the range of the potential for its counts: its weights have the given bits, and
its threshold follows from them, at least 512.

1. The scale s of a population is the value of one integer. Its threshold is q / s with q = threshold (1 - decay_i) (2^dash - 1) / (gain gain_i), where dash is
   the shift of the synaptic current that is nearest to decay_i, at least 1. A family without a current has dash = 1.
2. Synaptic currents that a calibration observed fit into 16 bits: where they exceed 63 thresholds, the least threshold of a population that emits numbers of
   spikes is 32767 divided by their peak in thresholds.
3. The chip has one shift for the weights of inputs and one for those of hidden neurons. Each is the least with which all weights of its group have
   the given bits if thresholds are 16384, or 512 of populations that emit numbers of spikes. More than the device has is not possible: then the
   largest weights saturate. Where inputs are delayed by more than a tick, hidden neurons relay them, and both shifts are the same.
4. The scale of a population is the least with which its weights have these bits, and its threshold is at most 32766. A power of two above it is
   taken, or a scale that the weights had before divided by a power of two, if no weight is rounded with it.
5. A population of single spikes with thresholds that differ by a factor of 2 or more has a scale for each neuron. This needs linear or sparse weights; other ops
   keep one scale, and smaller thresholds are raised.
6. A bias is a weight of a hidden neuron that spikes in each tick (`ntensor-replace-biases`). Biases of one population that are added in one sum
   become one bias, of its first op.
7. The chip adds the spikes of inputs before those of hidden neurons. The sums have this order, which a network in reals does not define.

The errors of all weights and biases that changed are recorded.

Errors: NTE009 a network in continuous time; XYL017 an option out of range.
Warnings: ANA028, ANA029, ANA030, ANA026, ANA027 weights and biases that are lost.
Source: xylosim 0.1.3 for states of 16 bits; rockpool 3.1.0, devices/xylo/syns65302/reg.py, for one shift of each group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from attrs import define, frozen
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....analysis.approximation_errors import Errors
from ....analysis.calibration_records import find_observation
from ....analysis.node_selection import name_of
from ....analysis.rounding_losses import RoundedWeights, report_bias, report_weights
from ....analysis.shared_weights import Weighted, adds_reals, populations_by_weights, weights_into
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Reals
from ....core.device.named_device import device_named
from ....core.device.records import Device
from ....core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ....core.fixed_point import Interval
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.equations.build import device_updates
from ....dialects.ntensor.network import networks
from ..neurons import reads_input

XYL017 = Code("XYL017", "shift-option-out-of-range", "an option of weights is out of range", exit_code=ExitCode.MISUSED)

LEAST, MOST = 16384, 32766
"""Thresholds that fit into a potential once, also where the next integer is needed (`at = above`)."""
LEAST_OF_COUNTS = 512
"""The least threshold of a population that emits numbers of spikes: it fits into a potential 63 times, and states decay in steps of 0.2 % of it."""
LARGEST_STATE = 32767
"""Largest synaptic current of the chip."""
NEARLY = 1e-9
"""Relative difference of a scale and the same scale after rounding."""
OCTAVES = 32
"""Powers of two by which a scale of the weights before is divided."""
SMALLEST = 1e-5
"""The least share of a synaptic current that decays, as in the device's neuron."""


@dataclass(frozen=True)
class NtensorQuantizeShiftsPass(NoptPass):
    """Rounds the weights of every `ntensor.network`.

    Options:
        bits: bits of a weight before its shift, 2 to 8, default 8.
        shift: the greatest shift of a group [bit], 0 to 8, default 8. A device that the network names can have less.
    """

    name = "ntensor-quantize-shifts"
    APPROXIMATES = ("precision",)
    bits: int = 8
    shift: int = 8

    @property
    def bits_before_shift(self) -> int:
        """Bits of a weight without the power of two that it shares with others."""
        return self.bits

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for name, low, high in (("bits", 2, 8), ("shift", 0, 8)):
            if not low <= (value := getattr(self, name)) <= high:
                help = suggest_pass(replace(self, **{name: high}))
                refuse(XYL017, at=f"{name}={value}", expected=f"{low} to {high}", found=str(value), help=help)
        for network in networks(op):
            sort_sums(network)
            join_biases(network)
            device = device_named(network)
            limit = None if device is None else device.integer("synapse.weight_exponent.max")
            largest = 2 ** (self.bits - 1) - 1
            groups = weight_groups(network, device)
            kinds = recorded_thresholds(groups)
            shifts = shifts_of(groups, largest, self.shift if limit is None else min(self.shift, limit))
            errors = Errors()
            for one in groups:
                one.quantize(one.scale(largest, shifts), largest, shifts, self.bits, errors, diagnostics_of(ctx))
            errors.record(network, pass_text(self), f"weights of {self.bits} bits, {' and '.join(kinds)}")


@frozen
class Shifts:
    """The shifts of the weights of inputs and of hidden neurons [bit]."""

    inputs: int
    hidden: int

    def of(self, is_input: bool) -> int:
        return self.inputs if is_input else self.hidden


@frozen(eq=False)
class WeightPart:
    """The weights of an op, and its bias as weights of a hidden neuron. Shapes: values as those of the op."""

    op: Weighted
    is_input: bool
    values: Reals
    bias: Reals | None
    is_relayed: bool
    """Whether the op reads inputs through hidden neurons, later."""


@define(eq=False)
class PopulationWeights:
    """Populations that share synapses. Shapes: threshold () or [neurons]: q of each neuron."""

    parts: list[WeightPart]
    threshold: Reals
    counts: bool
    """Whether all of them emit numbers of spikes."""
    peak: float = 1.0
    """The largest synaptic current in a calibration, in thresholds."""

    @property
    def least(self) -> int:
        """Returns the least threshold."""  # 2
        return max(1, min(LEAST_OF_COUNTS, int(LARGEST_STATE / self.peak))) if self.counts else LEAST

    def lines(self, part: WeightPart, numbers: Reals) -> Reals | None:
        """Returns numbers of neurons in a shape that broadcasts to the weights of an op; None if weights belong to several neurons."""
        if not numbers.ndim:
            return numbers
        found = part.op.output_lines()
        if found.index is not None and found.lines == len(numbers):
            return numbers[found.index]
        if found.index is None and found.axes == (0,) and found.shape[0] == len(numbers):
            return numbers.reshape(-1, *[1] * (part.values.ndim - 1))
        return None

    def reach(self, numbers: Reals) -> dict[bool, float]:
        """Returns the largest weight of inputs and of hidden neurons divided by numbers of neurons."""
        found = {True: 0.0, False: 0.0}
        for part in self.parts:
            by = self.lines(part, numbers)
            ratio = largest_ratio(part.values, numbers.min() if by is None else by)
            found[part.is_input] = max(found[part.is_input], ratio)
            if part.bias is not None:
                by = numbers if part.bias.shape == numbers.shape else numbers.min()
                found[False] = max(found[False], largest_ratio(part.bias, by))
        return found

    def scale(self, largest: int, shifts: Shifts) -> Reals:
        """Returns the scale of a population: the real value of the integer 1. Shapes: () or [neurons]."""  # 4, 5
        q = self.threshold
        if not q.ndim or (q.min() * 2 <= q.max() and not self.counts):
            most, least = q / self.least, q / MOST
        else:
            most, least = np.asarray(q.min() / self.least), np.asarray(q.max() / MOST)
        if most.ndim and any(self.lines(part, most) is None for part in self.parts):
            most, least = np.asarray(q.min() / LEAST), np.asarray(q.min() / LEAST)
        for is_input in (True, False):
            for part in self.parts:
                needed = self.needed(part, is_input, most.shape) / (largest << shifts.of(is_input))
                least = np.maximum(least, needed)
        chosen = np.minimum(least, most)
        return next(self.exact_scales(chosen, most, largest, shifts), chosen)

    def needed(self, part: WeightPart, is_input: bool, shape: tuple[int, ...]) -> Reals:
        """Returns the largest weight, or bias, of an op that belongs to a group, for each neuron or for all."""
        found = np.zeros(shape)
        if part.is_input == is_input:
            sizes = np.abs(part.values)
            if not shape:
                found = np.maximum(found, sizes.max(initial=0))
            elif (index := part.op.output_lines().index) is not None:
                np.maximum.at(found, index, sizes)
            else:
                found = np.maximum(found, sizes.reshape(shape[0], -1).max(axis=1, initial=0))
        if part.bias is not None and not is_input:
            size = np.abs(part.bias)
            found = np.maximum(found, size if shape and size.shape == shape else size.max(initial=0))
        return found

    def exact_scales(self, chosen: Reals, most: Reals, largest: int, shifts: Shifts) -> Iterator[Reals]:
        """Yields scales from the chosen to the greatest scale that represent all weights without rounding."""
        least, ceiling = float(chosen.max()) * (1 - NEARLY), float(most.min()) * (1 + NEARLY)
        candidates = [2.0 ** np.ceil(np.log2(least))]
        for part in self.parts:
            if (given := part.op.quantized_weights) is not None and given.scale.values.size == 1:
                held = float(given.scale.values.reshape(-1)[0])
                candidates += [held / 2.0**k for k in range(OCTAVES)]
        for one in sorted(set(candidates)):
            if least <= one <= ceiling and all(self.holds(part, one, largest, shifts) for part in self.parts):
                yield np.full(chosen.shape, one)

    def holds(self, part: WeightPart, scale: float, largest: int, shifts: Shifts) -> bool:
        """Returns whether integers of a scale hold the weights and the bias of an op exactly."""
        given = [(part.values, part.is_input)] + ([] if part.bias is None else [(part.bias, False)])
        for values, is_input in given:
            step = scale * 2.0 ** shifts.of(is_input)
            with np.errstate(over="ignore"):  # larger than any integer
                integers = np.rint(values / step)
            if np.abs(integers).max(initial=0) > largest or (integers * step != values).any():
                return False
        return True

    def quantize(
        self, scale: Reals, largest: int, shifts: Shifts, bits: int, errors: Errors, diagnostics: Diagnostics
    ) -> None:
        """Rounds the weights and biases of the ops."""
        roundings: list[RoundedWeights] = []
        for part in self.parts:
            shift = shifts.of(part.is_input)
            spread = self.lines(part, scale)
            assert spread is not None  # asked before
            with np.errstate(over="ignore"):  # clipped
                whole = np.clip(np.rint(part.values / (spread * 2.0**shift)), -largest, largest)
            integers = whole.astype(np.int64) << shift
            held = np.array(spread, np.float64, order="C")
            part.op.replace_weights(
                ArrayAttr.of(integers.astype(np.int16)), ntensor.QuantizedAttr.of(bits + shift, held)
            )
            if (lost := np.abs(integers * spread - part.values)).any():
                errors.add(name_of(part.op), lost)
            roundings.append(RoundedWeights(part.op, part.values, integers * spread, spread * 2.0**shift))
            given = part.op.optional_array("bias")
            if part.bias is None or given is None:
                continue
            own = scale if not scale.ndim or part.bias.shape == scale.shape else np.asarray(scale.min())
            step = own * 2.0**shifts.hidden
            with np.errstate(over="ignore"):  # clipped
                whole = np.clip(np.rint(part.bias / step), -largest, largest) * 2.0**shifts.hidden
            moved = (whole * own).astype(given.values.dtype)
            part.op.properties["bias"] = ArrayAttr.of(moved)
            report_bias(part.op, part.bias, moved, step, Interval(-largest, largest), diagnostics)
            if (lost := np.abs(moved.astype(np.float64) - part.bias)).any():
                errors.add(name_of(part.op), lost)
        report_weights(roundings, diagnostics)


def largest_ratio(values: Reals, numbers: Reals) -> float:
    """Returns the largest absolute value divided by its number, at most the largest float."""
    with np.errstate(over="ignore"):
        return min(float((np.abs(values) / numbers).max(initial=0)), float(np.finfo(np.float64).max))


def shifts_of(groups: Sequence[PopulationWeights], largest: int, most: int) -> Shifts:
    """Returns the least shifts that let all weights fit into their width if every threshold has its least value."""  # 3
    reach = [one.reach(one.threshold / one.least) for one in groups]
    inputs, hidden = (max((one[is_input] for one in reach), default=0.0) for is_input in (True, False))
    needed = [int(np.ceil(np.log2(max(each, 1.0) / largest) - NEARLY)) for each in (inputs, hidden)]
    if any(part.is_relayed for one in groups for part in one.parts):
        needed = [max(needed)] * 2
    return Shifts(*(min(max(n, 0), most) for n in needed))


# ---- reading a network


def sort_sums(network: ntensor.NetworkOp) -> None:
    """Moves the terms of inputs to the front of each sum of reals."""  # 7
    for op in network.body.block.ops:
        if isinstance(op, ntensor.SumOp) and adds_reals(op.y):
            op.operands = sorted(op.operands, key=lambda x: not reads_input(x))


def join_biases(network: ntensor.NetworkOp) -> None:
    """Moves the biases of ops that the same sum adds to the first of these ops."""  # 6
    for population in network.populations:
        first: Weighted | None = None
        for op in weights_into(population):
            given = op.optional_array("bias")
            is_added = all(isinstance(use.operation, ntensor.SumOp | ntensor.NeuronOp) for use in op.y.uses)
            if given is None or not given.values.any() or not is_added or len(list(op.y.uses)) != 1:
                continue
            if first is None:
                first = op
                continue
            held = first.optional_array("bias")
            if held is not None and held.shape == given.shape and first.y.type == op.y.type:
                first.properties["bias"] = ArrayAttr.of(held.values + given.values)
                del op.properties["bias"]


def count_families(device: Device | None) -> set[str] | None:
    """Returns the families that the device has a neuron of counts for; None without a device."""
    if device is None:
        return None
    emitting = {name for name, _, update in device_updates(device) if update.emits.data is ntensor.Emits.COUNT}
    return {family for name in emitting for family in device.updates[name].families}


def weight_groups(network: ntensor.NetworkOp, device: Device | None) -> list[PopulationWeights]:
    """Returns the weights of each target population, in the order of the network."""
    counts = count_families(device)
    updates = ntensor.updates_of(network)

    def emits_counts(op: ntensor.NeuronOp) -> bool:
        is_known = counts is None or (op.family is not None and op.family.data in counts)
        return is_known and updates[op.update_name].emits.data is ntensor.Emits.COUNT

    return [
        PopulationWeights(
            [part_of(op) for op in ops],
            threshold_of(populations),
            all(map(emits_counts, populations)),
            max(map(peak_of, populations)),
        )
        for populations, ops in populations_by_weights(network)
    ]


def recorded_thresholds(groups: Sequence[PopulationWeights]) -> list[str]:
    """Returns the parts of the record about the least thresholds, of single spikes and of counts."""
    single, counts = ([one.least for one in groups if one.counts is is_count] for is_count in (False, True))
    texts = [f"for thresholds of {min(single)} or more"] if single else []
    return texts + ([f"for thresholds of {min(counts)} or more where counts are emitted"] if counts else [])


def peak_of(population: ntensor.NeuronOp) -> float:
    """Returns the largest synaptic current in a calibration, in thresholds, at least 1; 1 without a calibration."""  # 2
    ends, threshold = find_observation(population, "i"), float(threshold_of([population]).min())
    if not isinstance(ends, ArrayAttr):
        return 1.0
    return float(np.clip(np.abs(ends.values.astype(np.float64)).max() / threshold, 1, LARGEST_STATE))


def part_of(op: Weighted) -> WeightPart:
    bias = op.optional_array("bias")
    has_bias = bias is not None and bias.values.any()
    return WeightPart(
        op,
        reads_input(op.x),
        op.weight_values().values.astype(np.float64),
        bias.values.astype(np.float64) if bias is not None and has_bias else None,
        reads_input(op.x) and ticks_before(op) > 1,
    )


def ticks_before(op: Weighted) -> int:
    """Returns the longest delay between the source of an op and its result [ticks]."""
    ticks, x = 0 if op.delays is None else int(op.delays.values.max(initial=0)), op.x
    while isinstance(step := x.owner, ntensor.DelayOp | ntensor.ReshapeOp):
        ticks, x = ticks + (int(step.ticks.values.max(initial=0)) if isinstance(step, ntensor.DelayOp) else 0), step.x
    return ticks


def threshold_of(populations: Sequence[ntensor.NeuronOp]) -> Reals:
    """Returns q of each neuron. Populations of no known family have the value 1."""  # 1
    found: list[AnyArray] = []
    for op in populations:
        given = {} if op.canonical is None else dict(op.arrays(op.canonical))
        value = {name: array.values.astype(np.float64) for name, array in given.items()}
        decays = np.maximum(1 - value.get("decay_i", np.zeros(())), SMALLEST)
        dash = np.clip(np.rint(-np.log2(decays)), 1, 15)
        gain = value.get("gain", np.ones(())) * value.get("gain_i", np.ones(()))
        with np.errstate(divide="ignore", invalid="ignore"):
            q = value.get("threshold", np.ones(())) * decays * (2.0**dash - 1) / gain
        found.append(np.where(np.isfinite(q) & (q > 0), q, 1.0).reshape(-1))
    sizes = {len(one) for one in found if len(one) > 1}
    if len(sizes) > 1:
        return np.asarray(min(float(one.min()) for one in found))
    every = np.minimum.reduce([*found]) if len(found) > 1 else found[0]
    return every if len(np.unique(every)) > 1 else np.asarray(every[0])
