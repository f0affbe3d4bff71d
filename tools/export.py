"""Writes a network for another tool: a module of PyTorch that computes as a device does, weights for the framework's network, or a program for Brian 2.

--torch: FILE.py, its arrays in FILE.npz, and the legalised network in FILE.mlir. FILE.py needs only torch and numpy. Its parameters are the weights and biases
of the trained network; each run quantizes them as the device does, and computes with these numbers exactly. Comparisons that decide about spikes have a surrogate
gradient, so that the network can be trained for the device. After the training, nopt import-weights FILE.mlir trained.pt -o trained.mlir sets its numbers in the
network, and nopt compile trained.mlir keeps them.

--state-dict: the weights of FILE for the network that nopt import took, FILE.py:NAME of --into. Both run on --input; the exit code is 1 if an output differs.

--brian2: FILE.py and its arrays in FILE.npz, which compute the spikes of nopt run in Brian 2: python FILE.py IN.npz OUT.npz.
"""

from __future__ import annotations

import argparse
from typing import Any

from ..api.exporting.brian2.export_brian2 import export_brian2
from ..api.exporting.export_torch import export_torch
from ..api.exporting.state_dict.export_state_dict import export_state_dict
from ..api.importing.import_network import DEFAULT_INPUT
from ..api.modules import read
from ..api.options import Choices, Declared, GradientOptions, TrainableOptions, declared
from ..core.diagnostics import Diagnostics
from ..core.help_text import Phrase, WithoutOptions
from . import chips, choices
from .command import no_effect, refuse_misuse, show_result
from .exported import describe_module, describe_program, describe_state
from .progress import Bar

PROG = "nopt export"
IS_LONG = True
EXPORT_EXAMPLE = "nopt export net.nir --torch --target c/int8 --dt 1ms --like norse --calib x.npy -o chip.py"
STATE_EXAMPLE = "nopt export quantized.mlir --state-dict --into train.py:make_network -o quantized.pt"
EXAMPLES = {
    "the network as integers in C compute it": [EXPORT_EXAMPLE],
    "the network as a chip computes it, with a narrower surrogate gradient": [
        "nopt export net.nir --torch --target loihi2/oheo_gulch --dt 1ms --like norse --surrogate-width 0.2 -o chip.py"
    ],
    "quantised weights for the network of the framework": [STATE_EXAMPLE],
}
BRIAN_EXAMPLE = "nopt export net.nir --brian2 --dt 1ms --like norse -o net_brian.py"
EXAMPLES["the network as a program for Brian 2"] = [BRIAN_EXAMPLE]
OUTPUTS = {
    "torch": ("-o FILE.py", "-o chip.py"),
    "state_dict": ("-o FILE.pt", "-o weights.pt"),
    "brian2": ("-o FILE.py", "-o net_brian.py"),
}
"""The output of each format, and an example."""
STATE_OPTIONS = ("into", "input", "allow_differing")
USED = {"state_dict": ("dt", "precision", "axes"), "brian2": ("passes", *declared(Choices))}
"""Options of the groups that a format other than a module has."""


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "file")
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--torch", action="store_true", help="write a module of PyTorch")
    formats.add_argument("--brian2", action="store_true", help="write a program for Brian 2")
    formats.add_argument("--state-dict", action="store_true", help="write a state_dict of the framework's network")
    choices.add_options(parser, "--target", "--device", "--set", "--passes", "--approximate", "--calib", "--axes")
    choices.add_options(parser, "--recipe", "--effort")
    choices.add_options(parser, "--weight-bits", "--state-bits", "--pin")
    choices.add_group(parser.add_argument_group("gradients"), GradientOptions)
    group = chips.configure_mismatch(parser)
    group.add_argument("--seed", metavar="S", type=int, help="with --mismatch: the seed of the chips; 0 by default")
    group = parser.add_argument_group("state dictionary")
    group.add_argument(
        "--into", metavar="FILE.py:NAME", help="the network of the framework, or a function that makes it"
    )
    group.add_argument("--input", metavar="X", help="the input of the comparison: x.npy, or poisson:0.2 (the default)")
    group.add_argument("--allow-differing", metavar="SHARE", type=float, help="permitted share of differing entries")
    parser.add_argument(
        "-o",
        dest="out",
        metavar="OUT",
        help="the output: FILE.py (FILE.npz and FILE.mlir are written, too), or FILE.pt",
    )
    choices.add_options(parser, "--arrays", "--limit")
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    format = next((name for name in OUTPUTS if getattr(args, name)), None)
    if format is None:
        flags = ", ".join(map(flag_of, OUTPUTS))
        refuse_misuse(PROG, "no format is specified", flags, "neither", "--torch")
    if args.out is None:
        message = "the following arguments are required: -o"
        expected, help = OUTPUTS[format]
        refuse_misuse(PROG, message, expected, "neither", help)
    refuse_unused(args, format)
    {"torch": export_module, "state_dict": export_weights, "brian2": export_program}[format](args, diagnostics)


