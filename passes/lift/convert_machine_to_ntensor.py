"""Makes a machine graph a network again: the inverse of `convert-ntensor-to-machine`, whatever its stage.

    machine.projection "fc1" from "input" { … }                             %y = ntensor.linear "fc1" %x {…}
    machine.population "lif1" @lif adds [["fc1"]] {…} : …             =>    %z = ntensor.neuron "lif1" @lif(%y) {…, machine.boxes = …}

1. It changes no number. An op that belongs to several projections, because several populations read it, is created once. Ops of one name
   with equal operands and properties are one op.
2. An `ntensor.readout` next to the graph becomes a part of the network again, as ops of the host.
3. The plan stays: vertices become `machine.boxes` and `machine.order`. Cores, edges and routes are gone.

Exactness: exact.

Errors: NRM003 two ops of one name that are not the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, describe_op, refuse_op
from ...core.ir.graph_region import Signature, names
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects import machine, ntensor
from ...dialects.ntensor.readout import joined

NRM003 = Code("NRM003", "machine-ops-share-name", "two ops of a machine graph have one name and are not the same")


@dataclass(frozen=True)
class ConvertMachineToNtensorPass(NoptPass):
    """Converts every `machine.graph` back."""

    name = "convert-machine-to-ntensor"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in [inner for inner in op.ops if isinstance(inner, machine.GraphOp)]:
            Rewriter.insert_op(build_network(graph), InsertPoint.before(graph))
            Rewriter.erase_op(graph)
        joined(op)


def build_network(graph: machine.GraphOp) -> ntensor.NetworkOp:
    """Returns the network that a graph computes. Errors: NRM003."""
    inputs, outputs, populations = graph.inputs, graph.outputs, graph.populations
    block = Block(arg_types=[op.type for op in inputs.values()])
    sources: dict[str, SSAValue] = dict(zip(inputs, block.args, strict=True))
    for name, argument in zip(inputs, block.args, strict=True):
        argument.name_hint = name if name.isidentifier() else None
    neurons = {name: population.neuron(placeholders(population)) for name, population in populations.items()}
    sources |= {name: neuron.z for name, neuron in neurons.items()}
    made: dict[str, Operation] = {}
    given = {
        name: chained(block, one.body.block, sources[one.source.data], made) for name, one in graph.projections.items()
    }
    for name, population in populations.items():
        neuron, types = neurons[name], population.function_type.inputs.data
        for k, listed in enumerate(population.inputs):
            values = [given[one.data] for one in listed]
            if len(values) > 1 or values[0].type != types[k]:
                added = ntensor.SumOp.create(operands=values, result_types=[types[k]])
                block.add_op(added)
                values = [added.y]
            neuron.operands[k] = values[0]
        neuron.attributes.update(population.attributes | planned(graph, name, population))
        block.add_op(neuron)
    results = [
        chained(block, op.body.block, sources[op.source.data], made) if op.body else sources[op.source.data]
        for op in outputs.values()
    ]
    block.add_op(ntensor.OutputOp(*results))
    type = FunctionType.from_lists([op.type for op in inputs.values()], [value.type for value in results])
    signature = Signature(names(inputs), names(outputs), type)
    network = ntensor.NetworkOp(graph.sym_name.data, signature, graph.tick_ns.value.data, Region(block))
    network.approximations = graph.approximations
    network.attributes.update(graph.attributes)
    return network


def placeholders(population: machine.PopulationOp) -> list[SSAValue]:
    """Values that hold the places of operands until these are made."""
    return list(Block(arg_types=population.function_type.inputs.data).args)


def chained(block: Block, chain: Block, value: SSAValue, made: dict[str, Operation]) -> SSAValue:
    """Returns the ops of a chain on a value, each made once. Errors: NRM003."""
    for op in chain.ops:
        if isinstance(op, machine.YieldOp):
            break
        name = describe_op(op)[1] or ""
        known = made.get(name)
        if known is None:
            known = op.clone({op.operands[0]: value})
            block.add_op(known)
            made[name] = known
        elif not is_same(known, op, value):
            refuse_op(
                op,
                NRM003,
                f'two ops are called "{name}" and are not the same',
                expected="one op for each name",
                found=f"{known.name} and {op.name}, which read other signals or have other parameters",
                help="rename one of the two",
            )
        value = known.results[0]
    return value


def is_same(known: Operation, op: Operation, value: SSAValue) -> bool:
    return (
        type(known) is type(op)
        and known.operands[0] is value
        and known.properties == op.properties
        and known.results[0].type == op.results[0].type
    )


def planned(graph: machine.GraphOp, name: str, population: machine.PopulationOp) -> dict[str, Attribute]:
    """Returns the plan that the vertices of a population are."""
    boxes = [vertex.box.values for vertex in graph.vertices.values() if vertex.source.data == name]
    none = np.zeros((0, len(shape_of(population.type)), 2))
    found: dict[str, Attribute] = {"machine.boxes": ArrayAttr.of((np.stack(boxes) if boxes else none).astype(np.int64))}
    return found | ({"machine.order": population.order} if population.order is not None else {})
