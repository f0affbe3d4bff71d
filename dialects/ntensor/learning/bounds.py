"""Bounds of weights that change: the ends of a learning rule, by its raw parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ....core.fixed_point import Interval
from ....core.ir.operation import texts_of
from ...fixed import FromRealOp, IntType, ToRealOp, interval_of
from ...nir.synapses import StdpAttr
from .. import LetOp, SynapseOpInterface
from .attributes import LearningAttr
from .rules import RuleOp, find_rules, last_values


def learnt_bounds(op: SynapseOpInterface) -> tuple[float, float] | None:
    """Returns the least and the greatest value that the rule of an op permits; ends that need more than a raw parameter are those of the weight's type, infinite for reals; None without a rule, and for one that keeps the weight."""
    match op.learning_rule:
        case StdpAttr() as rule:
            return rule.values["w_min"], rule.values["w_max"]
        case LearningAttr() as learning:
            rule = rule_of(op, learning)
            if rule is None:
                return -math.inf, math.inf
            if keeps_weight(rule):
                return None
            low, high = last_values(rule.derive.block)[-2:]
            held = rule.weight_type.interval if isinstance(rule.weight_type, IntType) else None
            least, most = (-math.inf, math.inf) if held is None else (float(held.low), float(held.high))
            given = dict(zip(texts_of(rule.raw), list(rule.derive.block.args)[1:], strict=True))
            values = {arg: learning.values.get(name) for name, arg in given.items()}
            ends = raw_number(low, values), raw_number(high, values)
            return (least if ends[0] is None else ends[0], most if ends[1] is None else ends[1])
        case _:
            return None


def keeps_weight(rule: RuleOp) -> bool:
    """Returns whether no event changes the weight: the rule changes what a spike transmits."""
    return all(last_values(block)[0] is block.args[0] for _, block in rule.steps)


def raw_number(value: SSAValue, given: Mapping[BlockArgument, float | None]) -> float | None:
    """Returns a raw parameter or a constant, with or without a minus sign; None for other values."""
    if isinstance(value, BlockArgument):
        return given.get(value)
    assert isinstance(value, OpResult)  # values are arguments or results
    match value.op:
        case LetOp(x=x) | ToRealOp(x=x):
            return raw_number(x, given)
        case FromRealOp(x=x, y=y):
            inner = raw_number(x, given)
            held = interval_of(y)
            return None if inner is None or not inner.is_integer() else min(max(inner, held.low), held.high)
        case arith.ConstantOp(value=FloatAttr() as number):
            return number.value.data
        case arith.NegfOp(operand=x):
            inner = raw_number(x, given)
            return None if inner is None else -inner
        case _:
            return None


def has_integer_rule(op: SynapseOpInterface) -> bool:
    """Returns whether the rule of an op changes integers, as the op stores them."""
    learning = op.learning_rule
    rule = rule_of(op, learning) if isinstance(learning, LearningAttr) else None
    return rule is not None and isinstance(rule.weight_type, IntType)


def transmitted_interval(op: SynapseOpInterface) -> Interval | None:
    """Returns the integers that a spike transmits by a rule of integers with an efficacy; None if it transmits the weight, or a real."""
    learning = op.learning_rule
    rule = rule_of(op, learning) if isinstance(learning, LearningAttr) else None
    if rule is None or rule.transmitted is None:
        return None
    (value,) = last_values(rule.transmitted)
    return value.type.interval if isinstance(value.type, IntType) else None


def rule_of(op: SynapseOpInterface, learning: LearningAttr) -> RuleOp | None:
    """Returns the rule of an op; None if its module has none of the name."""
    parent: Operation | None = op
    while parent is not None and not isinstance(parent, ModuleOp):
        parent = parent.parent_op()
    return find_rules(parent).get(learning.symbol)
