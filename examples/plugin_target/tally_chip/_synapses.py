"""Synapses of a projection: its chain of ops as one list of sources, targets, weights and delays.

    "input" -> delay 1 -> conv2d -> sum_pool2d      =>      every path from a source to a target, with the product of its weights

Exactness: exact. Errors: TLY002 a chain that no table of the chip can hold.
"""

from __future__ import annotations

from math import prod
from typing import NoReturn

import numpy as np
from attrs import evolve, frozen
from xdsl.ir import Operation

from nopt.core.arrays.joins import join
from nopt.core.arrays.numeric import Ints
from nopt.core.diagnostics import Code, describe_op, refuse
from nopt.core.ir.operation import element_type, shape_of
from nopt.dialects import machine, ntensor

from .dialects.tally import BIASES, WEIGHTS

TLY002 = Code("TLY002", "tally-table-missing", "the chip has no table for a projection")


@frozen(eq=False)
class Synapses:
    """The synapses of a chain. Shapes: source, target, weight and ticks [synapses]; bias [targets]. Units: ticks [ticks]."""

    source: Ints
    target: Ints
    weight: Ints
    ticks: Ints
    bias: Ints


def synapses_of(projection: machine.ProjectionOp) -> Synapses:
    """Returns the synapses of a projection, those with a weight of 0 included. Errors: TLY002."""
    if ntensor.interval_of(element_type(projection.gives)) is None:
        refuse_chain(projection, "sums of integers", str(element_type(projection.gives)))
    size = prod(shape_of(projection.input_type))
    every, zeros = np.arange(size), np.zeros(size, np.int64)
    found = Synapses(every, every, np.ones(size, np.int64), zeros, zeros)
    for op in projection.steps:
        if isinstance(op, ntensor.DelayOp):
            late = np.broadcast_to(op.ticks.values, shape_of(op.x)).reshape(-1).astype(np.int64)
            verify_bias_is_last(op, found)
            found = evolve(found, ticks=found.ticks + late[found.target])
        elif isinstance(op, ntensor.SynapseOpInterface):
            found = followed(found, op)
    verify_range(projection, "a weight", found.weight, WEIGHTS)
    verify_range(projection, "a bias", found.bias, BIASES)
    return found


def followed(given: Synapses, op: ntensor.SynapseOpInterface) -> Synapses:
    """Returns the synapses of a chain and of an op after it. Errors: TLY002."""
    if op.SUMS is not None or op.optional_array("exponent") is not None or op.learning_rule is not None:
        refuse_chain(op, "weights, delays and a bias alone", "a division, an exponent or a learning rule")
    into, target, place = op.pairs()
    weight, late = np.ones(len(into), np.int64), np.zeros(len(into), np.int64)
    if op.weights is not None:
        weight = op.weights.values.reshape(-1)[place].astype(np.int64)
    if op.weights is not None and op.delays is not None:
        verify_bias_is_last(op, given)
        late = np.broadcast_to(op.delays.values, op.weights.shape).reshape(-1)[place].astype(np.int64)
    bias = np.zeros(prod(shape_of(op.y)), np.int64)
    np.add.at(bias, target, weight * given.bias[into])
    if (own := op.optional_array("bias")) is not None:
        bias += np.broadcast_to(op.spread_outputs(own.values), shape_of(op.y)).reshape(-1).astype(np.int64)
    before, after = join(given.target, into)
    product, ticks = given.weight[before] * weight[after], given.ticks[before] + late[after]
    return Synapses(given.source[before], target[after], product, ticks, bias)


def verify_bias_is_last(op: Operation, given: Synapses) -> None:
    """Errors: TLY002."""
    if given.bias.any():
        refuse_chain(op, "a bias after the last delay", "a bias before it")


def verify_range(op: Operation, what: str, values: Ints, limits: range) -> None:
    """Errors: TLY002."""
    outside = values[(values < limits.start) | (values >= limits.stop)]
    if outside.size:
        refuse_chain(op, f"{what} from {limits.start} to {limits.stop - 1}", str(int(outside[0])))


def refuse_chain(op: Operation, expected: str, found: str) -> NoReturn:
    """Errors: TLY002."""
    at, node = describe_op(op)
    help, message = "--target asic/mesh, which has other synapses", "tally has no table for this projection"
    refuse(TLY002, message, at=at, node=node, expected=expected, found=found, help=help)
