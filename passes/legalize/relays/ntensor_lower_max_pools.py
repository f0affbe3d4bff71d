"""Replaces max pools of spikes by populations, for devices without max pools.

    %m = ntensor.max_pool2d "pool" %z {kernel = [2, 2]} : i1 -> i1
      =>
    %s = ntensor.sum_pool2d "pool.sum" %z {kernel = [2, 2]} : i1 -> i4
    %m = ntensor.neuron "pool" @relay_any_4(%s) : i4 -> i1

1. The greatest of the spikes of a window in one tick is their disjunction: a neuron that fires if any of them spikes, and keeps nothing. No sum
   of weights computes it, so each pool costs a population. `ntensor-map-relays` makes it a population of the device, which is proven.
2. The population takes no tick itself. A device whose synapses take ticks adds them, and `ntensor-retime` delays the other paths.
3. `by=sum` leaves the sum, without a population, for devices whose neurons fire as often as spikes arrive. Spikes of a window in the same tick
   all count. After a calibration each counts as much as the pool spiked for each of them, which keeps the mean. Readers have to add reals, and
   no output reads the pool.
4. A max pool of values has no population of this kind. `ntensor-move-max-pools` moves it after the next population.

Exactness: exact; `by=sum` is recorded.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; LEG102 a max pool of values, a reader that needs spikes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Literal

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
    f64,
    i1,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.calibration_records import find_observation, observed_rate
from ....analysis.node_selection import check_names, choose_ops
from ....core.arrays.numeric import Ints
from ....core.device.limits import OTHER_DEVICE
from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.help_text import PassesOption, Phrase
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....core.windows import WindowAxis
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..rates.ntensor_split_pools import Splitting
from ._relays import NodeNames, insert, observe_rate, relay_any

LEG102 = Code("LEG102", "max-pool-not-spikes", "a max pool cannot be replaced by spikes")

MOVE = "ntensor-move-max-pools"
"""The pass for max pools of values before a population."""


def is_max_pool(op: Operation) -> bool:
    return isinstance(op, ntensor.MaxPool2dOp)


def most_spikes(op: ntensor.MaxPool2dOp) -> int:
    """Returns the most spikes that a window of a max pool holds."""
    return prod(min(axis.inputs, axis.taps) for axis in op.axes())


def sum_pool(op: ntensor.MaxPool2dOp, node: str, type: TensorType[Attribute]) -> ntensor.SumPool2dOp:
    """Returns the sum pool of the same windows."""
    made = ntensor.SumPool2dOp.create(
        operands=[op.x],
        result_types=[type],
        properties={
            "node": StringAttr(node),
            "kernel": op.kernel,
            "stride": op.stride,
            "padding": op.padding,
        },
    )
    assert isinstance(made, ntensor.SumPool2dOp)
    return made


@dataclass(frozen=True)
class NtensorLowerMaxPoolsPass(NoptPass):
    """Lowers the max pools of every `ntensor.network`.

    Options:
        nodes: the max pools; default all.
        by: `threshold`, a population that fires if a neuron of the window fires; or `sum`, in which all spikes of a window count, without a
            population and its latency; default threshold.
    """

    name = "ntensor-lower-max-pools"
    nodes: tuple[str, ...] = ()
    by: Literal["threshold", "sum"] = "threshold"

    @property
    def approximations(self) -> tuple[str, ...]:
        return ("count",) if self.by == "sum" else ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_max_pool, self.name)
        for network in networks(op):
            names, done, worths = NodeNames(network), list[str](), list[float]()
            for pool in choose_ops(network, self.nodes, is_max_pool):
                assert isinstance(pool, ntensor.MaxPool2dOp)  # is_max_pool
                self.require_spikes(pool)
                if self.by == "sum":
                    worths.append(self.add_spikes(names, network, pool))
                else:
                    lower(names, pool)
                done.append(pool.node.data)
            if done and self.by == "sum":
                range = f"{min(worths):.3g}" + (f" to {max(worths):.3g}" if max(worths) > min(worths) else "")
                what = f"max pools as sum pools: all spikes of a window in a tick count, each {range} of one"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, done, unit="none"))

    def require_spikes(self, op: ntensor.MaxPool2dOp) -> None:
        """Refuses a max pool of values or counts. Errors: LEG102."""  # 4
        if (element := element_type(op.x)) == i1:
            return
        is_value = isinstance(element, Float32Type | Float64Type)
        help = Phrase(PassesOption(MOVE), ", or ", OTHER_DEVICE) if is_value else Phrase(OTHER_DEVICE)
        message = f"a max pool reads {'values' if is_value else 'numbers of several bits'}"
        refuse_op(op, LEG102, message, expected="spikes (i1)", found=str(element), help=help)

    def add_spikes(self, names: NodeNames, network: ntensor.NetworkOp, op: ntensor.MaxPool2dOp) -> float:
        """Replaces a max pool by a sum pool, whose readers add reals; returns the worth of a spike. Errors: LEG102."""  # 3
        readers = [use.operation for value in walk_downstream([op.y], is_rearranging) for use in value.uses]
        other = next((reader for reader in readers if not (is_rearranging(reader) or adds_reals(reader))), None)
        if other is not None:
            message, expected = "spikes of a max pool have a reader that needs spikes", "readers that add reals"
            help = pass_text(replace(self, by="threshold"))
            refuse_op(op, LEG102, message, expected=expected, found=describe_op(other)[0], help=help)
        is_short = any(isinstance(element_type(reader.results[0]), Float32Type) for reader in readers)
        made = sum_pool(op, op.node.data, TensorType(f32 if is_short else f64, shape_of(op.y)))
        insert(made, InsertPoint.before(op), op)
        worth = spike_worth(network, op)
        for use in list(op.y.uses):
            Splitting(names, op.node.data, worth).feed(made.y, use.operation, use.index)
        Rewriter.erase_op(op)
        return worth


def spike_worth(network: ntensor.NetworkOp, op: ntensor.MaxPool2dOp) -> float:
    """Returns the spikes of a max pool for each spike of its windows, of a calibration; 1 without one."""
    source = op.x.owner
    after = find_observation(op, "rate")
    before = find_observation(source, "rate") if isinstance(source, Operation) else None
    if isinstance(op.x, BlockArgument):
        before = find_observation(network, "inputs", network.input_names.data[op.x.index].data, "density")
    if not (isinstance(before, FloatAttr) and isinstance(after, FloatAttr) and after.value.data > 0):
        return 1.0
    sums = before.value.data * float(np.mean(windows_of(op)))
    return float(np.clip(after.value.data / sums, 1 / most_spikes(op), 1.0))


def windows_of(op: ntensor.MaxPool2dOp) -> Ints:
    """Returns the number of elements of each window."""
    rows, columns = (axis_elements(axis) for axis in op.axes())
    return np.outer(rows, columns)


def axis_elements(axis: WindowAxis) -> Ints:
    """Returns the number of elements of each window along an axis."""
    first = np.arange(axis.outputs) * axis.stride - axis.before
    return np.minimum(first + axis.taps, axis.inputs) - np.maximum(first, 0)


def is_rearranging(op: Operation) -> bool:
    """Returns whether an op only delays or reshapes a signal."""
    return isinstance(op, ntensor.DelayOp | ntensor.ReshapeOp)


def adds_reals(op: Operation) -> bool:
    is_adding = isinstance(op, ntensor.SynapseOpInterface | ntensor.SumOp)
    return is_adding and isinstance(element_type(op.results[0]), Float32Type | Float64Type)


def lower(names: NodeNames, op: ntensor.MaxPool2dOp) -> SSAValue:
    """Replaces a max pool of spikes by a population."""  # 1
    bits = max(2, most_spikes(op).bit_length() + 1)
    sums = sum_pool(op, names.take(f"{op.node.data}.sum"), TensorType(IntegerType(bits), shape_of(op.y)))
    counted = insert(sums, InsertPoint.before(op), op)
    names.free(op.node.data)
    fired = relay_any(names, op.node.data, counted, bits, op)
    if (rate := observed_rate(op, "rate")) is not None and isinstance(fired.owner, ntensor.NeuronOp):
        observe_rate(fired.owner, rate)
    fired.name_hint = op.y.name_hint
    Rewriter.replace_op(op, [], [fired])
    return fired
