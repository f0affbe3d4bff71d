"""Replaces weights by a few values from a table: every weight becomes the nearest of them.

    %s = ntensor.linear "fc" %x {weight = [0.5, 0.51, -0.26, 0]}   =>   %s = ntensor.linear "fc" %x {weight = [0.505, 0.505, -0.26, 0]}

1. The op is a linear, sparse_linear, conv or scale op with a result of reals, and has more than `count` different weights.
2. The values are those of Lloyd's algorithm, in f64, on the sorted different weights and how often each occurs. It starts from their
   quantiles, so the same weights give the same values. They are rounded once to the type of the weights.
3. Zeros stay zero, and zero is then one of the values: most zeros are not synapses. `count=1` is the exception.
4. Biases stay as they are. `quantized` is removed where weights changed: they are no longer integers times a scale.

Each op has values of its own. The errors of all weights of the ops that changed are recorded.

Errors: NTE009 a network in continuous time;
ANA031 a name in `nodes`; QUA010 count; QUA030 a weight that is not finite; QUA031 too little memory.
Warnings: ANA028, ANA029, ANA030 weights that are lost.
Source: S. Lloyd, Least squares quantization in PCM, IEEE Trans. Inf. Theory 28 (1982); S. Han et al., Deep Compression (2016), section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....analysis.node_selection import check_names, choose_ops, name_of
from ....analysis.rounding_losses import RoundedWeights, report_weights
from ....analysis.weight_lines import Weighted
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.diagnostics import Code, ExitCode, refuse
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import element_type
from ....core.ir.pipeline import NoptPass, pass_text
from ....core.number_texts import counted_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ._weight_groups import check_readable, is_weighted
from ._weight_quantizer import measured

QUA010 = Code(
    "QUA010", "value-count-out-of-range", "the number of weight values is out of range", exit_code=ExitCode.MISUSED
)

CLUSTER_ROUNDS = 200
"""Maximum number of iterations of Lloyd's algorithm; it usually ends earlier, when no value moves."""


@dataclass(frozen=True)
class NtensorClusterWeightsPass(NoptPass):
    """Clusters the weights of every `ntensor.network`.

    Options:
        count: values that the weights of an op may have, default 16. Fewer cost accuracy, more a larger table and wider indices.
        nodes: the ops to work on; default all.
    """

    name = "ntensor-cluster-weights"
    APPROXIMATES = ("precision",)
    count: int = 16
    nodes: tuple[str, ...] = ()

    def milder_variants(self) -> Iterator[ModulePass]:
        """Yields tables of twice as many values, to 256."""
        yield from (replace(self, count=2**k) for k in range(1, 9) if 2**k > self.count)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.count < 1:
            refuse(
                QUA010,
                at=f"count={self.count}",
                expected="1 or more",
                found=str(self.count),
                help=pass_text(replace(self, count=2)),
            )
        check_names(op, self.nodes, is_weighted, self.name)
        for network in networks(op):
            ops = choose_ops(network, self.nodes, is_weighted)
            check_readable(ops)
            touched: dict[str, Reals] = {}
            for inner in ops:
                if not isinstance(inner, Weighted) or (after := clustered(inner, self.count)) is None:  # 1
                    continue
                before = inner.weight_values().values.astype(np.float64)
                touched[name_of(inner)] = np.abs(after.astype(np.float64) - before)
                report_weights([RoundedWeights(inner, before, after)], diagnostics_of(ctx))
                inner.replace_weights(ArrayAttr.of(after), None)  # 4
            if touched:
                what = f"weights clustered to {counted_text(self.count, 'value')} for each op"
                errors = measured(list(touched.values()))
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, touched, *errors))


def clustered(op: Weighted, count: int) -> AnyArray | None:
    """Returns the weights of an op, reduced to `count` different values; None if they have at most `count` already."""
    weights = op.weight_values().values
    dtype = weights.dtype if weights.dtype.kind == "f" else dtype_of(element_type(op.y))
    different, index, times = np.unique(weights, return_inverse=True, return_counts=True)
    if different.size <= count:
        return None
    values, often = different.astype(np.float64), times.astype(np.float64)
    is_free = values != 0 if count > 1 else np.ones(values.shape, bool)  # 3
    own = values.copy()
    own[is_free] = cluster_centres(values[is_free], often[is_free], count - int(not is_free.all()))
    return own.astype(dtype)[index.reshape(weights.shape)]


def cluster_centres(values: Reals, often: Reals, count: int) -> Reals:  # 2
    """Returns the cluster centre of each value. The values are sorted and different."""
    unit: np.float64 = np.abs(values).max()  # sums of large weights stay finite
    scaled = values / unit
    centres: Reals = scaled[((np.arange(count) + 0.5) * (scaled.size / count)).astype(np.int64)]
    sums = np.concatenate([[0.0], np.cumsum(scaled * often)])
    counts = np.concatenate([[0.0], np.cumsum(often)])
    ends = np.zeros(0, np.int64)
    for _ in range(CLUSTER_ROUNDS):
        borders: Ints = np.searchsorted(scaled, (centres[1:] + centres[:-1]) / 2, side="right")
        if np.array_equal(borders, ends):
            break
        ends = borders
        edges = np.concatenate([[0], borders, [scaled.size]])
        inside = np.diff(counts[edges])
        found: Reals = np.where(inside > 0, np.diff(sums[edges]) / np.maximum(inside, 1), centres)
        centres = found
    own: Reals = np.clip(centres * unit, values[0], values[-1])
    return own[np.searchsorted((centres[1:] + centres[:-1]) / 2, scaled, side="left")]
