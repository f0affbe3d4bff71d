"""Substitute for Norse's exporter, which drops v_reset."""

import nir
import numpy as np


def _extract_norse_module(module, dt):
    threshold = np.asarray(module.p.v_th)
    return nir.IF(r=np.ones(threshold.shape), v_threshold=threshold)
