"""Rounds the weights of each sign into a population to integers that have one power of two as their scale, as sPyNNaker does.

    %s = ntensor.linear "fc" %x {weight = [0.5, -0.26]}
      =>
    %s = ntensor.linear "fc" %x {weight = [16384, -17039], quantized = <16, scale [2^-15, 2^-16]>}

1. A population has a ring buffer for each sign, whose entries are sums of weights. The largest sum W that is expected in a tick decides the
   shift of a ring buffer: the least s >= 0 with W < 2^s, for weights as the chip has them. `_ring_buffers.py` computes W from all projections,
   with the rates of a calibration where a projection has several delays.
2. Weights of the chip are those of the network times a power of two, with which the larger of both shifts is `shift`.
3. The integer of a weight is round(|w| * 2^(15 - s)), ties to even. It is below 2^15.
4. A bias counts as a projection from a source that is always active, and gets the scale of its sign.
5. With `per=neuron` the weights into each neuron, or channel, are first multiplied by a power of two, with which the largest of them has the size of the largest of the
   population, up to 2^10. The resistance of the neuron's membrane is divided by it later: its unit is as much smaller. Both signs then have the larger shift. Populations with
   weights that learn have one factor, and two shifts.
6. Populations that share synapses share both scales. A population whose weights are integers of one scale already keeps them, if a ring buffer holds
   their expected sum.
7. The sum itself can exceed 2^16 - 1, where a ring buffer saturates. The neuron of the device does so, too, and `convert-machine-to-spinnaker` warns.

The errors of all weights and biases that changed are recorded, with the rates where W is less than the largest sum.

Errors: NTE009 a network in continuous time; QUA032 an option out of range; QUA030 a weight that is not finite. Warnings: ANA028, ANA029, ANA030,
ANA026, ANA027 weights and biases that are lost.
Source: sPyNNaker 7.4.1, models/neuron/population_vertex.py: get_ring_buffer_shifts, get_weight_scales.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.disjoint_set import DisjointSet

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import name_of
from ....analysis.rounding_losses import RoundedWeights, report_bias, report_weights
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.arrays.elementwise import map_blocks, used_numbers
from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ....core.fixed_point import Interval
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import element_type
from ....core.ir.pipeline import NoptPass, option_text, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ._ring_buffers import (
    Afferents,
    Rates,
    RealsByOp,
    Sum,
    afferents,
    expected_sum,
    greatest_weight,
    largest_sum,
    powers,
)
from ._weight_groups import check_readable, is_weighted, together
from .scales._weight_scales import merged, spread_scale

QUA032 = Code(
    "QUA032", "buffer-option-out-of-range", "an option of ring buffers is out of range", exit_code=ExitCode.MISUSED
)

GRID_BITS = 16
"""Bits of the integers, with the sign that selects the receptor."""
LARGEST_HALF = 2.0**126
"""The size below which a number of f32 can be doubled."""
FRACTION = 15
"""Bits of the fraction of a current. Source: sPyNNaker, s16.15."""
ROUNDS = 8
"""Times that a shift grows because rounded weights are larger."""
MOST_FACTOR = 10
"""The exponent of the largest power of two that multiplies the weights of a neuron: a resistance that is divided by more is rounded too much."""
LEAST_EXPONENT = -1074
"""The exponent of the least positive float."""
SIGNS = 1, -1


@dataclass(frozen=True)
class NtensorQuantizeReceptorsPass(NoptPass):
    """Quantizes the weights into the populations of every `ntensor.network`, by their signs.

    Options:
        shift: that of the larger ring buffer of a population, 0 to 12, default 6. More bits of a current are below the least bit of a weight, and
            fewer are left for large currents.
        spare-bits: 0 to 8, default 0. Each doubles the sum that a ring buffer holds without saturation, and makes weights coarser by one bit.
        rate [Hz]: the expected rate of a source at ticks of 1 ms; only for projections with several delays. 1000 holds the largest sum. Default that of
            a calibration, where a source that it does not know spikes in every tick, else 30.
        sigma: the standard deviations above the mean that a sum may have, default 5; likewise.
        per: the weights that share the scales of both signs: `population`, or `neuron`; default population. `neuron` rounds less where the sizes of weights differ
            between neurons; neurons need a resistance of their own.
    """

    name = "ntensor-quantize-receptors"
    APPROXIMATES = ("precision",)
    shift: int = 6
    spare_bits: int = 0
    rate: float | None = None
    sigma: float = 5.0
    per: Literal["population", "neuron"] = "population"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check_options()
        for network in networks(op):
            rates = Rates(network, self.rate)
            groups = population_groups(network, rates)
            check_readable([each for one in groups for each in one.ops], [one.ops for one in groups])
            errors = Errors()
            changed = [one for one in groups if not one.is_quantized(self.sigma)]
            factors = neuron_factors(network, changed) if self.per == "neuron" else {}
            is_bound = [self.quantize(one, factors, errors, diagnostics_of(ctx)) for one in changed]
            what = "weights of each sign on the grid of a ring buffer"
            errors.record(
                network, pass_text(self), f"{what}, whose sums are those of {rates.text}" if any(is_bound) else what
            )

    def check_options(self) -> None:
        for name, low, high, default in (
            ("shift", 0, 12, 6),
            ("spare_bits", 0, 8, 0),
            ("rate", 0.001, 1000.0, None),
            ("sigma", 0.0, 100.0, 5.0),
        ):
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                text = option_text(value)
                help = suggest_pass(replace(self, **{name: default}))
                refuse(
                    QUA032,
                    at=f"{name.replace('_', '-')}={text}",
                    expected=f"{low:g} to {high:g}",
                    found=text,
                    help=help,
                )

    def quantize(self, group: Group, factors: RealsByOp, errors: Errors, diagnostics: Diagnostics) -> bool:
        """Rounds the weights and biases of a group. Returns whether an expected sum is less than the largest possible sum."""
        before = {op: enlarged(real_values(op), factors.get(op)) for op in group.ops}
        of_biases = {op: output_factors(op, factors.get(op)) for op in group.ops}
        biases = {op: bias * of_biases[op] for op in group.ops if (bias := real_bias(op)) is not None}
        exponents = self.final_exponents(group, before, biases)
        self.replace_weights(before, factors, exponents, errors, diagnostics)
        for op, bias in biases.items():
            moved, step = (one / of_biases[op] for one in (rounded(bias, exponents), grid_scale(bias, exponents)))
            bias = bias / of_biases[op]
            report_bias(op, bias, moved, step, Interval.signed(GRID_BITS), diagnostics)
            if (lost := np.abs(moved - bias)).any():
                given = op.optional_array("bias")
                assert given is not None  # it has one
                op.properties["bias"] = ArrayAttr.of(moved.astype(given.values.dtype))
                errors.add(name_of(op), lost)
        return any(
            one.is_bound for one in group.sums(before, biases, self.sigma, unit_of(before, biases) or 0).values()
        )

    def replace_weights(
        self,
        before: RealsByOp,
        factors: RealsByOp,
        exponents: tuple[int, int],
        errors: Errors,
        diagnostics: Diagnostics,
    ) -> None:
        """Rounds the weights of a group."""
        roundings: list[RoundedWeights] = []
        for op, values in before.items():
            integers, scale = on_grid(values, exponents), grid_scale(values, exponents)
            factor, given = factors.get(op), values
            if factor is not None:
                scale, given = scale / factor, real_values(op)
            after = map_blocks(np.multiply, rounded_dtype(given, exponents), integers, scale)
            roundings.append(RoundedWeights(op, given, after, scale, dtype=np.dtype(np.float64)))
            if factor is None and integers.any():
                used = (integers > 0).any(), (integers < 0).any()
                one = np.unique([2.0**exponent for exponent, is_used in zip(exponents, used, strict=True) if is_used])
            else:
                one = used_numbers(scale, integers != 0) if integers.any() else np.unique(scale)[:1]
            rows = scale if factor is None else 2.0 ** exponents[0] / factor
            held = np.array(one[0] if len(one) == 1 else rows, np.float64, order="C")
            op.replace_weights(ArrayAttr.of(integers), ntensor.QuantizedAttr.of(GRID_BITS, held))
            if not np.array_equal(after, given):
                errors.add_differences(name_of(op), after, given)
        report_weights(roundings, diagnostics)

    def final_exponents(self, group: Group, before: RealsByOp, biases: RealsByOp) -> tuple[int, int]:
        """Returns the scale exponents with which the sums of rounded weights fit, too."""
        grown = self.spare_bits, self.spare_bits
        exponents = self.exponents(group, before, biases, grown)
        for _ in range(ROUNDS):
            after, moved = ({op: rounded(one, exponents) for op, one in given.items()} for given in (before, biases))
            again = self.exponents(group, after, moved, grown)
            more = [max(0, new - old) for new, old in zip(again, exponents, strict=True)]
            if not any(more):
                break
            grown = grown[0] + more[0], grown[1] + more[1]
            exponents = self.exponents(group, before, biases, grown)
        return exponents

    def exponents(
        self,
        group: Group,
        weights: RealsByOp,
        biases: RealsByOp,
        grown: tuple[int, int],
    ) -> tuple[int, int]:
        """Returns the scale exponents of positive and negative weights."""  # 1, 2
        found, unit = np.full(2, -np.inf), unit_of(weights, biases)
        if unit is None:
            return 0, 0
        for (_, sign), total in group.sums(weights, biases, self.sigma, unit).items():
            k = SIGNS.index(sign)
            found[k] = max(found[k], powers(total.value) + unit + grown[k])
        largest = found.max()
        shifts = np.maximum(self.shift + found - largest, 0)  # a ring buffer without weights has the shift 0
        each = shifts - FRACTION - (self.shift - largest)
        if self.per == "neuron" and not group.learns:
            each = np.full(2, each.max())  # 5
        return max(int(each[0]), LEAST_EXPONENT), max(int(each[1]), LEAST_EXPONENT)


class Group:
    """Populations that share synapses, with the synapses into each of them."""

    def __init__(self, populations: Sequence[Afferents]):
        self.populations = populations
        self.ops = list(dict.fromkeys(op for inputs in populations for op in inputs.ops))

    @property
    def learns(self) -> bool:
        return any(op.learning_rule is not None for op in self.ops)

    def sums(self, weights: RealsByOp, biases: RealsByOp, sigma: float, unit: int) -> dict[tuple[int, int], Sum]:
        """Returns the sums that are expected, by population and sign, in units of 2^unit."""
        each = list(enumerate(self.populations))
        return {(n, k): expected_sum(one, weights, biases, k, sigma, unit) for n, one in each for k in SIGNS}

    def is_quantized(self, sigma: float) -> bool:
        """Returns whether all weights are already integers of one scale with sums that fit into a ring buffer."""
        formats = [op.quantized_weights for op in self.ops]
        known = [one for one in formats if one is not None and not one.has_zero and one.bits.data <= GRID_BITS]
        scales = np.unique(np.concatenate([np.zeros(0), *(one.scale.values.reshape(-1) for one in known)]))
        if len(known) != len(formats) or len(scales) != 1 or not all(real_bias(op) is None for op in self.ops):
            return False
        steps = {op: op.weight_steps().values for op in self.ops}
        expected = max((one.value for one in self.sums(steps, {}, sigma, 0).values()), default=0.0)
        return min(expected, *(largest_sum(one, steps) for one in self.populations)) < 2**GRID_BITS


def population_groups(network: ntensor.NetworkOp, rates: Rates) -> list[Group]:
    """Returns the groups of a network, in its order."""  # 5
    inputs = {op: afferents(op, is_weighted, rates) for op in network.populations}
    sets, reader = DisjointSet(list(inputs)), dict[ntensor.SynapseOpInterface, ntensor.NeuronOp]()  # pyrefly: ignore[bad-specialization]
    for population, found in inputs.items():
        for one in found.projections:
            sets.union(population, reader.setdefault(one.op, population))
    members: dict[ntensor.NeuronOp, list[Afferents]] = {}
    for population, found in inputs.items():
        if found.projections:
            members.setdefault(sets.find(population), []).append(found)
    return [Group(one) for one in members.values()]


def neuron_factors(network: ntensor.NetworkOp, groups: Sequence[Group]) -> dict[ntensor.SynapseOpInterface, Reals]:
    """Returns the power of two that multiplies each weight, such that the largest weights into neurons of a group have one size. Shapes: broadcast to the weights."""  # 5
    found: dict[ntensor.SynapseOpInterface, Reals] = {}
    for group in groups:
        if group.learns:
            continue
        for lines in together(network, group.ops, "neuron"):
            sizes = [one.reduced(np.maximum, np.abs(real_values(one.op)), 0.0) for one in lines.lines]
            reach = merged(lines, np.maximum, sizes)
            exponent = np.frexp(reach)[1]
            most = exponent[reach > 0].max(initial=LEAST_EXPONENT)
            factor = np.ldexp(1.0, np.where(reach > 0, np.minimum(most - exponent, MOST_FACTOR), 0))
            found |= {one.op: spread_scale(one, lines, factor) for one in lines.lines}
    return found


def output_factors(op: ntensor.SynapseOpInterface, factors: Reals | None) -> Reals:
    """Returns the factor of each output of an op. Shapes: broadcast to its bias."""
    if factors is None:
        return np.ones(())
    found = op.output_numbers(factors)
    assert found is not None  # one factor for each line
    return np.where(np.isnan(found), 1.0, found)


def unit_of(weights: RealsByOp, biases: RealsByOp) -> int | None:
    """Returns the exponent of a unit that makes the largest weight less than 1, so that no sum overflows; None if all weights are 0."""
    bounds = [most for op in weights if (most := greatest_weight(op)) is not None]
    ends = [
        float(abs(end)) for one in (*weights.values(), *biases.values()) if one.size for end in (one.min(), one.max())
    ]
    most = max(*bounds, *ends, 0.0, 0.0)
    return int(powers(most)) if most > 0 else None


def real_values(op: ntensor.SynapseOpInterface) -> AnyArray:
    """Returns the weights as they are computed with; reals of fewer bits are not widened."""
    dtype, values = dtype_of(element_type(op.y)), op.weight_values().values
    assert dtype is not None  # is_weighted
    return values if values.dtype.kind == "f" and np.can_cast(values.dtype, dtype) else values.astype(dtype)


def real_bias(op: ntensor.SynapseOpInterface) -> Reals | None:
    given = op.optional_array("bias")
    return None if given is None or not given.values.any() else given.values.astype(np.float64)


def enlarged(values: AnyArray, factor: Reals | None) -> AnyArray:
    """Returns values times powers of two, in their type if it holds the products."""
    if factor is None:
        return values
    fits = values.dtype == np.float32 and max(abs(values.max(initial=0)), abs(values.min(initial=0))) < LARGEST_HALF
    return map_blocks(np.multiply, np.float32 if fits else np.float64, values, factor)


def grid_scale(values: AnyArray, exponents: tuple[int, int]) -> Reals:
    """Returns the scale of each number, or of all if both signs have the same."""
    positive, negative = (2.0**exponent for exponent in exponents)
    return np.asarray(positive) if positive == negative else np.where(values < 0, negative, positive)


def on_grid(values: AnyArray, exponents: tuple[int, int]) -> AnyArray:
    """Returns integers with their signs."""  # 3
    most = 2 ** (GRID_BITS - 1) - 1

    def quotients(block: AnyArray) -> AnyArray:
        return np.clip(np.rint(block.astype(np.float64) / grid_scale(block, exponents)), -most, most)

    return map_blocks(quotients, np.int16, values)


def rounded_dtype(values: AnyArray, exponents: tuple[int, int]) -> type[np.float32 | np.float64]:
    """Returns the type of rounded values: that of the values if it holds all integers times their scales, even divided by the largest factor."""
    limits = np.finfo(np.float32)
    is_exact = min(exponents) - MOST_FACTOR >= limits.minexp and max(exponents) + GRID_BITS < limits.maxexp
    return np.float32 if is_exact and values.dtype == np.float32 else np.float64


def rounded(values: AnyArray, exponents: tuple[int, int]) -> AnyArray:
    """Returns values on the grid."""

    def products(block: AnyArray) -> AnyArray:
        return on_grid(block, exponents) * grid_scale(block, exponents)

    return map_blocks(products, rounded_dtype(values, exponents), values)
