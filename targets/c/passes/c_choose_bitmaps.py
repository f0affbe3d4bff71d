"""Chooses bitmaps for compressed synapses that are dense and have few weights, in programs for processors with vectors.

    c.compressed "fc" %x, %table by %start, %target into %sums …
    =>
    c.bitmap "fc" %x, %weights by %rows, %bits into %sums …

A row of a bitmap has a bit for each target. Vectors add one weight to all sums whose bits are 1, without reading and writing each sum by its
index. A target has at most one synapse of a source, and sources keep their order, so each sum has the same terms in the same order.

1. The synapses have no individual delays, shifts, scales or terms; rows of missing weights are excluded, too, since an infinite input adds to them.
2. The targets of each source ascend, each at most once.
3. A source has a row for each of its weights that differ; there are at most `MOST_WEIGHTS` different weights, unless all synapses of a source
   have the same.
4. The bits of a vector of sums contain at least `share` synapses on average. Vectors have the length of the profile, which is required. Sums of 8 bits remain
   compressed, and so do fewer than `FEWEST_TARGETS` targets.

Exactness: no number changes.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, Signedness
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ....core.arrays.numeric import AnyArray
from ....core.ir.pipeline import NoptPass
from ....dialects import c
from ....dialects.c import WORD_BITS, Kind, length_of
from ..building.program import Additions, bits_of
from ..building.targets import are_ascending, constant_values

MOST_WEIGHTS = 8
FEWEST_TARGETS = 2 * WORD_BITS
FIRST = 2**12
"""Synapses whose weights are counted before all others."""
AT_ONCE = 2**24
"""Bits of a bitmap that are set at once, each as a byte."""
WORDS = IntegerType(WORD_BITS, Signedness.UNSIGNED)


def lanes_of(program: c.ProgramOp, op: c.CompressedOp) -> int:
    """Returns the number of sums in a vector; 0 if vectors cannot add where bits are 1."""
    size = c.element_bytes(c.element_of_memory(op.sums))
    return 0 if size == 1 else int(program.preference("vector_bytes", 0)) // size


def weight_kinds(weight: AnyArray) -> NDArray[np.uint8] | None:
    """Returns an index for each synapse, equal for equal weights; None if more than `MOST_WEIGHTS` weights differ."""
    bits = bits_of(weight)
    if len(np.unique(bits[:FIRST])) > MOST_WEIGHTS:
        return None
    kinds = np.zeros(len(bits), np.uint8)
    left = np.ones(len(bits), np.bool_)
    for kind in range(MOST_WEIGHTS):
        same = bits == bits[int(left.argmax())]
        kinds[same] = kind
        left &= ~same
        if not left.any():
            return kinds
    return None


def bitmap(row: NDArray[np.int32], target: AnyArray, rows: int, targets: int) -> NDArray[np.uint32]:
    """Returns rows of bits. `row` and `target` have an entry for each synapse, and rows ascend."""
    words = -(-targets // WORD_BITS)
    found = np.empty((rows, words), np.uint32)
    step = max(1, AT_ONCE // (words * WORD_BITS))
    for first in range(0, rows, step):
        last = min(rows, first + step)
        start, end = np.searchsorted(row, [first, last])
        flags = np.zeros((last - first, words * WORD_BITS), np.bool_)
        flags[row[start:end] - first, target[start:end]] = True
        found[first:last] = np.packbits(flags, axis=1, bitorder="little").view("<u4")
    return found if sys.byteorder == "little" else found.astype(np.uint32)


def rows_of(
    weight: AnyArray, counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32], AnyArray | None] | None:
    """Returns the number of rows of each source, the row of each synapse, and the weights of rows, or None for a single weight. Options: counts: the
    number of synapses of each source. Returns None if too many weights differ (3)."""
    sources, synapses = len(counts), int(counts.sum())
    if len(weight) in (1, sources) != synapses:
        has_row = counts > 0
        row = np.repeat(np.cumsum(has_row, dtype=np.int32) - 1, counts)
        return has_row.astype(np.int64), row, None if len(weight) == 1 else weight[has_row]
    kinds = weight_kinds(weight)
    if kinds is None:
        return None
    key = np.repeat(np.arange(sources), counts) * MOST_WEIGHTS + kinds
    is_used = np.bincount(key, minlength=sources * MOST_WEIGHTS) > 0
    row = (np.cumsum(is_used, dtype=np.int32) - 1)[key]
    weights = np.empty(int(is_used.sum()), weight.dtype)
    weights[row] = weight
    return is_used.reshape(sources, MOST_WEIGHTS).sum(axis=1), row, weights


def replace(additions: Additions, op: c.CompressedOp, share: float) -> None:
    """Replaces compressed synapses by a bitmap if vectors are faster."""
    is_plain = op.ring is None and op.row is None and op.combine is None and op.shift is None and op.scale is None
    start, target, weight = (constant_values(memory) for memory in (op.start, op.target, op.table))
    if not is_plain or op.list is not None or start is None or target is None or weight is None:  # 1
        return
    lanes, targets = lanes_of(additions.program, op), length_of(op.sums)
    counts = np.diff(start.astype(np.int64))

    def is_dense(rows: int) -> bool:
        return len(target) * lanes >= share * rows * targets

    if targets < FEWEST_TARGETS or not len(target) or not is_dense(int(np.count_nonzero(counts))):  # 4
        return
    if not are_ascending(op, strictly=True):  # 2
        return
    found = rows_of(weight, counts)
    if found is None:  # 3
        return
    each, row, weights = found
    if not is_dense(rows := int(each.sum())):
        return
    label = op.label.data
    bits = bitmap(row, target, rows, targets)
    table = op.table
    if weights is not None:
        element = c.element_of_memory(op.table)
        table = additions.buffer(f"{label}_each", Kind.CONSTANT, element, weights.shape, values=weights)
    operands: list[SSAValue | None] = [
        additions.constant(f"{label}_rows", np.concatenate([[0], np.cumsum(each)])),
        additions.buffer(f"{label}_bits", Kind.CONSTANT, WORDS, bits.shape, values=bits),
    ]
    properties = {name: value for name, value in op.properties.items() if name != "operandSegmentSizes"}
    operands += [op.x, table, op.sums, None, None, None, None, None]
    Rewriter.replace_op(op, c.BitmapOp(operands=operands, properties=properties, regions=[None]))


@dataclass(frozen=True)
class CChooseBitmapsPass(NoptPass):
    """Chooses bitmaps for the compressed synapses of every `c.program`.

    Options:
        share: fewest synapses in the bits of a vector of sums, on average; default 0.75, which take the time of a vector.
    """

    name = "c-choose-bitmaps"
    share: float = 0.75

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]:
            additions = Additions(program)
            for scatter in [inner for inner in program.tick.body.block.ops if isinstance(inner, c.CompressedOp)]:
                replace(additions, scatter, self.share)
