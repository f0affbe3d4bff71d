"""Retiming: moves delays so that every path into a population has enough delay, and every output a constant latency.

Let r(v) be the latency (lag) of node v. Retiming changes the delay of an edge u -> v from w to `w + r(v) - r(u)`:

1. Inputs have lag 0. A path into a population has a delay of at least `need` ticks: `r(v) >= r(u) + need - w`, with `w` the shortest
   delay of the path. The lag of an output is minimal.
2. A delay gets shorter only where it holds events, or sums without bias: `r(v) >= r(u) - w` of those.
3. The least lags are the longest paths from the inputs. They do not exist if a cycle holds fewer ticks than its paths need.
4. Ops between populations get the lag of their readers, so that events are delayed, and sums are not.
5. A bias is present from the first tick. The bias of a late sum comes from a neuron that always fires, with the same latency.
6. A delay that is part of a node is visible in records of that node, so it keeps its ticks and gets the node's lag. Its readers read a
   second delay, which is retimed.

Errors: LEG057 a loop with too few ticks.
Source: C. Leiserson and J. Saxe, Retiming synchronous circuitry, Algorithmica 6 (1991).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from heapq import heappop, heappush
from itertools import count
from typing import Any, NoReturn

import numpy as np
from attrs import define, evolve, field, frozen
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.latency import LATENCY, NODE_LATENCY, latency_of, output_latencies
from ....analysis.node_selection import name_of
from ....analysis.slicing import ADDED
from ....core.arrays.arrays import ArrayAttr
from ....core.diagnostics import Code, Finding, Refused, describe_op, finding_about
from ....core.ir.graph_region import components, sources, walk_downstream, walk_upstream
from ....core.ir.operation import element_type
from ....core.ir.pipeline import NoptPass, suggest_pass
from ....core.number_texts import counted_text
from ....dialects import ntensor
from ..relays._relays import NodeNames, insert
from ._bias_retiming import delay_biases, has_bias

NAMED_POPULATIONS = 8
"""Populations of a loop that a message names."""
LONGER = "a longer loop changes results: its spikes come later"
LEG057 = Code("LEG057", "loop-delay-too-short", "a loop has fewer ticks of delay than it needs")
Sink = ntensor.NeuronOp | int
"""A population, or the index of an output."""


@frozen
class DelayPath:
    """The paths from a source to a sink."""

    source: SSAValue
    sink: Sink
    least: int
    """The shortest delay."""
    given: int
    """The ticks that can be removed from it."""


Lags = dict[ntensor.NeuronOp, int]
DelayPaths = dict[ntensor.NeuronOp, list[DelayPath]]
"""The paths into each population."""
Groups = list[list[ntensor.NeuronOp]]
"""Strongly connected components, each after all that it reads."""


class OtherTiming(Refused):
    """The refusal LEG057 or LEG058, with the pass option that permits the change; without an option the help line is unchanged."""

    def __init__(self, *findings: Finding, option: str = ""):
        super().__init__(*findings)
        self.option = option

    def helped_by(self, step: NoptPass) -> OtherTiming:
        """Returns the refusal with the option of a pass as its help."""
        if not self.option:
            return self
        known: dict[str, Any] = {field.name: True for field in fields(step) if field.name == self.option}
        help = suggest_pass(replace(step, **known))
        return OtherTiming(*(evolve(one, help=help) for one in self.findings), option=self.option)


@frozen
class ShortCycle:
    """A cycle with too little delay."""

    loop: list[ntensor.NeuronOp]
    held: int
    needed: int


def is_source(value: SSAValue) -> bool:
    """Returns whether a value is a source of events: an input, or the output of a population."""
    return isinstance(value.owner, Block | ntensor.NeuronOp)


def populations_among(values: Iterable[SSAValue]) -> list[ntensor.NeuronOp]:
    """Returns the populations that produce values."""
    return [value.owner for value in values if isinstance(value.owner, ntensor.NeuronOp)]


def is_idle(op: Operation) -> bool:
    """Returns whether an op is a synapse op with an empty weight array."""
    return isinstance(op, ntensor.SynapseOpInterface) and op.weights is not None and not op.weights.data.size


def least_ticks(op: Operation) -> int:
    """Returns the shortest delay of an op; 0 for an op without delays."""
    found = ntensor.delay_property(op)
    return int(found[1].data.least()) if found is not None and found[1].data.size else 0


def greatest_ticks(op: Operation) -> int:
    """Returns the longest delay of an op; 0 for an op without delays."""
    found = ntensor.delay_property(op)
    return int(found[1].data.greatest()) if found is not None and found[1].data.size else 0


def biased(network: ntensor.NetworkOp) -> set[SSAValue]:
    """Returns the values that are not zero without events, because a bias reaches them."""
    starts = [op.results[0] for op in network.body.block.ops if has_bias(op)]
    return set(walk_downstream(starts, lambda op: not isinstance(op, ntensor.NeuronOp | ntensor.OutputOp)))


@define(eq=False)
class Retiming:
    """Lags of one network, and the resulting delays."""

    network: ntensor.NetworkOp
    need: Callable[[ntensor.NeuronOp], int]
    """The minimum delay of every path into a population."""
    lags: dict[SSAValue, int] = field(factory=dict[SSAValue, int])
    """By the result of an op."""
    late: dict[int, int] = field(factory=dict[int, int])
    """By the index of an output."""
    biased: set[SSAValue] = field(factory=set[SSAValue])
    slower: dict[str, None] = field(factory=dict[str, None])
    """The populations of lengthened cycles."""

    # ---- analysis

    def solve(self, stretch_loops: bool = False) -> dict[str, int]:
        """Finds all lags. Returns the delays that are lengthened for them, each with its additional ticks. Errors: LEG057."""
        self.biased = biased(self.network)
        populations = self.network.populations
        into = {op: list(self.paths(op)) for op in populations}
        groups = components(populations, lambda op: populations_among(path.source for path in into[op]))
        longer: dict[str, int] = {}
        if (found := self.least_lags(groups, into)) is None:
            longer = self.stretch(groups, into, stretch_loops)
            into = {op: list(self.paths(op)) for op in populations}
            found = self.least_lags(groups, into)
            assert found is not None  # no short loop is left
        for op, lag in found.items():
            self.lags[op.z] = lag
        for k in range(len(self.network.outputs.values)):
            self.late[k] = max([0, *(self.arrival(path, found) for path in self.paths(k))])
        self.lags |= dict.fromkeys(self.network.body.block.args, 0)
        self.between()
        return longer

    def least_lags(self, groups: Groups, into: DelayPaths) -> Lags | None:
        """Finds the least lags component by component, each after all that it reads.

        They do not depend on the order. Returns None if a loop has none.
        """  # 3
        lags = {op: 0 for group in groups for op in group}
        for group in groups:
            for _ in range(len(group) + 1):
                is_moving = False
                for op in group:
                    least = max((self.arrival(path, lags) for path in into[op]), default=0)
                    if least > lags[op]:
                        lags[op], is_moving = least, True
                if not is_moving:
                    break
            else:
                return None
        return lags

    def stretch(self, groups: Groups, into: DelayPaths, stretch_loops: bool) -> dict[str, int]:
        """Lengthens a delay of every loop that holds too few ticks. Returns these delays with the additional ticks.

        All paths of a loop are within one component, so a delay that is lengthened changes no loop of another component.
        """
        longer: dict[str, int] = {}
        place = {op: k for k, op in enumerate(into)}
        for group in reversed(groups):
            members = sorted(group, key=place.__getitem__)
            while (short := self.short_loop(members, into)) is not None:
                delay = self.delay_in(short.loop)
                if not stretch_loops or delay is None:
                    self.refuse(short)
                self.slower |= dict.fromkeys(population.node.data for population in short.loop)
                more = short.needed - short.held
                ticks = delay.ticks.values  # those that wait longer keep their delays
                delay.ticks = ArrayAttr.of(np.maximum(ticks, ticks.min() + more).astype(ticks.dtype))
                longer[name_of(delay)] = longer.get(name_of(delay), 0) + more
                into |= {op: list(self.paths(op)) for op in members}
        return longer

    def short_loop(self, members: list[ntensor.NeuronOp], into: DelayPaths) -> ShortCycle | None:
        """Returns a cycle of a component whose lags grow without bound, found by the Bellman-Ford algorithm; None without such a cycle."""
        lags = dict.fromkeys(members, 0)
        paths = [(op, path) for op in members for path in into[op] if path.source.owner in lags]
        before: dict[ntensor.NeuronOp, DelayPath] = {}
        last: ntensor.NeuronOp | None = None
        for _ in range(len(members) + 1):
            last = None
            for op, path in paths:
                if (least := self.arrival(path, lags)) > lags[op]:
                    lags[op], before[op], last = least, path, op
            if last is None:
                return None
        assert last is not None  # it has just moved
        for _ in into:  # far enough back to be inside of the loop
            last = self.start_of(before[last])
        loop, held, needed = [last], before[last].least, self.need(last)
        while (start := self.start_of(before[loop[-1]])) is not last:
            loop.append(start)
            held, needed = held + before[start].least, needed + self.need(start)
        return ShortCycle(loop[::-1], held, needed)

    def arrival(self, path: DelayPath, lags: Lags) -> int:
        """Returns the least lag of the sink of a path."""
        start = path.source.owner
        lag = lags[start] if isinstance(start, ntensor.NeuronOp) else 0
        need = 0 if isinstance(path.sink, int) else self.need(path.sink)
        return lag + max(need - path.least, -path.given)  # 1, 2

    def start_of(self, path: DelayPath) -> ntensor.NeuronOp:
        assert isinstance(path.source.owner, ntensor.NeuronOp)  # inputs always have lag 0
        return path.source.owner

    def paths(self, sink: Sink) -> Iterator[DelayPath]:
        """Yields the paths into a sink."""
        values = [self.network.outputs.values[sink]] if isinstance(sink, int) else list(sink.xs)
        least = shortest_delays(values, least_ticks)
        given = shortest_delays(values, self.given) if self.biased else least
        return (DelayPath(source, sink, least[source], given[source]) for source in least)

    def given(self, op: Operation) -> int:
        """Returns the ticks that can be removed from an op."""
        return (
            least_ticks(op) if ntensor.delay_property(op) is not None and op.operands[0] not in self.biased else 0
        )  # 2

    def delay_in(self, loop: list[ntensor.NeuronOp]) -> ntensor.DelayOp | None:
        """Returns the delay of a cycle that is lengthened: the first in it."""
        for k, population in enumerate(loop):
            reader = loop[(k + 1) % len(loop)]
            for op in between(population.z, reader):
                if isinstance(op, ntensor.DelayOp) and ntensor.breaks_loops(op):
                    return op
        return None

    def refuse(self, found: ShortCycle) -> NoReturn:
        names = [describe_op(op)[0] for op in [*found.loop, found.loop[0]]]
        if len(names) > NAMED_POPULATIONS:
            names[NAMED_POPULATIONS // 2 : -NAMED_POPULATIONS // 2] = [f"{len(names) - NAMED_POPULATIONS} more"]
        most = self.mixed_relays(found.loop)
        finding = finding_about(
            found.loop[0],
            LEG057,
            expected=counted_text(found.needed, "tick")
            + ", one for each path that takes time" * (found.needed == len(found.loop)),
            found=f"{counted_text(found.held, 'tick')}: {' -> '.join(names)}",
            help=None if most is None else f"ntensor-relay-delays{{max-delay={most} reorder=true}}",
            notes=[LONGER if most is None else "relays of the late neurons alone add sums in another order"],
        )
        raise OtherTiming(finding, option="stretch_loops" if most is None else "")

    def mixed_relays(self, loop: list[ntensor.NeuronOp]) -> int | None:
        """Returns the longest delay in a loop that has relays and a delay with different ticks per neuron; None for any other loop."""
        ticks = [
            op.ticks.values
            for k, population in enumerate(loop)
            for op in between(population.z, loop[(k + 1) % len(loop)])
            if isinstance(op, ntensor.DelayOp) and any(ADDED in one.attributes for one in loop)
        ]
        return (
            max((int(one.max()) for one in ticks), default=0) if any(one.min() < one.max() for one in ticks) else None
        )

    def between(self) -> None:
        """Computes the lags of all ops that are not populations."""  # 4
        ops = [op for op in self.network.body.block.ops if op.results and not isinstance(op, ntensor.NeuronOp)]
        ops = [op for group in components(ops, inner_sources) for op in group]  # so that one round usually suffices
        low: dict[SSAValue, int] = {op.results[0]: 0 for op in ops}
        is_moving = True
        while is_moving:
            is_moving = False
            for op in ops:
                y = op.results[0]
                least = max((self.lags.get(x, low.get(x, 0)) - self.given(op) for x in op.operands), default=0)
                if least > low[y] and not is_idle(op):
                    low[y], is_moving = least, True
        most = max([*self.lags.values(), *self.late.values()], default=0)
        found: dict[SSAValue, int] = {y: most if y.uses else low[y] for y in low}
        is_moving = True
        while is_moving:
            is_moving = False
            for op in reversed(ops):
                y = op.results[0]
                wanted = [self.wanted(use.operation, use.index, found) for use in y.uses]
                lag = max(low[y], min(wanted, default=0))
                if lag < found[y]:
                    found[y], is_moving = lag, True
        self.lags |= found

    def wanted(self, reader: Operation, index: int, found: dict[SSAValue, int]) -> int:
        """Returns the lag that a reader requires of its operand."""
        if isinstance(reader, ntensor.OutputOp):
            return self.late[index]
        value = reader.results[0]
        return self.lags[value] if isinstance(reader, ntensor.NeuronOp) else found[value]

    # ---- rewrite

    def apply(self, *, late_biases: bool = True) -> None:
        """Inserts the delays, and stores the latency of every node."""
        ops = list(self.network.body.block.ops)
        if late_biases:
            delay_biases(self.network, self.lags)  # 5
        names = NodeNames(self.network)
        for op in ops:
            if isinstance(op, ntensor.DelayOp) and op.part_of is not None and self.lags[op.y] != self.lags[op.x]:
                self.keep_for_records(op, names)
        waits: dict[tuple[SSAValue, int], SSAValue] = {}
        for op in list(self.network.body.block.ops):
            for k, x in enumerate(op.operands):
                lag = self.late[k] if isinstance(op, ntensor.OutputOp) else self.lags[op.results[0]]
                if (more := lag - self.lags[x]) == 0 or is_idle(op):
                    continue
                if (found := ntensor.delay_property(op)) is not None:
                    op.properties[found[0]] = ArrayAttr.of(found[1].values + more)
                    continue
                if (x, more) not in waits:
                    waits[x, more] = self.wait(x, more, op, names)
                op.operands[k] = waits[x, more]
        self.mark(ops)

    def wait(self, x: SSAValue, ticks: int, at: Operation, names: NodeNames) -> SSAValue:
        """Returns a signal delayed by `ticks`."""
        name = names.take(f"{names.source_name(x)}.wait{ticks}")
        return insert(ntensor.DelayOp(name, x, ticks), InsertPoint.before(at), at)

    def keep_for_records(self, delay: ntensor.DelayOp, names: NodeNames) -> None:
        """Inserts a second delay after a delay that is part of a node: readers get the longer delay, records of the node keep the old one."""  # 6
        again = delay.clone()
        again.properties["node"] = StringAttr(names.take(f"{delay.node.data}.wait"))
        again.part_of = None
        delay.y.replace_all_uses_with(again.y)
        self.lags[again.y], self.lags[delay.y] = self.lags[delay.y], self.lags[delay.x]
        insert(again, InsertPoint.after(delay), delay)

    def mark(self, ops: Iterable[Operation]) -> None:
        """Stores the lags as latencies of nodes and outputs, added to latencies from earlier passes."""
        for op in ops:
            lag = self.lags[op.results[0]] if op.results else 0
            if lag and name_of(op):
                op.attributes[NODE_LATENCY] = IntegerAttr(latency_of(op) + lag, i64)
        before = output_latencies(self.network)
        names = [name.data for name in self.network.output_names]
        late = {name: before.get(name, 0) + self.late[k] for k, name in enumerate(names)}
        if any(late.values()):
            self.network.attributes[LATENCY] = DictionaryAttr({k: IntegerAttr(v, i64) for k, v in late.items()})


def inner_sources(op: Operation) -> list[Operation]:
    """Returns the ops that an op reads and that are not populations."""
    return [source for source in sources(op) if not isinstance(source, ntensor.NeuronOp)]


def shortest_delays(values: Iterable[SSAValue], ticks: Callable[[Operation], int]) -> dict[SSAValue, int]:
    """Returns the sources that reach some values, each with the shortest delay of its paths."""
    found: dict[SSAValue, int] = {}
    seen: set[SSAValue] = set()
    order = count()
    heap = [(0, next(order), value) for value in dict.fromkeys(values)]
    while heap:
        so_far, _, value = heappop(heap)
        if value in seen:
            continue
        seen.add(value)
        if is_source(value):
            found[value] = so_far
        elif isinstance(op := value.owner, Operation) and not is_idle(op):
            later = so_far + ticks(op)
            for x in op.operands:
                heappush(heap, (later, next(order), x))
    return found


def later_delays(network: ntensor.NetworkOp) -> dict[Operation, int]:
    """Returns for each op the longest delay of the ops between its result and the populations and outputs that it reaches [ticks]."""
    found: dict[Operation, int] = {}

    def readers(op: Operation) -> list[Operation]:
        users = [use.operation for result in op.results for use in result.uses]
        return [user for user in users if not isinstance(user, ntensor.NeuronOp | ntensor.OutputOp)]

    for part in components([op for op in network.body.block.ops if op.results], readers):
        for op in part:  # a cycle without a population has no end
            found[op] = max((greatest_ticks(user) + found.get(user, 0) for user in readers(op)), default=0)
    return found


def path_delay(op: Operation, later: Mapping[Operation, int], most: int) -> int:
    """Returns the delay of an op plus the `later` delays on its path, if a relay can separate them; else only the delay of the op [ticks]."""
    ticks = greatest_ticks(op)
    is_relayed = ticks > 0 and isinstance(op, ntensor.DelayOp | ntensor.SparseLinearOp)
    can_part = is_relayed and ntensor.is_event(element_type(op.operands[0])) and later.get(op, 0) <= most
    return ticks + later.get(op, 0) if can_part else ticks


def between(source: SSAValue, sink: ntensor.NeuronOp) -> Iterator[Operation]:
    """Yields the ops on the paths from a source to a population, in order."""
    upstream = walk_upstream(sink.xs, lambda op: not isinstance(op, ntensor.NeuronOp))
    ahead = {value.owner for value in upstream if not is_source(value)}
    stack, seen = [use.operation for use in source.uses], set[Operation]()
    while stack:
        op = stack.pop(0)
        if op in seen or op not in ahead:
            continue
        seen.add(op)
        yield op
        stack += [use.operation for result in op.results for use in result.uses]
