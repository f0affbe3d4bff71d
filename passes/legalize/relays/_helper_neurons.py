"""Helper populations as neurons of a device.

Legalisation adds populations that forward their input in the tick of its arrival: relays, partial sums, and the clock of late biases.
A device with neurons of its own has to serve them with one of these:

| helper | served by |
| --- | --- |
| spikes (`relay_spike`, `relay_some`) | a neuron that fires in each tick in which one weight arrives, and in no other |
| any of several spikes (`relay_any`) | a neuron that fires in each tick in which one weight or more arrive, and in no other |
| clocks (`clock_integer`, `clock_real`) | the same neuron, with the weight as a bias; on a device without biases a neuron that fires in every tick |
| counts (`relay_count`), sums (`relay_graded`) | a neuron without states that emits its input |

For spikes, registers are searched: without leak and current, under some weights and thresholds. Each choice is proven: all states that
any sequence of spikes reaches are visited, and each fires as required. For counts and sums, every integer input is tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import product

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import f64

from ....core.arrays.arrays import dtype_of
from ....core.arrays.numeric import AnyArray, Ints, NamedArrays
from ....core.device.records import Device
from ....core.diagnostics import Refused
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type
from ....core.neuron.tree import Neuron
from ....dialects import fixed, ntensor
from ....dialects.chip_base.formats import weight_limit
from ....simulation.update import Accumulation, Step, derive, initial
from ..updates._neuron_files import neurons_of
from ._relays import ANY, relay_update

SYMBOL = re.compile(
    r"(relay_spike|relay_some|relay_any|relay_count|relay_graded|relay_value|clock_integer|clock_real)(?:_(\d+))?'*"
)
STATES = 256
"""Maximum number of states of a neuron that relays."""
BITS = 20
"""Maximum width of counts and sums, all of which are tried."""
WEIGHT_BITS = 8
"""Bits of a relay's weight where the device does not limit them."""

MADE_BY = {
    "ntensor-relay-delays": ("spikes", "relays of delayed spikes"),
    "ntensor-split-fan-out": ("spikes", "relays of spikes"),
    "ntensor-retime": ("spikes", "relays of late biases"),
    "ntensor-lower-max-pools": ("spikes", "max pools of spikes"),
    "ntensor-split-fan-in": ("sums", "partial sums"),
}
"""The helpers of each pass, and their names in messages."""

DUTIES = {
    "spikes": "a neuron that fires in each tick in which a weight arrives, and in no other",
    "counts": "a neuron without states that emits counts as they arrive",
    "sums": "a neuron without states that emits integers as they arrive, as graded spikes",
    "values": "a neuron without states that emits reals as they arrive",
}
"""The behaviour of a neuron that serves helpers of a kind."""


@frozen
class Helper:
    """The signal kind that a population forwards: `spikes`, `counts`, `sums` or `values`."""

    kind: str
    is_clock: bool
    bits: int | None
    events: int = 1
    """The most events of a tick, for spikes."""


@frozen
class Relay:
    """A device's neuron with parameters that make it forward spikes. Each input spike adds `weight`."""

    update: ntensor.UpdateOp
    params: NamedArrays
    states: NamedArrays
    weight: int
    """0: it fires in every tick, without input."""
    is_accumulated: bool
    """Whether its input adds every event on its own."""


def helper_of(op: ntensor.NeuronOp, update: ntensor.UpdateOp) -> Helper | None:
    """Returns the purpose of a helper population that legalisation added; None for any other population. `update` is the update of `op`."""
    found = SYMBOL.fullmatch(update.sym_name.data)
    if found is None:
        return None
    bits = None if found[2] is None else int(found[2])
    if not update.is_equal(relay_update(found[1], element_type(op.xs[0]), bits)):
        return None  # a neuron of the user under the same name
    if found[1] == ANY:
        return Helper("spikes", is_clock=False, bits=None, events=most_events(op))
    kinds = {"relay_count": "counts", "relay_graded": "sums", "relay_value": "values"}
    return Helper(kinds.get(found[1], "spikes"), found[1].startswith("clock"), bits)


