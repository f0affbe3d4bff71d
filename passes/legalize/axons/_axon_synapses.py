"""Synapses of a population as a crossbar core stores them: each chain of ops as one list of pairs, and as one op.

    %p = ntensor.sum_pool2d "pool" %z                       the pairs of a neuron of %z and one of %y, with the products of weights,
    %y = ntensor.linear "fc" %p {weight = …}                delays added, and weights of the same pair and delay added

A chain keeps its op if it is one op whose weights can be set one by one. Any other becomes a sparse op, which has the name of its op with weights.

Errors: LEG008 spikes that would merge; LEG009 a chain that is not a list of synapses.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import NoReturn

import numpy as np
from attrs import evolve, frozen
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import BlockArgument, Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.wiring import Connection
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.arrays.joins import join
from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.ir.operation import element_type, shape_of
from ....dialects import ntensor
from ...pipelines import SPIKE_INPUT
from ..delays.ntensor_hoist_delays import can_move
from ..relays._relays import NodeNames

LEG008 = Code("LEG008", "simultaneous-spikes-merge", "several spikes on one axon count as one")
LEG009 = Code("LEG009", "chain-not-synapse-list", "a chain of ops is not a list of synapses")

HOIST = "ntensor-hoist-delays"
"""The remedy for a delay of sums."""


@frozen(eq=False)
class AxonSynapses:
    """The synapses of one chain, sorted by source, delay, then target; each pair with one delay is listed once.

    Shapes: source, target, delay, weight and place [synapses]; unit () or [synapses]. Units: delay [ticks].
    """

    ops: tuple[ntensor.SynapseOpInterface, ...]
    """The synapse ops of the chain, from the source on."""
    origin: str
    """The name of the input or population that sends."""
    source: Ints
    target: Ints
    delay: Ints
    weight: Reals
    """Stored integers where `is_whole`, else the numbers by which spikes are multiplied."""
    place: Ints
    """The index of the weight in `weighted`."""
    is_whole: bool
    is_own: bool
    """Whether the chain is `weighted` alone, with one synapse for each pair and delay."""
    factor: float = 1.0
    """The product of the divisors of average pools, for stored integers."""

    @property
    def weighted(self) -> ntensor.SynapseOpInterface:
        """The first op with quantized weights, else the first op with weights, else the first op."""
        given = [op for op in self.ops if op.weights is not None]
        return next((op for op in given if op.quantized_weights is not None), (given or list(self.ops))[0])

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The type of the stored weights."""
        weights = self.weighted.weights
        real = dtype_of(element_type(self.ops[-1].y))
        if weights is None or (not self.is_whole and weights.data.dtype.kind != "f"):
            return np.dtype(np.int8) if self.is_whole or real is None else real
        return weights.data.dtype

    def numbers(self, stored: AnyArray) -> Reals:
        """Returns weights in the units of the trained network, as the op rounds them. Shapes: [synapses]."""
        quantized, weights = self.weighted.quantized_weights, self.weighted.weights
        if quantized is None or weights is None or not self.is_whole:
            return stored.astype(np.float64)
        scale = quantized.scale.values.astype(np.float64) * self.factor
        each = scale if scale.size == 1 else np.broadcast_to(scale, weights.shape).reshape(-1)[self.place]
        found: Reals = stored * each.reshape(-1)
        real = dtype_of(element_type(self.ops[-1].y))
        return found if real is None or real.kind != "f" else found.astype(real).astype(np.float64)


def synapses_of(connection: Connection) -> AxonSynapses | None:
    """Returns the synapses of a chain; None if it has no synapse op. Errors: LEG008, LEG009."""
    steps = list(connection.chain)
    found = [k for k, op in enumerate(steps) if isinstance(op, ntensor.SynapseOpInterface)]
    if not found:
        return None
    inner = steps[found[0] : found[-1] + 1]
    ops = tuple(op for op in inner if isinstance(op, ntensor.SynapseOpInterface))
    verify_chain(ops, inner, steps[found[-1] + 1 :])
    first = ops[0]
    every = np.arange(prod(shape_of(first.x)))
    weighted = [op for op in ops if op.weights is not None]
    is_whole = all(is_integer(op) for op in weighted) and (bool(weighted) or not any(op.SUMS for op in ops))
    none = np.zeros(len(every), np.int64)
    chain = AxonSynapses(ops, connection.source, every, every, none, np.ones(len(every)), none, is_whole, False)
    for op in ops:
        chain = followed(chain, op, is_main=op is chain.weighted)
    return summed(chain)


