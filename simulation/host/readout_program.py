"""Program of a readout: a NumPy script with one line for each op, and its arrays.

| op | line |
| --- | --- |
| a synapse op | `add`, which adds its weights in the order of their sources; then the bias |
| `ntensor.avg_pool2d` | the same, divided by the size of the kernel |
| `ntensor.scale` | a product |
| `ntensor.sum` | sums from left to right |
| `ntensor.delay` | `late`, with a list of past values |
| `ntensor.reshape` | `reshape` |
| `ntensor.neuron` | a function for its update, with a line for each scalar op |

Exactness: the numbers of the reference, bit for bit.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from math import prod
from pathlib import Path

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import Float32Type, Float64Type, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import describe_op
from ...core.ir.graph_region import schedule
from ...core.ir.operation import element_type, shape_of, texts_of
from ...dialects import ntensor
from ...dialects.fixed import comparison_symbol
from ...dialects.ntensor import ReadoutOp, UpdateOp
from .python_functions import FunctionPrinter, VariableNames

SCRIPT, ARRAYS = "readout.py", "readout.npz"
TEMPLATE = Path(__file__).parent / f"{SCRIPT}.in"
EXPRESSIONS: Mapping[type[Operation], str] = {
    arith.AddfOp: "{} + {}",
    arith.SubfOp: "{} - {}",
    arith.MulfOp: "{} * {}",
    arith.DivfOp: "{} / {}",
    arith.MinimumfOp: "np.minimum({}, {})",
    arith.MaximumfOp: "np.maximum({}, {})",
    arith.AndIOp: "{} & {}",
    arith.OrIOp: "{} | {}",
    arith.XOrIOp: "{} ^ {}",
    arith.SelectOp: "np.where({}, {}, {})",
    arith.NegfOp: "-{}",
    mathd.AbsFOp: "np.abs({})",
    mathd.CopySignOp: "np.copysign({}, {})",
    mathd.ExpOp: "np.exp({})",
    mathd.LogOp: "np.log({})",
    mathd.SqrtOp: "np.sqrt({})",
    mathd.FloorOp: "np.floor({})",
    mathd.CeilOp: "np.ceil({})",
    mathd.TruncOp: "np.trunc({})",
    mathd.RoundEvenOp: "np.rint({})",
}
"""The expression of each scalar op, with its operands."""
KNOWN = (ntensor.SynapseOpInterface, ntensor.SumOp, ntensor.DelayOp, ntensor.ReshapeOp)


def obstacle(op: Operation, updates: Mapping[str, UpdateOp]) -> str | None:
    """Returns a text for an op that the program of a readout does not compute; None for other ops."""
    if isinstance(op, ntensor.NeuronOp):
        update = updates[op.update_name]
        types = [*update.input_types, *update.state_types.values(), *update.param_types.values()]
        if any(not isinstance(type, Float32Type | Float64Type) for type in types) or update.accumulate:
            return f"@{op.update_name}, which computes integers"
        unknown = [
            one.name for one in update.step.block.ops if one is not update.step.block.last_op and not is_known(one)
        ]
        return f"{unknown[0]} in @{op.update_name}" if unknown else None
    if not isinstance(op, KNOWN):
        return op.name
    if not isinstance(element_type(op.results[0]), Float32Type | Float64Type) and not isinstance(
        op, ntensor.DelayOp | ntensor.ReshapeOp
    ):
        return f"{op.name} of integers"
    delays = op.delays if isinstance(op, ntensor.SynapseOpInterface) else None
    return f"{op.name} with delays of synapses" if delays is not None and delays.values.any() else None


def is_known(op: Operation) -> bool:
    """Returns whether a scalar op has an expression."""
    known = (arith.ConstantOp, arith.CmpfOp, arith.ExtFOp, arith.TruncFOp, ntensor.LetOp)
    return isinstance(op, known) or type(op) in EXPRESSIONS


def program_files(readout: ReadoutOp) -> dict[str, bytes]:
    """Returns the script and the arrays of a readout."""
    program = Program(readout)
    return {SCRIPT: program.text().encode(), ARRAYS: archive(program.arrays)}


def archive(arrays: Mapping[str, AnyArray]) -> bytes:
    """Returns the content of a file of arrays, the same for equal arrays."""
    stream = io.BytesIO()
    save: Callable[..., None] = np.savez
    save(stream, **arrays)
    return stream.getvalue()


def real(type: Attribute) -> str:
    """Returns the NumPy type of a real."""
    return "np.float32" if isinstance(type, Float32Type) else "np.float64"


class Program:
    """The lines of a program, and its arrays by name."""

    def __init__(self, readout: ReadoutOp):
        self.readout = readout
        self.updates = ntensor.find_updates(readout.parent_op())
        self.arrays: dict[str, AnyArray] = {}
        self.names = VariableNames(
            {
                "arrays",
                "given",
                "self",
                "np",
                "sys",
                "json",
                "add",
                "late",
                "load",
                "signal",
                "Path",
                "Readout",
                "main",
                "HERE",
                "INPUTS",
            }
        )
        self.values: dict[SSAValue, str] = {}
        self.functions: dict[str, str] = {}
        self.start: list[str] = []
        self.step: list[str] = []
        self.definitions: list[str] = []
        self.build()

    def build(self) -> None:
        inputs = dict(zip(texts_of(self.readout.input_names), self.readout.body.block.args, strict=True))
        for name, arg in inputs.items():
            self.values[arg] = self.names.take(name)
            self.step.append(f"{self.values[arg]} = given[{name!r}]")
        for group in schedule(self.readout.body.block, lambda op: False):
            for op in group:
                if op is not self.readout.outputs:
                    self.add(op)
        ends = zip(texts_of(self.readout.output_names), self.readout.outputs.values, strict=True)
        shown = ", ".join(f"{name!r}: {self.values[value]}" for name, value in ends)
        self.step.append(f"return {{{shown}}}")

    def add(self, op: Operation) -> None:
        """Adds the lines of an op."""
        node = describe_op(op)[1] or op.name.rpartition(".")[2]
        x, shape = [self.values[value] for value in op.operands], shape_of(op.results[0])
        name = self.values[op.results[0]] = self.names.take(node)
        dtype = real(element_type(op.results[0]))
        match op:
            case ntensor.NeuronOp():
                self.add_neuron(op, name, x)
            case ntensor.SynapseOpInterface() if not isinstance(op, ntensor.ScaleOp):
                self.add_synapses(op, node, name, x[0], dtype)
            case ntensor.ScaleOp():
                self.arrays[f"{node}.scale"] = op.weight_values().values.astype(dtype[3:])
                self.step.append(f"{name} = {x[0]} * arrays[{f'{node}.scale'!r}]")
            case ntensor.SumOp():
                self.step.append(f"{name} = {' + '.join(f'{one}.astype({dtype})' for one in x)}")
            case ntensor.ReshapeOp():
                self.step.append(f"{name} = {x[0]}.reshape(-1, {', '.join(map(str, shape))})")
            case ntensor.DelayOp():
                self.arrays[f"{node}.ticks"] = op.ticks.values.astype(np.int64)
                self.start.append(f"self.{name} = []")
                self.step.append(f"{name} = late(self.{name}, {x[0]}, arrays[{f'{node}.ticks'!r}])")
            case _:
                raise AssertionError(op.name)  # obstacle

    def add_synapses(self, op: ntensor.SynapseOpInterface, node: str, name: str, x: str, dtype: str) -> None:
        """Adds the line of a synapse op, with its synapses sorted by source."""
        source, target, place = op.used_pairs()
        order = np.lexsort((target, source))
        source, target, place = source[order], target[order], place[order]
        weight = np.ones(len(place)) if op.weights is None else op.weight_values().values.reshape(-1)[place]
        ends = np.flatnonzero(np.diff(source, append=-1)) + 1
        runs = np.stack([np.concatenate([[0], ends[:-1]]), ends], 1) if len(ends) else np.zeros((0, 2), np.int64)
        parts = {
            "source": source.astype(np.int64),
            "target": target.astype(np.int64),
            "weight": weight.astype(dtype[3:]),
            "runs": runs,
        }
        self.arrays |= {f"{node}.{part}": array for part, array in parts.items()}
        line = f"add(arrays, {node!r}, {x}, {shape_of(op.y)!r}, {dtype})"
        if isinstance(op, ntensor.AvgPool2dOp):
            line += f" / {dtype}({prod(op.kernel.values.tolist())})"
        bias, exponent = op.optional_array("bias"), op.optional_array("exponent")
        if bias is not None:
            self.arrays[f"{node}.bias"] = np.ascontiguousarray(op.spread_outputs(bias.values)).astype(dtype[3:])
            line += f" + arrays[{f'{node}.bias'!r}]"
        self.step.append(f"{name} = {line}")
        if exponent is not None and exponent.values.any():
            self.arrays[f"{node}.exponent"] = np.ascontiguousarray(op.spread_outputs(exponent.values)).astype(np.int32)
            self.step.append(f"{name} = np.ldexp({name}, arrays[{f'{node}.exponent'!r}])")

    def add_neuron(self, op: ntensor.NeuronOp, name: str, x: list[str]) -> None:
        """Adds the lines of a population: its states, and the call of its update."""
        update = self.updates[op.update_name]
        if op.update_name not in self.functions:
            self.functions[op.update_name] = self.names.take(op.update_name)
            self.definitions += UpdatePrinter().lines(update, self.functions[op.update_name])
        node, states = op.node.data, [f"self.{name}_{state}" for state in texts_of(update.states)]
        for state, variable in zip(texts_of(update.states), states, strict=True):
            kind = real(update.state_types[state])
            self.arrays[f"{node}.{state}"] = typed_array(op.initial.data[state], kind)
            self.start.append(
                f"{variable} = np.broadcast_to(arrays[{f'{node}.{state}'!r}], (samples, *{shape_of(op.z)!r}))"
            )
        for parameter, type in update.param_types.items():
            self.arrays[f"{node}.{parameter}"] = typed_array(op.params.data[parameter], real(type))
        params = [f"arrays[{f'{node}.{parameter}'!r}]" for parameter in update.param_types]
        given = [f"{one}.astype({real(type)})" for one, type in zip(x, update.input_types, strict=True)]
        results = ", ".join([name, *states])
        self.step.append(f"{results} = {self.functions[op.update_name]}({', '.join([*given, *states, *params])})")

    def text(self) -> str:
        """Returns the script."""
        readout = self.readout
        inputs = dict(zip(texts_of(readout.input_names), map(shape_of, readout.body.block.args), strict=True))
        outputs = dict(zip(texts_of(readout.output_names), map(shape_of, readout.outputs.values), strict=True))

        def shown(shapes: Mapping[str, tuple[int, ...]]) -> str:
            return ", ".join(f"{name} {list(shape)}" for name, shape in shapes.items())

        parts = {
            "TITLE": f"The readout of {readout.sym_name.data.removesuffix('.readout')}, which the host computes after the chip.",
            "INPUTS": shown(inputs),
            "OUTPUTS": shown(outputs),
            "TICK_NS": str(readout.tick_ns.value.data),
            "INPUT_SHAPES": repr(inputs),
            "UPDATES": "\n".join(["", *self.definitions]),
            "START": "\n".join([f"        {line}" for line in self.start] + [""] * 1),
            "STEP": "\n".join([f"        {line}" for line in self.step] + [""]),
        }
        text = TEMPLATE.read_text(encoding="utf-8")
        for name, part in parts.items():
            text = text.replace(f"@{name}@", part)
        return text


def typed_array(entry: Attribute, kind: str) -> AnyArray:
    """Returns a parameter or a state in the type of the update."""
    assert isinstance(entry, ArrayAttr)  # verified
    return entry.values.astype(kind[3:])


class UpdatePrinter(FunctionPrinter):
    """The function of an update: it takes inputs, states and parameters, and returns the output and the next states."""

    def lines(self, update: UpdateOp, name: str) -> list[str]:
        self.begin({"np"})
        texts = (*texts_of(update.inputs), *texts_of(update.states), *texts_of(update.params))
        return [
            f"def {name}({', '.join(self.arguments(update.step.block.args, texts))}):",
            f'    """Returns the output and the next states of @{update.sym_name.data}."""',
            *self.body(update.step.block, 1 + len(update.states)),
            "",
            "",
        ]

    def expression(self, op: Operation) -> str:
        """Returns the expression of a scalar op."""
        x = [self.values[value] for value in op.operands]
        match op:
            case arith.ConstantOp(value=FloatAttr(value=value)):
                return f"{real(op.result.type)}({value.data!r})"
            case arith.ConstantOp(value=IntegerAttr(value=value)):
                return str(bool(value.data))
            case arith.CmpfOp():
                return f"{x[0]} {comparison_symbol(op)} {x[1]}"
            case arith.ExtFOp() | arith.TruncFOp():
                return f"{real(op.result.type)}({x[0]})"
            case ntensor.LetOp():
                return x[0]
            case _:
                return EXPRESSIONS[type(op)].format(*x)
