"""Inputs of verbs as options of passes, and independent of the working directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import evolve

from ..core.files import read_bytes
from ..passes.pipelines import calibrate
from ..simulation.axes import OrderedInput, parse_axes
from ..simulation.generated_inputs import is_generated


def calibration_pass(calib: Any, axes: str | None) -> str:
    """Returns the pass that calibrates with a file; empty without a file. Errors: INP008."""
    if not isinstance(calib, str | Path):
        return ""
    return calibrate(str(calib), None if axes is None else parse_axes(axes))


def input_bytes(path: str | Path) -> bytes:
    """Returns the bytes that identify an input: those of a file, or the text of a generated input. Errors: FIL001."""
    return str(path).encode() if is_generated(path) else read_bytes(path)


def absolute(given: Any) -> Any:
    """Returns an input with the absolute path of its file, if it has one."""
    if isinstance(given, OrderedInput):
        return evolve(given, given=absolute(given.given))
    if is_generated(given):
        return given
    return str(Path(given).absolute()) if isinstance(given, str | Path) else given
