"""Parts of a page: sections with texts, figures and tables."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen


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
    """SVG that is part of the page, so that a script can reach it."""
    tables: tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = ()
    lines: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None
    """Record for the script."""


def number_text(value: Any) -> str:
    return (
        "-"
        if value is None
        else f"{value:,}"
        if isinstance(value, int)
        else f"{value:.6g}"
        if isinstance(value, float)
        else str(value)
    )
