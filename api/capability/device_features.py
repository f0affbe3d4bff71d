"""Features of a device at work: small networks, each with one feature, through the device's own fallbacks and its target's pipeline.

| feature | network | declared by |
| --- | --- | --- |
| a family and a reset rule | two populations of the family | `neuron.updates`, if no rule is served |
| real inputs | reals instead of spikes | the fallback `activation_bits` |
| no delay | connections of 0 ticks, if the device has a shortest delay | the fallback `latency` |
| bias | layers with biases | nothing |
| delay, long delay | one of the longest delay, and one beyond it | `synapse.delay.max`, and the fallback `delay` |
| wide fan-in | one synapse more than a neuron or a core takes | the fallback `fan_in` |
| wide fan-out | one target core more than a neuron has | the fallback `fan_out` |
| recurrence | a population with synapses to itself | `features.recurrence` |

A feature that the device does not declare may be refused. A declared one that is refused is an error, unless only room is missing. Networks for the
features after the families use the first family and rule that are served. Their connections have the shortest delay of the device, so that each
network has one feature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ...core import registry
from ...core.device.device import Device
from ...core.device.features import FEATURES, RESOURCES
from ...core.diagnostics import Code, Diagnostics, Finding, Severity
from ...core.ir.context import NoptContext
from ...core.ir.pass_manager import run_passes
from ...core.ir.pipeline import parse_pipeline
from ...core.ir.source import parse_module
from ...core.progress import Progress, doing, report_part
from ...core.template_stub import COR028
from ...passes.pipelines import SHORTHANDS, observe
from ..compiling.device_fit import Fit, fit, passes_of_help
from ..compiling.target_pipelines import steps_of
from ..modules import available_passes, parent_module
from ..running.run import discretise

DEV017 = Code("DEV017", "declared-feature-refused", "a feature that the device declares is refused")

RULE = "euler"
"""The preset of the networks: it computes NIR's equations as they are."""
RESETS = ("value", "subtract")
TICK_NS = 1_000_000
"""The tick of a device that declares none."""
MOST_INPUTS, MOST_TARGETS = 8192, 16384
"""Largest networks; a device with a larger limit is tested with these."""
UNLIMITED_INPUTS, UNLIMITED_CORES, UNLIMITED_NEURONS = 1024, 4, 64
"""Sizes for limits that a device does not declare."""
CACHED_RESULTS = 64
"""Devices whose results are kept."""
SERVED = ("served", "by a fallback")
CALIBRATION_TICKS = 32
NUMBER_FORMATS = ("weight_bits", "update", "parameters")
"""Features that the pipeline of every device with integers converts."""
ROOM = ("topology.cores", "core.memory", *RESOURCES.values())
"""Fields whose limits report that room is missing."""

PROBED_FAMILIES: Mapping[str, tuple[bool, Mapping[str, float]]] = {
    "if": (True, {"r": 1e9, "v_threshold": 2, "v_reset": 0}),
    "lif": (True, {"tau": 8e-9, "r": 8, "v_leak": 0, "v_threshold": 2, "v_reset": 0}),
    "cuba_lif": (
        True,
        {"tau_syn": 4e-9, "tau_mem": 8e-9, "r": 8, "w_in": 4, "v_leak": 0, "v_threshold": 2, "v_reset": 0},
    ),
    "i": (False, {"r": 1e9}),
    "li": (False, {"tau": 8e-9, "r": 8, "v_leak": 0}),
    "cuba_li": (False, {"tau_syn": 4e-9, "tau_mem": 8e-9, "r": 8, "w_in": 4, "v_leak": 0}),
    "threshold": (True, {"threshold": 2}),
}
"""Whether a family spikes, and parameters for a tick of 1 ns: the gain is 1, and decays are 1 - 1/8 and 1 - 1/4, which have few bits."""


@frozen
class FeatureResult:
    """One feature on a device."""

    feature: str
    network: str
    """The network, in words."""
    status: str
    """`served`, `by a fallback`, `refused` or `not checked`."""
    fallbacks: tuple[str, ...] = ()
    """Features of the network that fallbacks replace."""
    findings: tuple[Finding, ...] = ()
    """The refusals."""
    declared: str | None = None
    """JSON path of the declaration; None if the device does not declare the feature."""

    @property
    def result(self) -> str:
        """Returns status and reason in one line."""
        if self.findings:
            return f"{self.status}: {self.findings[0].code}, {self.findings[0].message}"
        return f"{self.status}: {', '.join(self.fallbacks)}" if self.fallbacks else self.status

    @property
    def is_error(self) -> bool:
        """Whether a declared feature is refused for another reason than room, and by a fallback that repairs nothing, or no passes of the user help."""
        from ...passes.legalize.ntensor_legalize import LEG001

        others = [one for one in self.findings if not (one.path or "").startswith(ROOM)]
        is_final = any(one.code is LEG001 for one in others) or not all(map(passes_of_help, others))
        return self.declared is not None and self.status == "refused" and is_final

    def as_json(self) -> dict[str, Any]:
        return {
            "feature": self.feature,
            "network": self.network,
            "status": self.status,
            "fallbacks": list(self.fallbacks),
            "code": str(self.findings[0].code) if self.findings else None,
            "message": self.findings[0].message if self.findings else None,
        }


