"""Trained networks of spikes, compiled by rates: BrainChip's akida computes the values of the chip, and maps them onto as many processors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from akida_stacks import hand_over_build, run_tool

import nopt.api as nopt
from nopt.api.running.run import execute
from nopt.core.diagnostics import Diagnostics

DEVICE = "akd1000"
RIGHT = 586
"""Correctly classified samples of the digits network of spikes, of 599."""
RIGHT_2 = {4: 587, 8: 587}
"""Correctly classified samples on Akida 2.0, by the bits of weights and activations."""


def compared(build: Path, x: Any, folder: Path, python: Path, device: str = DEVICE) -> np.ndarray:
    """Compares values of every layer and processors of a build with the tool, and returns the values of the last layer."""
    mapping = json.loads((build / "artefact" / "mapping.json").read_text(encoding="utf-8"))
    sources = {layer["layer"]: layer["source"] for layer in mapping["layers"]}
    record = [mapping["input"], *list(sources.values())[:-1]]
    found = execute(build, x, record=record, diagnostics=Diagnostics()).arrays
    folder.mkdir()
    hand_over_build("0", build, device, found[mapping["input"]][:, 0], folder)
    theirs = run_tool(python, "run", folder)
    mine = {name: found["output" if name == list(sources)[-1] else source] for name, source in sources.items()}
    for name, values in mine.items():
        np.testing.assert_array_equal(values.reshape(len(x), -1), theirs[f"0.{name}"].reshape(len(x), -1), name)
        assert len(np.unique(values)) > 1, name
    placed = json.loads(run_tool(python, "map", folder)["0"].tobytes())
    used = sum(one[1] != "HRC" for parts in placed.values() for one in parts)
    report = json.loads((build / "report.json").read_text(encoding="utf-8"))["processors"]
    assert report["used"] == used
    assert {layer["layer"]: len(layer["processors"]) for layer in report["layers"]} == {
        sources[name]: len(parts) for name, parts in placed.items()
    }
    return mine[list(mine)[-1]]


def test_digits_have_the_values_of_the_software_backend(
    encoded: Callable[[str], tuple[Path, Path]], root: Path, tmp_path: Path, python_of: Callable[[str], Path]
) -> None:
    """All 599 samples: the class of each, and all counts."""
    python = python_of("akida")
    spikes, labels = (np.load(path) for path in encoded("conv"))
    steps = (
        "ntensor-encode-rates{window=16 bits=4}",
        "ntensor-quantize-inputs{kind=count bits=8}",
        "ntensor-quantize-weights{bits=4 per=neuron}",
    )
    nopt.compile(
        root / "examples" / "digits" / "rates.nir",
        target=f"akida/{DEVICE}",
        out=tmp_path / "build",
        passes=",".join(steps),
        dt="1ms",
        like="norse",
        reset="subtract",
        diagnostics=Diagnostics(),
    )
    values = compared(tmp_path / "build", spikes, tmp_path / "tool", python)
    assert (values.reshape(len(labels), -1).argmax(1) == labels).sum() == RIGHT


@pytest.mark.parametrize(("bits", "counts", "right"), [(4, 4, RIGHT_2[4]), (8, 7, RIGHT_2[8])])
def test_digits_on_akida_2_have_the_values_of_the_software_backend(
    bits: int,
    counts: int,
    right: int,
    encoded: Callable[[str], tuple[Path, Path]],
    root: Path,
    tmp_path: Path,
    python_of: Callable[[str], Path],
) -> None:
    """All 599 samples, with weights and activations of 4 or 8 bits."""
    python = python_of("akida")
    spikes, labels = (np.load(path) for path in encoded("conv"))
    steps = (
        "ntensor-encode-rates{window=16}",
        "ntensor-quantize-inputs{kind=count bits=8}",
        f"ntensor-quantize-counts{{bits={counts}}}",
        f"ntensor-quantize-weights{{bits={bits} per=neuron}}",
    )
    nopt.compile(
        root / "examples" / "digits" / "rates.nir",
        target="akida/six_nodes_v2",
        out=tmp_path / "build",
        passes=",".join(steps),
        dt="1ms",
        like="norse",
        reset="subtract",
        diagnostics=Diagnostics(),
    )
    values = compared(tmp_path / "build", spikes, tmp_path / "tool", python, "six_nodes_v2")
    assert (values.reshape(len(labels), -1).argmax(1) == labels).sum() == right


def edges_of_digits(pixels: np.ndarray) -> np.ndarray:
    """Returns spikes of the horizontal edges of images of 8 x 8 with numbers from 0 to 16, of both signs in one channel each.

    Shapes: [samples, 8, 8] => [samples, 16, 2, 34, 34].
    """
    large = np.pad(pixels.repeat(4, axis=1).repeat(4, axis=2), ((0, 0), (1, 1), (1, 1))) / 16
    steps = np.diff(large, axis=2, append=0)
    chances = 0.5 * np.stack([np.clip(steps, 0, 1), np.clip(-steps, 0, 1)], axis=1)
    return np.random.default_rng(2).random((len(pixels), 16, 2, 34, 34)) < chances[:, None]


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Returns the mean over the samples of the cosine of two outputs."""
    sizes = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return float(((a * b).sum(axis=1) / np.maximum(sizes, 1e-12)).mean())


@pytest.mark.parametrize(("bits", "agreement", "similarity"), [(4, 165, 0.958), (2, 140, 0.901), (1, 102, 0.762)])
def test_convolutions_of_sinabs_have_the_values_of_the_software_backend(
    bits: int,
    agreement: int,
    similarity: float,
    shared: Path,
    encoded: Callable[[str], tuple[Path, Path]],
    tmp_path: Path,
    python_of: Callable[[str], Path],
) -> None:
    """200 samples, with hidden activations of 1, 2 or 4 bits; the rates of the network of spikes agree as documented."""
    path = shared / "samples" / "nir_paper" / "cnn" / "cnn_sinabs.nir"
    if not path.is_file():
        pytest.skip(f"no {path.name} in {path.parent}")
    python = python_of("akida")
    x, data = edges_of_digits(np.load(encoded("conv")[0])[:200, :, 0].sum(axis=1)), tmp_path / "x.npy"
    np.save(data, x[:40])
    steps = (
        "ntensor-encode-rates{window=16}",
        "ntensor-quantize-inputs{kind=count bits=8}",
        "ntensor-pad-inputs{channels=3}",
        f'ntensor-quantize-counts{{bits=4 nodes=12 data="{data}"}}',
        f'ntensor-quantize-counts{{bits={bits} nodes=1,3,6,10 data="{data}"}}',
        f'ntensor-lower-pools{{kernel=3 dense bits={bits} data="{data}"}}',
        "ntensor-quantize-weights{bits=4 per=neuron fit=error}",
    )
    nopt.compile(
        path,
        target=f"akida/{DEVICE}",
        out=tmp_path / "build",
        passes=",".join(steps),
        dt="1ms",
        like="sinabs",
        diagnostics=Diagnostics(),
    )
    values = compared(tmp_path / "build", x, tmp_path / "tool", python).reshape(len(x), -1).astype(np.float64)
    (spikes,) = nopt.run(path, x, dt="1ms", like="sinabs", diagnostics=Diagnostics()).values()
    rates = spikes.sum(axis=1, dtype=np.float64).reshape(len(x), -1)
    assert (values.argmax(axis=1) == rates.argmax(axis=1)).sum() == pytest.approx(agreement, abs=1)
    assert cosine(values, rates) == pytest.approx(similarity, abs=0.002)
