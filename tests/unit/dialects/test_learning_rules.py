"""Learning rules of the loihi2 dialect against Lava: random texts, and what Lava 0.10.0 read in them.

`lava_rules.json` was written by lava/magma/core/learning/learning_rule.py (Loihi2FLearningRule) for texts of a random grammar. Of each rule it holds the products
that Lava read, or null if Lava refused it. `strict` marks rules that Lava accepts and nopt refuses: Lava reads them in another way than they look, or they
have constants that the chip does not hold. All of 30,000 such rules agreed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from xdsl.parser import Parser

from nopt.core.ir.context import NoptContext
from nopt.dialects.loihi2.learning import (
    CONSTANTS,
    EQUATIONS,
    FaultyEquation,
    LearningRuleAttr,
    Product,
    normalized,
    read_equation,
)

RULES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "lava_rules.json").read_text())


def products_of(rule: dict[str, str]) -> list[Product] | None:
    """Returns the products of all equations; None if one of them is refused, or they have several decimation exponents."""
    try:
        found = [one for name in EQUATIONS if name in rule for one in read_equation(rule[name])]
    except FaultyEquation:
        return None
    return found if len({one.dependency for one in found if one.dependency[0] == "u"}) < 2 else None


@pytest.mark.parametrize("case", RULES, ids=lambda case: "; ".join(case["rule"].values()))
def test_lava_reads_the_same_products(case: dict[str, Any]) -> None:
    found = products_of(case["rule"])
    if case["lava"] is None or case["strict"]:
        assert found is None
        return
    assert found is not None
    read = [
        [one.dependency, one.mantissa, one.exponent, [[f.variable, f.constant, f.is_sign] for f in one.factors]]
        for one in found
    ]
    assert read == case["lava"]


def test_records_have_all_kinds() -> None:
    accepted = [case for case in RULES if case["lava"] is not None]
    assert len([case for case in accepted if not case["strict"]]) >= 100
    assert len([case for case in accepted if case["strict"]]) >= 50
    assert len(RULES) - len(accepted) >= 50


def test_rules_are_printed_as_they_are_parsed() -> None:
    context = NoptContext()
    constants = {name: 0.1 * 3**k if name.endswith("tau") else k / 256 for k, name in enumerate(CONSTANTS)}
    for k, case in enumerate(RULES):
        given = LearningRuleAttr.of(case["rule"], constants | {"x1_tau": 10.0 ** (k % 60 - 30)}, 1 + k % 63)
        assert Parser(context, str(given)).parse_attribute() == given


def test_normalized_numbers_keep_their_value() -> None:
    for mantissa in range(-300, 301):
        for exponent in range(-12, 13):
            m, e = normalized(mantissa, exponent)
            assert m * 2.0**e == mantissa * 2.0**exponent
            assert e == exponent or abs(m) >= 4  # only mantissas beyond 7 are halved
