"""Conversion of networks in ticks to chips that compute them layer by layer, without a machine graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.rewriter import Rewriter

from ..core.device.device_attr import DEVICE
from ..core.device.limits import OTHER_DEVICE
from ..core.device.named_device import device_named
from ..core.device.records import Device
from ..core.diagnostics import Code, refuse_op
from ..core.help_text import PassesOption, Phrase
from ..dialects.chip_base.groups import CHI013
from ..dialects.chip_base.parts import NetworkBase
from ..dialects.equations.build import device_updates
from ..dialects.ntensor import NetworkOp, NeuronOp, UpdateOp, find_updates
from ..dialects.ntensor.interface import frame_attributes
from ..dialects.ntensor.network import erase_unused_updates, networks
from ..dialects.ntensor.probes import require_probes
from ..dialects.ntensor.readout import detach_readout

Network = TypeVar("Network", bound=NetworkBase)


def convert_networks(module: ModuleOp, convert: Callable[[NetworkOp], Operation]) -> None:
    """Replaces every network of a module by a converted one, without the ops of the host, which become an `ntensor.readout`. Erases the updates that are not used any more.

    Errors: NTE021, NTE022, NTE023 a probe.
    """
    updates = find_updates(module)
    for network in networks(module):
        detach_readout(network)
        require_probes(network, device_named(network))
        Rewriter.replace_op(network, convert(network))
    erase_unused_updates(module, updates.values())


def converted_network(
    kind: type[Network], network: NetworkOp, ops: Sequence[Operation], own: Mapping[str, Attribute | None] | None = None
) -> Network:
    """Returns a compiled network with the name, the tick, the record and the device of a network. `own`: the properties that only this dialect has."""
    properties = {"sym_name": network.sym_name, "tick_ns": network.tick_ns, "approximations": network.approximations}
    converted = kind(properties={**properties, **(own or {})}, regions=[Region(Block(ops))])
    converted.attributes[DEVICE] = network.attributes[DEVICE]
    converted.attributes.update(frame_attributes(network))
    converted.location = network.location
    return converted


def neuron_options(
    neuron: NeuronOp, update: UpdateOp, device: Device, *precisions: Float32Type | Float64Type
) -> Mapping[str, str]:
    """Returns the options that build a population's update from a device's neuron. `precisions`: possible types of its reals. Errors: CHI013 another neuron."""
    for precision in precisions:
        for _, options, known in device_updates(device, precision):
            if known.is_equal(update):
                return options
    refuse_op(
        neuron,
        CHI013,
        expected=f"a neuron of {device.key}: {', '.join(device.updates)}",
        found=f"@{neuron.update_name}",
        help=Phrase(PassesOption(f"ntensor-set-neuron-model{{to={device.naming.key}}}")),
    )


def refuse_layers(op: Operation, code: Code, message: str = "", *, advice: str, **parts: Any) -> NoReturn:
    """Refuses a network that no pass repairs: the help searches another device, and a note has the advice for its author."""
    refuse_op(op, code, message, help=OTHER_DEVICE, notes=(advice,), **parts)
