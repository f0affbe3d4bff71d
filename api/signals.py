"""Arrays in and out: what `--input` takes (`simulation/stimuli.py`), and the `.npz` that `run` writes.

Outputs have one entry per name, leading axes as in the input, and the same bytes for the same arrays.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ..core import pipeline
from ..simulation.axes import OrderedInput, ordered, parse_axes, refuse_axes
from ..simulation.stimuli import MARK, MARK_SAMPLES, Given, Stimulus, extent, load_arrays, stimulus
from .files import whole

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
    order = f" axes={','.join(parse_axes(axes))}" if axes is not None else ""
    return f"ntensor-calibrate{{data={pipeline.option_text(str(calib))}{order}}}"


def absolute(given: Any) -> Any:
    """An input whose file, if it is one, is found from every folder."""
    if isinstance(given, OrderedInput):
        return evolve(given, given=absolute(given.given))
    return str(Path(given).absolute()) if isinstance(given, str | Path) else given


def save(path: str | Path, arrays: Mapping[str, NDArray[Any]], *, has_samples: bool) -> None:
    """Writes a `.npz` whose bytes depend on the arrays alone, and which says whether they have an axis of samples.

        save("out.npz", {"output": spikes}, has_samples=False)

    Errors: FIL002 it cannot be written.
    """
    with whole(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.comment = MARK_SAMPLES if has_samples else MARK
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy")  # its date is 1980, always
            entry.external_attr, entry.create_system = 0o644 << 16, 3
            with archive.open(entry, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array, order="C"), allow_pickle=False)
