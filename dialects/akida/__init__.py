"""The exit dialect of Akida: a sequence of layers on neural processors (NPs), in the words of its vendor.

    akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = #nopt.device<"akida/akd1000", digest = …>} {
      akida.input_data "input" {input_shape = [8, 8, 4], input_bits = 4 : i64}
      akida.convolutional "c1" of "n1" attributes {input_shape = [8, 8, 4], weights = …, weights_bits = 4 : i64, kernel_stride = [1, 1],
          padding = "same", pool_type = "none", act_bits = 4 : i64, threshold = …, act_step = …} {
        akida.np "CNP1" {ident = [3, 1, 2], filters = [0, 16], tile = [0, 0, 8, 8], input_bytes = 128 : i64, …}
      }
      akida.fully_connected "fc" of "fc" attributes {…} {…}
      akida.output "out" of "fc" : tensor<10xi32>
    }

A tick is a frame. The first layer reads the input of the network, every other one the layer before it. A layer keeps nothing between frames.

Source: BrainChip akida 2.19.3 (layers, JSON of models, mapper) and the MetaTF documentation.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .layers import ConvolutionalOp, FullyConnectedOp, InputConvolutionalOp, NpOp, SeparableConvolutionalOp
from .model import InputDataOp, ModelOp, OutputOp

__all__ = [
    "AKIDA",
    "ConvolutionalOp",
    "FullyConnectedOp",
    "InputConvolutionalOp",
    "InputDataOp",
    "ModelOp",
    "NpOp",
    "OutputOp",
    "SeparableConvolutionalOp",
]

AKIDA = define_dialect("akida", globals())
