"""Lists what can run a network here: yes, or no with the reason; fastest first."""

from __future__ import annotations

import argparse
import json

from ..api.execution import engines
from ..core.diagnostics import Diagnostics, ExitCode
from .command import table

PROG = "nopt engines"
EXAMPLE = "nopt engines --format json"


def configure(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace, diagnostics: Diagnostics) -> int:
    found = engines()
    if args.format == "json":
        print(json.dumps({"schema": "nopt.engines/1", "engines": [engine.as_json() for engine in found]}, indent=2))
        return ExitCode.DONE
    rows = [["engine", "usable", "version", "memory free"]]
    for engine in found:
        memory = "" if engine.memory_free_bytes is None else f"{engine.memory_free_bytes / 2**30:.1f} GiB"
        usable = "yes" if engine.is_usable else f"no: {engine.reason}"
        rows.append([engine.name, usable, engine.version or "", memory])
    print(table(rows))
    return ExitCode.DONE
