"""Expands scalar parameters to arrays, with one entry for each neuron or synapse.

    nir.lif "lif" %x {tau = 0.02, …} : tensor<2xf32> -> …    =>    nir.lif "lif" %x {tau = [0.02, 0.02], …}

The nodes whose parameters may be a scalar or an array, and the shape of the array:

| node | parameter | array |
| --- | --- | --- |
| a population | all | [...], the population |
| scale, delay | `scale`, `delay` | [...], the operand |
| affine | `bias` | [..., o], the result |
| convolution | `bias` | [c'], the channels of the result |
| any synapse op | `delays` | the axes of its weights |

`nir-contract-parameters` is the inverse: expanding and contracting restores a network whose parameters of this kind were all scalars.
Tools that take the number of neurons from the shape of a parameter need this form in a `.nir` file.

Exactness: the same network, bit for bit, with one exception: the conversion to `ntensor` orders sums of three or more operands by
their surroundings, the shape of a scale included, so a last bit can differ there (`docs/rationale/exactness.md`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects import nir


@dataclass(frozen=True)
class NirExpandParametersPass(NoptPass):
    """Expands the parameters of every node, those in nested graphs included."""

    name = "nir-expand-parameters"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(ExpandParameters()).rewrite_module(op)


class ExpandParameters(RewritePattern):
    """tau = 0.02 => tau = [0.02, 0.02]"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.NodeOp, rewriter: PatternRewriter, /) -> None:
        for name, array, shape in scalar_parameters(op):
            if not array.shape and shape:
                op.properties[name] = ArrayAttr.of(np.broadcast_to(array.values, shape))
                rewriter.notify_op_modified(op)


def scalar_parameters(node: nir.NodeOp) -> Iterator[tuple[str, ArrayAttr, tuple[int, ...]]]:
    """Yields name, value and array shape of each such parameter of a node."""
    match node:
        case nir.PopulationOp():
            yield from ((name, array, shape_of(node.y)) for name, array in list(node.parameters()))
        case nir.ScaleOp():
            yield "scale", node.scale, shape_of(node.x)
        case nir.DelayOp():
            yield "delay", node.delay, shape_of(node.x)
        case nir.AffineOp():
            yield "bias", node.bias, shape_of(node.y)
        case nir.ConvolutionOp():
            yield "bias", node.bias, node.weight.shape[:1]
        case _:
            pass
    if isinstance(node, nir.SynapseOp) and node.delays is not None:
        yield "delays", node.delays, node.synapse_shape
