"""Import of a network of PyTorch, or of Spyx: the framework of its layers, its graph in NIR, and the values that the graph must contain.

1. The classes of the layers determine the framework; every other layer must be one that its exporter supports.
2. The network runs once with few samples, to determine the layout of its input and the shape of each layer.
3. A copy is prepared for the exporter: parameters get the shape of their layer, layers that change nothing are removed, normalisations are
   folded.
4. A trace of one tick determines the graph. The exporter writes the node of each layer. Values that it drops are added from the network.

Networks of Spyx are read without an exporter (`spyx/`).

Source: the exporters of the frameworks, as each file names them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, cast

from attrs import evolve

from ...core.diagnostics import Code, Diagnostics, first_of, refuse
from .exported import Exported, settle_dt, versions_of
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
    class_of,
    torch_class,
)
from .inputs import InputArray, find_inputs
from .layouts import IMP013, Network
from .norse import Norse
from .rockpool import Rockpool
from .sinabs import Sinabs
from .snntorch import SnnTorch
from .spikingjelly import SpikingJelly
from .spyx.framework import Spyx
from .spyx.network import export_spyx, list_modules_of_flax
from .trace.network_trace import trace_network

IMP016 = Code("IMP016", "not-a-pytorch-network", "the object is not a network of PyTorch")
IMP017 = Code("IMP017", "no-known-framework-layer", "the network has no layer of a known framework")
IMP018 = Code("IMP018", "several-frameworks-mixed", "the network has layers of several frameworks")
IMP022 = Code("IMP022", "normalisations-folded", "normalisations are folded into the layers before them")
IMP042 = Code("IMP042", "neuron-called-twice", "a layer of neurons with one state is called several times in a tick")

IMP043 = Code("IMP043", "output-function-left-out", "a function after the last layer is left out")

FRAMEWORKS: Mapping[str, Framework] = {
    framework.name: framework for framework in (SnnTorch(), Norse(), Sinabs(), Rockpool(), SpikingJelly(), Spyx())
}


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
    expected = "a torch.nn.Module or a spyx.nn.Sequential, or a function that returns one"
    help = "return the network itself from the function"
    with Foreign(IMP016, IMP016.summary, at, expected, help):
        if callable(getattr(network, "named_modules", None)):
            return [(str(name), module) for name, module in network.named_modules()]
        if class_of(network, "flax") is not None:
            return list_modules_of_flax(network)
        refuse(IMP016, at=at, expected=expected, found=type(network).__name__, help=help)


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
    if isinstance(framework, Spyx):
        return export_spyx(module, framework, at=at, shape=shape, array=array, dt=dt)
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


def remove_identities(network: Any) -> None:
    """Replaces identity layers by empty sequences, which the exporters skip."""
    torch: Any = import_module("torch")
    for _, parent in list(network.named_modules()):
        for name, child in list(parent.named_children()):
            if torch_class(child) in IDENTITIES or type(child).__name__ in IDENTITIES:
                setattr(parent, name, torch.nn.Sequential())
