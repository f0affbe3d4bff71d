"""Replaces leaky integrate-and-fire neurons by quadratic somas, and measures how much their rates differ.

    %s = ntensor.linear "fc" %x {weight = [0.5, 1.0, -0.2]}
    %z = ntensor.neuron "lif" @norse_lif.value(%s)
      =>
    %a = ntensor.linear "fc.excitatory" %x {weight = [1, 2, 0]}
    %b = ntensor.linear "fc.inhibitory" %x {weight = [0, 0, 1]}
    %z = ntensor.neuron "lif" @neurogrid.rate(%a, %b)

1. Weights must count events (`ntensor-count-events`), since the strength of an event is a parameter of the population.
2. `ntensor-set-neuron-model` derives the parameters of the soma, with each value of its option `match`.
3. Both neurons run with the same random events, at inputs of 1/2 to 4 times the constant input to the threshold, a quarter of it inhibitory. Without a leak,
   this input reaches the threshold in 20 ticks. The value of `match` with
   the least error of rates is chosen for each population.

The record holds the largest and the mean difference of rates, in spikes per tick, over all inputs and, where neurons differ, up to four neurons of each population. Its text holds
the difference relative to the mean rate.

Errors: ANA031, NTE009; NGR012, NGR013; those of `ntensor-set-neuron-model`.
Source: P. Gao, B. V. Benjamin and K. Boahen, IEEE TCAS-I 59(11), 2012, for the soma. The method is our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from attrs import frozen
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import check_names, name_of
from ....core.arrays.numeric import AnyArray, Reals
from ....core.device.named_device import device_named
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ....passes.legalize.updates.ntensor_set_neuron_model import NtensorSetNeuronModelPass
from ....simulation.elements import working_dtype
from ....simulation.update import Step, initial
from ..receptors import SIGNS, receptor_groups
from .ntensor_count_events import count_events, limited_events

FAMILIES = ("lif", "cuba_lif", "if")
"""Families that a soma serves."""
BOARD, SOMA = "neurogrid/board", "neurogrid"
MATCHES = ("pulse", "rate", "sustained")
"""Values of the option `match` of the soma."""
SOMA_DIFFERS = (
    "reset",
    "refractory",
    "count",
    "comparison",
    "initial",
    "bound",
    "dynamics",
    "decay",
    "leak",
    "current",
    "threshold",
)
"""Properties of the rule of a family that a soma does not keep."""
DRIVES = (0.5, 1.0, 2.0, 4.0)
"""Mean inputs, in multiples of the constant input to the threshold."""
LEAKLESS = 0.05
"""Constant input of a neuron without a leak, in thresholds per tick."""
INHIBITION, NEURONS, TRIALS, TIME_CONSTANTS, TICKS, MOST_EVENTS = 0.25, 4, 16, 20, (200, 4000), 31


@frozen(eq=False)
class Leaky:
    """A population before its conversion: its update, and the value of one event of each sign."""

    update: ntensor.UpdateOp
    params: Mapping[str, AnyArray]
    canonical: Mapping[str, AnyArray]
    units: tuple[float, float]


@dataclass(frozen=True)
class NtensorApproximateSomasPass(NoptPass):
    """Approximates the neurons of every `ntensor.network`.

    Options:
        nodes: the populations to approximate; default all of the families lif, cuba_lif and if.
    """

    name = "ntensor-approximate-somas"
    APPROXIMATES = SOMA_DIFFERS
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_leaky, self.name)
        for network in networks(op):
            chosen = leaky_populations(network, self.nodes)
            if not chosen:
                continue
            errors = Errors()
            for group in receptor_groups(network):
                count_events(network, group, limited_events(network, MOST_EVENTS), errors)
            errors.record(network, pass_text(self), "weights as numbers of events")
            approximate(ctx, op, network, chosen, pass_text(self))


def approximate(
    ctx: Context, module: ModuleOp, network: ntensor.NetworkOp, chosen: Sequence[ntensor.NeuronOp], step: str
) -> None:
    """Makes populations somas by the match with the least error, and records the measured rates."""
    before = {name_of(one): leaky(one, network) for one in chosen}
    matches = find_matches(ctx, module, network.sym_name.data, before)
    for match in MATCHES:
        if names := tuple(name for name, (best, _) in matches.items() if best == match):
            converted(ctx, module, network, names, match)
    errors = np.concatenate([np.abs(rates[1] - rates[0]).reshape(-1) for _, rates in matches.values()])
    parts = [f"{name} by {match}, rates differ by {error_of(rates):.0%}" for name, (match, rates) in matches.items()]
    what = f"quadratic somas: {'; '.join(parts)}"
    largest, mean = float(errors.max()), float(errors.mean())
    network.record(ntensor.ApproximationAttr.of(step, what, list(matches), largest, mean, "spikes per tick"))


def find_matches(
    ctx: Context, module: ModuleOp, symbol: str, before: Mapping[str, Leaky]
) -> dict[str, tuple[str, Reals]]:
    """Returns for each population the match with the least error, and rates of both neurons. Shapes: [2, neurons, levels]."""  # 3
    found: dict[str, tuple[str, Reals]] = {}
    for match in MATCHES:
        trial = module.clone()
        network = next(one for one in networks(trial) if one.sym_name.data == symbol)
        converted(ctx, trial, network, tuple(before), match)
        updates = ntensor.find_updates(trial)
        for population in network.populations:
            name = name_of(population)
            if name in before:
                rates = rates_of(before[name], population, updates[population.update_name])
                if name not in found or error_of(rates) < error_of(found[name][1]):
                    found[name] = match, rates
    return found


def leaky_populations(network: ntensor.NetworkOp, nodes: Sequence[str]) -> list[ntensor.NeuronOp]:
    """Returns the named populations of the families that somas serve, or all of these."""
    return [one for one in network.populations if is_leaky(one) and (not nodes or name_of(one) in nodes)]


def is_leaky(op: Operation) -> bool:
    return isinstance(op, ntensor.NeuronOp) and op.family is not None and op.family.data in FAMILIES


def converted(ctx: Context, module: ModuleOp, network: ntensor.NetworkOp, nodes: Sequence[str], match: str) -> None:
    """Makes populations somas of the device."""  # 2
    device = device_named(network)
    to = BOARD if device is None else device.naming.key
    options = f"match={match}"
    step = NtensorSetNeuronModelPass(to=to, neuron=SOMA, nodes=tuple(nodes), options=options, approximate=SOMA_DIFFERS)
    step.apply(ctx, module)


def leaky(population: ntensor.NeuronOp, network: ntensor.NetworkOp) -> Leaky:
    """Returns a copy of a population's update, parameters and event values before its conversion."""
    group = next((one for one in receptor_groups(network) if population in one.readers), None)
    units = [1.0, 1.0]
    for k, sign in enumerate(SIGNS):
        if group is not None and (declared := group.declared(sign)):
            units[k] = declared[0]
    update = ntensor.updates_of(network)[population.update_name]
    canonical = {} if population.canonical is None else dict(population.arrays(population.canonical))
    return Leaky(
        update.clone(),
        {name: array.values for name, array in population.arrays(population.params)},
        {name: array.values.astype(np.float64) for name, array in canonical.items()},
        (units[0], units[1]),
    )


