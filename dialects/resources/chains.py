"""Chains of ops between a source and a population: their paths, op by op, and facts about their weights, delays and windows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np
from attrs import frozen
from xdsl.ir import Operation

from ...core.arrays.numeric import Counts
from ...core.device.synapse_records import SignMode
from ...core.ir.operation import shape_of
from ...core.windows import Window
from ..nir_ops.synapses import StdpAttr
from ..ntensor import DelayOp, ReshapeOp, SynapseOpInterface, WindowOp, delay_property
from .cache_keys import Content, content_of
from .lines import LineSynapses, line_synapses
from .weights import Mantissas, mantissa_bits, sign_of


@frozen(eq=False, slots=False)
class Chain:
    """Ops from a source to a population, each of which reads the op before it. They must not change during its life."""

    ops: tuple[Operation, ...]

    @cached_property
    def content(self) -> Content:
        """Returns a key that is equal for chains with equal counts."""
        return Content(tuple(map(content_of, self.ops)))

    @cached_property
    def line_synapses(self) -> LineSynapses:
        """Returns the synapses with the lines of their axons."""
        return line_synapses(self.ops)


# ---- paths through an op


def prepare_backwards(op: Operation) -> Callable[[Counts], Counts]:
    """Returns a function from paths that leave the result of an op to those that leave its operand."""
    match op:
        case SynapseOpInterface():
            return op.prepare_backwards()
        case ReshapeOp():
            shape = shape_of(op.x)
            return lambda n: n.reshape(shape)
        case _:
            return lambda n: n


def count_forwards(op: Operation, n: Counts) -> Counts:
    """Returns the paths that end at the result of an op from those that end at its operand."""
    match op:
        case SynapseOpInterface():
            return op.count_forwards(n)
        case ReshapeOp():
            return n.reshape(shape_of(op.y))
        case _:
            return n


def count_fan_in(ops: Iterable[Operation], shape: tuple[int, ...]) -> Counts:
    """Returns the paths that end at each neuron after a chain, from sources of this shape."""
    n = np.ones(shape)
    for op in ops:
        n = count_forwards(op, n)
    return n


# ---- facts of a chain


def delay_range(ops: Iterable[Operation]) -> tuple[int, int]:
    """Returns the shortest and the longest delay of a chain [ticks]."""
    low = high = 0
    for op in ops:
        found = delay_property(op)
        if found is not None and (ticks := found[1].data).size:
            low, high = low + int(ticks.least()), high + int(ticks.greatest())
    return low, high


def kernel_entries(ops: Iterable[Operation]) -> int | None:
    """Returns the weights of the kernels of a chain of convolutions and pools; None for any other chain."""
    windows = [op for op in ops if not isinstance(op, DelayOp | ReshapeOp)]
    found = [op.kernel_entries for op in windows if isinstance(op, SynapseOpInterface)]
    entries = [n for n in found if n is not None]
    return sum(entries) if windows and len(entries) == len(windows) else None


def chain_mantissas(ops: Iterable[Operation]) -> Mantissas:
    """Returns the bits of the weights of a chain by exponent; of several ops with weights those of the widest."""
    found = [bits for op in ops if (bits := mantissa_bits(op))[0]]
    return found[0] if len(found) == 1 else (max((bits[0] for bits in found), default=0),)


def chain_sign(ops: Iterable[Operation]) -> SignMode:
    """Returns the sign mode of the weights of a chain: of several ops that of their products."""
    signs = [sign_of(op) for op in ops if isinstance(op, SynapseOpInterface)]
    if "mixed" in signs:
        return "mixed"
    return "inhibitory" if signs.count("inhibitory") % 2 else "excitatory"


def chain_rule(ops: Iterable[Operation]) -> StdpAttr | None:
    """Returns the learning rule of a chain: that of its first op with one."""
    return next((rule for op in ops if isinstance(op, SynapseOpInterface) and (rule := op.learning_rule)), None)


def windows_of(ops: Iterable[Operation]) -> Iterator[Window]:
    """Yields the windows of a chain."""
    yield from (op.window() for op in ops if isinstance(op, WindowOp))
