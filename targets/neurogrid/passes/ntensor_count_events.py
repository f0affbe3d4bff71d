"""Turns weights that count events into these numbers, and refuses others: a synapse of the chip has no weight of its own.

    %s = ntensor.linear "fc" %x {weight = [0.5, 1.0, -0.2]}
      =>
    %s = ntensor.linear "fc" %x {weight = [1, 2, -1], quantized = <6, scale [0.5, 0.5, 0.2]>}

1. The weights of one sign into a population share a synapse population, and with it the conductance of one event. Each weight is this unit times a
   number of events up to `max-events`. The unit is the largest of which all are multiples.
2. Biases count as weights (`ntensor-replace-biases` makes them synapses).
3. Populations that share synapses share their units.
4. The unit of weights that are quantised already is their scale.

Exactness: exact up to the rounding of reals, which is recorded.

Errors: NTE009 a network in continuous time; NGR011 `max-events` out of range; NGR012 weights of their own; NGR013 a weight that is not finite.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import name_of
from ....core.arrays.numeric import Reals
from ....core.device.named_device import device_named
from ....core.diagnostics import Code, ExitCode, refuse, refuse_op
from ....core.help_text import Passes, Phrase
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..receptors import SIGNS, ReceptorWeights, exact_unit, receptor_groups, store_counts

NGR011 = Code("NGR011", "event-count-out-of-range", "the number of events is out of range", exit_code=ExitCode.MISUSED)
NGR012 = Code("NGR012", "weights-unsupported-by-synapses", "the chip has no synapses with weights of their own")
NGR013 = Code("NGR013", "event-weight-not-finite", "a weight is not finite")

MOST_EVENTS = 127
FEW_EVENTS = 7
"""Events of the help line: with more, tables are full with few targets."""
RESOLVED = "ntensor-replace-biases,ntensor-repeat-events{{max-events={}}}"


@dataclass(frozen=True)
class NtensorCountEventsPass(NoptPass):
    """Counts the events of the weights of every `ntensor.network`.

    Options:
        max-events: the events of one weight, 1 to 127, default 31. A device that the network names can have fewer.
    """

    name = "ntensor-count-events"
    max_events: int = 31

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_most_events(self, self.max_events)
        for network in networks(op):
            most, errors = limited_events(network, self.max_events), Errors()
            for group in receptor_groups(network):
                count_events(network, group, most, errors)
            errors.record(network, pass_text(self), "weights as numbers of events")


def verify_most_events(step: Any, count: int) -> None:
    """Refuses an option `max-events` that is out of range. Errors: NGR011."""
    if not 1 <= count <= MOST_EVENTS:
        help = suggest_pass(replace(step, max_events=min(max(count, 1), MOST_EVENTS)))
        refuse(NGR011, at=f"max-events={count}", expected=f"1 to {MOST_EVENTS}", found=str(count), help=help)


def limited_events(network: ntensor.NetworkOp, most: int) -> int:
    """Returns the events of one weight that the device of a network allows."""
    device = device_named(network)
    bits = None if device is None else device.integer("synapse.bits")
    return most if bits is None else max(1, min(most, (1 << (bits - 1)) - 1))


def count_events(network: ntensor.NetworkOp, group: ReceptorWeights, most: int, errors: Errors) -> None:
    """Errors: NGR012, NGR013."""
    verify_finite(group)
    units: list[float] = []
    for sign in SIGNS:
        magnitudes = np.unique(group.magnitudes(sign))
        unit = exact_unit(magnitudes, group.declared(sign), most)
        if unit is None:
            refuse_weights(network, group, sign, magnitudes, most)
        units.append(unit)
    store(group, units, most, errors)


def store(group: ReceptorWeights, units: list[float], most: int, errors: Errors) -> None:
    """Replaces the weights of a group by numbers of events; biases are numbers of events already."""
    bits = most.bit_length() + 1
    for op in group.ops:
        values = store_counts(op, group.counts(op, units, most), units, bits)
        if (lost := np.abs(values - group.values[op])).any():
            errors.add(name_of(op), lost)


def verify_finite(group: ReceptorWeights) -> None:
    """Errors: NGR013."""
    for op in group.ops:
        if not np.isfinite(group.values[op]).all():
            refuse_op(
                op,
                NGR013,
                expected="finite numbers",
                found="NaN or infinity",
                help="correct the weight in the file that it came from",
            )


def refuse_weights(
    network: ntensor.NetworkOp, group: ReceptorWeights, sign: int, magnitudes: Reals, most: int
) -> NoReturn:
    """Errors: NGR012."""
    device = device_named(network)
    largest = max(group.ops, key=lambda op: float((sign * group.values[op]).max(initial=0)))
    kind = "excitatory" if sign > 0 else "inhibitory"
    few = min(FEW_EVENTS, most)
    refuse_op(
        largest,
        NGR012,
        f'{kind} weights of "{name_of(largest)}" do not count events',
        expected=f"weights that are up to {most} times one weight: all synapses of a population share its conductance",
        found=f"{len(magnitudes)} different weights from {magnitudes[0]:g} to {magnitudes[-1]:g}",
        source=None if device is None else device.cite("synapse.bits"),
        path="synapse.bits",
        help=Phrase(Passes(RESOLVED.format(few)), ", or ", Passes(RESOLVED.format(1))),
    )
