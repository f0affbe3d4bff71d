"""Batch normalisations of a network, which are folded into the layer before them. Others are nodes of their own.

Source: torch.nn.utils.fusion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from .framework import torch_class

FOLDED = {
    ("Conv1d", "BatchNorm1d"): "fuse_conv_bn_eval",
    ("Conv2d", "BatchNorm2d"): "fuse_conv_bn_eval",
    ("Linear", "BatchNorm1d"): "fuse_linear_bn_eval",
}
"""Functions of PyTorch that fold a normalisation into the layer before it, by the classes of both."""


def find_folds(
    network: Any, walked: Sequence[tuple[str, Any]], calls: Mapping[str, int], samples: Sequence[Any]
) -> dict[str, str]:
    """Returns the normalisations that can be folded, each with the layer before it.

    A layer is folded if it is called once in a tick and its output is the input of the normalisation alone.
    """
    returned: list[tuple[str, Any]] = []
    taken: list[tuple[str, Any]] = []

    def hook_of(name: str) -> Any:
        def record(_: Any, given: Any, output: Any) -> None:
            taken.extend((name, one) for one in given[:1])
            returned.append((name, output))

        return record

    hooks = [module.register_forward_hook(hook_of(name)) for name, module in walked]
    network(*samples)
    for hook in hooks:
        hook.remove()
    modules = dict(walked)
    folds: dict[str, str] = {}
    for name, given in taken:
        before = next((one for one, output in returned if output is given), None)
        users = {one for one, other in taken if other is given}
        if before is None or users != {name} or calls.get(before, 1) > 1 or calls.get(name, 1) > 1:
            continue
        if fold_function(modules[before], modules[name]):
            folds[name] = before
    return folds


def fold_function(layer: Any, normalisation: Any) -> str | None:
    return FOLDED.get((torch_class(layer) or "", torch_class(normalisation) or ""))


def fold(network: Any, folds: dict[str, str]) -> None:
    """Folds normalisations of a copy into the layers before them."""
    torch: Any = import_module("torch")
    fusion: Any = import_module("torch.nn.utils.fusion")
    for name, before in folds.items():
        layer, normalisation = network.get_submodule(before), network.get_submodule(name)
        function = fold_function(layer, normalisation)
        assert function is not None  # `find_folds`
        replace_module(network, before, getattr(fusion, function)(layer, normalisation))
        replace_module(network, name, torch.nn.Sequential())


def replace_module(network: Any, name: str, module: Any) -> None:
    parent, _, last = name.rpartition(".")
    setattr(network.get_submodule(parent), last, module)
