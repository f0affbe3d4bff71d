"""Replaces the subtraction after a spike by a reset to a value of each neuron, for devices whose neurons reset to a value and do not subtract.

    %z = ntensor.neuron "n" @snntorch_lif.subtract_next(%s) {canonical = {threshold = 1.0, …}}
      =>
    %z = ntensor.neuron "n" @reset_lif(%s) {params = {threshold = [1.1, 0.9], v_reset = [0.2, 0.4]}, …}

1. A population of the family `lif`, `if` or `cuba_lif` is chosen if it emits spikes and a spike subtracts from v. A reset to zero or to a value stays.
2. The network runs in reals with half of the samples that it keeps (`ntensor-calibrate{keep=…}`). The inputs and spikes of each chosen population are recorded. Populations are
   replaced in the order of the network. Before each one, the ops between earlier replacements and it run again, which records its inputs after these.
3. v_reset of a neuron is the mean of v after a subtraction, over all spikes of these samples. A subtraction in the tick after a spike counts as if it were in the tick of
   the spike. A neuron without spikes resets to its leak.
4. The distance of each threshold from the leak is multiplied by a factor with which the new neuron has the count of the old one, on the inputs after earlier
   replacements: it is multiplied by a power of the ratio of both counts, some times. The factor with the least difference remains.
5. All other properties of the rule stay the same: decay, current, comparison and initial state. A population with another rule keeps its subtraction.

Exactness: recorded. The errors are the differences of the counts of neurons on these inputs, in spikes per tick.

Errors: NTE009 a network in continuous time; ANA031 a name in `nodes`; LEG053, LEG054 as `ntensor-linearize-leak`; LEG125 no samples, or no subtraction.
Source: the method is our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from attrs import field, frozen
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, Float32Type, ModuleOp, StringAttr, f32, f64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.approximation_errors import Errors
from ....analysis.calibration_records import KEPT_EVENTS, OBSERVED, find_observation, fit_samples
from ....analysis.node_selection import check_names, choose_ops, name_of
from ....core.arrays.arrays import uniform
from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Code, refuse
from ....core.help_text import Option, Phrase, WithoutPass
from ....core.ir.graph_region import components, sources
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....core.neuron.tree import Neuron
from ....dialects import ntensor
from ....dialects.ntensor.network import erase_unused_updates, networks
from ....simulation.recorded_run import RecordedRun
from ....simulation.update import Step
from ..relays._relays import NodeNames
from ..updates import _canonical_parameters as parameters
from ..updates._leaks import canonical_values, find_reset
from ..updates._population_builder import build_population
from ..updates._update_options import candidate_options, rules_differ

LEG125 = Code("LEG125", "no-reset-to-replace", "no population has a reset to replace")

RESET_NEURONS = Path(__file__).with_name("reset_to_value.neuron")
LEAKY_FAMILIES = ("lif", "if", "cuba_lif")
ABOVE = 1.05
"""Distance of a potential above the threshold that a subtraction brings below it, in distances of the threshold from the leak."""
REFINEMENTS, POWER, LEAST_EVENTS = 14, 0.7, 1.0
"""Refinements of factors, the power of the ratio of counts in each of them, and the events that are added to both numbers of the ratio."""
MOST_NUMBERS = 2**25
"""Most numbers of the recorded inputs of a population: fewer samples are recorded of a larger one."""


@dataclass(frozen=True)
class NtensorReplaceResetPass(NoptPass):
    """Replaces the resets of every `ntensor.network`.

    Options:
        nodes: the populations to change; default all whose spikes subtract.
    """

    name = "ntensor-replace-reset"
    APPROXIMATES = ("reset",)
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, has_family, self.name)
        updates = ntensor.find_updates(op)
        for network in networks(op):
            chosen = [one for one in choose_ops(network, self.nodes, has_family) if isinstance(one, ntensor.NeuronOp)]
            found = (Subtraction.of(one, updates[one.update_name], network.dt) for one in chosen)
            subtractions = [one for one in found if one is not None]
            if not fit_samples(network) or not subtractions:
                calibrate = Option("ntensor-calibrate{data=x.npy keep=8}", "--calib x.npy", is_of_device=True)
                refuse(
                    LEG125,
                    at=f"ntensor.network @{network.sym_name.data}",
                    expected="samples that ntensor-calibrate keeps, and populations whose spikes subtract from v",
                    found="no samples" if subtractions else "no population whose spikes subtract",
                    help=Phrase(calibrate) if subtractions else Phrase(WithoutPass(self.name)),
                )
            self.replace(network, subtractions)
        erase_unused_updates(op, updates.values())

    def replace(self, network: ntensor.NetworkOp, subtractions: Sequence[Subtraction]) -> None:
        errors, names = Errors(), NodeNames(network)
        known = {one.op: one for one in subtractions}
        run = RecordedRun.of(network, fit_samples(network))
        traces = recorded(run, [one.op for one in subtractions])
        for component in components(list(network.body.block.ops), sources):
            chosen, made = [known[op] for op in component if op in known], list[SSAValue]()
            if not chosen:
                continue
            with run.alone(component, made):
                for one in chosen:
                    trace = traces.pop(one.name)
                    x = run.values([one.op.xs[0]], slice(0, len(trace.x)))[one.op.xs[0]]
                    raw, differences = ResetFit(one, trace, x, network.dt).run()
                    errors.add(one.name, differences)
                    made.append(put(one, raw, names))
        what = "subtractions after spikes replaced by resets to their mean result, and thresholds fitted to counts"
        numbers = errors.largest, errors.mean
        touched = [one.name for one in subtractions]
        network.record(ntensor.ApproximationAttr.of(pass_text(self), what, touched, *numbers, "spikes per tick"))


def has_family(op: Operation) -> bool:
    return isinstance(op, ntensor.NeuronOp) and op.family is not None and op.family.data in LEAKY_FAMILIES


def is_subtracting(op: ntensor.NeuronOp, update: ntensor.UpdateOp, dt: float) -> bool:
    """Returns whether a population has a subtraction that the pass replaces."""
    return (
        has_family(op) and not update.takes_integers and len(op.xs) == 1 and Subtraction.of(op, update, dt) is not None
    )


@frozen(eq=False)
class Subtraction:
    """A population whose spikes subtract from v, the neuron that replaces it, and the late part of a subtraction."""

    op: ntensor.NeuronOp
    update: ntensor.UpdateOp
    canonical: Mapping[str, Reals]
    rule: Neuron
    new: ntensor.UpdateOp
    pending: Reals
    """The amount that the next tick subtracts from v; 0 if the subtraction is in the tick of the spike. Shapes: () or that of the population."""

    @property
    def name(self) -> str:
        return name_of(self.op)

    @staticmethod
    def of(op: ntensor.NeuronOp, update: ntensor.UpdateOp, dt: float) -> Subtraction | None:
        """Returns the subtraction of a population; None if a spike has another effect. Errors: LEG053, LEG054."""
        if update.emits.data is not ntensor.Emits.SPIKE:
            return None
        canonical = canonical_values(op, update, NtensorReplaceResetPass.name)
        if find_reset(op, update, canonical) != "subtract" or (pending := pending_subtraction(op, update)) is None:
            return None
        served = new_update(op, update, dt)
        return None if served is None else Subtraction(op, update, canonical, *served, pending)


def pending_subtraction(op: ntensor.NeuronOp, update: ntensor.UpdateOp) -> Reals | None:
    """Returns the amount that the tick after a spike subtracts from v; None if a spike subtracts nothing."""  # 3
    canonical = parameters.canonical_of(op)
    decay, leak, way = canonical["decay"], canonical["leak"], canonical["threshold"] - canonical["leak"]
    shape = (1, *shape_of(op.z))
    params = {name: array.values for name, array in op.arrays(op.params)}
    states = {name: np.broadcast_to(array.values, shape).copy() for name, array in op.arrays(op.initial)}
    if not (decay > 0).all() or not (way > 0).all() or "v" not in states or states["v"].dtype.kind != "f":
        return None
    start = leak + ABOVE * way / decay
    states["v"] = np.broadcast_to(start, shape).astype(states["v"].dtype).copy()
    element = states["v"].dtype
    fired = Step(update, params, shape)([np.zeros(shape, element)], states).value
    missing = leak + ABOVE * way - states["v"][0].astype(np.float64)
    if not (missing > way / 2).all():
        return None
    return np.zeros(()) if np.asarray(fired).all() else missing / decay


def new_update(op: ntensor.NeuronOp, update: ntensor.UpdateOp, dt: float) -> tuple[Neuron, ntensor.UpdateOp] | None:
    """Returns the neuron and the update that differ from those of a population in the reset alone; None if there are none."""  # 5
    from ....core.neuron.neuron import parse_neurons
    from ....dialects.equations.build import shared_update

    assert op.family is not None  # has_family
    family = f"nir.{op.family.data}"
    rules = parse_neurons(RESET_NEURONS.read_text(encoding="utf-8"), RESET_NEURONS.name).neurons
    rule = next(one for one in rules if family in one.families)
    precision = f32 if isinstance(element_type(op.xs[0]), Float32Type) else f64
    for options in candidate_options(rule, {"reset": "subtract"}):
        similar = shared_update(rule, options=options, precision=precision)
        if {*rules_differ([op], update, similar, rule, dt)[0]} <= {"reset"}:
            return rule, shared_update(rule, options={**options, "reset": "value"}, precision=precision)
    return None


@frozen(eq=False)
class SpikeTrace:
    """Recorded inputs and spikes of a population. Shapes: [runs, ticks, *population]."""

    x: AnyArray
    spikes: AnyArray


@frozen(eq=False)
class ResetFit:
    """The fit of the resets and thresholds of a population to the counts of a trace. `x` are the inputs after the replacement of earlier populations."""

    subtraction: Subtraction
    trace: SpikeTrace
    x: AnyArray
    dt: float
    shape: tuple[int, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "shape", (len(self.trace.x), *shape_of(self.subtraction.op.z)))

    def run(self) -> tuple[dict[str, Reals], Reals]:
        """Returns the raw parameters of the new neuron, and the differences of its counts in spikes per tick."""
        canonical = self.subtraction.canonical
        leak, way = canonical["leak"], canonical["threshold"] - canonical["leak"]
        raw = {name: np.asarray(value) for name, value in canonical.items()} | {"v_reset": self.mean_potential()}
        wanted = self.trace.spikes.sum((0, 1), dtype=np.float64)
        factor = best = np.ones(self.shape[1:])
        least = np.full(self.shape[1:], np.inf)
        for _ in range(REFINEMENTS):  # 4
            counts = self.counts(raw | {"threshold": leak + way * factor})
            difference = np.abs(counts - wanted)
            best, least = np.where(difference < least, factor, best), np.minimum(difference, least)
            if not least.any():
                break
            factor = factor * ((counts + LEAST_EVENTS) / (wanted + LEAST_EVENTS)) ** POWER
        return raw | {"threshold": leak + way * best}, least / (self.shape[0] * self.trace.x.shape[1])

    def mean_potential(self) -> Reals:
        """Returns the mean of v after subtractions; the leak of a neuron without spikes."""  # 3
        op = self.subtraction.op
        params = {name: array.values for name, array in op.arrays(op.params)}
        given = {name: array.values for name, array in op.arrays(op.initial)}
        total, count = np.zeros(self.shape[1:]), np.zeros(self.shape[1:])
        for fired, v in self.ticks(self.subtraction.update, params, given, self.trace.x):
            after = v - self.subtraction.pending
            total += np.where(fired, after, 0.0).sum(0)
            count += fired.sum(0)
        leak = np.broadcast_to(self.subtraction.canonical["leak"], total.shape)
        return np.where(count > 0, total / np.maximum(count, 1), leak)

    def counts(self, raw: Mapping[str, Reals]) -> Reals:
        """Returns the spikes of each neuron with these raw parameters."""
        params, states = derived(self.subtraction, raw, self.dt)
        total = np.zeros(self.shape[1:])
        for fired, _ in self.ticks(self.subtraction.new, params, states, self.x):
            total += fired.sum(0)
        return total

    def ticks(
        self, update: ntensor.UpdateOp, params: Mapping[str, AnyArray], initial: Mapping[str, AnyArray], x: AnyArray
    ) -> Iterator[tuple[AnyArray, Reals]]:
        """Yields the spikes and potentials of each tick."""
        step = Step(update, params, self.shape)
        states = {name: np.broadcast_to(value, self.shape).copy() for name, value in initial.items()}
        for tick in range(x.shape[1]):
            fired = np.asarray(step([np.ascontiguousarray(x[:, tick])], states).value)
            yield fired.astype(np.bool_), states["v"].astype(np.float64)


def derived(
    subtraction: Subtraction, raw: Mapping[str, Reals], dt: float
) -> tuple[dict[str, AnyArray], dict[str, AnyArray]]:
    """Returns the parameters and the initial states of the new neuron."""
    from ....core.arrays.arrays import dtype_of
    from ....simulation.update import derive, initial

    found = derive(subtraction.new, dt, raw, subtraction.name)
    params: dict[str, AnyArray] = {
        name: uniform(np.asarray(found[name]).astype(dtype_of(type) or np.int64))
        for name, type in subtraction.new.param_types.items()
    }
    return params, initial(subtraction.new, params)


def put(subtraction: Subtraction, raw: Mapping[str, Reals], names: NodeNames) -> SSAValue:
    """Puts the new population in the place of the old one, and returns its spikes. Its rates are those of the calibration."""
    op = subtraction.op
    made = build_population(names, op.node.data, subtraction.new, op.xs[0], raw, subtraction.rule)
    made.node = StringAttr(op.node.data)
    made.family = op.family
    seen = {name: found for name in ("rate", KEPT_EVENTS) if (found := find_observation(op, name)) is not None}
    made.attributes.update({name: value for name, value in op.attributes.items() if name != OBSERVED})
    if seen:
        made.attributes[OBSERVED] = DictionaryAttr(seen)
    Rewriter.insert_op(made, InsertPoint.before(op))
    op.z.replace_all_uses_with(made.z)
    Rewriter.erase_op(op)
    return made.z


def recorded(run: RecordedRun, populations: Sequence[ntensor.NeuronOp]) -> dict[str, SpikeTrace]:
    """Returns the inputs and spikes of populations."""  # 2
    rows: dict[ntensor.NeuronOp, list[tuple[AnyArray, AnyArray]]] = {op: [] for op in populations}
    for k in range(run.samples):
        found = run.values([value for op in populations for value in (op.xs[0], op.z)], slice(k, k + 1))
        for op, row in rows.items():
            x, z = found[op.xs[0]], found[op.z]
            if not row or (len(row) + 1) * x.size <= MOST_NUMBERS:
                row.append((x, z))
    return {
        name_of(op): SpikeTrace(*(np.concatenate(parts) for parts in zip(*row, strict=True)))
        for op, row in rows.items()
    }
