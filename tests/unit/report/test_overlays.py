"""Images of rasters: the cells hold all events, and the parts of an overlay are the differences of two runs."""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode

import numpy as np
import pytest
from numpy.typing import NDArray

from nopt.api.report.figures.charts import map_chart, nice_ticks, raster_chart
from nopt.api.report.figures.density import LEAST_SHADE, MOST_NEURONS, feature_maps, image_url, overlay, shades

SIZES = [(1, 1), (7, 3), (40, MOST_NEURONS), (40, MOST_NEURONS + 1), (901, 4096)]


def counts_of(seed: int, ticks: int, neurons: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).poisson(0.2, (ticks, neurons)).astype(np.int64)


def pixels(url: str) -> NDArray[np.uint8]:
    """Decodes a grey PNG image; the first row is the highest."""
    data = b64decode(url.removeprefix("data:image/png;base64,"))
    width, height = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT")
    (size,) = struct.unpack(">I", data[start - 4 : start])
    rows = np.frombuffer(zlib.decompress(data[start + 4 : start + 4 + size]), np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()  # no filter
    return rows[:, 1:]


@pytest.mark.parametrize(("ticks", "neurons"), SIZES)
def test_cells_hold_all_events(ticks: int, neurons: int) -> None:
    before, after = (counts_of(seed, ticks, neurons) for seed in (1, 2))
    cells = overlay(before, after)
    assert (cells.both + cells.before).sum() == before.sum()
    assert (cells.both + cells.after).sum() == after.sum()
    assert cells.before.sum() + cells.after.sum() == np.abs(before - after).sum()
    assert cells.both.size <= 300 * 300


def test_equal_runs_have_no_difference() -> None:
    counts = counts_of(3, 50, 2000)
    cells = overlay(counts, counts)
    assert not cells.before.any()
    assert not cells.after.any()


def test_cells_are_those_of_their_neurons_and_ticks() -> None:
    """One event of neuron 1000 in tick 5: rows of 28 neurons for 4096."""
    counts = np.zeros((10, 4096), np.int64)
    counts[5, 1000] = 3
    cells = overlay(counts, np.zeros_like(counts))
    assert cells.neurons_per_row == 28
    assert [*zip(*np.nonzero(cells.before), strict=True)] == [(1000 // 28, 5)]
    assert cells.before.max() == cells.most == 3


def test_every_event_is_visible_and_more_are_darker() -> None:
    image = shades(np.array([[0, 1, 2, 50]]), 50)
    assert image[0, 0] == 0
    assert LEAST_SHADE <= image[0, 1] < image[0, 2] < image[0, 3] == 255


def test_image_has_neuron_zero_at_the_bottom() -> None:
    image = shades(np.array([[1, 0], [0, 0], [0, 1]]), 1)
    assert pixels(image_url(image)).tolist() == [[0, 255], [0, 0], [255, 0]]


def test_feature_maps_hold_all_events() -> None:
    counts = np.arange(5 * 4 * 3).reshape(5, 4, 3)
    grid, columns = feature_maps(counts)
    assert grid.sum() == counts.sum()
    assert grid[::-1][:4, :3].tolist() == counts[0].tolist()
    assert grid[::-1][:4, 4:7].tolist() == counts[1].tolist()
    assert map_chart(overlay(grid.T, grid.T), 5, columns, (4, 3), "maps").count("<image") == 1


def test_charts_follow_the_theme() -> None:
    """A chart has no colour of its own: the colours of parts are variables of the page."""
    before, after = (counts_of(seed, 20, 30) for seed in (1, 2))
    chart = raster_chart(overlay(before, after), 20, 30, "raster")
    assert all(f'class="events {part}"' in chart for part in ("both", "before", "after"))
    assert "fill=" not in chart
    assert "stroke=" not in chart


def test_axis_of_one_neuron_has_one_tick() -> None:
    assert nice_ticks(0, 0, 6, is_whole=True) == [0]
    assert nice_ticks(0, 1, 6, is_whole=True) == [0, 1]
    assert nice_ticks(-0.4, 0.4, 6, is_whole=True) == [0]
    assert nice_ticks(0, 99, 6, is_whole=True) == [0, 20, 40, 60, 80]
