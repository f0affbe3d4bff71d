"""The exit dialect of SynSense Xylo: hidden and output neurons of one core, with their registers and weights.

    xylo.chip @net attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"xylo/audio2", digest = …>} {
      xylo.input "x/0" of "x" at 0 {index = [0, 1], channels = [0, 1]} : tensor<2xi1> {}
      xylo.core 0 {axons = 2} {
        xylo.hidden "one/0" of "one" {index = [0, 1], ids = [0, 1], aliases = [-1, -1], registers = {dash_mem = 4, …}} : tensor<2xi1> {}
        xylo.readout "two/0" of "two" {index = [0], ids = [0], registers = {dash_mem = 3, …}} : tensor<1xi1> {}
        xylo.weights "input" {shift = 7, source = [0, 1], target = [0, 1], current = [0, 0], weight = [100, -20]}
        xylo.weights "output" {shift = 7, source = [0, 1], target = [0, 0], current = [0, 0], weight = [90, 90]}
      }
      xylo.output "y" of "two" {delay = 0} : tensor<1xi1>
    }

In a tick, spikes of input channels add their weights to the synaptic currents of hidden neurons, in the order of channels. Then spikes that
hidden neurons sent in the tick before add theirs to hidden and output neurons, in the order of neurons. Each addition saturates at 16 bits. Then
currents and membranes decay, and neurons spike.

The host sends the spikes of an input one tick later, so that each synapse of the network takes one tick. An output of hidden neurons is
read by the monitor of the chip (`monitor_neuron_spike`).

Source: xylosim 0.1.3, core v2; rockpool 3.1.0, devices/xylo.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .chip import ChipOp
from .cores import CoreOp, InputOp, OutputOp
from .neurons import LARGEST, NO_ALIAS, REGISTERS, HiddenOp, NumberedOp, ReadoutOp
from .weights import WeightLayer, WeightsOp

__all__ = [
    "LARGEST",
    "NO_ALIAS",
    "REGISTERS",
    "XYLO",
    "ChipOp",
    "CoreOp",
    "HiddenOp",
    "InputOp",
    "NumberedOp",
    "OutputOp",
    "ReadoutOp",
    "WeightLayer",
    "WeightsOp",
]

XYLO = define_dialect("xylo", globals())
