"""Context of a run: all dialects of xDSL's universes, registered by name, and the collected findings."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.universe import Universe

from .. import plugins, registry
from ..diagnostics import Diagnostics, Finding, Severity
from ..progress import Progress
from . import upstream

if TYPE_CHECKING:
    from .pass_results import PassResults


@cache
def multiverse() -> Universe:
    """Returns the dialects and passes of xDSL, of nopt and its plug-ins, and of every installed package that registers some. Errors: COR021."""
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
    for name in registry.stems(Path(__file__).parent / "upstream"):
        found.all_dialects[name] = registry.later(f"{upstream.__name__}.{name}", name.upper(), None)
    return found


registry.CACHED.append(multiverse)


Observer = Callable[[ModulePass, ModuleOp], None]
"""Takes a pass, and the module after it."""


class NoptContext(Context):
    """Context with all dialects, each imported at the first use of one of its ops, and with collected findings."""

    def __init__(
        self,
        allow_unregistered: bool = False,
        diagnostics: Diagnostics | None = None,
        observer: Observer | None = None,
        progress: Progress | None = None,
        results: PassResults | None = None,
    ):
        super().__init__(allow_unregistered=allow_unregistered)
        self.diagnostics = Diagnostics() if diagnostics is None else diagnostics
        self.observer = observer
        """Called after each pass, including passes that another pass runs."""
        self.progress = progress
        """Progress of the pass that runs."""
        self.results = results
        """Results that passes which run others take over from earlier runs."""
        for name, factory in multiverse().all_dialects.items():
            self.register_dialect(name, factory)


class Printed(Diagnostics):
    """Diagnostics that prints each finding to standard error immediately, for tools that do not collect them, such as `xdsl-opt`."""

    def __init__(self, *, has_remarks: bool = True):
        super().__init__()
        self.has_remarks = has_remarks
        """Whether remarks are printed, too."""

    def add(self, finding: Finding) -> None:
        finding = self.changed(finding)
        if finding not in self.findings and (self.has_remarks or finding.severity is not Severity.REMARK):
            print(finding, file=sys.stderr)
        super().add(finding)


def progress_of(ctx: Context) -> Progress | None:
    """Returns the progress of a pass."""
    return ctx.progress if isinstance(ctx, NoptContext) else None


def diagnostics_of(ctx: Context) -> Diagnostics:
    """Returns the collection for a pass's remarks and warnings."""
    return ctx.diagnostics if isinstance(ctx, NoptContext) else Printed()
