"""Parts of a layer on neural processors: tiles of the input and groups of filters, as the vendor's mapper chooses them.

1. A tile has at most `cnp_height` x `cnp_width` positions, and its input with the margin of the kernel fits the input memory of an NP. The
   number of tiles is minimal; among equal numbers, there are as many as possible along h. Tiles have equal sizes, in steps of the stride of
   the pool, except for the last one.
2. Filters are divided into the smallest number of groups whose weights fit the weight memory, with at most `cnp_filters` filters. Groups have
   equal sizes except for the last one.

Source: observed on the mapper of BrainChip akida 2.19.3 (`MapMode.Minimal`), on 5800 random layers without a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import frozen

INPUT_WORD = 32
"""Bits of a word of the input memory."""
Spans = list[tuple[int, int]]
"""First position and number of positions of each tile along an axis."""


def input_bytes(height: int, width: int, channels: int, bits: int) -> int:
    """Returns the memory of a tile of the input."""
    per = 8 // bits
    padded = -(-height // per) * per * bits * channels
    return -(-padded // INPUT_WORD) * INPUT_WORD // 8 * width


@frozen
class TileLimits:
    """Limits of a tile: positions along both axes, and bytes of its input; None limits nothing."""

    height: int | None
    width: int | None
    bytes: int | None


def spans(size: int, parts: int, step: int) -> Spans:
    """Returns equal parts of an axis, whose size is a multiple of a step; the last part can be smaller."""
    even = -(-size // parts)
    part = -(-even // step) * step
    return [(first, min(part, size - first)) for first in range(0, size, part)]


def reach(size: int, span: tuple[int, int], margin: int) -> int:
    """Returns the positions that a window around a tile reads."""
    first, n = span
    return min(size, first + n + margin) - max(0, first - margin)


def some_spans(size: int, most: int | None, step: int) -> Iterator[Spans]:
    """Yields the divisions of an axis, the fewest parts first."""
    least = 1 if most is None else -(-size // most)
    for parts in range(least, size + 1):
        found = spans(size, parts, step)
        if len(found) == parts and (most is None or found[0][1] <= most):
            yield found


def choose_tiles(
    size: tuple[int, int], needed: Callable[[int, int], int], margin: int, step: int, limits: TileLimits
) -> tuple[Spans, Spans] | None:
    """Returns the tiles of a map along h and w; None if a single position does not fit. `needed`: bytes of h x w positions."""
    best: tuple[Spans, Spans] | None = None
    height, width = size
    fewest = 1 if limits.height is None else -(-height // limits.height)
    for columns in some_spans(width, limits.width, step):
        most = None if best is None else len(best[0]) * len(best[1])
        if most is not None and len(columns) * fewest >= most:
            break
        wide = max(reach(width, span, margin) for span in columns)
        for rows in some_spans(height, limits.height, step):
            if most is not None and len(columns) * len(rows) >= most:
                break
            high = max(reach(height, span, margin) for span in rows)
            if limits.bytes is None or needed(high, wide) <= limits.bytes:
                best = rows, columns
                break
    return best


def split_filters(
    filters: int, most: int | None, room: int | None, needed: Callable[[int], int]
) -> list[tuple[int, int]] | None:
    """Returns the first filter and the number of filters of each group; None if a single filter does not fit."""
    for groups in range(1, filters + 1):
        size = -(-filters // groups)
        if (most is None or size <= most) and (room is None or needed(size) <= room):
            return [(first, min(size, filters - first)) for first in range(0, filters, size)]
    return None
