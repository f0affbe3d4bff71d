"""Rounds weights to sums of four currents, which all synapses into a population share: a synapse selects a subset of them.

    %s = ntensor.linear "fc" %x {weight = [0.5, -0.26]}
      =>
    %s = ntensor.linear "fc" %x {weight = [255, -130], quantized = #ntensor.quantized<11, scale 0.5 / 255>}

1. All ops that reach a population share four currents, whole numbers of steps from 1 to 255, and the size of a step, which is the scale.
2. A weight becomes the sum of a subset that is nearest to its size, with its sign.
3. `weight_masks.py` chooses the currents, and finds them again in the integers.

The errors of all weights that changed are recorded.

Errors: QNO001 a name in `nodes`; QNO002 a network in continuous time; QRD001 a weight that is not finite; QRD002 too little memory.
Source: the quantizer of rockpool 3.1.0 (devices/dynapse) solves the same problem by training an autoencoder.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.weight_masks import (
    LARGEST_CURRENT,
    MASK_CURRENTS,
    currents_of,
    fitted_currents,
    nearest_masks,
    sums_of,
)
from ...core.arrays.numeric import AnyArray, Reals
from ...core.diagnostics import describe_op
from ...core.ir.pipeline import NoptPass, pass_text
from ...dialects import ntensor
from ..node_selection import check_names, choose_ops, networks
from ._weight_checks import check_readable
from ._weight_groups import Group, is_weighted, together
from ._weight_quantizer import Rounded, kept_scale, measured, precise, products, quantized, real_weights, stored

SUM_BITS = 11
"""Bits of a sum of four currents with its sign."""


@dataclass(frozen=True)
class NtensorFitWeightMasksPass(NoptPass):
    """Fits the weights of every `ntensor.network` to sums of four currents.

    Options:
        nodes: the ops to work on; default all.
    """

    name = "ntensor-fit-weight-masks"
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_weighted, self.name)
        for network in networks(op):
            ops = choose_ops(network, self.nodes, is_weighted)
            groups = together(network, ops, "population")  # 1
            check_readable(ops, [[lines.op for lines in group.lines] for group in groups])
            found = [one for group in groups for one in rounded_group(group)]
            for one in found:
                one.lines.op.replace_weights(stored(one, SUM_BITS), quantized(one, SUM_BITS))
            self.record(network, [one for one in found if not one.is_exact])

    def record(self, network: ntensor.NetworkOp, changed: list[Rounded]) -> None:
        if not changed:
            return
        largest, mean = measured([one.errors for one in changed])
        touched = [describe_op(one.lines.op)[1] or "" for one in changed]
        what = "weights fitted to the sums of four currents, which a population shares"
        network.record(ntensor.ApproximationAttr.of(pass_text(self), what, touched, largest, mean))


def rounded_group(group: Group) -> list[Rounded]:
    """Returns the weights of the ops of a population as sums of its currents."""  # 2
    before = [real_weights(lines) for lines in group.lines]
    sizes = [np.abs(array.astype(np.float64)) for array in before]
    every = np.concatenate([size.reshape(-1) for size in sizes])
    if (kept := kept_sums(group, before, sizes)) is not None:
        return kept
    if not every.any():
        whole, step = np.zeros(4, np.int64), 1.0
    else:
        whole, step = fitted_currents(every)  # 3
        step = float(precise(np.array([step]), before, int(whole.sum()))[0])
    found: list[Rounded] = []
    for lines, array, size in zip(group.lines, before, sizes, strict=True):
        integers = sums_of(whole)[nearest_masks(size.reshape(-1) / step, whole)].reshape(size.shape)
        integers = (integers * np.sign(array)).astype(np.int16)
        after = products(integers, np.array(step), array.dtype)
        found.append(Rounded(lines, array, after, integers, np.array(step)))
    return found


def kept_sums(group: Group, before: list[AnyArray], sizes: list[Reals]) -> list[Rounded] | None:
    """Returns the weights of ops that have one scale and four currents already, as they are; None for others."""
    scale = kept_scale(group)
    if scale is None:
        return None
    integers = [np.rint(size / scale[0]) for size in sizes]
    largest = max((int(one.max(initial=0)) for one in integers), default=0)
    every = np.concatenate([one.reshape(-1) for one in integers])
    if largest > MASK_CURRENTS * LARGEST_CURRENT or currents_of(every.astype(np.int64)) is None:
        return None
    signed = [(one * np.sign(array)).astype(np.int16) for one, array in zip(integers, before, strict=True)]
    after = [products(one, scale[:1].reshape(()), array.dtype) for one, array in zip(signed, before, strict=True)]
    if not all(map(np.array_equal, after, before)):
        return None
    parts = zip(group.lines, before, after, signed, strict=True)
    return [Rounded(lines, array, same, one, np.array(scale[0])) for lines, array, same, one in parts]
