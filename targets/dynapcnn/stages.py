"""The layers of a network: the ops with synapses and the neurons of each population, and the events that reach them, from the inputs to the outputs.

Errors: CHI014 a graph that layers cannot compute; CHI015 an op that no layer computes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from attrs import evolve, frozen
from xdsl.ir import Operation, SSAValue

from ...core.ir.operation import shape_of
from ...dialects import ntensor
from ...dialects.chip_base.parts import CHI014, CHI015
from ..network_conversion import refuse_layers


@frozen(eq=False)
class Reach:
    """A path from the events of a population, or of an input, to a layer."""

    source: SSAValue
    pools: tuple[ntensor.SumPool2dOp, ...] = ()
    """The sum pools on the path, from the source on."""


Synapse = ntensor.Conv2dOp | ntensor.Conv1dOp | ntensor.LinearOp | ntensor.SumPool2dOp


@frozen(eq=False)
class LayerInput:
    """An op with synapses of a layer, and the events that it reads."""

    op: Synapse
    reaches: tuple[Reach, ...]


@frozen(eq=False)
class LayerOps:
    """The ops of a layer."""

    neuron: ntensor.NeuronOp
    inputs: tuple[LayerInput, ...]

    @property
    def name(self) -> str:
        return self.neuron.node.data

    @property
    def reaches(self) -> Iterator[Reach]:
        for one in self.inputs:
            yield from one.reaches


def layers_of(network: ntensor.NetworkOp) -> list[LayerOps]:
    """Returns the layers of a network in topological order. Errors: CHI014, CHI015."""
    waiting = {op.z: layer_of(op) for op in network.populations}
    if not waiting:
        advice = "put a population of integrate-and-fire neurons after the weights"
        refuse_layers(
            network,
            CHI014,
            "the network has no population",
            expected="at least one",
            found="none",
            advice=advice,
        )
    found: list[LayerOps] = []
    done: set[SSAValue] = set()
    while waiting:
        ready = [z for z, layer in waiting.items() if all(one.source not in waiting for one in layer.reaches)]
        if not ready:
            refuse_layers(
                next(iter(waiting.values())).neuron,
                CHI014,
                "populations read each other in a cycle",
                expected="a network without cycles",
                found=", ".join(layer.name for layer in waiting.values()),
                advice="remove the recurrent synapses: a recurrent network needs another target",
            )
        for z in ready:
            found.append(waiting.pop(z))
            done.add(z)
    return found


def layer_of(neuron: ntensor.NeuronOp) -> LayerOps:
    """Returns the layer of a population. Errors: CHI014, CHI015."""
    inputs = tuple(layer_input(op) for op in synapses_before(neuron))
    sources = [one.source for part in inputs for one in part.reaches]
    if len(set(sources)) < len(sources):
        refuse_layers(
            inputs[0].op,
            CHI014,
            "a layer reads the events of one population twice",
            expected="one path from each population to a layer",
            found=f"{len(sources)} paths",
            advice="double the weights instead of the events",
        )
    return LayerOps(neuron, inputs)


def synapses_before(neuron: ntensor.NeuronOp) -> Iterator[Synapse]:
    """Yields the ops with synapses whose results a population adds. Errors: CHI015."""
    waiting = [neuron.xs[0]]
    while waiting:
        op = past_reshapes(waiting.pop(0)).owner
        if isinstance(op, ntensor.SumOp):
            waiting[:0] = op.xs
        elif isinstance(op, Synapse):
            yield op
        else:
            refuse_unlayered(op if isinstance(op, Operation) else neuron)


def layer_input(op: Synapse) -> LayerInput:
    """Returns an op with synapses and its events. Errors: CHI015."""
    if isinstance(op, ntensor.LinearOp) and (len(op.weight.shape) != 2 or len(shape_of(op.x)) != 1):
        refuse_unlayered(op)
    return LayerInput(op, tuple(reaches(op.x)))


def reaches(value: SSAValue) -> Iterator[Reach]:
    """Yields the paths to a value from populations and inputs. Errors: CHI015."""
    op = value.owner
    match op:
        case ntensor.ReshapeOp():
            yield from reaches(op.x)
        case ntensor.DelayOp() if not op.ticks.values.any():
            yield from reaches(op.x)
        case ntensor.SumPool2dOp():
            for one in reaches(op.x):
                yield evolve(one, pools=(*one.pools, op))
        case ntensor.SumOp():
            for x in op.xs:
                yield from reaches(x)
        case ntensor.NeuronOp():
            yield Reach(value)
        case Operation():
            refuse_unlayered(op)
        case _:
            yield Reach(value)


def past_reshapes(value: SSAValue) -> SSAValue:
    """Returns the value before reshapes and delays of no ticks."""
    while isinstance(op := value.owner, ntensor.ReshapeOp | ntensor.DelayOp):
        if isinstance(op, ntensor.DelayOp) and op.ticks.values.any():
            break
        value = op.x
    return value


def refuse_unlayered(op: Operation) -> NoReturn:
    """Refuses an op outside of a layer. Errors: CHI015."""
    if isinstance(op, ntensor.DelayOp):
        refuse_layers(
            op,
            CHI015,
            "no layer delays events",
            expected="no delay: events are processed as they arrive",
            found=f"up to {op.ticks.values.max()} ticks",
            advice="remove the delay",
        )
    expected = "linear, conv1d, conv2d, sum_pool2d, and the neuron of the device"
    message, advice = (
        f"no layer computes {op.name} here",
        "write it as a linear or convolution, and put a population after it",
    )
    refuse_layers(op, CHI015, message, expected=expected, found=op.name, advice=advice)
