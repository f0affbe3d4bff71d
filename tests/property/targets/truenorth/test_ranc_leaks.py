"""The script of an artefact with an interpreter of the network files in the place of RANC's simulator: its spikes are those of the model.

The interpreter wraps potentials of 9 bits, as hardware does. That RANC's simulator has the same spikes is tested with the simulator itself (`make oracles`).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from places import TESTS
from ranc_networks import NETWORKS, Leaky, compare_with_model, compile_leaky, run_script

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics


@pytest.fixture
def simulator(tmp_path: Path) -> Path:
    """Returns a program with the arguments of `ranc_sim`."""
    program = tmp_path / "ranc_sim"
    interpreter = TESTS / "support" / "ranc.py"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{interpreter}" "$@" --bits 9\n', encoding="utf-8")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("leaky", NETWORKS, ids=lambda leaky: leaky.name)
def test_script_has_the_spikes_of_the_model(leaky: Leaky, simulator: Path, tmp_path: Path) -> None:
    build, _ = compile_leaky(leaky, tmp_path)
    done = run_script(build, simulator)
    assert done.returncode == 0, done.stderr
    code, text, spikes = compare_with_model(build)
    assert code == 0, text
    assert spikes > 10


def test_script_takes_one_sample_and_reports_what_is_wrong(simulator: Path, tmp_path: Path) -> None:
    build, x = compile_leaky(NETWORKS[0], tmp_path)
    np.save(build / "one.npy", x[0])
    assert run_script(build, simulator, "one.npy").returncode == 0
    (wanted,) = nopt.run(build, x[0], diagnostics=Diagnostics()).values()
    with np.load(build / "out.npz") as found:
        assert np.array_equal(found["out"], wanted)
    (build / "out.npz").unlink()
    np.savez(build / "other.npz", other=x)
    done = run_script(build, simulator, "other.npz")
    assert done.returncode == 1
    assert "has no array for in" in done.stderr
    done = run_script(build, build / "missing")
    assert done.returncode == 1
    assert "is not a program: give the path of ranc_sim, --simulator PATH" in done.stderr
    assert not (build / "out.npz").exists()
