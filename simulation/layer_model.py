"""Model of a chip that computes a network layer by layer: the names of its inputs and results, and the loop over ticks.

A target derives its model from `LayerModel`. The model imports no reference, so that it can differ from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import ClassVar, Generic, NoReturn, TypeVar, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..core.arrays.numeric import AnyArray
from ..core.device.device import Device
from ..core.diagnostics import describe_op, refuse
from ..core.ir.operation import only_op, shape_of
from ..dialects.chip_base.parts import NetworkBase
from ..dialects.ntensor import NetworkOp
from .chip_model import CHI017, CHI018, CHI019, compile_again
from .memory_budget import allocate_results
from .records import Records, Watched
from .runs import convert_window, extent
from .signals import Signal

Chip = TypeVar("Chip", bound=NetworkBase)
View = TypeVar("View")


class LayerModel(ABC, Generic[Chip, View]):
    """Runs the exit dialect; `network` defines the names, shapes and types that are visible to the user.

    Errors: SIM017 an unknown record; CHI017 a record of a node that no layer computes; CHI018 a module without a compiled network; CHI019 one of
    another network.
    """

    chip: ClassVar[type[NetworkBase]]
    """The op of the compiled network."""
    noun: ClassVar[str]
    """The vendor's word for it."""
    expected: ClassVar[str]
    """The text for the op in a refusal."""
    device: ClassVar[str]
    """A device of the target, for help lines."""

    def __init__(self, module: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        del device  # the layers hold all numbers
        self.compiled, records = self.chip_of(module), Records(network)
        self.arguments = records.arguments
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.watched = records.watched(record, has_intervals=False)
        interface = self.compiled.interface()
        for what, types, values in (
            ("inputs", interface.inputs, records.arguments),
            ("outputs", interface.outputs, records.outputs),
        ):
            sizes, wanted = ({name: prod(shape_of(each)) for name, each in some.items()} for some in (types, values))
            if sizes != wanted:
                expected, found = (
                    ", ".join(f"{name} of {n}" for name, n in sorted(each.items())) or "none"
                    for each in (wanted, sizes)
                )
                message = f"the {what} of the {self.noun} differ from the network"
                refuse(CHI019, message, expected=expected, found=found, help=compile_again(self.device))
        self.views = {name: self.view(name, watched) for name, watched in self.watched.items()}

    @classmethod
    def chip_of(cls, module: ModuleOp) -> Chip:
        """Returns the one compiled network of a module. Errors: CHI018."""
        help = compile_again(cls.device)
        found = only_op(module, cls.chip, CHI018, f"{cls.noun}s", CHI018.summary, expected=cls.expected, help=help)
        return cast("Chip", found)

    # ---- what a target defines

    @abstractmethod
    def view(self, name: str, watched: Watched) -> View:
        """Returns the place of a result. Errors: CHI017."""
        ...

    @abstractmethod
    def start(self, samples: int) -> None:
        """Sets the states before the first tick."""
        ...

    @abstractmethod
    def tick(self, inputs: Mapping[str, AnyArray], samples: int) -> Mapping[View, AnyArray]:
        """Computes one tick, and returns the values of all views. Shapes: inputs, by name: [samples, *shape]."""
        ...

    # ---- run

    def node_of(self, watched: Watched) -> str | None:
        """Returns the name of the recorded node or input."""
        owner = watched.value.owner
        if isinstance(owner, Operation):
            return describe_op(owner)[1]
        return next((name for name, value in self.arguments.items() if value is watched.value), None)

    def refuse_record(self, name: str, node: str | None, expected: str, found: str) -> NoReturn:
        message, help = f'the {self.noun} does not compute "{name}"', "--model reference"
        refuse(CHI017, message, at=f"record {name}", node=node, expected=expected, found=found, help=help)

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
        self.start(samples)
        for t in range(ticks):
            inputs = {
                name: convert_window(
                    name, signals[name].window(slice(0, samples), slice(t, t + 1)), argument, t
                ).reshape(samples, *self.inputs[name])
                for name, argument in self.arguments.items()
            }
            values = self.tick(inputs, samples)
            for name, view in self.views.items():
                results[name][:, t] = values[view].reshape(samples, *self.watched[name].shape)
            if progress is not None:
                progress((t + 1) * samples, ticks * samples)
        return results
