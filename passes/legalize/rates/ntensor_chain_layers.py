"""Makes a chain of the layers of a network of counts, for devices on which a layer reads only the layer before it.

    %a = ntensor.neuron "a" @activation_15(%x)                   %a = ntensor.neuron "a" @activation_15(%x)
    %b = ntensor.neuron "b" @activation_15(w1 %a)          =>    %b = ntensor.neuron "b+a" @activation_15([w1; 1] %a)
    %y = ntensor.neuron "y" @activation_15(w2 %b + w3 %a)        %y = ntensor.neuron "y" @activation_15([w2, w3] %b)

1. The depth of a population is one more than the greatest depth of its sources; that of the input is 0.
2. The layer of a depth has the populations of this depth, and a neuron for each count of an earlier layer that a later one reads. That neuron has
   a weight of 1, and repeats the count.
3. The synapses between two layers become one matrix; weights between neurons without a path are 0.

Exactness: exact, up to the order in which reals are added.

Errors: NTE009 a network in continuous time; LEG141 a network that is still not a chain of layers; LEG094 a value that is not a sum of weighted counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from attrs import define, field
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.output_units import count_unit, set_count_unit
from ....core.arrays.arrays import ArrayAttr, dtype_of, uniform
from ....core.arrays.numeric import Reals
from ....core.device.limits import OTHER_DEVICE
from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass
from ....dialects import ntensor
from ....dialects.ntensor import interval_of
from ....dialects.ntensor.network import erase_unused_updates, networks
from ..relays._relays import NodeNames
from ._activations import activation_values, build_activation, is_activation, most_of
from ._linear_paths import PathFinder, Paths

LEG141 = Code("LEG141", "layers-without-chain", "the layers of a network form no chain")


@dataclass(frozen=True)
class NtensorChainLayersPass(NoptPass):
    """Makes a chain of the layers of every `ntensor.network`."""

    name = "ntensor-chain-layers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        updates = ntensor.find_updates(op)
        for network in networks(op):
            chain = Chain(network)
            chain.check()
            if not chain.is_chain:
                chain.convert({one: most_of(one, updates) for one in network.populations})
        erase_unused_updates(op, updates.values())


@define(eq=False)
class Chain:
    """The layers of one network."""

    network: ntensor.NetworkOp
    finder: PathFinder = field(factory=PathFinder)
    depths: dict[SSAValue, int] = field(factory=dict[SSAValue, int])
    """The depth of each source: the input, and the counts of populations."""

    def check(self) -> None:
        """Refuses a network whose layers cannot be a chain. Errors: LEG141."""
        network = self.network
        outputs = list(network.outputs.values)
        for op in network.populations:
            if not is_activation(op):
                self.refuse(op, "populations that are layers of counts", "another population")
        if len(network.body.block.args) != 1 or len(outputs) != 1:
            found = f"{len(network.body.block.args)} inputs, {len(outputs)} outputs"
            self.refuse(network, "one input and one output", found)
        for op in network.populations:
            self.depth(op.z)
        for value in (*network.body.block.args, *(op.z for op in network.populations)):
            self.depths.setdefault(value, 0)

    def refuse(self, op: Operation, expected: str, found: str) -> None:
        refuse_op(op, LEG141, expected=expected, found=found, help=OTHER_DEVICE)

    def depth(self, value: SSAValue) -> int:
        """Returns the depth of a source."""  # 1
        if value not in self.depths:
            op = value.owner
            sources = self.sources(op.xs[0]) if isinstance(op, ntensor.NeuronOp) else {}
            self.depths[value] = 1 + max(map(self.depth, sources)) if sources else 0
        return self.depths[value]

    def sources(self, value: SSAValue) -> dict[SSAValue, Reals]:
        """Returns the sources of a value, each with its weights. Shapes: [elements of the value, elements of the source]. Errors: LEG094, LEG141."""
        paths: Paths = self.finder.paths(value)
        if any(delay for _, delay in paths.matrices) or any(part.any() for part in paths.constants.values()):
            owner = value.owner if isinstance(value.owner, Operation) else self.network
            self.refuse(owner, "sums of counts of the same frame", "a delay or a bias")
        return {source: matrix for (source, _), matrix in paths.matrices.items()}

    @property
    def is_chain(self) -> bool:
        """Whether each layer reads only the layer before it."""
        reads = {op: self.sources(op.xs[0]) for op in self.network.populations}
        alone = len(set(self.depths.values())) == len(self.depths)
        return alone and all(self.depths[op.z] - self.depths[x] == 1 for op, xs in reads.items() for x in xs)

    def convert(self, most: dict[ntensor.NeuronOp, int]) -> None:
        """Replaces the populations by one for each depth."""
        network, names = self.network, NodeNames(self.network)
        populations = list(network.populations)
        inputs = {op: self.sources(op.xs[0]) for op in populations}
        end = network.outputs.values[0]
        ends = self.sources(end)
        last = max(self.depths.values())
        readers: dict[SSAValue, int] = {}
        for op, sources in inputs.items():
            for source in sources:
                readers[source] = max(readers.get(source, 0), self.depths[op.z])
        for source in ends:
            readers[source] = last + (0 if isinstance(end.owner, ntensor.NeuronOp) else 1)
        before: SSAValue = self.network.body.block.args[0]
        start: dict[SSAValue, int] = {before: 0}
        for depth in range(1, last + 1):
            here = [op for op in populations if self.depths[op.z] == depth]
            passed = [x for x in self.depths if self.depths[x] < depth < readers.get(x, 0)]
            before, start = self.layer(here, passed, inputs, before, start, most, names)
        self.connect_output(end, ends, before, start, names)
        while unread := [op for op in network.body.block.ops if op.results and not any(op.results[0].uses)]:
            for op in unread:
                Rewriter.erase_op(op)
        network.update_signature()

    def layer(
        self,
        here: list[ntensor.NeuronOp],
        passed: list[SSAValue],
        inputs: dict[ntensor.NeuronOp, dict[SSAValue, Reals]],
        before: SSAValue,
        start: dict[SSAValue, int],
        most: dict[ntensor.NeuronOp, int],
        names: NodeNames,
    ) -> tuple[SSAValue, dict[SSAValue, int]]:
        """Returns the counts of a layer, and the first element of each source in them."""  # 2, 3
        columns = prod(shape_of(before))
        blocks, thresholds, levels = list[Reals](), list[Reals](), list[Reals]()
        places, count = dict[SSAValue, int](), 0
        for op in here:
            block = np.zeros((prod(shape_of(op.z)), columns))
            for source, matrix in inputs[op].items():
                block[:, start[source] : start[source] + matrix.shape[1]] = matrix
            threshold, level = (np.broadcast_to(one, shape_of(op.z)).reshape(-1) for one in activation_values(op))
            blocks.append(block)
            thresholds.append(threshold)
            levels.append(level)
            places[op.z], count = count, count + len(block)
        for source in passed:
            size = prod(shape_of(source))
            block = np.zeros((size, columns))
            block[np.arange(size), start[source] + np.arange(size)] = 1
            blocks.append(block)
            thresholds.append(np.full(size, 0.5))
            levels.append(np.ones(size))
            places[source], count = count, count + size
        held = [interval_of(element_type(source)) for source in passed]
        greatest = max([*(most[op] for op in here), *(one.high for one in held if one is not None)])
        first = here[0]
        x = self.synapses(first.xs[0], before, np.concatenate(blocks), names, f"{first.node.data}.weights")
        is_alone = len(here) == 1 and not passed
        node = "+".join([*(op.node.data for op in here), *map(names.source_name, passed)])
        made = build_activation(
            names,
            first.node.data if is_alone else names.take(node),
            x,
            greatest,
            greatest.bit_length(),
            uniform(np.concatenate(thresholds)),
            uniform(np.concatenate(levels)),
        )
        Rewriter.insert_op(made, InsertPoint.before(self.network.outputs))
        if is_alone:
            set_count_unit(made, count_unit(first))
        return made.z, places

    def synapses(self, real: SSAValue, before: SSAValue, matrix: Reals, names: NodeNames, node: str) -> SSAValue:
        """Returns the weighted sums of the counts of a layer, as reals of the type of `real`."""
        element, x = element_type(real), before
        if len(shape_of(before)) != 1:
            type = TensorType(element_type(before), (prod(shape_of(before)),))
            properties = {"node": StringAttr(names.take(f"{node}.inputs"))}
            flat = ntensor.ReshapeOp.create(operands=[before], result_types=[type], properties=properties)
            Rewriter.insert_op(flat, InsertPoint.before(self.network.outputs))
            x = flat.results[0]
        weight = ArrayAttr.of(matrix.astype(dtype_of(element)))
        linear = ntensor.LinearOp.create(
            operands=[x],
            result_types=[TensorType(element, (len(matrix),))],
            properties={"node": StringAttr(names.take(node)), "weight": weight},
        )
        Rewriter.insert_op(linear, InsertPoint.before(self.network.outputs))
        return linear.results[0]

    def connect_output(
        self, end: SSAValue, ends: dict[SSAValue, Reals], before: SSAValue, start: dict[SSAValue, int], names: NodeNames
    ) -> None:
        """Makes the output one of the last layer: its counts, or their weighted sums. Errors: LEG141."""
        value = before
        if not isinstance(end.owner, ntensor.NeuronOp):
            matrix = np.zeros((prod(shape_of(end)), prod(shape_of(before))))
            for source, block in ends.items():
                matrix[:, start[source] : start[source] + block.shape[1]] = block
            value = self.synapses(end, before, matrix, names, "output.weights")
        elif list(start) != [end]:
            self.refuse(end.owner, "an output of the last layer alone", describe_op(end.owner)[0])
        if shape_of(value) != shape_of(end):
            type = TensorType(element_type(value), shape_of(end))
            properties = {"node": StringAttr(names.take("output.shape"))}
            shaped = ntensor.ReshapeOp.create(operands=[value], result_types=[type], properties=properties)
            Rewriter.insert_op(shaped, InsertPoint.before(self.network.outputs))
            value = shaped.results[0]
        self.network.outputs.operands = [value]
