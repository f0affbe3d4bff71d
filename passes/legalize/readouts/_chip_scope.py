"""Scope of passes on networks in ticks: the ops that the host computes are set aside while a pass runs, and are a part of the network again after it.

A pass with `sees_host` works on the whole network.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from attrs import frozen
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.passes import ModulePass

from ....analysis.latency import output_latencies
from ....core.device.limits import OTHER_DEVICE
from ....core.diagnostics import Code, refuse_op
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import element_type, shape_of, texts_of
from ....dialects import ntensor
from ....dialects.ntensor.readout import attach_readout, detach_readout
from ..numbers._integer_synapses import retype
from ..updates._signal_kinds import is_rearranging
from ._late_start import start_late

LEG184 = Code("LEG184", "readout-of-frames", "the host computes ticks, and the chip sends counts of frames")


@contextmanager
def chip_scope(step: ModulePass, module: ModuleOp) -> Generator[None]:
    """Sets the ops of the host aside for a pass. Errors: LEG184."""
    networks = [op for op in module.ops if isinstance(op, ntensor.NetworkOp)]
    is_whole = not step.name.startswith(("ntensor-", "print-")) or getattr(step, "sees_host", False)
    set_aside = {} if is_whole else {k: SetAside.of(op) for k, op in enumerate(networks)}
    yield
    for k, one in set_aside.items():
        one.join([op for op in module.ops if isinstance(op, ntensor.NetworkOp)][k])


@frozen(eq=False)
class SetAside:
    """The readout of a network, and the facts of the chip that the readout was made for."""

    readout: ntensor.ReadoutOp | None
    """None if the chip computes the whole network."""
    frame_ticks: int
    latencies: Mapping[str, int]
    """The latency of each signal that leaves the chip [ticks]."""

    @staticmethod
    def of(network: ntensor.NetworkOp) -> SetAside:
        """Moves the ops of the host out of a network."""
        return SetAside(detach_readout(network), network.frame_ticks, output_latencies(network))

    def join(self, network: ntensor.NetworkOp) -> None:
        """Makes the readout a part of a network again, which starts with the latencies that the chip has now. Errors: LEG184."""
        if self.readout is None:
            return
        readout = readout_beside(network, self.readout)
        if network.frame_ticks != self.frame_ticks:
            refuse_op(
                readout.computed[0],
                LEG184,
                expected="a tick of the chip for each tick of the network",
                found=f"frames of {network.frame_ticks} ticks",
                help=OTHER_DEVICE,
            )
        start_late(readout, network, self.latencies)
        take_signals(readout, network)
        attach_readout(network, readout)


def readout_beside(network: ntensor.NetworkOp, readout: ntensor.ReadoutOp) -> ntensor.ReadoutOp:
    """Returns the readout in the module of a network, which is a copy where a kept result of a pass replaced the ops of the module."""
    module = network.parent_op()
    known = module.ops if isinstance(module, ModuleOp) else ()
    beside = (op for op in known if isinstance(op, ntensor.ReadoutOp) and op.sym_name == readout.sym_name)
    return next(beside, readout)


def take_signals(readout: ntensor.ReadoutOp, network: ntensor.NetworkOp) -> None:
    """Sets the signal kind of the inputs of a readout, and of its ops that only rearrange them, to the kind that leaves the chip now, such as counts."""
    outputs = dict(zip(texts_of(network.output_names), network.outputs.values, strict=True))
    for name, arg in zip(texts_of(readout.input_names), readout.body.block.args, strict=True):
        element = element_type(outputs[name])
        for value in list(walk_downstream([arg], is_rearranging)) if element != element_type(arg) else ():
            retype(value, TensorType(element, shape_of(value)))
