"""The context of a run: xDSL's, with every dialect registered by name, and a place where findings are collected."""

from __future__ import annotations

import sys

from xdsl.context import Context
from xdsl.dialects import get_all_dialects

from .diagnostics import Diagnostics, Finding
from .registry import dialects


class NoptContext(Context):
    """A context that knows xDSL's dialects and ours (each is imported when its first op is met) and collects findings."""

    def __init__(self, allow_unregistered: bool = False):
        super().__init__(allow_unregistered=allow_unregistered)
        self.diagnostics = Diagnostics()
        for name, factory in {**get_all_dialects(), **dialects()}.items():
            self.register_dialect(name, factory)


class Printed(Diagnostics):
    """Prints each finding to standard error at once: for tools that do not collect them, such as `xdsl-opt`."""

    def add(self, finding: Finding) -> None:
        print(finding, file=sys.stderr)


def diagnostics_of(ctx: Context) -> Diagnostics:
    """Where a pass puts its remarks and warnings."""
    return ctx.diagnostics if isinstance(ctx, NoptContext) else Printed()
