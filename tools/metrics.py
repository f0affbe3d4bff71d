"""Option `--metrics` of `nopt run`, and the table of NeuroBench's metrics."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..api.atomic_files import write_whole
from ..core.diagnostics import Diagnostics
from ..simulation.runs import CHIP
from . import choices, levels
from .command import json_text, refuse_misuse, show_result, table

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..api.metrics.records import NeuroBench

PROG = "nopt run"
SUFFIX = ".json"
METRICS_EXAMPLE = "nopt run FILE --input X --dt 1ms --like snntorch --metrics"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--metrics",
        action="store_true",
        help="print NeuroBench's metrics of the network on the input; -o OUT.json writes them by its names",
    )


def require_sense(args: argparse.Namespace) -> None:
    """Refuses options without effect on metrics. Errors: CLI001."""
    if not args.metrics:
        return
    others = {
        "--levels": args.levels,
        "--chips": args.chips is not None,
        "--record": args.record,
        "--report": args.report,
        "--labels": args.labels,
        "--model": args.model != CHIP,
        "--sum-order": args.sum_order != "index",
        "--max-memory": args.max_memory,
        f"--like {args.like}": levels.presets_of(args),
    }
    if (other := next((flag for flag, is_given in others.items() if is_given), None)) is not None:
        refuse_misuse(PROG, f"{other} has no effect with --metrics", f"no {other}", other, METRICS_EXAMPLE)
    if args.input is None:
        refuse_misuse(PROG, "--metrics counts operations for an input", "--input X", "no input", METRICS_EXAMPLE)
    if args.o and Path(args.o).suffix.lower() != SUFFIX:
        help = f"{METRICS_EXAMPLE} -o {shlex.quote(str(Path(args.o).with_suffix(SUFFIX)))}"
        refuse_misuse(PROG, "metrics are written as JSON", f"-o OUT{SUFFIX}", f"-o {args.o}", help)


def measure_metrics(
    args: argparse.Namespace,
    network: ModuleOp | Path,
    diagnostics: Diagnostics,
    progress: Callable[[int, int], None] | None,
) -> NeuroBench:
    """Returns the metrics of a network. Errors: CLI001 a directory of `nopt compile`."""
    from ..api.metrics.neurobench import neurobench

    if isinstance(network, Path):
        help = shlex.join(["nopt", "report", str(network), "--input", args.input, "--neurobench"])
        refuse_misuse(PROG, "--metrics runs a network before it is compiled", "a file", str(network), help)
    module, made = levels.network_after_passes(args, network, diagnostics)
    return neurobench(
        module,
        args.input,
        choices=made,
        progress=progress,
        diagnostics=diagnostics,
        **choices.arguments(args, "axes", "ticks", "engine"),
    )


def show_metrics(args: argparse.Namespace, found: NeuroBench) -> None:
    """Prints the table, or the record `nopt.neurobench/1`; `-o` gets the metrics alone, as NeuroBench writes them."""
    if args.o:
        write_whole(args.o, f"{json_text(found.metrics.as_json())}\n".encode())
    wrote = [f"wrote {args.o}"] if args.o else []
    show_result(args.format, found.as_json, lambda: "\n".join([metrics_table([found]), *wrote]))


def metrics_table(networks: Sequence[NeuroBench]) -> str:
    """Formats a table of the metrics of networks for one input, the reasons for missing ones, and what was measured."""
    from ..api.metrics.records import metric_lines, metric_rows

    head = ["metric", *(one.stage or one.network for one in networks)]
    return "\n".join([table([head, *map(list, metric_rows(networks))]), *metric_lines(networks)])
