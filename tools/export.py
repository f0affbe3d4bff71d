"""Writes a network for another tool: as a module of PyTorch that computes as a device does, or its weights as a state dictionary of the framework's network.

--torch: FILE.py, its arrays in FILE.npz, and the legalised network in FILE.mlir. FILE.py needs only torch and numpy. Its parameters are the weights and biases
of the trained network; each run quantizes them as the device does, and computes with these numbers exactly. Comparisons that decide about spikes have a surrogate
gradient, so that the network can be trained for the device. After the training, nopt import-weights FILE.mlir trained.pt -o trained.mlir sets its numbers in the
network, and nopt compile trained.mlir keeps them.

--state-dict: the weights of FILE for the network that nopt import took, FILE.py:NAME of --into. Both run on --input; the exit code is 1 if an output differs.
"""

from __future__ import annotations

import argparse
from typing import Any

from ..api.exporting.export_torch import export_torch
from ..api.exporting.state_dict.export_state_dict import export_state_dict
from ..api.importing.import_network import DEFAULT_INPUT
from ..api.modules import read
from ..api.options import GradientOptions, TrainableOptions, declared
from ..core.diagnostics import Diagnostics
from . import chips, choices
from .command import no_effect, refuse_misuse, show_result
from .exported import describe_module, describe_state
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
STATE_OPTIONS = ("into", "input", "allow_differing")
USED = {"state_dict": ("dt", "precision", "axes")}
"""Options of the groups that a format other than a module has."""


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "file")
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--torch", action="store_true", help="write a module of PyTorch")
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
    if not (args.torch or args.state_dict):
        refuse_misuse(PROG, "no format is specified", "--torch or --state-dict", "neither", EXPORT_EXAMPLE)
    if args.out is None:
        message = "the following arguments are required: -o"
        refuse_misuse(PROG, message, "-o FILE.py" if args.torch else "-o FILE.pt", "neither", example_of(args))
    refuse_unused(args)
    if args.torch:
        export_module(args, diagnostics)
    else:
        export_weights(args, diagnostics)


def example_of(args: argparse.Namespace) -> str:
    return EXPORT_EXAMPLE if args.torch else STATE_EXAMPLE


def refuse_unused(args: argparse.Namespace) -> None:
    """Refuses options that the format does not have. Errors: CLI001."""
    unused = [name for name in STATE_OPTIONS if args.torch and getattr(args, name) is not None]
    if not args.torch:
        groups = declared(TrainableOptions)
        used = USED["state_dict"]
        unused += [
            name
            for name, one in groups.items()
            if name not in used and getattr(args, one.dest) not in (one.option.default, None, False, "", [])
        ]
        unused += [name for name in ("mismatch", "chips", "seed") if getattr(args, name)]
    if unused:
        flags = [f"--{name.replace('_', '-')}" for name in unused]
        expected = "--state-dict" if args.torch else "options of --state-dict"
        refuse_misuse(PROG, no_effect(flags), expected, "--torch" if args.torch else "--state-dict", example_of(args))


def network_of(args: argparse.Namespace, diagnostics: Diagnostics) -> Any:
    if args.file == "-" or args.arrays or args.limit:
        return read(args.file, arrays=args.arrays, limits=args.limit, diagnostics=diagnostics)
    return args.file


def export_module(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    draw = chips.draw_of(args, {"--chips": args.chips, "--seed": args.seed}, PROG, EXPORT_EXAMPLE)
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
        refuse_misuse(PROG, message, "--into FILE.py:NAME", "neither", STATE_EXAMPLE)
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
