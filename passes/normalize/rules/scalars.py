"""Which parameters of a `nir` node may be a scalar or an array, and of which shape the array is.

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

from ....core.arrays import ArrayAttr
from ....core.operation import shape_of
from ....dialects import nir


def scalar_parameters(node: nir.NodeOp) -> Iterator[tuple[str, ArrayAttr, tuple[int, ...]]]:
    """Name, value and array shape of each parameter that is there."""
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
