"""Prints the choices that hold in the current folder, and where each comes from.

`nopt.toml` holds the choices of a project, in the current folder or the nearest folder above it, and of a user, in `~/.config/nopt`. Options on
the command line win over the project, and the project over the user. With options, it prints what a verb with these options would use.
"""

from __future__ import annotations

import argparse
from typing import Any, cast

from ..api.configuring import BACKEND, BACKEND_KEYS, PROJECT_KEYS, configuration, configuration_schema
from ..core.diagnostics import Diagnostics
from ..core.output import json_text
from . import choices
from .command import show_result, table

PROG = "nopt config"
EXAMPLES = {
    "the choices of the current folder": ["nopt config"],
    "with those of a target": ["nopt config --target asic"],
}
COMMAND_LINE = "command line"


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "--target", "--device", "--set", "--passes", "--calib", "--labels")
    choices.configure(parser)
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of configuration files instead")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if args.schema:
        print(json_text(configuration_schema()))
        return
    rows = [*option_rows(args), *backend_rows(args)]
    record = {
        "schema": "nopt.config/1",
        "values": [dict(zip(("key", "value", "from"), row, strict=True)) for row in rows],
    }
    show_result(args.format, lambda: record, lambda: config_text(rows))


def config_text(rows: list[tuple[str, Any, str]]) -> str:
    if not rows:
        return "no value: neither a nopt.toml nor an option"
    return table([["key", "value", "from"], *([key, shown_value(value), place] for key, value, place in rows)])


def shown_value(value: Any) -> str:
    return ", ".join(map(str, cast("list[Any]", value))) if isinstance(value, list) else str(value)


def option_rows(args: argparse.Namespace) -> list[tuple[str, Any, str]]:
    """Returns the options that have a value, with the place of each."""
    names: list[str] = [*PROJECT_KEYS, *BACKEND_KEYS]
    values = {name: getattr(args, name, None) for name in names}
    return [
        (name, value, args.origins.get(name, COMMAND_LINE))
        for name, value in values.items()
        if value not in (None, [], "")
    ]


def backend_rows(args: argparse.Namespace) -> list[tuple[str, Any, str]]:
    """Returns the values for targets, which hold where the target is chosen."""
    if args.no_config:
        return []
    found = configuration(args.config)
    return [
        (f"{BACKEND}{slug}.{name}", setting.value, setting.place)
        for slug, own in found.backends.items()
        for name, setting in own.items()
    ]
