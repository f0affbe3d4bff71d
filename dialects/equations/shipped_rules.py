"""Shipped rules that chips compute: a rule of a network is one of them if its equations are those of the file with the default options."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import Float32Type, Float64Type, f32, f64

from ...core.registry import synapses
from ...core.synapse.synapse import parse_synapses
from ..ntensor import LearningAttr, RuleOp, SynapseOpInterface
from ..ntensor.learning.bounds import rule_of
from .rules import build_rule

NEAREST, TRIPLETS, MULTIPLICATIVE = "stdp_nearest_pair", "triplet", "stdp_multiplicative"
CHIP_RULES: dict[str, tuple[str, str | None]] = {
    NEAREST: (NEAREST, None),
    TRIPLETS: (TRIPLETS, None),
    MULTIPLICATIVE: ("stdp", "multiplicative"),
}
"""The rules that devices name, besides `stdp`, which is `#nir.stdp`: each with its shipped rule, and the value of the option `dependence` if it is not the default."""


@cache
def shipped_rule(name: str, precision: Float32Type | Float64Type, dependence: str | None = None) -> RuleOp:
    """Returns a shipped rule with its default options, apart from a dependence. Callers must not change it."""
    path = synapses()[name]
    found = parse_synapses(path.read_text(encoding="utf-8"), path.name).named(path.stem)
    assert found is not None  # a shipped file has the rule of its name
    options = {} if dependence is None else {"dependence": dependence}
    return build_rule(found, options=options, precision=precision)


def chip_rule(op: SynapseOpInterface) -> str | None:
    """Returns the name of the shipped rule by which the weights of an op change, of `CHIP_RULES`; None for another rule, or none."""
    given = op.learning_rule
    if not isinstance(given, LearningAttr) or given.modulators:
        return None
    name, found = given.symbol.partition(".")[0].rstrip("'"), rule_of(op, given)
    for kind, (file, dependence) in CHIP_RULES.items():
        if name == file and found is not None:
            known = (shipped_rule(file, one, dependence) for one in (f32, f64))
            if any(map(found.is_equal, known)):
                return kind
    return None
