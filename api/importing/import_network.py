"""Import of a PyTorch network: its framework exports it, nopt repairs it, and both run on the same input for a comparison.

1. The framework's exporter writes the network as a graph of NIR (`frontends/frameworks/`), and nopt repairs its numbers.
2. The framework and nopt run the network with the same input.
3. Each layer of neurons and each output is compared, entry by entry. Spikes are compared exactly, other values within 1e-4 of their
   largest one, since the framework computes in single precision.

nopt computes in double precision first. If a layer differs, it computes in single precision, too. If the outputs are equal in one of
the two, a value lies within rounding of its threshold, and the rule is the same.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import Float32Type, ModuleOp, TensorType

from ...analysis.node_options import assignments, network_options
from ...core.diagnostics import Code, Diagnostics, Severity, first_of, refuse
from ...core.help_text import Phrase, option, time_text
from ...core.ir.operation import element_type
from ...core.progress import Progress, doing, part_progress, report_part, require_progress
from ...dialects import nir
from ...dialects.ntensor import NetworkOp
from ...frontends.frameworks.exported import Exported
from ...frontends.frameworks.foreign import Foreign
from ...frontends.frameworks.framework import IMP011
from ...frontends.frameworks.importer import export_network
from ...frontends.frameworks.inputs import InputArray
from ...simulation.axes import order_axes, parse_axes
from ...simulation.generated_inputs import is_generated
from ...simulation.stimuli import load_arrays, stimulus
from ..budgets import MaxTime, with_max_time
from ..discretisation import API008, repair_numbers
from ..json_record import Record, key
from ..modules import default_diagnostics, from_nir
from ..options import Choices
from ..running.comparison import Difference, difference
from ..running.run import execute
from ..unit_values import refuse_option, time_ns
from .user_networks import call_maker, load_network

IMP003 = Code("IMP003", "framework-output-differs", "the framework and nopt compute different outputs")
IMP004 = Code("IMP004", "compared-layers-silent", "layers emit no spike, so that the comparison does not test them")
IMP005 = Code("IMP005", "value-within-threshold-rounding", "a value lies within rounding of its threshold")
IMP006 = Code("IMP006", "comparison-input-empty", "the input of the comparison is empty")

Precision = Literal["f32", "f64"]
PRECISIONS: tuple[Precision, ...] = ("f64", "f32")
VALUE_TOLERANCE = 1e-4
"""Tolerance of values other than spikes, relative to the largest value of the layer."""
LAYERS_SHOWN = 6
DEFAULT_INPUT = "poisson:0.2,samples=4"

ROUNDING_SHARE = 0.01
"""Maximum share of differing entries that rounding can explain; a larger share indicates a different rule."""


@frozen
class Imported(Record):
    """An imported network, with its comparison: the record `nopt.import/1`."""

    SCHEMA = "nopt.import/1"

    framework: str
    versions: Mapping[str, str]
    choices: Mapping[str, Any]
    """Options of `nopt run` that compute the same."""
    layout: str
    """Input layout of the network."""
    shape: tuple[int, ...]
    """Shape of the first input."""
    shapes: Mapping[str, tuple[int, ...]]
    """Shape of each input."""
    samples: int
    ticks: int
    precision: str
    equal: bool
    repairs: Mapping[str, Sequence[str]]
    """Formulas that repaired numbers of the exporter, each with its layers."""
    layers: Mapping[str, Difference]
    """Comparison of each layer: `a` is the framework, `b` is nopt."""
    module: ModuleOp = field(metadata=key(None))
    """The network in `nir`, with repaired numbers."""
    inputs: Mapping[str, NDArray[Any]] = field(metadata=key(None))
    """The inputs of the comparison: [samples, ticks, *shape]."""

    @property
    def input(self) -> NDArray[Any]:
        """Returns the first input of the comparison."""
        return next(iter(self.inputs.values()))

    def entries(self, name: str) -> int:
        return int(np.prod(self.layers[name].shape_a))

    def equal_share(self) -> float:
        """Returns the share of equal entries of all layers."""
        entries = sum(map(self.entries, self.layers))
        differing = sum(one.differing or 0 for one in self.layers.values())
        return 1.0 - differing / entries if entries else 1.0

    def command(self, file: str) -> str:
        """Returns the command that runs the file of this network."""
        words = [f"--{name.replace('_', '-')} {shlex.quote(str(value))}" for name, value in self.choices.items()]
        return " ".join([f"nopt run {shlex.quote(file)}", *words])

    def as_json(self) -> dict[str, Any]:
        return super().as_json() | {"equal_share": self.equal_share()}


@with_max_time
def import_network(
    source: Any,
    *,
    input: Any = DEFAULT_INPUT,
    axes: str | None = None,
    shape: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    dt: str | None = None,
    like: str | None = None,
    reset: str | None = None,
    options: str | None = None,
    precision: Precision | None = None,
    allow_differing: float = 0.0,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
) -> Imported:
    """Imports a network of PyTorch, and compares it with its framework.

        imported = nopt.import_network("train.py:make_network", input="poisson:0.2,ticks=50,samples=8")
        nopt.write(imported.module, "net.nir")

    `source` is `FILE.py:NAME`, or an object: a `torch.nn.Module`, a `spyx.nn.Sequential`, or a function, class or `functools.partial` that returns one without arguments. `shape` is the shape of one input without samples and
    ticks, if the first layer does not determine it, or a mapping with the shape of each input. `dt` is 1 ms unless the layers have a time step. `like`, `reset` and `options` replace
    the choices that the layers determine, those of single layers included. `allow_differing` is the permitted share of differing entries. `progress` counts the
    export and the runs.

    Errors: COR008, IMP001, IMP002 the file; IMP007, IMP008, IMP009, IMP010, IMP011, IMP012, IMP013, IMP014, IMP015, IMP016, IMP017, IMP018, IMP019, IMP020, IMP021, IMP022, IMP023, IMP041, IMP042 the network and its export; those of the frontend and of the run; IMP003 other
    outputs. Warnings: IMP004. Remarks: IMP012, IMP005, IMP043.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    require_share(allow_differing)
    given_dt = None if dt is None else time_ns(dt) / 1e9
    is_file = isinstance(source, str | Path)
    at = str(source) if is_file else getattr(source, "__name__", type(source).__name__)
    with doing(f"making the network of {at}"):
        network = load_network(source) if is_file else call_maker(source, at, at)
    at = at if is_file else type(network).__name__
    size: Any = shape if isinstance(shape, Mapping) or shape is None else tuple(shape)
    with doing("export"):
        exported = export_network(
            network, at=at, shape=size, array=array_of(input, axes), dt=given_dt, diagnostics=found
        )
    module, chosen = settle_numbers(exported, {"like": like, "reset": reset, "options": options}, found)
    inputs = read_inputs(exported, input, axes, found)
    return compare_network(exported, module, chosen, inputs, precision, allow_differing, at, found, progress)


