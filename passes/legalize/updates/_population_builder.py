"""Populations of a neuron in the neuron language, with derived parameters and initial states."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import Float32Type, TensorType, f32, f64
from xdsl.ir import SSAValue

from ....core.arrays.arrays import dtype_of, uniform
from ....core.arrays.numeric import AnyArray, Reals
from ....core.ir.operation import element_type, shape_of, texts_of
from ....core.neuron.tree import Neuron
from ....dialects import ntensor
from ....dialects.ntensor.network import add_copy_of_update
from ..relays._relays import NodeNames


def read_neuron(path: Path) -> Neuron:
    """Returns the only neuron of a file of ours."""
    from ....core.neuron.neuron import parse_neurons

    (found,) = parse_neurons(path.read_text(encoding="utf-8"), path.name).neurons
    return found


def new_population(
    names: NodeNames, node: str, rule: Neuron, x: SSAValue, raw: Mapping[str, Reals], options: Mapping[str, str]
) -> ntensor.NeuronOp:
    """Returns a population of a neuron that reads `x`, a sum of reals, under a free name; its update is added to the module.

    Shapes: each raw parameter () or that of x.
    """
    from ....dialects.equations.build import shared_update

    precision = f32 if isinstance(element_type(x), Float32Type) else f64
    suffix = "".join(f".{value}" for value in options.values())
    symbol = f"{rule.name}{suffix}{'' if precision is f64 else '.f32'}"
    update = shared_update(rule, options=options, precision=precision, symbol=symbol)
    return build_population(names, names.take(node), update, x, raw, rule)


def build_population(
    names: NodeNames, node: str, update: ntensor.UpdateOp, x: SSAValue, raw: Mapping[str, Reals], rule: Neuron
) -> ntensor.NeuronOp:
    """Returns a population of an update of a neuron, which is added to the module."""
    from ....simulation.update import derive, initial

    derived = derive(update, names.network.dt, raw, node)
    params: dict[str, AnyArray] = {
        name: uniform(np.asarray(derived[name]).astype(dtype_of(type) or np.int64))
        for name, type in update.param_types.items()
    }
    states = initial(update, params)
    return ntensor.NeuronOp(
        node,
        add_copy_of_update(update, names.network),
        [x],
        TensorType(ntensor.emission_type(update), shape_of(x)),
        params=ntensor.array_dictionary(params),
        initial=ntensor.array_dictionary({name: uniform(np.asarray(states[name])) for name in texts_of(update.states)}),
        family=next((name.removeprefix("nir.") for name in rule.families), None),
        canonical=ntensor.array_dictionary(
            {name: uniform(np.asarray(derived[name], np.float64)) for name in texts_of(update.canonical)}
        ),
    )
