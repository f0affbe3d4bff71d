"""Program of a network for PyTorch: a line for each op, a function for each update, and the arrays of both.

| op | line |
| --- | --- |
| a synapse op | `linear`, `sparse`, `fan_in`, `convolution`, `transposed`, `pool`, `upsample` or a product |
| the same with `!ntensor.terms` | `Terms`, which a neuron adds one by one |
| `ntensor.sum` | `add`, from left to right |
| `ntensor.max_pool2d` | `max_pool` |
| `ntensor.delay` | the row of some ticks ago, from a tuple in the state |
| `ntensor.reshape` | `reshape` |
| `ntensor.neuron` | a function for its update |

Exactness: integers are those of the reference; reals are added in the order of the library, and differ in the last bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
from attrs import define, field
from xdsl.dialects.builtin import Float32Type
from xdsl.ir import Attribute, Operation, SSAValue

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import describe_op, refuse_op
from ...core.ir.graph_region import schedule
from ...core.ir.operation import element_type, shape_of, texts_of
from ...dialects import ntensor
from ...dialects.ntensor import SynapseOpInterface, TermsType, breaks_loops, interval_of
from ...passes.pipelines import FREEZE
from ...simulation.host.python_functions import VariableNames
from ._exact_integers import require_exact
from ._thresholds import threshold_parameter
from .scalar_expressions import PYT001, RESERVED, UpdatePrinter, dtype_text
from .surrogate_reach import reaches
from .weight_masters import Masters


@define
class NetworkProgram:
    """The lines of a network, and its arrays by name."""

    network: ntensor.NetworkOp
    masters: Masters
    detaches_reset: bool = False
    arrays: dict[str, AnyArray] = field(init=False, factory=dict[str, AnyArray])
    constants: dict[str, str] = field(init=False, factory=dict[str, str])
    functions: dict[str, UpdatePrinter] = field(init=False, factory=dict[str, UpdatePrinter])
    start: list[str] = field(init=False, factory=list[str])
    step: list[str] = field(init=False, factory=list[str])
    ends: list[str] = field(init=False, factory=list[str])
    """Lines after all values of a tick: the rows of delays."""
    definitions: list[str] = field(init=False, factory=list[str])
    seen: dict[str, str] = field(init=False, factory=dict[str, str])
    """The variable of the output of each op, by its node."""
    values: dict[SSAValue, str] = field(init=False, factory=dict[SSAValue, str])
    names: VariableNames = field(init=False, factory=VariableNames)

    def __attrs_post_init__(self) -> None:
        require_exact(self.network)
        self.names = VariableNames((*RESERVED, "state", "found", "full", "past", "batch", "a"))
        updates = ntensor.updates_of(self.network)
        inputs = zip(texts_of(self.network.input_names), self.network.body.block.args, strict=True)
        for name, arg in inputs:
            self.values[arg] = self.names.take(name)
            self.step.append(f"{self.values[arg]} = x[{name!r}].to({dtype_text(element_type(arg))})")
        for group in schedule(self.network.body.block, breaks_loops):
            for op in group:
                if op is not self.network.outputs:
                    self.add(op, updates)

    def lines(self) -> Iterator[str]:
        """Yields the lines of a tick."""
        yield from self.step
        yield from self.ends
        outputs = zip(texts_of(self.network.output_names), self.network.outputs.values, strict=True)
        found = ", ".join(f"{name!r}: {self.values[value]}" for name, value in outputs)
        yield f"return {{{found}}}, s, {{{', '.join(f'{node!r}: {name}' for node, name in self.seen.items())}}}"

    def add(self, op: Operation, updates: dict[str, ntensor.UpdateOp]) -> None:
        """Adds the lines of an op. Errors: PYT001 an op without an expression."""
        node = describe_op(op)[1] or op.name.rpartition(".")[2]
        x, y = [self.values[value] for value in op.operands if value in self.values], op.results[0]
        if isinstance(op, ntensor.DelayOp):
            self.add_delay(op, node)
            return
        name = self.values[y] = self.names.take(node)
        self.seen.setdefault(node, name)
        is_terms, dtype = isinstance(element_type(y), TermsType), dtype_text(element_type(y))
        match op:
            case ntensor.NeuronOp():
                self.add_neuron(op, name, x, updates[op.update_name])
            case ntensor.SumOp():
                text = f"Terms(join_terms, {', '.join(x)})" if is_terms else f"add({dtype}, {', '.join(x)})"
                self.step.append(f"{name} = {text}")
            case ntensor.ReshapeOp():
                shape = shape_of(y)
                text = f"Terms(reshape_terms, {x[0]}, {shape})" if is_terms else f"{x[0]}.reshape(-1, *{shape})"
                self.step.append(f"{name} = {text}")
            case ntensor.MaxPool2dOp():
                self.step.append(f"{name} = max_pool({x[0]}, {window_text(op)})")
            case SynapseOpInterface():
                self.step.append(f"{name} = {self.synapses(op, node, x[0], dtype, is_terms=is_terms)}")
            case _:
                refuse_op(
                    op, PYT001, f"{op.name} has no expression of PyTorch", expected="an op of ntensor", found=op.name
                )

    # ---- synapses

    def store(self, name: str, array: ArrayAttr | AnyArray, type: Attribute | None = None) -> str:
        """Stores an array, and returns the expression that reads it."""
        values = array.values if isinstance(array, ArrayAttr) else array
        self.arrays[name] = np.ascontiguousarray(values, np.int64 if type is None else stored_dtype(type))
        return f"w[{name!r}]"

    def synapses(self, op: SynapseOpInterface, node: str, x: str, dtype: str, *, is_terms: bool) -> str:
        """Returns the expression of a synapse op."""
        is_whole = interval_of(element_type(op.y)) is not None
        shape = shape_of(op.y)
        match op:
            case ntensor.SumPool2dOp() | ntensor.AvgPool2dOp():
                if is_terms:
                    return f"Terms(pool_terms, {x}, {window_text(op)}, {shape[1:]})"
                divisor = f", {prod(op.kernel.values.tolist())}" if isinstance(op, ntensor.AvgPool2dOp) else ""
                return f"pool({x}, {window_text(op)}, {dtype}{divisor})"
            case ntensor.Upsample2dOp():
                return f"upsample({x}, {op.factors}, {dtype})"
            case _:
                pass
        self.masters.add(op)
        weight = f"w[{f'{node}.{op.WEIGHTS}'!r}]"
        if op.learning_rule is not None:
            refuse_op(
                op,
                PYT001,
                "weights that a rule changes are not trained by gradients",
                expected="weights that stay as they are",
                found=op.learning_rule.name,
                help=f"-p {FREEZE}",
            )
        if isinstance(op, ntensor.ScaleOp):
            return f"Terms(scale_terms, {x}, {weight})" if is_terms else f"{x}.to({dtype}) * {weight}"
        if isinstance(op, ntensor.FanInLinearOp):
            return f"fan_in({x}, {weight}, {self.store(f'{node}.source', op.source)}, {shape})"
        bias, exponent = op.optional_array("bias"), op.optional_array("exponent")
        texts = ["None" if bias is None else f"w[{f'{node}.bias'!r}]"]
        texts += ["None" if exponent is None or not exponent.values.any() else self.store(f"{node}.exponent", exponent)]
        rest = ", ".join([*texts, *([] if is_terms else [str(is_whole)])])
        match op:
            case ntensor.LinearOp():
                name, parts = "linear", [x, weight]
            case ntensor.SparseLinearOp():
                name, parts = "sparse", [self.rows(op, node, x), weight, *self.indices(op, node), str(shape)]
            case ntensor.ConvolutionOp() | ntensor.ConvTranspose2dOp():
                name = "transposed" if isinstance(op, ntensor.ConvTranspose2dOp) else "convolution"
                lists = [tuple(map(plain, array.values.tolist())) for array in (op.stride, op.padding, op.dilation)]
                parts = [x, weight, *map(str, lists), str(op.groups.value.data)]
                parts += [str(shape[1:])] if is_terms else []
            case _:
                refuse_op(
                    op, PYT001, f"{op.name} has no expression of PyTorch", expected="an op of ntensor", found=op.name
                )
        if is_terms:
            return f"Terms({name}_terms, {', '.join(parts)}, {rest})"
        return f"{name}({', '.join(parts)}, {rest})"

    def indices(self, op: ntensor.SparseLinearOp, node: str) -> list[str]:
        delay = None if op.delay is None or not op.delay.values.any() else op.delay
        return [
            self.store(f"{node}.source", op.source),
            self.store(f"{node}.target", op.target),
            "None" if delay is None else self.store(f"{node}.delay", delay),
        ]

    def rows(self, op: ntensor.SparseLinearOp, node: str, x: str) -> str:
        """Returns the expression of the operand of this tick and of those before, which the state keeps."""
        longest = 0 if op.delay is None or not op.delay.values.size else int(op.delay.values.max())
        if not longest:
            return f"({x},)"
        self.keep(f"{node}.past", longest, op.x)
        self.step.append(f"s[{f'{node}.past'!r}] = ({x}, *state[{f'{node}.past'!r}][:-1])")
        return f"({x}, *state[{f'{node}.past'!r}])"

    def keep(self, key: str, ticks: int, value: SSAValue) -> None:
        self.start.append(f"s[{key!r}] = past({ticks}, {shape_of(value)}, {dtype_text(element_type(value))})")

    # ---- delays and neurons

    def add_delay(self, op: ntensor.DelayOp, node: str) -> None:
        """Adds the lines of a delay. One of at least one tick is read before its operand is computed."""
        name = self.values[op.y] = self.names.take(node)
        self.seen.setdefault(node, name)
        ticks = op.ticks.values.astype(np.int64)
        longest, least = (int(end) for end in (ticks.max(initial=0), ticks.min(initial=ticks.max(initial=0))))
        key = f"{node}.past"
        if not longest:
            self.step.append(f"{name} = {self.values[op.x]}")
            return
        self.keep(key, longest, op.x)
        is_common = longest == least
        if least:
            at = f"torch.tensor({longest - 1})" if is_common else self.store(f"{node}.ticks", ticks - 1)
            text = f"state[{key!r}][{longest - 1}]" if is_common else f"late(state[{key!r}], {at})"
            self.step.append(f"{name} = {text}")
            self.ends.append(f"s[{key!r}] = (@{id(op)}@, *state[{key!r}][:-1])")
            return
        x = self.values[op.x]
        self.step.append(f"{name} = late(({x}, *state[{key!r}]), {self.store(f'{node}.ticks', ticks)})")
        self.step.append(f"s[{key!r}] = ({x}, *state[{key!r}][:-1])")

    def settle(self) -> None:
        """Writes the operands of delays, whose names are known now."""
        for op in self.network.body.block.ops:
            if isinstance(op, ntensor.DelayOp):
                self.ends = [line.replace(f"@{id(op)}@", self.values[op.x]) for line in self.ends]

    def add_neuron(self, op: ntensor.NeuronOp, name: str, x: list[str], update: ntensor.UpdateOp) -> None:
        """Adds the lines of a population: its states, and the call of its update. Errors: PYT001, PYT002 those of the update."""
        if op.update_name not in self.functions:
            function = self.names.take(f"update_{op.update_name}")
            printer = UpdatePrinter(update, function, self.constants, self.detaches_reset)
            self.functions[op.update_name] = printer
            self.definitions += printer.lines()
        printer, node, states = self.functions[op.update_name], op.node.data, texts_of(update.states)
        for state, type in update.state_types.items():
            start = op.initial.data[state]
            assert isinstance(start, ArrayAttr)  # verified
            self.store(f"{node}.{state}.start", start, type)
            self.start.append(
                f"s[{f'{node}.{state}'!r}] = full({f'{node}.{state}.start'!r}, {shape_of(op.z)}, {dtype_text(type)})"
            )
        held = {state: f"state[{f'{node}.{state}'!r}]" for state in states}
        for (port, into, _), terms in zip(update.accumulators, x[len(update.inputs) :], strict=True):
            variable = self.names.take(f"{node}_{into}")
            self.step.append(f"{variable} = accumulate({printer.name}_{port}, {terms}, {held[into]})")
            held[into] = variable
        given = [f"{one}.to({dtype_text(type)})" for one, type in zip(x, update.input_types, strict=False)]
        for parameter, type in update.param_types.items():
            array = op.params.data[parameter]
            assert isinstance(array, ArrayAttr)  # verified
            given_param = self.store(f"{node}.{parameter}", array, type)
            held[f"parameter {parameter}"] = given_param
        if node in self.masters.thresholds and (found := threshold_parameter(update, printer.smooth)) is not None:
            known = op.params.data[found]
            assert isinstance(known, ArrayAttr)  # verified
            self.masters.add_threshold(op, found, known.values, update.param_types[found])
        arguments = [*given[: len(update.inputs)], *held.values(), str(tuple(reaches(op, update, printer.smooth)))]
        records = [f"s[{f'{node}.{record}'!r}]" for record in texts_of(update.records)]
        results = [name, *(f"s[{f'{node}.{state}'!r}]" for state in states)]
        shadows = {*texts_of(update.records)} & {*states}
        records = [
            self.names.take(f"{node}_{one}") if one in shadows else text
            for one, text in zip(texts_of(update.records), records, strict=True)
        ]
        for one, text in zip(texts_of(update.records), records, strict=True):
            if one in shadows:
                self.seen[f"{node}.{one}"] = text
        found = f"{printer.name}({', '.join(arguments)})"
        self.step.append(f"{', '.join([*results, *records])}, = whole_batch({found}, batch, {shape_of(op.z)})")


def plain(entry: Any) -> Any:
    """Returns nested lists as tuples."""
    entries: list[Any] = entry if isinstance(entry, list) else []
    return tuple(map(plain, entries)) if isinstance(entry, list) else entry


def stored_dtype(type: Attribute) -> np.dtype[np.generic]:
    """Returns the type of a stored scalar: integers and spikes are reals of 64 bits."""
    return np.dtype(np.float32 if isinstance(type, Float32Type) else np.float64)


def window_text(op: ntensor.PoolOp | ntensor.MaxPool2dOp) -> str:
    return ", ".join(str(plain(array.values.tolist())) for array in (op.kernel, op.stride, op.padding))
