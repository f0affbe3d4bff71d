"""Processing elements of the spinnaker2 dialect, and the inputs and outputs of the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.irdl import irdl_op_definition, prop_def, traits_def

from ...core.arrays.numeric import AnyArray
from ...core.device.records import Device
from ...core.ir.body_ops import body_ops
from ...core.ir.operation import HasParentNamed
from ..chip_base.chains import row_counts
from ..chip_base.groups import CHI012, CHI013, CoreBase, GroupOp, table_bytes
from ..chip_base.parts import InputBase, OutputBase, refuse_chip
from ..chip_base.values import Range
from .connections import ConnectionsOp

FORMAT = "row"
"""The format of the device in which connections are stored."""
RESET_NAMES = {"value": "reset_to_v_reset", "subtract": "reset_by_subtraction"}
"""Names of py-spinnaker2 for the option `reset` of the neurons."""


@frozen
class NeuronModel:
    """A neuron model of py-spinnaker2."""

    parameters: tuple[str, ...]
    """Those of its equations."""
    has_delays: bool


MEMBRANE = "alpha_decay", "i_offset", "v_threshold"
MODELS = {
    "lif_no_delay": NeuronModel(MEMBRANE, False),
    "lif_curr_exp_no_delay": NeuronModel((*MEMBRANE, "syn_decay"), False),
    "lif": NeuronModel(MEMBRANE, True),
    "lif_curr_exp": NeuronModel((*MEMBRANE, "syn_decay"), True),
}


DECAY = Range(high=1)
"""Decays are not above 1; those of forward Euler with a tick longer than a time constant are below 0."""


@irdl_op_definition
class InputOp(InputBase):
    """Entries of an input of the network: a population `spike_list`, whose spikes the host loads. Errors: CHI001, CHI002."""

    name = "spinnaker2.input"


@irdl_op_definition
class OutputOp(OutputBase):
    name = "spinnaker2.output"


@irdl_op_definition
class NeuronsOp(GroupOp):
    """The slice of a population on a processing element, with its connections.

    `model` is the neuron model of py-spinnaker2, and `reset` its parameter of that name. `params` are the parameters of the equations; all
    states start at 0.

    Shapes: parameters and states () or [neurons]. Errors: CHI001, CHI002, CHI013.
    """

    SEVERAL: ClassVar[tuple[str, ...]] = ("spinnaker2.connections",)

    RANGES: ClassVar[Mapping[str, Range]] = {"alpha_decay": DECAY, "syn_decay": DECAY}

    name = "spinnaker2.neurons"
    model = prop_def(StringAttr)
    reset = prop_def(StringAttr)
    params = prop_def(DictionaryAttr)
    traits = traits_def(HasParentNamed("spinnaker2.core"))
    connections = body_ops(ConnectionsOp)

    @property
    def rows(self) -> AnyArray:
        """Returns the number of connections of each source neuron and projection."""
        counts = [np.unique(op.pre.values, return_counts=True)[1] for op in self.connections]
        return np.concatenate([np.zeros(0, np.int64), *counts])

    def quantities(self, device: Device) -> dict[str, int]:
        listed, rows = self.connections, self.rows
        fan_in = sum((np.bincount(op.post.values, minlength=self.size) for op in listed), np.zeros(self.size, np.int64))
        longest = max((op.longest for op in listed), default=0)
        used = super().quantities(device) | {
            "synapses": int(rows.sum()),
            "fan_in": int(fan_in.max(initial=0)),
            "input_axons": len(rows),
            "delay": longest,
            "weight_bits": max((op.weight_bits for op in listed), default=0),
        }
        return used | table_bytes([(FORMAT, row_counts(rows), longest)], device)

    def verify_(self) -> None:
        super().verify_()
        for op in self.connections:
            op.verify_against(self.size)
        self.verify_model()

    def verify_model(self) -> None:
        """Refuses a model that py-spinnaker2 does not have, and neurons that it does not run. Errors: CHI013."""
        model = MODELS.get(self.model.data)
        if model is None:
            refuse_chip(self, CHI013.summary, f"one of {', '.join(MODELS)}", self.model.data, CHI013)
        if self.reset.data not in RESET_NAMES.values():
            refuse_chip(self, CHI013.summary, " or ".join(RESET_NAMES.values()), self.reset.data, CHI013)
        if set(self.params.data) != set(model.parameters):
            found = ", ".join(self.params.data) or "none"
            refuse_chip(self, CHI013.summary, ", ".join(model.parameters), found, CHI013)
        for name, values in self.states().items():
            if values.any():
                refuse_chip(self, CHI013.summary, f"{name} = 0 at the start", "another state", CHI013)
        longest = max((op.longest for op in self.connections), default=0)
        if longest > 1 and not model.has_delays:
            expected = f"the delay 0, as {self.model.data} has no delays"
            refuse_chip(self, CHI013.summary, expected, str(longest - 1), CHI013)


@irdl_op_definition
class CoreOp(CoreBase):
    """A processing element with one slice of a population. `axons` is the number of its rows, one for each source neuron and projection.

    Errors: CHI002; CHI012 another number of slices.
    """

    HOLDS: ClassVar[tuple[str, ...]] = ("spinnaker2.neurons",)

    name = "spinnaker2.core"
    traits = traits_def(HasParentNamed("spinnaker2.chip"))
    groups = body_ops(NeuronsOp)

    def verify_(self) -> None:
        super().verify_()
        if len(self.groups) != 1:
            refuse_chip(self, CHI012.summary, "1 slice", str(len(self.groups)), CHI012)
        if (rows := len(self.groups[0].rows)) != self.axons.value.data:
            refuse_chip(self, "axons are not the rows of the core", str(rows), str(self.axons.value.data))
