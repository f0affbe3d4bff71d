"""Readouts on the host: the chip with its host equals the network, the program of the artefact equals the host, and a late readout equals an early one."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import nir
import numpy as np
import pytest
from readout_networks import NETWORKS

import nopt.api as nopt
from nopt.analysis.latency import output_latencies
from nopt.api.modules import only_network
from nopt.dialects.ntensor.readout import readout_of
from nopt.simulation.frames import add_array

DEVICES = ("asic/edge", "loihi2/oheo_gulch", "spinnaker2/chip")
"""Without a latency, with one, and with the neurons of another program."""
TICKS = 40
CHOICES = {"dt": "1ms", "like": "norse", "reset": "value"}
"""The rule of all networks."""
MOST_ERROR = 0.3
"""Error of readouts of frames, relative to the sums of their ticks; without states it is above 0.5."""


@pytest.fixture
def spikes() -> np.ndarray:
    return np.random.default_rng(0).random((3, TICKS, 8)) < 0.4


def write(folder: Path, name: str) -> Path:
    path = folder / "net.nir"
    nir.write(path, NETWORKS[name]())
    return path


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", NETWORKS)
def test_the_chip_and_its_host_equal_the_network(name: str, device: str, spikes: np.ndarray, tmp_path: Path) -> None:
    build = nopt.compile(write(tmp_path, name), target=device, out=tmp_path / "build", **CHOICES)
    host = {entry["node"] for entry in build.report["host"]["layers"]}
    names = [*sorted(host), *(one for one in ("lif1", "lif2") if name == "two populations" or one == "lif1")]
    chip, network = (
        nopt.execute(build.folder, spikes, record=names, model=model).arrays for model in ("chip", "reference")
    )
    assert [*chip] == [*network]
    for key, values in network.items():
        assert np.array_equal(values, chip[key]), key
    assert any(values.any() for key, values in chip.items() if key.startswith("lif"))

    given, out = tmp_path / "spikes.npz", tmp_path / "out.npz"
    np.savez(given, **{one: chip[one.removesuffix(".spikes")] for one in build.report["host"]["inputs"]})
    run_program(build.folder, given, out)
    program = np.load(out)
    for key in program.files:
        assert np.array_equal(program[key], chip[key]), key


def run_program(build: Path, given: Path, out: Path) -> None:
    """Runs the program of an artefact."""
    before, sys.argv = sys.argv, ["readout.py", str(given), str(out)]
    try:
        runpy.run_path(str(build / "artefact" / "readout.py"), run_name="__main__")
    finally:
        sys.argv = before


@pytest.mark.parametrize("name", NETWORKS)
def test_a_late_readout_has_the_values_of_an_early_one(name: str, spikes: np.ndarray, tmp_path: Path) -> None:
    module = nopt.apply(
        nopt.read(write(tmp_path, name)), "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value}"
    )
    late = nopt.apply(
        module.clone(), "ntensor-move-readout-to-host,ntensor-retime{op-ticks=2},ntensor-retime{op-ticks=3}"
    )
    lags = output_latencies(only_network(late))
    before, after = nopt.run(module, spikes), nopt.run(late, spikes)
    assert lags
    for key, values in before.items():
        assert np.array_equal(values[:, : TICKS - lags[key]], after[key][:, lags[key] :]), key


def test_the_weights_of_the_host_are_those_of_the_network(tmp_path: Path) -> None:
    build = nopt.compile(write(tmp_path, "li"), target="asic/edge", out=tmp_path / "build", weight_bits=3, **CHOICES)
    loaded = nopt.read(sorted((build.folder / "ir").glob("*.mlir"))[-1])
    readout = readout_of(loaded)
    assert readout is not None
    (fc2,) = (op for op in readout.computed if op.properties.get("node") and op.properties["node"].data == "fc2")
    assert np.array_equal(fc2.properties["weight"].values, NETWORKS["li"]().nodes["fc2"].weight)
    assert json.loads((build.folder / "report.json").read_text())["host"]["outputs"] == ["output"]


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"lif": np.zeros((4, 12))}, r"has no events of lif1\n  expected: an array lif1\.spikes or lif1\n  found: lif"),
        (
            {"lif1": np.zeros((4, 11))},
            r"lif1\.spikes has another shape\n  expected: \[ticks, \*\[12\]\] or .*\n  found: \[4, 11\]",
        ),
        ({}, r"has no events of lif1\n.*\n  found: none"),
    ],
)
def test_what_the_program_refuses(arrays: dict[str, np.ndarray], said: str, tmp_path: Path) -> None:
    build = nopt.compile(write(tmp_path, "li"), target="asic/edge", out=tmp_path / "build", **CHOICES)
    given = tmp_path / "spikes.npz"
    np.savez(given, **arrays)
    with pytest.raises(SystemExit, match=said):
        run_program(build.folder, given, tmp_path / "out.npz")
    assert not (tmp_path / "out.npz").exists()


def test_the_program_refuses_signals_of_different_lengths(tmp_path: Path) -> None:
    build = nopt.compile(write(tmp_path, "two populations"), target="asic/edge", out=tmp_path / "build", **CHOICES)
    inputs = build.report["host"]["inputs"]
    assert len(inputs) > 1
    chip = nopt.run(build.folder, np.zeros((4, 8), bool), record=[one.removesuffix(".spikes") for one in inputs])
    names = [one.removesuffix(".spikes") for one in inputs]
    np.savez(tmp_path / "spikes.npz", **{name: chip[name][: 4 - k] for k, name in enumerate(names)})
    with pytest.raises(SystemExit, match=r"the signals differ in samples or ticks\n.*\n  found: \[3\] and \[4\]"):
        run_program(build.folder, tmp_path / "spikes.npz", tmp_path / "out.npz")


def test_the_program_reads_the_events_of_a_population(spikes: np.ndarray, tmp_path: Path) -> None:
    build = nopt.compile(write(tmp_path, "li with biases"), target="asic/edge", out=tmp_path / "build", **CHOICES)
    one = nopt.run(build.folder, spikes[0], record=["lif1"])
    np.savez(tmp_path / "population.npz", lif1=one["lif1"].astype(int), more=np.zeros(3))
    run_program(build.folder, tmp_path / "population.npz", tmp_path / "out.npz")
    assert np.array_equal(np.load(tmp_path / "out.npz")["output"], one["output"])


@pytest.mark.parametrize("name", ["li with biases", "affine", "cuba_li"])
def test_a_readout_of_frames_sums_the_ticks_of_a_frame(name: str, tmp_path: Path) -> None:
    rule = "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value}"
    module = nopt.apply(nopt.read(write(tmp_path, name)), rule)
    frames = nopt.apply(
        module.clone(), "ntensor-move-readout-to-host,ntensor-encode-rates{window=5 approximate=leak,response}"
    )
    silent, steady = (nopt.run(one, np.zeros((2, TICKS, 8), bool)) for one in (module, frames))
    for key, values in silent.items():  # without spikes all ticks of a frame have the same input
        sums = values.reshape(2, TICKS // 5, 5, -1).sum(2)
        assert np.allclose(steady[key], sums, rtol=1e-12, atol=1e-12), key


@pytest.mark.parametrize("device", ["akida/akd1000", "akida/two_nodes_v2"])
@pytest.mark.parametrize("name", ["li", "cuba_li"])
def test_the_readout_of_akida_keeps_its_states_between_frames(
    name: str, device: str, spikes: np.ndarray, tmp_path: Path
) -> None:
    net, out = write(tmp_path, name), tmp_path / "build"
    build = nopt.compile(net, target=device, calib=spikes, approximate="all", out=out, **CHOICES)
    chip = nopt.run(build.folder, spikes, record=["lif1"])
    given, results = tmp_path / "counts.npz", tmp_path / "out.npz"
    np.savez(given, lif1=chip["lif1"])
    run_program(build.folder, given, results)
    assert chip["lif1"].any()
    assert np.array_equal(np.load(results)["output"], chip["output"])
    ticks = json.loads((build.folder / "artefact" / "mapping.json").read_text())["tick_ns"] // 10**6
    sums = add_array(nopt.run(net, spikes, **CHOICES)["output"], ticks)
    assert np.linalg.norm(chip["output"] - sums) <= MOST_ERROR * np.linalg.norm(sums)
