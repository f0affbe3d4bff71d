"""Runs an `asic.chip`: a configuration of `simulation/chip_model.py`.

Events follow the routes: a destination that no route reaches receives nothing. Sums are as wide as they need to be; a neuron saturates
its input as its update specifies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...core.ir.operation import NoptOperation
from ...core.routing.forest import Forest
from ...dialects.asic import ChipOp, NeuronsOp, RouteOp, TableOp, real_dtype
from ...dialects.chip_base.groups import GroupOp
from ...dialects.chip_base.parts import SenderOp
from ...simulation.chip_model import ChipModel
from ...simulation.core_grid import Delivery, Table, entries_by_delay


class Model(ChipModel[ChipOp]):
    """Runs the exit dialect. Errors: those of `ChipModel`."""

    chip, device = ChipOp, "asic/mesh"

    def learning(self, op: GroupOp) -> Iterator[tuple[NoptOperation, str]]:
        assert isinstance(op, NeuronsOp)  # a group of this dialect
        for table in op.tables:
            if table.plasticity is not None:
                yield table, f"{table.plasticity.name} on the table of {table.node.data}"

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
        for table, one in zip(op.tables, op.entries(), strict=True):
            yield table_of(table, entries_by_delay(one.axon, one.neuron, one.weight, one.delay, axons))


def table_of(table: TableOp, held: Any) -> Table:
    """Returns a table with its synapses."""
    bias, first, exponent = (
        None if array is None else array.values for array in (table.bias, table.first, table.exponent)
    )
    real = None if table.sums is None else real_dtype(table.sums)
    divisor = None if table.divisor is None else table.divisor.value.data
    return Table(table.port.value.data, held, real, divisor, bias, first, exponent)
