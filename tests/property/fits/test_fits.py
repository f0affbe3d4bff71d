"""Each common network spikes, and two of them on some devices; sums over rows whose sums are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from common_networks import NAMES, write_network
from fits_record import row, summary
from forked_commands import Folder

LOSS = {"agreement": 0.9, "count_error": 0.2, "relative_error": None, "accuracy": None, "accuracy_before": None}


@pytest.mark.parametrize("name", NAMES)
def test_outputs_of_each_network_differ(name: str, tmp_path: Path) -> None:
    case = write_network(tmp_path, name)
    assert Folder(tmp_path, 60).run(("run", *case.arguments, "-o", "out.npz")).code == 0
    with np.load(tmp_path / "out.npz") as outputs:
        sums = outputs["output"].reshape(-1, *outputs["output"].shape[-2:]).sum(1)
    assert sums.any(0).mean() >= 0.5, "most outputs spike"
    assert len(np.unique(sums)) > 2


@pytest.mark.parametrize("name", ["ff_lif.value", "trained.subtract"])
def test_device_of_the_ranking_compiles(name: str, tmp_path: Path) -> None:
    case = write_network(tmp_path, name)
    command = ("check", *case.arguments, "--target", "loihi2", "--approximate", "all")
    assert Folder(tmp_path, 60).run(command).code == 0


def test_summary_counts_fits_and_losses() -> None:
    fits = {"device": "a/b", "fits": "exact", "approximations": [], "loss": LOSS}
    refused = {"device": "a/c", "fits": "no", "loss": None, "code": "PLN002", "reason": "fan-in"}
    rows = [row("net", fits), row("net", refused)]
    assert summary("net", rows) == "net: 1 of 2 fit, median agreement 0.900, 1 below 0.95; not a/c PLN002"
