"""The context of a run: every dialect that xDSL's universes offer, registered by name, and a place where findings are collected."""

from __future__ import annotations

import sys
from functools import cache

from xdsl.context import Context
from xdsl.universe import Universe

from .. import plugins, registry
from ..diagnostics import Diagnostics, Finding


@cache
def multiverse() -> Universe:
    """Dialects and passes of xDSL, of nopt and its plug-ins, and of every installed package that offers some. Errors: PLG003."""
    found = Universe.get_multiverse()
    for kind, known, modules in (
        ("dialect", found.all_dialects, registry.dialect_modules()),
        ("pass", found.all_passes, registry.pass_modules()),
    ):
        for name, (module, made, plugin) in modules.items():
            if plugin is None:
                continue
            if name in known:
                plugins.refuse_clash(kind, name, "a package with the entry point xdsl.universe", plugin)
            known[name] = registry.later(module, made, plugin)
    return found


class NoptContext(Context):
    """A context that knows all dialects (each is imported when its first op is met) and collects findings."""

    def __init__(self, allow_unregistered: bool = False, diagnostics: Diagnostics | None = None):
        super().__init__(allow_unregistered=allow_unregistered)
        self.diagnostics = Diagnostics() if diagnostics is None else diagnostics
        for name, factory in multiverse().all_dialects.items():
            self.register_dialect(name, factory)


class Printed(Diagnostics):
    """Prints each finding to standard error at once: for those who do not collect them, such as `xdsl-opt`."""

    def add(self, finding: Finding) -> None:
        if finding not in self.findings:
            print(finding, file=sys.stderr)
        super().add(finding)


def diagnostics_of(ctx: Context) -> Diagnostics:
    """Where a pass puts its remarks and warnings."""
    return ctx.diagnostics if isinstance(ctx, NoptContext) else Printed()
