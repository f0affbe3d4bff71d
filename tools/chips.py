"""Options of manufactured chips: `--chips`, `--seed` and `--at` of runs, `--mismatch` and `--chips` of trainings, and the table of manufactured chips."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.diagnostics import Diagnostics
from ..core.number_texts import counted_text
from ..simulation.runs import CHIP
from . import choices
from .command import refuse_misuse, show_result, table
from .levels import number_text

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..api.running.chip_records import ChipRuns, ChipsOfAge, Statistics
    from ..api.running.level_records import Level
    from ..api.running.variability import Draw

PROG = "nopt run"
CHIPS_EXAMPLE = "nopt run DIR --input X --labels y.npy --chips 20 --seed 0"


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("manufactured chips of an analogue target")
    group.add_argument("--chips", metavar="N", type=int, help="run N chips whose elements differ, and print the spread")
    group.add_argument("--seed", metavar="S", type=int, help="seed of the chips, and of a generated input; default 0")
    group.add_argument("--at", metavar="TIME,…", help="with --chips: times since programming, such as 1h,1d,1y")


def configure_mismatch(parser: argparse.ArgumentParser) -> Any:
    """Adds the options of a training on manufactured chips, and returns their group."""
    group = parser.add_argument_group("manufactured chips of an analogue target")
    group.add_argument(
        "--mismatch", action="store_true", help="train on manufactured chips: each sample runs on one of --chips"
    )
    group.add_argument("--chips", metavar="N", type=int, help="with --mismatch: the number of chips; 20 by default")
    return group


def draw_of(args: argparse.Namespace, flags: Mapping[str, int | None], prog: str) -> Draw | None:
    """Returns the chips to train on. `flags` have no effect without `--mismatch`. Errors: CLI001; API022."""
    for flag, value in flags.items():
        if value is not None and not args.mismatch:
            refuse_misuse(
                prog, f"{flag} has no effect without --mismatch", "--mismatch", f"{flag} {value}", "--mismatch"
            )
    from ..api.running.variability import Draw

    return Draw(20 if args.chips is None else args.chips, args.seed or 0) if args.mismatch else None


def require_chips(args: argparse.Namespace, prog: str, example: str) -> None:
    """Refuses options of chips without `--chips`. Errors: CLI001."""
    for flag, value in (("--seed", args.seed), ("--at", args.at)):
        if args.chips is None and value is not None:
            refuse_misuse(prog, f"{flag} has no effect without --chips", "--chips N", f"{flag} {value}", example)


def ages_of(args: argparse.Namespace) -> list[str]:
    return [] if args.at is None else args.at.split(",")


def require_sense(args: argparse.Namespace) -> None:
    """Refuses options of a run that have no effect together. Errors: CLI001."""
    require_chips(args, PROG, CHIPS_EXAMPLE)
    others = {"-o": args.o, "--record": args.record, "--levels": args.levels, "--passes": args.passes}
    for flag, is_given in (*others.items(), ("--model", args.model != CHIP)):
        if is_given and args.chips is not None:
            refuse_misuse(PROG, f"{flag} has no effect with --chips", f"no {flag}", flag, CHIPS_EXAMPLE)


def measure_chips(
    args: argparse.Namespace,
    network: ModuleOp | Path,
    diagnostics: Diagnostics,
    progress: Callable[[int, int], None] | None,
) -> ChipRuns:
    """Runs all chips. Errors: CLI001 a file instead of a directory."""
    from ..api.running.variability import run_chips

    if not isinstance(network, Path):
        refuse_misuse(
            PROG, "--chips runs a compiled network", "a directory that nopt compile wrote", args.file, CHIPS_EXAMPLE
        )
    return run_chips(
        network,
        args.input or {},
        seed=args.seed or 0,
        ages=ages_of(args),
        progress=progress,
        diagnostics=diagnostics,
        **choices.arguments(args, "chips", "labels", "axes", "ticks"),
    )


def show(args: argparse.Namespace, found: ChipRuns, pages: Sequence[str]) -> None:
    """Prints the tables and the paths of written pages, or the record `nopt.chips/1`."""
    show_result(args.format, found.as_json, lambda: "\n".join([tables(found), *pages]))


def tables(found: ChipRuns) -> str:
    """Formats a table of accuracies and figures of loss, a table of population rates, and the statistical bound."""
    from ..api.judging.loss_texts import TITLES

    spreads = [one.loss | ({} if one.accuracy is None else {"accuracy": one.accuracy}) for one in found.ages]
    figures = [name for name in TITLES if any(name in spread for spread in spreads)]
    rows = [["run", *(text for name in figures for text in (TITLES[name], "deviation", "worst"))]]
    rows += [
        single_row(what, level, figures) for what, level in (("network", found.network), ("ideal chip", found.ideal))
    ]
    rows += [
        [title(found, one), *(text for name in figures for text in worst_of(name, spread.get(name)))]
        for one, spread in zip(found.ages, spreads, strict=True)
    ]
    rates = [["population", "run", "rate", "deviation", "least", "greatest"]]
    for name in found.ideal.populations:
        for what, level in (("network", found.network), ("ideal chip", found.ideal)):
            rates.append([name, what, number_text(level.populations[name].rate), "-", "-", "-"])
        rates += [[name, title(found, one), *all_of(one.rates[name])] for one in found.ages if name in one.rates]
    held = ", ".join(f"{name} {value}" for name, value in found.imperfections.items() if value is not None)
    bound = f"95 % confidence: at least {found.share:.1%} of all chips are as good as the worst of {count(found)}"
    last = f"{found.device}, {count(found)} of seed {found.seed}, {held or 'no imperfection'}; {found.extent}"
    return "\n".join([table(rows), "", table(rates), bound, last])


def single_row(what: str, level: Level, figures: Sequence[str]) -> list[str]:
    from ..api.judging.loss_texts import loss_text

    return [what, *(text for name in figures for text in (loss_text(name, getattr(level.loss, name)), "-", "-"))]


def title(found: ChipRuns, one: ChipsOfAge) -> str:
    return count(found) + ("" if one.age is None else f" after {one.age}")


def count(found: ChipRuns) -> str:
    return counted_text(found.chips, "chip")


def worst_of(name: str, spread: Statistics | None) -> list[str]:
    """Returns the mean, the deviation and the worst value of a figure."""
    from ..api.judging.loss_texts import SIMILARITIES, loss_text, number_text

    if spread is None:
        return ["-"] * 3
    worst = spread.least if name in SIMILARITIES else spread.greatest
    return [loss_text(name, spread.mean), number_text(spread.deviation), loss_text(name, worst)]


def all_of(spread: Statistics) -> list[str]:
    return [number_text(x) for x in (spread.mean, spread.deviation, spread.least, spread.greatest)]
