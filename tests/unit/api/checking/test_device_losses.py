"""Loss of each device in `check --target`: equal to that of a compilation, from one run of the reference and of each network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.checking.device_losses import network_hash
from nopt.api.conformance.networks import discretised
from nopt.api.judging.loss import Loss
from nopt.api.running import shared_reference
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.ntensor import NetworkOp

CHOICES: dict[str, Any] = {"dt": "1ms", "like": "sinabs"}
LABELS = np.array([0, 1] * 4)
DEVICES = ("c/generic", "c/int4", "memxbar/array128", "dynapcnn/speck2f", "loihi2/programmable")
"""Devices without a change, with integers, with models that promise less than equal bits, and with a latency."""


def bars(root: Path) -> tuple[Path, Path]:
    return root / "examples" / "bars" / "bars.nir", root / "examples" / "bars" / "input.npy"


def checked_loss(root: Path, device: str) -> Loss | None:
    network, x = bars(root)
    return nopt.check(network, x, labels=LABELS, target=device, **CHOICES).targets[0].loss


@pytest.mark.parametrize("device", DEVICES)
def test_loss_is_that_of_a_compilation(root: Path, tmp_path: Path, device: str) -> None:
    network, x = bars(root)
    loss = checked_loss(root, device)
    made = {"target": device, "calib": x, "labels": LABELS, "out": tmp_path / "build", "diagnostics": Diagnostics()}
    report = nopt.compile(network, **made, **CHOICES).report
    assert loss is not None
    assert loss.as_json() == report["loss"]
    assert loss.accuracy_before == report["levels"][0]["accuracy"]


def test_equal_networks_run_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []
    execute = shared_reference.execute

    def counted(*args: Any, **options: Any) -> Any:
        runs.append("model" if options["chip"] is not None else "network")
        return execute(*args, **options)

    monkeypatch.setattr(shared_reference, "execute", counted)
    network = root / "examples" / "digits" / "fc.nir"
    ranking = nopt.check(network, "poisson:0.3,ticks=8,samples=2", target="auto", dt="1ms", like="norse").ranking
    measured = [one for one in ranking if one.loss is not None]
    exact = [one for one in measured if find_device(*one.device.split("/")).fidelity.tier == "exact"]
    assert len(measured) == sum(one.is_fitting for one in ranking)
    assert runs.count("model") == len(measured) - len(exact)
    assert 1 < runs.count("network") < len(exact)  # devices of one family have the same network


def test_order_is_by_loss(root: Path) -> None:
    network, x = bars(root)
    ranking = nopt.check(network, x, labels=LABELS, target="auto", **CHOICES).ranking
    losses = [one.loss for one in ranking if one.loss is not None]
    falls = [max(0, one.accuracy_before - one.accuracy) for one in losses]
    assert falls == sorted(falls)
    assert ranking[0].loss is not None
    assert ranking[0].loss.count_error == 0


def test_reference_that_is_not_kept_gives_the_same_loss(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = checked_loss(root, "c/int4")
    monkeypatch.setattr(shared_reference, "ROOM_BYTES", 1)  # a group for each sample
    assert checked_loss(root, "c/int4") == kept


def test_hash_ignores_the_origin_of_a_network(root: Path) -> None:
    network = nopt.read(bars(root)[0])
    first, again = (discretised(network, {**CHOICES}) for _ in range(2))
    other = discretised(network, {**CHOICES, "like": "norse"})
    (op,) = (op for op in first.ops if isinstance(op, NetworkOp))
    op.attributes["machine.device"] = op.sym_name
    assert network_hash(first) == network_hash(again) != network_hash(other)
