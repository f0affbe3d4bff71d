"""Runs a network with every combination of pass options, and reports the cost and the effect of each.

With --goal it searches the bits of the weights of each layer that need the fewest bytes, and prints the passes that repeat the result.

KEY is SHORT.OPTION, where SHORT is short for the pass ntensor-quantize-SHORT, or PASS.OPTION with the full name of a pass. With -o, each
finished point is saved, and the same command resumes an interrupted sweep. A refused point is listed with its code.
"""

from __future__ import annotations

import argparse
import os
import shlex

from ..api.sweep_search import GOALS, Search
from ..api.sweeping import Sweep, sweep
from ..api.values import refuse_option
from ..core.diagnostics import Diagnostics
from ..simulation.stimuli import extent
from . import choices
from .command import refuse_misuse, settle, show_result, table
from .run import Bar

PROG = "nopt sweep"
EXAMPLE = "nopt sweep net.nir --vary weights.bits=2,4,8 --vary weights.per=tensor,row --input x.npy --dt 1ms --like norse -o sweep"


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "file", "--input")
    parser.add_argument(
        "--vary", metavar="KEY=A,B,…", action="append", default=[], help="an option and its values; repeatable"
    )
    parser.add_argument(
        "--goal", metavar="GOAL", help=f"search, and the condition that its result meets, such as {', '.join(GOALS)}"
    )
    parser.add_argument("--minimize", metavar="WHAT", help="quantity that the search minimizes: bytes (default)")
    choices.add_options(parser, "--labels", "--calib")
    choices.add_option(parser, "--passes", help="passes before every point")
    parser.add_argument("-j", metavar="N", type=int, help="number of parallel points, by default the number of cores")
    choices.add_options(parser, "--engine", "--arrays", "--axes", "--limit")
    parser.add_argument("-o", metavar="DIR", help="a folder for points.jsonl, sweep.csv and sweep.svg")
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if args.o == "-":
        refuse_misuse(
            PROG, "the output of a sweep is a folder", "-o DIR", "-o -", "nopt sweep FILE --vary … --input X -o DIR"
        )
    if args.j is not None and args.j < 1:
        refuse_option("-j", args.j, "1 or more", "1")
    with Bar("points") as bar:
        found = sweep(
            args.file,
            args.input if args.input is not None else {},
            args.vary,
            jobs=args.j or os.cpu_count() or 1,
            out=args.o,
            limits=args.limit,
            progress=bar.progress,
            diagnostics=diagnostics,
            **choices.arguments(args, "goal", "minimize", "axes", "labels", "calib", "passes", "engine", "arrays"),
            **choices.choices_of(args),
        )
    settle(diagnostics, args.strict)
    show_result(args.format, found.as_json, lambda: sweep_table(found))


def sweep_table(found: Sweep) -> str:
    """Formats a table of the points with the best ones marked, and the figures of the original network."""
    columns = ["accuracy", "rate cos", "bin cos", "weight error", "weight bytes", ""]
    rows = [[*found.keys, *columns]]
    for point in found.points:
        figures = [
            *("" if x is None else f"{x:.6f}" for x in (point.accuracy, point.rate_cosine, point.bin_cosine)),
            "" if point.weight_error is None else f"{point.weight_error:.3g}",
            "" if point.weight_bytes is None else str(point.weight_bytes),
            point.code or ("best" if point.is_best else ""),
        ]
        rows.append([*(str(point.options[key]) for key in found.keys), *figures])
    before = "" if found.accuracy is None else f"accuracy {found.accuracy:.6f}, "
    refused = {point.code: point.message for point in found.points if point.code is not None}
    size = extent(found.samples, found.ticks)
    lines = [table(rows), f"before any pass: {before}{found.weight_bytes} bytes of weights; {size}"]
    lines += [f"{code}: {message}; nopt explain {code}" for code, message in refused.items()]
    return "\n".join([*lines, *([] if found.search is None else search_lines(found.search))])


def search_lines(search: Search) -> list[str]:
    """Formats the bits of each layer, the result against the start, and the passes that repeat it."""
    rows = [["layer", "bits", "weight bytes", f"at {search.start_bits} bits"]]
    rows += [[one.name, str(one.bits), str(one.weight_bytes), str(one.start_bytes)] for one in search.layers]
    name, start, end = search.score.replace("_", " "), search.start, search.found
    return [
        table(rows),
        f"goal {search.goal}: {name} of at least {search.limit:.6f}",
        f"start: {name} {getattr(start, search.score):.6f}, {start.weight_bytes} bytes of weights",
        f"found: {name} {getattr(end, search.score):.6f}, {end.weight_bytes} bytes of weights",
        f"to repeat it: -p {shlex.quote(search.pipeline)}",
    ]
