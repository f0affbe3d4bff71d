"""The program for Lava of an artefact, run with a mock of Lava (`mock/`), against `nopt run`.

It proves that the program builds and records the network of the chip, sample by sample. That Lava itself computes the same is tested with the tool
(`make oracles ONLY=loihi2`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import nir
import numpy as np
import pytest
from artefact_scripts import SECONDS, run_script, verify_script
from attrs import evolve
from extent import times
from forked_commands import Folder
from lava_networks import NETWORKS, Case, compiled, network
from structured_networks import STYLES, structured

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

MOCK = Path(__file__).parent / "mock"
SCRIPT, SAMPLES = "lava_network.py", 3


def run(build: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return run_script(build, SCRIPT, MOCK, "in.npz", "out.npz", *options)


def potentials_of(build: Path) -> list[str]:
    """Returns every population of the chip, relays and clocks among them, and its potential."""
    chip = json.loads((build / "artefact" / "network.json").read_text(encoding="utf-8"))["chip"]
    groups = [group for core in chip["body"] if core["op"] == "loihi2.neuro_core" for group in core["body"]]
    return [*dict.fromkeys(name for one in groups for name in (one["source"], f"{one['source']}.v"))]


@pytest.mark.parametrize("name", NETWORKS)
def test_program_computes_the_spikes_and_states_of_the_model(name: str, tmp_path: Path) -> None:
    case = NETWORKS[name]
    build = compiled(case, tmp_path / "build")
    found = verify_script(build, SCRIPT, MOCK, {"input": case.inputs(SAMPLES)}, ("one", "two", *case.record))
    assert all(found[name].any() for name in ("one", "two"))
    (line,) = (line for line in run(build).stdout.splitlines() if line.startswith("one: 9 compartments, "))
    assert line.endswith(case.engine)
    calls = json.loads((build / "calls.json").read_text(encoding="utf-8"))
    assert calls["runs"] == SAMPLES
    kinds = calls["processes"]
    assert kinds.get("Compartments", 0) + kinds.get("Programmable", 0) == len(potentials_of(build)) // 2  # one each
    assert any(calls["message_bits"]) == name.startswith("graded")


@pytest.mark.parametrize("name", [*NETWORKS][:1])
def test_program_records_the_probes(name: str, tmp_path: Path) -> None:
    case = NETWORKS[name]
    probes = ["one", *(record.replace(".", ":") for record in case.record)]
    build = compiled(evolve(case, choices={**case.choices, "probe": probes}), tmp_path / "build")
    found = verify_script(build, SCRIPT, MOCK, {"input": case.inputs(SAMPLES)})
    assert found.keys() > {"one", *case.record}


@pytest.mark.parametrize("device", ["oheo_gulch", "loihi1", "programmable"])
@pytest.mark.parametrize("seed", range(times(2)))
def test_program_computes_structured_networks(seed: int, device: str, tmp_path: Path) -> None:
    made = structured(seed, STYLES["loihi2"])
    build, settings = tmp_path / "build", [f"core.neurons={7 + seed}"] if seed % 2 else []
    nopt.compile(
        made.graph,
        target=f"loihi2/{device}",
        out=build,
        set=settings,
        approximate="all",
        diagnostics=Diagnostics(),
        **made.choices,
    )
    shape = [int(n) for n in made.graph.nodes["input"].input_type["input"]]
    found = verify_script(build, SCRIPT, MOCK, {"input": made.x.reshape(len(made.x), *shape)}, potentials_of(build))
    assert any(values.any() for name, values in found.items() if not name.startswith("clock"))


def test_one_sample_has_no_axis_of_samples(tmp_path: Path) -> None:
    """A shorter input is padded with zeros, a longer one is cut."""
    case = NETWORKS["subtract"]
    build = compiled(case, tmp_path / "build")
    np.savez(build / "in.npz", input=case.inputs(1)[0])
    folder = Folder(build, SECONDS)
    for ticks in ("10", "80"):
        assert run(build, "--ticks", ticks, "--record", "one").returncode == 0
        ran = folder.run(("run", ".", "--input", "in.npz", "--ticks", ticks, "--record", "one", "-o", "run.npz"))
        assert ran.code == 0
        assert folder.run(("compare", "run.npz", "out.npz")).code == 0
        with np.load(build / "out.npz") as found:
            assert found["one"].shape == (int(ticks), 9)


def test_a_readout_reads_the_output_file(tmp_path: Path) -> None:
    """The host computes a last layer of values from the spikes that the program writes."""
    graph = network()
    one = np.ones(4, np.float32)
    graph.nodes["two"] = nir.LI(0.01 * one, 4 * one, 0 * one)
    case = Case(lambda: graph, choices={"reset": "subtract"})
    build = compiled(case, tmp_path / "build")
    np.savez(build / "in.npz", input=case.inputs(2))
    assert run(build).returncode == 0
    command = [sys.executable, "artefact/readout.py", "out.npz", "host.npz"]
    assert subprocess.run(command, cwd=build, check=False).returncode == 0
    folder = Folder(build, SECONDS)
    assert folder.run(("run", ".", "--input", "in.npz", "-o", "run.npz")).code == 0
    assert folder.run(("compare", "run.npz", "host.npz")).code == 0


def test_sums_beyond_32_bits_are_refused(tmp_path: Path) -> None:
    """Lava's `Dense` wraps such sums without a message; the model of the chip does not."""
    build = compiled(NETWORKS["graded_inputs"], tmp_path / "build")
    network, x = build / "artefact" / "network.json", NETWORKS["graded_inputs"].inputs(1)
    np.savez(build / "in.npz", input=x)
    record = json.loads(network.read_text())
    for core in (op for op in record["chip"]["body"] if op["op"] == "loihi2.neuro_core"):
        for group in core["body"]:
            for table in (op for op in group["body"] if "weight_exp" in op):
                table["weight_exp"] = 24
    network.write_text(json.dumps(record))
    done = run(build)
    assert done.returncode == 1
    assert "the sums of Lava's `Dense` wrap\n  expected: below 2^31 in all\n  found: up to" in done.stderr
    assert not (build / "out.npz").exists()
