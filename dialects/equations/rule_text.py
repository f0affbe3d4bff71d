"""Conversion of an `ntensor.rule` to a rule of the synapse language, so that IR can be read as equations.

    ntensor.let "w" (min(max(w + a_plus * x, w_min), w_max))   =>   w = w + a_plus * x

A rule that the language cannot express is refused. The text parses, and builds an equal rule. It contains no options, units and comments,
because a rule does not contain them, and no names that the rule declares and does not read. A parameter has the bounds that keep a divisor
from 0: `in 1e-300..inf`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeGuard

import numpy as np
from attrs import evolve
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, SSAValue

from ...core.expressions.tree import Expr, Name, Neg, Number, walk
from ...core.fixed_point import Interval
from ...core.ir.operation import texts_of
from ...core.neuron.kinds import Value
from ...core.neuron.tree import NOWHERE, Assign, Bounds, Declaration, Declarations, Declared, Item, Option
from ...core.synapse.elaboration import RuleElaboration, divisor_parameters
from ...core.synapse.tree import (
    DELAY,
    POST,
    PRE,
    TICK,
    Efficacy,
    Event,
    Synapse,
    SynapseFile,
    Weight,
    format_synapses,
)
from .. import fixed, ntensor
from ..ntensor.learning.rules import RuleOp, last_values
from ._assignments import Assignments, assigning_ops, mode_of
from ._declarations import declaration, derivation, initial_states
from ._expressions import CLIPS, Reader, number_of, owner, precision_of, strip_name

NOT_NEGATIVE, POSITIVE = Bounds("0", "inf"), Bounds("1e-300", "inf")
"""Bounds of the parameters of divisors."""


def synapse_of(rule: RuleOp) -> Synapse:
    """Returns the synapse that a rule was built from, without the parts that a rule does not contain.

    Errors: SYN008 a rule that the language cannot express.
    """
    synapse = Synapse(re.sub(r"\W", "_", rule.sym_name.data), items=tuple(RuleText(rule).items()))
    while divisors := RuleElaboration(synapse, {}).zero_divisors():
        bounded = bound_divisor(synapse, divisors[0].args[1])
        if bounded is None:
            return Reader(rule, Block(), precision_of(rule), []).cannot(
                "a divisor that no bounds of parameters keep from 0"
            )
        synapse = bounded
    return synapse


def bound_divisor(synapse: Synapse, divisor: Value) -> Synapse | None:
    """Returns a rule with closer bounds of a parameter of a divisor, so that it differs from 0; None if all have them.

    A rule does not contain the bounds that its parameters had.
    """
    names = [divisor.data] if divisor.op == "let" else divisor_parameters(divisor)
    known = {one.name: one.bounds for one in synapse.params}
    for bounds in (NOT_NEGATIVE, POSITIVE):
        for name in (name for name in names if known.get(name) not in (bounds, POSITIVE)):
            return evolve(synapse, items=tuple(with_bounds(item, name, bounds) for item in synapse.items))
    return None


def with_bounds(item: Item, name: str, bounds: Bounds) -> Item:
    """Returns a line with the bounds of one parameter."""
    if not isinstance(item, Declarations) or item.keyword != "param":
        return item
    entries = (
        evolve(one, declared=evolve(one.declared or Declared(), bounds=bounds)) if one.name == name else one
        for one in item.entries
    )
    return evolve(item, entries=tuple(entries))


def synapse_text(rule: RuleOp) -> str:
    """Returns a rule as text in the synapse language; the text builds an equal rule. Errors: SYN008."""
    return format_synapses(SynapseFile((synapse_of(rule),)))


class RuleText:
    """Conversion of one rule: its declarations, then its blocks in their order."""

    def __init__(self, rule: RuleOp):
        self.rule, self.weight, self.types = rule, rule.weight.data, rule.argument_types
        self.precision = precision_of(rule)
        self.stored = [self.weight, *rule.states]
        self.modes = {name: self.mode(name) for name in self.stored}
        self.low, self.high, self.params = self.derived()

    def mode(self, name: str) -> str:
        """Returns how assignments reduce the weight or a state to its width."""
        at, blocks = self.stored.index(name), [block for _, block in self.rule.steps]
        named = (op for block in blocks for op in assigning_ops(block, name, self.types[name]))
        return mode_of([*named, *(owner(last_values(block)[at]) for block in blocks)])

    def derived(self) -> tuple[Expr, Expr, list[Item]]:
        """Returns the bounds of the weight, and the lines of the parameters."""
        items = list(derivation(self.rule))
        ends = [one.entries[0].value for one in items if is_bound(one)]
        for end in ends:
            inner = end.x if isinstance(end, Neg) else end
            if not isinstance(inner, Number | Name):
                self.cannot("bounds of a weight other than numbers and parameters")
        low, high = ends
        assert low is not None
        assert high is not None
        return low, high, [one for one in items if not is_bound(one)]

    def cannot(self, what: str) -> Any:
        return Reader(self.rule, Block(), self.precision, []).cannot(what)

    # ---- declarations

    def items(self) -> Iterator[Item]:
        """Yields the lines of the rule."""
        rule, lines = self.rule, [*self.efficacy(), *self.events()]
        values = (one.value for one in lines if isinstance(one, Assign | Efficacy))
        read = {part.name for value in values for part in walk(value) if isinstance(part, Name)}
        if rule.is_dendritic:
            yield Option(NOWHERE, DELAY, (str(rule.delay.data),))
        yield from self.params
        yield Weight(NOWHERE, self.weight, self.weight_type(), self.low, self.high)
        states = initial_states(rule, {name: self.types[name] for name in rule.states}, self.modes)
        for keyword, side in (("synapse state", rule.synapse), ("pre state", rule.pre), ("post state", rule.post)):
            if entries := tuple(states[name] for name in texts_of(side)):
                yield Declarations(NOWHERE, keyword, entries)
        used = read | set(texts_of(rule.events))
        used |= set(texts_of(rule.randoms))
        for keyword, side in (("observe", rule.observed), ("modulator", rule.modulators), ("random", rule.randoms)):
            names = (name for name in texts_of(side) if name in used)
            if entries := tuple(Declaration(name, declared=self.declared(name)) for name in names):
                yield Declarations(NOWHERE, keyword, entries)
        if unread := [name for name in texts_of(rule.randoms) if name not in read]:
            self.cannot(f"random number {unread[0]}, which nothing reads")  # without it, the others would differ
        yield from lines

    def declared(self, name: str) -> Declared | None:
        return declaration(self.types[name], self.precision)

    def weight_type(self) -> Declared | None:
        """Returns the declared type of the weight, without its bounds."""
        declared = self.declared(self.weight)
        if declared is None:
            return None
        ends = [literal_of(end) for end in (self.low, self.high)]
        if declared.bounds is not None and ends != [float(declared.bounds.low), float(declared.bounds.high)]:
            self.cannot(f"a weight of type {declared} whose bounds are others")
        return evolve(declared, mode=self.modes[self.weight], bounds=None)

    # ---- blocks

    def reader(self, block: Block) -> Reader:
        return Reader(self.rule, block, self.precision, self.rule.arguments)

    def efficacy(self) -> Iterator[Item]:
        block = self.rule.transmitted
        if block is not None:
            reader = self.reader(block)
            reader.arrived |= {op.y: strip_name(op.y) for op in block.ops if isinstance(op, ntensor.LetOp)}
            yield Efficacy(NOWHERE, reader.expr(last_values(block)[0]))

    def events(self) -> Iterator[Item]:
        """Yields the blocks, with a line `x = x` for each state that never changes, which the language requires."""
        blocks = [(event, list(self.lines(block))) for event, block in self.rule.steps]
        changed = {line.name for _, lines in blocks for line in lines}
        for name in (name for name in self.rule.states if name not in changed):
            sides = ((PRE, texts_of(self.rule.pre)), (POST, texts_of(self.rule.post)))
            own = next((side for side, names in sides if name in names), None)
            place = next((lines for event, lines in blocks if own is None or event in (TICK, own)), None)
            if place is None:
                self.cannot(f"state {name}, which never changes")
            else:
                place.append(Assign(NOWHERE, name, None, Name(name)))
        for event, lines in blocks:
            yield Event(NOWHERE, event, None, ())
            yield from lines

    def lines(self, block: Block) -> Iterator[Assign]:
        """Yields the lines of a block."""
        written = BlockText(self, self.reader(block))
        for op in block.ops:
            if isinstance(op, ntensor.LetOp):
                yield written.line(op)
        yield from written.last_lines(dict(zip(self.stored, last_values(block), strict=True)))


class BlockText(Assignments):
    """The lines of a block of a rule; those of the weight leave out its bounds, which the language applies."""

    def __init__(self, text: RuleText, reader: Reader):
        super().__init__(reader, text.modes)
        self.text = text

    def before_mode(self, name: str, value: SSAValue) -> SSAValue:
        if name != self.text.weight:
            return super().before_mode(name, value)
        whole = super().before_mode(name, value)
        for outer in dict.fromkeys((value, whole)):
            if (inner := self.unbounded(outer)) is not None:
                return super().before_mode(name, inner)
        if not any(map(self.is_within, (value, whole))):
            self.reader.cannot(f"an assignment of {name} that does not end within its bounds")
        return whole

    def literal_bounds(self) -> Interval | None:
        """Returns the bounds of an integer weight if they are numbers."""
        ends = [literal_of(end) for end in (self.text.low, self.text.high)]
        return None if None in ends else Interval(*(int(end) for end in ends if end is not None))

    def is_within(self, value: SSAValue) -> bool:
        """Returns whether the type of a value ensures the bounds of the weight."""
        bounds, held = self.literal_bounds(), self.reader.integers(value)
        return bounds is not None and held is not None and bounds.holds(held)

    def unbounded(self, value: SSAValue) -> SSAValue | None:
        """Returns a value before it is clipped to the bounds of the weight; None for one that is not."""
        op = owner(value) if value not in self.reader.names else None
        if isinstance(op, fixed.SaturateOp):
            bounds, given = self.literal_bounds(), self.reader.integers(op.x)
            is_bound = bounds is not None and given is not None and fixed.interval_of(op.y) == given.clamp(bounds)
            return op.x if is_bound else None
        for outer, inner in CLIPS:
            held = owner(op.operands[0]) if isinstance(op, outer) else None
            if op is not None and isinstance(held, inner) and held.results[0] not in self.reader.names:
                ends = ((held.operands[1], self.text.low), (op.operands[1], self.text.high))
                return held.operands[0] if all(self.is_end(*end) for end in ends) else None
        return None

    def is_end(self, value: SSAValue, end: Expr) -> bool:
        """Returns whether a value is a bound of the weight."""
        number, literal = number_of(value), literal_of(end)
        if number is None or literal is None:
            return self.reader.expr(value) == end
        return number == (float(np.float32(literal)) if value.type == f32 else literal)


def is_bound(item: Item) -> TypeGuard[Declarations]:
    """Returns whether a line of `derivation` is a bound of the weight."""
    return isinstance(item, Declarations) and item.keyword == "canonical"


def literal_of(end: Expr) -> float | None:
    """Returns the number of a bound; None for a parameter."""
    match end:
        case Number():
            return float(end.text)
        case Neg(Number() as inner):
            return -float(inner.text)
        case _:
            return None
