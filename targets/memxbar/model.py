"""Runs a `memxbar.network`: arrays, and the digital periphery in integers, one tick after the other.

Without imperfections the arrays compute exact products, also without converters. With them, a manufactured chip is simulated
(`physical.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.diagnostics import describe_op, refuse, refuse_op
from ...core.ir.operation import only_op, shape_of
from ...dialects.memxbar import LayerBase, NetworkOp, user_name
from ...dialects.ntensor import NetworkOp as TickNetworkOp
from ...simulation.chip_model import CHI018, CHI019, CHI020
from ...simulation.imperfections import Imperfections
from ...simulation.memory_budget import allocate_results
from ...simulation.records import Records, Watched
from ...simulation.runs import convert_window, extent
from ...simulation.signals import Signal
from .arrays import IdealArrays
from .physical import PhysicalArrays
from .running import Products, Program, RunningChip

COMPILE = "nopt compile FILE --target memxbar -o DIR"


class Model:
    """Runs the exit dialect; `network` defines the names, shapes and types that are visible to the user.

    Errors: SIM017 an unknown record; CHI018 a module without a network on arrays; CHI019 one of another network; CHI020 a layer that learns.
    """

    is_imperfect: ClassVar[bool] = True
    ages: ClassVar[bool] = True

    @staticmethod
    def chip_of(module: ModuleOp) -> NetworkOp:
        """Returns the one network of a module. Errors: CHI018."""
        return only_op(
            module, NetworkOp, CHI018, "networks", CHI018.summary, expected="one memxbar.network", help=COMPILE
        )

    def __init__(
        self,
        module: ModuleOp,
        network: TickNetworkOp,
        *,
        device: Device,
        record: Sequence[str] = (),
        imperfections: Imperfections | None = None,
    ):
        self.chip, records = self.chip_of(module), Records(network)
        self.arguments = records.arguments
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.watched = records.watched(record, has_intervals=False)
        self.verify_names(records)
        self.places = {name: self.place(name, one) for name, one in self.watched.items()}
        """The value of the chip of each result, and its state."""
        for layer in self.chip.layers:
            if layer.plasticity is not None:
                refuse_op(
                    layer,
                    CHI020,
                    node=layer.node.data,
                    expected="weights that stay as they are",
                    found=layer.plasticity.name,
                    help="compile the network with --passes ntensor-freeze-plasticity",
                )
        products: dict[LayerBase, Products] = {
            layer: IdealArrays(layer) if imperfections is None else PhysicalArrays(layer, device, imperfections)
            for layer in self.chip.layers
        }
        self.program = Program.of(self.chip, module, products)

    def verify_names(self, records: Records) -> None:
        """Refuses a chip if its inputs or outputs differ from the network's. Errors: CHI019."""
        for what, found, known in (
            ("inputs", self.chip.input_names, records.arguments),
            ("outputs", self.chip.output_names, records.outputs),
        ):
            names = [one.data for one in found]
            if names != [*known]:
                expected, shown = (", ".join(one) or "none" for one in (known, names))
                message = f"the {what} of the chip differ from the network"
                refuse(CHI019, message, expected=expected, found=shown, help=COMPILE)

    def place(self, name: str, watched: Watched) -> tuple[SSAValue, str | None]:
        """Returns the value of the chip that has the values of a result. Errors: CHI019."""
        outputs = dict(zip((one.data for one in self.chip.output_names), self.chip.outputs.values, strict=True))
        if name in outputs and watched.state is None:
            return outputs[name], None
        owner = watched.value.owner
        node = describe_op(owner)[1] if isinstance(owner, Operation) else None
        inputs = dict(zip((one.data for one in self.chip.input_names), self.chip.body.block.args, strict=True))
        if node is None:
            return inputs[name], None
        found = next((op for op in self.chip.body.block.ops if user_name(op) == node), None)
        if found is None:
            message, expected = f'the chip has no "{node}"', "the nodes of the network"
            refuse(CHI019, message, node=node, expected=expected, found="another network", help=COMPILE)
        return found.results[0], watched.state

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, AnyArray]:
        """Returns every output and record by name, `[samples, ticks, *shape]`.

        Errors: SIM018, SIM019, SIM020, SIM021, SIM023.
        """
        samples, ticks = extent(self.inputs, signals, ticks)
        results = allocate_results(self.watched, samples, ticks)
        for some in self.program.blocks(samples):
            running = RunningChip(self.program, some.stop - some.start)
            for t in range(ticks):
                given = {
                    name: convert_window(name, signal.window(some, slice(t, t + 1)), self.arguments[name], t)
                    for name, signal in signals.items()
                }
                running.tick([given[one.data] for one in self.chip.input_names])
                for name, (value, state) in self.places.items():
                    found = running.values[value] if state is None else running.neurons[value.owner].records[state]
                    results[name][some, t] = found.reshape(some.stop - some.start, *self.watched[name].shape)
            if progress is not None:
                progress(some.stop * ticks, samples * ticks)
        return results
