"""The ops of a network on arrays in the order of their execution, one tick after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...core.arrays.numeric import AnyArray, Ints
from ...core.ir.graph_region import schedule
from ...core.ir.operation import element_type, shape_of
from ...dialects.memxbar import LayerBase, NetworkOp, OutputOp
from ...dialects.ntensor import DelayOp, NeuronOp, UpdateOp, breaks_loops
from ...simulation.delays import DelayRing
from ...simulation.elements import working_dtype
from .arrays import RunningLayer, start_layer
from .periphery import RunningNeurons, run_digital

BLOCK_ELEMENTS = 2**24
"""Inputs of rows that are held at a time, at most."""

Products = Callable[[AnyArray], Ints]
"""The arrays of a layer: from the inputs of rows to their products."""


@frozen(eq=False)
class Program:
    """A network with the arrays of its layers."""

    chip: NetworkOp
    updates: Mapping[str, UpdateOp]
    products: Mapping[LayerBase, Products]
    order: Sequence[Operation]

    @staticmethod
    def of(chip: NetworkOp, module: ModuleOp, products: Mapping[LayerBase, Products]) -> Program:
        updates = {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}
        components = schedule(chip.body.block, breaks_loops)
        order = [op for component in components for op in component if not isinstance(op, OutputOp)]
        return Program(chip, updates, products, order)

    def blocks(self, samples: int) -> Iterator[slice]:
        """Yields samples that run together."""
        shapes = [(layer.reads, *layer.matrix_shape) for layer in self.products]
        largest = max((reads * groups * (rows + outputs) for reads, groups, rows, outputs in shapes), default=1)
        together = max(1, BLOCK_ELEMENTS // max(1, largest))
        for first in range(0, samples, together):
            yield slice(first, min(first + together, samples))


class RunningChip:
    """The chip while some samples run."""

    def __init__(self, program: Program, samples: int):
        self.program, self.samples = program, samples
        self.values: dict[SSAValue, AnyArray] = {}
        self.layers: dict[LayerBase, RunningLayer] = {layer: start_layer(layer, samples) for layer in program.products}
        self.neurons: dict[object, RunningNeurons] = {}
        self.delays: dict[DelayOp, DelayRing] = {}
        for op in program.order:
            if isinstance(op, NeuronOp):
                self.neurons[op] = RunningNeurons(op, program.updates[op.update_name], samples)
            elif isinstance(op, DelayOp):
                dtype = working_dtype(element_type(op.x))
                assert dtype is not None  # verified
                self.delays[op] = DelayRing(op.ticks.values, samples, shape_of(op.x), dtype)

    def tick(self, inputs: Sequence[AnyArray]) -> None:
        """Runs one tick. Shapes: inputs each [1, samples, *shape] or [samples, *shape]."""
        values = self.values
        for arg, x in zip(self.program.chip.body.block.args, inputs, strict=True):
            values[arg] = x.reshape(self.samples, *shape_of(arg))
        late = [op for op in self.delays if breaks_loops(op)]
        for op in late:
            values[op.y] = self.delays[op].read()
        for op in self.program.order:
            if isinstance(op, DelayOp):
                if not breaks_loops(op):
                    values[op.y] = self.delays[op].tick(values[op.x])
            elif isinstance(op, LayerBase):
                layer = self.layers[op]
                values[op.y] = layer.finish(self.program.products[op](layer.rows(values[op.x])))
            elif isinstance(op, NeuronOp):
                values[op.z] = self.neurons[op].tick([values[x] for x in op.xs])
            else:
                values[op.results[0]] = run_digital(op, *(values[x] for x in op.operands))
        for op in late:
            self.delays[op].write(values[op.x])
