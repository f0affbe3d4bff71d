"""Trace of one tick of a network: the calls of its layers and the functions between them, as a graph of NIR.

Every tensor that depends on the input is known by the signal that it holds. A call of a layer adds a node. A function of PyTorch is one of these:

| function | signal |
| --- | --- |
| sums and differences of signals of one shape | a sum |
| `torch.cat` along channels | a concatenation |
| a change of axes of size 1, a copy, dropout | the same signal |
| one that joins axes | a node `Flatten` |
| elementwise `a x + b` with constants | a node `Scale`, or a convolution or linear layer with the bias b |
| `linear`, `conv1d`, `conv2d`, `max_pool2d`, `avg_pool2d` | the node of the layer |
| any other | none; a layer that reads it is refused |

Functions of one signal are recognised by their results for a few arrays, so their names do not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from math import prod
from typing import Any, cast

import numpy as np
from attrs import define, field

from ...core.diagnostics import Code, refuse
from .framework import CalledLayer, Framework, LayerShape
from .graph_builder import GraphBuilder, SignalPart, TensorSignal, signal_of
from .torch_layers import convolution, flatten, linear, node_of_layer, scaling, tensor_array

IMP020 = Code("IMP020", "layer-input-unknown", "the input of a layer cannot be traced to the input of the network")
IMP041 = Code("IMP041", "function-not-importable", "a function between layers cannot be imported")

SUM_FUNCTIONS = (
    "add",
    "add_",
    "__add__",
    "__radd__",
    "__iadd__",
    "sub",
    "sub_",
    "__sub__",
    "__rsub__",
    "__isub__",
    "subtract",
)
CONCATENATIONS = ("cat", "concat", "concatenate", "hstack")
SEQUENCES: tuple[type[Any], ...] = (list, tuple)
MODULES = {"relu": "a layer of neurons", "matmul": "torch.nn.Linear", "__matmul__": "torch.nn.Linear"}
"""Replacements of functions."""


@define
class TickTrace:
    """The graph of one tick, while the network is called."""

    framework: Framework
    layers: Mapping[str, CalledLayer]
    dt: float
    graph: GraphBuilder
    signals: dict[int, TensorSignal | str] = field(factory=dict[int, "TensorSignal | str"])
    """Signal of each tensor by its identity, or the function that has none."""
    kept: list[Any] = field(factory=list[Any])
    """The tensors, so that no other object gets their identity."""
    nodes: dict[str, list[str]] = field(factory=dict[str, list[str]])
    """Nodes of each layer, one for each call in a tick."""
    inside: int = 0
    """Number of layers that are running."""

    # ---- tensors

    def know(self, tensor: Any, signal: TensorSignal | str) -> None:
        self.signals[id(tensor)] = signal
        self.kept.append(tensor)

    def signal(self, tensor: Any) -> TensorSignal | str | None:
        return self.signals.get(id(tensor))

    # ---- layers

    def call_layer(self, name: str, arguments: Sequence[Any], output: Any) -> None:
        """Adds the node of a layer that was called."""
        layer, outputs = self.layers.get(name), list(tensors_in(output))
        if layer is None:  # an identity
            if (same := self.signal(arguments[0])) is not None:
                self.know(outputs[0], same)
            return
        made = self.nodes.setdefault(name, [])
        if len(made) >= layer.calls:  # a later tick
            return
        given, first = self.input_of(name, arguments), outputs[0]
        for one in outputs[1:]:
            self.know(one, f"state of {name}")
        shape = tuple(first.shape[len(first.shape) - len(layer.shape) :])
        node = self.framework.convert(layer, given.shape, shape, self.dt)
        found = self.graph.apply(self.framework.node_name(layer), node, given, shape)
        made.append(found.sources[0])
        self.know(first, found)

    def input_of(self, name: str, arguments: Sequence[Any]) -> TensorSignal:
        """Returns the signal that a layer reads. Errors: IMP020, IMP041."""
        found = self.signal(arguments[0]) if arguments else None
        if isinstance(found, TensorSignal):
            return found
        if found is not None:
            self.refuse_function(found, name)
        refuse(
            IMP020,
            at=f'"{name}"',
            node=name,
            expected="a tensor that layers or supported functions compute from the input of the network",
            found="another tensor",
            help="pass the output of a layer, without numpy and without .detach().numpy()",
        )

    def refuse_function(self, function: str, name: str) -> None:
        help = f"use {MODULES[function]} in its place" if function in MODULES else None
        refuse(
            IMP041,
            f"the function {function} before a layer cannot be imported",
            at=f'"{name}"',
            node=name,
            expected="sums, concatenations along channels, flattening, and factors that are constant",
            found=function,
            help=help
            or "use a layer with weights, a pool or neurons in its place, or write the graph as JSON: nopt net.json",
        )

    # ---- functions

    def call_function(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any], result: Any) -> None:
        """Stores the signals of the results of a function."""
        given = [one for one in tensors_in((arguments, named)) if self.signal(one) is not None]
        results = list(tensors_in(result))
        if not given or not results:
            return
        name = str(getattr(function, "__name__", function))
        unknown = next((found for one in given if isinstance(found := self.signal(one), str)), None)
        if unknown is not None or len(results) > 1:
            for one in results:
                self.know(one, unknown or name)
            return
        signals = [cast(TensorSignal, self.signal(one)) for one in given]
        found: TensorSignal | None = None
        if len({id(one) for one in given}) == 1 and len(given) == 1:
            found = self.layer_function(name, arguments, named, signals[0], results[0])
            found = found or self.elementwise(function, arguments, named, given[0], signals[0], results[0])
        elif name in CONCATENATIONS:
            found = self.concatenation(signals, results[0])
        elif name in SUM_FUNCTIONS:
            found = self.sum(name, arguments, named, signals, results[0])
        self.know(results[0], found or name)

    def sum(
        self,
        name: str,
        arguments: Sequence[Any],
        named: Mapping[str, Any],
        signals: Sequence[TensorSignal],
        result: Any,
    ) -> TensorSignal | None:
        """Returns a sum or difference of two signals; None for shapes that differ, or a factor."""
        if len(signals) != 2 or len(arguments) != 2 or named.get("alpha", 1) != 1:
            return None
        if signals[0].shape != signals[1].shape or prod(result.shape) != prod(signals[0].shape):
            return None
        if "sub" not in name:
            return self.graph.sum(signals)
        first, second = reversed(signals) if name == "__rsub__" else signals
        part, shape = self.graph.join(second), second.shape
        negative = scaling(np.full(shape, -1.0), np.zeros(shape), shape)
        return self.graph.sum([first, self.graph.add("scale", negative, part, shape)])

    def concatenation(self, signals: Sequence[TensorSignal], result: Any) -> TensorSignal | None:
        """Returns a concatenation along the first axis of a sample; None along another one."""
        found = TensorSignal(tuple(part for signal in signals for part in signal.parts))
        rests = {part.shape[1:] for part in found.parts}
        return found if len(rests) == 1 and stripped(result.shape) == stripped(found.shape) else None

    def layer_function(
        self, name: str, arguments: Sequence[Any], named: Mapping[str, Any], signal: TensorSignal, result: Any
    ) -> TensorSignal | None:
        """Returns the output of a function that has the settings of a layer as arguments; None for other functions."""
        rest = tuple(result.shape[len(result.shape) - len(signal.shape) :])
        if (node := node_of_function(name, arguments[1:], named, signal.shape, rest)) is None:
            return None
        return self.graph.apply(name, node, signal, rest)

    def elementwise(
        self,
        function: Any,
        arguments: Sequence[Any],
        named: Mapping[str, Any],
        tensor: Any,
        signal: TensorSignal,
        result: Any,
    ) -> TensorSignal | None:
        """Returns the output of a function that keeps or scales each element and may join axes; None for other functions."""
        torch: Any = import_module("torch")
        count = prod(tensor.shape)
        if prod(result.shape) != count or count != prod(signal.shape):
            return None

        def compute(values: Any) -> Any:
            values = torch.from_numpy(np.asarray(values, np.float32).reshape(tuple(tensor.shape)))
            replace = substitution(tensor, values)
            output = function(*(replace(one) for one in arguments), **{key: replace(one) for key, one in named.items()})
            return tensor_array(next(iter(tensors_in(output)))).reshape(-1).astype(np.float64)

        probe = np.arange(count) - count / 2 + 0.25  # negative, positive, no integer
        offset, gain = compute(np.zeros(count)), compute(np.ones(count))
        gain = gain - offset
        if not np.allclose(compute(probe), gain * probe + offset, rtol=1e-5, atol=1e-5 * (1 + np.abs(offset).max())):
            return None
        shape = stripped(result.shape)
        if shape == stripped(signal.shape):
            shape = signal.shape
        elif shape != stripped((prod(signal.shape),)):
            return None
        if (gain != 1).any() or offset.any():
            node = scaling(gain.reshape(signal.shape), offset.reshape(signal.shape), signal.shape)
            if node is None:
                return None
            signal = self.graph.add("scale", node, self.graph.join(signal), signal.shape)
        return signal if shape == signal.shape else self.flattened(signal)

    def flattened(self, signal: TensorSignal) -> TensorSignal:
        """Returns a signal with one axis. The parts of a concatenation are flattened one by one."""
        parts = list[SignalPart]()
        for part in signal.parts:
            size = (prod(part.shape),)
            parts += self.graph.add("flatten", flatten(part.shape, size), part, size).parts
        return TensorSignal(tuple(parts))

    # ---- result

    def outputs(self, returned: Any) -> dict[str, SignalPart]:
        """Returns the sums that leave the network: returned ones, and the outputs of layers without readers."""
        given = [one for one in map(self.signal, tensors_in(returned)) if isinstance(one, TensorSignal)]
        parts = list(dict.fromkeys(self.graph.join(one) for one in given))
        parts = [part for part in parts if set(part.sources) <= set(self.graph.nodes)]
        self.graph.prune({node for nodes in self.nodes.values() for node in nodes}, parts)
        held = {source for part in parts for source in part.sources} | {source for source, _ in self.graph.edges}
        parts += [part for name, part in self.graph.results.items() if name not in held]
        if len(parts) == 1:
            return {self.graph.free_name("output"): parts[0]}
        return {self.graph.free_name(f"output_{part.sources[0]}"): part for part in parts}


def tensors_in(value: Any) -> Iterator[Any]:
    """Yields the tensors in a value, in lists and in mappings."""
    if isinstance(value, Mapping):
        value = list(cast("Mapping[Any, Any]", value).values())
    if isinstance(value, SEQUENCES):
        for one in cast("Sequence[Any]", value):
            yield from tensors_in(one)
    elif hasattr(value, "shape") and hasattr(value, "detach"):
        yield value


def stripped(shape: Sequence[int]) -> LayerShape:
    """Returns a shape without the axes of size 1 at its front: samples and ticks."""
    start = next((number for number, size in enumerate(shape) if size != 1), len(shape))
    return tuple(int(size) for size in shape[start:])


def substitution(tensor: Any, other: Any) -> Callable[[Any], Any]:
    """Returns a function that replaces a tensor in arguments by another."""

    def replace(value: Any) -> Any:
        if value is tensor:
            return other
        if not isinstance(value, SEQUENCES):
            return value
        parts = [replace(one) for one in cast("Sequence[Any]", value)]
        return parts if isinstance(value, list) else tuple(parts)

    return replace


def node_of_function(
    name: str, arguments: Sequence[Any], named: Mapping[str, Any], given: LayerShape, result: LayerShape
) -> Any:
    """Returns the node of a function with the settings of a layer; None for other functions and settings."""
    torch: Any = import_module("torch")
    match name:
        case "linear":
            settings = {**dict(zip(("weight", "bias"), arguments, strict=False)), **named}
            return linear(tensor_array(settings["weight"]), settings.get("bias"))
        case "conv1d" | "conv2d":
            keys = ("weight", "bias", "stride", "padding", "dilation", "groups")
            settings = {**dict(zip(keys, arguments, strict=False)), **named}
            weight, bias = tensor_array(settings.pop("weight")), settings.pop("bias", None)
            return convolution(weight, None if bias is None else tensor_array(bias), **settings)
        case "max_pool2d" | "avg_pool2d":
            kind = "MaxPool2d" if name == "max_pool2d" else "AvgPool2d"
            layer = getattr(torch.nn, kind)(*arguments[:3], **named)
            return None if len(arguments) > 3 else node_of_layer(layer, kind, given, result)
        case _:
            return None


@contextmanager
def traced(network: Any, trace: TickTrace) -> Generator[None]:
    """Context in which the calls of a network are traced."""
    overrides: Any = import_module("torch.overrides")

    def enter(*_: Any) -> None:
        trace.inside += 1

    def leave_of(name: str) -> Any:
        def leave(_: Any, arguments: Any, output: Any) -> None:
            trace.inside -= 1
            if not trace.inside:
                trace.call_layer(name, arguments, output)

        return leave

    class Observer(overrides.TorchFunctionMode):  # pyrefly: ignore[unknown-base-class]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            named: dict[str, Any] = kwargs or {}
            result = function(*args, **named)
            if not trace.inside:
                trace.call_function(function, args, named, result)
            return result

    hooks: list[Any] = []
    for name, module in trace.framework.walk(network):
        hooks += [module.register_forward_pre_hook(enter), module.register_forward_hook(leave_of(name))]
    try:
        with Observer():
            yield
    finally:
        for hook in hooks:
            hook.remove()


def trace_network(
    network: Any,
    framework: Framework,
    layers: Sequence[CalledLayer],
    inputs: Mapping[str, LayerShape],
    leading: int,
    dt: float,
) -> tuple[Any, dict[str, list[str]]]:
    """Calls a network for one tick of one sample. Returns its graph, and the nodes of each layer. `leading` is the number of axes before a sample's."""
    torch: Any = import_module("torch")
    trace = TickTrace(framework, {layer.name: layer for layer in layers}, dt, GraphBuilder(inputs))
    given = [torch.zeros((1,) * leading + tuple(shape)) for shape in inputs.values()]
    for (name, shape), tensor in zip(inputs.items(), given, strict=True):
        trace.know(tensor, signal_of(name, shape))
    with torch.no_grad(), traced(network, trace):
        returned = network(*given)
    return trace.graph.finish(trace.outputs(returned)), trace.nodes
