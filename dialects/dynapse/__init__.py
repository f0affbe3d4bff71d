"""The exit dialect of DYNAP-SE: cores with their parameters, synapses that compare tags, and destinations of events, in the vendor's terms.

    dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"dynapse/se2", digest = …>} {
      dynapse.input "input/0" of "input" at 0 {index = [0, 1, …]} : tensor<16xi1> {
        dynapse.destinations {neuron = [0, 1, …], chip = [0, 0, …], cores = [8, 8, …], tag = [0, 1, …]}
      }
      dynapse.core 3 {axons = 16} {
        dynapse.neurons "lif1/0" of "lif1" @dynapse.f64 {params = {…}, currents = [32, 63, 125, 255], …} : tensor<128xi1> {
          dynapse.synapses {neuron = […], tag = […], mask = […], is_inhibitory = […]}
        }
      }
      dynapse.output "output" of "lif1" {delay = 0} : tensor<128xi1>
    }

An event carries a tag to some of the four cores of a chip. Each synapse with that tag there adds the currents of its mask in the next tick.

On DYNAP-SE1 a mask selects one current: the types AMPA, NMDA and GABA_B of synapses are 1, 2 and 4, of which the last is inhibitory. A weight can take
several synapses. The lower 8 bits of the tags of a neuron are its number on its core.

Source: rockpool 3.1.0, devices/dynapse: the classes of a configuration (samna_alias), and DynapSim; samna.dynapse1.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .chip import ChipOp
from .cores import CoreOp, InputOp, NeuronsOp, OutputOp, destinations_of
from .synapses import DestinationsOp, SynapsesOp

__all__ = [
    "DYNAPSE",
    "ChipOp",
    "CoreOp",
    "DestinationsOp",
    "InputOp",
    "NeuronsOp",
    "OutputOp",
    "SynapsesOp",
    "destinations_of",
]

DYNAPSE = define_dialect("dynapse", globals())
