"""Learning rules to text and back: equality of the IR for shipped rules, of the bits of runs for rules that passes have made."""

from __future__ import annotations

from typing import Any

import pytest
from extent import some
from learning_networks import learning_network
from nets import same_bits
from places import GOLDENS, ROOT
from xdsl.dialects.builtin import StringAttr, f32, f64
from xdsl.parser import Parser

import nopt.api as nopt
from nopt.core.diagnostics import Refused
from nopt.core.ir.context import NoptContext
from nopt.core.neuron.neuron import combinations
from nopt.core.synapse.synapse import parse_synapses
from nopt.core.synapse.tree import Synapse, format_synapses
from nopt.dialects.equations.rule_text import synapse_text
from nopt.dialects.equations.rules import build_rule
from nopt.dialects.ntensor import NetworkOp, RuleOp, find_rules
from nopt.simulation.signals import DenseSignal
from nopt.targets.reference.model import ReferenceModel

FILES = [
    *sorted((ROOT / "passes" / "discretize" / "synapses").glob("*.synapse")),
    ROOT / "api" / "pynn" / "building" / "rules.synapse",
    GOLDENS / "core" / "inputs" / "counts.synapse",
    GOLDENS / "passes" / "quantize" / "learning" / "inputs" / "rules.synapse",
]
CASES = [
    pytest.param(synapse, options, precision, id=".".join([synapse.name, *options.values(), str(precision)]))
    for path in FILES
    for synapse in parse_synapses(path.read_text(encoding="utf-8"), path.name).synapses
    for options in combinations(synapse.options)
    for precision in (f64, f32)
]
REALS = "param p, low, high\nweight w in low..high\npre state x\npost state y\n"


def rule_of(lines: str, precision: Any = f64) -> RuleOp:
    rule = build_rule(parse_synapses(f"synapse s\n{lines}\n").synapses[0], options={}, precision=precision)
    rule.verify()
    return rule


def again(rule: RuleOp, precision: Any = f64) -> RuleOp:
    """Returns the rule that is built from the text of a rule."""
    return build_rule(parse_synapses(synapse_text(rule)).synapses[0], options={}, precision=precision)


def edited(rule: RuleOp, old: str, new: str) -> RuleOp:
    """Returns a rule with another text of its IR."""
    assert old in str(rule)
    read = Parser(NoptContext(), str(rule).replace(old, new, 1)).parse_op()
    assert isinstance(read, RuleOp)
    read.verify()
    return read


@pytest.mark.parametrize(("synapse", "options", "precision"), some(CASES, 5))
def test_ir_to_text_to_ir(synapse: Synapse, options: dict[str, str], precision: Any) -> None:
    rule = build_rule(synapse, options=options, precision=precision)
    built = again(rule, precision)
    assert built.is_equal(rule)
    assert synapse_text(built).splitlines()[1:] == synapse_text(rule).splitlines()[1:]
    read = Parser(NoptContext(), str(rule)).parse_op()
    assert isinstance(read, RuleOp)
    assert synapse_text(read) == synapse_text(rule)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_are_formatted_as_they_are_parsed(path: Any) -> None:
    file = parse_synapses(path.read_text(encoding="utf-8"))
    assert parse_synapses(format_synapses(file)) == file


@pytest.mark.parametrize("seed", some([seed for seed in range(24) if seed % 3 != 1], 4))
def test_rules_of_integers_run_as_their_text(seed: int) -> None:
    """`ntensor-quantize-rules` makes rules with types and intervals that no user writes; rules without a form in integers stay reals."""
    case = learning_network(seed)
    passes = f"ntensor-quantize-weights{{bits=8 per=population}},ntensor-quantize-rules{{device=c/int8 rounding={('stochastic', 'nearest')[seed % 2]}}}"
    try:
        module = nopt.apply(case.module, passes)
    except nopt.Refused:
        module = case.module
    signals = {name: DenseSignal(x) for name, x in case.inputs.items()}
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    wanted = ReferenceModel(network, record=case.record).run(signals)
    for symbol, rule in find_rules(module).items():
        text = synapse_text(rule)
        built = again(rule, f32 if seed % 3 == 2 else f64)
        assert synapse_text(built).splitlines()[1:] == text.splitlines()[1:]
        built.properties["sym_name"] = StringAttr(symbol)
        module.body.block.insert_op_before(built, rule)
        rule.detach()
    found = ReferenceModel(network, record=case.record).run(signals)
    assert find_rules(module)
    assert [name for name, array in wanted.items() if not same_bits(found[name], array)] == []


