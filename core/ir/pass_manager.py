"""Runs of passes: one hook around every pass, which locates findings, and verifies the result."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import nullcontext
from typing import NoReturn

from attrs import evolve
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from .. import registry
from ..diagnostics import Code, Diagnostics, ExitCode, Finding, InvalidOp, Refused, refuse
from ..help_text import OtherDevice, Phrase
from ..locations import Origins
from ..plugin_faults import origin_of
from ..progress import doing, part_progress, report_part
from .context import NoptContext, diagnostics_of, progress_of
from .graph_region import NetworkOperation, are_equivalent
from .pass_results import PassResult, PassResults, replace_ops
from .pipeline import NoptPass, level_of, pass_text
from .source import verify

COR015 = Code("COR015", "pass-unusable-on-module", "a pass cannot work on this module")
COR016 = Code("COR016", "pass-left-invalid-ir", "a pass left invalid IR", exit_code=ExitCode.BUG)
COR017 = Code("COR017", "pass-works-elsewhere", "the pass works on another level")
COR018 = Code("COR018", "pass-changed-nothing", "the pass changed nothing")


def is_misplaced(step: ModulePass, ctx: Context, module: ModuleOp) -> bool:
    """Returns whether the module has no op of the level (a known dialect) that the name of a pass names; an empty module has all levels.

    Conversions are never misplaced: they do not change a module that is already converted.
    """
    level = level_of(step)
    if step.name.startswith("convert-") or level not in ctx.registered_dialect_names:
        return False
    prefix, has_ops = f"{level}.", False
    for op in module.body.ops:
        has_ops = True
        if any(inner.name.startswith(prefix) for inner in op.walk()):
            return False
    return has_ops


def refuse_level(step: ModulePass, module: ModuleOp) -> NoReturn:
    """Refuses a pass on a module of another level. Errors: COR017."""
    found = sorted({op.name.partition(".")[0] for op in module.ops})
    refuse(
        COR017,
        f"{step.name} works on another level",
        at=pass_text(step),
        expected=f"a module of the level {level_of(step)}",
        found=f"a module of the level {' and '.join(found)}",
        help="put the pass before the conversion to that level, or leave it out",
    )


Hook = Callable[[ModulePass | None, ModuleOp, ModulePass | None], None]
"""Called before the first pass, between passes and after the last pass. Arguments: the previous pass, the module, and the next pass."""


def apply(
    step: ModulePass, ctx: Context, module: ModuleOp, is_verified: bool = True, number: int = 0, of: int = 0
) -> None:
    """Runs one pass, the `number`-th of several, and verifies the result. The observer of the context sees it.

    A result beyond a limit of the device, which the verifier of its dialect reports, is a refusal.

    Errors: COR015 the pass cannot work on this module; COR016 it left invalid IR; COR017 it works on another level; those of the pass and of verifiers.
    """
    with doing(f"pass {step.name}", number, of):
        apply_named(step, ctx, module, is_verified)
    if isinstance(ctx, NoptContext) and ctx.observer is not None:
        ctx.observer(step, module)


def apply_kept(results: PassResults, key: Hashable, step: ModulePass, ctx: Context, module: ModuleOp) -> None:
    """Runs a pass without a verification, or puts its kept result into the module. Errors: those of `apply`."""
    result, diagnostics = results.find(key), diagnostics_of(ctx)
    if result is not None:
        diagnostics.extend(result.findings)
        replace_ops(module, result.module)
        return
    found = Diagnostics()
    try:
        apply(step, NoptContext(diagnostics=found), module, is_verified=False)
    finally:
        diagnostics.extend(found.findings)
    results.keep(key, PassResult(module.clone(), tuple(found.findings)))


def needs_scope(step: ModulePass, module: ModuleOp) -> bool:
    """Returns whether a pass may not see ops of the host that the module has."""
    has_host = not getattr(step, "sees_host", False) and not step.name.startswith("convert-")
    return has_host and any(isinstance(op, NetworkOperation) and op.has_host_ops for op in module.ops)


def apply_named(step: ModulePass, ctx: Context, module: ModuleOp, is_verified: bool) -> None:
    """Runs one pass and verifies the result. Errors: those of `apply`."""
    misplaced, origins = is_misplaced(step, ctx, module), Origins(module)
    try:
        scope = registry.pass_scope()(step, module) if needs_scope(step, module) else nullcontext()
        with origins.locating(ctx.diagnostics if isinstance(ctx, NoptContext) else None), scope:
            step.apply(ctx, module)
    except Refused as refusal:
        refusal.findings = tuple(evolve(finding, step=finding.step or step.name) for finding in refusal.findings)
        raise
    except DiagnosticException as refusal:
        cause: BaseException = refusal
        while cause.__cause__ is not None:  # xDSL wraps the exceptions of patterns
            cause = cause.__cause__
        if isinstance(cause, InvalidOp):
            raise Refused(cause.finding) from refusal
        if not isinstance(cause, DiagnosticException):
            raise cause from None
        first, *rest = str(cause).strip().split("\n")
        finding = Finding(
            COR015, f"{step.name} cannot work on this module", at=pass_text(step), found=first, notes=rest
        )
        raise Refused(finding) from refusal
    origins.fill(module)
    if misplaced:
        refuse_level(step, module)
    if is_verified and (found := list(verify(module))):
        if all(one.path is not None for one in found):  # limits of the device, which the result exceeds
            other = Phrase(OtherDevice())  # for verifiers without an option that keeps the result within the limit
            helps = (one.help if isinstance(one.help, Phrase) else other for one in found)
            raise Refused(
                *(evolve(one, step=step.name, place=None, help=help) for one, help in zip(found, helps, strict=True))
            )
        first, *others = found
        finding = Finding(
            COR016,
            f"{step.name} left invalid IR",
            at=pass_text(step) if (origin := origin_of(step)) is None else f"{pass_text(step)}, of {origin}",
            found="\n".join(first.lines()),
            notes=[f"{len(others)} more like this"] if others else [],
        )
        raise Refused(finding)


def run_observed(steps: Sequence[ModulePass], ctx: Context, module: ModuleOp, diagnostics: Diagnostics) -> None:
    """Runs the passes of a user, and reports each pass that changed nothing.

    Errors: as `apply`. Remarks: COR018.
    """
    for step in steps:
        before = module.clone()
        apply(step, ctx, module)
        if are_equivalent(module, before):
            remark_unchanged(step, diagnostics)


def remark_unchanged(step: ModulePass, diagnostics: Diagnostics) -> None:
    """Reports a pass that changed nothing, unless it only checks. Remarks: COR018."""
    if not (isinstance(step, NoptPass) and step.only_checks):
        diagnostics.remark(
            COR018,
            f"{step.name} changed nothing",
            at=pass_text(step),
            expected="something that the pass rewrites",
            found="none in this network",
            help=f"nopt passes {step.name}",
        )


def run_passes(
    steps: Sequence[ModulePass], ctx: Context, module: ModuleOp, hook: Hook | None = None, is_verified: bool = True
) -> None:
    """Runs passes in order and verifies after each; `hook` is called before, between and after them.

    The progress of the context is divided into one part for each pass.
    """
    done: ModulePass | None = None
    whole = progress_of(ctx)
    for number, step in enumerate(steps):
        if hook is not None:
            hook(done, module, step)
        if isinstance(ctx, NoptContext):
            ctx.progress = part_progress(whole, number, len(steps))
        try:
            apply(step, ctx, module, is_verified, number + 1, len(steps))
        finally:
            if isinstance(ctx, NoptContext):
                ctx.progress = whole
        report_part(whole, number + 1, len(steps))
        done = step
    if hook is not None:
        hook(done, module, None)
