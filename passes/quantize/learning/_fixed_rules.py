"""Rule of reals as a rule of integers, for one synapse op: each number is an integer with a unit, and parameters are constants.

| number | integer |
| --- | --- |
| weight | those that the op stores; the unit is their scale |
| trace, state of a synapse | `trace_bits` bits, without a sign if it is never negative; the unit is the least power of two that its range fits into |
| random number | 16 bits |
| modulator | its signal, which is an event or an integer |

A state is rounded towards zero where it is assigned, so that a decay ends at 0, and saturates at the ends of its type. A weight is rounded to the nearest, or up with the
probability of its fraction, by a further random number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import FloatAttr, f64, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from ....analysis.learning.learning_terms import require_integer_form
from ....analysis.learning.rule_arithmetic import RENAMES, RealRange, StateRanges, is_real_value
from ....core.diagnostics import Code, refuse_op
from ....core.fixed_point import Interval, Rounding
from ....core.ir.operation import texts_of
from ....dialects import fixed, ntensor
from ....dialects.fixed import ORDERED, RELATIONS, IntType
from ....dialects.ntensor.learning.places import rule_line
from ....dialects.ntensor.learning.rules import RuleOp, last_values
from ....simulation.learning.plastic_ops import initial_values
from ....simulation.learning.rules import FREEZE, Learning
from ....simulation.scalars import scalar
from ._fixed_numbers import RANDOM_BITS, FixedArithmetic, Number, Operand

QUA070 = Code("QUA070", "learning-state-without-range", "a state of a learning rule has no bounds")

RANDOM = Interval.unsigned(RANDOM_BITS)
ROUNDING_NAME = "rounding"
"""Name of the random numbers that round weights; a number is added to it."""
STEP_SLACK = 1e-6
BURST, HEADROOM = 2, 16
"""Ticks with spikes on both sides, and the times that a state can be larger than after them before it saturates."""
"""Tolerance of a bound that is a step of the weights, in steps."""
MADE: Mapping[Rounding, Any] = {Rounding.FLOOR: "floor", Rounding.TRUNCATE: "truncate", Rounding.ROUND: "nearest"}
RELATION_NAMES = {symbol: fixed.Relation(name) for name, symbol in RELATIONS.items()}


@frozen
class Format:
    """The integers of a name, and their unit."""

    interval: Interval
    unit: float

    @property
    def type(self) -> IntType:
        return IntType.of(self.interval)


@frozen
class Settings:
    """The numbers of the lowering."""

    trace_bits: int
    is_stochastic: bool


def constant_numbers(block: Block, params: Mapping[SSAValue, float]) -> dict[SSAValue, Any]:
    """Returns the numbers of the values of a block that depend on parameters and constants alone."""
    found: dict[SSAValue, Any] = dict(params)
    for op in block.ops:
        if op.results and all(x in found for x in op.operands) and (call := scalar(op)) is not None:
            found[op.results[0]] = call(*(found[x] for x in op.operands))
    return found


def weight_interval(learning: Learning, unit: float, bits: int) -> Interval:
    """Returns the stored weights within the bounds of a rule."""
    held = Interval.signed(bits)
    low = math.ceil(learning.low / unit - STEP_SLACK) if math.isfinite(learning.low) else held.low
    high = math.floor(learning.high / unit + STEP_SLACK) if math.isfinite(learning.high) else held.high
    return Interval(max(low, held.low), min(high, held.high))


class FixedRule:
    """Lowering of one rule. Errors: ANA050 a rule that integers cannot compute; QUA070 a state whose range is not known."""

    def __init__(
        self,
        op: ntensor.SynapseOpInterface,
        learning: Learning,
        weight: Format,
        signals: Mapping[str, Interval],
        settings: Settings,
    ):
        self.op, self.learning, self.rule, self.settings = op, learning, learning.rule, settings
        require_integer_form(op, FREEZE)
        rule = self.rule
        self.constants = {block: self.numbers_in(block) for block in self.blocks}
        self.formats: dict[str, Format] = {rule.weight.data: weight}
        self.formats |= {name: Format(interval, 1.0) for name, interval in signals.items()}
        types = rule.argument_types
        for name in texts_of(rule.randoms):
            held = types[name]
            self.formats[name] = (
                Format(held.interval, 1.0) if isinstance(held, IntType) else Format(RANDOM, 2.0**-RANDOM_BITS)
            )
        self.starts = dict(zip(rule.states, initial_values(rule, rule.initial.block, learning.params), strict=True))
        for name, range in self.state_ranges().items():
            self.formats[name] = self.format_of(types[name], range)
        self.draws = 0
        """Random numbers that round weights, in the block with most of them."""
        self.drawn = 0

    @property
    def blocks(self) -> list[Block]:
        transmitted = self.rule.transmitted
        return [*(block for _, block in self.rule.steps), *([] if transmitted is None else [transmitted])]

    # ---- ranges and formats

    def numbers_in(self, block: Block) -> dict[SSAValue, Any]:
        rule = self.rule
        given = zip(list(block.args)[len(rule.leading) :], texts_of(rule.params), strict=True)
        return constant_numbers(block, {arg: float(self.learning.params[name]) for arg, name in given})

    def state_ranges(self) -> dict[str, RealRange]:
        """Returns the range of each state. Errors: QUA070."""
        rule = self.rule
        name = rule.weight.data
        others = {
            one: (held.interval.low * held.unit, held.interval.high * held.unit)
            for one, held in self.formats.items()
            if one != name
        }
        weight = self.formats[name]
        others[name] = weight.interval.low * weight.unit, weight.interval.high * weight.unit
        starts = {name: others[name], **{one: (float(value), float(value)) for one, value in self.starts.items()}}
        ranges = StateRanges(rule, self.constants, others, starts)
        burst = ranges.burst(BURST)
        unbounded = ranges.converge()
        if unbounded is None:
            unbounded = next((one for one, ends in ranges.ranges.items() if not all(map(math.isfinite, ends))), None)
        if unbounded is not None:
            lines = (op for _, block in rule.steps for op in reversed(list(block.ops)) if names(op, unbounded))
            found, help = (
                f"{unbounded}, which grows without a bound",
                f"{unbounded} = clip({unbounded}, -1, 1), after it changes",
            )
            place = rule_line(next(lines, rule))
            refuse_op(self.op, QUA070, expected="states that decay, or a clip", found=found, help=help, **place)
        return {one: within(ends, burst[one]) for one, ends in ranges.ranges.items() if one != name}

    def format_of(self, type: Attribute, ends: RealRange) -> Format:
        """Returns the format of a state with a range."""
        if isinstance(type, IntType):
            return Format(type.interval, 1.0)
        if type == i1:
            return Format(Interval(0, 1), 1.0)
        bits = self.settings.trace_bits
        held = Interval.signed(bits) if ends[0] < 0 else Interval.unsigned(bits)
        size = max(ends[1], -ends[0], 0.0) or 1.0
        return Format(held, 2.0 ** math.ceil(math.log2(size / held.high) - STEP_SLACK))

    # ---- regions

    def lower(self, symbol: str) -> RuleOp:
        """Returns the rule of integers."""
        rule = self.rule
        regions = [(event, self.region(block, ntensor.LearnedOp)) for event, block in rule.steps]
        transmitted = rule.transmitted
        efficacy = None if transmitted is None else self.region(transmitted, ntensor.TransmittedOp)
        randoms = self.randoms
        for _, region in regions:
            self.add_randoms(region.block)
        if efficacy is not None:
            self.add_randoms(efficacy.block)
        weight = self.formats[rule.weight.data].interval
        made = RuleOp(
            symbol,
            rule.delay.data,
            rule.weight.data,
            {
                "synapse": texts_of(rule.synapse),
                "pre": texts_of(rule.pre),
                "post": texts_of(rule.post),
                "modulators": texts_of(rule.modulators),
                "randoms": randoms,
            },
            params=(),
            raw=(),
            derive=self.derive(weight),
            initial=self.initial(),
            events=[event for event, _ in regions],
            blocks=[region for _, region in regions],
            efficacy=efficacy,
        )
        made.location = rule.location
        return made

    @property
    def randoms(self) -> list[str]:
        """Returns the names of random numbers, with those that round weights."""
        return [*texts_of(self.rule.randoms), *(f"{ROUNDING_NAME}_{k}" for k in range(self.draws))]

    def add_randoms(self, block: Block) -> None:
        """Adds the arguments of random numbers that another block draws, so that all blocks have the same."""
        for _ in range(len(self.rule.leading) + self.draws - len(block.args)):
            block.insert_arg(IntType.of(RANDOM), len(block.args))

    def derive(self, weight: Interval) -> Region:
        block = Block(arg_types=[f64])
        ends = [arith.ConstantOp(FloatAttr(float(end), f64)) for end in (weight.low, weight.high)]
        block.add_ops([*ends, ntensor.DerivedOp(*(end.result for end in ends))])
        return Region(block)

    def initial(self) -> Region:
        block = Block()
        ops = FixedArithmetic(block)
        found: list[SSAValue] = []
        for name, value in self.starts.items():
            held = self.formats[name]
            if self.rule.argument_types[name] == i1:
                found.append(ops.add(arith.ConstantOp.from_int_and_width(int(bool(value)), i1)))
                continue
            whole = min(max(round(float(value) / held.unit), held.interval.low), held.interval.high)
            found.append(ops.saturate(ops.constant(whole), held.interval))
        block.add_op(ntensor.InitialOp(*found))
        return Region(block)

    def region(self, block: Block, end: type[ntensor.LearnedOp | ntensor.TransmittedOp]) -> Region:
        """Returns a block of an event, or the efficacy, in integers."""
        rule, self.drawn = self.rule, 0
        types = rule.argument_types
        made = Block(arg_types=[i1 if types[name] == i1 else self.formats[name].type for name in rule.leading])
        lowering = LoweredBlock(self, made, self.constants[block])
        for name, arg, mine in zip(rule.leading, block.args, list(made.args), strict=False):
            mine.name_hint = name
            lowering.take(arg, mine, self.formats[name].unit if types[name] != i1 else None)
        for op in block.ops:
            if op is not block.last_op and any(True for result in op.results for _ in result.uses):
                lowering.lower(op)
        lowering.ops.location = block.last_op.location if block.last_op is not None else None
        names = [rule.weight.data, *rule.states] if end is ntensor.LearnedOp else [rule.weight.data]
        finals = [lowering.final(name, value, end) for name, value in zip(names, last_values(block), strict=True)]
        made.add_op(end(*finals))
        return Region(made)

    def random(self, block: Block) -> SSAValue:
        """Returns a further random number of a block."""
        place = len(self.rule.leading) + self.drawn
        self.drawn += 1
        self.draws = max(self.draws, self.drawn)
        arg = block.insert_arg(IntType.of(RANDOM), place)
        arg.name_hint = f"{ROUNDING_NAME}_{self.drawn - 1}"
        return arg


def within(ends: RealRange, burst: RealRange) -> RealRange:
    """Returns a range of a state, of which a burst of spikes fills a part: at most `HEADROOM` times as much."""
    return max(ends[0], min(HEADROOM * burst[0], 0.0)), min(ends[1], max(HEADROOM * burst[1], 0.0))


def names(op: Operation, variable: str) -> bool:
    """Returns whether an op assigns a name."""
    return isinstance(op, ntensor.LetOp) and op.variable.data == variable


class LoweredBlock:
    """One block under construction: numbers for reals, and values for integers and truth values."""

    def __init__(self, rule: FixedRule, block: Block, constants: Mapping[SSAValue, Any]):
        self.rule, self.block, self.ops = rule, block, FixedArithmetic(block)
        self.numbers: dict[SSAValue, Operand] = {}
        self.values: dict[SSAValue, SSAValue] = {}
        self.constants = constants

    def take(self, arg: SSAValue, mine: SSAValue, unit: float | None) -> None:
        if unit is None or isinstance(arg.type, IntType):
            self.values[arg] = mine
        else:
            self.numbers[arg] = Number(mine, unit)

    # ---- operands

    def number(self, value: SSAValue) -> Operand:
        """Returns a real as a number or a constant."""
        if value in self.numbers:
            return self.numbers[value]
        return float(self.constants[value])

    def value(self, value: SSAValue) -> SSAValue:
        """Returns an integer or a truth value."""
        if value not in self.values:
            known = self.constants[value]
            if value.type == i1:
                self.values[value] = self.ops.add(arith.ConstantOp.from_int_and_width(int(bool(known)), i1))
            else:
                assert isinstance(value.type, IntType)  # not a real
                self.values[value] = self.ops.saturate(self.ops.constant(int(known)), value.type.interval)
        return self.values[value]

    # ---- ops

    def lower(self, op: Operation) -> None:
        """Adds the integer form of an op."""
        result = op.results[0]
        self.ops.location = op.location
        if result in self.constants and not isinstance(op, ntensor.LetOp):
            return
        if not any(map(is_real_value, (*op.operands, result))):
            self.values[result] = self.copy(op)
        elif isinstance(op, ntensor.LetOp):
            self.let(op)
        elif is_real_value(result):
            self.numbers[result] = self.real(op)
        else:
            self.values[result] = self.tested(op)

    def copy(self, op: Operation) -> SSAValue:
        """Copies an op of integers and truth values."""
        return self.ops.add(op.clone({x: self.value(x) for x in op.operands}))

    def let(self, op: ntensor.LetOp) -> None:
        """A name: of a state or of the weight with its type, else of a number with its unit."""
        name, held = op.variable.data, self.rule.formats.get(op.variable.data)
        given = self.number(op.x)
        if held is not None and name in (self.rule.rule.weight.data, *self.rule.rule.states):
            value = self.stored(name, given)
            self.numbers[op.y] = Number(self.ops.add(ntensor.LetOp(name, value)), held.unit)
        elif isinstance(given, Number):
            self.numbers[op.y] = Number(self.ops.add(ntensor.LetOp(name, given.value)), given.unit)
        else:
            self.numbers[op.y] = given

    def real(self, op: Operation) -> Operand:
        ops = self.ops
        if isinstance(op, fixed.ToRealOp):
            return Number(self.value(op.x), 1.0)
        args = [self.number(x) for x in op.operands if is_real_value(x)]
        match op:
            case arith.AddfOp():
                return ops.combined(fixed.AddOp, *args)
            case arith.SubfOp():
                return ops.combined(fixed.SubOp, *args)
            case arith.MinimumfOp():
                return ops.combined(fixed.MinOp, *args)
            case arith.MaximumfOp():
                return ops.combined(fixed.MaxOp, *args)
            case arith.MulfOp():
                return ops.times(*args)
            case arith.DivfOp():
                divisor = args[1]
                assert isinstance(divisor, float)  # integer_obstacle
                return ops.times(args[0], 1 / divisor)
            case arith.NegfOp() | mathd.AbsFOp():
                x = args[0]
                assert isinstance(x, Number)  # constants are computed before
                return Number(ops.add((fixed.NegOp if isinstance(op, arith.NegfOp) else fixed.AbsOp)(x.value)), x.unit)
            case arith.SelectOp():
                return self.chosen(self.value(op.cond), *args)
            case _:
                assert isinstance(op, RENAMES)  # integer_obstacle
                return args[0]

    def chosen(self, test: SSAValue, a: Operand, b: Operand) -> Operand:
        """Returns one of two operands."""
        if not isinstance(a, Number) and not isinstance(b, Number):
            size = max(abs(a), abs(b)) or 1.0
            unit = 2.0 ** (math.ceil(math.log2(size)) - 14)
            first, second = self.ops.constant(round(a / unit)), self.ops.constant(round(b / unit))
        else:
            first, second, unit = self.ops.aligned(a, b)
        return Number(self.ops.add(fixed.SelectOp(test, first, second)), unit)

    def tested(self, op: Operation) -> SSAValue:
        """Returns the truth value or the integer that an op computes from reals."""
        ops = self.ops
        if isinstance(op, fixed.FromRealOp):
            x, held = self.number(op.x), fixed.interval_of(op.y)
            assert isinstance(x, Number)  # constants are computed before
            if op.rounding.data is Rounding.CEIL:  # ceil(x) == -floor(-x)
                below = ops.converted(Number(ops.add(fixed.NegOp(x.value)), x.unit), 1.0, "floor")
                return ops.saturate(ops.add(fixed.NegOp(below.value)), held)
            return ops.saturate(ops.converted(x, 1.0, MADE[op.rounding.data]).value, held)
        assert isinstance(op, arith.CmpfOp)  # integer_obstacle
        first, second, _ = ops.aligned(self.number(op.lhs), self.number(op.rhs))
        symbol = ORDERED[op.predicate.value.data]
        return ops.add(fixed.CmpOp(first, second, RELATION_NAMES[symbol]))

    # ---- results

    def stored(self, name: str, given: Operand) -> SSAValue:
        """Returns a state or the weight as it is stored."""
        held, ops = self.rule.formats[name], self.ops
        if not isinstance(given, Number):
            whole = min(max(round(given / held.unit), held.interval.low), held.interval.high)
            return ops.saturate(ops.constant(whole), held.interval)
        if name != self.rule.rule.weight.data:
            found = ops.converted(given, held.unit, "truncate")
        elif self.rule.settings.is_stochastic and given.unit != held.unit:
            found = ops.drawn(given, held.unit, self.rule.random(self.block))
        else:
            found = ops.converted(given, held.unit, "nearest")
        return ops.saturate(found.value, held.interval)

    def final(self, name: str, value: SSAValue, end: type[Operation]) -> SSAValue:
        """Returns an operand of the terminator."""
        if not is_real_value(value):
            return self.value(value)
        given, held = self.number(value), self.rule.formats[name]
        if end is ntensor.TransmittedOp:
            if not isinstance(given, Number):
                return self.ops.constant(round(given / held.unit))
            return self.ops.converted(given, held.unit, "nearest").value
        owner = value.owner
        is_stored = isinstance(value, BlockArgument) or (isinstance(owner, Operation) and names(owner, name))
        if is_stored and isinstance(given, Number):
            return given.value
        return self.stored(name, given)


def formats_text(formats: Mapping[str, Format], chosen: Sequence[str]) -> str:
    """Returns the types of some names as a record shows them: `x: u16 / 2^11`."""
    found: list[str] = []
    for name in chosen:
        held = formats[name]
        sign = "s" if held.interval.low < 0 else "u"
        bits = held.interval.signed_bits - (sign == "u")
        places = -round(math.log2(held.unit))
        found.append(
            f"{name}: {sign}{bits}" + (f" / 2^{places}" if places > 0 else f" * 2^{-places}" if places else "")
        )
    return ", ".join(found)
