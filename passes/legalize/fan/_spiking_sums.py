"""Partial sums that are sent as spikes, for devices whose neurons send no payload.

    %y = ntensor.linear "fc" %x {weight = [[1, -2, 3]]}
    %z = ntensor.neuron "lif" @u(%y)
      =>
    %a = ntensor.sparse_linear "fc.plus0" %x {weight = [1, 3], …}        %p = ntensor.neuron "lif.plus0" @partial_sum(%a)
    %c = ntensor.sparse_linear "fc.minus0" %x {weight = [2], …}          %m = ntensor.neuron "lif.minus0" @partial_sum(%c)
    %b = ntensor.scale "lif.plus0.scale" %p {scale = q}                  %d = ntensor.scale "lif.minus0.scale" %m {scale = -q}
    %y = ntensor.sum %b, %d

A partial sum has weights of one sign, so that no spike has to be taken back. Each of its spikes is worth q; the rest stays in the partial sum, and
so do sums of more than q in one tick, until later ticks. q is `load` times the largest sum of the weights of a part. A part whose sums are above q on average
spikes in each tick, and loses what exceeds q. Without `load`, after a calibration, it is the observed share of the synapses that is active in a tick, of the
busiest source, times the kernel of pools that add up.

Where neurons read most of the same sources, a part has the same sources for all of them, at most `most`: its neurons share the axons of a core.
Otherwise each neuron deals its own synapses evenly, in the order of their sources.

With `join` the parts of one sign are one population, "lif.plus" or "lif.minus", and a sparse op adds its spikes (`_joined_parts.py`). Parts with ops
other than synapses, such as delays, stay populations of their own.
"""

from __future__ import annotations

from math import prod
from pathlib import Path

import numpy as np
from attrs import define, frozen
from xdsl.dialects.builtin import StringAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.calibration_records import observed_rate
from ....analysis.fan_in import Leaf, counts
from ....analysis.slicing import ADDED
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.arrays.numeric import Ints, Reals
from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.ir.operation import element_type, shape_of, texts_of
from ....dialects import ntensor
from ..relays._relays import NodeNames, insert
from ..updates._population_builder import new_population, read_neuron
from ._joined_parts import JoinedParts, join_parts

LEG044 = Code("LEG044", "partial-sums-not-spikes", "partial sums cannot be sent as spikes")

MORE_PARTS = 2
"""How many times as many parts as a neuron needs there may be, so that neurons share their sources."""
PARTIAL_SUM = Path(__file__).with_name("partial_sum.neuron")


LOAD = 0.125
"""The least load without the option, and the load without an observation of the sources."""


def active_share(leaf: Leaf, network: ntensor.NetworkOp) -> float:
    """Returns the observed share of the synapses of a leaf that is active in a tick, with the kernel of pools that add up; 0 without an observation."""
    if not isinstance(leaf.op, ntensor.SynapseOpInterface):
        return 0.0
    value, factor = leaf.op.x, 1
    while isinstance(op := value.owner, Operation) and not isinstance(op, ntensor.NeuronOp) and op.operands:
        if isinstance(op, ntensor.PoolOp) and op.SUMS is None:
            factor *= prod(op.kernel.values.tolist())
        value = op.operands[0]
    if isinstance(op, ntensor.NeuronOp):
        return factor * (observed_rate(op, "rate") or 0.0)
    if not isinstance(value, BlockArgument):
        return 0.0
    name = texts_of(network.input_names)[value.index]
    return factor * (observed_rate(network, "inputs", name, "density") or 0.0)


@frozen(eq=False)
class SignedSynapses:
    """Synapses of a leaf, and those of one sign among them. Shapes: source, target, weight and place [synapses]; chosen [of the sign]."""

    leaf: Leaf
    chosen: Ints
    source: Ints
    target: Ints
    weight: Reals
    place: Ints


