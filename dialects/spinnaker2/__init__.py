"""The exit dialect of SpiNNaker 2: populations and connections in the terms of py-spinnaker2, with the slice of each processing element.

    spinnaker2.chip @net attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"spinnaker2/chip", digest = …>} {
      spinnaker2.input "input/0" of "input" at 0 {index = [0, 1, …]} : tensor<64xi1> {}
      spinnaker2.core 3 {axons = 64} {
        spinnaker2.neurons "lif1/0" of "lif1" @lif_no_delay.value {model = "lif_no_delay", reset = "reset_to_v_reset", params = {…}, …} : tensor<128xi1> {
          spinnaker2.connections "fc1" of "input" {pre = […], post = […], weight = […], delay = 0}
        }
      }
      spinnaker2.output "output" of "lif1" {delay = 0} : tensor<128xi1>
    }

In a tick, a processing element takes the sum of the weights that arrive for each neuron, updates its neurons, and sends a spike of each that
fires. A connection with the delay d delivers d + 1 ticks later.

Source: py-spinnaker2 as of the NIR paper (2024): snn.Population, snn.Projection, s2_nir.py and the examples of its neurons.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .chip import ChipOp
from .connections import ConnectionsOp
from .cores import CoreOp, InputOp, NeuronsOp, OutputOp

__all__ = [
    "SPINNAKER2",
    "ChipOp",
    "ConnectionsOp",
    "CoreOp",
    "InputOp",
    "NeuronsOp",
    "OutputOp",
]

SPINNAKER2 = define_dialect("spinnaker2", globals())
