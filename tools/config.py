"""Prints the choices that hold in the current folder, defaults too, and where each comes from.

`nopt.toml` holds the choices of a project, in the current folder or the nearest folder above it, and of a user, in `~/.config/nopt`. Options on
the command line win over the project, and the project over the user. With options, it prints what a verb with these options would use.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, cast

from ..api.configuration_files import BACKEND, BACKEND_KEYS, PROJECT_KEYS, configuration, configuration_schema
from ..core import registry
from ..core.diagnostics import Diagnostics
from ..core.output import json_text
from . import choices
from .command import MAX_TIME, show_result, table

PROG = "nopt config"
EXAMPLES = {
    "the choices of the current folder": ["nopt config"],
    "with those of a target": ["nopt config --target asic"],
}
COMMAND_LINE, DEFAULT = "command line", "default"
KEYS = {**PROJECT_KEYS, **BACKEND_KEYS}
Row = tuple[str, Any, str]
"""A key, its value, and the place of the value."""


def configure(parser: argparse.ArgumentParser) -> None:
    choices.add_options(parser, "--target", "--device", "--set", "--passes", "--approximate", "--calib", "--labels")
    parser.add_argument("--max-time", **MAX_TIME)
    choices.configure(parser)
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of configuration files instead")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    if args.schema:
        show_result(args.format, configuration_schema, lambda: json_text(configuration_schema()))
        return
    rows = [*option_rows(args), *backend_rows(args)]
    record = {
        "schema": "nopt.config/1",
        "values": [dict(zip(("key", "value", "from"), row, strict=True)) for row in rows],
    }
    show_result(args.format, lambda: record, lambda: config_text(rows))


def config_text(rows: Sequence[Row]) -> str:
    return table([["key", "value", "from"], *([key, shown_value(key, value), place] for key, value, place in rows)])


def shown_value(key: str, value: Any) -> str:
    if value is None:
        return KEYS[key].default
    return ", ".join(map(str, cast("list[Any]", value))) if isinstance(value, list) else str(value)


def option_rows(args: argparse.Namespace) -> list[Row]:
    """Returns the configurable options, each with its value (None if it is unset) and the origin of the value."""
    rows: dict[str, Row] = {}
    for name in KEYS:
        value = getattr(args, name, None)
        is_set = value not in (None, [], "")
        rows[name] = (name, value, args.origins.get(name, COMMAND_LINE)) if is_set else (name, None, DEFAULT)
    slug, _, device = (args.target or "").partition("/")
    if device:
        rows["device"] = ("device", device, rows["target"][2])
    elif slug in registry.targets():
        rows["device"] = ("device", registry.default_device(slug), DEFAULT)
    return list(rows.values())


def backend_rows(args: argparse.Namespace) -> list[Row]:
    """Returns the values for targets, which apply only if the target is chosen."""
    if args.no_config:
        return []
    found = configuration(args.config)
    return [
        (f"{BACKEND}{slug}.{name}", setting.value, setting.place)
        for slug, own in found.backends.items()
        for name, setting in own.items()
    ]
