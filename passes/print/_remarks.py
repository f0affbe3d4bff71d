"""Remarks of the passes that print an analysis of every network."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.slicing import planned_slicing
from ...analysis.wiring import Wiring
from ...core.diagnostics import Code, describe_op
from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass
from ...dialects import ntensor
from ...dialects.chip_base.slicing import Slicing, single_slice
from ...dialects.ntensor.network import networks


class PrintPass(NoptPass):
    """Base of the passes that print an analysis of every network as the notes of a remark."""

    remark: ClassVar[Code]
    subject: ClassVar[str]

    @abstractmethod
    def lines(self, network: ntensor.NetworkOp) -> Iterator[str]:
        """Yields the lines of a network."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in networks(op):
            at, message = describe_op(network)[0], f"{self.subject} of @{network.sym_name.data}"
            diagnostics_of(ctx).remark(self.remark, message, at=at, notes=list(self.lines(network)))


def slicings(wiring: Wiring) -> dict[str, Slicing]:
    """Returns the slices of a network's inputs and populations. A signal without a plan has a single slice."""
    planned = {name: planned_slicing(neuron) for name, neuron in wiring.neurons.items()}
    return {name: planned.get(name) or single_slice(shape) for name, shape in wiring.sources.items()}


def slice_name(name: str, slicing: Slicing, k: int) -> str:
    """Formats the name of a slice of a signal, or of the signal if it has one slice."""
    return f'"{name}"' if len(slicing.boxes) == 1 else f'"{name}" slice {k}'
