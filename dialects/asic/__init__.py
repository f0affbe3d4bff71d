"""The exit dialect of `asic`: the content of the tables of each core, and the routes between cores.

    asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"asic/mesh", digest = …>} {
      asic.input "input/0" of "input" at 0 {index = [0, 1, …]} : tensor<12xi1> {
        asic.output_axons {neuron = [0, 1, …], core = [3, 3, …], axon = [0, 1, …]}
      }
      asic.core 3 {axons = 12 : i64} {
        asic.neurons "lif1/0" of "lif1" @lif {index = [0, 1, …], params = {…}, initial = {…}} : tensor<38xi1> {
          asic.dense "fc1" {format = "dense", port = 0 : i64, axons = [0, 1, …], weight = […], delay = 1}
          asic.output_axons {neuron = [0, 1, …], core = [4, 4, …], axon = [0, 1, …]}
        }
      }
      asic.route "input/0" {links = [[0, 0, 1, 0]]}
      asic.output "output" of "lif1" {delay = 0} : tensor<38xi1>
    }

In a tick, a core adds for each neuron the weights of the events that arrive on its input axons, updates the neuron, and sends its output
as an event to each of its output axons. An event that takes 0 ticks arrives in the same tick. Inputs are events that the host sends to the
core at which they enter. `tables.py` defines the tables.

`index` holds the flat index of each neuron in its population, so that outputs and records have the user's order.

Source: the form is our own; terms as in Davies et al., Loihi, IEEE Micro 38:82 (2018).
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from ..chip_base.parts import SenderOp
from .chip import LAYOUTS, ChipOp
from .cores import CoreOp, HostInputOp, HostOutputOp, NeuronsOp, RouteOp
from .tables import DenseOp, KernelOp, OutputAxonsOp, SparseOp, TableOp, WindowAttr, as_table, real_dtype

__all__ = [
    "ASIC",
    "LAYOUTS",
    "ChipOp",
    "CoreOp",
    "DenseOp",
    "HostInputOp",
    "HostOutputOp",
    "KernelOp",
    "NeuronsOp",
    "OutputAxonsOp",
    "RouteOp",
    "SenderOp",
    "SparseOp",
    "TableOp",
    "WindowAttr",
    "as_table",
    "real_dtype",
]

ASIC = define_dialect("asic", globals())
