"""Runs an `asic.chip`: a configuration of `simulation/chip_model.py`.

Events follow the routes: a destination that no route reaches receives nothing. Sums are as wide as they need to be; a neuron saturates
its input as its update specifies. Weights that learn follow `simulation/learning/pairs.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...core.routing.forest import Forest
from ...dialects.asic import ChipOp, NeuronsOp, RouteOp, TableOp, real_dtype
from ...dialects.chip_base.groups import GroupOp
from ...dialects.chip_base.parts import Entries, SenderOp
from ...dialects.nir import StdpAttr
from ...simulation.chip_grid import Delivery
from ...simulation.chip_model import ChipModel
from ...simulation.core_grid import Table, entries_by_delay
from ...simulation.learning.pairs import PairLearning
from ...simulation.learning.plastic_table import Synapses


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "asic/mesh"
    learns = True

    def deliveries(self, chip: ChipOp, device: Device) -> Mapping[str, tuple[Delivery, ...]]:
        """Returns the destinations of events. Destinations that no route reaches receive nothing."""
        topology = topology_of(device, len(chip.cores))
        self.routes: dict[str, list[tuple[RouteOp, Forest]]] = {}
        starts = {op.node.data: place for place, op in chip.senders()}
        for route in chip.routes:
            forest = route.follow(topology, starts[route.node.data])
            self.routes.setdefault(route.node.data, []).append((route, forest))
        return super().deliveries(chip, device)

    def is_served(self, op: SenderOp, place: int, core: int) -> Any:
        served = np.full(op.size, core == place)
        for route, forest in self.routes.get(op.node.data, ()):
            served |= route.served(forest.trees_to(core), op.size)
        return served

    def tables(self, op: GroupOp, axons: int) -> Iterator[Table]:
        assert isinstance(op, NeuronsOp)  # a group of this dialect
        for k, (table, one) in enumerate(zip(op.tables, op.entries(), strict=True)):
            held = entries_by_delay(one.axon, one.neuron, one.weight, one.delay, axons)
            learning = None if table.plasticity is None else self.pair_learning(op, k, table, table.plasticity, one)
            yield table_of(table, held, learning)

    def pair_learning(self, op: NeuronsOp, k: int, table: TableOp, rule: StdpAttr, one: Entries) -> PairLearning:
        """Returns the rule of the k-th table of a group, for its synapses."""
        step = None if table.step is None else self.step_of(table, table.step.values, one)
        adds_steps = step is not None and table.sums is not None  # real sums add weights in numbers of the network
        node, place = table.node.data, f"{op.node.data} {k} {table.node.data}"
        unit = np.ones(()) if step is None or adds_steps else step
        synapses = Synapses(node, place, one.axon, one.neuron, one.weight, one.delay, op.size, unit)
        return PairLearning(rule, synapses, self.numbers, step, is_real=adds_steps)

    def step_of(self, table: TableOp, grid: AnyArray, one: Entries) -> AnyArray:
        """Returns the step of each synapse of a table. Shapes: grid () or [axons or 1, neurons or 1]; result () or [synapses]."""
        if not grid.ndim:
            return grid
        axon = np.searchsorted(table.axons.values, one.axon)
        return grid[axon if grid.shape[0] > 1 else 0, one.neuron if grid.shape[1] > 1 else 0]


def table_of(table: TableOp, held: Any, learning: PairLearning | None) -> Table:
    """Returns a table with its synapses."""
    bias, first, exponent = (
        None if array is None else array.values for array in (table.bias, table.first, table.exponent)
    )
    real = None if table.sums is None else real_dtype(table.sums)
    divisor = None if table.divisor is None else table.divisor.value.data
    return Table(table.port.value.data, held, real, divisor, bias, first, exponent, learning)
