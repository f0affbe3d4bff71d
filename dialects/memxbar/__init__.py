"""The exit dialect of memristive crossbars: layers on tiles of conductances, between digital ops.

    memxbar.network @net("input" %x: tensor<64xi1>) -> ("output": tensor<10xi1>) attributes {tick_ns = 1000000 : i64, machine.device = …} {
      %a = memxbar.dense "fc1" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<64xi1> -> tensor<10xi16> {
        memxbar.tile 0 {group = 0 : i64, rows = [0, 64], columns = [0, 10], levels = …, adc_range = …}
      }
      %z = ntensor.neuron "lif1" @int16_lif(%a) {…} : (tensor<10xi16>) -> tensor<10xi1>
      memxbar.output %z : tensor<10xi1>
    }

The digital periphery holds neurons, their states, delays, pools and sums: it runs the ops of `ntensor` on integers. An array holds one tile.
Partial sums of tiles are added digitally. Every cycle contains a delay.

Source: Chen, Peng and Yu, NeuroSim (IEEE TCAD 37:3067, 2018) and Rasch et al., aihwkit (AICAS 2021) for the terms.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from ._parts import user_name
from .crossbar import DIFFERENTIAL, ENCODINGS, MXB004, OFFSET, Crossbar
from .layers import MXB001, ConvolutionOp, DenseOp, LayerBase, sliding_offsets
from .network import DIGITAL_OPS, NetworkOp, OutputOp
from .tiles import MXB002, TileOp, cell_columns, most_outputs

__all__ = [
    "DIFFERENTIAL",
    "DIGITAL_OPS",
    "ENCODINGS",
    "MEMXBAR",
    "MXB001",
    "MXB002",
    "MXB004",
    "OFFSET",
    "ConvolutionOp",
    "Crossbar",
    "DenseOp",
    "LayerBase",
    "NetworkOp",
    "OutputOp",
    "TileOp",
    "cell_columns",
    "most_outputs",
    "sliding_offsets",
    "user_name",
]

MEMXBAR = define_dialect("memxbar", globals())
