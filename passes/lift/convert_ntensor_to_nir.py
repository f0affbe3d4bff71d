"""Converts ticks back to continuous time, where that is exact: a network that was converted and then quantized becomes a `.nir` file again.

    ntensor.network @net … attributes {tick_ns = 1000000, approximations = [#ntensor.approximation<"convert-nir-to-ntensor{…}", …>, …]} {…}
      =>
    nir.graph @net …

1. The first record of a network contains the options of its conversion; a network in which no preset chose anything needs none.
2. Synapses keep their numbers; quantized weights are the floats that they are.
3. `_raw_parameters.py` finds parameters from which the rule derives exactly what each population has.
4. Delays that the conversion put into loops, after nodes and before outputs are removed; a conversion adds them again. So are the windows
   of rates, whose readers get `transmission = rate`.
5. Sums are edges. Where these would be added in another order, nodes of type Identity keep it.
6. `_equivalence_proof.py` converts the result again with the recorded options, and compares it with this network, op by op.

Exactness: the same numbers in every tick. A remark lists the data that NIR cannot store (the time step, records, `quantized`,
observations).

Errors: NRM006 the options of the conversion are not known; NRM007 a feature that NIR does not have; NRM008 a number that no parameter
produces; NRM009 the network would be another one. Remarks: NRM010.
Source: Pedersen et al., Nature Communications 15:8122 (2024), table of primitives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from shlex import quote
from typing import NoReturn

import numpy as np
from attrs import define, field
from xdsl.context import Context
from xdsl.dialects.builtin import Float32Type, Float64Type, FunctionType, ModuleOp, StringAttr, TensorType, f32, i1
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.calibration_records import OBSERVED
from ...analysis.rate_windows import RateWindow, rate_windows
from ...core import registry
from ...core.arrays.arrays import ArrayAttr, uniform
from ...core.diagnostics import Code, Diagnostics, Refused, refuse_op
from ...core.help_text import OutputFormat, Phrase
from ...core.ir.context import NoptContext, diagnostics_of
from ...core.ir.graph_region import Signature
from ...core.ir.operation import element_type, shape_of, texts_of
from ...core.ir.pipeline import NoptPass, parse_pipeline, pass_text
from ...core.ir.source import verify
from ...core.names import PrimedNames
from ...core.number_texts import counted_text
from ...dialects import nir, ntensor
from ._equivalence_proof import Difference, difference
from ._raw_parameters import as_parameters, raw_parameters

NRM006 = Code("NRM006", "conversion-options-unknown", "the options of the conversion are not known")
NRM007 = Code("NRM007", "network-not-nir-representable", "NIR cannot represent this")
NRM010 = Code("NRM010", "unstorable-data-dropped", "data that NIR cannot store were left out")

CONVERSION = "convert-nir-to-ntensor"
FAMILIES: Mapping[str, type[nir.PopulationOp]] = {
    op.name.partition(".")[2]: op
    for op in nir.NIR.operations
    if issubclass(op, nir.PopulationOp) and op is not nir.NeuronOp
}
MARK = "one tick on each of"
"""How the conversion's record of loops begins."""


@dataclass(frozen=True)
class ConvertNtensorToNirPass(NoptPass):
    """Makes every `ntensor.network` of the module a `nir.graph` that converts to it again."""

    name = "convert-ntensor-to-nir"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        networks = [network for network in op.ops if isinstance(network, ntensor.NetworkOp)]
        updates = ntensor.find_updates(op)
        graphs = {network: proven(network, diagnostics_of(ctx)) for network in networks}
        for network, graph in graphs.items():
            Rewriter.insert_op(graph, InsertPoint.before(network))
            Rewriter.erase_op(network)
        for update in updates.values() if graphs else ():
            Rewriter.erase_op(update)


