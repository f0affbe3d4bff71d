"""Patterns between scalar parameters and arrays of equal entries.

The nodes whose parameters may be a scalar or an array, and the shape of the array:

| node | parameter | array |
| --- | --- | --- |
| a population | all | [...], the population |
| scale, delay | `scale`, `delay` | [...], the operand |
| affine | `bias` | [..., o], the result |
| convolution | `bias` | [c'], the channels of the result |
| any synapse op | `delays` | the axes of its weights |
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...core.arrays.arrays import ArrayAttr, uniform
from ...core.arrays.values import RuleArray
from ...core.ir.operation import shape_of
from ...dialects import nir


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


class ExpandParameters(RewritePattern):
    """tau = 0.02 => tau = [0.02, 0.02]"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.NodeOp, rewriter: PatternRewriter, /) -> None:
        for name, array, shape in scalar_parameters(op):
            if not array.shape and shape:
                op.properties[name] = ArrayAttr.of(np.broadcast_to(array.values, shape))
                rewriter.notify_op_modified(op)


class ContractParameters(RewritePattern):
    """tau = [0.02, 0.02] => tau = 0.02"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.NodeOp, rewriter: PatternRewriter, /) -> None:
        for name, array, _ in scalar_parameters(op):
            if (scalar := scalar_of(array)) is not None:
                op.properties[name] = ArrayAttr.of(scalar)
                rewriter.notify_op_modified(op)


def scalar_of(array: ArrayAttr) -> NDArray[np.generic] | None:
    """Returns the one number of an array of equal entries; a rule is not evaluated for that."""
    if not array.shape or not array.data.size:
        return None
    if isinstance(array.data, RuleArray):
        return np.asarray(array.data.least()) if array.data.rule.name == "constant" else None
    contracted = uniform(array.values)
    return None if contracted.shape else contracted
