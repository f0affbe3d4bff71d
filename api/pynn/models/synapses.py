"""Synapse types of the back end: static synapses, pairs of spikes with four dependences on the weight, and short-term plasticity.

A rule has one set of numbers; synapses with different numbers become groups, each with its rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from ....core.diagnostics import Code, refuse
from ..bases import (
    AdditiveBase,
    GutigBase,
    MixedBase,
    MultiplicativeBase,
    PairBase,
    StaticBase,
    StdpBase,
    TsodyksMarkramBase,
)
from ..building.records import Rule
from ..populations import own_cells, refuse_feature
from ..requirements import package
from ..simulator import state

PYN006 = Code("PYN006", "pynn-learning-rule-unsupported", "the back end lacks a learning rule of PyNN")

standard: Any = package("pyNN.standardmodels")

WEIGHT_AND_DELAY = (("weight", "weight"), ("delay", "delay"))
PAIRS, DEPRESSION = "pairs", "depression"
"""Rules of `rules.synapse`."""
SHORTEST_MS = 1e-5
"""Least time constant of active resources [ms]: those of a cell without synaptic currents."""


def own_names(model: Any) -> Any:
    """Returns translations that keep the names of all parameters of a model."""
    return standard.build_translations(*((name, name) for name in model.default_parameters))


def least_delay() -> float:
    """Returns the least delay of a synapse [ms]."""
    return state.dt if state.min_delay == "auto" else float(state.min_delay)


class StaticSynapse(StaticBase):
    """Synapse with a fixed weight."""

    translations: Any = own_names(StaticBase)
    rule_parameters: tuple[str, ...] = ()

    def _get_minimum_delay(self) -> float:
        return least_delay()


class TsodyksMarkramSynapse(TsodyksMarkramBase):
    """Synapse that transmits a share of its weight, which spikes deplete and facilitate."""

    translations: Any = own_names(TsodyksMarkramBase)
    rule_parameters: tuple[str, ...] = ("U", "tau_rec", "tau_facil")

    def _get_minimum_delay(self) -> float:
        return least_delay()

    def rule(self, given: Mapping[str, float], tau_syn: float | None) -> Rule:
        """Returns the rule of synapses. Units: tau_syn [ms], the time constant of the receptor; None for steps of the potential."""
        times = {
            "tau_rec": given["tau_rec"],
            "tau_facil": given["tau_facil"],
            "tau_psc": SHORTEST_MS if tau_syn is None else tau_syn,
        }
        numbers = {"use": given["U"]} | {name: value / 1000 for name, value in times.items()}
        return Rule(DEPRESSION, (), tuple(numbers.items()))


class STDPMechanism(StdpBase):
    """Synapse that learns from pairs of spikes."""

    base_translations: Any = standard.build_translations(
        *WEIGHT_AND_DELAY, ("dendritic_delay_fraction", "dendritic_delay_fraction")
    )

    def _get_minimum_delay(self) -> float:
        return least_delay()

    def _build_translations(self) -> None:
        self.translations: Any = {**self.base_translations}  # PyNN 0.13 extends the names of the class
        for part in (self.timing_dependence, self.weight_dependence):
            self.translations.update(getattr(part, "translations", {}))

    @property
    def rule_parameters(self) -> tuple[str, ...]:
        """The names of the numbers of the rule. Errors: PYN006 another rule, or a voltage dependence."""
        timing, weights = self.timing_dependence, self.weight_dependence
        if not isinstance(timing, SpikePairRule) or not isinstance(weights, DEPENDENCES):
            refuse_rule(f"{type(timing).__name__} with {type(weights).__name__}")
        if self.voltage_dependence is not None:
            refuse_rule(f"the voltage dependence {type(self.voltage_dependence).__name__}")
        own = (*timing.default_parameters, *weights.default_parameters)
        return ("dendritic_delay_fraction", *own)

    def rule(self, given: Mapping[str, float], tau_syn: float | None) -> Rule:
        """Returns the rule of synapses. Amplitudes of PyNN are shares of w_max, or of the span between the bounds where the change depends on the weight. Errors: PYN006."""
        kind = self.weight_dependence.dependence
        low, high = given["w_min"], given["w_max"]
        if not low < high:
            refuse_rule(f"w_min of {low:g} and w_max of {high:g}", "w_min below w_max")
        up, down = (high - low if kind in kinds else high for kinds in (GROWS_BY_SPAN, SHRINKS_BY_SPAN))
        numbers = {"a_plus": given["A_plus"] * up, "a_minus": given["A_minus"] * down}
        numbers |= {name: given[name] / 1000 for name in ("tau_plus", "tau_minus")}
        numbers |= {"w_min": low, "w_max": high}
        if kind == "power":
            numbers |= {name: given[name] for name in ("mu_plus", "mu_minus")}
        axonal = 1 - given["dendritic_delay_fraction"]
        return Rule(PAIRS, (("dependence", kind),), tuple(numbers.items()), axonal)


RULES = "SpikePairRule with AdditiveWeightDependence, MultiplicativeWeightDependence, AdditivePotentiationMultiplicativeDepression or GutigWeightDependence"


def refuse_rule(found: str, expected: str = RULES) -> NoReturn:
    """Refuses a learning rule. Errors: PYN006."""
    refuse(
        PYN006,
        expected=expected,
        found=found,
        help="STDPMechanism(timing_dependence=SpikePairRule(), weight_dependence=AdditiveWeightDependence())",
    )


class AdditiveWeightDependence(AdditiveBase):
    """Weights change by a constant, within bounds."""

    translations: Any = own_names(AdditiveBase)
    dependence: str = "additive"


class MultiplicativeWeightDependence(MultiplicativeBase):
    """Weights change in proportion to their distance from the bound."""

    translations: Any = own_names(MultiplicativeBase)
    dependence: str = "multiplicative"


class AdditivePotentiationMultiplicativeDepression(MixedBase):
    """Weights grow by a constant, and shrink in proportion to their distance from w_min."""

    translations: Any = own_names(MixedBase)
    dependence: str = "mixed"


class GutigWeightDependence(GutigBase):
    """Weights change by a power of their distance from the bound."""

    translations: Any = own_names(GutigBase)
    dependence: str = "power"


DEPENDENCES: tuple[Any, ...] = (
    AdditiveWeightDependence,
    MultiplicativeWeightDependence,
    AdditivePotentiationMultiplicativeDepression,
    GutigWeightDependence,
)
GROWS_BY_SPAN, SHRINKS_BY_SPAN = ("multiplicative", "power"), ("multiplicative", "mixed", "power")
"""Dependences whose changes are shares of w_max - w_min."""


class SpikePairRule(PairBase):
    """Each pair of spikes changes a weight by an exponential of their interval."""

    translations: Any = own_names(PairBase)


SYNAPSES: tuple[Any, ...] = (StaticSynapse, STDPMechanism, TsodyksMarkramSynapse)


def own_synapses() -> str:
    """Returns the supported synapse types as text."""
    types: tuple[type, ...] = SYNAPSES
    return ", ".join(one.__name__ for one in types)


def refuse_name(name: str) -> None:
    """Refuses a standard model of PyNN that the back end lacks; returns for other names. Errors: PYN002, PYN006."""
    homes = ("cells", "synapses", "electrodes", "receptors")
    if not any(hasattr(package(f"pyNN.standardmodels.{home}"), name) for home in homes):
        return
    if name.endswith(("Dependence", "Depression", "Rule")):
        refuse_rule(name)
    expected = f"{own_cells()}, {own_synapses()}"
    refuse_feature(f"the standard model {name}", expected, "sim.list_standard_models()")