def conversion_of(network: ntensor.NetworkOp) -> ModulePass:
    """Returns the conversion that made a network. Errors: NRM006; COR013 a record that is not a pass."""
    for record in network.approximations or ():
        if record.step.data.partition("{")[0] == CONVERSION:
            return parse_conversion(record.step.data)
    chosen = [
        op
        for op in network.body.block.ops
        if isinstance(op, ntensor.NeuronOp) or (isinstance(op, ntensor.DelayOp) and op.part_of is not None)
    ]
    if chosen:  # by a preset
        refuse_op(
            network,
            NRM006,
            "it is not known how the network was converted",
            node=chosen[0].node.data,
            expected=f"a record of {CONVERSION}, with its time step and preset",
            found=f"{len(network.approximations or ())} records, none of which is its",
            help=f"nopt FILE.nir -p '{CONVERSION}{{dt-ns={network.tick_ns.value.data} like=norse}}'",
        )
    values = [element_type(result) for op in network.body.block.ops for result in op.results]
    is_short = any(isinstance(type, Float32Type) for type in values)
    options = f"dt-ns={network.tick_ns.value.data} precision={'f32' if is_short else 'f64'}"
    return parse_conversion(f"{CONVERSION}{{{options}}}")


def parse_conversion(text: str) -> ModulePass:
    (step,) = parse_pipeline(text, {CONVERSION: registry.passes()[CONVERSION]})
    return step


def proven(network: ntensor.NetworkOp, diagnostics: Diagnostics) -> nir.GraphOp:
    """Returns a NIR graph whose conversion produces exactly this network. Errors: NRM006, NRM007, NRM008, NRM009; those of the conversion."""
    step = conversion_of(network)
    parts = Parts(network)
    found: list[Difference] = []
    for is_chained in (False, True):
        graph = Rebuilding(parts, is_chained).graph()
        module = ModuleOp([graph])
        if wrong := list(verify(module)):
            raise Refused(*wrong)
        again = module.clone()
        step.apply(NoptContext(diagnostics=Diagnostics()), again)
        other = difference(network, next(op for op in again.ops if isinstance(op, ntensor.NetworkOp)))
        if other is None:
            remark_losses(network, parts, step, is_chained, diagnostics)
            graph.detach()
            return graph
        found.append(other)
        if not other.is_sum:
            break
    raise Refused(found[0].finding())  # that the order of a sum cannot be kept is the reason for what else differs


def remark_losses(
    network: ntensor.NetworkOp,
    parts: Parts,
    step: ModulePass,
    is_chained: bool,
    diagnostics: Diagnostics,
) -> None:
    """Reports the data that the graph does not hold, and the conversion that restores this network."""
    records = len(network.approximations or ())
    notes = [f"{counted_text(records, 'record')} of what was approximated"] if records else []
    quantized = [op.properties["node"] for op in network.body.block.ops if "quantized" in op.properties]
    if quantized:
        notes.append(f"that weights are integers times a scale: {format_names(str(name) for name in quantized)}")
    if any(OBSERVED in op.attributes for op in network.walk()):
        notes.append("observations of a calibration")
    unread = [name for name, free in parts.unread.items() if free]
    if unread:
        free = sorted({name for names in parts.unread.values() for name in names})
        notes.append(f"defaults for {', '.join(free)}, which the rule does not read: {format_names(unread)}")
    if is_chained:
        notes.append("nodes of type Identity keep the order of sums")
    diagnostics.remark(
        NRM010,
        at=f"{network.name} @{network.sym_name.data}",
        expected="this network again",
        found="its numbers, without what they were made with",
        help=f"nopt FILE.nir -p {quote(pass_text(step))}",
        notes=["the command of the help makes this network again", *notes],
    )


def format_names(names: Iterable[str]) -> str:
    found = list(names)
    return ", ".join(found[:6]) + (f" and {len(found) - 6} more" if len(found) > 6 else "")


# ---- what a network is made of


def cannot(op: Operation, what: str, expected: str) -> NoReturn:
    """Refuses an op. Errors: NRM007."""
    help = Phrase(OutputFormat("mlir"))
    refuse_op(op, NRM007, f"NIR cannot represent {what}", expected=expected, found=what, help=help)


