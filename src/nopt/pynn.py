"""A back end for PyNN 0.13: scripts of PyNN run on nopt and are compiled for its chips.

    from nopt import pynn as sim

    sim.setup(timestep=1.0)
    ...
    sim.run(100.0)
    sim.export("net.mlir")

The names are those of PyNN's other back ends, such as `pyNN.nest`; `docs/pynn.md` lists what is supported. PyNN is in the extra `pynn`.
"""

from __future__ import annotations

from typing import Any

from .api.pynn.control import (
    connect,
    create,
    end,
    export,
    get_current_time,
    get_max_delay,
    get_min_delay,
    get_time_step,
    initialize,
    num_processes,
    rank,
    record,
    record_v,
    reset,
    run,
    run_for,
    run_until,
    setup,
)
from .api.pynn.models.cells import (
    CELLS,
    SOURCES,
    EIF_cond_alpha_isfa_ista,
    EIF_cond_exp_isfa_ista,
    HH_cond_exp,
    IF_cond_alpha,
    IF_cond_exp,
    IF_cond_exp_gsfa_grr,
    IF_curr_alpha,
    IF_curr_delta,
    IF_curr_exp,
    Izhikevich,
    SpikeSourceArray,
    SpikeSourcePoisson,
)
from .api.pynn.models.currents import ACSource, DCSource, NoisyCurrentSource, StepCurrentSource
from .api.pynn.models.synapses import (
    AdditivePotentiationMultiplicativeDepression,
    AdditiveWeightDependence,
    GutigWeightDependence,
    MultiplicativeWeightDependence,
    SpikePairRule,
    StaticSynapse,
    STDPMechanism,
    TsodyksMarkramSynapse,
    refuse_name,
)
from .api.pynn.populations import Assembly, Population, PopulationView
from .api.pynn.projections import Projection
from .api.pynn.requirements import package

__all__ = [
    "ACSource",
    "AdditivePotentiationMultiplicativeDepression",
    "AdditiveWeightDependence",
    "Assembly",
    "DCSource",
    "EIF_cond_alpha_isfa_ista",
    "EIF_cond_exp_isfa_ista",
    "GutigWeightDependence",
    "HH_cond_exp",
    "IF_cond_alpha",
    "IF_cond_exp",
    "IF_cond_exp_gsfa_grr",
    "IF_curr_alpha",
    "IF_curr_delta",
    "IF_curr_exp",
    "Izhikevich",
    "MultiplicativeWeightDependence",
    "NoisyCurrentSource",
    "Population",
    "PopulationView",
    "Projection",
    "STDPMechanism",
    "SpikePairRule",
    "SpikeSourceArray",
    "SpikeSourcePoisson",
    "StaticSynapse",
    "StepCurrentSource",
    "TsodyksMarkramSynapse",
    "connect",
    "create",
    "end",
    "export",
    "get_current_time",
    "get_max_delay",
    "get_min_delay",
    "get_time_step",
    "initialize",
    "list_standard_models",
    "num_processes",
    "rank",
    "record",
    "record_v",
    "reset",
    "run",
    "run_for",
    "run_until",
    "setup",
]

SHARED = ("pyNN.connectors", "pyNN.random", "pyNN.space", "pyNN.network")
"""Modules of PyNN whose names every back end offers."""


def shared_names() -> list[str]:
    """Returns the names of PyNN's own classes in these modules."""
    found: list[str] = []
    for home in SHARED:
        own: dict[str, Any] = vars(package(home))
        found += [name for name, model in own.items() if getattr(model, "__module__", "") == home and name[0] != "_"]
    return found


globals()["__all__"] += shared_names()  # for `from nopt.pynn import *`, as scripts of PyNN begin


def list_standard_models() -> list[str]:
    """Returns the names of the supported cell types."""
    types: tuple[type, ...] = CELLS + SOURCES
    return [cell.__name__ for cell in types]


def __getattr__(name: str) -> Any:
    """Returns a connector, random number generator or shape of PyNN. Errors: PYN002 a standard model that is not supported."""
    if not name.startswith("_"):
        for home in SHARED:
            if hasattr(module := package(home), name):
                return getattr(module, name)
        if name in ("errors", "random", "space"):
            return package(f"pyNN.{name}")
        refuse_name(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
