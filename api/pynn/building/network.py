"""A network of PyNN as an `ntensor.network`: the equations of its cells, and synapses with delays in ticks.

    Population(IF_curr_exp)  =>  ntensor.neuron "exc" @if_curr_exp(%x)
    Projection               =>  ntensor.delay "exc→inh.delay" %exc, ntensor.sparse_linear "exc→inh" %delayed
    SpikeSourceArray         =>  an input of the network

1. A population whose receptors have the same time constant has one current, the sum of both receptors; another one has an input for
   each receptor (`neurons.neuron`).
2. Potentials are relative to v_rest.
3. Row n of an input holds the spikes at n ticks, and row n of an output those at n + 1 ticks: a neuron spikes at the end of a tick. A delay of k
   ticks to `IF_curr_delta` is therefore k ticks after a neuron and k - 1 ticks after an input; to other cells, one tick more, since their
   equations add weights at the begin of a tick.
4. Equal delays are one delay of all spikes. Weights are a matrix if at least a quarter of all pairs is connected by one synapse, else a list.

Errors: NEU006 parameters out of range; those of verification.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, field
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, TensorType, f64, i1
from xdsl.ir import Attribute, Block, Region, SSAValue

from ....core.arrays.arrays import ArrayAttr, uniform
from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.ir.graph_region import Signature, names
from ....core.ir.operation import shape_of
from ....core.names import PrimedNames
from ....core.neuron.neuron import check_bounds, parse_neurons
from ....core.neuron.tree import Neuron
from ....dialects import ntensor
from ....dialects.equations.build import build_update
from ....simulation.update import derive, initial
from ..models.synapses import refuse_rule
from .learning import DelayGroup, Learnt, Rules, delay_groups, pair_rule
from .records import RECEPTORS, Cells, Matrix, Net, Synapses

MATRIX_SHARE = 0.25
"""Least share of connected pairs of a projection that is stored as a matrix."""
COUNT_BITS = 8
"""Bits of the number of spikes of a source in a tick."""
NIR_FAMILIES = {"if_curr_exp": "cuba_lif", "if_curr_delta": "lif"}
RELATIVE = ("v_thresh", "v_reset", "v_spike", "e_rev_E", "e_rev_I", "e_rev_sfa", "e_rev_rr")
REST = "v_rest"
EQUATION_FILES = ("neurons", "conductances", "ionic")


@cache
def pynn_neurons() -> Mapping[str, Neuron]:
    """Returns the neurons of the back end by name."""
    paths = [Path(__file__).with_name(f"{name}.neuron") for name in EQUATION_FILES]
    return {neuron.name: neuron for path in paths for neuron in parse_neurons(path.read_text(), str(path)).neurons}


def neuron_name(cells: Cells) -> str:
    """Returns the name of the equations of a population."""
    name = cells.model.lower()
    if cells.has_current and f"{name}_injected" in pynn_neurons():
        return f"{name}_injected"
    if cells.model == "IF_curr_exp" and (cells.parameters["tau_syn_E"] != cells.parameters["tau_syn_I"]).any():
        return f"{name}_receptors"
    return name


def cell_parameters(cells: Cells) -> dict[str, Reals]:
    """Returns the parameters of the equations: potentials relative to v_rest, and one number where all neurons have the same."""
    rest = cells.parameters.get(REST)
    start = {f"{name}_init": values for name, values in cells.initial.items()}
    found = dict(cells.parameters) | start
    if rest is not None:
        found |= {name: found[name] - rest for name in ("v_init", *RELATIVE) if name in found}
    return {name: uniform(values) for name, values in found.items()}


@define(eq=False)
class Builder:
    """A network while it is built."""

    net: Net
    has_pairs: bool = False
    """Whether synapses that learn have the pair rule of chips, `#nir.stdp`, instead of the rule of the script."""
    module: ModuleOp = field(init=False, factory=lambda: ModuleOp([]))
    rules: Rules = field(init=False)
    learnt: list[Learnt] = field(init=False, factory=list[Learnt])
    """The places of the weights that may change."""
    updates: dict[str, ntensor.UpdateOp] = field(init=False, factory=dict[str, ntensor.UpdateOp])
    signals: dict[str, SSAValue] = field(init=False, factory=dict[str, SSAValue])
    names: PrimedNames = field(init=False, factory=PrimedNames)
    """The names of the nodes."""

    def build(self) -> ModuleOp:
        net = self.net
        self.rules = Rules(net.tick_ms / 1000)
        outputs = net.output_names
        self.names.taken |= {one.label for one in (*net.cells, *net.sources)} | {*outputs.values()}
        spikes = [TensorType(i1, [one.size]) for one in net.cells]
        placeholders = Block(arg_types=spikes)
        counts = ntensor.CountType(COUNT_BITS)
        injected = [one for one in net.cells if one.has_current]
        sources = [TensorType(counts if one.has_counts else i1, [one.size]) for one in net.sources]
        block = Block(arg_types=[*sources, *(TensorType(f64, [one.size]) for one in injected)])
        inputs = [*(one.label for one in net.sources), *(one.current for one in injected)]
        self.names.taken |= {*inputs}
        self.signals |= dict(zip(inputs, block.args, strict=True))
        self.signals |= {one.label: arg for one, arg in zip(net.cells, placeholders.args, strict=True)}
        incoming: dict[tuple[str, str], list[SSAValue]] = {}
        for projection in net.projections:
            sums = incoming.setdefault((projection.target, projection.receptor), [])
            sums += self.projection(block, projection)
        for cells, arg in zip(net.cells, placeholders.args, strict=True):
            z = self.population(block, cells, {name: incoming.get((cells.label, name), []) for name in RECEPTORS})
            arg.replace_all_uses_with(z)
            self.signals[cells.label] = z
        values = [self.signals[label] for label in net.outputs]
        block.add_op(ntensor.OutputOp(*values))
        types = FunctionType.from_lists([arg.type for arg in block.args], [value.type for value in values])
        signature = Signature(names(inputs), names(outputs.values()), types)
        self.module.body.block.add_ops([*self.updates.values(), *self.rules.ops.values()])
        self.module.body.block.add_op(ntensor.NetworkOp(net.name, signature, net.tick_ns, Region(block)))
        self.module.verify()
        return self.module

    # ---- synapses

    def projection(self, block: Block, given: Synapses | Matrix) -> list[SSAValue]:
        """Adds the synapses of a projection and returns the sums that reach its target. Errors: PYN006 a rule that chips lack."""
        late = self.later(given.source, given.target)
        ticks = self.net.ticks_of(np.asarray(given.delay))
        target = next(one for one in self.net.cells if one.label == given.target)
        result = TensorType(f64, [target.size])
        if isinstance(given, Synapses) and given.rule is not None and not self.has_pairs:
            groups = delay_groups(given, ticks, late, has_steps=target.has_steps)
            return [self.learning(block, result, given, group) for group in groups]
        name, common = self.names.take(given.label), int(ticks.min()) + late if ticks.size else 1
        x = self.delayed(block, name, given.source, common)
        if isinstance(given, Matrix):
            return [self.add(block, ntensor.LinearOp, name, x, result, {"weight": given.weight})]
        return [self.synapses(block, name, x, result, given, ticks + late - common)]

    def delayed(self, block: Block, name: str, source: str, ticks: int) -> SSAValue:
        """Returns the spikes of a population or source after a number of ticks."""
        x = self.signals[source]
        if not ticks:
            return x
        delay = ntensor.DelayOp(self.names.take(f"{name}.delay"), x, ticks)
        block.add_op(delay)
        return delay.y

    def learning(self, block: Block, result: TensorType[Attribute], given: Synapses, group: DelayGroup) -> SSAValue:
        """Adds synapses with a rule, as a list with their delays."""
        assert given.rule is not None
        name = self.names.take(given.label)
        x = self.delayed(block, name, given.source, group.before)
        place = group.place[np.lexsort((group.own, given.post[group.place], given.pre[group.place]))]
        own = np.zeros(len(given.pre), np.int64)
        own[group.place] = group.own
        arrays: dict[str, AnyArray] = {
            "weight": np.asarray(given.weight, np.float64)[place],
            "source": given.pre[place].astype(np.int32),
            "target": given.post[place].astype(np.int32),
        }
        if own.any():
            arrays["delay"] = own[place]
        properties: dict[str, Attribute] = {key: ArrayAttr.of(array) for key, array in arrays.items()}
        properties["plasticity"] = self.rules.learning(given.rule, group.lead, name)
        self.learnt.append(Learnt(name, given.owner, given.number[place]))
        return self.add(block, ntensor.SparseLinearOp, name, x, result, properties)

    def synapses(
        self, block: Block, name: str, x: SSAValue, result: TensorType[Attribute], given: Synapses, ticks: Ints
    ) -> SSAValue:
        order = np.lexsort((ticks, given.post, given.pre))
        pre, post, ticks = given.pre[order], given.post[order], ticks[order]
        weight = np.asarray(given.weight, np.float64)[order]
        sizes = shape_of(result)[0], shape_of(x)[0]
        pairs = pre * sizes[0] + post
        is_simple = not ticks.any() and bool((pairs[1:] != pairs[:-1]).all())
        is_full = len(pairs) == sizes[0] * sizes[1]
        properties: dict[str, Attribute] = {}
        if given.rule is not None:
            pairs_of_chips = pair_rule(given.rule)
            if pairs_of_chips is None:
                refuse_rule(f"the rule of {name}", "SpikePairRule with AdditiveWeightDependence, the rule of chips")
            properties["plasticity"] = pairs_of_chips
        if is_simple and (is_full or (given.rule is None and len(pairs) >= MATRIX_SHARE * sizes[0] * sizes[1])):
            matrix = np.zeros(sizes)
            matrix[post, pre] = weight
            return self.add(block, ntensor.LinearOp, name, x, result, properties | {"weight": ArrayAttr.of(matrix)})
        arrays: dict[str, AnyArray] = {
            "weight": weight,
            "source": pre.astype(np.int32),
            "target": post.astype(np.int32),
        }
        if ticks.any():
            arrays["delay"] = ticks
        properties |= {key: ArrayAttr.of(array) for key, array in arrays.items()}
        return self.add(block, ntensor.SparseLinearOp, name, x, result, properties)

    def later(self, source: str, target: str) -> int:
        """Returns the ticks by which the delay in the network differs from that of PyNN (3)."""
        is_input = any(one.label == source for one in self.net.sources)
        is_step = any(one.label == target and one.has_steps for one in self.net.cells)
        return (0 if is_input else 1) - (1 if is_step else 0)

    def add(
        self, block: Block, kind: Any, name: str, x: SSAValue, result: Attribute, properties: dict[str, Attribute]
    ) -> SSAValue:
        made = kind.create(operands=[x], result_types=[result], properties={"node": StringAttr(name), **properties})
        block.add_op(made)
        return made.results[0]

    # ---- populations

    def population(self, block: Block, cells: Cells, incoming: Mapping[str, list[SSAValue]]) -> SSAValue:
        name = neuron_name(cells)
        if name not in self.updates:
            self.updates[name] = build_update(pynn_neurons()[name], options={}, precision=f64)
        update, shape = self.updates[name], [cells.size]
        values = cell_parameters(cells)
        check_bounds(pynn_neurons()[name], values, cells.label)
        raw = {one.data: values[one.data] for one in update.raw}
        derived = derive(update, self.net.tick_ms / 1000, raw, cells.label)
        params = {key: uniform(np.asarray(derived[key])) for key in update.param_types}
        states = initial(update, params)
        groups = [incoming[receptor] for receptor in RECEPTORS]
        count = len(update.operand_names)
        separate = groups if count > 1 else [[one for group in groups for one in group]]
        if count > len(RECEPTORS):
            separate.append([self.signals[cells.current]] if cells.has_current else [])
        xs = [self.total(block, cells, group, number) for number, group in enumerate(separate)]
        neuron = ntensor.NeuronOp(
            cells.label,
            update.sym_name.data,
            xs,
            TensorType(ntensor.emission_type(update), shape),
            params=ntensor.array_dictionary(params),
            initial=ntensor.array_dictionary(
                {one.data: uniform(np.asarray(states[one.data])) for one in update.states}
            ),
            family=NIR_FAMILIES.get(name),
            canonical=ntensor.array_dictionary(
                {one.data: uniform(np.asarray(derived[one.data])) for one in update.canonical}
            )
            if name in NIR_FAMILIES
            else None,
        )
        block.add_op(neuron)
        return neuron.z

    def total(self, block: Block, cells: Cells, sums: Sequence[SSAValue], number: int) -> SSAValue:
        """Returns the sum of what reaches a receptor; without synapses, that of a projection without any."""
        result = TensorType(f64, [cells.size])
        if not sums:
            delay = ntensor.DelayOp(
                self.names.take(f"{cells.label}.silent{number}.delay"), self.signals[cells.label], 1
            )
            block.add_op(delay)
            name, none = self.names.take(f"{cells.label}.silent{number}"), np.zeros(0, np.int32)
            silent = ntensor.SparseLinearOp.of(name, delay.y, result, np.zeros(0), none, none)
            block.add_op(silent)
            return silent.y
        if len(sums) == 1:
            return sums[0]
        total = ntensor.SumOp.create(operands=list(sums), result_types=[result])
        block.add_op(total)
        return total.results[0]
