"""Options for networks in continuous time, such as `--dt` and `--like`, of every verb that needs ticks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, cast

from ..passes.pipelines import DISCRETISE, SHORTHANDS
from .command import refuse_misuse

if TYPE_CHECKING:
    from ..api.discretisation import Choices


class AddEntries(argparse.Action):
    """A comma-separated list; each occurrence of the option appends its entries."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, *_: Any) -> None:
        entries: list[str] = [one for one in (getattr(namespace, self.dest), values) if one]
        setattr(namespace, self.dest, ",".join(entries))


class AddPasses(argparse.Action):
    """A pipeline; each occurrence of the option appends its passes."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, *_: Any) -> None:
        from ..core.ir.pipeline import unwrapped

        pipelines = [one for one in (getattr(namespace, self.dest), values) if one]
        setattr(namespace, self.dest, ",".join(map(unwrapped, pipelines)))


OPTIONS: dict[str, dict[str, Any]] = {
    "file": {"metavar": "FILE", "help": "a .nir file or IR; - is standard input"},
    "--input": {
        "metavar": "X",
        "help": "a .npy, or a .npz with an array for each input: [samples, ticks, *shape] or [ticks, *shape]; a .csv of "
        "events; or poisson:0.1, constant:1, zeros",
    },
    "--calib": {"metavar": "X", "help": "a sample input, for calibration"},
    "--labels": {"metavar": "Y", "help": "a .npy with the class of each sample, to compute the accuracy"},
    "--target": {"metavar": "T[/DEVICE]", "help": "the target (nopt targets lists them)"},
    "--device": {"metavar": "FILE.json", "help": "a device file of your own, instead of --target"},
    "--set": {
        "metavar": "FIELD=VALUE",
        "action": "append",
        "default": [],
        "help": "override a field of the device: core.neurons=64",
    },
    "--passes": {
        "metavar": "PIPELINE",
        "action": AddPasses,
        "default": "",
        "help": "passes on the network in ticks, before those of the target; may be repeated",
    },
    "--approximate": {
        "metavar": "NAME,…|all",
        "action": AddEntries,
        "help": "approximations that a device may take, on record: reset,count, or all (docs/choosing.md lists them)",
    },
    "--recipe": {
        "metavar": "NAME",
        "help": "a recipe of the device for its numbers and passes (nopt device doc lists them), instead of trials",
    },
    "--effort": {
        "metavar": "fast|normal|best",
        "help": "search for recipes on the sample input (none, the short list of the device by default, or all) and, in a compilation, for places on cores",
    },
    "--prefer": {
        "metavar": "FIGURE=WEIGHT,…",
        "default": "",
        "help": "weights of the order for --target auto: loss, cores, energy, time, memory, latency",
    },
    "--max-memory": {"metavar": "SIZE", "help": "refuse what needs more memory than, for example, 64KiB"},
    "--max-loss": {
        "metavar": "FIGURE=LIMIT,…",
        "default": "",
        "help": "refuse a larger loss on the sample input: accuracy=1pt,agreement=0.98,count_error=0.02",
    },
    "--baseline": {
        "metavar": "REPORT|DIR",
        "help": "an earlier build, or its report.json: refuse a build that is worse",
    },
    "--max-rom": {"metavar": "SIZE", "help": "refuse a build with more ROM than, for example, 40KiB"},
    "--max-energy": {"metavar": "ENERGY", "help": "refuse a build with more energy in a tick than, for example, 3nJ"},
    "--engine": {"metavar": "NAME", "default": "auto", "help": "auto, or an engine that nopt engines lists"},
    "--arrays": {
        "metavar": "DIR",
        "help": "folder of the arrays that the IR refers to, one .npy each (default: arrays next to the file)",
    },
    "--axes": {
        "metavar": "A,B,…",
        "help": "order of the leading axes of an input: samples,ticks,… (default) or ticks,samples,…; ticks,… is one sample",
    },
    "--limit": {
        "metavar": "NAME=N",
        "action": "append",
        "default": [],
        "help": "limit on a .nir file, bytes also on an input: bytes, nodes, entries, depth, seconds; repeatable",
    },
}
"""Options that verbs share."""
ALIASES = {"--passes": ("-p",)}


def add_options(parser: argparse._ActionsContainer, *names: str) -> None:
    """Adds options of `OPTIONS` to a parser."""
    for name in names:
        parser.add_argument(*ALIASES.get(name, ()), name, **OPTIONS[name])


def add_option(parser: argparse.ArgumentParser, *names: str, **changes: Any) -> None:
    """Adds an option of `OPTIONS` with changed arguments, such as another help text, or with further names."""
    parser.add_argument(*ALIASES.get(names[0], ()), *names, **OPTIONS[names[0]] | changes)


def add_bits(parser: argparse._ActionsContainer) -> None:
    """Adds the options that set the integers of a device: bits, and single values."""
    for one in SHORTHANDS:
        own = f", or the bits of a device that quantizes {one.values} itself" if one.device_field else ""
        sampled = "".join(f", with --calib also {name}={value}" for name, value in one.sample_options)
        parser.add_argument(one.option, metavar="N", type=int, help=f"{one.text('N')}{sampled}{own}")
    parser.add_argument(
        "--pin",
        metavar="NODE.PARAM=VALUE,…",
        action="append",
        default=[],
        help="set integers of the device's neurons and synapses by hand: 1.dv=163,0.weight=10",
    )


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(f"choices that a .nir file does not determine (nopt passes {DISCRETISE})")
    group.add_argument("--dt", metavar="TIME", help="length of a tick, with a unit: 0.1ms, 100us, 1e-4s")
    group.add_argument(
        "--like", metavar="NAME|FILE", help="a preset (nopt presets lists them), or a file in the neuron language"
    )
    group.add_argument(
        "--exported-by",
        metavar="NAME[@VERSION]",
        help="the framework that wrote the file, whose conventions are corrected",
    )
    group.add_argument(
        "--reset",
        metavar="RULE",
        help="effect of a spike on v: value, zero, subtract, or another that nopt presets lists",
    )
    group.add_argument(
        "--loop-delay", metavar="WHAT", help="signal that is delayed by a tick in a loop: spikes or current"
    )
    group.add_argument("--loop-delay-at", metavar="EDGES", help="the edges to delay instead: 'SOURCE->TARGET,…'")
    group.add_argument(
        "--rate-window", metavar="TICKS", type=int, help="window that counts the spikes of synapses that read rates"
    )
    for name, what in (("synapse", "synapses"), ("neuron", "spiking neurons"), ("output", "outputs of the network")):
        group.add_argument(f"--{name}-delay", metavar="TICKS", type=int, help=f"delay of {what} in ticks")
    group.add_argument(
        "--precision",
        choices=("f32", "f64"),
        help="the type of values; f64 by default, or that of the weights if the target follows them",
    )
    group.add_argument(
        "--options",
        metavar="NAME=VALUE,…",
        action=AddEntries,
        help="other options of the preset's neurons; may be repeated",
    )
    group.add_argument(
        "--options-at",
        metavar="NODE.NAME=VALUE,…",
        action=AddEntries,
        help="options of single populations: readout.reset=none; may be repeated",
    )


def arguments(args: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Returns the options with these names as arguments of a function."""
    return {name: getattr(args, name) for name in names}


def choices_of(args: argparse.Namespace) -> Choices:
    """Returns the choices of the command line."""
    from ..api.discretisation import Choices

    return cast("Choices", arguments(args, *Choices.__annotations__))


def require_target(args: argparse.Namespace, prog: str) -> None:
    """Refuses `--prefer` without an order of devices, and `--max-memory` without a device. Errors: CLI001."""
    example = f"{prog} FILE --target auto --prefer energy=2"
    if args.prefer and args.target != "auto":
        refuse_misuse(prog, "--prefer orders devices", "--target auto", f"--target {args.target}", example)
    if args.max_memory is not None and args.target is None and args.device is None:
        example = f"{prog} FILE --target auto --max-memory {args.max_memory}"
        refuse_misuse(prog, "--max-memory is a limit of a device", "--target or --device", "no device", example)