@define(eq=False)
class Parts:
    """A network, the delays that the conversion put into it, and the raw parameters of its populations."""

    network: ntensor.NetworkOp
    updates: Mapping[str, ntensor.UpdateOp] = field(init=False)
    rates: Mapping[SSAValue, RateWindow] = field(init=False)
    """The windows of rates, by the rates that synapses read."""
    added: set[Operation] = field(factory=set[Operation])
    """The delays, and the ops of windows of rates, that are not nodes of NIR."""
    raw: dict[ntensor.NeuronOp, dict[str, ArrayAttr]] = field(factory=dict[ntensor.NeuronOp, dict[str, ArrayAttr]])
    unread: dict[str, list[str]] = field(factory=dict[str, list[str]])
    """Parameters that a rule does not read, by node."""

    def __attrs_post_init__(self) -> None:
        self.updates = ntensor.updates_of(self.network)
        self.rates = {window.mean.y: window for window in rate_windows(self.network)}
        self.added = {op for window in self.rates.values() for op in window.ops}
        for op in self.network.body.block.ops:
            if op not in self.added:
                self.check(op)
        self.added |= set(added_delays(self.network))
        self.find_raw()

    def check(self, op: Operation) -> None:
        """Refuses ops and types that NIR cannot represent, independent of their numbers. Errors: NRM007."""
        if isinstance(op, ntensor.SynapseOpInterface) and op.DELAYS is not None:
            cannot(op, "single synapses with delays of their own", "ntensor.linear")
        if op.properties.get("exponent") is not None:
            cannot(op, "exponents of weights", "weights without an exponent")
        for value in (*op.operands, *op.results):
            type = element_type(value)
            is_counted = isinstance(type, ntensor.CountType)
            if not is_counted and not isinstance(type, Float32Type | Float64Type) and type != i1:
                cannot(op, f"integers ({type})", "reals, spikes or counts of spikes")
        if isinstance(op, ntensor.NeuronOp):
            update = self.updates[op.update_name]
            kind = FAMILIES.get(op.family.data) if op.family is not None else None
            if kind is None or not {name.data for name in update.raw} <= set(kind.PARAMETERS):
                cannot(op, f"the neuron @{update.sym_name.data}", f"a neuron of {', '.join(FAMILIES)}")
            if len(op.xs) != 1 or len(update.inputs) != 1:
                cannot(op, f"a neuron with {len(op.xs)} inputs", "one input, the sum of what arrives")

    def find_raw(self) -> None:
        """Computes the raw parameters of all populations; all of them have the same number format. Errors: NRM008."""
        solved: dict[ntensor.NeuronOp, dict[str, np.ndarray]] = {}
        for op in self.network.populations:
            if op.family is not None:
                update, kind = self.updates[op.update_name], FAMILIES[op.family.data]
                solved[op] = dict(raw_parameters(op, update, kind, self.network.dt))
                read = texts_of(update.raw)
                self.unread[op.node.data] = [name for name in kind.PARAMETERS if name not in read]
        every = [values for columns in solved.values() for values in columns.values()]
        is_short = all((values == values.astype(np.float32)).all() for values in every)
        dtype = np.dtype(np.float32 if is_short else np.float64)
        self.raw = {op: as_parameters(columns, dtype) for op, columns in solved.items()}


def added_delays(network: ntensor.NetworkOp) -> Iterator[ntensor.DelayOp]:
    """Returns the delays that the conversion puts after nodes, before neurons and outputs, and into loops, by their names."""
    records = [r for r in network.approximations or () if r.what.data.startswith(MARK)]
    waiting = {name.data for record in records for name in record.touched}
    last = network.outputs
    for op in network.body.block.ops:
        if not isinstance(op, ntensor.DelayOp):
            continue
        name = op.node.data.rstrip("'")
        source = name.removesuffix(".delay")
        uses = list(op.y.uses)
        readers = {use.operation for use in uses}
        outputs = {network.output_names.data[use.index].data for use in uses if use.operation is last}
        feeds = {f"{reader.node.data}.input" for reader in readers if isinstance(reader, ntensor.NeuronOp)}
        is_in_loop = source != name and source in waiting and op.ticks.shape == () and int(op.ticks.values) == 1
        is_behind = source != name and readers == {last} and outputs == {source}
        if op.part_of is not None or is_in_loop or is_behind or (feeds == {name} and len(uses) == 1):
            yield op


# ---- the graph


def nir_type(value: SSAValue) -> TensorType[Attribute]:
    """Returns the kind of a signal in continuous time: spikes or values."""
    type = element_type(value)
    return TensorType(i1 if type == i1 or isinstance(type, ntensor.CountType) else f32, shape_of(value))


