"""Merged pools and synapses compute what they computed in a row."""

from __future__ import annotations

import nir
import numpy as np
import pytest

import nopt.api as nopt
from nopt.dialects import ntensor


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("pool", [nir.AvgPool2d, nir.SumPool2d])
def test_merged_pools_keep_the_sums(pool: type[nir.NIRNode], stride: int) -> None:
    """Windows that overlap reach a neuron by several paths, which become one synapse."""
    rng, one = np.random.default_rng(stride), np.ones(5, np.float32)
    side = 2 if stride == 2 else 3
    weight, bias = rng.normal(size=(5, 2 * side * side)), rng.normal(size=5)
    nodes = {
        "input": nir.Input({"input": np.array([2, 4, 4])}),
        "pool": pool(np.array([2, 2]), np.array([stride, stride]), np.array([0, 0])),
        "flat": nir.Flatten({"input": np.array([2, side, side])}, 0, -1),
        "fc": nir.Affine(weight.astype(np.float32), bias.astype(np.float32)),
        "lif": nir.LIF(tau=0.01 * one, r=one, v_leak=0 * one, v_threshold=one, v_reset=0 * one),
        "output": nir.Output({"output": np.array([5])}),
    }
    graph = nir.NIRGraph(nodes, list(zip(list(nodes)[:-1], list(nodes)[1:], strict=True)))
    given = nopt.from_nir(graph)
    nopt.apply(given, "convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f64}")
    merged = given.clone()
    nopt.apply(merged, "ntensor-merge-synapses")
    assert [op for op in merged.walk() if isinstance(op, ntensor.SparseLinearOp)]
    assert not [op for op in merged.walk() if isinstance(op, ntensor.PoolOp)]
    x = np.random.default_rng(3).random((1, 60, 2, 4, 4)) < 0.3
    there, here = (nopt.run(each, x, record=["fc"], engine="numpy") for each in (given, merged))
    assert there["output"].any()
    np.testing.assert_array_equal(here["output"], there["output"])
    np.testing.assert_allclose(here["fc"], there["fc"], rtol=0, atol=1e-12)
