"""Each common network spikes, and some fit on devices with little loss; sums over rows whose sums are known."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from benchmark_networks import OPTIONS, benchmark_names, write_benchmark, write_leaky
from common_networks import NAMES, write_network
from fits_record import entry, merged, row, summary
from forked_commands import Folder
from places import ROOT

from nopt.core import registry

RECORD = ROOT / "docs" / "reference" / "network-fits.json"

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


@pytest.mark.parametrize("device", ["c/int8", "memxbar/array128", "asic/mesh", "spinnaker2/chip"])
def test_layers_of_leaky_neurons_keep_their_decisions(device: str, tmp_path: Path) -> None:
    """Networks like those of the benchmark: the weights of a layer have the size of its threshold, and resets subtract it."""
    rng = np.random.default_rng(48)
    matrices = [rng.normal(0.1, 0.4, shape).astype(np.float32) for shape in ((12, 4), (8, 12), (3, 8))]
    case = write_leaky(tmp_path, matrices, [48])
    reply = Folder(tmp_path, 60).run(("check", *case.arguments, "--target", device, "--approximate", "all"))
    assert reply.code == 0
    assert reply.document is not None
    loss = reply.document["targets"][0]["loss"]
    assert loss["agreement"] >= 0.95
    assert loss["count_error"] <= 0.15


def test_networks_of_the_benchmark_are_written(shared: Path, tmp_path: Path) -> None:
    names = benchmark_names(shared)
    if not names:
        pytest.skip(f"no folder snn_bench in {shared / 'samples'}")
    case = write_benchmark(shared, tmp_path, names[0])
    assert case.options == OPTIONS
    assert Folder(tmp_path, 60).run(("check", *case.arguments, "--target", "c/int8")).code == 0


def test_summary_counts_fits_and_losses() -> None:
    fits = {"device": "a/b", "fits": "exact", "approximations": [], "loss": LOSS}
    refused = {"device": "a/c", "fits": "no", "loss": None, "code": "PLN002", "reason": "fan-in"}
    rows = [row("net", fits), row("net", refused)]
    assert summary("net", rows) == "net: 1 of 2 fit, median agreement 0.900, 1 below 0.95; not a/c PLN002"


def test_check_of_one_device_gives_the_row_of_the_ranking() -> None:
    fit = {"device": "a/b", "fits": "exact", "approximations": [], "loss": LOSS}
    refused = {"device": "a/c", "fits": "no", "loss": None}
    warning = {"severity": "warning", "code": "LOS001", "message": "loss"}
    error = {"severity": "error", "code": "PLN002", "message": "fan-in"}
    assert row("net", entry({"targets": [fit], "findings": [warning]})) == row("net", fit)
    found = row("net", entry({"targets": [refused], "findings": [warning, error]}))
    assert (found["code"], found["reason"]) == ("PLN002", "fan-in")


def test_rows_of_devices_that_are_not_checked_stay() -> None:
    def one(network: str, device: str, fits: str = "exact") -> dict[str, str]:
        return {"network": network, "device": device, "fits": fits}

    earlier = [one("n", "a/b"), one("n", "a/c"), one("m", "a/b"), one("old", "a/b")]
    rows = [one("n", "a/d"), one("n", "a/b", "no"), one("m", "a/d")]
    assert merged(earlier, rows, ["m", "n"]) == [
        one("m", "a/b"), one("m", "a/d"), one("n", "a/b", "no"), one("n", "a/c"), one("n", "a/d"),
    ]  # fmt: skip


def test_record_has_a_row_of_each_network_on_each_device() -> None:
    fits = json.loads(RECORD.read_text(encoding="utf-8"))["fits"]
    devices = {f"{slug}/{name}" for slug, names in registry.devices().items() for name in names}
    assert sorted((one["network"], one["device"]) for one in fits) == sorted(product(NAMES, devices))
