"""Batch normalisations as identities, so that the weights of a network in NIR can be those of the framework's own layers.

The import folds a normalisation into the layer before it. The export writes the folded weights into this layer, and sets the normalisation to the
identity: a mean of 0, and a variance whose sum with `eps` is 1 in f32. If the layer has no bias, the normalisation adds it.

    norm(fc(x))  =>  fc has the weights of both, norm(y) = y + bias
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from .folding import fold_function
from .framework import torch_class
from .layouts import Inputs, Network


def set_identity_norms(network: Network, inputs: Inputs) -> list[str]:
    """Folds every normalisation of a network into the layer before it, and sets it to the identity. Returns their names.

    A normalisation that is a layer of its own keeps its gain and its offset as its weight and its bias.
    """
    torch: Any = import_module("torch")
    fusion: Any = import_module("torch.nn.utils.fusion")
    layout, called = network.find_layout(inputs)
    folds = network.find_folds(called, layout, inputs)
    changed: list[str] = []
    for layer in called:
        norm = network.module.get_submodule(layer.name)
        if not (torch_class(norm) or "").startswith("BatchNorm") or norm.running_var is None:
            continue
        with torch.no_grad():
            if layer.name in folds:
                before = network.module.get_submodule(folds[layer.name])
                function = fold_function(before, norm)
                assert function is not None  # `find_folds`
                fused = getattr(fusion, function)(before.eval(), norm.eval())
                before.weight.copy_(fused.weight)
                gain, offset = torch.ones_like(norm.running_var), fused.bias
                if before.bias is not None:
                    before.bias.copy_(fused.bias)
                    offset = torch.zeros_like(norm.running_var)
            else:
                gain = (norm.weight if norm.affine else 1) / torch.sqrt(norm.running_var + norm.eps)
                offset = (norm.bias if norm.affine else 0) - norm.running_mean * gain
            set_gain(norm, gain, offset)
        changed.append(layer.name)
    return changed


def set_gain(norm: Any, gain: Any, offset: Any) -> None:
    """Sets a normalisation to `gain x + offset`. Without a weight, the variance determines the gain."""
    if not norm.affine:
        is_one = bool((gain == 1).all())
        norm.running_var.copy_(gain * float(np.float32(1 - norm.eps)) if is_one else 1 / gain**2 - norm.eps)
        norm.running_mean.copy_(-offset / gain)
        return
    norm.running_mean.zero_()
    norm.running_var.fill_(float(np.float32(1 - norm.eps)))
    norm.weight.copy_(gain)
    norm.bias.copy_(offset)
