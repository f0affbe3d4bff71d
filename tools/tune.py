"""Trains a network for a device: a short loop over the network as the device computes it, and a network file that nopt compile takes.

The data is a .npz with an array for each input, [samples, ticks, *shape], and labels, the class of each sample. A share of the samples is held back, and
chooses the epoch. Ctrl-C ends the training and keeps the best epoch so far. The extra torch is needed: pip install 'nopt[torch]'.
"""

from __future__ import annotations

import argparse
import shlex
from typing import Any

from ..api.modules import format_of, read, write
from ..api.options import GradientOptions
from ..api.tuning.training_options import TrainingOptions, TuneOptions
from ..api.tuning.tune import Accuracy, Tuned, tune
from ..core.diagnostics import Diagnostics
from ..core.number_texts import counted_text, number_text
from . import chips, choices
from .command import refuse_misuse, show_result, table
from .progress import Bar
from .summary import next_lines

PROG = "nopt tune"
IS_LONG = True
MISMATCH_EXAMPLE = "nopt tune net.nir --target dynapse/se2 --dt 1ms --like norse --approximate all --calib x.npy --data train.npz --mismatch --epochs 2 -o tuned.mlir"
TUNE_EXAMPLE = "nopt tune net.nir --target c/int8 --weight-bits 4 --calib x.npy --data train.npz --dt 1ms --like norse --epochs 2 -o tuned.mlir"
EXAMPLES = {
    "weights of 4 bits": [TUNE_EXAMPLE],
    "a network that depends less on differences between analogue chips": [MISMATCH_EXAMPLE],
}


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "file")
    parser.add_argument(
        "--data", metavar="X.npz", required=True, help="the samples: an array for each input, and labels"
    )
    choices.add_option(parser, "--labels", help="a .npy with the class of each sample, if the data has no labels")
    parser.add_argument("--test", metavar="X.npz", help="further samples with labels, which only the summary sees")
    parser.add_argument(
        "-o", metavar="OUT", required=True, help="the output file, OUT.mlir: the network, legalised for the device"
    )
    choices.add_group(parser.add_argument_group("training"), TrainingOptions)
    choices.add_group(parser.add_argument_group("gradients"), GradientOptions)
    chips.configure_mismatch(parser)
    group = parser.add_argument_group("the device, as nopt compile takes it")
    choices.add_options(group, "--target", "--device", "--set", "--passes", "--approximate", "--calib", "--axes")
    choices.add_options(group, "--recipe", "--effort", "--weight-bits", "--state-bits", "--pin")
    choices.add_options(parser, "--arrays", "--limit")
    choices.configure(parser)


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    draw = chips.draw_of(args, {"--chips": args.chips}, PROG)
    if format_of(args.o) != "mlir":
        refuse_misuse(PROG, "a tuned network is written as IR", "-o OUT.mlir", f"-o {args.o}", TUNE_EXAMPLE)
    network: Any = args.file
    if args.file == "-" or args.arrays or args.limit:
        network = read(args.file, arrays=args.arrays, limits=args.limit, diagnostics=diagnostics)
    with Bar("epochs") as bar:
        tuned = tune(
            network,
            data=args.data,
            mismatch=draw,
            progress=bar.progress,
            diagnostics=diagnostics,
            **choices.arguments(args, "labels", "test"),
            **choices.group_options(args, TuneOptions),
        )
    write(tuned.module, args.o, format=format_of(args.o), diagnostics=diagnostics)
    diagnostics.settle()
    if tuned.unfinished is not None:
        diagnostics.extend([tuned.unfinished])
    record = {**tuned.as_json(), "written": args.o}
    show_result(args.format, lambda: record, lambda: describe_training(tuned, args.o))


def describe_training(tuned: Tuned, written: str) -> str:
    """Formats the epochs and the accuracies."""
    rows = [["epoch", "training loss", "held-back loss", "accuracy", ""]]
    for one in tuned.epochs:
        loss = "" if one.training_loss is None else number_text(one.training_loss)
        mark = "best" if one.number == tuned.best.number else ""
        rows.append([str(one.number), loss, number_text(one.loss), f"{one.accuracy:.1%}", mark])
    lines = [table(rows), f"{tuned.device}, {counted_text(tuned.training_samples, 'sample')} for training"]
    lines += [accuracy_line(name, one) for name, one in (("held back", tuned.held_back), ("test", tuned.test)) if one]
    return "\n".join([*lines, f"wrote {written}"])


def accuracy_line(name: str, one: Accuracy) -> str:
    """Formats the accuracies with their standard errors, or with the deviation from chip to chip."""
    pairs = ((one.before, one.before_deviation), (one.after, one.after_deviation))
    texts = [f"{value:.1%} ± {one.error(value) if spread is None else spread:.1%}" for value, spread in pairs]
    chips = "" if one.chips is None else f" on {counted_text(one.chips, 'chip')}"
    return f"{name}, {counted_text(one.samples, 'sample')}{chips}: accuracy {texts[0]} before, {texts[1]} after"


def closing(args: argparse.Namespace) -> str:
    """Returns the command to type next."""
    return next_lines([f"nopt compile {shlex.quote(args.o)} -o build"])
