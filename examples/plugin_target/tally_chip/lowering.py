"""Conversion of a routed machine graph to a `tally.chip`: each vertex becomes a core, each edge a table of synapses.

Exactness: exact. Errors: TLY002 a projection that is not a matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import Rewriter

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.diagnostics import Code, describe_op, refuse
from nopt.core.ir.operation import shape_of
from nopt.core.ir.pipeline import NoptPass
from nopt.dialects import machine, ntensor

from .dialects.tally import ChipOp, CoreOp, InputOp, OutputOp, TableOp

TLY002 = Code("TLY002", "the chip has no table for a projection")
MATRICES = (ntensor.LinearOp, ntensor.SparseLinearOp)
STEPS = (ntensor.DelayOp, ntensor.ReshapeOp, *MATRICES)


@dataclass(frozen=True)
class ConvertMachineToTallyPass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-tally"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in [inner for inner in op.ops if isinstance(inner, machine.GraphOp)]:
            Rewriter.replace_op(graph, chip_of(graph))


def chip_of(graph: machine.GraphOp) -> ChipOp:
    """Returns the chip that runs a graph. Errors: TLY002."""
    block = Block()
    for name, given in graph.inputs.items():
        block.add_op(InputOp(properties={"node": StringAttr(name), "type": given.type}))
    slices = {name: neurons_of(graph, vertex) for name, vertex in graph.vertices.items()}
    for name, vertex in graph.vertices.items():
        if vertex.source.data in graph.populations:
            block.add_op(core_of(graph.populations[vertex.source.data], name, vertex, slices[name]))
    for name, population in graph.populations.items():
        cores = [core for core, vertex in graph.vertices.items() if vertex.source.data == name]
        for projection in (graph.projections[one.data] for listed in population.inputs for one in listed):
            weight, ticks = matrix_of(projection)
            for core in cores:
                block.add_op(table_of(projection.source.data, core, weight[slices[core]], ticks))
    for name, output in graph.outputs.items():
        ticks = (
            sum(ticks_of(op) for op in output.body.block.ops if isinstance(op, ntensor.DelayOp)) if output.body else 0
        )
        properties = {"node": StringAttr(name), "population": output.source, "ticks": IntegerAttr(ticks, i64)}
        block.add_op(OutputOp(properties=properties))
    chip = ChipOp(properties={"sym_name": graph.sym_name, "tick_ns": graph.tick_ns}, regions=[Region(block)])
    chip.attributes.update(graph.attributes)
    return chip


def neurons_of(graph: machine.GraphOp, vertex: machine.VertexOp) -> NDArray[np.int64]:
    """Returns the flat indices of the neurons of a vertex."""
    population = graph.populations.get(vertex.source.data)
    box = vertex.box.values
    if population is not None and population.order is not None:
        return population.order.values.reshape(-1)[slice(*box[0])].astype(np.int64)
    shape = shape_of(graph.source_types()[vertex.source.data])
    flat = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    return flat[tuple(slice(*map(int, bounds)) for bounds in box)].reshape(-1)


def core_of(
    population: machine.PopulationOp, name: str, vertex: machine.VertexOp, neurons: NDArray[np.int64]
) -> CoreOp:
    size = int(np.prod(shape_of(population.type)))

    def cut(values: DictionaryAttr) -> DictionaryAttr:
        arrays = {key: cast("ArrayAttr", value).values for key, value in values.data.items()}
        return DictionaryAttr(
            {key: ArrayAttr.of(x if x.ndim == 0 else x.reshape(-1)[neurons]) for key, x in arrays.items()}
        )

    return CoreOp(
        properties={
            "place": IntegerAttr(vertex.place or 0, i64),
            "node": StringAttr(name),
            "population": population.node,
            "update": population.update,
            "neurons": ArrayAttr.of(neurons),
            "size": IntegerAttr(size, i64),
            "params": cut(population.params),
            "initial": cut(population.initial),
        }
    )


def matrix_of(projection: machine.ProjectionOp) -> tuple[NDArray[np.int64], int]:
    """Returns the weights [outputs, inputs] and the delay of a projection. Errors: TLY002."""
    matrices = [op for op in projection.steps if isinstance(op, MATRICES)]
    wrong = next((op for op in projection.steps if not isinstance(op, STEPS)), None)
    if wrong is not None or len(matrices) != 1:
        refuse_projection(
            wrong or projection, "one ntensor.linear", wrong.name if wrong is not None else f"{len(matrices)}"
        )
    (op,) = matrices
    if op.bias is not None or op.exponent is not None or len(shape_of(op.x)) != 1:
        refuse_projection(op, "weights [outputs, inputs] alone", "a bias, an exponent or more axes")
    if isinstance(op, ntensor.LinearOp):
        weight = op.weight.values.astype(np.int64)
    elif op.delay is not None:
        refuse_projection(op, "one delay for all synapses", "a delay for each")
    else:
        weight = np.zeros((*shape_of(op.y), *shape_of(op.x)), np.int64)
        np.add.at(weight, (op.target.values, op.source.values), op.weight.values)
    ticks = sum(ticks_of(one) for one in projection.steps if isinstance(one, ntensor.DelayOp))
    return weight, ticks


def ticks_of(op: ntensor.DelayOp) -> int:
    """Returns the one delay of an op. Errors: TLY002."""
    found = np.unique(op.ticks.values)
    if found.size != 1:
        refuse_projection(op, "one delay for all neurons", f"{found.size} delays")
    return int(found[0])


def refuse_projection(op: Operation, expected: str, found: str) -> NoReturn:
    at, node = describe_op(op)
    help = "--target asic/mesh, which has other synapses"
    refuse(
        TLY002, "tally has no table for this projection", at=at, node=node, expected=expected, found=found, help=help
    )


def table_of(sender: str, core: str, weight: NDArray[np.int64], ticks: int) -> TableOp:
    """Returns every synapse of a matrix [targets, sources], sorted by source, then target."""
    targets, sources = weight.shape
    source, target = np.divmod(np.arange(weight.size), targets)
    assert sources * targets == weight.size
    return TableOp(
        properties={
            "sender": StringAttr(sender),
            "core": StringAttr(core),
            "source": ArrayAttr.of(source.astype(np.int32)),
            "target": ArrayAttr.of(target.astype(np.int32)),
            "weight": ArrayAttr.of(weight.T.reshape(-1).astype(np.int8)),
            "ticks": IntegerAttr(ticks, i64),
        }
    )
