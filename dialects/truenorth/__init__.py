"""The exit dialect of TrueNorth and its clones: cores with a crossbar of axons and neurons, down to the row of the core's memory.

    truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20, overflow = "saturate", neuron_reset_type = 0, bus = [0, 64], machine.device = …} {
      truenorth.input "input/0" of "input" at 0 {index = [0, 1]} : tensor<2xi1> {
        truenorth.packets {neuron = [0, 1], core = [0, 0], axon = [0, 1], delay = [1, 1]}
      }
      truenorth.core 0 {axons = 2, types = [0, 1]} {
        truenorth.neurons "if1/0" of "if1" {index = [0], crossbar = [[1, 1]], weights = [[64, -3, 0, 0]], parameters = {leak = 0, …}, potential = 0} : tensor<1xi1> {
          truenorth.destinations {row = [0], dx = [0], dy = [64], axon = [0], tick = [1]}
        }
      }
      truenorth.output "output" of "if1" {delay = 0, rows = [0]} : tensor<1xi1>
    }

In a tick, a core adds for each neuron the weights of its axons with a spike, applies the leak, and compares the potential with both thresholds. A
spike goes to the one destination of the row: an axon of a core at an offset, where it arrives after `tick` ticks. Spikes on one axon in one tick
count once. Outputs leave at the output bus, which has the position `bus`, outside of the cores: row r is the axon r % axons at the position
r // axons further along x.

`neurons.py` defines the registers of a row. Memory rows have the layout that the device declares (`core.images.rows`).

Source: P. A. Merolla et al., Science 345:668 (2014); A. S. Cassidy et al., IJCNN 2013; RANC, UA-RCL/RANC.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .chip import BUS, REGISTERS, SIGNED, ChipOp, Sent, column, columns, core_at, line, lines, register_bits
from .cores import CoreOp, InputOp, OutputOp, PacketsOp
from .neurons import PARAMETERS, RANDOM, DestinationsOp, NeuronsOp

__all__ = [
    "BUS",
    "PARAMETERS",
    "RANDOM",
    "REGISTERS",
    "SIGNED",
    "TRUENORTH",
    "ChipOp",
    "CoreOp",
    "DestinationsOp",
    "InputOp",
    "NeuronsOp",
    "OutputOp",
    "PacketsOp",
    "Sent",
    "column",
    "columns",
    "core_at",
    "line",
    "lines",
    "register_bits",
]

TRUENORTH = define_dialect("truenorth", globals())
