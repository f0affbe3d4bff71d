"""Late chains: one op with synapses, and the delays and reshapes before and after it, with the ticks of each synapse.

    %a = ntensor.delay "d" %z {ticks = [1, 40]}             synapse     0 -> 0   1 -> 0
    %y = ntensor.linear "w" %a {weight = [[2, 3]]}          ticks           1        40
                                                            relays          0         2      (most = 15)

A synapse op adds what arrives at it, so a delay of its result by as many ticks as one of its operand is the same. A chain starts at events: an input, a
population, or a delay that is part of a node, whose ticks have passed then. It ends where something else than a delay or a reshape reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import Operation, SSAValue

from ....core.arrays.numeric import Bools, Ints
from ....core.ir.graph_region import components, sources
from ....core.ir.operation import element_type, shape_of
from ....dialects import ntensor
from ._retiming import greatest_ticks, inner_sources


@frozen(eq=False)
class LateChain:
    """A chain with a delay that needs relays.

    Shapes: source, target, place, ticks and count [synapses], by source, then target; waited [elements of start]. Units: ticks and waited [ticks].
    """

    start: SSAValue
    op: ntensor.SynapseOpInterface
    end: SSAValue
    source: Ints
    target: Ints
    place: Ints
    """The index of each weight in the op."""
    ticks: Ints
    """The delay of each synapse, `waited` included."""
    waited: Ints
    """The delay before the start."""
    count: Ints
    """The relays that each synapse needs."""
    has_delay: bool
    """Whether there are delays before or after the op."""
    has_later: bool
    """Whether what the op adds waits."""
    is_later: bool
    """Whether that exceeds the longest delay, or no delay before the op can be shorter instead."""
    is_loop: bool
    is_partial: bool
    """Whether elements of the start that the op does not read need another number of relays."""

    @property
    def is_within(self) -> bool:
        """Whether relays before the op do not suffice, because the synapses have delays or their sums are delayed."""
        own = self.op.delays
        return self.is_later or (own is not None and bool(own.values.any()))

    @property
    def is_mixed(self) -> bool:
        """Whether some synapses need more relays than others."""
        return bool((self.count != self.count[0]).any())

    @property
    def can_keep_op(self) -> bool:
        """Whether the same op can read the relayed signal."""
        is_shared = self.op.SHARES_WEIGHTS or self.op.weights is None
        is_whole = not self.is_mixed and (is_shared or not self.is_partial)
        return is_whole and self.op.delays is None and is_by_source(self.source, self.ticks)

    @property
    def is_short(self) -> bool:
        """Whether a synapse has no tick for each relay of the latest, in a loop; or a neuron that the op does not read."""
        return self.is_loop and (self.is_partial or int(self.ticks.min()) <= int(self.count.max()))


def is_by_source(source: Ints, ticks: Ints) -> bool:
    """Returns whether all synapses of each source have the same delay."""
    ordered = np.argsort(source, kind="stable")
    same = np.diff(source[ordered]) == 0
    return bool((np.diff(ticks[ordered])[same] == 0).all())


def find_chains(network: ntensor.NetworkOp, later: dict[Operation, int], most: int) -> list[LateChain]:
    """Returns the chains with a delay that needs relays: `later` are the longest delays after each op, `most` is the longest delay [ticks]."""
    ops = list(network.body.block.ops)
    loops = {
        op for group in components(ops, sources) if len(group) > 1 or group[0] in sources(group[0]) for op in group
    }
    found: list[LateChain] = []
    for op in ops:
        if isinstance(op, ntensor.SynapseOpInterface) and op.parent is not None:
            found += chains_of(op, later, most, loops)
    return found


def chains_of(
    op: ntensor.SynapseOpInterface, later: dict[Operation, int], most: int, loops: set[Operation]
) -> Iterator[LateChain]:
    """Yields the late chains through an op, one chain for each end."""
    start, before, longest = op.x, np.zeros(1, np.int64), greatest_ticks(op)
    while isinstance(step := start.owner, ntensor.DelayOp | ntensor.ReshapeOp) and not is_owned(step):
        if isinstance(step, ntensor.DelayOp):
            before = before + step.ticks.values.astype(np.int64).reshape(-1)
        start = step.x
    if not ntensor.is_event(element_type(start)):
        return
    waited = np.zeros(prod(shape_of(start)), np.int64)
    if isinstance(step := start.owner, ntensor.DelayOp):  # is_owned
        waited = waited + step.ticks.values.astype(np.int64).reshape(-1)
    if waited.max(initial=0) > most:  # a relay would delay what is recorded
        return
    longest += int(before.max(initial=0)) + int(waited.max(initial=0))
    for end, after in ends_of(op.y, np.zeros(1, np.int64)):
        readers = [use.operation for use in end.uses if not is_link(use.operation)]
        if any(isinstance(one, ntensor.SynapseOpInterface) for one in readers):
            continue  # a pool before another op
        room = max(
            0, most - max((greatest_ticks(one) + later.get(one, 0) for one in readers if one in later), default=0)
        )
        if longest + int(after.max(initial=0)) <= room:
            continue
        source, target, place = op.used_pairs()
        order = np.lexsort((target, source))
        source, target, place = source[order], target[order], place[order]
        own = np.zeros(1, np.int64) if op.delays is None else op.delays.values.astype(np.int64).reshape(-1)
        ticks = (waited + before)[source] + spread(own, place) + spread(after, target)
        count = np.maximum(-((room - ticks) // most), 0)
        if not count.any():
            continue
        given = np.maximum(-((room - waited - before) // most), 0)
        is_partial = not after.any() and op.delays is None and bool((given != count[0]).any())
        has_delay = op.x is not start or end is not op.y
        has_later = bool(after.any())
        is_later = has_later and (not before.any() or int(after.max()) > room)
        yield LateChain(
            start,
            op,
            end,
            source,
            target,
            place,
            ticks,
            waited,
            count,
            has_delay,
            has_later,
            is_later,
            op in loops,
            is_partial,
        )


def ends_of(value: SSAValue, after: Ints) -> Iterator[tuple[SSAValue, Ints]]:
    """Yields the ends of a chain after the result of its op, with the ticks of each element to there."""
    readers = [use.operation for use in value.uses]
    if any(not is_link(reader) for reader in readers):
        yield value, after
    for reader in readers:
        if isinstance(reader, ntensor.DelayOp):
            yield from ends_of(reader.y, after + reader.ticks.values.astype(np.int64).reshape(-1))
        elif isinstance(reader, ntensor.ReshapeOp):
            yield from ends_of(reader.y, after)


def earlier_delays(network: ntensor.NetworkOp) -> dict[Operation, int]:
    """Returns for each op that is not a population the longest delay from the populations and inputs to its result [ticks]."""
    found: dict[Operation, int] = {}
    ops = [op for op in network.body.block.ops if op.results and not isinstance(op, ntensor.NeuronOp)]
    for group in components(ops, inner_sources):
        for op in group:
            found[op] = greatest_ticks(op) + max((found.get(before, 0) for before in inner_sources(op)), default=0)
    return found


def spread(values: Ints, index: Ints) -> Ints:
    """Returns one value for each index. Shapes: values [1] or [n]."""
    return values[index] if len(values) > 1 else np.broadcast_to(values, index.shape)


def is_link(op: Operation) -> bool:
    """Returns whether an op only forwards or delays its operand."""
    return isinstance(op, ntensor.DelayOp | ntensor.ReshapeOp)


def is_owned(op: Operation) -> bool:
    """Returns whether an op is the delay of a node. The output of this node is recorded after the delay."""
    return isinstance(op, ntensor.DelayOp) and op.part_of is not None


def moves(chain: LateChain) -> bool:
    """Returns whether the parts of a chain are not simply added: some neuron has synapses in several of them."""
    op, element = chain.op, element_type(chain.op.y)
    exponent = op.optional_array("exponent")
    is_whole = ntensor.interval_of(element) is not None
    is_shifted = exponent is not None and bool((exponent.values < 0).any())
    if is_whole and not is_shifted and not isinstance(element, ntensor.TermsType):
        return False
    last, size = int(chain.count.max()), prod(shape_of(op.y))
    least, most = np.full(size, last), np.zeros(size, np.int64)
    np.minimum.at(least, chain.target, chain.count)
    np.maximum.at(most, chain.target, chain.count)
    reached: Bools = np.bincount(chain.target, minlength=size) > 0
    bias = op.optional_array("bias")
    if is_whole and is_shifted and bias is not None:  # the bias is rounded with the last part
        most[np.broadcast_to(op.spread_outputs(bias.values), shape_of(op.y)).reshape(-1) != 0] = last
    return bool((reached & (least != most)).any())
