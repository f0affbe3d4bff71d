"""Discrete forms: the properties of a synapse op in continuous time that a network in ticks cannot have."""

from __future__ import annotations

from ..core.diagnostics import Code, refuse
from ..core.ir.source import place_text
from ..dialects import nir

DIS001 = Code("DIS001", "a synapse has a property that has no discrete form")

LONGEST_TEXT = 200
"""Longest property that a message quotes."""


def verify_discrete_form(op: nir.SynapseOp, node: str) -> None:
    """Refuses a property without a discrete form. Errors: DIS001."""
    is_shared = not isinstance(op, nir.LinearOp | nir.AffineOp)
    has_transmission = op.transmission is not None and op.transmission.data is not nir.Transmission.SPIKE
    for what, is_there in (
        ("delays", is_shared and op.delays is not None),
        ("plasticity", is_shared and op.plasticity is not None),
        ("transmission", has_transmission),
    ):
        if is_there:
            found = f"{what} = {op.properties[what]}"
            refuse(
                DIS001,
                f"this {what} has no discrete form" if what == "transmission" else f"{op.name} has no {what} in ticks",
                at=f'{op.name} "{node}"',
                node=node,
                place=place_text(op.location),
                expected=f"a synapse without {what}" if what != "transmission" else "transmission = spike",
                found=found if len(found) <= LONGEST_TEXT else f"{found[: LONGEST_TEXT - 1]}…",
                help=f"remove {what} from the node",
            )
