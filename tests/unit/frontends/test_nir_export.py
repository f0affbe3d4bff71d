"""Exported networks are equal to the imported ones, to the last bit, when read by nopt and by the `nir` package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import nir
import numpy as np
import pytest
from extent import times
from hypothesis import assume, given, settings
from nir.serialization import hdf2dict
from test_nir_file import chain, graph_of, imported, lif, networks, printed

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.frontends.nir_file import emit, read


def written(module: Any, path: Path) -> Path:
    path.write_bytes(emit(module, Diagnostics()))
    return path


def assume_storable(graph: nir.NIRGraph) -> None:
    """Skips graphs with null characters, which HDF5 text cannot contain."""
    assume("\\x00" not in repr(graph))


def contents(path: Path) -> Any:
    """Returns the content of the file as nested dictionaries."""
    with h5py.File(path) as file:
        return hdf2dict(file["node"])


def check_bits(before: Any, after: Any, path: str = "") -> None:
    """Compares two files to the last bit, with edges in any order."""
    for name, value in before.items():
        if name == "edges":
            assert {tuple(edge) for edge in value} == {tuple(edge) for edge in after[name]}
        elif isinstance(value, dict):
            if value:
                check_bits(value, after[name], f"{path}/{name}")
        else:
            old, new = np.asarray(value), np.asarray(after[name])
            assert (old.dtype, old.shape, old.tobytes() if old.dtype != object else old.tolist()) == (
                (new.dtype, new.shape, new.tobytes() if new.dtype != object else new.tolist())
            ), f"{path}/{name}"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("export")


@given(graph=networks())
@settings(max_examples=times(8), deadline=None)
def test_reads_back_the_same(folder: Path, graph: nir.NIRGraph) -> None:
    assume_storable(graph)
    module = imported(graph)
    path = written(module, folder / "net.nir")
    again = read(path, Diagnostics())
    assert written(again, folder / "again.nir").read_bytes() == path.read_bytes()
    assert graph_of(again).properties.pop("version").data == nir.version  # type: ignore[attr-defined]
    assert printed(again) == printed(module)


@given(graph=networks())
@settings(max_examples=times(8), deadline=None)
def test_package_reads_the_same_network(folder: Path, graph: nir.NIRGraph) -> None:
    """Compares names, types, edges, metadata, and all arrays, which the package itself writes unchanged."""
    assume_storable(graph)
    nir.write(folder / "theirs.nir", graph)
    ours = written(imported(graph), folder / "ours.nir")
    check_bits(contents(folder / "theirs.nir"), contents(ours))
    check_same(graph, nir.read(ours, type_check=False))


def check_same(before: nir.NIRGraph, after: nir.NIRGraph) -> None:
    assert {name: type(node) for name, node in before.nodes.items()} == {
        name: type(node) for name, node in after.nodes.items()
    }
    assert sorted(map(tuple, before.edges)) == sorted(map(tuple, after.edges))
    for name, node in before.nodes.items():
        if isinstance(node, nir.NIRGraph):
            check_same(node, after.nodes[name])  # type: ignore[arg-type]


@given(graph=networks(depth=0))
@settings(max_examples=times(6), deadline=None)
def test_package_agrees_about_shapes(folder: Path, graph: nir.NIRGraph) -> None:
    assume_storable(graph)
    path = written(imported(graph), folder / "net.nir")
    assert nir.read(path).check_types()


SPECIAL = [-0.0, 5e-324, 2.0**-1074 * 3, -2.2250738585072014e-308, 1e-45, 0.1, 1 / 3, 1.7976931348623157e308]


@pytest.mark.parametrize("format", ["mlir", "json"])
@pytest.mark.parametrize("dtype", ["<f8", "<f4", "<f2"])
def test_every_bit_comes_back_through_text(tmp_path: Path, dtype: str, format: str) -> None:
    """-0.0, denormals and doubles, in line (8 entries) and by key (24): .nir -> text -> .nir."""
    with np.errstate(over="ignore"):
        values = np.array([SPECIAL] * 3).astype(dtype)
    values[~np.isfinite(values)] = np.finfo(dtype).max
    graph = chain(
        x=nir.Input(np.array([3, 8])),
        scale=nir.Scale(values),
        small=nir.Threshold(np.broadcast_to(values[:1], (3, 8)).copy()),
        fc=nir.Linear(np.ones((3, 1, 8))),
        tiny=nir.Scale(values[:1, :3].T.copy()),
        y=nir.Output(np.array([3, 1])),
    )
    nir.write(tmp_path / "net.nir", graph)
    text = nopt.write(nopt.read(tmp_path / "net.nir"), format=format)
    assert isinstance(text, str)
    (tmp_path / f"net.{format}").write_text(text)
    nopt.write(nopt.read(tmp_path / f"net.{format}"), tmp_path / "again.nir", format="nir")
    before, after = contents(tmp_path / "net.nir"), contents(tmp_path / "again.nir")
    check_bits(before, after)
    assert before["nodes"]["scale"]["scale"].tobytes() == values.tobytes()


def test_convolution_says_its_sizes(tmp_path: Path) -> None:
    """The package requires them for writing and reading a convolution."""
    conv = nir.Conv2d(None, np.ones((2, 1, 3, 5), np.float32), 1, 0, 1, 1, np.zeros(2, np.float32))
    conv1 = nir.Conv1d(None, np.ones((1, 2, 3), np.float32), 1, 0, 1, 1, np.zeros(1, np.float32))
    graph = chain(
        x=nir.Input(np.array([1, 3, 9])),
        conv=conv,
        flat=nir.Flatten({"input": None}, 1, -1),
        conv1=conv1,
        y=nir.Output(np.array([1, 3])),
    )
    module = imported(graph)
    path = written(module, tmp_path / "net.nir")
    data = contents(path)["nodes"]
    assert (data["conv"]["input_shape"].tolist(), data["conv1"]["input_shape"]) == ([3, 9], 5)
    assert data["flat"]["input_type"].tolist() == [2, 1, 5]
    again = read(path, Diagnostics())
    graph_of(again).properties.pop("version")
    assert printed(again) == printed(module)


def test_wide_and_deep_networks_are_written_without_recursion(tmp_path: Path) -> None:
    nodes: dict[str, Any] = {f"{number:05}": nir.Scale(np.ones(1)) for number in range(600)}
    module = imported(chain(x=nir.Input(np.array([1])), **nodes, y=nir.Output(np.array([1]))))
    again = read(written(module, tmp_path / "net.nir"), Diagnostics())
    assert len(graph_of(again).body.block.ops) == 601


def test_sums_of_sums_are_followed_once() -> None:
    """A ladder of sums has 2^n paths; the traversal ends at the first repeated one."""
    rungs = "\n".join(
        f"%{n + 1} = nir.sum %{n}, %{n} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>" for n in range(60)
    )
    module = nopt.parse(
        f'nir.graph @net("x" %0: tensor<1xf32>) -> ("y": tensor<1xf32>) {{\n{rungs}\nnir.output %60 : tensor<1xf32>\n}}'
    )
    with pytest.raises(Refused) as refusal:
        emit(module, Diagnostics())
    assert [finding.code.id for finding in refusal.value.findings] == ["NIF041"]


def test_refused_module_leaves_no_file(tmp_path: Path) -> None:
    module = nopt.parse('nir.graph @net("x" %x: tensor<1xi1>) -> ("y": tensor<1xi1>) { nir.output %x : tensor<1xi1> }')
    with pytest.raises(Refused):
        nopt.write(module, tmp_path / "net.nir", format="nir")
    assert not list(tmp_path.iterdir())


def samples(shared: Path) -> list[Path]:
    return sorted(shared.glob("samples/**/*.nir"))


def test_samples_come_back(shared: Path, tmp_path: Path) -> None:
    """Import, export, import is the identity on text; values that the first import did not repair are unchanged in the file."""
    for path in samples(shared):
        notes = Diagnostics()
        module = read(path, notes)
        file = written(module, tmp_path / path.name)
        assert printed(read(file, Diagnostics())) == printed(module), path.name
        document = nopt.write(module, format="json", diagnostics=Diagnostics())
        assert isinstance(document, str)
        (tmp_path / "net.json").write_text(document)
        json = nopt.read(tmp_path / "net.json", diagnostics=Diagnostics())
        assert printed(json) == printed(module), path.name
        assert emit(json, Diagnostics()) == file.read_bytes(), path.name
        if not {finding.code.id for finding in notes.findings} - {
            "NIF012",
            "NIF023",
        }:  # these only add nodes or defaults
            check_bits(contents(path), contents(file))
        assert nir.read(file).check_types(), path.name  # also of those files that the package could not read


def test_lif_takes_scalars_of_a_population(tmp_path: Path) -> None:
    """`nir-contract-parameters` creates scalars; a file again holds one entry for each neuron."""
    module = imported(chain(x=nir.Input(np.array([2])), l=lif(2), y=nir.Output(np.array([2]))))
    before = written(module, tmp_path / "a.nir").read_bytes()
    for op in module.walk():
        for name, value in list(op.properties.items()):
            if hasattr(value, "values") and name in ("tau", "r"):
                op.properties[name] = type(value).of(value.values[0])
    assert "tau = #nopt.array<1.0 : tensor<f32>>" in printed(module)
    notes = Diagnostics()
    assert emit(module, notes) == before
    assert [finding.code.id for finding in notes.findings] == ["NIF047"]