def shared_parts(listed: list[SignedSynapses], count: int, most: int, size: int) -> list[Ints] | None:
    """Returns the part of each chosen synapse where all neurons have the same sources in a part; None if that takes over twice as many parts."""
    lines: list[Ints] = []
    first = 0
    for one in listed:
        sources, line = np.unique(one.source[one.chosen], return_inverse=True)
        lines.append(first + line.reshape(-1))
        first += len(sources)
    blocks = -(-first // most)
    if blocks > MORE_PARTS * count:
        return None
    parts = [line * blocks // first for line in lines]
    held = [part * size + one.target[one.chosen] for one, part in zip(listed, parts, strict=True)]
    if held and int(np.bincount(np.concatenate(held)).max(initial=0)) > most:  # several synapses between two neurons
        return None
    return parts


@define(eq=False)
class SpikingSplit:
    """One sum of reals in front of a population, split into partial sums that are sent as spikes."""

    names: NodeNames
    at: ntensor.NeuronOp
    most: int
    load: float | None
    is_joined: bool = False

    def load_of(self, found: list[Leaf]) -> float:
        """Returns the share of the weights of a part that a spike is worth."""
        if self.load is not None:
            return self.load
        return max([LOAD, *(active_share(leaf, self.names.network) for leaf in found)])

    def run(self, x: SSAValue, found: list[Leaf]) -> SSAValue:
        """Returns the sum of the spikes of all parts and of the operands that cannot be split. Errors: LEG044."""
        self.verify(x, found)
        parts: list[tuple[str, SSAValue, float]] = []
        loads: list[Reals] = []
        kept: list[SSAValue] = []
        for name, sign in (("plus", 1.0), ("minus", -1.0)):
            for p, (values, load) in enumerate(self.parts(found, name, sign)):
                parts.append((f"{self.at.node.data}.{name}{p}", self.added(values, x), sign))
                loads.append(load)
        for leaf in found:
            if not leaf.can_split:
                kept.append(self.passed(leaf.value, leaf, ""))
            elif isinstance(leaf.op, ntensor.SynapseOpInterface) and leaf.op.optional_array("bias") is not None:
                none = np.zeros(0, np.int64)
                kept.append(self.synapses(leaf, none, none, np.zeros(0), "bias", has_bias=True))
        self.verify_count(len(parts) + len(kept))
        worth = self.load_of(found) * np.max([np.zeros(prod(shape_of(x))), *loads], axis=0)
        worth = np.where(worth > 0, worth, 1.0).astype(dtype_of(element_type(x)) or np.float64).reshape(shape_of(x))
        for name, sign in (("plus", 1.0), ("minus", -1.0)) if self.is_joined else ():
            signed = [one for one in parts if one[2] == sign]
            joined = join_parts(self.names, self.at, [value for _, value, _ in signed]) if signed else None
            if joined is not None:
                kept.append(self.joined_spikes(f"{self.at.node.data}.{name}", joined, sign * worth, x))
                parts = [one for one in parts if one[2] != sign]
        for node, value, sign in parts:
            spikes = self.partial(node, value, worth)
            scale = ntensor.ScaleOp.create(
                operands=[spikes],
                result_types=[x.type],
                properties={
                    "node": StringAttr(self.names.take(f"{node}.scale")),
                    "scale": ArrayAttr.of((sign * worth).astype(worth.dtype)),
                },
            )
            kept.append(insert(scale, InsertPoint.before(self.at), self.at))
        return self.added(kept, x)

    def partial(self, node: str, value: SSAValue, worth: Reals) -> SSAValue:
        """Returns the spikes of a population of partial sums."""
        rule = read_neuron(PARTIAL_SUM)
        partial = new_population(self.names, node, rule, value, {"v_threshold": worth.astype(np.float64)}, {})
        partial.attributes[ADDED] = UnitAttr()
        return insert(partial, InsertPoint.before(self.at), self.at)

    def joined_spikes(self, node: str, joined: JoinedParts, worth: Reals, x: SSAValue) -> SSAValue:
        """Returns the sum of the spikes of joined parts, each worth its entry of `worth`."""
        each = worth.reshape(-1)[joined.neuron]
        spikes = self.partial(node, joined.value, np.abs(each))
        count = np.arange(len(each), dtype=np.int32)
        properties: dict[str, Attribute] = {
            "node": StringAttr(self.names.take(f"{node}.sum")),
            "weight": ArrayAttr.of(each),
            "source": ArrayAttr.of(count),
            "target": ArrayAttr.of(joined.neuron.astype(count.dtype)),
        }
        made = ntensor.SparseLinearOp.create(operands=[spikes], result_types=[x.type], properties=properties)
        return insert(made, InsertPoint.before(self.at), self.at)

    def verify(self, x: SSAValue, found: list[Leaf]) -> None:
        """Errors: LEG044."""
        if ntensor.interval_of(element_type(x)) is not None or isinstance(element_type(x), ntensor.TermsType):
            help = "split before the conversion to integers"
            refuse_op(self.at, LEG044, expected="sums of reals", found=str(element_type(x)), help=help)
        for leaf in found:
            op = leaf.op
            if isinstance(op, ntensor.SynapseOpInterface) and op.optional_array("exponent") is not None:
                help = "fold the exponent into the weights"
                refuse_op(op, LEG044, expected="sums without an exponent", found="an exponent", help=help)
        kept = [leaf.multiplicity if leaf.can_split else int(counts(leaf).max(initial=0)) for leaf in found]
        self.verify_count(max(kept, default=0))

    def verify_count(self, found: int) -> None:
        """Refuses sums of too many operands. Errors: LEG044."""
        if found > self.most:
            help = f"ntensor-split-fan-in{{max-fan-in={found} code=spikes}}"
            message, expected = "there are too many partial sums", f"at most {self.most} partial sums"
            refuse_op(self.at, LEG044, message, expected=expected, found=str(found), help=help)

    def parts(self, found: list[Leaf], name: str, sign: float) -> list[tuple[list[SSAValue], Reals]]:
        """Returns the operands of each part for the weights of one sign, and the weight sum of each neuron in that part, flat."""
        size = prod(shape_of(self.at.z))
        chosen_of: list[SignedSynapses] = []
        for leaf in found:
            op = leaf.op
            if leaf.can_split and isinstance(op, ntensor.SynapseOpInterface):
                source, target, place = op.used_pairs()
                weight = op.weight_values().values.reshape(-1)[place]
                chosen = np.flatnonzero(weight * sign > 0)
                chosen = chosen[np.lexsort((source[chosen], target[chosen]))]
                chosen_of.append(SignedSynapses(leaf, chosen, source, target, weight, place))
        total = sum(
            (np.bincount(one.target[one.chosen], minlength=size) for one in chosen_of), np.zeros(size, np.int64)
        )
        each = max((one.leaf.multiplicity for one in chosen_of), default=1)
        count = -(-total // (self.most // each))  # parts of each neuron, which share its weights evenly
        shared = shared_parts(chosen_of, int(count.max(initial=0)), self.most // each, size)
        filled = np.zeros(size, np.int64)
        made: list[tuple[list[SSAValue], Reals]] = []
        for k, one in enumerate(chosen_of):
            leaf, chosen, target, weight, place = one.leaf, one.chosen, one.target, one.weight, one.place
            own = np.bincount(target[chosen], minlength=size)
            first = np.concatenate([[0], np.cumsum(own)])[:-1]
            rank = np.arange(len(chosen)) - first[target[chosen]] + filled[target[chosen]]
            part = rank * count[target[chosen]] // total[target[chosen]] if shared is None else shared[k]
            filled += own
            every: list[int] = np.unique(part).tolist()
            for p in every:
                some = chosen[part == p]
                while len(made) <= p:
                    made.append((list[SSAValue](), np.zeros(size)))
                values = np.abs(weight[some])
                made[p][0].append(self.synapses(leaf, some, place[some], values, f"{name}{p}", has_bias=False))
                made[p][1][:] += np.bincount(target[some], values.astype(np.float64), size)
        return [one for one in made if one[0]]

    def synapses(self, leaf: Leaf, some: Ints, place: Ints, values: Reals, name: str, *, has_bias: bool) -> SSAValue:
        """Returns a sparse op with some synapses of a leaf, and the ops between the leaf and the population."""
        op = leaf.op
        assert isinstance(op, ntensor.SynapseOpInterface)  # it can be split
        source, target, _ = op.used_pairs()
        order = np.lexsort((target[some], source[some]))
        some, place, values = some[order], place[order], values[order]
        bias = op.optional_array("bias") if has_bias else None
        if bias is not None:
            spread = np.broadcast_to(op.spread_outputs(bias.values), shape_of(op.y))
            bias = ArrayAttr.of(np.ascontiguousarray(spread))
        properties = op.sparse_properties(source[some], target[some], place, bias)
        properties["weight"] = ArrayAttr.of(values.astype(dtype_of(element_type(op.y)) or np.float64))
        for left in ("quantized", "axon_types"):
            properties.pop(left, None)
        properties["node"] = StringAttr(self.names.take(f"{describe_op(op)[1]}.{name}"))
        made = ntensor.SparseLinearOp.create(operands=[op.x], result_types=[op.y.type], properties=properties)
        return self.passed(insert(made, InsertPoint.before(self.at), op), leaf, f".{name}")

    def passed(self, value: SSAValue, leaf: Leaf, suffix: str) -> SSAValue:
        """Returns a value after copies of the ops between a leaf and the population."""
        for step in leaf.path:
            again: Operation = step.clone({step.operands[0]: value})
            again.properties.pop("part_of", None)
            again.properties["node"] = StringAttr(self.names.take(f"{describe_op(step)[1]}{suffix or '.kept'}"))
            value = insert(again, InsertPoint.before(self.at), step)
        return value

    def added(self, values: list[SSAValue], x: SSAValue) -> SSAValue:
        """Returns the sum of values."""
        if len(values) == 1:
            return values[0]
        total = ntensor.SumOp.create(operands=values, result_types=[TensorType(element_type(x), shape_of(x))])
        return insert(total, InsertPoint.before(self.at), self.at)
