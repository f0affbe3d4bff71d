"""Trains a network for a device: a short loop over the network as the device computes it, and a network file that nopt compile takes.

The data is a .npz with an array for each input, [samples, ticks, *shape], and labels, the class of each sample. A share of the samples is held back, and
chooses the epoch. Ctrl-C ends the training and keeps the best epoch so far. The extra torch is needed: pip install 'nopt[torch]'.
"""

from __future__ import annotations

import argparse
import shlex
from typing import Any

from ..api.modules import format_of, read, write
from ..api.tuning.losses import LOSSES
from ..api.tuning.training import LEARNING_RATE, SCHEDULES
from ..api.tuning.tune import Accuracy, Tuned, tune
from ..core.diagnostics import Diagnostics
from ..core.number_texts import counted_text, number_text
from ..passes.pipelines import SHORTHANDS
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
TRAINING = (
    "labels",
    "output",
    "test",
    "epochs",
    "loss",
    "learning_rate",
    "schedule",
    "batch",
    "hold_back",
    "drop_input",
    "seed",
)
GRADIENTS = ("surrogate", "surrogate_width", "surrogate_scale", "detach_reset")


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
    configure_training(parser.add_argument_group("training"))
    chips.configure_mismatch(parser)
    group = parser.add_argument_group("the device, as nopt compile takes it")
    for name in (
        "--target",
        "--device",
        "--set",
        "--passes",
        "--approximate",
        "--calib",
        "--recipe",
        "--effort",
        "--axes",
    ):
        choices.add_options(group, name)
    choices.add_bits(group)
    choices.add_options(parser, "--arrays", "--limit")
    choices.configure(parser)


def configure_training(group: Any) -> None:
    """Adds the options of the loop."""
    counts = {"epochs": (10, "passes over the data"), "batch": (64, "samples of a step; fewer need less memory")}
    for name, (number, what) in counts.items():
        group.add_argument(f"--{name}", metavar="N", type=int, default=number, help=f"{what}; {number} by default")
    group.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the division and the order of samples")
    group.add_argument("--output", metavar="NAME", help="the output that decides, if the network has several")
    group.add_argument(
        "--loss", choices=LOSSES, default=LOSSES[0], help="cross entropy on counts of spikes (rates), or first spikes"
    )
    group.add_argument(
        "--schedule", choices=SCHEDULES, default="cosine", help="of the learning rate; cosine by default"
    )
    group.add_argument(
        "--surrogate", choices=("atan", "fast_sigmoid"), default="atan", help="gradient of a spike; atan by default"
    )
    shares = {
        "learning-rate": ("R", LEARNING_RATE, "step relative to the root mean square of a parameter"),
        "hold-back": ("SHARE", 0.2, "share of the samples that choose the epoch"),
        "drop-input": ("SHARE", 0.2, "probability that an input value is 0 during training"),
        "surrogate-width": (
            "W",
            0.5,
            "width of this gradient, relative to the distance of a resting neuron from its threshold",
        ),
        "surrogate-scale": ("S", 1.0, "factor of this gradient"),
    }
    for name, (metavar, number, what) in shares.items():
        group.add_argument(
            f"--{name}", metavar=metavar, type=float, default=number, help=f"{what}; {number:g} by default"
        )
    group.add_argument("--train-thresholds", action="store_true", help="thresholds of populations are trained, too")
    group.add_argument("--detach-reset", action="store_true", help="no gradient flows through the reset of a spike")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    draw = chips.draw_of(args, {"--chips": args.chips}, PROG, MISMATCH_EXAMPLE)
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
            thresholds=args.train_thresholds,
            progress=bar.progress,
            diagnostics=diagnostics,
            **choices.arguments(args, "target", "device", "set", "passes", "approximate", "calib", "axes"),
            **choices.arguments(args, "recipe", "effort"),
            **choices.arguments(args, *(one.name for one in SHORTHANDS), "pin", *TRAINING, *GRADIENTS),
            **choices.choices_of(args),
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
