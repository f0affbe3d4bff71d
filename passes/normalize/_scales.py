"""Patterns that fold a scale into the weights before or after it, on both levels of networks.

linear(scale(x, f), w)  =>  linear(x, w f)        columns of w times the factors of the inputs
scale(linear(x, w), f)  =>  linear(x, f w)        rows of w, and the bias, times the factors of the outputs

Products of weights and the factors of a scale, with their rounding errors.

`weight (scale x)` is `(weight scale) x`, and `scale (weight x + bias)` is `(scale weight) x + scale bias`. This module defines the factor
of each weight, and the product with its error.

| synapse | a scale before it multiplies | a scale after it multiplies |
| --- | --- | --- |
| linear [..., o, i] | columns: one factor for each input | rows: one factor for each output, the bias too |
| convolution [c', c / groups, k] | kernels by the channel that they read | kernels by the channel that they write, the bias too |

A convolution has one weight for all positions, so factors that differ within a channel cannot be folded into it.

Source: the error of a product: T. Dekker, A floating-point technique for extending the available precision (1971).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.calibration_records import forget_means
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Reals
from ...core.arrays.values import RuleArray
from ...dialects import nir, ntensor

ScaleOp = nir.ScaleOp | ntensor.ScaleOp
LinearOp = nir.WeightedOp | ntensor.LinearOp
ConvolutionOp = nir.ConvolutionOp | ntensor.ConvolutionOp
Weights = LinearOp | ConvolutionOp

Factors = Mapping[str, NDArray[Any] | None]
"""The factors that each parameter of an op is multiplied by; None where there are none of this shape."""


SPLITTER = 2.0**27 + 1
"""Splits a double into two halves of at most 26 bits each."""


BLOCK = 2**16
"""Numbers that are multiplied at a time: the memory of a product in addition to its result."""


@frozen(eq=False)
class Product:
    """Products of weights and factors, with upper bounds of the rounding errors; a bound of 0 means no rounding."""

    values: AnyArray
    largest: float
    total: float

    @property
    def is_exact(self) -> bool:
        return self.largest == 0

    @property
    def is_finite(self) -> bool:
        return bool(np.isfinite(self.largest))


Products = dict[str, Product]
"""New values of parameters by name."""


def product(weights: AnyArray, factors: AnyArray, dtype: np.dtype[Any]) -> Product:
    """Element by element, in the shape that both broadcast to, rounded once to a type of reals.

    Operands are finite and convert exactly to f64.
    """
    shape = np.broadcast_shapes(weights.shape, factors.shape)
    left, right = np.broadcast_to(weights, shape).flat, np.broadcast_to(factors, shape).flat
    values = np.empty(shape, dtype)
    flat = values.reshape(-1)
    largest = total = 0.0
    for start in range(0, flat.size, BLOCK):
        block = slice(start, start + BLOCK)
        flat[block], errors = rounded_product(left[block], right[block], dtype)
        largest = float(np.maximum(largest, errors.max()))
        total += float(errors.sum())
    return Product(values, largest, total)


def rounded_product(weights: AnyArray, factors: AnyArray, dtype: np.dtype[Any]) -> tuple[AnyArray, Reals]:
    """A product and an upper bound of the error of each number, infinite or not a number where the product is."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        m, k = np.frexp(weights.astype(np.float64))
        n, j = np.frexp(factors.astype(np.float64))
        mantissas, exponents = m * n, k + j
        wide = np.ldexp(mantissas, exponents)
        lost = np.abs(mantissas - np.ldexp(wide, -exponents)) + np.abs(product_error(m, n, mantissas))
        lost = np.where(lost == 0, 0, np.maximum(np.ldexp(lost, exponents), np.finfo(np.float64).tiny))
        values = wide.astype(dtype)
        errors = lost + np.where(values == wide, 0, np.abs(values.astype(np.float64) - wide))
    return values, errors


def product_error(m: AnyArray, n: AnyArray, rounded: AnyArray) -> AnyArray:
    """Returns the rounding error of `m * n`, for numbers whose size is at most 1."""
    m_high = SPLITTER * m - (SPLITTER * m - m)
    n_high = SPLITTER * n - (SPLITTER * n - n)
    m_low, n_low = m - m_high, n - n_high
    return m_low * n_low - (((rounded - m_high * n_high) - m_low * n_high) - m_high * n_low)


def are_powers_of_two(factors: AnyArray, is_positive: bool = False) -> bool:
    """Returns whether a multiplication by these numbers is exact; zero is not a power of two."""
    sizes = factors if is_positive else np.abs(factors)
    return bool((np.frexp(sizes)[0] == 0.5).all())


def by_channel(factors: AnyArray) -> AnyArray | None:
    """Returns one factor for each channel; None if factors differ within a channel. Shapes: factors () or [c, ...], result () or [c]."""
    if factors.ndim == 0:
        return factors
    rows = factors.reshape(len(factors), -1)
    return rows[:, 0] if (rows == rows[:, :1]).all() else None


def linear_factors(factors: AnyArray, is_before: bool) -> AnyArray:
    """Factors as they meet the weights of a linear map. Shapes: factors () or [..., i] of the operand, or [..., o] of the result."""
    return np.expand_dims(factors, -2 if is_before else -1) if factors.ndim else factors


