"""Arithmetic of learning rules: constants, ranges of reals, and the parts of a rule that integers cannot compute.

1. A value that depends on parameters alone is a constant: the parameters of an op are numbers.
2. The range of a trace is the least one that every event keeps; `tick` replaces it, other events may happen or not. A trace that converges in a geometric
   series reaches its limit at once. A value that is linear in each variable has its extremes at corners of their ranges, as u + k (1 - u) in 0..1 has.
3. Integers compute sums, products, quotients by constants, extrema, comparisons and choices. Exponentials, logarithms, roots and other quotients are left.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Block, Operation, SSAValue

from ...core.ir.operation import texts_of
from ...core.synapse.tree import TICK
from ...dialects import fixed, ntensor
from ...dialects.fixed import IntType
from ...dialects.ntensor.learning.rules import RuleOp, last_values

RealRange = tuple[float, float]
EVERYTHING: RealRange = (-math.inf, math.inf)
RANGE_PASSES = 64
"""Passes over a rule before its ranges are taken to converge in a geometric series."""
RANGE_SLACK = 1e-6
MOST_CORNERS = 6
"""Variables of a value whose corners are computed."""
RENAMES = (ntensor.LetOp, arith.ExtFOp, arith.TruncFOp, fixed.WidenOp, fixed.ToRealOp, ntensor.RoundRealOp)
"""Ops whose result has the value of their operand."""
FORMS = (
    arith.AddfOp,
    arith.SubfOp,
    arith.MulfOp,
    arith.NegfOp,
    mathd.AbsFOp,
    arith.MinimumfOp,
    arith.MaximumfOp,
    arith.CmpfOp,
    arith.SelectOp,
    arith.ConstantOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
)
"""Ops of reals and of truth values that have an integer form."""


def is_real_value(value: SSAValue) -> bool:
    return isinstance(value.type, Float32Type | Float64Type)


def regions_of(rule: RuleOp) -> Iterator[Block]:
    """Yields the blocks of the events, and that of the efficacy."""
    yield from (block for _, block in rule.steps)
    if rule.transmitted is not None:
        yield rule.transmitted


def constants_in(rule: RuleOp, block: Block) -> set[SSAValue]:  # 1
    """Returns the values of a block that depend on parameters alone."""
    found: set[SSAValue] = set(list(block.args)[len(rule.leading) :])
    for op in block.ops:
        if op.results and all(x in found for x in op.operands):
            found.update(op.results)
    return found


def integer_obstacle(rule: RuleOp) -> tuple[Operation, str] | None:  # 3
    """Returns the first op of a rule of reals that integers cannot compute, and what it is; None without one."""
    observed = texts_of(rule.observed)
    for block in regions_of(rule):
        known = constants_in(rule, block)
        names: dict[SSAValue, str] = dict(zip(block.args, rule.arguments, strict=False))
        for op in block.ops:
            read = next((names[x] for x in op.operands if names.get(x) in observed), None)
            if read is not None:
                return op, f"the state {read} of the target, which it reads"
            if not op.results or op.results[0] in known or not any(map(is_real_value, (*op.operands, *op.results))):
                continue
            if isinstance(op, arith.DivfOp):
                if op.rhs not in known:
                    return op, "a quotient whose divisor changes"
            elif not isinstance(op, (*FORMS, *RENAMES, fixed.FromRealOp)):
                return op, f"{op.name.partition('.')[2]} of a value that changes"
    return None


# ---- ranges of reals


def interval_product(a: RealRange, b: RealRange) -> RealRange:
    ends = [0.0 if 0 in (x, y) else x * y for x in a for y in b]
    return min(ends), max(ends)


def result_range(op: Operation, args: Sequence[RealRange]) -> RealRange:
    """Returns the range of the result of an op of reals."""
    match op:
        case arith.AddfOp():
            return args[0][0] + args[1][0], args[0][1] + args[1][1]
        case arith.SubfOp():
            return args[0][0] - args[1][1], args[0][1] - args[1][0]
        case arith.MulfOp():
            return interval_product(*args)
        case arith.DivfOp() if not args[1][0] <= 0 <= args[1][1]:
            return interval_product(args[0], (1 / args[1][1], 1 / args[1][0]))
        case arith.NegfOp():
            return -args[0][1], -args[0][0]
        case mathd.AbsFOp():
            low, high = args[0]
            return (0.0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))
        case arith.MinimumfOp():
            return min(args[0][0], args[1][0]), min(args[0][1], args[1][1])
        case arith.MaximumfOp():
            return max(args[0][0], args[1][0]), max(args[0][1], args[1][1])
        case arith.SelectOp():
            return min(args[1][0], args[2][0]), max(args[1][1], args[2][1])
        case _:
            return EVERYTHING


def degrees_of(
    block: Block, variables: Sequence[SSAValue], constants: Mapping[SSAValue, float]
) -> dict[SSAValue, dict[SSAValue, int]]:
    """Returns the degree of each real value in each variable: 1 at most where it is linear in it. Other values than polynomials have the degree 2."""
    found: dict[SSAValue, dict[SSAValue, int]] = {one: {one: 1} for one in variables}
    for op in block.ops:
        if not op.results:
            continue
        args = [found.get(x, {}) if x not in constants else {} for x in op.operands]
        read = {variable for arg in args for variable in arg}
        if isinstance(op, arith.MulfOp):
            degrees = {one: sum(arg.get(one, 0) for arg in args) for one in read}
        elif isinstance(op, (arith.AddfOp, arith.SubfOp, arith.NegfOp, *RENAMES)):
            degrees = {one: max(arg.get(one, 0) for arg in args) for one in read}
        elif isinstance(op, arith.DivfOp) and op.rhs in constants:
            degrees = args[0]
        else:
            degrees = dict.fromkeys(read, 2)
        found[op.results[0]] = degrees
    return found


def corner_range(
    value: SSAValue,
    block: Block,
    given: Mapping[SSAValue, RealRange],
    constants: Mapping[SSAValue, float],
    degrees: Mapping[SSAValue, int],
) -> RealRange | None:
    """Returns the range of a value that is linear in each variable: its extremes are at corners of their ranges. None for other values."""
    variables = [one for one, degree in degrees.items() if degree]
    if any(degree > 1 for degree in degrees.values()) or not 0 < len(variables) <= MOST_CORNERS:
        return None
    ends = [
        block_ranges(
            block,
            {**given, **{one: (end, end) for one, end in zip(variables, corner, strict=True)}},
            constants,
            {value},
        )[0]
        for corner in product(*(given.get(one, EVERYTHING) for one in variables))
    ]
    return min(low for low, _ in ends), max(high for _, high in ends)


def block_ranges(
    block: Block,
    given: Mapping[SSAValue, RealRange],
    constants: Mapping[SSAValue, float],
    values: Iterable[SSAValue] | None = None,
) -> list[RealRange]:
    """Returns the ranges of some values, default the operands of the terminator. `given` are those of arguments, `constants` the numbers of some values."""
    found: dict[SSAValue, RealRange] = dict(given)
    found.update({value: (number, number) for value, number in constants.items()})
    for op in block.ops:
        for result in op.results:
            if result in found:
                continue
            args = [found.get(x, EVERYTHING) for x in op.operands]
            if isinstance(result.type, IntType):
                held = result.type.interval
                found[result] = float(held.low), float(held.high)
            elif isinstance(op, RENAMES):
                found[result] = args[0]
            else:
                found[result] = result_range(op, args)
    return [found.get(value, EVERYTHING) for value in (last_values(block) if values is None else values)]


class StateRanges:
    """The ranges of the weight and the states of a rule, from those before the first tick. Both bounds of the weight are known."""

    def __init__(
        self,
        rule: RuleOp,
        constants: Mapping[Block, Mapping[SSAValue, float]],
        others: Mapping[str, RealRange],
        starts: Mapping[str, RealRange],
    ):
        self.rule, self.constants, self.others = rule, constants, others
        self.names = [rule.weight.data, *rule.states]
        self.ranges = dict(starts)
        self.degrees = {
            block: degrees_of(block, list(block.args)[: len(rule.leading)], constants[block]) for _, block in rule.steps
        }

    def step(self, before: Mapping[str, RealRange]) -> dict[str, RealRange]:
        """Returns the ranges after all events of a tick."""
        found = dict(before)
        for event, block in self.rule.steps:
            known = {**self.others, **found}
            given: dict[SSAValue, RealRange] = {
                arg: known.get(name, EVERYTHING) for name, arg in zip(self.rule.leading, block.args, strict=False)
            }
            after = self.after(block, given)
            for name, one in zip(self.names, after, strict=True):
                if name == self.rule.weight.data:
                    continue
                low, high = found[name]
                found[name] = one if event == TICK else (min(low, one[0]), max(high, one[1]))
        return found

    def after(self, block: Block, given: Mapping[SSAValue, RealRange]) -> list[RealRange]:
        """Returns the ranges of the weight and the states after a block."""
        constants = self.constants[block]
        whole = block_ranges(block, given, constants)
        degrees = self.degrees[block]
        found: list[RealRange] = []
        for value, (low, high) in zip(last_values(block), whole, strict=True):
            exact = corner_range(value, block, given, constants, degrees.get(value, {}))
            found.append((low, high) if exact is None else (max(low, exact[0]), min(high, exact[1])))
        return found

    def joined(self, a: Mapping[str, RealRange], b: Mapping[str, RealRange]) -> dict[str, RealRange]:
        return {name: (min(a[name][0], b[name][0]), max(a[name][1], b[name][1])) for name in a}

    def burst(self, ticks: int) -> dict[str, RealRange]:
        """Returns the ranges after some ticks with all events."""
        found = dict(self.ranges)
        for _ in range(ticks):
            found = self.joined(found, self.step(found))
        return found

    def converge(self) -> str | None:  # 2
        """Finds ranges that hold in every tick; returns the name of a state without bounds, or None."""
        for _ in range(RANGE_PASSES):
            after = self.joined(self.ranges, self.step(self.ranges))
            if after == self.ranges:
                return None
            self.ranges = after
        one = self.joined(self.ranges, self.step(self.ranges))
        two = self.joined(one, self.step(one))
        self.ranges = {name: extended(self.ranges[name], one[name], two[name]) for name in two}
        wide: list[str] = []
        for _ in range(RANGE_PASSES):  # names that depend on others follow
            after = self.step(self.ranges)
            wide = [
                name
                for name, (low, high) in after.items()
                if low < self.ranges[name][0] - slack(low) or high > self.ranges[name][1] + slack(high)
            ]
            if not wide:
                return None
            self.ranges = self.joined(self.ranges, after)
        return wide[0]


def slack(value: float) -> float:
    return RANGE_SLACK * (1 + abs(value))


def extended(a: RealRange, b: RealRange, c: RealRange) -> RealRange:
    """Returns the limit of three ranges that grow in a geometric series."""
    return limit_of(a[0], b[0], c[0]), limit_of(a[1], b[1], c[1])


def limit_of(a: float, b: float, c: float) -> float:
    first, second = b - a, c - b
    if not first or not second:
        return c
    ratio = second / first
    return c + second * ratio / (1 - ratio) * (1 + RANGE_SLACK) if 0 < ratio < 1 else c
