"""The second reader of artefacts computes the spikes of the chip's model, in networks with structures that several passes serve."""

from __future__ import annotations

from pathlib import Path

import asic_reader as reader
import pytest
from extent import seeds
from structured_networks import STYLES, outcome, structured

DEVICES = {"mesh": "asic", "host": "asic", "kinds": "asic", "edge": "asic_lif", "bus": "asic_lif"}
"""The style of networks for each device. The neurons of `multi` are not integers, and no second reader has them."""
OTHER_RULES = {"LEG020"}
"""Refusals of networks whose neurons are reached at their threshold, or spike several times in a tick."""


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("seed", seeds(3))
def test_reader_computes_the_same_spikes(seed: int, device: str, tmp_path: Path) -> None:
    made = structured(seed, STYLES[DEVICES[device]])
    found = outcome(made, f"asic/{device}", tmp_path / "build", reader.run_all)
    assert found == "equal" or (found in OTHER_RULES and made.choices["like"] != "norse"), found
