"""Damaged and hostile ONNX models are refused with a code, whatever their bytes are; the bytes of other formats are not an ONNX model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import GOLDENS, ROOT

import nopt
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.frontends.onnx_file import recognises

pytest.importorskip("onnx", reason="the package onnx is not installed (pip install 'nopt[import-onnx]')")

DAMAGES = 400


@pytest.fixture(scope="module")
def models() -> Any:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("onnx_models", GOLDENS / "frontends" / "inputs" / "onnx_models.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.MODELS


@pytest.mark.parametrize("name", ["quantised", "channels", "summed", "reals"])
def test_damaged_models_are_refused_or_read(models: Any, name: str, tmp_path: Path) -> None:
    """A byte is changed, removed or repeated. Nothing but a refusal, or a network that verifies, comes of it."""
    data, rng = models[name]().SerializeToString(), np.random.default_rng(7)
    refused = 0
    for k in range(DAMAGES):
        place, kind = int(rng.integers(4, len(data))), k % 3
        if kind == 0:
            changed = data[:place] + bytes([int(rng.integers(256))]) + data[place + 1 :]
        elif kind == 1:
            changed = data[:place] + data[place + int(rng.integers(1, 9)) :]
        else:
            changed = data[:place] + data[place - 4 :]
        path = tmp_path / "damaged.onnx"
        path.write_bytes(changed)
        try:
            nopt.verify(nopt.read(path, diagnostics=Diagnostics()))
        except Refused:
            refused += 1
    assert refused > DAMAGES / 4


def test_cut_models_are_refused(models: Any, tmp_path: Path) -> None:
    data, path = models["quantised"]().SerializeToString(), tmp_path / "cut.onnx"
    for size in range(8, len(data) - 40, 7):
        path.write_bytes(data[:size])
        with pytest.raises(Refused):
            nopt.read(path, diagnostics=Diagnostics())


def test_models_are_recognised_by_their_bytes(models: Any) -> None:
    for build in models.values():
        assert recognises(build().SerializeToString()[:64])
    for path in (
        ROOT / "README.md",
        ROOT / "examples" / "digits" / "relu.nir",
        GOLDENS / "frontends" / "inputs" / "net.json",
    ):
        assert not recognises(path.read_bytes()[:64])


def test_networks_have_the_same_text_each_time(models: Any, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(models["summed"]().SerializeToString())
    texts = {nopt.write(nopt.read(path)) for _ in range(3)}
    assert len(texts) == 1
    module = nopt.parse(next(iter(texts)))
    assert nopt.write(module) in texts
