"""Learning grids: the constants and bounds of pair STDP that a device with quantized learning holds, for the weights of an op.

A device adds `mantissa * 2^exponent * trace` to the register of a weight, and a spike adds `impulse` to a trace. A weight of n steps is the
register `n * 2^(register_bits - bits + 1)`, where `bits` are those of signed weights. It saturates at the ends of the register:

    weights of both signs: -2^(bits - 1) .. 2^(bits - 1) - 1 steps       0 and more: 0 .. 2^register_bits - 1       0 and less: the negative of that

So a change by a pair of spikes is a multiple of a coefficient, and the bounds are ends of the register, in units of the weights:

    a_plus = mantissa * 2^exponent * impulse * unit       unit = step * 2^(bits - 1 - register_bits)

Exactness: a coefficient on the grid stays what it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import frexp, ldexp

import numpy as np
from attrs import frozen

from ...core.device.records import Device
from ...core.device.synapse_records import SignMode
from ...core.diagnostics import Code
from ...dialects.chip_base.formats import integer
from ...dialects.chip_base.needs import declared_bits
from ...dialects.chip_base.weights import sign_of
from ...dialects.nir import StdpAttr
from ...dialects.ntensor import SynapseOpInterface

ANA004 = Code("ANA004", "chip-learning-rule-unsupported", "the chip does not compute this learning rule")

BOUND_TOLERANCE_STEPS = 0.5 + 2.0**-8
"""The largest distance of a bound from an end: half a step, and the error of a step in f32. Units: [steps]."""
AMPLITUDES = ("a_plus", "a_minus")
BOUNDS = ("w_min", "w_max")


@frozen
class Coefficient:
    """A number of a device: mantissa * 2^exponent."""

    mantissa: int
    exponent: int

    @property
    def value(self) -> float:
        return ldexp(self.mantissa, self.exponent)


@frozen
class PairRule:
    """The numbers of a device that computes pair STDP with quantized constants."""

    key: str
    """The name of the rule in the device file."""
    mantissa_bits: int
    least: int
    greatest: int
    """The ends of exponents."""
    impulse: int
    bits: int
    register_bits: int

    @property
    def path(self) -> str:
        return f"plasticity.{self.key}"

    @property
    def most(self) -> int:
        """Returns the greatest mantissa of both signs."""
        return 2 ** (self.mantissa_bits - 1) - 1

    @property
    def registers(self) -> int:
        """Returns the units of a register in a step of the weights."""
        return 2 ** (self.register_bits - self.bits + 1)

    def ends(self, sign: SignMode) -> tuple[float, float]:
        """Returns the ends of a register. Units: [steps]."""
        if sign == "mixed":
            return -(2.0 ** (self.bits - 1)), 2.0 ** (self.bits - 1) - 1
        most = (2.0**self.register_bits - 1) / self.registers
        return (0.0, most) if sign == "excitatory" else (-most, 0.0)

    def coefficient(self, amplitude: float, step: float) -> Coefficient:
        """Returns the nearest coefficient of a weight change by one spike pair; of two equally near coefficients, the smaller mantissa."""
        wanted = amplitude * self.registers / (step * self.impulse)
        if not wanted:
            return Coefficient(0, self.least)
        exponent = min(max(frexp(wanted)[1] - self.mantissa_bits + 1, self.least), self.greatest)
        mantissa = int(np.clip(round(ldexp(wanted, -exponent)), -self.most, self.most))
        if (
            abs(wanted) > ldexp(self.most + 0.5, exponent) and exponent < self.greatest
        ):  # 7.6 is nearer to 8 = 2^3 than to 7
            mantissa, exponent = int(np.copysign((self.most + 1) // 2, wanted)), exponent + 1
        while mantissa and mantissa % 2 == 0 and exponent < self.greatest:
            mantissa, exponent = mantissa // 2, exponent + 1
        return Coefficient(mantissa, exponent)

    def amplitude(self, coefficient: Coefficient, step: float) -> float:
        """Returns the weight change by one spike pair."""
        return coefficient.value * self.impulse / self.registers * step

    def rounded(self, rule: StdpAttr, sign: SignMode, step: float) -> StdpAttr:
        """Returns the rule that the device computes for weights with a step."""
        given, ends = rule.values, self.ends(sign)
        amplitudes = {name: self.amplitude(self.coefficient(given[name], step), step) for name in AMPLITUDES}
        return StdpAttr.of(**{**given, **amplitudes, **dict(zip(BOUNDS, (end * step for end in ends), strict=True))})

    def has_ends(self, given: Mapping[str, float], sign: SignMode, step: float) -> bool:
        """Returns whether the bounds of a rule are within half a step of the ends of the register."""
        ends = zip(BOUNDS, self.ends(sign), strict=True)
        return step > 0 and all(abs(given[name] - end * step) <= step * BOUND_TOLERANCE_STEPS for name, end in ends)


def pair_rule(device: Device) -> PairRule | None:
    """Returns the first pair STDP of a device with quantized constants; None if it has none, or a number is unknown."""
    for key, rule in (device.plasticity or {}).items():
        if rule.rule == "stdp" and rule.exponent is not None:
            facts = (rule.mantissa_bits, rule.exponent.min, rule.exponent.max, rule.impulse, rule.register_bits)
            mantissa, least, greatest, impulse, register = map(integer, facts)
            bits = device.integer("synapse.bits")
            if mantissa and impulse and register and bits and least is not None and greatest is not None:
                return PairRule(key, mantissa, least, greatest, impulse, bits, register)
    return None


def step_of(op: SynapseOpInterface) -> float | None:
    """Returns the step of the weights of an op; None for reals, and for weights with several steps."""
    quantized, weights = op.quantized_weights, op.weights
    if quantized is None:
        return None if weights is None or weights.data.dtype.kind == "f" else 1.0
    return float(quantized.scale.values.reshape(-1)[0]) if quantized.scale.values.size == 1 else None


def coefficients(op: SynapseOpInterface, pairs: PairRule) -> Mapping[str, Coefficient] | None:
    """Returns the coefficients of a rule that the device computes exactly, by the names of its amplitudes; None for another rule."""
    rule, step = op.pair_rule, step_of(op)
    if (
        rule is None
        or step is None
        or declared_bits(op) != pairs.bits
        or pairs.rounded(rule, sign_of(op), step) != rule
    ):
        return None
    return {name: pairs.coefficient(rule.values[name], step) for name in AMPLITUDES}
