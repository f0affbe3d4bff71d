"""Neighbours of a plastic synapse op: the population that its sums reach, and the delays on both sides.

    population or input -> delays -> synapse op -> sums, reshapes and delays -> population

The walk passes only ops that keep the order of elements, so that flat indices of the op's result are those of the population.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen
from xdsl.ir import SSAValue

from ....core.arrays.numeric import Ints
from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.ir.operation import shape_of
from .. import DelayOp, NeuronOp, ReshapeOp, SumOp, SynapseOpInterface
from .places import learning_line

NTE025 = Code("NTE025", "learning-target-ambiguous", "the sums of a plastic synapse do not reach one population")

FREEZE = "ntensor-freeze-plasticity"


@frozen(eq=False)
class LearningSite:
    """Population and delays of a plastic synapse op."""

    population: NeuronOp
    delay: Ints
    """Delay between the op and each neuron [ticks]. Shapes: [neurons]."""
    source: SSAValue
    """The presynaptic signal, before the delays that only this op reads."""
    source_delay: int
    """Delay between `source` and the op [ticks]."""


def learning_site(op: SynapseOpInterface) -> LearningSite:
    """Returns the neighbours of a plastic synapse op. Errors: NTE025."""
    delay = np.zeros(int(np.prod(shape_of(op.y))), np.int64)
    value: SSAValue = op.y
    while True:
        users = [use.operation for use in value.uses]
        if len(users) != 1 or not isinstance(users[0], NeuronOp | SumOp | ReshapeOp | DelayOp):
            refuse_target(op, ", ".join(describe_op(user)[0] for user in users) or "none")
        user = users[0]
        if isinstance(user, NeuronOp):
            break
        if isinstance(user, DelayOp):
            delay = delay + np.broadcast_to(user.ticks.values, shape_of(user.y)).reshape(-1)
        value = user.results[0]
    source, before = op.x, 0
    while isinstance(owner := source.owner, DelayOp) and (ticks := owner.ticks.values).size and source.has_one_use():
        if (ticks != ticks.flat[0]).any():
            break
        source, before = owner.x, before + int(ticks.flat[0])
    return LearningSite(user, delay, source, before)


def refuse_target(op: SynapseOpInterface, found: str) -> None:
    """Refuses a synapse op with other readers than one population. Errors: NTE025."""
    expected = "sums that reach one population, through sums, reshapes and delays alone"
    refuse_op(op, NTE025, expected=expected, found=found, help=f"-p {FREEZE}", **learning_line(op))
