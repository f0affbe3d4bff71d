"""The layers of a network: the weights, the neurons, and the maps that reach each population, from the inputs to the outputs.

Errors: CHI014 a graph that layers cannot compute; CHI015 an op that no layer computes.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import NoReturn, cast

import numpy as np
from attrs import evolve, frozen
from xdsl.ir import Operation, SSAValue

from ...core.arrays.numeric import Ints
from ...core.device.limits import OTHER_DEVICE
from ...core.diagnostics import describe_op, refuse_op
from ...core.help_text import PassesOption, Phrase
from ...core.ir.operation import shape_of
from ...dialects import ntensor
from ...dialects.chip_base.parts import CHI014, CHI015
from ...dialects.dynapcnn.limits import is_power
from ..network_conversion import refuse_layers

Map = tuple[int, int, int]
"""Channels, y and x."""


@frozen(eq=False)
class Reach:
    """A path from the events of a population, or of an input, to a layer."""

    source: SSAValue
    pool: tuple[int, int] = (1, 1)
    """The sum pool on the path: y and x."""
    pooled: Map | None = None
    """The map after the pools; None without a pool."""


@frozen(eq=False)
class LayerOps:
    """The ops of a layer."""

    neuron: ntensor.NeuronOp
    synapse: ntensor.Conv2dOp | ntensor.LinearOp | ntensor.SumPool2dOp
    reaches: tuple[Reach, ...]

    @property
    def name(self) -> str:
        return self.neuron.node.data


def layers_of(network: ntensor.NetworkOp) -> list[LayerOps]:
    """Returns the layers of a network in topological order. Errors: CHI014, CHI015."""
    waiting = {op.z: layer_of(op) for op in network.populations}
    if not waiting:
        advice = "put a population of integrate-and-fire neurons after the weights"
        refuse_layers(
            network,
            CHI014,
            "the network has no population",
            expected="at least one",
            found="none",
            advice=advice,
        )
    found: list[LayerOps] = []
    done: set[SSAValue] = set()
    while waiting:
        ready = [z for z, layer in waiting.items() if all(one.source not in waiting for one in layer.reaches)]
        if not ready:
            refuse_layers(
                next(iter(waiting.values())).neuron,
                CHI014,
                "populations read each other in a cycle",
                expected="a network without cycles",
                found=", ".join(layer.name for layer in waiting.values()),
                advice="remove the recurrent synapses: a recurrent network needs another target",
            )
        for z in ready:
            found.append(waiting.pop(z))
            done.add(z)
    return found


def layer_of(neuron: ntensor.NeuronOp) -> LayerOps:
    """Returns the layer of a population. Errors: CHI014, CHI015."""
    op = past_reshapes(neuron.xs[0]).owner
    if isinstance(op, ntensor.SumOp):
        names = ", ".join(describe_op(x.owner)[1] or "an input" for x in op.xs if isinstance(x.owner, Operation))
        refuse_layers(
            neuron,
            CHI014,
            "a population adds the results of several maps of weights",
            expected="one linear or conv2d before a population",
            found=names,
            advice="join the maps before the population to one linear or conv2d; a recurrent network needs another target",
        )
    if not isinstance(op, ntensor.Conv2dOp | ntensor.LinearOp | ntensor.SumPool2dOp):
        refuse_unlayered(op if isinstance(op, Operation) else neuron)
    if isinstance(op, ntensor.LinearOp) and (len(op.weight.shape) != 2 or len(shape_of(op.x)) != 1):
        refuse_unlayered(op)
    paths = tuple(reaches(op.x))
    if len({one.source for one in paths}) < len(paths):
        refuse_layers(
            op,
            CHI014,
            "a layer reads the events of one population twice",
            expected="one path from each population to a layer",
            found=f"{len(paths)} paths",
            advice="double the weights instead of the events",
        )
    return LayerOps(neuron, op, paths)


def reaches(value: SSAValue) -> Iterator[Reach]:
    """Yields the paths to a value from populations and inputs. Errors: CHI015."""
    op = value.owner
    match op:
        case ntensor.ReshapeOp():
            yield from reaches(op.x)
        case ntensor.DelayOp() if not op.ticks.values.any():
            yield from reaches(op.x)
        case ntensor.SumPool2dOp():
            size = pool_of(op)
            for one in reaches(op.x):
                pooled = cast("Map", shape_of(op.y))
                both = (one.pool[0] * size[0], one.pool[1] * size[1])
                yield evolve(one, pool=both, pooled=(one.pooled and pooled) or pooled)
        case ntensor.SumOp():
            for x in op.xs:
                yield from reaches(x)
        case ntensor.NeuronOp():
            yield Reach(value)
        case Operation():
            refuse_unlayered(op)
        case _:
            yield Reach(value)


def pool_of(op: ntensor.SumPool2dOp) -> tuple[int, int]:
    """Returns the size of a pool. Errors: CHI015 a pool that overlaps, has gaps or padding."""
    y, x = (int(n) for n in op.kernel.values)
    if (op.kernel.values != op.stride.values).any() or op.padding.values.any():
        refuse_op(
            op,
            CHI015,
            "a pool of a destination has windows side by side",
            expected="a stride that is the size, and no padding",
            found=f"size {y} x {x}, stride {' x '.join(str(n) for n in op.stride.values)}, "
            f"padding {op.padding.values.tolist()}",
            help=Phrase(PassesOption("ntensor-split-pools")) if all(map(is_power, op.stride.values)) else OTHER_DEVICE,
        )
    return y, x


def past_reshapes(value: SSAValue) -> SSAValue:
    """Returns the value before reshapes and delays of no ticks."""
    while isinstance(op := value.owner, ntensor.ReshapeOp | ntensor.DelayOp):
        if isinstance(op, ntensor.DelayOp) and op.ticks.values.any():
            break
        value = op.x
    return value


def refuse_unlayered(op: Operation) -> NoReturn:
    """Refuses an op outside of a layer. Errors: CHI015."""
    if isinstance(op, ntensor.DelayOp):
        refuse_layers(
            op,
            CHI015,
            "no layer delays events",
            expected="no delay: events are processed as they arrive",
            found=f"up to {op.ticks.values.max()} ticks",
            advice="remove the delay",
        )
    expected = "linear, conv2d, sum_pool2d, and the neuron of the device"
    message, advice = (
        f"no layer computes {op.name} here",
        "write it as a linear or conv2d op, and put a population after it",
    )
    refuse_layers(op, CHI015, message, expected=expected, found=op.name, advice=advice)


# ---- kernels


def map_of(shape: tuple[int, ...]) -> Map:
    """Returns a map `[c, y, x]`: of three axes, else all elements as channels."""
    if len(shape) == 3:
        return shape[0], shape[1], shape[2]
    return prod(shape), 1, 1


@frozen(eq=False)
class Kernels:
    """The kernels of a layer on a core: weights [f, c, y, x], and y and x of stride and padding. `pool` is that of the destinations."""

    weights: Ints
    given: Map
    stride: tuple[int, int] = (1, 1)
    padding: tuple[int, int] = (0, 0)
    pool: tuple[int, int] = (1, 1)


def pool_kernels(op: ntensor.SumPool2dOp, pool: tuple[int, int]) -> Kernels:
    """Returns the kernels that compute a sum pool as a convolution: ones from each channel to itself, zeros otherwise. Errors: CHI015."""
    channels = shape_of(op.x)[0]
    taps = (int(op.kernel.values[0]), int(op.kernel.values[1]))
    weights = np.zeros((channels, channels, *taps), np.int64)
    weights[np.arange(channels), np.arange(channels)] = 1
    return Kernels(weights, map_of(shape_of(op.x)), strides_of(op), paddings_of(op), pool)


def strides_of(op: ntensor.Conv2dOp | ntensor.SumPool2dOp) -> tuple[int, int]:
    """Returns y and x of a stride."""
    return int(op.stride.values[0]), int(op.stride.values[1])


def paddings_of(op: ntensor.Conv2dOp | ntensor.SumPool2dOp) -> tuple[int, int]:
    """Returns y and x of a padding. Errors: CHI015 another padding on both sides of an axis."""
    for first, last in op.padding.values:
        if first != last:
            refuse_layers(
                op,
                CHI015,
                "the padding of an axis differs on both sides",
                expected="equal padding on both sides",
                found=str(op.padding.values.tolist()),
                advice="use equal padding on both sides, with zeros in the kernel for the larger one",
            )
    return int(op.padding.values[0][0]), int(op.padding.values[1][0])


def convolution_kernels(op: ntensor.Conv2dOp, weights: Ints, pool: tuple[int, int]) -> Kernels:
    """Returns the kernels of a convolution: zeros fill groups and dilation. Errors: CHI015."""
    groups, (filters, each, *_) = op.groups.value.data, weights.shape
    if groups > 1:
        full = np.zeros((filters, each * groups, *weights.shape[2:]), weights.dtype)
        size = filters // groups
        for g in range(groups):
            rows, columns = slice(g * size, (g + 1) * size), slice(g * each, (g + 1) * each)
            full[rows, columns] = weights[rows]
        weights = full
    step = tuple(int(n) for n in op.dilation.values)
    if step != (1, 1):
        taps = [(n - 1) * d + 1 for n, d in zip(weights.shape[2:], step, strict=True)]
        wide = np.zeros((*weights.shape[:2], *taps), weights.dtype)
        wide[:, :, :: step[0], :: step[1]] = weights
        weights = wide
    return Kernels(weights, map_of(shape_of(op.x)), strides_of(op), paddings_of(op), pool)


def dense_kernels(weights: Ints, given: Map, source: Map, pool: tuple[int, int], *, is_folded: bool) -> Kernels:
    """Returns the kernels that compute a dense layer as a convolution: the kernel covers the whole map `given`, at a single position.

    With `is_folded` the pool becomes part of the kernels: each weight is repeated for all positions that it adds, on the map `source`.
    Zeros fill a map that is not square to a square kernel, whose padding leaves one position with a stride of 2.
    """
    maps = weights.reshape(-1, *given)
    if is_folded:
        spread = maps.repeat(pool[0], axis=2).repeat(pool[1], axis=3)
        margin = [(0, 0), (0, 0), *((0, n - m) for n, m in zip(source[1:], spread.shape[2:], strict=True))]
        return dense_kernels(np.pad(spread, margin), source, source, (1, 1), is_folded=False)
    side = max(given[1:])
    before = [-(-(side - n) // 2) for n in given[1:]]
    margin = [(0, 0), (0, 0), *((b, side - n - b) for n, b in zip(given[1:], before, strict=True))]
    stride = (1, 1) if given[1] == given[2] else (2, 2)
    return Kernels(np.pad(maps, margin), given, stride, (before[0], before[1]), pool)
