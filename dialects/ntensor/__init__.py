"""The ntensor dialect: the exact computation of a network in one tick.

An `ntensor.network` is a graph region over one tick of `tick_ns`: operands may be used before they are defined, but every
cycle passes through an `ntensor.delay` of at least one tick. Signal kinds are element types (`signals.py`): `i1` spike,
`!ntensor.count<5>` several spikes in one tick, `!ntensor.graded<24>` a spike with payload; values are `f32`, `f64` or `iN`.

Sums have an order. A synapse op adds its terms by the flat index of the presynaptic neuron (c, y, x), starting from zero, and adds
the bias last (`_linear.py`). `ntensor.sum` adds its operands from left to right (`wiring.py`).

An `ntensor.update` defines the arithmetic of a neuron. It is a symbol in the module of the network. `ntensor.neuron` applies it to
a population (`neurons.py`).

Source: Pedersen et al., Nature Communications 15:8122 (2024) for the primitives; the order of sums is ours.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from ._approximation import ApproximationAttr
from ._convolution import Conv1dOp, Conv2dOp, ConvolutionOp, ConvTranspose2dOp, KernelOp, swap_channels
from ._linear import FanInLinearOp, LinearOp, ScaleOp, SparseLinearOp
from ._pool import AvgPool2dOp, MaxPool2dOp, PoolOp, SumPool2dOp, Upsample2dOp
from ._synapse_checks import QuantizedAttr
from ._synapse_interface import SynapseOpInterface, WeightLines, WindowOp
from ._updates import AccumulatedOp, DerivedOp, EmitOp, InitialOp, LetOp, RoundRealOp, UpdateOp
from .axon_types import AxonTypesAttr, crossbar_points
from .learning.attributes import LearningAttr
from .learning.rules import DelayMeaningAttr, LearnedOp, RuleOp, TransmittedOp, find_rules
from .network import (
    FRAME_TICKS,
    INPUT_PADDING,
    KEEPS_WEIGHTS,
    LEARNS_ON,
    STACKED_TICKS,
    NetworkOp,
    OutputOp,
    ReadoutOp,
    find_updates,
    is_sound,
    updates_of,
)
from .neurons import HALF_TYPES, RECEPTORS, NeuronOp, array_dictionary, emission_type, rounding_of
from .signals import (
    CountType,
    Emits,
    EmitsAttr,
    GradedType,
    TermsType,
    interval_of,
    is_event,
    is_value,
    numbers_outside,
    range_of_terms,
    represents_all,
)
from .wiring import DelayOp, ReshapeOp, SumOp, breaks_loops, delay_property, owned_delays

__all__ = [
    "FRAME_TICKS",
    "HALF_TYPES",
    "INPUT_PADDING",
    "KEEPS_WEIGHTS",
    "LEARNS_ON",
    "NTENSOR",
    "RECEPTORS",
    "STACKED_TICKS",
    "AccumulatedOp",
    "ApproximationAttr",
    "AvgPool2dOp",
    "AxonTypesAttr",
    "Conv1dOp",
    "Conv2dOp",
    "ConvTranspose2dOp",
    "ConvolutionOp",
    "CountType",
    "DelayMeaningAttr",
    "DelayOp",
    "DerivedOp",
    "EmitOp",
    "Emits",
    "EmitsAttr",
    "FanInLinearOp",
    "GradedType",
    "InitialOp",
    "KernelOp",
    "LearnedOp",
    "LearningAttr",
    "LetOp",
    "LinearOp",
    "MaxPool2dOp",
    "NetworkOp",
    "NeuronOp",
    "OutputOp",
    "PoolOp",
    "QuantizedAttr",
    "ReadoutOp",
    "ReshapeOp",
    "RoundRealOp",
    "RuleOp",
    "ScaleOp",
    "SparseLinearOp",
    "SumOp",
    "SumPool2dOp",
    "SynapseOpInterface",
    "TermsType",
    "TransmittedOp",
    "UpdateOp",
    "Upsample2dOp",
    "WeightLines",
    "WindowOp",
    "array_dictionary",
    "breaks_loops",
    "crossbar_points",
    "delay_property",
    "emission_type",
    "find_rules",
    "find_updates",
    "interval_of",
    "is_event",
    "is_sound",
    "is_value",
    "numbers_outside",
    "owned_delays",
    "range_of_terms",
    "represents_all",
    "rounding_of",
    "swap_channels",
    "updates_of",
]

NTENSOR = define_dialect("ntensor", globals())
