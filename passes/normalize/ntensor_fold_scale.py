"""Makes scales a part of the weights before or behind them: where that changes no bit, and, if asked for, where it does, on record.

    %y = ntensor.scale "gain" %x {scale = 3}          =>    %z = ntensor.linear "fc" %x {weight = 12}
    %z = ntensor.linear "fc" %y {weight = 4}

1. The results of both ops have the same type, f32 or f64; no delay is part of the scale.
2. Forwards: everything that reads the scale is a linear or convolution op. It takes the factors of its inputs.
3. Else backwards: the scale alone reads such an op. That op takes the factors of its outputs, its bias too; from then on it gives
   what the scale gave. Where neither can be, another scale before or behind takes the factors over.
4. A convolution takes factors that do not differ within a channel.
5. No product is rounded. Weights keep their type where it holds all products, else take that of the result: two f32 have an exact
   product in f64.
6. Every factor is a power of two, backwards a positive one (-1 times no input is -0); or, forwards, the scale reads spikes, which are
   0 or 1.
7. Weights that are a rule stay one: their products would have to be stored.
8. Weights that were integers times a scale are that no more, so `quantized` goes; fold before weights are quantized.
9. Weights that learn stay as they are: their rule has bounds and steps in the same unit.

Exactness: bit for bit, as long as numbers stay normal (no underflow). With `rounding`, 5 and 6 are given up: weights are rounded once,
and sums are rounded in other places than before. The nodes and the errors of their weights are recorded on the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from attrs import define, field
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp, i1
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ...core.array_values import RuleArray
from ...core.arrays import ArrayAttr, dtype_of
from ...core.operation import element_type
from ...core.pipeline import NoptPass, pass_text
from ...dialects import ntensor
from .rules.owned import owns_delay
from .rules.products import (
    Product,
    are_powers_of_two,
    before_convolution,
    before_linear,
    behind_convolution,
    behind_linear,
    by_channel,
    product,
)

Products = Mapping[str, Product | None]
"""New values of parameters, by name; None for one that cannot be said."""

Kinds = tuple[type[Operation], ...]


@define
class Rounded:
    """Which nodes were changed beyond a shift of the binary point, and the errors of their weights."""

    touched: list[str] = field(factory=list[str])
    products: list[Product] = field(factory=list[Product])


def times(array: ArrayAttr, factors: NDArray[Any] | None, dtype: np.dtype[Any]) -> Product | None:
    """An array times factors in the type of the result, in its own type where that holds all products."""
    if factors is None or isinstance(array.data, RuleArray):  # 7
        return None
    found = product(array.values.astype(dtype), factors.astype(dtype), dtype)
    if array.values.dtype.kind == "f" and array.values.dtype.itemsize < dtype.itemsize:
        narrow = product(array.values, factors, array.values.dtype)
        return narrow if narrow.is_exact else found
    return found


def read_scaled(op: Operation, factors: NDArray[Any], dtype: np.dtype[Any]) -> Products:
    """The parameters of an op that reads an operand without its factors."""
    match op:
        case ntensor.ScaleOp():
            return {"scale": times(op.scale, factors, dtype)}
        case ntensor.LinearOp():
            return {"weight": times(op.weight, before_linear(factors), dtype)}
        case ntensor.ConvolutionOp():
            groups = op.groups.value.data
            return {"weight": times(op.weight, before_convolution(factors, op.weight.values, groups), dtype)}  # 4
        case _:
            return {"": None}


def give_scaled(op: Operation, factors: NDArray[Any], dtype: np.dtype[Any]) -> Products:
    """The parameters of an op whose result has factors."""
    match op:
        case ntensor.ScaleOp():
            return {"scale": times(op.scale, factors, dtype)}
        case ntensor.LinearOp():
            weight, bias = behind_linear(factors), factors
        case ntensor.ConvolutionOp():
            weight, bias = behind_convolution(factors, op.weight.values), by_channel(factors)  # 4
        case _:
            return {"": None}
    found: Products = {"weight": times(op.weight, weight, dtype)}
    return found if op.bias is None else {**found, "bias": times(op.bias, bias, dtype)}


@dataclass(frozen=True)
class NtensorFoldScalePass(NoptPass):
    """Folds the scales of every `ntensor.network`.

    Options:
        rounding: fold also where numbers are rounded, and record it; default false. Fewer ops for the last bits of the result.
    """

    name = "ntensor-fold-scale"
    rounding: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in [inner for inner in op.ops if isinstance(inner, ntensor.NetworkOp)]:
            rounded = Rounded()
            for scale in [inner for inner in network.body.block.ops if isinstance(inner, ntensor.ScaleOp)]:
                ways = (None, rounded) if self.rounding else (None,)
                _ = any(fold(scale, way) for way in ways)
            if rounded.touched:
                largest = max(found.largest for found in rounded.products)
                count = sum(found.values.size for found in rounded.products)
                mean = sum(found.total for found in rounded.products) / max(1, count)
                what = "scales folded into weights; sums are rounded in other places"
                touched = dict.fromkeys(rounded.touched)
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, touched, largest, mean))


def fold(scale: ntensor.ScaleOp, rounded: Rounded | None) -> bool:
    """Folds a scale into weights, or else into another scale; without `rounded` only where no bit changes."""
    kinds = (ntensor.LinearOp, ntensor.ConvolutionOp)
    return (
        fold_forwards(scale, kinds, rounded)
        or fold_backwards(scale, kinds, rounded)
        or fold_forwards(scale, (*kinds, ntensor.ScaleOp), rounded)
        or fold_backwards(scale, (ntensor.ScaleOp,), rounded)
    )


def is_alike(scale: ntensor.ScaleOp, op: Operation) -> bool:
    """Whether an op computes in the same reals as a scale, with weights that stay."""
    element = element_type(scale.y)
    return (
        isinstance(element, Float32Type | Float64Type)
        and element_type(op.results[0]) == element
        and "plasticity" not in op.properties  # 9
    )


def fold_forwards(scale: ntensor.ScaleOp, kinds: Kinds, rounded: Rounded | None) -> bool:
    readers = [use.operation for use in scale.y.uses]
    if not readers or not all(isinstance(reader, kinds) and is_alike(scale, reader) for reader in readers):  # 1, 2
        return False
    factors, dtype = scale.scale.values, dtype_of(element_type(scale.y))
    assert dtype is not None  # a real type
    found = [read_scaled(reader, factors, dtype) for reader in readers]
    is_exact = element_type(scale.x) == i1 or are_powers_of_two(factors)  # 6
    if not all(fits(products, is_exact, rounded) for products in found):
        return False
    for reader, products in zip(readers, found, strict=True):
        take(reader, products, is_exact, rounded)
        reader.operands[0] = scale.x
    Rewriter.erase_op(scale)
    return True


def fold_backwards(scale: ntensor.ScaleOp, kinds: Kinds, rounded: Rounded | None) -> bool:
    giver = scale.x.owner
    if not isinstance(giver, Operation) or not isinstance(giver, kinds) or not scale.x.has_one_use():  # 3
        return False
    if not is_alike(scale, giver) or owns_delay(scale):  # 1
        return False
    factors, dtype = scale.scale.values, dtype_of(element_type(scale.y))
    assert dtype is not None  # a real type
    products = give_scaled(giver, factors, dtype)
    is_exact = are_powers_of_two(factors, is_positive=True)  # 6
    if not fits(products, is_exact, rounded):
        return False
    take(giver, products, is_exact, rounded)
    scale.y.replace_all_uses_with(giver.results[0])
    Rewriter.erase_op(scale)
    return True


def fits(products: Products, is_exact: bool, rounded: Rounded | None) -> bool:
    """Whether an op can take these parameters: without a rounding, or with, where that is recorded."""
    given = [found for found in products.values() if found is not None]
    if len(given) < len(products) or not all(found.is_finite for found in given):  # 4
        return False
    return rounded is not None or (is_exact and all(found.is_exact for found in given))  # 5, 6


def take(op: Operation, products: Products, is_exact: bool, rounded: Rounded | None) -> None:
    """Gives an op its new parameters, and notes what they were rounded by."""
    for name, found in products.items():
        if found is not None:
            op.properties[name] = ArrayAttr.of(found.values)
            op.properties.pop("quantized", None)  # 8
            if rounded is not None and not (is_exact and found.is_exact):
                rounded.touched.append(str(getattr(op.properties["node"], "data", "")))
                rounded.products.append(found)
