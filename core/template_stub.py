"""Refusal of target parts that `nopt new` generates as stubs for the author."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

from .diagnostics import Code, refuse

COR028 = Code("COR028", "target-part-not-written", "a part of a target is not written yet")


def not_implemented(file: str, part: str, expected: str) -> NoReturn:
    """Refuses a call of a part that is not written; `file` is the `__file__` of its module. Errors: COR028."""
    path = Path(file)
    shown = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
    help = f"edit {shown}: replace the call of {not_implemented.__name__}"
    refuse(
        COR028, f"{part} is not written yet", at=part, file=shown, expected=expected, found="the template", help=help
    )
