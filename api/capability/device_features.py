"""Test of a device's features: small networks, each with one feature, are compiled with the device's fallbacks and its target's pipeline.

| feature | network | declared by |
| --- | --- | --- |
| a family and a reset rule | two populations of the family | `neuron.updates`, if no rule is served |
| a family that emits values | one population of it after one that spikes, as a readout is | `neuron.updates` |
| real inputs | reals instead of spikes | the fallback `activation_bits` |
| no delay | connections of 0 ticks, if the device has a shortest delay | the fallback `latency` |
| bias | layers with biases | nothing |
| delay, long delay | one of the longest delay, and one beyond it | `synapse.delay.max`, and the fallback `delay` |
| wide fan-in | one synapse more than a neuron or a core takes | the fallback `fan_in` |
| wide fan-out | one target core more than a neuron has | the fallback `fan_out` |
| recurrence | a population with synapses to itself | `features.recurrence` |

The networks are compiled as those of `op_support.py` are, with the approximations and the exact passes that they need. A feature that the device does not
declare may be refused. The refusal of a declared feature is an error, unless only room is missing, or the family of the network needs approximations. Networks for the features after the families use the
first family and rule of those that are served best. Their connections have the shortest delay of the device, so that each
network has one feature.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from attrs import evolve, frozen
from xdsl.dialects.builtin import f32

from ...core import registry
from ...core.device.device import Device
from ...core.device.features import FEATURES
from ...core.device.records import Feature
from ...core.diagnostics import Code, Diagnostics, Finding, Severity
from ...core.progress import Progress, doing, report_part
from ...core.template_stub import COR028
from ..compiling.device_fit import Fit, passes_of_help
from ..compiling.target_pipelines import steps_of
from .probe_networks import (
    PROBED_FAMILIES,
    Layers,
    added_passes,
    families_of,
    in_ticks,
    is_room,
    rules_of,
    tick_of,
    try_network,
)

DEV017 = Code("DEV017", "declared-feature-refused", "a feature that the device declares is refused")

MOST_INPUTS, MOST_TARGETS = 8192, 16384
"""Upper bounds on the sizes of the networks, for devices with larger limits."""
UNLIMITED_INPUTS, UNLIMITED_CORES, UNLIMITED_NEURONS = 1024, 4, 64
"""Sizes for limits that a device does not declare."""
CACHED_RESULTS = 64
"""Devices whose results are kept."""
APPROXIMATED = "with approximations"
SERVED = ("served", "by a fallback", "by passes", APPROXIMATED)
"""The states of a feature that a network can have, the best first."""
NUMBER_FORMATS: tuple[Feature, ...] = ("weight_bits", "update", "parameters")
"""Number formats, which the pipeline of every device with integers converts."""


@frozen
class FeatureResult:
    """One feature on a device."""

    feature: str
    network: str
    """The network, in words."""
    status: str
    """`served`, `by a fallback`, `by passes`, `with approximations`, `refused` or `not checked`."""
    fallbacks: tuple[str, ...] = ()
    """Features of the network that fallbacks replace."""
    passes: tuple[str, ...] = ()
    """Exact passes that must be typed."""
    approximations: tuple[str, ...] = ()
    """Names of approximations that must be permitted."""
    findings: tuple[Finding, ...] = ()
    """The refusals."""
    without_effect: tuple[Finding, ...] = ()
    """The findings about fallbacks that repair nothing, even if typed passes or approximations replace them."""
    declared: str | None = None
    """JSON path of the declaration; None if the device does not declare the feature."""

    @property
    def result(self) -> str:
        """Returns status and reason in one line."""
        if self.findings:
            return f"{self.status}: {self.findings[0].code}, {self.findings[0].message}"
        reason = ", ".join(self.approximations or self.passes or self.fallbacks)
        return f"{self.status}: {reason}" if reason else self.status

    @property
    def is_error(self) -> bool:
        """Whether the fallback of the feature has no effect, or a declared feature is refused: not for room, and some fallback has no effect or the help names no passes."""
        others = [one for one in self.findings if not is_room(one)]
        is_final = any(one in self.without_effect for one in others) or not all(map(passes_of_help, others))
        return self.failed is not None or (self.declared is not None and self.status == "refused" and is_final)

    @property
    def failed(self) -> Finding | None:
        """Returns the finding about the declared fallback, if it has no effect."""
        fields = {row.field for name, row in FEATURES.items() if self.declared == f"$.fallbacks.{name}"}
        return next((one for one in self.without_effect if one.path in fields), None)

    def as_json(self) -> dict[str, Any]:
        return {
            "feature": self.feature,
            "network": self.network,
            "status": self.status,
            "fallbacks": list(self.fallbacks),
            "passes": list(self.passes),
            "approximations": list(self.approximations),
            "code": str(self.findings[0].code) if self.findings else None,
            "message": self.findings[0].message if self.findings else None,
        }


# ---- features


@frozen
class Probe:
    """A feature with its network."""

    feature: str
    words: str
    change: dict[str, Any]
    """Fields of `Layers`."""
    declared: str | None = None


def probes_of(device: Device) -> Iterator[Probe]:
    """Yields the features that are tested after the families. Features without meaning on the device are left out."""

    def fallback(name: str) -> str | None:
        return f"$.fallbacks.{name}" if name in device.fallbacks else None

    least, longest = device.integer("synapse.delay.min") or 0, device.integer("synapse.delay.max")
    yield Probe("real inputs", "reals instead of spikes", {"input_type": f32}, fallback("activation_bits"))
    if least:
        yield Probe("no delay", "connections of 0 ticks", {"ticks": 0}, fallback("latency"))
    yield Probe("bias", "layers with biases", {"bias": 0.5})
    if longest is None or longest > least:
        ticks = longest if longest is not None else least + 3
        declared = None if longest is None else "$.synapse.delay.max"
        yield Probe("delay", f"a delay of {ticks} ticks", {"late": ticks - least}, declared)
    if longest is not None:
        more = max(longest - least, 0) + 1
        words = f"a delay of {least + more} ticks"
        yield Probe("long delay", words, {"late": more}, fallback("delay"))
    limits = [one for one in (device.integer("core.fan_in"), device.integer("core.input_axons")) if one]
    inputs = min(min(limits) + 1 if limits else UNLIMITED_INPUTS, MOST_INPUTS)
    yield Probe(
        "wide fan-in",
        f"{inputs} inputs of a neuron",
        {"sizes": (inputs, 2, 2), "small": small_weight(device)},
        fallback("fan_in"),
    )
    neurons, cores = device.integer("core.neurons") or UNLIMITED_NEURONS, device.integer("topology.cores")
    reached = (device.integer("core.fan_out") or UNLIMITED_CORES - 1) + 1
    reached = max(min(reached, (cores or reached * 2) // 2), 1)
    targets = min(reached * neurons, MOST_TARGETS)
    yield Probe(
        "wide fan-out",
        f"a neuron with {targets} targets",
        {"sizes": (1, 1, targets)},
        fallback("fan_out"),
    )
    recurrence = device.features.get("recurrence")
    declared = "$.features.recurrence" if recurrence is not None and recurrence.value else None
    words = "a population with synapses to itself"
    yield Probe("recurrence", words, {"is_recurrent": True}, declared)


def small_weight(device: Device) -> float:
    """Returns a weight that quantises to 1 or 2 if a weight of 1 quantises to the largest integer of the device; 1 if none exists."""
    bits = device.integer("synapse.bits")
    return 1 / 64 if bits is None else 1.5 / (2 ** (min(bits, 16) - 1) - 1) if bits > 2 else 1


def feature_results(
    device: Device, progress: Progress | None = None, feature: str | None = None
) -> list[FeatureResult]:
    """Returns the service of each feature by a device, or of one feature; an empty list for a target without a pipeline.

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
    """Returns the cached list of a device's results, which the caller fills. It is empty before the results are computed."""
    del key, digest
    return []


