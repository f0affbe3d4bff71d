"""Conversion of a routed machine graph to a `tally.chip`: each vertex becomes a core, each projection into it tables of synapses.

1. A table has one delay. A projection with several delays becomes several tables.
2. The biases of all projections into a population are added once for each neuron, in its core.

Exactness: exact. Errors: TLY002 a projection that no table can hold, or an output with several delays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import Rewriter

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.arrays.numeric import Ints
from nopt.core.ir.operation import shape_of
from nopt.core.ir.pipeline import NoptPass
from nopt.dialects import machine, ntensor

from ._synapses import Synapses, refuse_chain, synapses_of, verify_range
from .dialects.tally import BIASES, ChipOp, CoreOp, InputOp, OutputOp, TableOp


@dataclass(frozen=True)
class ConvertMachineToTallyPass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-tally"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in [inner for inner in op.ops if isinstance(inner, machine.GraphOp)]:
            Rewriter.replace_op(graph, chip_of(graph))


def chip_of(graph: machine.GraphOp) -> ChipOp:
    """Returns the chip that runs a graph. Errors: TLY002."""
    ops: list[Operation] = [
        InputOp(properties={"node": StringAttr(name), "type": given.type}) for name, given in graph.inputs.items()
    ]
    slices, vertices, tables = graph.counts().slices, graph.vertices_by_source(), list[Operation]()
    for name, population in graph.populations.items():
        projections = [graph.projections[one.data] for listed in population.inputs for one in listed]
        synapses = [(one.source.data, synapses_of(one)) for one in projections]
        bias = sum((one.bias for _, one in synapses), np.zeros(prod(shape_of(population.type)), np.int64))
        verify_range(population, "a bias", bias, BIASES)
        for vertex, own in zip(vertices[name], slices[name].members, strict=True):
            ops.append(core_of(population, vertex, own, bias[own]))
            for sender, one in synapses:
                tables += tables_of(sender, vertex.node, one, own)
    ops += tables + [output_of(output) for output in graph.outputs.values()]
    chip = ChipOp(properties={"sym_name": graph.sym_name, "tick_ns": graph.tick_ns}, regions=[Region(Block(ops))])
    chip.attributes.update(graph.attributes)
    return chip


def core_of(population: machine.PopulationOp, vertex: machine.VertexOp, own: Ints, bias: Ints) -> CoreOp:
    """Returns the neurons of a vertex. Shapes: own [neurons], their flat indices in the population; bias [neurons]."""

    def cut(values: DictionaryAttr) -> DictionaryAttr:
        arrays = {key: cast("ArrayAttr", value).values for key, value in values.data.items()}
        return DictionaryAttr(
            {key: ArrayAttr.of(x if x.ndim == 0 else x.reshape(-1)[own]) for key, x in arrays.items()}
        )

    return CoreOp(
        properties={
            "place": IntegerAttr(vertex.place or 0, i64),
            "node": vertex.node,
            "population": population.node,
            "update": population.update,
            "neurons": ArrayAttr.of(own.astype(np.int64)),
            "size": IntegerAttr(prod(shape_of(population.type)), i64),
            "bias": ArrayAttr.of(bias.astype(np.int16)),
            "params": cut(population.params),
            "initial": cut(population.initial),
        }
    )


def tables_of(sender: str, core: StringAttr, given: Synapses, own: Ints) -> Iterator[TableOp]:
    """Yields the synapses into the neurons of a core, a table for each delay, by source, then by target."""
    place = np.full(len(given.bias), -1)
    place[own] = np.arange(len(own))
    order = np.lexsort((place[given.target], given.source))
    here = order[place[given.target[order]] >= 0]
    for ticks in np.unique(given.ticks[here]).tolist():  # 1
        some = here[given.ticks[here] == ticks]
        yield TableOp(
            properties={
                "sender": StringAttr(sender),
                "core": core,
                "source": ArrayAttr.of(given.source[some].astype(np.int32)),
                "target": ArrayAttr.of(place[given.target[some]].astype(np.int32)),
                "weight": ArrayAttr.of(given.weight[some].astype(np.int8)),
                "ticks": IntegerAttr(ticks, i64),
            }
        )


def output_of(output: machine.OutputOp) -> OutputOp:
    """Returns an output with the delays of its chain added. Errors: TLY002."""
    ticks = 0
    for op in output.body.block.ops if output.body is not None else ():
        if isinstance(op, ntensor.DelayOp):
            delays = np.unique(op.ticks.values)
            if delays.size != 1:
                refuse_chain(op, "one delay for all neurons of an output", f"{delays.size} delays")
            ticks += int(delays[0])
    return OutputOp(properties={"node": output.node, "population": output.source, "ticks": IntegerAttr(ticks, i64)})
