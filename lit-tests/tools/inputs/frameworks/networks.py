"""Networks of the goldens of `nopt import`. The frameworks are the substitutes in this folder."""

from asyncio import CancelledError
from functools import partial

import numpy as np
import snntorch
import torch
from norse.torch.module.iaf import IAFCell, IAFParameters


def make_network():
    return torch.Sequential(torch.Linear([[0.75, 0.25], [0.5, 1.0]]), snntorch.Leaky(0.5))


def raises():
    return {}["beta"]


def cancels():
    raise CancelledError


def number():
    return 42


async def waits():
    return make_network()


def plain():
    return torch.Sequential(torch.Linear([[1.0]]))


def convolution():
    return torch.Sequential(torch.Conv2d(), snntorch.Leaky())


def rectified():
    return torch.Sequential(torch.Linear([[1.0]]), torch.ReLU(), snntorch.Leaky())


def layer_normalised():
    return torch.Sequential(torch.Linear([[1.0]]), torch.LayerNorm(), snntorch.Leaky())


def rows():
    return torch.Sequential(torch.MaxPool1d(), snntorch.Leaky(0.5))


def graded():
    return torch.Sequential(torch.Linear([[0.75]]), snntorch.Leaky(graded=2), torch.Linear([[0.25]]), snntorch.Leaky())


def maps():
    return torch.Sequential(torch.MaxPool2d(), torch.Upsample(2), snntorch.Leaky(0.5))


def rounded_up():
    return torch.Sequential(torch.MaxPool2d(ceil_mode=True), snntorch.Leaky())


def half_size():
    return torch.Sequential(torch.Upsample(0.5), snntorch.Leaky())


def normalised():
    return torch.Sequential(torch.Linear([[0.3, 0.4]]), torch.BatchNorm1d(), snntorch.Leaky())


def gated():
    return torch.Sequential(torch.Linear([[1.0]]), snntorch.SLSTM())


def inhibited():
    return torch.Sequential(torch.Linear([[1.0]]), snntorch.Leaky(inhibition=True))


def mixed_resets():
    last = torch.Linear([[0.75]])
    return torch.Sequential(torch.Linear([[0.75]]), snntorch.Leaky(), last, snntorch.Leaky(reset_mechanism="none"))


def refused():
    network = make_network()
    getattr(network, "1").is_refused = True
    return network


class Skip(torch.Module):
    """A skip connection, a difference, a factor and a concatenation."""

    def __init__(self):
        super().__init__()
        self.fc, self.lif = torch.Linear([[0.75, 0.25], [0.5, 1.0]]), snntorch.Leaky()
        self.out, self.end = torch.Linear([[0.5, 0.25, 0.5, 0.25]]), snntorch.Leaky()

    def forward(self, x):
        hidden = self.lif(self.fc(x) + 0.5 * x)
        return self.end(self.out(np.concatenate([hidden, x - hidden], axis=1)))


class Shared(Skip):
    """A layer with weights that is called twice."""

    def forward(self, x):
        return self.lif(self.fc(x) + self.fc(2 * x))


class Product(Skip):
    """A product of two signals."""

    def forward(self, x):
        return self.lif(self.fc(x) * x)


class Normed(Skip):
    """A function after the last layer."""

    def forward(self, x):
        spikes = self.lif(self.fc(x))
        return spikes / (1 + np.sum(spikes, axis=1, keepdims=True))


class Elements(Skip):
    """Elements in another order, bounds, a step and a matrix."""

    def forward(self, x):
        x = np.flip(np.clip(2 * x - 0.5, 0, 1), axis=1) + np.greater(x, 0.5)
        return self.lif(self.fc(np.cumsum(x, axis=1)))


class Feedback(Skip):
    """Weights of the spikes of the tick before, which the state of the network is."""

    def forward(self, x, before=None):
        given = self.fc(x)
        if before is not None:
            given = given - 0.5 * before
        spikes = self.lif(given)
        return spikes, spikes


class Kept(Skip):
    """Keeps its spikes in an attribute; the layer `back` is called from the second tick on."""

    before = None

    def __init__(self):
        super().__init__()
        self.back = torch.Linear([[0.0, 0.5], [0.5, 0.0]])

    def forward(self, x):
        given = self.fc(x)
        if self.before is not None:
            given = given - self.back(self.before)
        self.before = self.lif(given)
        return self.before


class Older(Skip):
    """Reads the spikes of two ticks before."""

    def forward(self, x, before=None):
        last, older = (0, 0) if before is None else before
        spikes = self.lif(self.fc(x) - older)
        return spikes, (spikes, last)


class Again(Skip):
    """A layer of neurons that is called twice with one state."""

    def forward(self, x):
        return self.lif(self.lif(self.fc(x))) + self.end(x[:, :1])


class Untracked(Skip):
    def forward(self, x):
        return self.lif(torch.from_numpy(np.array(self.fc(x))))


class TwoInputs(Skip):
    def forward(self, x, y):
        return self.lif(self.fc(x)), self.end(y)


def rounded():
    return torch.Sequential(torch.Linear([[0.1], [1.0]]), snntorch.Leaky(0.8))


class StatefulSequence(torch.Sequential):
    """Passes on the state of its last layer."""

    def forward(self, x, state=None):
        *layers, last = [layer for _, layer in self.named_children()]
        for layer in layers:
            x = layer(x)
            x = x[0] if isinstance(x, tuple) else x
        return last(x) if state is None else last(x, state)


def norse_cell():
    return StatefulSequence(torch.Linear([[0.75]]), IAFCell(IAFParameters(v_reset=-0.5)))


def two_steps():
    return StatefulSequence(torch.Linear([[1.0]]), IAFCell(dt=1e-3), torch.Linear([[1.0]]), IAFCell(dt=5e-4))


def two_frameworks():
    return torch.Sequential(torch.Linear([[1.0]]), snntorch.Leaky(), IAFCell())


class Constant(torch.Module):
    """Shows its input to its layers for a number of ticks."""

    ticks = 4

    def __init__(self):
        super().__init__()
        self.fc, self.lif = torch.Linear([[0.75]]), snntorch.Leaky()

    def forward(self, x):
        return torch.from_numpy(np.stack([self.lif(self.fc(x)) for _ in range(self.ticks)]))


class Twice(Constant):
    def forward(self, x):
        self.ticks = 2 * len(x)
        return super().forward(x)


class Rows(Constant):
    """Adds the rows of its input, which needs an axis for them."""

    def forward(self, x):
        return self.lif(self.fc(np.sum(x.reshape(len(x), 4, 2), axis=(1, 2))[:, None]))


class Maker:
    def make(self, scale=1.0):
        return make_network()

    def __call__(self):
        return make_network()


bound = partial(Maker.make, Maker(), scale=2.0)
method = Maker().make
instance = Maker()


class Unlisted:
    """An object that cannot list its layers."""

    def __call__(self):
        return self

    def named_modules(self):
        return {}["layer"]


unlisted = Unlisted()


class Unpaired(Unlisted):
    """An object whose list of layers has other entries than names with layers."""

    def named_modules(self):
        return [1, 2]


unpaired = Unpaired()


class Unreadable:
    """An object without attributes."""

    def __getattr__(self, name):
        raise ValueError(name)


unreadable = Unreadable()


def narrow():
    return torch.Sequential(torch.Linear([[0.75, 0.25]]), snntorch.Leaky(0.5))
