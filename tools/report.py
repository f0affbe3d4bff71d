"""Writes the report of a build or a network as one page of HTML, which needs no network.

DIR is a directory of nopt compile. Of two directories, the page shows both builds next to each other, with the figures of nopt diff. FILE is a .nir file
or IR, and needs --dt and --like together with --input. With --input, the page shows spikes, membranes and values of the first samples; with --labels,
accuracy and loss of a build on all of them. With --measured, a log of power, energy or time of the real machine is shown next to the estimate of a build.
With --neurobench, the page of a build shows NeuroBench's metrics of all samples, before and after all passes.
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from ..api.measuring.measured import Measured, measurements
from ..api.metrics.builds import build_metrics
from ..api.metrics.records import NeuroBench
from ..api.modules import read
from ..api.report.pages import is_page, write_report
from ..api.report.parts.measured import RAIL_HEAD, TIME_HEAD, measured_lines, rail_row, time_row
from ..core.diagnostics import Diagnostics
from . import choices
from .command import no_effect, refuse_misuse, show_result, table
from .metrics import metrics_table
from .progress import Bar

PROG = "nopt report"
PAGE = "report.html"
ONE_BUILD = "one directory of nopt compile"
IS_LONG = True
EXAMPLES = {
    "a page about a network": ["nopt report net.nir --input x.npy --dt 1ms --like norse -o report.html"],
    "a page about a build": ["nopt report build8 --input x.npy --labels y.npy -o build8.html"],
    "a page about a build, with a power log of the real machine": ["nopt report build-mesh --measured power.csv"],
    "a page about a build, with NeuroBench's metrics": ["nopt report build8 --input x.npy --neurobench"],
    "a page about two builds": ["nopt report build8 build4 --input x.npy -o both.html"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_option(parser, "file", metavar="DIR|FILE", help="a directory of nopt compile, a .nir file, or IR")
    parser.add_argument("other", metavar="DIR", nargs="?", help="the directory of a second build, for a comparison")
    choices.add_options(parser, "--input")
    parser.add_argument(
        "-o",
        metavar="OUT",
        help="the page; by default report.html in DIR, or in the current folder for a FILE or two builds",
    )
    parser.add_argument(
        "--measured",
        metavar="FILE.csv",
        help="a log of the real machine, with units in its header: time_s,power_mW,phase or sample,energy_uJ,time_ms",
    )
    parser.add_argument(
        "--neurobench",
        action="store_true",
        help="NeuroBench's metrics of a build, before and after all passes, for the samples of --input",
    )
    choices.add_options(parser, "--labels", "--arrays", "--axes", "--limit")
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    for name in (args.file, args.other) if args.other is not None else ():
        if not os.path.isdir(name):
            help = f"nopt compile {name} --target NAME -o build, then {PROG} build OTHER"
            refuse_misuse(PROG, "only builds are compared", "two directories of nopt compile", name, help)
    is_build = args.file != "-" and os.path.isdir(args.file)
    source = (
        Path(args.file) if is_build else read(args.file, arrays=args.arrays, limits=args.limit, diagnostics=diagnostics)
    )
    made = choices.choices_of(args)
    typed = [f"--{name.replace('_', '-')}" for name, value in made.items() if value is not None] if is_build else []
    if args.axes is not None and args.input is None:
        typed.append("--axes")
    if args.labels is not None and (args.input is None or not is_build):
        expected = (
            "a directory of nopt compile, with --input" if not is_build else "--input X, the samples of the labels"
        )
        refuse_misuse(
            PROG,
            no_effect(["--labels"]),
            expected,
            "--labels",
            f"nopt report {args.file if is_build else 'DIR'} --input X --labels {args.labels}",
        )
    if args.measured is not None and (not is_build or args.other is not None):
        example = f"nopt report {args.file if is_build else 'DIR'} --measured {args.measured}"
        refuse_misuse(PROG, no_effect(["--measured"]), ONE_BUILD, "--measured", example)
    if args.neurobench and (not is_build or args.other is not None or args.input is None):
        expected = "--input X, the samples to count" if is_build and args.other is None else ONE_BUILD
        example = f"nopt report {args.file if is_build else 'DIR'} --input {args.input or 'X'} --neurobench"
        refuse_misuse(PROG, no_effect(["--neurobench"]), expected, "--neurobench", example)
    if typed:
        refuse_misuse(PROG, no_effect(typed), f"no {typed[0]}", ", ".join(typed), f"nopt report {args.file} --input X")
    out = args.o or str(Path(args.file) / PAGE if is_build and args.other is None else Path(PAGE))
    if args.o is None and os.path.lexists(out) and not (os.path.isfile(out) and is_page(out)):
        message, other = "the page would replace a file that nopt did not write", out.replace(".html", "-2.html")
        words = shlex.join([*args.typed, "-o", other])
        refuse_misuse(PROG, message, "an unused name, or a page of nopt", out, f"{PROG} {words}")
    found = None if args.measured is None else measurements(args.file, args.measured)
    metrics: tuple[NeuroBench, ...] = ()
    if args.neurobench:
        with Bar("metrics") as bar:
            metrics = build_metrics(
                args.file, args.input, axes=args.axes, progress=bar.progress, diagnostics=diagnostics
            )
    with Bar("report") as bar:
        write_report(
            out,
            source,
            args.input,
            other=args.other,
            axes=args.axes,
            labels=args.labels,
            measured=found,
            metrics=metrics,
            progress=bar.progress,
            diagnostics=diagnostics,
            **made,
        )
    record = {"schema": "nopt.page/1", "written": out, **({} if found is None else {"measured": found.as_json()})}
    if metrics:
        record["neurobench"] = [one.as_json() for one in metrics]
    lines = [
        f"wrote {out}: {os.path.getsize(out) // 1024 + 1} KiB",
        *measured_summary(found),
        *([metrics_table(metrics)] if metrics else []),
    ]
    show_result(args.format, lambda: record, lambda: "\n".join(lines))


def measured_summary(found: Measured | None) -> Iterator[str]:
    """Yields what was measured, and a table with the estimate."""
    if found is not None:
        yield from measured_lines(found)
        yield table([RAIL_HEAD, *(rail_row(one, found) for one in found.rails)]) if found.rails else ""
        yield table([TIME_HEAD, time_row(found)])
