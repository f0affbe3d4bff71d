"""Substitute for snnTorch's exporter, for sequences of layers."""

import itertools

import nir
import numpy as np


def convert(module):
    match type(module).__name__:
        case "Linear":
            return nir.Linear(np.asarray(module.weight))
        case "AvgPool2d":
            return nir.AvgPool2d(kernel_size=np.array([2, 2]), stride=np.array([2, 2]), padding=np.array([0, 0]))
    tau = 1e-4 / (1 - np.asarray(module.beta, np.float64))
    zeros = np.zeros(tau.shape)
    return nir.LIF(tau=tau, r=tau / 1e-4, v_leak=zeros, v_threshold=np.asarray(module.threshold), v_reset=zeros)


def export_to_nir(network, sample, ignore_dims):
    if getattr(network, "is_refused", False):
        raise NotImplementedError("layer 1 has no counterpart")
    layers = [(name, layer) for name, layer in network.named_children() if name != getattr(network, "lost", "")]
    nodes = {"input": nir.Input(np.array(sample.shape))}
    nodes |= {name: convert(layer) for name, layer in layers}
    nodes["output"] = nir.Output(np.array([1]))
    names = list(nodes)
    return nir.NIRGraph(nodes, list(itertools.pairwise(names)), type_check=False)
