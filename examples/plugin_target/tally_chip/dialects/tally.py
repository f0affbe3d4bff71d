"""The exit dialect of the chip: cores with neurons, and tables of synapses between them.

    tally.chip @net attributes {tick_ns = 1000000 : i64} {
      tally.input "input" : tensor<12xi1>
      tally.core 3 "hidden/0" of "hidden" @tally_lif {neurons = [0, 1, …], size = 20, bias = [0, 3, …], …}
      tally.table "input" -> "hidden/0" {source = […], target = […], weight = […], ticks = 1 : i64}
      tally.output "output" of "hidden" {ticks = 0 : i64}
    }

Sources are flat indices of the population that sends, targets are places in the core's list of neurons. The attribute `machine.device`
of the chip names the device, whose limits the verifier checks. In each tick, a neuron adds its bias and the weights of its arriving spikes.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import NoReturn

import numpy as np
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
    i64,
)
from xdsl.ir import Dialect
from xdsl.irdl import ParsePropInAttrDict, base, irdl_op_definition, prop_def, region_def, traits_def
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.device.device import Device
from nopt.core.device.limits import Contracts
from nopt.core.device.named_device import device_named
from nopt.core.diagnostics import Code, InvalidOp, Refused, invalid
from nopt.core.ir.operation import NoptOperation, VerifiesLast, shape_of
from nopt.dialects.chip_base.user import ResourceUserOpInterface, verify_resources

TLY001 = Code("TLY001", "tally-table-inconsistent", "a table of synapses or an output is inconsistent")
TLY005 = Code("TLY005", "tally-neurons-inconsistent", "the neurons of a core are inconsistent")
WEIGHTS = range(-8, 8)
BIASES = range(-(2**15), 2**15)
TICKS = range(1, 16)


@irdl_op_definition
class ChipOp(NoptOperation):
    """A network on the chip. Units: tick_ns [ns]. Errors: TLY001, DEV016, DEV021; those of reading the device."""

    name = "tally.chip"
    sym_name = prop_def(SymbolNameConstraint())
    tick_ns = prop_def(IntegerAttr)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface(), VerifiesLast())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"

    @property
    def cores(self) -> list[CoreOp]:
        return [op for op in self.body.block.ops if isinstance(op, CoreOp)]

    @property
    def tables(self) -> list[TableOp]:
        return [op for op in self.body.block.ops if isinstance(op, TableOp)]

    def verify_(self) -> None:
        senders = {core.population.data: core.size.value.data for core in self.cores}
        senders |= {op.node.data: prod(shape_of(op.type)) for op in self.body.block.ops if isinstance(op, InputOp)}
        cores = {core.node.data: core.neurons.data.size for core in self.cores}
        for op in self.body.block.ops:
            if isinstance(op, OutputOp):
                verify_reference(op, op.population.data, senders)
            elif isinstance(op, TableOp):
                verify_reference(op, op.sender.data, senders, op.source)
                verify_reference(op, op.core.data, cores, op.target)
        try:
            device = device_named(self)
        except Refused as refusal:
            raise InvalidOp(refusal.findings[0]) from refusal
        if device is not None:
            contracts = device.derive(Contracts)
            for core in self.cores:
                verify_resources(core, device, contracts)


@irdl_op_definition
class InputOp(NoptOperation):
    """An input of the network, by the user's name."""

    name = "tally.input"
    node = prop_def(StringAttr)
    type = prop_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict `:` $type"


