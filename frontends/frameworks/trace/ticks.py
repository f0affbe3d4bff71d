"""Ticks of a network: the calls of its layers and the functions between them, as graphs of NIR.

Every tensor that depends on the input is known by the signal that it holds. A call of a layer adds a node. A function of PyTorch is one of these:

| function | signal |
| --- | --- |
| sums and differences of signals of one shape | a sum |
| `torch.cat` along channels | a concatenation |
| `linear`, `conv1d`, `conv2d`, pools | the node of the layer |
| another function of one signal | what its results show (`function_probes.py`) |
| any other | none; a layer that reads it is refused |

One tick is traced, or four ticks of a network that keeps signals from tick to tick. There, a signal of the tick before passes a Delay of one tick, and the
graph is that of the third tick: the first one has initial values, and functions that the fourth one calls belong to the third.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from math import prod
from typing import Any, NoReturn, cast

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from ....core.diagnostics import Code, refuse
from ..framework import CalledLayer, Framework, LayerShape
from ..torch_layers import tensor_array
from .function_probes import FunctionProbe, substitution, tensors_in
from .functions import CONCATENATIONS, SUM_FUNCTIONS, SignalFunctions, shaped
from .graph_builder import GraphBuilder, SignalPart, TensorSignal

IMP020 = Code("IMP020", "layer-input-unknown", "the input of a layer cannot be traced to the input of the network")
IMP041 = Code("IMP041", "function-not-importable", "a function between layers cannot be imported")

STACKS = ("stack", *CONCATENATIONS)
MODULES = {"matmul": "torch.nn.Linear", "__matmul__": "torch.nn.Linear"}
"""Replacements of functions."""
EARLIER = "signal of two or more ticks before"
STATE = "state of "
"""Names of what no function computes: a signal that is older than one tick, and a state of a layer."""
STEADY = 2
"""The tick that is the graph, of four."""


@frozen
class Traced:
    """The signal of a tensor in a tick, or in all ticks if `places` has the tick and the element of each entry."""

    signal: TensorSignal | str
    """The function that has no signal, instead."""
    tick: int = 0
    places: NDArray[np.int64] | None = None


@define
class TickGraph:
    """The graph of one tick."""

    graph: GraphBuilder
    nodes: dict[str, list[str]] = field(factory=dict[str, list[str]])
    """Nodes of each layer, one for each call."""
    delays: dict[SignalPart, SignalPart] = field(factory=dict[SignalPart, SignalPart])
    """Delayed signals of the tick before."""

    def reads_delays(self) -> bool:
        """Returns whether a path leads from a signal of the tick before to a layer."""
        delays = {source for part in self.delays.values() for source in part.sources}
        return bool(delays & self.graph.upstream([node for nodes in self.nodes.values() for node in nodes]))


@define
class CallTrace:
    """The graphs of ticks, while the network is called."""

    framework: Framework
    layers: Mapping[str, CalledLayer]
    dt: float
    ticks: Sequence[TickGraph]
    tensors: dict[int, Traced] = field(factory=dict[int, Traced])
    """Signal of each tensor, by its identity."""
    kept: list[Any] = field(factory=list[Any])
    """The tensors, so that no other object gets their identity."""
    calls: dict[str, int] = field(factory=dict[str, int])
    inside: int = 0
    """Number of layers that are running."""
    reads_older: bool = False
    """Whether a layer reads a signal of two or more ticks before."""
    left_out: list[str] = field(factory=list[str])
    """Functions whose results the network returns, but that no node computes."""

    @property
    def is_single(self) -> bool:
        return len(self.ticks) == 1

    @property
    def steady(self) -> TickGraph:
        """Returns the tick that is the graph of the network."""
        return self.ticks[0 if self.is_single else STEADY]

    # ---- tensors

    def know(self, tensor: Any, traced: Traced) -> None:
        self.tensors[id(tensor)] = traced
        self.kept.append(tensor)

    def in_tick(self, traced: Traced, tick: int) -> TensorSignal | str:
        """Returns a signal as a tick reads it: that of the tick before passes a delay."""
        signal = traced.signal
        if isinstance(signal, str) or traced.tick == tick:
            return signal
        if traced.tick != tick - 1:
            return EARLIER
        return TensorSignal(tuple(self.delayed(part, tick) for part in signal.parts))

    def delayed(self, part: SignalPart, tick: int) -> SignalPart:
        """Returns a sum of the tick before, which passes a Delay."""
        import nir

        own = self.ticks[tick]
        if part not in own.delays:
            node = nir.Delay(np.full(part.shape, self.dt))
            name = f"{part.sources[0]}_before" if part.sources else "before"
            own.delays[part] = own.graph.add(name, node, part, part.shape).parts[0]
        return own.delays[part]

    # ---- layers

    def call_layer(self, name: str, arguments: Sequence[Any], output: Any) -> None:
        """Adds the node of a layer that was called."""
        layer, outputs = self.layers.get(name), tensors_in(output)
        found = self.tensors.get(id(arguments[0])) if arguments else None
        if layer is None:  # an identity
            if found is not None:
                self.know(outputs[0], found)
            return
        number = self.calls[name] = self.calls.get(name, -1) + 1
        if found is not None and found.places is not None:
            return self.call_for_all_ticks(layer, found, arguments[0], outputs[0])
        tick = number // layer.calls
        if tick >= len(self.ticks):
            return
        for one in outputs[1:]:
            self.know(one, Traced(f"{STATE}{name}", tick))
        given = self.input_of(name, arguments, found, tick, outputs[0])
        self.know(outputs[0], Traced(self.add_layer(layer, given, outputs[0], tick), tick))

    def call_for_all_ticks(self, layer: CalledLayer, found: Traced, given: Any, output: Any) -> None:
        """Adds a layer that is called once for all ticks to each of them."""
        signal, places = found.signal, found.places
        if isinstance(signal, str):
            self.refuse_function(signal, layer.name)
        assert places is not None  # the caller's condition
        signals = [self.add_layer(layer, signal, output, tick) for tick in range(len(self.ticks))]
        ticks, shape = places // prod(signal.shape), signals[STEADY].shape
        axis = next(k for k in range(ticks.ndim) if (ticks != ticks.take([0], k)).any())
        sizes = [1] * len(output.shape)
        sizes[axis] = len(self.ticks)
        elements = np.arange(prod(shape)).reshape(shape)
        self.know(
            output, Traced(signals[STEADY], places=np.arange(sizes[axis]).reshape(sizes) * prod(shape) + elements)
        )

    def add_layer(self, layer: CalledLayer, given: TensorSignal, output: Any, tick: int) -> TensorSignal:
        own = self.ticks[tick]
        shape = tuple(output.shape[len(output.shape) - len(layer.shape) :])
        node = self.framework.convert(layer, given.shape, shape, self.dt)
        found = own.graph.apply(self.framework.node_name(layer), node, given, shape)
        own.nodes.setdefault(layer.name, []).append(found.sources[0])
        return found

    def input_of(
        self, name: str, arguments: Sequence[Any], found: Traced | None, tick: int, output: Any
    ) -> TensorSignal:
        """Returns the signal that a layer reads, in the shape of its argument. Errors: IMP020, IMP041."""
        signal = None if found is None else self.in_tick(found, tick)
        shape = self.argument_shape(name, arguments, output)
        if isinstance(signal, TensorSignal):
            return signal if shape is None else shaped(self.ticks[tick].graph, signal, shape)
        if signal is not None:
            self.reads_older |= signal == EARLIER
            self.refuse_function(signal, name)
        if tick < len(self.ticks) - STEADY and shape is not None:  # an initial value
            return TensorSignal((SignalPart((), shape),))
        refuse(
            IMP020,
            at=f'"{name}"',
            node=name,
            expected="a tensor that layers or supported functions compute from the input of the network",
            found="another tensor",
            help="pass the output of a layer, without numpy and without .detach().numpy()",
        )

    def argument_shape(self, name: str, arguments: Sequence[Any], output: Any) -> LayerShape | None:
        """Returns the shape of a layer's argument without the axes that the output has before a sample's."""
        leading = len(output.shape) - len(self.layers[name].shape)
        shape = tuple(int(size) for size in getattr(arguments[0], "shape", ())) if arguments else ()
        return shape[leading:] if len(shape) > leading and set(shape[:leading]) <= {1} else None

    def refuse_function(self, function: str, name: str) -> NoReturn:
        is_function = function != EARLIER and not function.startswith(STATE)
        help = "use a layer with weights, a pool or neurons in its place, or write the graph as JSON: nopt net.json"
        if function in MODULES:
            help = f"use {MODULES[function]} in its place"
        elif function == EARLIER:
            help = "keep each signal for one tick, and use neurons or a filter for a longer memory"
        elif not is_function:
            help = f"pass the output of {function.removeprefix(STATE)} to {name}, not its state"
        refuse(
            IMP041,
            f"the function {function} before a layer cannot be imported"
            if is_function
            else f"the {function} cannot be the input of a layer",
            at=f'"{name}"',
            node=name,
            expected="sums, concatenations along channels, and functions of one signal that are linear or compute each element",
            found=function,
            help=help,
        )

    # ---- functions

    def call_function(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any], result: Any) -> None:
        """Stores the signals of the results of a function."""
        given = [one for one in tensors_in((arguments, named)) if id(one) in self.tensors]
        results = tensors_in(result)
        if not given or not results:
            return
        name = str(getattr(function, "__name__", function))
        traced = [self.tensors[id(one)] for one in given]
        if any(one.places is not None for one in traced) or (not self.is_single and self.joins_ticks(name, traced)):
            return self.call_over_ticks(function, arguments, named, given, traced, results, name)
        tick = max(one.tick for one in traced)
        if tick >= len(self.ticks):
            return
        signals = [self.in_tick(one, tick) for one in traced]
        unknown = next((one for one in signals if isinstance(one, str)), None)
        known, functions = cast("list[TensorSignal]", signals), SignalFunctions(self.ticks[tick].graph)
        for number, one in enumerate(results):
            found: TensorSignal | None = None
            if unknown is None and len(given) == 1:
                found = functions.of_one_signal(function, name, arguments, named, given[0], known[0], number, one)
            elif unknown is None and len(results) == 1 and name in CONCATENATIONS:
                found = functions.concatenation(known, one)
            elif unknown is None and len(results) == 1 and name in SUM_FUNCTIONS:
                found = functions.sum(name, arguments, named, known, one)
            self.know(one, Traced(found or unknown or name, tick))

    def joins_ticks(self, name: str, traced: Sequence[Traced]) -> bool:
        """Returns whether a function joins the signals of all ticks."""
        return name in STACKS and [one.tick for one in traced] == list(range(len(self.ticks)))

    def call_over_ticks(
        self,
        function: Any,
        arguments: Sequence[Any],
        named: Mapping[str, Any],
        given: Sequence[Any],
        traced: Sequence[Traced],
        results: Sequence[Any],
        name: str,
    ) -> None:
        """Stores the ticks of results that a function selects or joins. Each entry is followed by the number of its tick and element."""
        if name in SUM_FUNCTIONS and self.sum_in_all_ticks(name, arguments, named, traced, results[0]):
            return
        signal = traced[min(STEADY, len(traced) - 1)].signal
        if isinstance(signal, str) or (len(given) > 1 and not self.joins_ticks(name, traced)):
            for one in results:
                self.know(one, Traced(signal if isinstance(signal, str) else name, len(self.ticks) - 1))
            return
        count, torch = prod(signal.shape), cast("Any", import_module("torch"))

        def numbers(tensor: Any, one: Traced) -> Any:
            places = one.places
            if places is None:
                places = one.tick * count + np.arange(count)
            return torch.from_numpy(places.astype(np.float32).reshape(tuple(tensor.shape)))

        replace = substitution({id(tensor): numbers(tensor, one) for tensor, one in zip(given, traced, strict=True)})
        output = function(*map(replace, arguments), **{key: replace(one) for key, one in named.items()})
        for one, places in zip(results, map(tensor_array, tensors_in(output)), strict=True):
            found = places.astype(np.int64)
            ticks, elements = found.reshape(-1) // max(count, 1), found.reshape(-1) % max(count, 1)
            is_whole = places.dtype == np.float32 and (found == places).all()
            if is_whole and found.size == count and (elements == np.arange(count)).all() and len(set(ticks)) == 1:
                self.know(one, Traced(signal, int(ticks[0])))
            elif is_whole and sorted(found.reshape(-1)) == list(range(count * len(self.ticks))):
                self.know(one, Traced(signal, places=found))
            else:
                self.know(one, Traced(name, len(self.ticks) - 1))
        if len(given) == 1 and len(results) == 1 and traced[0].places is not None:
            probe = FunctionProbe(function, arguments, named, given[0], given[0].shape, 0, results[0].shape)
            if (found := self.scaled_in_all_ticks(probe, signal, traced[0].places)) is not None:
                self.know(results[0], Traced(found, places=traced[0].places.reshape(tuple(results[0].shape))))

    def sum_in_all_ticks(
        self, name: str, arguments: Sequence[Any], named: Mapping[str, Any], traced: Sequence[Traced], result: Any
    ) -> bool:
        """Adds the sum of two signals to each tick. Returns whether both are signals of all ticks in the same axes."""
        if len(traced) != 2 or any(isinstance(one.signal, str) or one.places is None for one in traced):
            return False
        first, second = (cast("NDArray[np.int64]", one.places) for one in traced)
        if first.shape != second.shape or (first != second).any() or tuple(result.shape) != first.shape:
            return False
        signals = [cast(TensorSignal, one.signal) for one in traced]
        sums = [SignalFunctions(one.graph).sum(name, arguments, named, signals, signals[0]) for one in self.ticks]
        if (found := sums[STEADY]) is None:
            return False
        self.know(result, Traced(found, places=first))
        return True

    def scaled_in_all_ticks(
        self, probe: FunctionProbe, signal: TensorSignal, places: NDArray[np.int64]
    ) -> TensorSignal | None:
        """Returns `a x + b` of a signal with the same numbers in all ticks; None for another function."""
        if (slope := probe.slope()) is None:
            return None
        ticks = [values[np.argsort(places.reshape(-1))].reshape(len(self.ticks), -1) for values in slope]
        gain, offset = (values[0] for values in ticks)
        if any((values != values[0]).any() for values in ticks):
            return None
        found = [SignalFunctions(one.graph).scaled(gain, offset, signal, signal.shape) for one in self.ticks]
        return found[STEADY]

    # ---- result

    def keeps_signals(self) -> bool:
        """Returns whether a layer reads a signal of an earlier tick, directly or through functions."""
        return self.reads_older or any(own.reads_delays() for own in self.ticks)

    def outputs(self, returned: Any) -> dict[str, SignalPart]:
        """Returns the sums that leave the network: returned ones, and the outputs of layers without readers."""
        own = self.steady
        traced = [one for tensor in tensors_in(returned) if (one := self.tensors.get(id(tensor))) is not None]
        here = [one for one in traced if self.is_single or one.places is not None or one.tick == STEADY]
        signals = [one.signal for one in here if isinstance(one.signal, TensorSignal)]
        functions = (one.signal for one in here if isinstance(one.signal, str) and self.is_single)
        self.left_out = [one for one in functions if one != EARLIER and not one.startswith(STATE)]
        parts = list(dict.fromkeys(own.graph.join(one) for one in signals))
        parts = [part for part in parts if set(part.sources) <= set(own.graph.nodes)]
        own.graph.prune({node for nodes in own.nodes.values() for node in nodes}, parts)
        held = {source for part in parts for source in part.sources} | {source for source, _ in own.graph.edges}
        parts += [part for name, part in own.graph.results.items() if name not in held]
        if len(parts) == 1:
            return {own.graph.free_name("output"): parts[0]}
        return {own.graph.free_name(f"output_{part.sources[0]}"): part for part in parts}
