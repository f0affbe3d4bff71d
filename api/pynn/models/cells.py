"""Cell types of the back end. Their parameters have PyNN's names and units."""

from __future__ import annotations

from typing import Any

from ..bases import (
    AdaptiveBase,
    ArrayBase,
    CondAlphaBase,
    CondExpBase,
    CurrAlphaBase,
    CurrDeltaBase,
    CurrExpBase,
    EifAlphaBase,
    EifExpBase,
    IonicBase,
    IzhikevichBase,
    PoissonBase,
)
from ..requirements import package

standard: Any = package("pyNN.standardmodels")

V = "v"
"""The recordable membrane potential."""
CONDUCTANCES = "gsyn_exc", "gsyn_inh"
"""Recordable conductances. Their rows have the values at the start of a tick, with the weights that arrive."""


def own_names(cell: Any) -> Any:
    """Returns translations that keep the names of all parameters of a cell type."""
    return standard.build_translations(*((name, name) for name in cell.default_parameters))


class IF_curr_exp(CurrExpBase):
    """Leaky integrate-and-fire neuron with exponential currents, integrated exactly."""

    translations: Any = own_names(CurrExpBase)
    recordable: list[str] = ["spikes", V]


class IF_curr_alpha(CurrAlphaBase):
    """Leaky integrate-and-fire neuron with currents of alpha functions, integrated exactly."""

    translations: Any = own_names(CurrAlphaBase)
    recordable: list[str] = ["spikes", V]


class IF_curr_delta(CurrDeltaBase):
    """Leaky integrate-and-fire neuron whose synapses change v in steps [mV]."""

    translations: Any = own_names(CurrDeltaBase)
    recordable: list[str] = ["spikes", V]


class IF_cond_exp(CondExpBase):
    """Leaky integrate-and-fire neuron with exponential conductances, which are constant within a tick."""

    translations: Any = own_names(CondExpBase)
    recordable: list[str] = ["spikes", V, *CONDUCTANCES]


class IF_cond_alpha(CondAlphaBase):
    """Leaky integrate-and-fire neuron with conductances of alpha functions, which are constant within a tick."""

    translations: Any = own_names(CondAlphaBase)
    recordable: list[str] = ["spikes", V, *CONDUCTANCES]


class IF_cond_exp_gsfa_grr(AdaptiveBase):
    """IF_cond_exp with conductances of adaptation and of a relative refractory period."""

    translations: Any = own_names(AdaptiveBase)
    recordable: list[str] = ["spikes", V, *CONDUCTANCES]


class EIF_cond_exp_isfa_ista(EifExpBase):
    """Adaptive exponential neuron with exponential conductances, by a Runge-Kutta step in a tick."""

    translations: Any = own_names(EifExpBase)
    recordable: list[str] = ["spikes", V, "w", *CONDUCTANCES]


class EIF_cond_alpha_isfa_ista(EifAlphaBase):
    """Adaptive exponential neuron with conductances of alpha functions, by a Runge-Kutta step in a tick."""

    translations: Any = own_names(EifAlphaBase)
    recordable: list[str] = ["spikes", V, "w", *CONDUCTANCES]


class Izhikevich(IzhikevichBase):
    """Neuron of Izhikevich, by a step of Euler's method in a tick. Weights are steps of v [mV]."""

    translations: Any = own_names(IzhikevichBase)
    recordable: list[str] = ["spikes", V, "u"]


class HH_cond_exp(IonicBase):
    """Hodgkin-Huxley neuron with exponential conductances, by Strang splitting of potential and gates."""

    translations: Any = own_names(IonicBase)
    recordable: list[str] = ["spikes", V, *CONDUCTANCES]


class SpikeSourceArray(ArrayBase):
    """Source of given spikes; times are rounded to ticks."""

    translations: Any = own_names(ArrayBase)


class SpikeSourcePoisson(PoissonBase):
    """Source of random spikes with a given rate [Hz]."""

    translations: Any = own_names(PoissonBase)


CELLS: tuple[Any, ...] = (
    IF_curr_exp,
    IF_curr_alpha,
    IF_curr_delta,
    IF_cond_exp,
    IF_cond_alpha,
    IF_cond_exp_gsfa_grr,
    EIF_cond_exp_isfa_ista,
    EIF_cond_alpha_isfa_ista,
    Izhikevich,
    HH_cond_exp,
)
SOURCES: tuple[Any, ...] = (SpikeSourceArray, SpikeSourcePoisson)
