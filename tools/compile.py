"""Compiles a network for a target: writes the input of its loader, the IR after every pass, and a report.

FILE is a .nir file, which needs --dt and --like, or IR of any level: a machine graph and a compiled network name their device, and the
compilation goes on from there. The directory is written completely or not at all.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from ..api.checking.check import select_device
from ..api.compiling.compile import compile
from ..api.compiling.mappings.objectives import OBJECTIVE_OPTION
from ..api.compiling.occupancy import storage_text
from ..api.costing.amounts import amount_of
from ..api.costing.estimates import total_bytes, unknown_of
from ..api.judging.changes import find_changes
from ..api.judging.loss_texts import SIMILARITIES, TITLES, loss_text
from ..api.modules import read
from ..api.options import BuildOptions, FitOptions
from ..api.running.variability import Draw
from ..core.device.recipes import DEFAULT_RECIPE
from ..core.diagnostics import Diagnostics, Finding, Severity
from ..core.number_texts import counted_text, number_text, range_text, scaled_text
from ..dialects.machine.kept_mapping import KEEP_OPTION, MOVE_OPTION
from ..simulation.stimuli import extent
from . import chips, choices, junit
from .command import refuse_misuse, show_result, table
from .progress import Bar
from .summary import changes_table, cost_text, latency_text, loss_line, loss_remarks, memory_text, next_lines, verdict

PROG = "nopt compile"
IS_LONG = True
HAS_DETAILS = True
COMPILE_EXAMPLE = "nopt compile net.nir --target c --dt 1ms --like norse -o build"
EXAMPLES = {
    "C source of floating-point numbers": [COMPILE_EXAMPLE],
    "C source of integers, whose ranges follow from a sample input": [
        "nopt compile net.nir --target c/int8 --dt 1ms --like norse --calib x.npy -o build-int8"
    ],
    "the loader input of a chip, with a page of figures": [
        "nopt compile net.nir --target asic/mesh --dt 1ms --like norse --calib x.npy --report -o build-mesh"
    ],
    "spikes and potentials of a layer in each run on the device": [
        "nopt compile net.nir --target c --dt 1ms --like norse --probe lif,lif:v -o build-probes"
    ],
    "a network of which a layer changed, on the cores of its earlier build": [
        "nopt compile net.nir --target asic/mesh --dt 1ms --like norse --keep-mapping build-mesh -o build-new"
    ],
    "the first device that the network fits on": [
        "nopt compile net.nir --target auto --dt 1ms --like norse -o build-auto"
    ],
}


MAPPED = {"vertices": "vertex", "cores": "core", "edges": "edge", "routes": "route"}
"""Counts of a mapping, each with its noun in the singular."""


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "file")
    choices.add_option(
        parser,
        "--target",
        metavar="T[/DEVICE]|auto",
        help="the target (nopt targets lists them); auto: the first device that nopt check --target auto lists",
    )
    choices.add_options(parser, "--device", "--prefer", "--max-memory")
    choices.add_option(parser, "--set", help="override a field of the device: c.prefix=digits")
    choices.add_options(parser, "--passes", "--approximate")
    choices.add_option(parser, "--calib", help="a sample input, for calibration and the cost of each pass")
    choices.add_options(
        parser, "--recipe", "--effort", "--labels", "--max-loss", "--baseline", "--max-rom", "--max-energy"
    )
    choices.add_options(parser, "--weight-bits", "--state-bits", "--pin")
    parser.add_argument(
        "--probe",
        metavar="NAME[:v|spikes]",
        action="append",
        default=[],
        help="record a population on the device, or one of its states; may be repeated",
    )
    parser.add_argument(
        OBJECTIVE_OPTION,
        metavar="NAME",
        help="quantity that the placement on cores lowers: hops, remote-pairs, input-axons, crossings, peak-load or energy; that of the device, or hops, by default",
    )
    parser.add_argument(
        KEEP_OPTION,
        metavar="DIR|FILE",
        help="an earlier build, or its mapping.json: layers with the same name and shape keep their cores",
    )
    parser.add_argument(
        MOVE_OPTION,
        metavar="LAYER,…",
        action="append",
        default=[],
        help="with --keep-mapping, layers that get new cores all the same; may be repeated",
    )
    parser.add_argument(
        "--report",
        action="store_true",
        help="write report.html into DIR: figures and tables of the build, with --calib",
    )
    parser.add_argument("--until", metavar="LEVEL", help="stop after the last pass whose result is of this level")
    parser.add_argument(
        "-o",
        dest="out",
        metavar="DIR",
        help="the output directory: absent, empty or of an earlier compilation; required, unless nopt.toml has `out`",
    )
    choices.add_options(parser, "--arrays", "--axes", "--limit")
    chips.configure(parser)
    junit.configure(parser)
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if args.out is None:
        message = "the following arguments are required: -o"
        refuse_misuse(PROG, message, "-o DIR, or out in the table [project] of nopt.toml", "neither", COMPILE_EXAMPLE)
    choices.require_target(args, PROG)
    chips.require_chips(args, PROG, f"{COMPILE_EXAMPLE} --calib X --chips 20 --seed 0")
    if args.report:
        from ..api.report.drawings import require_packages

        require_packages("jinja2")
    network: Any = args.file
    if args.file == "-" or args.arrays or args.limit:
        network = read(args.file, arrays=args.arrays, limits=args.limit, diagnostics=diagnostics)
    if args.target == "auto":
        given = choices.group_options(args, FitOptions)
        measured = ("prefer", "max_memory", "labels") if args.calib else ("prefer", "max_memory")
        if not args.calib:
            given["effort"] = None  # the compilation refuses it, as labels
        with Bar("devices") as bar:
            rest = choices.arguments(args, *measured)
            args.target = select_device(network, args.calib, progress=bar.progress, **rest, **given)
    with Bar("passes and runs" if args.calib else "passes") as bar:
        build = compile(
            network,
            out=args.out,
            draw=None if args.chips is None else Draw(args.chips, args.seed or 0, chips.ages_of(args)),
            progress=bar.progress,
            diagnostics=diagnostics,
            **choices.arguments(args, "labels", "probe", "keep_mapping", "move", "objective", "until", "strict"),
            **choices.arguments(args, "max_memory", "max_loss", "baseline", "max_rom", "max_energy"),
            **choices.group_options(args, BuildOptions),
        )
    diagnostics.settle()
    pages = [write_page(args, diagnostics)] if args.report else []
    findings = diagnostics.findings
    show_result(
        args.format,
        lambda: build.report,
        lambda: "\n".join([report_summary(build.report, findings, args.verbose), *pages]),
    )
    if args.format == "text" and not args.verbose:  # the table of changes has the remarks
        diagnostics.discard(lambda one: one in findings and one.severity is Severity.REMARK)


def closing(args: argparse.Namespace) -> str:
    """Returns the commands to type next."""
    folder, page = shlex.quote(str(args.out)), f"{args.out}/report.html"
    commands = [] if args.until is not None else [f"nopt run {folder} --input {shlex.quote(args.calib or 'X')}"]
    commands += [] if args.report else [f"nopt report {folder} -o {shlex.quote(page)}"]
    return next_lines(commands)


def write_page(args: argparse.Namespace, diagnostics: Diagnostics) -> str:
    """Writes the page of a build, and returns a line with its name."""
    from ..api.report.pages import write_report

    path = Path(args.out) / "report.html"
    with Bar("report") as bar:
        write_report(path, Path(args.out), args.calib, axes=args.axes, progress=bar.progress, diagnostics=diagnostics)
    return f"wrote {path}"


def report_summary(report: dict[str, Any], findings: Sequence[Finding], is_verbose: bool) -> str:
    """Returns the verdict, the loss, the size, the cost and the changes; with `is_verbose`, also the details of the build."""
    changes = find_changes(report["approximations"], findings)
    lines = [
        verdict_of(report),
        *loss_lines(report, findings),
        recipe_line(report["recipe"]),
        size_line(report),
        cost_line(report),
        host_line(report),
        probe_line(report),
        kept_line(report["mapping"]),
        *scale_lines(report),
    ]
    lines.append(changes_table(changes))
    return "\n".join([*filter(None, lines), *(detail_lines(report) if is_verbose else ())])


def verdict_of(report: Mapping[str, Any]) -> str:
    """Returns the verdict about the network; a network that was compiled before is not checked again."""
    device, mapping, names = report["device"]["name"], report["mapping"], report["fit"]["approximations"]
    if report["network"]["neurons"] is None:
        return f"compiled {report['network']['name']} for {device}"
    if mapping is None:
        return verdict(device, memory=total_bytes(report["memory"] or {}), approximations=names)
    cores, usable = mapping["cores"], mapping["usable_cores"]
    return verdict(device, cores=cores, usable=usable, fullest=mapping["fullest"], approximations=names)


def loss_lines(report: Mapping[str, Any], findings: Sequence[Finding]) -> Iterator[str]:
    """Yields the loss, remarks about it, and the agreement and the spread of chips."""
    yield loss_line(report["loss"], "give --calib X" if report["unmeasured"] is None else "the chip cannot run here")
    yield from loss_remarks(findings)
    if (agreement := report["fidelity"]["agreement"]) is not None:
        yield agreement_line(report["fidelity"]["tier"], agreement)
    if report["chips"] is not None:
        yield from chip_lines(report["chips"])


def recipe_line(choice: Mapping[str, Any] | None) -> str:
    """Returns the chosen recipe with its figures and those of the default; empty where the default is the only one."""
    if choice is None or (not choice["trials"] and choice["effort"] is not None):
        return ""
    trials = {one["name"]: one for one in choice["trials"]}
    if (chosen := trials.get(choice["name"])) is None:
        return f"recipe: {choice['name']}"
    if choice["name"] == DEFAULT_RECIPE:
        tried = len(trials) - 1
        return (
            f"recipe: {DEFAULT_RECIPE}, the best of {tried + 1} by {counted_text(choice['samples'], 'sample')}"
            if tried
            else ""
        )
    texts = [
        f"{words} {loss_text(name, chosen[name])} (default {loss_text(name, default)})"
        for name, words in TITLES.items()
        if chosen.get(name) is not None and (default := trials[DEFAULT_RECIPE].get(name)) is not None
    ]
    return f"recipe: {choice['name']}, {', '.join(texts)}; {counted_text(choice['samples'], 'sample')}"


def size_line(report: Mapping[str, Any]) -> str:
    network, memory = report["network"], report["memory"]
    counts = {one: network[f"{one}s"] for one in ("population", "neuron", "weight") if network[f"{one}s"] is not None}
    parts = [", ".join(counted_text(count, one) for one, count in counts.items())] if counts else []
    parts += [memory_text(memory, total_bytes(memory))] if memory else []
    return f"size: {'; '.join(parts)}" if parts else ""


def cost_line(report: Mapping[str, Any]) -> str:
    """Returns the estimated energy and time, and the latency."""
    cost, network = report["cost"], report["network"]
    sample_ticks = (report["calibration"] or {}).get("ticks")
    latency = latency_text(report["latency_ticks"], network["tick_ns"], network["frame_ticks"], sample_ticks)
    energy, time = (None if one is None else amount_of(one) for one in (cost["energy"], cost["latency"]))
    return f"cost: {cost_text(energy, time, cost['per'], len(unknown_of(cost)))}; {latency}{sample_text(cost)}"


def sample_text(cost: Mapping[str, Any]) -> str:
    """Returns the energy and the time of a sample in real time; empty if its energy is not known."""
    sample = cost["sample"]
    if sample is None or (energy := sample["real_time"]["energy"]) is None:
        return ""
    bound = "at least " if cost["energy"]["unknown"] else ""
    time = scaled_text(sample["real_time"]["time_ns"], "ns")
    whole = f"; {bound}{range_text(energy['low'], energy['high'], energy['unit'])} per sample of {time}"
    if (answer := sample["per_correct"]) is None:
        return whole
    return f"{whole}, {bound}{range_text(answer['low'], answer['high'], answer['unit'])} per correct answer"


def host_line(report: Mapping[str, Any]) -> str:
    """Returns the layers that the host computes; empty if the chip computes all of them."""
    if (host := report["host"]) is None:
        return ""
    layers = ", ".join(f'"{one["node"]}"' for one in host["layers"])
    return f"host: {layers} of {', '.join(host['inputs'])}, by artefact/readout.py"


def probe_line(report: Mapping[str, Any]) -> str:
    """Returns the probes, each with the places of its population; empty without probes."""
    rows = [f"{one['array']} ({', '.join(one['places'])})" for one in report.get("probes", ())]
    return f"probes: {', '.join(rows)}" if rows else ""


def kept_line(mapping: Mapping[str, Any] | None) -> str:
    """Returns what a mapping kept of an earlier one, and which layers moved; empty if nothing was to be kept."""
    if mapping is None or (kept := mapping["kept"]) is None:
        return ""
    layers = [one for one in kept["layers"] if one["kept"]]
    moved = [f'"{one["node"]}" ({one["reason"]}: {one["moved"]})' for one in kept["layers"] if one["moved"]]
    removed = [f'"{name}"' for name in kept["removed"]]
    parts = [
        f"{counted_text(kept['kept'], 'vertex')} of {counted_text(len(layers), 'layer')} on the cores of {kept['file']}"
    ]
    parts += [f"new cores for {', '.join(moved)}"] if moved else []
    parts += [f"removed {', '.join(removed)}"] if removed else []
    return f"kept: {'; '.join(parts)}"


def scale_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Yields the factor that converts each output of integers into units of the network."""
    for name, step in ((report["integers"] or {}).get("steps") or {}).items():
        factor = f"{step:g}" if isinstance(step, float) else "integers.steps of report.json, a factor for each neuron"
        yield f"output {name}: multiply by {factor} for the units of the network"


