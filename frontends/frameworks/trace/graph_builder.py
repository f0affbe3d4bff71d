"""Signals of one tick, and the graph of NIR that they form.

A signal is what a tensor of the network holds: a sum of outputs of nodes, or a concatenation of such sums along the first axis of a sample.
NIR adds the edges that enter a node, so a sum is a list of sources. A concatenation is the input of weights that are split into their parts;
for every other reader each part is written into the whole map by a node of ones and zeros.

    fc(cat(a, b))  =>  a -> fc, b -> fc_1, and both feed the readers of fc
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import define, field, frozen

from ..torch_layers import LayerShape, placement, scaling


@frozen
class SignalPart:
    """A sum of outputs of nodes, all of one shape."""

    sources: tuple[str, ...]
    shape: LayerShape


@frozen
class TensorSignal:
    """Parts that are concatenated along their first axis; most signals have one."""

    parts: tuple[SignalPart, ...]

    @property
    def shape(self) -> LayerShape:
        return (sum(part.shape[0] for part in self.parts), *self.parts[0].shape[1:])

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(source for part in self.parts for source in part.sources)


def signal_of(source: str, shape: LayerShape) -> TensorSignal:
    return TensorSignal((SignalPart((source,), shape),))


@define
class GraphBuilder:
    """Nodes and edges of a graph, in the order of their calls."""

    inputs: Mapping[str, LayerShape]
    nodes: dict[str, Any] = field(factory=dict[str, Any])
    edges: list[tuple[str, str]] = field(factory=list[tuple[str, str]])
    results: dict[str, SignalPart] = field(factory=dict[str, SignalPart])
    """Output of each node."""

    def free_name(self, name: str) -> str:
        """Returns the name, or with a number if a node has it."""
        names = (name, *(f"{name}_{number}" for number in range(1, len(self.nodes) + 2)))
        return next(one for one in names if one not in self.nodes and one not in self.inputs)

    def add(self, name: str, node: Any, part: SignalPart, shape: LayerShape) -> TensorSignal:
        """Adds a node that reads a sum. Returns its output, of the given shape."""
        own = self.free_name(name)
        self.nodes[own] = node
        self.edges += [(source, own) for source in part.sources]
        self.results[own] = SignalPart((own,), shape)
        return TensorSignal((self.results[own],))

    def upstream(self, names: Collection[str]) -> set[str]:
        """Returns the nodes from which paths lead to these nodes, with these nodes."""
        found, work = set(names), list(names)
        while work:
            reader = work.pop()
            for source in (source for source, target in self.edges if target == reader and source not in found):
                found.add(source)
                work.append(source)
        return found

    def prune(self, layers: Collection[str], outputs: Sequence[SignalPart]) -> None:
        """Removes nodes of functions that neither a layer nor an output reads."""
        held = self.upstream([*layers, *(source for part in outputs for source in part.sources)])
        for name in [name for name in self.nodes if name not in held]:
            del self.nodes[name], self.results[name]
        self.edges = [(source, target) for source, target in self.edges if target in held]

    def apply(self, name: str, node: Any, signal: TensorSignal, shape: LayerShape) -> TensorSignal:
        """Adds a node that reads a signal. The weights of a node are split by the parts of its input."""
        if len(signal.parts) == 1:
            return self.add(name, node, signal.parts[0], shape)
        kinds = type(node).__name__
        if kinds in ("Linear", "Affine") or (kinds in ("Conv1d", "Conv2d") and int(np.asarray(node.groups)) == 1):
            sources: list[str] = []
            for part, own in zip(
                signal.parts, split_weights(node, [one.shape[0] for one in signal.parts]), strict=True
            ):
                sources += self.add(name, own, part, shape).sources
            return TensorSignal((SignalPart(tuple(sources), shape),))
        return self.add(name, node, self.join(signal), shape)

    def join(self, signal: TensorSignal) -> SignalPart:
        """Returns a signal as one sum. Parts of a concatenation are written into a map of the whole shape."""
        if len(signal.parts) == 1:
            return signal.parts[0]
        whole, start, sources = signal.shape, 0, list[str]()
        for part in signal.parts:
            node = placement(start, part.shape[0], whole)
            sources += self.add("concatenation", node, part, whole).sources
            start += part.shape[0]
        return SignalPart(tuple(sources), whole)

    def sum(self, signals: Sequence[TensorSignal]) -> TensorSignal:
        """Returns the sum of signals of one shape. A source that is added several times passes a node that multiplies it."""
        shapes = [tuple(part.shape for part in signal.parts) for signal in signals]
        if len(set(shapes)) > 1:
            signals = [TensorSignal((self.join(signal),)) for signal in signals]
        parts = zip(*(signal.parts for signal in signals), strict=True)
        return TensorSignal(tuple(self.sum_of_parts(column) for column in parts))

    def sum_of_parts(self, parts: Sequence[SignalPart]) -> SignalPart:
        counts: dict[str, int] = {}
        for source in (source for part in parts for source in part.sources):
            counts[source] = counts.get(source, 0) + 1
        shape, sources = parts[0].shape, list[str]()
        for source, times in counts.items():
            if times == 1:
                sources.append(source)
                continue
            node = scaling(np.full(shape, float(times)), np.zeros(shape), shape)
            sources += self.add("scale", node, SignalPart((source,), shape), shape).sources
        return SignalPart(tuple(sources), shape)

    def finish(self, outputs: Mapping[str, SignalPart]) -> Any:
        """Returns the graph of the `nir` package."""
        import nir

        ends: dict[str, Any] = {name: nir.Input({"input": np.asarray(shape)}) for name, shape in self.inputs.items()}
        for name, part in outputs.items():
            ends[name] = nir.Output({"output": np.asarray(part.shape)})
            self.edges += [(source, name) for source in part.sources]
        return nir.NIRGraph({**ends, **self.nodes}, list(self.edges), type_check=False)


def split_weights(node: Any, counts: Sequence[int]) -> list[Any]:
    """Returns a node for each group of input channels; the first keeps the bias."""
    import nir

    found: list[Any] = []
    start = 0
    for number in counts:
        weight = np.asarray(node.weight)[:, start : start + number]
        start += number
        bias = getattr(node, "bias", None)
        if type(node).__name__ in ("Linear", "Affine"):
            found.append(nir.Linear(weight) if bias is None or found else nir.Affine(weight, bias))
            continue
        steps = {name: getattr(node, name) for name in ("stride", "padding", "dilation", "groups")}
        own = np.zeros_like(np.asarray(bias)) if found else bias
        kind: Any = type(node)
        found.append(kind(input_shape=None, weight=weight, bias=own, **steps))
    return found
