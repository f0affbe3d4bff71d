"""Reports features that the device does not support and no pass can repair. It changes nothing.

    ntensor.network @n … attributes {tick_ns = 1000, machine.device = "asic/edge"}      // a tick of 1 us; the chip's are 0.1 ms and more
      =>  error[LEG064]

1. The tick lies within the device's.
2. Weights that change follow a plasticity rule of the device, and keep its contracts.
3. The types of neuron outputs and network inputs are types of the device's spikes. Counts do not exceed its limit per tick.
4. Parameters of neurons are of types that the device holds.
5. The weights other than zero, each stored once, fit into all memory for synapses: that of the cores, and that on
   the chips or on the host. A weight takes an entry of the smallest synapse format that holds it, in the width to which the
   device quantises wider weights.
6. Relays, clocks and partial sums that legalisation has added are served by a neuron of the device.
7. The device has a layout for the synapses of each op. Its convolution layout holds only convolutions and pools within `synapse.convolution`.

All violations are reported. A field that the device file does not define is not checked. `ntensor-plan-cores` and
`convert-ntensor-to-machine` check limits that depend on slices. `ntensor-legalize` handles whatever passes can repair.

Errors: LEG064, LEG065, LEG066, LEG068, LEG069, LEG070 as numbered. Remarks: LEG067 weights change on the host, or with traces of few bits. DEV023 no device; NTE009.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from ...analysis.learning.learning_terms import unsupported_rule
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.values import Array
from ...core.device.device_pass import DevicePass
from ...core.device.limits import OTHER_DEVICE
from ...core.device.records import Device
from ...core.diagnostics import Code, Diagnostics, Finding, Severity, describe_op, finding_about, first_of
from ...core.fixed_point import Interval
from ...core.help_text import Phrase, time_step
from ...core.ir.context import diagnostics_of
from ...core.ir.operation import element_type
from ...core.ir.pipeline import option_text
from ...dialects import ntensor
from ...dialects.chip_base.formats import entry_bits, find_wide_window, formats_for, stored_bits
from ...dialects.chip_base.needs import learning_violations
from ...dialects.chip_base.spikes import event_excess, tick_excess, type_holds
from ...dialects.chip_base.weights import mantissa_bits
from ...dialects.ntensor.network import networks
from ..pipelines import FIT_LEARNING, FREEZE, SPIKE_INPUT
from .delays._bias_retiming import CLOCK
from .relays._helper_neurons import DUTIES, MADE_BY, has_neuron_for, helpers_of, serves

LEG064 = Code("LEG064", "tick-unsupported", "the tick is not one of the device")
LEG065 = Code("LEG065", "spike-content-unsupported", "spikes of the device do not carry this")
LEG066 = Code("LEG066", "parameters-unsupported", "the device does not hold these parameters")
LEG067 = Code("LEG067", "learning-inexact", "weights change, but not exactly so")
LEG068 = Code("LEG068", "weights-exceed-device-memory", "the weights are larger than the memory of the device")

LEG069 = Code("LEG069", "no-neuron-relays-this", "no neuron of the device passes this on")
LEG070 = Code("LEG070", "synapse-layout-unsupported", "no layout of the device stores these synapses")

NAMED_POPULATIONS = 4
"""Populations that a finding names."""


def findings(network: ntensor.NetworkOp, device: Device) -> Iterator[Finding]:
    """Yields a finding for each property that the device does not support, and remarks; LEG064, LEG065, LEG066, LEG067, LEG068, LEG069, LEG070."""
    yield from tick(network, device)
    yield from memory(network, device)
    for op in network.body.block.ops:
        if isinstance(op, ntensor.SynapseOpInterface) and op.learning_rule is not None:
            yield from plasticity(op, device)
        if isinstance(op, ntensor.SynapseOpInterface):
            yield from layouts(op, device)
        if isinstance(op, ntensor.NeuronOp):
            yield from spikes(element_type(op.z), *describe_op(op), device)
            yield from parameters(op, device)
    yield from helpers(network, device)
    for name, x in zip(network.input_names, network.body.block.args, strict=True):
        yield from spikes(element_type(x), f'input "{name.data}"', name.data, device)


def tick(network: ntensor.NetworkOp, device: Device) -> Iterator[Finding]:  # 1
    ticks, default = network.tick_ns.value.data, device.integer("tick.default")
    if (excess := tick_excess(ticks, device)) is not None:
        dt_ns = excess.limit if default is None else default
        assert dt_ns is not None  # a limit of ticks is a number
        yield finding_about(
            network,
            LEG064,
            f"{device.key} has no tick of {ticks} ns",
            expected=excess.expected,
            found=f"{ticks} ns",
            **device.limit_facts(excess.path, ticks, excess.limit),
            help=Phrase(time_step(dt_ns)),
        )


def plasticity(op: ntensor.SynapseOpInterface, device: Device) -> Iterator[Finding]:  # 2
    broken = learning_violations(op, device)
    if broken is None or device.plasticity is None:
        return
    if (unsupported := unsupported_rule(op, device, FIT_LEARNING, FREEZE)) is not None:
        yield unsupported
        return
    fitting = [key for key, reasons in broken.items() if not reasons]
    rule = device.plasticity[fitting[0]]
    traces = device.integer(f"plasticity.{fitting[0]}.trace_bits")
    notes = [f"traces have {traces} bits"] if traces is not None else []
    notes += ["traces and weights are rounded stochastically"] if rule.rounding == "stochastic" else []
    notes += ["the change is computed on the host"] if rule.where == "host" else []
    if notes:
        message = f"{device.key} changes weights by {fitting[0]}, but not exactly so"
        source = f"{device.key}, plasticity.{fitting[0]}"
        yield finding_about(op, LEG067, message, severity=Severity.REMARK, source=source, notes=notes)


def spikes(type: Attribute, at: str, node: str | None, device: Device) -> Iterator[Finding]:  # 3
    # a value is not a spike: outputs may be values, ntensor-legalize converts inputs to spikes
    if (excess := event_excess(type, device)) is not None:
        yield Finding(
            LEG065,
            f"spikes of {device.key} do not carry this",
            at=at,
            node=node,
            expected=excess.expected,
            found=str(type),
            **device.limit_facts(excess.path, limit=excess.limit),
            help=SPIKE_INPUT if at.startswith("input") else None,
        )


def parameters(op: ntensor.NeuronOp, device: Device) -> Iterator[Finding]:  # 4
    dtypes = device.neuron.dtypes if device.neuron is not None else ()
    for name, array in op.params.data.items() if dtypes else ():
        if not isinstance(array, ArrayAttr) or not array.data.size:
            continue
        if array.data.dtype.kind == "f":
            is_held, found = any(dtype.startswith("f") for dtype in dtypes), f"{name}: reals"
            help: str = (
                f"ntensor-set-neuron-model{{to={option_text(device.naming.key)} nodes={option_text(op.node.data)}}}"
            )
        else:
            range = Interval(int(array.data.least()), int(array.data.greatest()))
            is_held, found = any(type_holds(dtype, range) for dtype in dtypes), f"{name}: {range.low} to {range.high}"
            help = OTHER_DEVICE  # the parameters are those of the device's neuron
        if not is_held:
            yield finding_about(
                op,
                LEG066,
                f'{device.key} does not hold the parameter {name} of "{op.node.data}"',
                expected=" or ".join(dtypes),
                found=found,
                **device.limit_facts("neuron.dtypes"),
                help=help if device.updates else None,
            )


def helpers(network: ntensor.NetworkOp, device: Device) -> Iterator[Finding]:  # 6
    unserved: dict[str, list[ntensor.NeuronOp]] = {}
    added = helpers_of(network)
    is_served = {helper: has_neuron_for(device, helper, network.dt) for helper in set(added.values())}
    for op, helper in added.items():
        if not is_served[helper]:
            unserved.setdefault(helper.kind, []).append(op)
    for kind, ops in unserved.items():
        names = [op.node.data for op in ops]
        yield Finding(
            LEG069,
            f"no neuron of {device.key} passes {kind} on",
            at=describe_op(ops[0])[0],
            node=user_of(network, names[0]),
            expected=DUTIES[kind],
            found=f"{len(ops)} added populations: {first_of(names, NAMED_POPULATIONS)}",
            **device.limit_facts("neuron.updates"),
        )


def layouts(op: ntensor.SynapseOpInterface, device: Device) -> Iterator[Finding]:  # 7
    formats = formats_for(device, mantissa_bits(op))
    if not formats or any(one.layout != "convolution" for one in formats.values()):
        return
    fields: dict[str, Any] = {"path": "synapse.formats", "expected": "a convolution or a pool", "found": op.name}
    if isinstance(op, ntensor.WindowOp):
        wide = find_wide_window(op.window().sizes(), device)
        if wide is None:
            return
        path, limit, found = wide
        name = path.rpartition(".")[2].replace("_", " ")
        fields = {"path": path, "expected": f"{name} of at most {limit}", "found": str(found)}
        fields |= {"limit": limit, "value": found, "notes": ["the device stores synapses in no other layout"]}
    message = f'no layout of {device.key} stores the synapses of "{op.node.data}"'
    source = device.cite(fields["path"])
    yield finding_about(op, LEG070, message, source=source, help=OTHER_DEVICE, **fields)


def user_of(network: ntensor.NetworkOp, name: str) -> str | None:
    """The user's node that an added population works for: the delay or population that it is a part of, or the first with a late bias."""
    names = [node for op in network.body.block.ops if (node := describe_op(op)[1]) is not None]
    if name.partition(".")[0].rstrip("'") == CLOCK:
        return next((node.removesuffix(".bias") for node in names if node.endswith(".bias")), name)
    parts = name.split(".")
    owners = [".".join(parts[:k]) for k in range(len(parts) - 1, 0, -1)]
    return next((owner for owner in owners if owner in names), owners[-1] if owners else name)


