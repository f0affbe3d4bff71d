"""The script of an artefact, run against a mock of sPyNNaker (`mock/`) that computes the equations of its neurons, against `nopt run`.

It proves that the script builds and records the network of the chip, sample by sample. That sPyNNaker accepts the script is tested with the tool itself (`make oracles`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import GOLDENS, ROOT

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

MOCK = Path(__file__).parent / "mock"
INPUTS = GOLDENS / "targets" / "spinnaker" / "inputs"
CHOICES = {"dt": "1ms", "like": "norse", "reset": "value"}


def run_script(build: Path, *options: str) -> subprocess.CompletedProcess[str]:
    script = build / "artefact" / "spynnaker_network.py"
    command = [sys.executable, str(script), "in.npz", "out.npz", *options]
    return subprocess.run(
        command, cwd=build, env={"PYTHONPATH": str(MOCK)}, capture_output=True, text=True, check=False
    )


def compiled(path: Path, build: Path, **more: Any) -> dict[str, tuple[int, ...]]:
    """Compiles a network and returns the shapes of its inputs."""
    nopt.compile(path, target="spinnaker", out=build, diagnostics=Diagnostics(), **{**CHOICES, **more})
    chip = json.loads((build / "artefact" / "network.json").read_text())["chip"]
    shapes = {one["source"]: one["type"] for one in chip["body"] if one["op"] == "spinnaker.input"}
    return {name: tuple(int(n) for n in type[7:].split("x")[:-1]) for name, type in shapes.items()}


@pytest.mark.parametrize(
    ("path", "more"),
    [
        (INPUTS / "net.mlir", {}),
        (INPUTS / "delayed.mlir", {}),
        (INPUTS / "integrators.mlir", {"approximate": "decay"}),
        (ROOT / "examples" / "rhythm" / "rhythm.nir", {"approximate": "all"}),
        (ROOT / "examples" / "digits" / "rates.nir", {"like": "sinabs", "reset": None, "approximate": "all"}),
    ],
    ids=["net", "delayed", "integrators", "rhythm", "rates"],
)
def test_script_has_the_spikes_and_potentials_of_the_model(path: Path, more: dict[str, Any], tmp_path: Path) -> None:
    build, rng = tmp_path / "build", np.random.default_rng(5)
    given = {name: rng.random((3, 140, *shape)) < 0.7 for name, shape in compiled(path, build, **more).items()}
    np.savez(build / "in.npz", **given)
    chip = json.loads((build / "artefact" / "network.json").read_text())["chip"]
    names = {one["source"] for core in chip["body"] if core["op"] == "spinnaker.core" for one in core["body"]}
    shown = [name for name in names if "." not in name]
    done = run_script(build, *(word for name in shown for word in ("--record", f"{name}.v")))
    assert done.returncode == 0, done.stderr
    expected = nopt.run(build, given, record=[*shown, *(f"{name}.v" for name in shown)])
    with np.load(build / "out.npz") as found:
        assert expected.keys() <= {*found}
        for name, values in expected.items():
            assert np.array_equal(found[name], values), name
    assert any(values.any() for values in expected.values())
    assert json.loads((build / "calls.json").read_text())["resets"] == 2


def test_sources_can_be_random_or_live(tmp_path: Path) -> None:
    build = tmp_path / "build"
    compiled(INPUTS / "net.mlir", build)
    np.savez(build / "in.npz")
    assert run_script(build, "--poisson", "x=50", "--ticks", "5").returncode == 0
    assert json.loads((build / "calls.json").read_text())["sources"] == {"x": {"kind": "poisson", "rate": 50.0}}
    assert run_script(build, "--live", "x=12345", "--ticks", "5").returncode == 0
    assert json.loads((build / "calls.json").read_text())["sources"] == {"x": {"kind": "live", "port": 12345}}


@pytest.mark.parametrize(
    ("options", "arrays", "said"),
    [
        ((), {}, "arrays of x are expected, found none"),
        ((), {"x": np.zeros((4, 2))}, "the shape of a tick is (3,), found (2,)"),
        (("--record", "one.i"), {"x": np.zeros((4, 3))}, "--record one.i: expected NAME.v of one, two"),
        (("--poisson", "x=50"), {}, "--ticks is needed, since no input is an array"),
        (("--poisson", "x"), {}, "NAME=NUMBER is expected"),
        (("--ip", "10.0.0.1", "--spalloc", "host"), {}, "not allowed with argument"),
    ],
)
def test_what_the_script_refuses(
    options: tuple[str, ...], arrays: dict[str, np.ndarray], said: str, tmp_path: Path
) -> None:
    build = tmp_path / "build"
    compiled(INPUTS / "net.mlir", build)
    np.savez(build / "in.npz", **arrays)
    done = run_script(build, *options)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (build / "out.npz").exists()
