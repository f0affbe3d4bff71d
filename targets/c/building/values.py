"""State of a lowering: the memory of every value, the states of every population, and the updates."""

from __future__ import annotations

from xdsl.dialects.builtin import Float32Type, Float64Type, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ....analysis.integer_ranges import IntegerRanges
from ....core.arrays.numeric import Ints
from ....core.diagnostics import Code, describe_op, refuse
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type
from ....dialects import c
from ....dialects.ntensor import NetworkOp, NeuronOp, UpdateOp, interval_of, updates_of
from .program import Program, storage_type

CSR010 = Code("CSR010", "op-unsupported-in-c", "an op or type cannot be compiled to C")


def result_element(element: Attribute) -> Attribute:
    """Returns the element in memory of an output: spikes in a byte, integers in 32 bits if these hold them all, else in 64."""
    held = interval_of(element)
    if held is None or element == i1:
        return storage_type(element)
    return c.storage_for(Interval(-(2**31), 2**31 - 1) if Interval.signed(32).holds(held) else Interval.signed(64))


class Values:
    """The program under construction, and the memory of the network's values in it."""

    def __init__(self, network: NetworkOp):
        self.network = network
        self.updates = updates_of(network)
        self.ranges = IntegerRanges(network)
        self.program = Program()
        self.held: dict[SSAValue, SSAValue] = {}
        """The memory of every value."""
        self.states: dict[tuple[Operation, str], SSAValue] = {}
        """The memory of every state, and of every recorded record of an update."""
        self.factors: dict[tuple[Operation, str], Ints] = {}
        """The factor of every state whose memory holds quotients."""
        self.wanted: set[tuple[Operation, str]] = set()
        """The states and records of updates that are recorded."""
        self.unfactored: set[tuple[Operation, str]] = set()
        """The states that others read, whose memory holds no quotients."""

    def memory(self, value: SSAValue) -> SSAValue:
        return self.held[value]

    def update_of(self, op: NeuronOp) -> UpdateOp:
        """Returns the update of a population. Errors: NTE005 it is missing in the module."""
        update = self.updates.get(op.update_name)
        op.verify_against(update)
        assert update is not None  # verified above
        return update


def require(value: SSAValue) -> None:
    """Refuses a value whose type C does not support."""
    element = element_type(value)
    held = interval_of(element)
    if isinstance(element, Float32Type | Float64Type) or (held is not None and held.fits):
        return
    refuse(
        CSR010,
        f"type {element} is not supported in C",
        at=describe_op(value.owner)[0] if isinstance(value.owner, Operation) else "an input of the network",
        expected="i1, f32, f64, iN, !ntensor.count or !ntensor.graded of at most 64 signed bits",
        found=str(element),
    )
