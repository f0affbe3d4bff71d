"""Responses of populations fitted to data: the activations whose counts of frames have the least squared error to those of the spiking network.

    n(x) = clip(slope (x - start), 0, ticks)         the mean response, of which a neuron has one, and a channel of a map
    m(x) = round(n(x) / unit)                        the activation, a count of a few bits; the unit is one of the population

1. `x` is the input of a frame in the network of frames, whose earlier layers are fitted already: a layer makes up for their errors.
2. `n` is compared with the spikes of the frame in the network of ticks. They include what a neuron kept from the frame before, so that a constant
   offset of the residue is part of the fit, as are leaks, resets and delays.
3. Slope and start are a least-squares fit of the frames between both bounds, repeated until these frames are the same, from four first starts.
   A neuron whose counts do not grow with its input gets their mean; a silent one starts at its greatest input.
4. The unit reaches the greatest count of the fit, or less: the candidate with the least squared error of all counts of the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf, prod

import numpy as np
from attrs import define, evolve, frozen
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....analysis.calibration_records import spread_places
from ....analysis.output_units import set_count_unit
from ....core import registry
from ....core.arrays.arrays import uniform
from ....core.arrays.numeric import AnyArray, Bools, Ints, Reals
from ....core.diagnostics import Diagnostics
from ....core.ir.graph_region import schedule, walk_upstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import option_text, parse_pipeline
from ....dialects import ntensor
from ....dialects.ntensor import interval_of
from ....dialects.ntensor.readout import is_on_host
from ....simulation.frames import add_array, fit_data
from ....simulation.recorded_run import RecordedRun
from ....simulation.signals import DenseSignal, Signal
from ....simulation.stimuli import Stimulus
from ..relays._pooled_activations import pool_before, source_activation
from ..relays._relays import NodeNames
from ._activations import build_activation, replace_population
from ._count_units import multiply_readers
from ._frame_errors import RECORD_BYTES, Data, SampleErrors, read_samples

FIRST_STARTS = (0.0, 0.2, 0.4, 0.6)
"""Quantiles of the input at which fits start."""
ROUNDS = 40
"""Maximum number of repetitions of a fit."""
MOST_OBSERVATIONS = 4096
"""Frames and positions of a neuron or channel that a fit reads."""
LEAST_SLOPE = 0.1
"""The least slope of a neuron, in mean counts per range of its input."""
SHARES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
"""Parts of the greatest count that a unit may represent."""
MOST_FITTED_BITS = 8
"""Bits of a count of a fitted response, by default at most."""
WINDOW_PARTS = (1, 2, 4, 8)
"""Divisors of a window that a shorter one has."""
CLEARLY = 0.9
"""Error of a shorter window, relative to that of a longer one, below which it is used."""


def twin_of(network: ntensor.NetworkOp, module: ModuleOp) -> ntensor.NetworkOp:
    """Returns the network of the same name in a copy of the module."""
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp) and op.sym_name == network.sym_name)


def best_window(
    longest: int,
    encode: Callable[[int, ModuleOp, ntensor.NetworkOp], None],
    module: ModuleOp,
    network: ntensor.NetworkOp,
    data: Data,
) -> int:
    """Returns a window or a part of it: a shorter one if its counts of samples have clearly less error. Units: ticks [ticks].

    `encode` converts the network in a copy of the module with a window.
    """
    errors = SampleErrors.of(network, data)
    best, least = longest, inf
    for window in dict.fromkeys(-(-longest // part) for part in WINDOW_PARTS):
        copy = module.clone()
        after = twin_of(network, copy)
        encode(window, copy, after)
        error = errors.of_frames(after)
        if error < CLEARLY * least:
            best, least = window, error
    return best


@define(eq=False)
class FrameData:
    """Data for a fit: a part of the samples, whose records fit into memory together."""

    network: ntensor.NetworkOp
    """The network of ticks."""
    given: Stimulus
    chosen: Ints
    """The samples that are read."""
    sample_bytes: int
    spikes: list[dict[str, AnyArray]] | None = None
    """The spikes of populations in each part, which do not depend on the frames. Shapes: each [samples, ticks, *population]."""

    @classmethod
    def of(cls, network: ntensor.NetworkOp, data: Data, diagnostics: Diagnostics) -> FrameData:
        """Returns the data for a network of ticks. Errors: those of reading the data."""
        given, samples = read_samples(network, data, diagnostics), data[2]
        width = 8 * given.ticks * sum(prod(shape_of(op.results[0])) for op in network.body.block.ops if op.results)
        count = given.samples if samples is None else min(samples, given.samples)
        chosen = spread_places(count, max(1, 4 * RECORD_BYTES // width))
        return cls(network, given, chosen, width)

    def parts(self) -> Iterator[Stimulus]:
        """Yields the chosen samples in groups whose records fit into memory."""
        for some, part in self.given.groups(self.sample_bytes, RECORD_BYTES):
            chosen = self.chosen[(self.chosen >= some.start) & (self.chosen < some.stop)] - some.start
            if len(chosen):
                signals: dict[str, Signal] = {name: DenseSignal(signal.values[chosen]) for name, signal in part.items()}
                yield evolve(self.given, signals=signals)

    def counts(self, nodes: Sequence[str], ticks: int) -> dict[str, Reals]:
        """Returns the spikes of populations of the network of ticks in each frame. Shapes: [frames of all samples, *population]."""
        if self.spikes is None or any(name not in part for part in self.spikes for name in nodes):
            model = registry.reference()(self.network, record=list(nodes))
            runs = (model.run(part.signals, ticks=part.ticks) for part in self.parts())
            self.spikes = [{name: run[name] for name in nodes} for run in runs]
        found: dict[str, Reals] = {}
        for name in nodes:
            frames = [add_array(part[name], ticks) for part in self.spikes]
            found[name] = np.concatenate([one.reshape(-1, *one.shape[2:]).astype(np.float64) for one in frames])
        return found

    def runs(self, network: ntensor.NetworkOp) -> list[RecordedRun]:
        """Returns a run of a network of frames for each part of the samples."""
        return [run_on(network, fit_data(network, part)) for part in self.parts()]


def run_on(network: ntensor.NetworkOp, frames: Stimulus) -> RecordedRun:
    """Returns a run of a network of frames on its inputs."""
    whole = slice(0, frames.samples), slice(0, frames.ticks)
    arrays = {name: np.swapaxes(signal.window(*whole), 0, 1) for name, signal in frames.signals.items()}
    return RecordedRun.of(network, arrays)


def read_input(runs: Sequence[RecordedRun], op: ntensor.NeuronOp) -> Reals:
    """Returns the input of a population of a network of frames. Shapes: [frames of all samples, *population]."""
    value = op.operands[0]
    arrays = [run.values([value])[value] for run in runs]
    return np.concatenate([one.reshape(-1, *one.shape[2:]).astype(np.float64) for one in arrays])


@define(eq=False)
class FrameFit:
    """The fit of all activations of a network of frames, from the input to the outputs."""

    module: ModuleOp
    network: ntensor.NetworkOp
    bits: int
    weight_bits: int | None = None
    input_bits: int | None = None

    def fit(self, given: FrameData, ctx: Context) -> list[str]:
        """Fits the activations to the spikes of the network of ticks, and returns the max pools before them. Errors: those of a run."""
        ticks, names, before = self.network.frame_ticks, NodeNames(self.network), given.network
        pools = self.move_max_pools(names)
        populations = [op for ops in schedule(self.network.body.block, is_never) for op in ops]
        fitted = [op for op in populations if isinstance(op, ntensor.NeuronOp) and not is_on_host(op)]
        spikes = given.counts([op.node.data for op in fitted], ticks)
        uppers = {op.node.data: op for op in before.populations}
        updates = ntensor.updates_of(before)
        self.quantize_inputs(ctx)
        runs = given.runs(self.network)
        for op in fitted:
            node = op.node.data
            self.quantize_weights(op, ctx)
            upper = int(getattr(updates[uppers[node].update_name].emitted.type, "upper", 1)) if node in uppers else 1
            most = float(max(upper * ticks, spikes[node].max(initial=0)))
            response = fitted_responses(
                read_input(runs, op), spikes[node], self.bits, most, has_channels=reads_maps(op)
            )
            made = build_activation(
                names, node, op.xs[0], 2**self.bits - 1, self.bits, uniform(response.threshold), uniform(response.level)
            )
            set_count_unit(made, response.unit)
            replace_population(op, made)
            multiply_readers(made.z, response.unit, names, made.xs[0])
            for run in runs:
                run.keep([made.z])  # no later step changes an op before it
        self.quantize_weights(None, ctx)
        self.network.update_signature()
        return pools

    def move_max_pools(self, names: NodeNames) -> list[str]:
        """Moves max pools before activations, so that these are fitted to the spikes of the pools. Returns their names."""
        updates, moved = ntensor.updates_of(self.network), list[str]()
        for op in [op for op in self.network.body.block.ops if isinstance(op, ntensor.MaxPool2dOp)]:
            if (activation := source_activation(op)) is not None:
                moved.append(pool_before(op, activation, updates, names).node.data)
        return moved

    def quantize_inputs(self, ctx: Context) -> None:
        """Makes counts of the real inputs."""
        has_reals = any(interval_of(element_type(arg)) is None for arg in self.network.body.block.args)
        if self.input_bits is not None and has_reals:
            self.run(f"ntensor-quantize-inputs{{kind=count bits={self.input_bits}}}", ctx)

    def quantize_weights(self, neuron: ntensor.NeuronOp | None, ctx: Context) -> None:
        """Rounds the weights before a population, or those before the outputs, except those of the host."""
        if self.weight_bits is None:
            return
        ends = list(self.network.outputs.values) if neuron is None else list(neuron.xs)
        nodes = list[str]()
        for value in walk_upstream(ends, lambda op: not isinstance(op, ntensor.NeuronOp)):
            op = value.owner
            if not isinstance(op, ntensor.SynapseOpInterface) or is_on_host(op):
                continue
            if op.weights is not None and op.quantized_weights is None:
                nodes.append(op.node.data)
        if nodes:
            chosen = option_text(tuple(sorted(nodes)))
            self.run(f"ntensor-quantize-weights{{bits={self.weight_bits} per=neuron nodes={chosen}}}", ctx)

    def run(self, text: str, ctx: Context) -> None:
        """Runs a pass on the module."""
        for step in parse_pipeline(text, registry.passes()):
            step.apply(ctx, self.module)


def is_never(_: Operation) -> bool:
    return False


def reads_maps(op: ntensor.NeuronOp) -> bool:
    """Returns whether the neurons of a channel have one response: those of a map that a convolution or a pool computes."""
    source = op.xs[0].owner
    return isinstance(source, ntensor.ConvolutionOp | ntensor.PoolOp | ntensor.MaxPool2dOp) and len(shape_of(op.z)) > 1


@frozen(eq=False)
class FittedResponse:
    """Activations of a population. Shapes: threshold and level () or that of the population. Units: spikes of a count of 1."""

    threshold: Reals
    level: Reals
    unit: float


def fitted_responses(x: Reals, spikes: Reals, bits: int, most: float, *, has_channels: bool) -> FittedResponse:
    """Returns the activations of a population for its inputs and spikes in frames; `most`: the most spikes of a frame.

    Shapes: x and spikes [frames, *population]. Units: bits [bits].
    """
    shape = x.shape[1:]
    rows = x.shape[0], (shape[0] if has_channels else prod(shape)), -1

    def table(values: Reals) -> Reals:  # [observations, neurons or channels]
        found = np.moveaxis(values.reshape(rows), 1, -1).reshape(-1, rows[1])
        return found[spread_places(len(found), MOST_OBSERVATIONS)]

    inputs, counts = table(x), table(spikes)
    slope, start = fitted_lines(inputs, counts, most)
    values: Reals = np.clip(slope * (inputs - start), 0, most)
    top, greatest = max(float(values.max(initial=0)), 1e-6), 2**bits - 1
    units = [share * top / greatest for share in SHARES]
    losses = [float(np.square(np.clip(np.rint(values / unit), 0, greatest) * unit - counts).sum()) for unit in units]
    unit = units[int(np.argmin(losses))]
    level: Reals = unit / slope
    threshold: Reals = start + level / 2
    spread = (-1, *(1,) * (len(shape) - 1)) if has_channels else shape
    thresholds, levels = (np.broadcast_to(one.reshape(spread), shape) for one in (threshold, level))
    return FittedResponse(thresholds, levels, unit)


def fitted_lines(x: Reals, n: Reals, most: float) -> tuple[Reals, Reals]:
    """Returns slope and start of the lines with the least squared error, clipped to 0 and `most`. Shapes: [observations, rows]; (rows,)."""

    def loss(slope: Reals, start: Reals) -> Reals:
        values: Reals = np.clip(slope * (x - start), 0, most)
        return np.square(values - n).sum(0)

    low, high, mean = x.min(0), x.max(0), n.mean(0)
    width: Reals = np.maximum(high - low, np.maximum(np.abs(x).max(0), 1.0) * 1e-6)
    least: Reals = LEAST_SLOPE * np.maximum(mean, 1 / len(n)) / width
    slope: Reals = np.where(mean > 0, least, 1 / width)
    start: Reals = np.where(mean > 0, x.mean(0) - mean / slope, high)
    best: Reals = np.where(mean > 0, loss(slope, start), 0)
    for first in FIRST_STARTS:
        begin: Reals = np.quantile(x, first, axis=0)
        above: Reals = np.maximum(x - begin, 0)
        rise: Reals = (n * above).sum(0) / np.maximum(np.square(above).sum(0), 1e-300)
        for _ in range(ROUNDS):
            new_rise, new_begin, is_rising = refined_lines(x, n, rise, begin, least, most)
            losses = loss(new_rise, new_begin)
            is_better = is_rising & (losses < best)
            best = np.where(is_better, losses, best)
            slope, start = np.where(is_better, new_rise, slope), np.where(is_better, new_begin, start)
            if np.array_equal(rise, new_rise) and np.array_equal(begin, new_begin):
                break
            rise, begin = new_rise, new_begin
    return slope, start


def refined_lines(
    x: Reals, n: Reals, rise: Reals, begin: Reals, least: Reals, most: float
) -> tuple[Reals, Reals, Bools]:
    """Returns slope and start of the regression of the observations between both bounds of some lines, and where its slope exceeds the least one."""
    values: Reals = rise * (x - begin)
    used: Bools = (values > 0) & (values < most)
    count: Reals = np.maximum(used.sum(0), 1)
    middle, level = (np.where(used, part, 0).sum(0) / count for part in (x, n))
    away: Reals = np.where(used, x - middle, 0)
    variance: Reals = np.square(away).sum(0)
    slope: Reals = (away * n).sum(0) / np.where(variance > 0, variance, 1)
    is_rising: Bools = (variance > 0) & (slope > least)
    new_rise: Reals = np.where(is_rising, slope, rise)
    return new_rise, np.where(is_rising, middle - level / np.where(new_rise == 0, 1, new_rise), begin), is_rising
