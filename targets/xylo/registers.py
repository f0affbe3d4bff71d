"""Registers of a population, from the parameters of an update of the device.

| register | parameter |
| --- | --- |
| dash_mem, dash_syn, dash_syn_2, bias | the same |
| threshold | th |

A parameter that an update does not have is 0.

Errors: ANA003 an update that the device does not have, or states that do not start at 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

import numpy as np
from xdsl.ir import Operation

from ...analysis.synapse_lists import ANA003
from ...core.arrays.arrays import ArrayAttr
from ...core.device.records import Device
from ...core.diagnostics import refuse_op
from ...dialects import machine, xylo
from ...dialects.equations.build import device_updates
from ...dialects.ntensor import UpdateOp
from ...passes.pipelines import LEGALISE
from ..chip_builder import refuse_update

PARAMETERS = {"threshold": "th"}
"""Names of parameters that are not those of registers."""


def refuse_population_or_sum(op: Operation, expected: str, found: str) -> NoReturn:
    """Errors: ANA003."""
    refuse_op(op, ANA003, expected=expected, found=found, help=LEGALISE)


def registers_of(population: machine.PopulationOp, update: UpdateOp, device: Device) -> Mapping[str, ArrayAttr]:
    """Returns the registers of a population by name. Shapes: () or that of the population. Errors: ANA003."""
    if not any(known.is_equal(update) for _, _, known in device_updates(device)):
        refuse_update(population, update, device)
    for name, state in population.initial.data.items():
        if isinstance(state, ArrayAttr) and state.values.any():
            refuse_population_or_sum(
                population, "states that start at 0", f"{name} starts at {state.values.reshape(-1)[0]}"
            )
    given = {name: array for name, array in population.params.data.items() if isinstance(array, ArrayAttr)}
    zero = ArrayAttr.of(np.zeros((), np.int32))
    found: dict[str, ArrayAttr] = {}
    for name in xylo.REGISTERS:
        array = given.get(PARAMETERS.get(name, name), zero)
        found[name] = ArrayAttr.of(array.values.astype(np.int32))
    return found