# ---- measuring


def rates_of(before: Leaky, after: ntensor.NeuronOp, update: ntensor.UpdateOp) -> Reals:
    """Returns the rates of a population before and after its conversion, in spikes per tick. Shapes: [2, neurons, levels]."""
    size = int(np.prod(after.z.type.get_shape()))
    is_alike = all((one == one.reshape(-1)[0]).all() for one in (*before.params.values(), *before.canonical.values()))
    chosen = np.unique(np.linspace(0, size - 1, 1 if is_alike else min(size, NEURONS)).astype(np.int64))
    given = {name: array.values for name, array in after.arrays(after.params)}
    return np.stack([rates_of_neuron(before, given, update, int(k), size) for k in chosen], axis=1)


def rates_of_neuron(before: Leaky, after: Mapping[str, AnyArray], update: ntensor.UpdateOp, k: int, size: int) -> Reals:
    """Returns the firing rates of one neuron before and after its conversion, for several input levels. Shapes: [2, levels]."""
    value = {name: float(of_neuron(one, k, size)) for name, one in before.canonical.items()}
    keeps, keeps_i = value.get("decay", 0.0), value.get("decay_i", 0.0)
    charge = [unit * value.get("gain", 1.0) * value.get("gain_i", 1.0) / (1 - keeps_i) for unit in before.units]
    steady = abs(value.get("threshold", 1.0)) * (1 - keeps if keeps < 1 else LEAKLESS)  # of the charge in each tick
    ticks = int(np.clip(TIME_CONSTANTS / max(1 - keeps, 1e-9), *TICKS))
    rng, shape = np.random.default_rng(0), (len(DRIVES), TRIALS)
    means = np.array(DRIVES)[:, None] * steady
    events = [
        rng.poisson(np.broadcast_to(means * part / abs(one), (ticks, *shape)))
        for one, part in zip(charge, (1 + INHIBITION, INHIBITION), strict=True)
    ]
    old = {name: of_neuron(one, k, size) for name, one in before.params.items()}
    new = {name: of_neuron(one, k, size) for name, one in after.items()}
    drive = before.units[0] * events[0] - before.units[1] * events[1]
    runs = (before.update, old, [drive]), (update, new, events)
    return np.stack([count_spikes(*one, shape) / (ticks * TRIALS) for one in runs])


def count_spikes(
    update: ntensor.UpdateOp, params: Mapping[str, AnyArray], inputs: Sequence[AnyArray], shape: tuple[int, int]
) -> Reals:
    """Returns the spikes of all trials at each level. Shapes: inputs [ticks, levels, trials]; result [levels]."""
    step, first = Step(update, params, shape), initial(update, params)
    states = {
        name: np.broadcast_to(first[name], shape).astype(working_dtype(type), order="C")
        for name, type in update.state_types.items()
    }
    dtypes = [working_dtype(type) for type in update.input_types]
    total = np.zeros(shape)
    for t in range(len(inputs[0])):
        total += step([one[t].astype(dtype) for one, dtype in zip(inputs, dtypes, strict=True)], states).value
    return total.sum(axis=1)


def of_neuron(values: AnyArray, k: int, size: int) -> AnyArray:
    return np.broadcast_to(values.reshape(-1) if values.size == size else values.reshape(-1)[:1], (size,))[k]


def error_of(rates: Reals) -> float:
    """Returns the mean difference of rates relative to the mean rate."""
    return float(np.abs(rates[1] - rates[0]).mean() / max(float(rates[0].mean()), 1e-9))
