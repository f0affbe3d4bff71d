"""Replaces weights by sums of arbors: events whose effect decays with the distance between a site and a neuron.

    %s = ntensor.linear "inhibition" %z {weight = [[0, -0.6, …], …]}
      =>  (inhibitory=2.0)
    %s = ntensor.sparse_linear "inhibition" %z {weight = [-9, …], source = …, target = …, quantized = <6, scale 0.067>}

A population of two axes is a sheet of neurons, another one is a row. An event at the site of a neuron reaches the neurons near it, and
`neurogrid.arbors` keeps the radius of each synapse population for the conversion to the chip.

1. The arbor of a sign with a radius has parts (`neurogrid/arbors.py`). The value of one part is a quotient of the largest weight, whichever leaves the
   least squared error.
2. For each source, matching pursuit adds the event that lowers the squared error most, until none does.
3. A sign without a radius gets numbers of events, as `ntensor-repeat-events` computes them.

The errors of all weights of all pairs are recorded, those of pairs that had no synapse among them.

Errors: ANA031, NTE009; NGR011, NGR013; NGR016 no radius, or one out of range; NGR009 a population that shares its synapses, or is too large.
Warnings: ANA028, ANA029, ANA030 weights that are lost.
Source: S. Mallat and Z. Zhang, Matching pursuits with time-frequency dictionaries, IEEE Trans. Signal Processing 41 (1993).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from attrs import frozen
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import check_names, name_of
from ....analysis.rounding_losses import RoundedWeights, report_weights
from ....analysis.shared_weights import Weighted, weights_into
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Ints, Reals
from ....core.diagnostics import Code, Diagnostics, ExitCode, refuse, refuse_op
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import shape_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.neurogrid.arbors import ARBORS, LARGEST_RADIUS, parts_between, parts_of_event
from ....dialects.ntensor.network import networks
from ..layout import sheet
from ..receptors import SIGNS, ReceptorWeights, receptor_groups
from .ntensor_count_events import MOST_EVENTS, limited_events, verify_finite, verify_most_events
from .ntensor_repeat_events import best_unit

NGR016 = Code("NGR016", "arbor-radius-unsupported", "no arbor of the chip has this radius", exit_code=ExitCode.MISUSED)
NGR009 = Code("NGR009", "weights-not-fitted-by-arbors", "the weights of a population cannot be fitted by arbors")

ALIKE = 1e-12
"""Part of the squares of all weights by which errors of two values of a part are alike: then the one with fewer events is taken."""
LARGEST_SHEET = 4096
"""Neurons of a population whose weights are fitted: its arbors are a matrix of all pairs."""
IN_PLACE = "round the weights to numbers of events, in place of arbors"
"""Help for weights that arbors do not fit."""


@dataclass(frozen=True)
class NtensorFitArborsPass(NoptPass):
    """Fits the weights into populations of every `ntensor.network`.

    Options:
        excitatory: radius of the arbor of excitatory weights [neurons], 0 to 32, default 0: no arbor.
        inhibitory: the same of inhibitory weights.
        max-events: events of one spike at one site, 1 to 127, default 7. A device that the network names can have fewer parts.
        nodes: the populations whose weights are fitted; default all.
    """

    name = "ntensor-fit-arbors"
    APPROXIMATES = ("precision",)
    excitatory: float = 0.0
    inhibitory: float = 0.0
    max_events: int = 7
    nodes: tuple[str, ...] = ()

    @property
    def radii(self) -> tuple[float, float]:
        return self.excitatory, self.inhibitory

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.verify_options()
        check_names(op, self.nodes, is_population, self.name)
        for network in networks(op):
            errors = Errors()
            shared = {one for group in receptor_groups(network) if len(group.readers) > 1 for one in group.readers}
            for population in network.populations:
                if self.nodes and name_of(population) not in self.nodes:
                    continue
                ops = list(weights_into(population))
                if ops:
                    verify_population(population, population in shared)
                    largest = limited_events(network, MOST_EVENTS)
                    Fit(population, ops, self.radii, min(self.max_events, largest), largest).run(
                        errors, diagnostics_of(ctx)
                    )
            what = "weights as sums of arbors of radius "
            errors.record(network, pass_text(self), what + " and ".join(f"{radius:g}" for radius in self.radii))

    def verify_options(self) -> None:
        for name, radius in (("excitatory", self.excitatory), ("inhibitory", self.inhibitory)):
            if not 0 <= radius <= LARGEST_RADIUS:
                help = suggest_pass(replace(self, **{name: LARGEST_RADIUS if radius > 0 else 2.0}))
                expected = f"0 to {LARGEST_RADIUS:g} neurons"
                refuse(NGR016, at=f"{name}={radius:g}", expected=expected, found=f"{radius:g}", help=help)
        if not any(self.radii):
            help = suggest_pass(replace(self, inhibitory=2.0))
            refuse(NGR016, at=self.name, expected="a radius above 0", found="none", help=help)
        verify_most_events(self, self.max_events)


def is_population(op: Operation) -> bool:
    return isinstance(op, ntensor.NeuronOp)


def verify_population(population: ntensor.NeuronOp, is_shared: bool) -> None:
    """Errors: NGR009."""
    size = int(np.prod(shape_of(population.z)))
    if is_shared:
        help = "name another population: nodes=NODE"
        refuse_op(population, NGR009, expected="synapses of its own", found="synapses of two populations", help=help)
    if size > LARGEST_SHEET:
        expected = f"at most {LARGEST_SHEET} neurons"
        refuse_op(population, NGR009, expected=expected, found=f"{size}", help=IN_PLACE)


@frozen(eq=False)
class Fitted:
    """Weights as parts of events. Shapes: parts [neurons, sources of all ops]."""

    parts: Ints
    unit: float


class Fit:
    """The weights of one population. Shapes: weights [neurons, sources of all ops]."""

    def __init__(
        self, population: ntensor.NeuronOp, ops: list[Weighted], radii: tuple[float, float], most: int, largest: int
    ):
        self.population, self.ops, self.radii, self.max_events, self.largest = population, ops, radii, most, largest
        self.sites = sheet(shape_of(population.z))
        self.weights = np.concatenate([dense_weights(op) for op in ops], axis=1)

    def run(self, errors: Errors, diagnostics: Diagnostics) -> None:
        verify_finite(ReceptorWeights(self.ops))
        fitted = [self.fit(np.maximum(sign * self.weights, 0), k) for k, sign in enumerate(SIGNS)]
        first = 0
        for op in self.ops:
            size = int(np.prod(shape_of(op.x)))
            own = slice(first, first + size)
            first += size
            before = op.weight_values().values.astype(np.float64)
            units = [one.unit for one in fitted]
            report_weights([fitted_rounding(op, before, [one.parts[:, own] for one in fitted], units)], diagnostics)
            lost = replace_weights(op, [one.parts[:, own] for one in fitted], units)
            if lost.any():
                errors.add(name_of(op), lost)
        self.population.attributes[ARBORS] = ArrayAttr.of(np.array(self.radii, np.float64))

    def fit(self, weights: Reals, k: int) -> Fitted:
        """Returns the number of parts of an event for each weight of one sign, and the value of a part."""
        radius = self.radii[k]
        if radius <= 0:  # 3
            unit = best_unit(weights[weights > 0], self.max_events)
            return Fitted(np.clip(np.rint(weights / unit), 0, self.max_events).astype(np.int64), unit)
        if not weights.any():
            return Fitted(np.zeros(weights.shape, np.int64), 1.0)
        arbors = parts_between(radius, *(self.sites[:, :, None] - self.sites[:, None, :])).astype(np.float64)
        found: list[tuple[float, float, Ints]] = []
        for events in range(1, max(1, self.max_events) + 1):  # 1
            unit = float(weights.max()) / (parts_of_event(radius) * events)
            parts = pursue(weights / unit, arbors, self.max_events)
            if parts.max(initial=0) <= self.largest:
                found.append((float(np.square(parts * unit - weights).sum()), unit, parts))
        if not found:
            expected = f"at most {self.largest} parts of events from one source to one neuron"
            refuse_op(self.population, NGR009, expected=expected, found="more", help=IN_PLACE)
        least = min(error for error, _, _ in found) + ALIKE * float(np.square(weights).sum())
        _, unit, parts = next(one for one in found if one[0] <= least)
        return Fitted(parts, unit)


def pursue(weights: Reals, arbors: Reals, most: int) -> Ints:
    """Returns the sums of arbors that matching pursuit finds for each source. Shapes: weights and result [neurons, sources]."""  # 2
    norms, gram = np.square(arbors).sum(axis=0), arbors.T @ arbors
    alike = arbors.T @ weights
    events = np.zeros(weights.shape, np.int64)
    every: Ints = np.arange(weights.shape[1], dtype=np.int64)
    while True:
        gain = np.where(events < most, 2 * alike - norms[:, None], -np.inf)
        site = gain.argmax(axis=0)
        better = gain[site, every] > 0
        if not better.any():
            return np.rint(arbors @ events).astype(np.int64)
        chosen = every[better]
        events[site[better], chosen] += 1
        alike[:, chosen] -= gram[:, site[better]]


def dense_weights(op: Weighted) -> Reals:
    """Returns the weights of an op. Shapes: [neurons, sources]."""
    source, target, place = op.pairs()
    found = np.zeros((int(np.prod(shape_of(op.y))), int(np.prod(shape_of(op.x)))))
    np.add.at(found, (target, source), op.weight_values().values.astype(np.float64).reshape(-1)[place])
    return found


def fitted_rounding(op: Weighted, before: Reals, parts: list[Ints], units: list[float]) -> RoundedWeights:
    """Returns the weights of an op before and after the fit. A weight of several pairs has the largest value of these."""
    source, target, place = op.pairs()
    values = (parts[0] * units[0] - parts[1] * units[1])[target, source]
    sizes = np.zeros(before.size)
    np.maximum.at(sizes, place, np.abs(values))
    return RoundedWeights(op, before, np.copysign(sizes, before.reshape(-1)).reshape(before.shape))


def replace_weights(op: Weighted, parts: list[Ints], units: list[float]) -> Reals:
    """Replaces an op by the synapses that are fitted, and returns the error of each pair."""
    before = dense_weights(op)
    whole = parts[0] - parts[1]
    source, target = np.nonzero(whole.T)
    values = whole[target, source]
    made = ntensor.SparseLinearOp.of(
        name_of(op), op.x, op.y.type, values.astype(np.int16), source.astype(np.int32), target.astype(np.int32)
    )
    scale = np.where(values < 0, units[1], units[0]).astype(np.float64)
    bits = max(2, int(np.abs(values).max(initial=1)).bit_length() + 1)
    held = np.asarray(units[0]) if len(np.unique(scale)) < 2 and not (values < 0).any() else scale
    made.quantized = ntensor.QuantizedAttr.of(bits, np.array(held, np.float64, order="C"))
    made.attributes.update(op.attributes)
    made.location = op.location
    if (bias := op.optional_array("bias")) is not None:
        made.bias = ArrayAttr.of(np.ascontiguousarray(op.spread_outputs(bias.values)))
    Rewriter.replace_op(op, made)
    return np.abs(parts[0] * units[0] - parts[1] * units[1] - before)
