"""Networks of the `nir` package, and their results in nopt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import nir
import numpy as np

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.ntensor import NetworkOp


def f32(values: Any) -> np.ndarray:
    return np.asarray(values, np.float32)


def lif(rng: np.random.Generator, n: int, **fixed: float) -> nir.LIF:
    """Returns a population with random parameters for every neuron, with nonzero rest and reset."""
    given = {
        "tau": rng.uniform(4e-3, 3e-2, n),
        "r": rng.uniform(0.5, 2, n),
        "v_leak": rng.uniform(-0.2, 0.3, n),
        "v_threshold": rng.uniform(0.5, 1, n),
        "v_reset": rng.uniform(-0.3, 0.1, n),
    }
    return nir.LIF(**{name: f32(np.full(n, fixed.get(name, values))) for name, values in given.items()})


def linear(rng: np.random.Generator, rows: int, columns: int, scale: float = 1.0) -> nir.Linear:
    return nir.Linear(weight=f32(rng.normal(0, scale, (rows, columns))))


def affine(rng: np.random.Generator, rows: int, columns: int, scale: float = 1.0) -> nir.Affine:
    return nir.Affine(weight=f32(rng.normal(0, scale, (rows, columns))), bias=f32(rng.normal(0, scale, rows)))


def graph(
    nodes: Mapping[str, Any], edges: Iterable[tuple[str, str]], inputs: Mapping[str, int], outputs: Mapping[str, int]
) -> nir.NIRGraph:
    """Returns a graph with its terminals, without the checks of the package, which need help with recurrence."""
    ends = {name: nir.Input({"input": np.array([n])}) for name, n in inputs.items()}
    ends |= {name: nir.Output({"output": np.array([n])}) for name, n in outputs.items()}
    return nir.NIRGraph(nodes={**ends, **nodes}, edges=list(edges), type_check=False)


def run(
    network: nir.NIRGraph, x: Any, record: Iterable[str] = (), findings: Diagnostics | None = None, **choices: Any
) -> dict[str, np.ndarray]:
    """Runs a network on an input `[ticks, n]`, or one per input name, with options such as `like=` and `dt=`.

    The engine is `numpy`: the conversion is what is tested, and each small network would be compiled.
    """
    module = nopt.from_nir(network, diagnostics=Diagnostics())
    return nopt.run(module, x, record=list(record), engine="numpy", diagnostics=findings or Diagnostics(), **choices)


def converted(network: nir.NIRGraph, options: str, findings: Diagnostics | None = None) -> NetworkOp:
    """Returns the network after the conversion with these options."""
    module = nopt.from_nir(network, diagnostics=Diagnostics())
    nopt.apply(module, f"convert-nir-to-ntensor{{{options}}}", diagnostics=findings or Diagnostics())
    return next(op for op in module.ops if isinstance(op, NetworkOp))
