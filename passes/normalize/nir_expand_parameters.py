"""Expands scalar parameters to arrays, with one entry for each neuron or synapse.

    nir.lif "lif" %x {tau = 0.02, …} : tensor<2xf32> -> …    =>    nir.lif "lif" %x {tau = [0.02, 0.02], …}

1. The parameter may be an array: those of populations, `scale`, `delay`, the bias of an affine map or convolution, and delays of
   single synapses.
2. Its shape is that of the population, the operand, the outputs or channels, or the weights.

`nir-contract-parameters` is the inverse: expanding and contracting restores a network whose parameters of this kind were all scalars.
Tools that take the number of neurons from the shape of a parameter need this form in a `.nir` file.

Exactness: the same network, bit for bit, with one exception: the conversion to `ntensor` orders sums of three or more operands by
their surroundings, the shape of a scale included, so a last bit can differ there (`docs/rationale/exactness.md`).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriteWalker

from ...core.ir.pipeline import NoptPass
from ._parameters import ExpandParameters


@dataclass(frozen=True)
class NirExpandParametersPass(NoptPass):
    """Expands the parameters of every node, those in nested graphs included."""

    name = "nir-expand-parameters"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(ExpandParameters()).rewrite_module(op)
