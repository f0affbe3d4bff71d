"""Delays of single synapses: the converted network agrees with a plain loop over synapses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.ntensor import DelayOp, LinearOp, SparseLinearOp


def array(values: Any) -> str:
    held = np.asarray(values, np.float32)
    shape = "x".join(map(str, held.shape))
    return f"#nopt.array<{held.tolist()} : tensor<{shape}{'x' if shape else ''}f32>>"


def network(
    inner: np.ndarray, rec: np.ndarray, inner_late: np.ndarray, rec_late: np.ndarray, bias: np.ndarray, kind: str
) -> Any:
    n, m = inner.shape
    return nopt.parse(
        f'nir.graph @late("x" %x: tensor<{m}x{kind}>) -> ("out": tensor<{n}xi1>) {{\n'
        f"  %s = nir.sum %a, %b : (tensor<{n}xf32>, tensor<{n}xf32>) -> tensor<{n}xf32>\n"
        f'  %a = nir.linear "inner" %x {{weight = {array(inner)}, delays = {array(inner_late)}}} : tensor<{m}x{kind}> -> tensor<{n}xf32>\n'
        f'  %b = nir.affine "rec" %z {{weight = {array(rec)}, bias = {array(bias)}, delays = {array(rec_late)}}}'
        f" : tensor<{n}xi1> -> tensor<{n}xf32>\n"
        f'  %z = nir.if "cell" %s {{r = {array(1.0)}, v_threshold = {array(1.0)}, v_reset = {array(0.0)}}} : tensor<{n}xf32> -> tensor<{n}xi1>\n'
        f"  nir.output %z : tensor<{n}xi1>\n}}"
    )


def plain(
    inner: np.ndarray,
    rec: np.ndarray,
    inner_ticks: np.ndarray,
    rec_ticks: np.ndarray,
    bias: np.ndarray,
    x: np.ndarray,
    own: int,
) -> np.ndarray:
    """Computes Norse's integrate-and-fire, one synapse after the other in f64; `own` is the delay that the conversion adds to a cycle without one."""
    n, m = inner.shape
    z, v = np.zeros((len(x), n), bool), [0.0] * n
    for t in range(len(x)):
        for o in range(n):
            one = other = 0.0
            for i in range(m):
                if (late := t - int(inner_ticks[o, i])) >= 0 and x[late, i] != 0:
                    one += float(inner[o, i]) * float(x[late, i])
            for i in range(n):
                if (late := t - int(rec_ticks[o, i]) - own) >= 0 and z[late, i]:
                    other += float(rec[o, i])
            other += float(bias[o])
            v[o] += one + other  # two operands: the order of their sum has no effect
            if v[o] > 1.0:
                z[t, o], v[o] = True, 0.0
    return z


@pytest.mark.parametrize("kind", ["i1", "f32"])
@pytest.mark.parametrize("least", [0, 2])
@pytest.mark.parametrize("seed", [0, 1])
def test_converted_delays_equal_a_plain_loop(kind: str, least: int, seed: int) -> None:
    """A cycle whose synapses are all delayed needs no additional tick; a cycle with an undelayed synapse gets one (on the spikes)."""
    rng = np.random.default_rng(seed)
    n, m = 5, 4
    inner, rec = rng.normal(0.3, 0.6, (n, m)).astype(np.float32), rng.normal(0.1, 0.6, (n, n)).astype(np.float32)
    inner[rng.random(inner.shape) < 0.3] = 0
    rec[rng.random(rec.shape) < 0.3] = 0
    bias = rng.normal(0, 0.1, n).astype(np.float32)
    inner_ticks, rec_ticks = rng.integers(0, 4, (n, m)), rng.integers(least, least + 4, (n, n))
    rec[0, 0], rec_ticks[0, 0] = 0.5, least  # the deciding synapse has a nonzero weight
    events = rng.random((60, m)) < 0.3
    x = events if kind == "i1" else (events * rng.normal(1, 0.5, events.shape)).astype(np.float32)
    module = network(inner, rec, inner_ticks * 1e-3, rec_ticks * 1e-3, bias, kind)
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=value}", diagnostics=Diagnostics())
    ops = {
        op.properties["node"].data: op for op in module.walk() if isinstance(op, LinearOp | SparseLinearOp | DelayOp)
    }
    assert isinstance(ops["inner"], SparseLinearOp)
    assert len(ops["inner"].weight.values) == (np.count_nonzero(inner) if kind == "i1" else n * m)
    assert ("rec.delay" in ops) == (least > 0)
    found = nopt.run(module, x, engine="numpy", diagnostics=Diagnostics())["out"]
    expected = plain(inner, rec, inner_ticks, rec_ticks, bias, x, own=0 if least else 1)
    assert expected.any()
    np.testing.assert_array_equal(np.squeeze(found), expected)


def test_equal_delays_stay_a_matrix() -> None:
    rng = np.random.default_rng(3)
    weight, none = rng.normal(size=(3, 3)), np.zeros((3, 3))
    module = network(weight, weight, none + 2e-3, none + 1e-3, np.zeros(3), "i1")
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics())
    ops = [op for op in module.walk() if isinstance(op, LinearOp | SparseLinearOp)]
    assert [type(op) for op in ops] == [LinearOp, LinearOp]
    ticks = {op.node.data: op.ticks.values.item() for op in module.walk() if isinstance(op, DelayOp)}
    assert ticks == {"inner.delay": 2, "rec.delay": 1}
