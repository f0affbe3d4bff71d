"""Devices of the same target with other neurons: those that have the rules of a network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.device.named_device import resolve_device
from ...core.device.records import Device
from ...core.diagnostics import Code, Diagnostics, Refused
from ...core.help_text import Option, Phrase
from ...core.ir.pipeline import option_text
from ...dialects import ntensor
from .updates._neuron_files import fixed_options, neurons_of, serving_neuron
from .updates._update_options import Wish, chosen_updates

LEG196 = Code("LEG196", "other-device-has-the-rules", "another device of the target has the rules of the network")


def report_alternative(network: ntensor.NetworkOp, device: Device, diagnostics: Diagnostics) -> None:
    """Reports a device whose neurons have the rules of all populations, where those of the device approximate one. Remarks: LEG196."""
    if not device.alternatives or (violation := first_violation(device, device.key, network, ())) is None:
        return
    op, found = violation
    for key, option in find_alternatives(network, device, ()):
        diagnostics.remark(
            LEG196,
            f"{key} keeps the rules of the network",
            op=op,
            expected=f"the rule of @{op.update_name}",
            found=found,
            help=Phrase(option),
        )
        return


def find_alternatives(
    network: ntensor.NetworkOp, device: Device, approximate: Sequence[str]
) -> Iterator[tuple[str, Option]]:
    """Yields the `alternatives` of a device whose neurons have the rules of all populations, each with the option that selects it."""
    for name in device.alternatives:
        key = f"{device.target}/{name}"
        if first_violation(resolve_device(key), key, network, approximate) is None:
            yield key, Option(f"device={option_text(key)}", f"--target {key}")


def first_violation(
    device: Device, key: str, network: ntensor.NetworkOp, approximate: Sequence[str]
) -> tuple[ntensor.NeuronOp, str] | None:
    """Returns the first population of a family whose rule no neuron of a device follows, and the difference; None if there is none."""
    updates, neurons = ntensor.updates_of(network), neurons_of(device).neurons
    for op in network.populations:
        old = updates[op.update_name]
        if op.family is None:
            continue
        rule = serving_neuron(neurons, op, old.emits.data)
        if rule is None:
            return op, f"no neuron of the family {op.family.data}"
        try:
            chosen_updates(rule, old, [op], Wish({}, fixed_options(key, rule.name), tuple(approximate), network.dt))
        except Refused as refusal:
            return op, refusal.findings[0].found or refusal.findings[0].message
    return None
