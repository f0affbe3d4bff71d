"""Makes arrays of scalar parameters, with one entry for each neuron or synapse.

    nir.lif "lif" %x {tau = 0.02, …} : tensor<2xf32> -> …    =>    nir.lif "lif" %x {tau = [0.02, 0.02], …}

1. The parameter may be an array: those of populations, `scale`, `delay`, the bias of an affine map or convolution, and delays of
   single synapses.
2. Its shape is that of the population, of what the node reads, of the outputs or channels, or of the weights.

`nir-contract-parameters` leads back: expanding and contracting gives what was there, where all such parameters were scalars.
Tools that read the number of neurons from the shape of a parameter want this form in a `.nir` file.

Exactness: the same network, bit for bit, but for one thing: the conversion to `ntensor` orders sums of three and more by what is
around them, the shape of a scale included, so a last bit can differ there (`docs/rationale/exact-folding.md`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays import ArrayAttr
from ...core.pipeline import NoptPass
from ...dialects import nir
from .rules.scalars import scalar_parameters


@dataclass(frozen=True)
class NirExpandParametersPass(NoptPass):
    """Expands the parameters of every node, those in nested graphs included."""

    name = "nir-expand-parameters"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for node in [inner for inner in op.walk() if isinstance(inner, nir.NodeOp)]:
            for name, array, shape in scalar_parameters(node):  # 1
                if not array.shape and shape:
                    node.properties[name] = ArrayAttr.of(np.broadcast_to(array.values, shape))  # 2