registry.CACHED.append(cached_results)


def computed_results(
    device: Device, progress: Progress | None = None, feature: str | None = None
) -> list[FeatureResult]:
    """Computes the service of each feature by a device. With `feature`, only this feature and the families that its network needs are computed."""
    if not steps_of(device):
        return []
    results, works = list[FeatureResult](), list[tuple[int, Layers, str]]()
    least = device.integer("synapse.delay.min") or 0
    families, probes = sorted(families_of(device).items(), key=is_of_values), list(probes_of(device))
    wanted = (feature or "").partition(", ")[0]  # before the reset
    if feature is not None:
        probes = [probe for probe in probes if probe.feature == feature]
        is_readout = any(is_of_values(one) for one in families if one[0] == wanted)
        families = [one for one in families if one[0] == wanted or (not is_of_values(one) and (probes or is_readout))]
    all = len(families) + len(probes)
    for number, (family, declared) in enumerate(families):
        report_part(progress, number, all)
        if feature is not None and family != wanted and any(order == 0 for order, *_ in works):
            continue
        if family not in PROBED_FAMILIES:
            results.append(FeatureResult(family, "a family that is not in NIR", "not checked"))
            continue
        net, rules = Layers(family, ticks=least), rules_of(family)
        if works and is_of_values((family, declared)):
            _, first, rule = min(works, key=lambda one: one[0])
            net, rules = evolve(net, before=first.family), (rule,)
        with doing(f"family {family} on {device.key}", number + 1, all):
            found = [result_of(device, net, rule, name_of(family, rule)) for rule in rules]
        pairs = zip(rules, found, strict=True)
        served = [(SERVED.index(one.status), net, rule) for rule, one in pairs if one.status in SERVED]
        results += [evolve(one, declared=None if served else declared) for one in found]
        if not is_of_values((family, declared)):
            works += served
    for number, probe in enumerate(probes, len(families)):
        report_part(progress, number, all)
        if not works:
            results.append(FeatureResult(probe.feature, probe.words, "not checked"))
            continue
        order, net, rule = min(works, key=lambda one: one[0])
        declared = None if SERVED[order] == APPROXIMATED else probe.declared
        with doing(f"feature {probe.feature} on {device.key}", number + 1, all):
            found = result_of(device, evolve(net, **probe.change), rule, probe.feature)
        results.append(evolve(found, network=probe.words, declared=declared))
    return results


