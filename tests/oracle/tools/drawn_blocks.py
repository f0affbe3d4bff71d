"""Blocks of drawn networks: parts with layers, neurons and functions between them, for vectors, maps and rows.

A block takes a signal of one shape and returns one of `result`. `frame` makes and calls the neurons of the framework. Functions refer to the axis of
channels by `frame.axis`, since some forms have an axis of ticks before it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import torch
from drawn_neurons import Frame, Shape
from torch import nn
from torch.nn import functional

Rng = np.random.Generator


class Block(nn.Module):
    """A part of a network."""

    def __init__(self, frame: Frame, rng: Rng, shape: Shape):
        super().__init__()
        self.frame, self.shape, self.result = frame, shape, shape
        self.build(rng)

    def build(self, rng: Rng) -> None:
        """Makes the layers, and sets the shape of the result."""
        raise NotImplementedError

    def fire(self, neurons: nn.Module, x: torch.Tensor) -> torch.Tensor:
        return self.frame.fire(neurons, x)

    # ---- layers

    def dense(self, inputs: int, outputs: int, gain: float = 1.0, *, bias: bool = True) -> nn.Linear:
        layer = self.frame.layer("Linear", inputs, outputs, bias=bias)
        return self.positive(layer, inputs, gain)

    def positive(self, layer: Any, inputs: float, gain: float = 1.0) -> Any:
        """Sets weights that are mostly positive, and sums to the drive of the framework."""
        scale = self.frame.drive * gain / inputs
        layer.weight.data = (torch.rand_like(layer.weight) - 0.25) * scale
        if layer.bias is not None:
            layer.bias.data = torch.rand_like(layer.bias) * self.frame.drive / 20
        return layer

    def maps(self, inputs: int, outputs: int, size: int = 3, gain: float = 1.0, **named: Any) -> Any:
        kind = "Conv2d" if len(self.shape) == 3 else "Conv1d"
        layer = self.frame.layer(kind, inputs, outputs, size, **named)
        return self.positive(layer, prod(layer.weight.shape[1:]) * 0.7, gain)

    def after(self, *layers: nn.Module) -> Shape:
        """Returns the shape after layers that follow the block's input."""
        x = torch.zeros((1, *self.shape))
        for layer in layers:
            x = self.frame.trial(layer)(x)
        return tuple(x.shape[1:])


# ---- any shape


class Plain(Block):
    """Weights and neurons."""

    def build(self, rng: Rng) -> None:
        if len(self.shape) == 1:
            self.fc: Any = self.dense(self.shape[0], 9)
        else:
            self.fc = self.maps(self.shape[0], 4, padding=1)
        self.result = self.after(self.fc)
        self.lif = self.frame.neurons(rng, self.result)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fire(self.lif, self.fc(x))


class Residual(Block):
    """A skip around weights and neurons, as a sum of spikes."""

    def build(self, rng: Rng) -> None:
        size = self.shape[0]
        self.fc = self.dense(size, size) if len(self.shape) == 1 else self.maps(size, size, padding=1)
        self.lif = self.frame.neurons(rng, self.shape)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fire(self.lif, self.fc(x)) + x


