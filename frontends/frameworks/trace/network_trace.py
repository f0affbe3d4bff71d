"""Trace of a network: its calls for one sample, in one tick or in four, as a graph of NIR."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from math import prod
from typing import Any, cast

import numpy as np
from attrs import evolve

from ....core.diagnostics import Refused
from ..framework import CalledLayer, Framework, LayerShape
from ..layouts import Layout, call_ticks
from .graph_builder import GraphBuilder, signal_of
from .ticks import STEADY, CallTrace, TickGraph, Traced

TRACED_TICKS = 4
"""Number of ticks in which a network shows whether it keeps signals."""


@contextmanager
def traced(network: Any, trace: CallTrace) -> Generator[None]:
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
    copy: Callable[[], Any],
    framework: Framework,
    layers: Sequence[CalledLayer],
    inputs: Mapping[str, LayerShape],
    layout: Layout,
    dt: float,
) -> tuple[Any, CallTrace]:
    """Calls copies of a network for one sample. Returns its graph, and the trace with the nodes of each layer."""

    def trace_of(network: Any, ticks: int) -> CallTrace:
        own = dict(framework.walk(network))
        graphs = [TickGraph(GraphBuilder(inputs)) for _ in range(ticks)]
        return CallTrace(framework, {one.name: evolve(one, module=own[one.name]) for one in layers}, dt, graphs)

    if layout.kind in ("tick", "ticks first", "samples first"):
        network = copy()
        trace = trace_of(network, TRACED_TICKS)
        try:
            returned = call_ticks_of(network, trace, inputs, layout)
            if trace.keeps_signals():
                return trace.steady.graph.finish(trace.outputs(returned)), trace
        except Refused:
            if trace.keeps_signals():
                raise
    network, torch = copy(), cast("Any", import_module("torch"))
    trace = trace_of(network, 1)
    given = [torch.zeros((1,) * layout.leading() + tuple(shape)) for shape in inputs.values()]
    for (name, shape), tensor in zip(inputs.items(), given, strict=True):
        trace.know(tensor, Traced(signal_of(name, shape)))
    with torch.no_grad(), traced(network, trace):
        returned = network(*given)
    return trace.steady.graph.finish(trace.outputs(returned)), trace


def call_ticks_of(network: Any, trace: CallTrace, inputs: Mapping[str, LayerShape], layout: Layout) -> Any:
    """Calls a network for several ticks. Returns what it returned, in the steady tick if it computes one tick in a call."""
    torch: Any = import_module("torch")
    if layout.kind == "tick":
        returned: list[Any] = []
        given = [torch.zeros((1, TRACED_TICKS, *shape)) for shape in inputs.values()]

        def enter(tick: int, tensors: Sequence[Any]) -> None:
            for (name, shape), tensor in zip(inputs.items(), tensors, strict=True):
                trace.know(tensor, Traced(signal_of(name, shape), tick))

        with torch.no_grad(), traced(network, trace):
            returned = call_ticks(network, given, enter)
        return returned[STEADY]
    leading = (TRACED_TICKS, 1) if layout.kind == "ticks first" else (1, TRACED_TICKS)
    tensors = [torch.zeros((*leading, *shape)) for shape in inputs.values()]
    for (name, shape), tensor in zip(inputs.items(), tensors, strict=True):
        places = np.arange(TRACED_TICKS * prod(shape)).reshape(*leading, *shape)
        trace.know(tensor, Traced(signal_of(name, shape), places=places))
    with torch.no_grad(), traced(network, trace):
        return network(*tensors)
