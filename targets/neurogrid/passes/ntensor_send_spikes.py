"""Sends rates as spikes: a synapse that reads the mean rate of a window reads the spikes themselves, one tick later.

    %c = ntensor.neuron "lif.rate" @rate_window_1_5(%lif) {params = {window = 16}}
    %d = ntensor.delay "lif.rate.delay" %c {ticks = 1}
    %m = ntensor.scale "lif.rate.mean" %d {scale = 0.0625}
    %s = ntensor.linear "fc" %m
      =>
    %d = ntensor.delay "lif.rate.delay" %lif {ticks = 1}
    %s = ntensor.linear "fc" %d

A window of T ticks adds the weight times the number of spikes / T in each tick of the next window. A spike adds the weight once, so that the sum over
time is the same. The synapse of the chip averages over its own time constant.

The record holds the ticks by which the effect of a spike is earlier, the length of the window.

Errors: NTE009 a network in continuous time.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.rate_windows import rate_windows
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import erase_unused_updates, networks


@dataclass(frozen=True)
class NtensorSendSpikesPass(NoptPass):
    """Sends the rates of every `ntensor.network` as spikes."""

    name = "ntensor-send-spikes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        known = list(ntensor.find_updates(op).values())
        for network in networks(op):
            lengths: dict[str, int] = {}
            for window in rate_windows(network):
                lengths |= {
                    str(getattr(one.properties.get("node"), "data", "")): window.ticks for one in window.readers
                }
                late = ntensor.DelayOp(window.delay.node.data, window.count.xs[0], 1)
                late.location = window.delay.location
                Rewriter.insert_op(late, InsertPoint.before(window.count))
                window.mean.y.replace_all_uses_with(late.y)
                for one in reversed(window.ops):
                    Rewriter.erase_op(one)
            if lengths:
                ticks = list(lengths.values())
                largest, mean = float(max(ticks)), sum(ticks) / len(ticks)
                what = f"rates of windows of {', '.join(map(str, sorted(set(ticks))))} ticks are sent as spikes"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, lengths, largest, mean, "ticks"))
        erase_unused_updates(op, known)
