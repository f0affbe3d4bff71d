"""Networks of leaky neurons whose rates analogue chips change: chains of two populations, with inhibition, and with a loop in every second pair."""

from __future__ import annotations

from pathlib import Path

import nir
import numpy as np


def lif(size: int) -> nir.LIF:
    ones = np.ones(size)
    return nir.LIF(tau=0.02 * ones, r=ones, v_leak=0 * ones, v_threshold=ones, v_reset=0 * ones)


def cuba(size: int) -> nir.CubaLIF:
    ones = np.ones(size)
    return nir.CubaLIF(
        tau_mem=0.02 * ones,
        tau_syn=0.005 * ones,
        r=ones,
        v_leak=0 * ones,
        v_threshold=ones,
        v_reset=0 * ones,
        w_in=ones,
    )


def rate_network(seed: int, file: Path) -> Path:
    """Writes a chain of two populations; every second one has a loop with excitation and inhibition."""
    rng = np.random.default_rng([41, seed])
    neuron, size = (lif, cuba)[seed % 2], (8, 12, 4)
    strength = (7.0, 6.0)[seed % 2]
    nodes = {
        "input": nir.Input(np.array([size[0]])),
        "fc1": nir.Linear(rng.normal(strength / 3, strength / 2, (size[1], size[0]))),
        "n1": neuron(size[1]),
        "rec": nir.Linear(rng.normal(0, strength / 12, (size[1], size[1]))),
        "fc2": nir.Linear(rng.normal(strength / 4, strength / 3, (size[2], size[1]))),
        "n2": neuron(size[2]),
        "hidden": nir.Output(np.array([size[1]])),
        "output": nir.Output(np.array([size[2]])),
    }
    edges = [("input", "fc1"), ("fc1", "n1"), ("n1", "fc2"), ("fc2", "n2"), ("n2", "output"), ("n1", "hidden")]
    if seed // 2 % 2:
        edges += [("n1", "rec"), ("rec", "n1")]
    else:
        del nodes["rec"]
    nir.write(file, nir.NIRGraph(nodes, edges))
    return file
