"""Contracts parameters whose entries are all equal to scalars.

    nir.lif "lif" %x {tau = [0.02, 0.02], …}    =>    nir.lif "lif" %x {tau = 0.02, …}

1. The parameter may be a scalar: those of populations, `scale`, `delay`, the bias of an affine map or convolution, and delays of
   single synapses. Weights may not, and stay.
2. All entries are equal to the last bit: 0 and -0 are different numbers.

`nir-expand-parameters` is the inverse: contracting and expanding restores a network whose parameters of this kind were all arrays.

Exactness: the same network, bit for bit, with one exception: the conversion to `ntensor` orders sums of three or more operands by
their surroundings, the shape of a scale included, so a last bit can differ there (`docs/rationale/exactness.md`). Export to `.nir`
writes arrays again, since other tools take the number of neurons from the shape of a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from ...core.arrays.arrays import ArrayAttr, uniform
from ...core.arrays.values import RuleArray
from ...core.ir.pipeline import NoptPass
from ...dialects import nir
from .nir_expand_parameters import scalar_parameters


@dataclass(frozen=True)
class NirContractParametersPass(NoptPass):
    """Contracts the parameters of every node, those in nested graphs included."""

    name = "nir-contract-parameters"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(ContractParameters()).rewrite_module(op)


class ContractParameters(RewritePattern):
    """tau = [0.02, 0.02] => tau = 0.02"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.NodeOp, rewriter: PatternRewriter, /) -> None:
        for name, array, _ in scalar_parameters(op):
            if (scalar := scalar_of(array)) is not None:
                op.properties[name] = ArrayAttr.of(scalar)
                rewriter.notify_op_modified(op)


def scalar_of(array: ArrayAttr) -> NDArray[np.generic] | None:
    """Returns the one number of an array of equal entries; a rule is not evaluated for that."""
    if not array.shape or not array.data.size:
        return None
    if isinstance(array.data, RuleArray):
        return np.asarray(array.data.least()) if array.data.rule.name == "constant" else None
    contracted = uniform(array.values)
    return None if contracted.shape else contracted
