"""From a network in ticks to a C program: every op becomes loop nests over named memory, in an order of execution.

    %y = ntensor.linear "fc" %x …            =>    c.clear %sums
    %z = ntensor.neuron "lif" @lif(%y) …           c.rows "fc" %x, %fc_weight into %sums …
                                                   c.loop "lif" (%sums, %lif_v) -> (%lif_z, %lif_v) …

Nothing is chosen yet: elements stand in C order, every presynaptic neuron is looked at, every op has its own loop and its own
memory. The passes of `passes/` choose. What each op becomes computes what its definition states, bit for bit, in index order.

1. Spikes and integers take the smallest C type that holds their interval; sums of integers the one that holds every partial sum.
2. A delay is a ring of rows in the state; rings are read at their place in the order, and written when the tick ends.
3. A uniform parameter is a number in the loop, another an array.
4. Terms (`!ntensor.terms`) are added by the neuron that takes them, one by one, into its state.

Errors: CLO001 a network input or output whose name is no C identifier; CLO002 an op or type that has no C; RUN001 as in a run.
Source: ISO/IEC 9899:1999.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DictionaryAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...core.diagnostics import Code, Diagnostics, described, refuse
from ...core.fixed_point import Interval
from ...core.graph_region import schedule
from ...core.operation import element_type, shape_of
from ...core.pipeline import NoptPass
from ...dialects import c, fixed
from ...dialects.ntensor import (
    AvgPool2dOp,
    ConvolutionOp,
    DelayOp,
    LinearOp,
    NetworkOp,
    NeuronOp,
    OutputOp,
    PoolOp,
    ReshapeOp,
    ScaleOp,
    SparseLinearOp,
    SumOp,
    SumPool2dOp,
    TermsType,
    UpdateOp,
    breaks_loops,
    interval_of,
)
from .rules.program import (
    Program,
    computed,
    identifier,
    inlined,
    inserted,
    integers_in,
    interval_in,
    literal,
    stored,
    widened,
)
from .rules.synapses import (
    Weighted,
    add_affine,
    add_scatter,
    added,
    arithmetic_type,
    combination,
    multiplied,
    name_of,
    sum_interval,
    within,
)

CLO001 = Code(
    "CLO001",
    "the name of an input or output is no C identifier",
    cause="Inputs and outputs are arguments of `net_step`, under their own names.",
    remedy="Rename it in the network, with letters, digits and underscores, a letter first; or `names=make` lets the compiler choose.",
)
CLO002 = Code(
    "CLO002",
    "there is no C for an op or type",
    cause="The network holds an op that is not one of `ntensor`, or a type that no signal has.",
    remedy="Say what the op does with the ops of `ntensor`; the message names it.",
)
CLO003 = Code(
    "CLO003",
    "nothing can be recorded under a name",
    cause="A record is a node of the network, for what it emits, or NODE.STATE, for a state of a population.",
    remedy="Use one of the names that the message lists.",
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
OBSERVED = "ntensor.observed"
"""Where `ntensor-calibrate` leaves what it saw."""


def result_element(element: Attribute) -> Attribute:
    """The element in memory of an output: spikes in a byte, integers in 32 bits where these hold them all, else in 64."""
    held = interval_of(element)
    if held is None or element == i1:
        return stored(element)
    return c.storage_for(Interval(-(2**31), 2**31 - 1) if Interval.signed(32).holds(held) else Interval.signed(64))


class Lowering:
    """Lowers one network."""

    def __init__(self, network: NetworkOp, record: Sequence[str], makes_names: bool):
        self.network = network
        module = network.parent_op()
        self.updates = (
            {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}
            if isinstance(module, ModuleOp)
            else {}
        )
        self.program = Program()
        self.held: dict[SSAValue, SSAValue] = {}
        """The memory of every value."""
        self.states: dict[tuple[Operation, str], SSAValue] = {}
        self.record = record
        self.makes_names = makes_names

    # ---- the whole

    def run(self, prefix: str, preferences: Mapping[str, Attribute]) -> c.ProgramOp:
        network, program, block = self.network, self.program, self.network.body.block
        self.check_names()
        for name, arg in zip(network.input_names, block.args, strict=True):
            self.require(arg)
            element, shape = stored(element_type(arg)), shape_of(arg)
            self.held[arg] = program.buffer(
                identifier(name.data),
                c.Kind.INPUT,
                element,
                shape,
                node=name.data,
                spikes=element_type(arg) == i1,
                density=self.density_of(name.data),
            )
        last = block.last_op
        assert isinstance(last, OutputOp)  # verified
        outputs = [
            program.buffer(
                identifier(name.data),
                c.Kind.OUTPUT,
                result_element(element_type(value)),
                shape_of(value),
                node=name.data,
            )
            for name, value in zip(network.output_names, last.values, strict=True)
        ]
        self.find_records(dict(zip((name.data for name in network.output_names), last.values, strict=True)))
        ordered = [op for op in chain.from_iterable(schedule(block, breaks_loops)) if op is not last]
        for op in ordered:
            if isinstance(op, DelayOp) and breaks_loops(op):
                self.read_delay(op)
        for op in ordered:
            for result in op.results:
                self.require(result)
            self.lower(op)
        for op in ordered:
            if isinstance(op, DelayOp) and breaks_loops(op):
                self.write_delay(op)
        for name, value, output in zip(network.output_names, last.values, outputs, strict=True):
            program.copy(identifier(name.data), self.memory(value), output)
        for name, value, state in self.records:
            self.add_probe(name, value, state)
        return program.finish(network.sym_name.data, prefix, network.tick_ns.value.data, preferences)

    def memory(self, value: SSAValue) -> SSAValue:
        return self.held[value]

    def density_of(self, name: str) -> float | None:
        """The part of an input that was not zero when the network was calibrated."""
        seen: Attribute | None = self.network.attributes.get(OBSERVED)
        for key in ("inputs", name, "density"):
            seen = seen.data.get(key) if isinstance(seen, DictionaryAttr) else None
        return seen.value.data if isinstance(seen, FloatAttr) else None

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
                        help=f'rename it, for example to "{identifier(name.data)}"',
                    )
        findings.check()

    def require(self, value: SSAValue) -> None:
        element = element_type(value)
        held = interval_of(element)
        if isinstance(element, Float32Type | Float64Type) or (held is not None and held.fits):
            return
        refuse(
            CLO002,
            f"C has no numbers of type {element}",
            at=described(value.owner)[0] if isinstance(value.owner, Operation) else "an input of the network",
            expected="i1, f32, f64, iN, !ntensor.count or !ntensor.graded of at most 64 signed bits",
            found=str(element),
        )

    # ---- ops

    def lower(self, op: Operation) -> None:
        result = op.results[0] if op.results else None
        if result is not None and isinstance(element_type(result), TermsType):
            return  # the neuron that takes them adds them
        match op:
            case LinearOp() | SparseLinearOp() | ConvolutionOp():
                self.held[op.y] = self.weighted(op)
            case PoolOp():
                self.held[op.y] = self.pooled(op)
            case ScaleOp():
                self.held[op.y] = self.multiplied(op)
            case ReshapeOp():
                self.held[op.y] = self.program.view(self.memory(op.x), shape_of(op.y))
            case SumOp():
                self.held[op.y] = self.summed(op)
            case DelayOp():
                if not breaks_loops(op):
                    self.held[op.y] = self.delayed(op)
            case NeuronOp():
                self.neuron(op)
            case _:
                refuse(
                    CLO002,
                    f"there is no C for {op.name}",
                    at=described(op)[0],
                    expected="an op of ntensor",
                    found=op.name,
                )

    def weighted(self, op: Weighted) -> SSAValue:
        require_fixed(op)
        program, x, result, shape = self.program, self.memory(op.x), element_type(op.y), shape_of(op.y)
        held = interval_in(c.element_of_memory(x))
        element = result
        if (declared := interval_of(result)) is not None:
            assert held is not None  # verified: integers are made of integers
            element = c.storage_for(sum_interval(op, held))
        sums = program.scratch(f"{name_of(op)}_sums", element, shape)
        program.add(c.ClearOp(sums))
        add_scatter(program, op, x, sums, result)
        bias, exponent = self.affine_arrays(op)
        if bias is None and exponent is None:
            return sums
        element = result if declared is None else c.storage_for(declared)
        y = program.scratch(name_of(op), element, shape)
        add_affine(program, op, sums, bias, exponent, y, result)
        return y

    def affine_arrays(self, op: Weighted) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
        """Bias and exponent as a loop over the result reads them: (), [c, 1, ...] or the shape of the result."""
        rank = len(shape_of(op.y))

        def spread(array: NDArray[Any]) -> NDArray[Any]:
            bits = array.view(f"u{array.dtype.itemsize}") if array.dtype.kind == "f" else array
            if array.size and (bits == bits.flat[0]).all():
                return array.reshape(-1)[0]
            if array.ndim and isinstance(op, ConvolutionOp):
                return array.reshape(-1, *[1] * (rank - 1))
            return array

        bias = None if op.bias is None else spread(op.bias.values)
        exponent = None if op.exponent is None else spread(op.exponent.values)
        if bias is not None and not bias.ndim and bias == 0:
            # adding 0 changes no sum: one that starts at +0 never is -0
            bias = None
        return bias, exponent

    def pooled(self, op: PoolOp) -> SSAValue:
        program, x, result = self.program, self.program.view(self.memory(op.x), shape_of(op.x)), element_type(op.y)
        size = prod(int(k) for k in op.kernel.values)
        held = interval_in(c.element_of_memory(x)) if element_type(op.x) != i1 else Interval(0, 1)
        element: Attribute = result
        if held is not None:
            counts = Interval(min(0, size * held.low), max(0, size * held.high))
            limit = 2**53 if isinstance(result, Float64Type) else 2**24
            exact = interval_of(result) is not None or Interval(-limit, limit).holds(counts)
            element = c.storage_for(counts) if exact and counts.fits else result
        label = name_of(op)
        sums = program.scratch(f"{label}_sums", element, shape_of(op.y))
        program.add(
            c.PoolOp(
                operands=[x, sums],
                properties={
                    "label": StringAttr(label),
                    "kernel": op.kernel,
                    "stride": op.stride,
                    "before": array_of(op.padding.values[:, 0]),
                },
            )
        )
        if not isinstance(op, AvgPool2dOp):
            return sums
        y = program.scratch(label, result, shape_of(op.y))

        def body(block: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
            return [inserted(block, arith.DivfOp(args[0], literal(block, float(size), result)))]

        program.loop(label, [(sums, result)], [y], body)
        return y

    def multiplied(self, op: ScaleOp) -> SSAValue:
        program, x, result, scale = self.program, self.memory(op.x), element_type(op.y), op.scale.values
        ins = [(x, arithmetic_type(x, result))]
        if scale.ndim:
            memory = program.constant(f"{name_of(op)}_scale", scale, result)
            ins.append((memory, arithmetic_type(memory, result)))

        def body(block: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
            held = interval_of(result)
            factor = (
                args[1]
                if scale.ndim
                else literal(block, scale, result if held is None else fixed.IntType(int(scale), int(scale)))
            )
            y = multiplied(block, args[0], factor, result)
            return [y if held is None else within(block, y, held)]

        return self.computed_loop(op, ins, result, body)

    def summed(self, op: SumOp) -> SSAValue:
        result = element_type(op.y)
        ins = [(self.memory(x), arithmetic_type(self.memory(x), result)) for x in op.xs]

        def body(block: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
            y, *rest = args
            for x in rest:
                y = added(block, y, x, result)
            held = interval_of(result)
            return [y if held is None else within(block, y, held)]

        return self.computed_loop(op, ins, result, body)

    def computed_loop(self, op: Operation, ins: Any, result: Attribute, body: Any) -> SSAValue:
        """Adds a loop that gives the result of an op, and its memory."""
        y = self.program.scratch(name_of(op), stored(result), shape_of(op.results[0]))
        self.program.loop(name_of(op), ins, [y], body)
        return y

    # ---- delays

    def read_delay(self, op: DelayOp) -> None:
        """What a delay of at least one tick gives, before anything else of the tick."""
        ticks, program, shape = op.ticks.values.reshape(-1), self.program, shape_of(op.y)
        element = stored(element_type(op.y))
        longest = int(ticks.max(initial=1))
        is_even = not ticks.size or bool((ticks == longest).all())
        rows = longest if is_even else longest + 1
        spikes = element_type(op.y) == i1
        ring = program.state(f"{name_of(op)}_ring", element, (rows, *shape), spikes=spikes)
        cursor = program.cursor(rows)
        self.rings[op] = program.row(ring, cursor)
        if is_even:
            self.held[op.y] = self.rings[op]
            return
        assert cursor is not None  # delays that differ take several rows
        self.held[op.y] = self.gathered(op, ring, cursor)

    def gathered(self, op: DelayOp, ring: SSAValue, cursor: SSAValue) -> SSAValue:
        y = self.program.scratch(name_of(op), c.element_of_memory(ring), shape_of(op.y))
        ticks = self.program.constant(f"{name_of(op)}_ticks", op.ticks.values, i64)
        self.program.add(c.GatherOp(ring, cursor, ticks, y))
        return y

    def write_delay(self, op: DelayOp) -> None:
        """Ends the tick of a delay. Another delay's row is set aside first, because that one may be written before."""
        x = self.memory(op.x)
        source = op.x.owner
        while isinstance(source, ReshapeOp):
            source = source.x.owner
        if isinstance(source, DelayOp) and source in self.rings:
            aside = self.program.scratch(f"{name_of(op)}_aside", c.element_of_memory(x), shape_of(op.x))
            self.program.copy(f"{name_of(op)}_aside", x, aside)
            x = aside
        self.program.copy(name_of(op), x, self.rings[op], last=True)

    def delayed(self, op: DelayOp) -> SSAValue:
        """A delay that is none for some or all neurons."""
        ticks, program, x = op.ticks.values, self.program, self.memory(op.x)
        if not ticks.size or not ticks.any():
            return program.view(x, shape_of(op.y))
        rows = int(ticks.max()) + 1
        ring = program.state(f"{name_of(op)}_ring", c.element_of_memory(x), (rows, *shape_of(op.y)))
        cursor = program.cursor(rows)
        assert cursor is not None  # one delay is none, another is one
        program.copy(f"{name_of(op)}_ring", x, program.row(ring, cursor))
        return self.gathered(op, ring, cursor)

    # ---- neurons

    def neuron(self, op: NeuronOp) -> None:
        update = self.updates.get(op.update.root_reference.data)
        op.verify_against(update)
        assert update is not None  # verified above
        program, label, shape = self.program, name_of(op), shape_of(op.z)
        starts = {name: array.values for name, array in op.arrays(op.initial)}
        states: dict[str, SSAValue] = {}
        for name, type in update.state_types.items():
            element = stored(type)
            states[name] = program.state(f"{label}_{identifier(name)}", element, shape, held_in(starts[name], element))
            self.states[op, name] = states[name]
        for (_, into, block), x in zip(update.accumulators, op.xs[len(update.inputs) :], strict=True):
            self.accumulate(x, states[into], block)
        params = {name: array.values for name, array in op.arrays(op.params)}
        block = update.step.block
        inputs, types = len(update.inputs), [arg.type for arg in block.args]
        ins = [(self.memory(x), type) for x, type in zip(op.xs[:inputs], types, strict=False)]
        ins += [(memory, type) for memory, type in zip(states.values(), types[inputs:], strict=False)]
        ends = block.last_op
        assert ends is not None  # verified
        numbers: dict[SSAValue, Any] = {}
        for arg, name in zip(block.args[inputs + len(states) :], (name.data for name in update.params), strict=True):
            values = params[name]
            if is_uniform(values):
                numbers[arg] = values.reshape(-1)[0] if values.size else 0
            else:
                ins.append((self.parameter(f"{label}_{identifier(name)}", values, arg.type), arg.type))
        seen = op.attributes.get(OBSERVED)
        rate = seen.data.get("rate") if isinstance(seen, DictionaryAttr) else None
        z = program.scratch(
            label,
            stored(element_type(op.z)),
            shape,
            spikes=element_type(op.z) == i1,
            density=min(1.0, rate.value.data) if isinstance(rate, FloatAttr) else None,
        )
        outs, wanted = [z, *states.values()], [0, *range(1, 1 + len(states))]
        for k, name in enumerate(update.records):
            if (op, name.data) in self.wanted:
                memory = program.scratch(
                    f"{label}_{identifier(name.data)}_seen", stored(ends.operands[1 + len(states) + k].type), shape
                )
                self.states[op, name.data] = memory
                outs.append(memory)
                wanted.append(1 + len(states) + k)

        def body(into: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
            known: dict[SSAValue, SSAValue] = {arg: literal(into, value, arg.type) for arg, value in numbers.items()}
            known.update(zip((arg for arg in block.args if arg not in numbers), args, strict=True))
            for inner in block.ops:
                if inner is not ends:
                    copy = inner.clone(known)
                    into.add_op(copy)
                    known.update(zip(inner.results, copy.results, strict=True))
            return [known[ends.operands[k]] for k in wanted]

        program.loop(label, ins, outs, body)
        self.held[op.z] = z

    def parameter(self, label: str, values: NDArray[Any], type: Attribute) -> SSAValue:
        """An array of a parameter."""
        if isinstance(type, Float32Type | Float64Type):
            dtype = np.float32 if isinstance(type, Float32Type) else np.float64
            return self.program.constant(label, values.astype(dtype), type)
        return self.program.constant(label, values.astype(np.int64), i64)

    def accumulate(self, x: SSAValue, state: SSAValue, block: Block) -> None:
        """Adds terms into a state, one by one, in the order of the sum."""
        op, program = x.owner, self.program
        if not isinstance(element_type(x), TermsType):  # a signal that is a term as it is
            ins = [(self.memory(x), computed(self.memory(x)))]
            self.accumulate_loop("terms", ins, program.view(state, shape_of(x)), block, np.array(1))
            return
        match op:
            case ReshapeOp():
                self.accumulate(op.x, state, block)
            case SumOp():
                for part in op.xs:
                    self.accumulate(part, state, block)
            case LinearOp() | SparseLinearOp() | ConvolutionOp():
                require_fixed(op)
                given = interval_in(c.element_of_memory(self.memory(op.x)))
                assert given is not None  # verified: terms are integers
                given = Interval(0, 1) if element_type(op.x) == i1 else given
                exponent = self.affine_arrays(op)[1]
                shift = None
                if exponent is not None and exponent.ndim:
                    whole = np.broadcast_to(exponent, shape_of(op.y))
                    shift = program.constant(f"{name_of(op)}_exponent", whole, i64)
                combine = combination(op, block, given, integers_in(op.weight.values), exponent)
                add_scatter(program, op, self.memory(op.x), program.view(state, shape_of(op.y)), i64, combine, shift)
                if op.bias is not None:
                    self.accumulate_bias(op, state, block, exponent)
            case SumPool2dOp():
                given = interval_in(c.element_of_memory(self.memory(op.x)))
                assert given is not None  # verified: terms are integers
                combine = combination(op, block, given, Interval(1, 1), None)
                add_scatter(program, op, self.memory(op.x), program.view(state, shape_of(op.y)), i64, combine)
            case ScaleOp():
                self.accumulate_scaled(op, state, block)
            case _:
                name = op.name if isinstance(op, Operation) else "an input of the network"
                refuse(CLO002, "terms come from synapses", at=name, expected="a synapse op", found=name)

    def accumulate_bias(self, op: Weighted, state: SSAValue, block: Block, exponent: NDArray[Any] | None) -> None:
        assert op.bias is not None  # the caller's promise
        program, bias = self.program, op.bias.values
        if isinstance(op, ConvolutionOp):
            bias = bias.reshape(-1, *[1] * (len(shape_of(op.y)) - 1))
        bias = np.broadcast_to(bias, shape_of(op.y))
        if exponent is not None:  # shifts of constants are constants
            bias = np.where(
                exponent >= 0, bias.astype(np.int64) << np.maximum(exponent, 0), bias >> np.maximum(-exponent, 0)
            )
        view = program.view(state, shape_of(op.y))
        memory = program.constant(f"{name_of(op)}_bias", bias, i64)
        self.accumulate_loop(f"{name_of(op)}_bias", [(memory, fixed.IntType.of(integers_in(bias)))], view, block)

    def accumulate_scaled(self, op: ScaleOp, state: SSAValue, block: Block) -> None:
        program, x, scale = self.program, self.memory(op.x), op.scale.values
        ins = [(x, computed(x))]
        if scale.ndim:
            ins.append((program.constant(f"{name_of(op)}_scale", scale, i64), fixed.IntType.of(integers_in(scale))))
        self.accumulate_loop(name_of(op), ins, program.view(state, shape_of(op.y)), block, scale)

    def accumulate_loop(
        self, label: str, ins: list[tuple[SSAValue, Attribute]], state: SSAValue, block: Block, scale: Any = None
    ) -> None:
        """One term for each neuron: the first of `ins`, times the second or `scale`; no term where the first is zero."""

        def body(into: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
            *given, held = args
            term = given[0]
            if scale is not None:
                factor = given[1] if len(given) > 1 else inserted(into, fixed.ConstantOp(int(scale)))
                term = multiplied(into, term, factor, IntegerType(64))
            term = widened(into, term, block.args[0].type)
            (after,) = inlined(into, block, {block.args[0]: term, block.args[1]: held})
            if scale is None:
                return [after]
            zero = inserted(into, fixed.ConstantOp(0))
            is_event = inserted(into, fixed.CmpOp(given[0], zero, fixed.Relation.NE))
            chosen = inserted(into, fixed.SelectOp(is_event, after, held))
            return [chosen]

        self.program.loop(label, [*ins, (state, block.args[1].type)], [state], body)

    # ---- records

    def find_records(self, outputs: Mapping[str, SSAValue]) -> None:
        """Finds what the names of records mean, as a run does: the longest node that matches wins."""
        block = self.network.body.block
        nodes: dict[str, SSAValue] = dict(zip((n.data for n in self.network.input_names), block.args, strict=True))
        for op in block.ops:
            name = op.properties.get("node")
            if isinstance(name, StringAttr) and op.results:
                nodes[name.data] = op.results[0]
        gives = dict(nodes)
        for op in block.ops:
            if isinstance(op, DelayOp) and op.part_of is not None:
                gives[op.part_of.data] = op.y
        self.records: list[tuple[str, SSAValue, str | None]] = []
        self.wanted: set[tuple[Operation, str]] = set()
        self.rings: dict[Operation, SSAValue] = {}
        for name in dict.fromkeys(self.record):
            if name in outputs:
                continue  # it is there already, under the same name
            if name in gives and not isinstance(element_type(gives[name]), TermsType):
                self.records.append((name, gives[name], None))
                continue
            node = max((n for n in nodes if name.startswith(f"{n}.")), key=len, default=None)
            owner = nodes[node].owner if node is not None else None
            known = self.recordable(owner) if isinstance(owner, NeuronOp) else []
            if node is None or not isinstance(owner, NeuronOp) or name[len(node) + 1 :] not in known:
                listed = [f"{node}.{state}" for state in known] or list(nodes)
                refuse(
                    CLO003,
                    f'nothing is called "{name}"',
                    at=f"record {name}",
                    expected=", ".join(listed[:20]),
                    found=name,
                    help=f"record={listed[0]}" if listed else None,
                )
            self.records.append((name, nodes[node], name[len(node) + 1 :]))
            self.wanted.add((owner, name[len(node) + 1 :]))

    def recordable(self, op: NeuronOp) -> list[str]:
        update = self.updates.get(op.update.root_reference.data)
        return [] if update is None else list(dict.fromkeys([*update.state_types, *(n.data for n in update.records)]))

    def add_probe(self, name: str, value: SSAValue, state: str | None) -> None:
        owner = value.owner
        if state is None:
            source, element = self.memory(value), result_element(element_type(value))
        else:
            assert isinstance(owner, Operation)  # states have neurons
            source = self.states[owner, state]
            held = interval_in(c.element_of_memory(source))
            element = self.record_element(owner, state) if held is not None else c.element_of_memory(source)
        probe = self.program.buffer(f"{identifier(name)}_seen", c.Kind.PROBE, element, shape_of(value), node=name)
        self.program.copy(identifier(name), source, probe)

    def record_element(self, op: Operation, state: str) -> Attribute:
        """The element of a recorded state of integers."""
        assert isinstance(op, NeuronOp)  # states have neurons
        update = self.updates[op.update.root_reference.data]
        ends = update.step.block.last_op
        assert ends is not None  # verified
        types = dict(update.state_types)
        first = 1 + len(update.states)
        types |= {name.data: ends.operands[first + k].type for k, name in enumerate(update.records)}
        return result_element(types[state])


def require_fixed(op: Weighted) -> None:
    """Refuses weights that change."""
    if not isinstance(op, ConvolutionOp) and op.plasticity is not None:
        refuse(
            CLO002,
            "there is no C for weights that change",
            at=described(op)[0],
            node=op.node.data,
            expected="weights that stay as they are",
            found=op.plasticity.name,
            help="-p ntensor-freeze-plasticity",
        )


def array_of(values: NDArray[Any]) -> Any:
    from ...core.arrays import ArrayAttr

    return ArrayAttr.of(values.astype(np.int64))


def is_uniform(values: NDArray[Any]) -> bool:
    """Whether all entries are the same number, to the bit."""
    if not values.ndim or not values.size:
        return True
    bits = values.view(f"u{values.dtype.itemsize}") if values.dtype.kind == "f" else values
    return bool((bits == bits.flat[0]).all())


def held_in(values: NDArray[Any], element: Attribute) -> NDArray[Any]:
    """Initial values of a state in the type of its memory."""
    if isinstance(element, Float32Type):
        return values.astype(np.float32)
    if isinstance(element, Float64Type):
        return values.astype(np.float64)
    return values.astype(np.int64)


@dataclass(frozen=True)
class ConvertNtensorToCPass(NoptPass):
    """Lowers every `ntensor.network` of the module to a `c.program`; updates that only they name go.

    Options:
        prefix: begins every name of the program; default net.
        names: `refuse` inputs and outputs whose names are no C identifiers, or `make` identifiers of them; default refuse.
        record: nodes and states that a tick gives beside its outputs, `record=lif1,"lif1.v"`; default none.
        alignment [bytes]: what constants and the struct's arrays are aligned to, 0 leaves it to the compiler; default 0.
        unroll: how often short inner loops are written out, 0 leaves it to the compiler; default 0.
        instruction-set: what the Makefile compiles for: `portable` or a name that the compiler knows; default portable.
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
                    help=f"--set c.{name.replace('-', '_')}={'portable' if name[0] == 'i' else 0}",
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
        for network in networks:
            program = Lowering(network, self.record, self.names == "make").run(self.prefix, preferences)
            program.location = network.location
            Rewriter.replace_op(network, program, [])
        if networks:
            for update in [inner for inner in op.ops if isinstance(inner, UpdateOp)]:
                Rewriter.erase_op(update)
