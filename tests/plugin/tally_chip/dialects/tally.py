"""The exit dialect of the chip: cores with neurons, and tables of synapses between them.

    tally.chip @net attributes {tick_ns = 1000000 : i64} {
      tally.input "input" : tensor<12xi1>
      tally.core 3 "hidden/0" of "hidden" @tally_lif {neurons = [0, 1, …], size = 20, params = {…}, initial = {…}}
      tally.table "input" -> "hidden/0" {source = […], target = […], weight = […], ticks = 1 : i64}
      tally.output "output" of "hidden" {ticks = 0 : i64}
    }

Sources are flat indices of the population that sends, targets are places in the core's list of neurons.
"""

from __future__ import annotations

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
from nopt.core.diagnostics import Code, invalid
from nopt.core.ir.operation import NoptOperation

TLY001 = Code("TLY001", "a table of synapses is inconsistent")
WEIGHTS = range(-8, 8)
TICKS = range(1, 16)


@irdl_op_definition
class ChipOp(NoptOperation):
    """A network on the chip. Units: tick_ns [ns]."""

    name = "tally.chip"
    sym_name = prop_def(SymbolNameConstraint())
    tick_ns = prop_def(IntegerAttr)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"


@irdl_op_definition
class InputOp(NoptOperation):
    """An input of the network, by the user's name."""

    name = "tally.input"
    node = prop_def(StringAttr)
    type = prop_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict `:` $type"


@irdl_op_definition
class CoreOp(NoptOperation):
    """Neurons of one population on one core. Shapes: neurons [n], flat indices; parameters and states () or [n]."""

    name = "tally.core"
    place = prop_def(IntegerAttr.constr(i64))
    node = prop_def(StringAttr)
    population = prop_def(StringAttr)
    update = prop_def(FlatSymbolRefAttrConstr)
    neurons = prop_def(ArrayAttr)
    size = prop_def(IntegerAttr)
    params = prop_def(DictionaryAttr)
    initial = prop_def(DictionaryAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$place $node `of` $population $update attr-dict"


@irdl_op_definition
class TableOp(NoptOperation):
    """Synapses from a population or input into a core. Shapes: source, target and weight [synapses]. Units: ticks [ticks]. Errors: TLY001."""

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
            invalid(
                self,
                TLY001,
                "a table has lists of several lengths",
                expected=expected,
                found=str(sizes),
                help="list each synapse whole",
            )
        weights = self.weight.values
        outside = weights[(weights < WEIGHTS.start) | (weights >= WEIGHTS.stop)]
        if outside.size:
            help = "ntensor-quantize-weights{bits=4}"
            invalid(
                self,
                TLY001,
                "a weight has more than four bits",
                expected="-8 to 7",
                found=str(int(outside[0])),
                help=help,
            )
        if self.ticks.value.data not in TICKS:
            found = f"{self.ticks.value.data} ticks"
            invalid(
                self,
                TLY001,
                "a delay is too short or too long",
                expected="1 to 15 ticks",
                found=found,
                help="ntensor-relay-delays{most=15}",
            )


@irdl_op_definition
class OutputOp(NoptOperation):
    """An output of the network: the spikes of a population, some ticks later. Units: ticks [ticks]."""

    name = "tally.output"
    node = prop_def(StringAttr)
    population = prop_def(StringAttr)
    ticks = prop_def(IntegerAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $population attr-dict"


TALLY = Dialect("tally", [ChipOp, InputOp, CoreOp, TableOp, OutputOp], [])
