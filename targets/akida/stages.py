"""The layers of a network: the synapses, the pool and the neuron of each, from the input to the output."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any, NoReturn

from attrs import define, field
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from ...core.device.limits import OTHER_DEVICE
from ...core.diagnostics import describe_op, refuse_op
from ...core.help_text import Passes, Phrase
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import option_text
from ...dialects import ntensor
from ...dialects.chip_base.parts import CHI014, CHI015
from ...passes.pipelines import CHAIN_LAYERS, ENCODE_RATES, EXPAND_SYNAPSES
from ..network_conversion import refuse_layers

CHAIN = "make the network a chain: one layer after the other"
ACTIVATE = "put a population with the neuron of the device between both"
MOST_MATRIX = 2**20
"""Weights of a matrix that replaces a pool and the synapses after it; a larger one has a layer for the pool."""
POOLS = Phrase(Passes("ntensor-lower-pools{kernel=3 dense}"))


@define(eq=False)
class LayerOps:
    """The ops of one layer, in their order."""

    synapses: list[ntensor.SynapseOpInterface] = field(factory=list[ntensor.SynapseOpInterface])
    pool: Operation | None = None
    neuron: ntensor.NeuronOp | None = None
    is_pooled_last: bool = False
    """Whether the pool reads the counts of the neurons. They grow with the potentials, so the chip pools these."""

    @property
    def first(self) -> ntensor.SynapseOpInterface:
        return self.synapses[0]

    @property
    def result(self) -> SSAValue:
        """Returns the value of the layer."""
        return self.last.results[0]

    @property
    def last(self) -> Operation:
        """Returns the op that has the values of the layer."""
        if self.is_pooled_last and self.pool is not None:
            return self.pool
        return self.neuron or self.pool or self.synapses[-1]

    @property
    def source(self) -> str:
        """Returns the node of the network that has the values of the layer."""
        name = self.last.properties["node"]
        assert isinstance(name, StringAttr)  # the definition of these ops
        return name.data


def stages_of(network: ntensor.NetworkOp, *, joins_points: bool) -> list[LayerOps]:
    """Returns the layers from the input to the output. `joins_points`: whether separable layers exist. Errors: CHI014, CHI015, CHI013."""
    found: list[LayerOps] = []
    value: SSAValue = network.body.block.args[0]
    while not is_output(value):
        op = only_reader(network, value)
        value = op.results[0]
        match op:
            case ntensor.ReshapeOp():
                continue
            case ntensor.DelayOp() if not op.ticks.values.any():
                continue
            case ntensor.SynapseOpInterface() if is_pool_of(found, op):
                found[-1].pool = op
            case ntensor.SynapseOpInterface():
                if (
                    joins_points
                    and found
                    and found[-1].neuron is None
                    and found[-1].pool is None
                    and is_points(found[-1], op)
                ):
                    found[-1].synapses.append(op)
                else:
                    found.append(LayerOps([op]))
            case ntensor.MaxPool2dOp() if found and found[-1].neuron is None and found[-1].pool is None:
                found[-1].pool = op
            case ntensor.MaxPool2dOp() if found and found[-1].neuron is not None and found[-1].pool is None:
                found[-1].pool, found[-1].is_pooled_last = op, True
            case ntensor.NeuronOp() if found and found[-1].neuron is None:
                found[-1].neuron = op
            case _:
                refuse_unlayered(op)
    for stage, after in pairwise(found):
        if stage.neuron is None:
            refuse_op(
                after.first,
                CHI014,
                "potentials are the input of another layer",
                expected=f"an activation after {stage.source}",
                found="none",
                **joined_help(stage, after),
            )
    if not found:
        refuse_layers(network, CHI014, expected="at least one layer", found="none", advice="add a layer")
    return found


def joined_help(stage: LayerOps, after: LayerOps) -> dict[str, Any]:
    """Returns the help for two layers without an activation between them: one matrix, or a layer for a pool, whichever is possible and smaller."""
    first, last = stage.first, after.synapses[-1]
    is_small = prod(shape_of(first.x)) * prod(shape_of(last.y)) <= MOST_MATRIX
    if is_small and is_encoded(last):
        return {"help": expand_help(last)}
    if isinstance(first, ntensor.PoolOp):
        return {"help": POOLS}
    return {"help": OTHER_DEVICE, "notes": (ACTIVATE,)}


def is_encoded(op: Operation) -> bool:
    """Returns whether the network of an op was one of spikes, of which passes make other layers."""
    network = op if isinstance(op, ntensor.NetworkOp) else op.parent_op()
    records = network.approximations if isinstance(network, ntensor.NetworkOp) else None
    return any(record.step.data.startswith(f"{ENCODE_RATES}{{") for record in records or ())


def expand_help(op: ntensor.SynapseOpInterface) -> str:
    """Returns the help that makes a matrix of an op, if its network was one of spikes."""
    return Phrase(Passes(f"{EXPAND_SYNAPSES}{{nodes={option_text(op.node.data)}}}")) if is_encoded(op) else OTHER_DEVICE


def chain_help(network: ntensor.NetworkOp) -> Phrase:
    """Returns the pass that makes a chain of layers, for a network with one input and one output."""
    is_possible = len(network.body.block.args) == len(network.outputs.values) == 1
    return Phrase(Passes(CHAIN_LAYERS)) if is_possible and is_encoded(network) else OTHER_DEVICE


def is_pool_of(found: list[LayerOps], op: ntensor.SynapseOpInterface) -> bool:
    """Returns whether an op adds a whole map of potentials."""
    return bool(
        found
        and found[-1].neuron is None
        and found[-1].pool is None
        and isinstance(op, ntensor.SumPool2dOp)
        and tuple(op.kernel.values) == shape_of(op.x)[1:]
        and not op.padding.values.any()
    )


def is_output(value: SSAValue) -> bool:
    return any(isinstance(use.operation, ntensor.OutputOp) for use in value.uses)


def only_reader(network: ntensor.NetworkOp, value: SSAValue) -> Operation:
    """Returns the op that reads a value. Errors: CHI014."""
    readers = [use.operation for use in value.uses]
    owner = value.owner if isinstance(value.owner, Operation) else network
    if len(readers) != 1:
        names = ", ".join(describe_op(op)[1] or op.name for op in readers) or "none"
        message = "a layer is not read by exactly one layer"
        refuse_op(owner, CHI014, message, expected="one reader", found=names, help=chain_help(network), notes=(CHAIN,))
    if len(readers[0].operands) != 1:
        found, message = f"{len(readers[0].operands)} operands", "an op joins several layers"
        help = chain_help(network)
        refuse_op(readers[0], CHI014, message, expected="one operand", found=found, help=help, notes=(CHAIN,))
    return readers[0]


def refuse_unlayered(op: Operation) -> NoReturn:
    """Refuses an op outside of a layer. Errors: CHI015."""
    expected = "linear, conv2d, max_pool2d, sum_pool2d over the whole map, and the neuron of the device"
    advice = "convert the network to layers of the device first"
    if isinstance(op, ntensor.ConvolutionOp | ntensor.SparseLinearOp | ntensor.FanInLinearOp):
        message = f"no layer computes {op.name} here"
        refuse_op(op, CHI015, message, expected=expected, found=op.name, help=expand_help(op), notes=(advice,))
    refuse_layers(op, CHI015, f"no layer computes {op.name} here", expected=expected, found=op.name, advice=advice)


def is_points(stage: LayerOps, op: ntensor.SynapseOpInterface) -> bool:
    """Returns whether an op is the second part of a separable layer: a 1x1 convolution after a depthwise convolution."""
    first = stage.first
    return (
        len(stage.synapses) == 1
        and isinstance(first, ntensor.Conv2dOp)
        and first.weight.shape[1] == 1
        and first.groups.value.data == first.weight.shape[0] == shape_of(first.x)[0]
        and isinstance(op, ntensor.Conv2dOp)
        and op.weight.shape[2:] == (1, 1)
        and op.groups.value.data == 1
        and (op.stride.values == 1).all()
        and not op.padding.values.any()
    )