class Add(nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.add(a, b)


class AddModule(Residual):
    """A skip by a module of the user that adds the currents of neurons."""

    def build(self, rng: Rng) -> None:
        super().build(rng)
        self.add, self.other = Add(), self.dense(self.shape[0], self.shape[0], bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fire(self.lif, self.add(self.fc(x), self.other(x)))


class Branches(Block):
    """Two branches, concatenated along channels before weights."""

    def build(self, rng: Rng) -> None:
        size = self.shape[0]
        if len(self.shape) == 1:
            self.a, self.b, self.c = self.dense(size, 6), self.dense(size, 5), self.dense(11, 8)
            shapes: tuple[Shape, ...] = (6,), (5,), (8,)
        else:
            self.a, self.b = self.maps(size, 3, padding=1), self.maps(size, 2, padding=1)
            self.c = self.maps(5, 4, padding=1)
            shapes = tuple((count, *self.shape[1:]) for count in (3, 2, 4))
        self.lif_a, self.lif_b, self.lif_c = (self.frame.neurons(rng, shape) for shape in shapes)
        self.result = shapes[2]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a, b = self.fire(self.lif_a, self.a(x)), self.fire(self.lif_b, self.b(x))
        return self.fire(self.lif_c, self.c(torch.cat([a, b], self.frame.axis)))


class ConcatenatedSpikes(Residual):
    """Neurons and their input: a concatenation that neurons or pools read, too."""

    def build(self, rng: Rng) -> None:
        super().build(rng)
        self.result = (2 * self.shape[0], *self.shape[1:])
        self.last = self.frame.neurons(rng, self.result)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.cat([self.fire(self.lif, self.fc(x)), x], self.frame.axis)
        return self.fire(self.last, self.frame.drive * x)


class Shared(Block):
    """Weights that are called twice."""

    def build(self, rng: Rng) -> None:
        size = self.shape[0]
        self.fc = self.dense(size, size) if len(self.shape) == 1 else self.maps(size, size, padding=1)
        self.lif1, self.lif2 = self.frame.neurons(rng, self.shape), self.frame.neurons(rng, self.shape)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fire(self.lif2, self.fc(self.fire(self.lif1, self.fc(x))))


class Scaled(Block):
    """Factors, differences, dropout and identities."""

    def build(self, rng: Rng) -> None:
        self.fc = self.dense(self.shape[0], 8) if len(self.shape) == 1 else self.maps(self.shape[0], 4, padding=1)
        self.result = self.after(self.fc)
        self.factor = nn.Parameter(torch.tensor(0.75))
        self.same, self.drop = nn.Identity(), nn.Dropout(0.4)
        self.lif = self.frame.neurons(rng, self.result)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        current = self.same(self.fc(self.drop(x)))
        return self.fire(self.lif, 2 * current - self.factor * current)


class Rectified(Plain):
    """Rectified values between two layers of weights."""

    def build(self, rng: Rng) -> None:
        super().build(rng)
        self.relu = nn.ReLU()
        size = self.result[0]
        self.fc2 = self.dense(size, size) if len(self.shape) == 1 else self.maps(size, size, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = functional.relu(self.fc(x))
        return self.fire(self.lif, self.fc2(self.relu(x - 0.125 * self.frame.drive)))


class Normalised(Plain):
    """A batch normalisation after weights."""

    def build(self, rng: Rng) -> None:
        super().build(rng)
        size = self.result[0]
        self.bn = self.frame.layer("BatchNorm2d" if len(self.shape) == 3 else "BatchNorm1d", size)
        self.bn.running_var.fill_(0.5)
        self.bn.running_mean.copy_(torch.rand(size) * 0.1)
        self.bn.weight.data = torch.rand(size) + 0.5
        self.bn.bias.data = torch.rand(size) * 0.1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fire(self.lif, self.bn(self.fc(x)))


class Listed(Block):
    """Layers in lists and dictionaries, called in loops of the forward."""

    def build(self, rng: Rng) -> None:
        size = self.shape[0]
        layers = [
            self.dense(size, size) if len(self.shape) == 1 else self.maps(size, size, padding=1) for _ in range(2)
        ]
        self.layers = nn.ModuleList(layers)
        self.lifs = nn.ModuleDict({str(k): self.frame.neurons(rng, self.shape) for k in range(2)})

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for number, layer in enumerate(self.layers):
            x = self.fire(self.lifs[str(number)], layer(x))
        return x


class Recurrent(Plain):
    """Weights of the spikes of the tick before, which the forward keeps."""

    def build(self, rng: Rng) -> None:
        super().build(rng)
        size, feedback = self.result[0], self.frame.feedback
        self.rec = (
            self.dense(size, size, feedback)
            if len(self.shape) == 1
            else self.maps(size, size, gain=feedback, padding=1)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        current = self.fc(x)
        before = self.frame.before(self.lif, current)
        return self.frame.keep(self.lif, self.fire(self.lif, current + self.rec(before)))


class Filtered(Plain):
    """A low-pass filter of currents, which the forward keeps."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        current = self.fc(x)
        trace = self.frame.keep(self.lif, 0.5 * self.frame.before(self.lif, current) + current)
        return self.fire(self.lif, 0.5 * trace)


class OwnRecurrent(Block):
    """Neurons of the framework with weights for their own spikes."""

    def build(self, rng: Rng) -> None:
        self.fc = self.dense(self.shape[0], 8)
        self.lif = self.frame.recurrent(rng, 8)
        self.result = (8,)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fire(self.lif, self.fc(x))


class Functional(Plain):
    """The functions of layers, with parameters of the user."""

    def build(self, rng: Rng) -> None:
        super().build(rng)
        self.weight, self.bias = nn.Parameter(self.fc.weight.data), nn.Parameter(self.fc.bias.data)
        del self.fc

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        function = {1: functional.linear, 2: functional.conv1d, 3: functional.conv2d}[len(self.shape)]
        named = {} if len(self.shape) == 1 else {"padding": 1}
        return self.fire(self.lif, functional.dropout(function(x, self.weight, self.bias, **named), 0.5, False))


class Selected(Plain):
    """Parts of the channels, in another order."""

    def build(self, rng: Rng) -> None:
        super().build(rng)
        self.half = self.result[0] // 2
        self.result = (2 * self.half, *self.result[1:])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.fire(self.lif, self.fc(x)).narrow(self.frame.axis, 0, 2 * self.half)
        first, second = x.chunk(2, self.frame.axis)
        return torch.cat([second, first], self.frame.axis)


# ---- maps and rows


class Pooled(Block):
    """A max pool of values between a convolution and its neurons, and one of spikes."""

    def build(self, rng: Rng) -> None:
        self.conv = self.maps(self.shape[0], 4, padding="same")
        kind = "MaxPool2d" if len(self.shape) == 3 else "MaxPool1d"
        self.pool1, self.pool2 = self.frame.layer(kind, 2), self.frame.layer(kind, 3, 1, 1)
        self.result = self.after(self.conv, self.pool1)
        self.lif = self.frame.neurons(rng, self.result)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pool2(self.fire(self.lif, self.pool1(self.conv(x))))


class Averaged(Block):
    """A convolution with groups, strides and dilation, and mean pools."""

    def build(self, rng: Rng) -> None:
        size = self.shape[0]
        self.conv1 = self.maps(size, 2 * size, groups=size, stride=1, padding=2, dilation=2)
        self.pool = self.frame.layer("AvgPool2d" if len(self.shape) == 3 else "AvgPool1d", 2)
        self.lif = self.frame.neurons(rng, self.after(self.conv1))
        self.result = self.after(self.conv1, self.pool)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pool(self.fire(self.lif, self.conv1(x)))


class Enlarged(Block):
    """A transposed convolution, or upsampling, before neurons."""

    def build(self, rng: Rng) -> None:
        size, kind = self.shape[0], "ConvTranspose2d" if len(self.shape) == 3 else "ConvTranspose1d"
        self.down = self.maps(size, 3, stride=2, padding=1)
        back = self.frame.layer(kind, 3, 3, 3, stride=2, padding=1, output_padding=1)
        self.back = self.positive(back, 9)
        self.lif1 = self.frame.neurons(rng, self.after(self.down))
        self.lif2 = self.frame.neurons(rng, self.after(self.down, self.back))
        self.up, self.pool = (
            self.frame.layer("Upsample", scale_factor=2),
            self.frame.layer("AvgPool2d" if len(self.shape) == 3 else "AvgPool1d", 2),
        )
        self.result = self.after(self.down, self.back)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.fire(self.lif2, self.back(self.fire(self.lif1, self.down(x))))
        return self.pool(self.up(x))


class FunctionalPools(Plain):
    """Functional pools and paddings."""

    def build(self, rng: Rng) -> None:
        super().build(rng)
        self.result = (self.result[0], *(size // 2 for size in self.result[1:]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pad = (1, 0) if len(self.shape) == 2 else (1, 0, 0, 1)
        pools = (functional.max_pool1d, functional.avg_pool1d)
        if len(self.shape) == 3:
            pools = (functional.max_pool2d, functional.avg_pool2d)
        x = pools[0](functional.pad(self.fc(x), pad), 2, 1)
        return pools[1](self.fire(self.lif, x), 2)


class Permuted(Plain):
    """Axes in another order before a dense layer, and a map of its output."""

    def build(self, rng: Rng) -> None:
        super().build(rng)
        self.dense1 = self.dense(prod(self.result), 16)
        self.lif1 = self.frame.neurons(rng, (16,))
        self.result = (1, 4, 4) if len(self.shape) == 3 else (2, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.fire(self.lif, self.fc(x))
        x = x.permute(0, *range(2, x.ndim), 1).reshape(x.shape[0], -1)
        return self.fire(self.lif1, self.dense1(x)).view(-1, *self.result)


class Means(Plain):
    """The mean of each map, as a vector that scales nothing: it is flattened and becomes rows again."""

    def build(self, rng: Rng) -> None:
        super().build(rng)
        self.dense1 = self.dense(self.result[0], prod(self.result))
        self.lif1 = self.frame.neurons(rng, self.result)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.fire(self.lif, self.fc(x))
        current = self.dense1(x.mean(dim=tuple(range(2, x.ndim)))).unflatten(1, self.result)
        return self.fire(self.lif1, current + self.frame.drive / 4 * x)


class End(Block):
    """The output: flattening, a dense layer and neurons."""

    def build(self, rng: Rng) -> None:
        self.flatten = self.frame.layer("Flatten")
        self.fc = self.dense(prod(self.shape), 5)
        self.lif = self.frame.neurons(rng, (5,))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fire(self.lif, self.fc(x if len(self.shape) == 1 else self.flatten(x)))


Makers = dict[str, Callable[[Frame, Rng, Shape], Block]]
COMMON: Makers = {
    kind.__name__: kind
    for kind in (Plain, Residual, Recurrent, Branches, Normalised, ConcatenatedSpikes, Shared, Rectified, Listed)
} | {"Scaled": Scaled, "Functional": Functional, "Filtered": Filtered, "Selected": Selected}
WINDOWS: Makers = {kind.__name__: kind for kind in (Pooled, Averaged, Enlarged, FunctionalPools, Permuted, Means)}
BLOCKS: dict[str, Makers] = {
    "dense": {**COMMON, "AddModule": AddModule, "OwnRecurrent": OwnRecurrent},
    "map": {**WINDOWS, **COMMON},
    "row": {**WINDOWS, **COMMON},
}
