"""Learning rules of a network in ticks: each rule with one choice of options is one symbol of the module."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import define, field
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp, StringAttr

from ...core.names import shared_symbol, symbols_of
from ...dialects import nir, ntensor


def derive_numbers(rule: ntensor.RuleOp, dt: float, values: Mapping[str, float]) -> dict[str, float]:
    """Returns the derived parameters of a rule. Units: dt [s]."""
    from ...simulation.update import derive

    found = derive(rule, dt, {name: np.asarray(value) for name, value in values.items()})
    return {name: float(value) for name, value in found.items()}


@define
class LearnedRules:
    """The rules of the synapses of a network."""

    module: ModuleOp
    dt: float
    """[s]"""
    precision: Float32Type | Float64Type
    rules: list[ntensor.RuleOp] = field(factory=list[ntensor.RuleOp])

    def add(self, given: nir.RuleAttr, op: nir.SynapseOp, node: str) -> ntensor.LearningAttr:
        """Returns the learning of a synapse op, whose rule is in the module or among the added rules. Errors: those of `choose_rule`."""
        from ...analysis.learning.learning_rules import choose_rule  # a parser of its own, which few networks need

        choice = choose_rule(
            given.rule.data,
            given.values,
            given.texts,
            dt=self.dt,
            precision=self.precision,
            at=f'{op.name} "{node}"',
            node=node,
            derive=derive_numbers,
        )
        symbol = self.known(choice.rule)
        return ntensor.LearningAttr.of(symbol, given.values, choice.learning.modulators)

    def known(self, rule: ntensor.RuleOp) -> str:
        """Returns the symbol of an equal rule, else adds the rule under an unused name."""
        known = symbols_of(self.module) | {other.sym_name.data: other for other in self.rules}
        if (name := shared_symbol(rule, known)) not in known:
            rule.sym_name = StringAttr(name)
            self.rules.append(rule)
        return name
