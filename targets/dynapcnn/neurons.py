"""Neurons of populations: the choice of the reset by the options of the device's neuron.

Errors: CHI013 another neuron.
"""

from __future__ import annotations

from itertools import product

from xdsl.dialects.builtin import f32, f64

from ...core.device.records import Device
from ...core.diagnostics import refuse_op
from ...core.help_text import PassesOption, Phrase
from ...core.neuron.neuron import parse_neurons
from ...dialects import ntensor
from ...dialects.chip_base.groups import CHI013
from ...dialects.equations.build import build_update

RESET, TO_ZERO = "reset", "zero"
"""The option of the device's neuron, and its value for `return_to_zero`."""


def return_to_zero(neuron: ntensor.NeuronOp, update: ntensor.UpdateOp, device: Device) -> bool:
    """Returns whether a spike resets the neurons of a population to zero instead of subtracting the threshold. Errors: CHI013."""
    for name, known in device.updates.items():
        rules = parse_neurons("\n".join(known.text), known.file or device.key).neurons
        rule = next(one for one in rules if one.name == name)
        for values in product(*rule.options.values()):
            options = dict(zip(rule.options, values, strict=True))
            for precision in (f32, f64):
                if build_update(rule, options=options, precision=precision).is_equal(update):
                    return options.get(RESET) == TO_ZERO
    refuse_op(
        neuron,
        CHI013,
        expected=f"a neuron of {device.key}: {', '.join(device.updates)}",
        found=f"@{neuron.update_name}",
        help=Phrase(PassesOption(f"ntensor-set-neuron-model{{to={device.naming.key}}}")),
    )
