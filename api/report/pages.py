"""Reports as pages: a self-contained HTML file with figures, style and script.

A page of a build shows the contents of its directory. With an input, it also shows spikes and states of the first samples. A page of a network shows
its graph and weights. Figures are images of SVG inside of the page. A section without data contains the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Unpack

from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Diagnostics, refuse
from ...core.files import read_bytes
from ...core.number_texts import counted_text, number_text, percent_text, scaled_text
from ...core.output import printable
from ...core.progress import Progress, part_progress, require_progress
from ...simulation.stimuli import Given
from ..atomic_files import write_whole
from ..budgets import MaxTime, with_max_time
from ..compiling.builds import record_page, require_report
from ..discretisation import Choices
from ..modules import API011, absent_network, default_diagnostics, parent_module, read
from ..running.chip_records import ChipRuns
from ..running.run import discretise
from . import drawings
from .build_differences import split_passes
from .chip_sections import chip_sections
from .measurements import (
    POPULATIONS,
    Lossy,
    Recorded,
    busiest_neurons,
    discrete_stages,
    lossy_steps,
    recorded_run,
    weights_of,
)
from .schematics.graph_drawing import compiled_graph_section, graph_svg
from .schematics.graph_nodes import first_network, graph_nodes, network_name
from .schematics.map_section import SCRIPT, STYLE, map_section, page_part
from .sections import Figure, Section

TEMPLATE = "page.html.in"
MARK = b'<meta name="generator" content="nopt">'
"""Line of the head of every page."""
NO_INPUT = "no input was given: nopt report … --input X draws spikes and states"
EXACT = 6
"""Significant digits of figures whose small differences matter."""
NO_LOSS = "No pass recorded an approximation."
RELATIVE = "Membranes of the same samples, each relative to its largest magnitude."
LAYERS = 8
"""Largest number of histograms in a section."""


@with_max_time
def write_report(
    path: str | Path,
    source: ModuleOp | str | Path,
    x: Given | None = None,
    *,
    axes: str | None = None,
    chips: ChipRuns | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **choices: Unpack[Choices],
) -> None:
    """Writes the report of a build or a network as one page of HTML.

        nopt.write_report("report.html", "build", x)

    `source` is a directory of `compile`, a file, or a module. With the input `x`, the page shows spikes, rates and states of the first samples.
    With `chips`, the page of a build shows these runs of manufactured chips (`run_chips`), else the runs in the build. `progress` counts the runs.

    Errors: API018 a package is missing; CMP009 another directory; API011 no network; those of reading and of a run; API012 the page cannot be written.
    """
    require_progress(progress)
    drawings.require_packages("jinja2", "matplotlib")
    found = default_diagnostics(diagnostics)
    folder = Path(source) if not isinstance(source, ModuleOp) and Path(source).is_dir() else None
    if folder is not None:
        title, parts = build_parts(folder, x, axes, found, progress, chips)
    else:
        module = source if isinstance(source, ModuleOp) else read(source, diagnostics=found)
        title, parts = network_parts(module, x, axes, choices, found, progress)
    page = render(title, parts).encode()
    found.settle()
    write_whole(path, page)
    if folder is not None:
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
    schematics = {"style": page_part(STYLE), "script": page_part(SCRIPT)}
    return environment.from_string(template).render(title=title, parts=parts, schematics=schematics)


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
) -> tuple[str, list[Section]]:
    """Returns the sections of a network. Errors: API011 the module has none."""
    if first_network(module) is None:
        refuse(API011, **absent_network(module))
    nodes = graph_nodes(module)
    if x is not None:
        module = parent_module(discretise(module, choices, diagnostics))
    parts = [Section("Graph", drawing=graph_svg(nodes))]
    weights = weights_of(module)
    shown = list(weights.items())[:LAYERS]
    parts.append(
        Section(
            "Weights",
            text="" if weights else "The network is in continuous time, or has no weights.",
            figures=tuple(Figure(node, drawings.histogram({node: values}, "weight")) for node, values in shown),
        )
    )
    if x is not None:
        parts += run_parts(recorded_run(module, x, axes, diagnostics, progress))
    return network_name(module), parts


def run_parts(run: Recorded) -> list[Section]:
    """Returns the sections of a run: rasters, rates and membranes."""
    rasters = tuple(Figure(f"{name}: sample 0", drawings.raster(spikes)) for name, spikes in run.spikes.items())
    rates = (Figure("mean over neurons and samples", drawings.rates(run.spikes)),) if run.spikes else ()
    traces = tuple(
        Figure(f"{name}.v: sample 0", drawings.trace(states, chosen))
        for name, states in run.states.items()
        if (chosen := busiest_neurons(run.spikes[name], states))
    )
    return [
        Section("Spikes", text=f"{run.extent}; at most {POPULATIONS} populations", figures=rasters),
        Section("Rates", figures=rates),
        Section("Membranes", text="The neurons of each population with the most spikes.", figures=traces),
    ]


def build_parts(
    folder: Path,
    x: Given | None,
    axes: str | None,
    diagnostics: Diagnostics,
    progress: Progress | None = None,
    chips: ChipRuns | None = None,
) -> tuple[str, list[Section]]:
    """Returns the sections of a build."""
    report, stages = require_report(folder), discrete_stages(folder)
    steps = lossy_steps(stages)
    parts = [network_part(report, stages), levels_part(report)]
    if (runs_of_chips := report["chips"] if chips is None else chips.as_json()) is not None:
        parts += chip_sections(runs_of_chips)
    parts += [approximations_part(report), weights_part(steps)]
    if x is None or not stages:
        parts.append(Section("Spikes and states", text=NO_INPUT))
    else:
        last = stages[-1][1]
        modules = {id(module): module for step in steps for module in (step.before, step.after)} | {id(last): last}
        runs = {
            key: recorded_run(module, x, axes, diagnostics, part_progress(progress, number, len(modules)))
            for number, (key, module) in enumerate(modules.items())
        }
        parts += [*run_parts(runs[id(last)]), states_part(steps, runs)]
    pipeline = Section("Pipeline", lines=tuple(split_passes(report["pipeline"])))
    if stages and (compiled := compiled_graph_section(report, stages[-1][1])) is not None:
        parts.append(compiled)
    parts += [map_section(folder, report), memory_part(report), *cost_parts(report), pipeline, hashes_part(report)]
    return f"{report['network']['name']} on {report['device']['name']}", parts


def network_part(report: Mapping[str, Any], stages: Sequence[tuple[str, ModuleOp]]) -> Section:
    """Returns the size of the network and its graph."""
    size = report["network"]
    counts = [
        counted_text(size[f"{one}s"], one) for one in ("population", "neuron", "weight") if size[f"{one}s"] is not None
    ]
    head = f"{', '.join(counts) or 'a compiled network'}; ticks of {scaled_text(size['tick_ns'], 'ns')}"
    drawing = graph_svg(graph_nodes(stages[0][1]) if stages else [])
    return Section("Network", text=f"{head}; for {report['device']['name']}", drawing=drawing)


def weights_part(steps: Sequence[Lossy]) -> Section:
    pairs = ((step.step, weights_of(step.before), weights_of(step.after)) for step in steps)
    return lossy_section("Weights before and after lossy passes", "weight", pairs, "" if steps else NO_LOSS)


def states_part(steps: Sequence[Lossy], runs: Mapping[int, Recorded]) -> Section:
    """Returns the membranes of runs by the modules of passes."""
    pairs = ((step.step, runs[id(step.before)].states, runs[id(step.after)].states) for step in steps)
    return lossy_section("States before and after lossy passes", "v", pairs, RELATIVE if steps else NO_LOSS)


def lossy_section(title: str, what: str, pairs: Iterable[tuple[str, Any, Any]], text: str) -> Section:
    """Returns histograms of the arrays, by name, before and after each pass; states have the suffix `.v`, and are relative."""
    suffix = ".v" if what == "v" else ""
    figures = tuple(
        Figure(
            f"{name}{suffix}, {step}",
            drawings.histogram({"before": before[name], "after": values}, what, is_relative=bool(suffix)),
        )
        for step, before, after in pairs
        for name, values in list(after.items())[:LAYERS]
        if name in before
    )
    return Section(title, text=text, figures=figures)


def levels_part(report: Mapping[str, Any]) -> Section:
    """Returns accuracy, cosine and first difference of each level."""
    levels: list[dict[str, Any]] | None = report["levels"]
    if not levels:
        return Section(
            "Levels", text="The compilation had no sample input: nopt compile … --calib X measures the loss."
        )
    rows = tuple(
        (
            one["step"] or one["level"],
            percent_text(one["accuracy"]),
            number_text(one["rate_cosine"], EXACT),
            "none" if one["first"] is None else place_text(one["first"]),
        )
        for one in levels
    )
    return Section("Levels", tables=((("level", "accuracy", "rate cosine", "first difference"), rows),))


def place_text(first: Mapping[str, Any]) -> str:
    sample = "" if first["sample"] is None else f"sample {first['sample']}, "
    return f"{first['output']}: {sample}tick {first['tick']}, index {first['index']}: {number_text(first['a'], EXACT)} became {number_text(first['b'], EXACT)}"


def approximations_part(report: Mapping[str, Any]) -> Section:
    rows = tuple(
        (
            one["step"],
            one["what"],
            number_text(one["largest"])
            if one["unit"] in ("1", "none")
            else f"{number_text(one['largest'])} {one['unit']}",
        )
        for one in report["approximations"]
    )
    if not rows:
        return Section("Approximations", text="none")
    return Section("Approximations", tables=((("pass", "change", "largest error"), rows),))


def memory_part(report: Mapping[str, Any]) -> Section:
    memory: dict[str, int | None] = report["memory"] or {}
    known = {name: float(n) for name, n in memory.items() if n is not None}
    if not known:
        return Section("Memory", text="not measured")
    return Section("Memory", figures=(Figure("bytes by region", drawings.bars(known, "bytes")),))


def cost_parts(report: Mapping[str, Any]) -> list[Section]:
    """Returns energy and latency by term, with the source of each coefficient."""
    cost: dict[str, Any] = report["cost"] or {}
    parts: list[Section] = []
    for what in ("energy", "latency"):
        entry = cost.get(what)
        if entry is None:
            parts.append(Section(what.title(), text="The device declares no coefficients."))
            continue
        head = ("term", "count", "coefficient", f"value [{entry['unit']}]", "source", "confidence")
        rows = tuple(
            (
                one["name"],
                number_text(one["count"]),
                f"{number_text(one['coefficient'])} {one['unit']}",
                number_text(one["value"]),
                one["source"],
                one["confidence"],
            )
            for one in entry["terms"]
        )
        terms = {one["name"]: float(one["value"]) for one in entry["terms"] if one["value"] is not None}
        unknown = f"; unknown: {', '.join(entry['unknown'])}" if entry["unknown"] else ""
        parts.append(
            Section(
                what.title(),
                text=f"{scaled_text(entry['value'], entry['unit'])} per {cost['per']}{unknown}",
                figures=(Figure(f"{what} by term", drawings.bars(terms, entry["unit"])),) if terms else (),
                tables=((head, rows),),
            )
        )
    return parts


def hashes_part(report: Mapping[str, Any]) -> Section:
    rows = [("nopt", report["nopt"], ""), ("device", report["device"]["name"], report["device"]["sha256"])]
    rows += [(one["role"], one["name"], one["sha256"]) for one in report["inputs"]]
    files = [("file", one["name"], one["sha256"]) for one in report["files"]]
    return Section(
        "Hashes", tables=((("role", "name", "SHA-256"), tuple(rows)), (("role", "name", "SHA-256"), tuple(files)))
    )
