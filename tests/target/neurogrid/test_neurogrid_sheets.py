"""A sheet with lateral inhibition compiles with arbors, needs few events, and runs; inhibition by arbors has an effect."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from both_models import run_both
from sheets import lateral_kernel, lateral_sheet

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

SIDE, RADIUS, TICKS = 12, 1.5, 120
CHOICES = {"dt": "1ms", "like": "euler", "reset": "value"}
APPROXIMATE = "ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset}"


def compile_sheet(folder: Path, strength: float) -> Path:
    """Compiles a sheet, whose neurons have a gain of 1 and read one input each."""
    source = folder / "sheet.mlir"
    kernel = lateral_kernel(4, RADIUS, strength)
    source.write_text(lateral_sheet(SIDE, kernel, gain=20.0), encoding="utf-8")
    passes = f"ntensor-fit-arbors{{inhibitory={RADIUS}}},{APPROXIMATE}"
    nopt.compile(source, target="neurogrid", out=folder / "b", passes=passes, diagnostics=Diagnostics(), **CHOICES)
    return folder / "b"


def spikes_of(build: Path, x: np.ndarray) -> np.ndarray:
    return np.asarray(nopt.run(build, x, diagnostics=Diagnostics())["y"])


@pytest.mark.parametrize("seed", range(2))
def test_a_sheet_with_lateral_inhibition_runs(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    x = rng.random((TICKS, 1, SIDE, SIDE)) < 0.1
    x[:, :, :, SIDE // 2 :] &= rng.random((TICKS, 1, SIDE, SIDE - SIDE // 2)) < 0.3  # the left half gets more
    counts: dict[float, np.ndarray] = {}
    for strength in (0.02, 2.0):
        folder = tmp_path / str(strength)
        folder.mkdir()
        counts[strength] = spikes_of(compile_sheet(folder, strength), x).sum(axis=0)[0]
    weak, strong = counts[0.02], counts[2.0]
    assert weak.sum() > 200
    assert 0 < strong.sum() < 0.8 * weak.sum()
    left, right = strong[:, : SIDE // 2].mean(), strong[:, SIDE // 2 :].mean()
    assert left > right


def test_an_arbor_needs_one_event_for_each_neuron(tmp_path: Path) -> None:
    """One event for the input and one for the inhibition, in place of 69 synapses of each neuron."""
    build = compile_sheet(tmp_path, 0.5)
    chip = json.loads((build / "artefact" / "network.json").read_text(encoding="utf-8"))["chip"]
    (group,) = next(op for op in chip["body"] if op["op"] == "neurogrid.core")["body"]
    tables = [op for sender in (chip["body"][0], group) for op in sender["body"]]
    assert sum(op["events"]["shape"][0] for op in tables) == 2 * SIDE * SIDE
    assert group["arbors"]["values"] == [0.0, RADIUS]
    report = json.loads((build / "report.json").read_text(encoding="utf-8"))
    assert any("sums of arbors" in json.dumps(one) for one in report["approximations"])


def test_the_model_equals_the_network_with_arbors(tmp_path: Path) -> None:
    build = compile_sheet(tmp_path, 0.5)
    x = np.random.default_rng(3).random((TICKS, 1, SIDE, SIDE)) < 0.1
    record = ["sheet", "sheet.v", "sheet.g_inh"]
    chip, reference = run_both(build, x, record)
    assert chip["sheet"].any()
    for name in record:
        np.testing.assert_allclose(chip[name], reference[name], rtol=1e-9, atol=1e-9)
