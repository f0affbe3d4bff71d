"""Networks in ticks for trials: the conversion and the calibration run once, and the result is that of all passes in order."""

from __future__ import annotations

from pathlib import Path

import pytest

import nopt.api as nopt
from nopt.api.modules import available_passes, module_of
from nopt.api.permissions.calibrated_networks import CalibratedNetworks
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.context import NoptContext
from nopt.core.ir.pass_manager import run_passes
from nopt.core.ir.pipeline import parse_pipeline
from nopt.passes.quantize.signals.ntensor_calibrate import NtensorCalibratePass

MESH = find_device("asic", "mesh")
ROUNDED = "ntensor-quantize-weights{bits=4}"


@pytest.fixture
def networks(root: Path) -> CalibratedNetworks:
    bars = root / "examples" / "bars"
    return CalibratedNetworks(module_of(bars / "bars.nir"), {"dt": "1ms", "like": "norse"}, bars / "input.npy")


def test_trials_share_one_calibration(networks: CalibratedNetworks, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, apply = [], NtensorCalibratePass.apply
    monkeypatch.setattr(NtensorCalibratePass, "apply", lambda *args: runs.append(args) or apply(*args))
    plain, rounded = networks.after(MESH, []), networks.after(MESH, [ROUNDED])
    assert len(runs) == 1
    assert str(plain) != str(rounded)
    networks.after(MESH, [], parse_pipeline("ntensor-quantize-state{bits=8}", available_passes()))
    assert len(runs) == 2  # options that are short for passes follow the calibration, and their result is kept, too
    assert str(networks.after(MESH, [])) == str(plain)


def test_result_is_that_of_all_passes(networks: CalibratedNetworks) -> None:
    first, late = networks.steps(MESH, [ROUNDED])
    whole = networks.network.clone()
    run_passes([*first, *late], NoptContext(), whole)
    assert str(networks.after(MESH, [ROUNDED])) == str(whole)


def test_trials_with_the_same_first_passes_share_their_results(
    networks: CalibratedNetworks, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = parse_pipeline(ROUNDED, available_passes())[0]
    runs, apply = [], type(step).apply
    monkeypatch.setattr(type(step), "apply", lambda *args: runs.append(args) or apply(*args))
    first, again, longer = Diagnostics(), Diagnostics(), Diagnostics()
    rounded = networks.after(MESH, [ROUNDED], diagnostics=first)
    rounded.body.block.erase_op(next(iter(rounded.ops)), safe_erase=False)  # a copy, which its reader may change
    networks.after(find_device("asic", "kinds"), [ROUNDED], diagnostics=again)
    networks.after(MESH, [ROUNDED, "ntensor-quantize-state{bits=8}"], diagnostics=longer)
    assert len(runs) == 1
    assert again.findings == first.findings  # those of a result that is read again are reported, too
    assert longer.findings[: len(first.findings)] == first.findings


def test_refusals_name_the_pass(networks: CalibratedNetworks) -> None:
    with pytest.raises(nopt.Refused, match="COR012"):
        networks.after(MESH, ["ntensor-round-everything"])
