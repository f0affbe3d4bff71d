"""Networks of the goldens of `nopt import` with Spyx. JAX, Flax and Spyx are the substitutes in this folder."""

import numpy as np
from flax import nnx
from spyx import nn


def make_network():
    return nn.Sequential(nnx.Linear([[0.75, 0.5], [0.25, 1.0]]), nn.LIF((2,), beta=0.5))


def maps():
    layers = (nn.Flatten(), nnx.Linear(np.eye(4)[:, :2]), nn.LIF((2,), threshold=0.5))
    return nn.Sequential(nn.LIF((1, 2, 2), threshold=0.5), *layers)


def mixed_decays():
    return nn.Sequential(nnx.Linear([[0.75, 0.5], [0.25, 1.0]]), nn.LIF((2,), beta=np.asarray([0.5, 1.5])))


def transposed():
    return nn.Sequential(nnx.ConvTranspose(), nn.LIF((2,)))


def function():
    return nn.Sequential(nnx.Linear([[1.0]]), lambda x: 2 * x, nn.LIF((1,)))


def bare_pool():
    return nn.Sequential(nnx.avg_pool, nn.LIF((1,)))


def smooth():
    return nn.Sequential(nnx.Linear([[1.0]]), nn.LIF((1,), activation=lambda x: 1 / (1 + np.exp(-x))))


def empty():
    return nn.Sequential()


class Wrapped(nnx.Module):
    def __init__(self):
        self.layers = [make_network()]


def wrapped():
    return Wrapped()


def stateless_container():
    return nn.Sequential(nnx.Sequential(nn.LIF((1,))))


def other_size():
    return nn.Sequential(nnx.Linear([[1.0, 1.0]]), nn.LIF((3,)))


def flat_neurons():
    return nn.Sequential(nn.Flatten(), nn.LIF((8,), threshold=0.5))
