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
from itertools import chain

import numpy as np
from attrs import evolve
from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    Float32Type,
    Float64Type,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...analysis.integer_ranges import IntegerRanges
from ...core.arrays.arrays import ArrayAttr as Values
from ...core.diagnostics import Code, Diagnostics, Refused, describe_op, refuse
from ...core.help_text import Flag, Phrase
from ...core.ir.graph_region import schedule
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects.fixed import IntType
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
from .building.function import INPUT, OUTPUT, PROBE, STATE, State, TickFunction
from .building.synapses import SynapseLowering, Terms, name_of
from .building.tensors import INDEX, Index

LNG003 = Code("LNG003", "linalg-preference-invalid", "invalid number of samples or of ticks of a call")

MOST = 2**31 - 1
TICK, RUN = "tick", "run"
"""The functions."""
NAME, ROLE, VALUES, SPIKES = "nopt.name", "nopt.role", "nopt.values", "nopt.spikes"
NETWORK, TICK_NS = "nopt.network", "nopt.tick_ns"
"""Attributes of arguments and results, and of a function."""


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

    def run(self) -> list[Operation]:
        """Returns the functions."""
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
        named = zip(self.network.output_names, last.values, strict=True)
        outputs = [(entry(name.data, OUTPUT, element_type(x)), self.held[x]) for name, x in named]
        probes = [(entry(name, PROBE, one.type), self.value_of(one)) for name, one in self.watched.items()]
        return self.functions([*outputs, *probes])

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
        before = {name: state.argument.value for name, state in zip(update.state_types, states, strict=True)}
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
        elements = [emitted, *(element_type(state.argument.value) for state in states), *seen]

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
        return self.function.late(ring.argument.value, late)

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

    def functions(self, results: list[tuple[dict[str, Attribute], SSAValue]]) -> list[Operation]:
        """Returns `tick`, and `run`, which calls it in a loop."""
        function = self.function
        afters = [state.after for state in function.states]
        given = [value for _, value in results] + [after for after in afters if after is not None]
        assert len(given) == len(results) + len(afters)  # every state was computed
        function.block.add_op(func.ReturnOp(*given))
        tick = func.FuncOp(
            TICK,
            FunctionType.from_lists([x.type for x in function.block.args], [x.type for x in given]),
            Region(function.block),
            visibility="private",
        )
        roles = [entry(one.name, one.role, None) for one in function.arguments]
        for role, x in zip(roles, self.network.body.block.args, strict=False):
            if element_type(x) == i1:
                role[SPIKES] = UnitAttr()
        for role, one in zip(roles, function.arguments, strict=True):
            if one.values is not None:
                role[VALUES] = Values.of(np.asarray(one.values))
        shown = [one for one, _ in results]
        shown += [entry(state.argument.name, STATE, None) for state in function.states]
        run = self.loop(tick, len(results), roles, shown)
        run.attributes[NETWORK] = StringAttr(self.network.sym_name.data)
        run.attributes[TICK_NS] = IntegerAttr(self.network.tick_ns.value.data, i64)
        return [tick, run]

    def loop(
        self,
        tick: func.FuncOp,
        shown: int,
        roles: Sequence[dict[str, Attribute]],
        results: Sequence[dict[str, Attribute]],
    ) -> func.FuncOp:
        """Returns the loop over ticks. Shapes: inputs and outputs [window, samples, *shape]; later ticks of outputs are undefined."""
        function = self.function
        types = [one.value.type for one in function.arguments]
        is_input = [one.role == INPUT for one in function.arguments]
        outer = [stacked(type, self.window) if moves else type for type, moves in zip(types, is_input, strict=True)]
        block = Block(arg_types=[i64, i64, *outer])
        start, ticks, *given = block.args
        add = block.add_op
        zero, one = arith.ConstantOp(IntegerAttr(0, INDEX)), arith.ConstantOp(IntegerAttr(1, INDEX))
        first, count = arith.IndexCastOp(start, INDEX), arith.IndexCastOp(ticks, INDEX)
        for op in (zero, one, first, count):
            add(op)
        out_types = [stacked(type, self.window) for type in tick.function_type.outputs.data[:shown]]
        rooms = [tensor.EmptyOp((), type) for type in out_types]
        for op in rooms:
            add(op)
        place = {id(state.argument): k for k, state in enumerate(function.states)}
        begin = [given[k] for k, one_ in enumerate(function.arguments) if id(one_) in place]
        body = Block(arg_types=[INDEX, *out_types, *(x.type for x in begin)])
        t, *carried = body.args
        late = arith.AddiOp(t, first.result)
        body.add_op(late)
        operands: list[SSAValue] = [late.result]
        for argument, value in zip(function.arguments, given, strict=True):
            if argument.role == INPUT:
                shape = shape_of(argument.value)
                offsets: list[SSAValue | int] = [t, *[0] * len(shape)]
                op = tensor.ExtractSliceOp(value, offsets, [1, *shape], [1] * (1 + len(shape)), argument.value.type)
                body.add_op(op)
                value = op.result
            elif id(argument) in place:
                value = carried[shown + place[id(argument)]]
            operands.append(value)
        call = func.CallOp(TICK, operands, list(tick.function_type.outputs))
        body.add_op(call)
        kept: list[SSAValue] = []
        for room, value in zip(carried[:shown], call.results[:shown], strict=True):
            shape = shape_of(value)
            op = tensor.InsertSliceOp.get(
                value, room, [1, *shape], [tensor.DYNAMIC_INDEX, *[0] * len(shape)], offsets=[t]
            )
            body.add_op(op)
            kept.append(op.result)
        body.add_op(scf.YieldOp(*kept, *call.results[shown:]))
        loop = scf.ForOp(zero.result, count.result, one.result, [*(op.tensor for op in rooms), *begin], Region(body))
        add(loop)
        add(func.ReturnOp(*loop.results))
        return func.FuncOp(
            RUN,
            FunctionType.from_lists([x.type for x in block.args], [x.type for x in loop.results]),
            Region(block),
            arg_attrs=ArrayAttr([DictionaryAttr({}), DictionaryAttr({}), *map(DictionaryAttr, roles)]),
            res_attrs=ArrayAttr([*map(DictionaryAttr, results)]),
        )


def entry(name: str, role: str, element: Attribute | None) -> dict[str, Attribute]:
    """Returns the attributes of an argument or a result."""
    found: dict[str, Attribute] = {NAME: StringAttr(name), ROLE: StringAttr(role)}
    return found | {SPIKES: UnitAttr()} if element == i1 else found


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
    )


@dataclass(frozen=True)
class ConvertNtensorToLinalgPass(NoptPass):
    """Lowers the `ntensor.network` of the module to the functions `tick` and `run` of upstream dialects; updates that only it uses are removed.

    Options:
        samples: samples of a call; default 1.
        window: ticks of a call, at most; default 64.
        record: nodes and states that a tick returns in addition to its outputs and the probes of the network, `record=lif1,"lif1.v"`; default none.
    """

    name = "convert-ntensor-to-linalg"
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
                    help=Phrase(Flag(f"{name}={default}", f"--set linalg.{name}={default}")),
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
                made[-1].attributes[PROBES] = network.attributes[PROBES]
            for one in made:
                one.location = network.location
            Rewriter.replace_op(network, made, [])
        if networks:
            for update in [inner for inner in op.ops if isinstance(inner, UpdateOp)]:
                Rewriter.erase_op(update)
