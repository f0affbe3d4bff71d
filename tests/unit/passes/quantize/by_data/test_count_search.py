"""The choice of rounded weights by events: scales and biases change, integers do not, and the error of the neurons never increases."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.arrays.numeric import Reals
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor
from nopt.passes.quantize.weights.by_data import _data_rounding
from nopt.passes.quantize.weights.by_data._count_search import counted, doubt

TICKS, SAMPLES = 60, 16
CONVERT = "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"


def biased_network(seed: int, file: Path) -> Path:
    """Writes two populations whose sums have biases; those of the first op are far from 0, one of the second is 0."""
    rng = np.random.default_rng([62, seed])

    def lif(size: int) -> nir.LIF:
        ones = np.ones(size)
        return nir.LIF(tau=0.02 * ones, r=ones, v_leak=0 * ones, v_threshold=ones, v_reset=0 * ones)

    second = rng.normal(0.3, 0.1, 4)
    second[0] = 0
    nodes = {
        "input": nir.Input(np.array([8])),
        "fc1": nir.Affine(rng.normal(2, 4, (12, 8)), rng.normal(0.8, 0.2, 12)),
        "n1": lif(12),
        "fc2": nir.Affine(rng.normal(2, 3, (4, 12)), second),
        "n2": lif(4),
        "output": nir.Output(np.array([4])),
    }
    names = list(nodes)
    nir.write(file, nir.NIRGraph(nodes, list(pairwise(names))))
    return file


def biases(module: ModuleOp) -> dict[str, Reals]:
    ops = (op for op in module.walk() if isinstance(op, ntensor.LinearOp))
    return {op.node.data: op.bias.values.astype(np.float64) for op in ops if op.bias is not None}


def rounded(seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch, windows: tuple[int, ...]) -> tuple[ModuleOp, str]:
    """Returns a network that is rounded to 2 bits, and its record."""
    monkeypatch.setattr(_data_rounding, "WINDOWS", windows)
    reals = nopt.apply(nopt.read(biased_network(seed, folder / "net.nir")), CONVERT)
    np.save(folder / "x.npy", np.random.default_rng(seed).random((SAMPLES, TICKS, 8)) < 0.2)
    steps = f'ntensor-calibrate{{data="{folder / "x.npy"}" keep={SAMPLES}}},ntensor-quantize-weights{{bits=2 per=row method=gptq}}'
    module = nopt.apply(reals, steps, diagnostics=Diagnostics())
    network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    return module, network.approximations.data[-1].what.data


def loss_of(text: str) -> float:
    """Returns the sum of the first errors in a record."""
    found = re.search(r"count error ([0-9.e+-]+), ([0-9.e+-]+) of decisions and ([0-9.e+-]+) of first", text)
    assert found is not None
    return sum(map(float, found.groups()))


@pytest.mark.parametrize("seed", range(4))
def test_events_choose_no_worse_weights(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, without = rounded(seed, tmp_path, monkeypatch, ())
    module, text = rounded(seed, tmp_path, monkeypatch, (8, 2, 1))
    assert loss_of(text) <= loss_of(without) + 1e-3  # the record has three digits
    before = biases(nopt.apply(nopt.read(tmp_path / "net.nir"), CONVERT))
    changes = {name: np.abs(bias - before[name]) for name, bias in biases(module).items()}
    assert changes["fc2"][0] == 0  # a bias of 0 stays
    named = {name: float(change) for name, change in re.findall(r'"(fc\d)" ([0-9.e+-]+)', text.partition("biases:")[2])}
    wanted = {name: change.max() for name, change in changes.items() if change.any()}
    assert named == pytest.approx(wanted, rel=1e-2)


def test_some_network_gets_other_biases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [rounded(seed, tmp_path, monkeypatch, (8, 2, 1))[1] for seed in range(4)]
    assert any("largest changes of biases" in text and "chosen by counts of events" in text for text in texts)


def test_windows_count_every_event(tmp_path: Path) -> None:
    module = nopt.apply(nopt.read(biased_network(0, tmp_path / "net.nir")), CONVERT)
    network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    value = network.populations[0].z
    events = np.random.default_rng(0).random((3, 7, 12)) < 0.5
    for windows, parts in ((1, 1), (2, 2), (8, 7)):
        found = counted(value, events, windows)
        assert found.shape == (3, parts, 12)
        assert np.array_equal(found.sum(1), events.sum(1))


def test_doubt_grows_with_the_square_root_of_errors() -> None:
    assert doubt(np.array([0.0, 1.0, 100.0])) == pytest.approx([0, 0.3, 3])
