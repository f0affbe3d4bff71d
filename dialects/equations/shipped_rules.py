"""Shipped rules that chips compute: a rule of a network is one of them if its equations are those of the file with the default options."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import Float32Type, Float64Type, f32, f64

from ...core.registry import synapses
from ...core.synapse.synapse import parse_synapses
from ..ntensor import LearningAttr, RuleOp, SynapseOpInterface
from ..ntensor.learning.bounds import rule_of
from .rules import build_rule

NEAREST, TRIPLETS = "stdp_nearest_pair", "triplet"
CHIP_RULES = (NEAREST, TRIPLETS)
"""The shipped rules that devices name, besides `stdp`, which is `#nir.stdp`."""


@cache
def shipped_rule(name: str, precision: Float32Type | Float64Type) -> RuleOp:
    """Returns a shipped rule with its default options. Callers must not change it."""
    path = synapses()[name]
    found = parse_synapses(path.read_text(encoding="utf-8"), path.name).named(path.stem)
    assert found is not None  # a shipped file has the rule of its name
    return build_rule(found, options={}, precision=precision)


def chip_rule(op: SynapseOpInterface) -> str | None:
    """Returns the name of the shipped rule by which the weights of an op change, of `CHIP_RULES`; None for another rule, or none."""
    given = op.learning_rule
    if not isinstance(given, LearningAttr) or given.modulators:
        return None
    name, found = given.symbol.partition(".")[0].rstrip("'"), rule_of(op, given)
    if name not in CHIP_RULES or found is None:
        return None
    return name if any(found.is_equal(shipped_rule(name, one)) for one in (f32, f64)) else None
