"""The kind of signal that a synapse op reads, by its transmission: rates are those of spikes, analog values are values."""

from __future__ import annotations

from typing import NoReturn

from xdsl.ir import BlockArgument

from ...analysis.discretisation_conflicts import ANA007
from ...core.diagnostics import refuse_op
from ...core.ir.operation import element_type
from ...core.ir.pipeline import option_text
from ...dialects import nir

SIGNALS = {nir.Transmission.RATE: "rates", nir.Transmission.ANALOG: "analog values"}


def verify_transmission(op: nir.SynapseOp, node: str) -> None:
    """Refuses rates of values, analog values of spikes, and spike-timing-dependent plasticity of either. Errors: ANA007."""
    kind, is_spike = op.kind_of_transmission, nir.is_spike(element_type(op.x))
    if kind is nir.Transmission.SPIKE:
        return

    def refuse_signal(message: str, expected: str, found: str, other: nir.Transmission, *notes: str) -> NoReturn:
        refuse_op(
            op,
            ANA007,
            message,
            at=f'{op.name} "{node}"',
            node=node,
            expected=expected,
            found=found,
            help=f"nir-set-transmission{{nodes={option_text(node)} to={other}}}",
            notes=notes,
        )

    if op.plasticity is not None:
        message = f"a synapse that reads {SIGNALS[kind]} has no times of spikes to learn from"
        found = f"plasticity, and transmission = {kind}"
        refuse_signal(message, "transmission = spike", found, nir.Transmission.SPIKE)
    if kind is nir.Transmission.RATE and not is_spike:
        message, found = "a synapse reads rates of a signal without spikes", "values (f32)"
        note = "an input of the network holds spikes if it is declared as a tensor of i1"
        is_input = isinstance(op.x, BlockArgument) and isinstance(op.parent_op(), nir.GraphOp)
        notes = (note,) if is_input else ()
        refuse_signal(message, "spikes (i1)", found, nir.Transmission.ANALOG, *notes)
    if kind is nir.Transmission.ANALOG and is_spike:
        message, found = "a synapse reads analog values of a signal of spikes", "spikes (i1), which are 0 or 1"
        refuse_signal(message, "values (f32)", found, nir.Transmission.SPIKE)
