"""Writes a valid skeleton to fill in.

device: a device file with every section and its explanation in the notes, and the JSON Schema for editors.
"""

from __future__ import annotations

import argparse

from ..api.devices import new_device
from ..core.diagnostics import Diagnostics
from .command import show_result

PROG = "nopt new"
EXAMPLE = "nopt new device my_chip"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=("device",), help="kind of skeleton")
    parser.add_argument("name", metavar="NAME", help="its name, lower case")
    parser.add_argument("--at", metavar="DIR", default=".", help="the output folder; default: the current one")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    written = [str(path) for path in new_device(args.name, args.at)]
    show_result(
        args.format,
        lambda: {"schema": "nopt.new/1", "written": written},
        lambda: "\n".join([*written, f"next: nopt device check {written[0]}"]),
    )
