"""Arguments of the command line that verbs share: those of `nopt.api.options`, and further ones."""

from __future__ import annotations

import argparse
from typing import Any, TypeVar, cast, get_args

from ..api.options import Choices, Declared, TrainableOptions, declared
from ..passes.pipelines import DISCRETISE
from .command import refuse_misuse

OptionGroup = TypeVar("OptionGroup")


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
    "--labels": {"metavar": "Y", "help": "a .npy with the class of each sample, to compute the accuracy"},
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
    "--engine": {"metavar": "NAME", "default": "auto", "help": "auto, any, or an engine that nopt engines lists"},
    "--arrays": {
        "metavar": "DIR",
        "help": "folder of the arrays that the IR refers to, one .npy each (default: arrays next to the file)",
    },
    "--limit": {
        "metavar": "NAME=N",
        "action": "append",
        "default": [],
        "help": "limit on a .nir file, bytes also on an input: bytes, nodes, entries, depth, seconds; repeatable",
    },
}
"""Arguments that verbs share, in addition to the options of `nopt.api.options`."""
ACTIONS: dict[str, dict[str, Any]] = {
    "append": {"action": "append", "default": []},
    "entries": {"action": AddEntries},
    "passes": {"action": AddPasses, "default": ""},
}
ALIASES = {"--passes": ("-p",)}


def argument_of(one: Declared) -> dict[str, Any]:
    """Returns the form of an option on the command line, which follows from its type."""
    kinds = [kind for kind in one.kinds if kind is not type(None)]
    form: dict[str, Any] = {"help": one.option.help, **ACTIONS.get(one.option.repeats, {})}
    if kinds == [bool]:
        return form | {"action": "store_true"}
    if kinds in ([int], [float]):
        form["type"] = kinds[0]
    if not one.option.repeats and one.option.default is not None:
        form["default"] = one.option.default
    if one.option.metavar is None:
        return form | {"choices": get_args(kinds[0])}
    return form | {"metavar": one.option.metavar}


OPTIONS |= {one.flag: argument_of(one) for one in declared(TrainableOptions).values()}


def add_options(parser: argparse._ActionsContainer, *names: str) -> None:
    """Adds options of `OPTIONS` to a parser."""
    for name in names:
        parser.add_argument(*ALIASES.get(name, ()), name, **OPTIONS[name])


def add_group(parser: argparse._ActionsContainer, group: type[Any]) -> None:
    """Adds all options of a group."""
    for one in declared(group).values():
        parser.add_argument(*ALIASES.get(one.flag, ()), one.flag, **argument_of(one))


def add_option(parser: argparse.ArgumentParser, *names: str, **changes: Any) -> None:
    """Adds an option of `OPTIONS` with changed arguments, such as another help text, or with further names."""
    parser.add_argument(*ALIASES.get(names[0], ()), *names, **OPTIONS[names[0]] | changes)


def configure(parser: argparse.ArgumentParser) -> None:
    title = f"choices that a .nir file does not determine (nopt passes {DISCRETISE})"
    add_group(parser.add_argument_group(title), Choices)


def arguments(args: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Returns the options with these names as arguments of a function."""
    return {name: getattr(args, name) for name in names}


def group_options(args: argparse.Namespace, group: type[OptionGroup]) -> OptionGroup:
    """Returns the options of a group on the command line."""
    return cast("Any", {one.name: getattr(args, one.dest) for one in declared(group).values()})


def choices_of(args: argparse.Namespace) -> Choices:
    """Returns the choices of the command line."""
    return group_options(args, Choices)


def require_target(args: argparse.Namespace, prog: str) -> None:
    """Refuses `--prefer` without an order of devices, and `--max-memory` without a device. Errors: CLI001."""
    example = f"{prog} FILE --target auto --prefer energy=2"
    if args.prefer and args.target != "auto":
        refuse_misuse(prog, "--prefer orders devices", "--target auto", f"--target {args.target}", example)
    if args.max_memory is not None and args.target is None and args.device is None:
        example = f"{prog} FILE --target auto --max-memory {args.max_memory}"
        refuse_misuse(prog, "--max-memory is a limit of a device", "--target or --device", "no device", example)