@irdl_op_definition
class CoreOp(ResourceUserOpInterface):
    """Neurons of one population on one core.

    Shapes: neurons [n], flat indices; bias [n]; parameters and states () or [n]. Errors: TLY005.
    """

    name = "tally.core"
    place = prop_def(IntegerAttr.constr(i64))
    node = prop_def(StringAttr)
    population = prop_def(StringAttr)
    update = prop_def(FlatSymbolRefAttrConstr)
    neurons = prop_def(ArrayAttr)
    size = prop_def(IntegerAttr)
    bias = prop_def(ArrayAttr)
    params = prop_def(DictionaryAttr)
    initial = prop_def(DictionaryAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$place $node `of` $population $update attr-dict"

    @property
    def tables(self) -> list[TableOp]:
        chip = self.parent_op()
        return [table for table in chip.tables if table.core == self.node] if isinstance(chip, ChipOp) else []

    def layers(self) -> tuple[str, ...]:
        return (self.population.data,)

    def verify_(self) -> None:
        neurons, biases, size = self.neurons.values, self.bias.values, self.size.value.data
        if len(np.unique(neurons)) < neurons.size or ((neurons < 0) | (neurons >= size)).any():
            expected = f"different indices from 0 to {size - 1}"
            refuse_op(self, TLY005, "the indices of neurons are invalid", expected, str(neurons.tolist()))
        if biases.shape != neurons.shape:
            refuse_op(self, TLY005, "each neuron has one bias", f"{neurons.size} biases", str(biases.size))
        if outside := [bias for bias in biases.tolist() if bias not in BIASES]:
            expected = f"{BIASES.start} to {BIASES.stop - 1}"
            refuse_op(self, TLY005, "a bias has more than 16 bits", expected, str(outside[0]))

    def quantities(self, device: Device) -> Mapping[str, int]:
        """Counts synapses whose weight is not 0, as nopt does before the tables exist."""
        stored = [table.weight.values != 0 for table in self.tables]
        targets = [table.target.values[mask] for table, mask in zip(self.tables, stored, strict=True)]
        axons = {
            (table.sender.data, source)
            for table, mask in zip(self.tables, stored, strict=True)
            for source in np.unique(table.source.values[mask]).tolist()
        }
        fan_in = np.bincount(np.concatenate([np.zeros(0, np.int64), *targets]), minlength=1)
        return {
            "neurons": self.neurons.data.size,
            "synapses": sum(target.size for target in targets),
            "fan_in": int(fan_in.max()),
            "input_axons": len(axons),
            "delay": max((table.ticks.value.data for table in self.tables), default=0),
        }


@irdl_op_definition
class TableOp(NoptOperation):
    """Synapses from a population or input into a core.

    Shapes: source, target and weight [synapses]. Units: ticks [ticks]. Errors: TLY001.
    """

    name = "tally.table"
    sender = prop_def(StringAttr)
    core = prop_def(StringAttr)
    source = prop_def(ArrayAttr)
    target = prop_def(ArrayAttr)
    weight = prop_def(ArrayAttr)
    ticks = prop_def(IntegerAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sender `->` $core attr-dict"

    def verify_(self) -> None:
        sizes = [array.data.size for array in (self.source, self.target, self.weight)]
        if len(set(sizes)) > 1:
            expected = "equally many sources, targets and weights"
            refuse_op(self, TLY001, "a table has lists of several lengths", expected, str(sizes))
        weights = self.weight.values
        outside = weights[(weights < WEIGHTS.start) | (weights >= WEIGHTS.stop)]
        if outside.size:
            help = "ntensor-quantize-weights{bits=4}"
            refuse_op(self, TLY001, "a weight has more than four bits", "-8 to 7", str(int(outside[0])), help)
        if self.ticks.value.data not in TICKS:
            help, found = "ntensor-relay-delays{max-delay=15}", f"{self.ticks.value.data} ticks"
            refuse_op(self, TLY001, "a delay is too short or too long", "1 to 15 ticks", found, help)


@irdl_op_definition
class OutputOp(NoptOperation):
    """An output of the network: the spikes of a population, some ticks later. Units: ticks [ticks]."""

    name = "tally.output"
    node = prop_def(StringAttr)
    population = prop_def(StringAttr)
    ticks = prop_def(IntegerAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $population attr-dict"


def verify_reference(op: NoptOperation, name: str, sizes: Mapping[str, int], index: ArrayAttr | None = None) -> None:
    """Refuses a name that the chip does not define, and an index outside of its neurons. Errors: TLY001."""
    if name not in sizes:
        refuse_op(op, TLY001, f'the chip has no "{name}"', f"one of {', '.join(sizes) or 'none'}", name)
    outside = [] if index is None else [k for k in index.values.tolist() if not 0 <= k < sizes[name]]
    if outside:
        refuse_op(op, TLY001, f'an index is outside of "{name}"', f"0 to {sizes[name] - 1}", str(outside[0]))


def refuse_op(
    op: NoptOperation, code: Code, message: str, expected: str, found: str, help: str = "compile the network again"
) -> NoReturn:
    invalid(op, code, message, expected=expected, found=found, help=help)


TALLY = Dialect("tally", [ChipOp, InputOp, CoreOp, TableOp, OutputOp], [])
