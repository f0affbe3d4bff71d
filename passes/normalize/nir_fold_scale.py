"""Folds scales into the weights before or after them, where no bit changes.

    %y = nir.scale "gain" %x {scale = 0.5}          =>    %z = nir.linear "fc" %x {weight = 2}
    %z = nir.linear "fc" %y {weight = 4}

1. The scale, and every synapse op that takes its factors, has no delays, plasticity or transmission.
2. Every factor is a power of two, for example 0.25 or -2: products and sums are only shifted. All other factors round differently
   before and after a sum; `ntensor-fold-scale` folds them and records it.
3. Forwards: every user of the scale is a linear, affine or convolution op. It takes the factors of its inputs.
4. Otherwise backwards: the scale is the only user of such an op, and all factors are positive (-1 times no input is -0). That op takes
   the factors of its outputs, its bias too, and then has the result of the scale. Where neither applies, another scale before or
   after takes the factors.
5. A convolution takes factors that are equal within a channel.
6. No weight is rounded: the products fit the type of the weights, which are reals.
7. Weights that are a rule stay one, since their products would have to be stored.

Exactness: the same network, bit for bit as long as numbers stay normal (no underflow), with one exception: the conversion to `ntensor`
orders sums of three or more operands by their surroundings, so a last bit can differ there (`docs/rationale/exactness.md`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.pipeline import NoptPass
from ...dialects import nir
from ._scales import Folding, Product, ScaleOp, are_powers_of_two, fold_patterns, product


class ExactFolding(Folding):
    """Folding without any rounding."""

    def accepts(self, scale: ScaleOp, op: Operation) -> bool:
        return all(isinstance(each, nir.SynapseOp) and each.has_only_weights for each in (scale, op))  # 1

    def multiply(self, scale: ScaleOp, array: ArrayAttr, factors: NDArray[Any], is_before: bool) -> Product | None:
        if array.values.dtype.kind != "f" or not are_powers_of_two(
            scale.scale.values, is_positive=not is_before
        ):  # 2, 4
            return None
        found = product(array.values, factors, array.values.dtype)
        return found if found.is_exact else None  # 6


@dataclass(frozen=True)
class NirFoldScalePass(NoptPass):
    """Folds the scales of every `nir.graph`; each nested graph by itself."""

    name = "nir-fold-scale"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        patterns = GreedyRewritePatternApplier(fold_patterns(ExactFolding()))  # 3, 4, 5, 7
        for graph in [inner for inner in op.ops if isinstance(inner, nir.GraphOp)]:
            PatternRewriteWalker(patterns).rewrite_region(graph.body)
