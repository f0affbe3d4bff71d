"""Readouts: the last ops of a network, which the host computes from the spikes that leave the chip.

    %fc2 = ntensor.linear "fc2" %lif1 {…} {machine.host}           ntensor.network @n(…) -> ("lif1.spikes": …) { … ntensor.output %lif1 }
    %li = ntensor.neuron "li" @li(%fc2) {…, machine.host}     =>   ntensor.readout @n.readout("lif1.spikes" %x: …) -> ("output": …)
    ntensor.output %li                                                 { %fc2 = …; %li = …; ntensor.output %li }

1. In a whole network, ops of the host have the attribute `machine.host`. Engines run it like any other network.
2. `detach_readout` splits it: the network keeps the ops of the chip, and its outputs are the signals that leave the chip. The readout has
   the names, types and order of the user's outputs. An output of the chip that is one of the user's passes through it.
3. A signal that leaves the chip has the name of the user's output, or that of its source with `.spikes`.
4. `attach_readout` is the inverse.

Exactness: no number changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.dialects.builtin import DictionaryAttr, FunctionType, IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...core.diagnostics import describe_op, invalid
from ...core.ir.graph_region import Signature, names
from ...core.ir.operation import texts_of
from ...core.names import PrimedNames
from .network import HOST, NetworkOp, OutputOp, ReadoutOp
from .neurons import NeuronOp
from .signals import NTE002

LATENCY = "machine.latency_ticks"
"""Attribute of a network: the latency of each output [ticks]."""
NODE_LATENCY = "machine.latency"
"""Attribute of an op: its latency [ticks]."""
LEAVING = ".spikes"
"""Ending of the name of a signal that leaves the chip."""


def is_on_host(op: Operation) -> bool:
    """Returns whether the host computes an op."""
    return HOST in op.attributes


def readout_of(module: ModuleOp) -> ReadoutOp | None:
    """Returns the readout of a module in which a network is split; None if the chip computes all of it."""
    return next((op for op in module.ops if isinstance(op, ReadoutOp)), None)


def host_mark(op: Operation) -> dict[str, Attribute]:
    """Returns the attributes for an op that replaces another, so that the host computes it if it computed the other."""
    return {HOST: op.attributes[HOST]} if HOST in op.attributes else {}


def on_chip(network: NetworkOp) -> NetworkOp:
    """Returns the part of a network that the chip computes, in a copy of the module; the network itself if that is all of it."""
    module = network.parent_op()
    if not network.has_host_ops or not isinstance(module, ModuleOp):
        return network
    copy = [*module.clone().ops][[*module.ops].index(network)]
    assert isinstance(copy, NetworkOp)
    detach_readout(copy)
    return copy


# ---- splitting and joining


def detach_readout(network: NetworkOp) -> ReadoutOp | None:
    """Moves the ops of the host out of a network, into a readout after it in the module; None if there are none."""
    block, last = network.body.block, network.outputs
    ops = [op for op in block.ops if is_on_host(op)]
    if not ops:
        return None
    given = dict(zip(texts_of(network.output_names), last.values, strict=True))
    leaving = leaving_signals(network, ops)
    inner = Block(arg_types=[value.type for value in leaving.values()])
    for value, argument in zip(leaving.values(), inner.args, strict=True):
        argument.name_hint = value.name_hint
        argument.location = value.owner.location if isinstance(value.owner, Operation) else argument.location
    arguments = dict(zip(leaving.values(), inner.args, strict=True))
    last.operands = []
    for op in ops:
        op.detach()
        op.operands = [arguments.get(x, x) for x in op.operands]
        inner.add_op(op)
    inner.add_op(OutputOp(*(arguments.get(value, value) for value in given.values())))
    type = FunctionType.from_lists([value.type for value in leaving.values()], [value.type for value in given.values()])
    signature = Signature(names(leaving), names(given), type)
    readout = ReadoutOp(f"{network.sym_name.data}.readout", signature, network.tick_ns, Region(inner))
    readout.location = network.location
    if (late := network.attributes.pop(LATENCY, None)) is not None:
        readout.attributes[LATENCY] = late
    lags = {name: lag for name, value in leaving.items() if (lag := lag_of(value))}
    if lags:
        network.attributes[LATENCY] = latency_attribute(lags)
    last.operands = [*leaving.values()]
    network.output_names = names(leaving)
    network.update_signature()
    if network.parent is not None:
        Rewriter.insert_op(readout, InsertPoint.after(network))
    return readout


def leaving_signals(network: NetworkOp, ops: Iterable[Operation]) -> dict[str, SSAValue]:
    """Returns the signals that leave the chip, by name: outputs that the chip computes, then all other operands of the ops of the host."""
    outputs = dict(zip(texts_of(network.output_names), network.outputs.values, strict=True))
    found = {name: value for name, value in outputs.items() if not is_of_host(value)}
    names = PrimedNames(describe_op(op)[1] for op in network.body.block.ops)
    names.taken |= {*texts_of(network.input_names), *outputs}
    known = set(found.values())
    for value in (x for op in ops for x in op.operands if not is_of_host(x)):
        if value not in known:
            known.add(value)
            found[names.take(f"{source_name(network, value)}{LEAVING}")] = value
    return found


def is_of_host(value: SSAValue) -> bool:
    """Returns whether the host computes a value."""
    return isinstance(value.owner, Operation) and is_on_host(value.owner)


def source_name(network: NetworkOp, value: SSAValue) -> str:
    """Returns the name of the node or input that produces a value."""
    owner = value.owner
    if isinstance(owner, Operation):
        return describe_op(owner)[1] or owner.name.rpartition(".")[2]
    assert isinstance(value, BlockArgument)  # of no op
    return texts_of(network.input_names)[value.index]


def lag_of(value: SSAValue) -> int:
    """Returns the latency of the node that produces a value [ticks]; a delay that a user reads adds none."""
    while (
        isinstance(value.owner, Operation)
        and NODE_LATENCY not in value.owner.attributes
        and len(value.owner.operands) == 1
    ):
        if isinstance(value.owner, NeuronOp):
            return 0
        value = value.owner.operands[0]
    held = value.owner.attributes.get(NODE_LATENCY) if isinstance(value.owner, Operation) else None
    return held.value.data if isinstance(held, IntegerAttr) else 0


def latency_attribute(lags: Mapping[str, int]) -> DictionaryAttr:
    """Returns the attribute with the latency of each output [ticks]."""
    return DictionaryAttr({name: IntegerAttr(lag, i64) for name, lag in lags.items()})


def attach_readout(network: NetworkOp, readout: ReadoutOp) -> None:
    """Moves the ops of a readout into the network whose outputs it reads, and erases the readout. Errors: NTE002 the outputs are others."""
    given = dict(zip(texts_of(network.output_names), network.outputs.values, strict=True))
    if sorted(given) != sorted(wanted := texts_of(readout.input_names)):
        expected, help = ", ".join(wanted), "name the inputs of the readout like the outputs of the network"
        invalid(
            readout, NTE002, "the readout reads other signals", expected=expected, found=", ".join(given), help=help
        )
    values: dict[SSAValue, SSAValue] = {
        arg: given[name] for name, arg in zip(wanted, readout.body.block.args, strict=True)
    }
    ends, last = [*readout.outputs.values], network.outputs
    for op in readout.computed:
        op.detach()
        op.operands = [values.get(x, x) for x in op.operands]
        Rewriter.insert_op(op, InsertPoint.before(last))
    last.operands = [values.get(value, value) for value in ends]
    network.output_names = readout.output_names
    network.update_signature()
    network.attributes.pop(LATENCY, None)
    if (late := readout.attributes.get(LATENCY)) is not None:
        network.attributes[LATENCY] = late
    Rewriter.erase_op(readout) if readout.parent is not None else readout.erase()


def joined(module: ModuleOp) -> ModuleOp:
    """Returns a module in which the readout is a part of its network: the module itself, which is changed."""
    readout = readout_of(module)
    network = next((op for op in module.ops if isinstance(op, NetworkOp)), None)
    if readout is not None and network is not None:
        attach_readout(network, readout)
    return module
