"""Fit of linear leaks: the share of the way from rest to threshold whose exponential leak is the step of each neuron.

1. The network runs with the samples that it keeps (`ntensor-calibrate{keep=…}`), before its leaks are replaced and after.
2. Populations are fitted in the order of the network, those of a loop twice: each one reads the spikes of the populations before it. The
   inputs of a population, or of those of a loop, are recorded once, and each trial runs them alone.
3. Neurons of a population do not depend on each other, so that all try the same shares at once. Each keeps the share with the least difference of the
   spike counts of single samples; the share of one half, if none is better. Finer shares around it follow.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from attrs import define
from xdsl.dialects.builtin import ModuleOp

from ....analysis.calibration_records import fit_samples
from ....analysis.latency import latency_of
from ....core.arrays.arrays import uniform
from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.ir.graph_region import components, sources
from ....core.ir.operation import shape_of
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ....simulation.recorded_run import RecordedRun

HALF = 0.5
"""The share that is the mean of the steps of an exponential leak between rest and threshold."""
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.75, 0.9, 1.2, 1.6)
FINER = (0.8, 0.9, 1.1, 1.25)
"""Factors of the best share that are tried after these."""
LOOP_SWEEPS = 2


@define(eq=False)
class LeakFit:
    """The populations of a network whose leaks were replaced."""

    network: ntensor.NetworkOp
    wanted: Mapping[str, Ints]
    """Spikes in reals of each population. Shapes: [samples, neurons]."""
    samples: Mapping[str, AnyArray]
    """Inputs. Shapes: [samples, ticks, *shape]."""

    @staticmethod
    def of(before: ModuleOp, network: ntensor.NetworkOp, names: Sequence[str]) -> LeakFit:
        """Returns the fit of the named populations; `before` holds the network with its exponential leaks, and may change."""
        samples = fit_samples(network)
        original = next(one for one in networks(before) if one.sym_name == network.sym_name)
        populations = [op for op in original.populations if op.node.data in names]
        return LeakFit(network, spike_counts(recorded_run(original, populations, samples), populations), samples)

    def shares(self, module: ModuleOp) -> dict[str, Reals]:
        """Returns the share of each neuron, by population. `module` holds a copy of the network, which changes."""
        copy = next(one for one in networks(module) if one.sym_name == self.network.sym_name)
        populations = {op.node.data: op for op in copy.populations if op.node.data in self.wanted}
        steps = {name: flat_leak_step(op) / HALF for name, op in populations.items()}
        found = {name: np.full(wanted.shape[1], HALF) for name, wanted in self.wanted.items()}
        known = {op: name for name, op in populations.items()}
        run = recorded_run(copy, populations.values(), self.samples)
        for component in components(list(copy.body.block.ops), sources):  # 2
            chosen = [known[op] for op in component if isinstance(op, ntensor.NeuronOp) and op in known]
            if not chosen:
                continue
            with run.alone(component, [populations[name].z for name in chosen]):
                for _ in range(LOOP_SWEEPS if len(component) > 1 else 1):
                    for name in chosen:
                        found[name] = self.best_shares(run, populations[name], steps[name], found[name])
        return found

    def best_shares(self, run: RecordedRun, op: ntensor.NeuronOp, step: Reals, first: Reals) -> Reals:
        """Returns the shares of one population with the least errors, and sets them."""  # 3
        name = op.node.data

        def errors(share: Reals) -> Reals:
            set_leak_step(op, share * step)
            counts = spike_counts(run, [op])[name]
            return np.abs(counts - self.wanted[name]).sum(axis=0)

        best, least = first, errors(first)
        for share in (np.full(len(first), share) for share in SHARES):
            best, least = better(best, least, share, errors(share))
        middle = best
        for factor in FINER:
            best, least = better(best, least, middle * factor, errors(middle * factor))
        set_leak_step(op, best * step)
        return best


def better(best: Reals, least: Reals, tried: Reals, error: Reals) -> tuple[Reals, Reals]:
    """Returns for each neuron the share with the smaller error, and this error."""
    is_better = error < least
    return np.where(is_better, tried, best), np.where(is_better, error, least)


def flat_leak_step(op: ntensor.NeuronOp) -> Reals:
    """Returns the leak step of each neuron of a population, flat."""
    step = dict(op.arrays(op.params))["leak_step"].values
    return np.broadcast_to(step, shape_of(op.z)).reshape(-1).astype(np.float64)


def set_leak_step(op: ntensor.NeuronOp, step: Reals) -> None:
    """Sets the leak step of each neuron of a population."""
    given = {name: array.values for name, array in op.arrays(op.params)}
    value = step.reshape(shape_of(op.z)).astype(given["leak_step"].dtype)
    op.params = ntensor.array_dictionary({name: uniform(a) for name, a in {**given, "leak_step": value}.items()})


def recorded_run(
    network: ntensor.NetworkOp, populations: Collection[ntensor.NeuronOp], samples: Mapping[str, AnyArray]
) -> RecordedRun:
    """Returns the run of a network until the latest of some populations has read all samples."""
    return RecordedRun.of(network, samples, max((latency_of(op) for op in populations), default=0))


def spike_counts(run: RecordedRun, populations: Sequence[ntensor.NeuronOp]) -> dict[str, Ints]:
    """Returns the spikes of populations in each sample. Shapes: [samples, neurons]."""
    found = run.values([op.z for op in populations])
    counts: dict[str, Ints] = {}
    for op in populations:
        spikes = found[op.z].astype(np.int64)
        counts[op.node.data] = spikes.reshape(*spikes.shape[:2], -1).sum(axis=1)
    return counts
