"""Layers that are formed from requantised integers have their counts, except in the middle of two integers, where they are one lower at most."""

from __future__ import annotations

import numpy as np
import pytest
from places import GOLDENS
from xdsl.dialects.builtin import DictionaryAttr

import nopt
from nopt.analysis.node_selection import name_of
from nopt.api.modules import only_network
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.diagnostics import Diagnostics

NETWORK = GOLDENS / "passes" / "legalize" / "layers" / "ntensor_form_layers.mlir"
SAMPLES, SHIFT = 200, 34


@pytest.mark.parametrize("seed", range(20))
def test_counts_of_layers_are_those_of_the_integers(seed: int) -> None:
    rng, module = np.random.default_rng(seed), nopt.read(NETWORK)
    network = only_network(module)
    layer = next(op for op in network.populations if name_of(op) == "a.quantise")
    multiplier = 2 ** int(rng.integers(28, 31)) if seed % 2 else int(rng.integers(2**28, 2**30))
    numbers = {"multiplier_a": np.int32(multiplier), "shift": np.int8(SHIFT)}
    layer.params = DictionaryAttr({name: ArrayAttr.of(np.asarray(value)) for name, value in numbers.items()})
    level = 2.0**SHIFT / multiplier
    canonical = {"threshold": level / 2, "level": level, "gain": 1.0}
    layer.canonical = DictionaryAttr({name: ArrayAttr.of(np.asarray(value)) for name, value in canonical.items()})
    for op in network.body.block.ops:
        if op.properties.get("node") is not None and op.properties["node"].data in ("fc", "out"):
            shape = op.properties["weight"].shape
            op.properties["weight"] = ArrayAttr.of(rng.integers(-7, 8, shape).astype(np.int8))
    nopt.verify(module)
    layers = nopt.apply(module.clone(), "ntensor-form-layers", diagnostics=Diagnostics())
    n = rng.integers(0, 256, (SAMPLES, 1, 2))
    record = {"record": ["a.quantise", "fc"], "axes": "samples,ticks", "diagnostics": Diagnostics()}
    integers = nopt.run(module, {"x": (n * 0.5).astype(np.float32)}, **record)
    counts = nopt.run(layers, {"x": n}, **record)
    difference = integers["a.quantise"].astype(int) - counts["a.quantise"].astype(int)
    exact = integers["fc"].astype(np.float64) / level
    is_tie = exact - np.floor(exact) == 0.5
    assert (difference[~is_tie] == 0).all()
    assert set(np.unique(difference[is_tie])) <= {0, 1}
    assert (counts["a.quantise"] > 0).any()
