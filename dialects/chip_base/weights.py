"""Weights as a device stores them: integers, their bits, and the power of two that they share.

A table stores a weight as a mantissa with one exponent for the table: `weight = mantissa * 2^exponent`. Integers that share a power of two
have mantissas with fewer bits, and no number changes.

    12, -8, 20 (6 bits)  =  (3, -2, 5) * 2^2 (4 bits)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.synapse_records import SignMode
from ..ntensor import QuantizedAttr, SynapseOpInterface
from ..ntensor.learning.bounds import learnt_bounds

Mantissas = tuple[int, ...]
"""Bits of the widest mantissa for each exponent from 0 to the greatest one that all weights share."""


def smallest_integers(values: Ints) -> AnyArray:
    """Returns the same integers in the smallest signed type."""
    low, high = int(values.min(initial=-1)), int(values.max(initial=0))
    return values.astype(np.result_type(np.min_scalar_type(low), np.min_scalar_type(-high - 1)))


def bits_of_range(low: int, high: int) -> int:
    """Returns the signed bits of the integers of a range; 1 if all are 0 or 1."""
    if low >= 0 and high <= 1:
        return 1
    return 1 + max(max(high, 0).bit_length(), (~min(low, 0)).bit_length())


def weight_bits(op: Any) -> int:
    """Returns the bits of the widest weight of an op, 0 if it has none; integers with a zero point are counted without it."""
    array = op.weights if isinstance(op, SynapseOpInterface) else None
    if array is None or not array.data.size:
        return 0
    if isinstance(quantized := op.properties.get("quantized"), QuantizedAttr):
        bits = int(quantized.bits.data)
        if not quantized.has_zero:
            return bits
        steps = op.weight_steps().data
        return max(bits, bits_of_range(int(steps.least()), int(steps.greatest())))
    if array.data.dtype.kind not in "iu":
        return 8 * array.data.stored_dtype.itemsize if array.data.dtype.kind == "f" else 1
    return bits_of_range(int(array.data.least()), int(array.data.greatest()))


def sign_of_range(low: float, high: float) -> SignMode:
    """Returns the sign mode of a table with weights of a range."""
    return "excitatory" if low >= 0 else "inhibitory" if high <= 0 else "mixed"


def sign_of(op: SynapseOpInterface) -> SignMode:
    """Returns the sign mode of the weights of an op, with all values that weights which change can have. A pool adds, as positive weights do."""
    if op.weights is None or not op.weights.data.size:
        return "excitatory"
    steps = op.weight_steps().data
    low, high = float(steps.least()), float(steps.greatest())
    if (ends := learnt_bounds(op)) is not None:
        low, high = min(low, ends[0]), max(high, ends[1])
    return sign_of_range(low, high)


def is_mixed(op: SynapseOpInterface) -> bool:
    """Returns whether weights have both signs."""
    return sign_of(op) == "mixed"


def mantissa_bits(op: Any) -> Mantissas:
    """Returns the bits of the mantissas of an op by exponent. Weights that change keep the exponent 0.

    Weights of 1 bit that are -1 and 1 have mantissas of 2 bits, because 1 bit of two's complement holds -1 and 0.
    """
    bits = weight_bits(op)
    if bits == 1 and is_mixed(op):
        bits = 2
    if not bits or op.learning_rule is not None:
        return (bits,)
    return (bits, *(min(bits, n) for n in bits_by_exponent(integer_blocks(op))[1:]))


def bits_by_exponent(blocks: Iterable[Ints]) -> Mantissas:
    """Returns the mantissa widths of integers by exponent. After the first odd integer, only exponent 0 is possible, and later blocks are not read."""
    low = high = held = 0
    for block in blocks:
        low, high = min(low, int(block.min(initial=0))), max(high, int(block.max(initial=0)))
        held |= int(np.bitwise_or.reduce(block, axis=None, initial=0))
        if held & 1:
            break
    shared = 0 if held == 0 else (held & -held).bit_length() - 1
    return tuple(bits_of_range(low >> k, high >> k) for k in range(shared + 1))


def integer_blocks(op: SynapseOpInterface) -> Iterator[Ints]:
    """Yields the stored integers of an op in blocks; none if they are reals."""
    if op.weights is not None and op.weights.data.dtype.kind != "f":
        for block in op.weight_steps().data.blocks():
            yield np.asarray(block).astype(np.int64)
