"""Plastic synapses: weights, traces and states as memory of the struct, and visits of what an event reaches.

    transmit      for each source with a spike: sums[target] += weight, with the weights before the tick
    learn         at the end of the tick, block by block: visits of synapses, then of the traces of neurons

1. Synapses are stored by source, delay and target, so that the events of a source reach them in one run; for events of targets there is a list of them.
2. Spikes that arrive later are rows of a ring. With dendritic delays, the terms of spikes under way are rows of a ring, too.
3. A block reads traces before it changes them: it visits synapses before neurons, and no synapse reads another.

`docs/rationale/plasticity.md` defines the order of events.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np
from attrs import define, field
from xdsl.dialects import arith
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....core.arrays.numeric import AnyArray, Ints
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type, shape_of, texts_of
from ....core.synapse.tree import POST, PRE, TICK
from ....dialects import c, fixed
from ....dialects.ntensor import NetworkOp, interval_of
from ....dialects.ntensor.learning.rules import last_values
from ....simulation.learning.plastic_ops import (
    SYNAPSE,
    PlasticOp,
    changed_names,
    initial_values,
    learning_values,
    named_values,
    plastic_ops,
)
from ....simulation.learning.rules import stored_weights, weight_scale
from ._rule_bodies import Names, Visited, rule_body
from .ops import affine_arrays
from .program import insert_op, literal, storage_type
from .synapses import add_affine, add_values, name_of, sum_interval
from .values import Values

LONGEST = Interval(0, 2**62)
"""The ticks that a clock can count."""
SENT = "sent"
"""The ring of spikes whose terms are under way."""


@define(eq=False)
class Plasticity:
    """The plastic synapses of a network, and the memory that they share."""

    values: Values
    network: NetworkOp
    known: dict[str, SSAValue] = field(factory=dict[str, SSAValue])
    switch: SSAValue | None = None
    """Whether rules run."""
    clock: SSAValue | None = None
    """The index of the tick, for random numbers."""
    held: dict[Operation, PlasticSynapses] = field(factory=dict[Operation, "PlasticSynapses"])

    @staticmethod
    def of(values: Values, network: NetworkOp) -> Plasticity:
        """Returns the plastic synapses of a network, without memory. Errors: NTE025, SIM031 to SIM034, SIM036."""
        found = Plasticity(values, network)
        ops = plastic_ops(network, network.body.block.ops)
        if ops:
            found.known = named_values(network)
        for op, plastic in ops.items():
            found.held[op] = PlasticSynapses(found, plastic)
            names = texts_of(plastic.learning.rule.observed)
            values.unfactored |= {(plastic.site.population, name) for name in names}
        return found

    def begin(self) -> None:
        """Adds the memory that rules share."""
        program = self.values.program
        if self.held:
            self.switch = program.state("learning", storage_type(i1), (1,), np.ones((), np.int64), kept=True)
        if any(len(one.rule.randoms) for one in self.held.values()):
            self.clock = program.state("clock", c.storage_for(LONGEST), (1,), kept=True)

    def end(self) -> None:
        """Runs all rules, at the end of the tick."""
        for op, one in self.held.items():
            self.values.program.origin = op.location
            one.learn()
        if self.clock is not None:

            def next(block: Block, args: list[SSAValue]) -> list[SSAValue]:
                after = insert_op(block, fixed.AddOp(args[0], insert_op(block, fixed.ConstantOp(1))))
                return [insert_op(block, fixed.SaturateOp(after, LONGEST))]

            counted = [(self.clock, fixed.IntType.of(LONGEST))]
            self.values.program.loop("clock", counted, [self.clock], next, last=True)


class PlasticSynapses:
    """The synapses of one op. Shapes: source, target, own, late [synapses], in the order of memory (1)."""

    def __init__(self, network: Plasticity, plastic: PlasticOp):
        op, learning, site = plastic.op, plastic.learning, plastic.site
        self.network, self.values, self.plastic = network, network.values, plastic
        self.op, self.learning, self.rule, self.label = op, learning, learning.rule, name_of(op)
        assert op.weights is not None  # a plastic op has weights
        source, target, place = (one.astype(np.int64) for one in op.used_pairs())
        ticks = np.zeros((), np.int64) if op.delays is None else op.delays.values.astype(np.int64)
        own = np.broadcast_to(ticks, op.weights.shape).reshape(-1)[place]
        order = np.lexsort((target, source))
        behind = site.delay[target]
        if self.rule.is_dendritic:
            own = own + site.source_delay
            pre_late, post_late = np.zeros_like(own), own + behind
        else:
            pre_late, post_late = own + behind, np.zeros_like(own)
        s, t = source[order], target[order]
        if not ((s[1:] == s[:-1]) & (t[1:] == t[:-1])).any():  # else sorting by delay would change a sum
            order = np.lexsort((target, pre_late, own, source))
        self.source, self.target, self.place, self.own = source[order], target[order], place[order], own[order]
        self.late = {PRE: pre_late[order], POST: post_late[order]}
        self.count = len(order)
        neuron = {PRE: self.source, POST: self.target}
        self.units: dict[str, tuple[Ints, Ints, Ints]] = {}
        """Neuron and delay of each trace of a side, and the trace of each synapse."""
        for side, late in self.late.items():
            most = int(late.max(initial=0)) + 1
            pairs, unit = np.unique(neuron[side] * most + late, return_inverse=True)
            self.units[side] = pairs // most, pairs % most, unit.reshape(-1)
        self.memory: dict[str, SSAValue] = {}
        """The weight and the states by name."""
        self.tables: dict[bytes, SSAValue] = {}
        self.pending: SSAValue | None = None
        self.rings: dict[str, tuple[SSAValue, SSAValue | None]] = {}
        """The spikes that events are read from, and the cursor of their ring."""

    # ---- memory

    def table(self, name: str, values: Ints) -> SSAValue:
        """Returns a constant of integers; equal ones are the same."""
        key = values.tobytes()
        if key not in self.tables:
            self.tables[key] = self.values.program.constant(f"{self.label}_{name}", values, i64)
        return self.tables[key]

    def begin(self) -> None:
        """Adds the weights and states."""
        program, rule, weight = self.values.program, self.rule, self.rule.weight.data
        values = stored_weights(self.op, rule).reshape(-1)[self.place]
        held = within_bounds(interval_of(rule.weight_type), self.learning.low, self.learning.high)
        element = rule.weight_type if held is None else c.storage_for(held)
        self.weight_type = rule.weight_type if held is None else fixed.IntType.of(held)
        kept = values.astype(np.int64 if held is not None else "f4" if str(element) == "f32" else "f8")
        self.memory[weight] = program.state(f"{self.label}_weight", element, (self.count,), kept, kept=True)
        starts = initial_values(rule, rule.initial.block, self.learning.params)
        for name, start in zip(rule.states, starts, strict=True):
            type = rule.argument_types[name]
            side = next((side for side in (PRE, POST) if name in texts_of(getattr(rule, side))), None)
            length = self.count if side is None else len(self.units[side][0])
            is_real = interval_of(type) is None
            number = np.asarray(start, ("f4" if str(type) == "f32" else "f8") if is_real else np.int64)
            self.memory[name] = program.state(f"{self.label}_{name}", storage_type(type), (length,), number)

    def ring(self, name: str, spikes: SSAValue, longest: int, *, is_stored: bool = True) -> None:
        """Sets the memory of spikes of up to `longest` ticks ago: those of this tick, or a ring, in which they are stored now or later (2)."""
        program = self.values.program
        if not longest:
            self.rings[name] = spikes, None
            return
        rows = longest + 1
        ring = program.state(
            f"{self.label}_{name}", c.element_of_memory(spikes), (rows, c.length_of(spikes)), spikes=True
        )
        self.rings[name] = ring, program.cursor(rows)
        if is_stored:
            self.store(name, spikes)

    def store(self, name: str, spikes: SSAValue) -> None:
        """Stores the spikes of this tick in a ring."""
        program, (ring, cursor) = self.values.program, self.rings[name]
        if cursor is not None:
            row = program.row(ring, cursor)
            program.copy(f"{self.label}_{name}", program.view(spikes, c.memory_shape(row)), row)

    # ---- groups of synapses and traces

    def by_source(self, late: Ints, ring: str, chosen: Ints | None = None) -> Visited:
        """Returns synapses in the order of memory, or some of them, grouped by source and delay; `late` delays their events."""
        keys = np.stack([self.source, self.own, self.late[PRE]])
        keys = keys if chosen is None else keys[:, chosen]
        first = (
            np.flatnonzero(np.r_[True, (keys[:, 1:] != keys[:, :-1]).any(axis=0)]) if keys.size else np.zeros(0, int)
        )
        start = np.r_[first, keys.shape[1]]
        some = first if chosen is None else chosen[first]
        found = self.visited(len(first), ring, self.source[some], late[some])
        group = np.repeat(np.arange(len(first)), np.diff(start))
        found.operands["start"] = self.table("start", start)
        if chosen is None:
            found.group, found.place = group, np.arange(self.count) - start[group]
        else:
            found.operands["member"] = self.table("member", chosen)
        return found

    def by_target(self, ring: str, keys: Ints, neuron: Ints, late: Ints) -> Visited:
        """Returns all synapses grouped by the keys of targets, with the neuron and the delay of each key."""
        order = np.argsort(keys, kind="stable")
        found = self.visited(len(neuron), ring, neuron, late)
        start = np.searchsorted(keys[order], np.arange(len(neuron) + 1))
        found.operands |= {"start": self.table("start", start), "member": self.table("member", order)}
        found.group = keys
        return found

    def visited(self, groups: int, ring: str | None, neuron: Ints, late: Ints) -> Visited:
        """Returns groups whose events are those of neurons, some ticks ago."""
        found = Visited(groups)
        if ring is None:
            return found
        events, cursor = self.rings[ring]
        found.operands |= {"events": events, "cursor": cursor}
        neurons = c.memory_shape(events)[-1] if cursor is not None else c.length_of(events)
        if not (len(neuron) == neurons and (neuron == np.arange(neurons)).all()):
            found.operands["neuron"] = self.table("neuron", neuron)
        if cursor is not None and late.any():
            found.operands["delay"] = self.table("late", late)
        return found

    def traces(self, side: str, event: str) -> Visited:
        """Returns the traces of a side that an event reaches."""
        neuron, late, _ = self.units[side]
        found = self.visited(len(neuron), None if event == TICK else side, neuron, late)
        for name in texts_of(getattr(self.rule, side)):
            found.names[name] = self.memory[name], None
        self.add_neurons(found, neuron)
        return found

    def synapses(self, event: str) -> Visited:
        """Returns the synapses that an event reaches."""
        if event in (TICK, PRE):
            found = self.by_source(self.late[PRE], PRE)
            if event == TICK:
                found.operands = {"start": found.operands["start"]}
        elif event == POST:
            neuron, late, unit = self.units[POST]
            found = self.by_target(POST, unit, neuron, late)
        else:
            memory = self.values.memory(self.signals[event])
            neurons = np.arange(prod(shape_of(self.op.y)))
            self.rings[event] = memory, None
            at = neurons if c.length_of(memory) > 1 else np.zeros_like(neurons)
            found = self.by_target(event, self.target, at, np.zeros_like(neurons))
        return self.named(found)

    def named(self, found: Visited) -> Visited:
        """Adds what a rule reads at a synapse."""
        rule = self.rule
        for name in (rule.weight.data, *texts_of(rule.synapse)):
            found.names[name] = self.memory[name], None
        for side in (PRE, POST):
            for name in texts_of(getattr(rule, side)):
                found.names[name] = self.memory[name], self.units[side][2]
        self.add_neurons(found, self.target)
        return found

    def add_neurons(self, found: Visited, neuron: Ints) -> None:
        """Adds what a rule reads of postsynaptic neurons."""
        states = self.values.states
        for name in texts_of(self.rule.observed):
            if (memory := states.get((self.plastic.site.population, name))) is not None:
                found.names[name] = memory, neuron
        for name in texts_of(self.rule.modulators):
            if (signal := self.signals[name]) in self.values.held:
                found.names[name] = self.values.memory(signal), neuron

    @property
    def signals(self) -> Mapping[str, SSAValue]:
        """Returns the signals of modulators."""
        _, _, *found = learning_values(self.plastic, self.network.known)
        return dict(zip(texts_of(self.rule.modulators), found, strict=True))

    # ---- sums

    def transmit(self) -> SSAValue:
        """Adds the sums of a tick, with the weights before it."""
        op, program, result = self.op, self.values.program, element_type(self.op.y)
        self.begin()
        x, longest = self.values.memory(op.x), int(self.own.max(initial=0))
        if not self.rule.is_dendritic:
            self.ring(PRE, x, int(self.late[PRE].max(initial=0)))
            return self.added(self.named(self.by_source(self.own, PRE)), result, None)
        if not longest:
            self.ring(SENT, x, 0)
            return self.added(self.named(self.by_source(self.own, SENT)), result, None)
        self.ring(
            SENT, x, longest, is_stored=not self.plastic.site.source_delay
        )  # another source may spike later in the tick
        held = interval_of(self.term_type)
        element = self.term_type if held is None else c.storage_for(held)
        self.pending = program.state(f"{self.label}_pending", element, (longest + 1, self.count))
        self.send(np.flatnonzero(self.own == 0))
        return self.added(self.by_source(self.own, SENT), result, self.pending)

    @property
    def term_type(self) -> Attribute:
        """Returns the type of the term of a spike."""
        if weight_scale(self.op, self.rule) is not None:
            return element_type(self.op.y)
        transmitted = self.rule.transmitted
        return self.weight_type if transmitted is None else last_values(transmitted)[0].type

    def term(self, visited: Visited) -> Names:
        """Returns the body of the term of a spike, without its end."""
        transmitted = self.rule.transmitted
        if transmitted is None:
            block = Block(arg_types=[self.weight_type])
            body = Names(block, [self.rule.weight.data], list(block.args), [])
        else:
            narrow = {self.rule.weight.data: self.weight_type}
            body = rule_body(self.rule, self.learning.params, transmitted, [0], 0, narrow)
        scale = weight_scale(self.op, self.rule)
        if scale is not None:
            body.results = [self.scaled(visited, body, scale)]
        return body

    def scaled(self, visited: Visited, body: Names, scale: AnyArray) -> SSAValue:
        """Adds the product of a stored integer and its scale, as a real of the sums."""
        block, type = body.block, element_type(self.op.y)
        stored = insert_op(block, fixed.ToRealOp(body.results[0], type))
        if len(np.unique(scale)) == 1:
            factor = literal(block, scale.flat[0], type)
        else:
            each = np.broadcast_to(scale, self.shape_of_weights).reshape(-1)[self.place]
            kept = each.astype("f4" if str(type) == "f32" else "f8")
            visited.names["scale"] = self.values.program.constant(f"{self.label}_scale", kept, type), None
            factor = block.insert_arg(type, len(block.args))
            body.names.append("scale")
        return insert_op(block, arith.MulfOp(stored, factor))

    @property
    def shape_of_weights(self) -> tuple[int, ...]:
        weights = self.op.weights
        assert weights is not None  # a plastic op has weights
        return weights.shape

    def send(self, chosen: Ints) -> None:
        """Stores the terms of the spikes of this tick through some synapses."""
        if not len(chosen):
            return
        assert self.pending is not None  # made before
        visited = self.named(self.by_source(self.own, SENT, None if len(chosen) == self.count else chosen))
        visited.operands.pop("delay", None)
        body = self.term(visited)
        self.add(f"{self.label}_send", visited, body, [(self.pending, c.EVENT_ROW)], is_learning=False)

    def added(self, visited: Visited, result: Attribute, pending: SSAValue | None) -> SSAValue:
        """Adds terms to sums: those of the spikes that arrive, or those that were stored when they were sent."""
        op, program, declared = self.op, self.values.program, interval_of(result)
        element, held = result, None
        if declared is not None:
            given = self.values.ranges[op.x]
            assert given is not None  # verified: integers result from integers
            held = sum_interval(op, given)
            element = c.storage_for(held)
        sums = program.scratch(f"{self.label}_sums", element, shape_of(op.y))
        program.add(c.ClearOp(sums))
        if pending is None:
            body = self.term(visited)
        else:
            block = Block(arg_types=[self.term_type])
            body = Names(block, ["pending"], list(block.args), [])
            visited.names["pending"] = pending, None
        visited.names["sums"] = sums, self.target
        type = result if held is None else fixed.IntType.of(held)
        sum = body.block.insert_arg(type, 0)
        body.names.insert(0, "sums")
        body.results = [add_values(body.block, sum, body.results[0], result)]
        self.add(self.label, visited, body, [(sums, visited.way_of("sums", self))], is_learning=False)
        bias, exponent = affine_arrays(op)
        if bias is None and exponent is None:
            return sums
        y = program.scratch(self.label, result if declared is None else c.storage_for(declared), shape_of(op.y))
        add_affine(program, op, sums, bias, exponent, y, result, held)
        return y

    # ---- learning

    def learn(self) -> None:
        """Adds the rule at the end of a tick."""
        z, x, *_ = (self.values.memory(value) for value in learning_values(self.plastic, self.network.known))
        if self.rule.is_dendritic:
            if self.pending is not None:
                if self.plastic.site.source_delay:
                    self.store(SENT, x)
                self.send(np.flatnonzero(self.own > 0))
            self.rings[PRE] = x, None
        self.ring(POST, z, int(self.late[POST].max(initial=0)))
        for number, (event, block) in enumerate(self.rule.steps):
            for side, places in changed_names(self.rule, block).items():
                visited = self.synapses(event) if side == SYNAPSE else self.traces(side, event)
                narrow = {self.rule.weight.data: self.weight_type}
                body = rule_body(self.rule, self.learning.params, block, [*places.values()], number, narrow)
                outs = [(self.memory[name], c.MEMBER) for name in places]
                suffix = f"{self.label}_{event}" if side == SYNAPSE else f"{self.label}_{event}_{side}_traces"
                self.add(suffix, visited, body, outs, is_learning=True)

    def add(
        self, label: str, visited: Visited, body: Names, outs: list[tuple[SSAValue, int]], *, is_learning: bool
    ) -> None:
        """Adds a visit."""
        ins = [(visited.names[name][0], visited.way_of(name, self)) for name in body.names]
        body.block.add_op(c.YieldOp(*body.results))
        operands = {**visited.operands, "switch": self.network.switch if is_learning else None}
        random = None
        if body.draws:
            operands |= {"clock": self.network.clock, "marks": self.table("mark", self.place)}
            random = self.learning.seed, body.draws
        self.values.program.add(
            c.visit(
                label, visited.groups, ins, outs, Region(body.block), places=visited.places, random=random, **operands
            )
        )

    def record(self, label: str, name: str, into: SSAValue) -> None:
        """Adds the record of the weights or of a state of synapses, at their places in the weights of the op."""
        memory = self.memory[self.rule.weight.data if name == "weight" else name]
        program, type = self.values.program, self.rule.argument_types.get(name, self.weight_type)
        type = self.weight_type if name == "weight" else type
        if c.length_of(into) == self.count and (self.place == np.arange(self.count)).all():
            program.copy(label, program.view(memory, c.memory_shape(into)), into)
            return
        program.add(c.ClearOp(into))
        block = Block(arg_types=[type])
        block.add_op(c.YieldOp(*block.args))
        place = self.table("mark", self.place)
        program.add(c.visit(label, self.count, [(memory, c.MEMBER)], [(into, 0)], Region(block), places=[place]))


def within_bounds(held: Interval | None, low: float, high: float) -> Interval | None:
    """Returns the integers of a type between the bounds of a weight; None for reals."""
    if held is None:
        return None
    return Interval(max(held.low, int(max(low, held.low))), min(held.high, int(min(high, held.high))))
