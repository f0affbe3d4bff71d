"""The circuit of the neurons of the dynapse dialect: constants of the layout, ranges of the parameters, and what follows from others.

| parameter | follows from |
| --- | --- |
| `gain_mem` | i_gain_mem / i_tau_mem |
| `speed` | tick kappa / (c_mem ut) |
| `feed` | kappa / (kappa + 1) |
| `rest` | 1 + io / i_tau_mem |

The chip starts without charge: currents are `io`, and all else is 0. Currents are those of the bias generator.

Source: rockpool 3.1.0, devices/dynapse, default layout and lookup.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

import numpy as np

from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code
from ..chip_base.groups import GroupOp
from ..chip_base.parts import refuse_chip
from ..chip_base.values import NOT_NEGATIVE, POSITIVE, Range

DSN007 = Code("DSN007", "value-contradicts-circuit", "a value does not follow from the circuit")

LAYOUT: Mapping[str, float] = {
    "io": 5e-13,
    "kappa_n": 0.75,
    "kappa_p": 0.66,
    "ut": 0.025,
    "vth": 0.7,
    "c_mem": 3e-12,
    "c_syn": 24.5e-12,
    "c_ahp": 40e-12,
    "c_pulse": 0.5e-12,
    "c_pulse_ahp": 0.5e-12,
    "c_ref": 1.5e-12,
}
"""Constants of the layout in A, V and F. Source: rockpool 3.1.0, devices/dynapse, default layout."""
LARGEST_CURRENT = 2.28e-6 * 1.05
"""The largest current of the bias generator, with the largest scale of a parameter [A]."""
CURRENT = Range(0, LARGEST_CURRENT)
NONZERO_CURRENT = Range(0, LARGEST_CURRENT, is_open=(True, False))
DECAY = Range(0, 1, is_open=(True, True))
CHARGE = Range(0, 1, is_open=(True, False))
RANGES: Mapping[str, Range] = {
    "i_tau_mem": NONZERO_CURRENT,
    "i_gain_mem": NONZERO_CURRENT,
    "i_spkthr": NONZERO_CURRENT,
    "i_w": NONZERO_CURRENT,
    "i_dc": CURRENT,
    "i_w_ahp": CURRENT,
    "decay_syn": DECAY,
    "decay_ahp": DECAY,
    "charge_syn": CHARGE,
    "charge_ahp": CHARGE,
    "gain_syn": POSITIVE,
    "gain_ahp": NOT_NEGATIVE,
    "t_ref": NOT_NEGATIVE,
}
"""Ranges of the parameters: a decay of 0 or 1 is that of no current."""
NEEDED = ("i_dc", "i_gain_mem", "i_tau_mem", "i_spkthr", "i_w", "decay_syn", "charge_syn", "gain_syn")
"""Parameters of every neuron."""
AT_START: Mapping[str, float] = {"isyn": LAYOUT["io"], "iahp": LAYOUT["io"], "imem": LAYOUT["io"]}
"""States before the first tick that are not 0."""
ROUNDINGS_TOLERANCE = 1e-9
"""Relative error of what follows from others: that of its roundings."""


def kappa_of(numbers: Mapping[str, AnyArray | float]) -> AnyArray | float:
    return (numbers["kappa_n"] + numbers["kappa_p"]) / 2


def following(params: Mapping[str, AnyArray], tick: float) -> dict[str, AnyArray | float]:
    """Returns the parameters that follow from others, and from the tick [s]."""
    kappa = kappa_of(LAYOUT)
    return {
        "gain_mem": params["i_gain_mem"] / params["i_tau_mem"],
        "speed": tick * kappa / (LAYOUT["c_mem"] * LAYOUT["ut"]),
        "feed": kappa / (kappa + 1),
        "rest": 1 + LAYOUT["io"] / params["i_tau_mem"],
    }


def verify_circuit(op: GroupOp, tick: float) -> None:
    """Refuses parameters and states that the circuit does not have: the chip computes them anew. Units: tick [s]. Errors: DSN007."""
    params = op.parameters()
    if not params.keys() >= {*NEEDED}:
        expected, found = f"{', '.join(NEEDED)}, and others", ", ".join(params) or "none"
        refuse_chip(op, "the parameters are not those of the circuit", expected, found, DSN007)
    for name, wanted in following(params, tick).items():
        if name in params and not np.allclose(params[name], wanted, rtol=ROUNDINGS_TOLERANCE, atol=0):
            refuse_other(op, name, wanted, params[name])
    for name, values in op.states().items():
        if (values != (wanted := AT_START.get(name, 0.0))).any():
            refuse_other(op, name, wanted, values)
    for name, current in synaptic_currents(params, tick).items():
        if (found := float(current.max())) > LARGEST_CURRENT:
            refuse_chip(op, f"{name} is out of range", str(CURRENT), f"{found:g}", DSN007)


def synaptic_currents(params: Mapping[str, AnyArray], tick: float) -> dict[str, AnyArray]:
    """Returns the currents that decays and gains come from, of synapses and of the adaptation. Units: tick [s], currents [A]."""
    found: dict[str, AnyArray] = {}
    for kind in ("syn", "ahp"):
        if {f"decay_{kind}", f"gain_{kind}"} <= params.keys():
            rate = -np.log(params[f"decay_{kind}"].astype(np.float64)) / tick
            found[f"i_tau_{kind}"] = rate * LAYOUT[f"c_{kind}"] * LAYOUT["ut"] / kappa_of(LAYOUT)
            found[f"i_gain_{kind}"] = params[f"gain_{kind}"] * found[f"i_tau_{kind}"]
    return found


def refuse_other(op: GroupOp, name: str, wanted: AnyArray | float, found: AnyArray) -> NoReturn:
    """Errors: DSN007."""
    expected, got = (f"{np.asarray(one).reshape(-1)[0]:.9g}" for one in (wanted, found))
    refuse_chip(op, f"{name} does not follow from the circuit", expected, got, DSN007)
