"""Reports as pages: a self-contained HTML file with figures, style and script.

A page of a build starts with its card, and shows the contents of its directory in the order in which they are used. With an input, it also shows spikes,
membranes and values of the first samples, before and after the passes. A page of a network shows its graph and weights. A section without data contains the
reason. `docs/report-design.md` explains the design.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Unpack

from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import Reals
from ...core.device.device import load_device
from ...core.diagnostics import Diagnostics, refuse
from ...core.files import read_bytes
from ...core.number_texts import counted_text
from ...core.output import printable
from ...core.progress import Progress, part_progress, require_progress
from ...simulation.axes import order_axes
from ...simulation.runs import CHIP
from ...simulation.stimuli import Given
from ..atomic_files import write_whole
from ..budgets import MaxTime, with_max_time
from ..compiling.builds import CMP011, DEVICE, MAPPING, record_page, require_mapping, require_report
from ..costing.costs import population_energies
from ..executing.listing import unmeasured_chip
from ..measuring.measured import Measured
from ..metrics.records import NeuroBench
from ..modules import API011, absent_network, default_diagnostics, parent_module, read
from ..options import Choices
from ..running.chip_records import ChipRuns
from ..running.labels import Labels
from ..running.learning import LearnMode
from ..running.level_comparison import measure
from ..running.level_records import Stage
from ..running.run import discretise, open_build
from .build_differences import diff
from .drawings import require_packages
from .figures.charts import RUNS, chart_style, histogram_chart
from .measurements import (
    Pair,
    Recorded,
    discrete_stages,
    input_weights,
    pairs_of,
    recorded_run,
    weights_of,
)
from .parts.activity import activity_section, helper_section
from .parts.card import card_section, step_text
from .parts.chips import chips_section
from .parts.comparison import Build, comparison_sections, require_same_network
from .parts.learning import learning_section
from .parts.losses import LAYERS, approximations_section, layers_section, levels_section
from .parts.measured import measured_section
from .parts.neurobench import neurobench_section
from .parts.recipes import recipe_section
from .parts.resources import cost_sections, making_section, memory_section
from .schematics.graph_drawing import compiled_graph_section, graph_svg
from .schematics.graph_nodes import first_network, graph_nodes, network_name
from .schematics.map_section import SCRIPT, map_section, page_part
from .schematics.map_section import STYLE as MAP_STYLE
from .sections import Figure, Section
from .weight_histories import ONCE, Learning

TEMPLATE = "page.html.in"
MARK = b'<meta name="generator" content="nopt">'
"""Line of the head of every page."""
NO_INPUT = "No input was given: nopt report … --input X draws spikes, membranes and values."


@with_max_time
def write_report(
    path: str | Path,
    source: ModuleOp | str | Path,
    x: Given | None = None,
    *,
    other: str | Path | None = None,
    axes: str | None = None,
    labels: Labels | None = None,
    chips: ChipRuns | None = None,
    measured: Measured | None = None,
    metrics: Sequence[NeuroBench] = (),
    record: Sequence[str] = (),
    learn: LearnMode = "sample",
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **choices: Unpack[Choices],
) -> None:
    """Writes the report of a build or a network as one page of HTML.

        nopt.write_report("report.html", "build", x)

    `source` is a directory of `compile`, a file, or a module. With the input `x`, the page shows spikes, rates and states of the first samples.
    `other` is a second build: the page then shows both next to each other, with the figures of `diff`.
    With `labels` (int `[samples]`), the page of a build shows accuracy and loss on this input, in place of those of the compilation.
    With `chips`, the page of a build shows these runs of manufactured chips (`run_chips`), else the runs in the build. With `measured`, it shows
    measurements of a real machine (`measurements`) next to the estimate, and with `metrics` those of NeuroBench (`build_metrics`). `progress` counts the runs.
    Weights that learn are drawn over the ticks, in the interval of an entry of `record`, such as `fc.weight@100ticks`; `learn` is the mode of `execute`.

    Errors: API018 a package is missing; CMP009 another directory; API011 no network; API024 builds of different networks; RUN020, RUN021 labels; those of reading and of a run; API012 the page cannot be written.
    """
    require_progress(progress)
    require_packages("jinja2")
    learning = Learning(tuple(record), learn)
    found = default_diagnostics(diagnostics)
    folder = Path(source) if not isinstance(source, ModuleOp) and Path(source).is_dir() else None
    if other is not None:
        title, parts = comparison_parts((Path(str(source)), Path(other)), x, axes, found, progress, labels)
    elif folder is not None:
        title, parts = build_parts(folder, x, axes, found, progress, chips, labels, measured, metrics, learning)
    else:
        module = source if isinstance(source, ModuleOp) else read(source, diagnostics=found)
        title, parts = network_parts(module, x, axes, choices, found, progress, learning)
    page = render(title, parts).encode()
    found.settle()
    write_whole(path, page)
    if folder is not None and other is None:
        record_page(folder, path)


def is_page(path: str | Path) -> bool:
    """Returns whether a file is a page that nopt wrote. Errors: COR008."""
    return MARK in read_bytes(path)


def render(title: str, parts: list[Section]) -> str:
    """Returns the page."""
    jinja2: Any = import_module("jinja2")
    template = (Path(__file__).parent / TEMPLATE).read_text(encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, finalize=shown)
    environment.filters["script"] = script_text
    return environment.from_string(template).render(
        title=title, parts=parts, style=chart_style() + page_part(MAP_STYLE), script=page_part(SCRIPT)
    )


def shown(value: Any) -> Any:
    """Removes control characters from a text of the page; markup is returned unchanged."""
    return printable(value) if type(value) is str else value


def script_text(record: Any) -> str:
    """Returns a record as JSON that cannot end its script element."""
    return json.dumps(record).replace("<", "\\u003c")


def network_parts(
    module: ModuleOp,
    x: Given | None,
    axes: str | None,
    choices: Choices,
    diagnostics: Diagnostics,
    progress: Progress | None = None,
    learning: Learning = ONCE,
) -> tuple[str, list[Section]]:
    """Returns the sections of a network. Errors: API011 the module has none."""
    if first_network(module) is None:
        refuse(API011, **absent_network(module))
    graph = Section("Graph", blocks=(Figure("", graph_svg(graph_nodes(module)), is_wide=True),))
    if x is not None:
        module = parent_module(discretise(module, choices, diagnostics))
    weights = weights_of(module)
    charts = tuple(
        Figure(
            f"{name}: {counted_text(values.size, 'weight')}",
            histogram_chart({"after": values}, f"weights of {name}", "weight"),
        )
        for name, values in list(weights.items())[:LAYERS]
    )
    parts = [graph]
    if x is not None:
        run = recorded_run(module, x, axes, diagnostics, progress, learning=learning)
        pairs = [Pair(name, None, records, is_single=True) for name, records in run.populations.items()]
        learnt = learning_section({"after": run.weights})
        parts = [activity_section(pairs, run.extent, (), is_build=False), *([] if learnt is None else [learnt]), graph]
    reason = "" if weights else "The network is in continuous time, or has no weights."
    return network_name(module), [*parts, Section("Weights", text=reason, blocks=charts)]


def build_parts(
    folder: Path,
    x: Given | None,
    axes: str | None,
    diagnostics: Diagnostics,
    progress: Progress | None = None,
    chips: ChipRuns | None = None,
    labels: Labels | None = None,
    measured: Measured | None = None,
    metrics: Sequence[NeuroBench] = (),
    learning: Learning = ONCE,
) -> tuple[str, list[Section]]:
    """Returns the sections of a build, in the order in which they are used; the populations of the compiler, pipeline and hashes are the last."""
    report, stages = require_report(folder), discrete_stages(folder)
    if x is not None and labels is not None and stages:
        report |= measured_loss(folder, report, stages, order_axes(x, axes), labels, diagnostics)
    added = report["added_populations"] or {}
    runs = run_both(folder, report, stages, x, axes, diagnostics, progress, learning)
    pairs = [] if runs is None else pairs_of(*runs)
    parts: list[Section | None] = [card_section(report), levels_section(report), recipe_section(report["recipe"])]
    first = weights_of(stages[0][1]) if stages else dict[str, Reals]()
    if stages:
        parts.append(layers_section(report, pairs, input_weights(stages[-1][1], first), energies_of(folder, report)))
    if runs is None:
        parts.append(Section("Spikes, membranes and values", text=NO_INPUT))
    else:
        parts.append(activity_section(pairs, runs[1].extent, added, is_build=True))
        parts.append(learning_section(dict(zip(RUNS, (run.weights for run in runs), strict=True))))
    last = weights_of(stages[-1][1]) if stages else first
    parts += [
        approximations_section(report, first, last),
        network_section(report, stages),
        map_section(folder, report, stages[-1][1] if stages else None),
    ]
    parts += [memory_section(report), *cost_sections(report)]
    parts += [] if measured is None else [measured_section(measured)]
    parts += [neurobench_section(metrics)] if metrics else []
    if (runs_of_chips := report["chips"] if chips is None else chips.as_json()) is not None:
        parts.append(chips_section(runs_of_chips))
    parts += [helper_section(pairs, added), compiled_graph_section(report, stages[-1][1]) if stages else None]
    parts.append(making_section(report))
    return f"{report['network']['name']} on {report['device']['name']}", [part for part in parts if part is not None]


def comparison_parts(
    folders: tuple[Path, Path],
    x: Given | None,
    axes: str | None,
    diagnostics: Diagnostics,
    progress: Progress | None,
    labels: Labels | None,
) -> tuple[str, list[Section]]:
    """Returns the sections of two builds. Errors: CMP009 another directory; API024 different networks; those of runs."""
    a, b = (Build(folder, require_report(folder), discrete_stages(folder)) for folder in folders)
    is_same_network = require_same_network(a, b, diagnostics)
    compared, drawn = (part_progress(progress, number, 2) for number in range(2))
    differences = diff(*folders, x, axes=axes, progress=compared, diagnostics=diagnostics)
    runs: list[Recorded] = []
    for number, build in enumerate((a, b)):
        if x is not None and a.stages and b.stages:
            part = part_progress(drawn, number, 2)
            runs.append(chip_run(build.folder, build.report, build.stages, x, axes, diagnostics, part))
            if labels is not None:
                given = order_axes(x, axes)
                build.report.update(measured_loss(build.folder, build.report, build.stages, given, labels, diagnostics))
    title = f"{a.report['network']['name']}: A on {a.report['device']['name']}, B on {b.report['device']['name']}"
    pair = (runs[0], runs[1]) if runs else None
    return title, comparison_sections(a, b, differences, pair, is_same_network=is_same_network)


def run_both(
    folder: Path,
    report: Mapping[str, Any],
    stages: Sequence[tuple[str, ModuleOp]],
    x: Given | None,
    axes: str | None,
    diagnostics: Diagnostics,
    progress: Progress | None,
    learning: Learning = ONCE,
) -> tuple[Recorded, Recorded] | None:
    """Runs the first network in ticks and the chip; None without an input, or without a network. Errors: those of a run."""
    if x is None or not stages:
        return None
    first, second = (part_progress(progress, number, 2) for number in range(2))
    before = recorded_run(stages[0][1], x, axes, diagnostics, first, learning=learning)
    return before, chip_run(folder, report, stages, x, axes, diagnostics, second, learning)


def chip_run(
    folder: Path,
    report: Mapping[str, Any],
    stages: Sequence[tuple[str, ModuleOp]],
    x: Given,
    axes: str | None,
    diagnostics: Diagnostics,
    progress: Progress | None,
    learning: Learning = ONCE,
) -> Recorded:
    """Runs the model of the chip, or the network after all passes where it has none here. Errors: those of a run."""
    chip = chip_of(folder, report, diagnostics)
    return recorded_run(stages[-1][1], x, axes, diagnostics, progress, chip, learning)


def measured_loss(
    folder: Path,
    report: Mapping[str, Any],
    stages: Sequence[tuple[str, ModuleOp]],
    x: Given,
    labels: Labels,
    diagnostics: Diagnostics,
) -> dict[str, Any]:
    """Returns loss and confusions of the chip on all samples of an input, as in a report. Errors: RUN020, RUN021 labels; those of a run."""
    rows = [
        Stage("float", None, stages[0][1]),
        Stage("target", None, stages[-1][1], chip_of(folder, report, diagnostics)),
    ]
    measured = measure(rows, x, labels=labels, diagnostics=diagnostics)
    levels = [one.as_json() for one in measured.levels]
    confusion = None if measured.confusion is None else measured.confusion.as_json()
    return {"levels": levels, "loss": levels[-1]["loss"], "confusion": confusion}


def chip_of(folder: Path, report: Mapping[str, Any], diagnostics: Diagnostics) -> Callable[..., Any] | None:
    """Returns the model of the chip of a build; None if it cannot run on this machine. Remarks: RUN017."""
    is_modelled = unmeasured_chip(report["target"], diagnostics) is None
    return open_build(folder, CHIP, diagnostics)[1] if is_modelled else None


def energies_of(folder: Path, report: Mapping[str, Any]) -> dict[str, float] | None:
    """Returns the energy of each population in a tick, if the device specifies it. Units: [pJ]. Errors: CMP011."""
    if report["mapping"] is None:
        return None
    device, mapped = load_device(folder / DEVICE), require_mapping(folder)
    formats = device.synapse.formats if device.synapse is not None else {}
    used = {edge["format"] for edge in mapped["edges"]} - {None}
    for name in sorted(used - formats.keys()):
        expected = f"synapse.formats.{name}, which {MAPPING} names"
        help = report["command"]
        refuse(CMP011, CMP011.summary, file=str(folder / DEVICE), expected=expected, found="no such format", help=help)
    return population_energies(device, mapped)


def network_section(report: Mapping[str, Any], stages: Sequence[tuple[str, ModuleOp]]) -> Section:
    """Returns the size of the network and its graph."""
    size = report["network"]
    counts = [
        counted_text(size[f"{one}s"], one) for one in ("population", "neuron", "weight") if size[f"{one}s"] is not None
    ]
    text = f"{', '.join(counts) or 'a compiled network'}; {step_text(size)}"
    drawing = graph_svg(graph_nodes(stages[0][1])) if stages else ""
    return Section("Network", text=text, blocks=(Figure("", drawing, is_wide=True),) if drawing else ())
