"""Import of a PyTorch network: the framework of its layers, its graph in NIR, and the values that the graph must contain.

1. The classes of the layers determine the framework; every other layer must be one that its exporter supports.
2. The network runs once with few samples, to determine the layout of its input and the shape of each layer.
3. A copy is prepared for the exporter: parameters get the shape of their layer, layers that change nothing are removed, normalisations are
   folded.
4. A trace of one tick determines the graph. The exporter writes the node of each layer. Values that it drops are added from the network.

Source: the exporters of the frameworks, as each file names them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NoReturn, cast

import numpy as np
from attrs import evolve, frozen

from ...core.diagnostics import Code, Diagnostics, first_of, refuse
from .folding import fold
from .foreign import Foreign
from .framework import (
    IDENTITIES,
    IMP011,
    IMP012,
    NAMES_SHOWN,
    CalledLayer,
    Framework,
    LayerShape,
    Settings,
    torch_class,
)
from .layouts import IMP013, Inputs, Layout, Network
from .norse import Norse
from .rockpool import Rockpool
from .sinabs import Sinabs
from .snntorch import SnnTorch
from .spikingjelly import SpikingJelly
from .trace.network_trace import trace_network

IMP016 = Code("IMP016", "not-a-pytorch-network", "the object is not a network of PyTorch")
IMP017 = Code("IMP017", "no-known-framework-layer", "the network has no layer of a known framework")
IMP018 = Code("IMP018", "several-frameworks-mixed", "the network has layers of several frameworks")
IMP019 = Code("IMP019", "input-shape-unknown", "the shape of the input is not known")
IMP021 = Code("IMP021", "two-time-steps-given", "two time steps are given")
IMP022 = Code("IMP022", "normalisations-folded", "normalisations are folded into the layers before them")
IMP023 = Code("IMP023", "input-mismatches-first-layer", "the input does not fit the first layer")
IMP042 = Code("IMP042", "neuron-called-twice", "a layer of neurons with one state is called several times in a tick")

IMP043 = Code("IMP043", "output-function-left-out", "a function after the last layer is left out")

FRAMEWORKS: Mapping[str, Framework] = {
    framework.name: framework for framework in (SnnTorch(), Norse(), Sinabs(), Rockpool(), SpikingJelly())
}
DEFAULT_DT = 1e-3
"""Default time step in seconds, for frameworks without one."""
RANKS = {"Linear": 1, "LinearTorch": 1, "Conv1d": 2, "Conv2d": 3, "ConvTranspose2d": 3}
"""Axes of the input of the first layer with weights."""
SIZES = {"Linear": ("in_features",), "LinearTorch": ("size_in",)}


@frozen
class InputArray:
    """The array of an input, with the possible numbers of leading axes (samples and ticks)."""

    name: str
    shape: LayerShape
    leads: tuple[int, ...] = (2, 1)

    def shapes(self) -> list[LayerShape]:
        """Returns the shapes that one input can have, the most likely first."""
        return [self.shape[lead:] for lead in self.leads if len(self.shape) > lead]


@frozen
class Exported:
    """A network with its graph in NIR."""

    network: Network
    graph: Any
    """The graph of the `nir` package."""
    layout: Layout
    layers: Sequence[CalledLayer]
    settings: Settings
    dt: float
    """Time step in seconds."""
    versions: Mapping[str, str]
    """Versions of the framework and of the packages of its exporter."""

    inputs: Inputs
    """Shape of each input."""
    calls: Mapping[str, Sequence[str]]
    """Nodes of each called layer, one for each call in a tick."""

    def nodes(self) -> dict[str, str]:
        """Returns the comparable nodes of layers, each with its population: neurons, and layers that are connected to an output."""
        framework, ends = self.network.framework, self.outputs()
        return {
            framework.node_name(layer): framework.compared_node(layer)
            for layer in self.layers
            if framework.neuron_class(layer.module) or framework.node_name(layer) in ends
        }

    def outputs(self) -> dict[str, str]:
        """Returns the nodes that are connected to an output alone, with the output."""
        ends = [name for name, node in self.graph.nodes.items() if type(node).__name__ == "Output"]
        sources = {end: [source for source, target in self.graph.edges if target == end] for end in ends}
        return {found[0]: end for end, found in sources.items() if len(found) == 1}


def find_framework(network: Any, at: str) -> Framework:
    """Returns the framework of a network's layers."""
    modules = list_modules(network, at)
    found: dict[str, list[str]] = {}
    for name, module in modules:
        packages = {base.__module__.partition(".")[0] for base in cast(Any, type(module)).__mro__} & set(FRAMEWORKS)
        for package in packages:
            found.setdefault(package, []).append(name or type(module).__name__)
    titles = ", ".join(framework.title for framework in FRAMEWORKS.values())
    if not found:
        kinds = sorted({type(module).__name__ for _, module in modules})
        refuse(
            IMP017,
            at=at,
            expected=f"layers of one of {titles}",
            found=first_of(kinds, NAMES_SHOWN),
            help="export the network to a .nir file with its framework: nopt run net.nir",
        )
    if len(found) > 1:
        refuse(
            IMP018,
            at=at,
            expected=f"layers of one of {titles}",
            found="; ".join(
                f"{FRAMEWORKS[name].title}: {first_of(names, NAMES_SHOWN)}" for name, names in found.items()
            ),
            help="build the network with the layers of one framework",
        )
    return FRAMEWORKS[next(iter(found))]