def array_of(given: Any, axes: str | None) -> InputArray | None:
    """Returns an input that is an array, or a `.npy`. Errors: COR008, SIM005, SIM006 the file cannot be read; SIM012."""
    found = given
    if isinstance(given, str | Path):
        found = load_arrays(given)[0] if Path(given).suffix == ".npy" else None
    if (shape := getattr(found, "shape", None)) is None:
        return None
    name = str(given) if isinstance(given, str | Path) else "the array"
    return InputArray(name, shape) if axes is None else InputArray(name, shape, (len(parse_axes(axes)),))


def settle_numbers(
    exported: Exported, given: Mapping[str, str | None], diagnostics: Diagnostics
) -> tuple[ModuleOp, Choices]:
    """Returns the network with repaired numbers, and the choices that compute it."""
    framework = exported.network.framework
    at = f"the exporter of {framework.title}"
    with Foreign(IMP011, f"the exporter of {framework.title} fails", at, "a graph of the nir package"):
        module = from_nir(exported.graph, name="network", diagnostics=diagnostics)
    dt, notes = time_text(round(exported.dt * 1e9)), Diagnostics()
    if framework.exported_by is not None:
        version = exported.versions.get(framework.name)
        by = framework.exported_by if version is None else f"{framework.exported_by}@{version}"
        module = repair_numbers(module, {"dt": dt, "exported_by": by}, notes)
    # Remarks list choices that a file cannot contain; here they are those of the network. The trace has every layer, also after a linear one.
    diagnostics.extend(
        finding for finding in notes.findings if finding.severity is not Severity.REMARK and finding.code is not API008
    )
    chosen = network_options(given["options"], given["reset"])
    options = {**dict(assignments(exported.settings.options)), **chosen}
    choices: Choices = {"dt": dt, "like": given["like"] or framework.name}
    if rule := options.pop("reset", None) or exported.settings.reset:
        choices["reset"] = rule
    if options:
        choices["options"] = ",".join(f"{name}={value}" for name, value in options.items())
    if exported.settings.options_at and not (given["reset"] or given["options"]):
        choices["options_at"] = exported.settings.options_at
    return module, choices


