"""Bounds of membrane potentials, for any activity of the upstream neurons.

The bounds are intervals per element: exact for dense layers, per channel for convolutions. The interval of a population follows from
the canonical parameters of the chosen rule, else from the equations of NIR. Inputs of the network, and loops without spikes, are
unbounded. So are the results of synapses with more than `LARGEST` weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from ...analysis.flat_graph import Flat, Node
from ...core.arrays.numeric import Reals
from ...core.ir.graph_region import components
from ...core.ir.operation import element_type, shape_of
from ...dialects import nir, ntensor

Interval = tuple[Reals, Reals]
"""Minimum and maximum of each element."""

LARGEST = 2**24
"""Arrays with more elements are skipped, so that a check is fast."""


class Bounds:
    """Intervals of the values of all nodes. `neurons` are the populations under the chosen rule; empty if no rule is chosen."""

    def __init__(self, flat: Flat, neurons: Mapping[str, ntensor.NeuronOp]):
        self.neurons = neurons
        self.intervals: dict[Node, Interval] = {}
        kinds = [element_type(neuron.z) for neuron in neurons.values()]
        fires_often = any(isinstance(kind, ntensor.CountType | ntensor.GradedType) for kind in kinds)
        for part in components(list(flat.all()), lambda node: [] if node.spikes else node.reads):
            is_loop = len(part) > 1 or (part[0] in part[0].reads and not part[0].spikes)
            for node in part:
                if node.spikes:
                    self.intervals[node] = constant_interval(node, 0.0, np.inf if fires_often else 1.0)
                elif is_loop or node.op is None:
                    self.intervals[node] = constant_interval(node, -np.inf, np.inf)
                else:
                    self.intervals[node] = self.interval(node, [self.intervals[source] for source in node.reads])

    def maximum(self, node: Node) -> Reals:
        """Returns, for each neuron of a spiking population, an upper bound on the value that is compared with the threshold."""
        assert isinstance(node.op, nir.PopulationOp)
        arriving = self.intervals[node.reads[0]]
        return arriving[1] if isinstance(node.op, nir.ThresholdOp) else self.membrane(node, node.op, arriving)[1]

    def interval(self, node: Node, xs: list[Interval]) -> Interval:
        """Returns the interval of a node, computed from the intervals of its inputs."""
        unknown = constant_interval(node, -np.inf, np.inf)
        low, high = xs[0]
        if not low.size or not unknown[0].size:
            return unknown
        match node.op:
            case nir.SumOp():
                rest = xs[1:]
                return sum((end for end, _ in rest), low), sum((end for _, end in rest), high)
            case nir.IdentityOp() | nir.FlattenOp() | nir.ReshapeOp():
                return low.reshape(unknown[0].shape), high.reshape(unknown[1].shape)
            case nir.DelayOp():  # silence comes first
                return np.minimum(low, 0), np.maximum(high, 0)
            case nir.ScaleOp() if prod(node.op.scale.shape) <= LARGEST:
                return scale_interval(node.op.scale.values.astype(np.float64), low, high)
            case nir.WeightedOp() if prod(node.op.weight.shape) <= LARGEST:
                return dense_interval(node.op, low, high)
            case nir.ConvolutionOp() if prod(node.op.weight.shape) <= LARGEST:
                return convolution_interval(node.op, low, high, unknown[0].shape)
            case nir.PoolOp():
                kernel = float(prod(nir.integers(node.op.kernel_size, 2)))
                factor = kernel if isinstance(node.op, nir.SumPool2dOp) else 1.0
                return constant_interval(node, min(float(low.min()), 0) * factor, max(float(high.max()), 0) * factor)
            case nir.MaxPool2dOp() | nir.Upsample2dOp():  # elements, or means of them
                return constant_interval(node, float(low.min()), float(high.max()))
            case nir.PopulationOp():
                return self.membrane(node, node.op, (low, high))
            case _:
                return unknown

    def membrane(self, node: Node, op: nir.PopulationOp, arriving: Interval) -> Interval:
        """Returns the membrane potential, from rest to its limit for a constant drive."""
        neuron = self.neurons.get(node.name)
        leak, gains = equation_gains(op) if neuron is None else canonical_gains(neuron)
        low, high = arriving
        for gain in gains:
            low, high = scale_interval(gain, np.minimum(low, 0), np.maximum(high, 0))
        is_known = np.isfinite(leak)  # a leak beyond f64 bounds nothing
        rest = np.where(is_known, leak, 0.0)
        with np.errstate(over="ignore"):  # an infinite end is a bound
            least, most = rest + np.minimum(low, 0), rest + np.maximum(high, 0)
        return np.where(is_known, least, -np.inf), np.where(is_known, most, np.inf)


def constant_interval(node: Node, low: float, high: float) -> Interval:
    shape = shape_of(node.type)
    return np.broadcast_to(low, shape).astype(np.float64), np.broadcast_to(high, shape).astype(np.float64)


def scale_interval(factor: Reals, low: Reals, high: Reals) -> Interval:
    """Returns the product of a factor and an interval; zero times infinity is zero."""
    with np.errstate(over="ignore", invalid="ignore"):
        ends = np.stack([factor * low, factor * high])
    ends[np.isnan(ends)] = 0
    return ends.min(0), ends.max(0)


def unbounded(bottom: Reals, top: Reals) -> Interval:
    """Returns an interval in which NaN ends, which result from sums of infinities, are replaced by infinity."""
    return np.where(np.isnan(bottom), -np.inf, bottom), np.where(np.isnan(top), np.inf, top)


@np.errstate(over="ignore", invalid="ignore")  # an infinite end is a bound
def dense_interval(op: nir.WeightedOp, low: Reals, high: Reals) -> Interval:
    weight = op.weight.values
    if weight.dtype.kind != "f" or weight.dtype.itemsize < 4:
        weight = weight.astype(np.float64)
    is_open = ~(np.isfinite(low) & np.isfinite(high))
    least, most = (np.where(is_open, 0, end).astype(weight.dtype)[..., None] for end in (low, high))
    up, down = np.maximum(weight, 0), np.minimum(weight, 0)
    bottom, top = ((a @ least + b @ most)[..., 0].astype(np.float64) for a, b in ((up, down), (down, up)))
    if is_open.any():
        touched = ((weight != 0) & is_open[..., None, :]).any(-1)
        bottom, top = np.where(touched, -np.inf, bottom), np.where(touched, np.inf, top)
    bias = op.bias.values.astype(np.float64) if isinstance(op, nir.AffineOp) else 0.0
    return unbounded(bottom + bias, top + bias)


@np.errstate(over="ignore", invalid="ignore")
def convolution_interval(op: nir.ConvolutionOp, low: Reals, high: Reals, shape: tuple[int, ...]) -> Interval:
    """Returns the interval of each channel, from the extremes of all elements and the zeros of the padding."""
    rows = op.weight.values.reshape(op.weight.shape[0], -1).astype(np.float64)
    least, most = min(float(low.min()), 0.0), max(float(high.max()), 0.0)
    bias = np.broadcast_to(op.bias.values.astype(np.float64), rows.shape[:1])
    if np.isfinite([least, most]).all():
        up, down = np.maximum(rows, 0).sum(1), np.minimum(rows, 0).sum(1)
        ends = (up * least + down * most + bias, up * most + down * least + bias)
    else:
        touched = rows.any(1)
        ends = (np.where(touched, -np.inf, bias), np.where(touched, np.inf, bias))
    bottom, top = (end.reshape(-1, *[1] * (len(shape) - 1)) for end in ends)
    return unbounded(np.broadcast_to(bottom, shape), np.broadcast_to(top, shape))


def equation_gains(op: nir.PopulationOp) -> tuple[Reals, list[Reals]]:
    """Returns the potential at rest, and the gains of a constant input, by the equations of NIR."""
    values = {name: array.values.astype(np.float64) for name, array in op.parameters()}
    gains = [values[name] for name in ("w_in", "r") if name in values]
    if not op.TIMES:  # without a leak all inputs add up
        gains.append(np.asarray(np.inf))
    return values.get("v_leak", np.zeros(())), gains


def canonical_gains(neuron: ntensor.NeuronOp) -> tuple[Reals, list[Reals]]:
    """Returns the potential at rest, and the gains of a constant input, under a rule; a rule without gain and decay has no bound."""
    if neuron.canonical is None or not {"gain", "decay"} <= neuron.canonical.data.keys():
        return np.zeros(()), [np.asarray(np.inf)]
    values = {name: array.values.astype(np.float64) for name, array in neuron.arrays(neuron.canonical)}
    pairs = [(values[f"gain{suffix}"], values[f"decay{suffix}"]) for suffix in ("_i", "") if f"gain{suffix}" in values]
    return values.get("leak", np.zeros(())), [constant_gain(gain, decay) for gain, decay in pairs]


def constant_gain(gain: Reals, decay: Reals) -> Reals:
    """Returns the limit of `v = decay v + gain x` for x = 1: the sum of a geometric series, if it converges without overshoot."""
    settles = (decay >= 0) & (decay < 1)
    return np.where(settles, gain / np.where(settles, 1 - decay, 1), np.where(gain == 0, 0, np.copysign(np.inf, gain)))
