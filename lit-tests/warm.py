"""Warm start of nopt: a process that has imported all of it calls its commands in forks, which start as a new process does."""

from __future__ import annotations

import gc
import pkgutil
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

ROOMS = ("core", "frontends", "dialects", "analysis", "passes", "simulation", "targets", "api", "tools")
LATE = ("h5py", "lark", "nir", "rich.console", "xdsl.xdsl_opt_main")
"""The modules that nopt imports inside of functions."""
NOT_IMPORTED = ("nopt.core.universe",)
"""The module that xDSL's tools import; it looks for plug-ins, which are other ones in each call of nopt."""

Entry = Callable[[], int | None]
"""The function behind a console script: takes its arguments from `sys.argv`, returns or exits with its code."""


def import_nopt() -> None:
    """Imports all modules of nopt; no other state is prepared, so that a fork starts as a process does."""
    packages = [import_module(f"nopt.{room}") for room in ROOMS]
    names = [
        module.name
        for package in packages
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.", onerror=lambda name: None)
    ]
    for name in sorted({*names, *LATE} - {*NOT_IMPORTED}):
        with suppress(Exception):  # the command that needs the module fails, not all of them
            import_module(name)
    gc.freeze()


def call(entry: Entry, args: Sequence[str]) -> int:
    """Calls a console script's function in this process, as the script would, and returns the exit code."""
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 (they live as long as the process)
        for number, mode in enumerate(("r", "w", "w"))
    )
    sys.argv = list(args)
    try:
        left: Any = entry()
    except SystemExit as exit:
        left = exit.code
    except BaseException:
        traceback.print_exc()
        left = 1
    if left is not None and not isinstance(left, int):
        print(left, file=sys.stderr)
        left = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            left = left or 120  # the exit code of Python itself
    return (left or 0) & 0xFF
