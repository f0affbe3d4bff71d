"""Synapse ops: linear maps, convolutions, pools and scales, each in a file by its subject, and the interface that they share."""

from __future__ import annotations

from ._convolution import Conv1dOp, Conv2dOp, ConvolutionOp
from ._linear import FanInLinearOp, LinearOp, ScaleOp, SparseLinearOp
from ._pool import AvgPool2dOp, MaxPool2dOp, PoolOp, SumPool2dOp
from ._synapse_checks import QuantizedAttr
from ._synapse_interface import SynapseOpInterface, WeightLines, WindowOp

__all__ = [
    "AvgPool2dOp",
    "Conv1dOp",
    "Conv2dOp",
    "ConvolutionOp",
    "FanInLinearOp",
    "LinearOp",
    "MaxPool2dOp",
    "PoolOp",
    "QuantizedAttr",
    "ScaleOp",
    "SparseLinearOp",
    "SumPool2dOp",
    "SynapseOpInterface",
    "WeightLines",
    "WindowOp",
]
