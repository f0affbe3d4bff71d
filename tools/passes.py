"""Lists the passes, or describes one: its effect, and its options with their kinds and defaults."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..api.catalogue.listing import PassEntry, pass_entry, passes
from ..core.diagnostics import Diagnostics
from .command import show_list, table

PROG = "nopt passes"
EXAMPLES = {
    "all passes": ["nopt passes"],
    "the options of one pass": ["nopt passes convert-nir-to-ntensor"],
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one pass, of nopt or of xDSL")
    parser.add_argument("--all", action="store_true", help="include the passes of xDSL")


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> None:
    found = [pass_entry(args.name)] if args.name is not None else passes(all=args.all)
    show_list(args.format, "passes", found, lambda: passes_text(found, args.name is not None))


def passes_text(found: Sequence[PassEntry], is_whole: bool) -> str:
    """Formats a table of the passes, or the description of one."""
    if not is_whole:
        return table([[entry.name, entry.summary] for entry in found])
    (entry,) = found
    parts = [entry.name, entry.text]
    if entry.options:
        parts.append(table([["option", "kind", "default"], *([o.name, o.kind, o.default] for o in entry.options)]))
    return "\n\n".join(filter(None, parts))
