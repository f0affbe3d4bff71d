"""Names of approximations: changes of a network's results that a user permits, `--approximate reset,count`.

A pass lists the names of what it approximates (`NoptPass.approximations`). The bits of weights and inputs that the number formats of a device
require have no name: they are what a network for this device is. A parameter that a register clips is an approximation of the property that it
changes, such as `threshold`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.passes import ModulePass

APPROXIMATIONS: Mapping[str, str] = {
    "bound": "the potential is bounded at another value",
    "comparison": "a spike needs a potential above the threshold instead of at it, or the reverse",
    "count": "a neuron emits another maximal number of spikes in a tick",
    "current": "the synaptic current decays by another factor, or there is none",
    "decay": "the potential decays by another factor",
    "delay": "delays are shorter",
    "dynamics": "the potential follows another equation",
    "early": "populations are ahead of their input",
    "initial": "the first tick starts from another state",
    "leak": "the potential rests at another value, or its leak has another form",
    "learning": "weights learn by a rule with another window",
    "loops": "loops take more ticks",
    "order": "events of one tick arrive in another order",
    "plasticity": "weights do not learn",
    "precision": "weights and states have fewer values than the number formats of the device",
    "rates": "spikes of ticks become counts of frames",
    "refractory": "a neuron waits another number of ticks after a spike",
    "reset": "a spike has another effect on the potential",
    "response": "a layer responds linearly where a neuron does not",
    "sums": "parts of a sum are sent as spikes, which keep its rest until later ticks",
    "threshold": "a neuron spikes at another potential",
}
"""Each name with the change of the network."""


NUMBER_FORMATS = frozenset({"precision"})
"""Approximations that need no permission where a device or the user names the pass."""


def approximations_of(steps: Iterable[ModulePass]) -> tuple[str, ...]:
    """Returns the names of what passes approximate, in alphabetical order."""
    return tuple(sorted({name for step in steps for name in getattr(step, "approximations", ())}))
