"""Lowers a network in ticks to a C program: every op becomes loop nests over named memory, in execution order.

    %y = ntensor.linear "fc" %x …            =>    c.clear %sums
    %z = ntensor.neuron "lif" @lif(%y) …           c.rows "fc" %x, %fc_weight into %sums …
                                                   c.loop "lif" (%sums, %lif_v) -> (%lif_z, %lif_v) …

No optimisation is chosen yet: elements are in C order, every presynaptic neuron is visited, every op has its own loop and its own
memory. The passes of `passes/` choose. The loops of an op compute its definition, bit for bit, in index order.

1. Spikes and integers have the smallest C type that holds their interval; integer sums have a type that holds every partial sum.
2. A delay is a ring of rows in the state; rings are read at their position in the order, and written at the end of the tick. Synapses with
   individual delays read such a ring, or, for spikes of up to 63 ticks ago, bits.
3. A uniform parameter is a number in the loop, any other an array: of channels if all neurons of a channel have the same, else of neurons.
4. An integer state that is always a multiple of a constant is stored divided by it; a probe multiplies it.
5. Weights that learn are states; their rules run after all ops of the tick (`building/plasticity.py`).
6. The neuron adds terms (`!ntensor.terms`) one by one to its state.

Errors: CSR009 the name of a network input or output is not a C identifier; CSR010 an op or type without a C equivalent; CSR011 an invalid
preference; CSR017 integer sums that may leave their type; SIM017 an unknown record; NTE021, NTE023 a probe; NTE025, SIM031 to SIM034, SIM036 learning.
Source: ISO/IEC 9899:1999.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, cast

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...analysis.calibration_records import observed_rate
from ...core.diagnostics import Code, Diagnostics, Refused, describe_op, refuse
from ...core.help_text import preference
from ...core.ir.graph_region import schedule
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects import c
from ...dialects.ntensor import (
    DelayOp,
    MaxPool2dOp,
    NetworkOp,
    NeuronOp,
    OutputOp,
    PoolOp,
    ReshapeOp,
    RuleOp,
    ScaleOp,
    SumOp,
    SynapseOpInterface,
    TermsType,
    UpdateOp,
    breaks_loops,
)
from ...dialects.ntensor.probes import probe_names, require_probes
from ...simulation.records import Records, Watched
from .building.delays import Delays
from .building.neurons import add_neuron
from .building.ops import lower_max_pool, lower_pool, lower_sum, lower_synapse, multiply_state, scaled_by
from .building.plasticity import Plasticity
from .building.program import identifier, storage_type
from .building.values import CSR010, Values, require, result_element
from .equivalence_conditions import violations
from .instructions.profile import profile_named

CSR009 = Code("CSR009", "signal-name-not-c-identifier", "the name of an input or output is not a C identifier")
CSR011 = Code("CSR011", "c-preference-invalid", "invalid value of a preference of the C target")

INSTRUCTIONS = re.compile(r"[a-z0-9][a-z0-9.=+_-]*")
MOST_ALIGNED, MOST_UNROLLED = 4096, 65534
"""The largest alignment that GCC accepts."""
ALIGNMENTS = f"0, or a power of 2 up to {MOST_ALIGNED}"


def is_alignment(bytes: int) -> bool:
    """Returns whether a compiler can align memory to a number of bytes; 0 leaves it to the compiler."""
    return 0 <= bytes <= MOST_ALIGNED and bytes & (bytes - 1) == 0


class Lowering:
    """Lowers one network."""

    def __init__(self, network: NetworkOp, record: Sequence[str], makes_names: bool):
        self.network = network
        self.makes_names = makes_names
        self.values = Values(network)
        self.delays = Delays(self.values)
        self.plasticity = Plasticity.of(self.values, network)
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
            program.origin = arg.location
            self.values.held[arg] = self.input(name.data, arg)
        program.origin = last.location
        outputs = [
            program.buffer(
                identifier(name.data), c.Kind.OUTPUT, result_element(element_type(x)), shape_of(x), node=name.data
            )
            for name, x in zip(network.output_names, last.values, strict=True)
        ]
        ordered = [op for op in chain.from_iterable(schedule(block, breaks_loops)) if op is not last]
        self.plasticity.begin()
        waiting = [op for op in ordered if isinstance(op, DelayOp) and breaks_loops(op)]
        for op in waiting:
            program.origin = op.location
            self.delays.read(op)
        for op in ordered:
            program.origin = op.location
            for result in op.results:
                require(result)
            self.lower(op)
        self.plasticity.end()
        for op in waiting:
            program.origin = op.location
            self.delays.write(op)
        program.origin = last.location
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
                        CSR009,
                        f"the name of an {what} is not a C identifier",
                        at=f'ntensor.network @{self.network.sym_name.data}, {what} "{name.data}"',
                        node=name.data,
                        expected="letters, digits and underscores, a letter first, and not a keyword of C",
                        found=name.data,
                        help=preference("names", "make"),
                        notes=[f"it is then called {identifier(name.data)}"],
                    )
        findings.raise_errors()

    def input(self, name: str, arg: SSAValue) -> SSAValue:
        """Returns the memory of an input, with the fraction of nonzero entries that a calibration observed."""
        require(arg)
        element = element_type(arg)
        return self.values.program.buffer(
            identifier(name),
            c.Kind.INPUT,
            storage_type(element),
            shape_of(arg),
            node=name,
            spikes=element == i1,
            density=observed_rate(self.network, "inputs", name, "density"),
        )

    def lower(self, op: Operation) -> None:
        """Adds the loops of an op, and stores the memory of its result."""
        values = self.values
        if op.results and isinstance(element_type(op.results[0]), TermsType):
            return  # the neuron adds the terms
        match op:
            case PoolOp():
                values.held[op.y] = lower_pool(values, op)
            case MaxPool2dOp():
                values.held[op.y] = lower_max_pool(values, op)
            case ScaleOp():
                values.held[op.y] = scaled_by(values, op)
            case SynapseOpInterface() if op in self.plasticity.held:
                values.held[op.y] = self.plasticity.held[op].transmit()
            case SynapseOpInterface():
                values.held[op.y] = lower_synapse(values, op)
            case ReshapeOp():
                values.held[op.y] = values.program.view(values.memory(op.x), shape_of(op.y))
            case SumOp():
                values.held[op.y] = lower_sum(values, op)
            case DelayOp():
                if not breaks_loops(op):
                    values.held[op.y] = self.delays.pass_on(op)
            case NeuronOp():
                add_neuron(values, op)
            case _:
                refuse(
                    CSR010,
                    f"{op.name} cannot be compiled to C",
                    at=describe_op(op)[0],
                    expected="an op of ntensor",
                    found=op.name,
                )

    def add_probe(self, name: str, watched: Watched) -> None:
        """Adds a row for a record, and the loop that fills it."""
        owner, values = watched.value.owner, self.values
        label, element = identifier(name), result_element(watched.type)
        if watched.state is not None and isinstance(owner, SynapseOpInterface):
            is_occasional = watched.every > 1
            probe = values.program.buffer(
                f"{label}_seen", c.Kind.PROBE, element, watched.shape, node=name, occasional=is_occasional
            )
            self.plasticity.held[owner].record(label, watched.state, probe)
            return
        if watched.state is not None and isinstance(owner, Operation):
            source = values.states[owner, watched.state]
        else:
            source = values.memory(watched.value)
        probe = values.program.buffer(f"{label}_seen", c.Kind.PROBE, element, watched.shape, node=name)
        if watched.state is not None and isinstance(owner, Operation) and (owner, watched.state) in values.factors:
            multiply_state(values, label, source, values.factors[owner, watched.state], probe)
        else:
            values.program.copy(label, source, probe)


@dataclass(frozen=True)
class ConvertNtensorToCPass(NoptPass):
    """Lowers every `ntensor.network` of the module to a `c.program`; updates that only they use are removed.

    Options:
        prefix: prefix of all names of the program; default net.
        names: `refuse` inputs and outputs whose names are not C identifiers, or `make` identifiers of them; default refuse.
        record: nodes and states that a tick returns in addition to its outputs and the probes of the network, `record=lif1,"lif1.v"`; default none.
        alignment [bytes]: alignment of constants, 0 leaves it to the compiler; default 0.
        unroll: unroll factor of inner loops, 0 leaves it to the compiler; default 0.
        instruction-set: target of the Makefile: `portable`, `native`, or an argument of the compiler's `-m`, such as `avx2`; default portable.
        profile: a profile of an instruction set, as `avx2`, or the path of a `.json` file: its flags, the length of vectors, alignment, and the fusion of loops; default none.
    """

    name = "convert-ntensor-to-c"
    prefix: str = "net"
    names: Literal["refuse", "make"] = "refuse"
    record: tuple[str, ...] = ()
    alignment: int = 0
    unroll: int = 0
    instruction_set: str = "portable"
    profile: str = ""

    def check(self) -> None:
        """Refuses preferences that no compiler can implement."""
        findings = Diagnostics()
        for name, value, is_fine, expected in (
            ("prefix", self.prefix, c.is_identifier(self.prefix), "a C identifier that is not a keyword"),
            ("alignment", self.alignment, is_alignment(self.alignment), ALIGNMENTS),
            ("unroll", self.unroll, 0 <= self.unroll <= MOST_UNROLLED, f"0 to {MOST_UNROLLED}"),
            (
                "instruction-set",
                self.instruction_set,
                INSTRUCTIONS.fullmatch(self.instruction_set) is not None,
                "portable, native, or an argument of the compiler's -m",
            ),
        ):
            if not is_fine:
                field = name.replace("-", "_")
                default = cast(Any, type(self)).__dataclass_fields__[field].default
                findings.error(
                    CSR011,
                    f"invalid value of {name}",
                    at=f"{self.name}{{{name}={value}}}",
                    expected=expected,
                    found=str(value),
                    help=preference(name, default),
                )
        findings.raise_errors()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check()
        networks = [inner for inner in op.ops if isinstance(inner, NetworkOp)]
        profile = profile_named(self.profile) if self.profile else None
        preferences: dict[str, Attribute] = {
            "alignment": IntegerAttr(max(self.alignment, profile.alignment_bytes if profile else 0), i64),
            "unroll": IntegerAttr(self.unroll, i64),
            "instruction_set": StringAttr(self.instruction_set),
        }
        if profile is not None:
            preferences |= {
                "profile": StringAttr(profile.name),
                "flags": StringAttr(" ".join(profile.flags)),
                "features": StringAttr(" ".join(profile.features)),
                "vector_bytes": IntegerAttr(profile.vector_bytes, i64),
                "most_operands": IntegerAttr(profile.most_operands, i64),
            }
        found = [finding for network in networks for finding in violations(network)]
        if found:
            raise Refused(*found)
        for network in networks:
            require_probes(network, None)
            record = dict.fromkeys([*self.record, *probe_names(network)])
            program = Lowering(network, [*record], self.names == "make").run(self.prefix, preferences)
            program.location = network.location
            Rewriter.replace_op(network, program, [])
        if networks:
            for update in [inner for inner in op.ops if isinstance(inner, UpdateOp | RuleOp)]:
                Rewriter.erase_op(update)
