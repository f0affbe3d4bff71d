"""Runs an `akida.model` or an `akida2.model` in integers, layer by layer: a tick is a frame, and a layer keeps nothing between frames.

Source: BrainChip akida 2.19.3, software backend.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.diagnostics import describe_op, refuse, refuse_op
from ...core.ir.operation import only_op, shape_of
from ...dialects.akida import FullyConnectedOp, LayerOp
from ...dialects.akida.layer_bases import LayerBase
from ...dialects.akida.model_base import ModelBase
from ...dialects.akida2 import Layer2Op
from ...dialects.ntensor import NetworkOp
from ...simulation.chip_model import CHI017, CHI018, CHI019, CHI020
from ...simulation.elements import result_dtype
from ...simulation.memory_budget import check_memory
from ...simulation.records import Records, Watched
from ...simulation.runs import convert_window, extent
from ...simulation.signals import Signal
from .layers import Layer, compile_layer
from .layers2 import compile_layer2

DEFAULT_DEVICE = "akida/akd1000"
COMPILE = f"nopt compile FILE --target {DEFAULT_DEVICE} -o DIR"


class Model:
    """Runs the exit dialect; `network` defines the names, shapes and types that are visible to the user.

    Errors: SIM017 an unknown record; CHI017 a record of a node that no layer computes; CHI018 a module without a model; CHI019 a model of
    another network; CHI020 a layer that learns.
    """

    @staticmethod
    def chip_of(module: ModuleOp) -> ModelBase:
        """Returns the one model of a module. Errors: CHI018."""
        return only_op(
            module,
            ModelBase,
            CHI018,
            "models",
            CHI018.summary,
            expected="one akida.model or akida2.model",
            help=COMPILE,
        )

    def __init__(self, module: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        del device  # the layers hold all numbers
        self.model, records = self.chip_of(module), Records(network)
        self.arguments = records.arguments
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.watched = records.watched(record)
        self.layers = [compiled(layer) for layer in self.model.layers]
        self.verify_names(records)
        self.views = {name: self.view(name, one) for name, one in self.watched.items()}
        """The index of the layer of each result; -1 is the input."""
        for layer in self.model.layers:
            if isinstance(layer, FullyConnectedOp) and layer.learning is not None:
                refuse_op(
                    layer,
                    CHI020,
                    node=layer.source.data,
                    expected="weights that stay as they are",
                    found="parameters of learning, whose rule is not published",
                    help="--model reference",
                    notes=("a compilation with --set preferences.num_weights=0 has a layer with fixed weights",),
                )

    def verify_names(self, records: Records) -> None:
        """Refuses a model whose input or outputs are not those of the network. Errors: CHI019."""
        for what, found, known in (
            ("inputs", {self.model.input_name}, set(self.inputs)),
            ("outputs", {op.node.data for op in self.model.outputs}, set(records.outputs)),
        ):
            if found != known:
                expected, shown = (", ".join(sorted(one)) or "none" for one in (known, found))
                message = f"the {what} of the model differ from the network"
                refuse(CHI019, message, expected=expected, found=shown, help=COMPILE)

    def view(self, name: str, watched: Watched) -> int:
        """Returns the layer of a result. Errors: CHI017."""
        outputs = {op.node.data: op.source.data for op in self.model.outputs}
        sources = {layer.source.data: k for k, layer in enumerate(self.model.layers)}
        sources = {self.model.input_name: -1, **sources}
        node = outputs.get(name)
        if node is None and watched.state is None:
            owner = watched.value.owner
            node = describe_op(owner)[1] if isinstance(owner, Operation) else self.model.input_name
        if node is None or node not in sources:
            refuse(
                CHI017,
                f'the model does not compute "{name}"',
                at=f"record {name}",
                node=name,
                expected=f"the input, an output, or a layer: {', '.join(sources)}",
                found="a node between layers, or a state",
                help="--model reference",
            )
        return sources[node]

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
        shapes = {name: (samples, ticks, *watched.shape) for name, watched in self.watched.items()}
        dtypes = {name: result_dtype(watched.type) for name, watched in self.watched.items()}
        check_memory({name: prod(shape) * dtypes[name].itemsize for name, shape in shapes.items()}, ticks, samples)
        results = {name: np.zeros(shape, dtypes[name]) for name, shape in shapes.items()}
        (name,) = self.inputs
        for t in range(ticks):
            window = signals[name].window(slice(0, samples), slice(t, t + 1))
            given = convert_window(name, window, self.arguments[name], t).reshape(samples, *self.inputs[name])
            values = self.frames(given)
            for result, layer in self.views.items():
                results[result][:, t] = values[layer + 1].reshape(samples, *self.watched[result].shape)
            if progress is not None:
                progress((t + 1) * samples, ticks * samples)
        return results

    def frames(self, x: AnyArray) -> list[Ints]:
        """Returns the input and the values of every layer of some frames, as `[frames, c, h, w]`."""
        first = x if x.ndim == 4 else x.reshape(len(x), prod(x.shape[1:]), 1, 1)
        found: list[Ints] = [first.astype(np.int64)]
        for layer in self.layers:
            found.append(layer(found[-1]))
        return found


def compiled(op: LayerBase) -> Layer:
    """Returns a layer that is ready to run."""
    if isinstance(op, Layer2Op):
        return compile_layer2(op)
    assert isinstance(op, LayerOp)  # the layers of both models
    return compile_layer(op)
