"""Parts that the exit dialects of chips with cores share: inputs, outputs, output axons, tables of synapses.

Each dialect derives its own ops from these bases, with the names that its vendor uses.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from math import prod
from typing import Any, ClassVar, NoReturn, cast

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, SymbolNameConstraint, TensorType, i64
from xdsl.irdl import ParsePropInAttrDict, base, opt_prop_def, prop_def, region_def, traits_def
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator, SymbolOpInterface

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.named_device import device_named
from ...core.device.records import Device
from ...core.diagnostics import Code, InvalidOp, Refused, invalid
from ...core.ir.body_ops import optional_body_op
from ...core.ir.operation import NoptOperation, VerifiesLast, shape_of
from ..ntensor import ApproximationAttr
from ..ntensor.interface import CompiledOperation

CHI001 = Code("CHI001", "core-table-inconsistent", "a table of a core is inconsistent")
CHI002 = Code("CHI002", "groups-mismatch-inputs-outputs", "groups, inputs and outputs do not match")
CHI014 = Code("CHI014", "not-a-layer-chain", "the network is not a chain of layers")
CHI015 = Code("CHI015", "op-fits-no-layer", "no layer computes an op")
CHI016 = Code("CHI016", "layer-weights-not-integers", "weights or biases are not integers of the device")
CHI010 = Code("CHI010", "layer-inconsistent", "a layer is inconsistent")
CHI011 = Code("CHI011", "layers-not-consecutive", "layers do not follow each other")

HELP_RECOMPILE = "compile the network again"
MOST_SHOWN = 8
"""The most numbers of a list that messages show."""


class NetworkBase(CompiledOperation):
    """Base of a compiled network. The attribute `machine.device` specifies the device; without it no limit is checked. Units: tick_ns [ns]."""

    sym_name = prop_def(SymbolNameConstraint())
    tick_ns = prop_def(IntegerAttr.constr(i64))
    approximations = opt_prop_def(base(ListAttr[ApproximationAttr]))
    body = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove(), NoTerminator(), HasParent(ModuleOp), VerifiesLast())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"

    def find_device(self) -> Device | None:
        """Returns the device that the network names. Errors: those of reading the device."""
        try:
            return device_named(self)
        except Refused as refusal:
            raise InvalidOp(refusal.findings[0]) from refusal


# ---- refusals


def refuse_chip(op: NoptOperation, message: str, expected: str, found: str, code: Code = CHI002) -> NoReturn:
    """Errors: CHI002, or the given code."""
    invalid(op, code, message, expected=expected, found=found, help=HELP_RECOMPILE)


def refuse_table(op: NoptOperation, message: str, expected: str, found: str) -> NoReturn:
    """Errors: CHI001."""
    refuse_chip(op, message, expected, found, CHI001)


def refuse_beyond(
    op: NoptOperation,
    code: Code,
    device: Device,
    path: str,
    expected: str,
    found: str,
    value: int,
    limit: int | None,
    **parts: Any,
) -> NoReturn:
    """Refuses a value that a field of the device does not allow. Errors: the given code."""
    facts = {"help": HELP_RECOMPILE, **device.limit_facts(path, value, limit)}
    invalid(op, code, expected=expected, found=found, **{**facts, **parts})


def verify_limit(
    op: NoptOperation, code: Code, device: Device, path: str, value: int, unit: str, found: str = "", **parts: Any
) -> None:
    """Refuses a value above a field of the device. Errors: the given code."""
    limit = device.integer(path)
    if limit is not None and value > limit:
        refuse_beyond(
            op, code, device, path, f"at most {limit} {unit}", found or f"{value} {unit}", value, limit, **parts
        )


def verify_index(op: NoptOperation, what: str, array: ArrayAttr, shape: tuple[int, ...] | None = None) -> None:
    """Refuses an array unless it has one axis, the given shape and integers of 0 or more. Errors: CHI001."""
    if len(array.shape) != 1 or (shape is not None and array.shape != shape):
        expected = "one axis" if shape is None else str(list(shape))
        refuse_table(op, f"{what} has another shape", expected, str(list(array.shape)))
    verify_whole(op, what, array)


def verify_below(op: NoptOperation, message: str, what: str, array: ArrayAttr, below: int, code: Code = CHI001) -> None:
    """Refuses indices of `below` or more; `what` is the word for one of them. Errors: CHI001, or the given code."""
    if array.data.size and (found := int(array.data.greatest())) >= below:
        refuse_chip(op, message, f"{what} below {below}", str(found), code)


def verify_whole(op: NoptOperation, what: str, array: ArrayAttr) -> None:
    """Refuses numbers that are not integers from 0. Errors: CHI001."""
    is_whole = array.data.dtype.kind in "iu"
    if not is_whole or (array.data.size and array.data.least() < 0):
        found = str(array.data.least()) if is_whole else str(array.data.dtype)
        refuse_table(op, f"{what} has other numbers", "integers from 0", found)


def verify_matrix(op: NoptOperation, what: str, array: ArrayAttr, shape: tuple[int, int]) -> None:
    """Refuses an array of another shape. Errors: CHI001."""
    if array.shape != shape:
        refuse_table(op, f"{what} has another shape", str(list(shape)), str(list(array.shape)))


def verify_grid(op: NoptOperation, what: str, array: ArrayAttr, shape: tuple[int, int]) -> None:
    """Refuses an array that does not broadcast to [axons, neurons]. Errors: CHI001."""
    found = array.shape
    if found and (len(found) != 2 or any(n not in (1, m) for n, m in zip(found, shape, strict=True))):
        refuse_table(
            op, f"{what} has another shape", f"[], or a shape that broadcasts to {list(shape)}", str(list(found))
        )


def verify_body(op: NoptOperation, once: tuple[str, ...], several: tuple[str, ...]) -> None:
    """Refuses inner ops that are not allowed, and repeated inner ops that are allowed only once. Errors: CHI002."""
    counts = Counter(inner.name for inner in op.regions[0].block.ops)
    for name, count in counts.items():
        if name not in (*once, *several):
            expected = ", ".join((*once, *several)) or "no op"
            refuse_chip(op, "an op that has no meaning here", expected, name)
        if name in once and count > 1:
            refuse_chip(op, f"{name} occurs more than once", "at most one", str(count))


def abbreviate(values: AnyArray) -> str:
    """Returns the first numbers of a list for messages."""
    shown = ", ".join(map(str, values[:MOST_SHOWN].tolist()))
    return f"[{shown}{', …' if len(values) > MOST_SHOWN else ''}]"


# ---- tables of synapses


@frozen(eq=False)
class Entries:
    """The synapses of a table, by axon, then by neuron. Shapes: axon, neuron, weight and delay [entries].

    Units: delay [ticks].
    """

    axon: Ints
    neuron: Ints
    weight: AnyArray
    delay: Ints


class SynapseTable(NoptOperation):
    """Synapses of one projection into a group of neurons. `axons` lists input axons of the core, ascending."""

    node = prop_def(StringAttr)
    axons = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict"

    @abstractmethod
    def entries(self, neurons: Ints) -> Entries:
        """Returns the synapses of the table. Shapes: neurons: the flat index of each neuron of the group in its population."""
        ...

    @property
    def operand(self) -> int:
        """Returns the index of the operand of the neuron's update that the table adds to."""
        return 0

    def verify_against(self, axons: int, neurons: int) -> None:
        """Refuses axons that the core does not have. Errors: CHI001."""
        verify_index(self, "axons", self.axons)
        listed = self.axons.values
        if listed.size and (int(listed[-1]) >= axons or (np.diff(listed) <= 0).any()):
            refuse_table(
                self, "axons are not those of the core", f"ascending indices below {axons}", abbreviate(listed)
            )


