"""Artefacts of `asic`: a second reader computes the same spikes, and damaged ones are refused with the place of the damage."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import asic_reader as reader
import numpy as np
import pytest
from extent import times
from places import EXAMPLES, GOLDENS

import nopt.api as nopt
from nopt.api.compiling.builds import artefact_files
from nopt.api.modules import only_network
from nopt.api.running.run import open_build
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.simulation.signals import DenseSignal
from nopt.targets.asic.loader import load
from nopt.targets.asic.model import Model

LEGALISED = 'ntensor-legalize{device="asic/mesh" approximate=bound,count,comparison}'
DAMAGES = times(70)


@pytest.fixture(scope="module")
def conv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("asic") / "conv", "conv", "asic/mesh", like="sinabs", passes=LEGALISED)


def compiled(out: Path, name: str, target: str, **options: str) -> Path:
    net = EXAMPLES / "digits" / f"{name}.nir"
    nopt.compile(net, out=out, target=target, dt="1ms", diagnostics=Diagnostics(), **options)
    return out


@pytest.mark.parametrize("device", ["edge", "mesh"])
def test_second_reader_of_dense_tables(device: str, tmp_path: Path) -> None:
    verify_reader(compiled(tmp_path / "fc", "fc", f"asic/{device}", like="norse"), (64,))


def test_second_reader_of_convolutions(conv: Path) -> None:
    verify_reader(conv, (1, 8, 8))


def test_second_reader_of_weight_exponents(tmp_path: Path) -> None:
    net = GOLDENS / "targets" / "asic" / "inputs" / "powers.mlir"
    passes = "ntensor-quantize-weights{bits=12 scale=power-of-two}"
    nopt.compile(
        net, out=tmp_path, target="asic/kinds", dt="1ms", like="norse", passes=passes, diagnostics=Diagnostics()
    )
    tables = tables_of(tmp_path)
    assert [(one["format"], one["weight_exponent"]) for one in tables] == [("dense", 4), ("narrow", 8)]
    verify_reader(tmp_path, (3,))


def test_second_reader_of_tables_with_one_sign(tmp_path: Path) -> None:
    net = GOLDENS / "targets" / "asic" / "inputs" / "net.mlir"
    nopt.compile(net, out=tmp_path, target="asic/host", dt="1ms", like="norse", diagnostics=Diagnostics())
    assert len(tables_of(tmp_path)) == 4
    verify_reader(tmp_path, (2,))


def tables_of(build: Path) -> list[dict[str, Any]]:
    chip = json.loads((build / "artefact" / "chip.json").read_text())["chip"]
    groups = [group for core in reader.ops_in(chip, "core") for group in reader.ops_in(core, "neurons")]
    return [table for group in groups for table in reader.ops_in(group, "dense", "sparse", "kernel")]


def verify_reader(build: Path, shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).random((4, 24, *shape)) < np.array([0.2, 0.4, 0.6, 0.8]).reshape(
        -1, 1, *[1] * len(shape)
    )
    (wanted,) = nopt.run(build, x, diagnostics=Diagnostics()).values()
    assert wanted.any()
    for sample, spikes in zip(x, wanted, strict=True):
        (found,) = reader.run(build / "artefact", {"input": sample.reshape(24, -1)}).values()
        assert np.array_equal(found[:, : spikes[0].size], spikes.reshape(24, -1))


def test_reader_is_short_and_independent() -> None:
    text = Path(reader.__file__).read_text()
    assert len(text.splitlines()) < 200
    assert not re.search(r"^\s*(?:import|from) nopt", text, re.MULTILINE)


def test_one_weight_changes_the_run(tmp_path: Path) -> None:
    build = compiled(tmp_path / "fc", "fc", "asic/mesh", like="norse")
    x = np.random.default_rng(0).random((16, 64)) < 0.4
    before = record_of(build, x)
    image = build / "artefact" / "core-0" / "dense.hex"
    lines = image.read_text().splitlines()
    lines[0] = "7f" if lines[0] != "7f" else "80"
    image.write_text("\n".join(lines) + "\n")
    assert not np.array_equal(before, record_of(build, x))


def record_of(build: Path, x: np.ndarray) -> np.ndarray:
    return nopt.run(build, x, record=["1.v"], diagnostics=Diagnostics())["1.v"]


def damaged(files: dict[str, bytes], rng: np.random.Generator) -> dict[str, bytes]:
    """Returns the files with one of them damaged."""
    name = str(rng.choice(sorted(files)))
    data = files[name]
    kind = int(rng.integers(4))
    if kind == 0:
        rest = {key: value for key, value in files.items() if key != name}
        return rest
    if kind == 1:
        return files | {name: data[: int(rng.integers(len(data)))]}
    if kind == 2:
        at = int(rng.integers(len(data)))
        return files | {name: data[:at] + bytes([int(rng.integers(256))]) + data[at + 1 :]}
    record = json.loads(files["chip.json"])
    change(record, rng)
    return files | {"chip.json": json.dumps(record).encode()}


def change(value: object, rng: np.random.Generator) -> None:
    """Replaces one value somewhere in a record."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = keys[int(rng.integers(len(keys)))]
        inner = value[key]
        if not isinstance(inner, dict | list) or not inner or rng.random() < 0.1:
            value[key] = [-1, 10**30, 0.5, "x", None, [], {}, True][int(rng.integers(8))]
            return
        value = inner


def test_damaged_artefacts_are_refused(conv: Path) -> None:
    files, refused = artefact_files(conv), 0
    network = only_network(open_build(conv, "reference", Diagnostics())[0])
    device = find_device("asic", "mesh")
    x = np.ones((1, 3, 1, 8, 8), np.bool_)
    for seed in range(DAMAGES):
        try:
            model = Model(load(damaged(files, np.random.default_rng(seed)), Diagnostics()), network, device=device)
            model.run({"input": DenseSignal(x)})
        except Refused as refusal:
            refused += 1
            for finding in refusal.findings:
                assert finding.file or finding.at or finding.place, (seed, finding)
    assert refused > DAMAGES // 2
