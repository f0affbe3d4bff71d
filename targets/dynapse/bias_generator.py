"""Currents of the bias generator: a coarse range from 0 to 5, and a fine value from 1 to 255 in it.

    current = fine / 255 * largest current of the range * scale of the parameter

The line through zero approximates the measured table of the vendor. The configuration has the current that the network needs, and the
nearest coarse and fine values, so that a table of the own chip can take their place.

Source: rockpool 3.1.0, devices/dynapse/lookup: names of the parameters, largest currents of the ranges, scales.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.arrays.numeric import AnyArray, Ints
from .circuit import currents_of

RANGES: Mapping[str, tuple[float, ...]] = {
    "N": (71.8e-12, 573e-12, 4.57e-9, 36.4e-9, 290e-9, 2.28e-6),
    "P": (66.9e-12, 536e-12, 4.30e-9, 34.4e-9, 277e-9, 2.24e-6),
}
"""The largest current of each coarse range, by the type of the transistor, which ends the name of a parameter. Units: [A]."""
FINE = 255
BIAS_NAMES: Mapping[str, str] = {
    "i_dc": "SOIF_DC_P",
    "i_tau_mem": "SOIF_LEAK_N",
    "i_gain_mem": "SOIF_GAIN_N",
    "i_ref": "SOIF_REFR_N",
    "i_spkthr": "SOIF_SPKTHR_P",
    "i_pulse": "SYPD_EXT_N",
    "i_tau_syn": "DEAM_ETAU_P",
    "i_gain_syn": "DEAM_EGAIN_P",
    "i_tau_ahp": "SOAD_TAU_P",
    "i_gain_ahp": "SOAD_GAIN_P",
    "i_pulse_ahp": "SOAD_PWTAU_N",
    "i_w_ahp": "SOAD_W_N",
}
"""The vendor's name of each current."""
WEIGHT_NAMES = tuple(f"SYAM_W{k}_P" for k in range(4))
SCALES: Mapping[str, float] = {
    "SOIF_DC_P": 0.38,
    "SOIF_LEAK_N": 0.61,
    "SOIF_GAIN_N": 1.05,
    "SOIF_REFR_N": 1.05,
    "SOIF_SPKTHR_P": 0.38,
    "SYPD_EXT_N": 0.92,
    "DEAM_ETAU_P": 0.2,
    "DEAM_EGAIN_P": 0.68,
    "SOAD_TAU_P": 0.2,
    "SOAD_GAIN_P": 0.68,
    "SOAD_PWTAU_N": 0.92,
    "SOAD_W_N": 0.92,
    **dict.fromkeys(WEIGHT_NAMES, 0.22),
}
"""Ratio of the current of a parameter to that of the generator."""


def largest_currents(name: str) -> tuple[float, ...]:
    """Returns the largest current of a parameter in each coarse range. Units: [A]."""
    return tuple(largest * SCALES[name] for largest in RANGES[name[-1]])


def nearest(current: float, name: str) -> tuple[int, int, float]:
    """Returns the coarse and fine values whose current is nearest to a wanted current of a parameter, and the resulting current. Units: [A]."""
    ranges = largest_currents(name)
    coarse = next((k for k, largest in enumerate(ranges) if current <= largest), len(ranges) - 1)
    fine = int(np.clip(np.rint(current / ranges[coarse] * FINE), 0, FINE))
    return coarse, fine, fine / FINE * ranges[coarse]


def parameters_of(params: Mapping[str, AnyArray], weights: Ints, dt: float) -> dict[str, dict[str, Any]]:
    """Returns the parameters of a core by the vendor's names, whose neurons share them. Units: dt [s]."""
    wanted = {BIAS_NAMES[name]: values for name, values in currents_of(params, dt).items()}
    unit = np.asarray(params["i_w"], np.float64)
    wanted |= {name: unit * int(steps) for name, steps in zip(WEIGHT_NAMES, weights, strict=True)}
    found: dict[str, dict[str, Any]] = {}
    for name, values in wanted.items():
        current = float(np.asarray(values).reshape(-1)[0])
        if not np.isfinite(current):  # no refractory time: the largest current there is
            current = largest_currents(name)[-1]
        coarse, fine, made = nearest(current, name)
        found[name] = {"coarse_value": coarse, "fine_value": fine, "current": current, "generated": made}
    return found