def verify_synapses(table: SynapseTable, axon: ArrayAttr, neuron: ArrayAttr, shape: tuple[int, ...], size: int) -> None:
    """Refuses single synapses that are not sorted, or not in the table. Shapes: axon and neuron [synapses]. Errors: CHI001."""
    verify_index(table, "axon", axon, shape)
    verify_index(table, "neuron", neuron, shape)
    for what, array, below in (("axon", axon, table.axons.data.size), ("neuron", neuron, size)):
        verify_below(table, f"{what} is not in the table", "indices", array, below)
    place = axon.values.astype(np.int64) * max(size, 1) + neuron.values
    if (np.diff(place) < 0).any():
        refuse_table(table, "synapses are not sorted", "by axon, then by neuron", "another order")


# ---- senders


class OutputAxonsBase(NoptOperation):
    """Destinations of the spikes of a group or input: an event of the neuron becomes an event on an input axon of a core.

    Shapes: neuron (a place in the group), core and axon [destinations]. Errors: CHI001.
    """

    neuron = prop_def(ArrayAttr)
    core = prop_def(ArrayAttr)
    axon = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    def __init__(self, neuron: Ints, core: Ints, axon: Ints):
        given = {"neuron": neuron, "core": core, "axon": axon}
        super().__init__(properties={name: ArrayAttr.of(array.astype(np.int32)) for name, array in given.items()})

    def verify_(self) -> None:
        for what in ("neuron", "core", "axon"):
            verify_index(self, what, cast("ArrayAttr", self.properties[what]), self.neuron.shape)