def most_events(op: ntensor.NeuronOp) -> int:
    """Returns the most sources of a neuron of a population that fires if any of them spikes."""
    start = op.xs[0].owner
    assert isinstance(start, ntensor.SynapseOpInterface)  # the pool of the population
    return int(np.bincount(start.used_pairs()[1]).max(initial=1))


def helpers_of(network: ntensor.NetworkOp) -> dict[ntensor.NeuronOp, Helper]:
    """Returns the populations of a network that legalisation added and that are not yet neurons of a device."""
    updates = ntensor.updates_of(network)  # none: a copy of a refused network has no module
    known: dict[ntensor.UpdateOp, Helper | None] = {}
    found: dict[ntensor.NeuronOp, Helper] = {}
    for op in network.populations:
        update = updates.get(op.update_name) if op.family is None else None
        if update is not None and update not in known:
            known[update] = helper_of(op, update)
        if update is not None and (helper := known[update]) is not None:
            found[op] = helper
    return found


class HelperNeurons:
    """The neurons of a device that serve helpers; each is found once."""

    def __init__(self, device: Device):
        self.relay = cache(partial(find_relay, device))
        self.clock = cache(partial(find_clock, device))
        self.passing = cache(partial(find_passing, device))


def relay_of(device: Device, dt: float, events: int = 1) -> Relay | None:
    """Returns the first neuron of a device that fires in each tick in which up to `events` spikes arrive, with its registers; None if none does.

    Units: dt [s].
    """
    return device.derive(HelperNeurons).relay(dt, events)


def find_relay(device: Device, dt: float, events: int = 1) -> Relay | None:
    found = (spiking(rule, device, dt, events=events) for rule in neurons_of(device).neurons)
    return next((relay for relay in found if relay is not None), None)


def clock_of(device: Device, dt: float) -> Relay | None:
    """Returns the first neuron of a device that fires in every tick, with its registers; None if none does. Units: dt [s].

    It reads a bias, or, where no sum of the device has one, is driven by its leak.
    """
    return device.derive(HelperNeurons).clock(dt)


def find_clock(device: Device, dt: float) -> Relay | None:
    if device.synapse is None or device.synapse.has_bias:
        return relay_of(device, dt)
    found = (spiking(rule, device, dt, is_driven=False) for rule in neurons_of(device).neurons)
    return next((relay for relay in found if relay is not None), None)


def passing(device: Device, kind: str, bits: int) -> str | None:
    """Returns the name of a neuron of a device that emits counts or sums of this width as they arrive; None if none does."""
    return device.derive(HelperNeurons).passing(kind, bits)


def find_passing(device: Device, kind: str, bits: int) -> str | None:
    emits = ntensor.Emits.GRADED if kind == "sums" else ntensor.Emits.COUNT
    held = Interval.signed(bits) if kind == "sums" else Interval.unsigned(bits)
    for rule in neurons_of(device).neurons if bits <= BITS else ():
        if rule.params or (update := built(rule, device)) is None or update.emits.data != emits:
            continue
        if update.states or len(update.inputs) != 1 or update.accumulators:
            continue
        given: Ints = np.arange(held.low, held.high + 1, dtype=np.int64).reshape(1, -1)
        if (Step(update, {}, given.shape)([given], {}).value == given).all():
            return rule.name
    return None


def serves(device: Device, kind: str, dt: float, bits: int | None = None, events: int = 1) -> bool:
    """Returns whether a device has a neuron for helpers of a kind. A device without defined neurons supports all kinds. Units: dt [s]."""
    if not device.updates:
        return True
    if kind == "spikes":
        return relay_of(device, dt, events) is not None
    carriers = {"counts": {"count", "graded"}, "sums": {"graded"}}.get(kind, set[str]())
    is_carried = bool(carriers) and (not device.spike_kinds or not carriers.isdisjoint(device.spike_kinds))
    return is_carried and passing(device, kind, bits or 1) is not None


def has_neuron_for(device: Device, helper: Helper, dt: float) -> bool:
    """Returns whether a device has a neuron for a helper; a clock needs no neuron that relays spikes. Units: dt [s]."""
    if helper.is_clock and device.updates:
        return clock_of(device, dt) is not None
    return serves(device, helper.kind, dt, helper.bits, helper.events)


