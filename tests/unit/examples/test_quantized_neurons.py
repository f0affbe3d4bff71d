"""The trained examples with weights of 8 bits, decays of 12 and states of 16 lose at most one point of accuracy."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

PASSES = (
    "ntensor-quantize-weights{bits=8 per=row},ntensor-quantize-bias,ntensor-quantize-decay{bits=12},"
    "ntensor-quantize-threshold,ntensor-quantize-state{bits=16}"
)
TICK_NS = {"fc": 1_000_000, "conv": 1_000_000, "order": 100_000}


@pytest.mark.parametrize("name", TICK_NS)
def test_examples_stand_fixed_point_neurons(demo: ModuleType, name: str, tmp_path: Path) -> None:
    net = next(net for net in demo.TRAINED if net.name == name)
    x, labels = demo.encoder.test_input(name)
    np.save(tmp_path / "x.npy", x[:100].astype(np.float32))
    right: list[float] = []
    for step in ("", f',ntensor-calibrate{{data="{tmp_path / "x.npy"}"}},{PASSES}'):
        module = nopt.read(net.path, diagnostics=Diagnostics())
        reset = f" reset={net.reset}" if net.reset else ""
        options = f"dt-ns={TICK_NS[name]} like={net.like}{reset}"
        nopt.apply(module, f"convert-nir-to-ntensor{{{options}}}{step}", diagnostics=Diagnostics())
        (counts,) = nopt.run(module, x, diagnostics=Diagnostics()).values()
        right.append(float((counts.sum(1).argmax(1) == labels).mean()))
    assert np.subtract(*right) <= 0.01
