"""Synapses: weighted connections with the features of chips: delays, plasticity and transmission. `windows.py` holds convolutions and pools.

The input is multiplied and added; the result is a value. Time is continuous: a synapse without `delays` acts instantaneously.

    %r = nir.affine "w_rec" %z {weight = …, bias = …, delays = …, plasticity = #nir.stdp<…>} : tensor<38xi1> -> tensor<38xf32>
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, IntegerAttr, StringAttr, f32, f64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import base, irdl_attr_definition, irdl_op_definition, opt_prop_def, prop_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import BracketedAttribute
from .node import (
    NodeOp,
    refuse_parameter,
    refuse_parameter_shape,
    verify_finite,
    verify_parameter,
    verify_shape,
    verify_sign,
)

# ---- attributes


class Transmission(StrEnum):
    """Representation of the signal that a synapse op reads.

    | transmission | the synapse reads in each tick | operand |
    | --- | --- | --- |
    | `spike` (default) | the operand, as it is | spikes or values |
    | `rate` | the number of spikes in the previous window of W ticks, divided by W | spikes |
    | `analog` | the operand, which is a value and not an event | values |

    The conversion to `ntensor` has the option `rate-window` for W.
    """

    SPIKE = "spike"
    RATE = "rate"
    ANALOG = "analog"


@irdl_attr_definition
class TransmissionAttr(BracketedAttribute, EnumAttribute[Transmission]):  # pyrefly: ignore[partially-unknown-type]
    name = "nir.transmission"


@irdl_attr_definition
class StdpAttr(ParametrizedAttribute):
    """Pair-based spike-timing-dependent plasticity with exponential windows and hard bounds.

    A spike pair with interval d = t_post - t_pre changes the weight by `a_plus exp(-d / tau_plus)` if d > 0 and by
    `-a_minus exp(d / tau_minus)` if d < 0; the weight stays within `w_min` and `w_max`.

    Units: a_plus, a_minus, w_min, w_max [1]; tau_plus, tau_minus [s], positive.

    Source: Song, Miller and Abbott, Nature Neuroscience 3:919 (2000).
    """

    name = "nir.stdp"
    a_plus: FloatAttr
    a_minus: FloatAttr
    tau_plus: FloatAttr
    tau_minus: FloatAttr
    w_min: FloatAttr
    w_max: FloatAttr

    @staticmethod
    def of(a_plus: float, a_minus: float, tau_plus: float, tau_minus: float, w_min: float, w_max: float) -> StdpAttr:
        return StdpAttr(*(FloatAttr(x, f64) for x in (a_plus, a_minus, tau_plus, tau_minus, w_min, w_max)))

    @property
    def values(self) -> dict[str, float]:
        """Returns the six numbers by name."""
        return {
            name: getattr(self, name).value.data
            for name in ("a_plus", "a_minus", "tau_plus", "tau_minus", "w_min", "w_max")
        }


@irdl_attr_definition
class RuleAttr(ParametrizedAttribute):
    """Learning rule of the synapse language: a shipped rule by name, or a file, with its parameters.

        #nir.rule<"triplet", {a2_plus = 0.005, …, pairing = "nearest", reward = "dopamine"}>

    A number is a parameter. A text is the value of an option, or the input or node that is the signal of a modulator.

    Units: those that the rule declares, times in s.
    """

    name = "nir.rule"
    rule: StringAttr
    entries: DictionaryAttr

    @staticmethod
    def of(rule: str, entries: Mapping[str, float | str]) -> RuleAttr:
        given = {k: StringAttr(x) if isinstance(x, str) else FloatAttr(x, f64) for k, x in entries.items()}
        return RuleAttr(StringAttr(rule), DictionaryAttr(given))

    @property
    def values(self) -> dict[str, float]:
        """Returns the numbers by name."""
        found = self.entries.data.items()
        return {name: float(one.value.data) for name, one in found if isinstance(one, FloatAttr | IntegerAttr)}

    @property
    def texts(self) -> dict[str, str]:
        """Returns the values of options and the signals of modulators, by name."""
        return {name: one.data for name, one in self.entries.data.items() if isinstance(one, StringAttr)}

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            rule = StringAttr(parser.parse_str_literal(" for the rule, or its file"))
            entries = DictionaryAttr({})
            if parser.parse_optional_punctuation(",") is not None:
                at, given = parser.pos, parser.parse_attribute()
                kinds = (FloatAttr, IntegerAttr, StringAttr)
                if not isinstance(given, DictionaryAttr) or not all(isinstance(x, kinds) for x in given.data.values()):
                    parser.raise_error("expected a dictionary of numbers and texts", at, parser.pos)
                entries = given
        return [rule, entries]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.rule)
            if self.entries.data:
                printer.print_string(", ")
                printer.print_attribute(self.entries)


# ---- bases


class SynapseOp(NodeOp):
    """Weighted connections.

    `delays` [s] holds one delay for all synapses, or one per weight. `plasticity` is the learning rule of the weights.
    `transmission` is the representation of the signal that is read: spikes, rates or analog values.

    Errors: NIR001 delays of another shape; NIR002 negative delays, a plasticity out of range.
    """

    delays = opt_prop_def(ArrayAttr)
    plasticity = opt_prop_def(base(StdpAttr) | base(RuleAttr))
    transmission = opt_prop_def(TransmissionAttr)

    @property
    @abstractmethod
    def synapse_shape(self) -> tuple[int, ...]:
        """Returns the shape of the weights; each weight may have its own delay."""

    @property
    def kind_of_transmission(self) -> Transmission:
        """Returns the transmission; the default is `spike`."""
        return Transmission.SPIKE if self.transmission is None else self.transmission.data

    @property
    def has_only_weights(self) -> bool:
        """Returns whether the op has no delays, plasticity or transmission."""
        return self.delays is None and self.plasticity is None and self.transmission is None

    def verify_parameters(self) -> None:
        self.verify_weights()
        if self.delays is not None:
            verify_finite(self, "delays", self.delays)
            verify_parameter(self, "delays", self.delays, (), self.synapse_shape)
            verify_sign(self, "delays", self.delays, "s")
        if isinstance(self.plasticity, StdpAttr):
            self.verify_plasticity(self.plasticity)

    def verify_weights(self) -> None:
        """Refuses weights and sizes that are invalid for every operand."""

    def verify_plasticity(self, rule: StdpAttr) -> None:
        values = rule.values
        for name, value in values.items():
            if not np.isfinite(value) or (name.startswith("tau") and value <= 0):
                expected = "more than 0 s" if name.startswith("tau") else "a finite number"
                help = "#nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0> has every number in range"
                refuse_parameter(self, f"{name} of its plasticity is out of range", expected, str(value), help)
        if values["w_min"] > values["w_max"]:
            message = "the weight bounds of its plasticity are empty"
            help = "exchange the last two numbers of #nir.stdp"
            refuse_parameter(self, message, "w_min <= w_max", f"{values['w_min']} > {values['w_max']}", help)

    def result_kind(self, kind: Attribute) -> Attribute:
        return f32


# ---- dense


class WeightedOp(SynapseOp):
    """Base of linear and affine. Shapes: weight [..., o, i], x [..., i], y [..., o]."""

    weight = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("weight",)

    @property
    def synapse_shape(self) -> tuple[int, ...]:
        return self.weight.shape

    def verify_weights(self) -> None:
        if len(self.weight.shape) < 2:
            message = "weight has too few axes"
            help = "a single row of weights has the shape (1, inputs)"
            refuse_parameter_shape(self, message, "[..., outputs, inputs]", str(self.weight.shape), help)

    def operand_shape(self) -> tuple[int, ...] | None:
        shape = self.weight.shape
        return shape[:-2] + shape[-1:]

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        verify_shape(self, "the operand", shape, self.operand_shape() or ())
        return self.weight.shape[:-1]


@irdl_op_definition
class LinearOp(WeightedOp):
    """Linear map: `y = weight x`. Shapes: weight [..., o, i], x [..., i], y [..., o]."""

    name = "nir.linear"


@irdl_op_definition
class AffineOp(WeightedOp):
    """Affine map: `y = weight x + bias`. Shapes: weight [..., o, i], x [..., i], bias () or that of y, y [..., o]."""

    name = "nir.affine"
    bias = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("weight", "bias")

    def verify_weights(self) -> None:
        super().verify_weights()
        verify_parameter(self, "bias", self.bias, (), self.weight.shape[:-1])


@irdl_op_definition
class ScaleOp(SynapseOp):
    """Elementwise product: `y = scale x`. Shapes: scale () or that of x."""

    name = "nir.scale"
    scale = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("scale",)

    @property
    def synapse_shape(self) -> tuple[int, ...]:
        return self.scale.shape

    def operand_shape(self) -> tuple[int, ...] | None:
        return self.scale.shape or None
