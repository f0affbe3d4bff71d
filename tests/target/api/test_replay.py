"""The pipeline of a report: another run of it computes the same bytes, on every device, for a sample input in a file or in memory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import GOLDENS

import nopt.api as nopt
from nopt.api.compiling.test_vectors import with_vectors
from nopt.api.conformance.networks import Drawn
from nopt.api.conformance.subject import Subject
from nopt.api.running.run import open_build
from nopt.core import registry
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.ir import source
from nopt.core.ir.context import NoptContext
from nopt.simulation.axes import order_axes
from nopt.simulation.signals import DenseSignal, EventSignal

TARGETS = [slug for slug, one in registry.usable_targets().items() if one.artefact is not None]
DEVICES = [f"{slug}/{name}" for slug in TARGETS for name in registry.devices()[slug]]
SEEDS = 12
"""Networks that are tried; the first one that fits is compiled."""


def text_of(module: Any) -> str:
    return source.format_module(NoptContext(), module, False, False, {})


def fitting(subject: Subject) -> tuple[Drawn, str]:
    """Returns a network that fits on a device after passes, which the help of its refusals names."""
    for seed in range(SEEDS):
        if (drawn := subject.draw(seed)) is None:
            continue
        best = subject.search(drawn)
        if best.fit.is_fitting:
            return drawn, ",".join([*best.trial.passes, *best.trial.repairs])
    pytest.fail(f"no network fits on {subject.device.key}")


def last_level(build: Path) -> str:
    files = sorted((build / "ir").glob("*.mlir"))
    return text_of(nopt.read(files[-1], arrays=build / "ir" / "arrays", diagnostics=Diagnostics()))


def artefact_of(build: Path) -> dict[str, bytes]:
    root = build / "artefact"
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def as_bytes(data: Any) -> bytes:
    return data if isinstance(data, bytes) else b"".join(data)


@pytest.mark.parametrize("key", DEVICES)
def test_replay_of_the_recorded_pipeline(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = find_device(*key.split("/"))
    drawn, passes = fitting(Subject(device, SEEDS, 0))
    network, data = tmp_path / "net.mlir", tmp_path / "x.npy"
    nopt.write(drawn.module, network)
    np.save(data, drawn.x)
    monkeypatch.chdir(tmp_path)
    builds: dict[str, Any] = {}
    for name, calib in (("memory", drawn.x), ("file", "x.npy"), ("none", None)):
        try:
            builds[name] = nopt.compile(
                network, target=key, calib=calib, passes=passes, out=name, diagnostics=Diagnostics()
            )
        except Refused:
            assert name == "none"  # some neurons need a calibration
    assert "ntensor-calibrate" in builds["memory"].report["pipeline"]
    assert artefact_of(tmp_path / "memory") == artefact_of(tmp_path / "file")
    assert last_level(tmp_path / "memory") == last_level(tmp_path / "file")
    for name, build in builds.items():
        monkeypatch.chdir(tmp_path if name == "file" else tmp_path / name)
        module = nopt.read(network, diagnostics=Diagnostics())
        nopt.apply(module, build.report["pipeline"], diagnostics=Diagnostics())
        assert text_of(module) == last_level(tmp_path / name)
        make = registry.targets()[device.target]().artefact
        assert make is not None
        lowered, _ = open_build(tmp_path / name, "reference", Diagnostics())
        sample = None if name == "none" else drawn.x
        made = with_vectors(make()(module, device, Diagnostics()), module, lowered, device, sample)
        assert {path: as_bytes(data) for path, data in made.files.items()} == artefact_of(tmp_path / name)


X = np.random.default_rng(3).random((2, 12, 2)) < 0.4
EVENTS = EventSignal(*np.nonzero(X[0]), shape=(2,), ticks=12)
TWICE = EventSignal([3, 3, 5], [0, 0, 1], shape=(2,), ticks=12, sample=[1, 1, 0], value=[1, 2, 3], samples=2)
GIVEN: Mapping[str, tuple[Any, str | None]] = {
    "array": (X, None),
    "one sample": (X[0], "ticks"),
    "list": (X.tolist(), None),
    "axes": (X.swapaxes(0, 1), "ticks,samples"),
    "ordered": (order_axes(X.swapaxes(0, 1), "ticks,samples"), None),
    "mapping": ({"input": X.astype(float)}, "samples,ticks"),
    "signal": (DenseSignal(X), None),
    "events": ({"input": EVENTS}, None),
    "events with values": (TWICE, None),
    "arrays of events": ({"input": {"tick": [1], "index": [1], "shape": [2], "ticks": 4}}, None),
    "generated": ("poisson:0.4,ticks=12", None),
}


@pytest.mark.parametrize("name", GIVEN)
def test_sample_input_in_memory(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build holds what was calibrated with, in every form that an input has, and the pass runs before those of the user."""
    calib, axes = GIVEN[name]
    network = GOLDENS / "tools" / "inputs" / "lif.mlir"
    build = nopt.compile(
        network,
        target="c/int8",
        calib=calib,
        axes=axes,
        passes="ntensor-quantize-inputs{kind=count}",
        out=tmp_path / "build",
        dt="1ms",
        like="norse",
        diagnostics=Diagnostics(),
    )
    monkeypatch.chdir(tmp_path / "build")
    module = nopt.read(network, diagnostics=Diagnostics())
    nopt.apply(module, build.report["pipeline"], diagnostics=Diagnostics())
    assert text_of(module) == last_level(tmp_path / "build")
    roles = {one["role"]: one["name"] for one in build.report["inputs"]}
    assert roles["calib"] == (calib if isinstance(calib, str) else "calib.npz")
