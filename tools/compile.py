"""Compiles a network for a target: writes the input of its loader, the IR after every pass, and a report.

FILE is a .nir file, which needs --dt and --like, or IR of any level: a machine graph and a compiled network name their device, and the
compilation goes on from there. The directory is written completely or not at all.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..api.checking.check import select_device
from ..api.compiling.compile import compile
from ..api.compiling.occupancy import storage_text
from ..api.modules import read
from ..api.running.variability import Draw
from ..core.diagnostics import Diagnostics
from ..core.number_texts import counted_text, scaled_text
from ..passes.pipelines import SHORTHANDS
from ..simulation.stimuli import extent
from . import chips, choices, junit
from .command import refuse_misuse, show_result, table
from .progress import Bar

PROG = "nopt compile"
IS_LONG = True
COMPILE_EXAMPLE = "nopt compile net.nir --target c --dt 1ms --like norse -o build"
EXAMPLES = {
    "C source of floating-point numbers": [COMPILE_EXAMPLE],
    "C source of integers, whose ranges follow from a sample input": [
        "nopt compile net.nir --target c/int8 --dt 1ms --like norse --calib x.npy -o build-int8"
    ],
    "the loader input of a chip, with a page of figures": [
        "nopt compile net.nir --target asic/mesh --dt 1ms --like norse --calib x.npy --report -o build-mesh"
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
    choices.add_options(parser, "--labels", "--max-loss", "--baseline", "--max-rom", "--max-energy")
    for one in SHORTHANDS:
        own = f", or the bits of a device that quantizes {one.values} itself" if one.device_field else ""
        parser.add_argument(one.option, metavar="N", type=int, help=f"{one.text('N')}{own}")
    parser.add_argument(
        "--pin",
        metavar="NODE.PARAM=VALUE,…",
        action="append",
        default=[],
        help="set integers of the device's neurons and synapses by hand: 1.dv=163,0.weight=10",
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
        measured = ("axes", "labels") if args.calib else ("axes",)  # else the compilation refuses the labels
        given = choices.arguments(args, *measured, "set", "passes", "approximate", "prefer", "max_memory")
        with Bar("devices") as bar:
            args.target = select_device(network, args.calib, progress=bar.progress, **given, **choices.choices_of(args))
    with Bar("passes and runs" if args.calib else "passes") as bar:
        build = compile(
            network,
            out=args.out,
            draw=None if args.chips is None else Draw(args.chips, args.seed or 0, chips.ages_of(args)),
            progress=bar.progress,
            diagnostics=diagnostics,
            **choices.arguments(args, "target", "device", "set", "passes", "approximate", "calib", "axes", "labels"),
            **choices.arguments(args, *(one.name for one in SHORTHANDS), "pin", "until", "strict"),
            **choices.arguments(args, "max_memory", "max_loss", "baseline", "max_rom", "max_energy"),
            **choices.choices_of(args),
        )
    diagnostics.settle()
    pages = [write_page(args, diagnostics)] if args.report else []
    show_result(args.format, lambda: build.report, lambda: "\n".join([report_summary(build.report, args.out), *pages]))


def write_page(args: argparse.Namespace, diagnostics: Diagnostics) -> str:
    """Writes the page of a build, and returns a line with its name."""
    from ..api.report.pages import write_report

    path = Path(args.out) / "report.html"
    with Bar("report") as bar:
        write_report(path, Path(args.out), args.calib, axes=args.axes, progress=bar.progress, diagnostics=diagnostics)
    return f"wrote {path}"


def report_summary(report: dict[str, Any], folder: str) -> str:
    """Summarises the loss, the memory, the mapping and the approximations. The first line is a summary of the whole result."""
    network = report["network"]
    counts = {one: network[f"{one}s"] for one in ("population", "neuron", "weight") if network[f"{one}s"] is not None}
    size = ", ".join(counted_text(count, one) for one, count in counts.items())
    losses = "".join(f"; {text}" for text in loss_texts(report))
    lines: list[str] = [
        f"{network['name']}: {size or 'compiled before'}, for {report['device']['name']}, in {folder}{losses}"
    ]
    if (calibration := report["calibration"]) is not None:
        lines.append(f"calibrated with {extent(calibration['samples'], calibration['ticks'])}")
    rows = [["arithmetic", report["arithmetic"]]] if report["arithmetic"] else []
    storage: dict[str, str] = report["storage"] or {}
    if report["arithmetic"] not in (None, "integers") and set(storage.values()) - {report["arithmetic"]}:
        rows.append(["storage", ", ".join(f"{what} {types}" for what, types in storage.items())])
    if (agreement := report["fidelity"]["agreement"]) is not None:
        lines.append(agreement_line(report["fidelity"]["tier"], agreement))
    if report["chips"] is not None:
        lines += chip_lines(report["chips"])
    if report["memory"]:
        rows += [[region, "not measured" if n is None else f"{n} bytes"] for region, n in report["memory"].items()]
    if rows:
        lines.append(table(rows))
    lines += report["notes"]
    if (mapping := report["mapping"]) is not None:
        lines += [storage_text(row) for row in mapping["projections"] if len(row["formats"]) > 1]
        cost = mapping["cost"]
        vertices, cores, *others = (counted_text(mapping[many], one) for many, one in MAPPED.items())
        lines.append(f"{vertices} on {cores}, {', '.join(others)}")
        least = f"these vertices at least {cost['bound']:g}"
        least += f", any partition at least {cost['network_bound']:g}" if cost["network_bound"] else ""
        lines.append(f"communication cost: {cost['value']:g} ({least}): {cost['objective']}")
        if (busiest := mapping["links"]["busiest"]) is not None:
            sources = ", ".join(f'"{name}"' for name in busiest["sources"])
            lines.append(f"busiest link {busiest['name']}: {busiest['load']:g} events per tick, of {sources}")
    if report["latency_ticks"] and any(report["latency_ticks"].values()):
        delays = (f"+{counted_text(n, 'tick')} at {name}" for name, n in report["latency_ticks"].items())
        lines.append(f"output latency: {', '.join(delays)}")
    if report["cost"] is not None:
        lines += cost_lines(report["cost"])
    for one in report["approximations"]:
        largest = (
            "" if one["largest"] is None else f", largest error {one['largest']:g} {one['unit']}".removesuffix(" 1")
        )
        lines.append(f"{one['step']}: {one['what']}{largest}")
    return "\n".join(lines)


def cost_lines(cost: dict[str, Any]) -> Iterator[str]:
    """Yields the estimated energy and time, if the device declares coefficients for them."""
    figures = [
        f"{what} {scaled_text(one['value'], one['unit'])}"
        + (f" without {', '.join(one['unknown'])}" if one["unknown"] else "")
        for what, one in (("energy", cost["energy"]), ("time", cost["latency"]))
        if one is not None and one["terms"]
    ]
    if figures:
        yield f"estimated per {cost['per']}: {', '.join(figures)}"


def agreement_line(tier: str, agreement: dict[str, Any]) -> str:
    """Returns a line about the agreement of the chip with the network in ticks, with the first difference of each output."""
    parts = [
        f"{one['name']} differs in {one['windows']} sums by at most {one['largest']:g}, first at tick {one['first']['tick']}"
        for one in agreement["disagreements"]
    ]
    return f"the chip and the network in ticks: {'; '.join(parts) or 'equal'} ({tier})"


def chip_lines(runs: dict[str, Any]) -> Iterator[str]:
    """Yields accuracy and rate cosine of manufactured chips for each age, and the statistical bound."""
    count = counted_text(runs["chips"], "chip")
    for one in runs["ages"]:
        figures = [(what, one[key]) for what, key in (("accuracy", "accuracy"), ("rate cosine", "rate_cosine"))]
        texts = [
            f"{what} {spread['mean']:.4f} (deviation {spread['deviation']:.4f}, worst {spread['least']:.4f})"
            for what, spread in figures
            if spread is not None
        ]
        since = "" if one["age"] is None else f" after {one['age']}"
        yield f"{count}{since}: {', '.join(texts) or 'no figure'}"
    yield f"95 % confidence: at least {runs['share']:.1%} of all chips are as good as the worst of {count}"


def loss_texts(report: dict[str, Any]) -> Iterator[str]:
    """Yields the accuracy at the first and the last level, if it was measured."""
    levels: list[dict[str, Any]] | None = report["levels"]
    if levels and levels[-1]["accuracy"] is not None:
        yield f"accuracy {100 * levels[0]['accuracy']:.2f} % -> {100 * levels[-1]['accuracy']:.2f} %"
