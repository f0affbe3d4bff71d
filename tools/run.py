"""Runs a network with an input, and writes the outputs, or prints a table of them.

FILE is a .nir file, which needs --dt and --like, or IR of any level; the model of its target runs a compiled network. The output of a node is recorded by its name, a state by
NODE.v, NODE.i and so on. With several presets, --like norse,snntorch, a table compares each with the first.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING

from ..api.modules import read
from ..api.running.array_writers import save, writer_of
from ..api.running.learning import MODES
from ..api.running.run import Result, execute, require_threads
from ..core.diagnostics import Diagnostics
from ..core.number_texts import percent_text, scaled_text
from ..core.processors import limited_processors
from ..simulation.generated_inputs import is_generated
from ..simulation.runs import CHIP, MODEL_KINDS
from . import batches, chips, choices, levels, metrics
from .command import refuse_misuse, show_result, table
from .progress import Bar

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..api.options import Choices
    from ..api.running.chip_records import ChipRuns

PROG = "nopt run"
IS_LONG = True
HAS_DETAILS = True
RUN_EXAMPLE = "nopt run net.nir --input x.npy --dt 0.1ms --like norse -o out.npz"
EXAMPLES = {
    "write the outputs to a file": [RUN_EXAMPLE],
    "print a table for a generated input, with a state": [
        "nopt run net.nir --input poisson:0.1 --ticks 100 --dt 0.1ms --like norse --record lif.v"
    ],
    "compare the levels of a network, after passes": [
        "nopt run net.nir --input x.npy --dt 0.1ms --like norse --levels -p 'ntensor-quantize-weights{bits=4}'"
    ],
    "compare the rules of frameworks": ["nopt run net.nir --input x.npy --dt 0.1ms --like norse,snntorch"],
    "count operations and memory by NeuroBench's definitions": [
        "nopt run net.nir --input x.npy --dt 1ms --like snntorch --reset subtract_next --precision f32 --metrics"
    ],
    "run a compiled network": ["nopt run build8 --input x.npy"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_option(
        parser,
        "file",
        metavar="FILE|DIR",
        help="a .nir file, IR, or a directory written by nopt compile; - is standard input",
    )
    choices.add_options(parser, "--input")
    parser.add_argument(
        "--record",
        metavar="NODE,…",
        action="append",
        default=[],
        help="additional values to write: NODE, NODE.v; may be repeated",
    )
    parser.add_argument("--ticks", metavar="N", type=int, help="number of ticks; a shorter input is padded with zeros")
    parser.add_argument("--samples", metavar="N", type=int, help="number of samples of a generated input")
    parser.add_argument(
        "--sum-order", choices=("index", "fast"), default="index", help="index: reproducible to the last bit"
    )
    parser.add_argument(
        "--threads", metavar="N", type=int, help="threads of the engine; default: one for each processor"
    )
    parser.add_argument(
        "--model",
        choices=MODEL_KINDS,
        default=CHIP,
        help="for a directory: run the compiled network, or its ntensor",
    )
    parser.add_argument(
        "-o",
        metavar="OUT",
        help="the output file: .npz, .npy (one array), .csv or .h5; without it, a table is printed",
    )
    parser.add_argument("--report", metavar="OUT", help="write a page of figures about the run: .html")
    parser.add_argument(
        "--host-log",
        metavar="OUT",
        help="write time and energy of each sample on this machine, for nopt report BUILD --measured: .csv",
    )
    parser.add_argument(
        "--learn",
        choices=MODES,
        default=MODES[0],
        help="plastic synapses: each sample starts with the weights of the network, continues with those of the sample before it, or learns nothing",
    )
    parser.add_argument(
        "--save-weights", metavar="OUT", help="write the weights at the end, for nopt import-weights: .npz"
    )
    levels.configure(parser)
    metrics.configure(parser)
    chips.configure(parser)
    batches.configure(parser)
    choices.add_options(parser, "--engine", "--max-memory", "--arrays", "--axes", "--limit")
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if args.o == "-":
        refuse_misuse(PROG, "arrays are not text", "-o OUT.npz", "-o -", "nopt run FILE --input X -o out.npz")
    metrics.require_sense(args)
    if args.o and not args.metrics:
        writer_of(args.o)  # refuses an unknown suffix before the run
    complete_input(args)
    if args.report:
        from ..api.report.drawings import require_packages

        require_packages("jinja2")
        if args.levels or not args.input:
            other = "--levels" if args.levels else "no input"
            refuse_misuse(
                PROG, "--report draws one run", "--input X, without --levels", other, f"{RUN_EXAMPLE} --report out.html"
            )
    if args.host_log and (args.levels or args.chips is not None or not args.input):
        other = "no input" if not args.input else "--levels" if args.levels else "--chips"
        expected = "--input X, without --levels and --chips"
        refuse_misuse(PROG, "--host-log measures one run", expected, other, f"{RUN_EXAMPLE} --host-log host.csv")
    levels.require_sense(args)
    require_learning_sense(args)
    chips.require_sense(args)
    batches.require_samples(args)
    require_threads(args.threads)
    with limited_processors(args.threads):
        show_run(args, diagnostics)


def require_learning_sense(args: argparse.Namespace) -> None:
    """Refuses modes of learning that another kind of run lacks. Errors: CLI001."""
    flag = "--save-weights" if args.save_weights is not None else "--learn" if args.learn != MODES[0] else None
    others = {"--levels": args.levels, "--metrics": args.metrics, "--chips": args.chips is not None}
    others |= {"--scheduler": args.scheduler is not None, "a list in --like": bool(levels.presets_of(args))}
    other = next((name for name, is_given in others.items() if is_given), None)
    if flag is not None and other is not None:
        refuse_misuse(
            PROG, f"{flag} has no effect with {other}", f"no {other}", other, f"{RUN_EXAMPLE} --learn continue"
        )
    if args.save_weights is not None and not args.save_weights.endswith(".npz"):
        example = f"{RUN_EXAMPLE} --save-weights trained.npz"
        refuse_misuse(PROG, "weights are written as .npz", "--save-weights OUT.npz", args.save_weights, example)


def show_run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    """Runs a network, its levels or its chips, and prints and writes the results."""
    with Bar("reading"):
        given = open_network(args, diagnostics)
    if args.chips is not None:
        with Bar() as bar:
            runs = chips.measure_chips(args, given, diagnostics, bar.progress)
        diagnostics.settle()
        pages = [write_page(args, given, {}, diagnostics, runs)] if args.report else []
        return chips.show(args, runs, pages)
    if args.metrics:
        with Bar() as bar:
            measured = metrics.measure_metrics(args, given, diagnostics, bar.progress)
        diagnostics.settle()
        return metrics.show_metrics(args, measured)
    if args.levels or levels.presets_of(args):
        with Bar() as bar:
            found = levels.measure_levels(args, given, diagnostics, bar.progress)
        return levels.show(args, found, diagnostics)
    with Bar() as bar:
        network, made = levels.network_after_passes(args, given, diagnostics)
        if args.scheduler is not None:
            result = batches.execute_on_cluster(args, network, made, bar.progress, diagnostics)
        else:
            result = execute(
                network,
                args.input or {},
                progress=bar.progress,
                diagnostics=diagnostics,
                choices=made,
                learn=args.learn,
                saves_weights=args.save_weights is not None,
                **choices.arguments(args, "axes", "record", "ticks", "engine", "sum_order", "model", "max_memory"),
            )
    states = {name for text in args.record for name in (text, *text.split(","))}
    if args.labels:
        result = result.with_accuracy(args.labels, states)
    diagnostics.settle()
    pages = [write_page(args, network, made, diagnostics)] if args.report else []
    pages += [write_host_log(args, network, made, diagnostics)] if args.host_log else []
    if args.save_weights is not None:
        save(args.save_weights, result.weights, has_samples=False)
    if args.o:
        with Bar("writing"):
            save(
                args.o,
                result.arrays,
                has_samples=result.has_samples,
                tick_ns=result.tick_ns,
                nodes=result.nodes,
            )
        batches.remove_parts(args)
    summary = describe_file(args.o, result) if args.o else result_table(result, states)
    accuracy = [] if result.accuracy is None else [f"accuracy: {percent_text(result.accuracy)}"]
    show_result(args.format, result.as_json, lambda: "\n".join([*accuracy, summary, *pages]))


def write_page(
    args: argparse.Namespace,
    network: ModuleOp | Path,
    made: Choices,
    diagnostics: Diagnostics,
    runs: ChipRuns | None = None,
) -> str:
    """Writes the page of a run or of manufactured chips, and returns a line with its name."""
    from ..api.report.pages import write_report

    with Bar("report") as bar:
        write_report(
            args.report,
            network,
            args.input,
            axes=args.axes,
            chips=runs,
            record=args.record,
            learn=args.learn,
            progress=bar.progress,
            diagnostics=diagnostics,
            **made,
        )
    return f"wrote {args.report}"


def write_host_log(args: argparse.Namespace, network: ModuleOp | Path, made: Choices, diagnostics: Diagnostics) -> str:
    """Measures the samples on this machine, writes the log, and returns a line with the means."""
    from ..api.measuring.host_log import measure_host, write_log

    with Bar("measuring this machine") as bar:
        options = choices.arguments(args, "engine", "axes")
        log = measure_host(network, args.input, choices=made, diagnostics=diagnostics, progress=bar.progress, **options)
    write_log(args.host_log, log)
    energy = "energy not shown to this user" if log.mean_energy_uj is None else scaled_text(log.mean_energy_uj, "uJ")
    time = scaled_text(log.mean_time_s, "s")
    return f"wrote {args.host_log}: {time} and {energy} per sample on this machine, engine {log.engine}"


def complete_input(args: argparse.Namespace) -> None:
    """Adds `--ticks`, `--samples` and `--seed` to a generated input. Errors: CLI001 samples of another input."""
    if not is_generated(args.input):
        if args.samples is not None:
            example = f"{PROG} FILE --input poisson:0.1 --samples {args.samples}"
            refuse_misuse(PROG, "--samples has no effect", "a generated input", str(args.input or "no input"), example)
        return
    args.input = with_counts(args.input, ticks=args.ticks, samples=args.samples, seed=args.seed)
    if args.chips is None:
        args.seed = None


def with_counts(given: str, **counts: int | None) -> str:
    """Returns a generated input with its counts, such as the number of ticks."""
    return given + "".join(f",{name}={count}" for name, count in counts.items() if count is not None)


def open_network(args: argparse.Namespace, diagnostics: Diagnostics) -> ModuleOp | Path:
    """Returns the network to run: a module, or the directory that `nopt compile` wrote."""
    if args.file != "-" and os.path.isdir(args.file):
        return Path(args.file)
    return read(args.file, arrays=args.arrays, limits=args.limit, diagnostics=diagnostics)


def describe_file(path: str, result: Result) -> str:
    """Summarises the contents of a file of arrays in one line."""
    shown = [f"{name} {'x'.join(map(str, array.shape))} {array.dtype}" for name, array in result.arrays.items()]
    more = f" and {len(shown) - MANY} more" if len(shown) > MANY else ""
    return f"wrote {path}: {', '.join(shown[:MANY]) or 'no array'}{more}; {engine_text(result)}, {result.extent}"


def result_table(result: Result, recorded: Container[str]) -> str:
    """Formats a table of the outputs, with the engine and the times of the run. Recorded real numbers are not summed over ticks."""
    rows = [["name", "shape", "type", "total", "argmax"]]
    for name, array in result.arrays.items():
        if name in recorded and array.dtype.kind == "f":
            rows.append([name, "x".join(map(str, array.shape)), str(array.dtype), "", ""])
            continue
        best = result.argmax(name)
        shown = ", ".join(map(str, best[:8])) + (", …" if len(best) > 8 else "")
        rows.append([name, "x".join(map(str, array.shape)), str(array.dtype), f"{result.total(name):g}", shown])
    times = f"{result.seconds:.3f} s, setup {result.start_seconds:.3f} s"
    return f"{table(rows)}\n{engine_text(result)}: {times}; {result.extent}"


def engine_text(result: Result) -> str:
    return "model of the target" if result.engine == CHIP else f"engine {result.engine}"


MANY = 4
"""Maximum number of arrays that are listed in a line."""
