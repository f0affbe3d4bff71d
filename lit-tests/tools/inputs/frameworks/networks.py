"""Networks of the goldens of `nopt import`. The frameworks are the substitutes in this folder."""

from types import SimpleNamespace

import numpy as np
import snntorch
import torch


def make_network():
    return torch.Sequential(torch.Linear([[0.75, 0.25], [0.5, 1.0]]), snntorch.Leaky(0.5))


def pooled():
    return torch.Sequential(torch.AvgPool2d(), snntorch.Leaky())


def raises():
    return {}["beta"]


def number():
    return 42


def plain():
    return torch.Sequential(torch.Linear([[1.0]]))


def convolution():
    return torch.Sequential(torch.Conv2d(), snntorch.Leaky())


def max_pooling():
    return torch.Sequential(torch.Linear([[1.0]]), torch.MaxPool2d(), snntorch.Alpha())


def inhibited():
    return torch.Sequential(torch.Linear([[1.0]]), snntorch.Leaky(inhibition=True))


def mixed_resets():
    return torch.Sequential(torch.Linear([[1.0]]), snntorch.Leaky(), snntorch.Leaky(reset_mechanism="none"))


def refused():
    network = make_network()
    network.is_refused = True
    return network


def lost():
    network = make_network()
    network.lost = "1"
    return network


def rounded():
    return torch.Sequential(torch.Linear([[0.1]]), snntorch.Leaky(0.8))


class IAFCell(torch.Module):
    dt, p = 1e-3, SimpleNamespace()

    def forward(self, x):
        return x


IAFCell.__module__ = "norse.torch.module.iaf"


def norse_cell():
    return torch.Sequential(torch.Linear([[1.0]]), IAFCell())


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
