"""Runs an `asic.chip`: a configuration of the event-driven loop of `simulation/core_grid.py`.

Events follow the routes: a destination that no route reaches receives nothing. Sums are as wide as they need to be; a neuron saturates
its input as its update specifies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.ir import Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...core.diagnostics import Code, describe_op, refuse, refuse_op
from ...core.ir.operation import only_op, shape_of
from ...core.phrases import PassesOption, Phrase
from ...dialects.asic import ChipOp, CoreOp, HostOutputOp, NeuronsOp, real_dtype
from ...dialects.ntensor import DelayOp, NetworkOp, UpdateOp
from ...simulation.core_grid import CoreGrid, Delivery, Group, Sender, Table, Tick, entries_by_delay
from ...simulation.elements import result_dtype
from ...simulation.records import Records, Watched
from ...simulation.room import require_room
from ...simulation.runs import convert_window, extent
from ...simulation.signals import Signal

ASM001 = Code("ASM001", "the chip does not compute a recorded node")
ASM003 = Code("ASM003", "the chip belongs to another network")
ASM002 = Code("ASM002", "the module contains no network of the chip")
ASM004 = Code("ASM004", "the model does not change weights")


def chip_of(module: ModuleOp) -> ChipOp:
    """Returns the one chip of a module. Errors: ASM002."""
    help = "nopt compile FILE --target asic/mesh -o DIR"
    return only_op(module, ChipOp, ASM002, "chips", ASM002.summary, expected="one asic.chip", help=help)


def arrays(given: DictionaryAttr) -> dict[str, AnyArray]:
    return {name: cast("ArrayAttr", array).values for name, array in given.data.items()}


class Deliveries:
    """Destinations of events, as far as routes reach."""

    def __init__(self, chip: ChipOp, device: Device):
        topology = topology_of(device, len(chip.cores))
        self.routes: dict[str, list[tuple[Ints | None, frozenset[int]]]] = {}
        starts = {op.node.data: place for place, op in chip.senders()}
        for route in chip.routes:
            reached = topology.follow(route.links.values.astype(np.int64), starts[route.node.data]).reached
            neurons = None if route.neurons is None else route.neurons.values.astype(np.int64)
            self.routes.setdefault(route.node.data, []).append((neurons, reached))
        self.found = {op.node.data: tuple(self.of(op, place)) for place, op in chip.senders()}

    def of(self, op: Any, place: int) -> Iterator[Delivery]:
        """Yields the destinations of a sender, one record for each core."""
        if (axons := op.output_axons) is None:
            return
        for core in np.unique(axons.core.values).tolist():
            served = np.full(op.size, core == place)
            for neurons, reached in self.routes.get(op.node.data, ()):
                if core in reached:
                    served[... if neurons is None else neurons] = True
            mine = axons.core.values == core
            neuron, axon = (one.values[mine].astype(np.int64) for one in (axons.neuron, axons.axon))
            yield Delivery(core, neuron[served[neuron]], axon[served[neuron]])


def group_of(op: NeuronsOp, core: CoreOp, update: UpdateOp, deliveries: tuple[Delivery, ...]) -> Group:
    """Returns a group of neurons with its tables."""
    tables: list[Table] = []
    for table, one in zip(op.tables, op.entries(), strict=True):
        held = entries_by_delay(one.axon, one.neuron, one.weight, one.delay, core.axons.value.data)
        bias, first, exponent = (
            None if array is None else array.values for array in (table.bias, table.first, table.exponent)
        )
        real = None if table.sums is None else real_dtype(table.sums)
        divisor = None if table.divisor is None else table.divisor.value.data
        tables.append(Table(table.port.value.data, held, real, divisor, bias, first, exponent))
    return Group(
        op.node.data,
        op.source.data,
        op.index.values.astype(np.int64),
        deliveries,
        core=core.place.value.data,
        update=update,
        params=arrays(op.params),
        initial=arrays(op.initial),
        tables=tuple(tables),
    )


def refuse_learning(chip: ChipOp) -> None:
    """Refuses tables whose weights change. Errors: ASM004."""
    for group in chip.groups:
        for table in group.tables:
            if table.plasticity is not None:
                refuse_op(
                    table,
                    ASM004,
                    node=group.source.data,
                    expected="weights that stay as they are",
                    found=f"{table.plasticity.name} on the table of {table.node.data}",
                    help=Phrase(PassesOption("ntensor-freeze-plasticity")),
                )


class AsicModel:
    """Runs the exit dialect; `network` defines the names, shapes and types that are visible to the user.

    Errors: RUN001 an unknown record; ASM001 a record of a node that the chip does not compute; ASM002 a module without a chip;
    ASM003 a chip of another network; ASM004 weights that change.
    """

    def __init__(self, module: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        chip, records = chip_of(module), Records(network)
        refuse_learning(chip)
        self.arguments = records.arguments
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.watched = records.watched(record)
        self.outputs: dict[str, HostOutputOp] = {op.node.data: op for op in chip.outputs}
        updates = {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}
        found = Deliveries(chip, device).found
        senders = [
            Sender(op.node.data, op.source.data, op.index.values.astype(np.int64), found[op.node.data])
            for op in chip.inputs
        ]
        groups = [
            group_of(op, core, updates[op.update.root_reference.data], found[op.node.data])
            for core in chip.cores.values()
            for op in core.groups
        ]
        self.grid = CoreGrid(tuple(senders), tuple(groups))
        self.verify_names(records)
        self.views = {name: self.view(name, one) for name, one in self.watched.items()}

    def verify_names(self, records: Records) -> None:
        """Refuses a chip whose inputs or outputs are not those of the network. Errors: ASM003."""
        inputs: dict[str, int] = {}
        for sender in self.grid.inputs:
            inputs[sender.source] = inputs.get(sender.source, 0) + len(sender.index)
        for what, found, known in (
            ("inputs", inputs, self.inputs),
            (
                "outputs",
                {n: prod(shape_of(op.type)) for n, op in self.outputs.items()},
                {n: shape_of(v) for n, v in records.outputs.items()},
            ),
        ):
            wanted = {name: prod(shape) for name, shape in known.items()}
            if found != wanted:
                expected, shown = (
                    ", ".join(f"{name} of {n}" for name, n in one.items()) or "none" for one in (wanted, found)
                )
                help = "nopt compile FILE --target asic/mesh -o DIR"
                refuse(
                    ASM003,
                    f"the {what} of the chip are not those of the network",
                    expected=expected,
                    found=shown,
                    help=help,
                )

    def view(self, name: str, watched: Watched) -> tuple[str, str | None, Ints]:
        """Returns the source, state and delay of a record. Errors: ASM001."""
        none = np.zeros((), np.int64)
        if name in self.outputs:
            return self.outputs[name].source.data, None, self.outputs[name].delay.values
        value, delay = watched.value, none
        if isinstance(value.owner, DelayOp):
            delay = np.broadcast_to(value.owner.ticks.values, shape_of(value)).reshape(-1)
            value = value.owner.x
        sources = {sender.source for sender in (*self.grid.inputs, *self.grid.groups)}
        node = describe_op(value.owner)[1] if isinstance(value.owner, Operation) else None
        node = node or next((one for one, argument in self.arguments.items() if argument is value), None)
        if node is None or node not in sources:
            refuse(
                ASM001,
                f'the chip does not compute "{name}"',
                at=f"record {name}",
                node=name,
                expected=f"an input, an output, or a population: {', '.join(sorted(sources))}",
                found="a node between populations, which is a part of tables",
                help="--model reference",
            )
        return node, watched.state, delay

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`.

        Errors: RUN002, RUN003, RUN004, RUN005, RUN007; GRD001 events without a delay that form a loop.
        """
        samples, ticks = extent(self.inputs, signals, ticks)
        shapes = {name: (samples, ticks, *watched.shape) for name, watched in self.watched.items()}
        dtypes = {name: result_dtype(watched.type) for name, watched in self.watched.items()}
        require_room({name: prod(shape) * dtypes[name].itemsize for name, shape in shapes.items()}, ticks, samples)
        results = {name: np.zeros(shape, dtypes[name]) for name, shape in shapes.items()}
        flat = {name: array.reshape(samples, ticks, -1) for name, array in results.items()}
        senders = [*self.grid.inputs, *self.grid.groups]

        def window(name: str, some: slice, t: int) -> AnyArray:
            found = convert_window(name, signals[name].window(some, slice(t, t + 1)), self.arguments[name], t)
            return found.reshape(some.stop - some.start, -1)

        def note(some: slice, t: int, tick: Tick) -> None:
            for name, (source, state, delay) in self.views.items():
                for sender in senders:
                    if sender.source == source:
                        values = tick.outputs[sender.name] if state is None else tick.states[sender.name][state]
                        store(flat[name][some], t, sender.index, values, delay)

        self.grid.run(window, samples, ticks, note, progress)
        return results


def store(found: AnyArray, t: int, index: Ints, values: AnyArray, delay: Ints) -> None:
    """Stores the values of some neurons in the tick in which they are visible. Shapes: found [samples, ticks, neurons]."""
    if not delay.ndim:
        if t + int(delay) < found.shape[1]:
            found[:, t + int(delay), index] = values
        return
    late = delay[index]
    for ticks in np.unique(late).tolist():
        mine = late == ticks
        if t + ticks < found.shape[1]:
            found[:, t + ticks, index[mine]] = values[:, mine]
