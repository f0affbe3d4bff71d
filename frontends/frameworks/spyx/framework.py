"""Spyx: layers in a `spyx.nn.Sequential`, which are modules of Flax NNX, and pools that are functions with arguments.

Its exporter omits `LI`, `ALIF` and pools, so that the modules themselves are read, without an exporter.

Source: Spyx 1.0.0, spyx/nn.py; Flax 0.12, flax/nnx/nn and flax/linen/pooling.py.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from ..framework import WRITE_GRAPH, CalledLayer, Framework, class_of

CONTAINER = "spyx.nn.Sequential"
POOL_FUNCTIONS = ("avg_pool", "max_pool")
"""Functions of Flax that pool, as `functools.partial` with their arguments."""
REMOVED = ("Dropout", "ActivityRegularization")
"""Layers that are identities outside of training."""
RECURRENT = {"RIF": "IF", "RLIF": "LIF", "RCuBaLIF": "CuBaLIF"}
"""Neurons with recurrent weights, and the neurons without them."""


class Spyx(Framework):
    name, title = "spyx", "Spyx"
    exporter = "spyx.nn"
    neurons = ("IF", "LIF", "CuBaLIF", "ALIF", "LI", "RIF", "RLIF", "RCuBaLIF", "PSU_LIF", "AssociativeLIF")

    @property
    def layers(self) -> tuple[str, ...]:
        return ("Linear", "Conv", "BatchNorm", "Flatten", "SumPool", *POOL_FUNCTIONS, *REMOVED)

    def kind(self, module: Any) -> str:
        """Returns the class of a layer, or the name of a function."""
        if isinstance(module, partial):
            return self.kind(cast("Any", module).func)
        kind = class_of(module, self.name) or class_of(module, "flax")
        if kind is None:  # a function
            return str(getattr(module, "__name__", type(module).__name__))
        return type(module).__name__ if kind in ("Module", "Pytree") else kind

    def is_supported(self, module: Any) -> bool:
        if self.kind(module) in POOL_FUNCTIONS:
            return isinstance(module, partial) and str(cast("Any", module).func.__module__).startswith("flax.")
        return super().is_supported(module)

    def advice(self, kind: str) -> str:
        if kind in POOL_FUNCTIONS:
            return f"write functools.partial(nnx.{kind}, window_shape=(2, 2), strides=(2, 2))"
        if kind == "<lambda>":
            pool = "functools.partial(nnx.avg_pool, window_shape=(2, 2), strides=(2, 2))"
            return f"write a pool as {pool}, replace another function by one of these layers"
        return f"replace {kind} by one of these layers, or {WRITE_GRAPH}"

    def inner_node(self, layer: CalledLayer) -> str:
        kind = self.neuron_class(layer.module)
        return ".lif" if kind in RECURRENT else ".threshold" if is_parallel(kind) else ""


def is_parallel(kind: str | None) -> bool:
    """Returns whether a neuron never resets: it is a leaky integrator and a threshold."""
    return kind in ("PSU_LIF", "AssociativeLIF")