class Rebuilding:
    """Nodes of NIR for the ops of a network. With `is_chained` every sum of three or more becomes sums of two, in its order."""

    def __init__(self, parts: Parts, is_chained: bool):
        self.parts, self.network, self.is_chained = parts, parts.network, is_chained
        self.block = Block(arg_types=[nir_type(arg) for arg in self.network.body.block.args])
        self.values: dict[SSAValue, SSAValue] = dict(zip(self.network.body.block.args, self.block.args, strict=True))
        self.chains: dict[SSAValue, SSAValue] = {}
        self.names = PrimedNames(name.data for name in (*self.network.input_names, *self.network.output_names))

    def graph(self) -> nir.GraphOp:
        ops = [op for op in self.network.body.block.ops if op not in self.parts.added]
        nodes = [op for op in ops if not isinstance(op, ntensor.SumOp | ntensor.OutputOp)]
        self.names.taken |= {name.data for op in nodes if isinstance(name := op.properties.get("node"), StringAttr)}
        stand_in = Block(arg_types=[nir_type(op.results[0]) for op in nodes])
        self.values |= {op.results[0]: arg for op, arg in zip(nodes, stand_in.args, strict=True)}
        for arg, own in zip(self.network.body.block.args, self.block.args, strict=True):
            own.name_hint = arg.name_hint
        made: list[Operation] = []
        for op in nodes:
            node = self.node(op, self.heard(op.operands[0]))
            node.results[0].name_hint = op.results[0].name_hint
            self.block.add_op(node)
            made.append(node)
        ends = nir.OutputOp(*map(self.heard, self.network.outputs.values))
        self.block.add_op(ends)
        for arg, node in zip(stand_in.args, made, strict=True):
            arg.replace_all_uses_with(node.results[0])
        type = FunctionType.from_lists([arg.type for arg in self.block.args], [value.type for value in ends.operands])
        signature = Signature(self.network.input_names, self.network.output_names, type)
        graph = nir.GraphOp(self.network.sym_name.data, signature, Region(self.block))
        return graph

    # ---- what arrives

    def seen(self, value: SSAValue) -> SSAValue:
        """Returns the source of a value, through delays of the conversion."""
        while isinstance(value, OpResult) and value.op in self.parts.added:
            value = value.op.operands[0]
        return value

    def heard(self, value: SSAValue) -> SSAValue:
        """Returns the NIR value of an operand: the signal of a single edge, or the sum of several edges."""
        value = self.seen(value)
        if not (isinstance(value, OpResult) and isinstance(value.op, ntensor.SumOp)):
            return self.values[value]
        if value not in self.chains:
            found = self.chained(value.op) if self.is_chained else list(self.leaves(value))
            is_edge = len(found) == 1 and found[0].type == nir_type(value)  # a sum of one makes values of spikes
            self.chains[value] = found[0] if is_edge else self.sum(found, value)
        return self.chains[value]

    def sum(self, values: list[SSAValue], of: SSAValue) -> SSAValue:
        op = nir.SumOp.create(operands=values, result_types=[TensorType(f32, shape_of(of))])
        op.results[0].name_hint = of.name_hint
        self.block.add_op(op)
        return op.results[0]

    def leaves(self, value: SSAValue) -> Iterator[SSAValue]:
        """Yields the values that a sum adds; nested sums are flattened, because a file has none."""
        value = self.seen(value)
        if isinstance(value, OpResult) and isinstance(value.op, ntensor.SumOp):
            for x in value.op.xs:
                yield from self.leaves(x)
        else:
            yield self.values[value]

    def chained(self, op: ntensor.SumOp) -> list[SSAValue]:
        """Returns the operands of a sum as at most two values; operands before the last are added in nodes of their own, from left to right."""

        def part(value: SSAValue) -> SSAValue:
            value = self.seen(value)
            if isinstance(value, OpResult) and isinstance(value.op, ntensor.SumOp):
                inner = self.chained(value.op)
                return inner[0] if len(inner) == 1 else self.kept(inner, value)
            return self.values[value]

        first, *others = (part(x) for x in op.xs)
        while len(others) > 1:
            first = self.kept([first, others.pop(0)], op.y)
        return [first, *others]

    def kept(self, values: list[SSAValue], of: SSAValue) -> SSAValue:
        """Returns a sum that a node of type Identity keeps together."""
        x, node = self.sum(values, of), StringAttr(self.names.take("sum"))
        op = nir.IdentityOp.create(operands=[x], result_types=[x.type], properties={"node": node})
        self.block.add_op(op)
        return op.results[0]

    # ---- nodes

    def node(self, op: Operation, x: SSAValue) -> Operation:
        properties: dict[str, Attribute] = {"node": op.properties["node"]}
        match op:
            case ntensor.NeuronOp():
                assert op.family is not None  # checked with the parts
                kind: type[Operation] = FAMILIES[op.family.data]
                properties |= self.parts.raw[op]
            case ntensor.SynapseOpInterface() if (found := op.nir_node()) is not None:
                kind = found[0]
                properties |= {name: even_padding(op, value) for name, value in found[1].items()}
                if op.x in self.parts.rates:
                    properties["transmission"] = nir.TransmissionAttr(nir.Transmission.RATE)
            case ntensor.ReshapeOp():
                dims = flattened(shape_of(op.x), shape_of(op.y))
                kind = nir.IdentityOp if shape_of(op.x) == shape_of(op.y) else nir.ReshapeOp
                if kind is nir.ReshapeOp and dims is None:
                    properties["shape"] = ArrayAttr.of(np.asarray(shape_of(op.y), np.int64))
                if dims is not None:
                    kind = nir.FlattenOp
                    properties |= {
                        name: ArrayAttr.of(np.int64(dim))
                        for name, dim in zip(("start_dim", "end_dim"), dims, strict=True)
                    }
            case ntensor.MaxPool2dOp():
                kind = nir.MaxPool2dOp
                properties |= {
                    "kernel_size": op.kernel,
                    "stride": op.stride,
                    "padding": even_padding(op, op.padding),
                }
            case ntensor.DelayOp():
                kind = nir.DelayOp
                properties |= {"delay": seconds(op.ticks, self.network.tick_ns.value.data)}
            case _:
                cannot(op, f"the op {op.name}", "synapses, neurons, delays, pools, reshapes and sums")
        return kind.create(operands=[x], result_types=[self.result(kind, op)], properties=properties)

    def result(self, kind: type[Operation], op: Operation) -> TensorType[Attribute]:
        """Returns the kind of a node's output: spikes of spiking neurons, the kind of the input where it is forwarded, else values."""
        shape = shape_of(op.results[0])
        if issubclass(kind, nir.PopulationOp):
            return TensorType(i1 if kind.SPIKES else f32, shape)
        return TensorType(nir_type(op.results[0]).element_type if issubclass(kind, nir.KeepingOp) else f32, shape)


