"""The script of an artefact, run against mocks of xylosim and of rockpool (`mock/`), against `nopt run` and against the configuration of the artefact.

The mock of xylosim computes the equations of the chip event by event. `make oracles ONLY=xylo` compares it with xylosim itself in every state.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
from artefact_scripts import run_script, verify_script

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

MOCK = Path(__file__).parent / "mock"
SCRIPT = "xylo_network.py"
DEVICES = "audio2", "audio3", "imu"


def network(seed: int, r: float = 20.0) -> nir.NIRGraph:
    """Returns a recurrent network with biases and two layers. Norse multiplies currents by dt / tau."""
    rng = np.random.default_rng([48, seed])

    def population(size: int) -> nir.CubaLIF:
        one = np.ones(size)
        return nir.CubaLIF(
            tau_mem=0.01 * one, tau_syn=0.004 * one, r=r * one, v_leak=0 * one, v_threshold=one, w_in=one
        )

    nodes = {
        "input": nir.Input(np.array([6])),
        "fc": nir.Affine(rng.normal(0.2, 0.6, (9, 6)), rng.normal(0, 0.05, 9)),
        "h": population(9),
        "rec": nir.Linear(rng.normal(0, 0.2, (9, 9))),
        "fc2": nir.Linear(rng.normal(0.1, 0.4, (4, 9))),
        "o": population(4),
        "output": nir.Output(np.array([4])),
    }
    edges = [("input", "fc"), ("fc", "h"), ("h", "rec"), ("rec", "h"), ("h", "fc2"), ("fc2", "o"), ("o", "output")]
    return nir.NIRGraph(nodes, edges, type_check=False)


def compiled(path: Any, build: Path, device: str, **more: Any) -> None:
    options = {"dt": "1ms", "like": "norse", "reset": "subtract", "approximate": "all", **more}
    nopt.compile(path, target=f"xylo/{device}", out=build, diagnostics=Diagnostics(), **options)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("more", [{}, {"like": "rockpool", "reset": None}], ids=["single spikes", "counts"])
def test_the_script_has_the_spikes_and_states_of_nopt_run(more: dict[str, Any], device: str, tmp_path: Path) -> None:
    build = tmp_path / "build"
    compiled(network(0, 1.0 if more else 20.0), build, device, **more)
    x = np.random.default_rng(1).random((3, 50, 6)) < 0.4
    arrays = verify_script(build, SCRIPT, MOCK, {"input": x}, ["h", "h.v", "h.i", "o.v", "o.i"])
    assert all(arrays[name].any() for name in ("h", "h.v", "h.i", "output"))
    alone = verify_script(build, SCRIPT, MOCK, {"input": x[1]}, ["h.v"], "--ticks", "50")
    assert np.array_equal(alone["h.v"], arrays["h.v"][1])  # each sample starts afresh


def test_the_script_records_the_probes(tmp_path: Path) -> None:
    build = tmp_path / "build"
    compiled(network(0, 20.0), build, "audio2", probe=["h:i", "o:v", "h"])
    x = np.random.default_rng(1).random((2, 50, 6)) < 0.4
    assert verify_script(build, SCRIPT, MOCK, {"input": x}).keys() == {"output", "h", "h.i", "o.v"}


@pytest.mark.parametrize("device", DEVICES)
def test_the_script_makes_the_configuration_of_the_artefact(device: str, tmp_path: Path) -> None:
    build = tmp_path / "build"
    compiled(network(1), build, device)
    done = run_script(build, SCRIPT, MOCK, "--configure", "samna.json")
    assert done.returncode == 0, done.stderr
    made = json.loads((build / "samna.json").read_text())
    path = build / "artefact" / "configuration.json"
    given = json.loads(path.read_text())
    for layer, fields in given.items():
        for name, values in fields.items() if isinstance(fields, dict) else ():
            assert made[layer][name] == values, f"{layer}.{name}"
    given["readout"]["neurons"][2]["threshold"] += 1
    path.write_text(json.dumps(given))
    done = run_script(build, SCRIPT, MOCK, "--configure", "other.json")
    assert done.returncode == 1
    assert re.match(r"error: readout.neurons\[2\].threshold of rockpool's configuration differs", done.stderr)
    assert not (build / "other.json").exists()


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        ((), "IN.npz and OUT.npz are required, or --configure OUT.json alone", 2),
        (("in.npz",), "IN.npz and OUT.npz are required", 2),
        (
            ("in.npz", "out.npz", "--configure", "c.json"),
            "argument --configure: not allowed with the arguments of a run",
            2,
        ),
        (("in.npz", "out.npz", "--record", "h.i_2,w"), "--record w: this array cannot be recorded", 1),
        (("none.npz", "out.npz"), "none.npz cannot be read", 1),
    ],
)
def test_what_the_script_refuses(arguments: tuple[str, ...], said: str, code: int, tmp_path: Path) -> None:
    compiled(network(0), tmp_path, "audio3")
    np.savez(tmp_path / "in.npz", input=np.zeros((4, 6), bool))
    done = run_script(tmp_path, SCRIPT, MOCK, *arguments)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert not (tmp_path / "out.npz").exists()
