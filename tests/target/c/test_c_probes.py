"""Probes of a C artefact: its program writes them, its test vectors check them, and its interfaces pass them as rows."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from places import ROOT

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

NET = ROOT / "examples" / "digits" / "fc.nir"
CHOICES = {"dt": "1ms", "like": "norse"}
PROBES = ["1", "3:v"]


def compiled(build: Path, target: str, *settings: str) -> np.ndarray:
    """Compiles a network with probes and test vectors, and returns a sample."""
    x = (np.random.default_rng(2).random((2, 30, 64)) < 0.3).astype(np.float32)
    nopt.compile(
        NET, target=target, out=build, set=settings, calib=x, probe=PROBES, diagnostics=Diagnostics(), **CHOICES
    )
    return x[0]


@pytest.mark.parametrize("target", ["c", "c/int8"])
def test_the_program_writes_the_arrays_of_nopt_run(target: str, tmp_path: Path) -> None:
    build, out = tmp_path / "build", tmp_path / "out"
    x, folder = compiled(build, target), build / "artefact"
    assert [row["name"] for row in json.loads((folder / "manifest.json").read_text())["records"]] == ["1", "3.v"]
    subprocess.run(["make", "-s", "check"], cwd=folder, check=True, capture_output=True)
    subprocess.run(["make", "-s"], cwd=folder, check=True)
    out.mkdir()
    dtype = json.loads((folder / "manifest.json").read_text())["inputs"][0]["dtype"]
    np.save(tmp_path / "x.npy", x.astype(dtype))
    subprocess.run([folder / "net", tmp_path / "x.npy", out], check=True)
    expected = nopt.run(build, x)
    assert expected.keys() == {"output", "1", "3.v"}
    assert all(values.any() for values in expected.values())
    found = nopt.compare(out, expected)
    assert found.equal, found


@pytest.mark.parametrize("io", ["integers", "events", "bitmap"])
def test_interfaces_and_projects_pass_probes_as_rows(io: str, tmp_path: Path) -> None:
    compiled(tmp_path / "build", "c/int8", f"c.io={io}", "c.project=cmake")
    folder = tmp_path / "build" / "artefact"
    assert "uint8_t *n1_seen, int" in (folder / "net_io.h").read_text()
    for source in folder.glob("*.c"):
        command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-c", source.name, "-o", tmp_path / "one.o"]
        subprocess.run(command, cwd=folder, check=True)
