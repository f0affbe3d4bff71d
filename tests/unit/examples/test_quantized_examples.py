"""The trained digits with 8 bits lose at most one point of accuracy, with one scale for a layer or one for each row."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics


@pytest.mark.parametrize("per", ["tensor", "row"])
@pytest.mark.parametrize("name", ["fc", "conv"])
def test_digits_lose_at_most_one_point(demo: ModuleType, name: str, per: str) -> None:
    net = next(net for net in demo.TRAINED if net.name == name)
    x, labels = demo.encoder.test_input(name)
    right: list[float] = []
    for step in ("", f",ntensor-quantize-weights{{bits=8 per={per}}}"):
        module = nopt.read(net.path, diagnostics=Diagnostics())
        reset = f" reset={net.reset}" if net.reset else ""
        nopt.apply(
            module,
            f"convert-nir-to-ntensor{{dt-ns=1000000 like={net.like}{reset}}}{step}",
            diagnostics=Diagnostics(),
        )
        counts = nopt.run(module, x, diagnostics=Diagnostics())["output"].sum(1)
        right.append(float((counts.argmax(1) == labels).mean()))
    assert np.subtract(*right) <= 0.01
