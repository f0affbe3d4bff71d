"""Model of a chip with cores: runs an exit dialect event by event, by the loop of `core_grid.py`.

A target derives its model from `ChipModel`, and defines how its tables and destinations are read. The model imports no machine graph and
no reference, so that it can differ from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, ClassVar, Generic, TypeVar, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..core.arrays.numeric import AnyArray, Ints
from ..core.device.device import Device
from ..core.diagnostics import Code, Diagnostics, describe_op, refuse, refuse_op
from ..core.ir.operation import NoptOperation, only_op, shape_of
from ..dialects.chip_base.chip import ChipBase
from ..dialects.chip_base.groups import GroupOp
from ..dialects.chip_base.parts import OutputBase, SenderOp
from ..dialects.machine.parts import updates_of
from ..dialects.ntensor import DelayOp, NetworkOp, SynapseOpInterface, UpdateOp
from .chip_grid import ChipGrid, Delivery, Sender, Tick
from .core_grid import CoreGrid, Group, Table
from .elements import result_dtype
from .imperfections import Imperfections
from .learning.pairs import pair_numbers
from .learning.weight_records import WeightView, places_of_weights, weight_step
from .memory_budget import check_memory
from .records import WEIGHT, Records, Watched
from .runs import convert_window, extent
from .signals import Signal

Chip = TypeVar("Chip", bound=ChipBase)

CHI017 = Code("CHI017", "record-not-computed", "the model does not compute a recorded node")
CHI018 = Code("CHI018", "compiled-network-missing", "the module contains no network of the target")
CHI019 = Code("CHI019", "compiled-network-mismatch", "the compiled network belongs to another network")
CHI020 = Code("CHI020", "model-cannot-learn", "the model does not change weights")


class ChipModel(Generic[Chip]):
    """Runs the exit dialect; `network` defines the names, shapes and types that are visible to the user.

    Errors: SIM017 an unknown record; CHI017 a record of a node that the chip does not compute; CHI018 a module without a chip;
    CHI019 a chip of another network; CHI020 weights that change.
    """

    chip: ClassVar[type[ChipBase]]
    """The op of the network on the chip."""
    device: ClassVar[str]
    """A device of the target, for help lines."""
    is_imperfect: ClassVar[bool] = False
    """Whether the model simulates manufactured chips, by the `imperfections` of the device."""
    varies_neurons: ClassVar[bool] = False
    """Whether manufactured chips differ in parameters of neurons alone, which `varied_parameters` returns."""
    learns: ClassVar[bool] = False
    """Whether the model changes weights by the learning rules of an artefact."""
    ages: ClassVar[bool] = False
    """Whether the results depend on the age of a manufactured chip."""

    def __init__(
        self,
        module: ModuleOp,
        network: NetworkOp,
        *,
        device: Device,
        record: Sequence[str] = (),
        imperfections: Imperfections | None = None,
    ):
        self.imperfections = imperfections
        """The chip that is simulated; None: the ideal chip."""
        chip, records = self.chip_of(module), Records(network)
        self.refuse_learning(chip)
        self.arguments = records.arguments
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.synapses = records.synapses
        """The ops of the network with weights, by name."""
        self.numbers = pair_numbers(device, chip.tick_ns.value.data)
        """The numbers of a pair rule of the device."""
        self.watched = records.watched(record)
        self.outputs: dict[str, OutputBase] = {op.node.data: op for op in chip.outputs}
        self.learns_on = network.learns_on
        grid = self.build_grid(chip, module, device)
        self.grid = grid.frozen() if network.keeps_weights else grid
        self.verify_names(records)
        weights = {name for name, one in self.watched.items() if one.state == WEIGHT and self.op_of(one) is not None}
        self.weights = {name: self.weight_views(self.watched[name]) for name in weights}
        self.views = {name: self.view(name, one) for name, one in self.watched.items() if name not in weights}

    @classmethod
    def chip_of(cls, module: ModuleOp) -> Chip:
        """Returns the one chip of a module. Errors: CHI018."""
        help = compile_again(cls.device)
        found = only_op(module, cls.chip, CHI018, "chips", CHI018.summary, expected=f"one {cls.chip.name}", help=help)
        return cast("Chip", found)

    # ---- what a target defines

    @classmethod
    def varied_parameters(
        cls, op: GroupOp, core: int, dt: float, device: Device, imperfections: Imperfections
    ) -> Mapping[str, AnyArray]:
        """Returns the parameters of the update of a group that differ on a manufactured chip; none by default. Shapes: [neurons]. Units: dt [s]."""
        return {}

    @staticmethod
    def saturation(models: Sequence[Any], diagnostics: Diagnostics) -> list[dict[str, Any]]:
        """Returns the sums that saturated in the runs of some models of one chip, by population and input, and reports them; none without saturation."""
        return []

    def tables(self, op: GroupOp, axons: int) -> Iterator[Table]:
        """Yields the tables of a group on a core with `axons` input axons; none for a model whose grid is not a `CoreGrid`."""
        yield from ()

    def learning(self, op: GroupOp) -> Iterator[tuple[NoptOperation, str]]:
        """Yields each op of a group with plastic weights, and a text with the learning rule and the location of the weights."""
        yield from ()

    def deliveries(self, chip: Chip, device: Device) -> Mapping[str, tuple[Delivery, ...]]:
        """Returns the destinations of the events of each sender, by its name: every output axon."""
        return {op.node.data: tuple(self.delivery(op, place)) for place, op in chip.senders()}

    def is_served(self, op: SenderOp, place: int, core: int) -> Any:
        """Returns a mask of the sender's neurons that reach a core."""
        return np.ones(op.size, np.bool_)

    # ---- construction

    def refuse_learning(self, chip: Chip) -> None:
        """Refuses weights that change. Errors: CHI020."""
        for group in chip.groups:
            for op, rule in self.learning(group):
                refuse_op(
                    op,
                    CHI020,
                    node=group.source.data,
                    expected="weights that stay as they are",
                    found=rule,
                    help="compile the network with --passes ntensor-freeze-plasticity",
                )

    def build_grid(self, chip: Chip, module: ModuleOp, device: Device) -> ChipGrid:
        """Returns the senders and groups of the chip with the loop that runs them."""
        deliveries = self.deliveries(chip, device)
        senders = tuple(Sender.of(op, deliveries[op.node.data]) for op in chip.inputs)
        return CoreGrid(senders, tuple(self.groups(chip, module, deliveries)))

    def groups(
        self, chip: Chip, module: ModuleOp, deliveries: Mapping[str, tuple[Delivery, ...]] | None = None
    ) -> Iterator[Group]:
        """Yields the groups of the chip with their updates."""
        updates = updates_of(module)
        for place, core in chip.cores.items():
            for op in core.groups:
                sent = () if deliveries is None else deliveries[op.node.data]
                yield self.group(op, place, updates[op.update_name], sent, core.axons.value.data)

    def delivery(self, op: SenderOp, place: int) -> Iterator[Delivery]:
        """Yields the destinations of a sender, one record for each core."""
        if (axons := op.output_axons) is None:
            return
        for core in np.unique(axons.core.values).tolist():
            served = self.is_served(op, place, core)
            mine = axons.core.values == core
            neuron, axon = (one.values[mine].astype(np.int64) for one in (axons.neuron, axons.axon))
            yield Delivery(core, neuron[served[neuron]], axon[served[neuron]])

    def group(self, op: GroupOp, place: int, update: UpdateOp, deliveries: tuple[Delivery, ...], axons: int) -> Group:
        """Returns a group of neurons with its tables."""
        return Group(
            op.node.data,
            op.source.data,
            op.index.values.astype(np.int64),
            deliveries,
            core=place,
            update=update,
            params=op.parameters(),
            initial=op.states(),
            tables=tuple(self.tables(op, axons)),
        )

    def verify_names(self, records: Records) -> None:
        """Refuses a chip whose inputs or outputs differ from the network's. Errors: CHI019."""
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
                message = f"the {what} of the chip are not those of the network"
                refuse(CHI019, message, expected=expected, found=shown, help=compile_again(self.device))

    def view(self, name: str, watched: Watched) -> tuple[str, str | None, Ints]:
        """Returns the source, state and delay of a record. Errors: CHI017."""
        none = np.zeros((), np.int64)
        if name in self.outputs:
            return self.outputs[name].source.data, None, self.outputs[name].delay.values
        value, delay = watched.value, none
        if isinstance(value.owner, DelayOp):
            delay = np.broadcast_to(value.owner.ticks.values, shape_of(value)).reshape(-1)
            value = value.owner.x
        sources = {sender.source for sender in self.grid.senders}
        node = describe_op(value.owner)[1] if isinstance(value.owner, Operation) else None
        node = node or next((one for one, argument in self.arguments.items() if argument is value), None)
        if node is None or node not in sources:
            refuse(
                CHI017,
                f'the chip does not compute "{name}"',
                at=f"record {name}",
                node=name,
                expected=f"an input, an output, or a population: {', '.join(sorted(sources))}",
                found="a node between populations, which is a part of tables",
                help="--model reference",
            )
        return node, watched.state, delay

    # ---- weights that learn

    def op_of(self, watched: Watched) -> SynapseOpInterface | None:
        """Returns the op whose weights are recorded; None for a state of a population."""
        owner = watched.value.owner
        return owner if isinstance(owner, SynapseOpInterface) else None

    def unit_of(self, node: str) -> float:
        """Returns the value of a step of the weights of an op that learns."""
        return float(weight_step(self.synapses[node]).max(initial=0.0))

    def weight_views(self, watched: Watched) -> list[WeightView]:
        """Returns the places that the tables of an op fill in the record of its weights."""
        op = self.op_of(watched)
        assert op is not None  # asked before
        return [
            WeightView(one.learning, places_of_weights(op, one.source, one.target))
            for one in self.grid.learned
            if one.node == op.node.data
        ]

    # ---- run

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`.

        Errors: SIM018, SIM019, SIM020, SIM021, SIM023; CHI021 events without a delay that form a loop.
        """
        samples, ticks = extent(self.inputs, signals, ticks)
        shapes = {name: (samples, watched.rows(ticks), *watched.shape) for name, watched in self.watched.items()}
        dtypes = {name: result_dtype(watched.type) for name, watched in self.watched.items()}
        check_memory({name: prod(shape) * dtypes[name].itemsize for name, shape in shapes.items()}, ticks, samples)
        results = {name: np.zeros(shape, dtypes[name]) for name, shape in shapes.items()}
        flat = {name: array.reshape(*array.shape[:2], prod(array.shape[2:])) for name, array in results.items()}
        senders = self.grid.senders

        def window(name: str, some: slice, t: int) -> AnyArray:
            found = convert_window(name, signals[name].window(some, slice(t, t + 1)), self.arguments[name], t)
            return found.reshape(some.stop - some.start, prod(found.shape[2:]))

        def note(some: slice, t: int, tick: Tick) -> None:
            for name, places in self.weights.items():
                row, rest = divmod(t + 1, self.watched[name].every)
                for place in () if rest else places:
                    place.store(flat[name][some], row - 1, tick.weights)
            for name, (source, state, delay) in self.views.items():
                for sender in senders:
                    if sender.source == source:
                        values = tick.outputs[sender.name] if state is None else tick.states[sender.name][state]
                        store(flat[name][some], t, sender.index, values, delay)

        self.grid.run(window, samples, ticks, note, progress, learns_on=self.learns_on)
        return results


def compile_again(device: str) -> str:
    """Returns the command that writes another chip."""
    return f"nopt compile FILE --target {device} -o DIR"


def store(found: AnyArray, t: int, index: Ints, values: AnyArray, delay: Ints) -> None:
    """Stores the values of some neurons at the tick in which they become visible. Shapes: found [samples, ticks, neurons]."""
    if not delay.ndim:
        if t + int(delay) < found.shape[1]:
            found[:, t + int(delay), index] = values
        return
    late = delay[index]
    for ticks in np.unique(late).tolist():
        mine = late == ticks
        if t + ticks < found.shape[1]:
            found[:, t + ticks, index[mine]] = values[:, mine]
