"""The exit dialect of DYNAP-CNN and Speck: the layers of a network on cores, in the words of the vendor's configuration.

    dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"dynapcnn/speck2f", digest = …>} {
      dynapcnn.input "events" {input_shape = [2, 34, 34], layers = [0]}
      dynapcnn.cnn_layer "conv1" of "if1" {layer = 0 : i64, input_shape = [2, 34, 34], output_shape = [8, 32, 32], weights = …,
          stride = [1, 1], padding = [0, 0], threshold_high = 211 : i64, threshold_low = -32768 : i64, destinations = [[3, 2]]}
      dynapcnn.cnn_layer "fc" of "if2" {layer = 3 : i64, …, monitor_enable}
      dynapcnn.output "out" of "if2" : tensor<10x!ntensor.count<16>>
    }

A layer is a convolution, its integrate-and-fire neurons, and up to two destinations with a sum pool each. A population is one layer, or several
that have its features one after the other (`feature_shift`). The chip has no ticks: a layer adds the weights of each event when it arrives. In the
model a tick is a bin of events, which all layers process one after the other.

Source: sinabs 3.1.3, backend/dynapcnn/chips/dynapcnn.py: `SpeckConfiguration` of the package samna.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .configuration import ConfigurationOp, InputOp, OutputOp
from .layers import CnnLayerOp
from .limits import DYN007

__all__ = [
    "DYN007",
    "DYNAPCNN",
    "CnnLayerOp",
    "ConfigurationOp",
    "InputOp",
    "OutputOp",
]

DYNAPCNN = define_dialect("dynapcnn", globals())
