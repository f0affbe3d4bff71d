"""Sends the sums of pools as spikes, by a population between each pool and its readers, for devices without graded spikes.

    %p = ntensor.sum_pool2d "pool" %z {kernel = [2, 2]} : i1 -> f64
    %y = ntensor.conv2d "conv" %p {weight = w}
      =>  (load = 0.5)
    %p = ntensor.sum_pool2d "pool" %z {kernel = [2, 2]} : i1 -> f64
    %s = ntensor.neuron "pool.spikes" @partial_sum(%p) {params = {v_threshold = 2}} : f64 -> i1
    %y = ntensor.conv2d "conv" %s {weight = 2 w}

1. A pool is chosen if it adds events to reals. A neuron after it has a synapse for each sum, instead of one for each neuron before the pool.
2. A spike is worth `load` times the sum of a kernel in which every neuron fires once. The rest of a sum stays in the population until later ticks, and so
   do sums of more than a spike in one tick. Readers take the worth into their weights. Without `load`, after a calibration, 95 % of
   the mean sums of a pool in a sample are at most the worth of a spike.
3. A reader without real weights, or one whose weights change, reads the spikes through a scale.

Exactness: recorded, without an error: it depends on the input. Compare rates before and after, or the accuracy.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; LEG060 `load` out of range; LEG061 a named pool that does not add events to reals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

import numpy as np
from attrs import define
from xdsl.context import Context
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp, StringAttr, TensorType, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.calibration_records import divide_means, kept_events, kept_samples
from ....analysis.node_selection import check_names, choose_ops
from ....analysis.slicing import ADDED
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.diagnostics import Code, ExitCode, refuse, refuse_op
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..fan._spiking_sums import LOAD, PARTIAL_SUM
from ..relays._relays import NodeNames, insert
from ..updates._population_builder import new_population, read_neuron

LEG060 = Code("LEG060", "pool-load-out-of-range", "the load of pools is out of range", exit_code=ExitCode.MISUSED)
LEG061 = Code("LEG061", "pool-not-spikes", "a pool cannot be sent as spikes")


DEFAULT = 0.5
"""The load without a calibration."""
BUSY = 0.95
"""The share of all pools in all samples whose mean sum is at most a spike."""


def most_events(pool: ntensor.PoolOp) -> int:
    """Returns the result of a pool of which every neuron fires once."""
    return 1 if pool.SUMS is not None else prod(pool.kernel.values.tolist())


def is_pool(op: Operation) -> bool:
    return isinstance(op, ntensor.PoolOp)


@dataclass(frozen=True)
class NtensorSplitPoolsPass(NoptPass):
    """Splits pools from their readers in every `ntensor.network`.

    Options:
        nodes: the pools to work on; default all that add events to reals.
        load: the share of a kernel that a spike is worth, above 0 to 1. A spike of less delays the sums of busy ticks, one of more is coarser; default the
            observed share that 95 % of the pools do not exceed, within 0.125 to 1; without a calibration 0.5.
    """

    name = "ntensor-split-pools"
    APPROXIMATES = ("sums",)
    nodes: tuple[str, ...] = ()
    load: float | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.load is not None and not 0 < self.load <= 1:
            help = pass_text(replace(self, load=None))
            refuse(LEG060, at=f"load={self.load:g}", expected="above 0 to 1", found=f"{self.load:g}", help=help)
        check_names(op, self.nodes, is_pool, self.name)
        for network in networks(op):
            names, done, loads = NodeNames(network), list[str](), list[float]()
            for pool in choose_ops(network, self.nodes, is_pool):
                assert isinstance(pool, ntensor.PoolOp)  # is_pool
                if ntensor.is_event(element_type(pool.x)) and isinstance(
                    element_type(pool.y), Float32Type | Float64Type
                ):
                    loads.append(self.load_of(network, pool))
                    self.split(names, pool, loads[-1])
                    done.append(pool.node.data)
                elif self.nodes:
                    found = f"{element_type(pool.x)} to {element_type(pool.y)}"
                    help = "ntensor-quantize-inputs{kind=spike}"
                    refuse_op(pool, LEG061, expected="a pool that adds events to reals", found=found, help=help)
            if done:
                share = " to ".join(f"{load:.3g}" for load in dict.fromkeys((min(loads), max(loads))))
                what = f"sums of pools sent as spikes, each worth {share} of the kernel"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, done, unit="none"))

    def load_of(self, network: ntensor.NetworkOp, pool: ntensor.PoolOp) -> float:
        """Returns the share of the kernel of a pool that a spike is worth."""  # 2
        if self.load is not None:
            return self.load
        events = kept_events(owner) if isinstance(owner := pool.x.owner, ntensor.NeuronOp) else None
        if events is None:
            return DEFAULT
        ticks = next(iter(kept_samples(network).values())).shape[1]
        rates = np.minimum(events / ticks, 1).reshape(len(events), -1)
        source, target, _ = pool.used_pairs()
        shares = [np.bincount(target, one[source]) / prod(pool.kernel.values.tolist()) for one in rates]
        return float(np.clip(np.quantile(shares, BUSY), LOAD, 1.0))

    def split(self, names: NodeNames, pool: ntensor.PoolOp, load: float) -> None:
        """Puts a population between a pool and its readers."""
        worth = load * most_events(pool)  # 2
        readers = [(use.operation, use.index) for use in pool.y.uses]
        rule, node = read_neuron(PARTIAL_SUM), f"{pool.node.data}.spikes"
        made = new_population(names, node, rule, pool.y, {"v_threshold": np.asarray(worth)}, {})
        made.attributes[ADDED] = UnitAttr()
        spikes = insert(made, InsertPoint.after(pool), pool)
        for reader, index in readers:
            Splitting(names, node, worth).feed(spikes, reader, index)


@define
class Splitting:
    """The readers of one pool."""

    names: NodeNames
    node: str
    worth: float

    def feed(self, spikes: SSAValue, reader: Operation, index: int) -> None:
        """Lets a reader of a pool read spikes instead, in the unit of the sums."""
        match reader:
            case ntensor.ReshapeOp() | ntensor.DelayOp():
                again = reader.clone()
                again.operands[0] = spikes
                type = TensorType(element_type(spikes), shape_of(reader.y))
                Rewriter.insert_op(again, InsertPoint.before(reader))
                Rewriter.replace_value_with_new_type(again.results[0], type)
                for use in list(reader.y.uses):
                    self.feed(again.results[0], use.operation, use.index)
                Rewriter.erase_op(reader)
            case ntensor.SynapseOpInterface() if self.takes_worth(reader):
                self.multiply(reader)
                reader.operands[index] = spikes
            case _:
                dtype = dtype_of(element_type(reader.operands[index])) or np.dtype(np.float64)
                factor = np.full(shape_of(spikes), self.worth, dtype)
                scale = ntensor.ScaleOp.create(
                    operands=[spikes],
                    result_types=[reader.operands[index].type],
                    properties={
                        "node": StringAttr(self.names.take(f"{self.node}.scale")),
                        "scale": ArrayAttr.of(factor),
                    },
                )
                reader.operands[index] = insert(scale, InsertPoint.before(reader), reader)

    def takes_worth(self, op: ntensor.SynapseOpInterface) -> bool:
        """Returns whether the weights of an op can be multiplied."""
        is_real = isinstance(element_type(op.y), Float32Type | Float64Type)
        return op.weights is not None and op.learning_rule is None and is_real and op.optional_array("exponent") is None

    def multiply(self, op: ntensor.SynapseOpInterface) -> None:
        """Multiplies the weights of an op by the worth of a spike; quantized weights keep their integers."""
        weights, quantized, dtype = op.weights, op.quantized_weights, dtype_of(element_type(op.y))
        assert weights is not None  # takes_worth
        assert dtype is not None
        divide_means(op, self.worth)
        if quantized is not None:
            op.replace_weights(weights, quantized.with_scale(quantized.scale.values * self.worth))
            return
        product = weights.values.astype(np.float64) * self.worth
        kept = product.astype(weights.data.dtype)
        op.replace_weights(ArrayAttr.of(kept if np.array_equal(kept, product) else product.astype(dtype)), None)
