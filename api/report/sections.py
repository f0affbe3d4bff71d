"""Parts of a page: sections with texts, figures, tables and folded groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

Legend = tuple[tuple[str, str], ...]
"""CSS classes of lines and marks, with their texts."""
BEFORE_AFTER: Legend = (("before", "network of reals"), ("after", "after all passes"))


@frozen
class Figure:
    """A chart with its caption and legend."""

    caption: str
    drawing: str
    """SVG that is embedded in the page, so that its colours follow the theme and scripts can access it."""
    legend: Legend = ()
    is_wide: bool = False
    kind: str = "figure"


@frozen
class Cell:
    """A cell of a table with more than a text: a shade, which is a share of the colour `css`, or a bar."""

    text: str
    share: float = 0.0
    css: str = ""

    def __str__(self) -> str:
        return self.text


@frozen
class TableBlock:
    """A table; columns of numbers are aligned to the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    caption: str = ""
    numbers: tuple[int, ...] = ()
    """Columns of numbers."""
    is_beside: bool = False
    """Whether a wide page shows it beside figures."""
    kind: str = "table"


@frozen
class Lines:
    """Lines of code or commands."""

    lines: tuple[str, ...]
    kind: str = "lines"


@frozen
class BlockGroup:
    """Blocks under a title, which are folded until a reader opens them."""

    title: str
    blocks: tuple[Block, ...]
    text: str = ""
    is_folded: bool = False
    kind: str = "group"


Block = Figure | TableBlock | Lines | BlockGroup


@frozen
class Fact:
    """A fact of the card: its name, its value, and a note. The state colours it."""

    name: str
    value: str
    note: str = ""
    state: str = ""
    is_code: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the fact has a line of its own."""
        return self.is_code or bool(self.state)


@frozen
class Section:
    """A section of a page; or the reason why it is empty."""

    title: str
    text: str = ""
    blocks: tuple[Block, ...] = ()
    data: Mapping[str, Any] | None = None
    """Record for the script."""
    is_folded: bool = False
    facts: tuple[Fact, ...] = ()
    sides: tuple[Section, ...] = ()
    """Sections beside each other, of two builds."""
