"""Learning of a synapse op: the rule, its parameters, and the signals that modulate it.

    %y = ntensor.linear "fc" %x {weight = …, plasticity = #ntensor.learning<@triplet, {a2_plus = 0.01, …}, {reward = "dopamine"}>}

1. The first dictionary has the raw parameters of the rule, and `seed` if the rule draws random numbers.
2. The second one has the input or node of the network for each modulator.
3. `#nir.stdp` in the same property is the shipped rule `stdp` with its six parameters.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, StringAttr, SymbolRefAttr, f64
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

SEED = "seed"
"""The parameter that starts the random numbers of a rule."""


@irdl_attr_definition
class LearningAttr(ParametrizedAttribute):
    """A rule by symbol, its raw parameters, and the signal of each modulator.

    Units: those that the rule declares.
    """

    name = "ntensor.learning"
    rule: SymbolRefAttr
    params: DictionaryAttr
    signals: DictionaryAttr

    @staticmethod
    def of(rule: str, params: Mapping[str, float], signals: Mapping[str, str]) -> LearningAttr:
        numbers = DictionaryAttr({name: FloatAttr(value, f64) for name, value in params.items()})
        return LearningAttr(
            SymbolRefAttr(rule), numbers, DictionaryAttr({name: StringAttr(one) for name, one in signals.items()})
        )

    @property
    def symbol(self) -> str:
        return self.rule.root_reference.data

    @property
    def values(self) -> dict[str, float]:
        """Returns the raw parameters by name."""
        return {name: one.value.data for name, one in self.params.data.items() if isinstance(one, FloatAttr)}

    @property
    def modulators(self) -> dict[str, str]:
        """Returns the input or node of each modulator, by the name of the modulator."""
        return {name: one.data for name, one in self.signals.data.items() if isinstance(one, StringAttr)}

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            symbol = parser.parse_symbol_name()
            found: list[Attribute] = [SymbolRefAttr(symbol)]
            for kind, what in ((FloatAttr, "numbers of f64"), (StringAttr, "texts")):
                entries = DictionaryAttr({})
                if parser.parse_optional_punctuation(",") is not None:
                    at, given = parser.pos, parser.parse_attribute()
                    if not isinstance(given, DictionaryAttr) or not all(
                        isinstance(one, kind) for one in given.data.values()
                    ):
                        parser.raise_error(f"expected a dictionary of {what}", at, parser.pos)
                    entries = given
                found.append(entries)
        return found

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.rule)
            if self.params.data or self.signals.data:
                printer.print_string(", ")
                printer.print_attribute(self.params)
            if self.signals.data:
                printer.print_string(", ")
                printer.print_attribute(self.signals)
