"""Replication of a population, or a cycle of populations, until no neuron exceeds the fan-out limit.

Each copy of a cycle reads its own populations, so that all copies behave alike. Readers are assigned to the copies, and redirected to
their copy (`_fan_out_rewrite.py`).

Readers are assigned by first fit. Slices of one population stay together if they fit into one bin.

Errors: LEG017, LEG018 a loop that leaves no room for others; LEG019 `max-fan-out` below the smallest possible fan-out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.fan_out import Reach, Slice, reaches
from ....core.arrays.numeric import Ints
from ....core.diagnostics import Code, refuse_op
from ....core.ir.graph_region import components
from ....dialects import ntensor
from ..delays._retiming import least_ticks, populations_among, shortest_delays
from ..relays._relays import NodeNames
from ._fan_out_rewrite import FanOutRewrite, Given

LEG018 = Code("LEG018", "loop-leaves-no-readers", "a loop leaves no room for other readers")


def slice_order() -> Callable[[Slice], tuple[int, int]]:
    """Returns a sort key function for slices: the index of the population in the network, then the index of the slice."""
    known: dict[Operation, int] = {}

    def place(at: Slice) -> tuple[int, int]:
        population, k = at
        if population not in known and population.parent is not None:
            known.update((op, index) for index, op in enumerate(population.parent.ops))
        return known[population], k

    return place


def pack_slices(slices: Iterable[Slice], sent: Sequence[Reach], own: Sequence[Ints], most: int) -> list[list[Slice]]:
    """Assigns slices to bins; `sent` is the reach of each sender, `own` the number of slices that every bin holds in addition.

    `own` plus one slice is at most `most`.
    """
    columns = [{at: k for k, at in enumerate(reach.slices)} for reach in sent]
    bins: list[list[Slice]] = [[]]
    filled = [ints[None].copy() for ints in own]  # of each sender: the number of slices that a neuron reaches, by bin

    def put(more: list[Slice], is_last: bool) -> bool:
        """Assigns slices to the first bin that has room, else to a new bin."""
        added = [
            reach.table[:, [places[at] for at in more if at in places]].sum(axis=1, dtype=np.int64)
            for reach, places in zip(sent, columns, strict=True)
        ]
        has_room = np.ones(len(bins), bool)
        for ints, extra in zip(filled, added, strict=True):
            has_room &= (ints + extra <= most).all(axis=1)
        k = int(has_room.argmax()) if has_room.any() else len(bins)
        if k == len(bins):
            if not is_last and any((ints + extra > most).any() for ints, extra in zip(own, added, strict=True)):
                return False
            bins.append([])
            filled[:] = [np.vstack([ints, start]) for ints, start in zip(filled, own, strict=True)]
        bins[k] += more
        for ints, extra in zip(filled, added, strict=True):
            ints[k] += extra
        return True

    by_population: dict[Operation, list[Slice]] = {}
    for at in sorted(slices, key=slice_order()):
        by_population.setdefault(at[0], []).append(at)
    for together in by_population.values():
        if not put(together, is_last=False):
            for at in together:
                put([at], is_last=True)
    return bins


def replicate(names: NodeNames, loop: list[ntensor.NeuronOp], most: int, step: str) -> None:
    """Copies a cycle, or a single population, as often as its readers require."""
    found, members = reaches(population.z for population in loop), set(loop)
    sent = [found[population.z] for population in loop]
    if all(reach.most <= most for reach in sent):
        return
    own: list[Ints] = []
    for population, reach in zip(loop, sent, strict=True):
        inside = [k for k, (reader, _) in enumerate(reach.slices) if reader in members]
        own.append(reach.table[:, inside].sum(axis=1, dtype=np.int64))
        others = [k for k, (reader, _) in enumerate(reach.slices) if reader not in members]
        alone = own[-1] + reach.table[:, others].any(axis=1)
        if (least := int(alone.max(initial=0))) > most:
            expected = f"at most {most} slices: those of the loop, and one more"
            help = f"{step}{{max-fan-out={least}}}"
            refuse_op(population, LEG018, expected=expected, found=f"{least} slices", help=help)
    outside = dict.fromkeys(at for reach in sent for at in reach.slices if at[0] not in members)
    bins = pack_slices(list(outside), sent, own, most)
    rewrite = FanOutRewrite.of([population.z for population in loop], names, step)
    given: list[Given] = [{}]
    for copy in range(1, len(bins)):
        given.append(copies(loop, rewrite, copy))
    rewrite.redirect_all(bins, given)


def loops(network: ntensor.NetworkOp) -> list[list[ntensor.NeuronOp]]:
    """Returns populations grouped by cycle, each group after all that it reads."""
    return components(network.populations, lambda op: populations_among(shortest_delays(op.xs, least_ticks)))


def first_loop(network: ntensor.NetworkOp) -> list[ntensor.NeuronOp] | None:
    """Returns the populations of the first cycle."""
    found = (loop for loop in loops(network) if len(loop) > 1 or loop[0].z in shortest_delays(loop[0].xs, least_ticks))
    return next(found, None)


def copies(loop: list[ntensor.NeuronOp], rewrite: FanOutRewrite, copy: int) -> Given:
    """Copies every population of a cycle; each copy reads the other copies."""
    given: dict[SSAValue, SSAValue] = {}
    made: list[ntensor.NeuronOp] = []
    for population in loop:
        again = population.clone()
        again.node = StringAttr(rewrite.names.take(f"{population.node.data}.copy{copy}"))
        Rewriter.insert_op(again, InsertPoint.after(population))
        given[population.z] = again.z
        made.append(again)
    for again in made:
        again.operands = [rewrite.rebuilt(x, given, copy) for x in again.xs]
    return given