def memory(network: ntensor.NetworkOp, device: Device) -> Iterator[Finding]:  # 5
    room, parts = synapse_bytes(device)
    weights: list[tuple[Array, int]] = []
    for op in network.body.block.ops:
        if isinstance(weight := op.properties.get("weight"), ArrayAttr):
            weights.append((weight.data, entry_bits(device, tuple(stored_bits(device, n) for n in mantissa_bits(op)))))
    if room is None or sum(array.size * each for array, each in weights) <= 8 * room:
        return
    bits = sum(each * int(np.count_nonzero(block)) for array, each in weights for block in array.blocks())
    if bits > 8 * room:
        yield finding_about(
            network,
            LEG068,
            f"the weights are larger than the memory of {device.key}",
            expected=f"at most {room} bytes of synapses",
            found=f"{-(-bits // 8)} bytes",
            source=f"{device.key}: {', '.join(parts)}",
            path=parts[0],
            limit=room,
            value=-(-bits // 8),
        )


def synapse_bytes(device: Device) -> tuple[int | None, list[str]]:
    """Returns the size of all memory for synapses, and the fields that declare it; None where a part of it is not known."""
    cores, chips = device.integer("topology.cores"), device.integer("topology.chips")
    counts = {"core": cores, "chip": chips, "host": 1}
    places = [
        (f"core.memory.{name}.bytes", "core", region.holds)
        for name, region in (device.core.memory if device.core is not None else {}).items()
    ]
    places += [(f"memory.{name}.bytes", store.where, store.holds) for name, store in device.memory.items()]
    parts = [(path, counts[where]) for path, where, contents in places if "synapses" in contents]
    sizes = [size * count for path, count in parts if (size := device.integer(path)) is not None and count is not None]
    is_known = len(sizes) == len(parts) > 0
    return (sum(sizes), [path for path, _ in parts]) if is_known else (None, [])


@dataclass(frozen=True)
class NtensorCheckDevicePass(DevicePass):
    """Checks every `ntensor.network` against a device, and changes nothing.

    Options:
        device: TARGET/NAME, or the path of a device file; default the one that the network names.
        set: fields of the device that are overridden: `set="tick.min=10us"`.
    """

    name = "ntensor-check-device"
    only_checks = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = Diagnostics()
        for network in networks(op):
            for finding in findings(network, self.device_for(network)):
                (found if finding.severity is Severity.ERROR else diagnostics_of(ctx)).add(finding)
        found.raise_errors()


def unserved_helpers(device: Device) -> Iterator[tuple[str, str, str, str]]:
    """Yields each fallback that adds populations which no neuron of the device serves.

    That is the feature, the kind of the helper, its name in messages, and the neuron that it needs.
    """
    dt = (device.integer("tick.default") or 1_000_000) / 1e9
    for feature, fallback in device.fallbacks.items():
        for kind, what in dict.fromkeys(made for name, made in MADE_BY.items() if name in fallback.passes):
            if not serves(device, kind, dt):
                yield str(feature), kind, what, DUTIES[kind]
