"""Arrays in and out: what `--input` takes (`simulation/stimuli.py`), and what `run` writes (`outputs.py`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import evolve

from ..passes.pipelines import calibrate
from ..simulation.axes import OrderedInput, ordered, parse_axes, refuse_axes
from ..simulation.stimuli import Given, Stimulus, extent, load_arrays, stimulus
from .outputs import save

__all__ = [
    "Given",
    "OrderedInput",
    "Stimulus",
    "absolute",
    "calibrating",
    "extent",
    "load_arrays",
    "ordered",
    "refuse_axes",
    "save",
    "stimulus",
]


def calibrating(calib: Any, axes: str | None) -> str:
    """The pass that calibrates with a file; nothing where none is given. Errors: INP008."""
    if not isinstance(calib, str | Path):
        return ""
    return calibrate(str(calib), None if axes is None else parse_axes(axes))


def absolute(given: Any) -> Any:
    """An input whose file, if it is one, is found from every folder."""
    if isinstance(given, OrderedInput):
        return evolve(given, given=absolute(given.given))
    return str(Path(given).absolute()) if isinstance(given, str | Path) else given
