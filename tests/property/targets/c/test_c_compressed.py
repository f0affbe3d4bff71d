"""Rows with many zeros as compressed rows: for every real input, infinite and NaN ones too, C computes the bits of the reference."""

from __future__ import annotations

import numpy as np
import pytest
from programs import SANITIZED, different, library, needs_compiler, reference, run, run_alone
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, TensorType, f32, f64
from xdsl.ir import Block, Region

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.ir.graph_region import Signature, names
from nopt.dialects import c, ntensor
from nopt.targets.c.source import generate, lower

pytestmark = needs_compiler

GAIN = {np.float32: 1e30, np.float64: 1e300}
"""Inputs are finite; the largest times this factor are infinite, and the sum of two of different sign is NaN."""


def sparse_network(rng: np.random.Generator, is_double: bool) -> tuple[ntensor.NetworkOp, dict[str, np.ndarray]]:
    """Returns a linear network whose weights are mostly zeros, and inputs that become infinite and NaN. Shapes: weight [lead, out, in]."""
    lead, inputs, outputs = (int(n) for n in (rng.integers(1, 4), rng.integers(8, 40), rng.integers(8, 40)))
    dtype, element = (np.float64, f64) if is_double else (np.float32, f32)
    weight = rng.standard_normal((lead, outputs, inputs)).astype(dtype)
    weight[rng.random(weight.shape) > rng.choice([0.02, 0.08])] = 0
    weight = weight if lead > 1 else weight[0]
    shape, into = ([lead, inputs], [lead, outputs]) if lead > 1 else ([inputs], [outputs])
    x, y = TensorType(element, shape), TensorType(element, into)
    block = Block(arg_types=[x, x])
    gain = ArrayAttr.of(np.array(GAIN[dtype], dtype))
    scales = [
        ntensor.ScaleOp.create(
            operands=[arg], result_types=[x], properties={"node": StringAttr(f"gain{k}"), "scale": gain}
        )
        for k, arg in enumerate(block.args)
    ]
    total = ntensor.SumOp.create(operands=[one.results[0] for one in scales], result_types=[x])
    properties = {"node": StringAttr("fc"), "weight": ArrayAttr.of(weight)}
    fc = ntensor.LinearOp.create(operands=[total.results[0]], result_types=[y], properties=properties)
    block.add_ops([*scales, total, fc, ntensor.OutputOp(fc.results[0])])
    signature = Signature(names(["a", "b"]), names(["y"]), FunctionType.from_lists(block.arg_types, [y]))
    network = ntensor.NetworkOp("net", signature, 1000, Region(block))
    ModuleOp([network])
    network.verify()
    signals = {}
    for name in ("a", "b"):
        rows = rng.standard_normal((12, *shape)) / GAIN[dtype]
        rows[rng.random(rows.shape) < 0.5] = 0
        large = rng.random(rows.shape) < 0.03
        rows[large] = rng.choice([1e9, -1e9], int(large.sum()))
        signals[name] = rows.astype(dtype)
    signals["b"][:2] = -signals["a"][:2]
    return network, signals


@pytest.mark.parametrize("seed", range(8))
def test_reals_equal_the_reference(seed: int) -> None:
    network, inputs = sparse_network(np.random.default_rng(seed), is_double=bool(seed % 2))
    program = lower(network)
    scatters = [op for op in program.tick.body.block.ops if isinstance(op, c.ScatterOp)]
    assert [(op.name, op.row is not None) for op in scatters if isinstance(op, c.CompressedOp)] == [
        ("c.compressed", True)
    ]
    source = generate(network)
    with np.errstate(all="ignore"):
        wanted = reference(network, inputs, [])
    assert np.isinf(wanted["y"]).any()
    assert np.isnan(wanted["y"]).any()
    found = (
        run_alone(source, inputs, *SANITIZED) if seed < 2 else run(source, library(source, "-O2").instance(), inputs)
    )
    assert not different(canonical(found), canonical(wanted))


def canonical(rows: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Returns rows with one pattern of bits for NaN: processors choose its sign."""
    return {name: np.where(np.isnan(array), np.nan, array).astype(array.dtype) for name, array in rows.items()}
