"""Runs a network with every combination of pass options and device fields, and reports the cost and the effect of each.

With --target or --device, every combination is compiled for each device; then --input may be left out. With --goal it searches the bits
of the weights of each layer that need the fewest bytes, and prints the passes that repeat the result.

KEY is SHORT.OPTION, where SHORT is short for the pass ntensor-quantize-SHORT, PASS.OPTION with the full name of a pass, or a field of the
devices, as in --set. With -o, each finished point is saved, and the same command resumes an interrupted sweep. A refused point is
listed with its code.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..api.judging.loss_texts import TITLES
from ..api.options import FitOptions
from ..core.diagnostics import Diagnostics
from ..core.output import printable_line
from . import choices
from .command import refuse_misuse, show_result, table

if TYPE_CHECKING:
    from ..api.sweeping.points import Point
    from ..api.sweeping.result import Sweep
    from ..api.sweeping.search import Search

PROG = "nopt sweep"
IS_LONG = True
EXAMPLES = {
    "every combination of options": [
        "nopt sweep net.nir --vary weights.bits=2,4,8 --vary weights.per=tensor,row --input x.npy --dt 1ms --like norse -o sweep"
    ],
    "the fewest bytes that keep the spikes": [
        "nopt sweep net.nir --vary weights.bits=2,4,8 --goal agreement-0.99 --minimize bytes --input x.npy --dt 1ms --like norse -o search"
    ],
    "fields of a device": [
        "nopt sweep net.nir --target asic/mesh --vary core.neurons=2,8 --input x.npy --dt 1ms --like norse -o devices"
    ],
}

FIELDS = {
    "fits": "fits",
    "cores": "cores",
    "memory_bytes": "memory bytes",
    "energy_pj": "energy",
    "latency_ns": "time",
    "power_mw": "power",
    "latency_ticks": "latency ticks",
    **{name: title for name, title in TITLES.items() if name != "largest_output"},
    "weight_error": "weight error",
    "weight_bytes": "weight bytes",
}
"""Figures of a point with their titles."""


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "file", "--input")
    parser.add_argument(
        "--vary",
        metavar="KEY=A,B,…",
        action="append",
        default=[],
        help="an option or a field and its values; repeatable",
    )
    choices.add_option(
        parser, "--target", metavar="T[/DEVICE],…|all", help="compile every combination for these devices"
    )
    choices.add_option(parser, "--device", help="a device file of your own; repeatable", action="append")
    choices.add_options(parser, "--set")
    parser.add_argument(
        "--pareto",
        metavar="FIGURE,…",
        help="figures that decide which points are best, by default the quality and the bytes: accuracy, agreement, count_error, relative_error, memory_bytes, "
        "cores, energy_pj, latency_ns, power_mw (each by the upper end of its range), latency_ticks, weight_bytes, or a KEY",
    )
    parser.add_argument(
        "--goal",
        metavar="GOAL",
        help="search, and the condition that its result meets, such as accuracy-1pt, agreement-0.99, count_error-0.05",
    )
    parser.add_argument("--minimize", metavar="WHAT", help="quantity that the search minimizes: bytes (default)")
    choices.add_options(parser, "--labels", "--calib")
    choices.add_option(parser, "--passes", help="passes before every point")
    choices.add_options(parser, "--approximate", "--recipe", "--effort")
    parser.add_argument(
        "-j", "--jobs", metavar="N", type=int, help="number of parallel points, by default the number of cores"
    )
    parser.add_argument(
        "--scheduler",
        metavar="NAME",
        default="processes",
        help="processes (default), dask for a local cluster, or dask=tcp://HOST:PORT for a running one",
    )
    choices.add_options(parser, "--engine", "--arrays", "--axes", "--limit")
    parser.add_argument(
        "-o", metavar="DIR|FILE", help="a folder for points.jsonl, sweep.csv and sweep.svg, or a file .csv or .parquet"
    )
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    from ..api.sweeping.sweep import sweep
    from ..api.unit_values import refuse_option
    from .progress import Bar

    if args.o == "-":
        refuse_misuse(
            PROG,
            "the output of a sweep is a folder",
            "-o DIR, or a file .csv or .parquet",
            "-o -",
            "nopt sweep FILE --vary … --input X -o DIR",
        )
    if args.jobs is not None and args.jobs < 1:
        refuse_option("-j", args.jobs, "1 or more", "1")
    drop_defaults(args)
    with Bar("points") as bar:
        found = sweep(
            args.file,
            args.input,
            args.vary,
            jobs=args.jobs or os.cpu_count() or 1,
            out=args.o,
            limits=args.limit,
            progress=bar.progress,
            diagnostics=diagnostics,
            **choices.arguments(args, "target", "device", "pareto", "goal", "minimize", "labels", "calib"),
            **choices.arguments(args, "scheduler", "engine", "arrays"),
            **choices.group_options(args, FitOptions),
        )
    diagnostics.settle()
    if found.kept and args.format == "text":
        print(f"{found.kept} of {len(found.points)} points were kept in {printable_line(args.o)}", file=sys.stderr)
    show_result(args.format, found.as_json, lambda: sweep_table(found))
    if found.unfinished is not None:
        diagnostics.extend([found.unfinished])


def drop_defaults(args: argparse.Namespace) -> None:
    """Removes values of a configuration file that have no effect: the target if the sweep is a search, and the labels if the input is missing."""
    if args.goal is not None and "target" in args.origins:
        args.target = args.device = None
        args.set = []
    if args.input is None and "labels" in args.origins:
        args.labels = None


def sweep_table(found: Sweep) -> str:
    """Formats a table of the points with the best ones marked, and the figures of the original network."""
    from ..api.sweeping.ranges import RANGE_OF
    from ..api.sweeping.tables import column_value

    columns = [name for name in FIELDS if is_listed(name, found)]
    place = ["device"] if found.devices else []
    rows = [[*place, *found.keys, *(FIELDS[name] for name in columns), ""]]
    for point in found.points:
        figures = [
            RANGE_OF[name].text(point) if name in RANGE_OF else figure_text(name, column_value(point, name))
            for name in columns
        ]
        options = [str(point.options[key]) for key in found.keys]
        rows.append(
            [
                *([point.device or ""] if place else []),
                *options,
                *figures,
                point.code or ("best" if point.is_best else ""),
            ]
        )
    lines = [table(rows)]
    if found.ticks:
        from ..simulation.stimuli import extent

        before = "" if found.accuracy is None else f"accuracy {found.accuracy:.6f}, "
        size = extent(found.samples, found.ticks)
        lines.append(f"before any pass: {before}{found.weight_bytes} bytes of weights; {size}")
    lines += footer(found)
    return "\n".join([*lines, *([] if found.search is None else search_lines(found.search))])


def is_listed(name: str, found: Sweep) -> bool:
    """Returns whether the table contains a column for a figure."""
    from ..api.sweeping.tables import WEIGHTS, column_value

    is_always = name == "fits" if found.devices else name in WEIGHTS
    return is_always or any(column_value(point, name) is not None for point in found.points)


def figure_text(name: str, value: Any) -> str:
    """Formats a figure; an unknown one is empty."""
    from ..api.judging.loss_texts import loss_text
    from ..api.sweeping.points import LOSS_FIGURES

    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "accuracy" or name in LOSS_FIGURES:
        return loss_text(name, value)
    return f"{value:.3g}" if name == "weight_error" else f"{value:g}" if isinstance(value, float) else str(value)


def footer(found: Sweep) -> Iterator[str]:
    """Yields the remarks below a table: the objectives, unpublished coefficients, and the refusals."""
    from ..api.sweeping.points import value_of

    yield f"best in {' and '.join(FIELDS.get(one, one) for one in found.objectives)}"
    unknown = [one for one in found.objectives if all(value_of(point, one) is None for point in found.points)]
    if unknown:
        yield f"no point is best: no value of {' and '.join(FIELDS.get(one, one) for one in unknown)}"
    yield from unpublished_lines(found.points)
    refused: dict[str, str] = {}
    for point in found.points:
        if point.code is not None:
            refused[point.code] = point.message or ""
    yield from (f"{code}: {message}; nopt explain {code}" for code, message in refused.items())


def unpublished_lines(points: Sequence[Point]) -> Iterator[str]:
    """Yields, for each device, the unpublished coefficients that energy and latency do not include."""
    left_out = {point.device: point.unpublished for point in points if point.unpublished}
    yield from (f"{device}: costs without {', '.join(paths)}: not published" for device, paths in left_out.items())


def search_lines(search: Search) -> list[str]:
    """Formats the bits of each layer, a comparison of the result with the start, and the passes that reproduce the result."""
    from ..api.sweeping.tables import column_value

    rows = [["layer", "bits", "weight bytes", f"at {search.start_bits} bits"]]
    rows += [[one.name, str(one.bits), str(one.weight_bytes), str(one.start_bytes)] for one in search.layers]
    aim, ends = search.aim, {"start": search.start, "found": search.found}
    values = {what: column_value(point, aim.figure) for what, point in ends.items()}
    return [
        table(rows),
        f"goal {search.goal}: {aim.limit_text(search.limit)}",
        *(f"{what}: {aim.name} {values[what]:.6f}, {ends[what].weight_bytes} bytes of weights" for what in ends),
        f"to repeat it: -p {shlex.quote(search.pipeline)}",
    ]
