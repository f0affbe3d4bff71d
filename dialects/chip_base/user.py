"""Interface of ops that use resources of a device, and the one verifier that compares them with its limits and contracts.

An op of an exit dialect that takes memory, axons or neurons of a core derives from `ResourceUserOpInterface` and counts what it uses. The
names are those of contracts (`core/device/records.py`, QUANTITIES), and `classes.NAME` is the number of different values of a group of
shared parameters.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from xdsl.ir import Attribute

from ...core.device.limits import Contracts, excesses, limit_exceeded
from ...core.device.outside_memory import outside_uses
from ...core.device.records import Device
from ...core.diagnostics import Code, InvalidOp, invalid
from ...core.ir.operation import NoptOperation
from .needs import rule_violations

CHI022 = Code("CHI022", "device-learning-rule-unsupported", "the device does not change weights in this way")


RECOMPILE = "compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR"


class ResourceUserOpInterface(NoptOperation):
    """An op that uses resources of a device."""

    @abstractmethod
    def quantities(self, device: Device) -> Mapping[str, int]:
        """Returns the quantities that the op uses, by name, counted from its tables. A missing quantity is unknown or not used."""
        ...

    def layers(self) -> tuple[str, ...]:
        """Returns the user's names of the layers that the op serves."""
        return ()

    def unit(self) -> tuple[str, int | None] | None:
        """Returns the name of the unit of the chip that computes the op, and its number if it is a core; None for chips whose cores a mapping assigns."""
        return None


def verify_resources(
    op: ResourceUserOpInterface,
    device: Device,
    contracts: Contracts | None,
    kind: str | None = None,
    used: Mapping[str, int] | None = None,
) -> None:
    """Refuses an op that exceeds a limit of its kind of core, or that violates `contracts` if these are given. Errors: DEV016, DEV021.

    `used`: the quantities of the op, if they are known.
    """
    used, layers = op.quantities(device) if used is None else used, op.layers()
    node = layers[0] if len(layers) == 1 else None
    notes = [f"it serves {', '.join(layers)}"] if len(layers) > 1 else []
    if found := excesses(device, used, kind):
        raise InvalidOp(limit_exceeded(found, notes=notes, node=node, help=RECOMPILE).about(op))
    for broken in contracts.broken(used) if contracts is not None else ():
        raise InvalidOp(broken.finding(notes, node=node).about(op))


def verify_outside_memory(
    op: NoptOperation, device: Device, used: Mapping[int, Mapping[str, int]], chips: Mapping[int, int]
) -> None:
    """Refuses cores that together exceed memory outside of them. `used` and `chips` are quantities and chip of each core. Errors: DEV022."""
    for one in outside_uses(device, used, chips):
        if one.is_exceeded:
            raise InvalidOp(one.finding(device, RECOMPILE).about(op))


def verify_plasticity(
    op: NoptOperation, rule: Attribute, bits: int | None, device: Device, node: str, *, kind: str | None = None
) -> None:
    """Refuses a learning rule that the device lacks, and a rule whose constraints are violated by weights of this width. `kind` is the rule of the device; default: the name of the attribute. Errors: CHI022."""
    if device.plasticity is None:
        return
    violations = rule_violations(rule, bits, device, kind=kind)
    if all(violations.values()):
        invalid(
            op,
            CHI022,
            f"{device.key} does not have this learning rule",
            node=node,
            expected=", ".join(f"{key} ({one.rule})" for key, one in device.plasticity.items())
            or "weights without a rule",
            found=rule.name if kind is None else f"{rule.name} ({kind})",
            source=f"{device.key}, plasticity",
            path="plasticity",
            help="compile the network again, after ntensor-freeze-plasticity",
            notes=[f"{key}: {reason}" for key, reasons in violations.items() for reason in reasons],
        )
