"""Prunes weights: those of the smallest magnitude become 0.

    %s = ntensor.linear "fc" %x {weight = [0.5, -0.02, 0.3, 0.1]}   =>   %s = ntensor.linear "fc" %x {weight = [0.5, 0, 0.3, 0]}       share=0.5

1. The op is a linear, sparse_linear, conv or scale op with a result of reals.
2. In each op (`per=node`), or in all chosen ops together (`per=network`), the given share of the weights is 0 afterwards, rounded down to whole weights.
   Zeros count. Of equal magnitudes, the first in the order of the weights, and of the ops, become 0 first.
3. Quantized weights keep their scale and zero point: a stored weight becomes the one that is 0.
4. Biases stay as they are.

A target then stores fewer synapses where it stores only those that are not 0, such as `c` (compressed rows) and chips with lists of synapses. Accuracy is
best if the network is trained with its zeros, or again afterwards.

The magnitudes of all weights of the ops that changed, 0 for those that are kept, are the recorded errors.

Errors: NTE009 a network in continuous time;
ANA031 a name in `nodes`; QUA060 share; QUA030 a weight that is not finite; QUA031 too little memory.
Warnings: ANA028, ANA029, ANA030 weights that are lost.
Source: S. Han et al., Learning both Weights and Connections for Efficient Neural Networks, NIPS 2015, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....analysis.node_selection import check_names, choose_ops, name_of
from ....analysis.rounding_losses import RoundedWeights, report_weights
from ....analysis.weight_lines import Weighted, weight_of
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Bools, Reals
from ....core.diagnostics import Code, ExitCode, refuse
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ._weight_groups import check_readable, is_weighted
from ._weight_quantizer import measured

QUA060 = Code(
    "QUA060", "pruned-share-out-of-range", "the share of pruned weights is out of range", exit_code=ExitCode.MISUSED
)


@dataclass(frozen=True)
class NtensorPruneWeightsPass(NoptPass):
    """Prunes the weights of every `ntensor.network`.

    Options:
        share: the share of weights that are 0 afterwards, above 0 and below 1, default 0.5. More costs accuracy, and saves memory.
        per: `node`: of each op; `network`: of all ops together, so that ops with large weights keep more of them; default node.
        nodes: the ops to work on; default all.
    """

    name = "ntensor-prune-weights"
    APPROXIMATES = ("precision",)
    share: float = 0.5
    per: Literal["node", "network"] = "node"
    nodes: tuple[str, ...] = ()

    def milder_variants(self) -> Iterator[ModulePass]:
        """Yields half of the share, four times."""
        yield from (replace(self, share=self.share / 2**k) for k in range(1, 5))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not 0 < self.share < 1:
            refuse(
                QUA060,
                at=f"share={self.share:g}",
                expected="above 0 and below 1",
                found=f"{self.share:g}",
                help=pass_text(replace(self, share=0.5)),
            )
        check_names(op, self.nodes, is_weighted, self.name)
        for network in networks(op):
            ops = [inner for inner in choose_ops(network, self.nodes, is_weighted) if isinstance(inner, Weighted)]
            check_readable(ops)
            touched: dict[str, Reals] = {}
            count = 0
            groups = [ops] if self.per == "network" else [[inner] for inner in ops]
            for group in groups:
                for inner, chosen in zip(group, smallest(group, self.share), strict=True):
                    if not chosen.any():
                        continue
                    before = inner.weight_values().values.astype(np.float64)
                    touched[name_of(inner)] = np.where(chosen, np.abs(before), 0.0)
                    count += int(np.count_nonzero(chosen))
                    remove(inner, chosen)
                    after = inner.weight_values().values
                    report_weights([RoundedWeights(inner, before, after)], diagnostics_of(ctx))
            if touched:
                of = sum(errors.size for errors in touched.values())
                what = f"weights pruned: {count} of {of} become 0, the smallest {'of all' if self.per == 'network' else 'of each op'}"
                errors = measured(list(touched.values()))
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, touched, *errors))


def smallest(ops: Sequence[Weighted], share: float) -> list[Bools]:
    """Returns for each op which of its weights become 0, so that a share of the weights of all `ops` are 0 (2)."""
    magnitudes = [np.abs(op.weight_values().values.astype(np.float64)) for op in ops]
    flat = np.concatenate([each.reshape(-1) for each in magnitudes]) if magnitudes else np.zeros(0)
    chosen = np.zeros(flat.size, bool)
    chosen[np.argsort(flat, kind="stable")[: int(share * flat.size)]] = True
    chosen &= flat != 0
    ends = np.cumsum([each.size for each in magnitudes])
    parts = np.split(chosen, ends[:-1]) if magnitudes else []
    return [part.reshape(each.shape) for part, each in zip(parts, magnitudes, strict=True)]


def remove(op: Weighted, chosen: Bools) -> None:
    """Sets weights of an op to 0 (3)."""
    stored = weight_of(op).values
    steps = op.weight_steps().values if op.quantized_weights is not None else stored
    after = np.where(chosen, stored - steps, stored).astype(stored.dtype)
    op.replace_weights(ArrayAttr.of(after), op.quantized_weights)
