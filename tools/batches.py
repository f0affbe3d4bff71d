"""Options `--scheduler` and `--batch` of `nopt run`: the samples of a run on the workers of a cluster."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.diagnostics import Diagnostics
from . import choices, levels
from .command import refuse_misuse

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..api.options import Choices
    from ..api.running.run import Result

PROG = "nopt run"
SUFFIX = ".parts"
"""Suffix of the folder next to the output file that keeps finished batches."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scheduler",
        metavar="NAME",
        help="run batches of samples on dask, a cluster of this machine, or dask=tcp://HOST:PORT, a running one; with -o, an interrupted run continues",
    )
    parser.add_argument("--batch", metavar="N", type=int, help="samples of a batch for --scheduler")


def require_samples(args: argparse.Namespace) -> None:
    """Refuses options that a run on a cluster ignores. Errors: CLI001."""
    if args.scheduler is None:
        if args.batch is not None:
            refuse_misuse(
                PROG, "--batch has no effect", "--scheduler dask", f"--batch {args.batch}", "--scheduler dask"
            )
        return
    others = {
        "--levels": args.levels,
        "--chips": args.chips is not None,
        "--metrics": args.metrics,
        "--host-log": args.host_log,
        "--max-memory": args.max_memory,
        "--threads": args.threads is not None,
        "--sum-order fast": args.sum_order != "index",
        f"--like {args.like}": levels.presets_of(args),
    }
    example = "nopt run FILE --input X --dt 1ms --like norse -o out.npz --scheduler dask"
    if (other := next((flag for flag, is_given in others.items() if is_given), None)) is not None:
        refuse_misuse(PROG, f"{other} has no effect with --scheduler", f"no {other}", other, example)
    if not args.input:
        refuse_misuse(PROG, "--scheduler runs batches of samples", "--input X", "no input", example)


def execute_on_cluster(
    args: argparse.Namespace,
    network: ModuleOp | Path,
    made: Choices,
    progress: Callable[[int, int], None] | None,
    diagnostics: Diagnostics,
) -> Result:
    """Runs a network in batches."""
    from ..api.clusters.batched_run import execute_batches

    return execute_batches(
        network,
        args.input,
        parts=kept_batches(args),
        progress=progress,
        diagnostics=diagnostics,
        choices=made,
        **choices.arguments(args, "scheduler", "batch", "axes", "record", "ticks", "engine", "model"),
    )


def kept_batches(args: argparse.Namespace) -> Path | None:
    """Returns the folder of finished batches; None for a run without an output file."""
    return Path(f"{args.o}{SUFFIX}") if args.o else None


def remove_parts(args: argparse.Namespace) -> None:
    """Removes the batches of a run whose outputs are written."""
    if args.scheduler is not None and (kept := kept_batches(args)) is not None:
        shutil.rmtree(kept)
