"""Each delivery of spikes adds the same terms: a dense layer of 70 sources, which are three groups of 32, the last of them in part."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_programs import outputs

import nopt.api as nopt
from nopt.core import registry
from nopt.core.ir import pass_manager, pipeline
from nopt.core.ir.context import NoptContext
from nopt.dialects import kernels

WEIGHT = np.random.default_rng(1).integers(-9, 10, (5, 70))
NETWORK = f"""
ntensor.network @net("x" %x: tensor<70xi1>) -> ("y": tensor<5xi16>) attributes {{tick_ns = 1000000}} {{
  %y = ntensor.linear "fc" %x {{weight = #nopt.array<{WEIGHT.tolist()} : tensor<5x70xi8>>}} : tensor<70xi1> -> tensor<5xi16>
  ntensor.output %y : tensor<5xi16>
}}
"""


@pytest.mark.parametrize("density", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("mode", ["dense", "bitmap", "events"])
def test_deliveries_add_the_same_terms(mode: str, density: float) -> None:
    module = nopt.parse(NETWORK)
    text = f"convert-ntensor-to-c{{names=make}},convert-c-to-kernels{{delivery={mode}}},kernels-fuse-stages,kernels-narrow-integers"
    pass_manager.run_passes(pipeline.parse_pipeline(text, registry.passes()), NoptContext(), module)
    program = next(op for op in module.ops if isinstance(op, kernels.ProgramOp))
    x = (np.random.default_rng(0).random((4, 6, 70)) < density).astype(np.int64)
    np.testing.assert_array_equal(outputs(program, {"x": x})["y"], x @ WEIGHT.T)
