"""Replaces the leak of populations by a constant negative bias, for devices whose neurons have biases and a lower bound, but no leak.

    %s = ntensor.linear "fc" %x {weight = w, bias = b}            %s = ntensor.linear "fc" %x {weight = w, bias = b - step / gain}
    %z = ntensor.neuron "n" @norse_lif.value(%s)            =>    %z = ntensor.neuron "n" @integrator.value(%s)

    v = decay v + gain x          =>          v = max(v + gain x - step, 0), with v = 0 at the leak

1. A population of the family `lif` or `cuba_lif` is chosen if its canonical decay is below 1. It becomes an `if` with the same reset.
2. A bias belongs to an output of an op: to a neuron of a dense layer, or to a filter of a convolution. So does the step.
3. Without samples step = (1 - decay) (threshold - leak) / 2, the mean of the steps of the exponential leak between rest and threshold.
4. With samples that the network keeps (`ntensor-calibrate{keep=…}`), it runs with every second one in reals. The step of each output is the one with which the new neurons
   have the counts of the old ones on their recorded inputs, with the least sum of squared errors over samples. They spike as often in a tick as the threshold
   fits. Candidates are multiples of the step of 3. With `threshold`, multiples of the step and of thresholds are chosen in turn: first one for all outputs.
   If the other samples have a larger loss with these steps than with those of 3 (`_held_out_loss.py`), those of 3 remain.
5. The synaptic current of a `cuba_lif` reaches the membrane at once: its charge stays. This is the approximation `current`.
6. The bias is added to the first op before the population that reaches no other one. A scale becomes a sparse op for it, exactly.

Exactness: recorded. The errors are those of the counts of neurons over the samples of the fit, in spikes per tick; without samples the changes of biases.

Errors: NTE009 a network in continuous time; ANA031 a name in `nodes`; LEG053, LEG054 as `ntensor-linearize-leak`; LEG120 an approximation that is not
named; LEG121 no op for the bias.
Source: SynSense, sinabs issue 167: a negative bias is the leak of Speck's neurons. The choice of steps is our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from attrs import define, field, frozen
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.approximation_errors import Errors
from ....analysis.calibration_records import KEPT_EVENTS, OBSERVED, find_observation, fit_samples
from ....analysis.node_selection import check_names, choose_ops
from ....core import registry
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.arrays.numeric import Reals
from ....core.diagnostics import Code, refuse_op
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import erase_unused_updates, networks
from ....simulation.signals import DenseSignal
from .._held_out_loss import HeldOutLoss, choose
from ..relays._relays import NodeNames
from . import _canonical_parameters as parameters
from ._leaks import canonical_values, find_reset, is_leaky, leak_steps
from ._population_builder import build_population, read_neuron
from ._update_options import compared

LEG120 = Code("LEG120", "leak-approximation-not-named", "the replacement of a leak changes more than its option names")
LEG121 = Code("LEG121", "leak-without-bias", "no op before a leaky population can hold its leak as a bias")

INTEGRATOR = Path(__file__).with_name("integrator.neuron")
FACTORS = (1.0, 0.75, 1.25, 0.5, 1.5, 0.25, 2.0, 0.125, 2.5, 0.0, 3.0, 4.0)
"""Candidates of the step of an output, in multiples of the mean step; the first of equal ones is chosen."""
COMMON = (1.0, 0.8, 1.25, 0.63, 1.6, 0.5, 2.0, 0.4, 2.5, 0.25, 4.0, 8.0, 16.0)
"""Candidates of the factor of all thresholds of a population."""
THRESHOLDS = (1.0, 0.9, 1.12, 0.8, 1.25, 0.63, 1.6)
"""Candidates of the factor of an output beyond the common one: weights of 8 bits lose as much precision as these differ."""
SWEEPS = 4
"""Times that steps and thresholds are chosen in turn."""
POSITIONS = 4
"""Neurons of a filter whose inputs choose its step."""


@dataclass(frozen=True)
class NtensorReplaceLeakPass(NoptPass):
    """Replaces the leaks of every `ntensor.network`.

    Options:
        nodes: the populations to change; default all of the families `lif` and `cuba_lif`.
        approximate: properties that may change: `leak`; `current` for the family `cuba_lif`; `threshold` to fit the thresholds of outputs, too. Default `leak`.
    """

    name = "ntensor-replace-leak"
    nodes: tuple[str, ...] = ()
    approximate: tuple[str, ...] = ("leak",)

    @property
    def approximations(self) -> tuple[str, ...]:
        return self.approximate

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_leaky, self.name)
        updates = ntensor.find_updates(op)
        for network in networks(op):
            chosen = [one for one in choose_ops(network, self.nodes, is_leaky) if isinstance(one, ntensor.NeuronOp)]
            leaks = [Leak.of(one, updates[one.update_name], network) for one in chosen]
            leaks = [one for one in leaks if (one.canonical["decay"] < 1).any()]  # 1
            has_thresholds = "threshold" in self.approximate
            self.verify(leaks)
            errors, names = Errors(), [one.name for one in leaks]
            traces = recorded(op, network, leaks) if leaks else dict[str, Trace]()
            if traces:
                candidates = dict[str, Trace](), traces
                traces = choose(HeldOutLoss.of(network), candidates, partial(self.trial, op, network, names))
            for leak in leaks:
                leak.replace(network, traces.get(leak.name), errors, has_thresholds=has_thresholds)
            parts = "these and the thresholds of outputs" if has_thresholds else "these"
            how, unit = (
                (f"{parts} fitted to counts", "spikes per tick") if traces else ("the mean step of each leak", "1")
            )
            if names:
                what, numbers = f"leaks replaced by constant negative biases, {how}", (errors.largest, errors.mean)
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, names, *numbers, unit))
        erase_unused_updates(op, updates.values())

    def trial(
        self, module: ModuleOp, network: ntensor.NetworkOp, names: Sequence[str], traces: Mapping[str, Trace]
    ) -> ntensor.NetworkOp:
        """Returns a copy of the network in which the named leaks are replaced."""
        copy = next(one for one in networks(module.clone()) if one.sym_name == network.sym_name)
        updates = ntensor.updates_of(copy)
        for op in [one for one in copy.populations if one.node.data in names]:
            leak = Leak.of(op, updates[op.update_name], copy)
            leak.replace(copy, traces.get(leak.name), Errors(), has_thresholds="threshold" in self.approximate)
        return copy

    def verify(self, leaks: Sequence[Leak]) -> None:
        """Refuses changes that the option does not name. Errors: LEG120."""
        for leak in leaks:
            needed = ["leak", *(["current"] if (leak.canonical["decay_i"] != 0).any() else [])]
            if missing := [name for name in needed if name not in self.approximate]:
                refuse_op(
                    leak.op,
                    LEG120,
                    expected=f"approximate={','.join(sorted({*self.approximate, *missing}))}",
                    found=f"approximate={','.join(self.approximate)}",
                    help=suggest_pass(replace(self, approximate=tuple(sorted({*self.approximate, *missing})))),
                )


@frozen(eq=False)
class Trace:
    """Recorded inputs and counts of some neurons of a population. Shapes: x [ticks, outputs, runs]; counts [outputs, runs]."""

    x: Reals
    counts: Reals


@frozen(eq=False)
class Leak:
    """A leaky population, the op before it that takes the bias, and the canonical values of each output."""

    op: ntensor.NeuronOp
    update: ntensor.UpdateOp
    synapse: ntensor.SynapseOpInterface
    canonical: Mapping[str, Reals]

    @staticmethod
    def of(op: ntensor.NeuronOp, update: ntensor.UpdateOp, network: ntensor.NetworkOp) -> Leak:
        """Returns the leak of a population. Errors: LEG053, LEG054, LEG121."""
        return Leak(op, update, bias_holder(op), canonical_values(op, update, NtensorReplaceLeakPass.name))

    @property
    def name(self) -> str:
        return self.op.node.data

    @property
    def outputs(self) -> int:
        return shape_of(self.synapse.results[0])[0]

    def per_output(self, values: Reals) -> Reals:
        """Returns the mean of a parameter of neurons for each output."""  # 2
        shape = shape_of(self.op.z)
        return np.broadcast_to(values, shape).reshape(self.outputs, -1).mean(axis=1)

    def replace(self, network: ntensor.NetworkOp, trace: Trace | None, errors: Errors, *, has_thresholds: bool) -> None:
        """Puts an integrator in place of the population, and its leak into a bias."""
        rule, names = read_neuron(INTEGRATOR), NodeNames(network)
        reset = find_reset(self.op, self.update, dict(self.canonical))
        given = {} if reset is None else {"reset": reset}
        ((update, _),) = compared(rule, self.update, [self.op], given, network.dt)
        drive = self.per_output(self.canonical["gain"] * self.canonical["gain_i"] / (1 - self.canonical["decay_i"]))
        threshold = self.per_output(self.canonical["threshold"] - self.canonical["leak"])
        step = self.per_output(leak_steps(dict(self.canonical), shape_of(self.op.z)))
        raw = parameters.raw_values(self.op, update, {}, network.dt)
        if trace is None:  # 3
            errors.add(self.name, step / drive)
        else:
            fit = Fit(trace, drive, threshold, step, is_subtracting=reset == "subtract")
            step, factor, wrong = fit.run(has_thresholds=has_thresholds)
            errors.add(self.name, wrong / len(trace.x))
            if has_thresholds:
                leak, high = self.canonical["leak"], self.canonical["threshold"]
                raw["v_threshold"] = leak + (high - leak) * self.of_outputs(factor)
        made = build_population(names, self.name, update, self.op.xs[0], raw, rule)
        made.node = StringAttr(self.name)
        seen = {name: found for name in ("rate", KEPT_EVENTS) if (found := find_observation(self.op, name)) is not None}
        made.attributes.update({name: value for name, value in self.op.attributes.items() if name != OBSERVED})
        if seen:
            made.attributes[OBSERVED] = DictionaryAttr(seen)
        self.add_bias(-step / drive)
        Rewriter.insert_op(made, InsertPoint.before(self.op))
        self.op.z.replace_all_uses_with(made.z)
        Rewriter.erase_op(self.op)

    def of_outputs(self, values: Reals) -> Reals:
        """Returns numbers of outputs in a shape that multiplies those of neurons."""
        shape = shape_of(self.op.z)
        if shape[0] == self.outputs:
            return values.reshape(-1, *(1,) * (len(shape) - 1))
        return values.repeat(int(np.prod(shape)) // self.outputs).reshape(shape)

    def add_bias(self, values: Reals) -> None:
        dtype = dtype_of(element_type(self.synapse.results[0]))
        bias = self.synapse.optional_array("bias")
        total = values if bias is None else bias.values.astype(np.float64).reshape(-1) + values
        self.synapse.properties["bias"] = ArrayAttr.of(total.astype(dtype))


def bias_holder(op: ntensor.NeuronOp) -> ntensor.SynapseOpInterface:
    """Returns the first op before a population that can hold its bias, and that no other op reads. Errors: LEG121."""  # 6
    waiting = [op.xs[0]]
    while waiting:
        value = waiting.pop(0)
        owner = value.owner
        if len(list(value.uses)) != 1:
            continue
        if isinstance(owner, ntensor.SumOp | ntensor.ReshapeOp):
            waiting += owner.operands
        elif isinstance(owner, ntensor.LinearOp | ntensor.SparseLinearOp | ntensor.Conv1dOp | ntensor.Conv2dOp):
            return owner
        elif isinstance(owner, ntensor.ScaleOp):
            return as_synapses(owner)
    refuse_op(
        op,
        LEG121,
        expected="a linear op, a scale or a convolution that only this population reads",
        found=op.xs[0].owner.name if isinstance(op.xs[0].owner, Operation) else "an input",
        help="put a linear op with weights of 1 before the population",
    )


def as_synapses(op: ntensor.ScaleOp) -> ntensor.SparseLinearOp:
    """Replaces a scale by a synapse of the same weight for each entry, and returns it: exact."""
    weight = np.broadcast_to(op.scale.values, shape_of(op.y)).reshape(-1)
    places = ArrayAttr.of(np.arange(weight.size, dtype=np.int32))
    properties = {"node": op.node, "weight": ArrayAttr.of(weight.copy()), "source": places, "target": places}
    made = ntensor.SparseLinearOp.create(operands=[op.x], result_types=[op.y.type], properties=properties)
    made.attributes.update(op.attributes)
    Rewriter.replace_op(op, made)
    return made


# ---- samples


def recorded(module: ModuleOp, network: ntensor.NetworkOp, leaks: Sequence[Leak]) -> dict[str, Trace]:
    """Returns the inputs and counts of populations with the samples that the network keeps; empty without samples."""  # 4
    samples = fit_samples(network)
    if not samples:
        return {}
    copy = next(one for one in networks(module.clone()) if one.sym_name == network.sym_name)
    twins = {one.node.data: one for one in copy.populations}
    copy.replace_outputs(
        {
            f"{name}.{k}": value
            for name in (one.name for one in leaks)
            for k, value in enumerate((twins[name].xs[0], twins[name].z))
        }
    )
    model = registry.reference()(copy, record=[])
    count, ticks = next(iter(samples.values())).shape[:2]
    rows: dict[str, list[tuple[Reals, Reals]]] = {one.name: [] for one in leaks}
    for k in range(count):
        signals = {name: DenseSignal(values[k : k + 1]) for name, values in samples.items()}
        found = model.run(signals, ticks=ticks)
        for leak in leaks:
            x, z = (np.asarray(found[f"{leak.name}.{n}"])[0].reshape(ticks, leak.outputs, -1) for n in (0, 1))
            chosen = np.unique(np.linspace(0, x.shape[2] - 1, POSITIONS).astype(np.int64))
            rows[leak.name].append((x[:, :, chosen].astype(np.float64), z[:, :, chosen].sum(axis=0, dtype=np.float64)))
    return {
        name: Trace(np.concatenate([x for x, _ in some], axis=2), np.concatenate([z for _, z in some], axis=1))
        for name, some in rows.items()
    }


@define(eq=False)
class Fit:
    """The fit of steps and thresholds to the counts of a trace. Shapes: drive, threshold and step [outputs]."""

    trace: Trace
    drive: Reals
    threshold: Reals
    step: Reals
    is_subtracting: bool = field(kw_only=True)

    @np.errstate(over="ignore", invalid="ignore")  # counts beyond the range of reals have an infinite error
    def run(self, *, has_thresholds: bool) -> tuple[Reals, Reals, Reals]:
        """Returns the step of each output, the factor of its threshold, and the errors of its counts."""
        step, common = self.step, np.ones_like(self.step)
        factor = common
        for sweep in range(SWEEPS if has_thresholds else 1):
            step = self.best(np.array(FACTORS)[:, None] * self.step, factor[None])[0]
            if has_thresholds and sweep == 0:
                every = np.array(COMMON)[:, None] * np.ones_like(step)
                factor = common = every[(self.errors(step[None], every) ** 2).sum(axis=(1, 2)).argmin()]
            elif has_thresholds:
                factor = self.best(step[None], np.array(THRESHOLDS)[:, None] * common)[1]
        return step, factor, self.errors(step[None], factor[None])[0]

    def best(self, steps: Reals, factors: Reals) -> tuple[Reals, Reals]:
        """Returns the step and the factor of each output with the least squared error. Shapes: [candidates, outputs], or one candidate."""
        chosen = (self.errors(steps, factors) ** 2).sum(axis=2).argmin(axis=0)
        outputs = np.arange(len(self.step))
        shape = (len(steps) * len(factors), len(outputs))
        return tuple(
            np.broadcast_to(one, shape)[chosen, outputs] for one in (steps, factors)
        )  # one of both has one candidate

    def errors(self, steps: Reals, factors: Reals) -> Reals:
        """Returns the errors of counts. Shapes: [candidates, outputs, runs]."""
        x, threshold = self.trace.x * self.drive[:, None], (self.threshold * factors)[..., None]
        counts = counts_of(x, threshold, steps[..., None], is_subtracting=self.is_subtracting)
        return np.abs(counts - self.trace.counts)


def counts_of(x: Reals, threshold: Reals, step: Reals, *, is_subtracting: bool) -> Reals:
    """Returns the spikes of integrators that spike as often in a tick as the threshold fits. Shapes: x [ticks, outputs, runs]; threshold and step [candidates, outputs, 1]; result [candidates, outputs, runs]."""
    v = np.zeros((max(len(step), len(threshold)), *x.shape[1:]))
    total = np.zeros_like(v)
    for row in x:
        v = np.maximum(v + row - step, 0)
        spikes = np.floor(v / threshold)
        total += spikes
        v = v - spikes * threshold if is_subtracting else np.where(spikes > 0, 0, v)
    return total