def list_modules(network: Any, at: str) -> list[tuple[str, Any]]:
    """Returns the layers of a network by name. Errors: IMP016 it is not a network of PyTorch."""
    expected, help = "a torch.nn.Module, or a function that returns one", "return the network itself from the function"
    with Foreign(IMP016, IMP016.summary, at, expected, help):
        if callable(getattr(network, "named_modules", None)):
            return [(str(name), module) for name, module in network.named_modules()]
        refuse(IMP016, at=at, expected=expected, found=type(network).__name__, help=help)


def find_shape(
    network: Network, given: LayerShape | None, array: InputArray | None, at: str
) -> tuple[LayerShape, LayerShape | None]:
    """Returns the shape of one input without samples and ticks, and an alternative shape to propose if the network refuses the first.

    The shape is the given one, else the input shape of the first layer with weights, else the shape of an array."""
    framework = network.framework
    layer = next((one for _, one in framework.walk(network.module) if framework.kind(one) in RANKS), None)
    kind = "no layer with weights" if layer is None else framework.kind(layer)
    size = (int(getattr(layer, SIZES[kind][0])),) if kind in SIZES else None
    if given is not None:
        return given, None if size == given else size
    shapes = list[LayerShape]() if array is None else array.shapes()
    whole: LayerShape = next(iter(shapes), ())
    if size is not None:
        if array is not None and len(whole) == 1 and whole != size:
            refuse_array(array, whole[0], size[0], "entries", f"{size[0]}", at)
        return size, whole if len(whole) > 1 else None
    own = [shape for shape in shapes if len(shape) == RANKS.get(kind)]
    channels = getattr(layer, "in_channels", None)
    if array is not None and own:
        if isinstance(channels, int) and own[0][0] != channels:
            sizes = ", ".join(map(str, (channels, *own[0][1:])))
            refuse_array(array, own[0][0], channels, "channels", sizes, at)
        return own[0], None
    refuse(
        IMP019,
        at=at,
        expected="--shape, the shape of one input without samples and ticks",
        found=f"{kind}, which does not determine it",
        help=f"--shape {'x'.join([str(channels or 'C'), *('L' if kind == 'Conv1d' else 'HW')])}",
    )


def refuse_array(array: InputArray, count: int, wanted: int, what: str, sizes: str, at: str) -> NoReturn:
    refuse(
        IMP023,
        f"{array.name} has {count} {what} for one sample and tick, the first layer takes {wanted}",
        at=at,
        expected=f"an array of [samples, ticks, {sizes}]",
        found=f"shape {list(array.shape)}",
        help=f"--input poisson:0.2, or numpy.save('x.npy', x), where x is [samples, ticks, {sizes}]",
    )


