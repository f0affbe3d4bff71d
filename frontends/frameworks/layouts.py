"""Runs of a network in its framework: the layout of its input, and the outputs of its layers.

| layout | one call of the network takes |
| --- | --- |
| tick | one tick: `[samples, *shape]`; states stay in the layers, or are passed on as the second argument |
| ticks first | all ticks: `[ticks, samples, *shape]` |
| samples first | all ticks: `[samples, ticks, *shape]` |
| joined | all ticks: `[samples * ticks, *shape]` |
| constant | one input, `[samples, *shape]`, which it shows to its layers for a number of ticks |

The framework determines the layout. If it does not, trial calls with few samples and ticks do: the number of calls of each layer reveals the time axis.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Literal, NoReturn, cast

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ...core.diagnostics import Code, Refused, refuse
from .folding import find_folds
from .foreign import Foreign
from .framework import CalledLayer, Framework, LayerShape, torch_class

IMP013 = Code("IMP013", "network-fails-in-framework", "the network fails in its framework")
IMP014 = Code("IMP014", "input-layout-ambiguous", "it is not clear how the network takes an input")
IMP015 = Code("IMP015", "constant-input-required", "a constant input is needed")

LayoutKind = Literal["tick", "ticks first", "samples first", "joined", "constant"]
Inputs = Mapping[str, LayerShape]
"""Shape of each input, without samples and ticks."""
Nodes = Mapping[str, Sequence[str]]
"""Nodes of each called layer, one for each call in a tick."""
SAMPLES, TICKS = 2, 3
"""Axis sizes of a trial input. They differ, so that the time axis can be identified."""
LOOPS: Mapping[LayoutKind, int] = {"ticks first": SAMPLES, "samples first": TICKS}
"""Number of iterations of a loop over the first and over the second axis of a trial input."""


@frozen
class Layout:
    """Input layout of a network."""

    kind: LayoutKind
    ticks: int | None = None
    """Number of ticks of a constant input, which the network determines."""

    def leading(self) -> int:
        """Returns the number of axes before those of a sample."""
        return 2 if self.kind in ("ticks first", "samples first") else 1


class Network:
    """A network of a framework that runs on copies, so that the user's object keeps its state."""

    def __init__(self, module: Any, framework: Framework, at: str):
        self.module, self.framework, self.at = module, framework, at
        self.other_shape: LayerShape | None = None
        """Shape of an input that is proposed if the network refuses the present one."""
        self.is_looped = False
        """Whether a layer that could take all ticks is called for one tick at a time."""

    def copy(self, samples: int) -> Any:
        """Returns a copy without dropout and gradients, and with all states reset."""
        with self.foreign():
            copied = self.framework.copy(self.module).eval()
            self.framework.reset(copied, samples)
        return copied

    def foreign(self, shape: str = "") -> Foreign:
        expected = f"an output for an input of shape {shape}" if shape else "a network that can be copied"
        help = f"--shape {'x'.join(map(str, self.other_shape))}" if shape and self.other_shape else None
        return Foreign(IMP013, f"the network fails in {self.framework.title}", self.at, expected, help)

    def try_calls(self, *leading: int, inputs: Inputs) -> dict[str, list[LayerShape]] | None:
        """Returns the shapes of the outputs of each called layer; None if the network refuses such an input."""
        try:
            found = self.call([np.zeros((*leading, *shape), np.float32) for shape in inputs.values()], leading[0])
        except Refused as refusal:
            self.refusal = refusal
            return None
        return {name: [output.shape for output in outputs] for name, outputs in found.items()}

    def call(self, arrays: Sequence[NDArray[Any]], samples: int) -> dict[str, list[NDArray[Any]]]:
        """Calls a copy once. Errors: IMP013."""
        network = self.copy(samples)
        torch: Any = import_module("torch")
        text = ", ".join("x".join(map(str, x.shape)) for x in arrays)
        with self.foreign(text), torch.no_grad(), recorded(network, self.framework) as found:
            network(*map(torch.from_numpy, arrays))
        return found

    # ---- layout

    def find_layout(self, inputs: Inputs) -> tuple[Layout, list[CalledLayer]]:
        """Returns the layout, and the called layers in call order."""
        known = self.framework.find_layout(list(self.framework.walk(self.module)))
        if known is not None:
            return self.layout_of_framework(cast("LayoutKind", known), inputs)
        found = self.try_calls(SAMPLES, inputs=inputs)
        other = self.try_calls(TICKS, inputs=inputs) if found is not None else None
        if found is not None and other is not None:
            counts, others = self.neuron_calls(found), self.neuron_calls(other)
            if counts == others and min(counts, default=0) == 1:
                return Layout("tick"), [*self.layers(found, (SAMPLES,)), *self.later_layers(found, inputs)]
            if counts == others and len(counts) == 1:
                ticks = next(iter(counts))
                return Layout("constant", ticks), self.layers(found, (SAMPLES,), ticks)
        return self.layout_of_sequence(inputs)

    def layout_of_framework(self, kind: LayoutKind, inputs: Inputs) -> tuple[Layout, list[CalledLayer]]:
        layout = Layout(kind)
        leading: LayerShape = {"joined": (SAMPLES,), "ticks first": (TICKS, SAMPLES)}.get(kind, (SAMPLES, TICKS))
        found = self.call([np.zeros((*leading, *shape), np.float32) for shape in inputs.values()], SAMPLES)
        shapes = {name: [one.shape for one in outputs] for name, outputs in found.items()}
        if kind == "joined":
            return layout, self.layers(shapes, leading)
        more: LayerShape = tuple(TICKS + 1 if size == TICKS else size for size in leading)
        other = self.call([np.zeros((*more, *shape), np.float32) for shape in inputs.values()], SAMPLES)
        looped = {name for name in found if len(found[name]) != len(other.get(name, ()))}
        self.is_looped = bool(looped)
        return layout, self.layers(shapes, leading, looped=looped)

    def layout_of_sequence(self, inputs: Inputs) -> tuple[Layout, list[CalledLayer]]:
        """Returns the layout of a network with a loop over ticks."""
        found = self.try_calls(SAMPLES, TICKS, inputs=inputs)
        if found is None:
            raise self.refusal
        counts = self.neuron_calls(found)
        for kind, ticks in LOOPS.items():
            if counts and min(counts) == ticks and not any(count % ticks for count in counts):
                return Layout(kind), self.layers(found, (SAMPLES,), ticks)
        self.refuse_calls(counts)

    def neuron_calls(self, found: dict[str, list[LayerShape]]) -> set[int]:
        """Returns the numbers of calls of the layers with a state."""
        modules = dict(self.framework.walk(self.module))
        return {len(calls) for name, calls in found.items() if self.framework.has_state(modules[name])}

    def refuse_calls(self, counts: set[int]) -> NoReturn:
        refuse(
            IMP014,
            at=self.at,
            expected="a call of each layer of neurons for each tick",
            found=f"{' and '.join(map(str, sorted(counts))) or 'no'} calls for {SAMPLES} x {TICKS} samples and ticks",
            help="write a forward that computes one tick, or loops over the first axis of its input",
        )

    def layers(
        self, found: dict[str, list[LayerShape]], leading: LayerShape, ticks: int = 1, looped: Collection[str] = ()
    ) -> list[CalledLayer]:
        """Returns the called layers with their shapes, for trial inputs with the sizes `leading` before those of a sample.

        In a loop over ticks, a layer may also be called once for all ticks; `looped` are the layers that a network with two leading axes calls in each tick.
        """
        modules = dict(self.framework.walk(self.module))
        layers: list[CalledLayer] = []
        for name, calls in found.items():
            axes, count = len(leading), ticks
            if name in looped:
                is_one_tick = len(calls[0]) > 1 and calls[0][:2] == tuple(1 if n == TICKS else n for n in leading)
                axes, count = 1 + is_one_tick, TICKS
            elif len(calls) < ticks:  # once for all ticks, or not in the first tick
                axes, count = (2, 1) if calls[0][:2] == (SAMPLES, TICKS) else (1, max(1, ticks - 1))
            times = max(1, len(calls) // count)
            layers.append(CalledLayer(name, modules[name], calls[0][axes:], times, is_looped=name in looped))
        return layers

    def later_layers(self, found: dict[str, list[LayerShape]], inputs: Inputs) -> list[CalledLayer]:
        """Returns the layers that a network calls in later ticks alone, such as weights of the spikes of the tick before."""
        network, torch = self.copy(SAMPLES), cast("Any", import_module("torch"))
        tensors = [torch.zeros((SAMPLES, TICKS, *shape)) for shape in inputs.values()]
        text = ", ".join("x".join(map(str, tensor.shape)) for tensor in tensors)
        with self.foreign(text), torch.no_grad(), recorded(network, self.framework) as outputs:
            call_ticks(network, tensors)
        later = {name: [one.shape for one in calls] for name, calls in outputs.items() if name not in found}
        return [evolve(one, calls=max(1, one.calls // (TICKS - 1))) for one in self.layers(later, (SAMPLES,))]

    def find_folds(self, layers: Sequence[CalledLayer], layout: Layout, inputs: Inputs) -> dict[str, str]:
        """Returns the normalisations that can be folded, each with the layer before it."""
        if not any((torch_class(layer.module) or "").startswith("BatchNorm") for layer in layers):
            return {}
        copied, torch = self.copy(1), cast("Any", import_module("torch"))
        calls = {layer.name: layer.calls for layer in layers}
        samples = [torch.zeros((*(1,) * layout.leading(), *shape)) for shape in inputs.values()]
        with self.foreign(", ".join("x".join(map(str, shape)) for shape in inputs.values())), torch.no_grad():
            return find_folds(copied, list(self.framework.walk(copied)), calls, samples)

    # ---- runs

    def run(self, arrays: Sequence[NDArray[Any]], layout: Layout, nodes: Nodes) -> dict[str, NDArray[Any]]:
        """Runs the network from its initial state. Returns the output of each node of a called layer.

        Shapes: arrays [samples, ticks, *shape]; results [samples, ticks, …].
        Errors: IMP013 the network fails; IMP015 an input that changes, for a network that takes a constant one.
        """
        found = self.run_samples(arrays, layout, nodes)
        if not self.framework.keeps_one_sample or len(arrays[0]) == 1 or not self.is_looped:
            return found
        each = [self.run_samples([x[k : k + 1] for x in arrays], layout, nodes) for k in range(len(arrays[0]))]
        return {node: np.concatenate([one[node] for one in each]) for node in found}

    def run_samples(self, arrays: Sequence[NDArray[Any]], layout: Layout, nodes: Nodes) -> dict[str, NDArray[Any]]:
        """Runs the network for all samples at once."""
        samples, ticks = arrays[0].shape[:2]
        network = self.copy(samples)
        torch: Any = import_module("torch")
        text = ", ".join("x".join(map(str, x.shape)) for x in arrays)
        with self.foreign(text), torch.no_grad(), recorded(network, self.framework) as found:
            tensors = [torch.from_numpy(np.ascontiguousarray(x, np.float32)) for x in arrays]
            match layout.kind:
                case "tick":
                    call_ticks(network, tensors)
                case "ticks first":
                    network(*(tensor.transpose(0, 1).contiguous() for tensor in tensors))
                case "samples first":
                    network(*tensors)
                case "joined":
                    network(*(tensor.flatten(0, 1) for tensor in tensors))
                case "constant":
                    for x in arrays:
                        self.require_constant(x)
                    network(*(tensor[:, 0] for tensor in tensors))
        return {
            node: self.join(outputs[number :: len(nodes[name])], layout, samples, ticks)
            for name, outputs in found.items()
            for number, node in enumerate(nodes.get(name, ()))
        }

    def require_constant(self, x: NDArray[Any]) -> None:
        if (x != x[:, :1]).any():
            refuse(
                IMP015,
                "the network shows one input to its layers in every tick",
                at=self.at,
                expected="the same values in all ticks of a sample",
                found="values that change",
                help="--input constant:0.5",
            )

    def join(self, outputs: list[NDArray[Any]], layout: Layout, samples: int, ticks: int) -> NDArray[Any]:
        """Joins the outputs of a layer to `[samples, ticks, …]`."""
        if layout.kind in ("tick", "constant") or len(outputs) > 1:
            return np.stack(outputs, 1)
        (output,) = outputs
        if layout.kind == "joined":
            return output.reshape(samples, ticks, *output.shape[1:])
        if layout.kind == "ticks first" and output.shape[:2] == (ticks, samples):
            return np.swapaxes(output, 0, 1)
        if layout.kind == "ticks first":  # a loop over one tick
            return output[:, None]
        return output if output.shape[:2] == (samples, ticks) else output[:, None]


def call_ticks(
    network: Any, tensors: Sequence[Any], enter: Callable[[int, Sequence[Any]], None] | None = None
) -> list[Any]:
    """Calls a network once for each tick, and returns what it returns. A network with a state argument receives the state that the previous call returned.

    `enter` is called with the inputs of each tick before the network.
    """
    from inspect import signature

    takes_state = len(signature(network.forward).parameters) > len(tensors)
    state, returned = cast("Any", None), list[Any]()
    for tick in range(tensors[0].shape[1]):
        given = [tensor[:, tick] for tensor in tensors]
        if enter is not None:
            enter(tick, given)
        output = network(*given, state) if takes_state and tick else network(*given)
        returned.append(output)
        parts = cast("tuple[Any, ...]", output) if isinstance(output, tuple) else ()
        state = parts[1] if len(parts) > 1 else None
    return returned


@contextmanager
def recorded(network: Any, framework: Framework) -> Generator[dict[str, list[NDArray[Any]]]]:
    """Records the output of each layer of a network in each call."""
    found: dict[str, list[NDArray[Any]]] = {}

    def hook_of(name: str) -> Any:
        def record(_: Any, __: Any, output: Any) -> None:
            first: Any = cast("tuple[Any, ...]", output)[0] if isinstance(output, tuple) else output
            found.setdefault(name, []).append(first.detach().cpu().numpy().copy())

        return record

    hooks = [module.register_forward_hook(hook_of(name)) for name, module in framework.walk(network)]
    try:
        yield found
    finally:
        for hook in hooks:
            hook.remove()