# ---- networks


def array(value: float, *shape: int) -> str:
    return array_text(np.full(shape, value, "<f4"))


def array_text(values: NDArray[np.float32]) -> str:
    shape = "".join(f"{n}x" for n in values.shape)
    return f'#nopt.array<"0x{values.tobytes().hex()}" : tensor<{shape}f32>>'


@frozen
class Layers:
    """A network of two layers."""

    family: str
    sizes: tuple[int, int, int] = (3, 4, 2)
    input_type: str = "i1"
    bias: float | None = None
    ticks: int = 0
    """Delay of each connection."""
    late: int = 0
    """Further delay between the populations."""
    is_recurrent: bool = False
    small: float = 1
    """Absolute value of all weights but one, so that a sum of many has as few bits as in a trained network; below 1, signs alternate."""

    def text(self, tick_ns: int) -> str:
        """Returns the network as IR."""
        inputs, hidden, outputs = self.sizes
        spiking, parameters = PROBED_FAMILIES[self.family]
        final = "i1" if spiking else "f32"
        lines = [
            *self.delay("x0", "x", inputs, self.input_type, self.ticks, tick_ns),
            *self.linear("fc1", "x0", inputs, hidden, self.input_type),
        ]
        current = "fc1"
        if self.is_recurrent:
            lines += self.delay("y0", "one", hidden, "i1", max(self.ticks, 1), tick_ns)
            lines += self.linear("rec", "y0", hidden, hidden, "i1")
            type = f"tensor<{hidden}xf32>"
            lines.append(f"%sum = nir.sum %fc1, %rec : ({type}, {type}) -> {type}")
            current = "sum"
        if spiking:
            lines.append(self.neuron("one", current, hidden, parameters, tick_ns))
            lines += self.delay("y", "one", hidden, "i1", self.ticks + self.late, tick_ns)
            lines += self.linear("fc2", "y", hidden, outputs, "i1")
            lines.append(self.neuron("two", "fc2", outputs, parameters, tick_ns))
        else:
            outputs = hidden
            lines.append(self.neuron("two", current, hidden, parameters, tick_ns))
        head = f'nir.graph @probe("in" %x: tensor<{inputs}x{self.input_type}>) -> ("out": tensor<{outputs}x{final}>) {{'
        return "\n".join(
            [head, *(f"  {line}" for line in lines), f"  nir.output %two : tensor<{outputs}x{final}>", "}"]
        )

    def delay(self, name: str, x: str, n: int, type: str, ticks: int, tick_ns: int) -> list[str]:
        """Returns a delay; one of 0 ticks stays, since it has no effect."""
        value = array(ticks * tick_ns * 1e-9, n)
        return [f'%{name} = nir.delay "{name}" %{x} {{delay = {value}}} : tensor<{n}x{type}> -> tensor<{n}x{type}>']

    def linear(self, name: str, x: str, inputs: int, outputs: int, type: str) -> list[str]:
        types = f"tensor<{inputs}x{type}> -> tensor<{outputs}xf32>"
        weights = np.ones((outputs, inputs), "<f4")
        if self.small < 1:
            weights[:, 1::2], weights[:, 2::2] = -self.small, self.small
        weight = f"weight = {array_text(weights)}"
        if self.bias is None:
            return [f'%{name} = nir.linear "{name}" %{x} {{{weight}}} : {types}']
        return [f'%{name} = nir.affine "{name}" %{x} {{{weight}, bias = {array(self.bias, outputs)}}} : {types}']

    def neuron(self, name: str, x: str, n: int, parameters: Mapping[str, float], tick_ns: int) -> str:
        def value(key: str, number: float) -> float:
            is_time = key.startswith("tau")
            is_rate = key == "r" and not any(one.startswith("tau") for one in parameters)
            return number * tick_ns if is_time else number / tick_ns if is_rate else number

        text = ", ".join(f"{key} = {array(value(key, number), n)}" for key, number in parameters.items())
        type = "i1" if PROBED_FAMILIES[self.family][0] else "f32"
        return f'%{name} = nir.{self.family} "{name}" %{x} {{{text}}} : tensor<{n}xf32> -> tensor<{n}x{type}>'


