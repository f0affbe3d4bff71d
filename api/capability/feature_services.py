"""Choice of a device by network features: devices that serve a feature, devices that replace it with passes, and devices that refuse it.

| feature | from |
| --- | --- |
| families, real inputs, delays, biases, fan-in, fan-out, recurrence | small networks on the device (`device_features.py`) |
| graded spikes, counts | `spike.kinds` |
| plasticity | `plasticity`, and the fallback that removes it |
| weights of N bits | `synapse.bits` |

A pipeline variant of a feature is the device's fallback for it, or exact passes that must be typed: they run before the passes of the target. The states of
networks are those of `nopt check --approximate all`, as in the table of ops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, get_args

from attrs import frozen

from ...core.device.device import Device, Quantity
from ...core.device.features import FEATURES
from ...core.device.records import Feature
from ...core.number_texts import counted_text
from ...core.progress import Progress, part_progress, report_part, require_progress
from ...passes.pipelines import default_repair, named_repair
from ..budgets import MaxTime, with_max_time
from ..devices.device_files import device_columns
from ..json_record import Record
from .device_features import FeatureResult, feature_results
from .tables import Link, Table, no_link

FeatureService = Literal["served", "by passes", "approximated", "refused", "not checked"]
COLUMNS_OF_SERVICE: Mapping[FeatureService, str] = {
    "served": "served by",
    "by passes": "served with passes by",
    "approximated": "served with approximations by",
    "refused": "refused by",
    "not checked": "not checked for",
}
SERVICES: Mapping[str, FeatureService] = {
    "served": "served",
    "by a fallback": "by passes",
    "by passes": "by passes",
    "with approximations": "approximated",
    "refused": "refused",
    "not checked": "not checked",
}
"""The service by the status of a feature."""
SIGNAL_FEATURES: Mapping[Literal["graded", "count"], str] = {"graded": "graded spikes", "count": "counts of spikes"}
LISTED_BITS = (1, 2, 4, 8, 16)


@frozen
class FeatureChoice(Record):
    """One feature of networks on one device."""

    feature: str
    device: str
    service: FeatureService
    passes: str
    """The pipeline variant: the passes of the fallbacks that replace the feature, and exact passes that must be typed."""
    approximations: tuple[str, ...]
    """Names of approximations that must be permitted."""
    reason: str

    @property
    def target(self) -> str:
        """Returns the slug of the target."""
        return self.device.partition("/")[0]


@with_max_time
def feature_choices(
    target: str | None = None, *, feature: str | None = None, progress: Progress | None = None, max_time: MaxTime = None
) -> list[FeatureChoice]:
    """Returns the service of each network feature by all devices, by the devices of a target, or by one device.

        [one.device for one in nopt.feature_choices("asic", feature="recurrence") if one.service == "served"]

    Each device takes about a second, because networks are compiled. Errors: API021, DEV005.
    """
    require_progress(progress)
    found, devices = list[FeatureChoice](), device_columns(target)
    for done, device in enumerate(devices):
        step = part_progress(progress, done, len(devices))
        found += [one for one in choices_for(device, step, feature) if feature in (None, one.feature)]
        report_part(progress, done + 1, len(devices))
    return found


def choices_for(
    device: Device, progress: Progress | None = None, feature: str | None = None
) -> Iterator[FeatureChoice]:
    """Yields the features on one device. `feature` restricts the features of networks to one; all others are always included."""
    for result in feature_results(device, progress, feature):
        yield of_network(device, result)
    yield from of_signals(device)
    yield of_plasticity(device)
    yield from of_bits(device)


def of_network(device: Device, result: FeatureResult) -> FeatureChoice:
    """Returns the feature of a small network."""
    named = [*(passes_for(device, name) for name in result.fallbacks), ",".join(result.passes)]
    passes = "; ".join(dict.fromkeys(filter(None, named)))
    reason = f"{result.findings[0].code}: {result.findings[0].message}" if result.findings else result.network
    return FeatureChoice(result.feature, device.key, SERVICES[result.status], passes, result.approximations, reason)


def passes_for(device: Device, name: str) -> str:
    """Returns the passes that replace a feature: the passes that the device names, else the default passes."""
    known: Feature = next(one for one in get_args(Feature) if one == name)
    entry = device.entry(FEATURES[known].field)
    limit = device.integer(FEATURES[known].field) if isinstance(entry, Quantity) else None
    return named_repair(device, known) or default_repair(known, limit, device) or ""


def of_signals(device: Device) -> Iterator[FeatureChoice]:
    """Yields the signal kinds except one-bit spikes."""
    for kind, feature in SIGNAL_FEATURES.items():
        known = device.spike_kinds
        service: FeatureService = "served" if kind in known else "refused" if known else "not checked"
        reason = f"spike.kinds: {', '.join(sorted(known))}" if known else "the device file declares no kinds of spikes"
        yield FeatureChoice(feature, device.key, service, "", (), reason)


def of_plasticity(device: Device) -> FeatureChoice:
    """Returns whether weights can change during a run."""
    rules, fallback = device.plasticity, device.fallbacks.get("plasticity")
    if rules:
        places = dict.fromkeys(f"{one.rule} on the {one.where}" for one in rules.values())
        return FeatureChoice("plasticity", device.key, "served", "", (), ", ".join(places))
    if fallback is not None:
        return FeatureChoice(
            "plasticity", device.key, "by passes", fallback.passes, (), "the weights keep their values"
        )
    service: FeatureService = "refused" if rules is not None else "not checked"
    return FeatureChoice("plasticity", device.key, service, "", (), "plasticity: none")


def of_bits(device: Device) -> Iterator[FeatureChoice]:
    """Yields whether weights of some bits are stored without a change."""
    most, fallback = device.integer("synapse.bits"), device.fallbacks.get("weight_bits")
    for bits in LISTED_BITS:
        feature = f"weights of {counted_text(bits, 'bit')}"
        if most is None:
            yield FeatureChoice(feature, device.key, "not checked", "", (), "synapse.bits is not declared")
        elif bits <= most:
            yield FeatureChoice(feature, device.key, "served", "", (), f"synapse.bits: {most}")
        else:
            passes = "" if fallback is None else fallback.passes
            yield FeatureChoice(
                feature, device.key, "by passes" if passes else "refused", passes, (), f"synapse.bits: {most}"
            )


# ---- tables


def feature_table(choices: Sequence[FeatureChoice], link: Link = no_link) -> Table:
    """Returns the table of the devices by service; a target name represents all its devices."""
    devices = list(dict.fromkeys(one.device for one in choices))
    rows: list[tuple[str, ...]] = []
    for feature in dict.fromkeys(one.feature for one in choices):
        own = [one for one in choices if one.feature == feature]
        cells = (", ".join(device_names(own, service, devices, link)) for service in COLUMNS_OF_SERVICE)
        rows.append((feature, *cells))
    return Table("features", ("feature", *COLUMNS_OF_SERVICE.values()), tuple(rows))


def device_names(
    choices: Sequence[FeatureChoice], service: FeatureService, devices: Iterable[str], link: Link
) -> Iterator[str]:
    """Yields the devices with a service, with the passes or the code of a refusal."""
    for slug in dict.fromkeys(one.target for one in choices):
        own = [one for one in choices if one.target == slug and one.service == service]
        known = [key for key in devices if key.partition("/")[0] == slug]
        groups: dict[str, list[str]] = {}
        for one in own:
            code = one.reason.partition(":")[0] if service == "refused" and one.reason[6:7] == ":" else ""
            needed = f"`{one.passes}`" if one.passes else ", ".join(one.approximations)
            groups.setdefault(needed or code, []).append(one.device)
        for note, keys in groups.items():
            shown = [link(key, f"targets/{key.partition('/')[0]}.md") for key in keys]
            text = f"all of {slug}" if len(keys) == len(known) > 1 else ", ".join(shown)
            yield f"{text} ({note})" if note else text
