"""Runs a `loihi2.chip`: a configuration of `simulation/chip_model.py`.

The weights of a table that arrive in a tick after the same delay are added first; the exponent of the table is applied to the sum, and
rounds down. The sums of delays and tables of a group are added. Nothing saturates before the update of the compartment, whose equations
define its widths. `learning_engine.py` changes weights that learn.

Source: Lava 0.10.0, lava/proc/dense/models.py: PyDenseModelBitAcc adds, then shifts; PyDelayDenseModelBitAcc does so for each delay.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...dialects.chip_base.groups import GroupOp
from ...dialects.loihi2 import ChipOp, CompartmentsOp, LearningRuleAttr, Sign, lost_bits
from ...dialects.loihi2.synapses import SynapsesOp
from ...simulation.chip_model import ChipModel
from ...simulation.core_grid import Table, entries_by_delay
from ...simulation.learning.plastic_table import Synapses
from .learning_engine import EngineRule


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "loihi2/oheo_gulch"
    learns = True

    def tables(self, op: GroupOp, axons: int) -> Iterator[Table]:
        assert isinstance(op, CompartmentsOp)  # a group of this dialect
        for k, (table, one) in enumerate(zip(op.tables, op.entries(), strict=True)):
            held = entries_by_delay(one.axon, one.neuron, one.weight, one.delay, axons)
            exponent = table.weight_exp.value.data
            learning = None if table.learning_rule is None else self.engine_rule(op, k, table, table.learning_rule)
            for part in [held] if exponent >= 0 else [(some,) for some in held]:
                yield Table(table.operand, part, exponent=np.asarray(exponent), learning=learning)

    def engine_rule(self, op: CompartmentsOp, k: int, table: SynapsesOp, rule: LearningRuleAttr) -> EngineRule:
        """Returns the rule of the k-th table of a group."""
        one, node = table.entries(op.index.values), table.node.data
        unit = np.asarray(
            self.unit_of(node) * 2.0 ** -lost_bits(table.bits, Sign.MIXED)
        )  # registers are 2 n in all modes
        place = f"{op.node.data} {k} {node}"
        synapses = Synapses(node, place, one.axon, one.neuron, one.weight, one.delay, op.size, unit)
        return EngineRule(rule, table.sign, synapses, self.numbers.rounding, self.numbers.seed)