def is_integer(op: ntensor.SynapseOpInterface) -> bool:
    """Returns whether an op stores integers."""
    return op.weights is not None and op.weights.data.dtype.kind in "iu"


def verify_chain(ops: tuple[ntensor.SynapseOpInterface, ...], inner: list[Operation], later: list[Operation]) -> None:
    """Errors: LEG008, LEG009."""
    first, last = ops[0], ops[-1]
    if isinstance(element := element_type(first.x), ntensor.CountType | ntensor.GradedType):
        sender = "let the population that sends emit spikes: `emit spike` in its neuron file"
        help = SPIKE_INPUT if isinstance(first.x, BlockArgument) else sender
        refuse_op(first, LEG008, expected="at most one spike of a neuron in one tick", found=str(element), help=help)
    for op in ops:
        if op.learning_rule is not None:
            refuse_chain(op, "weights that do not change", "a learning rule", "ntensor-freeze-plasticity")
        if op.quantized_weights is not None and op.quantized_weights.has_zero:
            help = "ntensor-quantize-weights{grid=symmetric}"
            refuse_chain(op, "weights without a zero point", "a zero point", help)
        for name in ("bias", "exponent"):
            if op is not last and op.optional_array(name) is not None:
                help = f"move the {name} to the last op of the chain"
                refuse_chain(op, f"a {name} on the last op of the chain alone", f"a {name} before {last.name}", help)
    if len([op for op in ops if op.weights is not None and op.quantized_weights is not None]) > 1:
        refuse_chain(last, "one op with quantized weights", "several", "ntensor-fold-scale")
    for op in inner:
        if isinstance(op, ntensor.DelayOp):
            help = HOIST if can_move(op) else "delay the spikes before the first synapse"
            refuse_chain(op, "no delay between two synapse ops", describe_op(op)[0], help)
    for op in later:
        if isinstance(op, ntensor.DelayOp) and len(np.unique(op.ticks.values)) > 1:
            low, high = int(op.ticks.values.min()), int(op.ticks.values.max())
            help = HOIST if can_move(op) else "delay the spikes before the synapses"
            refuse_chain(op, "one delay for all neurons of a population", f"{low} to {high} ticks", help)


def refuse_chain(op: Operation, expected: str, found: str, help: str) -> NoReturn:
    """Errors: LEG009."""
    refuse_op(op, LEG009, expected=expected, found=found, help=help)


def followed(given: AxonSynapses, op: ntensor.SynapseOpInterface, *, is_main: bool) -> AxonSynapses:
    """Returns the composition of a chain's synapses with the synapses of an op that reads the chain."""
    source, target, place = op.used_pairs()
    weight, own, factor = np.ones(len(source)), np.zeros(len(source), np.int64), given.factor
    if op.weights is not None:
        weights = op.weights if given.is_whole else op.weight_values()
        weight = weights.values.reshape(-1)[place].astype(np.float64)
        if op.delays is not None:
            own = np.broadcast_to(op.delays.values, op.weights.shape).reshape(-1)[place].astype(np.int64)
    elif op.SUMS is not None:
        kernel = op.properties["kernel"]
        assert isinstance(kernel, ArrayAttr)  # a pool
        part = 1 / prod(kernel.values.tolist())
        weight, factor = (weight, factor * part) if given.is_whole else (weight * part, factor)
    before, after = join(given.target, source)
    return evolve(
        given,
        source=given.source[before],
        target=target[after],
        delay=given.delay[before] + own[after],
        weight=given.weight[before] * weight[after],
        place=place[after] if is_main else given.place[before],
        factor=factor,
    )