class SenderOp(NoptOperation):
    """Base of groups and inputs: neurons of one population or input, whose events go to output axons.

    Shapes: index [neurons], flat indices in the population or input. Errors: CHI001, CHI002.
    """

    ONCE: ClassVar[tuple[str, ...]] = ()
    """Ops that its body holds once, if at all."""
    SEVERAL: ClassVar[tuple[str, ...]] = ()
    """Ops of which its body holds any number."""

    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    index = prop_def(ArrayAttr)
    type = prop_def(base(TensorType))
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), VerifiesLast())

    @property
    def size(self) -> int:
        """Returns the number of entries of `index`."""
        return self.index.data.size

    @property
    def members(self) -> Ints:
        """Returns the flat index of each neuron. A dialect with copies of neurons returns each neuron once."""
        return self.index.values.astype(np.int64)

    output_axons = optional_body_op(OutputAxonsBase)
    """The destinations of its events; None if it sends none."""

    def layers(self) -> tuple[str, ...]:
        return (self.source.data,)

    def verify_(self) -> None:
        """Refuses indices that are not neurons, other ops than its parts, and destinations of neurons that the group does not have."""
        verify_body(self, self.ONCE, self.SEVERAL)
        verify_index(self, "index", self.index)
        if (axons := self.output_axons) is not None:
            verify_below(axons, "a destination belongs to no neuron", "a neuron", axons.neuron, self.size, CHI002)


class InputBase(SenderOp):
    """Entries of an input of the network, whose events the host sends to the core `at`. Errors: CHI001, CHI002."""

    at = prop_def(IntegerAttr.constr(i64))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source `at` $at attr-dict-with-keyword `:` $type $body"


class LayerOutputBase(NoptOperation):
    """An output of the network: the values of a layer, in the shape of the type."""

    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    type = prop_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source attr-dict `:` $type"


class OutputBase(LayerOutputBase):
    """An output of the network: the events of a population or input, `delay` ticks later.

    Shapes: delay () or [neurons of the population]. Units: delay [ticks].
    """

    delay = prop_def(ArrayAttr)

    def verify_(self) -> None:
        if self.delay.shape not in ((), (size := prod(shape_of(self.type)),)):
            refuse_chip(self, "delay has another shape", f"[] or [{size}]", str(list(self.delay.shape)))
        verify_whole(self, "delay", self.delay)
