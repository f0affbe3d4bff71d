"""Runs a `loihi2.chip`: a configuration of `simulation/chip_model.py`.

The weights of a table that arrive in a tick after the same delay are added first; the exponent of the table is applied to the sum, and
rounds down. The sums of delays and tables of a group are added. Nothing saturates before the update of the compartment, whose equations
define its widths.

Source: Lava 0.10.0, lava/proc/dense/models.py: PyDenseModelBitAcc adds, then shifts; PyDelayDenseModelBitAcc does so for each delay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import refuse_op
from ...dialects.chip_base.groups import GroupOp
from ...dialects.loihi2 import ChipOp, CompartmentsOp
from ...dialects.ntensor import NetworkOp
from ...simulation.chip_model import CHI020, ChipModel
from ...simulation.core_grid import Table, entries_by_delay


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`; CHI020 weights that change."""

    chip, device = ChipOp, "loihi2/oheo_gulch"

    def __init__(self, module: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        for group in self.chip_of(module).groups:
            for table in group.tables:
                if table.learning_rule is not None:
                    refuse_op(
                        table,
                        CHI020,
                        node=group.source.data,
                        expected="weights that stay as they are",
                        found=f"{table.learning_rule.text} on the table of {table.node.data}",
                        help="compile the network with --passes ntensor-freeze-plasticity",
                    )
        super().__init__(module, network, device=device, record=record)

    def tables(self, op: GroupOp, axons: int) -> Iterator[Table]:
        assert isinstance(op, CompartmentsOp)  # a group of this dialect
        for table, one in zip(op.tables, op.entries(), strict=True):
            held = entries_by_delay(one.axon, one.neuron, one.weight, one.delay, axons)
            exponent = table.weight_exp.value.data
            for part in [held] if exponent >= 0 else [(some,) for some in held]:
                yield Table(table.operand, part, exponent=np.asarray(exponent))
