"""Sets the probes of a network: the populations and states that a run on a chip records in addition to the outputs.

    ntensor.network @n(…) -> (…) attributes {tick_ns = …} {…}
      =>  (probes=lif1,"lif1:v")
    ntensor.network @n(…) -> (…) attributes {tick_ns = …, ntensor.probes = ["lif1", "lif1.v"]} {…}

Lowerings keep the attribute, and refuse probes that the device does not record (NTE021, NTE022, NTE023). The probes replace those that the network has.

Exactness: no number changes.
Errors: NTE009 a network in continuous time; NTE020 no population has the name of a probe; NTE026 a synapse that learns has it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....core.ir.pipeline import NoptPass
from ....dialects.ntensor.network import networks
from ....dialects.ntensor.probes import SET_PROBES, read_probes, set_probes


@dataclass(frozen=True)
class NtensorSetProbesPass(NoptPass):
    """Sets the probes of every `ntensor.network`.

    Options:
        probes: populations, for their spikes, and NODE:STATE for a state, `probes=lif1,"lif1:v"`; default none.
    """

    name = SET_PROBES
    sees_host = True
    probes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in networks(op):
            set_probes(network, read_probes(network, self.probes))
