"""Samples with labels: accepted files, refusals, and the division into two parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt
from nopt.api.tuning.samples import Samples, read_samples

X, Y = np.arange(24, dtype=np.float32).reshape(4, 3, 2), np.array([0, 1, 1, 0])
INPUTS, OUTPUTS = {"input": (2,)}, {"output": 2}


def test_arrays_and_labels_of_a_file(tmp_path: Path) -> None:
    np.savez(tmp_path / "train.npz", input=X, labels=Y)
    np.savez(tmp_path / "x.npz", input=X)
    np.save(tmp_path / "y.npy", Y)
    for samples in (
        read_samples(tmp_path / "train.npz", None, INPUTS, OUTPUTS),
        read_samples(tmp_path / "x.npz", tmp_path / "y.npy", INPUTS, OUTPUTS),
        read_samples({"input": X, "labels": Y}, None, INPUTS, OUTPUTS),
    ):
        assert len(samples) == 4
        assert np.array_equal(samples.inputs["input"], X)
        assert samples.labels.tolist() == Y.tolist()


@pytest.mark.parametrize(
    ("data", "labels", "code"),
    [
        ({"input": X}, None, "TUN001"),
        ({"input": X, "labels": Y}, Y, "TUN003"),
        ({"labels": Y}, None, "SIM007"),
        ({"inptu": X, "labels": Y}, None, "SIM007"),
        ({"input": X[..., :1], "labels": Y}, None, "SIM008"),
        ({"input": X, "labels": Y[:3]}, None, "RUN020"),
        ({"input": X, "labels": Y + 1}, None, "RUN020"),
        ({"input": X, "labels": -Y}, None, "RUN020"),
        ({"input": X, "labels": Y.astype(float)}, None, "RUN020"),
        ({"input": X * np.nan, "labels": Y}, None, "SIM030"),
    ],
)
def test_other_data_is_refused(data: dict[str, Any], labels: Any, code: str) -> None:
    with pytest.raises(nopt.Refused, match=code):
        read_samples(data, labels, INPUTS, OUTPUTS)


def test_two_parts_have_all_samples() -> None:
    samples = Samples({"input": X}, np.arange(4))
    train, held = samples.split(0.25, seed=0)
    assert (len(train), len(held)) == (3, 1)
    assert sorted([*train.labels, *held.labels]) == [0, 1, 2, 3]
    assert np.array_equal(held.inputs["input"], X[held.labels])
    again, other = samples.split(0.25, seed=0)[1], [samples.split(0.25, seed)[1].labels[0] for seed in range(9)]
    assert again.labels.tolist() == held.labels.tolist()
    assert len({*other}) > 1


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_a_part_without_samples_is_refused(share: float) -> None:
    with pytest.raises(nopt.Refused, match="TUN002"):
        Samples({"input": X}, np.arange(4)).split(share, seed=0)