def repairs_of(module: ModuleOp) -> dict[str, tuple[str, ...]]:
    """Returns the formulas that repaired the numbers of a module, with the layers."""
    graphs = [op for op in module.ops if isinstance(op, nir.GraphOp)]
    return {
        record.what.data: tuple(name.data for name in record.touched)
        for graph in graphs
        for record in graph.repairs or ()
    }


def read_inputs(exported: Exported, given: Any, axes: str | None, diagnostics: Diagnostics) -> dict[str, NDArray[Any]]:
    """Returns the inputs of the comparison. Shapes: [samples, ticks, *shape]. Errors: SIM005, SIM006, SIM007, SIM008, SIM009, SIM010, SIM011, SIM012, SIM013, SIM014, SIM015; IMP006 one is empty."""
    constant = exported.layout.ticks if exported.layout.kind == "constant" else None
    if constant is not None and is_generated(given) and "ticks=" not in given:
        given = f"{given},ticks=1"
    tick_ns = round(exported.dt * 1e9)
    notes = None if is_generated(given) else diagnostics
    signals = stimulus(order_axes(given, axes), dict(exported.inputs), tick_ns, notes).signals
    found: dict[str, NDArray[Any]] = {}
    for name in exported.inputs:
        signal = signals[name]
        x = np.swapaxes(signal.window(slice(0, signal.samples), slice(0, signal.ticks)), 0, 1)
        if constant is not None and x.shape[1] == 1:
            x = np.repeat(x, constant, 1)
        if not x.size:
            help = Phrase(option("ticks", "50"), " ", option("samples", "4"))
            refuse(
                IMP006,
                at="--input",
                expected="at least 1 sample, 1 tick and 1 neuron",
                found=f"the shape {'x'.join(map(str, x.shape))}",
                help=help if is_generated(given) else f"--input {DEFAULT_INPUT}",
            )
        found[name] = x
    return found


def require_share(allow_differing: float) -> None:
    """Refuses a share of entries outside of 0 to 1. Errors: API022."""
    if not 0 <= allow_differing <= 1:
        refuse_option("--allow-differing", allow_differing, "a share of the entries, 0 to 1", "0.001")


def compare_network(
    exported: Exported,
    module: ModuleOp,
    choices: Choices,
    inputs: Mapping[str, NDArray[Any]],
    precision: Precision | None,
    allow_differing: float,
    at: str,
    diagnostics: Diagnostics,
    progress: Progress | None,
) -> Imported:
    """Runs both networks and compares their layers. Errors: IMP003. Warnings: IMP004. Remarks: IMP005."""
    framework = exported.network.framework
    is_in_ticks = any(isinstance(op, NetworkOp) for op in module.ops)  # its choices and its precision are made
    precisions = PRECISIONS if precision is None else (precision,)
    if is_in_ticks:
        precisions = (precision_of(module),)
    parts = 2 + len(precisions)  # the export and the run of the framework precede the runs
    report_part(progress, 1, parts)
    with doing(f"run in {framework.title}"):
        theirs = exported.network.run(list(inputs.values()), exported.layout, exported.calls)
    x = next(iter(inputs.values()))
    report_part(progress, 2, parts)
    runs: list[Imported] = []
    for number, one in enumerate(precisions, 2):
        step = part_progress(progress, number, parts)
        made: Choices = {} if is_in_ticks else {**choices, "precision": one}
        layers = compare_layers(exported, module, made, inputs, theirs, diagnostics, step)
        shown = dict(choices) if one == "f64" else {**choices, "precision": one}
        runs.append(
            Imported(
                framework=framework.name,
                versions=exported.versions,
                choices=shown,
                layout=exported.layout.kind,
                shape=x.shape[2:],
                shapes={name: one.shape[2:] for name, one in inputs.items()},
                samples=x.shape[0],
                ticks=x.shape[1],
                precision=one,
                equal=all(layer.equal for layer in layers.values()),
                repairs=repairs_of(module),
                layers=layers,
                module=module,
                inputs=inputs,
            )
        )
        if runs[-1].equal:
            break
    best = max(runs, key=lambda run: run.equal_share())
    report_silence(exported, theirs, diagnostics)
    if best.equal and len(runs) > 1:
        remark_rounding(runs[0], best, framework.title, diagnostics)
    if not best.equal and 1 - best.equal_share() > allow_differing:
        refuse_difference(best, at, framework.title, diagnostics)
    return best


