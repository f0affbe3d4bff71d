"""Elements of SVG: the frame of a drawing, texts, and the classes of steps that the style of the page colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from ....core.output import printable_line

STEPS = 5
"""Number of shades of a scale."""
NARROWEST = 0.75
"""Smallest factor by which a page makes a drawing narrower; a narrower window scrolls."""


class Rect(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def attributes(self) -> str:
        """Returns the attributes of an element `rect`."""
        return f'x="{number(self.x)}" y="{number(self.y)}" width="{number(self.width)}" height="{number(self.height)}"'

    def grown(self, margin: float) -> Rect:
        """Returns the rectangle with a margin on each side."""
        return Rect(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)


def around(some: Sequence[Rect]) -> Rect:
    """Returns the smallest rectangle around rectangles."""
    x, y = min(one.x for one in some), min(one.y for one in some)
    right, low = max(one.x + one.width for one in some), max(one.y + one.height for one in some)
    return Rect(x, y, right - x, low - y)


def number(value: float) -> str:
    """Returns a coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def path(points: Iterable[tuple[float, float]]) -> str:
    """Returns the commands of straight lines through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def step_of(share: float) -> int:
    """Returns the step of the scale for a share from 0 to 1; values outside of this range have the first or the last step."""
    return min(max(int(share * STEPS), 0), STEPS - 1)


def text(value: str) -> str:
    """Returns a text for an element or an attribute, without control characters."""
    return escape(printable_line(value))


def short(name: str, letters: int) -> str:
    """Returns a name with at most this number of letters."""
    name = printable_line(name)
    return name if len(name) <= letters else name[: letters - 1] + "…"


def frame(width: float, height: float, label: str, parts: Iterable[str], kind: str) -> str:
    """Returns the drawing of a kind (its class). A window that is much narrower scrolls the drawing."""
    least = min(round(width), max(320, round(width * NARROWEST)))
    return (
        f'<svg class="{kind}" viewBox="0 0 {number(width)} {number(height)}" style="max-width:{number(width)}px;min-width:{least}px" '
        f'role="group" aria-label="{text(label)}">{"".join(parts)}</svg>'
    )
