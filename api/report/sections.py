"""Parts of a page: sections with texts, figures and tables, and the drawings of a result in a notebook."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from typing import Any

from attrs import field, frozen
from numpy.typing import NDArray

from . import drawings


@frozen
class Figure:
    """An image with its caption."""

    caption: str
    data: bytes = field(repr=False)

    @property
    def url(self) -> str:
        return f"data:image/svg+xml;base64,{b64encode(self.data).decode()}"


@frozen
class Section:
    """A section of a page: a text, figures, and tables of a head and rows; or the reason why it is empty."""

    title: str
    text: str = ""
    figures: tuple[Figure, ...] = ()
    drawing: str = ""
    """SVG that is embedded in the page, so that scripts can access it."""
    tables: tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = ()
    lines: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None
    """Record for the script."""


DRAWN = 4
"""Largest number of arrays that are drawn."""


def result_html(arrays: Mapping[str, NDArray[Any]], *, has_samples: bool, extent: str) -> str:
    """Returns a drawing of each array of a run: a raster of events, a trace of real numbers. Errors: API018."""
    shown: list[str] = []
    for name, array in list(arrays.items())[:DRAWN]:
        flat = drawings.flat_neurons(array, has_samples=has_samples)
        if not flat.size:
            continue
        is_real = array.dtype.kind == "f"
        drawing = drawings.trace(flat, list(range(min(3, flat.shape[2])))) if is_real else drawings.raster(flat)
        shown.append(f'<p>{escape(name)}</p><img src="{Figure(name, drawing).url}" alt="{escape(name)}">')
    return f"<p>{escape(extent)}</p>{''.join(shown)}"
