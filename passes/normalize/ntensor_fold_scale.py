"""Folds scales into the weights before or after them, where no bit changes, and on request also elsewhere, on record.

    %y = ntensor.scale "gain" %x {scale = 3}          =>    %z = ntensor.linear "fc" %x {weight = 12}
    %z = ntensor.linear "fc" %y {weight = 4}

1. The results of both ops have the same type, f32 or f64; no delay is part of the scale.
2. Forwards: every user of the scale is a linear or convolution op. It takes the factors of its inputs.
3. Otherwise backwards: the scale is the only user of such an op. That op takes the factors of its outputs, its bias too, and then has
   the result of the scale. Where neither applies, another scale before or after takes the factors.
4. A convolution takes factors that are equal within a channel.
5. No product is rounded. Weights keep their type where it holds all products, and otherwise take that of the result: two f32 have an
   exact product in f64.
6. Every factor is a power of two, backwards a positive one (-1 times no input is -0); or, forwards, the scale reads spikes, which are
   0 or 1.
7. Weights that are a rule stay one, since their products would have to be stored.
8. Quantized weights keep their integers, or change their signs, and their scale takes the factors, where no product changes. Elsewhere they
   become reals, and `quantized` is removed; fold before weights are quantized.
9. Weights that learn stay: their rule has bounds and steps in the same unit.

Exactness: bit for bit, as long as numbers stay normal (no underflow). With `rounding`, 5 and 6 are given up: weights are rounded once,
and sums are rounded in other places than before. The nodes and the errors of their weights are recorded on the network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from attrs import define, field
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp, i1
from xdsl.ir import Operation
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

from ...analysis.approximation_errors import Errors
from ...analysis.node_selection import name_of
from ...core.arrays.arrays import ArrayAttr, dtype_of
from ...core.ir.operation import element_type
from ...core.ir.pipeline import NoptPass, pass_text
from ...dialects import ntensor
from ._scales import (
    Folding,
    Product,
    Products,
    ScaleOp,
    are_powers_of_two,
    fold_patterns,
    parameter_factors,
    product,
    scale_factors,
)


class ExactFolding(Folding):
    """Folding without any rounding."""

    def accepts(self, scale: ScaleOp, op: Operation) -> bool:
        element = element_type(scale.y)
        return (
            isinstance(element, Float32Type | Float64Type)
            and element_type(op.results[0]) == element  # 1
            and "plasticity" not in op.properties  # 9
        )

    def multiply(self, scale: ScaleOp, array: ArrayAttr, factors: NDArray[Any], is_before: bool) -> Product | None:
        if not is_exact_anywhere(scale, is_before):  # 6
            return None
        found = multiply(scale, array, factors)
        return found if found.is_exact else None  # 5

    def apply(self, scale: ScaleOp, op: Operation, products: Products, is_before: bool) -> None:
        kept = scaled_integers(scale, op, products, is_before)  # 8
        super().apply(scale, op, products, is_before)
        if isinstance(op, ntensor.SynapseOpInterface):
            assert op.weights is not None  # it takes factors
            op.replace_weights(*(kept or (op.weights, None)))


def scaled_integers(
    scale: ScaleOp, op: Operation, products: Products, is_before: bool
) -> tuple[ArrayAttr, ntensor.QuantizedAttr] | None:
    """Returns the integers of quantized weights with the scale that takes the factors; None where a product would be another number."""
    if not isinstance(op, ntensor.SynapseOpInterface) or (given := op.quantized_weights) is None:
        return None
    assert op.weights is not None  # quantized
    name, dtype = op.WEIGHTS or "", dtype_of(element_type(op.y))
    factors = parameter_factors(op, scale_factors(scale), is_before)[name]
    assert factors is not None  # the products exist
    assert dtype is not None  # 1
    if given.has_zero and (factors < 0).any():
        return None
    integers = (op.weights.values * (1 if given.has_zero else np.sign(factors))).astype(np.int64)
    scales = given.scale.values * np.abs(factors.astype(np.float64))
    most = 2 ** (given.bits.data - 1)
    fits = -most <= integers.min(initial=0) and integers.max(initial=0) < max(most, 2)
    if not fits or not (np.isfinite(scales) & (scales > 0)).all():
        return None
    quantized = given.with_scale(scales)
    stored = integers.astype(op.weights.data.dtype)
    is_same = np.array_equal(quantized.values_of(stored, dtype), products[name].values)
    return (ArrayAttr.of(stored), quantized) if is_same else None


@define
class RoundedFolding(ExactFolding):
    """Folding with rounding, and a record of the nodes and of the errors of their weights."""

    errors: Errors = field(factory=Errors)

    def multiply(self, scale: ScaleOp, array: ArrayAttr, factors: NDArray[Any], is_before: bool) -> Product | None:
        found = multiply(scale, array, factors)
        return found if found.is_finite else None

    def apply(self, scale: ScaleOp, op: Operation, products: Products, is_before: bool) -> None:
        super().apply(scale, op, products, is_before)
        for found in products.values():
            if not (found.is_exact and is_exact_anywhere(scale, is_before)):
                self.errors.add_sum(name_of(op), found.largest, found.total, found.values.size)


def is_exact_anywhere(scale: ScaleOp, is_before: bool) -> bool:
    """Returns whether the factors round no sum, before it or after it."""
    if is_before and element_type(scale.x) == i1:
        return True
    return are_powers_of_two(scale_factors(scale), is_positive=not is_before)


def multiply(scale: ScaleOp, array: ArrayAttr, factors: NDArray[Any]) -> Product:
    """Returns the product of an array and factors, in the array's type if all products are exact in it, else in the type of the result."""
    dtype = dtype_of(element_type(scale.y))
    assert dtype is not None  # a real type
    found = product(array.values.astype(dtype), factors.astype(dtype), dtype)
    if array.values.dtype.kind == "f" and array.values.dtype.itemsize < np.dtype(dtype).itemsize:
        narrow = product(array.values, factors, array.values.dtype)
        return narrow if narrow.is_exact else found
    return found


@dataclass(frozen=True)
class NtensorFoldScalePass(NoptPass):
    """Folds the scales of every `ntensor.network`.

    Options:
        rounding: fold also where numbers are rounded, and record it; default false. It trades last bits of the result for fewer ops.
    """

    name = "ntensor-fold-scale"
    rounding: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in [inner for inner in op.ops if isinstance(inner, ntensor.NetworkOp)]:
            rounded = RoundedFolding()
            patterns = fold_patterns(ExactFolding()) + (fold_patterns(rounded) if self.rounding else [])
            PatternRewriteWalker(GreedyRewritePatternApplier(patterns)).rewrite_region(network.body)
            rounded.errors.record(
                network, pass_text(self), "scales folded into weights; sums are rounded in other places"
            )