def is_of_values(family: tuple[str, str | None]) -> bool:
    """Returns whether a family, which has a declaration, emits values: a readout, which reads a population of spikes."""
    return family[0] in PROBED_FAMILIES and not PROBED_FAMILIES[family[0]][0].SPIKES


def name_of(family: str, rule: str) -> str:
    """Returns the feature of a family; its reset rule is left out if its neurons do not reset."""
    return f"{family}, reset {rule}" if rules_of(family) != ("",) else family


def result_of(device: Device, net: Layers, reset: str, feature: str) -> FeatureResult:
    """Runs one network through the pipeline of a device, with the approximations and passes that it needs."""
    from ...passes.legalize.ntensor_legalize import LEG001

    found, words = Diagnostics(), f"two populations of {net.sizes[1]} and {net.sizes[2]} neurons"
    fits = list[Fit]()
    with found.collecting():
        fits += [one.fit for one in try_network(device, in_ticks(device, net.module(tick_of(device)), reset))]
    refusals = tuple(fits[-1].errors if fits else found.errors)
    idle = tuple(one for fitted in fits for one in fitted.errors if one.code is LEG001)
    if refusals:
        is_unknown = any(one.code is COR028 for one in refusals)
        status = "not checked" if is_unknown else "refused"
        return FeatureResult(feature, words, status, findings=refusals, without_effect=idle)
    fitted = fits[-1]
    if fitted.approximations:
        names = fitted.approximations
        return FeatureResult(feature, words, APPROXIMATED, approximations=names, without_effect=idle)
    replaced, passes = tuple(repaired_features(fitted)), added_passes(device, fitted)
    status = "by passes" if passes else "by a fallback" if replaced else "served"
    return FeatureResult(feature, words, status, replaced, passes, without_effect=idle)


def repaired_features(fitted: Fit) -> Iterator[str]:
    """Yields the features that fallbacks replaced, except number formats, which every device converts."""
    formats = {FEATURES[name].field for name in NUMBER_FORMATS}
    replaced = {one.path for one in fitted.findings if one.severity is Severity.REMARK} - formats
    yield from (name for name, row in FEATURES.items() if row.field in replaced)


def feature_findings(device: Device, results: Sequence[FeatureResult]) -> Iterator[Finding]:
    """Yields the declared features that are refused. Errors: DEV017."""
    seen = set[str]()
    for one in results:
        name = one.feature.partition(",")[0]
        if one.is_error and name not in seen:
            seen.add(name)
            cause = one.failed or one.findings[0]
            yield Finding(
                DEV017,
                f"{device.key} declares {name}, and refuses a network with it",
                at=one.declared or "$",
                expected=f"a pipeline for {one.network}",
                found=f"{cause.code}: {cause.message}",
                help=f"remove {(one.declared or '').removeprefix('$.')}, or correct it",
                notes=(*cause.notes, *([str(cause.expected)] if cause.expected else [])),
            )
