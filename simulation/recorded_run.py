"""Runs of parts of a network on fixed inputs: values that are kept are not computed again.

A fit by trials keeps the inputs of a population, so that each trial runs this population alone. The values are those of a run of the whole network, bit
for bit: the reference engine computes each op in every part in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from math import prod

import numpy as np
from attrs import define, field
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ..core import registry
from ..core.arrays.numeric import AnyArray
from ..core.ir.graph_region import Signature, names
from ..core.ir.operation import element_type, shape_of
from ..dialects import ntensor
from .signals import DenseSignal

MOST_NUMBERS = 2**25
"""Most numbers of an array that is kept, and of all arrays that arrive at the ops of a trial."""


@define(eq=False)
class RecordedRun:
    """Values of a network on fixed inputs.

    The network may change between runs: a kept value must not depend on an op that changes after it was kept.
    """

    network: ntensor.NetworkOp
    samples: int
    ticks: int
    """Ticks of each value; inputs are zero after their last tick."""
    kept: dict[SSAValue, AnyArray] = field(factory=dict[SSAValue, AnyArray])
    """Shapes: each [samples, ticks, *shape]."""

    @staticmethod
    def of(network: ntensor.NetworkOp, inputs: Mapping[str, AnyArray], late: int = 0) -> RecordedRun:
        """Returns the run of a network with inputs by name, and some ticks after them. Shapes: inputs [samples, ticks, *shape]."""
        count, ticks = next(iter(inputs.values())).shape[:2]
        args = zip(network.input_names, network.body.block.args, strict=True)
        return RecordedRun(network, count, ticks + late, {arg: padded(inputs[name.data], late) for name, arg in args})

    def values(self, wanted: Collection[SSAValue], samples: slice = slice(None)) -> dict[SSAValue, AnyArray]:
        """Returns values of some samples. Ops run as far upstream as values are not kept. Shapes: each [samples, ticks, *shape]."""
        found = {value: self.kept[value][samples] for value in wanted if value in self.kept}
        missing = [value for value in dict.fromkeys(wanted) if value not in found]
        if not missing:
            return found
        part, read = self.part(missing)
        signals = {str(k): DenseSignal(self.kept[value][samples]) for k, value in enumerate(read)}
        outputs = registry.reference()(part, record=[]).run(signals, ticks=self.ticks)
        return found | {value: np.asarray(outputs[str(k)]) for k, value in enumerate(missing)}

    def part(self, wanted: Collection[SSAValue]) -> tuple[ntensor.NetworkOp, list[SSAValue]]:
        """Returns a network, in a module of its own, that computes some values from kept ones, and the kept values that are its inputs."""
        needed, read = set[Operation](), dict[SSAValue, None]()
        work = list(wanted)
        while work:
            value = work.pop()
            if value in self.kept:
                read[value] = None
            elif (op := value.owner) not in needed:
                assert isinstance(op, Operation)  # all inputs are kept
                needed.add(op)
                work += op.operands
        order = [op for op in self.network.body.block.ops if op in needed]
        inputs = list(read) or list(self.network.body.block.args[:1])  # an input states the number of samples
        block = Block(arg_types=[value.type for value in inputs])
        copies: dict[SSAValue, SSAValue] = dict(zip(inputs, block.args, strict=True))
        clones = [op.clone(copies, clone_operands=False) for op in order]
        for op, again in zip(order, clones, strict=True):
            again.operands = [copies[x] for x in op.operands]
            if isinstance(again, ntensor.DelayOp):
                again.part_of = None
        block.add_ops([*clones, ntensor.OutputOp.create(operands=[copies[value] for value in wanted])])
        type = FunctionType.from_lists([value.type for value in inputs], [value.type for value in wanted])
        signature = Signature(names(map(str, range(len(inputs)))), names(map(str, range(len(wanted)))), type)
        part = ntensor.NetworkOp(self.network.sym_name.data, signature, self.network.tick_ns.value.data, Region(block))
        updates = ntensor.updates_of(self.network)
        symbols = sorted({op.update_name for op in part.populations})
        ModuleOp([*(updates[name].clone() for name in symbols), part])  # the engine looks the updates up in it
        return part, inputs

    def keep(self, values: Collection[SSAValue]) -> None:
        """Keeps values unless they are too large together; those with infinities are not kept, because no input holds them."""
        if sum(prod(shape_of(value)) for value in values) * self.samples * self.ticks <= MOST_NUMBERS:
            found = self.values(values)
            self.kept |= {value: x for value, x in found.items() if x.dtype.kind != "f" or np.isfinite(x).all()}

    @contextmanager
    def alone(self, ops: Collection[Operation], results: Collection[SSAValue]) -> Generator[None]:
        """Keeps what arrives at some ops inside of this context, so that they run alone, and their results after it."""
        before = set(self.kept)
        self.keep(arrivals(ops))
        yield
        self.keep(results)
        self.kept = {value: x for value, x in self.kept.items() if value in before or value in results}


def arrivals(ops: Collection[Operation]) -> list[SSAValue]:
    """Returns the values of other ops that some ops read. Terms are computed again: no input of a network holds them."""
    inner, found = set(ops), dict[SSAValue, None]()
    work = [x for op in ops for x in op.operands]
    while work:
        value = work.pop()
        if isinstance(value.owner, Operation) and value.owner in inner:
            continue
        if isinstance(element_type(value), ntensor.TermsType):
            assert isinstance(value.owner, Operation)  # no input of a network
            inner.add(value.owner)
            work += value.owner.operands
        else:
            found[value] = None
    return list(found)


def padded(values: AnyArray, late: int) -> AnyArray:
    """Returns values with ticks of zeros after them. Shapes: values [samples, ticks, *shape]."""
    return np.pad(values, [(0, 0), (0, late), *[(0, 0)] * (values.ndim - 2)]) if late else values
