"""Data files of the `nir` package: the package itself reads what `run -o out.h5` writes, and nopt reads both forms again."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import h5py
import nir
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import GOLDENS

import nopt
from nopt.api.report.plots import plot
from nopt.api.running.array_writers import save
from nopt.core.diagnostics import Refused
from nopt.simulation import nir_data
from nopt.simulation.stimuli import load_arrays
from nopt.tools.main import main

LIF = str(GOLDENS / "tools" / "inputs" / "lif.mlir")
CHOICES = ["--dt", "2ms", "--like", "norse"]
DTYPES = (bool, np.int8, np.uint16, np.int32, np.int64, np.float32, np.float64)


def codes(refusal: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [finding.code.id for finding in refusal.value.findings]


def observables(path: Path) -> dict[str, Any]:
    """Returns the observables as the nir package reads them, by node and name."""
    found: dict[str, Any] = {}

    def walk(graph: nir.NIRGraphData, prefix: str) -> None:
        for name, node in graph.nodes.items():
            if isinstance(node, nir.NIRGraphData):
                walk(node, f"{prefix}{name}.")
            else:
                found.update({f"{prefix}{name}:{key}": one for key, one in node.observables.items()})

    walk(nir.read_data(str(path)), "")
    return found


@pytest.mark.parametrize("samples", [None, 3])
def test_the_nir_package_reads_a_run(samples: int | None, tmp_path: Path) -> None:
    shape = (10, 2) if samples is None else (samples, 10, 2)
    np.save(tmp_path / "x.npy", (np.random.default_rng(1).random(shape) < 0.6).astype(np.float32) * 3)
    given = ["run", LIF, "--input", str(tmp_path / "x.npy"), *CHOICES, "--record", "lif,lif.v"]
    for name in ("out.npz", "out.h5"):
        assert main([*given, "-o", str(tmp_path / name)]) == 0
    arrays = np.load(tmp_path / "out.npz")
    found = observables(tmp_path / "out.h5")
    assert set(found) == {"output:spikes", "lif:spikes", "lif:v"}
    for key, name in (("output:spikes", "output"), ("lif:spikes", "lif"), ("lif:v", "lif.v")):
        one, array = found[key], arrays[name]
        assert isinstance(one, nir.TimeGriddedData)
        assert one.dt == 2e-3
        assert one.data.dtype == array.dtype
        np.testing.assert_array_equal(one.data, array if samples else array[None])
    assert found["output:spikes"].data.any()
    events = found["lif:spikes"].to_event(n_events=30)  # the package's own conversion takes the spikes
    np.testing.assert_array_equal(events.to_time_gridded(2e-3).data, found["lif:spikes"].data)
    assert nopt.compare(tmp_path / "out.h5", tmp_path / "out.npz").equal
    assert main(["compare", str(tmp_path / "out.h5"), str(tmp_path / "out.npz")]) == 0


def test_nested_names_are_nested_graphs_for_the_nir_package(tmp_path: Path) -> None:
    inner = nir.NIRGraph.from_list(nir.LIF(*(np.ones(2) for _ in range(4)), v_reset=np.zeros(2)))
    (name,) = (key for key, node in inner.nodes.items() if isinstance(node, nir.LIF))
    graph = nir.NIRGraph.from_list(nir.Scale(np.ones(2)), inner)
    (sub,) = (key for key, node in graph.nodes.items() if isinstance(node, nir.NIRGraph))
    full = f"{sub}.{name}"
    found = nopt.execute(
        graph, np.ones((5, 2), np.float32) * 9, record=[full, f"{full}.v"], choices={"dt": "100ms", "like": "norse"}
    )
    save(tmp_path / "out.h5", found.arrays, has_samples=False, tick_ns=found.tick_ns, nodes=found.nodes)
    data = nir.read_data(str(tmp_path / "out.h5"))
    assert set(data.nodes[sub].nodes[name].observables) == {"spikes", "v"}
    data.check_nodes(graph)  # the package finds each node in the graph
    arrays, marked = load_arrays(tmp_path / "out.h5")
    assert marked is False
    assert set(arrays) == set(found.arrays)
    for key, array in found.arrays.items():
        np.testing.assert_array_equal(arrays[key], array)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_arrays_are_equal_when_read_again(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("h5")
    has_samples = data.draw(st.booleans())
    lead = tuple(data.draw(st.integers(0, 3)) for _ in range(1 + has_samples))
    names = data.draw(st.lists(st.text("ab.é ", min_size=1, max_size=5).filter(lambda name: name != "."), unique=True))
    nodes = [name for name in names if data.draw(st.booleans()) or "." not in name.strip(".")]
    random = np.random.default_rng(data.draw(st.integers(0, 99)))
    arrays = {
        name: (random.integers(0, 2, lead + tuple(data.draw(st.lists(st.integers(0, 3), max_size=3)))) * 5).astype(
            data.draw(st.sampled_from(DTYPES))
        )
        for name in names
    }
    for file in ("1.h5", "2.h5"):
        save(folder / file, arrays, has_samples=has_samples, tick_ns=1000, nodes=nodes)
    assert (folder / "1.h5").read_bytes() == (folder / "2.h5").read_bytes()
    found, marked = load_arrays(folder / "1.h5")
    assert isinstance(found, dict)
    assert marked is has_samples
    assert set(found) == set(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)
    assert len(observables(folder / "1.h5")) == len(arrays)


def test_outputs_are_inputs_plots_and_sides_of_comparisons(tmp_path: Path) -> None:
    x = (np.random.default_rng(2).random((3, 8, 2)) < 0.5).astype(np.float32)
    save(tmp_path / "x.h5", {"input": x}, has_samples=True, tick_ns=2_000_000)
    np.save(tmp_path / "x.npy", x)
    given = {"dt": "2ms", "like": "norse"}
    runs = [nopt.execute(LIF, tmp_path / name, choices=given) for name in ("x.h5", "x.npy")]
    assert [run.has_samples for run in runs] == [True, True]
    np.testing.assert_array_equal(runs[0].arrays["output"], runs[1].arrays["output"])
    save(tmp_path / "one.h5", {"input": x[0]}, has_samples=False, tick_ns=2_000_000)
    one = nopt.execute(LIF, tmp_path / "one.h5", choices=given)
    assert not one.has_samples
    np.testing.assert_array_equal(one.arrays["output"], runs[1].arrays["output"][0])
    assert plot(tmp_path / "x.h5", tmp_path / "x.svg") == "input"
    assert (tmp_path / "x.svg").read_bytes().startswith(b"<?xml")
    save(tmp_path / "a.h5", runs[0].arrays, has_samples=True, tick_ns=2_000_000, nodes=runs[0].nodes)
    other = {"output": ~runs[0].arrays["output"]}
    save(tmp_path / "b.npz", other, has_samples=True)
    assert nopt.compare(tmp_path / "a.h5", tmp_path / "b.npz").arrays["output"].differing == 48
    with pytest.raises(Refused) as refusal:
        nopt.run(LIF, tmp_path / "x.h5", dt="1ms", like="norse")
    assert codes(refusal) == ["SIM011"]


def test_events_of_the_nir_package_are_arrays(tmp_path: Path) -> None:
    spikes = np.random.default_rng(3).random((2, 6, 4)) < 0.4
    grid = nir.TimeGriddedData(spikes, 1e-3)
    events = grid.to_event(n_events=24)
    valued = nir.ValuedEventData(events.idx, events.time, 4, 6e-3, np.where(events.idx >= 0, 2.5, 0.0))
    nodes = {"a": {"grid": grid, "spikes": events}, "b": {"values": valued}}
    made = nir.NIRGraphData({name: nir.NIRNodeData(own) for name, own in nodes.items()})
    nir.write_data(tmp_path / "x.h5", made)
    found, marked = load_arrays(tmp_path / "x.h5")
    assert marked is True
    assert isinstance(found, dict)
    assert set(found) == {"a.grid", "a", "b"}
    np.testing.assert_array_equal(found["a"], spikes)
    np.testing.assert_array_equal(found["b"], spikes * 2.5)
    nir.write_data(tmp_path / "y.h5", nir.NIRGraphData({"a": nir.NIRNodeData({"spikes": events})}))
    with pytest.raises(Refused) as refusal:
        load_arrays(tmp_path / "y.h5")
    assert codes(refusal) == ["SIM011"]


DAMAGES = {
    "no type": lambda file: file.attrs.__delitem__("__type__"),
    "another type": lambda file: file.attrs.__setitem__("__type__", "NIRNodeData"),
    "no nodes": lambda file: file.__delitem__("nodes"),
    "nodes are data": lambda file: (file.__delitem__("nodes"), file.create_dataset("nodes", data=[1])),
    "no observables": lambda file: file.__delitem__("nodes/lif/observables"),
    "no time step": lambda file: file["nodes/lif/observables/v"].attrs.__delitem__("dt"),
    "two axes": lambda file: (
        file.__delitem__("nodes/lif/observables/v/data"),
        file.create_dataset("nodes/lif/observables/v/data", data=np.zeros((2, 2))),
    ),
    "texts": lambda file: (
        file.__delitem__("nodes/lif/observables/v/data"),
        file.create_dataset("nodes/lif/observables/v/data", data="v", dtype=h5py.string_dtype()),
    ),
    "another shape": lambda file: file["nodes/lif/observables/v"].attrs.__setitem__("shape", [7]),
    "an unknown observable": lambda file: file["nodes/lif/observables/v"].attrs.__setitem__("__type__", "Spikes"),
    "an unknown node": lambda file: file["nodes/lif"].attrs.__setitem__("__type__", "Node"),
    "no type of a node": lambda file: file["nodes/lif"].attrs.__delitem__("__type__"),
    "a link": lambda file: file.__setitem__("nodes/other", h5py.ExternalLink("/etc/other.h5", "/nodes/lif")),
    "data in another file": lambda file: (
        file.__delitem__("nodes/lif/observables/v/data"),
        file.create_dataset(
            "nodes/lif/observables/v/data", (1, 4, 2), np.uint8, external=[("/etc/hostname", 0, h5py.h5f.UNLIMITED)]
        ),
    ),
    "a cycle": lambda file: (file["nodes/lif"].attrs.__setitem__("__type__", "NIRGraphData"), cycle(file)),
}


def cycle(file: h5py.File) -> None:
    file["nodes/lif/nodes"] = file["nodes"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_refused(damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.h5"
    save(path, {"lif.v": np.zeros((4, 2))}, has_samples=False, tick_ns=1000, nodes=[])
    with h5py.File(path, "r+") as file:
        DAMAGES[damage](file)
    with pytest.raises(Refused) as refusal:
        load_arrays(path)
    assert codes(refusal) == ["SIM011"]
    for argv in (
        ["plot", str(path), "-o", str(tmp_path / "v.svg")],
        ["compare", str(path), str(path)],
        ["run", LIF, "--input", str(path), *CHOICES],
    ):
        assert main(argv) == 1
        text = capsys.readouterr().err
        assert "error[SIM011]" in text
        assert "Traceback" not in text


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    save(tmp_path / "x.h5", {"lif": np.ones((4, 2), bool)}, has_samples=False, tick_ns=1000)
    data = (tmp_path / "x.h5").read_bytes()
    for size in range(8, len(data) - 1, 97):
        (tmp_path / "y.h5").write_bytes(data[:size])
        with pytest.raises(Refused) as refusal:
            load_arrays(tmp_path / "y.h5")
        assert codes(refusal) == ["SIM011"]


@pytest.mark.parametrize("seed", range(60))
def test_damaged_bytes_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    save(tmp_path / "x.h5", {"lif": np.ones((4, 2), bool), "v": np.ones((4, 2))}, has_samples=False, tick_ns=1000)
    data, random = bytearray((tmp_path / "x.h5").read_bytes()), np.random.default_rng(seed)
    for place in random.integers(8, len(data), 5):
        data[place] = int(random.integers(256))
    (tmp_path / "y.h5").write_bytes(data)
    found: list[str] = []
    try:
        load_arrays(tmp_path / "y.h5")
    except Refused as refusal:
        found = [finding.code.id for finding in refusal.findings]
    assert found in ([], ["SIM011"])


def loop(path: Path, out: Any) -> None:
    while True:
        pass


def crash(path: Path, out: Any) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def write_objects(path: Path, out: Any) -> None:
    """Writes as the child process does for an array of Python objects, which it never loads."""
    with h5py.File(path, "r+") as file:
        group = file["nodes/lif/observables/spikes"]
        del group["data"]
        group.create_dataset("data", data=np.full((1, 4, 2), b"x", object), dtype=h5py.string_dtype())
    SEND(path, out)


SEND = nir_data.send_nir_data


@pytest.mark.parametrize(
    ("send", "words"),
    [
        (loop, "does not finish reading the file (SIG"),
        (crash, "crashes on the file (SIGSEGV)"),
        (write_objects, "has data of object"),
    ],
    ids=["loop", "crash", "objects"],
)
def test_a_library_that_fails_does_not_end_nopt(
    send: Any, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The HDF5 library loops on some damaged files, and crashes on others."""
    save(tmp_path / "x.h5", {"lif": np.ones((4, 2), bool)}, has_samples=False, tick_ns=1000)
    monkeypatch.setattr(nir_data, "send_nir_data", send)
    monkeypatch.setattr(nir_data, "SECONDS", 1)
    with pytest.raises(Refused) as refusal:
        load_arrays(tmp_path / "x.h5")
    assert codes(refusal) == ["SIM011"]
    assert words in str(refusal.value)


def test_a_file_without_a_time_step_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refusal:
        save(tmp_path / "x.h5", {"a": np.ones((4, 2))}, has_samples=False)
    assert codes(refusal) == ["RUN024"]
    with pytest.raises(Refused) as refusal:
        save(tmp_path / "x.h5", {"a/b": np.ones((4, 2))}, has_samples=False, tick_ns=1)
    assert codes(refusal) == ["RUN024"]
    assert not (tmp_path / "x.h5").exists()
