"""Rasters as images: events of neurons and ticks as shades of grey, which a page paints in its own colours.

| neurons | a row of the image is |
| --- | --- |
| up to 300 | a neuron |
| more | as many neurons as needed for at most 150 rows |

More than 300 ticks are joined to columns in the same way. The sum of all cells is the number of events. A cell with events is never blank, and the
darkest cell has the most events, so that several events of a neuron in a tick are darker than one.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

MOST_NEURONS = 300
"""Largest number of neurons with a row each."""
MOST_ROWS = 150
"""Largest number of rows of a larger population."""
MOST_COLUMNS = 300
"""Largest number of columns."""
LEAST_SHADE = 70
"""Shade of the cell with the fewest events, of 255."""

SIGNATURE = b"\x89PNG\r\n\x1a\n"

Cells = NDArray[np.int64]
Shades = NDArray[np.uint8]


@frozen
class Overlay:
    """Events of two runs by cell: those of both, and those of one run only. The neurons are rows, the ticks are columns."""

    both: Cells
    before: Cells
    after: Cells
    neurons_per_row: int
    ticks_per_column: int

    @property
    def most(self) -> int:
        """The largest number of events in a cell."""
        return int((self.both + self.before + self.after).max(initial=0))


def overlay(before: NDArray[np.int64], after: NDArray[np.int64]) -> Overlay:
    """Returns the events of two runs as cells. Events are common if they are of the same neuron and tick. Shapes: [ticks, neurons]."""
    common = np.minimum(before, after)
    ticks, neurons = map(int, common.shape)
    per_row = 1 if neurons <= MOST_NEURONS else -(-neurons // MOST_ROWS)
    per_column = -(-ticks // MOST_COLUMNS) or 1
    both, only_before, only_after = (
        join_cells(part.T, per_row, per_column) for part in (common, before - common, after - common)
    )
    return Overlay(both, only_before, only_after, per_row, per_column)


def join_cells(counts: Cells, rows: int, columns: int) -> Cells:
    """Adds the counts of neighbouring rows and columns. Shapes: [neurons, ticks] => [cells, cells]."""
    height, width = (-(-size // per) * per for size, per in zip(counts.shape, (rows, columns), strict=True))
    padded = np.zeros((height, width), np.int64)
    padded[: counts.shape[0], : counts.shape[1]] = counts
    return padded.reshape(height // rows, rows, width // columns, columns).sum((1, 3))


def shades(cells: Cells, most: int) -> Shades:
    """Returns the shade of each cell: 0 without events, 255 for `most` events."""
    spread = np.clip(cells / max(most, 1), 0, 1) if most > 1 else (cells > 0).astype(np.float64)
    return np.where(cells > 0, LEAST_SHADE + (255 - LEAST_SHADE) * spread, 0).round().astype(np.uint8)


def image_url(image: Shades) -> str:
    """Returns a PNG image of shades as a URL. The first row is the lowest."""
    height, width = image.shape
    rows = b"".join(b"\0" + row.tobytes() for row in image[::-1])
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return f"data:image/png;base64,{b64encode(SIGNATURE + b''.join(chunks)).decode()}"


def feature_maps(counts: NDArray[np.int64]) -> tuple[Cells, int]:
    """Returns maps of height x width in a grid, and its number of columns; a cell separates maps. Shapes: [maps, height, width]."""
    number, height, width = counts.shape
    columns = min(number, max(1, round((2 * number * height / width) ** 0.5)))
    rows = -(-number // columns)
    grid = np.zeros((rows * (height + 1) - 1, columns * (width + 1) - 1), np.int64)
    for k, one in enumerate(counts):
        top, left = (k // columns) * (height + 1), (k % columns) * (width + 1)
        grid[top : top + height, left : left + width] = one
    return grid[::-1], columns


def flat_neurons(array: NDArray[Any], *, has_samples: bool) -> NDArray[Any]:
    """Returns an array of a run as [samples, ticks, neurons]."""
    whole = array if has_samples else array[None]
    whole = whole.reshape(*(*whole.shape, 1)[:2], -1) if whole.size else whole.reshape(*(*whole.shape, 1, 1)[:2], 0)
    return whole
