"""The scripts of an artefact, run against a mock of the vendor's package (`mock/`) that computes the equations of its layers, against `nopt run`.

That the package accepts the scripts, and computes the same, is tested with the package itself (`make oracles`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from akida_scripts import CASES, Case, prepared
from layer_stacks import draw
from layer_stacks2 import draw2

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

MOCK = Path(__file__).parent / "mock"


def run_script(folder: Path, script: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(folder / "b" / "artefact" / script), *options]
    return subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(MOCK)}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.device}")
def test_the_script_has_the_numbers_of_nopt_run(case: Case, tmp_path: Path) -> None:
    expected = prepared(case, tmp_path)
    done = run_script(tmp_path, "run_model.py", "in.npz", "out.npz", *(f"--record={name}" for name in case.records))
    assert done.returncode == 0, done.stderr
    if (tmp_path / "b" / "artefact" / "readout.py").exists():
        assert run_script(tmp_path, "readout.py", "out.npz", "host.npz").returncode == 0
    found = {**np.load(tmp_path / "out.npz")}
    found |= {**np.load(tmp_path / "host.npz")} if (tmp_path / "host.npz").exists() else {}
    assert expected.keys() <= found.keys()
    for name, values in expected.items():
        assert np.array_equal(found[name], values), name
        assert values.any()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("drawer", [draw, draw2])
def test_random_layers_have_the_numbers_of_nopt_run(drawer: object, seed: int, tmp_path: Path) -> None:
    device = "akida/akd1500" if drawer is draw else "akida/twelve_nodes_v2"
    stack = (draw if drawer is draw else draw2)(seed, device)
    nopt.compile(stack.module, out=tmp_path / "b", target=device, diagnostics=Diagnostics())
    (name,) = (one.data for one in stack.network.input_names)
    np.savez(tmp_path / "in.npz", **{name: stack.frames})
    done = run_script(tmp_path, "run_model.py", "in.npz", "out.npz")
    assert done.returncode == 0, done.stderr
    expected = nopt.run(tmp_path / "b", stack.frames)
    with np.load(tmp_path / "out.npz") as found:
        assert found.files == [*expected]
        for key, values in expected.items():
            assert np.array_equal(found[key], values), key


def test_a_board_maps_and_a_missing_one_is_reported(tmp_path: Path) -> None:
    prepared(CASES[0], tmp_path)
    done = run_script(tmp_path, "run_model.py", "in.npz", "out.npz", "--board")
    assert (done.returncode, done.stderr) == (1, "akida.devices() has no board\n")
    assert not (tmp_path / "out.npz").exists()
    (tmp_path / "boards").write_text("board0 board1")
    assert run_script(tmp_path, "run_model.py", "in.npz", "out.npz", "--board").returncode == 0
    assert json.loads((tmp_path / "calls.json").read_text()) == ["map board0 hw_only=True"]


def test_the_other_script_maps_and_saves_the_model(tmp_path: Path) -> None:
    prepared(CASES[0], tmp_path)
    assert run_script(tmp_path, "build_model.py", "out.fbz", "AKD1500").returncode == 0
    assert json.loads((tmp_path / "calls.json").read_text()) == ["map AKD1500 hw_only=True", "save out.fbz"]


@pytest.mark.parametrize(
    ("arrays", "options", "said"),
    [
        ({}, (), "an array input is expected, found none"),
        ({"input": np.zeros((4, 3))}, (), "of 32 elements in a tick are expected, found (4, 3)"),
        ({"input": np.full((4, 2, 16), 20)}, (), "frames are whole numbers from 0 to 15, found "),
        ({"input": np.full((4, 2, 16), 0.3)}, (), "frames are whole numbers from 0 to 15, found "),
        ({"input": np.zeros((4, 2, 16))}, ("--record", "g"), "--record g: expected one of h"),
    ],
)
def test_what_the_script_refuses(
    arrays: dict[str, np.ndarray], options: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    prepared(CASES[0], tmp_path)
    np.savez(tmp_path / "in.npz", **arrays)
    done = run_script(tmp_path, "run_model.py", "in.npz", "out.npz", *options)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out.npz").exists()
