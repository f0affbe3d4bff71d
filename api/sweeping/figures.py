"""Figures of a point of a sweep: bytes and errors of weights, accuracy, and the loss of the outputs."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import describe_op
from ...dialects import ntensor
from ..running.level_records import Level
from ..running.run import Result


def op_bytes(op: Operation, bits: int | None = None) -> int:
    """Returns the bytes of the weights of an op, 0 without weights; `bits` replaces the bits of each weight."""
    weights = op.properties.get("weight") or op.properties.get("scale")
    if not isinstance(weights, ArrayAttr):
        return 0
    quantized = op.properties.get("quantized")
    is_quantized = isinstance(quantized, ntensor.QuantizedAttr)
    own = quantized.bits.data if is_quantized else 8 * weights.data.stored_dtype.itemsize
    return ceil(int(np.prod(weights.shape, dtype=np.int64)) * (own if bits is None else bits) / 8)


def weight_bytes(network: ntensor.NetworkOp) -> int:
    """Returns the bytes of all weights of a network."""
    return sum(map(op_bytes, network.body.block.ops))


def quantized_layers(network: ntensor.NetworkOp) -> dict[str, list[Operation]]:
    """Returns the ops with quantized weights by their node, in the order of the network."""
    found: dict[str, list[Operation]] = {}
    for op in network.body.block.ops:
        if isinstance(op.properties.get("quantized"), ntensor.QuantizedAttr):
            found.setdefault(describe_op(op)[1] or "", []).append(op)
    return found


def weight_error(network: ntensor.NetworkOp, before: int) -> float:
    """Returns the largest error of a weight that was recorded after the first `before` records."""
    records = list(network.approximations or ())[before:]
    found = [r.largest for r in records if r.what.data.startswith("weights")]
    return max((error.value.data for error in found if isinstance(error, FloatAttr)), default=0.0)


@frozen
class Measured:
    """Outputs of the network before any pass: the reference for all points."""

    result: Result
    labels: NDArray[Any] | None

    @property
    def accuracy(self) -> float | None:
        """The ratio of samples whose label is the neuron with the largest sum; None without labels."""
        if self.labels is None or not self.labels.size:
            return None
        (name,) = self.result.arrays
        return float(np.mean(np.array(self.result.argmax(name)) == self.labels))


def level_figures(level: Level) -> dict[str, Any]:
    """Returns the figures of a point from its outputs, compared with the network before any pass."""
    return {name: getattr(level, name) for name in ("accuracy", "loss", "rate_cosine", "bin_cosine")}
