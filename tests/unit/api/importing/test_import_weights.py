"""Import of weights from files and mappings: names, forms of files, and what stays as it was."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import GOLDENS, ROOT

import nopt

CROSS = GOLDENS / "tools" / "inputs" / "cross.mlir"
FC = ROOT / "examples" / "digits" / "fc.nir"
WEIGHT = np.array([[0.5, -1.0], [2.0, 0.25]], np.float64)


def codes(refused: pytest.ExceptionInfo[nopt.Refused]) -> list[str]:
    return [finding.code.id for finding in refused.value.findings]


def test_the_network_of_the_caller_stays() -> None:
    module = nopt.read(CROSS)
    before = nopt.write(module)
    imported = nopt.import_weights(module, {"fc.weight": WEIGHT})
    assert nopt.write(module) == before
    assert nopt.write(imported.module) != before
    (change,) = imported.imported
    assert (change.node, change.parameter, change.shape, change.dtype) == ("fc", "weight", (2, 2), "float64")
    assert (change.changed, change.largest_change) == (4, 1.75)


def test_the_same_weights_change_nothing() -> None:
    quiet = nopt.Diagnostics()
    module = nopt.read(FC, diagnostics=quiet)
    weights = {
        f"{op.node.data}.{name}": array.values
        for op in module.walk()
        if hasattr(op, "parameters")
        for name, array in op.parameters()
    }
    assert len(weights) == 14
    imported = nopt.import_weights(module, weights)
    assert nopt.write(imported.module) == nopt.write(module)
    assert [one.changed for one in imported.imported] == [0] * 14
    assert imported.kept == ()


def test_nodes_of_nested_graphs_have_paths() -> None:
    text = """nir.graph @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) {
  %y = nir.subgraph "block" (%x) ("in" %a: tensor<2xf32>) -> ("out": tensor<2xf32>) {
    %b = nir.linear "fc.1" %a {weight = #nopt.array<[[1.0, 0.5], [0.25, 1.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
    nir.output %b : tensor<2xf32>
  }
  nir.output %y : tensor<2xf32>
}"""
    imported = nopt.import_weights(nopt.parse(text), {"block.fc.1.weight": WEIGHT})
    assert imported.imported[0].node == "block.fc.1"


@pytest.mark.parametrize(
    ("weights", "code"),
    [
        ({"fc.weight": WEIGHT[:1]}, "IMP025"),
        ({"fc.weight": WEIGHT, "fc.bias": WEIGHT[0]}, "IMP026"),
        ({"fc.weight": WEIGHT, "weight": WEIGHT}, "IMP026"),
        ({}, "IMP027"),
        ({"fd.weight": WEIGHT}, "IMP027"),
        ({"fc.weight": WEIGHT * np.inf}, "IMP028"),
        ({"fc.weight": WEIGHT.astype(int)}, "IMP029"),
        ({"fc.weight": WEIGHT > 0}, "IMP029"),
        ({"fc.weight": WEIGHT.astype(complex)}, "IMP029"),
        ({"fc.weight": WEIGHT.astype(str)}, "IMP029"),
    ],
    ids=str,
)
def test_weights_that_do_not_fit_are_refused(weights: dict[str, Any], code: str) -> None:
    with pytest.raises(nopt.Refused) as refused:
        nopt.import_weights(CROSS, weights)
    assert codes(refused) == [code]


def test_all_errors_are_reported() -> None:
    weights = {"fc.weight": WEIGHT[:1], "if.r": np.array([np.nan]), "lif.r": WEIGHT}
    with pytest.raises(nopt.Refused) as refused:
        nopt.import_weights(CROSS, weights)
    assert codes(refused) == ["IMP025", "IMP025", "IMP026"]


def test_a_missing_torch_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "net.pt").write_bytes(b"\x80\x02}q\x00.")
    with pytest.raises(nopt.Refused) as refused:
        nopt.import_weights(CROSS, tmp_path / "net.pt")
    assert codes(refused) == ["IMP007"]
    assert refused.value.findings[0].help == "pip install 'nopt[torch]'"


def test_a_state_dict_of_torch(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    expected = nopt.write(nopt.import_weights(CROSS, {"fc.weight": WEIGHT.astype(np.float32)}).module)
    state = {"fc.weight": torch.nn.Parameter(torch.tensor(WEIGHT, dtype=torch.float32))}
    half = {"fc.weight": torch.tensor(WEIGHT, dtype=torch.bfloat16)}
    torch.save(state, tmp_path / "net.pt")
    torch.save(state, tmp_path / "old.pt", _use_new_zipfile_serialization=False)
    torch.save(half, tmp_path / "half.pt")
    for weights in (state, half, *(tmp_path / name for name in ("net.pt", "old.pt", "half.pt"))):
        assert nopt.write(nopt.import_weights(CROSS, weights).module) == expected


class Odd:
    """An object whose pickle would run code."""

    def __reduce__(self) -> Any:
        return (print, ("executed",))


def test_other_checkpoints_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch = pytest.importorskip("torch")
    for content in ({"state_dict": {"fc.weight": torch.zeros(2, 2)}, "epoch": 3}, [torch.zeros(2, 2)], Odd()):
        torch.save(content, tmp_path / "net.pt")
        with pytest.raises(nopt.Refused) as refused:
            nopt.import_weights(CROSS, tmp_path / "net.pt")
        assert codes(refused) == ["IMP024"]
    assert "executed" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("number", "expected"), [(0.5, []), (0.25, ["IMP034"])], ids=["the parameter", "another number"]
)
def test_numbers_of_a_chip_that_are_left_out_are_reported(number: float, expected: list[str]) -> None:
    """A chip of reals has the parameters themselves: nothing is lost without its numbers."""
    found = nopt.Diagnostics()
    weights = {"fc.weight": np.full((2, 2), 0.5), "on_chip:fc.weight": np.full((2, 2), number, np.float32)}
    nopt.import_weights(CROSS, weights, diagnostics=found)
    assert [one.code.id for one in found.findings] == expected


def test_damaged_numbers_of_a_chip_are_refused(tmp_path: Path) -> None:
    options: dict[str, Any] = {"target": "loihi2/oheo_gulch", "dt": "1ms", "like": "norse"}
    quiet = nopt.Diagnostics()
    nopt.export_torch(CROSS, out=tmp_path / "chip.py", diagnostics=quiet, **options)
    digest = np.frombuffer(sha256((tmp_path / "chip.npz").read_bytes()).digest(), np.uint8)
    numbers = np.ones((2, 2))
    for weights, code in (
        ({"on_chip:fc.weight": numbers}, "IMP032"),
        ({"on_chip:fc.weight": numbers, "on_chip:arrays": digest.astype(np.float64) * np.nan}, "IMP032"),
        ({"on_chip:fc.weight": numbers[0], "on_chip:arrays": digest}, "IMP032"),
        ({"on_chip:fc.weight": numbers.astype(str), "on_chip:arrays": digest}, "IMP032"),
        ({"on_chip:other.weight": numbers, "on_chip:arrays": digest}, "IMP032"),
        ({"on_chip:fc.weight": numbers * np.nan, "on_chip:arrays": digest}, "IMP033"),
    ):
        with pytest.raises(nopt.Refused) as refused:
            nopt.import_weights(tmp_path / "chip.mlir", weights, diagnostics=quiet)
        assert codes(refused) == [code]
    imported = nopt.import_weights(tmp_path / "chip.mlir", {"on_chip:fc.weight": numbers, "on_chip:arrays": digest})
    assert imported.device == "loihi2/oheo_gulch"
