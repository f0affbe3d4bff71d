"""Synapse lists: the chain of ops of a projection as one list of sources, targets, weights and delays.

Exactness: integers are multiplied and added exactly. Errors: ANA001 a chain that no list can express.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NoReturn

import numpy as np
from attrs import evolve, frozen
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Attribute, Operation

from ..core.arrays.joins import join
from ..core.arrays.numeric import AnyArray, Ints, Reals
from ..core.device.limits import OTHER_DEVICE
from ..core.diagnostics import Code, describe_op, refuse
from ..core.ir.operation import element_type, shape_of
from ..dialects import machine, ntensor
from ..dialects.chip_base.weights import smallest_integers

ANA001 = Code("ANA001", "projection-fits-no-table", "no table of the chip holds a projection")
ANA002 = Code("ANA002", "projection-format-changed", "a projection is stored in another format than planned")
ANA003 = Code("ANA003", "core-sum-unsupported", "a core does not compute a population or its sum")


BLOCK_ROWS = 256
"""Rows of a matrix that are compared with 0 at a time."""
Windowed = ntensor.ConvolutionOp | ntensor.PoolOp


@frozen(eq=False)
class Matrix:
    """The synapses of one linear map whose weights are integers that do not change. A weight of 0 is not a synapse. Shapes: weight [targets, sources]."""

    weight: AnyArray
    delay: int
    """The delay of all synapses [ticks]."""


@frozen(eq=False)
class Synapses:
    """The synapses of a projection, by source, then by target. With a matrix, the lists are empty.

    Shapes: source, target, weight and delay [synapses]; bias, first and exponent [targets]. Units: delay and first [ticks].
    """

    source: Ints
    target: Ints
    weight: AnyArray
    delay: Ints
    first: Ints
    """The first tick in which the bias is added."""
    bias: AnyArray | None = None
    exponent: Ints | None = None
    windows: tuple[Windowed, ...] = ()
    """The ops of a chain of pools and at most one convolution."""
    kernel: AnyArray | None = None
    merged: tuple[Ints, Ints] | None = None
    """Neuron and axon of each pair, if several neurons send to one axon: `source` lists axons then."""
    real: Attribute | None = None
    """The type of real sums."""
    divisor: int | None = None
    scale: Reals | None = None
    """The value of 1 of each weight, for quantised weights of real sums. Shapes: [synapses]."""
    weights: Attribute | None = None
    """The type to which their products are rounded."""
    plasticity: Attribute | None = None
    """The learning rule of the weights."""
    matrix: Matrix | None = None

    def weight_blocks(self) -> Iterator[Ints]:
        """Yields all weights in blocks. They are integers."""
        weight = self.weight[np.newaxis] if self.matrix is None else self.matrix.weight
        yield from (weight[k : k + BLOCK_ROWS].astype(np.int64) for k in range(0, len(weight), BLOCK_ROWS))

    def slices(self, slice_of: Ints, members: Sequence[Ints]) -> Iterator[tuple[Ints | None, Ints, int]]:
        """Yields the synapses into each slice of the targets (None with a matrix), their sources in ascending order, and their number.

        Shapes: slice_of [targets]; an entry of members [neurons of the slice].
        """
        if self.matrix is not None:
            for own in members:
                counts = np.zeros(self.matrix.weight.shape[1], np.int64)
                for k in range(0, len(own), BLOCK_ROWS):
                    counts += np.count_nonzero(self.matrix.weight[own[k : k + BLOCK_ROWS]], axis=0)
                yield None, np.flatnonzero(counts), int(counts.sum())
            return
        where = slice_of[self.target]
        order = np.argsort(where, kind="stable")
        ends = np.searchsorted(where[order], np.arange(len(members) + 1))
        for k in range(len(members)):
            own = order[ends[k] : ends[k + 1]]
            source = self.source[own]  # ascending
            is_first = np.append(True, source[1:] != source[:-1])[: len(source)]
            yield own, source[is_first], len(own)


def synapses_of(projection: machine.ProjectionOp) -> Synapses:
    """Returns the synapses of a chain. Errors: ANA001."""
    steps = projection.steps
    learning = [op for op in steps if isinstance(op, ntensor.SynapseOpInterface) and op.learning_rule is not None]
    weighted = [op for op in steps if isinstance(op, ntensor.SynapseOpInterface) and op.weights is not None]
    if learning and len(weighted) > 1:
        refuse_chain(projection, "one op with weights, since it learns", ", ".join(op.name for op in weighted))
    found = fixed_synapses(projection)
    return evolve(found, plasticity=learning[0].learning_rule) if learning else found


def fixed_synapses(projection: machine.ProjectionOp) -> Synapses:
    """Returns the synapses of a chain with the weights of its start. Errors: ANA001."""
    steps = projection.steps
    adders = [op for op in steps if isinstance(op, ntensor.SynapseOpInterface)]
    if isinstance(element_type(projection.gives), ntensor.TermsType) and len(adders) > 1:
        refuse_chain(projection, "one op that adds", ", ".join(op.name for op in adders))
    if not is_real(projection.gives):
        if (dense := with_matrix(steps)) is not None:
            return dense
        return summed(chained(prod(shape_of(projection.input_type)), steps), adders)
    pools = [op for op in adders if isinstance(op, ntensor.PoolOp)]
    last = pools[-1] if pools else None
    if adders[len(pools) + 1 :] or any(op.SUMS for op in pools[:-1]) or adders[: len(pools)] != pools:
        refuse_chain(projection, "pools, then one op that adds reals", ", ".join(op.name for op in adders))
    if pools and is_real(projection.input_type):
        refuse_chain(projection, "events with integers before a pool", str(projection.input_type))
    count = 0 if last is None else steps.index(last) + 1
    pooled = chained(prod(shape_of(projection.input_type)), steps[:count])
    late = np.zeros(len(pooled.first), np.int64)
    late[pooled.target] = pooled.delay
    if (late[pooled.target] != pooled.delay).any():
        refuse_chain(projection, "one delay for all operands of a pool", "several delays before the pool")
    size = prod(shape_of(last.y)) if last is not None else prod(shape_of(projection.input_type))
    found = summed(chained(size, steps[count:]), adders[len(pools) :])
    divisor = prod(last.kernel.values.tolist()) if last is not None and last.SUMS else None
    real = element_type(projection.gives)
    if last is None:
        return evolve(found, real=real)
    merged = pooled.source, pooled.target
    return evolve(found, delay=found.delay + late[found.source], merged=merged, real=real, divisor=divisor)


def with_matrix(steps: Sequence[Operation]) -> Synapses | None:
    """Returns the synapses of a chain of one linear map and delays that are equal for all elements; None for any other chain.

    Lists of them would need many times the memory of the matrix.
    """
    maps = [op for op in steps if isinstance(op, ntensor.SynapseOpInterface)]
    if len(maps) != 1 or not isinstance(op := maps[0], ntensor.LinearOp) or len(op.weight.shape) != 2:
        return None
    if op.weight.data.dtype.kind not in "iub":
        return None
    ticks = [(delay, delay.ticks.values.reshape(-1)) for delay in steps if isinstance(delay, ntensor.DelayOp)]
    if op.learning_rule is not None or any((numbers != numbers[:1]).any() for _, numbers in ticks):
        return None
    late = {delay: int(numbers[0]) if numbers.size else 0 for delay, numbers in ticks}
    after = sum(late[delay] for delay in steps[steps.index(op) :] if isinstance(delay, ntensor.DelayOp))
    none, outputs = np.zeros(0, np.int64), prod(shape_of(op.y))
    steps_of_weights = op.weight_steps().values
    integers = steps_of_weights if steps_of_weights.dtype.kind == "i" else steps_of_weights.astype(np.int64)
    matrix = Matrix(smallest_integers(integers), sum(late.values()))
    first, bias, exponent = np.full(outputs, after), None, exponents_of(op)
    if (own := op.bias) is not None:
        bias = np.broadcast_to(op.spread_outputs(own.values), shape_of(op.y)).reshape(-1)
    weight = np.zeros(0, matrix.weight.dtype)
    return Synapses(none, none, weight, none, first, bias, exponent, matrix=matrix)


def exponents_of(op: ntensor.SynapseOpInterface) -> Ints | None:
    """Returns the exponent of each result; None if the op has none."""
    if (array := op.optional_array("exponent")) is None:
        return None
    return np.broadcast_to(op.spread_outputs(array.values), shape_of(op.y)).reshape(-1).astype(np.int64)


def chained(size: int, steps: Sequence[Operation]) -> Synapses:
    """Returns the synapses of a chain of ops, in any order. Errors: ANA001."""
    every, none = np.arange(size), np.zeros(size, np.int64)
    found = Synapses(every, every, np.ones(size, np.int8), none, none)
    for op in steps:
        if isinstance(op, ntensor.DelayOp):
            ticks = np.broadcast_to(op.ticks.values, shape_of(op.x)).reshape(-1).astype(np.int64)
            found = evolve(found, delay=found.delay + ticks[found.target], first=found.first + ticks)
        elif isinstance(op, ntensor.SynapseOpInterface):
            found = followed(found, op)
    return found


def summed(found: Synapses, adders: Sequence[ntensor.SynapseOpInterface]) -> Synapses:
    """Returns synapses in the order of sums, with the windows of a convolution and pools."""
    order = np.lexsort((found.target, found.source))
    arranged = {name: getattr(found, name)[order] for name in ("source", "target", "weight", "delay")}
    arranged |= {} if found.scale is None else {"scale": found.scale[order]}
    windows = tuple(op for op in adders if isinstance(op, Windowed))
    kernels = [op.weight_steps().values for op in adders if isinstance(op, ntensor.ConvolutionOp)]
    if not adders or len(windows) < len(adders) or len(kernels) > 1:
        return evolve(found, **arranged)
    return evolve(found, **arranged, windows=windows, kernel=kernels[0] if kernels else np.zeros(0, np.int8))


def is_real(type: Attribute) -> bool:
    return isinstance(element_type(type), Float32Type | Float64Type)


def refuse_chain(op: Operation, expected: str, found: str, help: str = OTHER_DEVICE) -> NoReturn:
    """Refuses a chain of ops. Errors: ANA001."""
    at, node = describe_op(op)
    refuse(
        ANA001,
        at=at,
        node=node,
        expected=expected,
        found=found,
        help=help,
    )


def followed(given: Synapses, op: ntensor.SynapseOpInterface) -> Synapses:
    """Returns the synapses of a chain that is continued by an op. Errors: ANA001."""
    into, target, place = op.used_pairs()
    weights = np.ones(1, np.int8) if op.weights is None else op.weight_steps().values
    weight = np.broadcast_to(weights, (int(place.max(initial=0)) + 1,) if op.weights is None else weights.shape)
    weight = weight.reshape(-1)[place]
    own = None if op.delays is None else np.broadcast_to(op.delays.values, weights.shape).reshape(-1)[place]
    outputs = prod(shape_of(op.y))
    if given.exponent is not None and given.exponent.any():
        refuse_chain(op, "an exponent on the last op of the chain", "an op after it")
    if given.bias is not None and (given.first.any() or own is not None):
        refuse_chain(op, "a bias on the last op before a delay", "an op with weights after the delay")
    before, after = join(given.target, into)
    delay = given.delay[before] + (0 if own is None else own[after].astype(np.int64))
    scale = rounded = None
    product = smallest_integers(given.weight[before].astype(np.int64) * weight[after].astype(np.int64))
    if is_real(op.y.type):
        product = weight[after]
        if op.quantized_weights is not None:
            scale = np.broadcast_to(op.quantized_weights.scale.values, weights.shape).reshape(-1)[place][after]
            rounded = element_type(op.y)
    bias = added_bias(given, op, into, target, weight, outputs)
    exponent = exponents_of(op)
    none = np.zeros(outputs, np.int64)
    return Synapses(
        given.source[before], target[after], product, delay, none, bias, exponent, scale=scale, weights=rounded
    )


def added_bias(
    given: Synapses, op: ntensor.SynapseOpInterface, into: Ints, target: Ints, weight: AnyArray, outputs: int
) -> AnyArray | None:
    """Returns the bias of an op, with an earlier bias passed through it."""
    own = op.optional_array("bias")
    found = None
    if own is not None:
        found = np.broadcast_to(op.spread_outputs(own.values), shape_of(op.y)).reshape(-1)
    if given.bias is None or not given.bias.any():
        return found
    passed = np.zeros(outputs, np.int64)
    np.add.at(passed, target, weight.astype(np.int64) * given.bias[into])
    return passed if found is None else passed + found
