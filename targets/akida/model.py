"""Runs an `akida.model` or an `akida2.model` in integers, layer by layer: a tick is a frame, and a layer keeps nothing between frames.

Source: BrainChip akida 2.19.3, software backend.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.device import Device
from ...core.diagnostics import refuse_op
from ...dialects.akida import FullyConnectedOp
from ...dialects.akida.model_base import ModelBase
from ...dialects.chip_base.parts import NetworkBase
from ...dialects.ntensor import NetworkOp
from ...simulation.chip_model import CHI020
from ...simulation.layer_model import LayerModel
from ...simulation.records import Watched
from .layers import compile_layer


class Model(LayerModel[ModelBase, int]):
    """Runs the exit dialect. A view is the index of a layer; -1 is the input. Errors: those of `LayerModel`; CHI020 a layer that learns."""

    chip: ClassVar[type[NetworkBase]] = ModelBase
    noun, expected, device = "model", "one akida.model or akida2.model", "akida/akd1000"

    def __init__(self, module: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        super().__init__(module, network, device=device, record=record)
        self.layers = [compile_layer(layer) for layer in self.compiled.layers]
        for layer in self.compiled.layers:
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

    def view(self, name: str, watched: Watched) -> int:
        outputs = {op.node.data: op.source.data for op in self.compiled.outputs}
        sources = {layer.source.data: k for k, layer in enumerate(self.compiled.layers)}
        sources = {self.compiled.input_name: -1, **sources}
        node = outputs.get(name)
        if node is None and watched.state is None:
            node = self.node_of(watched)
        if node is None or node not in sources:
            expected = f"the input, an output, or a layer: {', '.join(sources)}"
            self.refuse_record(name, node, expected, "a node between layers, or a state")
        return sources[node]

    def start(self, samples: int) -> None:
        """Does nothing: a layer has no state."""

    def tick(self, inputs: Mapping[str, AnyArray], samples: int) -> Mapping[int, AnyArray]:
        (x,) = inputs.values()
        return dict(enumerate(self.frames(x), -1))

    def frames(self, x: AnyArray) -> list[Ints]:
        """Returns the input and the values of every layer of some frames, as `[frames, c, h, w]`."""
        first = x if x.ndim == 4 else x.reshape(len(x), prod(x.shape[1:]), 1, 1)
        maps: list[Ints] = [first.astype(np.int64)]
        for layer in self.layers:
            maps.append(layer(maps[-1]))
        return maps
