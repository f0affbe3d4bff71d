"""Pools of reals as kernels equal the reference in every bit: the greatest value of each position, also where all are negative."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_programs import compiled, outputs

import nopt.api as nopt
from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.reference.model import ReferenceModel

NETWORK = """
ntensor.network @net("x" %x: tensor<2x5x4xf32>) -> ("y": tensor<2x3x2xf32>) attributes {tick_ns = 1000000} {
  %y = ntensor.OP "pool" %x {kernel = #nopt.array<[2, 3] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[1, 0], [0, 1]] : tensor<2x2xi64>>} : tensor<2x5x4xf32> -> tensor<2x3x2xf32>
  ntensor.output %y : tensor<2x3x2xf32>
}
"""


@pytest.mark.parametrize("op", ["max_pool2d", "sum_pool2d"])
def test_pools_equal_the_reference(op: str) -> None:
    module = nopt.parse(NETWORK.replace("OP", op))
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    x = np.random.default_rng(0).normal(-1, 1, (3, 7, 2, 5, 4)).astype(np.float32)
    wanted = ReferenceModel(network).run({"x": DenseSignal(x)})["y"]
    found = outputs(compiled(module), {"x": x})["y"]
    np.testing.assert_array_equal(found.reshape(wanted.shape), wanted)
