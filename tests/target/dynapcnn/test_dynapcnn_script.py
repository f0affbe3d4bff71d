"""The script of an artefact, run against a mock of samna (`mock/`) that has the fields that sinabs sets, and refuses others.

It proves that the script passes the configuration on. It does not prove that samna accepts it: the vendor's library was not run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dynapcnn_networks import compiled, draw

MOCK = Path(__file__).parent / "mock"
SCRIPT = "apply_configuration.py"


def run_script(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(folder / "artefact" / SCRIPT), *options]
    return subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(MOCK)}, capture_output=True, text=True, check=False
    )


def expected(given: dict[str, Any]) -> dict[str, Any]:
    """Returns the configuration of a chip, whose unused cores have default values."""
    free = {"destinations": [{"enable": False, "feature_shift": 0, "layer": 0, "pooling": 1}] * 2}
    return given | {"cnn_layers": [given["cnn_layers"].get(str(core), free) for core in range(9)]}


@pytest.mark.parametrize("device", ["speck2f", "dynapcnn"])
@pytest.mark.parametrize("seed", range(3))
def test_the_script_passes_the_configuration_on(seed: int, device: str, tmp_path: Path) -> None:
    compiled(draw(seed), tmp_path, f"dynapcnn/{device}")
    given = json.loads((tmp_path / "artefact" / "configuration.json").read_text(encoding="utf-8"))
    assert run_script(tmp_path).stdout == f"valid: {len(given['cnn_layers'])} layers\n"
    assert not (tmp_path / "samna.json").exists()
    done = run_script(tmp_path, "Speck2fDevKit")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "samna.json").read_text(encoding="utf-8")) == expected(given)


def test_a_refusal_and_a_missing_board_are_reported(tmp_path: Path) -> None:
    compiled(draw(0), tmp_path, "dynapcnn/speck2f")
    done = run_script(tmp_path, "OtherKit")
    assert (done.returncode, done.stderr) == (1, "no board of type OtherKit\n")
    path = tmp_path / "artefact" / "configuration.json"
    given = json.loads(path.read_text(encoding="utf-8"))
    next(iter(given["cnn_layers"].values()))["dimensions"]["kernel_size"] = 17
    path.write_text(json.dumps(given), encoding="utf-8")
    done = run_script(tmp_path)
    assert (done.returncode, done.stderr) == (1, "samna refuses the configuration: kernel_size\n")