def even_padding(op: Operation, value: Attribute) -> Attribute:
    """Returns padding with one number per axis if both sides are equal; other properties are unchanged. Errors: NRM007 unequal padding."""
    if value is not op.properties.get("padding") or not isinstance(value, ArrayAttr):
        return value
    if (value.values[:, 0] != value.values[:, 1]).any():
        cannot(op, f"padding {value.values.tolist()}", "the same number of zeros before and after an axis")
    return ArrayAttr.of(np.ascontiguousarray(value.values[:, 0]))


def flattened(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[int, int] | None:
    """Returns the first and last of the axes that a reshape joins; None for equal shapes, and for any other reshape."""
    for start in range(len(x)):
        for end in range(start, len(x)):
            if x != y and (*x[:start], prod(x[start : end + 1]), *x[end + 1 :]) == y:
                return start, end
    return None


def seconds(ticks: ArrayAttr, tick_ns: int) -> ArrayAttr:
    """Returns a delay that the conversion rounds to these ticks without an error."""
    exact = ticks.values.astype(np.float64) * tick_ns / 1e9
    short = uniform(exact).astype(np.float32)
    back = np.rint(short.astype(np.float64) * 1e9 / tick_ns)
    return ArrayAttr.of(short if (back == ticks.values).all() else uniform(exact))
