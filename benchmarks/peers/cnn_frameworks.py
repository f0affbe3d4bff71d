"""The CNN of the NIR paper in several frameworks: python cnn_frameworks.py NET.nir INPUT.npy PEER REPEATS.

PEER: norse and sinabs import the file with their own importers; torch is hand-written code for
this one network: convolutions over all ticks at once if nothing depends on the previous tick, a loop over ticks for the neurons.
One thread. Prints seconds of the best repeat, and the number of output spikes.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from time import perf_counter
from typing import Any

import nir
import numpy as np
import torch

torch.set_num_threads(1)
torch.set_grad_enabled(False)


def norse(graph: nir.NIRGraph) -> Any:
    from norse.torch import from_nir

    model = from_nir(graph, dt=1e-3)

    def run(x: torch.Tensor) -> torch.Tensor:
        state, out = None, []
        for row in x:
            z, state = model(row[None], state)
            out.append(z)
        return torch.stack(out)

    return run


def layers(graph: nir.NIRGraph) -> tuple[dict[str, dict[str, torch.Tensor]], dict[str, float]]:
    """Returns weights and thresholds by node."""
    tensors = {
        name: {
            key: torch.from_numpy(np.ascontiguousarray(getattr(node, key), np.float32)) for key in ("weight", "bias")
        }
        for name, node in graph.nodes.items()
        if hasattr(node, "weight")
    }
    limits = {n: float(np.ravel(node.v_threshold)[0]) for n, node in graph.nodes.items() if isinstance(node, nir.IF)}
    return tensors, limits


def snntorch(graph: nir.NIRGraph) -> Any:
    """Builds the network from snnTorch's neurons, with the rule of the others: its importer reads this file, but its executor passes a
    convolution the pair of spikes and v."""
    import snntorch as snn

    conv, linear, pool = torch.nn.functional.conv2d, torch.nn.functional.linear, torch.nn.functional.avg_pool2d
    tensors, limits = layers(graph)
    lif = {
        n: snn.Leaky(beta=1.0, threshold=limit, reset_mechanism="zero", reset_delay=False)
        for n, limit in limits.items()
    }

    def run(x: torch.Tensor) -> torch.Tensor:
        v = {name: neuron.reset_mem() for name, neuron in lif.items()}
        out = []

        def fire(name: str, y: torch.Tensor) -> torch.Tensor:
            z, v[name] = lif[name](y, v[name])
            return z

        for row in x:
            y = fire("1", conv(row[None], **tensors["0"], stride=2, padding=1))
            y = pool(fire("3", conv(y, **tensors["2"], padding=1)), 2) * 4
            y = pool(fire("6", conv(y, **tensors["5"], padding=1)), 2) * 4
            y = fire("10", linear(y.flatten(1), **tensors["9"]))
            out.append(fire("12", linear(y, **tensors["11"])))
        return torch.stack(out)

    return run


def sinabs(graph: nir.NIRGraph) -> Any:
    from sinabs.layers import StatefulLayer
    from sinabs.nir import from_nir

    model = from_nir(graph, batch_size=1)

    def run(x: torch.Tensor) -> torch.Tensor:
        for layer in model.modules():
            if isinstance(layer, StatefulLayer):
                layer.reset_states()
        out = model(x)
        return out[0] if isinstance(out, tuple) else out

    return run


def by_hand(graph: nir.NIRGraph) -> Any:
    tensors, limits = layers(graph)
    conv = torch.nn.functional.conv2d

    def fire(x: torch.Tensor, limit: float) -> torch.Tensor:
        v, out = torch.zeros_like(x[0]), torch.empty_like(x)
        for t in range(len(x)):
            v += x[t]
            z = v > limit
            out[t] = z
            v.masked_fill_(z, 0.0)
        return out

    def run(x: torch.Tensor) -> torch.Tensor:
        pool = torch.nn.functional.avg_pool2d
        x = fire(conv(x, **tensors["0"], stride=2, padding=1), limits["1"])
        x = fire(conv(x, **tensors["2"], padding=1), limits["3"])
        x = pool(x, 2) * 4
        x = fire(conv(x, **tensors["5"], padding=1), limits["6"])
        x = (pool(x, 2) * 4).flatten(1)
        x = fire(torch.nn.functional.linear(x, **tensors["9"]), limits["10"])
        return fire(torch.nn.functional.linear(x, **tensors["11"]), limits["12"])

    return run


PEERS = {"norse": norse, "snntorch": snntorch, "sinabs": sinabs, "torch": by_hand}

path, data, peer, repeats = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
run = PEERS[peer](nir.read(path))
x = torch.from_numpy(np.load(data).astype(np.float32))
best, spikes = float("inf"), 0
for _ in range(repeats):
    start = perf_counter()
    out = run(x)
    best = min(best, perf_counter() - start)
    spikes = int(out.sum())
print(json.dumps({"peer": f"{peer} {version(peer)}", "seconds": best, "spikes": spikes}))