def precision_of(module: ModuleOp) -> Precision:
    """Returns the precision of a network in ticks."""
    types = [
        element_type(result) for op in module.walk() for result in op.results if isinstance(result.type, TensorType)
    ]
    return "f32" if any(isinstance(type, Float32Type) for type in types) else "f64"


def compare_layers(
    exported: Exported,
    module: ModuleOp,
    choices: Choices,
    inputs: Mapping[str, NDArray[Any]],
    theirs: Mapping[str, NDArray[Any]],
    diagnostics: Diagnostics,
    progress: Progress | None,
) -> dict[str, Difference]:
    """Returns the comparison of each layer with the framework, by the node of the layer."""
    nodes, outputs = exported.nodes(), exported.outputs()
    record = [population for node, population in nodes.items() if node not in outputs]
    notes = Diagnostics()
    run = execute(
        module,
        dict(inputs),
        record=record,
        progress=progress,
        choices=choices,
        diagnostics=notes,
        is_internal=True,
    )
    diagnostics.extend(finding for finding in notes.findings if finding.code is not API008)  # the trace has every layer
    found: dict[str, Difference] = {}
    for node, population in nodes.items():
        a, b = theirs[node], run.arrays[outputs.get(node, population)]
        a = a.reshape(b.shape) if a.size == b.size else a
        scale = 0.0 if b.dtype.kind in "biu" else float(np.abs(a).max(initial=0.0))
        found[population] = difference(a, b, VALUE_TOLERANCE * scale, 0, True)
    return found


def report_silence(exported: Exported, theirs: Mapping[str, NDArray[Any]], diagnostics: Diagnostics) -> None:
    """Warns about layers without a spike. Warnings: IMP004."""
    silent = [layer for layer in exported.nodes() if not theirs[layer].any()]
    if silent:
        diagnostics.warning(
            IMP004,
            at=first_of([f'"{name}"' for name in silent], LAYERS_SHOWN),
            node=silent[0],
            expected="spikes in every layer",
            found="none",
            help="--input poisson:0.9",
            notes=["data of the task is the best input: --input x.npy"],
        )


def remark_rounding(first: Imported, best: Imported, title: str, diagnostics: Diagnostics) -> None:
    diagnostics.remark(
        IMP005,
        at=f"{best.framework}, in {first.precision}",
        expected=f"the spikes of {title} in f64 and f32",
        found=f"equal in {best.precision}; {1 - first.equal_share():.3g} of the entries differ in {first.precision}",
    )


def refuse_difference(found: Imported, at: str, title: str, diagnostics: Diagnostics) -> None:
    """Adds the first difference of all layers. Errors: IMP003."""
    wrong = {name: layer for name, layer in found.layers.items() if not layer.equal}
    shaped = {name: layer.first for name, layer in wrong.items() if layer.first is not None}
    if shaped:
        name, first = min(shaped.items(), key=lambda item: item[1].tick)
        place = f'"{name}" at {first.place}'
        expected, value = f"{first.a:.9g} in {title}", f"{first.b:.9g}"
    else:
        name, layer = next(iter(wrong.items()))
        place, expected, value = f'"{name}"', f"shape {list(layer.shape_a)} in {title}", f"{list(layer.shape_b)}"
    share = 1 - found.equal_share()
    diagnostics.error(
        IMP003,
        f"{title} and nopt compute different outputs",
        at=f"{place}, {at}",
        node=name,
        expected=expected,
        found=f"{value} in nopt; {share:.3g} of the entries differ, in {len(wrong)} of {len(found.layers)} layers",
        help=f"--allow-differing {round_up(share):g}" if share <= ROUNDING_SHARE else f"nopt explain {IMP003}",
    )


def round_up(share: float) -> float:
    """Rounds a share up to two digits."""
    digits = 10.0 ** (np.floor(np.log10(share)) - 1)
    return float(np.ceil(share / digits) * digits)
