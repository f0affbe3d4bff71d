"""The exit dialect of SpiNNaker 1: cores with a slice of a population, its ring buffers, and synaptic rows as words.

    spinnaker.chip @net attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"spinnaker/spinn5", digest = …>} {
      spinnaker.input "input/0" of "input" at 0 {index = [0, 1, …], key = 0, mask = 4294967232, cores = [3]} : tensor<64xi1> {}
      spinnaker.core 3 {axons = 64} {
        spinnaker.neurons "lif1/0" of "lif1" @spinnaker_delta.zero.none.above {key = 128, mask = 4294967168, cores = [4], index_bits = 7, delay_bits = 0, params = {…}, …} : tensor<128xi1> {
          spinnaker.rows "fc1.excitatory" {key = 0, mask = 4294967232, words = […]}
        }
      }
      spinnaker.router 0 {key = […], mask = […], route = […]}
      spinnaker.output "output" of "lif1" {delay = 0} : tensor<128xi1>
    }

In a tick, a core takes the slot of the ring buffers of this tick, updates its neurons, and sends a key for each spike. A key that arrives
selects rows by the master population table, and each word adds its weight to the ring buffer of its receptor, `delay` ticks later. An entry of a
ring buffer has 16 bits without a sign and saturates.

Source: sPyNNaker 7.4.1, neural_modelling/src/neuron: c_main.c, synapses.c, population_table, synapse_row.h.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .chip import ChipOp
from .cores import CoreOp, InputOp, NeuronsOp, OutputOp
from .learning import StdpAttr, TripletAttr
from .routers import RouterOp
from .rows import RowsOp, Synapses, WordFormat

__all__ = [
    "SPINNAKER",
    "ChipOp",
    "CoreOp",
    "InputOp",
    "NeuronsOp",
    "OutputOp",
    "RouterOp",
    "RowsOp",
    "StdpAttr",
    "Synapses",
    "TripletAttr",
    "WordFormat",
]

SPINNAKER = define_dialect("spinnaker", globals())
