"""Makes scales a part of the weights before or behind them, where that changes no bit.

    %y = nir.scale "gain" %x {scale = 0.5}          =>    %z = nir.linear "fc" %x {weight = 2}
    %z = nir.linear "fc" %y {weight = 4}

1. The scale, and every synapse op that takes it over, has no delays, plasticity or transmission.
2. Every factor is a power of two, 0.25 or -2 for example: then products and sums are only shifted. All other factors round
   differently before and behind a sum; `ntensor-fold-scale` folds them and records it.
3. Forwards: everything that reads the scale is a linear, affine or convolution op. It takes the factors of its inputs.
4. Else backwards: the scale alone reads such an op, and all factors are positive (-1 times no input is -0). That op takes the
   factors of its outputs, its bias too; from then on it gives what the scale gave. Where neither can be, another scale before or
   behind takes the factors over.
5. A convolution takes factors that do not differ within a channel.
6. No weight is rounded: products fit the type of the weights, which are reals.
7. Weights that are a rule stay one: their products would have to be stored.

Exactness: the same network, bit for bit as long as numbers stay normal (no underflow), but for one thing: the conversion to `ntensor`
orders sums of three and more by what is around them, so a last bit can differ there (`docs/rationale/exact-folding.md`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ...core.array_values import RuleArray
from ...core.arrays import ArrayAttr
from ...core.pipeline import NoptPass
from ...dialects import nir
from .rules.products import (
    are_powers_of_two,
    before_convolution,
    before_linear,
    behind_convolution,
    behind_linear,
    by_channel,
    product,
)

Factors = NDArray[Any] | None


Taker = Callable[[Operation], bool]


def has_weights(op: Operation) -> bool:
    """Whether an op has weights that can take factors over."""
    return isinstance(op, nir.WeightedOp | nir.ConvolutionOp) and is_plain(op)


def has_factors(op: Operation) -> bool:
    """Whether an op is a scale that can take factors over, or has weights that can."""
    return has_weights(op) or (isinstance(op, nir.ScaleOp) and is_plain(op))


def is_plain(op: nir.SynapseOp) -> bool:
    """Whether a synapse op has nothing but weights."""
    return op.delays is None and op.plasticity is None and op.transmission is None


def scaled(array: ArrayAttr, factors: Factors) -> ArrayAttr | None:
    """An array times factors in its own type, or None where a number would be rounded."""
    if factors is None or isinstance(array.data, RuleArray) or array.data.dtype.kind != "f":  # 7
        return None
    found = product(array.values, factors, array.values.dtype)
    return ArrayAttr.of(found.values) if found.is_exact else None  # 6


def read_scaled(op: Operation, factors: NDArray[Any]) -> dict[str, ArrayAttr | None]:
    """The parameters of an op that reads an operand without its factors; None for one that cannot be said."""
    match op:
        case nir.ScaleOp():
            return {"scale": scaled(op.scale, factors)}
        case nir.WeightedOp():
            return {"weight": scaled(op.weight, before_linear(factors))}
        case nir.ConvolutionOp():
            groups = nir.integers(op.groups, 1)[0]
            return {"weight": scaled(op.weight, before_convolution(factors, op.weight.values, groups))}  # 5
        case _:
            return {"": None}


def give_scaled(op: Operation, factors: NDArray[Any]) -> dict[str, ArrayAttr | None]:
    """The parameters of an op whose result has factors; None for one that cannot be said."""
    match op:
        case nir.ScaleOp():
            return {"scale": scaled(op.scale, factors)}
        case nir.AffineOp():
            return {"weight": scaled(op.weight, behind_linear(factors)), "bias": scaled(op.bias, factors)}
        case nir.WeightedOp():
            return {"weight": scaled(op.weight, behind_linear(factors))}
        case nir.ConvolutionOp():
            weight, bias = behind_convolution(factors, op.weight.values), by_channel(factors)
            return {"weight": scaled(op.weight, weight), "bias": scaled(op.bias, bias)}  # 5
        case _:
            return {"": None}


@dataclass(frozen=True)
class NirFoldScalePass(NoptPass):
    """Folds the scales of every `nir.graph`; a nested graph is looked at by itself."""

    name = "nir-fold-scale"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for scale in [inner for inner in op.walk() if isinstance(inner, nir.ScaleOp)]:
            if not is_plain(scale) or scale.x.owner is scale or not are_powers_of_two(scale.scale.values):  # 1, 2
                continue
            _ = any(fold_forwards(scale, takes) or fold_backwards(scale, takes) for takes in (has_weights, has_factors))


def fold_forwards(scale: nir.ScaleOp, takes: Taker) -> bool:
    readers = [use.operation for use in scale.y.uses]
    if not readers or not all(map(takes, readers)):  # 3, 1
        return False
    found = [read_scaled(reader, scale.scale.values) for reader in readers]
    if any(array is None for arrays in found for array in arrays.values()):  # 5, 6
        return False
    for reader, arrays in zip(readers, found, strict=True):
        reader.properties.update({name: array for name, array in arrays.items() if array is not None})
        reader.operands[0] = scale.x
    Rewriter.erase_op(scale)
    return True


def fold_backwards(scale: nir.ScaleOp, takes: Taker) -> bool:
    giver = scale.x.owner
    if not isinstance(giver, Operation) or not takes(giver) or not scale.x.has_one_use():  # 4, 1
        return False
    factors = scale.scale.values
    if not (factors > 0).all():  # 4
        return False
    arrays = give_scaled(giver, np.asarray(factors))
    if any(array is None for array in arrays.values()):  # 5, 6
        return False
    giver.properties.update({name: array for name, array in arrays.items() if array is not None})
    scale.y.replace_all_uses_with(giver.results[0])
    Rewriter.erase_op(scale)
    return True
