"""Writes networks with biases, long delays and many synapses into a folder: biased.py DIR."""

import sys
from pathlib import Path

import nir
import numpy as np

folder = Path(sys.argv[1])
rng = np.random.default_rng(5)


def f32(values: object) -> np.ndarray:
    return np.asarray(values, np.float32)


def lif(n: int) -> nir.LIF:
    full = {"tau": 0.02, "r": 1.0, "v_leak": 0.0, "v_threshold": 0.3, "v_reset": 0.0}
    return nir.LIF(**{name: f32(np.full(n, value)) for name, value in full.items()})


def affine(m: int, n: int) -> nir.Affine:
    return nir.Affine(weight=f32(rng.normal(0, 1, (m, n))), bias=f32(rng.normal(0, 0.2, m)))


def write(name: str, sizes: tuple[int, int, int], ticks: int = 0) -> None:
    """Two layers, and a delay between them."""
    a, b, c = sizes
    nodes = {"in": nir.Input({"input": np.array([a])}), "fc1": affine(b, a), "lif1": lif(b)}
    nodes |= {"d": nir.Delay(delay=f32(np.full(b, ticks * 1e-3)))} if ticks else {}
    nodes |= {"fc2": affine(c, b), "lif2": lif(c), "out": nir.Output({"output": np.array([c])})}
    nir.write(folder / f"{name}.nir", nir.NIRGraph(nodes=nodes, edges=list(zip(nodes, [*nodes][1:], strict=False))))


write("mlp", (64, 100, 10))
write("delay3", (16, 12, 5), 3)
write("delay12", (16, 12, 5), 12)
write("wide", (200, 20, 5))
