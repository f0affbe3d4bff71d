"""Base class of the frameworks: layers, exporter, and execution of a network.

A network is a `torch.nn.Module`. nopt changes a copy of it alone.

| term | meaning |
| --- | --- |
| neurons | layers of the framework with a state, spiking or leaky |
| called layers | neurons, and modules without children that the network calls |
| layout | how the network takes an input: one tick for each call, or all ticks at once |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from importlib import import_module
from typing import Any, ClassVar, cast

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...core.diagnostics import Code, Diagnostics, Finding, first_of, refuse
from .foreign import Foreign
from .torch_layers import LAYERS, LayerShape, node_of_layer, unsupported_setting

WRITE_GRAPH = "write the graph with the nir package, and compile its .nir file"
"""Remedy for a network part that the framework has no module for."""

IMP008 = Code("IMP008", "exporter-lacks-layer", "the exporter of a framework does not support a layer")
IMP009 = Code("IMP009", "layer-setting-not-importable", "a setting of a layer cannot be imported")
IMP010 = Code("IMP010", "layer-settings-differ", "layers have different settings that a network has once")
IMP011 = Code("IMP011", "exporter-fails", "the exporter of a framework fails")
IMP012 = Code("IMP012", "dropped-value-recovered", "a value that an exporter drops is taken from the network")

IDENTITIES = ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "Identity")
"""Layers of PyTorch and of SpikingJelly that are identities outside of training."""
NAMES_SHOWN = 6


@frozen
class Settings:
    """Conversion choices that the network's layers determine, as options of `nopt run`."""

    reset: str | None = None
    options: str | None = None
    options_at: str | None = None


@frozen
class CalledLayer:
    """One called layer of a network."""

    name: str
    module: Any
    shape: LayerShape
    """Shape of its output without samples and ticks."""
    calls: int = 1
    """Number of calls in a tick."""
    is_looped: bool = False
    """Whether the network calls it for one tick at a time, although the framework's layers take all ticks."""


def class_of(module: Any, package: str) -> str | None:
    """Returns the name of a module's first base class that a package defines; the class itself comes first."""
    for base in cast(Any, type(module)).__mro__:
        if base.__module__.partition(".")[0] == package:
            return base.__name__
    return None


def torch_class(module: Any) -> str | None:
    """Returns the name of a module's PyTorch class."""
    found = class_of(module, "torch")
    return None if found == "Module" else found


def numbers(value: Any) -> NDArray[np.float64]:
    """Returns a parameter as an array of numbers."""
    detached = value.detach().cpu().numpy() if hasattr(value, "detach") else value
    return np.asarray(detached, np.float64)


