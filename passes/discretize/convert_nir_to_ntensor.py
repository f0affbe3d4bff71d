"""From continuous time to ticks: every choice that a `.nir` file leaves open is made here, by name, and stands in the IR afterwards.

    nir.graph @net {…}  =>  ntensor.update @norse_lif.value …
                            ntensor.network @net … attributes {tick_ns = 100000, approximations = […]} {…}

1. `dt-ns` is the length of a tick; without it the pass refuses and lists what the file suggests.
2. `like` names a preset, or a file in the neuron language: it says what every neuron computes in a tick, and the switches of the
   network. What it does not define falls to forward Euler, with a remark.
3. Every loop gets a delay of one tick (`rules/loops.py`).
4. Sums are ordered by structure (`rules/sums.py`).
5. Parameters are derived once, in f64; arrays whose entries are all equal become scalars.
6. What was approximated is recorded: the discretisation, parameters rounded to f32, delays rounded to ticks.

Options: in the class below. Errors: TIM001 to TIM004, PRE001 to PRE005, LOO001 to LOO004, DIS001 to DIS003, FLA001.
Source: the presets name theirs; NIR: Pedersen et al., Nature Communications 15:8122 (2024).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, FunctionType, ModuleOp, StringAttr, TensorType, f32, f64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...core.arrays import ArrayAttr
from ...core.context import diagnostics_of
from ...core.diagnostics import Diagnostics, Finding, Refused
from ...core.graph_region import Signature, components
from ...core.neuron import check_bounds, chosen
from ...core.operation import element_type, shape_of
from ...core.pipeline import NoptPass, pass_text
from ...dialects import nir, ntensor
from .rules import build, loops, presets, sums, times
from .rules.flat import Flat, Node, flatten


@dataclass(frozen=True)
class ConvertNirToNtensorPass(NoptPass):
    """Discretises every `nir.graph` of the module.

    Options:
        dt-ns [ns]: length of a tick, required.
        like: a preset or a file in the neuron language; default none, then `reset` and `loop-delay` must be given where they matter.
        reset: what a spike does to v: `value` (v_reset), `zero` or `subtract` (v_threshold); default that of the preset.
        loop-delay: what waits in a loop, `spikes` or `current`; default that of the preset.
        loop-delay-at: edges that wait instead, `"SOURCE->TARGET,…"`; default none.
        synapse-delay, neuron-delay, output-delay [ticks]: default those of the preset, else 0.
        precision: `f64` or `f32`, the type of values; default f64.
        options: other options of the preset's neurons, `"NAME=VALUE,…"`; default none.
    """

    name = "convert-nir-to-ntensor"
    dt_ns: int | None = None
    like: str | None = None
    reset: str | None = None
    loop_delay: str | None = None
    loop_delay_at: str | None = None
    synapse_delay: int | None = None
    neuron_delay: int | None = None
    output_delay: int | None = None
    precision: Literal["f32", "f64"] = "f64"
    options: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        diagnostics = diagnostics_of(ctx)
        rules = presets.load(
            self.like,
            dict(listed_options(self.options)) | ({"reset": self.reset} if self.reset else {}),
            {
                "loop_delay": self.loop_delay,
                "synapse_delay": self.synapse_delay,
                "neuron_delay": self.neuron_delay,
                "output_delay": self.output_delay,
            },
        )
        graphs = [graph for graph in op.ops if isinstance(graph, nir.GraphOp)]
        refused = [finding for graph in graphs for finding in self.missing(graph, rules)]
        if refused:
            raise Refused(*refused)
        for graph in graphs:
            Conversion(self, graph, flatten(graph), rules, diagnostics, op).run()

    def missing(self, graph: nir.GraphOp, rules: presets.Rules) -> Iterable[Finding]:
        """Refusals of what was not chosen: the time step, and the reset rule."""
        populations = [op for op in graph.walk() if isinstance(op, nir.PopulationOp)]
        suggested, notes = times.advice(populations)
        complete = replace(
            self,
            dt_ns=suggested if self.dt_ns is None or self.dt_ns < 1 else self.dt_ns,
            like=self.like or (None if self.reset and self.loop_delay else "norse"),
        )
        location = graph.location
        file = location.filename.data if isinstance(location, FileLineColLoc) else "FILE"
        help = f"nopt {file} -p '{pass_text(complete)}'"
        at = f"nir.graph @{graph.sym_name.data}"
        if self.dt_ns is None or self.dt_ns < 1:
            yield Finding(
                times.TIM001,
                "the time step is not given" if self.dt_ns is None else "the time step is not positive",
                at=at,
                file=file,
                expected="dt-ns=N, the length of a tick in nanoseconds, of 1 or more",
                found="none" if self.dt_ns is None else str(self.dt_ns),
                help=help,
                notes=notes,
            )
        resetting = [op.node.data for op in populations if "reset" in rules.neuron(family_of(op))[0].options]
        if self.like is None and self.reset is None and resetting:
            yield Finding(
                presets.PRE004,
                "the reset rule is not given",
                at=at,
                node=resetting[0],
                file=file,
                expected="like=NAME, or reset=value, reset=zero or reset=subtract",
                found=f'none, for {len(resetting)} spiking populations, first "{resetting[0]}"',
                help=help,
            )


def listed_options(text: str | None) -> Iterable[tuple[str, str]]:
    """`NAME=VALUE` pairs of the option `options`."""
    for entry in (text or "").split(","):
        if entry.strip():
            name, _, value = entry.partition("=")
            yield name.strip(), value.strip()


def family_of(op: nir.PopulationOp) -> str:
    return op.name.partition(".")[2]


@dataclass
class Conversion:
    """One graph on its way."""

    step: ConvertNirToNtensorPass
    graph: nir.GraphOp
    flat: Flat
    rules: presets.Rules
    diagnostics: Diagnostics
    module: ModuleOp

    def run(self) -> None:
        assert self.step.dt_ns is not None  # refused before
        self.tick_ns = self.step.dt_ns
        self.precision = build.Precision(f32 if self.step.precision == "f32" else f64)
        self.updates: dict[str, ntensor.UpdateOp] = {}
        self.delay_errors: dict[str, float] = {}
        self.names = {node.name for node in self.flat.all()} | {name.data for name in self.graph.output_names}
        populations = [node.op for node in self.flat.nodes if isinstance(node.op, nir.PopulationOp)]
        times.check_times(populations, self.tick_ns, self.diagnostics)
        rule = self.rules.switches.get("loop_delay")
        at = [text for text in (self.step.loop_delay_at or "").split(",") if text.strip()]
        self.delayed = loops.delayed_edges(
            self.flat, self.waits, rule if isinstance(rule, str) else None, at, self.diagnostics
        )
        self.remark_fallbacks()
        network = self.build()
        sums.order_sums(network.body.block)
        self.record(network)
        point = InsertPoint.before(self.graph)
        for update in self.updates.values():
            if update.parent is None:
                Rewriter.insert_op(update, point)
        Rewriter.insert_op(network, point)
        Rewriter.erase_op(self.graph)

    # ---- ticks

    def ticks_of(self, op: nir.DelayOp) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        """A delay in seconds as ticks, rounded half to even."""
        return np.rint(op.delay.values.astype(np.float64) * 1e9 / self.tick_ns).astype(np.int64)

    def waits(self, node: Node) -> bool:
        """Whether what leaves a node does not depend on this tick's input."""
        op = node.op
        match op:
            case nir.DelayOp():
                return bool((self.ticks_of(op) >= 1).all())
            case nir.PopulationOp():
                spiking = op.SPIKES and self.rules.ticks("neuron_delay") > 0
                return spiking or self.rules.ticks(f"input_delay_{family_of(op)}") > 0
            case nir.SynapseOp():
                return self.rules.ticks("synapse_delay") > 0 and not isinstance(op, nir.ScaleOp)
            case _:
                return False

    # ---- building

    def build(self) -> ntensor.NetworkOp:
        types = self.types()
        stand_in = Block(arg_types=[types[node] for node in self.flat.all()])
        """One argument for every node, to be replaced by what really leaves it; so ops can be built in any order."""
        value: dict[Node, SSAValue] = dict(zip(self.flat.all(), stand_in.args, strict=True))
        block = Block(arg_types=[types[node] for node in self.flat.inputs])
        for arg, node in zip(block.args, self.flat.inputs, strict=True):
            arg.name_hint = hint(node.name)
        leaving: dict[Node, SSAValue] = dict(zip(self.flat.inputs, block.args, strict=True))
        late = {(node, k): source for source, node, k in self.delayed}
        waiting: dict[Node, ntensor.DelayOp] = {}
        open_reads = {
            node: [s for k, s in enumerate(node.reads) if (node, k) not in late and not self.waits(node)]
            for node in self.flat.all()
        }
        for part in components(list(self.flat.all()), lambda node: open_reads[node]):
            for node in part:
                if node.op is None:
                    continue
                xs: list[SSAValue] = []
                for k, source in enumerate(node.reads):
                    if (node, k) in late:
                        if source not in waiting:
                            name = self.fresh(f"{called(source)}.delay")
                            waiting[source] = self.delay(name, value[source], 1, node.op)
                            block.add_op(waiting[source])
                        xs.append(waiting[source].y)
                    else:
                        xs.append(value[source])
                leaving[node] = self.add(block, node, xs)
        for node, arg in value.items():
            arg.replace_all_uses_with(leaving[node])
        outputs = [leaving[node] for node in self.flat.outputs]
        if late_outputs := self.rules.ticks("output_delay"):
            for k, name in enumerate(self.graph.output_names):
                delay = self.delay(self.fresh(f"{name.data}.delay"), outputs[k], late_outputs, self.graph)
                block.add_op(delay)
                outputs[k] = delay.y
        block.add_op(ntensor.OutputOp(*outputs))
        type = FunctionType.from_lists([arg.type for arg in block.args], [output.type for output in outputs])
        signature = Signature(self.graph.input_names, self.graph.output_names, type)
        network = ntensor.NetworkOp(self.graph.sym_name.data, signature, self.tick_ns, Region(block))
        network.location = self.graph.location
        return network

    def types(self) -> dict[Node, Attribute]:
        """What leaves each node."""
        found: dict[Node, Attribute] = {}
        for node in self.flat.inputs:
            element = element_type(node.type)
            found[node] = node.type if nir.is_spike(element) else self.precision.tensor(shape_of(node.type))
        keeping: list[Node] = []
        for node in self.flat.nodes:
            if isinstance(node.op, nir.PopulationOp):
                found[node] = TensorType(ntensor.emission_type(self.update_of(node.op)), shape_of(node.type))
            elif isinstance(node.op, nir.KeepingOp):
                keeping.append(node)
            else:
                found[node] = self.precision.tensor(shape_of(node.type))
        while keeping:
            open_ones = [node for node in keeping if node.reads[0] not in found]
            for node in keeping:
                if node.reads[0] in found:
                    found[node] = TensorType(element_type(found[node.reads[0]]), shape_of(node.type))
            if len(open_ones) == len(keeping):  # a circle of wires and delays: nothing ever enters it
                found.update({node: self.precision.tensor(shape_of(node.type)) for node in keeping})
                break
            keeping = open_ones
        return found

    def add(self, block: Block, node: Node, xs: list[SSAValue]) -> SSAValue:
        """Adds the ops of one node and returns what leaves it."""
        op, name = node.op, node.name
        match op:
            case nir.SumOp():
                result: Operation = ntensor.SumOp.create(
                    operands=xs, result_types=[self.precision.tensor(shape_of(op.y))]
                )
            case nir.PopulationOp():
                result = self.neuron(block, op, name, xs[0])
            case nir.SynapseOp():
                result = build.synapse(op, name, xs[0], self.precision)
            case nir.DelayOp():
                result = self.rounded_delay(op, name, xs[0])
            case nir.KeepingOp():
                type = TensorType(element_type(xs[0]), shape_of(op.y))
                result = ntensor.ReshapeOp.create(
                    operands=xs, result_types=[type], properties={"node": StringAttr(name)}
                )
            case _:
                raise TypeError(f"no rule for {op}")
        assert op is not None
        result.location = op.location
        block.add_op(result)
        out = result.results[0]
        out.name_hint = hint(name)
        late = 0
        if isinstance(op, nir.PopulationOp):
            late = self.rules.ticks("neuron_delay") if op.SPIKES else 0
        elif isinstance(op, nir.SynapseOp) and not isinstance(op, nir.ScaleOp):
            late = self.rules.ticks("synapse_delay")
        if not late:
            return out
        delay = self.delay(self.fresh(f"{name}.delay"), out, late, op)
        delay.part_of = StringAttr(name)
        block.add_op(delay)
        return delay.y

    def neuron(self, block: Block, op: nir.PopulationOp, name: str, x: SSAValue) -> ntensor.NeuronOp:
        update = self.update_of(op)
        if late := self.rules.ticks(f"input_delay_{family_of(op)}"):
            delay = self.delay(self.fresh(f"{name}.input"), x, late, op)
            block.add_op(delay)
            x = delay.y
        rule, _ = self.rules.neuron(family_of(op))
        return build.neuron(op, name, x, update, self.tick_ns / 1e9, lambda values: check_bounds(rule, values, name))

    def update_of(self, op: nir.PopulationOp) -> ntensor.UpdateOp:
        """The update of a population: one symbol for each rule, choice of options, and precision."""
        from ...dialects.equations.build import build_update

        family = family_of(op)
        if family not in self.updates:
            rule, _ = self.rules.neuron(family)
            update = build_update(rule, options=chosen(rule, self.rules.chosen(rule)), precision=self.precision.type)
            for other in (*self.updates.values(), *self.module.ops):
                if isinstance(other, ntensor.UpdateOp) and other.sym_name == update.sym_name:
                    if other.is_structurally_equivalent(update):
                        update = other
                        break
                    update.sym_name = StringAttr(update.sym_name.data + "'")
            self.updates[family] = update
        return self.updates[family]

    def delay(self, name: str, x: SSAValue, ticks: int, origin: Operation) -> ntensor.DelayOp:
        delay = ntensor.DelayOp.create(
            operands=[x],
            result_types=[x.type],
            properties={"node": StringAttr(name), "ticks": ArrayAttr.of(np.int64(ticks))},
        )
        delay.location = origin.location
        assert isinstance(delay, ntensor.DelayOp)
        return delay

    def rounded_delay(self, op: nir.DelayOp, name: str, x: SSAValue) -> ntensor.DelayOp:
        ticks = self.ticks_of(op)
        seconds = op.delay.values.astype(np.float64)
        error = float(np.abs(ticks * self.tick_ns / 1e9 - seconds).max(initial=0.0))
        if error > 1e-6 * self.tick_ns / 1e9:
            self.delay_errors[name] = error
            self.diagnostics.remark(
                times.TIM004,
                "a delay is not a whole number of ticks",
                at=f'nir.delay "{name}"',
                node=name,
                expected=f"a multiple of {times.seconds(self.tick_ns)}",
                found=f"{float(seconds.flat[0]):g} s, rounded with an error of up to {error:g} s",
                help="choose a time step that divides the delays, if it matters",
            )
        delay = self.delay(name, x, 0, op)
        delay.ticks = ArrayAttr.of(build.uniform(ticks))
        return delay

    def fresh(self, name: str) -> str:
        """A node name that is still free."""
        while name in self.names:
            name += "'"
        self.names.add(name)
        return name

    # ---- what was approximated

    def remark_fallbacks(self) -> None:
        missing: dict[str, list[str]] = {}
        for node in self.flat.nodes:
            if isinstance(node.op, nir.PopulationOp) and self.rules.neuron(family_of(node.op))[1]:
                missing.setdefault(family_of(node.op), []).append(node.name)
        for family, nodes in missing.items():
            presets.remark_fallback(family, nodes, self.rules, self.diagnostics)

    def record(self, network: ntensor.NetworkOp) -> None:
        text = pass_text(self.step)
        populations = [node.name for node in self.flat.nodes if node.is_population]
        if populations:
            used = ", ".join(sorted({f"@{update.sym_name.data}" for update in self.updates.values()}))
            what = f"discretised to ticks of {times.seconds(self.tick_ns)} by {used}"
            network.record(ntensor.ApproximationAttr.of(text, what, populations, unit="none"))
        if self.delayed:
            edges = ", ".join(loops.edge_name(edge) for edge in self.delayed)
            what = f"one tick on each of {edges}"
            network.record(
                ntensor.ApproximationAttr.of(text, what, [called(edge[0]) for edge in self.delayed], unit="none")
            )
        rounding = self.precision.rounding
        if rounding.touched:
            what = f"parameters rounded to {self.step.precision}"
            network.record(ntensor.ApproximationAttr.of(text, what, rounding.touched, rounding.largest, rounding.mean))
        if self.delay_errors:
            errors = list(self.delay_errors.values())
            what = "delays rounded to ticks"
            network.record(
                ntensor.ApproximationAttr.of(text, what, self.delay_errors, max(errors), sum(errors) / len(errors), "s")
            )


def called(node: Node) -> str:
    """The name of a node; a sum is called by the node that it leads to."""
    while not node.name and node.readers:
        node = node.readers[0][0]
    return node.name


def hint(name: str) -> str | None:
    """A node name as the name of an SSA value, where that is legal; cosmetics."""
    text = re.sub(r"[^A-Za-z0-9_$.-]", "_", name)
    return f"n{text}" if text[:1].isdigit() else text or None
