"""Windows of rates: the ops by which a synapse with `transmission = rate` reads mean rates instead of spikes.

    %c = ntensor.neuron "lif.rate" @rate_window_1_5(%lif) {params = {window = 16}}    the spikes of a window of 16 ticks: 0 to 16
    %d = ntensor.delay "lif.rate.delay" %c {ticks = 1, part_of = "lif.rate"}          read in the ticks of the next window
    %m = ntensor.scale "lif.rate.mean" %d {scale = 0.0625}                            the mean of a tick: the count times 1 / 16

The first window starts in the first tick. During it, the rate is 0. The count is an integer by its type, `!ntensor.count<5>`; the mean is
a value. The update is in `rate_window.neuron`. All synapses that read rates of one node share these ops.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import Float32Type, Float64Type, StringAttr, TensorType, f64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ..core.arrays.arrays import ArrayAttr
from ..core.ir.operation import element_type, shape_of
from ..core.neuron.neuron import parse_neurons
from ..dialects import ntensor

EQUATIONS = Path(__file__).with_name("rate_window.neuron")
MOST_BITS = 52
"""Maximum width of a count, which f64 represents exactly."""


@frozen(eq=False)
class RateWindow:
    """The ops that make rates of one signal."""

    count: ntensor.NeuronOp
    delay: ntensor.DelayOp
    mean: ntensor.ScaleOp

    @property
    def ticks(self) -> int:
        """Returns the length of the window [ticks]."""
        window = self.count.params.data["window"]
        assert isinstance(window, ArrayAttr)  # as it was found
        return int(window.values)

    @property
    def ops(self) -> tuple[Operation, ...]:
        return self.count, self.delay, self.mean

    @property
    def readers(self) -> list[Operation]:
        """Returns the ops that read the rates."""
        return [use.operation for use in self.mean.y.uses]


def count_bits(element: Attribute, ticks: int) -> int:
    """Returns the width of the count of a window. Units: ticks [ticks]."""
    held = ntensor.interval_of(element)
    assert held is not None  # events are integers
    return (held.high * ticks).bit_length()


@cache
def window_update(element: Attribute, ticks: int) -> ntensor.UpdateOp:
    """Returns the update that counts events of a type in a window; the result is shared. Units: ticks [ticks]."""
    from ..dialects.equations.build import build_update

    bits, total = count_bits(element, 1), count_bits(element, ticks)
    text = EQUATIONS.read_text(encoding="utf-8").replace("u16", f"u{total}").replace("u8", f"u{bits}")
    (rule,) = parse_neurons(text, EQUATIONS.name).neurons
    return build_update(rule, options={}, precision=f64, symbol=f"{rule.name}_{bits}_{total}")


def build_window(
    names: tuple[str, str, str], symbol: str, x: SSAValue, ticks: int, type: Float32Type | Float64Type
) -> RateWindow:
    """Returns the ops, under these names, that make mean rates of a type from events. Units: ticks [ticks]."""
    zero = np.asarray(0, np.int64)
    count = ntensor.NeuronOp(
        names[0],
        symbol,
        [x],
        TensorType(ntensor.CountType(count_bits(element_type(x), ticks)), shape_of(x)),
        params=ntensor.array_dictionary({"window": np.asarray(ticks, np.int64)}),
        initial=ntensor.array_dictionary(dict.fromkeys(("tick", "sum", "held"), zero)),
    )
    delay = ntensor.DelayOp(names[1], count.z, 1)
    delay.part_of = count.node
    mean = ntensor.ScaleOp.create(
        operands=[delay.y],
        result_types=[TensorType(type, shape_of(x))],
        properties={"node": StringAttr(names[2]), "scale": mean_factor(ticks, type)},
    )
    assert isinstance(mean, ntensor.ScaleOp)
    return RateWindow(count, delay, mean)


def mean_factor(ticks: int, type: Float32Type | Float64Type) -> ArrayAttr:
    """Returns 1 / ticks, rounded to a type of reals."""
    return ArrayAttr.of(np.asarray(1 / ticks, np.float32 if isinstance(type, Float32Type) else np.float64))


def rate_windows(network: ntensor.NetworkOp) -> list[RateWindow]:
    """Returns the windows of a network, in the order of their ops."""
    updates = ntensor.updates_of(network)
    found = (window_of(op, updates) for op in network.body.block.ops if isinstance(op, ntensor.ScaleOp))
    return [window for window in found if window is not None]


def window_of(mean: ntensor.ScaleOp, updates: dict[str, ntensor.UpdateOp]) -> RateWindow | None:
    """Returns the window whose mean rates an op computes, if it does."""
    delay = mean.x.op if isinstance(mean.x, OpResult) else None
    count = delay.x.op if isinstance(delay, ntensor.DelayOp) and isinstance(delay.x, OpResult) else None
    if not isinstance(delay, ntensor.DelayOp) or not isinstance(count, ntensor.NeuronOp):
        return None
    ticks = ticks_of(count, updates)
    type = element_type(mean.y)
    if ticks is None or delay.part_of != count.node or not isinstance(type, Float32Type | Float64Type):
        return None
    is_mean = int(delay.ticks.values.max()) == 1 and mean.weight_values() == mean_factor(ticks, type)
    return RateWindow(count, delay, mean) if is_mean else None


def ticks_of(op: ntensor.NeuronOp, updates: dict[str, ntensor.UpdateOp]) -> int | None:
    """Returns the length of the window in which a population counts events [ticks]; None for a population that is not such a counter."""
    window, update = op.params.data.get("window"), updates.get(op.update_name)
    if op.family is not None or update is None or not isinstance(window, ArrayAttr) or window.shape:
        return None
    ticks = int(window.values)
    is_event = len(op.xs) == 1 and ntensor.is_event(element_type(op.xs[0]))
    return ticks if is_event and ticks > 0 and update.is_equal(window_update(element_type(op.xs[0]), ticks)) else None
