"""Measures the time and the memory of a network on the engines of this machine, and on an emulated microcontroller.

Each engine runs in a process of its own: one sample alone, then all samples together. With --core the network is also compiled to C, and its first ticks run
on an emulated core, which counts the instructions of each op. Without --input, eight samples of 100 ticks are generated.
"""

from __future__ import annotations

import argparse

from ..api.benching.bench import SECONDS, Bench, CoreBench, EngineBench, bench
from ..core.diagnostics import Diagnostics
from ..core.number_texts import scaled_text
from ..simulation.generated_inputs import is_generated
from . import choices
from .command import refuse_misuse, show_result, table
from .progress import Bar
from .run import open_network, with_counts

PROG = "nopt bench"
IS_LONG = True
INPUT, TICKS, SAMPLES = "poisson:0.1", 100, 8
TARGET = "c/generic"
EXAMPLES = {
    "measure all engines that can be used here": ["nopt bench net.nir --input x.npy --dt 0.1ms --like norse"],
    "measure two engines with a generated input, for a program": [
        "nopt bench net.nir --input poisson:0.1 --ticks 50 --samples 4 --dt 0.1ms --like norse --engine native,numpy --format json"
    ],
}


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_option(
        parser,
        "file",
        metavar="FILE|DIR",
        help="a .nir file, IR, or a directory written by nopt compile; - is standard input",
    )
    choices.add_options(parser, "--input")
    parser.add_argument("--ticks", metavar="N", type=int, help="number of ticks of a generated input")
    parser.add_argument("--samples", metavar="N", type=int, help="number of samples of a generated input")
    choices.add_option(
        parser,
        "--engine",
        metavar="NAME,…",
        default="",
        help="engines to measure; without it, all that can be used here",
    )
    parser.add_argument(
        "--seconds", metavar="S", type=float, default=SECONDS, help="time of the measurements of each engine"
    )
    parser.add_argument("--core", metavar="CORE", help="run the compiled network on an emulated core, too: cortex-m4")
    parser.add_argument("--target", metavar="T[/DEVICE]", help=f"target of the network on the core (default: {TARGET})")
    choices.add_options(parser, "--arrays", "--axes", "--limit")
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if args.target and not args.core:
        refuse_misuse(PROG, "--target has no effect", "--core CORE", f"--target {args.target}", "--core cortex-m4")
    given = complete_input(args)
    with Bar("reading"):
        network = open_network(args, diagnostics)
    with Bar("engines") as bar:
        found = bench(
            network,
            given,
            engine=args.engine,
            core=args.core,
            target=args.target or TARGET,
            seconds=args.seconds,
            axes=args.axes,
            choices=choices.choices_of(args),
            progress=bar.progress,
            diagnostics=diagnostics,
        )
    diagnostics.settle()
    show_result(args.format, found.as_json, lambda: text_of(found, given))


def complete_input(args: argparse.Namespace) -> str:
    """Returns the input, or the generated one. Errors: CLI001 counts of another input."""
    counts: dict[str, int | None] = {"ticks": args.ticks, "samples": args.samples}
    if args.input is None:
        return with_counts(
            INPUT,
            ticks=TICKS if args.ticks is None else args.ticks,
            samples=SAMPLES if args.samples is None else args.samples,
        )
    if not is_generated(args.input):
        if (name := next((name for name, count in counts.items() if count is not None), None)) is not None:
            refuse_misuse(PROG, f"--{name} has no effect", "a generated input", str(args.input), f"--input {INPUT}")
        return args.input
    return with_counts(args.input, **counts)


def text_of(found: Bench, given: str) -> str:
    """Formats the tables of a measurement."""
    head = f"{found.samples} samples x {found.ticks} ticks of {given}"
    parts = [f"{head}\n{engine_table(found)}"]
    parts += [core_text(found.core)] if found.core is not None else []
    return "\n\n".join(parts)


def engine_table(found: Bench) -> str:
    """Formats a row for each engine that ran, and the reason of each that did not."""
    rows = [["engine", "start", "one sample", "tick", "all samples", "memory", "different entries"]]
    rows += [engine_row(one) for one in found.engines if one.reason is None]
    reasons = [f"{one.name} does not run it: {one.reason}" for one in found.engines if one.reason is not None]
    last = (
        []
        if found.reference is None
        else [f"compared with {found.reference}: {found.output_entries} entries of the outputs"]
    )
    return "\n".join([table(rows), *reasons, *last])


def engine_row(one: EngineBench) -> list[str]:
    rate = "-" if one.samples_per_second is None else f"{one.samples_per_second:.4g}/s"
    times = [scaled_text(time, "s") for time in (one.start_seconds, one.sample_seconds, one.tick_seconds)]
    return [one.name, *times, rate, scaled_text(one.peak_bytes, "byte"), str(one.different_entries)]


def core_text(core: CoreBench) -> str:
    """Formats what a tick costs on an emulated core, op by op."""
    agree = (
        "all equal to the model"
        if core.equal_ticks == core.ticks
        else f"tick {core.equal_ticks} differs from the model"
    )
    ram = f"RAM {scaled_text(core.ram_bytes, 'byte')} (stack {scaled_text(core.stack_bytes, 'byte')})"
    head = [
        f"{core.core} on {core.board}, {core.target}: {core.ticks} ticks, {agree}",
        f"{core.instructions_per_tick:.0f} instructions per tick, at most {core.longest_tick}; ROM {scaled_text(core.rom_bytes, 'byte')}, {ram}",
    ]
    rows = [["op", "instructions per tick"], *([op.name, f"{op.instructions:.0f}"] for op in core.ops)]
    return "\n".join([*head, table(rows)])
