"""Learning grids of trace products: the constants that a device with sums of products holds, for the weights of an op.

A device computes each product in integers. A spike adds an impulse to a trace, or its largest value, which sets it; a weight is the register of `stdp_quantization.py`:

    register += ((mantissa * factors) >> shift) * 2^exponent        shift = max(0, bits of the mantissa and of all factors - product_bits)

1. A constant of a rule is mantissa * 2^(exponent - shift), in units of the register and of the impulses.
2. The traces of a tick hold the impulses of its spikes. Those of the own neuron are subtracted in the factor; that of the other neuron by a second product, in
   which the trace is its impulse. Both need an exponent of the device.
3. A constant below the least exponent is that of a wider product: the spike of its event is a factor again, which is 1, until its shift makes up for the exponent.
4. An integer is added to a weight: even, from -256 to 254.

Exactness: a constant on the grid stays what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from ...core.device.records import Device
from ...core.device.synapse_records import SignMode
from ...dialects.chip_base.formats import integer
from ...dialects.equations.trace_products import (
    BOUNDS,
    WEIGHT,
    TraceProduct,
    TraceRule,
    is_trace,
)
from .stdp_quantization import Coefficient, PairRule

SPIKE_BITS, MOST_SHIFT = 1, 32
CENTRE_STEP, CENTRE_LOW, CENTRE_HIGH = 2, -256, 254
"""Integers that can be added to a weight [registers]. Source: those of Lava's product_series.py, W_CONST and the factor 2 of `w`."""
MOST_WIDENING = 8
"""Spikes that widen a product."""


@frozen
class ProductTerm:
    """A product as a device computes it: mantissa * 2^exponent * factors, each a variable with an integer that is added; x0 and y0 are the spikes of a tick."""

    mantissa: int
    exponent: int
    factors: tuple[tuple[str, int], ...]


