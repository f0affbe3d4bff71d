"""Makes scalars of parameters whose entries are all the same.

    nir.lif "lif" %x {tau = [0.02, 0.02], …}    =>    nir.lif "lif" %x {tau = 0.02, …}

1. The parameter may be a scalar: those of populations, `scale`, `delay`, the bias of an affine map or convolution, and delays of
   single synapses. Weights may not, and stay.
2. All entries are equal to the last bit: 0 and -0 are two numbers.

`nir-expand-parameters` leads back: contracting and expanding gives what was there, where all such parameters were arrays.

Exactness: the same network, bit for bit, but for one thing: the conversion to `ntensor` orders sums of three and more by what is
around them, the shape of a scale included, so a last bit can differ there (`docs/rationale/exact-folding.md`). Export to `.nir`
writes arrays again, since other tools read the number of neurons from the shape of a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...core.array_values import RuleArray
from ...core.arrays import ArrayAttr
from ...core.pipeline import NoptPass
from ...dialects import nir
from ..discretize.rules.build import uniform
from .rules.scalars import scalar_parameters


def scalar_of(array: ArrayAttr) -> NDArray[np.generic] | None:
    """The one number of an array whose entries are all the same; a rule is not asked for its numbers."""
    if not array.shape or not array.data.size:
        return None
    if isinstance(array.data, RuleArray):
        return np.asarray(array.data.least()) if array.data.rule.name == "constant" else None
    contracted = uniform(array.values)  # 2
    return None if contracted.shape else contracted


@dataclass(frozen=True)
class NirContractParametersPass(NoptPass):
    """Contracts the parameters of every node, those in nested graphs included."""

    name = "nir-contract-parameters"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for node in [inner for inner in op.walk() if isinstance(inner, nir.NodeOp)]:
            for name, array, _ in scalar_parameters(node):  # 1
                if (contracted := scalar_of(array)) is not None:
                    node.properties[name] = ArrayAttr.of(contracted)
