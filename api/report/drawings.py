"""Drawings of arrays with Matplotlib for `nopt plot`: rasters, rates and traces, readable without colours.

Every function returns the bytes of a file, SVG by default. The same arrays have the same bytes. Shapes: [samples, ticks, neurons].
"""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.diagnostics import Code, ExitCode, refuse
from ...core.output import printable_line
from ...core.packages import is_installed
from ...core.progress import doing
from .figures.density import overlay, shades

API018 = Code("API018", "drawing-package-missing", "a package that draws is not installed", exit_code=ExitCode.MISUSED)

SETTINGS = {"svg.hashsalt": "nopt", "svg.fonttype": "none", "text.parse_math": False}
"""Settings of matplotlib for all drawings: equal arrays result in equal bytes, and texts remain texts."""
SIZE = (5.2, 2.6)
"""Width and height of a drawing in inches, so that its text is readable on a phone."""
STYLES = (("black", "-"), ("0.45", "-"), ("black", "--"), ("0.45", "--"), ("black", ":"), ("black", "-."))
"""Shades and dashes of lines, which are distinct in print."""
LINES = 6
"""Largest number of lines in a drawing."""


def require_packages(*names: str) -> None:
    """Refuses to draw without a package. Errors: API018."""
    missing = [name for name in names if not is_installed(name)]
    if missing:
        refuse(
            API018,
            f"{missing[0]} is not installed",
            at="report",
            expected=f"{', '.join(names)}, which the extra report brings",
            found=f"no {', '.join(missing)}",
            help="pip install 'nopt[report]'",
        )


@contextmanager
def installed_fonts() -> Generator[None]:
    """Draws with the fonts that are installed: a glyph that they lack is a box in a `.png`, and a program that shows a `.svg` has its own fonts."""
    log = logging.getLogger("matplotlib")
    level = log.level
    log.setLevel(logging.CRITICAL)  # the cache of fonts cannot be written
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from")
            yield
    finally:
        log.setLevel(level)


def label_text(name: str) -> str:
    """Returns a name as a label, without control characters. A space precedes a leading `_`, because matplotlib would hide the label."""
    return printable_line(f" {name}" if name.startswith("_") else name)


@contextmanager
def canvas(out: io.BytesIO, format: str) -> Generator[Any]:
    """Yields the axes of a new figure, and writes it to `out`. Errors: API018."""
    require_packages("matplotlib")
    matplotlib: Any = import_module("matplotlib")
    figures: Any = import_module("matplotlib.figure")
    with matplotlib.rc_context({**SETTINGS, "font.size": 9}), installed_fonts():
        figure = figures.Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        yield axes
        figure.savefig(out, format=format, dpi=150, metadata={"Date": None} if format == "svg" else {"Software": None})


@doing("drawing")
def draw(format: str, paint: Callable[[Any], None]) -> bytes:
    """Returns the file of a drawing that `paint` makes."""
    out = io.BytesIO()
    with canvas(out, format) as axes:
        paint(axes)
    return out.getvalue()


def raster(array: NDArray[Any], *, format: str = "svg") -> bytes:
    """Draws the events of the first sample as shades (`figures/density.py`): a cell for each neuron and tick, or for several."""

    def paint(axes: Any) -> None:
        counts = np.maximum(array[0].astype(np.int64), 0)
        ticks, neurons = counts.shape
        cells = overlay(counts, counts)
        shown = 255 - shades(cells.both, cells.most)
        ends = (shown.shape[1] * cells.ticks_per_column, shown.shape[0] * cells.neurons_per_row)
        extent = (-0.5, ends[0] - 0.5, -0.5, ends[1] - 0.5)
        if shown.size:
            options: dict[str, Any] = {"cmap": "gray", "vmin": 0, "vmax": 255, "interpolation": "nearest"}
            axes.imshow(shown, extent=extent, origin="lower", aspect="auto", **options)
        axes.set(xlabel="tick", ylabel="neuron", xlim=(-0.5, max(ticks, 1) - 0.5), ylim=(-0.5, max(neurons, 1) - 0.5))
        for axis in (axes.xaxis, axes.yaxis):
            axis.get_major_locator().set_params(integer=True)

    return draw(format, paint)


def rates(arrays: Mapping[str, NDArray[Any]], *, format: str = "svg") -> bytes:
    """Draws the mean number of events per neuron in each tick, a line for each array."""

    def paint(axes: Any) -> None:
        for (name, array), (colour, dash) in zip(list(arrays.items())[:LINES], cycle(STYLES), strict=False):
            axes.plot(array.mean((0, 2), dtype=np.float64), dash, color=colour, linewidth=1, label=label_text(name))
        axes.set(xlabel="tick", ylabel="events per neuron")
        axes.set_ylim(bottom=0)
        if arrays:
            axes.legend(fontsize=8, frameon=False)

    return draw(format, paint)


def trace(array: NDArray[Any], neurons: Sequence[int], *, format: str = "svg") -> bytes:
    """Draws values of some neurons of the first sample over the ticks."""

    def paint(axes: Any) -> None:
        for neuron, (colour, dash) in zip(neurons[:LINES], cycle(STYLES), strict=False):
            axes.plot(array[0, :, neuron], dash, color=colour, linewidth=1, label=f"neuron {neuron}")
        axes.set(xlabel="tick", ylabel="value")
        axes.legend(fontsize=8, frameon=False)

    return draw(format, paint)
