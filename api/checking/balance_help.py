"""Help for populations that saturate or are silent: balanced thresholds, where these are better.

The pass runs on a copy of the network with the sample input. It is the help if it brings the outputs nearer to those of the trained network.
"""

from __future__ import annotations

from xdsl.ir import Operation

from ...core.diagnostics import Diagnostics
from ...core.help_text import PassesOption, Phrase
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.operation import element_type
from ...core.progress import doing
from ...dialects import ntensor
from ...passes.pipelines import BALANCE
from ...simulation.stimuli import Given
from ..calibration_inputs import calibration_pass
from ..modules import available_passes, only_network, parent_module

CONVERTED = "if"
"""The family of the neurons of converted networks: they have no leak, so that a rate is an activation."""


def is_converted(op: Operation) -> bool:
    """Returns whether an op is a population of a network that can have been converted from a trained one without spikes."""
    return isinstance(op, ntensor.NeuronOp) and op.family is not None and op.family.data == CONVERTED


def balance_help(network: ntensor.NetworkOp, calib: Given) -> Phrase | None:
    """Returns the pass that balances thresholds, if it makes a converted network better on its sample input."""
    events = [op for op in network.populations if ntensor.is_event(element_type(op.z))]
    if not all(map(is_converted, events)):
        return None
    steps = pipeline.parse_pipeline(BALANCE, available_passes())
    module, found = parent_module(network).clone(), Diagnostics()
    before = only_network(module).approximations
    with doing("balanced thresholds"), found.collecting():
        every = [*calibration_pass(calib, None, later=steps), *steps]
        pass_manager.run_passes(every, NoptContext(diagnostics=found), module)
    is_better = not found.errors and only_network(module).approximations != before
    return Phrase(PassesOption(BALANCE)) if is_better else None
