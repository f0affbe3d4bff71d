"""The presets reproduce recorded traces of the frameworks: spikes exactly, v within 1e-7 after rescaling."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from plain import population

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

TRACES = {"norse": ("norse", 1), "snntorch": ("snntorch", 25), "nengo": ("nengo", 10), "sinabs": ("sinabs", 1)}
TRACES |= {"lava_cpu_float": ("lava", 1)}
"""Trace by file: the preset, and the scale in which the file stores v."""

RASTERS = [
    ("norse_activity_noDelay_bias_zero.npy", "norse", "zero", "bias_zero"),
    ("snntorch_activity_noDelay_bias_zero.npy", "snntorch", "zero", "bias_zero"),
    ("snntorch_activity_noDelay_noBias_subtract.npy", "snntorch", "subtract", "noBias_subtract"),
]


@pytest.fixture(scope="module")
def lif(shared: Path) -> Path:
    return shared / "samples" / "nir_paper" / "lif"


@pytest.fixture(scope="module")
def braille(shared: Path) -> Path:
    return shared / "samples" / "nir_paper" / "braille"


def rows(lif: Path, trace: str) -> np.ndarray:
    """Returns input, v and spike of 1000 ticks."""
    return np.loadtxt(lif / f"lif_{trace}.csv", delimiter=",")


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("trace", TRACES)
def test_lif(lif: Path, trace: str, precision: str) -> None:
    like, scale = TRACES[trace]
    recorded = rows(lif, trace)
    x = rows(lif, "norse")[:, 0]  # sinabs stores its input times dt / tau; the rows are the same
    found = nopt.run(lif / "lif_norse.nir", x, dt="0.1ms", like=like, precision=precision, record=["1", "1.v"])
    np.testing.assert_array_equal(found["1"][:, 0], recorded[:, 2])
    # 1e-7: the files store float32, 24 bits of values below 1 with an error of half a unit for every one of some ticks
    np.testing.assert_allclose(found["1.v"][:, 0], recorded[:, 1] / scale, rtol=0, atol=1e-7)


def test_lif_on_the_command_line(lif: Path, tmp_path: Path, nopt_folder: Path) -> None:
    np.save(tmp_path / "x.npy", rows(lif, "norse")[:, 0])
    command = f"run {lif / 'lif_norse.nir'} --input x.npy --dt 0.1ms --like norse --record 1,1.v -o out.npz"
    done = subprocess.run([nopt_folder / "nopt", *command.split()], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "out.npz") as found:
        np.testing.assert_array_equal(found["1"][:, 0], rows(lif, "norse")[:, 2])
        np.testing.assert_allclose(found["1.v"][:, 0], rows(lif, "norse")[:, 1], rtol=0, atol=1e-7)


@pytest.mark.parametrize(("like", "spikes"), [("rockpool", [450, 500, 710, 760]), ("sinabs", [450, 500, 710, 760])])
def test_lif_whose_trace_is_not_here(lif: Path, like: str, spikes: list[int]) -> None:
    """The spikes of Rockpool's trace: exact decay, forward Euler gain, subtract; sinabs computes the same."""
    found = nopt.run(lif / "lif_norse.nir", rows(lif, "norse")[:, 0], dt="0.1ms", like=like, record=["1"])
    assert np.flatnonzero(found["1"][:, 0]).tolist() == spikes


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_rockpool_file(lif: Path, precision: str) -> None:
    """Rockpool's file is the same network after the repair of r = tau exp(-dt / tau) / dt, which represents the gain 1."""
    found = nopt.run(
        lif / "lif_rockpool.nir",
        rows(lif, "norse")[:, 0],
        dt="0.1ms",
        like="rockpool",
        exported_by="rockpool@3.1.0",
        precision=precision,
        record=["1_LIFNeuronTorch"],
        diagnostics=Diagnostics(),
    )
    assert np.flatnonzero(found["1_LIFNeuronTorch"][:, 0]).tolist() == [450, 500, 710, 760]


def test_spinnaker2_is_as_norse(lif: Path) -> None:
    x = rows(lif, "norse")[:, 0]
    found, norse = (
        nopt.run(lif / "lif_norse.nir", x, dt="0.1ms", like=like, record=["1", "1.v"])
        for like in ("spinnaker2", "norse")
    )
    np.testing.assert_array_equal(found["1"], norse["1"])
    np.testing.assert_array_equal(found["1.v"], norse["1.v"])


