"""Substitute for snnTorch's Leaky, on numpy."""

import numpy as np
import torch


class Leaky(torch.Module):
    def __init__(self, beta=0.5, reset_mechanism="subtract", reset_delay=True, inhibition=False, graded=1):
        super().__init__()
        self.beta = torch.from_numpy(np.array(beta, np.float32))
        self.threshold = torch.from_numpy(np.array(1, np.float32))
        self.graded_spikes_factor = torch.from_numpy(np.array(graded, np.float32))
        self.reset_mechanism, self.reset_delay = reset_mechanism, reset_delay
        self.inhibition, self.state_quant = inhibition, False
        self.mem = np.float32(0)

    def reset_mem(self):
        self.mem = np.float32(0)

    def forward(self, x):
        late = self.threshold * (self.mem > self.threshold)
        self.mem = self.beta * self.mem + x - (late if self.reset_mechanism == "subtract" else 0)
        spikes = self.mem > self.threshold
        if self.reset_mechanism == "zero":
            self.mem = self.mem * ~spikes
        return torch.from_numpy(spikes * np.asarray(self.graded_spikes_factor))


class SLSTM(Leaky):
    pass


class RLeaky(Leaky):
    pass


class RSynaptic(Leaky):
    pass
