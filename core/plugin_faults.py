"""Exceptions of plug-ins: the plug-in, the part and the line that raise them. They are not defects of nopt.

A frame of a traceback belongs to a plug-in if its module is in the package of the plug-in. The first such frame is the part that nopt called, the
last one is at the failing line.
"""

from __future__ import annotations

import shlex
from contextlib import AbstractContextManager, suppress
from traceback import walk_tb
from types import FrameType
from typing import TYPE_CHECKING, Any

from attrs import frozen

from . import plugins
from .diagnostics import Code, ExitCode, Finding, Refused
from .files import is_full
from .plugins import Plugin

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

COR023 = Code("COR023", "plugin-fails", "a plug-in fails", exit_code=ExitCode.BUG)

ROLES = {
    "emit": "the emitter",
    "artefact": "the artefact writer",
    "vectors": "the writer of test vectors",
    "load": "the loader",
    "model": "the model",
    "engine": "the engine",
    "pipeline": "the pipeline",
    "precision": "the choice of the precision",
}
"""Fields of the record of a target, as messages name them."""
DIRECT = ("pipeline", "precision")
"""Fields that are the function itself, not a factory."""


@frozen
class Fault:
    """Exception that is raised in a plug-in."""

    plugin: Plugin
    role: str
    """The part that nopt called: `the pass tally-drop-zeros`."""
    place: str
    """File and line that failed in the plug-in."""

    def finding(self, error: BaseException) -> Finding:
        """Returns the finding about an exception."""
        words = str(error).partition("\n")[0][:200]
        return Finding(
            COR023,
            f"{self.role} of a plug-in fails: {type(error).__name__}{f': {words}' if words else ''}",
            at=self.plugin.origin,
            place=self.place,
            expected="a result, or a refusal with a code",
            notes=getattr(error, "__notes__", ()),
        )


def find_fault(error: BaseException) -> Fault | None:
    """Returns the plug-in that raises an exception; None if nopt or another package does."""
    known = {plugin.module.partition(".")[0]: plugin for plugin in plugins.all()}
    frames = list(walk_tb(error.__traceback__))
    found = [(known[top], frame, line) for frame, line in frames if (top := top_module(frame)) in known]
    if not found:
        return None
    (plugin, first, _), (_, last, line) = found[0], found[-1]
    return Fault(plugin, role_of(first, plugin), f"{last.f_code.co_filename}:{line}")


def origin_of(step: ModulePass) -> str | None:
    """Returns the package or the file of a pass of a plug-in; None for a pass of another origin."""
    top = type(step).__module__.partition(".")[0]
    return next((plugin.origin for plugin in plugins.all() if plugin.module.partition(".")[0] == top), None)


def top_module(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__", "")
    return name.partition(".")[0]


def role_of(frame: FrameType, plugin: Plugin) -> str:
    """Returns a description of the plug-in part that a frame belongs to: a pass, a pattern, a verifier, a field of the record, or a function."""
    from xdsl.ir import Attribute, Operation
    from xdsl.passes import ModulePass
    from xdsl.pattern_rewriter import RewritePattern

    match frame.f_locals.get("self"):
        case ModulePass() as step:
            return f"the pass {step.name}"
        case RewritePattern() as pattern:
            return f"the pattern {type(pattern).__name__}"
        case Operation() as op:
            return f"the verifier of {op.name}" if frame.f_code.co_name.startswith("verify") else f"the op {op.name}"
        case Attribute() as attribute:
            return f"the attribute {attribute.name}"
        case owner:
            return record_role(frame, owner, plugin) or f"the function {frame.f_code.co_qualname}"


def record_role(frame: FrameType, owner: object, plugin: Plugin) -> str | None:
    """Returns the description of the record field whose function or class a frame executes; None if it executes none."""
    with suppress(Refused):
        record = plugin.load()
        for name, text in ROLES.items():
            factory: Any = getattr(record, name)
            factory = getattr(factory, "load", factory) if name == "engine" else factory
            if factory is None:
                continue
            part: Any = factory if name in DIRECT else factory()
            if getattr(part, "__code__", None) is frame.f_code or (isinstance(part, type) and isinstance(owner, part)):
                return text
    return None


class PluginCalls(AbstractContextManager[Any, None]):
    """Context that turns an exception of a plug-in into a refusal. Errors: COR023."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, Exception) or isinstance(error, Refused | MemoryError | BrokenPipeError):
            return
        if not is_full(error) and (fault := find_fault(error)) is not None:
            raise Refused(fault.finding(error)) from error


def load_options() -> str:
    """Returns the options that load the targets of files, for a command that repeats another one."""
    return "".join(f" --load-target {shlex.quote(str(file))}" for file in plugins.FILES)
