"""The engine `cuda` with an imitation of cupy that compiles the kernels for the processor: the same bits as the reference. No GPU is used."""

from __future__ import annotations

import shutil
import sys
from typing import Any

import cupy_on_cpu
import numpy as np
import pytest
from attrs import evolve
from integer_networks import integer_network
from places import EXAMPLES

import nopt.api as nopt
from nopt.core import registry
from nopt.core.diagnostics import Diagnostics
from nopt.core.engine import EngineDevice, HostEngine

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not on the path")
GRID = "preferences.form=grid"
"""Kernels without barriers, which invocations one after the other cannot pass."""


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> HostEngine:
    monkeypatch.setitem(sys.modules, "cupy", cupy_on_cpu)
    record = next(one for one in registry.engines() if one.name == "cuda")
    probe = record.probe
    found = evolve(
        record, probe=lambda: evolve(probe(), devices=tuple(evolve(one, settings=(GRID,)) for one in probe().devices))
    )
    others = tuple(found if one.name == "cuda" else one for one in registry.engines())
    monkeypatch.setattr(registry, "engines", lambda: others)
    return found


def compare(module: Any, x: Any, record: list[str], **choices: Any) -> None:
    found, wanted = (
        nopt.execute(module, x, engine=one, record=record, choices=choices, diagnostics=Diagnostics())
        for one in ("cuda", "numpy")
    )
    assert found.arrays.keys() == wanted.arrays.keys()
    for name, values in wanted.arrays.items():
        assert found.arrays[name].dtype == values.dtype
        np.testing.assert_array_equal(found.arrays[name], values)


def test_the_device_is_listed(engine: HostEngine) -> None:
    state = engine.probe()
    assert (state.reason, state.version) == (None, "cupy 13.0")
    assert state.devices == (
        EngineDevice(
            "GPU on g++",
            "CUDA",
            2**31,
            2**30,
            is_unified=False,
            driver="CUDA 12040",
            settings=(GRID,),
            key="GPU on g++",
        ),
    )


def test_results_equal_the_reference(engine: HostEngine) -> None:
    for seed in range(2):
        made = integer_network(seed)
        compare(made.module, made.inputs, [])
    digits = nopt.read(EXAMPLES / "digits" / "fc.nir", diagnostics=Diagnostics())
    x = np.random.default_rng(0).random((3, 12, 64)) < 0.3
    for precision in ("f32", "f64"):
        compare(digits, x, ["1.v"], dt="1ms", like="norse", precision=precision)
    assert all("--fmad=false" in options for options in cupy_on_cpu.OPTIONS)


def test_a_compiler_that_fails_is_named(engine: HostEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(code: str, options: Any) -> None:
        raise cupy_on_cpu.CompileException("nvrtc: error: invalid value for --gpu-architecture")

    monkeypatch.setattr(cupy_on_cpu, "RawModule", fail)
    made = integer_network(1)
    with pytest.raises(nopt.Refused, match=r"KNL007(.|\n)*invalid value for --gpu-architecture"):
        nopt.execute(made.module, made.inputs, engine="cuda", diagnostics=Diagnostics())
    found = Diagnostics()
    result = nopt.execute(made.module, made.inputs, diagnostics=found)
    assert result.engine != "cuda"
    assert any("invalid value for --gpu-architecture" in str(one.found) for one in found.findings)
