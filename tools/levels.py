"""Options `-p`, `--levels` and `--labels` of `nopt run`, and the tables of levels and of several presets."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.diagnostics import Diagnostics
from . import choices
from .command import refuse_misuse, show_result, table

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..api.options import Choices
    from ..api.running.comparison import First
    from ..api.running.level_records import Level, Levels
    from ..api.running.rate_similarity import Likeness

PROG = "nopt run"
PRESETS_EXAMPLE = "nopt run FILE --input X --dt 1ms --like norse,snntorch"
LEVELS_EXAMPLE = (
    "nopt run FILE --input X --dt 1ms --like norse --levels --labels y.npy -p 'ntensor-quantize-weights{bits=8}'"
)


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_option(parser, "--passes", help="passes on the network in ticks, before it runs")
    choices.add_option(parser, "--approximate", help="with --levels: approximations that the passes of -p may take")
    choices.add_option(parser, "--labels", help="a .npy with the class of each sample, to compute the accuracy")
    parser.add_argument(
        "--levels",
        action="store_true",
        help="compare float, discretized and the network after each pass, by population",
    )


def require_sense(args: argparse.Namespace) -> None:
    """Refuses options that have no effect together. Errors: CLI001."""
    several = presets_of(args)
    if several and (other := next((flag for flag, given in unfit_options(args).items() if given), None)):
        refuse_misuse(PROG, "several presets are compared in a table", f"no {other}", other, PRESETS_EXAMPLE)
    if args.approximate and not args.levels:
        flag = f"--approximate {args.approximate}"
        refuse_misuse(PROG, "--approximate has no effect without --levels", "--levels", flag, LEVELS_EXAMPLE)
    if args.levels and (args.o or args.record):
        flag = "-o" if args.o else "--record"
        refuse_misuse(
            PROG, f"--levels writes no arrays, so {flag} has no effect", "no -o and no --record", flag, LEVELS_EXAMPLE
        )


def presets_of(args: argparse.Namespace) -> list[str]:
    """Returns the presets of `--like` if it lists more than one, else an empty list."""
    names: list[str] = [] if args.like is None or os.path.exists(args.like) else args.like.split(",")
    return names if len(names) > 1 else []


def unfit_options(args: argparse.Namespace) -> dict[str, Any]:
    """Returns the options without effect on a table of presets."""
    return {
        "--levels": args.levels,
        "--chips": args.chips is not None,
        "--record": args.record,
        "--report": args.report,
        "--max-memory": args.max_memory,
        "-o": args.o,
    }


def network_after_passes(
    args: argparse.Namespace, network: ModuleOp | Path, diagnostics: Diagnostics
) -> tuple[ModuleOp | Path, Choices]:
    """Returns the network after `-p`, and the choices that are still open."""
    if not args.passes:
        return network, choices.choices_of(args)
    from ..api.running.level_comparison import run_user_passes

    return run_user_passes(require_module(network), args.passes, choices.choices_of(args), diagnostics), {}


def measure_levels(
    args: argparse.Namespace,
    network: ModuleOp | Path,
    diagnostics: Diagnostics,
    progress: Callable[[int, int], None] | None,
) -> Levels:
    """Measures all levels of the network, or the network under several presets."""
    from ..api.running.level_comparison import compare_presets, levels

    several = presets_of(args)
    measured = partial(compare_presets, presets=several) if several else partial(levels, approximate=args.approximate)
    return measured(
        require_module(network),
        args.input or {},
        progress=progress,
        diagnostics=diagnostics,
        **choices.arguments(args, "axes", "passes", "labels", "ticks", "engine", "sum_order"),
        **choices.choices_of(args),
    )


def require_module(network: ModuleOp | Path) -> ModuleOp:
    """Refuses a directory written by `nopt compile`, whose passes have already run. Errors: CLI001."""
    if isinstance(network, Path):
        refuse_misuse(
            PROG,
            "a directory written by nopt compile already has its passes and levels",
            "a file",
            str(network),
            LEVELS_EXAMPLE,
        )
    return network


def show(args: argparse.Namespace, found: Levels, diagnostics: Diagnostics) -> None:
    """Prints the tables, or the record `nopt.levels/1`."""
    diagnostics.settle()
    show_result(args.format, found.as_json, lambda: tables(found, "preset" if presets_of(args) else "level"))


def tables(found: Levels, kind: str = "level") -> str:
    """Formats a table of the losses of the levels, one of the outputs if there are several, and one of the populations."""
    from ..api.judging.loss_texts import TITLES, known_figures, loss_text

    parts = [loss_table(found, kind)]
    outputs = dict.fromkeys(name for level in found.levels for name in level.loss.outputs)
    if len(outputs) > 1:
        figures = known_figures(one for level in found.levels for one in level.loss.outputs.values())
        rows = [["output", kind, *(TITLES[name] for name in figures)]]
        for output in outputs:
            for level in found.levels:
                if (one := level.loss.outputs.get(output)) is not None:
                    rows.append([output, title(level), *(loss_text(name, getattr(one, name)) for name in figures)])
        parts.append(table(rows))
    populations = dict.fromkeys(name for level in found.levels for name in level.populations)
    if populations:
        rows = [["population", kind, "rate", "change", "first difference"]]
        for name in populations:
            for level in found.levels:
                if (likeness := level.populations.get(name)) is not None:
                    rows.append([name, title(level), *rate_texts(level, name, likeness)])
        parts.append(table(rows))
    return "\n".join(["\n\n".join(parts), found.extent])


def loss_table(found: Levels, kind: str) -> str:
    """Formats a table with the worst figures of each level. With labels it has the numbers of samples whose decision became right or wrong."""
    from ..api.judging.loss_texts import TITLES, known_figures, loss_text

    figures = known_figures(level.loss for level in found.levels)
    has_labels = "accuracy" in figures
    changed = ["gained", "lost"] if has_labels else []
    rows = [[kind, *(TITLES[name] for name in figures), *changed, "first difference"]]
    for level in found.levels:
        numbers = [str(len(some)) for some in (level.loss.gained, level.loss.lost) if some is not None]
        texts = [loss_text(name, getattr(level.loss, name)) for name in figures]
        rows.append([title(level), *texts, *numbers, first_text(level.first)])
    return table(rows)


def rate_texts(level: Level, name: str, likeness: Likeness) -> list[str]:
    """Returns the rate of a population, its change, and the first difference."""
    state = next((one.state for one in level.loss.populations if one.population == name), None)
    before, after = likeness.rate_before, likeness.rate
    change = "-"
    if before is not None and after is not None:
        ratio = after / before - 1 if before else 0.0
        change = "silent before" if after and not before else f"{100 * ratio:+.1f} %" if ratio else "0 %"
    return [number_text(after), change if state is None else f"{change}, {state}", first_text(likeness.first)]


def title(level: Level) -> str:
    """Returns the pass of a level, else its name."""
    return level.step or level.level


def number_text(value: float | None, digits: int = 6) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def first_text(first: First | None) -> str:
    if first is None:
        return "none"
    return f"{first.place}: {first.a:.6g} became {first.b:.6g}"
