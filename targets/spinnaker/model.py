"""Model of a `spinnaker.chip`, tick by tick: keys select rows of words, and words fill the ring buffers.

    1. A core takes the slot of its ring buffers of this tick: the sums of both receptors. The slot becomes 0.
    2. It updates its neurons, and sends the key of each that spikes. The host sends the keys of inputs.
    3. A key goes to the cores of its sender. There the entries of the master population table that match it select a row each.
    4. Each word of a row adds its weight to the entry of its receptor and neuron, in the slot of its delay. An entry saturates at 0xFFFF.

The order of keys within a tick changes nothing: weights have no sign, so a saturated sum is the same in each order. Rows that learn receive their keys after all
spikes of the tick (`plastic_rows.py`).

Source: sPyNNaker 7.4.1, neural_modelling/src/neuron: c_main.c, spike_processing.c, synapses.c, population_table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import Ints
from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...dialects.spinnaker import ChipOp, NeuronsOp, StdpAttr
from ...dialects.spinnaker.cores import RECEPTORS, KeyedOp
from ...dialects.spinnaker.rows import RING_MOST, RowsOp
from ...simulation.chip_grid import Sender
from ...simulation.chip_model import ChipModel
from ...simulation.fan_out_grid import FanOut, FanOutGrid, group_block
from .plastic_rows import PlasticRows
from .saturation import report_share

SHIFTS = "shift_exc", "shift_inh"
"""The parameters with the shifts of the ring buffers of both receptors."""


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "spinnaker/spinn5"
    learns = True

    @staticmethod
    def saturation(models: Sequence[Any], diagnostics: Diagnostics) -> list[dict[str, Any]]:
        """Returns the sums of ring buffers that saturated in some runs, by population and receptor. Warnings: SPN012."""
        return report_share(
            [tally for one in models for tally in one.grid.tallies], models[-1].ring_buffers, diagnostics
        )

    def build_grid(self, chip: ChipOp, module: ModuleOp, device: Device) -> FanOutGrid:
        self.ring_buffers = chip
        blocks = tuple(group_block(group, RECEPTORS, RING_MOST) for group in self.groups(chip, module))
        fans = {op.node.data: tuple(self.fans_of(chip, op)) for op in chip.keyed}
        return FanOutGrid(tuple(map(Sender.of, chip.inputs)), blocks, fans)

    def fans_of(self, chip: ChipOp, sender: KeyedOp) -> Iterator[FanOut]:
        """Yields the fan-out of a sender by table of rows: its keys pass the master population table of each core that they reach."""
        key = sender.key.value.data | np.arange(sender.size)
        for place in sender.cores.values.tolist():
            for group in chip.cores[place].groups:
                for rows, synapses in zip(group.rows, group.synapses(), strict=True):
                    mask = rows.mask.value.data
                    matching = np.flatnonzero(key & mask == rows.key.value.data)
                    neuron = np.full(rows.size, -1)
                    row = key[matching] & ~mask
                    neuron[row[row < rows.size]] = matching[row < rows.size]
                    mine = np.flatnonzero(neuron[synapses.source] >= 0)
                    entry = synapses.receptor * group.size + synapses.neuron
                    learning = (
                        None if rows.plasticity is None else self.row_learning(sender, group, rows, rows.plasticity)
                    )
                    yield FanOut.of(
                        group.node.data,
                        sender.size,
                        neuron[synapses.source[mine]],
                        entry[mine],
                        synapses.weight[mine],
                        synapses.delay[mine],
                        learning=learning,
                    )

    def row_learning(
        self, sender: KeyedOp, group: NeuronsOp, rows: RowsOp, rule: StdpAttr
    ) -> Callable[[FanOut, Ints], PlasticRows]:
        """Returns the function that creates the rule of the rows of a sender."""

        def create(fan: FanOut, neuron: Ints) -> PlasticRows:
            params = group.parameters()
            shifts = np.stack([np.broadcast_to(params[name], group.size) for name in SHIFTS]).astype(np.int64)
            target = fan.entry % group.size
            return PlasticRows(
                rows.node.data,
                rule,
                rows.triplet,
                group.size,
                sender.size,
                sender.index.values.astype(np.int64)[neuron],
                group.index.values.astype(np.int64)[target],
                target,
                fan.weight,
                shifts[fan.entry // group.size, target],
                self.unit_of(rows.node.data),
            )

        return create
