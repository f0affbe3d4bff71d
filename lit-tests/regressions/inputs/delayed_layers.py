"""Writes small networks whose chips need another form of them: delayed_layers.py KIND FILE."""

import sys

import nir
import numpy as np

kind, file = sys.argv[1:]
rng = np.random.default_rng(0)


def one(n: int) -> np.ndarray:
    return np.ones(n, np.float32)


def neurons(n: int) -> nir.NIRNode:
    ends = {"r": one(n), "v_leak": 0 * one(n), "v_threshold": one(n), "v_reset": 0 * one(n)}
    if kind in ("delay", "pool"):
        return nir.CubaLIF(tau_mem=0.02 * one(n), tau_syn=0.008 * one(n), w_in=one(n), **ends)
    return (
        nir.IF(**{name: ends[name] for name in ("r", "v_threshold", "v_reset")})
        if kind == "each"
        else nir.LIF(tau=0.02 * one(n), **ends)
    )


def affine(outputs: int, inputs: int) -> nir.NIRNode:
    weight = rng.normal(0, 0.5, (outputs, inputs)).astype(np.float32)
    return nir.Affine(weight, rng.uniform(0, 0.2, outputs).astype(np.float32))


shape = [1, 4, 4] if kind == "pool" else [8]
nodes = {"input": nir.Input({"input": np.array(shape)})}
if kind == "pool":
    nodes["pool"] = nir.AvgPool2d(np.array([2, 2]), np.array([2, 2]), np.array([0, 0]))
    nodes["flat"] = nir.Flatten({"input": np.array([1, 2, 2])}, 0, -1)
nodes["fc1"] = affine(6, 4 if kind == "pool" else 8)
if kind in ("delay", "each"):
    ticks = np.full(6, 3) if kind == "delay" else np.arange(1, 7)
    nodes["late"] = nir.Delay((ticks / 1000).astype(np.float32))
nodes |= {"n1": neurons(6), "fc2": affine(3, 6), "n2": neurons(3), "output": nir.Output({"output": np.array([3])})}
nir.write(file, nir.NIRGraph(nodes, list(zip(list(nodes)[:-1], list(nodes)[1:], strict=True)), type_check=False))
