"""Runs a `loihi2.chip`: a configuration of `simulation/chip_model.py`.

The weights of a table that arrive in a tick after the same delay are added first; the exponent of the table is applied to the sum, and
rounds down. The sums of delays and tables of a group are added. Nothing saturates before the update of the compartment, whose equations
define its widths.

Source: Lava 0.10.0, lava/proc/dense/models.py: PyDenseModelBitAcc adds, then shifts; PyDelayDenseModelBitAcc does so for each delay.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.ir.operation import NoptOperation
from ...dialects.chip_base.groups import GroupOp
from ...dialects.loihi2 import ChipOp, CompartmentsOp
from ...simulation.chip_model import ChipModel
from ...simulation.core_grid import Table, entries_by_delay


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "loihi2/oheo_gulch"

    def learning(self, op: GroupOp) -> Iterator[tuple[NoptOperation, str]]:
        assert isinstance(op, CompartmentsOp)  # a group of this dialect
        for table in op.tables:
            if table.learning_rule is not None:
                yield table, f"{table.learning_rule.text} on the table of {table.node.data}"

    def tables(self, op: GroupOp, axons: int) -> Iterator[Table]:
        assert isinstance(op, CompartmentsOp)  # a group of this dialect
        for table, one in zip(op.tables, op.entries(), strict=True):
            held = entries_by_delay(one.axon, one.neuron, one.weight, one.delay, axons)
            exponent = table.weight_exp.value.data
            for part in [held] if exponent >= 0 else [(some,) for some in held]:
                yield Table(table.operand, part, exponent=np.asarray(exponent))