def summed(chain: AxonSynapses) -> AxonSynapses:
    """Returns the synapses of a chain with parallel synapses of equal delay merged and their weights added."""
    order = np.lexsort((chain.target, chain.delay, chain.source))
    keys = np.stack([chain.source, chain.delay, chain.target])[:, order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = (np.diff(keys) != 0).any(axis=0)
    starts = np.flatnonzero(is_first)
    sums = np.add.reduceat(chain.weight[order], starts) if len(starts) else np.zeros(0)
    source, delay, target = keys[:, starts]
    is_own = len(chain.ops) == 1 and chain.ops[0].weights is not None and bool(is_first.all())
    return evolve(
        chain,
        source=source,
        target=target,
        delay=delay,
        weight=sums,
        place=chain.place[order][starts],
        is_own=is_own,
    )


# ---- as one op


def can_store(chain: AxonSynapses, weight: AnyArray) -> bool:
    """Returns whether the op of a chain can store fitted weights: no two of them share a number that differs."""
    op = chain.weighted
    if not chain.is_own or op.weights is None or "axon_types" not in type(op).get_irdl_definition().properties:
        return False
    stored = op.weights.values.reshape(-1).astype(weight.dtype)
    stored[chain.place] = weight
    return np.array_equal(stored[chain.place], weight)


def store_weights(chain: AxonSynapses, weight: AnyArray, types: ntensor.AxonTypesAttr) -> None:
    """Puts fitted weights and their axon types into the op of a chain."""
    op = chain.weighted
    assert op.weights is not None  # can_store
    stored = op.weights.values.reshape(-1).astype(weight.dtype)
    stored[chain.place] = weight
    if not np.array_equal(stored, op.weights.values.reshape(-1)):
        op.replace_weights(ArrayAttr.of(stored.reshape(op.weights.shape)), op.quantized_weights)
    op.properties["axon_types"] = types


def sparse_op(chain: AxonSynapses, weight: AnyArray, types: ntensor.AxonTypesAttr) -> ntensor.SparseLinearOp:
    """Returns a sparse op with the synapses of a chain and fitted weights."""
    op, last = chain.weighted, chain.ops[-1]
    order = np.lexsort((chain.target, chain.source))
    order = order[weight[order] != 0]
    properties = op.sparse_properties(chain.source[order], chain.target[order], chain.place[order])
    properties |= {"node": op.node, "weight": ArrayAttr.of(weight[order]), "axon_types": types}
    for name in ("delay", "exponent"):
        properties.pop(name, None)
    if chain.delay.any():
        properties["delay"] = ArrayAttr.of(chain.delay[order])
    for name in ("bias", "exponent"):
        given = last.optional_array(name)
        if given is not None:
            spread = np.broadcast_to(last.spread_outputs(given.values), shape_of(last.y))
            properties[name] = ArrayAttr.of(np.ascontiguousarray(spread))
    quantized = properties.get("quantized")
    if not chain.is_whole:
        properties.pop("quantized", None)
    elif isinstance(quantized, ntensor.QuantizedAttr) and chain.factor != 1:
        properties["quantized"] = quantized.with_scale(quantized.scale.values * chain.factor)
    made = ntensor.SparseLinearOp.create(operands=[chain.ops[0].x], result_types=[last.y.type], properties=properties)
    return made


def replace_chain(chain: AxonSynapses, made: ntensor.SparseLinearOp) -> None:
    """Puts a sparse op in the place of a chain."""
    last = chain.ops[-1]
    Rewriter.insert_op(made, InsertPoint.before(last))
    last.y.replace_all_uses_with(made.y)
    erase_unread_chain(last)


def erase_unread_chain(op: Operation) -> None:
    """Removes an op without readers, and the ops before it that lose theirs."""
    while not isinstance(op, ntensor.NeuronOp) and not any(result.uses for result in op.results):
        before = op.operands[0].owner
        Rewriter.erase_op(op)
        if not isinstance(before, Operation):
            return
        op = before


# ---- one reader for each op


def separate_readers(network: ntensor.NetworkOp, names: NodeNames) -> None:
    """Copies ops until each value between spikes and a population has one reader, so that each copy gets the axons of one reader."""
    is_moving = True
    while is_moving:
        is_moving = False
        for op in list(shared_ops(network)):
            for use in list(op.results[0].uses)[1:]:
                again = op.clone()
                if isinstance(node := op.properties.get("node"), StringAttr):
                    again.properties["node"] = StringAttr(names.take(f"{node.data}.copy1"))
                Rewriter.insert_op(again, InsertPoint.after(op))
                use.operation.operands[use.index] = again.results[0]
                is_moving = True


def shared_ops(network: ntensor.NetworkOp) -> Iterator[Operation]:
    """Yields the ops between spikes and populations whose result is a value with several readers."""
    for op in network.body.block.ops:
        is_chain = isinstance(op, ntensor.SynapseOpInterface | ntensor.SumOp | ntensor.DelayOp | ntensor.ReshapeOp)
        if is_chain and not ntensor.is_event(element_type(op.results[0])) and len(list(op.results[0].uses)) > 1:
            yield op
