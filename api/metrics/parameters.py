"""Parameters of a network: their number, their memory, and the share of weights that are zero.

A parameter is a weight or a bias of a connection. Parameters of neurons are not counted: snnTorch, for example, stores them as buffers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import element_type
from ...dialects.ntensor import NetworkOp, ScaleOp, SynapseOpInterface

SPARSITY_DIGITS = 4
"""Decimals to which NeuroBench rounds the sparsity of connections."""


@frozen
class ParameterTotals:
    """Totals over the parameters of a network."""

    count: int
    bits: int
    """Bits of all parameters: those of quantised weights, or of the numbers in which the network computes."""
    has_integers: bool
    """Whether a parameter is an integer."""
    weights: int
    """Weights of connections."""
    zeros: int
    """Weights of connections that are zero."""

    @property
    def bytes(self) -> int:
        return -(-self.bits // 8)

    @property
    def sparsity(self) -> float | None:
        """The share of zeros, as NeuroBench rounds it: quotient in single precision, then four decimals. None without weights."""
        if not self.weights:
            return None
        return round(float(np.float32(self.zeros) / np.float32(self.weights)), SPARSITY_DIGITS)


def connections(network: NetworkOp) -> Iterator[SynapseOpInterface]:
    """Yields the connections of a network: linear maps and convolutions with weights. Scales and pools are none."""
    for op in network.body.block.ops:
        if isinstance(op, SynapseOpInterface) and op.weights is not None and not isinstance(op, ScaleOp):
            yield op


def count_parameters(network: NetworkOp) -> ParameterTotals:
    """Returns the totals over the parameters of all connections and scales."""
    count = bits = weights = zeros = 0
    has_integers = False
    scales = (op for op in network.body.block.ops if isinstance(op, ScaleOp))
    for op in chain(connections(network), scales):
        for array, width in parameter_arrays(op):
            count += array.data.size
            bits += array.data.size * width
        has_integers |= op.quantized_weights is not None or not has_real_result(op)
        if not isinstance(op, ScaleOp):
            steps = op.weight_steps().data
            weights += steps.size
            zeros += steps.size - sum(int(np.count_nonzero(block)) for block in steps.blocks())
    return ParameterTotals(count, bits, has_integers, weights, zeros)


def parameter_arrays(op: SynapseOpInterface) -> Iterator[tuple[ArrayAttr, int]]:
    """Yields weights and bias of an op, each with the bits of a number.

    NIR has no convolution without a bias, so a bias of zeros is not a parameter of a convolution.
    """
    weights, bias, quantized = op.weights, op.optional_array("bias"), op.quantized_weights
    if weights is not None:
        yield weights, number_bits(op, weights) if quantized is None else quantized.bits.data
    if bias is not None and not (op.SHARES_WEIGHTS and not bias.values.any()):
        yield bias, number_bits(op, bias)


def number_bits(op: SynapseOpInterface, array: ArrayAttr) -> int:
    """Returns the bits of a number of an array: those of the real result, or of the stored integer."""
    element = element_type(op.y)
    return element.bitwidth if isinstance(element, Float32Type | Float64Type) else 8 * array.data.dtype.itemsize


def has_real_result(op: Operation) -> bool:
    """Returns whether the first result of an op is real."""
    return isinstance(element_type(op.results[0]), Float32Type | Float64Type)
