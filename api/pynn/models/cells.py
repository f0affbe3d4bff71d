"""Cell types of the back end. Their parameters have PyNN's names and units."""

from __future__ import annotations

from typing import Any

from ..bases import ArrayBase, CondExpBase, CurrDeltaBase, CurrExpBase, PoissonBase
from ..requirements import package

standard: Any = package("pyNN.standardmodels")

V = "v"
"""The recordable membrane potential."""


def own_names(cell: Any) -> Any:
    """Returns translations that keep the names of all parameters of a cell type."""
    return standard.build_translations(*((name, name) for name in cell.default_parameters))


class IF_curr_exp(CurrExpBase):
    """Leaky integrate-and-fire neuron with exponential currents, integrated exactly."""

    translations: Any = own_names(CurrExpBase)
    recordable: list[str] = ["spikes", V]


class IF_curr_delta(CurrDeltaBase):
    """Leaky integrate-and-fire neuron whose synapses change v in steps [mV]."""

    translations: Any = own_names(CurrDeltaBase)
    recordable: list[str] = ["spikes", V]


class IF_cond_exp(CondExpBase):
    """Leaky integrate-and-fire neuron with exponential conductances, which are constant within a tick."""

    translations: Any = own_names(CondExpBase)
    recordable: list[str] = ["spikes", V]


class SpikeSourceArray(ArrayBase):
    """Source of given spikes; times are rounded to ticks."""

    translations: Any = own_names(ArrayBase)


class SpikeSourcePoisson(PoissonBase):
    """Source of random spikes with a given rate [Hz]."""

    translations: Any = own_names(PoissonBase)


CELLS: tuple[Any, ...] = (IF_curr_exp, IF_curr_delta, IF_cond_exp)
SOURCES: tuple[Any, ...] = (SpikeSourceArray, SpikeSourcePoisson)