def detail_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Yields the details of a build: types, exact memory, formats of synapses, mapping, and each approximation with its pass."""
    if (calibration := report["calibration"]) is not None:
        yield f"calibrated with {extent(calibration['samples'], calibration['ticks'])}"
    rows = [["arithmetic", report["arithmetic"]]] if report["arithmetic"] else []
    storage: dict[str, str] = report["storage"] or {}
    if report["arithmetic"] not in (None, "integers") and set(storage.values()) - {report["arithmetic"]}:
        rows.append(["storage", ", ".join(f"{what} {types}" for what, types in storage.items())])
    if report["memory"]:
        rows += [[region, "not measured" if n is None else f"{n} bytes"] for region, n in report["memory"].items()]
    if rows:
        yield table(rows)
    yield from report["notes"]
    if (mapping := report["mapping"]) is not None:
        yield from (storage_text(row) for row in mapping["projections"] if len(row["formats"]) > 1)
        yield from mapping_lines(mapping)
    for what, one in (("energy", "energy"), ("time", "latency")):
        if (reason := report["cost"]["reasons"][what]) is not None:
            yield f"{what} unknown: {reason}"
        if report["cost"][one] is not None and report["cost"][one]["unknown"]:
            yield f"{what} without {', '.join(report['cost'][one]['unknown'])}: unknown"
    for one in report["approximations"]:
        largest = (
            "" if one["largest"] is None else f", largest error {one['largest']:g} {one['unit']}".removesuffix(" 1")
        )
        yield f"{one['step']}: {one['what']}{largest}"


def excess_text(cost: Mapping[str, Any]) -> str:
    """Returns how far a cost is above the bound of all partitions; empty if that bound is 0."""
    value, bound = float(cost["value"]), float(cost["network_bound"])
    return f", within {ceil(100 * (value / bound - 1)):,} % of the bound" if bound else ""


def mapping_lines(mapping: Mapping[str, Any]) -> Iterator[str]:
    """Yields the counts of a mapping, its communication cost and the busiest link."""
    cost = mapping["cost"]
    vertices, cores, *others = (counted_text(mapping[many], one) for many, one in MAPPED.items())
    yield f"{vertices} on {cores}, {', '.join(others)}"
    least = f"these vertices at least {number_text(float(cost['bound']))}"
    least += f", any partition at least {number_text(float(cost['network_bound']))}" if cost["network_bound"] else ""
    yield f"communication cost: {number_text(float(cost['value']))} ({least}){excess_text(cost)}: {cost['objective']}"
    if (placed := mapping["placement"])["objective"] != "hops":
        bound = (
            placed["reason"] if placed["bound"] is None else f"these vertices at least {number_text(placed['bound'])}"
        )
        yield f"placed for {placed['objective']}: {number_text(placed['value'])} {placed['unit']} ({bound})"
    if (busiest := mapping["links"]["busiest"]) is not None:
        sources = ", ".join(f'"{name}"' for name in busiest["sources"])
        yield f"busiest link {busiest['name']}: {number_text(float(busiest['load']))} events per tick, of {sources}"


def agreement_line(tier: str, agreement: dict[str, Any]) -> str:
    """Returns a line about the agreement of the chip with the network in ticks, with the first difference of each output."""
    parts = [
        f"{one['name']} differs in {one['windows']} sums by at most {one['largest']:g}, first at tick {one['first']['tick']}"
        for one in agreement["disagreements"]
    ]
    return f"the chip and the network in ticks: {'; '.join(parts) or 'equal'} ({tier})"


def chip_lines(runs: dict[str, Any]) -> Iterator[str]:
    """Yields the accuracy and the loss of manufactured chips for each age, and the statistical bound."""
    count = counted_text(runs["chips"], "chip")
    for one in runs["ages"]:
        spreads = {"accuracy": one["accuracy"], **one["loss"]}
        texts: list[str] = []
        for what, figure in TITLES.items():
            if (spread := spreads.get(what)) is not None:
                worst = spread["least" if what in SIMILARITIES else "greatest"]
                mean, deviation = loss_text(what, spread["mean"]), number_text(spread["deviation"])
                texts.append(f"{figure} {mean} (deviation {deviation}, worst {loss_text(what, worst)})")
        since = "" if one["age"] is None else f" after {one['age']}"
        yield f"{count}{since}: {', '.join(texts) or 'no figure'}"
    yield f"95 % confidence: at least {runs['share']:.1%} of all chips are as good as the worst of {count}"
