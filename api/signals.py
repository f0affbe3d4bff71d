"""Arrays in and out: what `--input` takes (`simulation/stimuli.py`), and the `.npz` that `run` writes.

Outputs have one entry per name, leading axes as in the input, and the same bytes for the same arrays.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..simulation.stimuli import MARK, MARK_SAMPLES, Given, Stimulus, load_arrays, stimulus
from .files import whole

__all__ = ["Given", "Stimulus", "load_arrays", "save", "stimulus"]


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
