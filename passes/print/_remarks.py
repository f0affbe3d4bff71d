"""Remarks of the passes that print an analysis of every network."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.slicing import planned_slicing
from ...analysis.wiring import Wiring
from ...core.diagnostics import Code, describe_op
from ...core.ir.context import diagnostics_of
from ...dialects import ntensor
from ...dialects.chip_base.slicing import Slicing, single_slice
from ...dialects.ntensor.network import networks


def print_networks(
    ctx: Context, module: ModuleOp, code: Code, what: str, lines: Callable[[ntensor.NetworkOp], Iterable[str]]
) -> None:
    """Reports the lines of each network as notes of a remark. Errors: NTE009 a network in continuous time."""
    for network in networks(module):
        at, message = describe_op(network)[0], f"{what} of @{network.sym_name.data}"
        diagnostics_of(ctx).remark(code, message, at=at, notes=list(lines(network)))


def slicings(wiring: Wiring) -> dict[str, Slicing]:
    """Returns the planned slices of the inputs and populations of a network; one slice for those without a plan."""
    planned = {name: planned_slicing(neuron) for name, neuron in wiring.neurons.items()}
    return {name: planned.get(name) or single_slice(shape) for name, shape in wiring.sources.items()}


def slice_name(name: str, slicing: Slicing, k: int) -> str:
    """Formats the name of a slice of a signal, or of the signal if it has one slice."""
    return f'"{name}"' if len(slicing.boxes) == 1 else f'"{name}" slice {k}'
