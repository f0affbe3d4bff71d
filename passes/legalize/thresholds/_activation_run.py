"""Activations of the trained network that a network of spikes was converted from: its populations as rectified linear units, for the mean input of each sample.

    a = max(gain x / (threshold - leak), 0)

`x` is the input for the activations of the populations before it, so `a` is the rate in spikes per tick that an integrate-and-fire neuron with unlimited rates has.
A leak, a bound or a reset to a value makes the rates of a population differ from its activations; this is the error of a conversion.

Delays are constant inputs here: the network runs until a constant input has passed through all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import Float32Type, ModuleOp, StringAttr, f32, f64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Code, refuse_op
from ....core.ir.graph_region import components, walk_downstream, walk_upstream
from ....core.ir.operation import element_type
from ....core.neuron.tree import Neuron
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ....simulation.recorded_run import RecordedRun
from ..rates._activations import change_events
from ..relays._relays import NodeNames
from ..updates._canonical_parameters import canonical_of
from ..updates._population_builder import build_population, read_neuron

LEG190 = Code("LEG190", "population-not-activation", "a population is not an activation of a trained network")

RELU = Path(__file__).with_name("relu.neuron")


def is_rate_coded(op: Operation) -> bool:
    """Returns whether an op is a population that emits spikes at a threshold, and computes in reals."""
    if not isinstance(op, ntensor.NeuronOp) or not ntensor.is_event(element_type(op.z)) or len(op.xs) != 1:
        return False
    canonical = set() if op.canonical is None else set(op.canonical.data)
    return {"threshold", "gain"} <= canonical and isinstance(element_type(op.xs[0]), type(f32) | type(f64))


def slope_of(op: ntensor.NeuronOp) -> Reals:
    """Returns the rate for a constant input of 1 [spikes per tick], without a leak of the potential. Shapes: () or that of the population."""
    canonical = canonical_of(op)
    charge = canonical["gain_i"] / (1 - np.minimum(canonical["decay_i"], 1 - 1e-9))
    return canonical["gain"] * charge / (canonical["threshold"] - canonical.get("leak", 0.0))


def output_ends(network: ntensor.NetworkOp) -> list[SSAValue]:
    """Returns the last values before the outputs whose means over time are those of the trained network: events of populations, and sums that a readout or an output reads."""
    ends = dict[SSAValue, None]()
    for value in network.outputs.values:
        seen = [one.owner for one in walk_upstream([value], lambda op: not isinstance(op, ntensor.NeuronOp))]
        last = [op for op in seen if isinstance(op, ntensor.NeuronOp)]
        own = [op.z if is_rate_coded(op) else op.xs[0] for op in last]
        is_linear = isinstance(value.owner, ntensor.SynapseOpInterface | ntensor.SumOp)
        ends |= dict.fromkeys([value] if is_linear or not own else own)
    return list(ends)


@frozen(eq=False)
class ActivationRun:
    """The trained network, with the values of the network of spikes that its values stand for."""

    network: ntensor.NetworkOp
    values: Mapping[SSAValue, SSAValue]
    """Values of the trained network by those of the network of spikes: results of ops."""

    @staticmethod
    def of(module: ModuleOp, network: ntensor.NetworkOp) -> ActivationRun:
        """Returns the trained network of a network of spikes. Errors: LEG190 a loop, or a population without a threshold before another population."""
        refuse_others(network)
        copy = next(one for one in networks(module.clone()) if one.sym_name == network.sym_name)
        twins = list(zip(network.body.block.ops, copy.body.block.ops, strict=True))
        real = next(
            (element_type(op.xs[0]) for op in copy.populations if isinstance(element_type(op.xs[0]), Float32Type)), f64
        )
        for arg in list(copy.body.block.args):
            change_events(arg, real)
        made: dict[Operation, Operation] = {}
        names, rule = NodeNames(copy), read_neuron(RELU)
        for _, op in twins:
            if is_rate_coded(op):
                assert isinstance(op, ntensor.NeuronOp)  # is_rate_coded
                made[op] = put_relu(op, names, rule)
        found: dict[SSAValue, SSAValue] = {
            value: twin
            for op, other in twins
            for value, twin in zip(op.results, made.get(other, other).results, strict=True)
        }
        return ActivationRun(copy, found)

    def run(self, samples: Mapping[str, AnyArray], wanted: Collection[SSAValue]) -> dict[SSAValue, Reals]:
        """Returns the values that correspond to some of the network of spikes, for the mean input of each sample. Shapes: each [samples, *shape]."""
        ticks = 1 + longest_delay(self.network)
        real = np.float32 if all(element_type(arg) == f32 for arg in self.network.body.block.args) else np.float64
        means = {
            name: np.repeat(x.mean(1, dtype=np.float64).astype(real)[:, None], ticks, axis=1)
            for name, x in samples.items()
        }
        run = RecordedRun.of(self.network, means)
        found = run.values([self.values[value] for value in wanted])
        return {value: found[self.values[value]][:, -1].astype(np.float64) for value in wanted}


def refuse_others(network: ntensor.NetworkOp) -> None:
    """Refuses a network that no trained network without time has. Errors: LEG190."""
    for component in components(list(network.body.block.ops), operand_owners):
        looped = next((op for op in component if isinstance(op, ntensor.NeuronOp)), component[0])
        if len(component) > 1 or looped in operand_owners(looped):
            refuse_activation(looped, "a network without loops", "a loop")
    for op in network.populations:
        if not is_rate_coded(op) and any(map(is_rate_coded, dependents(op))):
            refuse_activation(op, "a population that spikes at a threshold", kind_of(op))


def refuse_activation(op: Operation, expected: str, found: str) -> None:
    refuse_op(op, LEG190, expected=expected, found=found, help=f"nopt explain {LEG190}")


def kind_of(op: ntensor.NeuronOp) -> str:
    return "a population" if op.family is None else f"nir.{op.family.data}"


def dependents(op: Operation) -> Iterator[Operation]:
    """Yields the ops that depend on an op, and the op."""
    for value in walk_downstream(op.results, lambda one: True):
        if isinstance(value.owner, Operation):
            yield value.owner


def put_relu(op: ntensor.NeuronOp, names: NodeNames, rule: Neuron) -> ntensor.NeuronOp:
    """Replaces a population by its activations, and returns them."""
    from ....dialects.equations.build import shared_update

    is_short = isinstance(element_type(op.xs[0]), Float32Type)
    symbol = f"relu{'.f32' if is_short else ''}"
    update = shared_update(rule, options={}, precision=f32 if is_short else f64, symbol=symbol)
    new = build_population(names, op.node.data, update, op.xs[0], {"slope": slope_of(op)}, rule)
    new.node = StringAttr(op.node.data)
    change_events(op.z, element_type(new.z))
    Rewriter.insert_op(new, InsertPoint.before(op))
    op.z.replace_all_uses_with(new.z)
    Rewriter.erase_op(op)
    return new


def longest_delay(network: ntensor.NetworkOp) -> int:
    """Returns the largest sum of delays on a path of a network without loops [ticks]."""
    late: dict[Operation, int] = {}
    for (op,) in components(list(network.body.block.ops), operand_owners):
        own = op.ticks if isinstance(op, ntensor.DelayOp) else None
        if isinstance(op, ntensor.SynapseOpInterface):
            own = op.delays
        late[op] = max((late[one] for one in operand_owners(op)), default=0)
        late[op] += 0 if own is None else int(own.values.max(initial=0))
    return max(late.values(), default=0)


def operand_owners(op: Operation) -> list[Operation]:
    return [x.owner for x in op.operands if isinstance(x.owner, Operation)]
