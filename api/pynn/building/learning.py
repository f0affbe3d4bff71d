"""Synapses with rules in ticks: the delays before and after a synapse op, and the rule in the order of events of NEST.

A delay of PyNN has `axonal` ticks a and d others. The network delays spikes by a + d + late ticks (`network.py`). NEST compares the time of a
presynaptic spike and a with the time of a postsynaptic spike and d. An event of a postsynaptic spike is `lead` ticks early:

| target | late | before the op | in the op | lead |
| --- | --- | --- | --- | --- |
| currents, conductances | 1 from neurons, 0 from sources | a + late | d | one |
| steps, d > 0 | 0 from neurons, -1 from sources | a + late + 1 | d - 1 | two |
| steps, d = 0 | 0 from neurons, -1 from sources | a + late | 0 | none |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import numpy as np
from attrs import field, frozen
from xdsl.dialects.builtin import f64

from ....core.arrays.numeric import Ints
from ....core.neuron.neuron import check_bounds
from ....core.synapse.synapse import parse_synapses
from ....core.synapse.tree import Synapse
from ....dialects import nir, ntensor
from ....dialects.equations.rules import build_rule
from ....simulation.update import derive
from .records import Rule, Synapses

PAIRS = "pairs"


@cache
def pynn_rules() -> Mapping[str, Synapse]:
    """Returns the rules of the back end by name."""
    path = Path(__file__).with_name("rules.synapse")
    return {one.name: one for one in parse_synapses(path.read_text(), str(path)).synapses}


@frozen(eq=False)
class Learnt:
    """The record of the weights of a synapse op, and their places in a projection. Shapes: number [synapses]."""

    node: str
    owner: int
    number: Ints


@frozen(eq=False)
class DelayGroup:
    """Synapses that share the delay before their op and the lead of events. Shapes: place, own [synapses]."""

    place: Ints
    before: int
    own: Ints
    """The delays in the op [ticks]."""
    lead: str


def delay_groups(given: Synapses, ticks: Ints, late: int, *, has_steps: bool) -> Iterator[DelayGroup]:
    """Yields groups of synapses of a projection. `ticks` are delays of PyNN, `late` the ticks that the network adds."""
    assert given.rule is not None
    axonal = np.rint(ticks * given.rule.axonal).astype(np.int64)
    own = ticks - axonal
    early = (own > 0) & has_steps & (given.rule.name == PAIRS)
    before = axonal + late + early
    own = own - early
    if given.rule.name != PAIRS:  # no postsynaptic spikes: the order alone counts
        own, before = own + before, np.zeros_like(before)
    for delay, has_early in sorted({*zip(before.tolist(), early.tolist(), strict=True)}):
        place = np.flatnonzero((before == delay) & (early == has_early))
        yield DelayGroup(place, delay, own[place], "two" if has_early else "none" if has_steps else "one")


@frozen(eq=False)
class Rules:
    """The rules of a network, each a symbol of the module."""

    dt: float
    """[s]"""
    ops: dict[str, ntensor.RuleOp] = field(factory=dict[str, ntensor.RuleOp])

    def learning(self, rule: Rule, lead: str, node: str) -> ntensor.LearningAttr:
        """Returns the learning of a synapse op. Errors: NEU006 numbers out of range."""
        synapse = pynn_rules()[rule.name]
        options = dict(rule.options) | ({"lead": lead} if rule.name == PAIRS else {})
        made = build_rule(synapse, options=options, precision=f64)
        op = self.ops.setdefault(made.sym_name.data, made)
        raw = {one.data: rule.values[one.data] for one in op.raw}
        found = derive(op, self.dt, {name: np.asarray(value) for name, value in raw.items()}, node)
        check_bounds(synapse, raw | {name: float(value) for name, value in found.items()}, node)
        return ntensor.LearningAttr.of(op.sym_name.data, raw, {})


def pair_rule(rule: Rule) -> nir.StdpAttr | None:
    """Returns the additive pair rule of chips; None for another rule."""
    if rule.name != PAIRS or dict(rule.options) != {"dependence": "additive"}:
        return None
    names = "a_plus", "a_minus", "tau_plus", "tau_minus", "w_min", "w_max"
    return nir.StdpAttr.of(*(rule.values[name] for name in names))
