"""Writes a network, as a device computes it, as a module of PyTorch: FILE.py, its arrays in FILE.npz, and the legalised network in FILE.mlir.

FILE.py needs only torch and numpy. Its parameters are the weights and biases of the trained network; each run quantizes them as the device does, and
computes with these numbers exactly. Comparisons that decide about spikes have a surrogate gradient, so that the network can be trained for the device.

After the training, nopt import-weights FILE.mlir trained.pt -o trained.mlir sets its numbers in the network, and nopt compile trained.mlir keeps them.
"""

from __future__ import annotations

import argparse
from typing import Any

from ..api.exporting.export_torch import Exported, export_torch
from ..api.modules import read
from ..api.options import GradientOptions, TrainableOptions
from ..core.diagnostics import Diagnostics
from ..core.number_texts import counted_text
from . import chips, choices
from .command import refuse_misuse, show_result, table
from .progress import Bar

PROG = "nopt export"
IS_LONG = True
EXPORT_EXAMPLE = "nopt export net.nir --torch --target c/int8 --dt 1ms --like norse --calib x.npy -o chip.py"
EXAMPLES = {
    "the network as integers in C compute it": [EXPORT_EXAMPLE],
    "the network as a chip computes it, with a narrower surrogate gradient": [
        "nopt export net.nir --torch --target loihi2/oheo_gulch --dt 1ms --like norse --surrogate-width 0.2 -o chip.py"
    ],
}


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "file")
    parser.add_argument("--torch", action="store_true", help="write a module of PyTorch, the only format")
    choices.add_options(parser, "--target", "--device", "--set", "--passes", "--approximate", "--calib", "--axes")
    choices.add_options(parser, "--recipe", "--effort")
    choices.add_options(parser, "--weight-bits", "--state-bits", "--pin")
    choices.add_group(parser.add_argument_group("gradients"), GradientOptions)
    group = chips.configure_mismatch(parser)
    group.add_argument("--seed", metavar="S", type=int, help="with --mismatch: the seed of the chips; 0 by default")
    parser.add_argument(
        "-o", dest="out", metavar="FILE.py", help="the output file; FILE.npz and FILE.mlir are written, too"
    )
    choices.add_options(parser, "--arrays", "--limit")
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if not args.torch:
        refuse_misuse(PROG, "no format is specified", "--torch", "neither", EXPORT_EXAMPLE)
    if args.out is None:
        message = "the following arguments are required: -o"
        refuse_misuse(PROG, message, "-o FILE.py", "neither", EXPORT_EXAMPLE)
    draw = chips.draw_of(args, {"--chips": args.chips, "--seed": args.seed}, PROG, EXPORT_EXAMPLE)
    network: Any = args.file
    if args.file == "-" or args.arrays or args.limit:
        network = read(args.file, arrays=args.arrays, limits=args.limit, diagnostics=diagnostics)
    with Bar("passes") as bar:
        exported = export_torch(
            network,
            mismatch=draw,
            progress=bar.progress,
            diagnostics=diagnostics,
            **choices.arguments(args, "out", "strict"),
            **choices.group_options(args, TrainableOptions),
        )
    diagnostics.settle()
    show_result(args.format, exported.as_json, lambda: describe_export(exported))


def describe_export(exported: Exported) -> str:
    """Formats the parameters of each node, and the files."""
    rows = [["node", "parameter", "shape"]]
    for node, found in exported.parameters.items():
        rows += [[node, name, "x".join(map(str, shape)) or "()"] for name, shape in found.items()]
    count = counted_text(len(rows) - 1, "parameter")
    return "\n".join(
        [
            table(rows),
            f"{count} as {exported.device} quantizes them",
            f"wrote {exported.file}, {exported.arrays}, {exported.network}",
        ]
    )
