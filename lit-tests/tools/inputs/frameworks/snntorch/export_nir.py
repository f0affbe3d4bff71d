"""Substitute for snnTorch's exporter."""

import nir
import numpy as np


def _extract_snntorch_module(module):
    if getattr(module, "is_refused", False):
        raise NotImplementedError("layer 1 has no counterpart")
    tau = 1e-4 / (1 - np.asarray(module.beta, np.float64))
    zeros = np.zeros(tau.shape)
    return nir.LIF(tau=tau, r=tau / 1e-4, v_leak=zeros, v_threshold=np.asarray(module.threshold), v_reset=zeros)