class Framework:
    """A framework with its exporter. Instances have no state."""

    name: ClassVar[str]
    """Name of the package and of the preset."""
    title: ClassVar[str]
    exporter: ClassVar[str]
    """The module of the exporter."""
    neurons: ClassVar[Sequence[str]]
    """Classes of neurons that the exporter supports."""
    own_layers: ClassVar[Sequence[str]] = ()
    """Further classes of the framework that have nodes."""
    functions: ClassVar[Sequence[str]] = ()
    """Classes without parameters and states, whose forward is traced."""
    exported_by: ClassVar[str | None] = None
    """Name of the repair of the exporter, if it needs one."""
    keeps_one_sample: ClassVar[bool] = False
    """Whether layers that are called for one tick at a time keep the states of the first sample for all samples."""

    # ---- layers

    @property
    def layers(self) -> tuple[str, ...]:
        """Returns the classes that have nodes, without neurons."""
        return (*LAYERS, *self.own_layers)

    def neuron_class(self, module: Any) -> str | None:
        """Returns the class of a neuron of the framework; None for any other module."""
        found = class_of(module, self.name)
        return found if found in self.neurons else None

    def is_opaque(self, module: Any) -> bool:
        """Returns whether the submodules of a module are not separate layers: it is a neuron, or a class of the framework that contains no layer."""
        if self.neuron_class(module) is not None:
            return True
        is_own = type(module).__module__.partition(".")[0] == self.name
        return is_own and not any(
            self.is_supported(child) for _, child in module.named_modules() if child is not module
        )

    def is_function(self, module: Any) -> bool:
        """Returns whether the functions in a module's forward are traced: it is a class of the user, one of `functions`, or one of PyTorch without a node and without parameters."""
        if (kind := torch_class(module)) is not None:
            is_known = kind in (*LAYERS, *IDENTITIES)
            return (
                not is_known and not any(True for _ in module.parameters()) and not any(True for _ in module.buffers())
            )
        return self.kind(module) in self.functions or class_of(module, self.name) is None

    def keeps_state(self, module: Any) -> bool:
        """Returns whether a neuron keeps its state from call to call; otherwise the state is an argument."""
        return True

    def has_state(self, module: Any) -> bool:
        """Returns whether a layer may be stateful: its class belongs to the framework, but not to `layers` and not to PyTorch."""
        if torch_class(module) is not None:
            return False
        return class_of(module, self.name) is not None and self.kind(module) not in (
            *self.layers,
            *self.functions,
            *IDENTITIES,
        )

    def walk(self, module: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
        """Yields neurons and modules without children, by their names, but no modules of the user without children."""
        children: list[tuple[str, Any]] = [] if self.is_opaque(module) else list(module.named_children())
        if not children and not self.is_function(module):
            yield prefix, module
        for name, child in children:
            yield from self.walk(child, f"{prefix}.{name}" if prefix else name)

    def kind(self, module: Any) -> str:
        """Returns the name of the class of a layer, for messages."""
        return class_of(module, self.name) or torch_class(module) or type(module).__name__

    def is_supported(self, module: Any) -> bool:
        return self.neuron_class(module) is not None or self.kind(module) in self.layers

    def require_support(self, layers: Sequence[CalledLayer]) -> None:
        """Refuses layers that cannot be exported, and settings that no node has. Errors: IMP008, IMP009."""
        Diagnostics(
            Finding(
                IMP008,
                f"{self.kind(layer.module)} cannot be exported from {self.title}",
                at=f'"{layer.name}"',
                node=layer.name,
                expected=f"one of {', '.join([*self.neurons, *self.layers])}",
                found=self.kind(layer.module),
                help=self.advice(self.kind(layer.module)),
            )
            for layer in layers
            if not self.is_supported(layer.module)
        ).raise_errors()
        for layer in layers:
            if (setting := unsupported_setting(layer.module, torch_class(layer.module))) is not None:
                self.refuse_setting(layer, *setting)

    def advice(self, kind: str) -> str:
        """Returns a help text that proposes a replacement for a layer that cannot be exported."""
        if kind.endswith("3d"):
            return f"use {kind[:-2]}2d of maps in place of {kind}"
        return f"replace {kind} by one of these layers, or {WRITE_GRAPH}"

    # ---- what the network determines

    def find_dt(self, layers: Sequence[CalledLayer]) -> float | None:
        """Returns the time step of the layers in seconds; None if the framework has none. Errors: IMP010."""
        return None

    def settings(self, layers: Sequence[CalledLayer]) -> Settings:
        """Returns the choices that the layers determine. Errors: IMP009, IMP010."""
        return Settings()

    def prepare(self, layers: Sequence[CalledLayer]) -> None:
        """Changes a copy of the network so that the exporter can read it."""

    def complete(self, nodes: Mapping[str, Any], layers: Sequence[CalledLayer]) -> dict[str, str]:
        """Adds values that the exporter drops to the nodes. Returns a description of the added values for each layer."""
        return {}

    # ---- export

    def convert(self, layer: CalledLayer, given: LayerShape, shape: LayerShape, dt: float) -> Any:
        """Returns the node of a layer, by the shapes of its input and output.

        Errors: IMP007 a package of the exporter is missing; IMP011 the exporter fails.
        """
        at = f'"{layer.name}"'
        expected = f"a layer that the exporter of {self.title} supports"
        with Foreign(IMP011, f"the exporter of {self.title} fails", at, expected, self.remedy()):
            kind = torch_class(layer.module)
            node = node_of_layer(layer.module, kind, given, shape) if kind in LAYERS else None
            node = self.node_of_neuron(layer, shape, dt) if node is None else node
        if node is None:
            refuse(
                IMP011,
                f"{self.kind(layer.module)} has no node for its input",
                at=at,
                node=layer.name,
                expected=expected,
                found=f"{self.kind(layer.module)} from {list(given)} to {list(shape)}",
                help=self.advice(self.kind(layer.module)),
            )
        return node

    def node_of_neuron(self, layer: CalledLayer, shape: LayerShape, dt: float) -> Any:
        """Returns the node of a layer of the framework, from its exporter or from the layer itself."""
        raise NotImplementedError

    def remedy(self) -> str:
        return f"pip install --upgrade {self.name} nirtorch, or replace the layer that the exporter refuses"

    def node_name(self, layer: CalledLayer) -> str:
        """Returns the name of a layer's node."""
        return layer.name

    def inner_node(self, layer: CalledLayer) -> str:
        """Returns the suffix of the population in the node of a layer, which may be a nested graph."""
        return ""

    def node_of(self, layer: CalledLayer) -> str:
        """Returns the population of a layer in the graph."""
        return self.node_name(layer) + self.inner_node(layer)

    def compared_node(self, layer: CalledLayer) -> str:
        """Returns the node whose output is that of the layer in the framework."""
        return self.node_of(layer)

    # ---- run

    def find_layout(self, layers: Sequence[tuple[str, Any]]) -> str | None:
        """Returns the layout of the network, if the framework determines it."""
        return None

    def copy(self, network: Any) -> Any:
        return deepcopy(network)

    def reset(self, network: Any, samples: int) -> None:
        """Resets every state of a network, for a number of samples."""

    # ---- messages

    def refuse_setting(
        self, layer: CalledLayer, name: str, expected: str, found: object, help: str | None = None
    ) -> None:
        """Refuses a setting that neither the file nor an option can express. Errors: IMP009."""
        refuse(
            IMP009,
            f"{name} of {self.kind(layer.module)} cannot be imported",
            at=f'"{layer.name}"',
            node=layer.name,
            expected=f"{name} = {expected}",
            found=str(found),
            help=help or f"set {name} to {expected} in {layer.name}, and train again",
        )

    def choose(self, name: str, layers: Sequence[CalledLayer], value_of: Callable[[CalledLayer], str]) -> Choice:
        """Returns the values of an option of nopt that the layers determine, by node."""
        return Choice(name, {self.node_of(layer): value_of(layer) for layer in layers})

    def common(self, name: str, layers: Sequence[CalledLayer], value_of: Callable[[CalledLayer], Any]) -> Any:
        """Returns the setting that all layers share; None without layers. Errors: IMP010."""
        found: dict[Any, list[str]] = {}
        for layer in layers:
            found.setdefault(value_of(layer), []).append(layer.name)
        if len(found) > 1:
            refuse(
                IMP010,
                f"layers have different values of {name}",
                at=first_of([f'"{layer.name}"' for layer in layers], NAMES_SHOWN),
                expected=f"one {name} for all layers, which is one option of the network",
                found="; ".join(f"{value}: {first_of(names, NAMES_SHOWN)}" for value, names in found.items()),
                help=f"use the same {name} in all layers, and train again",
            )
        return next(iter(found), None)


@frozen
class Choice:
    """A layer setting that is an option of nopt: the option has the value of the first layer, and an exception for each layer that differs."""

    name: str
    values: Mapping[str, str]
    """By node."""

    @property
    def value(self) -> str | None:
        return next(iter(self.values.values()), None)

    def exceptions(self) -> list[str]:
        return [f"{node}.{self.name}={value}" for node, value in self.values.items() if value != self.value]


def settings_of(*choices: Choice) -> Settings:
    """Returns settings as options of nopt; `reset` is a separate option."""
    values = {choice.name: choice.value for choice in choices if choice.value is not None}
    reset = values.pop("reset", None)
    exceptions = [text for choice in choices for text in choice.exceptions()]
    options = ",".join(f"{name}={value}" for name, value in values.items())
    return Settings(reset, options or None, ",".join(exceptions) or None)


def fill(parameter: Any, shape: LayerShape) -> Any:
    """Returns a parameter with one entry for each neuron, or for each channel and position."""
    torch: Any = import_module("torch")
    values = numbers(parameter).astype(np.float32)
    if values.size > 1 and values.ndim < len(shape):
        values = values.reshape(values.shape + (1,) * (len(shape) - values.ndim))
    filled = torch.from_numpy(np.broadcast_to(values, shape).copy())
    return torch.nn.Parameter(filled, requires_grad=False)


def set_tensor(module: Any, name: str, shape: LayerShape) -> None:
    """Replaces a parameter of a copied layer by one with an entry for each neuron."""
    value = fill(getattr(module, name), shape)
    for table in (module._parameters, module._buffers):
        table.pop(name, None)
    module.__dict__.pop(name, None)
    setattr(module, name, value)
