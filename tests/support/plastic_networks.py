"""Networks of one plastic layer, for tests of learning rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import nopt
from nopt.dialects import ntensor
from nopt.dialects.nir import RuleAttr


def entries_text(rule: str, entries: Mapping[str, float | str]) -> str:
    """Returns a rule of NIR as text; a rule that starts with # is an attribute already."""
    return rule if rule.startswith("#") else str(RuleAttr.of(rule, entries))


def array_text(values: NDArray[Any]) -> str:
    """Returns an array of f64 as text."""
    shape = "x".join([*map(str, values.shape), "f64"])
    return f"#nopt.array<{values.tolist()} : tensor<{shape}>>"


def network_text(
    weight: NDArray[Any],
    rule: str,
    entries: Mapping[str, float | str] = {},
    *,
    delay_ms: int | NDArray[Any] = 0,
    inputs: str = "",
    threshold: float = 1.0,
) -> str:
    """Returns a network with an input "in", a plastic layer "fc" and a population "lif". Units: delay_ms [ms]."""
    targets, sources = weight.shape
    late = "" if np.isscalar(delay_ms) and not delay_ms else f", delays = {array_text(np.asarray(delay_ms) / 1e3)}"
    numbers = {"tau": 0.02, "r": 20.0, "v_leak": 0.0, "v_threshold": threshold, "v_reset": 0.0}
    params = ", ".join(f"{name} = {array_text(np.array(value))}" for name, value in numbers.items())
    return f"""
nir.graph @net("in" %x: tensor<{sources}xi1>{inputs}) -> ("out": tensor<{targets}xi1>) {{
  %0 = nir.linear "fc" %x {{weight = {array_text(weight)}, plasticity = {entries_text(rule, entries)}{late}}} : tensor<{sources}xi1> -> tensor<{targets}xf32>
  %1 = nir.lif "lif" %0 {{{params}}} : tensor<{targets}xf32> -> tensor<{targets}xi1>
  nir.output %1 : tensor<{targets}xi1>
}}
"""


def run_network(text: str, x: Any, record: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Returns the results of a network with ticks of 1 ms on the engine `numpy`."""
    return nopt.run(nopt.parse(text), x, dt="1ms", like="norse", record=list(record), engine="numpy")


def network_in_ticks(text: str) -> ntensor.NetworkOp:
    """Returns a network in ticks of 1 ms."""
    module = nopt.apply(nopt.parse(text), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