def flag_of(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def refuse_unused(args: argparse.Namespace, format: str) -> None:
    """Refuses options that the format does not have. Errors: CLI001."""
    unused = [name for name in STATE_OPTIONS if format != "state_dict" and getattr(args, name) is not None]
    if format != "torch":
        groups, used = declared(TrainableOptions), USED[format]
        unused += [name for name, one in groups.items() if name not in used and is_given(getattr(args, one.dest), one)]
        unused += [name for name in ("mismatch", "chips", "seed") if getattr(args, name)]
    if unused:
        flags = list(map(flag_of, unused))
        expected = "--state-dict" if unused[0] in STATE_OPTIONS else f"options of {flag_of(format)}"
        typed = tuple(one for flag in flags for one in (("-p", flag) if flag == "--passes" else (flag,)))
        found = f"{' '.join(flags)} with {flag_of(format)}"
        refuse_misuse(PROG, no_effect(flags), expected, found, Phrase(WithoutOptions(typed)))


def is_given(value: Any, one: Declared) -> bool:
    return value not in (one.option.default, None, False, "", [])


def network_of(args: argparse.Namespace, diagnostics: Diagnostics) -> Any:
    if args.file == "-" or args.arrays or args.limit:
        return read(args.file, arrays=args.arrays, limits=args.limit, diagnostics=diagnostics)
    return args.file


def export_module(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    draw = chips.draw_of(args, {"--chips": args.chips, "--seed": args.seed}, PROG)
    with Bar("passes") as bar:
        exported = export_torch(
            network_of(args, diagnostics),
            mismatch=draw,
            progress=bar.progress,
            diagnostics=diagnostics,
            **choices.arguments(args, "out", "strict"),
            **choices.group_options(args, TrainableOptions),
        )
    diagnostics.settle()
    show_result(args.format, exported.as_json, lambda: describe_module(exported))


def export_weights(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if args.into is None:
        message = "the following arguments are required: --into"
        refuse_misuse(PROG, message, "--into FILE.py:NAME", "neither", "--into FILE.py:NAME")
    with Bar("export and runs") as bar:
        exported = export_state_dict(
            network_of(args, diagnostics),
            args.into,
            args.out,
            input=args.input or DEFAULT_INPUT,
            allow_differing=args.allow_differing or 0.0,
            progress=bar.progress,
            diagnostics=diagnostics,
            **choices.arguments(args, "axes", "dt", "precision"),
        )
    diagnostics.settle()
    show_result(args.format, exported.as_json, lambda: describe_state(exported))


def export_program(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    with Bar("passes") as bar:
        exported = export_brian2(
            network_of(args, diagnostics),
            out=args.out,
            passes=args.passes,
            progress=bar.progress,
            diagnostics=diagnostics,
            **choices.choices_of(args),
        )
    diagnostics.settle()
    show_result(args.format, exported.as_json, lambda: describe_program(exported))
