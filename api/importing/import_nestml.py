"""Import of a NESTML model: as equations of the neuron language, or as a network of one population."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

import numpy as np
from attrs import field, frozen
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType, f64, i1
from xdsl.ir import Block, Region

from ...core.arrays.arrays import uniform
from ...core.diagnostics import Diagnostics, choices_text
from ...core.ir.graph_region import Signature, names
from ...core.neuron.neuron import parse_neurons
from ...dialects import ntensor
from ...dialects.equations.build import build_update
from ...frontends.limits import limits_of
from ...frontends.nestml.integration import RK4, SOLVERS
from ...frontends.nestml.neuron import MOST_SUBSTEPS, NestmlNeuron, read_neuron
from ...simulation.update import derive, initial
from ..json_record import Record, key
from ..modules import default_diagnostics, verify
from ..unit_values import refuse_option, time_ns

DEFAULT_DT = "0.1ms"
"""The step of NEST by default."""
POPULATION, OUTPUT = "cells", "cells_out"
NETWORK = "net"


@frozen
class ImportedNestml(Record):
    """An imported NESTML model: the record `nopt.import_nestml/1`."""

    SCHEMA = "nopt.import_nestml/1"

    file: str
    neuron: str
    """Name of the neuron, which is also the type of nodes that it serves."""
    equations: str
    """Text of a file in the neuron language."""
    parameters: Mapping[str, float]
    """Defaults of the parameters that are not fixed, in ms, mV, pA, pF and nS."""
    units: Mapping[str, str]
    inputs: tuple[str, ...]
    exact: tuple[str, ...]
    """Variables whose equations are solved exactly."""
    numeric: tuple[str, ...]
    """Variables that are integrated numerically."""
    found: NestmlNeuron = field(metadata=key(None))

    def network(self, *, dt: str = DEFAULT_DT, size: int = 1, values: Mapping[str, float] | None = None) -> ModuleOp:
        """Returns a network of one population, with an input for each port, whose parameters have their defaults or `values`.

        Errors: API022 a time step or a size out of range; those of the equations.
        """
        if size < 1:
            refuse_option("--shape", size, "1 or more", "100")
        return population_network(self, time_ns(dt), size, {**self.parameters, **(values or {})})


def is_nestml(path: str | Path) -> bool:
    """Returns whether a file is a NESTML model, by its name."""
    return Path(path).suffix == ".nestml"


def import_nestml(
    path: str | Path,
    *,
    model: str | None = None,
    ports: Iterable[str] | None = None,
    values: Mapping[str, float] | None = None,
    fixed: bool | Iterable[str] = False,
    substeps: int = 1,
    solver: Literal["rk4", "euler"] = RK4,
    limits: Mapping[str, int] | None = None,
    diagnostics: Diagnostics | None = None,
) -> ImportedNestml:
    """Imports a NESTML model.

        imported = nopt.import_nestml("iaf_psc_exp_neuron.nestml")
        Path("iaf_psc_exp.neuron").write_text(imported.equations)
        nopt.run(imported.network(dt="0.1ms", size=100), inputs)

    The package `nestml` parses the file in a process of its own. `model` is needed in a file of several. `ports` are the ports with an input, all by default; others are silent.
    `values` replace defaults of parameters. Parameters that are `fixed` are numbers in the equations; True fixes all. Equations without an exact solution take `substeps` steps of a tick by the
    method of Runge and Kutta of fourth order, or of Euler.

    Errors: API022 `substeps`, `solver`; IMP007 without the package; NIF027; NML001 to NML009.
    """
    default_diagnostics(diagnostics)
    if not 1 <= substeps <= MOST_SUBSTEPS:
        refuse_option("--substeps", substeps, f"1 to {MOST_SUBSTEPS}", "4")
    if solver not in SOLVERS:
        refuse_option("--solver", solver, choices_text(SOLVERS), RK4)
    neuron = read_neuron(
        Path(path),
        limits_of(limits or {}),
        model=model,
        ports=ports,
        values=values,
        fixed=fixed,
        substeps=substeps,
        solver=solver,
    )
    return ImportedNestml(
        str(path),
        neuron.name,
        neuron.text,
        {one.name: one.default for one in neuron.parameters},
        {one.name: one.unit for one in neuron.parameters},
        neuron.inputs,
        neuron.exact,
        neuron.numeric,
        neuron,
    )


def population_network(imported: ImportedNestml, tick_ns: int, size: int, values: Mapping[str, float]) -> ModuleOp:
    """Returns the network of one population."""
    (neuron,) = parse_neurons(imported.equations, imported.file).neurons
    update = build_update(neuron, options={}, precision=f64)
    raw = {one.data: np.asarray(values[one.data], np.float64) for one in update.raw}
    derived = derive(update, tick_ns / 1e9, raw, POPULATION)
    params = {name: uniform(np.asarray(derived[name])) for name in update.param_types}
    states = initial(update, params)
    block = Block(arg_types=[TensorType(f64, [size]) for _ in imported.inputs])
    population = ntensor.NeuronOp(
        POPULATION,
        update.sym_name.data,
        list(block.args),
        TensorType(i1, [size]),
        params=ntensor.array_dictionary(params),
        initial=ntensor.array_dictionary({one.data: uniform(np.asarray(states[one.data])) for one in update.states}),
    )
    block.add_ops([population, ntensor.OutputOp(population.z)])
    types = FunctionType.from_lists([arg.type for arg in block.args], [population.z.type])
    signature = Signature(names(imported.inputs), names([OUTPUT]), types)
    module = ModuleOp([update, ntensor.NetworkOp(NETWORK, signature, tick_ns, Region(block))])
    verify(module)
    return module
