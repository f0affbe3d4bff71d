"""Clusters the weights of each sign into two values, one for each of the four synapse populations, and approximates neurons by somas with these.

    %s = ntensor.linear "fc" %x {weight = [0.5, 2.1, 1.9, -0.2]}
    %z = ntensor.neuron "lif" @norse_lif.value(%s)
      =>
    %a = ntensor.linear "fc.excitatory" %x {weight = [1, 0, 0, 0]}             0.5
    %b = ntensor.linear "fc.inhibitory" %x {weight = [0, 0, 0, 1]}             0.2
    %c = ntensor.linear "fc.excitatory.2" %x {weight = [0, 1, 1, 0]}           2.0
    %d = ntensor.linear "fc.inhibitory.2" %x {weight = [0, 0, 0, 0]}
    %z = ntensor.neuron "lif" @neurogrid_soma(%a, %b, %c, %d)

A synapse takes one event, whatever its weight is. `ntensor-repeat-events` keeps more values of weights, with more events.

1. The weights of one sign into a population are clustered around 0 and two values, by Lloyd's algorithm from several starts.
2. `ntensor-approximate-somas` makes the population a soma for the smaller value. The conductances of the other two synapse populations are larger by the
   quotient of both values.

The errors of all weights are recorded, and the rates of `ntensor-approximate-somas`.

Errors: ANA031, NTE009; NGR013; NGR010 biases, or weights that are shared with a population that stays as it is; those of `ntensor-set-neuron-model`.
Warnings: ANA028, ANA029, ANA030 weights that are lost.
Source: S. Lloyd, Least squares quantization in PCM, IEEE Trans. Inf. Theory 28 (1982), with one value fixed at 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from attrs import field, frozen
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr, f64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import check_names, name_of
from ....analysis.rounding_losses import RoundedWeights, report_weights
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Reals
from ....core.device.device import Device
from ....core.device.named_device import device_named, resolve_device
from ....core.diagnostics import Code, Diagnostics, refuse_op
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import NoptPass, option_text, pass_text
from ....core.neuron.neuron import parse_neurons
from ....dialects import ntensor
from ....dialects.equations.build import shared_update
from ....dialects.neurogrid.cores import OF_SYNAPSE
from ....dialects.ntensor.network import add_update, erase_unused_updates, networks
from ..receptors import SIGNS, ReceptorWeights, receptor_groups, store_counts
from .ntensor_approximate_somas import BOARD, SOMA_DIFFERS, approximate, is_leaky, leaky_populations
from .ntensor_count_events import FEW_EVENTS, MOST_EVENTS, verify_finite
from .ntensor_repeat_events import enough_events

NGR010 = Code("NGR010", "weights-not-clusterable", "the weights of a population cannot be clustered")

DIRECT = "neurogrid_soma"
"""The neuron of the device with all synapse populations."""
PAIRS = {"exc": "exc_2", "inh": "inh_2"}
"""Synapse populations of the smaller and of the larger value of each sign."""
CLUSTER_STARTS, LLOYD_ROUNDS = 16, 50
TwoValues = tuple[float, float]


@dataclass(frozen=True)
class NtensorClusterSynapsesPass(NoptPass):
    """Clusters the weights into populations of every `ntensor.network`.

    Options:
        nodes: the populations whose weights are clustered; default all of the families lif and cuba_lif.
    """

    name = "ntensor-cluster-synapses"
    APPROXIMATES = ("precision", *SOMA_DIFFERS)
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_leaky, self.name)
        updates = ntensor.find_updates(op).values()
        for network in networks(op):
            chosen = leaky_populations(network, self.nodes)
            if not chosen:
                continue
            errors, values = Errors(), dict[str, tuple[TwoValues, TwoValues]]()
            for group in receptor_groups(network):
                if any(one in chosen for one in group.readers):
                    verify_group(group, chosen)
                    found = cluster(group, errors, diagnostics_of(ctx))
                    values |= {name_of(one): found for one in group.readers}
            errors.record(network, pass_text(self), "weights clustered to two values of each sign")
            approximate(ctx, op, network, chosen, pass_text(self))
            device = device_named(network) or resolve_device(BOARD)
            for population in [one for one in network.populations if name_of(one) in values]:
                Division(op, network, device).divide(population, values[name_of(population)])
            network.update_signature()
        erase_unused_updates(op, [one for one in {**ntensor.find_updates(op)}.values() if one not in updates])


def verify_group(group: ReceptorWeights, chosen: list[ntensor.NeuronOp]) -> None:
    """Errors: NGR010, NGR013."""
    verify_finite(group)
    others = [name_of(one) for one in group.readers if one not in chosen]
    if others:
        names = tuple(name_of(one) for one in group.readers if is_leaky(one))
        help = f"nodes={option_text(names)}" if len(names) == len(group.readers) else f"nopt explain {NGR010}"
        refuse_op(group.readers[0], NGR010, expected="synapses of its own", found=f"synapses of {others[0]}", help=help)
    if any(bias.any() for bias in group.biases.values()):
        help = "ntensor-replace-biases,ntensor-cluster-synapses"
        refuse_op(group.ops[0], NGR010, expected="sums without a bias", found="a bias", help=help)


def cluster(group: ReceptorWeights, errors: Errors, diagnostics: Diagnostics) -> tuple[TwoValues, TwoValues]:
    """Replaces each weight by 0, or by 1 or 2 with its sign: the smaller or larger value. Returns both values of each sign."""  # 1
    found = tuple(two_values(group.magnitudes(sign)) for sign in SIGNS)
    roundings: list[RoundedWeights] = []
    for op in group.ops:
        values = group.values[op]
        labels, rounded = np.zeros(values.shape, np.int64), np.zeros(values.shape)
        for sign, centres in zip(SIGNS, found, strict=True):
            steps = np.array([0.0, *centres])
            mine = sign * values > 0
            nearest = np.abs(sign * values[mine][:, None] - steps).argmin(axis=1)
            labels[mine], rounded[mine] = sign * nearest, sign * steps[nearest]
        store_counts(op, labels, [centres[0] for centres in found], 3)
        if (lost := np.abs(rounded - values)).any():
            errors.add(name_of(op), lost)
        roundings.append(RoundedWeights(op, values, rounded))

    def finer(size: float, step: float) -> str:
        most = enough_events(group, size, FEW_EVENTS, MOST_EVENTS)
        return "" if most is None else f"ntensor-replace-biases,ntensor-repeat-events{{max-events={most}}}"

    report_weights(roundings, diagnostics, finer)
    return found[0], found[1]


def two_values(magnitudes: Reals) -> TwoValues:
    """Returns two values around which, and around 0, magnitudes have the least squared distance. Shapes: magnitudes [weights], above 0."""
    if not len(magnitudes):
        return 1.0, 1.0
    best, ends = (np.inf, (1.0, 1.0)), np.quantile(magnitudes, np.linspace(0, 1, CLUSTER_STARTS))
    for k, low in enumerate(ends):
        for high in ends[k:]:
            centres: Reals = np.array([0.0, low, high])
            for _ in range(LLOYD_ROUNDS):
                nearest = np.abs(magnitudes[:, None] - centres).argmin(axis=1)
                means = [magnitudes[nearest == n].mean() if (nearest == n).any() else centres[n] for n in (1, 2)]
                moved: Reals = np.array([0.0, *means])
                if (moved == centres).all():
                    break
                centres = moved
            error = float(np.square(np.abs(magnitudes[:, None] - centres).min(axis=1)).sum())
            best = min(best, (error, (float(centres[1]), float(centres[2]))))
    return best[1]


@frozen(eq=False)
class Division:
    """The division of the synapses of somas by their values."""

    module: ModuleOp
    network: ntensor.NetworkOp
    device: Device
    copies: dict[SSAValue, SSAValue] = field(factory=dict[SSAValue, SSAValue], init=False)

    def divide(self, population: ntensor.NeuronOp, values: tuple[TwoValues, TwoValues]) -> None:
        """Replaces a soma with two synapse populations by a soma with four."""  # 2
        operands = list(population.xs)
        if len(operands) < len(SIGNS):
            return  # without inhibitory synapses the conversion has made an operand for them
        seconds = [self.second(x) for x in operands]
        given = {name: array.values for name, array in population.arrays(population.params)}
        for pair, (low, high) in zip(PAIRS.items(), values, strict=True):
            given |= {f"{name}_{pair[1]}": given[f"{name}_{pair[0]}"] for name in OF_SYNAPSE}
            given[f"sat_{pair[1]}"] = given[f"sat_{pair[0]}"] * (high / low)
        update = direct_update(self.device)
        new = ntensor.NeuronOp(
            name_of(population),
            update.sym_name.data,
            [*operands, *seconds],
            population.z.type,
            params=ntensor.array_dictionary({name: given[name] for name in update.param_types}),
            initial=ntensor.array_dictionary(initial_states(update)),
        )
        new.location = population.location
        new.attributes.update(population.attributes)
        old = ntensor.updates_of(self.network)[population.update_name]
        new.update = SymbolRefAttr(add_update(self.module, update.clone(), old, DIRECT, ""))
        Rewriter.replace_op(population, new)

    def second(self, value: SSAValue) -> SSAValue:
        """Returns a copy of a sum with only the synapses of the larger value, and removes these synapses from the original sum."""
        if value in self.copies:
            return self.copies[value]
        op = value.owner
        assert isinstance(op, Operation)  # a sum of synapses, after reshapes and delays
        if isinstance(op, ntensor.SynapseOpInterface) and op.weights is not None:
            copy, weights = op.clone(), op.weights.values
            keep_label(copy, weights, 2)
            keep_label(op, weights, 1)
        else:
            copy = op.clone({x: self.second(x) for x in op.operands})
        if "node" in copy.properties:
            copy.properties["node"] = StringAttr(f"{name_of(op)}.2")
        Rewriter.insert_op(copy, InsertPoint.after(op))
        self.copies[value] = copy.results[0]
        return copy.results[0]


def keep_label(op: ntensor.SynapseOpInterface, weights: AnyArray, label: int) -> None:
    """Sets the weights of a label to one event, and all others to zero."""
    op.replace_weights(ArrayAttr.of((weights == label).astype(weights.dtype)), op.quantized_weights)


def direct_update(device: Device) -> ntensor.UpdateOp:
    """Returns the update of the neuron with all synapse populations."""
    text = "\n".join(device.updates[DIRECT].text)
    rule = next(one for one in parse_neurons(text, device.key).neurons if one.name == DIRECT)
    return shared_update(rule, options={}, precision=f64)


def initial_states(update: ntensor.UpdateOp) -> Mapping[str, AnyArray]:
    """Returns the states before the first tick: all are 0."""
    return {name: np.zeros((), np.int64 if name == "wait" else np.float64) for name in update.state_types}
