"""The recomputed figures of losses on arrays whose figures are known, and loss records of two generated networks on four devices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bed import compare, judgement_faults, write_case
from recomputed import accuracy, agreement, aligned, count_error, figures, matched, spike_agreement, worst

DEVICES = ("asic/mesh", "c/int4", "loihi2/programmable", "dynapcnn/speck2f")


def train(*ticks: int, length: int = 6) -> np.ndarray:
    """Returns one sample of one neuron with spikes in some ticks."""
    return np.array([[[float(tick in ticks)] for tick in range(length)]])


def test_agreement_compares_sets_of_winners() -> None:
    before = np.zeros((3, 2, 2))
    before[0, 0, 0] = before[1, 0, 1] = 1
    after = before.copy()
    after[1, 0, 0] = 1  # a tie is another decision
    assert agreement(before, after, is_event=True) == pytest.approx(2 / 3)
    assert agreement(before[..., :1], after[..., :1], is_event=True) is None


def test_decision_of_values_is_the_last_one() -> None:
    before, after = np.array([[[0, 9], [2, 1]]]), np.array([[[9, 0], [2, 1]]])
    assert agreement(before, after, is_event=False) == 1


def test_count_error_is_relative_to_the_mean_count() -> None:
    assert count_error(train(0, 1), train(0, 1, 2)) == 0.5
    assert count_error(train(), train()) == 0
    assert count_error(train(), train(3)) == 1


def test_spikes_coincide_within_a_tick() -> None:
    assert spike_agreement(train(1, 4), train(2, 4)) == 1
    assert spike_agreement(train(1), train(3)) == 0
    assert spike_agreement(train(), train()) == 1
    assert matched([1, 2, 3], [2, 3, 4]) == 3


def test_latency_and_frames_are_removed() -> None:
    before, after = aligned(train(0, 2), train(2, 4), latency=2)
    assert np.array_equal(before, after)
    sums, _ = aligned(train(0, 2), np.zeros((1, 2, 1)), 0, frame_ticks=3)
    assert sums.ravel().tolist() == [2, 0]
    sums, _ = aligned(train(0, 2, 5), np.zeros((1, 2, 1)), 0, frame_ticks=4)
    assert sums.ravel().tolist() == [2, 1]


def test_errors_of_values() -> None:
    found = figures(np.array([[[3.0], [4.0]]]), np.array([[[3.0], [3.0]]]), is_event=False)
    assert found["relative_error"] == pytest.approx(0.2)
    assert (found["largest_error"], found["largest_output"]) == (1, 4)
    assert worst([found, {"relative_error": 0.5}])["relative_error"] == 0.5


def test_class_is_the_first_of_the_largest_sums() -> None:
    assert accuracy(np.array([[[1, 1]], [[0, 2]]]), np.array([0, 1])) == 1


def test_warning_is_missed_or_too_early() -> None:
    loss = {"agreement": 0.9, "count_error": 0.0, "relative_error": None, "accuracy": None, "accuracy_before": None}
    assert list(judgement_faults(loss, is_warned=False)) == ["no warning at 2.00 of the thresholds"]
    assert not list(judgement_faults(loss, is_warned=True))
    assert not list(judgement_faults(loss | {"agreement": 0.96}, is_warned=True))
    assert list(judgement_faults(loss | {"agreement": 0.98}, is_warned=True))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("device", DEVICES)
def test_loss_records_equal_the_recomputed_ones(seed: int, device: str, tmp_path: Path) -> None:
    case = write_case(seed, tmp_path)
    outcome = compare(case, device, 120)
    assert outcome.faults == ()