def built(rule: Neuron, device: Device) -> ntensor.UpdateOp | None:
    """Returns the update of a neuron with the options of its device, which is shared."""
    from ....core.neuron.neuron import choose_options
    from ....dialects.equations.build import shared_update

    return shared_update(rule, options=choose_options(rule, device.updates[rule.name].options), precision=f64)


# ---- spikes


def spiking(rule: Neuron, device: Device, dt: float, *, is_driven: bool = True, events: int = 1) -> Relay | None:
    """Returns a neuron with register values that make it forward spikes (or fire in every tick, without `is_driven`); None if no values are found.

    `events`: the most spikes that arrive in a tick.
    """
    from ....core.neuron.neuron import check_bounds

    update = built(rule, device)
    if (
        update is None
        or update.emits.data != ntensor.Emits.SPIKE
        or not (len(update.operand_names) == 1 or update.has_receptors)
    ):
        return None
    limit = weight_limit(device)
    most = 2 ** max(0, (WEIGHT_BITS if limit is None else limit[1]) - 1) - 1
    wanted = [name.data for name in update.raw]
    for weight, raw in candidate_parameters(wanted, dt, max(1, most), leak=0.0 if is_driven else 1.0):
        try:
            derived = derive(update, dt, raw)
            check_bounds(rule, {**raw, **derived}, rule.name)
        except Refused:  # such registers do not exist
            continue
        params = {
            name: np.asarray(derived[name]).astype(dtype_of(type) or np.int64)
            for name, type in update.param_types.items()
        }
        sent = weight if is_driven else 0
        found = Relay(update, params, initial(update, params), sent, bool(update.accumulators))
        if is_proven(found, events):
            return found
    return None


def candidate_parameters(
    raw: list[str], dt: float, most: int, leak: float = 0.0
) -> Iterator[tuple[int, dict[str, AnyArray]]]:
    """Yields weights and raw parameters to try: no state or all state is kept from tick to tick, and one weight, or the leak, is enough to fire."""
    for weight, decay in product(dict.fromkeys((1, most)), (0.0, 1.0)):
        known = dict.fromkeys(("decay_i", "v_reset"), 0.0) | dict.fromkeys(("leak", "v_leak"), leak) | {"decay": decay}
        known |= dict.fromkeys(("unit", "unit_inhibitory", "gain", "gain_i", "r", "w_in"), 1.0)
        known |= dict.fromkeys(("tau", "tau_mem", "tau_syn"), dt)
        for threshold in dict.fromkeys((0.0, 0.5, weight / 2, weight - 1.0, float(weight))):
            given = known | {"threshold": threshold, "v_threshold": threshold}
            if all(name in given for name in raw):
                yield weight, {name: np.asarray(given[name]) for name in raw}


def is_proven(relay: Relay, events: int = 1) -> bool:
    """Returns whether the neuron fires if and only if a weight arrives, up to `events` of them, or in every tick, in every state that it reaches."""
    update, shape = relay.update, (1, 1)
    held = next(iter(update.input_types), None)
    if isinstance(held, fixed.IntType) and not held.interval.holds(Interval(0, events * relay.weight)):
        return False
    step = Step(update, relay.params, shape)
    adding = [Accumulation(update, name, into, block, shape) for name, into, block in update.accumulators]
    names = [name.data for name in update.states]
    first = tuple(np.asarray(relay.states[name]).item() for name in names)
    seen, stack = {first}, [first]
    while stack:
        at = stack.pop()
        for count in range(events + 1 if relay.weight else 1):
            x = count * relay.weight
            states = {
                name: np.full(shape, value, relay.states[name].dtype) for name, value in zip(names, at, strict=True)
            }
            for one in [*adding] * count:
                one(np.full(shape, relay.weight), states[one.into])
            given = [np.full(shape, x), np.zeros(shape, np.int64)][: len(update.inputs)]
            fired = step([] if adding else given, states).value.item()
            if bool(fired) != (x != 0 or relay.weight == 0):
                return False
            after = tuple(states[name].item() for name in names)
            if after not in seen:
                seen.add(after)
                stack.append(after)
        if len(seen) > STATES:
            return False
    return True


def is_integer(relay: Relay) -> bool:
    """Returns whether the input of a relay takes integers."""
    return relay.is_accumulated or isinstance(relay.update.input_types[0], fixed.IntType)
