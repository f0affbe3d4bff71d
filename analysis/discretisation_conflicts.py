"""Discrete forms: the properties of a synapse op in continuous time that a network in ticks cannot have."""

from __future__ import annotations

from ..core.diagnostics import Code, refuse_op
from ..core.ir.operation import element_type
from ..dialects import nir

ANA006 = Code("ANA006", "synapse-property-not-discrete", "a synapse has a property that has no discrete form")
ANA007 = Code("ANA007", "transmission-kind-mismatch", "a synapse reads another kind of signal than its transmission")
ANA008 = Code("ANA008", "rate-window-too-long", "the window of rates is too long")
ANA009 = Code("ANA009", "rate-window-missing", "the window of rates is not given")
ANA010 = Code("ANA010", "no-rate-synapses", "no synapse reads rates")

START_WINDOW = 16
"""Window that a help line suggests [ticks]: a rate has 17 values."""

LONGEST_TEXT = 200
"""Longest property that a message quotes."""


def verify_discrete_form(op: nir.SynapseOp, node: str) -> None:
    """Refuses a property without a discrete form. Errors: ANA006."""
    is_shared = not isinstance(op, nir.LinearOp | nir.AffineOp)
    for what, is_there in (
        ("delays", is_shared and op.delays is not None),
        ("plasticity", is_shared and op.plasticity is not None),
    ):
        if is_there:
            found = f"{what} = {op.properties[what]}"
            refuse_op(
                op,
                ANA006,
                f"{op.name} has no {what} in ticks",
                at=f'{op.name} "{node}"',
                node=node,
                expected=f"a synapse without {what}",
                found=found if len(found) <= LONGEST_TEXT else f"{found[: LONGEST_TEXT - 1]}…",
                help=f"remove {what} from the node",
            )


def reads_rates(op: nir.NodeOp | nir.SumOp | None) -> bool:
    """Returns whether a node is a synapse op that reads spike rates. `verify_transmission` refuses an op that reads rates of values."""
    if not isinstance(op, nir.SynapseOp) or op.kind_of_transmission is not nir.Transmission.RATE:
        return False
    return nir.is_spike(element_type(op.x))
