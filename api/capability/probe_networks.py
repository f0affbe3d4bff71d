"""Small test networks, and their compilation for a device with its fallbacks and its target's pipeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ...core.approximations import APPROXIMATIONS
from ...core.arrays.arrays import ArrayAttr
from ...core.device.device import Device
from ...core.device.features import RESOURCES, widest_reals
from ...core.diagnostics import Diagnostics, Finding
from ...core.ir.context import NoptContext
from ...core.ir.operation import shape_of
from ...core.ir.pass_manager import run_passes
from ...core.ir.pipeline import parse_pipeline
from ...dialects import nir
from ...passes.pipelines import SHORTHANDS, observe
from ..compiling.device_fit import Fit
from ..conformance.networks import RESETS, Drawing, discretised
from ..modules import available_passes, only_network
from ..options import Choices
from ..permissions.permitted_fit import Outcome, PermittedFit, Trial

RULE = "euler"
"""The preset of the networks: it computes NIR's equations as they are."""
TICK_NS = 1_000_000
"""Default tick, for devices that declare none."""
CALIBRATION_TICKS = 32

PROBED_FAMILIES: Mapping[str, tuple[type[nir.PopulationOp], Mapping[str, float]]] = {
    "if": (nir.IFOp, {"r": 1e9, "v_threshold": 2, "v_reset": 0}),
    "lif": (nir.LIFOp, {"tau": 8e-9, "r": 8, "v_leak": 0, "v_threshold": 2, "v_reset": 0}),
    "cuba_lif": (
        nir.CubaLIFOp,
        {"tau_syn": 4e-9, "tau_mem": 8e-9, "r": 8, "w_in": 4, "v_leak": 0, "v_threshold": 2, "v_reset": 0},
    ),
    "i": (nir.IOp, {"r": 1e9}),
    "li": (nir.LIOp, {"tau": 8e-9, "r": 8, "v_leak": 0}),
    "cuba_li": (nir.CubaLIOp, {"tau_syn": 4e-9, "tau_mem": 8e-9, "r": 8, "w_in": 4, "v_leak": 0}),
    "threshold": (nir.ThresholdOp, {"threshold": 2}),
}
"""Parameters of each family for a tick of 1 ns. The gain is 1, and the decays 1 - 1/8 and 1 - 1/4 have few bits."""

ROOM = ("topology.cores", "core.memory", *RESOURCES.values())
"""Fields whose limits report that room is missing."""


def rules_of(family: str) -> tuple[str, ...]:
    """Returns the reset rules of a family."""
    return RESETS if "v_reset" in PROBED_FAMILIES[family][1] else ("",)


def tick_of(device: Device) -> int:
    """Returns a tick that the device supports [ns]."""
    low, high = device.integer("tick.min") or 1, device.integer("tick.max")
    tick = device.integer("tick.default") or max(TICK_NS, low)
    return tick if high is None else min(tick, high)


def families_of(device: Device) -> dict[str, str | None]:
    """Returns the families of a device with the path of their declaration; all of NIR if it declares none."""
    updates = device.neuron.updates if device.neuron is not None else {}
    found = {family: f"$.neuron.updates.{name}" for name, update in updates.items() for family in update.families}
    return {**found} or dict.fromkeys(PROBED_FAMILIES)


class ProbeDrawing(Drawing):
    """A network for a tick [ns]. Its populations belong to `family`, unless they name another one."""

    def __init__(self, tick_ns: int, family: str, *shape: int, element: Attribute = i1):
        super().__init__(*shape, element=element)
        self.tick_ns, self.family = tick_ns, family

    def delay(self, node: str, x: SSAValue, ticks: int) -> SSAValue:
        """Adds a delay. A delay of 0 ticks is added too, because it has no effect."""
        return self.add(nir.DelayOp, node, x, delay=np.full(shape_of(x), ticks * self.tick_ns * 1e-9))

    def neuron(self, node: str, x: SSAValue, family: str | None = None) -> SSAValue:
        kind, parameters = PROBED_FAMILIES[family or self.family]

        def array(name: str, number: float) -> ArrayAttr:
            rate = 1 if kind.TIMES or name != "r" else 1 / self.tick_ns
            return ArrayAttr.of(np.full(shape_of(x), number * (self.tick_ns if name in kind.TIMES else rate)))

        return self.add(kind, node, x, **{name: array(name, number) for name, number in parameters.items()})


