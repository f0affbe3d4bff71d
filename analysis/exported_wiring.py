"""Wiring that an exporter writes in its own way, and the wiring that its framework runs.

| name | file | framework |
| --- | --- | --- |
| `recurrent_input` | the input of a recurrent layer enters its weights: W (x + z) | x + W z |
| `channels_last_flatten` | the weights after a flattening take (C, H, W) | they take (H, W, C) |

Both hold all numbers, so the repair is exact. Names of `wiring` in `exporters/NAME.toml`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ..core.arrays.arrays import ArrayAttr
from ..core.ir.operation import shape_of
from ..dialects import nir


@frozen
class Wiring:
    """A repair of the wiring: for the record, for messages, and the function that does it."""

    record: str
    meaning: str
    pattern: Callable[[], WiringPattern]

    def rewire(self, graph: nir.GraphOp) -> list[Operation]:
        """Changes a graph, nested graphs included. Returns the nodes whose operand or weights changed."""
        pattern = self.pattern()
        PatternRewriteWalker(pattern, apply_recursively=False).rewrite_region(graph.body)
        return pattern.changed


@dataclass
class WiringPattern(RewritePattern):
    """Base of the patterns: collects the changed nodes."""

    changed: list[Operation] = field(default_factory=list[Operation])


class MoveRecurrentInput(WiringPattern):
    """Connects the input of a recurrent layer to its neurons instead of its weights: z = lif(W (x + z)) => z = lif(x + W z)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.LinearOp | nir.AffineOp, rewriter: PatternRewriter, /) -> None:
        joined = op.x.owner
        use = op.y.get_unique_use()
        if not isinstance(joined, nir.SumOp) or use is None or not isinstance(use.operation, nir.PopulationOp):
            return
        neurons = use.operation
        inputs = [x for x in joined.xs if x is not neurons.y]
        if len(inputs) != len(joined.xs) - 1 or not inputs:
            return
        op.operands[0] = neurons.y
        moved = nir.SumOp.create(operands=[*inputs, op.y], result_types=[op.y.type])
        rewriter.insert(moved, InsertPoint.before(neurons))
        neurons.operands[0] = moved.results[0]
        if joined.y.first_use is None:
            rewriter.erase(joined)
        self.changed.append(neurons)


class PermuteFlattenedWeights(WiringPattern):
    """Orders the weights after a flattening of three axes as the file's tensors are, channels first. Applied twice, it permutes twice."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.FlattenOp, rewriter: PatternRewriter, /) -> None:
        shape = shape_of(op.x)
        if len(shape) != 3 or shape_of(op.y) != (prod(shape),) or shape[0] == 1 or prod(shape[1:]) == 1:
            return
        channels, height, width = shape
        for user in [use.operation for use in op.y.uses]:
            if isinstance(user, nir.LinearOp | nir.AffineOp):
                weight = user.weight.values
                last = weight.reshape(-1, height, width, channels)
                first = np.ascontiguousarray(last.transpose(0, 3, 1, 2)).reshape(weight.shape)
                user.weight = ArrayAttr.of(first)
                rewriter.notify_op_modified(user)
                self.changed.append(user)


WIRINGS = {
    "recurrent_input": Wiring(
        "W (x + z) = x + W z",
        "the input of a recurrent layer enters its weights instead of its neurons",
        MoveRecurrentInput,
    ),
    "channels_last_flatten": Wiring(
        "weight (H, W, C) = weight (C, H, W)",
        "the weights after a flattening take channels last",
        PermuteFlattenedWeights,
    ),
}
