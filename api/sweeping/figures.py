"""Figures of a point of a sweep: bytes and errors of weights, accuracy, and how the outputs compare with those before any pass."""

from __future__ import annotations

from collections.abc import Mapping
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
from ..running.comparison import as_float64, cosine
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


def accuracy(counts: NDArray[np.float64], labels: NDArray[Any] | None) -> float | None:
    """Returns the ratio of samples whose label is the index of the largest count (on ties, the lowest index). Shapes: counts [samples, neurons]."""
    return None if labels is None or not labels.size else float((counts.argmax(1) == labels).mean())


@frozen
class Measured:
    """Outputs of the network before any pass: the reference for all points."""

    result: Result
    labels: NDArray[Any] | None

    @property
    def arrays(self) -> Mapping[str, NDArray[Any]]:
        return self.result.arrays

    def figures(self, arrays: Mapping[str, NDArray[Any]], has_samples: bool) -> dict[str, Any]:
        """Returns accuracy and cosines of outputs; cosines are None if the shape of an output changed."""
        figures: dict[str, Any] = {"accuracy": None, "rate_cosine": None, "bin_cosine": None}
        if self.labels is not None:
            (only,) = arrays.values()
            only = only if has_samples else only[None]
            figures["accuracy"] = accuracy(only.sum(1, dtype=np.float64).reshape(len(only), -1), self.labels)
        if {name: a.shape for name, a in arrays.items()} == {name: a.shape for name, a in self.arrays.items()}:
            ticks = (0, 1) if has_samples else 0
            a, b = ([side[name] for name in self.arrays] for side in (self.arrays, arrays))
            rates = (np.concatenate([x.sum(ticks, np.float64).reshape(-1) for x in side]) for side in (a, b))
            figures["rate_cosine"] = cosine(*rates)
            figures["bin_cosine"] = cosine(
                *(np.concatenate([as_float64(x).reshape(-1) for x in side]) for side in (a, b))
            )
        return figures
