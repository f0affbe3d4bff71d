"""Plots of the arrays of a file: `nopt plot`. The suffix of the output names its format.

| kind | drawing |
| --- | --- |
| `raster` | the events of the first sample, darker where a cell has several; the default for spikes and counts |
| `rates` | the mean number of events per neuron in each tick |
| `trace` | the values of some neurons of the first sample; the default for real numbers, and for integers of which some are negative |
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...core.diagnostics import Code, ExitCode, first_of, near_names, near_notes, refuse
from ..atomic_files import write_whole
from ..budgets import MaxTime, with_max_time
from ..running.comparison import Arrays, named_arrays
from . import drawings
from .figures.density import flat_neurons

API019 = Code("API019", "plot-not-drawable", "a plot cannot be drawn", exit_code=ExitCode.MISUSED)

PlotKind = Literal["raster", "rates", "trace"]
PLOT_KINDS: tuple[PlotKind, ...] = ("raster", "rates", "trace")
PLOT_FORMATS = ("svg", "png")
LISTED = 20
"""Largest number of names in a message."""
TRACED_NEURONS = 3
"""Number of neurons of a trace that is not specified."""


@with_max_time
def plot(
    arrays: Arrays,
    out: str | Path,
    *,
    name: str | None = None,
    kind: PlotKind | None = None,
    neurons: Sequence[int] = (),
    samples: bool | None = None,
    max_time: MaxTime = None,
) -> str:
    """Draws one array of a file, and returns its name.

        nopt.plot("out.npz", "raster.svg", name="output")

    `name` is the array, by default the first; `kind` is a raster, rates or a trace. `neurons` are the neurons of a trace, by default the three that
    vary most. `samples` is that of `compare`.

    Errors: API018 a package is missing; API019 another name, format or neuron; those of reading; API012 the file cannot be written.
    """
    drawings.require_packages("matplotlib")
    format = plot_format(out)
    found, marked = named_arrays(arrays)
    if not found or (name is not None and name not in found):
        near = (near_names(name or "", found) or list(found) or ["NAME"])[0]
        notes = near_notes(name or "", found)
        message, help = "the array is not in the file", f"--name {quote(near)}"
        refuse_plot(message, f"--name {name}", first_of(list(found), LISTED), str(name), help, notes)
    chosen = next(iter(found)) if name is None else name
    array = found[chosen]
    has_samples = (array.ndim in (3, 5) if samples is None else samples) if marked is None else marked
    flat = flat_neurons(array, has_samples=has_samples and array.ndim > 1)
    if not flat.size:
        refuse_plot(
            "the array is empty", f"--name {chosen}", "samples, ticks and neurons", str(list(array.shape)), "nopt run"
        )
    write_whole(out, painted(flat, chosen, kind, neurons, format))
    return chosen


def painted(array: NDArray[Any], name: str, kind: PlotKind | None, neurons: Sequence[int], format: str) -> bytes:
    """Returns the file of a plot. Errors: API019 a neuron outside of the array."""
    is_value = array.dtype.kind == "f" or (array.dtype.kind == "i" and array.min() < 0)
    kind = kind or ("trace" if is_value else "raster")
    if kind == "raster":
        return drawings.raster(array, format=format)
    if kind == "rates":
        return drawings.rates({name: array}, format=format)
    count = array.shape[2]
    if (wrong := next((n for n in neurons if not 0 <= n < count), None)) is not None:
        refuse_plot(
            "the neuron is not in the array", f"--neurons {wrong}", f"0 to {count - 1}", str(wrong), "--neurons 0"
        )
    varied = np.argsort(-np.ptp(array[0].astype(np.float64), axis=0), kind="stable")[:TRACED_NEURONS]
    return drawings.trace(array, list(neurons) or [int(n) for n in varied], format=format)


def plot_format(out: str | Path) -> str:
    """Returns the format of a file by its suffix. Errors: API019."""
    suffix = Path(out).suffix.lower().removeprefix(".")
    if suffix not in PLOT_FORMATS:
        expected = " or ".join(f".{one}" for one in PLOT_FORMATS)
        refuse_plot(
            "unknown format of a plot", f"-o {out}", expected, suffix or "no suffix", f"-o {Path(out).stem}.svg"
        )
    return suffix


def refuse_plot(message: str, at: str, expected: str, found: str, help: str, notes: Sequence[str] = ()) -> NoReturn:
    refuse(API019, message, at=at, expected=expected, found=found, help=help, notes=notes)
