"""Program of a network for Brian 2: a population for each `ntensor.neuron`, synapses for each op of synapses, and their order in a tick.

| op | object |
| --- | --- |
| `ntensor.neuron` | neurons, with a variable for each op that adds to their input |
| an op of synapses, read by one neuron or sum | synapses into a variable of the neuron |
| any other op of synapses, sum or delay | neurons without a state, which emit its value |
| `ntensor.delay` of spikes, read by synapses | the delay of these synapses |
| a convolution, pool or upsampling | the list of its synapses |

Exactness: a neuron adds its terms by the number of their source, and then the bias. Spikes with different delays that arrive in one tick are added by their age first.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
from attrs import define, field
from xdsl.dialects.builtin import Float32Type, i1
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Ints
from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.ir.graph_region import schedule
from ....core.ir.operation import element_type, shape_of, texts_of
from ....dialects import ntensor
from ....dialects.ntensor import SynapseOpInterface, breaks_loops, interval_of
from ....dialects.ntensor.learning.targets import learning_site
from .brian_expressions import UpdateCode, brian_name, state_names
from .brian_rules import BRI003, FREEZE, PlasticCode, Variables, plastic_code

BRI002 = Code("BRI002", "op-not-for-brian", "an op of the network has no object of Brian 2")

ORDER_STEP = 10
"""Orders between two populations: synapses are between them."""
LONGEST_VALUE_DELAY = 256
"""Longest delay of values, which a population keeps one by one."""


@define
class BrianProgram:
    """The lines that build a network, and its arrays by name."""

    network: ntensor.NetworkOp
    arrays: dict[str, AnyArray] = field(init=False, factory=dict[str, AnyArray])
    lines: list[str] = field(init=False, factory=list[str])
    late: list[str] = field(init=False, factory=list[str])
    """Lines of synapses, after all populations."""
    groups: dict[SSAValue, str] = field(init=False, factory=dict[SSAValue, str])
    shapes: dict[str, tuple[str, tuple[int, ...]]] = field(init=False, factory=dict[str, tuple[str, tuple[int, ...]]])
    """Population and shape, by the name of the node."""
    sources: dict[str, str] = field(init=False, factory=dict[str, str])
    taken: set[str] = field(init=False, factory=set[str])
    order: int = field(init=False, default=0)
    built: set[str] = field(init=False, factory=set[str])
    weights: dict[str, tuple[int, ...]] = field(init=False, factory=dict[str, tuple[int, ...]])
    """Shapes of weights that learn, by the name of their record."""
    rules: list[tuple[int, SynapseOpInterface, str]] = field(
        init=False, factory=list[tuple[int, SynapseOpInterface, str]]
    )
    """Ops that learn, with the place of their line and their population."""
    variables: dict[str, set[str]] = field(init=False, factory=dict[str, set[str]])
    """Names in the equations of each population, which a rule must not use for its own."""
    states: dict[str, dict[str, str]] = field(init=False, factory=dict[str, dict[str, str]])
    """Variables of the states of each population."""

    def __attrs_post_init__(self) -> None:
        updates = ntensor.updates_of(self.network)
        names = zip(texts_of(self.network.input_names), self.network.body.block.args, strict=True)
        for name, arg in names:
            group = self.groups[arg] = brian_name(name, self.taken)
            self.built.add(group)
            self.lines.append(f"make.input({group!r}, {name!r}, {prod(shape_of(arg))})")
        ops = [op for group in schedule(self.network.body.block, breaks_loops) for op in group]
        for op in ops:
            if op is not self.network.outputs and op.results:
                require_reals(op)
                if needs_group(op):
                    self.groups[op.results[0]] = brian_name(
                        describe_op(op)[1] or op.name.rpartition(".")[2], self.taken
                    )
        for op in ops:
            if op is not self.network.outputs and op.results and op.results[0] in self.groups:
                self.add(op, updates)
        for place, op, group in self.rules:
            self.add_rule(place, op, group)
        for name, value in zip(texts_of(self.network.output_names), self.network.outputs.values, strict=True):
            self.sources[name] = self.groups[before_reshapes(value)]

    def add(self, op: Operation, updates: dict[str, ntensor.UpdateOp]) -> None:
        """Adds the population of an op."""
        self.order += ORDER_STEP
        group, node, size = self.groups[op.results[0]], describe_op(op)[1] or "", prod(shape_of(op.results[0]))
        self.shapes.setdefault(node or group, (group, shape_of(op.results[0])))
        taken: set[str] = set()
        match op:
            case ntensor.NeuronOp():
                self.add_neuron(op, group, size, updates[op.update_name])
            case ntensor.DelayOp():
                self.add_delay(op, group, size)
            case _:
                equations: list[str] = []
                constants: dict[str, str] = {}
                text = self.value_text(op.results[0], group, equations, constants, taken, is_top=True)
                code = [f"z = {text}", *(f"{one} = 0" for one in equations)]
                self.population(group, size, equations, code, {}, constants)

    def population(
        self,
        group: str,
        size: int,
        variables: list[str],
        code: list[str],
        start: dict[str, str],
        constants: dict[str, str],
    ) -> None:
        equations = [*(f"{one} : 1" for one in variables), *(f"{one} : 1 (constant)" for one in constants)]
        self.built.add(group)
        self.variables[group] = {*variables, *constants}
        self.lines.append(f"make.population({group!r}, {size}, {self.order},")
        self.lines.append(f'    """{chr(10).join(equations)}""",')
        self.lines.append(f'    """{chr(10).join(code)}""",')
        self.lines += [
            f"    {name}={dictionary_text(found)},"
            for name, found in (("start", start), ("constants", constants))
            if found
        ]
        self.lines.append(")")

    # ---- neurons

    def add_neuron(self, op: ntensor.NeuronOp, group: str, size: int, update: ntensor.UpdateOp) -> None:
        """Adds a population with its states, parameters and inputs. Errors: BRI001, BRI002."""
        node, taken = op.node.data, {group}
        if update.accumulators:
            refuse_op(
                op,
                BRI002,
                expected="inputs that are sums",
                found="terms that a neuron adds one by one",
                help="nopt targets",
            )
        states = [brian_name(state, taken) for state in state_names(update)]
        self.states[node] = dict(zip(state_names(update), states, strict=True))
        params: list[str] = []
        constants: dict[str, str] = {}
        for name, array in op.params.data.items():
            assert isinstance(array, ArrayAttr)  # verified
            params.append(brian_name(name, taken))
            constants[params[-1]] = self.store(f"{node}.{name}", array.values)
        start: dict[str, str] = {}
        for name, own in zip(state_names(update), states, strict=True):
            array = op.initial.data[name]
            assert isinstance(array, ArrayAttr)  # verified
            start[own] = self.store(f"{node}.{name}.start", array.values)
        variables: list[str] = []
        inputs: list[str] = []
        code: list[str] = []
        for name, value in zip(texts_of(update.inputs), op.xs, strict=True):
            text = self.value_text(value, group, variables, constants, taken)
            inputs.append(brian_name(name, taken))
            code.append(f"{inputs[-1]} = {text}")
        lines = UpdateCode(update, taken).lines(inputs, states, params)
        cleared = [f"{one} = 0" for one in variables]
        self.population(group, size, [*states, *variables], [*code, *lines, *cleared], start, constants)

    def add_delay(self, op: ntensor.DelayOp, group: str, size: int) -> None:
        """Adds a population that keeps the values of earlier ticks. Errors: BRI002 a long delay of values."""
        ticks = op.ticks.values.astype(np.int64)
        longest, least = int(ticks.max(initial=0)), int(ticks.min(initial=ticks.max(initial=0)))
        if longest > LONGEST_VALUE_DELAY:
            refuse_op(
                op,
                BRI002,
                expected=f"a delay of at most {LONGEST_VALUE_DELAY} ticks for values",
                found=f"{longest} ticks",
                help="nopt targets",
            )
        past = [f"past{k}" for k in range(1, longest + 1)]
        text, constants = ("now", *past)[longest], dict[str, str]()
        if longest != least:
            constants["delay_ticks"] = self.store(f"{op.node.data}.ticks", ticks)
            for k in range(longest - 1, least - 1, -1):
                text = f"choose(delay_ticks == {k}, {('now', *past)[k]}, {text})"
        is_early = (
            self.groups[before_reshapes(op.x)] not in self.built
        )  # it emits before its operand does, which arrives afterwards
        shifts = [
            f"{new} = {old}" for new, old in zip(reversed(past), reversed(["now", *past][: len(past)]), strict=True)
        ]
        code = [*shifts, "now = 0", f"z = {text}"] if is_early else [f"z = {text}", *shifts, "now = 0"]
        self.population(group, size, ["now", *past], code, {}, constants)
        self.connect(op.x, group, "now", np.arange(size), np.arange(size), np.ones(size), None, f"{op.node.data}.x", op)

    # ---- inputs

    def value_text(
        self,
        value: SSAValue,
        group: str,
        variables: list[str],
        constants: dict[str, str],
        taken: set[str],
        *,
        is_top: bool = False,
    ) -> str:
        """Returns the expression of a sum, and adds the synapses of its terms to the program."""
        value = before_reshapes(value)
        op = value.owner
        if isinstance(op, Operation) and (is_top or value not in self.groups):
            if isinstance(op, ntensor.SumOp):
                texts = [self.value_text(one, group, variables, constants, taken) for one in op.operands]
                total = texts[0]
                for text in texts[1:]:
                    total = f"({total} + {text})"
                return total
            assert isinstance(op, SynapseOpInterface)  # others have populations
            return self.synapse_text(op, group, variables, constants, taken)
        size = prod(shape_of(value))
        variable = brian_name(f"in_{self.groups[value]}", taken)
        variables.append(variable)
        self.connect(
            value, group, variable, np.arange(size), np.arange(size), np.ones(size), None, f"{group}.{variable}", None
        )
        return variable

    def synapse_text(
        self, op: SynapseOpInterface, group: str, variables: list[str], constants: dict[str, str], taken: set[str]
    ) -> str:
        """Adds the synapses of an op. Errors: BRI003 a rule."""
        node = op.node.data
        variable = brian_name(node, taken)
        variables.append(variable)
        source, target, place = op.pairs()
        weights = op.weights is not None
        values = op.weight_values().values.astype(np.float64).reshape(-1)[place] if weights else np.ones(len(source))
        delays = (
            None
            if op.delays is None
            else np.broadcast_to(op.delays.values, op.weight_values().shape).reshape(-1)[place]
        )
        order = np.lexsort((target, source))
        self.connect(
            op.x,
            group,
            variable,
            source[order],
            target[order],
            values[order],
            None if delays is None else delays[order],
            f"{node}.weight",
            op,
        )
        if op.learning_rule is not None:
            assert isinstance(op, SynapseOpInterface)
            self.rules.append((len(self.late) - 1, op, group))
            self.weights[f"{node}.weight"] = op.weight_values().shape
            self.store(f"{node}.weight.place", (np.arange(len(source)) if place is None else np.asarray(place))[order])
        text = variable
        if isinstance(op, ntensor.AvgPool2dOp):
            text = f"({text} / {float(prod(op.kernel.values.tolist()))!r})"
        if (bias := op.optional_array("bias")) is not None:
            name = brian_name(f"{node}_bias", taken)
            constants[name] = self.store(f"{node}.bias", each_output(bias, op))
            text = f"({text} + {name})"
        if (exponent := op.optional_array("exponent")) is not None and exponent.values.any():
            name = brian_name(f"{node}_factor", taken)
            constants[name] = self.store(f"{node}.factor", np.exp2(each_output(exponent, op).astype(np.float64)))
            text = f"({text} * {name})"
        return text

    def add_rule(self, place: int, op: SynapseOpInterface, group: str) -> None:
        """Adds the rule of an op to the line of its synapses. Errors: BRI003."""
        population = learning_site(op).population
        if self.groups[population.z] != group:
            expected, found = "synapses whose population adds them at once", f"sums in {group}"
            refuse_op(op, BRI003, expected=expected, found=found, help=f"-p {FREEZE}")
        update = ntensor.updates_of(self.network)[population.update_name]
        names = Variables(self.variables[group], self.states[population.node.data])
        learning = plastic_code(op, self.network, update, names)
        text = self.late[place].removesuffix(")")
        self.late[place] = f"{text},\n    {learning_text(learning, f'{op.node.data}.weight')}\n)"

    def connect(
        self,
        value: SSAValue,
        group: str,
        variable: str,
        source: Ints,
        target: Ints,
        weight: AnyArray,
        delay: Ints | None,
        key: str,
        op: Operation | None,
    ) -> None:
        """Adds synapses from the population of a value. A delay of spikes between both is that of the synapses. Errors: BRI002."""
        value = before_reshapes(value)
        if value not in self.groups:
            assert isinstance(value.owner, ntensor.DelayOp)  # `needs_group`
            ticks = np.broadcast_to(value.owner.ticks.values.astype(np.int64), shape_of(value)).reshape(-1)[source]
            delay = ticks if delay is None else delay.astype(np.int64) + ticks
            value = before_reshapes(value.owner.x)
        if delay is not None and not emits_spikes(value) and op is not None and delay.any():
            refuse_op(
                op,
                BRI002,
                expected="synapses with delays that read spikes",
                found="values with a delay of synapses",
                help="nopt targets",
            )
        learns = isinstance(op, SynapseOpInterface) and op.learning_rule is not None
        used = np.ones(len(weight), bool) if learns else weight != 0
        names = [
            self.store(f"{key}.{part}", array[used]) for part, array in (("i", source), ("j", target), ("w", weight))
        ]
        late = "" if delay is None or not delay.any() else f", delay={self.store(f'{key}.delay', delay[used])}"
        self.late.append(
            f"make.synapses({self.groups[value]!r}, {group!r}, {variable!r}, {', '.join(names)}, has_events={emits_spikes(value)}{late})"
        )

    def store(self, name: str, values: AnyArray) -> str:
        self.arrays[name] = np.ascontiguousarray(
            values, np.int64 if values.dtype.kind in "iu" and not name.endswith(".start") else np.float64
        )
        return f"w[{name!r}]"


def learning_text(learning: PlasticCode, key: str) -> str:
    """Returns the arguments with the rule of synapses."""
    transmission = "\n".join([*learning.transmission, f"transmitted = {learning.transmitted}"])
    blocks = ",\n".join(f'        ({event!r}, """{chr(10).join(lines)}""")' for event, lines in learning.blocks)
    return f'learning=Rule({key!r}, {learning.states!r}, """{transmission}""", [\n{blocks},\n    ])'


def each_output(array: ArrayAttr, op: SynapseOpInterface) -> AnyArray:
    """Returns a bias or an exponent with an entry for each result; that of a convolution has one for each channel."""
    shape = shape_of(op.y)
    values = array.values
    return np.broadcast_to(
        values.reshape(values.shape + (1,) * (len(shape) - values.ndim if values.ndim else 0)), shape
    )


def emits_spikes(value: SSAValue) -> bool:
    return element_type(value) == i1


def before_reshapes(value: SSAValue) -> SSAValue:
    """Returns the value before its reshapes."""
    while isinstance(value.owner, ntensor.ReshapeOp):
        value = value.owner.x
    return value


def final_readers(value: SSAValue) -> Iterator[Operation]:
    """Yields the readers of a value, those of its reshapes in place of them."""
    for use in value.uses:
        if isinstance(use.operation, ntensor.ReshapeOp):
            yield from final_readers(use.operation.y)
        else:
            yield use.operation


def needs_group(op: Operation) -> bool:
    """Returns whether a population holds the value of an op. Errors: BRI002 an op without an object."""
    if isinstance(op, ntensor.ReshapeOp):
        return False
    if isinstance(op, ntensor.NeuronOp):
        return True
    readers = list(final_readers(op.results[0]))
    if isinstance(op, ntensor.DelayOp):
        is_read_by_synapses = all(isinstance(one, SynapseOpInterface) for one in readers)
        return not (
            emits_spikes(before_reshapes(op.x))
            and is_read_by_synapses
            and not isinstance(before_reshapes(op.x).owner, ntensor.DelayOp)
        )
    if isinstance(op, SynapseOpInterface | ntensor.SumOp):
        return not (len(readers) == 1 and isinstance(readers[0], ntensor.SumOp | ntensor.NeuronOp))
    refuse_op(op, BRI002, expected="neurons, synapses, sums and delays", found=op.name, help="nopt targets")


def require_reals(op: Operation) -> None:
    """Refuses sums of integers and numbers of f32. Errors: BRI002."""
    type = element_type(op.results[0])
    if isinstance(type, Float32Type):
        refuse_op(op, BRI002, expected="numbers of f64", found="numbers of f32", help="--precision f64")
    if isinstance(op, SynapseOpInterface) and interval_of(type) is not None:
        refuse_op(op, BRI002, expected="sums of reals", found=f"sums of {type}", help="nopt run FILE --engine native")


def dictionary_text(found: dict[str, str]) -> str:
    return "{" + ", ".join(f"{name!r}: {text}" for name, text in found.items()) + "}"


def arguments_of(network: ntensor.NetworkOp) -> dict[str, tuple[int, ...]]:
    names: list[tuple[str, BlockArgument]] = list(
        zip(texts_of(network.input_names), network.body.block.args, strict=True)
    )
    return {name: shape_of(arg) for name, arg in names}


def outputs_of(network: ntensor.NetworkOp) -> dict[str, Any]:
    return {
        name: shape_of(value)
        for name, value in zip(texts_of(network.output_names), network.outputs.values, strict=True)
    }