def test_spyx_shows_v_before_the_reset_and_spikes_a_tick_late(lif: Path) -> None:
    """A call compares the v of the previous call: a spike is in the row after the one whose v is above the threshold."""
    x = rows(lif, "norse")[:, 0]
    found = nopt.run(lif / "lif_norse.nir", x, dt="0.1ms", like="spyx", record=["1", "1.v"])
    params = parameters(lif / "lif_norse.nir", "1")
    k, th = 1e-4 / params["tau"], params["v_threshold"]
    currents = {tick: current(lif, tick) for tick in (0.0, 1.0)}
    v, spikes, shown = 0.0, [], []
    for tick in x * 1.0:
        z = v > th
        v = v + k * (params["r"] * currents[tick] - v) - z * th
        spikes.append(z)
        shown.append(v)
    np.testing.assert_array_equal(found["1"][:, 0], spikes)
    np.testing.assert_allclose(found["1.v"][:, 0], shown, rtol=0, atol=1e-12)
    assert max(shown) > th, "v is shown before the reset"
    late = np.flatnonzero(found["1"][:, 0]) - 1
    assert (found["1.v"][late, 0] > th).all()


def parameters(path: Path, node: str) -> dict[str, float]:
    """Returns the parameters of the one neuron of a file, from the `nir` package."""
    import nir

    op = nir.read(path).nodes[node]
    return {name: float(np.ravel(getattr(op, name))[0]) for name in ("tau", "r", "v_threshold")}


def current(lif: Path, x: float) -> float:
    """Returns the output of the synapse before the neuron."""
    import nir

    node = nir.read(lif / "lif_norse.nir").nodes["0"]
    return float(np.ravel(node.weight)[0]) * x + float(np.ravel(node.bias)[0])


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize(("raster", "like", "reset", "net"), RASTERS)
def test_braille(braille: Path, raster: str, like: str, reset: str, net: str, precision: str) -> None:
    """A recurrent network of CubaLIF neurons, 256 ticks: no entry differs."""
    found = nopt.run(
        braille / f"braille_noDelay_{net}.nir",
        np.load(braille / "input_sample0.npy"),
        dt="0.1ms",
        like=like,
        reset=reset,
        precision=precision,
        record=["lif1.lif"],
    )
    differing = np.flatnonzero((found["lif1.lif"] != np.load(braille / raster)).any(1))
    assert not differing.size, f"first at tick {differing[0]}"


def test_braille_with_the_other_rule_differs(braille: Path) -> None:
    """Delaying spikes where Norse delays the current lets the recurrent bias act one tick early: 23 entries differ."""
    found = nopt.run(
        braille / "braille_noDelay_bias_zero.nir",
        np.load(braille / "input_sample0.npy"),
        dt="0.1ms",
        like="norse",
        loop_delay="spikes",
        record=["lif1.lif"],
    )
    assert (found["lif1.lif"] != np.load(braille / RASTERS[0][0])).sum() == 23


@pytest.mark.parametrize("net", ["bias_zero", "noBias_subtract"])
def test_spyx_braille(braille: Path, net: str) -> None:
    """Spyx subtracts for every file; the recurrent bias acts in the first tick, and all rows are one tick late."""
    import nir

    path, x = braille / f"braille_noDelay_{net}.nir", np.load(braille / "input_sample0.npy")
    found = nopt.run(path, x, dt="0.1ms", like="spyx", record=["lif1.lif"])
    graph = nir.read(path)
    nodes = (
        {**graph.nodes, **{f"lif1.{name}": node for name, node in graph.nodes["lif1"].nodes.items()}}
        if ("lif1" in graph.nodes)
        else graph.nodes
    )
    rec = nodes["lif1.w_rec"]
    first, cell = nodes["fc1"], nodes["lif1.lif"]
    a_syn, a_mem = 1 - 1e-4 / cell.tau_syn.astype(float), 1 - 1e-4 / cell.tau_mem.astype(float)
    n = len(first.weight)
    i, v, z = np.zeros(n), np.zeros(n), np.zeros(n)
    spikes = []
    for tick in x.astype(float):
        i = a_syn * i + first.weight @ tick + getattr(first, "bias", 0) + rec.weight @ z + getattr(rec, "bias", 0)
        v = a_mem * v + i
        z = (v > 1).astype(float)
        v = v - z
        spikes.append(z)
    np.testing.assert_array_equal(found["lif1.lif"][1:], np.array(spikes)[:-1])
    assert not found["lif1.lif"][0].any()


def test_one_sample_for_every_preset(lif: Path) -> None:
    """Every preset against the plain rules, on the network of the traces."""
    from nopt.core.registry import presets

    x = rows(lif, "norse")[:, 0]
    params = parameters(lif / "lif_norse.nir", "1") | {"v_leak": 0.0, "v_reset": 0.0}
    weighted = {tick: current(lif, tick) for tick in (0.0, 1.0)}
    for like in sorted(set(presets()) - {"euler"}):
        (plain,) = population(like, "lif", None, 1e-4, {name: np.array([value]) for name, value in params.items()})
        currents = [weighted[tick] for tick in x]
        if like == "lava":  # its synapse takes a tick
            currents = [0.0, *currents[:-1]]
        expected = [plain(tick) for tick in currents]
        found = nopt.run(lif / "lif_norse.nir", x, dt="0.1ms", like=like, record=["1"], diagnostics=Diagnostics())
        np.testing.assert_array_equal(found["1"][:, 0], expected, err_msg=like)