def test_states_exchange_their_values() -> None:
    """A rule without names between its ops: each line reads the values before the block."""
    lines = "synapse state c, d\nrandom u: u4\nweight w: s8 in -100..100\non pre\ne = c\nc = d\nd = e"
    rule = rule_of(lines.replace("random u: u4\n", "").replace("weight w: s8", "weight w: s8"))
    text = str(rule)
    for name in ("e", "c", "d"):
        text = "\n".join(line for line in text.splitlines() if f'ntensor.let "{name}"' not in line)
    text = text.replace("ntensor.learned %w, %c_1, %d_1", "ntensor.learned %w, %d, %c")
    read = Parser(NoptContext(), text).parse_op()
    assert isinstance(read, RuleOp)
    assert synapse_text(read).splitlines()[-4:] == ["on pre", "c_0 = c", "c = d", "d = c_0"]


def test_a_state_that_never_changes_keeps_its_declaration() -> None:
    rule = rule_of(
        "option kind = a | b\n"
        + REALS
        + "on tick if kind is b\ny = y * p\non post\nw = w + p * x\non pre\nx = 1\ny_0 = y\nw = w + y_0"
    )
    assert "y = y\n" in synapse_text(rule)
    assert again(rule).is_equal(rule)


def test_divisors_get_bounds() -> None:
    """IR has no bounds of parameters. A text gets the widest ones that keep its divisors from 0."""
    divided = REALS + "on pre\nw = w + {}\nx = 1\non post\ny = y + x_0\n".replace("y = y + x_0", "y = 1")
    for declared, divisor, wanted in (
        ("q in 1e-9..inf", "p * x / q", "q in 1e-300..inf"),
        ("q in 0..inf", "x * p / (max(x, 0) + 1 + q)", "q in 0..inf"),
        ("q, d in 1e-9..inf = q - p", "y / d", "param d in 1e-300..inf = q - p"),
    ):
        text = synapse_text(rule_of(f"param {declared}\n{divided.format(divisor)}"))
        assert wanted in text


def test_what_cannot_be_said_is_refused() -> None:
    rule = rule_of(REALS + "on pre\nw = w + p * x\nx = 1\non post\ny = 1\nw = w - y")
    free = edited(rule, "arith.minimumf", "arith.maximumf")
    with pytest.raises(Refused, match=r"SYN008.*assignment of w that does not end within its bounds"):
        synapse_text(free)
    drawn = edited(
        rule_of("weight w in 0..1\nrandom r, q\non pre\nw = w + r * q"), "arith.mulf %r, %q", "arith.mulf %r, %r"
    )
    with pytest.raises(Refused, match=r"SYN008.*random number q, which nothing reads"):
        synapse_text(drawn)
    computed = edited(
        rule_of("param p\nweight w in 0..p\non pre\nw = w + p"),
        "ntensor.derived %p, %0, %p",
        "%9 = arith.addf %p, %p : f64\n    ntensor.derived %p, %0, %9",
    )
    with pytest.raises(Refused, match=r"SYN008.*bounds of a weight other than numbers and parameters"):
        synapse_text(computed)
    tangent = edited(rule, "arith.mulf %p_2, %x", "math.powf %p_2, %x")
    with pytest.raises(Refused, match=r"SYN008.*math.powf"):
        synapse_text(tangent)