def export_network(
    module: Any,
    *,
    at: str,
    shape: LayerShape | Mapping[str, LayerShape] | None = None,
    array: InputArray | None = None,
    dt: float | None = None,
    diagnostics: Diagnostics,
) -> Exported:
    """Returns the graph of a network, with the data for its comparison.

    Errors: IMP007, IMP008, IMP009, IMP010, IMP011, IMP013, IMP014, IMP015, IMP016, IMP017, IMP018, IMP019, IMP020, IMP021, IMP023, IMP041, IMP042.
    Remarks: IMP012 a value that the exporter drops; IMP022 a normalisation that is folded; IMP043 a function after the last layer.
    """
    framework = find_framework(module, at)
    with Foreign(IMP011, "PyTorch cannot be imported", at, "an installation of PyTorch", "pip install torch"):
        import_module("torch")
    network = Network(module, framework, at)
    stateful = [(name, layer) for name, layer in framework.walk(module) if framework.has_state(layer)]
    framework.require_support([CalledLayer(name, layer, ()) for name, layer in stateful])  # before the network runs
    inputs = find_inputs(network, shape, array, at)
    layout, called = network.find_layout(inputs)
    folds = network.find_folds(called, layout, inputs)
    layers = [layer for layer in called if framework.kind(layer.module) not in IDENTITIES and layer.name not in folds]
    framework.require_support(layers)
    require_one_call(framework, layers)
    framework.settings(layers)
    step = settle_dt(framework, framework.find_dt(layers), dt)
    copied = network.copy(1)
    if folds:
        fold(copied, folds)
        diagnostics.remark(
            IMP022,
            at=first_of([f'"{name}"' for name in folds], NAMES_SHOWN),
            node=next(iter(folds)),
            expected="weights and biases that contain the normalisation",
            found=f"folded into {first_of(list(folds.values()), NAMES_SHOWN)}",
        )
    own = dict(framework.walk(copied))
    copies = [evolve(layer, module=own[layer.name]) for layer in layers]
    framework.prepare(copies)
    remove_identities(copied)
    expected = f"a tick of {', '.join('x'.join(map(str, size)) for size in inputs.values())}"
    with Foreign(IMP013, f"the network fails in {framework.title}", at, expected):
        graph, trace = trace_network(lambda: framework.copy(copied), framework, copies, inputs, layout, step)
    calls = trace.steady.nodes
    if trace.left_out:
        diagnostics.remark(
            IMP043,
            f"the function {trace.left_out[0]} after the last layer is left out",
            at=at,
            expected="layers and functions that have nodes",
            found=first_of(trace.left_out, NAMES_SHOWN),
        )
    by_name = {layer.name: layer for layer in layers}
    layers = [evolve(by_name[name], name=node) for name, nodes in calls.items() for node in nodes]
    added = framework.complete(graph.nodes, layers)
    if added:
        diagnostics.remark(
            IMP012,
            f"values that the exporter of {framework.title} drops are taken from the network",
            at=first_of([f'"{name}"' for name in added], NAMES_SHOWN),
            expected=", ".join(sorted(set(added.values()))),
            found="no such value in the exported graph",
        )
    versions = versions_of(framework.name)
    return Exported(network, graph, layout, layers, framework.settings(layers), step, versions, inputs, calls)


def find_inputs(
    network: Network,
    given: LayerShape | Mapping[str, LayerShape] | None,
    array: InputArray | None,
    at: str,
) -> Inputs:
    """Returns the shape of each input. A network has several if its forward has several arguments without defaults. Errors: IMP019."""
    names = required_arguments(network.module)
    if len(names) < 2:
        if isinstance(given, Mapping):
            given = next(iter(given.values()))
        size, network.other_shape = find_shape(network, given, array, at)
        return {"input": size}
    sizes = given if isinstance(given, Mapping) else {}
    if set(sizes) != set(names):
        refuse(
            IMP019,
            "the shapes of the inputs are not known",
            at=at,
            expected="--shape, the shape of each input without samples and ticks",
            found=f"forward({', '.join(names)}), and {'shapes of ' + ', '.join(sizes) if sizes else 'no shapes'}",
            help=f"--shape {','.join(f'{name}=16' for name in names)}",
        )
    return {name: sizes[name] for name in names}


def required_arguments(module: Any) -> list[str]:
    """Returns the names of the arguments of a network's forward that have no default."""
    from inspect import Parameter, signature

    try:
        parameters = signature(module.forward).parameters
    except (TypeError, ValueError):
        return []
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, one in parameters.items() if one.kind in kinds and one.default is Parameter.empty]


def require_one_call(framework: Framework, layers: Sequence[CalledLayer]) -> None:
    """Refuses neurons with one state that are called several times in a tick. Errors: IMP042."""
    for layer in layers:
        is_neuron = framework.neuron_class(layer.module) is not None
        if is_neuron and layer.calls > 1 and framework.keeps_state(layer.module):
            refuse(
                IMP042,
                at=f'"{layer.name}"',
                node=layer.name,
                expected="one call in a tick, since each call changes the state",
                found=f"{layer.calls} calls",
                help="use a layer of neurons for each call; layers without a state may be called several times",
            )


def settle_dt(framework: Framework, own: float | None, given: float | None) -> float:
    """Returns the time step. Errors: IMP021 the layers have another one."""
    if own is not None and given is not None and not np.isclose(own, given, rtol=1e-6):
        refuse(
            IMP021,
            f"the layers of {framework.title} have another time step",
            at="--dt",
            expected=f"{own * 1e3:g}ms, the dt of the layers",
            found=f"{given * 1e3:g}ms",
            help=f"--dt {own * 1e3:g}ms",
        )
    return next((dt for dt in (own, given) if dt is not None), DEFAULT_DT)


def remove_identities(network: Any) -> None:
    """Replaces identity layers by empty sequences, which the exporters skip."""
    torch: Any = import_module("torch")
    for _, parent in list(network.named_modules()):
        for name, child in list(parent.named_children()):
            if torch_class(child) in IDENTITIES or type(child).__name__ in IDENTITIES:
                setattr(parent, name, torch.nn.Sequential())


def versions_of(package: str) -> dict[str, str]:
    """Returns the installed versions of a framework and of the packages of its exporter."""
    versions: dict[str, str] = {}
    for name in (package, "nirtorch", "nir", "torch"):
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions
