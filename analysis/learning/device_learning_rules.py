"""Learning rules that a device with quantized learning computes: pair STDP and trace products, for the weights of an op.

| rule of the op | rule of the device | grid |
| --- | --- | --- |
| `#nir.stdp` | `stdp` with constants of mantissas | `stdp_quantization.py` |
| trace products | `programmable` with traces and constants of mantissas | `product_quantization.py` |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen
from xdsl.ir import Operation

from ...core.device.records import Device
from ...core.device.synapse_records import SignMode
from ...dialects.chip_base.needs import declared_bits
from ...dialects.chip_base.weights import sign_of
from ...dialects.equations.trace_products import BOUNDS, products_of
from ...dialects.nir import StdpAttr
from ...dialects.ntensor import LearningAttr, SynapseOpInterface
from .product_quantization import ProductNumbers, product_numbers
from .stdp_quantization import AMPLITUDES, Coefficient, PairRule, pair_rule, step_of


@frozen
class Constant:
    """A constant of a rule, with the least and the greatest of the device other than 0."""

    name: str
    value: float
    least: float
    most: float


def has_grid_rule(op: Operation) -> bool:
    """Returns whether the weights of an op change by a rule whose constants devices round."""
    return isinstance(op, SynapseOpInterface) and (op.pair_rule is not None or products_of(op) is not None)


@frozen
class LearningGrid:
    """The numbers of a device for the rules of ops."""

    pairs: PairRule | None
    products: ProductNumbers | None

    @staticmethod
    def of(device: Device) -> LearningGrid:
        return LearningGrid(pair_rule(device), product_numbers(device))

    def numbers(self, op: SynapseOpInterface) -> PairRule | ProductNumbers | None:
        """Returns the numbers for the rule of an op; None if the device has none, or for another rule."""
        if op.pair_rule is not None:
            return self.pairs
        return self.products if products_of(op) is not None else None

    def registers(self, op: SynapseOpInterface) -> PairRule | None:
        """Returns the registers of weights that change by the rule of an op."""
        found = self.numbers(op)
        return found.grid if isinstance(found, ProductNumbers) else found

    def ends(self, op: SynapseOpInterface) -> tuple[float, float]:
        """Returns the ends of the register of the weights of an op. Units: [steps]."""
        registers = self.registers(op)
        assert registers is not None  # a rule on the grid
        return registers.ends(sign_of(op))

    def step_of(self, op: SynapseOpInterface) -> float:
        """Returns the weight step that maps the distance of a rule's bounds to the range of the register; 0 for equal bounds."""
        low, high = self.ends(op)
        given = rule_values(op)
        return (given["w_max"] - given["w_min"]) / (high - low)

    def has_bounds(self, op: SynapseOpInterface, step: float) -> bool:
        """Returns whether both bounds of a rule are within half a step of the ends of the register."""
        registers = self.registers(op)
        assert registers is not None  # a rule on the grid
        return registers.has_ends(rule_values(op), sign_of(op), step)

    def rounded(self, op: SynapseOpInterface, step: float) -> StdpAttr | LearningAttr | None:
        """Returns the rule that the device computes for weights with a step; None for a rule without a grid."""
        sign: SignMode = sign_of(op)
        numbers, given, rule = self.numbers(op), op.learning_rule, products_of(op)
        if isinstance(numbers, PairRule) and isinstance(given, StdpAttr):
            return numbers.rounded(given, sign, step)
        if isinstance(numbers, ProductNumbers) and isinstance(given, LearningAttr) and rule is not None:
            return LearningAttr.of(given.symbol, numbers.rounded(rule, given.values, sign, step), {})
        return None

    def device_rule(self, op: SynapseOpInterface) -> StdpAttr | LearningAttr | None:
        """Returns the rule of an op as the device computes it; None without such a rule, and for weights with several steps or other bits than the device's."""
        step, registers = step_of(op), self.registers(op)
        if registers is None or step is None or declared_bits(op) != registers.bits:
            return None
        return self.rounded(op, step)

    def constants(self, op: SynapseOpInterface, step: float) -> Iterator[Constant]:
        """Yields the constants of a rule with the range of the device."""
        numbers, given, rule = self.numbers(op), rule_values(op), products_of(op)
        if isinstance(numbers, PairRule):
            least = numbers.amplitude(Coefficient(1, numbers.least), step)
            most = numbers.amplitude(Coefficient(numbers.most, numbers.greatest), step)
            yield from (Constant(name, given[name], least, most) for name in AMPLITUDES)
        elif isinstance(numbers, ProductNumbers) and rule is not None:
            for product in rule.products:
                held = [*numbers.known(rule, product)][1:]
                scale = numbers.scale(rule, product, step)
                yield Constant(product.name, given[product.name], held[0] * scale, held[-1] * scale)


def rule_values(op: SynapseOpInterface) -> Mapping[str, float]:
    """Returns the numbers of the rule of an op by name, those of `BOUNDS` among them."""
    given = op.learning_rule
    assert given is not None  # asked before
    assert given.values.keys() >= {*BOUNDS}  # rules with a grid
    return given.values
