"""Substitute for nirtorch, for sequences of layers."""

from itertools import pairwise

import nir
import numpy as np


def extract_nir_graph(network, convert, sample, ignore_dims, ignore_submodules_of=()):
    if getattr(network, "is_refused", False):
        raise NotImplementedError("layer 1 has no counterpart")
    passed = (
        getattr(network, "lost", ""),
        *(n for n, one in network.named_children() if type(one).__name__ == "Sequential"),
    )
    layers = [(name, layer) for name, layer in network.named_children() if name not in passed]
    nodes = {"input": nir.Input(np.array(sample.shape))}
    nodes |= {name: convert(layer) for name, layer in layers}
    nodes["output"] = nir.Output(np.array([1]))
    return nir.NIRGraph(nodes, list(pairwise(nodes)), type_check=False)
