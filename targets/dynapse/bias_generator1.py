"""Parameters of a core of DYNAP-SE1 by the vendor's names: a coarse range from 0 to 7, and a fine value from 0 to 255 in it.

    current = fine / 255 * largest current of the range

| parameter | current |
| --- | --- |
| the types AMPA, NMDA and GABA_B of synapses | one weight each, and the same time constant and gain |
| GABA_A, which shunts the membrane | the dark current: no synapse has this type |
| `IF_NMDA_N` | the dark current, so that the membrane does not gate NMDA |

The firing threshold and the pulse of the adaptation have no parameter on this chip: the layout determines them. No scale of a parameter is
published, so that each is 1.

Source: samna.dynapse1 (names of the parameters); rockpool, devices/dynapse, an earlier revision than 3.1.0 (largest currents of the ranges, parameters of circuits).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.arrays.numeric import AnyArray, Ints
from ...dialects.dynapse.circuit import LAYOUT
from .bias_generator import FINE
from .circuit import currents_of

RANGES1 = (15e-12, 105e-12, 820e-12, 6.5e-9, 50e-9, 400e-9, 3.2e-6, 24e-6)
"""The largest current of each coarse range. Units: [A]."""
BIAS_NAMES1: Mapping[str, tuple[str, ...]] = {
    "i_dc": ("IF_DC_P",),
    "i_tau_mem": ("IF_TAU1_N",),
    "i_gain_mem": ("IF_THR_N",),
    "i_ref": ("IF_RFR_N",),
    "i_pulse": ("PULSE_PWLK_P",),
    "i_tau_syn": ("NPDPIE_TAU_F_P", "NPDPIE_TAU_S_P", "NPDPII_TAU_S_P"),
    "i_gain_syn": ("NPDPIE_THR_F_P", "NPDPIE_THR_S_P", "NPDPII_THR_S_P"),
    "i_tau_ahp": ("IF_AHTAU_N",),
    "i_gain_ahp": ("IF_AHTHR_N",),
    "i_w_ahp": ("IF_AHW_P",),
}
"""The vendor's names of each current."""
WEIGHT_NAMES1 = ("PS_WEIGHT_EXC_F_N", "PS_WEIGHT_EXC_S_N", "PS_WEIGHT_INH_S_N")
"""The weights of AMPA, NMDA and GABA_B."""
DARK_NAMES = ("IF_NMDA_N", "PS_WEIGHT_INH_F_N")


def nearest1(current: float) -> tuple[int, int, float]:
    """Returns the coarse and fine values whose current is nearest to a wanted current, and the resulting current. Units: [A]."""
    coarse = next((k for k, largest in enumerate(RANGES1) if current <= largest), len(RANGES1) - 1)
    fine = int(np.clip(np.rint(current / RANGES1[coarse] * FINE), 0, FINE))
    return coarse, fine, fine / FINE * RANGES1[coarse]


def parameters_of1(params: Mapping[str, AnyArray], weights: Ints, dt: float) -> dict[str, dict[str, Any]]:
    """Returns the parameters of a core by the vendor's names, whose neurons share them. Units: dt [s]."""
    made = currents_of(params, dt)
    wanted = {name: made[what] for what, names in BIAS_NAMES1.items() for name in names}
    unit = np.asarray(params["i_w"], np.float64)
    wanted |= {name: unit * int(steps) for name, steps in zip(WEIGHT_NAMES1, weights, strict=False)}
    wanted |= {name: np.asarray(LAYOUT["io"]) for name in DARK_NAMES}
    found: dict[str, dict[str, Any]] = {}
    for name, values in wanted.items():
        current = float(np.asarray(values).reshape(-1)[0])
        if not np.isfinite(current):  # no refractory time: the largest current there is
            current = RANGES1[-1]
        coarse, fine, generated = nearest1(current)
        found[name] = {"coarse_value": coarse, "fine_value": fine, "current": current, "generated": generated}
    return found
