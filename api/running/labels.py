"""Labels: the class of each sample, checked against the input and the outputs of a network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.diagnostics import Code, quote_names, refuse
from ...core.help_text import Phrase, WithoutOptions
from ...simulation.stimuli import load_arrays

RUN020 = Code("RUN020", "labels-mismatch", "the labels do not fit")
RUN021 = Code("RUN021", "labels-need-single-output", "labels need one output")

Labels = str | Path | ArrayLike
"""A `.npy`, a `.npz` with one array, or an array: integers, one for each sample."""


def labels_of(
    given: Labels | None, samples: int, outputs: Mapping[str, int], *, has_samples: bool, ticks: int
) -> NDArray[Any] | None:
    """Returns the labels after a check; None without labels.

    Errors: RUN020 another type, shape or number, or an unknown class; RUN021 several outputs; those of reading.
    """
    if given is None:
        return None
    file, several = str(given) if isinstance(given, str | Path) else None, 1
    found: Any = load_arrays(given)[0] if isinstance(given, str | Path) else given
    if isinstance(found, dict):
        entries = cast("dict[str, Any]", found)
        several, found = len(entries), next(iter(entries.values()), None)
    array = np.asarray(found)
    if len(outputs) != 1:
        refuse(
            RUN021,
            file=file,
            expected="a network with one output",
            found=quote_names(outputs) if outputs else "no output",
            help=Phrase(WithoutOptions(("--labels",))),
        )
    ((name, classes),) = outputs.items()
    is_right = several == 1 and array.dtype.kind in "iu" and array.shape == (samples,)
    if not is_right or (array.size and not (array.min() >= 0 and array.max() < classes)):
        what = f"{array.dtype} of shape {list(array.shape)}" if several == 1 else f"{several} arrays"
        if is_right:
            wrong = int(np.flatnonzero((array < 0) | (array >= classes))[0])
            what = f"{array[wrong]} for sample {wrong}"
        some = "one for each sample of the input" if has_samples else "the input has no axis of samples"
        is_swapped = array.shape == (ticks,) != (samples,)
        refuse(
            RUN020,
            file=file,
            expected=f'integers of shape [{samples}], {some}, each a neuron of "{name}", 0 to {classes - 1}',
            found=what,
            help="--axes ticks,samples, or --axes samples,ticks"
            if is_swapped and has_samples
            else "numpy.save('y.npy', y.astype('int64'))",
            notes=[f"the input was read as {samples} samples x {ticks} ticks"] if is_swapped else [],
        )
    return array
