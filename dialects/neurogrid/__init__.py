"""The exit dialect of Neurogrid: neurons at the sites of Neurocores, and the terminals that their events reach.

    neurogrid.chip @net attributes {tick_ns = 100000 : i64, machine.device = #nopt.device<"neurogrid/board", digest = …>} {
      neurogrid.input "x/0" of "x" at 0 {index = [0, 1]} : tensor<2xi1> {
        neurogrid.terminals "fc1" {neuron = [0, 1], core = [0, 0], synapse = [0, 1], row = [0, 0], column = [1, 0], events = [2, 1]}
      }
      neurogrid.core 0 {axons = 0} {
        neurogrid.somas "one/0" of "one" @neurogrid.pulse {row = [0, 0], column = [0, 1], params = {tau_s = 0.02, …}, arbors = [0.0, 0.0], …} : tensor<2xi1> {}
      }
      neurogrid.output "y" of "one" {delay = 0} : tensor<2xi1>
    }

In a tick, events of spikes of the tick before arrive at sites, and the arbor of their synapse population spreads them. Then conductances, dendrites
and somas of all neurons move by one step, and neurons whose soma diverges spike.

All neurons of a Neurocore have the same parameters. Weights, delays and plasticity do not exist.

Source: B. V. Benjamin et al., Proc. IEEE 102(5), 2014; P. Gao et al., IEEE TCAS-I 59(11), 2012.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .chip import ChipOp
from .cores import SYNAPSES, CoreOp, InputOp, OutputOp, SomasOp, event_quantities, terminals_of
from .terminals import PLACES, TerminalsOp

__all__ = [
    "NEUROGRID",
    "PLACES",
    "SYNAPSES",
    "ChipOp",
    "CoreOp",
    "InputOp",
    "OutputOp",
    "SomasOp",
    "TerminalsOp",
    "event_quantities",
    "terminals_of",
]

NEUROGRID = define_dialect("neurogrid", globals())
