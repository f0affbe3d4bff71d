"""Parts of a network that exporters cannot follow: functions that flatten, and normalisations.

| part | in the copy that is exported |
| --- | --- |
| `x.flatten(1)`, `x.view(n, -1)`, `x.reshape(n, -1)` between layers | a module `Flatten` of its own |
| a batch normalisation after a convolution or a linear layer | folded into that layer |

Source: nirtorch 2.6, nirtorch/graph.py: two modules are connected if one returns the tensor object that the other takes. Folding: torch.nn.utils.fusion.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import cycle
from typing import Any

from .framework import torch_class

FOLDED = {
    ("Conv1d", "BatchNorm1d"): "fuse_conv_bn_eval",
    ("Conv2d", "BatchNorm2d"): "fuse_conv_bn_eval",
    ("Linear", "BatchNorm1d"): "fuse_linear_bn_eval",
}
"""Functions of PyTorch that fold a normalisation into the layer before it, by the classes of both."""


def flattens(function: Any, arguments: Sequence[Any], result: Any) -> bool:
    """Returns whether a call of PyTorch joins all axes of each sample."""
    if getattr(function, "__name__", "") not in ("flatten", "view", "reshape") or not arguments:
        return False
    given: tuple[Any, ...] = tuple(getattr(arguments[0], "shape", ()))
    joined: tuple[Any, ...] = tuple(getattr(result, "shape", ()))
    return len(given) > 2 and len(joined) == 2 and given[0] == joined[0]


@contextmanager
def observed(walked: Sequence[tuple[str, Any]], act: Callable[[Any, Any], Any]) -> Generator[None]:
    """Context in which `act` replaces the result of every flattening call outside of the walked layers; its arguments are the input and the result."""
    overrides: Any = import_module("torch.overrides")
    inside = 0

    def enter(*_: Any) -> None:
        nonlocal inside
        inside += 1

    def leave(*_: Any) -> None:
        nonlocal inside
        inside -= 1

    class Observer(overrides.TorchFunctionMode):  # pyrefly: ignore[unknown-base-class]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = function(*args, **(kwargs or {}))
            return act(args[0], result) if not inside and flattens(function, args, result) else result

    hooks = [module.register_forward_pre_hook(enter) for _, module in walked]
    hooks += [module.register_forward_hook(leave) for _, module in walked]
    try:
        with Observer():
            yield
    finally:
        for hook in hooks:
            hook.remove()


def count_flattenings(network: Any, walked: Sequence[tuple[str, Any]], sample: Any) -> int:
    """Returns the number of flattening calls between the layers during one run of a sample."""
    found: list[Any] = []

    def count(_: Any, result: Any) -> Any:
        found.append(None)
        return result

    with observed(walked, count):
        network(sample)
    return len(found)


def show_flattenings(network: Any, walked: Sequence[tuple[str, Any]], count: int) -> None:
    """Replaces the `forward` of a copy so that flattening functions become modules. `count` is their number in a tick."""
    torch: Any = import_module("torch")
    taken = {name for name, _ in network.named_children()}
    names = [name for name in (f"flatten_{number}" for number in range(count + len(taken))) if name not in taken][
        :count
    ]
    for name in names:
        network.add_module(name, torch.nn.Flatten())
    forward = network.forward

    def forward_modules(*args: Any) -> Any:
        numbers = cycle(names)
        with observed(walked, lambda given, _: getattr(network, next(numbers))(given)):
            return forward(*args)

    network.forward = forward_modules


def find_folds(network: Any, walked: Sequence[tuple[str, Any]], sample: Any) -> dict[str, str]:
    """Returns the normalisations that can be folded, each with the layer before it.

    A layer is folded if its output is the input of the normalisation alone.
    """
    returned: list[tuple[str, Any]] = []
    taken: list[tuple[str, Any]] = []

    def hook_of(name: str) -> Any:
        def record(_: Any, given: Any, output: Any) -> None:
            taken.extend((name, one) for one in given[:1])
            returned.append((name, output))

        return record

    hooks = [module.register_forward_hook(hook_of(name)) for name, module in walked]
    network(sample)
    for hook in hooks:
        hook.remove()
    modules = dict(walked)
    folds: dict[str, str] = {}
    for name, given in taken:
        before = next((one for one, output in returned if output is given), None)
        users = {one for one, other in taken if other is given}
        if before is not None and users == {name} and fold_function(modules[before], modules[name]):
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
