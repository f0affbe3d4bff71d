"""Learning of a synapse op, ready for an engine: its rule with derived parameters, and the evaluator of the regions of a rule.

A rule is evaluated on arrays, entry by entry, with the ops of the evaluator of updates (`update.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, f32, f64, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code, describe_op, refuse, refuse_op
from ...core.help_text import Passes, PassesOption, Phrase
from ...core.ir.graph_region import walk_upstream
from ...core.ir.operation import element_type, texts_of
from ...dialects import fixed, ntensor
from ...dialects.equations.shipped_rules import shipped_rule
from ...dialects.nir import StdpAttr
from ...dialects.ntensor.learning.attributes import SEED
from ...dialects.ntensor.learning.places import learning_line, rule_line
from ...dialects.ntensor.learning.rules import last_values
from ..elements import working_dtype
from ..update import derive, dtype_of, kernel, select_values

SIM031 = Code("SIM031", "learning-rule-missing", "the rule of a plastic synapse is not in the module")
SIM032 = Code(
    "SIM032", "learning-signals-unsupported", "a rule needs spikes on both sides, and numbers of its own kind"
)
SIM033 = Code("SIM033", "weight-out-of-bounds", "a weight is outside of the bounds of its rule")

FREEZE = Phrase(PassesOption("ntensor-freeze-plasticity"))


@frozen(eq=False)
class Learning:
    """The rule of a synapse op with the numbers of this op."""

    rule: ntensor.RuleOp
    params: Mapping[str, AnyArray]
    """Derived parameters, as the regions take them."""
    low: float
    high: float
    """Bounds of the weight."""
    modulators: Mapping[str, str]
    """Input or node of each modulator."""
    seed: int


def pair_rule(precision: Float32Type | Float64Type) -> ntensor.RuleOp:
    """Returns the shipped rule that `#nir.stdp` is. Callers must not change it."""
    return shipped_rule("stdp", precision)


def learning_of(op: ntensor.SynapseOpInterface, rules: Mapping[str, ntensor.RuleOp], dt: float) -> Learning:
    """Returns the learning of a plastic synapse op. Units: dt [s].

    Errors: SIM002 a missing parameter; SIM031 an unknown rule; SIM032 signals that a rule does not read; SIM033 weights beyond the bounds.
    """
    found = numbers_of_rule(op, rules, dt)
    check_signals(op, found.rule)
    check_weights(op, found.rule, found.low, found.high)
    return found


def numbers_of_rule(op: ntensor.SynapseOpInterface, rules: Mapping[str, ntensor.RuleOp], dt: float) -> Learning:
    """Returns the rule of a plastic synapse op with its numbers, whatever its signals are. Units: dt [s]. Errors: SIM002, SIM031."""
    given, element = op.learning_rule, element_type(op.y)
    assert given is not None  # asked before
    if isinstance(given, StdpAttr):
        element = element if isinstance(element, Float32Type | Float64Type) else f64
        rule, values, modulators = pair_rule(element), given.values, dict[str, str]()
    else:
        found = rules.get(given.symbol)
        if found is None:
            expected = ", ".join(f"@{name}" for name in rules) or "an ntensor.rule of this module"
            refuse_op(op, SIM031, expected=expected, found=f"@{given.symbol}", help=FREEZE)
        rule, values, modulators = found, given.values, given.modulators
    node = describe_op(op)[1]
    numbers = derive(rule, dt, {name: np.asarray(value) for name, value in values.items()}, node)
    low, high = (float(numbers[name.data]) for name in rule.canonical)
    params = {name: numbers[name] for name in texts_of(rule.params)}
    return Learning(rule, params, low, high, modulators, int(values.get(SEED, 0)))


def refuse_signals(op: ntensor.SynapseOpInterface, rule: Operation | None, expected: str, found: str) -> None:
    """Refuses the signals of an op, at the line of an op of its rule. Errors: SIM032."""
    line = learning_line(op) if rule is None else rule_line(rule)
    refuse_op(op, SIM032, expected=expected, found=found, path="plasticity", help=FREEZE, **line)


def check_signals(op: ntensor.SynapseOpInterface, rule: ntensor.RuleOp) -> None:
    """Refuses an operand that is not spikes, quantized weights, sums of another kind than the weight of the rule, and an efficacy that reads modulators.

    Errors: SIM032.
    """
    element, kind = element_type(op.y), rule.weight_type
    if element_type(op.x) != i1:
        refuse_signals(op, rule, "spikes (i1)", str(element_type(op.x)))
    is_integer, is_real = isinstance(kind, fixed.IntType), isinstance(element, Float32Type | Float64Type)
    if not (is_integer or is_real):
        help = Phrase(Passes("ntensor-quantize-rules"))
        refuse_op(
            op,
            SIM032,
            expected="a rule of integers, like the sums",
            found=f"{kind}",
            path="plasticity",
            help=help,
            **rule_line(rule),
        )
    if isinstance(element, ntensor.TermsType):
        refuse_signals(op, rule, "sums, since the weights of a rule are added", str(element))
    if names := modulators_of_efficacy(rule):
        last = rule.transmitted.last_op if rule.transmitted is not None else None
        place = last.operands[0].owner if last is not None else rule
        place = place if isinstance(place, Operation) else rule
        refuse_signals(
            op, place, "an efficacy without modulators, whose values a spike is too early for", ", ".join(names)
        )
    is_stored = is_integer and op.quantized_weights is not None
    if not is_stored and (is_integer == is_real or not (is_integer or element == kind)):
        refuse_signals(op, rule, f"sums of the kind of the rule's weight, {kind}", str(element))


def weight_scale(op: ntensor.SynapseOpInterface, rule: ntensor.RuleOp) -> AnyArray | None:
    """Returns the value of a stored 1 of each weight, where a rule of integers changes the integers of quantized weights and sums are real; else None. Shapes: () or that of the weights."""
    quantized = op.quantized_weights
    is_real = isinstance(element_type(op.y), Float32Type | Float64Type)
    if quantized is None or not is_real or not isinstance(rule.weight_type, fixed.IntType):
        return None
    return quantized.scale.values


def stored_weights(op: ntensor.SynapseOpInterface, rule: ntensor.RuleOp) -> AnyArray:
    """Returns the weights that a rule changes: the integers of quantized weights for a rule of integers."""
    return (op.weight_values() if weight_scale(op, rule) is None else op.weight_steps()).values


def modulators_of_efficacy(rule: ntensor.RuleOp) -> list[str]:
    """Returns the modulators that the efficacy of a rule reads."""
    block = rule.transmitted
    if block is None:
        return []
    read = set(walk_upstream(last_values(block), lambda _: True))
    modulators = texts_of(rule.modulators)
    return [name for name, arg in zip(rule.arguments, block.args, strict=True) if arg in read and name in modulators]


def check_weights(op: ntensor.SynapseOpInterface, rule: ntensor.RuleOp, low: float, high: float) -> None:
    """Refuses stored weights outside of the bounds of the rule, and empty bounds, at the line of the weight. Errors: SIM033."""
    values = stored_weights(op, rule)
    outside = values[~((values >= low) & (values <= high))]
    if outside.size:
        expected, found = f"weights in {low:g}..{high:g}", f"{outside.flat[0]}"
        refuse_op(op, SIM033, expected=expected, found=found, help=FREEZE, **rule_line(rule))


class Evaluator:
    """Results of one region of a rule on arrays, chosen by their places in the terminator.

    Errors: SIM001 an op that cannot be run.
    """

    def __init__(self, rule: ntensor.RuleOp, block: Block, places: Sequence[int], params: Mapping[str, AnyArray]):
        ends = [last_values(block)[k] for k in places]
        needed = {value.owner for value in walk_upstream(ends, lambda _: True)}
        self.leading = dict(zip(rule.leading, block.args, strict=False))
        names = texts_of(rule.params)
        given = select_values(params, names, rule)
        self.constants: dict[SSAValue, AnyArray] = {
            arg: value.astype(dtype_of(arg.type))
            for arg, value in zip(list(block.args)[len(rule.leading) :], given, strict=True)
        }
        self.calls: list[tuple[Any, list[SSAValue], SSAValue, np.dtype[Any]]] = []
        self.alias: dict[SSAValue, SSAValue] = {}
        for op in block.ops:
            if op in needed:
                self.add(rule, op)
        self.ends = [self.alias.get(value, value) for value in ends]
        self.reads = {
            rule.leading[arg.index]
            for arg in {x for _, operands, _, _ in self.calls for x in operands} | set(self.ends)
            if isinstance(arg, BlockArgument) and arg.index < len(rule.leading)
        }
        """Names of the arguments before the parameters that the results depend on."""

    def add(self, rule: ntensor.RuleOp, op: Operation) -> None:
        if isinstance(op, ntensor.LetOp | fixed.WidenOp):
            self.alias[op.results[0]] = self.alias.get(op.operands[0], op.operands[0])
            return
        if isinstance(op, arith.ConstantOp | fixed.ConstantOp):
            number: Any = op.value
            self.constants[op.results[0]] = np.array(number.value.data, dtype_of(op.results[0].type))
            return
        call = kernel(op)
        if call is None:
            from ..update import SIM001

            refuse(SIM001, f"{op.name} cannot be run", at=describe_op(rule)[0], found=op.name)
        operands = [self.alias.get(x, x) for x in op.operands]
        self.calls.append((call, operands, op.results[0], dtype_of(op.results[0].type)))

    def __call__(self, given: Mapping[str, AnyArray]) -> list[AnyArray]:
        """Returns the results; `given` has the arguments that `reads` names, in shapes that broadcast."""
        values = dict(self.constants)
        for name, value in given.items():
            values[self.leading[name]] = value
        for call, operands, result, dtype in self.calls:
            args = [values[x] for x in operands]
            out = np.empty(np.broadcast_shapes(*(arg.shape for arg in args)), dtype)
            call(*args, out)
            values[result] = out
        return [values[value] for value in self.ends]


# ---- random numbers

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MULTIPLIERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
MIX_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))


def mix(x: AnyArray) -> AnyArray:
    """Returns 64 mixed bits of each integer.

    Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014 (splitmix64).
    """
    x = x + GOLDEN
    x = (x ^ (x >> MIX_SHIFTS[0])) * MULTIPLIERS[0]
    x = (x ^ (x >> MIX_SHIFTS[1])) * MULTIPLIERS[1]
    return x ^ (x >> MIX_SHIFTS[2])


def random_numbers(seed: int, tick: int, draw: int, synapse: AnyArray, type: Attribute) -> AnyArray:
    """Returns one number for each synapse: in [0, 1) with 53 bits (24 in f32), or an integer of the type, from 0.

    `draw` numbers the random names of a block times the blocks; `synapse` are flat places of weights.
    """
    with np.errstate(over="ignore"):
        start = mix(mix(mix(np.array([seed], np.int64).astype(np.uint64)) ^ np.uint64(tick)) ^ np.uint64(draw))
        bits = mix(start ^ synapse.astype(np.uint64))
    if isinstance(type, fixed.IntType):
        return (bits >> np.uint64(64 - type.upper.bit_length())).astype(np.int64)
    digits = 24 if type == f32 else 53
    return ((bits >> np.uint64(64 - digits)).astype(np.float64) * 2.0**-digits).astype(dtype_of(type))


def kind_of_states(rule: ntensor.RuleOp) -> dict[str, np.dtype[Any]]:
    """Returns the dtype of each state, by name."""
    return {name: dtype_of(rule.argument_types[name]) for name in rule.states}


def recordable(op: ntensor.SynapseOpInterface, learning: Learning) -> dict[str, np.dtype[Any]]:
    """Returns the dtype of each value that a run can record as `NODE.NAME`: the weight, and the states of a synapse."""
    is_scaled = weight_scale(op, learning.rule) is not None
    weight = np.dtype(np.int64) if is_scaled else working_dtype(element_type(op.y))
    assert weight is not None  # checked
    states = kind_of_states(learning.rule)
    return {"weight": weight, **{name: states[name] for name in texts_of(learning.rule.synapse)}}


def is_kept(value: SSAValue, arg: BlockArgument) -> bool:
    """Returns whether a result of a region is an argument, under this or another name."""
    while isinstance(value, OpResult) and isinstance(value.op, ntensor.LetOp):
        value = value.op.x
    return value is arg
