"""Populations of the back end: parameters and initial potentials as arrays, and the spikes of sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.arrays.numeric import Reals
from ...core.diagnostics import Code, refuse
from . import simulator
from .bases import AssemblyBase, PopulationBase, ViewBase
from .models.cells import CELLS, CONDUCTANCES, SOURCES
from .recording import Recorder
from .requirements import package

PYN002 = Code("PYN002", "pynn-feature-unsupported", "the back end lacks a feature of PyNN")

parameters: Any = package("pyNN.parameters")


SYNAPTIC = ("isyn_exc", "isyn_inh", *CONDUCTANCES, "g_r", "g_s")
"""Variables that start at 0."""


def refuse_feature(found: str, expected: str, help: str) -> None:
    """Refuses a feature of PyNN. Errors: PYN002."""
    refuse(PYN002, expected=expected, found=found, help=help)


class Assembly(AssemblyBase):
    """Several populations, used as one."""

    _simulator: Any = simulator


class Stored:
    """Access of populations and their views to the arrays of a population."""

    def _stored(self) -> tuple[Any, Any]:
        """Returns the population with the arrays, and the selection of neurons in it."""
        raise NotImplementedError

    def _get_parameters(self, *names: str) -> Any:
        owner, chosen = self._stored()
        values = {name: parameters.simplify(owner.values[name][chosen]) for name in names}
        return parameters.ParameterSpace(values, shape=(len(owner.numbers[chosen]),))

    def _get_native_parameters(self, *names: str) -> Any:
        return self._get_parameters(*names)  # the names of PyNN are kept

    def _set_parameters(self, space: Any) -> None:
        owner, chosen = self._stored()
        space.evaluate(simplify=False)
        for name, value in space.items():
            owner.values[name][chosen] = value

    def _set_initial_value_array(self, variable: str, initial: Any) -> None:
        owner, chosen = self._stored()
        values = np.asarray(initial.evaluate(simplify=False), np.float64)
        if variable not in SYNAPTIC:
            owner.initial[variable][chosen] = values
        elif values.any():
            refuse_feature(
                f"an initial value of {variable}",
                "initial values of the neuron; synaptic ones are 0",
                f"initialize({variable}=0)",
            )

    def _get_view(self, selector: Any, label: str | None = None) -> PopulationView:
        return PopulationView(self, selector, label)


class PopulationView(Stored, ViewBase):
    """Part of a population."""

    _simulator: Any = simulator
    _assembly_class: Any = Assembly

    def _stored(self) -> tuple[Any, Any]:
        return self.grandparent, self.index_in_grandparent(np.arange(self.size))


class Population(Stored, PopulationBase):
    """Neurons of one cell type, or sources of spikes."""

    _simulator: Any = simulator
    _recorder_class: Any = Recorder
    _assembly_class: Any = Assembly

    def _create_cells(self) -> None:
        state = simulator.state
        if not isinstance(self.celltype, CELLS + SOURCES):
            refuse_feature(f"the cell type {type(self.celltype).__name__}", own_cells(), "IF_curr_exp()")
        first = state.id_counter
        self.all_cells: Any = np.array([simulator.ID(first + n) for n in range(self.size)], dtype=simulator.ID)
        for cell in self.all_cells:
            cell.parent = self
        state.id_counter += self.size
        self._mask_local: Any = np.ones(self.size, np.bool_)
        self.numbers: Any = np.arange(self.size)
        space = self.celltype.native_parameters
        space.shape = (self.size,)
        space.evaluate(simplify=False)
        self.values: dict[str, Any] = {name: np.array(value) for name, value in space.items()}
        self.initial: dict[str, Reals] = {
            name: np.zeros(self.size) for name in self.celltype.default_initial_values if name not in SYNAPTIC
        }
        self.trains: Any = None
        """The random spikes of the population until now; None for other populations (`sources.py`)."""
        state.populations.append(self)

    def _stored(self) -> tuple[Any, Any]:
        return self, slice(None)

    @property
    def is_source(self) -> bool:
        return isinstance(self.celltype, SOURCES)


def parts(group: Any) -> list[tuple[Any, Any]]:
    """Returns the populations of a population, view or assembly, each with the indices of its neurons in their order."""
    if isinstance(group, AssemblyBase):
        return [part for one in group.populations for part in parts(one)]
    if isinstance(group, PopulationView):
        return [(group.grandparent, np.asarray(group.index_in_grandparent(np.arange(group.size))))]
    return [(group, np.arange(group.size))]


def parameter_arrays(population: Any) -> Mapping[str, Reals]:
    """Returns the parameters of a population, one number for each neuron."""
    return {name: np.asarray(value, np.float64) for name, value in population.values.items()}


def own_cells() -> str:
    """Returns the supported cell types as text."""
    types: tuple[type, ...] = CELLS + SOURCES
    return ", ".join(one.__name__ for one in types)
