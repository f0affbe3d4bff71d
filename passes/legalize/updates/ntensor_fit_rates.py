"""Multiplies the thresholds of populations so that they keep their rates where the neurons of a device follow another rule.

    %z = ntensor.neuron "lif" @dynapse(%x) {params = {gain_syn = 9.6, …}, canonical = {threshold = 1.0, …}}, 0.02 spikes per tick, 0.15 in reals
      =>
    %z = ntensor.neuron "lif" @dynapse(%x) {params = {gain_syn = 85.0, …}, canonical = {threshold = 0.11, …}}, 0.15 spikes per tick

1. The network in reals was observed with samples that the network keeps (`ntensor-calibrate{keep=…}`), and the update of the population was replaced
   after that (`ntensor-set-neuron-model`), which leaves its raw parameters.
2. The network runs with these samples. Populations are fitted in the order of the network, those of a loop twice: each one reads the spikes of the device's
   neurons before it.
3. The threshold is multiplied by one factor for all neurons of a population. Powers of two bracket the rate, and a bisection of their logarithms follows. The
   parameters of the device follow from the new threshold as in the conversion, with its roundings and clips.
4. A population whose rate differs by at most `tolerance` keeps its threshold, as does one that is silent in reals. If no factor brings a rate nearer, the population keeps
   its threshold.
5. The samples and raw parameters leave the network.

The record holds the largest and the mean difference of the rates of populations after the fit, in spikes per neuron and tick.

Errors: NTE009 a network in continuous time; ANA031 a name in `nodes`; LEG110 no samples or no population to fit; LEG111 `tolerance` out of range.
Source: the method is our own. Gains of DYNAP-SE are tuned by hand in this way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from attrs import define, field, frozen
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....analysis.calibration_records import (
    KEPT_RATE,
    forget_samples,
    kept_samples,
    observed_rate,
    raw_parameters,
)
from ....analysis.latency import latency_of
from ....analysis.node_selection import check_names, name_of
from ....core import registry
from ....core.arrays.arrays import dtype_of, uniform
from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Code, ExitCode, refuse
from ....core.help_text import Option, Phrase
from ....core.ir.graph_region import components
from ....core.ir.operation import element_type
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ....simulation.signals import DenseSignal
from ....simulation.update import derive, initial

LEG110 = Code("LEG110", "no-rates-to-fit", "no population has rates to keep")
LEG111 = Code(
    "LEG111", "rate-tolerance-out-of-range", "the tolerance of rates is out of range", exit_code=ExitCode.MISUSED
)

THRESHOLDS = ("threshold", "v_threshold")
"""Raw parameters that are the threshold of a population."""
OCTAVES, BISECTIONS, LOOP_SWEEPS = 7, 7, 2
"""Doublings that bracket a rate, bisections after them, and fits of the populations of a loop."""


@dataclass(frozen=True)
class NtensorFitRatesPass(NoptPass):
    """Fits the rates of every `ntensor.network`.

    Options:
        nodes: the populations to fit; default all whose update was replaced.
        tolerance: difference of a rate that needs no fit, relative to it, from 0 to 1; default 0.02.
    """

    name = "ntensor-fit-rates"
    APPROXIMATES = ("threshold",)
    nodes: tuple[str, ...] = ()
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
            fit = RateFit.of(op, network, self.nodes, self.tolerance)
            fit.run()
            fit.record(pass_text(self))
            forget_samples(network)  # 5


@frozen(eq=False)
class Fitted:
    """A population, its copy in the network that runs, and its raw parameters."""

    op: ntensor.NeuronOp
    copy: ntensor.NeuronOp
    update: ntensor.UpdateOp
    raw: Mapping[str, Reals]
    wanted: float
    """Events per neuron and tick of the network in reals."""

    @property
    def name(self) -> str:
        return name_of(self.op)

    def set_factor(self, factor: float, dt: float, *, is_copy: bool = True) -> None:
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
    """The network that runs: its outputs are the populations."""
    populations: list[Fitted]
    samples: Mapping[str, AnyArray]
    """Inputs. Shapes: [samples, ticks, *shape]."""
    tolerance: float
    factors: dict[str, float] = field(factory=dict[str, float])
    before: dict[str, float] = field(factory=dict[str, float])
    after: dict[str, float] = field(factory=dict[str, float])

    @staticmethod
    def of(module: ModuleOp, network: ntensor.NetworkOp, nodes: Sequence[str], tolerance: float) -> RateFit:
        """Returns the fit of the named populations, or of all with raw parameters. Errors: LEG110."""
        samples, updates = kept_samples(network), ntensor.find_updates(module)
        copy = next(one for one in networks(module.clone()) if one.sym_name == network.sym_name)
        found: list[Fitted] = []
        for op, twin in zip(network.populations, copy.populations, strict=True):
            raw, wanted = raw_parameters(op), observed_rate(op, KEPT_RATE)
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
        copy.replace_outputs({name_of(one.copy): one.copy.z for one in found})
        return RateFit(network, copy, found, samples, tolerance)

    def rates(self) -> dict[str, float]:
        """Returns the events per neuron and tick of each population."""
        ticks = next(iter(self.samples.values())).shape[1]
        late = max(latency_of(one.op) for one in self.populations)
        signals = {name: DenseSignal(values) for name, values in self.samples.items()}
        outputs = registry.reference()(self.copy, record=[]).run(signals, ticks=ticks + late)
        found: dict[str, float] = {}
        for one in self.populations:
            events = np.asarray(outputs[one.name])
            is_count = isinstance(element_type(one.copy.z), ntensor.CountType)
            total = int(events.sum(dtype=np.int64)) if is_count else np.count_nonzero(events)
            found[one.name] = total / max(1, events[:, :ticks].size)
        return found

    def run(self) -> None:
        """Fits all populations, and sets the parameters of the network."""
        self.before = self.rates()
        self.factors = {one.name: 1.0 for one in self.populations}
        known: dict[Operation, Fitted] = {one.op: one for one in self.populations}
        for component in components(list(self.network.body.block.ops), operand_owners):  # 2
            chosen = [known[op] for op in component if op in known]
            for _ in range(LOOP_SWEEPS if len(component) > 1 else 1):
                for one in chosen:
                    self.fit(one)
        self.after = self.rates()
        for one in self.populations:
            if self.factors[one.name] != 1:
                one.set_factor(self.factors[one.name], self.network.dt, is_copy=False)

    def fit(self, one: Fitted) -> None:
        """Finds the factor of a population."""  # 3, 4
        tried: dict[float, float] = {}

        def rate(factor: float) -> float:
            if factor not in tried:
                one.set_factor(factor, self.network.dt)
                tried[factor] = self.rates()[one.name]
            return tried[factor]

        low = high = first = self.factors[one.name]
        is_near = abs(rate(first) - one.wanted) <= self.tolerance * one.wanted
        if not is_near and one.wanted:
            is_slow = rate(first) < one.wanted
            for _ in range(OCTAVES):
                low, high = (low / 2, low) if is_slow else (high, high * 2)
                if (rate(low if is_slow else high) < one.wanted) != is_slow:
                    break
            for _ in range(BISECTIONS):
                if abs(rate(low) - one.wanted) <= self.tolerance * one.wanted:
                    break
                middle = float(np.sqrt(low * high))
                low, high = (low, middle) if rate(middle) < one.wanted else (middle, high)
        best = min(tried, key=lambda factor: (abs(tried[factor] - one.wanted), factor != first))
        self.factors[one.name] = best
        one.set_factor(best, self.network.dt)

    def record(self, step: str) -> None:
        """Records the factors, and the differences of rates."""
        changed = [one for one in self.populations if self.factors[one.name] != 1]
        if not changed:
            return
        parts = [
            f"{one.name} by {self.factors[one.name]:.3g} (rate {self.before[one.name]:.3g} -> {self.after[one.name]:.3g},"
            f" {one.wanted:.3g} in reals)"
            for one in changed
        ]
        errors = [abs(self.after[one.name] - one.wanted) for one in changed]
        what, names = f"thresholds multiplied: {', '.join(parts)}", [one.name for one in changed]
        unit = "spikes per tick"
        mean = sum(errors) / len(errors)
        self.network.record(ntensor.ApproximationAttr.of(step, what, names, max(errors), mean, unit))


def operand_owners(op: Operation) -> list[Operation]:
    return [x.owner for x in op.operands if isinstance(x.owner, Operation)]