@frozen
class Layers:
    """A network of two layers; of one, if the neurons do not spike and no other ones are before them."""

    family: str
    """Family of both populations."""
    before: str = ""
    """Family of the first population, if only the second one is of `family`."""
    sizes: tuple[int, int, int] = (3, 4, 2)
    input_type: Attribute = i1
    bias: float | None = None
    ticks: int = 0
    """Delay of each connection."""
    late: int = 0
    """Further delay between the populations."""
    is_recurrent: bool = False
    small: float = 1
    """Absolute value of all weights but one. Values below 1 alternate in sign, so that a large sum has as few bits as in a trained network."""

    def module(self, tick_ns: int) -> ModuleOp:
        """Returns the network in continuous time."""
        inputs, hidden, outputs = self.sizes
        net, first = ProbeDrawing(tick_ns, self.family, inputs, element=self.input_type), self.before or self.family
        is_spiking = PROBED_FAMILIES[first][0].SPIKES
        current = self.linear(net, "fc1", net.delay("x0", net.x, self.ticks), hidden)
        y = net.neuron("one" if is_spiking else "two", current, first)
        if self.is_recurrent:
            recurrent = self.linear(net, "rec", net.delay("y0", y, max(self.ticks, 1)), hidden)
            assert isinstance(y.owner, Operation)  # the population above
            y.owner.operands[0] = net.sum(current, recurrent)
        if is_spiking:
            y = net.neuron("two", self.linear(net, "fc2", net.delay("y", y, self.ticks + self.late), outputs))
        return net.finish(y)

    def linear(self, net: ProbeDrawing, node: str, x: SSAValue, outputs: int) -> SSAValue:
        weights = np.ones((outputs, *shape_of(x)))
        if self.small < 1:
            weights[:, 1::2], weights[:, 2::2] = -self.small, self.small
        return net.linear(node, x, weights, **({} if self.bias is None else {"bias": np.full(outputs, self.bias)}))


# ---- compilation


def quantization_of(device: Device) -> str:
    """Returns the quantising pass that a user must add for a device of integers without a weight fallback; empty if none is necessary."""
    bits, synapse = device.integer("synapse.bits"), device.synapse
    is_served = synapse is None or "weight_bits" in device.fallbacks or any(one[0] == "f" for one in synapse.dtypes)
    return "" if bits is None or is_served else SHORTHANDS[0].text(bits)


def try_network(device: Device, module: ModuleOp) -> tuple[Outcome, Outcome]:
    """Compiles a network in ticks for a device as it is, and as `nopt check --approximate all` does. Where room is missing and no pass helps, that is the refusal."""
    search = PermittedFit(device, partial(calibrated, device, module), tuple(APPROXIMATIONS))
    first = search.attempt(Trial(typed_passes(device)))
    found = search.best(typed_passes(device), first)
    return first, first if found.fit.fits == "no" and all(map(is_room, first.fit.errors)) else found


def is_room(finding: Finding) -> bool:
    """Returns whether a refusal reports that room is missing."""
    return (finding.path or "").startswith(ROOM)


def added_passes(device: Device, fitted: Fit) -> tuple[str, ...]:
    """Returns the passes of a fit besides those of the device and the pass that `typed_passes` returns."""
    return tuple(one for one in fitted.passes if one not in typed_passes(device))


def in_ticks(
    device: Device, network: ModuleOp, reset: str, replace: Callable[[ModuleOp], None] | None = None
) -> ModuleOp:
    """Returns a network in ticks, which `replace` changes. Errors: those of the conversion."""
    choices: Choices = {"dt": f"{tick_of(device)}ns", "like": RULE, "reset": reset or None}
    if widest_reals(device) == "f32":
        choices["precision"] = "f32"
    module = discretised(network, choices, Diagnostics())
    if replace is not None:
        replace(module)
        module.verify()
    return module


def calibrated(device: Device, module: ModuleOp, passes: Sequence[str]) -> ModuleOp:
    """Returns a network in ticks after a calibration and passes. Errors: those of the passes."""
    found, copy = Diagnostics(), module.clone()
    observe(copy, device, {"input": random_spikes(copy)}, found)
    for text in passes:
        run_passes(parse_pipeline(text, available_passes()), NoptContext(diagnostics=found), copy)
    return copy


def typed_passes(device: Device) -> tuple[str, ...]:
    """Returns the passes that a user must type for a device."""
    return tuple(filter(None, [quantization_of(device)]))


def random_spikes(module: ModuleOp) -> NDArray[Any]:
    """Returns random spikes for the input of a network."""
    (x,) = only_network(module).body.block.args
    return np.random.default_rng(0).integers(0, 2, (CALIBRATION_TICKS, *shape_of(x)))
