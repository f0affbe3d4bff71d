"""Multiplies the thresholds of populations so that they keep their rates where the neurons of a device follow another rule.

    %z = ntensor.neuron "lif" @dynapse(%x) {params = {gain_syn = 9.6, …}, canonical = {threshold = 1.0, …}}, 0.02 spikes per tick, 0.15 in reals
      =>
    %z = ntensor.neuron "lif" @dynapse(%x) {params = {gain_syn = 85.0, …}, canonical = {threshold = 0.11, …}}, 0.15 spikes per tick

1. The network in reals was observed with samples that the network keeps (`ntensor-calibrate{keep=…}`), and the update of the population was replaced
   after that (`ntensor-set-neuron-model`), which leaves its raw parameters.
2. The network runs with these samples. Populations are fitted in the order of the network, those of a loop twice: each one reads the spikes of the device's
   neurons before it. The inputs of a population, or of those of a loop, are recorded once, and each trial of a factor runs them alone.
3. The threshold is multiplied by one factor for all neurons of a population. Powers of two bracket the rate, and a bisection of their logarithms follows. The
   parameters of the device follow from the new threshold as in the conversion, with its roundings and clips.
4. With `per=neuron`, populations are fitted again in this order. Each factor is multiplied by a power of the ratio of both rates of its neuron, some times; the
   factors with the least sum of differences, over neurons and samples, remain.
5. A population whose rate differs by at most `tolerance` keeps its threshold, as does one that is silent in reals. If no factor brings a rate nearer, the population keeps
   its threshold.
6. With `goal=counts` the fit reads half of the samples. The others choose between the thresholds as they were, the factors of 3 and those of 4: those with the
   least loss of decisions and counts of the last populations (`_held_out_loss.py`).
7. The samples and raw parameters leave the network.

The record holds the largest and the mean difference of the rates of neurons after the fit, in spikes per tick.

Errors: NTE009 a network in continuous time; ANA031 a name in `nodes`; LEG110 no samples or no population to fit; LEG111 `tolerance` out of range.
Source: the method is our own. Gains of DYNAP-SE are tuned by hand in this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from attrs import define, field, frozen
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....analysis.calibration_records import (
    fit_events,
    fit_samples,
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
from ....core.help_text import Option, Phrase, WithoutPass
from ....core.ir.graph_region import components, sources
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ....simulation.recorded_run import RecordedRun
from ....simulation.update import derive, initial
from .._held_out_loss import HeldOutLoss, choose, count_events

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
Factor = float | Reals
"""Factor of a threshold. Shapes: () or that of the population."""


@dataclass(frozen=True)
class NtensorFitRatesPass(NoptPass):
    """Fits the rates of every `ntensor.network`.

    Options:
        nodes: the populations to fit; default all whose update was replaced.
        per: `population`, or `neuron` where neurons have thresholds of their own; default population.
        goal: `rates`, or `counts` where a fit must not make decisions and counts of the last populations worse on samples that it has not seen; default rates.
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
            fit = RateFit.of(op, network, self)
            fit.fit_all()
            fit.record()
            forget_samples(network)  # 7


