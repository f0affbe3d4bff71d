"""From a network in ticks to a C program: every op becomes loop nests over named memory, in an order of execution.

    %y = ntensor.linear "fc" %x …            =>    c.clear %sums
    %z = ntensor.neuron "lif" @lif(%y) …           c.rows "fc" %x, %fc_weight into %sums …
                                                   c.loop "lif" (%sums, %lif_v) -> (%lif_z, %lif_v) …

Nothing is chosen yet: elements stand in C order, every presynaptic neuron is looked at, every op has its own loop and its own
memory. The passes of `passes/` choose. What each op becomes computes what its definition states, bit for bit, in index order.

1. Spikes and integers take the smallest C type that holds their interval; sums of integers the one that holds every partial sum.
2. A delay is a ring of rows in the state; rings are read at their place in the order, and written when the tick ends. Synapses with delays
   of their own look into such a ring, or, for spikes of up to 63 ticks ago, at bits.
3. A uniform parameter is a number in the loop, another an array.
4. Terms (`!ntensor.terms`) are added by the neuron that takes them, one by one, into its state.

Errors: CLO001 a network input or output whose name is no C identifier; CLO002 an op or type that has no C; CLO004 a preference that no
compiler could follow; NAT001 sums of integers that may leave their type, and weights that change; RUN001 a record of nothing.
Source: ISO/IEC 9899:1999.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, IntegerAttr, ModuleOp, StringAttr, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...core.diagnostics import Code, Diagnostics, Refused, described, refuse
from ...core.ir.graph_region import schedule
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects import c
from ...dialects.ntensor import (
    ConvolutionOp,
    DelayOp,
    FanInLinearOp,
    LinearOp,
    NetworkOp,
    NeuronOp,
    OutputOp,
    PoolOp,
    ReshapeOp,
    ScaleOp,
    SparseLinearOp,
    SumOp,
    TermsType,
    UpdateOp,
    breaks_loops,
)
from ...simulation.records import Records, Watched
from .building.delays import Delays
from .building.neurons import add_neuron
from .building.ops import by_fan_in, pooled, scaled_by, summed, weighted
from .building.program import identifier, stored
from .building.values import CLO002, OBSERVED, Values, require, result_element
from .promises import unkept

CLO001 = Code(
    "CLO001",
    "the name of an input or output is no C identifier",
    cause="Inputs and outputs are arguments of `net_step`, under their own names.",
    remedy="Rename it in the network, with letters, digits and underscores, a letter first; or `--set c.names=make` lets nopt choose.",
)
CLO004 = Code(
    "CLO004",
    "a preference of the C target has no such value",
    cause="Alignment, unrolling and the instruction set are handed to the compiler, which knows certain values only.",
    remedy="Use a value that the message names.",
)

INSTRUCTIONS = re.compile(r"[a-z0-9][a-z0-9.=+_-]*")
MOST_ALIGNED, MOST_UNROLLED = 4096, 65534
"""What GCC takes at most."""


class Lowering:
    """Lowers one network."""

    def __init__(self, network: NetworkOp, record: Sequence[str], makes_names: bool):
        self.network = network
        self.makes_names = makes_names
        self.values = Values(network)
        self.delays = Delays(self.values)
        found = Records(network)
        self.watched = {name: watched for name, watched in found.watched(record).items() if name not in found.outputs}
        for watched in self.watched.values():
            if watched.state is not None and isinstance(owner := watched.value.owner, Operation):
                self.values.wanted.add((owner, watched.state))

    def run(self, prefix: str, preferences: Mapping[str, Attribute]) -> c.ProgramOp:
        network, program, block = self.network, self.values.program, self.network.body.block
        last = block.last_op
        assert isinstance(last, OutputOp)  # verified
        self.check_names()
        for name, arg in zip(network.input_names, block.args, strict=True):
            self.values.held[arg] = self.input(name.data, arg)
        outputs = [
            program.buffer(
                identifier(name.data), c.Kind.OUTPUT, result_element(element_type(x)), shape_of(x), node=name.data
            )
            for name, x in zip(network.output_names, last.values, strict=True)
        ]
        ordered = [op for op in chain.from_iterable(schedule(block, breaks_loops)) if op is not last]
        waiting = [op for op in ordered if isinstance(op, DelayOp) and breaks_loops(op)]
        for op in waiting:
            self.delays.read(op)
        for op in ordered:
            for result in op.results:
                require(result)
            self.lower(op)
        for op in waiting:
            self.delays.write(op)
        for name, x, output in zip(network.output_names, last.values, outputs, strict=True):
            program.copy(identifier(name.data), self.values.memory(x), output)
        for name, watched in self.watched.items():
            self.add_probe(name, watched)
        return program.finish(network.sym_name.data, prefix, network.tick_ns.value.data, preferences)

    def check_names(self) -> None:
        findings = Diagnostics()
        for what, names in (("input", self.network.input_names), ("output", self.network.output_names)):
            for name in names:
                if not self.makes_names and not c.is_identifier(name.data):
                    findings.error(
                        CLO001,
                        f"the name of an {what} is no C identifier",
                        at=f'ntensor.network @{self.network.sym_name.data}, {what} "{name.data}"',
                        node=name.data,
                        expected="letters, digits and underscores, a letter first, no keyword of C",
                        found=name.data,
                        help="--set c.names=make",
                        notes=[f"it is then called {identifier(name.data)}"],
                    )
        findings.check()

    def input(self, name: str, arg: SSAValue) -> SSAValue:
        """The memory of an input, with the part of it that was not zero when the network was calibrated."""
        require(arg)
        element = element_type(arg)
        seen: Attribute | None = self.network.attributes.get(OBSERVED)
        for key in ("inputs", name, "density"):
            seen = seen.data.get(key) if isinstance(seen, DictionaryAttr) else None
        return self.values.program.buffer(
            identifier(name),
            c.Kind.INPUT,
            stored(element),
            shape_of(arg),
            node=name,
            spikes=element == i1,
            density=seen.value.data if isinstance(seen, FloatAttr) else None,
        )

    def lower(self, op: Operation) -> None:
        """Adds what an op becomes, and remembers where its result stands."""
        values = self.values
        if op.results and isinstance(element_type(op.results[0]), TermsType):
            return  # the neuron that takes them adds them
        match op:
            case LinearOp() | SparseLinearOp() | ConvolutionOp():
                values.held[op.y] = weighted(values, op)
            case FanInLinearOp():
                values.held[op.y] = by_fan_in(values, op)
            case PoolOp():
                values.held[op.y] = pooled(values, op)
            case ScaleOp():
                values.held[op.y] = scaled_by(values, op)
            case ReshapeOp():
                values.held[op.y] = values.program.view(values.memory(op.x), shape_of(op.y))
            case SumOp():
                values.held[op.y] = summed(values, op)
            case DelayOp():
                if not breaks_loops(op):
                    values.held[op.y] = self.delays.pass_on(op)
            case NeuronOp():
                add_neuron(values, op)
            case _:
                refuse(
                    CLO002,
                    f"there is no C for {op.name}",
                    at=described(op)[0],
                    expected="an op of ntensor",
                    found=op.name,
                )

    def add_probe(self, name: str, watched: Watched) -> None:
        """A row that shows a record, and the loop that fills it."""
        owner, values = watched.value.owner, self.values
        if watched.state is not None and isinstance(owner, Operation):
            source = values.states[owner, watched.state]
        else:
            source = values.memory(watched.value)
        label = identifier(name)
        element = result_element(watched.type)
        probe = values.program.buffer(f"{label}_seen", c.Kind.PROBE, element, watched.shape, node=name)
        values.program.copy(label, source, probe)


@dataclass(frozen=True)
class ConvertNtensorToCPass(NoptPass):
    """Lowers every `ntensor.network` of the module to a `c.program`; updates that only they name go.

    Options:
        prefix: begins every name of the program; default net.
        names: `refuse` inputs and outputs whose names are no C identifiers, or `make` identifiers of them; default refuse.
        record: nodes and states that a tick gives beside its outputs, `record=lif1,"lif1.v"`; default none.
        alignment [bytes]: what constants are aligned to, 0 leaves it to the compiler; default 0.
        unroll: how often inner loops are written out, 0 leaves it to the compiler; default 0.
        instruction-set: what the Makefile compiles for: `portable`, `native`, or what stands behind `-m`, as `avx2`; default portable.
    """

    name = "convert-ntensor-to-c"
    prefix: str = "net"
    names: Literal["refuse", "make"] = "refuse"
    record: tuple[str, ...] = ()
    alignment: int = 0
    unroll: int = 0
    instruction_set: str = "portable"

    def check(self) -> None:
        """Refuses preferences that no compiler could follow."""
        findings = Diagnostics()
        power = self.alignment & (self.alignment - 1) == 0 and 0 <= self.alignment <= MOST_ALIGNED
        for name, value, is_fine, expected in (
            ("prefix", self.prefix, c.is_identifier(self.prefix), "a C identifier that is no keyword"),
            ("alignment", self.alignment, power, f"0, or a power of 2 up to {MOST_ALIGNED}"),
            ("unroll", self.unroll, 0 <= self.unroll <= MOST_UNROLLED, f"0 to {MOST_UNROLLED}"),
            (
                "instruction-set",
                self.instruction_set,
                INSTRUCTIONS.fullmatch(self.instruction_set) is not None,
                "portable, native, or what a compiler takes behind -m",
            ),
        ):
            if not is_fine:
                findings.error(
                    CLO004,
                    f"{name} has no such value",
                    at=f"{self.name}{{{name}={value}}}",
                    expected=expected,
                    found=str(value),
                    help=f"--set c.{name.replace('-', '_')}={type(self).__dataclass_fields__[name.replace('-', '_')].default}",
                )
        findings.check()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check()
        networks = [inner for inner in op.ops if isinstance(inner, NetworkOp)]
        preferences: dict[str, Attribute] = {
            "alignment": IntegerAttr(self.alignment, i64),
            "unroll": IntegerAttr(self.unroll, i64),
            "instruction_set": StringAttr(self.instruction_set),
        }
        found = [finding for network in networks for finding in unkept(network)]
        if found:
            raise Refused(*found)
        for network in networks:
            program = Lowering(network, self.record, self.names == "make").run(self.prefix, preferences)
            program.location = network.location
            Rewriter.replace_op(network, program, [])
        if networks:
            for update in [inner for inner in op.ops if isinstance(inner, UpdateOp)]:
                Rewriter.erase_op(update)
