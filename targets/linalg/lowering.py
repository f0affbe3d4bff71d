"""Lowers a network in ticks to functions of upstream dialects, which other compilers read: `func`, `linalg`, `tensor`, `arith`, `math`, `scf`.

    ntensor.network @net (%x) …            =>    func.func @tick(%tick, %x, %fc_weight, %lif_v) -> (%out, %lif_v)
      %y = ntensor.linear "fc" %x …                %y = linalg.generic … {acc + w x}
      %z = ntensor.neuron "lif" @lif(%y) …         %z, %v = linalg.generic … {the step of the update}
                                                 func.func @run(%start, %xs, %fc_weight, %lif_v) -> (%outs, %lif_v)
                                                   scf.for … {call @tick}

1. A state is an argument and a result: `run` passes it through its loop over ticks. The first axis of every signal is that of samples.
2. Arrays are arguments too, so that the text stays short; `nopt.values` of an argument holds them, and the emitter writes them to files.
3. The step of an update is inlined into one `linalg.generic`; a uniform parameter is a number in it.
4. Spikes are 8-bit integers, other integers the smallest type of 8 to 64 bits that holds them; bodies compute in 32 or 64 bits.
5. A delay is a ring of rows in the state. The row of a tick is its number modulo the rows.

Exactness: no number changes; the order of sums is that of the loops, unless the compiler that reads the text changes it.
Errors: LNG001 an op or type without an equivalent; CSR017 integer sums that may leave their type, and plasticity;
LNG003 an invalid number of samples or ticks; SIM017 an unknown record; NTE021, NTE023 a probe.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

import numpy as np
from attrs import evolve
from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    Float32Type,
    Float64Type,
    FunctionType,
    ModuleOp,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...analysis.integer_ranges import IntegerRanges
from ...core.diagnostics import Code, Diagnostics, Refused, describe_op, refuse
from ...core.help_text import OtherDevice, Phrase, preference
from ...core.ir.graph_region import schedule
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects.fixed import IntType
from ...dialects.functions import Entry, ProgramOp, Role
from ...dialects.functions.program import RUN, TICK
from ...dialects.ntensor import (
    DelayOp,
    MaxPool2dOp,
    NetworkOp,
    NeuronOp,
    OutputOp,
    ReshapeOp,
    SumOp,
    SynapseOpInterface,
    TermsType,
    UpdateOp,
    breaks_loops,
    interval_of,
    updates_of,
)
from ...dialects.ntensor.network import PROBES
from ...dialects.ntensor.probes import probe_names, require_probes
from ...simulation.records import Records, Watched
from ..c.equivalence_conditions import violations
from .building.bodies import LNG001, WIDTHS, Body, integer_type, storage_of, type_in_body
from .building.function import Argument, State, TickFunction
from .building.synapses import SynapseLowering, Terms, name_of
from .building.tensors import INDEX, Index, Tensors

LNG003 = Code("LNG003", "linalg-preference-invalid", "invalid number of samples or of ticks of a call")

MOST = 2**31 - 1


class Lowering:
    """Lowers one network."""

    def __init__(self, network: NetworkOp, record: Sequence[str], samples: int, window: int):
        self.network, self.window = network, window
        self.updates = updates_of(network)
        self.function = TickFunction(samples)
        self.tensors = self.function.tensors
        self.synapses = SynapseLowering(self.function, IntegerRanges(network).__getitem__)
        self.held: dict[SSAValue, SSAValue] = {}
        self.states: dict[tuple[Operation, str], State] = {}
        self.seen: dict[tuple[Operation, str], SSAValue] = {}
        """Records of updates, and next values of states."""
        self.rings: dict[Operation, State] = {}
        records = Records(network)
        self.watched = {name: one for name, one in records.watched(record).items() if name not in records.outputs}

    def run(self) -> ProgramOp:
        """Returns the program of functions."""
        block = self.network.body.block
        last = block.last_op
        assert isinstance(last, OutputOp)  # verified
        for name, arg in zip(self.network.input_names, block.args, strict=True):
            require(arg)
            self.held[arg] = self.function.input(name.data, storage_of(element_type(arg)), shape_of(arg))
        ordered = [op for op in chain.from_iterable(schedule(block, breaks_loops)) if op is not last]
        waiting = [op for op in ordered if isinstance(op, DelayOp) and breaks_loops(op)]
        for op in waiting:
            self.held[op.y] = self.read(op)
        for op in ordered:
            for result in op.results:
                require(result)
            if op not in waiting:
                self.lower(op)
        for op in waiting:
            self.function.write(self.rings[op], self.held[op.x])
        ticks = self.window
        results = [
            (Entry(name.data, Role.OUTPUT, stacked(self.held[x].type, ticks), element_type(x) == i1), self.held[x])
            for name, x in zip(self.network.output_names, last.values, strict=True)
        ]
        for name, watched in self.watched.items():
            value = self.value_of(watched)
            results.append((Entry(name, Role.PROBE, stacked(value.type, ticks), watched.type == i1), value))
        functions = self.functions(results)
        return ProgramOp(self.network.sym_name.data, self.network.tick_ns.value.data, Region(Block(functions)))

    def value_of(self, watched: Watched) -> SSAValue:
        owner = watched.value.owner
        if watched.state is not None and isinstance(owner, Operation):
            return self.seen[owner, watched.state]
        return self.held[watched.value]

    # ---- ops

    def lower(self, op: Operation) -> None:
        """Stores the result of an op. Errors: LNG001."""
        if op.results and isinstance(element_type(op.results[0]), TermsType):
            return  # the neuron adds the terms
        match op:
            case SynapseOpInterface():
                self.held[op.y] = self.synapses.lowered(op, self.held[op.x])
            case MaxPool2dOp():
                self.held[op.y] = self.greatest(op)
            case ReshapeOp():
                shape = (self.function.samples, *shape_of(op.y))
                self.held[op.y] = self.tensors.reshaped(self.held[op.x], shape)
            case SumOp():
                self.held[op.y] = self.total(op)
            case DelayOp():
                self.held[op.y] = self.delayed(op)
            case NeuronOp():
                self.held[op.z] = self.neurons(op)
            case _:
                refuse(
                    LNG001,
                    f"{op.name} has no equivalent in the upstream dialects",
                    at=describe_op(op)[0],
                    expected="an op of ntensor",
                    found=op.name,
                )

    def greatest(self, op: MaxPool2dOp) -> SSAValue:
        x, axes, shape = self.held[op.x], op.axes(), shape_of(op.y)
        element = element_type(x)
        is_real = isinstance(element, Float32Type | Float64Type)
        least = -np.inf if is_real else interval_of(element_type(op.x)).low  # type: ignore[union-attr]
        around = self.synapses.padded(x, axes, shape_of(op.x)[0], least)
        start = self.tensors.filled(least, (self.function.samples, *shape), element)

        def add(b: Body, acc: SSAValue, value: SSAValue) -> SSAValue:
            return b.add((arith.MaximumfOp if is_real else arith.MaxSIOp)(acc, value))

        y = self.synapses.pooled(around, axes, start, add)
        if not is_real:
            return y
        every = [*range(len(shape_of(y)))]

        def plain(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            return [b.add(arith.AddfOp(args[0], b.number(0, element)))]  # never -0

        return self.tensors.each([(y, every)], shape_of(y), [element], plain)[0]

    def total(self, op: SumOp) -> SSAValue:
        result = element_type(op.y)
        stored = storage_of(result)
        shape = shape_of(self.held[op.xs[0]])
        every = [*range(len(shape))]
        is_real = isinstance(stored, Float32Type | Float64Type)
        wide = stored if is_real else i64

        def make(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            first, *rest = [b.converted(x, wide) for x in args[: len(op.xs)]]
            for x in rest:
                first = b.add((arith.AddfOp if is_real else arith.AddiOp)(first, x))
            return [b.stored(first, stored)]

        return self.tensors.each([(self.held[x], every) for x in op.xs], shape, [stored], make)[0]

    def neurons(self, op: NeuronOp) -> SSAValue:
        """Inlines the step of an update: inputs, states and parameters in, the emission, states and records out."""
        update = self.updates.get(op.update_name)
        op.verify_against(update)
        assert update is not None  # verified above
        shape = (self.function.samples, *shape_of(op.z))
        every = [*range(len(shape))]
        starts = {name: array.values for name, array in op.arrays(op.initial)}
        params = {name: array.values for name, array in op.arrays(op.params)}
        states: list[State] = []
        for name, type in update.state_types.items():
            element = storage_of_state(type)
            state = self.function.state(f"{name_of(op)}_{name}", element, shape, starts[name])
            self.states[op, name] = state
            states.append(state)
        arrays = {name: values for name, values in params.items() if values.ndim and not is_uniform(values)}
        first = len(update.inputs)
        ins: list[tuple[SSAValue, Index]] = [(self.held[x], every) for x in op.xs[:first]]
        before = {name: state.argument for name, state in zip(update.state_types, states, strict=True)}
        for (_, into, region), x in zip(update.accumulators, op.xs[first:], strict=True):
            before[into] = self.accumulated(op, x, before[into], region)
        ins += [(value, every) for value in before.values()]
        for name, values in arrays.items():
            kept = values if values.dtype.kind == "f" else values.astype(np.int64)
            type = update.param_types[name]
            if isinstance(type, Float32Type | Float64Type):
                kept = kept.astype(np.float32 if isinstance(type, Float32Type) else np.float64)
            ins.append((self.function.constant(f"{name_of(op)}_{name}", kept), every[1:]))
        emitted = storage_of(element_type(op.z))
        last = update.step.block.last_op
        assert last is not None  # verified
        records = [name.data for name in update.records]
        seen = [storage_of_state(value.type) for value in last.operands[1 + len(states) :]]
        elements = [emitted, *(element_type(state.argument) for state in states), *seen]

        def make(b: Body, args: list[SSAValue]) -> Sequence[SSAValue]:
            block, known = update.step.block, dict[SSAValue, SSAValue]()
            given = first + len(states)
            for arg, x in zip(block.args[:given], args, strict=False):
                known[arg] = b.converted(x, type_in_body(arg.type))
            held = dict(zip(arrays, args[given:], strict=False))
            for arg, name in zip(block.args[given:], update.params, strict=True):
                type = type_in_body(arg.type)
                if name.data in held:
                    known[arg] = b.converted(held[name.data], type)
                else:
                    known[arg] = b.number(params[name.data].reshape(-1)[0], type)
            results = b.inline(block, known, op)
            return [
                b.to_width(x, element) if not isinstance(element, Float32Type | Float64Type) else x
                for x, element in zip(results, elements, strict=True)
            ]

        z, *after = self.tensors.each(ins, shape, elements, make)
        for name, state, value in zip(update.state_types, states, after, strict=False):
            state.after = value
            self.seen[op, name] = value
        for name, value in zip(records, after[len(states) :], strict=True):
            self.seen[op, name] = value
        return z

    def accumulated(self, op: NeuronOp, x: SSAValue, state: SSAValue, block: Block) -> SSAValue:
        """Returns a state after the terms of an operand, which are added one by one in the order of the sum. Errors: LNG001."""
        owner = x.owner
        wide = type_in_body(block.args[1].type)
        whole = shape_of(state)
        start = self.tensors.widened(state, wide)
        terms = Terms(wide, True, block, op, start)
        if not isinstance(element_type(x), TermsType):  # a signal that is itself a term
            return self.synapses.one_by_one(self.held[x], start, terms)
        match owner:
            case ReshapeOp():
                return self.accumulated(op, owner.x, state, block)
            case SumOp():
                for part in owner.xs:
                    state = self.accumulated(op, part, state, block)
                return state
            case SynapseOpInterface():
                shape = (self.function.samples, *shape_of(owner.y))
                held = evolve(terms, start=self.tensors.reshaped(start, shape))
                return self.tensors.reshaped(self.synapses.accumulated(owner, self.held[owner.x], held), whole)
            case _:
                name = owner.name if isinstance(owner, Operation) else "an input of the network"
                refuse(LNG001, "terms come from synapses", at=name, expected="a synapse op", found=name)

    # ---- delays

    def read(self, op: DelayOp) -> SSAValue:
        """Returns the output of a delay of at least one tick, before its ring is written."""
        ticks = op.ticks.values
        rows = max(1, int(ticks.max(initial=1)))
        x = storage_of(element_type(op.y))
        ring = self.rings[op] = self.function.ring(f"{name_of(op)}_past", rows, x, shape_of(op.y))
        if not ticks.size or (ticks == rows).all():
            return self.function.read(ring)
        late = self.function.constant(f"{name_of(op)}_ticks", np.broadcast_to(ticks, shape_of(op.y)).astype(np.int64))
        return self.function.late(ring.argument, late)

    def delayed(self, op: DelayOp) -> SSAValue:
        """Returns the output of a delay that is zero for some neurons: the ring is written first."""
        ticks, x = op.ticks.values, self.held[op.x]
        if not ticks.any():
            return x
        rows = int(ticks.max()) + 1
        ring = self.function.ring(f"{name_of(op)}_past", rows, element_type(x), shape_of(op.y))
        past = self.function.write(ring, x)
        late = self.function.constant(f"{name_of(op)}_ticks", np.broadcast_to(ticks, shape_of(op.y)).astype(np.int64))
        return self.function.late(past, late)

    # ---- functions

    def functions(self, results: list[tuple[Entry, SSAValue]]) -> list[Operation]:
        """Returns `tick`, and `run`, which calls it in a loop."""
        function = self.function
        given = [value for _, value in results]
        for state in function.states:
            assert state.after is not None  # every state was computed
            given.append(state.after)
        function.block.add_op(func.ReturnOp(*given))
        types = FunctionType.from_lists([x.type for x in function.block.args], [x.type for x in given])
        tick = func.FuncOp(TICK, types, Region(function.block), visibility="private")
        shown = [signal for signal, _ in results]
        shown += [Entry(state.name, Role.STATE, state.argument.type) for state in function.states]
        spikes = [element_type(x) == i1 for x in self.network.body.block.args]
        arguments = [
            Entry(one.name, Role.INPUT, stacked(one.value.type, self.window), is_spikes)
            if one.role is Role.INPUT
            else Entry(one.name, one.role, one.value.type, values=one.values)
            for one, is_spikes in zip_longest(function.arguments, spikes, fillvalue=False)
            if isinstance(one, Argument)
        ]
        return [tick, self.loop(arguments, shown, [value.type for value in given])]

    def loop(self, arguments: Sequence[Entry], results: Sequence[Entry], types: Sequence[Attribute]) -> func.FuncOp:
        """Returns the loop over ticks: signals are sliced, states carried on, constants passed as they are.

        Shapes: inputs and outputs [window, samples, *shape]; ticks of outputs after those of the call are undefined. `types` are those of the
        results of a tick.
        """
        run = Tensors(Block(arg_types=[i64, i64, *(one.type for one in arguments)]))
        start, ticks, *given = run.block.args
        first, count = (run.add(arith.IndexCastOp(x, INDEX)) for x in (start, ticks))
        zero, one = run.number(0, INDEX), run.number(1, INDEX)
        moving = [signal for signal in results if signal.role is not Role.STATE]
        rooms = [run.empty(signal.shape, signal.element) for signal in moving]
        states = {signal.name: x for signal, x in zip(arguments, given, strict=True) if signal.role is Role.STATE}
        carried = [*rooms, *states.values()]
        body = Tensors(Block(arg_types=[INDEX, *(x.type for x in carried)]))
        t, *now = body.block.args
        held = dict(zip(states, now[len(rooms) :], strict=True))
        operands = [body.add(arith.AddiOp(t, first))]
        for signal, value in zip(arguments, given, strict=True):
            if signal.role is Role.INPUT:
                shape = signal.shape[1:]
                value = body.taken(value, [t, *[0] * len(shape)], shape)
            operands.append(held.get(signal.name, value) if signal.role is Role.STATE else value)
        call = func.CallOp(TICK, operands, list(types))
        body.block.add_op(call)
        kept = [
            body.inserted(value, room, [t, *[0] * len(shape_of(value))])
            for room, value in zip(now[: len(rooms)], call.results[: len(rooms)], strict=True)
        ]
        body.block.add_op(scf.YieldOp(*kept, *call.results[len(rooms) :]))
        loop = scf.ForOp(zero, count, one, carried, Region(body.block))
        run.block.add_ops([loop, func.ReturnOp(*loop.results)])
        return func.FuncOp(
            RUN,
            FunctionType.from_lists([x.type for x in run.block.args], [x.type for x in loop.results]),
            Region(run.block),
            arg_attrs=ArrayAttr([DictionaryAttr({}), DictionaryAttr({}), *(one.attributes for one in arguments)]),
            res_attrs=ArrayAttr([one.attributes for one in results]),
        )


def stacked(type: Attribute, ticks: int) -> TensorType[Attribute]:
    """Returns the type of a signal over a number of ticks."""
    return TensorType(element_type(type), [ticks, *shape_of(type)])


def storage_of_state(type: Attribute) -> Attribute:
    """Returns the element type of the tensor of a state."""
    return integer_type(type.interval, WIDTHS) if isinstance(type, IntType) else storage_of(type)


def is_uniform(values: np.ndarray) -> bool:
    return bool(values.size) and bool((values == values.flat[0]).all())


def require(value: SSAValue) -> None:
    """Refuses a value whose type no tensor holds. Errors: LNG001."""
    element = element_type(value)
    at = describe_op(value.owner)[0] if isinstance(value.owner, Operation) else "an input of the network"
    held = interval_of(element)
    if isinstance(element, TermsType):
        return  # no tensor holds terms
    if isinstance(element, Float32Type | Float64Type) or (held is not None and held.fits):
        return
    refuse(
        LNG001,
        f"type {element} has no equivalent in the upstream dialects",
        at=at,
        expected="i1, f32, f64, iN, !ntensor.count or !ntensor.graded of at most 64 signed bits",
        found=str(element),
        help=Phrase(OtherDevice()),
    )


@dataclass(frozen=True)
class ConvertNtensorToFunctionsPass(NoptPass):
    """Lowers every `ntensor.network` of the module to a `functions.program`; updates that only they use are removed.

    Options:
        samples: samples of a call; default 1.
        window: ticks of a call, at most; default 64.
        record: nodes and states that a tick returns in addition to its outputs and the probes of the network, `record=lif1,"lif1.v"`; default none.
    """

    name = "convert-ntensor-to-functions"
    samples: int = 1
    window: int = 64
    record: tuple[str, ...] = ()

    def check(self) -> None:
        """Refuses numbers that no call has. Errors: LNG003."""
        findings = Diagnostics()
        for name, value, default in (("samples", self.samples, 1), ("window", self.window, 64)):
            if not 1 <= value <= MOST:
                findings.error(
                    LNG003,
                    f"invalid value of {name}",
                    at=f"{self.name}{{{name}={value}}}",
                    expected=f"1 to {MOST}",
                    found=str(value),
                    help=preference(name, default),
                )
        findings.raise_errors()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check()
        networks = [inner for inner in op.ops if isinstance(inner, NetworkOp)]
        found = [finding for network in networks for finding in violations(network, "linalg")]
        if found:
            raise Refused(*found)
        for network in networks:
            require_probes(network, None)
            record = dict.fromkeys([*self.record, *probe_names(network)])
            made = Lowering(network, [*record], self.samples, self.window).run()
            if PROBES in network.attributes:
                made.attributes[PROBES] = network.attributes[PROBES]
            made.location = network.location
            Rewriter.replace_op(network, made, [])
        if networks:
            for update in [inner for inner in op.ops if isinstance(inner, UpdateOp)]:
                Rewriter.erase_op(update)
