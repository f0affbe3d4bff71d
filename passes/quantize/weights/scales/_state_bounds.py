"""Scales of weights that keep the potential of a neuron within its width, whatever arrives in a tick.

    alpha = floor(threshold / (scale gain)) + 1,    E = sum of n > 0 times the largest input,    I = sum of n < 0 likewise

    alpha + E <= 2^(bits - 1) - 1,    I <= 2^(bits - 2)

A potential below its threshold meets the sum of one tick, so it is at most alpha - 1 + E before a spike resets it. A reset that subtracts the
threshold leaves at most E - 1, which is below the threshold unless one tick exceeds it. Half of the range below 0 is for the inhibition of one tick: a
neuron that resets a potential in the other half never wraps. Biases count as inputs that are always there.

A threshold keeps a step at least. With a calibration, the highest potential that it observed counts as well, as long as the threshold keeps 16 steps: a reset that subtracts the threshold
keeps what exceeds it, tick by tick.
"""

from __future__ import annotations

from math import prod

import numpy as np
from xdsl.ir import SSAValue

from .....analysis.integer_ranges import IntegerRanges
from .....core.arrays.numeric import AnyArray, Reals
from .....core.device.named_device import device_named
from .....core.ir.operation import shape_of
from .....dialects import ntensor
from ...neurons._populations import input_gain, observed, threshold_inputs
from .._weight_groups import Channelwise, Group, source_ops
from .._weight_quantizer import real_weights
from ._weight_scales import most_of, spread_scale

LEAST_STEPS = 16
"""Steps of a threshold that a calibration leaves: with fewer, weights are too coarse."""
GROWTHS = 64
"""Maximum number of times that scales grow, because rounding up adds to a sum."""
GROWTH = 1 + 2**-10
"""Least factor by which a scale grows."""


def least_scales(network: ntensor.NetworkOp, group: Group, bits: int) -> Reals | None:
    """Returns the smallest scale of each part of a group; None where no neuron with a known threshold reads it. Shapes: [count]."""
    thresholds = group_thresholds(network, group)
    if thresholds is None:
        return None
    sums = Sums(network, group)
    highest, lowest = float(most_of(bits)), float(2 ** (bits - 2))
    excitation, inhibition = sums.of(np.ones(group.count), is_rounded=False)
    scale = np.maximum((thresholds + excitation) / (highest - 1), inhibition / lowest)
    scale = np.maximum(scale, np.minimum(observed_potentials(network, group) / highest, thresholds / LEAST_STEPS))
    scale = np.where(scale > 0, scale, 1.0)
    coarsest = np.where(thresholds > 0, thresholds, np.inf)
    for _ in range(GROWTHS):
        excitation, inhibition = sums.of(scale, is_rounded=True)
        needed = np.maximum((np.floor(thresholds / scale) + 1 + excitation) / highest, inhibition / lowest)
        if ((needed <= 1) | (scale >= coarsest)).all():
            break
        scale = np.where(needed > 1, np.minimum(scale * np.maximum(needed, GROWTH), coarsest), scale)
    return np.minimum(scale, coarsest)


class Sums:
    """The largest and the lowest sums of a tick of a group."""

    def __init__(self, network: ntensor.NetworkOp, group: Group):
        device, ranges = device_named(network), IntegerRanges(network)
        is_binary = device is not None and set(device.spike_kinds) == {"binary"}
        self.group = group
        self.weights = [real_weights(lines).astype(np.float64) for lines in group.lines]
        self.inputs = [largest_input(ranges, lines.op.x, is_binary) * group.pooled for lines in group.lines]

    def of(self, scale: Reals, *, is_rounded: bool) -> tuple[Reals, Reals]:
        """Returns the excitation and the inhibition in steps of a scale, both above 0. Shapes: [count]."""
        found = np.zeros((2, self.group.count))
        for lines, array, top in zip(self.group.lines, self.weights, self.inputs, strict=True):
            steps: Reals = array / spread_scale(lines, self.group, scale)
            steps = np.rint(steps) if is_rounded else steps
            bias = lines.op.optional_array("bias")
            for k, sign in enumerate((1, -1)):
                found[k] += self.merged(lines.reduced(np.add, np.maximum(sign * steps, 0) * top, 0.0))
                if bias is not None:
                    found[k] += self.merged(np.maximum(sign * bias.values.astype(np.float64).reshape(-1), 0)) / scale
        return np.ceil(found[0] - 1e-9) if is_rounded else found[0], found[1]

    def merged(self, sums: AnyArray) -> Reals:
        """Returns the largest of the numbers of each part."""
        if sums.size % self.group.count:
            return np.full(self.group.count, float(sums.max(initial=0)))
        return np.asarray(sums.reshape(self.group.count, -1).max(axis=1), np.float64)


def largest_input(ranges: IntegerRanges, value: SSAValue, is_binary: bool) -> float:
    """Returns the largest value that an op reads in a tick: 1 of reals, which become spikes, and of spikes of a device that sends no counts."""
    given, op = ranges[value], value.owner
    if not is_binary:
        return 1.0 if given is None else float(max(given.high, 0))
    if isinstance(op, ntensor.ReshapeOp | ntensor.DelayOp | ntensor.PoolOp | Channelwise):
        many = prod(op.kernel.values.tolist()) if isinstance(op, ntensor.SumPool2dOp) else 1
        return many * largest_input(ranges, op.operands[0], is_binary)
    return 1.0


def observed_potentials(network: ntensor.NetworkOp, group: Group) -> float:
    """Returns the highest observed potential as a multiple of the effect of an input of 1; 0 without an observation."""
    found = 0.0
    for population in readers(network, group):
        gain, ends = input_gain(population), observed(population, "v")
        if gain is not None and ends is not None and (gain != 0).all():
            found = max(found, ends[1] / float(np.abs(gain).min()))
    return found


def readers(network: ntensor.NetworkOp, group: Group) -> list[ntensor.NeuronOp]:
    """Returns the populations that read ops of a group."""
    ops = {lines.op for lines in group.lines}
    return [one for one in network.populations if any(giver in ops for x in one.xs for giver in source_ops(x))]


def group_thresholds(network: ntensor.NetworkOp, group: Group) -> Reals | None:
    """Returns the largest threshold of the neurons of each part, in the effect of an input of 1. Shapes: [count]."""
    found = [neuron_thresholds(population, group.count) for population in readers(network, group)]
    known = [one for one in found if one is not None]
    return np.maximum.reduce(known) if known else None


def neuron_thresholds(population: ntensor.NeuronOp, count: int) -> Reals | None:
    """Returns the largest threshold of each of `count` equal parts of a population; None if thresholds are unknown."""
    each = threshold_inputs(population)
    if each is None:
        return None
    wide = np.broadcast_to(np.where(np.isfinite(each), each, 0.0), shape_of(population.z)).reshape(-1)
    if wide.size % count:
        return np.full(count, wide.max(initial=0))
    return np.asarray(wide.reshape(count, -1).max(axis=1))
