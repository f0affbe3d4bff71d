"""The exit dialect of Akida 2.0: a sequence of layers on neural processors (NPs), in the words of its vendor.

    akida2.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v2", machine.device = #nopt.device<"akida/six_nodes_v2", digest = …>} {
      akida2.input_data "input" {input_shape = [8, 8, 4], input_bits = 4 : i64}
      akida2.conv2d "c1" of "n1" attributes {input_shape = [8, 8, 4], weights = …, weights_bits = 4 : i64, bias = …, bias_shift = …,
          kernel_stride = [1, 1], padding = "same", pool_type = "none", act_bits = 8 : i64, output_scales = …, output_shift = …} {
        akida2.np "CNP1" {ident = [1, 2, 1], filters = [0, 16], tile = [0, 0, 8, 8], input_bytes = 128 : i64, …}
      }
      akida2.dense1d "fc" of "fc" attributes {…} {…}
      akida2.output "out" of "fc" : tensor<10xi32>
    }

A tick is a frame. The first layer reads the input of the network, every other one the layer before it. A layer keeps nothing between frames.

Source: BrainChip akida 2.19.3 (layers, JSON of models, mapper) and the MetaTF documentation.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .layers import Conv2dOp, Dense1dOp, DepthwiseConv2dOp, InputConv2dOp, Np2Op
from .model import InputData2Op, Model2Op, Output2Op

__all__ = [
    "AKIDA2",
    "Conv2dOp",
    "Dense1dOp",
    "DepthwiseConv2dOp",
    "InputConv2dOp",
    "InputData2Op",
    "Model2Op",
    "Np2Op",
    "Output2Op",
]

AKIDA2 = define_dialect("akida2", globals())
