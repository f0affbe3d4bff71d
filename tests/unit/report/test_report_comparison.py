"""The page of two builds: outputs are compared in the same ticks, and long lists are folded."""

from __future__ import annotations

import numpy as np

from nopt.api.report.build_differences import Change
from nopt.api.report.measurements import Recorded, Records
from nopt.api.report.parts.comparison import MOST_PLACES, aligned_pairs, differences_section, pair_figures
from nopt.api.report.sections import BlockGroup, TableBlock


def recorded(events: np.ndarray, lag: int) -> Recorded:
    return Recorded({"out": Records(events.shape[2:], events, None, None)}, {"out": lag}, 1, "1 sample")


def test_the_later_build_is_moved() -> None:
    """B has the events of A two ticks later, whichever of the two is given first."""
    early = np.zeros((1, 10, 3), np.int64)
    early[0, [1, 4], [0, 2]] = 1
    late = np.roll(early, 2, axis=1)
    for a, b in ((recorded(early, 0), recorded(late, 2)), (recorded(late, 2), recorded(early, 0))):
        (pair,) = aligned_pairs(a, b)
        assert pair.before is not None
        assert pair.after is not None
        np.testing.assert_array_equal(pair.before.events, pair.after.events)
        assert pair.latency == 2
        (figure,) = pair_figures(pair)
        assert figure.caption.startswith("2 events in A, 2 in B; same neuron and tick: 2")


def test_builds_keep_their_sides() -> None:
    more, fewer = np.ones((1, 5, 2), np.int64), np.zeros((1, 5, 2), np.int64)
    for a_lag, b_lag in ((0, 0), (0, 1), (1, 0)):
        (pair,) = aligned_pairs(recorded(more, a_lag), recorded(fewer, b_lag))
        (figure,) = pair_figures(pair)
        count = 10 - 2 * max(a_lag, b_lag)
        assert figure.caption.startswith(f"{count} events in A, 0 in B")


def test_places_and_passes_are_folded() -> None:
    places = [Change("mapping", f"core of n/{k}", "chip 0, core 1", "chip 0, core 2") for k in range(MOST_PLACES + 5)]
    changes = [Change("memory", "synapses", 1024, 512), Change("pipeline", "cse", "yes", None), *places]
    section = differences_section(changes)
    table, passes, cores = section.blocks
    assert isinstance(table, TableBlock)
    assert table.rows == (("memory", "synapses", "1024", "512"),)
    assert isinstance(passes, BlockGroup)
    assert isinstance(cores, BlockGroup)
    assert passes.is_folded
    assert cores.is_folded
    assert cores.text == f"The first {MOST_PLACES} of {MOST_PLACES + 5} vertices."
    assert section.text == f"{len(changes)} figures differ."