# ---- features


@frozen
class Probe:
    """A feature with its network."""

    feature: str
    words: str
    change: Callable[[Layers], Layers]
    declared: str | None = None


def tick_of(device: Device) -> int:
    """Returns a tick that the device has [ns]."""
    low, high = device.whole("tick.min") or 1, device.whole("tick.max")
    tick = device.whole("tick.default") or max(TICK_NS, low)
    return tick if high is None else min(tick, high)


def probes_of(device: Device) -> Iterator[Probe]:
    """Yields the features after the families, as far as they mean something on the device."""

    def fallback(name: str) -> str | None:
        return f"$.fallbacks.{name}" if name in device.fallbacks else None

    least, longest = device.whole("synapse.delay.min") or 0, device.whole("synapse.delay.max")
    yield Probe(
        "real inputs", "reals instead of spikes", lambda net: evolve(net, input_type="f32"), fallback("activation_bits")
    )
    if least:
        yield Probe("no delay", "connections of 0 ticks", lambda net: evolve(net, ticks=0), fallback("latency"))
    yield Probe("bias", "layers with biases", lambda net: evolve(net, bias=0.5))
    if longest is None or longest > least:
        ticks = longest if longest is not None else least + 3
        declared = None if longest is None else "$.synapse.delay.max"
        yield Probe("delay", f"a delay of {ticks} ticks", lambda net: evolve(net, late=ticks - least), declared)
    if longest is not None:
        more = max(longest - least, 0) + 1
        words = f"a delay of {least + more} ticks"
        yield Probe("long delay", words, lambda net: evolve(net, late=more), fallback("delay"))
    limits = [one for one in (device.whole("core.fan_in"), device.whole("core.input_axons")) if one]
    inputs = min(min(limits) + 1 if limits else UNLIMITED_INPUTS, MOST_INPUTS)
    yield Probe(
        "wide fan-in",
        f"{inputs} inputs of a neuron",
        lambda net: evolve(net, sizes=(inputs, 2, 2), small=small_weight(device)),
        fallback("fan_in"),
    )
    neurons, cores = device.whole("core.neurons") or UNLIMITED_NEURONS, device.whole("topology.cores")
    reached = (device.whole("core.fan_out") or UNLIMITED_CORES - 1) + 1
    reached = max(min(reached, (cores or reached * 2) // 2), 1)
    targets = min(reached * neurons, MOST_TARGETS)
    yield Probe(
        "wide fan-out",
        f"a neuron with {targets} targets",
        lambda net: evolve(net, sizes=(1, 1, targets)),
        fallback("fan_out"),
    )
    recurrence = device.features.get("recurrence")
    declared = "$.features.recurrence" if recurrence is not None and recurrence.value else None
    words = "a population with synapses to itself"
    yield Probe("recurrence", words, lambda net: evolve(net, is_recurrent=True), declared)


def small_weight(device: Device) -> float:
    """Returns a weight that is 1 or 2 when a weight of 1 takes all bits of the device; 1 if it has no such weight."""
    bits = device.whole("synapse.bits")
    return 1 / 64 if bits is None else 1.5 / (2 ** (min(bits, 16) - 1) - 1) if bits > 2 else 1


def families_of(device: Device) -> dict[str, str | None]:
    """Returns the families of a device with the path of their declaration; all of NIR if it declares none."""
    updates = device.neuron.updates if device.neuron is not None else {}
    found = {family: f"$.neuron.updates.{name}" for name, update in updates.items() for family in update.families}
    return {**found} or dict.fromkeys(PROBED_FAMILIES)


def feature_results(
    device: Device, progress: Progress | None = None, feature: str | None = None
) -> list[FeatureResult]:
    """Returns how a device serves each feature, or one of them; none for a target without a pipeline.

    `progress` counts families and features. The results of all features are computed once for each record of a device.
    """
    known = cached_results(device.key, device.digest)
    if feature is not None and not known:
        return [one for one in computed_results(device, progress, feature) if one.feature == feature]
    if known:
        report_part(progress, 0, 1)
    else:
        known += computed_results(device, progress)
    return [one for one in known if feature in (None, one.feature)]


@lru_cache(CACHED_RESULTS)
def cached_results(key: str, digest: str) -> list[FeatureResult]:
    """Returns the place of the results of a device in the cache, which is empty before they are computed."""
    del key, digest
    return []


registry.CACHED.append(cached_results)


def computed_results(
    device: Device, progress: Progress | None = None, feature: str | None = None
) -> list[FeatureResult]:
    """Returns how a device serves each feature; of the others than `feature`, only what its network needs."""
    if not steps_of(device):
        return []
    results, works = list[FeatureResult](), list[tuple[Layers, str]]()
    least = device.whole("synapse.delay.min") or 0
    families, probes = families_of(device), list(probes_of(device))
    if feature is not None:
        probes = [probe for probe in probes if probe.feature == feature]
        if not probes:
            wanted = feature.partition(", ")[0]  # before the reset
            families = {family: declared for family, declared in families.items() if family == wanted}
    all = len(families) + len(probes)
    for number, (family, declared) in enumerate(families.items()):
        report_part(progress, number, all)
        if works and probes and feature is not None:
            break
        if family not in PROBED_FAMILIES:
            results.append(FeatureResult(family, "a family that is not in NIR", "not checked"))
            continue
        rules = RESETS if "v_reset" in PROBED_FAMILIES[family][1] else ("",)
        net = Layers(family, ticks=least)
        with doing(f"family {family} on {device.key}", number + 1, all):
            found = [result_of(device, net, rule, f"{family}, reset {rule}" if rule else family) for rule in rules]
        served = [rule for rule, one in zip(rules, found, strict=True) if one.status in SERVED]
        results += [evolve(one, declared=None if served else declared) for one in found]
        if served and PROBED_FAMILIES[family][0]:
            works.append((net, served[0]))
    for number, probe in enumerate(probes, len(families)):
        report_part(progress, number, all)
        if not works:
            results.append(FeatureResult(probe.feature, probe.words, "not checked"))
            continue
        net, rule = works[0]
        with doing(f"feature {probe.feature} on {device.key}", number + 1, all):
            found = result_of(device, probe.change(net), rule, probe.feature)
        results.append(evolve(found, network=probe.words, declared=probe.declared))
    return results


def result_of(device: Device, net: Layers, reset: str, feature: str) -> FeatureResult:
    """Runs one network through the pipeline of a device."""
    tick = tick_of(device)
    collected = Diagnostics()
    fits = list[Fit]()
    with collected.collecting():
        module = parse_module(NoptContext(), net.text(tick), feature)
        choices: Any = {"dt": f"{tick}ns", "like": RULE, **({"reset": reset} if reset else {})}
        discrete = parent_module(discretise(module, choices, collected))
        drive = np.random.default_rng(0).integers(0, 2, (CALIBRATION_TICKS, net.sizes[0]))
        observe(discrete, device, {"in": drive}, collected)
        if quantize := quantization_of(device):
            run_passes(parse_pipeline(quantize, available_passes()), NoptContext(diagnostics=collected), discrete)
        fits.append(fit(discrete, device))
    errors = [*collected.errors, *(one for fitted in fits for one in fitted.findings)]
    refusals = tuple(one for one in errors if one.severity is Severity.ERROR)
    repairs = tuple(name for fitted in fits for name in repaired_features(fitted))
    is_unknown = any(one.code is COR028 for one in refusals)
    status = "not checked" if is_unknown else "refused" if refusals else "by a fallback" if repairs else "served"
    words = f"two populations of {net.sizes[1]} and {net.sizes[2]} neurons"
    return FeatureResult(feature, words, status, () if refusals else repairs, refusals)


def quantization_of(device: Device) -> str:
    """Returns the pass that a user adds for a device of integers without a fallback for weights."""
    bits, synapse = device.whole("synapse.bits"), device.synapse
    is_served = synapse is None or "weight_bits" in device.fallbacks or any(one[0] == "f" for one in synapse.dtypes)
    return "" if bits is None or is_served else SHORTHANDS[0].text(bits)


def repaired_features(fitted: Fit) -> Iterator[str]:
    """Yields the features that fallbacks replaced, except number formats, which every device converts."""
    replaced = {one.path for one in fitted.findings if one.severity is Severity.REMARK}
    yield from (name for name, row in FEATURES.items() if row.field in replaced and name not in NUMBER_FORMATS)


def feature_findings(device: Device, results: Sequence[FeatureResult]) -> Iterator[Finding]:
    """Yields the declared features that are refused. Errors: DEV017."""
    seen = set[str]()
    for one in results:
        name = one.feature.partition(",")[0]
        if one.is_error and name not in seen:
            seen.add(name)
            cause = one.findings[0]
            yield Finding(
                DEV017,
                f"{device.key} declares {name}, and refuses a network with it",
                at=one.declared or "$",
                expected=f"a pipeline for {one.network}",
                found=f"{cause.code}: {cause.message}",
                help=f"remove {(one.declared or '').removeprefix('$.')}, or correct it",
                notes=(*cause.notes, *([str(cause.expected)] if cause.expected else [])),
            )
