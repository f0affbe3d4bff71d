"""Multiplies the thresholds of populations so that they keep their rates where the neurons of a device follow another rule.

    %z = ntensor.neuron "lif" @dynapse(%x) {params = {gain_syn = 9.6, …}, canonical = {threshold = 1.0, …}}, 0.02 spikes per tick, 0.15 in reals
      =>
    %z = ntensor.neuron "lif" @dynapse(%x) {params = {gain_syn = 85.0, …}, canonical = {threshold = 0.11, …}}, 0.15 spikes per tick

1. The network in reals was observed with samples that the network keeps (`ntensor-calibrate{keep=…}`), and the update of the population was replaced
   after that (`ntensor-set-neuron-model`), which leaves its raw parameters.
2. The network runs with these samples. Populations are fitted in the order of the network, those of a loop twice: each one reads the spikes of the device's
   neurons before it. The inputs of a population, or of those of a loop, are recorded once, and each trial of a factor runs them alone.
3. The threshold is multiplied by one factor for all neurons of a population, with `per=neuron` by one for each neuron after that. Powers of two bracket the rate, and a bisection of their logarithms follows. The
   parameters of the device follow from the new threshold as in the conversion, with its roundings and clips.
4. With `per=neuron`, each factor is multiplied by a power of the ratio of both rates of its neuron, some times; the factors with the least sum of differences,
   over neurons and samples, remain.
5. A population whose rate differs by at most `tolerance` keeps its threshold, as does one that is silent in reals. If no factor brings a rate nearer, the population keeps
   its threshold.
6. With `goal=counts` all populations keep their thresholds if the fit does not halve the sum of differences of those that the outputs read, over neurons and
   samples, and one of these decides fewer samples as in reals (the neuron with the most spikes is the same); or if they had at least a third
   and at most three times of their rate in reals, and this sum is larger after the fit.
7. The samples and raw parameters leave the network.

The record holds the largest and the mean difference of the rates of neurons after the fit, in spikes per tick.

Errors: NTE009 a network in continuous time; ANA031 a name in `nodes`; LEG110 no samples or no population to fit; LEG111 `tolerance` out of range.
Source: the method is our own. Gains of DYNAP-SE are tuned by hand in this way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from attrs import define, field, frozen
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....analysis.calibration_records import (
    forget_samples,
    kept_events,
    kept_samples,
    raw_parameters,
)
from ....analysis.latency import latency_of
from ....analysis.node_selection import check_names, name_of
from ....core.arrays.arrays import dtype_of, uniform
from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Code, ExitCode, refuse
from ....core.help_text import Option, Phrase
from ....core.ir.graph_region import components
from ....core.ir.operation import element_type
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ....simulation.recorded_run import RecordedRun
from ....simulation.update import derive, initial

LEG110 = Code("LEG110", "no-rates-to-fit", "no population has rates to keep")
LEG111 = Code(
    "LEG111", "rate-tolerance-out-of-range", "the tolerance of rates is out of range", exit_code=ExitCode.MISUSED
)

THRESHOLDS = ("threshold", "v_threshold")
"""Raw parameters that are the threshold of a population."""
OCTAVES, BISECTIONS, LOOP_SWEEPS = 7, 7, 2
"""Doublings that bracket a rate, bisections after them, and fits of the populations of a loop."""
REFINEMENTS, POWER, LEAST_EVENTS = 6, 0.7, 1.0
"""Refinements of the factors of neurons, the power of the ratio of rates in each of them, and the events that are added to both numbers of the ratio."""
NEAR = 3.0
"""Largest ratio of two rates of which neither is that of a silent or a bursting population, compared with the other."""
Factor = float | Reals
"""Factor of a threshold. Shapes: () or that of the population."""


@dataclass(frozen=True)
class NtensorFitRatesPass(NoptPass):
    """Fits the rates of every `ntensor.network`.

    Options:
        nodes: the populations to fit; default all whose update was replaced.
        per: `population`, or `neuron` where neurons have thresholds of their own; default population.
        goal: `rates`, or `counts` where a fit must not move the counts of the last populations away; default rates.
        tolerance: difference of a rate that needs no fit, relative to it, from 0 to 1; default 0.02.
    """

    name = "ntensor-fit-rates"
    APPROXIMATES = ("threshold",)
    nodes: tuple[str, ...] = ()
    per: Literal["population", "neuron"] = "population"
    goal: Literal["rates", "counts"] = "rates"
    tolerance: float = 0.02

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not 0 <= self.tolerance < 1:
            help = suggest_pass(replace(self, tolerance=0.02))
            refuse(
                LEG111,
                at=f"tolerance={self.tolerance}",
                expected="from 0 to below 1",
                found=str(self.tolerance),
                help=help,
            )
        check_names(op, self.nodes, lambda one: isinstance(one, ntensor.NeuronOp), self.name)
        for network in networks(op):
            fit = RateFit.of(op, network, self.nodes, self.per == "neuron", self.tolerance)
            fit.fit_all(keeps_counts=self.goal == "counts")
            fit.record(pass_text(self))
            forget_samples(network)  # 7


@frozen(eq=False)
class Fitted:
    """A population, its copy in the network that runs, and its raw parameters."""

    op: ntensor.NeuronOp
    copy: ntensor.NeuronOp
    update: ntensor.UpdateOp
    raw: Mapping[str, Reals]
    wanted: Reals
    """Events of each neuron in the network in reals. Shapes: [samples, *shape]."""

    @property
    def name(self) -> str:
        return name_of(self.op)

    @property
    def mean(self) -> float:
        """Returns the mean of the wanted events."""
        return float(self.wanted.mean()) if self.wanted.size else 0.0

    def set_factor(self, factor: Factor, dt: float, *, is_copy: bool = True) -> None:
        """Multiplies the threshold, and derives the parameters of the population."""
        raw = {name: value * factor if name in THRESHOLDS else value for name, value in self.raw.items()}
        derived = derive(self.update, dt, raw, self.name)
        params: dict[str, AnyArray] = {
            name: uniform(np.asarray(derived[name]).astype(dtype_of(type) or np.int64))
            for name, type in self.update.param_types.items()
        }
        op = self.copy if is_copy else self.op
        op.params = ntensor.array_dictionary(params)
        states = initial(self.update, params)
        op.initial = ntensor.array_dictionary({name: uniform(np.asarray(value)) for name, value in states.items()})
        canonical = {one.data: uniform(np.asarray(derived[one.data], np.float64)) for one in self.update.canonical}
        op.canonical = ntensor.array_dictionary(canonical)


@define(eq=False)
class RateFit:
    """The fit of one network."""

    network: ntensor.NetworkOp
    run: RecordedRun
    """The run of a copy of the network with the samples."""
    populations: list[Fitted]
    ticks: int
    """Ticks of a sample."""
    has_neuron_factors: bool
    tolerance: float
    factors: dict[str, Factor] = field(factory=dict[str, Factor])
    before: dict[str, Reals] = field(factory=dict[str, Reals])
    after: dict[str, Reals] = field(factory=dict[str, Reals])

    @staticmethod
    def of(
        module: ModuleOp, network: ntensor.NetworkOp, nodes: Sequence[str], has_neuron_factors: bool, tolerance: float
    ) -> RateFit:
        """Returns the fit of the named populations, or of all with raw parameters. Errors: LEG110."""
        samples, updates = kept_samples(network), ntensor.find_updates(module)
        copy = next(one for one in networks(module.clone()) if one.sym_name == network.sym_name)
        found: list[Fitted] = []
        for op, twin in zip(network.populations, copy.populations, strict=True):
            raw, wanted = raw_parameters(op), kept_events(op)
            is_chosen = not nodes or name_of(op) in nodes
            if is_chosen and wanted is not None and any(name in raw for name in THRESHOLDS):
                found.append(Fitted(op, twin, updates[op.update_name], raw, wanted))
        if not samples or not found:
            refuse(
                LEG110,
                at=f"ntensor.network @{network.sym_name.data}",
                expected="samples that ntensor-calibrate keeps, and populations whose update is replaced after it",
                found="no population with another update" if samples else "no samples",
                help=Phrase(Option("ntensor-calibrate{data=x.npy keep=8}", "--calib x.npy")),
            )
        ticks = next(iter(samples.values())).shape[1]
        late = max(latency_of(one.op) for one in found)
        return RateFit(network, RecordedRun.of(copy, samples, late), found, ticks, has_neuron_factors, tolerance)

    def events(self, populations: Sequence[Fitted]) -> dict[str, Reals]:
        """Returns the events of each neuron, by population. Shapes: each [samples, *shape]."""
        emitted = self.run.values([one.copy.z for one in populations])
        found: dict[str, Reals] = {}
        for one in populations:
            events = emitted[one.copy.z]
            is_count = isinstance(element_type(one.copy.z), ntensor.CountType)
            found[one.name] = (events if is_count else events != 0).sum(1, dtype=np.float64)
        return found

    def fit_all(self, *, keeps_counts: bool) -> None:
        """Fits all populations, and sets the parameters of the network."""
        self.before = self.events(self.populations)
        self.factors = {one.name: 1.0 for one in self.populations}
        known: dict[Operation, Fitted] = {one.copy: one for one in self.populations}
        for component in components(list(self.run.network.body.block.ops), operand_owners):  # 2
            chosen = [known[op] for op in component if op in known]
            if not chosen:
                continue
            with self.run.alone(component, [one.copy.z for one in chosen]):
                for sweep in range(LOOP_SWEEPS if len(component) > 1 else 1):
                    for one in chosen:
                        if not sweep:
                            self.fit(one)
                        if self.has_neuron_factors or sweep:
                            self.refine(one)
        self.after = self.events(self.populations)
        if keeps_counts and self.is_worse:  # 6
            self.factors = {one.name: 1.0 for one in self.populations}
        for one in self.populations:
            if np.any(self.factors[one.name] != 1):
                one.set_factor(self.factors[one.name], self.network.dt, is_copy=False)

    def last_populations(self) -> list[Fitted]:
        """Returns the populations that the outputs of the network read, directly or through ops without rates to fit."""
        known: dict[Operation, Fitted] = {one.op: one for one in self.populations}
        seen: dict[Operation, None] = {}
        work = operand_owners(self.network.outputs)
        while work:
            if (op := work.pop()) not in seen:
                seen[op] = None
                work += [] if op in known else operand_owners(op)
        return [known[op] for op in seen if op in known]

    @property
    def is_worse(self) -> bool:
        """Returns whether the fit changes decisions of the last populations, or moves their events away from those in reals, although their rates were near before."""
        last = self.last_populations()
        wanted, before, after = (
            np.concatenate([events[one.name].reshape(-1) for one in last] or [np.zeros(0)])
            for events in ({one.name: one.wanted for one in last}, self.before, self.after)
        )
        is_near = wanted.sum() <= NEAR * before.sum() and before.sum() <= NEAR * wanted.sum()
        error, former = float(np.abs(after - wanted).sum()), float(np.abs(before - wanted).sum())
        loses = any(
            decided(one.wanted, self.after[one.name]) < decided(one.wanted, self.before[one.name]) for one in last
        )
        return (loses and error > former / 2) or bool(is_near and error > former)

    def fit(self, one: Fitted) -> None:
        """Finds the factor of a population."""  # 3, 5
        tried: dict[float, float] = {}

        def mean(factor: float) -> float:
            if factor not in tried:
                one.set_factor(factor, self.network.dt)
                tried[factor] = float(self.events([one])[one.name].mean())
            return tried[factor]

        low = high = 1.0
        is_near = abs(mean(1.0) - one.mean) <= self.tolerance * one.mean
        if not is_near and one.mean:
            is_slow = mean(1.0) < one.mean
            for _ in range(OCTAVES):
                low, high = (low / 2, low) if is_slow else (high, high * 2)
                if (mean(low if is_slow else high) < one.mean) != is_slow:
                    break
            for _ in range(BISECTIONS):
                if abs(mean(low) - one.mean) <= self.tolerance * one.mean:
                    break
                middle = float(np.sqrt(low * high))
                low, high = (low, middle) if mean(middle) < one.mean else (middle, high)
        best = min(tried, key=lambda factor: (abs(tried[factor] - one.mean), factor != 1))
        self.factors[one.name] = best
        one.set_factor(best, self.network.dt)

    def refine(self, one: Fitted) -> None:
        """Improves the factor of a population, or those of its neurons."""  # 4
        factor, best, least = self.factors[one.name], self.factors[one.name], np.inf
        for _ in range(REFINEMENTS + 1):
            one.set_factor(factor, self.network.dt)
            found, wanted = self.events([one])[one.name], one.wanted
            if (error := float(np.abs(found - wanted).sum())) < least:
                best, least = factor, error
            found, wanted = found.sum(0), wanted.sum(0)
            if not self.has_neuron_factors:
                found, wanted = found.mean(), wanted.mean()
            factor = factor * ((found + LEAST_EVENTS) / (wanted + LEAST_EVENTS)) ** POWER
        self.factors[one.name] = best
        one.set_factor(best, self.network.dt)

    def record(self, step: str) -> None:
        """Records the factors, and the differences of rates."""
        changed = [one for one in self.populations if np.any(self.factors[one.name] != 1)]
        if not changed:
            return
        parts = [
            f"{one.name} by {factor_text(self.factors[one.name])} (rate {self.before[one.name].mean() / self.ticks:.3g} ->"
            f" {self.after[one.name].mean() / self.ticks:.3g}, {one.mean / self.ticks:.3g} in reals)"
            for one in changed
        ]
        differences = [(self.after[one.name] - one.wanted).mean(0) / self.ticks for one in changed]
        errors = np.concatenate([np.abs(difference).reshape(-1) for difference in differences])
        what, nodes = f"thresholds multiplied: {', '.join(parts)}", [one.name for one in changed]
        largest, mean = float(errors.max()), float(errors.mean())
        self.network.record(ntensor.ApproximationAttr.of(step, what, nodes, largest, mean, "spikes per tick"))


def decided(wanted: Reals, found: Reals) -> int:
    """Returns the number of samples in which the neuron with the most events is the same. Shapes: both [samples, *shape]."""
    best, other = (events.reshape(len(events), -1).argmax(1) for events in (wanted, found))
    return int(np.count_nonzero(best == other))


def factor_text(factor: Factor) -> str:
    low, high = float(np.min(factor)), float(np.max(factor))
    return f"{low:.3g}" if low == high else f"{low:.3g} to {high:.3g}"


def operand_owners(op: Operation) -> list[Operation]:
    return [x.owner for x in op.operands if isinstance(x.owner, Operation)]
