"""Limits of a device as options of passes: `limits="bindings:8","workgroup_size:256"`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i64
from xdsl.passes import ModulePass

from ....core.diagnostics import refuse
from ....core.ir.pipeline import pass_text
from ....dialects import kernels
from ....dialects.kernels.program import LIMITS
from ..features import KNL003


def read_limits(step: ModulePass, texts: Sequence[str]) -> dict[str, int]:
    """Returns limits by name. Errors: KNL003 an unknown name, or no number."""
    found: dict[str, int] = {}
    for text in texts:
        name, _, value = text.partition(":")
        if name not in LIMITS or not value.isdecimal():
            known, help = f"NAME:NUMBER, of {', '.join(LIMITS)}", f"leave out {name}"
            refuse(KNL003, f'unknown limit "{name}"', at=pass_text(step), expected=known, found=text, help=help)
        found[name] = int(value)
    return found


def set_limits(program: kernels.ProgramOp, limits: dict[str, int]) -> None:
    """Adds limits to those that the verifier enforces."""
    if limits:
        known = {} if program.limits is None else dict(program.limits.data)
        given = {name: IntegerAttr(value, i64) for name, value in limits.items()}
        program.limits = DictionaryAttr(known | given)
