"""Fitted rules on Loihi's chip: the deviation on record is that of single pairs in the engine, where the rounding averages out, and edited constants change the run."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from learning_windows import (
    RULES,
    WEIGHTS,
    RuleWindow,
    in_ticks,
    learning_in,
    network_of,
    pair_interval,
    sides,
    window_of,
)

from nopt.api.conformance.networks import Drawn
from nopt.api.conformance.subject import Compiled, Subject
from nopt.core.device.device import find_device
from nopt.core.synapse.tree import POST, PRE
from nopt.dialects.loihi2 import LearningRuleAttr, Sign, SynapsesOp
from nopt.dialects.ntensor import ApproximationAttr, NetworkOp
from nopt.simulation.learning.plastic_table import Synapses
from nopt.targets.loihi2.learning_engine import EngineRule

SYNAPSES = 6000
"""Synapses with random numbers of their own, for each pair and weight."""
REGISTERS = 255


def subject() -> Subject:
    return Subject(find_device("loihi2", "loihi1"), 0, 0, permitted=("learning", "precision"))


@cache
def compiled(name: str) -> Compiled:
    found = subject().follow(Drawn(name, in_ticks(network_of(*RULES[name])), np.zeros((1, 4, 1), np.bool_)))
    assert found.fit.is_fitting, found.refusal
    return found


def record_of(found: Compiled) -> ApproximationAttr:
    (network,) = [op for op in found.network.walk() if isinstance(op, NetworkOp)]
    (record,) = [one for one in network.approximations or () if one.step.data.startswith("ntensor-fit-plasticity")]
    return record


def rule_of(found: Compiled) -> LearningRuleAttr:
    (rule,) = [op.learning_rule for op in found.module.walk() if isinstance(op, SynapsesOp) and op.learning_rule]
    return rule


def mean_change(rule: LearningRuleAttr, interval: int, register: int) -> float:
    """Returns the mean change of many synapses by one pair of spikes [registers]."""
    each = np.arange(SYNAPSES)
    synapses = Synapses(
        "fc", f"{interval}:{register}", each, each, np.full(SYNAPSES, register), np.ones(SYNAPSES, np.int64), SYNAPSES
    )
    engine = EngineRule(rule, Sign.EXCITATORY, synapses, "stochastic", 1).start(1)
    at = sides(interval)
    none = np.zeros((1, SYNAPSES), np.bool_)
    for t in range(max(at.values()) + 1):
        events = [(np.zeros_like(each), each, np.ones(SYNAPSES))] if t == at[PRE] else []
        engine.learn(t, [events], ~none if t == at[POST] else none)
    return float(engine.weight.mean()) - register


def chip_deviation(window: RuleWindow, rule: LearningRuleAttr) -> float:
    """Returns the relative deviation of pairs on the chip, as the root of the mean square."""
    error = size = 0.0
    for k, (place, wanted) in enumerate(
        zip(window.changes.history.tolist(), window.changes.change.tolist(), strict=True)
    ):
        one = window.histories[place]
        if one.is_pair and window.changes.is_free[k]:
            register = round(WEIGHTS[k % len(WEIGHTS)] * REGISTERS)
            error += (mean_change(rule, pair_interval(one), register) / REGISTERS - wanted) ** 2
            size += wanted**2
    return float(np.sqrt(error / size))


@pytest.mark.parametrize("name", RULES)
def test_the_record_is_what_the_chip_does(name: str) -> None:
    """A register is 1 / 255. Weights start at whole registers, and a mean of 6000 roundings has an error of about 1 / 77 registers."""
    found = compiled(name)
    text = re.search(r"relative deviation ([\d.e-]+) of pairs", record_of(found).what.data)
    assert text is not None
    window = window_of(learning_in(in_ticks(network_of(*RULES[name]))))
    assert chip_deviation(window, rule_of(found)) == pytest.approx(float(text[1]), abs=0.012)


def test_a_pair_in_one_tick_changes_nothing() -> None:
    """The products that cancel the impulses of the tick are exact, apart from the lowest bits that wide products lose."""
    for name in RULES:
        assert abs(mean_change(rule_of(compiled(name)), 0, 100)) < 0.2, name


def test_an_edited_constant_changes_the_window() -> None:
    rule = rule_of(compiled("triplet"))
    before = mean_change(rule, 3, 100)
    for name in ("x1_impulse", "x2_impulse"):
        edited = LearningRuleAttr.of(rule.equations, {**rule.constants, name: 8.0})
        assert rule.constants[name] == 16
        if f"y0 * {name[:2]}" in rule.equations["dw"]:
            assert mean_change(edited, 3, 100) < before - 1
    negated = LearningRuleAttr.of({"dw": "-" + rule.equations["dw"].removeprefix("- ")}, rule.constants)
    assert abs(mean_change(negated, 3, 100) - before) > 1
