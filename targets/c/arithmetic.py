"""Types of numbers: of a network whose user chooses no precision, of the arithmetic of a program, and of its weights and states in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from xdsl.ir import Attribute

from ...core.arrays.arrays import is_half
from ...dialects import c, nir
from .printing.text import dtype_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device

INTEGERS = "integers"
"""Name of an arithmetic without reals."""
SYNAPSES = ("weight", "bias", "scale")
"""Parameters of connections."""


def precision_of(module: ModuleOp, device: Device) -> Literal["f32", "f64"] | None:
    """Returns the type of reals that holds every weight of a network in continuous time; without weights, every parameter of a neuron.

    Returns None for a device with neurons of its own: it computes in their types, and their parameters are derived in the default precision.
    """
    if device.neuron is not None:
        return None
    ops = list(module.walk())
    weights = [x for op in ops if isinstance(op, nir.SynapseOp) for name, x in op.parameters() if name in SYNAPSES] or [
        x for op in ops if isinstance(op, nir.PopulationOp) for _, x in op.parameters()
    ]
    return "f32" if all(np.can_cast(x.data.dtype, np.float32, "safe") for x in weights) else "f64"


def arithmetic_of(program: c.ProgramOp) -> str:
    """Returns the types of the reals that a tick computes with, or `integers`. Reals of 16 bits are types of memory."""
    kept = (buffer.element for buffer in program.buffers if buffer.kind.data is not c.Kind.CONSTANT)
    computed = (result.type for op in program.tick.walk() for result in op.results)
    return " and ".join(sorted({str(x) for x in (*kept, *computed) if c.is_real(x) and not is_half(x)})) or INTEGERS


def storage_of(program: c.ProgramOp) -> dict[str, str]:
    """Returns the memory types of a program's weights and states; without weights or states, the entry is absent."""
    weights = [
        op.table
        for op in program.tick.body.block.ops
        if isinstance(op, c.ScatterOp) and c.buffer_of(op.table).kind.data is c.Kind.CONSTANT
    ]
    states = [buffer.memory for buffer in program.of_kind(c.Kind.STATE)]
    found = {
        "weights": {c.element_of_memory(x) for x in weights},
        "states": {c.element_of_memory(x) for x in states},
    }
    return {what: " and ".join(sorted(map(type_name, types))) for what, types in found.items() if types}


def type_name(element: Attribute) -> str:
    """Returns the name of a type in memory: `f32`, `bf16`, `i8`, `u16`."""
    if is_half(element):
        return str(element)
    if c.is_packed(element):
        return f"i{c.PACKED.width.data}"
    dtype = dtype_of(element)
    return f"{dtype.kind}{8 * dtype.itemsize}"
