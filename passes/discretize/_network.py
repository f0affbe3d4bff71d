"""One `nir.graph` as one `ntensor.network`: delays where loops and switches ask for them, ops in an order of execution, and the record
of what was approximated.

    nir.graph @net …  =>  ntensor.update @norse_lif.value …   one for each rule, choice of options, and precision
                          ntensor.network @net …

A node keeps its name. A delay that a switch puts after a node is `part_of` it, so that the output of the node is that of the delay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from attrs import define, field
from numpy.typing import NDArray
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis import loop_delays as loops
from ...analysis import presets
from ...analysis import rate_windows as rates
from ...analysis import sum_order as sums
from ...analysis import time_constants as times
from ...analysis.discretisation_conflicts import ANA008, reads_rates, verify_discrete_form
from ...analysis.flat_graph import Flat, Node
from ...analysis.rate_windows import RateWindow
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.diagnostics import Diagnostics, refuse
from ...core.help_text import Phrase, option
from ...core.ir.graph_region import Signature, components
from ...core.ir.operation import element_type, shape_of, texts_of
from ...core.names import PrimedNames, shared_symbol, symbols_of
from ...core.neuron.neuron import check_bounds, choose_options
from ...dialects import nir, ntensor
from . import _nodes as build
from ._learning import LearnedRules
from .nir_set_transmission import verify_transmission

PAIRS, PAIR_DEFAULTS = "stdp", {"dependence": "additive", "coincidence": "none", "delay": "axonal"}
"""The shipped rule that `#nir.stdp` is, and the options with which it is."""
PAIR_PARAMETERS = {"a_plus", "a_minus", "tau_plus", "tau_minus", "w_min", "w_max"}

UpdateKey = tuple[str, bool, tuple[tuple[str, str], ...]]
"""Family of a population, whether it has a synapse onto itself, and its own options."""


def pairs_of(given: nir.RuleAttr) -> nir.StdpAttr | None:
    """Returns a rule as `#nir.stdp`, which chips have; None for another one."""
    options, values = {**PAIR_DEFAULTS, **given.texts}, given.values
    if given.rule.data != PAIRS or options != PAIR_DEFAULTS or values.keys() != PAIR_PARAMETERS:
        return None
    return nir.StdpAttr.of(**values)


@define(eq=False)
class Conversion:
    """A network on its way from continuous time to ticks."""

    graph: nir.GraphOp
    flat: Flat
    rules: presets.Rules
    tick_ns: int
    precision: build.Precision
    step: str
    """The pass with its options, for the record."""
    help: Phrase
    """The command with a complete choice of options, for refusals."""
    diagnostics: Diagnostics
    rate_window: int | None = None
    """The length of the windows of rates [ticks]; given where a synapse reads rates."""
    updates: dict[UpdateKey, ntensor.UpdateOp] = field(factory=dict[UpdateKey, ntensor.UpdateOp])
    """By family, whether the population has a synapse onto itself, and its own options."""
    recurrent: set[str] = field(factory=set[str])
    """Populations with synapses onto themselves, where the preset has a rule of its own for them."""
    delayed: list[loops.Edge] = field(factory=list[loops.Edge])
    delay_errors: dict[str, NDArray[np.float64]] = field(factory=dict[str, NDArray[np.float64]])
    """Errors of rounding to ticks [s], by node."""
    lateness: dict[nir.SynapseOp, build.Lateness] = field(factory=dict[nir.SynapseOp, build.Lateness])
    """Delays of single synapses, by the op that has them."""
    shortest_ns: float = np.inf
    """Shortest time constant [ns], below which a time step should be."""
    names: PrimedNames = field(factory=PrimedNames)
    counters: list[ntensor.UpdateOp] = field(factory=list[ntensor.UpdateOp])
    """Updates of the windows of rates."""
    learned: LearnedRules = field(init=False)
    """The learning rules of the synapses."""
    windows: dict[SSAValue, RateWindow] = field(factory=dict[SSAValue, RateWindow])
    """The windows of rates, by the signals that they count."""

    def run(self, module: ModuleOp, at: Sequence[str]) -> None:
        """Puts the network, and the updates that it needs, into the place of the graph; `at` are the edges that shall wait."""
        self.names = PrimedNames([*(node.name for node in self.flat.all()), *texts_of(self.graph.output_names)])
        ops, is_repaired = (node.op for node in self.flat.nodes), bool(self.graph.repairs)
        times.check_times(ops, self.tick_ns, self.diagnostics, self.flat.names, is_repaired=is_repaired)
        self.shortest_ns = times.shortest_of(self.flat.populations, np.inf)
        self.delayed = loops.delayed_edges(self.flat, self.waits, self.rules, at, self.diagnostics, self.help)
        self.remark_fallbacks()
        if any(name.startswith(presets.RECURRENT) for name in self.rules.switches):
            self.recurrent = {node.name for node in self.flat.nodes if hears_itself(node)}
        for node in self.flat.nodes:
            if isinstance(node.op, nir.PopulationOp):
                self.add_update(node.op, node.name, module)
        self.learned = LearnedRules(module, self.tick_ns / 1e9, self.precision.type)
        network = self.network(module)
        sums.order_sums(network.body.block)
        self.record(network)
        point = InsertPoint.before(self.graph)
        for update in (*self.updates.values(), *self.counters, *self.learned.rules):
            if update.parent is None:
                Rewriter.insert_op(update, point)
        Rewriter.insert_op(network, point)
        Rewriter.erase_op(self.graph)

    # ---- ticks

    def waits(self, node: Node) -> bool:
        """Returns whether the output of a node is independent of its input in the same tick."""
        op = node.op
        match op:
            case nir.DelayOp():
                return bool((times.ticks_of(op, op.delay.values, node.name, self.tick_ns) >= 1).all())
            case nir.PopulationOp():
                return self.ticks_behind(op) > 0 or self.rules.ticks(f"input_delay_{presets.family_of(op)}") > 0
            case nir.SynapseOp():
                is_late = op.delays is not None and self.late(op, node.name).common > 0
                return reads_rates(op) or is_late or self.ticks_behind(op) > 0
            case _:
                return False

    def ticks_behind(self, op: Operation | None) -> int:
        """Returns the ticks of delay that the preset's switches add after a node."""
        if isinstance(op, nir.PopulationOp) and op.is_spiking:
            return self.rules.ticks(f"neuron_delay_{presets.family_of(op)}", self.rules.ticks("neuron_delay"))
        if isinstance(op, nir.SynapseOp) and not isinstance(op, nir.ScaleOp):
            return self.rules.ticks("synapse_delay")
        return 0

    def late(self, op: nir.SynapseOp, name: str) -> build.Lateness:
        """Returns the delays of single synapses, in ticks."""
        if op not in self.lateness:
            self.lateness[op] = build.lateness(op, name, self.tick_ns)
        return self.lateness[op]

    # ---- building

    def network(self, module: ModuleOp) -> ntensor.NetworkOp:
        types = self.types()
        stand_in = Block(arg_types=[types[node] for node in self.flat.all()])
        """One argument for every node, to be replaced by what really leaves it; so ops can be built in any order."""
        value: dict[Node, SSAValue] = dict(zip(self.flat.all(), stand_in.args, strict=True))
        block = Block(arg_types=[types[node] for node in self.flat.inputs])
        for arg, node in zip(block.args, self.flat.inputs, strict=True):
            arg.name_hint = hint(node.name)
        leaving: dict[Node, SSAValue] = dict(zip(self.flat.inputs, block.args, strict=True))
        late = {(node, k) for _, node, k in self.delayed}
        waiting: dict[Node, SSAValue] = {}
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
                    if (node, k) in late and source not in waiting:
                        origin = source.op or node.op
                        waiting[source] = self.delay(block, f"{source.label}.delay", value[source], 1, origin)
                    xs.append(waiting[source] if (node, k) in late else value[source])
                if isinstance(node.op, nir.SynapseOp):
                    verify_discrete_form(node.op, node.name)
                    verify_transmission(node.op, node.name)
                    if reads_rates(node.op):
                        xs = [self.rates(block, node.op, node, xs[0], module)]
                leaving[node] = self.add(block, node, xs)
        for node, arg in value.items():
            arg.replace_all_uses_with(leaving[node])
        outputs = [leaving[node] for node in self.flat.outputs]
        if late_outputs := self.rules.ticks("output_delay"):
            for k, name in enumerate(self.graph.output_names):
                outputs[k] = self.delay(block, f"{name.data}.delay", outputs[k], late_outputs, self.graph)
        block.add_op(ntensor.OutputOp(*outputs))
        type = FunctionType.from_lists([arg.type for arg in block.args], [output.type for output in outputs])
        signature = Signature(self.graph.input_names, self.graph.output_names, type)
        network = ntensor.NetworkOp(self.graph.sym_name.data, signature, self.tick_ns, Region(block))
        return network

    def types(self) -> dict[Node, Attribute]:
        """The output of each node."""
        found: dict[Node, Attribute] = {}
        keeping: list[Node] = []
        for node in self.flat.all():
            if isinstance(node.op, nir.PopulationOp):
                update = self.updates[self.kind(node.op, node.name)]
                found[node] = TensorType(ntensor.emission_type(update), shape_of(node.type))
            elif isinstance(node.op, nir.KeepingOp):
                keeping.append(node)
            elif node.op is None and nir.is_spike(element_type(node.type)):
                found[node] = node.type
            else:
                found[node] = self.precision.tensor(shape_of(node.type))
        while keeping:
            known = [node for node in keeping if node.reads[0] in found]
            for node in known:
                found[node] = TensorType(element_type(found[node.reads[0]]), shape_of(node.type))
            keeping = [node for node in keeping if node not in found]
            if not known:  # a circle of nodes that keep what they read: nothing ever enters it
                found.update({node: self.precision.tensor(shape_of(node.type)) for node in keeping})
                break
        return found

    def add(self, block: Block, node: Node, xs: list[SSAValue]) -> SSAValue:
        """Adds the ops of a node to the network and returns the node's result."""
        op, name = node.op, node.name
        match op:
            case nir.SumOp():
                type = self.precision.tensor(shape_of(op.y))
                result: Operation = ntensor.SumOp.create(operands=xs, result_types=[type])
            case nir.PopulationOp():
                result = self.neuron(block, op, name, xs[0])
            case nir.SynapseOp():
                result = self.synapse(block, op, name, xs[0])
            case nir.DelayOp():
                result = self.rounded_delay(op, name, xs[0])
            case nir.MaxPool2dOp():
                type = TensorType(element_type(xs[0]), shape_of(op.y))
                properties = {"node": StringAttr(name), **build.pool_properties(op)}
                result = ntensor.MaxPool2dOp.create(operands=xs, result_types=[type], properties=properties)
            case nir.KeepingOp():
                type = TensorType(element_type(xs[0]), shape_of(op.y))
                properties = {"node": StringAttr(name)}
                result = ntensor.ReshapeOp.create(operands=xs, result_types=[type], properties=properties)
            case _:
                raise TypeError(f"no rule for {op}")
        assert op is not None
        result.location = op.location
        block.add_op(result)
        out = result.results[0]
        out.name_hint = hint(name)
        ticks = self.ticks_behind(op)
        return self.delay(block, f"{name}.delay", out, ticks, op, part_of=name) if ticks else out

    def synapse(self, block: Block, op: nir.SynapseOp, name: str, x: SSAValue) -> Operation:
        """Returns a synapse op. The common delay of its synapses is a delay before it, which can break a loop."""
        if op.delays is None:
            made = build.synapse(op, name, x, self.precision)
            self.learn(op, made, name)
            return made
        late = self.late(op, name)
        self.check_delay(op, late.seconds, name, late.ticks)
        if late.common:
            x = self.delay(block, f"{name}.delay", x, late.common, op)
        dense = build.synapse(op, name, x, self.precision)
        self.learn(op, dense, name)
        return build.split_late_synapses(dense, late) if late.differs else dense

    def learn(self, op: nir.SynapseOp, made: Operation, name: str) -> None:
        """Sets the rule of a synapse op, and adds the rule to those of the network. The rule stdp with its default options is `#nir.stdp`. Errors: those of `choose_rule`."""
        if isinstance(op.plasticity, nir.RuleAttr):
            count, pairs = len(self.learned.rules), pairs_of(op.plasticity)
            made.properties["plasticity"] = self.learned.add(op.plasticity, op, name)
            if pairs is not None:  # the checks of the rule hold for its parameters
                del self.learned.rules[count:]
                made.properties["plasticity"] = pairs

    def neuron(self, block: Block, op: nir.PopulationOp, name: str, x: SSAValue) -> ntensor.NeuronOp:
        family = presets.family_of(op)
        if ticks := self.rules.ticks(f"input_delay_{family}"):
            x = self.delay(block, f"{name}.input", x, ticks, op)
        rule, _ = self.rules.neuron(family)
        update, dt = self.updates[self.kind(op, name)], self.tick_ns / 1e9
        return build.neuron(op, name, x, update, dt, self.precision, lambda values: check_bounds(rule, values, name))

    def kind(self, op: nir.PopulationOp, name: str) -> UpdateKey:
        """Returns the key of a population's update: its family, whether it is recurrent, and the options of this node."""
        return presets.family_of(op), name in self.recurrent, tuple(sorted(self.rules.at.get(name, {}).items()))

    def add_update(self, op: nir.PopulationOp, node: str, module: ModuleOp) -> None:
        """Stores the update of a population: an equal update of the module if there is one, else a new update."""
        from ...dialects.equations.build import build_update

        family, is_recurrent, _ = kind = self.kind(op, node)
        if kind not in self.updates:
            rule, _ = self.rules.neuron(family)
            options = choose_options(rule, self.rules.chosen(rule, is_recurrent, node))
            update = build_update(rule, options=options, precision=self.precision.type)
            self.updates[kind] = self.known_update(update, module)

    def known_update(self, update: ntensor.UpdateOp, module: ModuleOp) -> ntensor.UpdateOp:
        """Returns an equal update of the module, else the given update under an unused name."""
        known = symbols_of(module)
        known |= {other.sym_name.data: other for other in (*self.updates.values(), *self.counters)}
        name = shared_symbol(update, known)
        if isinstance(equal := known.get(name), ntensor.UpdateOp):
            return equal
        update.sym_name = StringAttr(name)
        return update

    def rates(self, block: Block, op: nir.SynapseOp, node: Node, x: SSAValue, module: ModuleOp) -> SSAValue:
        """Returns the mean rates of events; the window that counts them is added for the first reader. Errors: ANA008."""
        ticks, element = self.rate_window, element_type(x)
        assert ticks is not None  # refused before
        if (window := self.windows.get(x)) is None:
            if (bits := rates.count_bits(element, ticks)) > rates.MOST_BITS:
                refuse(
                    ANA008,
                    "the window of rates is too long to count its spikes",
                    at=f'{op.name} "{node.name}"',
                    node=node.name,
                    expected=f"counts of at most {rates.MOST_BITS} bits",
                    found=f"{bits} bits, for {ticks} ticks of {element}",
                    help=Phrase(option("rate-window", "16")),
                )
            update = self.known_update(rates.window_update(element, ticks).clone(), module)
            self.counters.append(update)
            name, own = f"{node.reads[0].label}.rate", self.precision.type
            names = self.names.take(name), self.names.take(f"{name}.delay"), self.names.take(f"{name}.mean")
            window = self.windows[x] = rates.build_window(names, update.sym_name.data, x, ticks, own)
            for name, made in zip(names, window.ops, strict=True):
                made.location = op.location
                made.results[0].name_hint = hint(name)
                block.add_op(made)
        return window.mean.y

    def delay(
        self, block: Block, name: str, x: SSAValue, ticks: int, origin: Operation, part_of: str | None = None
    ) -> SSAValue:
        """Adds a delay and returns its result; if the name is taken, the delay gets a similar unused name."""
        op = delay_op(self.names.take(name), x, np.int64(ticks))
        op.part_of = None if part_of is None else StringAttr(part_of)
        op.location = origin.location
        block.add_op(op)
        return op.y

    def rounded_delay(self, op: nir.DelayOp, name: str, x: SSAValue) -> ntensor.DelayOp:
        ticks = times.ticks_of(op, op.delay.values, name, self.tick_ns)
        self.check_delay(op, op.delay.values, name, ticks)
        return delay_op(name, x, build.uniform(ticks))

    def check_delay(self, op: nir.NodeOp, seconds: AnyArray, name: str, ticks: Ints) -> None:
        """Stores the errors of rounding delays to ticks."""
        errors = times.check_delay(op, seconds, name, ticks, self.tick_ns, self.shortest_ns, self.diagnostics)
        if errors is not None:
            self.delay_errors[name] = errors

    # ---- what was approximated

    def remark_fallbacks(self) -> None:
        missing: dict[str, list[str]] = {}
        for node in self.flat.nodes:
            if isinstance(node.op, nir.PopulationOp) and self.rules.neuron(presets.family_of(node.op))[1]:
                missing.setdefault(presets.family_of(node.op), []).append(node.name)
        for family, nodes in missing.items():
            presets.remark_fallback(family, nodes, self.rules, self.diagnostics)

    def record(self, network: ntensor.NetworkOp) -> None:
        """Stores one approximation record in the network for each kind of approximation."""

        def add(what: str, touched: Iterable[str], *errors: float, unit: str = "none") -> None:
            largest, mean = errors or (None, None)
            network.record(ntensor.ApproximationAttr.of(self.step, what, touched, largest, mean, unit))

        for repair in self.graph.repairs or ():
            changed = [name.data for name in repair.touched]
            network.record(ntensor.ApproximationAttr.of(repair.step.data, repair.what.data, changed, unit="none"))
        if self.updates:
            used = ", ".join(sorted({f"@{update.sym_name.data}" for update in self.updates.values()}))
            what = f"discretised to ticks of {times.seconds(self.tick_ns)} by {used}"
            add(what, [node.name for node in self.flat.nodes if node.is_population])
        if self.delayed:
            edges = ", ".join(loops.edge_name(edge) for edge in self.delayed)
            add(f"one tick on each of {edges}", dict.fromkeys(source.label for source, _, _ in self.delayed))
        if self.windows:
            readers = [node.name for node in self.flat.nodes if reads_rates(node.op)]
            add(f"rates: counts of {self.rate_window} ticks, read in the next {self.rate_window} ticks", readers)
        self.precision.rounding.record(network, self.step, f"parameters rounded to {self.precision.type}")
        if self.delay_errors:
            errors = np.concatenate(list(self.delay_errors.values()))
            found = float(errors.max()), float(errors.mean())
            add("delays rounded to ticks", self.delay_errors, *found, unit="s")


def delay_op(name: str, x: SSAValue, ticks: Ints | np.int64) -> ntensor.DelayOp:
    properties: dict[str, Attribute] = {"node": StringAttr(name), "ticks": ArrayAttr.of(ticks)}
    op = ntensor.DelayOp.create(operands=[x], result_types=[x.type], properties=properties)
    assert isinstance(op, ntensor.DelayOp)
    return op


def hears_itself(node: Node) -> bool:
    """Returns whether a path leads from a population to itself without another population or a Delay on it."""
    if not node.is_population:
        return False
    work, seen = list(node.reads), set[Node]()
    while work:
        source = work.pop()
        if source is node:
            return True
        if source not in seen and not source.is_population and not isinstance(source.op, nir.DelayOp):
            seen.add(source)
            work += source.reads
    return False


def hint(name: str) -> str | None:
    """Returns a node name as the name of an SSA value, where that is legal; cosmetics."""
    text = re.sub(r"[^A-Za-z0-9_$.-]", "_", name)
    text = re.sub(r"(_\d+)+$", "", text)  # the printer counts with such endings; nothing may be left of a name
    return f"n{text}" if text[:1].isdigit() else text or None
