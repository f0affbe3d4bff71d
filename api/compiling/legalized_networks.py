"""Networks that are legalised for a device and keep their numbers: `compile` lowers them as they are.

    ntensor.network @net … attributes {machine.device = #nopt.device<"akida/akd1000", …>, machine.legalized = "5f3c…", …}

1. `nopt export --torch` writes such a network with its module, and `nopt tune` and `nopt import-weights` write one with trained weights. The passes
   that choose scales, thresholds and responses ran before the training, so that the chip has the numbers of the training.
2. `ntensor-legalize` is left out. Passes that change no number, such as `ntensor-widen-sums`, run again, since other weights have other sums.
3. Options that choose numbers are refused. A sample input measures the network and chooses nothing.
4. On another device the network is an ordinary network in ticks, except that `compile` refuses it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

from ...analysis.calibration_records import forget_samples
from ...core.device.named_device import device_named, name_device
from ...core.device.records import Device
from ...dialects.ntensor import NetworkOp
from ...passes.pipelines import LEGALIZE

LEGALIZED = "machine.legalized"
"""The attribute of a network that is legalised for its device, with final numbers: the digest of the arrays of its export."""
WITHOUT_NETWORK = "starts with {}: no level before it was compared, and no loss is known"
"""Note of the report of a module that was compiled before."""
WITH_NUMBERS = "starts with a legalised network: losses are those of its numbers on the chip, not those of rounding"
"""Note of the report of a legalised network."""


def mark_legalized(module: ModuleOp, device: Device, digest: str) -> None:
    """Marks the networks of a module as legalised for a device, and removes the samples of a calibration. `digest` is that of the arrays of its export."""
    for op in networks_in(module):
        forget_samples(op)
        name_device(op, device)
        op.attributes[LEGALIZED] = StringAttr(digest)


def legalized_device(module: ModuleOp) -> Device | None:
    """Returns the device that the network of a module is legalised for; None for other modules. Errors: those of reading the device."""
    marked = [op for op in networks_in(module) if LEGALIZED in op.attributes]
    return device_named(marked[0]) if marked else None


def is_legalized_for(module: ModuleOp, device: Device) -> bool:
    """Returns whether a network is legalised for a device with its overrides."""
    known = legalized_device(module)
    return known is not None and known.digest == device.digest


def steps_on(module: ModuleOp, device: Device, steps: Sequence[ModulePass]) -> Sequence[ModulePass]:
    """Returns the passes of a device that a network still needs. A mark for another device is removed."""
    if is_legalized_for(module, device):
        for op in networks_in(module):
            forget_samples(op)  # of a sample input, which legalisation removes otherwise
        return [step for step in steps if step.name != LEGALIZE]
    for op in networks_in(module):
        op.attributes.pop(LEGALIZED, None)
    return steps


def first_notes(network: ModuleOp, start: str | None) -> tuple[str, ...]:
    """Returns the notes of a report about levels that the compilation does not know; `start` is the op of a later level that it starts with."""
    if start is not None:
        return (WITHOUT_NETWORK.format(start),)
    return (WITH_NUMBERS,) if legalized_device(network) is not None else ()


def networks_in(module: ModuleOp) -> list[NetworkOp]:
    return [op for op in module.ops if isinstance(op, NetworkOp)]
