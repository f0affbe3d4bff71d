"""Substitute for Norse's IAFCell, on numpy."""

from typing import NamedTuple

import numpy as np
import torch


class IAFParameters(NamedTuple):
    v_th: float = 1.0
    v_reset: float = 0.0


class IAFCell(torch.Module):
    def __init__(self, p=None, dt=1e-3):
        super().__init__()
        self.p, self.dt = p or IAFParameters(), dt

    def forward(self, x, v=None):
        v = (self.p.v_reset if v is None else v) + np.asarray(x)
        spikes = v > self.p.v_th
        return torch.from_numpy(spikes.astype(np.float32)), np.where(spikes, self.p.v_reset, v)