@frozen(eq=False)
class Fitted:
    """A population, its copy in the network that runs, and its raw parameters."""

    op: ntensor.NeuronOp
    copy: ntensor.NeuronOp
    update: ntensor.UpdateOp
    raw: Mapping[str, Reals]
    wanted: Reals
    """Events of each neuron in the network in reals, in the samples of the fit. Shapes: [samples, *shape]."""

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
    copy: ntensor.NetworkOp
    """The network that runs."""
    populations: list[Fitted]
    samples: Mapping[str, AnyArray]
    """Inputs that the fit reads. Shapes: each [samples, ticks, *shape]."""
    loss: HeldOutLoss | None
    step: NtensorFitRatesPass
    run: RecordedRun = field(init=False)
    """The run with the inputs of the fit."""
    factors: dict[str, Factor] = field(factory=dict[str, Factor])
    before: dict[str, Reals] = field(factory=dict[str, Reals])
    after: dict[str, Reals] = field(factory=dict[str, Reals])

    @staticmethod
    def of(module: ModuleOp, network: ntensor.NetworkOp, step: NtensorFitRatesPass) -> RateFit:
        """Returns the fit of the named populations, or of all with raw parameters. Errors: LEG110."""
        is_judged = step.goal == "counts"
        samples, updates = (fit_samples if is_judged else kept_samples)(network), ntensor.find_updates(module)
        copy = next(one for one in networks(module.clone()) if one.sym_name == network.sym_name)
        fitted: list[Fitted] = []
        for op, twin in zip(network.populations, copy.populations, strict=True):
            raw, wanted = raw_parameters(op), (fit_events if is_judged else kept_events)(op)
            is_chosen = not step.nodes or name_of(op) in step.nodes
            if is_chosen and wanted is not None and any(name in raw for name in THRESHOLDS):
                fitted.append(Fitted(op, twin, updates[op.update_name], raw, wanted))
        if not samples or not fitted:
            calibrate = Option("ntensor-calibrate{data=x.npy keep=8}", "--calib x.npy", is_of_device=True)
            others = WithoutPass(step.name)
            refuse(
                LEG110,
                at=f"ntensor.network @{network.sym_name.data}",
                expected="samples that ntensor-calibrate keeps, and populations whose update is replaced after it",
                found="no population with another update" if samples else "no samples",
                help=Phrase(others) if samples else Phrase(calibrate, ", or ", others),
            )
        return RateFit(network, copy, fitted, samples, HeldOutLoss.of(network) if is_judged else None, step)

    def new_run(self, samples: Mapping[str, AnyArray]) -> RecordedRun:
        """Returns a run of the copy until the latest population has read all samples."""
        return RecordedRun.of(self.copy, samples, max(latency_of(one.op) for one in self.populations))

    def events(self, one: Fitted) -> Reals:
        """Returns the events of each neuron of a population in the samples of the fit. Shapes: [samples, *shape]."""
        return count_events(self.run, [one.copy])[one.name]

    def all_events(self) -> dict[str, Reals]:
        """Returns the events of each neuron in all kept samples, by population. Shapes: each [samples, *shape]."""
        return count_events(self.new_run(kept_samples(self.network)), [one.copy for one in self.populations])

    def fit_all(self) -> None:
        """Fits all populations, and sets the parameters of the network."""
        self.before = self.all_events()
        self.factors = {one.name: 1.0 for one in self.populations}
        candidates = [self.factors.copy(), self.fit_populations()]
        if self.step.per == "neuron":
            candidates.append(self.fit_neurons())
        self.factors = choose(self.loss, candidates, self.with_factors)  # 6
        self.with_factors(self.factors)
        self.after = self.all_events()
        for one in self.populations:
            if np.any(self.factors[one.name] != 1):
                one.set_factor(self.factors[one.name], self.network.dt, is_copy=False)

    def with_factors(self, factors: Mapping[str, Factor]) -> ntensor.NetworkOp:
        """Returns the copy with some factors."""
        for one in self.populations:
            one.set_factor(factors[one.name], self.network.dt)
        return self.copy

    def fit_populations(self) -> dict[str, Factor]:
        """Finds a factor for each population."""
        for loop in self.components():
            for one in loop:
                self.fit(one)
            for one in loop if len(loop) > 1 else ():
                self.refine(one, has_neuron_factors=False)
        return self.factors.copy()

    def fit_neurons(self) -> dict[str, Factor]:
        """Finds a factor for each neuron, from those of populations."""
        for loop in self.components():
            for one in loop * (LOOP_SWEEPS if len(loop) > 1 else 1):
                self.refine(one, has_neuron_factors=True)
        return self.factors.copy()

    def components(self) -> Iterator[list[Fitted]]:
        """Yields the populations of each loop, and each other population, in the order of the network; they run alone meanwhile."""  # 2
        known: dict[Operation, Fitted] = {one.copy: one for one in self.populations}
        self.run = self.new_run(self.samples)
        for component in components(list(self.copy.body.block.ops), sources):
            if chosen := [known[op] for op in component if op in known]:
                with self.run.alone(component, [one.copy.z for one in chosen]):
                    yield chosen

    def fit(self, one: Fitted) -> None:
        """Finds the factor of a population."""  # 3, 5
        tried: dict[float, float] = {}

        def mean(factor: float) -> float:
            if factor not in tried:
                one.set_factor(factor, self.network.dt)
                tried[factor] = float(self.events(one).mean())
            return tried[factor]

        low = high = 1.0
        is_near = abs(mean(1.0) - one.mean) <= self.step.tolerance * one.mean
        if not is_near and one.mean:
            is_slow = mean(1.0) < one.mean
            for _ in range(OCTAVES):
                low, high = (low / 2, low) if is_slow else (high, high * 2)
                if (mean(low if is_slow else high) < one.mean) != is_slow:
                    break
            for _ in range(BISECTIONS):
                if abs(mean(low) - one.mean) <= self.step.tolerance * one.mean:
                    break
                middle = float(np.sqrt(low * high))
                low, high = (low, middle) if mean(middle) < one.mean else (middle, high)
        best = min(tried, key=lambda factor: (abs(tried[factor] - one.mean), factor != 1))
        self.factors[one.name] = best
        one.set_factor(best, self.network.dt)

    def refine(self, one: Fitted, *, has_neuron_factors: bool) -> None:
        """Improves the factor of a population, or those of its neurons."""  # 4
        factor, best, least = self.factors[one.name], self.factors[one.name], np.inf
        for _ in range(REFINEMENTS + 1):
            one.set_factor(factor, self.network.dt)
            found, wanted = self.events(one), one.wanted
            if (error := float(np.abs(found - wanted).sum())) < least:
                best, least = factor, error
            found, wanted = found.sum(0), wanted.sum(0)
            if not has_neuron_factors:
                found, wanted = found.mean(), wanted.mean()
            factor = factor * ((found + LEAST_EVENTS) / (wanted + LEAST_EVENTS)) ** POWER
        self.factors[one.name] = best
        one.set_factor(best, self.network.dt)

    def record(self) -> None:
        """Records the factors, and the differences of rates in all kept samples."""
        changed = [one for one in self.populations if np.any(self.factors[one.name] != 1)]
        if not changed:
            return
        ticks = next(iter(self.samples.values())).shape[1]
        parts, errors = list[str](), list[Reals]()
        for one in changed:
            wanted = kept_events(one.op)
            assert wanted is not None  # of
            before, after, mean = (x.mean() / ticks for x in (self.before[one.name], self.after[one.name], wanted))
            factor = factor_text(self.factors[one.name])
            parts.append(f"{one.name} by {factor} (rate {before:.3g} -> {after:.3g}, {mean:.3g} in reals)")
            errors.append(np.abs((self.after[one.name] - wanted).mean(0) / ticks).reshape(-1))
        what, nodes = f"thresholds multiplied: {', '.join(parts)}", [one.name for one in changed]
        every = np.concatenate(errors)
        numbers = float(every.max()), float(every.mean())
        self.network.record(
            ntensor.ApproximationAttr.of(pass_text(self.step), what, nodes, *numbers, "spikes per tick")
        )


def factor_text(factor: Factor) -> str:
    low, high = float(np.min(factor)), float(np.max(factor))
    return f"{low:.3g}" if low == high else f"{low:.3g} to {high:.3g}"
