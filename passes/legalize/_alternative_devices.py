"""Other devices of a target whose neurons follow the rules of a network, for the help of a refusal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.device.named_device import resolve_device
from ...core.device.records import Device
from ...core.diagnostics import Refused
from ...core.help_text import Option
from ...core.ir.pipeline import option_text
from ...dialects import ntensor
from .updates._neuron_files import fixed_options, neurons_of, serving_neuron
from .updates._update_options import Wish, chosen_updates


def find_alternatives(
    network: ntensor.NetworkOp, device: Device, approximate: Sequence[str]
) -> Iterator[tuple[str, Option]]:
    """Yields the `alternatives` of a device whose neurons have the rules of all populations, each with the option that selects it."""
    for name in device.alternatives:
        key = f"{device.target}/{name}"
        if follows(resolve_device(key), key, network, approximate):
            yield key, Option(f"device={option_text(key)}", f"--target {key}")


def follows(device: Device, key: str, network: ntensor.NetworkOp, approximate: Sequence[str]) -> bool:
    """Returns whether the neurons of a device have the rule of each population of a family."""
    updates, neurons = ntensor.updates_of(network), neurons_of(device).neurons
    for op in network.populations:
        old = updates[op.update_name]
        if op.family is None:
            continue
        rule = serving_neuron(neurons, op, old.emits.data)
        if rule is None:
            return False
        try:
            chosen_updates(rule, old, [op], Wish({}, fixed_options(key, rule.name), tuple(approximate), network.dt))
        except Refused:
            return False
    return True
