"""Synapse types of the back end: static synapses, and the additive pair rule."""

from __future__ import annotations

from typing import Any

from ...core.diagnostics import Code, refuse
from .bases import AdditiveBase, PairBase, StaticBase, StdpBase
from .populations import own_cells, refuse_feature
from .records import Stdp
from .requirements import package
from .simulator import state

PYN006 = Code("PYN006", "pynn-learning-rule-unsupported", "a learning rule is not the additive pair rule")

standard: Any = package("pyNN.standardmodels")

WEIGHT_AND_DELAY = (("weight", "weight"), ("delay", "delay"))


def least_delay() -> float:
    """Returns the least delay of a synapse [ms]."""
    return state.dt if state.min_delay == "auto" else float(state.min_delay)


class StaticSynapse(StaticBase):
    """Synapse with a fixed weight."""

    translations: Any = standard.build_translations(*WEIGHT_AND_DELAY)

    def _get_minimum_delay(self) -> float:
        return least_delay()


class STDPMechanism(StdpBase):
    """Synapse that learns from pairs of spikes."""

    base_translations: Any = standard.build_translations(
        *WEIGHT_AND_DELAY, ("dendritic_delay_fraction", "dendritic_delay_fraction")
    )

    def _get_minimum_delay(self) -> float:
        return least_delay()

    def rule(self) -> Stdp:
        """Returns the pair rule. Errors: PYN006 another rule, or a voltage dependence."""
        timing, weights = self.timing_dependence, self.weight_dependence
        if not isinstance(timing, SpikePairRule) or not isinstance(weights, AdditiveWeightDependence):
            refuse_rule(f"{type(timing).__name__} with {type(weights).__name__}")
        if self.voltage_dependence is not None:
            refuse_rule(f"the voltage dependence {type(self.voltage_dependence).__name__}")
        given: dict[str, float] = {}
        for part in (timing, weights):
            for name, value in part.parameter_space.items():
                if not value.is_homogeneous:
                    refuse_rule(f"a different {name} of each synapse")
                value.shape = (1,)
                given[name] = float(value.evaluate(simplify=True))
        most = given["w_max"]
        return Stdp(
            given["A_plus"] * most,
            given["A_minus"] * most,
            given["tau_plus"],
            given["tau_minus"],
            given["w_min"],
            most,
        )


def refuse_rule(found: str) -> None:
    """Refuses a learning rule. Errors: PYN006."""
    refuse(
        PYN006,
        expected="SpikePairRule with AdditiveWeightDependence, with the same numbers for all synapses",
        found=found,
        help="STDPMechanism(timing_dependence=SpikePairRule(), weight_dependence=AdditiveWeightDependence())",
    )


class AdditiveWeightDependence(AdditiveBase):
    """Weights change by a constant, within bounds."""

    translations: Any = standard.build_translations(("w_min", "w_min"), ("w_max", "w_max"))


class SpikePairRule(PairBase):
    """Each pair of spikes changes a weight by an exponential of their interval."""

    translations: Any = standard.build_translations(
        *((name, name) for name in ("tau_plus", "tau_minus", "A_plus", "A_minus"))
    )


def refuse_name(name: str) -> None:
    """Refuses a standard model of PyNN that the back end lacks; returns for other names. Errors: PYN002, PYN006."""
    homes = ("cells", "synapses", "electrodes", "receptors")
    if not any(hasattr(package(f"pyNN.standardmodels.{home}"), name) for home in homes):
        return
    if name.endswith(("Dependence", "Depression", "Rule")):
        refuse_rule(name)
    expected = f"{own_cells()}, StaticSynapse, STDPMechanism"
    refuse_feature(f"the standard model {name}", expected, "sim.list_standard_models()")
