"""The trained examples with weights and states of 16 bits: accuracy, memory, and equality of C and the reference."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.ntensor import NetworkOp
from nopt.targets.c.source import generate

TICK_NS = {"fc": 1_000_000, "conv": 1_000_000, "order": 100_000}


@cache
def network(demo: ModuleType, name: str) -> ModuleOp:
    net = next(net for net in demo.TRAINED if net.name == name)
    module = nopt.read(net.path, diagnostics=Diagnostics())
    reset = f" reset={net.reset}" if net.reset else ""
    options = f"dt-ns={TICK_NS[name]} like={net.like}{reset} precision=f32"
    nopt.apply(module, f"convert-nir-to-ntensor{{{options}}}", diagnostics=Diagnostics())
    return module


def bytes_of(module: ModuleOp) -> dict[str, Any]:
    return generate(next(op for op in module.ops if isinstance(op, NetworkOp))).manifest["bytes"]


@pytest.mark.parametrize("format", ["f16", "bf16"])
@pytest.mark.parametrize("name", TICK_NS)
def test_examples_in_16_bits(demo: ModuleType, name: str, format: str) -> None:
    before = network(demo, name)
    after = before.clone()
    steps = f"ntensor-round-reals{{to={format}}},ntensor-round-reals{{to={format} of=states}}"
    nopt.apply(after, steps, diagnostics=Diagnostics())
    x, labels = demo.encoder.test_input(name)
    right: list[float] = []
    for module in (before, after):
        (counts,) = nopt.run(module, x, engine="native", diagnostics=Diagnostics()).values()
        right.append(float((counts.sum(1).argmax(1) == labels).mean()))
    assert abs(np.subtract(*right)) <= 0.005
    (wanted,) = nopt.run(after, x[:40], engine="numpy", diagnostics=Diagnostics()).values()
    assert (wanted == counts[:40]).all()
    old, new = bytes_of(before), bytes_of(after)
    assert new["constants"] * 2 == old["constants"]
    spikes = 2 * new["state"] - old["state"]  # a recurrence keeps the spikes of a tick as bytes
    assert spikes == (48 if name == "order" else 0)
