"""A substitute for layers of Spyx, with arrays of numpy."""

import numpy as np
from flax import nnx


def step(x):
    return (x > 0).astype(np.float32)


class LIF(nnx.Module):
    def __init__(self, hidden_shape, beta=0.5, threshold=1.0, activation=step):
        self.hidden_shape, self.beta, self.threshold, self.spike = hidden_shape, beta, threshold, activation

    def initial_state(self, samples):
        return np.zeros((samples, *self.hidden_shape), np.float32)

    def __call__(self, x, v):
        spikes = self.spike(v - self.threshold)
        return spikes, np.clip(self.beta, 0, 1) * v + x - spikes * self.threshold


class Flatten(nnx.Module):
    def __call__(self, x):
        return x.reshape(len(x), -1)


class Sequential(nnx.Sequential):
    def initial_state(self, samples):
        return [one.initial_state(samples) if hasattr(one, "initial_state") else None for one in self.layers]

    def __call__(self, x, states):
        following = []
        for layer, state in zip(self.layers, states, strict=True):
            if state is None:
                x = layer(x)
            else:
                x, state = layer(x, state)
            following.append(state)
        return x, following


def run(model, x, state=None):
    """Runs a model tick by tick. The output of a tick may be a list of arrays."""
    state = model.initial_state(x.shape[1]) if state is None else state
    outputs = []
    for row in x:
        output, state = model(row, state)
        outputs.append(output)
    if isinstance(outputs[0], list):
        return [np.stack(arrays) for arrays in zip(*outputs, strict=True)], state
    return np.stack(outputs), state