def convolution_factors(factors: AnyArray, weight: AnyArray, groups: int, is_before: bool) -> AnyArray | None:
    """Returns factors in a shape that broadcasts to the kernels of a convolution; None if factors differ within a channel.

    Shapes: factors () or [c, ...] of the operand, or [c', ...] of the result; weight [c', c / groups, ...].
    """
    channels = by_channel(factors)
    if channels is None or channels.ndim == 0:
        return channels
    if is_before:
        channels = channels.reshape(groups, weight.shape[1]).repeat(len(weight) // groups, axis=0)
    return channels.reshape(channels.shape + (1,) * (weight.ndim - channels.ndim))


class Folding(ABC):
    """The conditions under which an op takes the factors of a scale. One per dialect and exactness."""

    @abstractmethod
    def accepts(self, scale: ScaleOp, op: Operation) -> bool:
        """Returns whether `op` may take the factors of `scale`."""

    @abstractmethod
    def multiply(self, scale: ScaleOp, array: ArrayAttr, factors: NDArray[Any], is_before: bool) -> Product | None:
        """Returns the product of a parameter and its factors; None if the product requires a rounding that is not allowed."""

    def products(self, scale: ScaleOp, op: Operation, factors: Factors, is_before: bool) -> Products | None:
        """Returns all new parameters of an op; None if any of them cannot be computed."""
        found: Products = {}
        for name, values in factors.items():
            array = parameter(op, name)
            if values is None or isinstance(array.data, RuleArray):
                return None
            if (product := self.multiply(scale, array, values, is_before)) is None:
                return None
            found[name] = product
        return found

    def apply(self, scale: ScaleOp, op: Operation, products: Products, is_before: bool) -> None:
        """Sets the new parameters of an op."""
        op.properties.update({name: ArrayAttr.of(product.values) for name, product in products.items()})
        forget_means(op)


def scale_factors(op: ScaleOp) -> NDArray[Any]:
    """Returns the factors of a scale."""
    return (op.weight_values() if isinstance(op, ntensor.ScaleOp) else op.scale).values


def parameter(op: Operation, name: str) -> ArrayAttr:
    """Returns a parameter of an op; for quantized weights, their real values."""
    if isinstance(op, ntensor.SynapseOpInterface) and name == op.WEIGHTS:
        return op.weight_values()
    array = op.properties[name]
    assert isinstance(array, ArrayAttr)  # the definition of the op
    return array


def parameter_factors(op: Operation, factors: NDArray[Any], is_before: bool) -> Factors:
    """Returns the factors of an op's parameters when its operand loses the factors of a scale, or its result gains them."""
    match op:
        case nir.ScaleOp() | ntensor.ScaleOp():
            return {"scale": factors}
        case nir.ConvolutionOp() | ntensor.ConvolutionOp():
            groups = op.groups.value.data if isinstance(op, ntensor.ConvolutionOp) else nir.integers(op.groups, 1)[0]
            weight, bias = convolution_factors(factors, op.weight.values, groups, is_before), by_channel(factors)
        case _:
            weight, bias = linear_factors(factors, is_before), factors
    has_bias = "bias" in op.properties and not is_before
    return {"weight": weight, "bias": bias} if has_bias else {"weight": weight}


@dataclass
class FoldForwards(RewritePattern):
    """linear(scale(x, f), w) => linear(x, w f), for all users of the scale or none."""

    folding: Folding
    into: Any = Weights
    """Classes of ops that take the factors."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.ScaleOp | ntensor.ScaleOp, rewriter: PatternRewriter, /) -> None:
        users = [use.operation for use in op.y.uses]
        if not users or op in users:
            return
        if not all(isinstance(user, self.into) and self.folding.accepts(op, user) for user in users):
            return
        products = [
            self.folding.products(op, user, parameter_factors(user, scale_factors(op), is_before=True), is_before=True)
            for user in users
        ]
        if not all(found is not None for found in products):
            return
        for user, found in zip(users, products, strict=True):
            self.folding.apply(op, user, found or {}, is_before=True)
            user.operands[0] = op.x
            rewriter.notify_op_modified(user)
        rewriter.erase(op)


@dataclass
class FoldBackwards(RewritePattern):
    """scale(linear(x, w), f) => linear(x, f w), where the scale is the only user."""

    folding: Folding
    into: Any = Weights
    """Classes of ops that take the factors."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.ScaleOp | ntensor.ScaleOp, rewriter: PatternRewriter, /) -> None:
        source = op.x.owner
        if not isinstance(source, self.into) or source is op or not op.x.has_one_use() or ntensor.owned_delays(op):
            return
        assert isinstance(source, Operation)  # `into` holds classes of ops
        if not self.folding.accepts(op, source):
            return
        factors = scale_factors(op)
        products = self.folding.products(
            op, source, parameter_factors(source, factors, is_before=False), is_before=False
        )
        if products is None:
            return
        self.folding.apply(op, source, products, is_before=False)
        rewriter.notify_op_modified(source)
        rewriter.replace_all_uses_with(op.y, source.results[0])
        rewriter.erase(op)


def fold_patterns(folding: Folding) -> list[RewritePattern]:
    """Returns the folding patterns in order: patterns that fold into weights precede patterns that fold into another scale."""
    return [
        FoldForwards(folding),
        FoldBackwards(folding),
        FoldForwards(folding, Weights | ScaleOp),
        FoldBackwards(folding, ScaleOp),
    ]
