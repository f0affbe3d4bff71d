"""Shortens delays to the longest that a device has, and records by how much.

    %y = ntensor.delay "late" %x {ticks = 20}                    =>    {ticks = 15}
    %y = ntensor.sparse_linear "fc" %x {delay = [3, 20, 40]}     =>    {delay = [3, 15, 15]}

A delay that closes a loop stays one of at least a tick, because `most` is one at least. `ntensor-relay-delays` keeps delays instead.
The record says by how many ticks delays were shortened, at most and on average of those that were.

Errors: QNO002 a network in continuous time;
LGD001 `most` below one tick.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...core.arrays import ArrayAttr
from ...core.pipeline import NoptPass, pass_text
from ...dialects import ntensor
from ..quantize.rules.nodes import name_of, networks
from .rules.ticks import verify_most


def delays_of(op: Operation) -> tuple[str, ArrayAttr] | None:
    """The property of an op that holds delays."""
    match op:
        case ntensor.DelayOp():
            return "ticks", op.ticks
        case ntensor.SparseLinearOp() if op.delay is not None:
            return "delay", op.delay
        case _:
            return None


@dataclass(frozen=True)
class NtensorClampDelaysPass(NoptPass):
    """Clamps the delays of every `ntensor.network`.

    Options:
        most: the longest delay [ticks], 1 or more; default 15.
    """

    name = "ntensor-clamp-delays"
    most: int = 15

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_most(self.most, self.name)
        for network in networks(op):
            touched: list[str] = []
            errors: list[NDArray[Any]] = []
            for inner in network.body.block.ops:
                if (
                    (found := delays_of(inner)) is None
                    or not found[1].data.size
                    or found[1].data.greatest() <= self.most
                ):
                    continue
                name, given = found
                ticks = given.values
                inner.properties[name] = ArrayAttr.of(np.minimum(ticks, self.most).astype(ticks.dtype))
                touched.append(name_of(inner))
                errors.append(ticks[ticks > self.most].astype(np.int64).reshape(-1) - self.most)
            if touched:
                every = np.concatenate(errors)
                what = f"delays clamped to {self.most} ticks"
                largest, mean = float(every.max()), float(every.mean())
                record = ntensor.ApproximationAttr.of(pass_text(self), what, touched, largest, mean, "ticks")
                network.record(record)
