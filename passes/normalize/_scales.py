"""Patterns that fold a scale into the weights before or after it, on both levels of networks.

linear(scale(x, f), w)  =>  linear(x, w f)        columns of w times the factors of the inputs
scale(linear(x, w), f)  =>  linear(x, f w)        rows of w, and the bias, times the factors of the outputs
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.values import RuleArray
from ...dialects import nir, ntensor
from ._products import Product, by_channel, convolution_factors, linear_factors

ScaleOp = nir.ScaleOp | ntensor.ScaleOp
LinearOp = nir.WeightedOp | ntensor.LinearOp
ConvolutionOp = nir.ConvolutionOp | ntensor.ConvolutionOp
Weights = LinearOp | ConvolutionOp

Factors = Mapping[str, NDArray[Any] | None]
"""The factors that each parameter of an op is multiplied by; None where there are none of this shape."""
Products = dict[str, Product]
"""New values of parameters by name."""


class Folding(ABC):
    """The conditions under which an op takes the factors of a scale. One per dialect and exactness."""

    @abstractmethod
    def accepts(self, scale: ScaleOp, op: Operation) -> bool:
        """Returns whether `op` may take the factors of `scale`."""

    @abstractmethod
    def multiply(self, scale: ScaleOp, array: ArrayAttr, factors: NDArray[Any], is_before: bool) -> Product | None:
        """Returns the product of a parameter and its factors, or None if it may not be rounded as it would be."""

    def products(self, scale: ScaleOp, op: Operation, factors: Factors, is_before: bool) -> Products | None:
        """Returns all new parameters of an op, or None if one cannot be computed."""
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


def scale_factors(op: ScaleOp) -> NDArray[Any]:
    """Returns the factors of a scale."""
    return (op.weight_values() if isinstance(op, ntensor.ScaleOp) else op.scale).values


def parameter(op: Operation, name: str) -> ArrayAttr:
    """Returns a parameter of an op: weights as the numbers by which the op multiplies."""
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
    """Returns the patterns in the order in which they are tried: into weights, or else into another scale."""
    return [
        FoldForwards(folding),
        FoldBackwards(folding),
        FoldForwards(folding, Weights | ScaleOp),
        FoldBackwards(folding, ScaleOp),
    ]
