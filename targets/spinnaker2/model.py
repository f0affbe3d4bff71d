"""Model of a `spinnaker2.chip`, tick by tick: spikes select connections, and connections fill the sums of later ticks.

    1. A core takes the sums of this tick, one for each neuron, and sets them to 0.
    2. It updates its neurons in single precision. Each neuron that fires sends a spike; the host sends the spikes of inputs.
    3. Each connection of a neuron that fired adds its weight to the sum of its target, d + 1 ticks later for the delay d.

Sums are integers, so the order of spikes within a tick changes nothing. Nothing published limits their width: they are exact.

Source: py-spinnaker2 as of the NIR paper (2024), examples of its neurons: "Actual delay on the hardware is: delay+1".
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...dialects.chip_base.parts import SenderOp
from ...dialects.spinnaker2 import ChipOp
from ...simulation.chip_grid import Sender
from ...simulation.chip_model import ChipModel
from ...simulation.fan_out_grid import FanOut, FanOutGrid, group_block


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "spinnaker2/chip"

    def build_grid(self, chip: ChipOp, module: ModuleOp, device: Device) -> FanOutGrid:
        blocks = tuple(map(group_block, self.groups(chip, module)))
        fans = {op.node.data: tuple(fans_of(chip, op)) for _, op in chip.senders()}
        return FanOutGrid(tuple(map(Sender.of, chip.inputs)), blocks, fans)


def fans_of(chip: ChipOp, sender: SenderOp) -> Iterator[FanOut]:
    """Yields the fan-out of a sender: those connections of its population or input that start at its neurons."""  # 3
    neurons = sender.index.values
    for group in chip.groups:
        for op in (op for op in group.connections if op.source == sender.source):
            neuron = np.full(1 + max(int(neurons.max(initial=0)), int(op.pre.values.max(initial=0))), -1)
            neuron[neurons] = np.arange(len(neurons))
            pre = neuron[op.pre.values]
            mine = np.flatnonzero(pre >= 0)
            weight = np.broadcast_to(op.weight.values, pre.shape)[mine]
            yield FanOut.of(group.node.data, len(neurons), pre[mine], op.post.values[mine], weight, op.delays[mine] + 1)