@frozen
class ProductNumbers:
    """The numbers of a device that computes sums of products."""

    key: str
    """The name of the rule in the device file."""
    traces: tuple[str, ...]
    trace_bits: int
    product_bits: int
    grid: PairRule
    """The numbers that are those of a pair rule: constants, impulse and registers."""
    tables: dict[tuple[TraceProduct, frozenset[str]], dict[float, Coefficient]] = field(
        factory=dict[tuple[TraceProduct, frozenset[str]], dict[float, Coefficient]], eq=False, repr=False
    )
    """Constants by product."""

    @property
    def path(self) -> str:
        return f"plasticity.{self.key}"

    @property
    def mantissa_bits(self) -> int:
        return self.grid.mantissa_bits

    @property
    def setting_impulse(self) -> int:
        """Returns the impulse that sets a trace, since it saturates."""
        return 2**self.trace_bits - 1

    def impulse(self, rule: TraceRule, trace: str) -> int:
        return self.setting_impulse if trace in rule.nearest else self.grid.impulse

    def unit(self, step: float) -> float:
        """Returns the number of the network that a register of 1 is."""
        return step / self.grid.registers

    def scale(self, rule: TraceRule, product: TraceProduct, step: float) -> float:
        """Returns the constant of a product that is 1 on the device."""
        found = 1.0 if WEIGHT in product.factors else self.unit(step)
        for trace in product.traces:
            found *= self.impulse(rule, trace)
        return found

    # ---- terms

    def terms(
        self, rule: TraceRule, product: TraceProduct, value: Coefficient, centre: int = 0
    ) -> list[ProductTerm] | None:  # 2
        """Returns the products of a device for a constant; None if it holds none of them. The centre is subtracted from the register of the weight."""
        event = "y0" if product.event == "post" else "x0"
        own = [(one, -self.impulse(rule, one)) for one in product.traces if one not in product.crossing]
        rest = [*own, *([(WEIGHT, -centre)] if WEIGHT in product.factors else [])]
        parts = [(value.mantissa, 0, [(one, 0) for one in product.crossing] + rest)]
        for trace in product.crossing:  # at most one
            other = "x0" if event == "y0" else "y0"
            parts += [(-n, k, [(other, 0), *rest]) for n, k in self.times(value.mantissa, self.impulse(rule, trace))]
        found: list[ProductTerm] = []
        for mantissa, power, factors in parts:
            term = self.term(mantissa, value.exponent + power, [(event, 0), *factors])
            if term is None:
                return None
            found.append(term)
        return found

    def times(self, mantissa: int, impulse: int) -> list[tuple[int, int]]:
        """Returns mantissas and powers of 2 whose sum is a mantissa times an impulse: one, or two for an impulse below a power of 2."""
        power = (impulse & -impulse).bit_length() - 1
        if abs(mantissa * (impulse >> power)) <= self.grid.most:
            return [(mantissa * (impulse >> power), power)]
        above = impulse + 1
        is_power = above & (above - 1) == 0
        return [(mantissa, above.bit_length() - 1), (-mantissa, 0)] if is_power else [(mantissa * impulse, 0)]

    def term(self, mantissa: int, exponent: int, factors: Sequence[tuple[str, int]]) -> ProductTerm | None:  # 3
        """Returns a product with the exponent that its shift needs; the first factor is the event, which has no width."""
        widths = {WEIGHT: self.grid.register_bits + 1, "x0": SPIKE_BITS, "y0": SPIKE_BITS}
        bits = self.grid.mantissa_bits + sum(widths.get(name, self.trace_bits) for name, _ in factors[1:])
        while mantissa and mantissa % 2 == 0:
            mantissa, exponent = mantissa // 2, exponent + 1
        shift = max(0, bits - self.product_bits)
        spikes = 0
        while exponent + shift < self.grid.least and spikes < MOST_WIDENING:
            spikes += 1
            shift = max(0, bits + spikes - self.product_bits)
        exponent += shift
        while exponent > self.grid.greatest and abs(2 * mantissa) <= self.grid.most:
            mantissa, exponent = mantissa * 2, exponent - 1
        is_held = self.grid.least <= exponent <= self.grid.greatest and abs(mantissa) <= self.grid.most
        widened = (*factors, *[factors[0]] * spikes)
        return ProductTerm(mantissa, exponent, widened) if is_held or not mantissa else None

    # ---- numbers

    def coefficients(self, rule: TraceRule, product: TraceProduct) -> Iterator[Coefficient]:
        """Yields the constants of a product that the device holds, other than 0."""
        for exponent in range(self.grid.least - MOST_SHIFT, self.grid.greatest + 1):
            for mantissa in range(1, self.grid.most + 1):
                value = Coefficient(mantissa, exponent)
                if self.terms(rule, product, value) is not None:
                    yield value

    def known(self, rule: TraceRule, product: TraceProduct) -> dict[float, Coefficient]:
        """Returns the constants of a product by their values, in their order, with 0."""
        key = product, rule.nearest & {*product.traces}
        if key not in self.tables:
            found = {one.value: one for one in self.coefficients(rule, product)}
            self.tables[key] = {
                0.0: Coefficient(0, self.grid.least),
                **{value: found[value] for value in sorted(found)},
            }
        return self.tables[key]

    def nearest(self, rule: TraceRule, product: TraceProduct, value: float, step: float) -> Coefficient:
        """Returns the nearest constant that the device holds; of two equally near ones, the smaller."""
        table, wanted = self.known(rule, product), abs(value) / self.scale(rule, product, step)
        best = table[min(table, key=lambda one: (abs(one - wanted), one))]
        return Coefficient(-best.mantissa if value < 0 else best.mantissa, best.exponent)

    def rounded_constant(self, rule: TraceRule, product: TraceProduct, value: float, step: float) -> float:
        """Returns the nearest constant that the device holds, as a number of the network."""
        found = self.nearest(rule, product, value, step)
        return found.value * self.scale(rule, product, step)

    def centre(self, value: float, step: float) -> int:  # 4
        """Returns the nearest integer that can be subtracted from a register."""
        whole = CENTRE_STEP * round(value / self.unit(step) / CENTRE_STEP)
        return min(max(whole, -CENTRE_HIGH), -CENTRE_LOW)

    def has_centre(self, value: float, step: float) -> bool:
        """Returns whether a number is near one that can be subtracted from a register."""
        return abs(self.centre(value, step) * self.unit(step) - value) <= CENTRE_STEP * self.unit(step)

    def rounded(self, rule: TraceRule, given: Mapping[str, float], sign: SignMode, step: float) -> dict[str, float]:
        """Returns the numbers of a rule that the device computes for weights with a step."""
        found = dict(given)
        for product in rule.products:
            found[product.name] = self.rounded_constant(rule, product, given[product.name], step)
            if product.centre is not None:
                found[product.centre] = self.centre(given[product.centre], step) * self.unit(step)
        ends = (end * step for end in self.grid.ends(sign))
        return found | dict(zip(BOUNDS, ends, strict=True))


def product_numbers(device: Device) -> ProductNumbers | None:
    """Returns the first sum of products of a device with quantized constants; None if it has none, or a number is unknown."""
    for key, rule in (device.plasticity or {}).items():
        if rule.rule != "programmable" or rule.exponent is None or not all(map(is_trace, rule.traces)):
            continue
        facts = (rule.mantissa_bits, rule.exponent.min, rule.exponent.max, rule.impulse, rule.register_bits)
        mantissa, least, greatest, impulse, register = map(integer, facts)
        bits, trace_bits = device.integer("synapse.bits"), integer(rule.trace_bits)
        if not (mantissa and impulse and register and bits and trace_bits) or least is None or greatest is None:
            continue
        product_bits = integer(rule.product_bits)
        grid = PairRule(key, mantissa, least, greatest, impulse, bits, register)
        return ProductNumbers(key, rule.traces, trace_bits, 64 if product_bits is None else product_bits, grid)
    return None
