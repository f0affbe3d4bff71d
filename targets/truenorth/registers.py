"""Registers of a row from the parameters of an update, whose options are those of a neuron of the device.

| register | from |
| --- | --- |
| leak, threshold, negative_threshold, reset_potential | the parameters lambda, alpha, beta, back |
| reset_mode | the option reset: value 0, subtract 1, none 2 |
| negative_mode | the option below: saturate 1, else 0 |
| leak_reversal | the option sign_of: reversal 1, else 0 |

Errors: ANA003 an update that the device does not have.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import f64

from ...analysis.synapse_lists import ANA003
from ...core.arrays.numeric import AnyArray
from ...core.device.records import Device
from ...core.diagnostics import refuse_op
from ...core.neuron.neuron import combinations, parse_neurons
from ...dialects import fixed, machine, ntensor
from ...dialects.chip_base.needs import bits_of
from ...dialects.equations.build import shared_update
from ...dialects.ntensor import UpdateOp
from ...passes.pipelines import LEGALISE
from ..chip_builder import refuse_update

PARAMETERS = {"leak": "lambda", "threshold": "alpha", "negative_threshold": "beta", "reset_potential": "back"}
RESETS = ("value", "subtract", "none")


@frozen(eq=False)
class Neuron:
    """The options of an update, and the form of its potential."""

    options: Mapping[str, str]
    potential_bits: int
    overflow: str

    @property
    def neuron_reset_type(self) -> int:
        return int(self.options.get("low") == "reached")

    def registers(self, params: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
        """Returns the registers of a population by name. Shapes: () or [neurons]."""
        zero = np.zeros((), np.int64)
        held = {name: params.get(symbol, zero) for name, symbol in PARAMETERS.items()}
        modes = {
            "leak_reversal": int(self.options.get("sign_of") == "reversal"),
            "reset_mode": RESETS.index(self.options.get("reset", RESETS[0])),
            "negative_mode": int(self.options.get("below") == "saturate"),
        }
        return held | {name: np.asarray(value, np.int64) for name, value in modes.items()}


def neuron_of(population: machine.PopulationOp, update: UpdateOp, device: Device) -> Neuron:
    """Returns the neuron of the device that an update is. Errors: ANA003."""
    state = next(iter(update.state_types.values()), None)
    for name, known in device.updates.items():
        for rule in parse_neurons("\n".join(known.text), device.key).neurons:
            if rule.name != name or state is None:
                continue
            for options in combinations(rule.options):
                if shared_update(rule, options=options, precision=f64).is_equal(update):
                    wraps = any(isinstance(op, fixed.WrapOp) for op in update.walk())
                    return Neuron(options, bits_of(state), "wrap" if wraps else "saturate")
    refuse_update(population, update, device)


def refuse_other_sums(graph: machine.GraphOp) -> None:
    """Refuses projections with a bias, an exponent, plasticity or another sum that a crossbar does not compute. Errors: ANA003."""
    for projection in graph.projections.values():
        for op in projection.steps:
            if not isinstance(op, ntensor.SynapseOpInterface):
                continue
            constants = [
                name
                for name in ("bias", "exponent")
                if (one := op.optional_array(name)) is not None and one.values.any()
            ]
            if op.learning_rule is not None:
                constants.append("plasticity")
            if constants:
                refuse_op(
                    op,
                    ANA003,
                    "a crossbar adds spikes alone",
                    expected="weights without bias, exponent and learning rule",
                    found=", ".join(constants),
                    help=LEGALISE,
                )
