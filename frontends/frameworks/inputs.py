"""Inputs of a network: the shape of each, from the user, from the first layer, or from the array of the comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from attrs import frozen

from ...core.diagnostics import Code, refuse
from .layouts import Inputs, Network
from .torch_layers import LayerShape

IMP019 = Code("IMP019", "input-shape-unknown", "the shape of the input is not known")
IMP023 = Code("IMP023", "input-mismatches-first-layer", "the input does not fit the first layer")

RANKS = {"Linear": 1, "LinearTorch": 1, "Conv1d": 2, "Conv2d": 3, "ConvTranspose2d": 3}
"""Axes of the input of the first layer with weights."""
SIZES = {"Linear": "in_features", "LinearTorch": "size_in"}


@frozen
class InputArray:
    """The array of an input, with the possible numbers of leading axes (samples and ticks)."""

    name: str
    shape: LayerShape
    leads: tuple[int, ...] = (2, 1)

    def shapes(self) -> list[LayerShape]:
        """Returns the shapes that one input can have, the most likely first."""
        return [self.shape[lead:] for lead in self.leads if len(self.shape) > lead]


@frozen
class FirstLayer:
    """Input of the first layer with weights: its entries, or the channels of rows or maps."""

    kind: str = "no layer with weights"
    entries: int | None = None
    channels: int | None = None

    @classmethod
    def of(cls, network: Network) -> FirstLayer:
        """Returns the first layer with weights of a network of PyTorch."""
        framework = network.framework
        layer = next((one for _, one in framework.walk(network.module) if framework.kind(one) in RANKS), None)
        if layer is None:
            return cls()
        kind = framework.kind(layer)
        channels = getattr(layer, "in_channels", None)
        entries = int(getattr(layer, SIZES[kind])) if kind in SIZES else None
        return cls(kind, entries, channels if isinstance(channels, int) else None)


def find_shape(
    first: FirstLayer, given: LayerShape | None, array: InputArray | None, at: str
) -> tuple[LayerShape, LayerShape | None]:
    """Returns the shape of one input without samples and ticks, and an alternative shape to propose if the network refuses the first.

    The shape is the given one, else the input shape of the first layer with weights, else the shape of an array. Errors: IMP019, IMP023."""
    size = None if first.entries is None else (first.entries,)
    if given is not None:
        return given, None if size == given else size
    shapes = list[LayerShape]() if array is None else array.shapes()
    whole: LayerShape = next(iter(shapes), ())
    if size is not None:
        if array is not None and len(whole) == 1 and whole != size:
            refuse_array(array, whole[0], size[0], "entries", f"{size[0]}", at)
        return size, whole if len(whole) > 1 else None
    own = [shape for shape in shapes if len(shape) == RANKS.get(first.kind)]
    channels = first.channels
    if array is not None and own:
        if channels is not None and own[0][0] != channels:
            sizes = ", ".join(map(str, (channels, *own[0][1:])))
            refuse_array(array, own[0][0], channels, "channels", sizes, at)
        return own[0], None
    refuse(
        IMP019,
        at=at,
        expected="--shape, the shape of one input without samples and ticks",
        found=f"{first.kind}, which does not determine it",
        help=f"--shape {'x'.join([str(channels or 'C'), *('L' if first.kind == 'Conv1d' else 'HW')])}",
    )


def refuse_array(array: InputArray, count: int, wanted: int, what: str, sizes: str, at: str) -> NoReturn:
    refuse(
        IMP023,
        f"{array.name} has {count} {what} for one sample and tick, the first layer takes {wanted}",
        at=at,
        expected=f"an array of [samples, ticks, {sizes}]",
        found=f"shape {list(array.shape)}",
        help=f"--input poisson:0.2, or numpy.save('x.npy', x), where x is [samples, ticks, {sizes}]",
    )


def find_inputs(
    network: Network,
    given: LayerShape | Mapping[str, LayerShape] | None,
    array: InputArray | None,
    at: str,
) -> Inputs:
    """Returns the shape of each input. A network has several if its forward has several arguments without defaults. Errors: IMP019."""
    names = required_arguments(network.module)
    if len(names) < 2:
        if isinstance(given, Mapping):
            given = next(iter(given.values()))
        size, network.other_shape = find_shape(FirstLayer.of(network), given, array, at)
        return {"input": size}
    sizes = given if isinstance(given, Mapping) else {}
    if set(sizes) != set(names):
        refuse(
            IMP019,
            "the shapes of the inputs are not known",
            at=at,
            expected="--shape, the shape of each input without samples and ticks",
            found=f"forward({', '.join(names)}), and {'shapes of ' + ', '.join(sizes) if sizes else 'no shapes'}",
            help=f"--shape {','.join(f'{name}=16' for name in names)}",
        )
    return {name: sizes[name] for name in names}


def required_arguments(module: Any) -> list[str]:
    """Returns the names of the arguments of a network's forward that have no default."""
    from inspect import Parameter, signature

    try:
        parameters = signature(module.forward).parameters
    except (TypeError, ValueError):
        return []
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, one in parameters.items() if one.kind in kinds and one.default is Parameter.empty]
