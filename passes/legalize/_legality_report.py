"""Examination of a network and a device before and after `ntensor-legalize`.

1. A feature that the device lacks is repaired if the device names a repair. A remark reports it (LEG015): before the pass, or after it where
   only the slices of populations show the feature, and the repair is recorded as an approximation.
2. A missing feature without a repair is an error (LEG016, or DEV016 for an exceeded number), unless another error names the same field for the same node.
3. A feature with the limit zero is skipped unless the device names passes for it: other passes cannot reduce it to nothing.
4. A network that the pass refuses is examined in its state before the pass.
5. A readout that moves to the host is not examined.

Errors: LEG016, DEV016, LEG064, LEG065, LEG066, LEG067, LEG068, LEG069, LEG070. Remarks: LEG015.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from attrs import evolve
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.passes import ModulePass

from ...analysis.rate_windows import rate_windows
from ...core import registry
from ...core.device.features import FEATURES
from ...core.device.limits import DEV016, OTHER_DEVICE, excess_text, words_of
from ...core.device.records import Device, Feature
from ...core.diagnostics import Code, Diagnostics, ExitCode, Finding, describe_op, finding_about
from ...core.help_text import Passes, PassesOption, Phrase
from ...core.ir.graph_region import walk_upstream
from ...core.ir.operation import element_type
from ...core.ir.pipeline import parse_pipeline
from ...dialects import ntensor
from ...dialects.ntensor.network import networks
from ...dialects.ntensor.readout import on_chip
from ..pipelines import CLAMP, default_repair, fan_in_help, with_limit
from ._device_violations import CHECKS, FEATURES_OF_SLICES, DeviceNetwork, Violation
from .ntensor_check_device import LEG065, LEG066
from .ntensor_check_device import findings as incapacities
from .rates._count_layers import COUNTED, becomes_layers, layers_remedy, loop_note
from .relays._helper_neurons import helpers_of
from .updates._neuron_files import LEG025, family_remedy

LEG015 = Code("LEG015", "network-changed-to-fit", "the network is changed to fit on the device")
LEG016 = Code("LEG016", "feature-unsupported-by-device", "the device cannot do what the network asks for")


OTHER_NEURON = "ntensor-set-neuron-model makes it another neuron"
RATES = "nopt import with --spikes rates and --calib makes a network of spikes of an ONNX model"


class LegalizeExamination:
    """The examination of the first network of a module: `fallback` returns the passes that repair a feature, `keep` the pass that leaves some features.

    `original` is the network before the pass, in which the ops of a readout are marked if they move to the host.
    """

    def __init__(
        self,
        module: ModuleOp,
        device: Device,
        fallback: Callable[[Feature], str | None],
        keep: Callable[[Sequence[str]], ModulePass],
        found: Diagnostics,
        original: ntensor.NetworkOp,
    ):
        self.module, self.device, self.fallback, self.found = module, device, fallback, found
        self.original = on_chip(original)  # 5
        self.counters = {window.count.node.data for window in rate_windows(self.original)}  # LEG004 is about these
        self.left = [violation for violation in self.repairs() if violation.node not in self.counters]
        kept = tuple(violation.feature for violation in self.left if violation.limit == 0)
        self.step = keep(kept)
        rules = [rule.clone() for rule in ntensor.find_rules(original.parent_op()).values()]
        self.original = self.original.clone()
        ModuleOp([*rules, self.original])  # checks look the learning rules up in it

    @property
    def network(self) -> ntensor.NetworkOp:
        return next(iter(networks(self.module)))

    def repairs(self) -> Iterator[Violation]:
        """Reports violations that a pass can repair, and yields all other violations. Remarks: LEG015."""  # 1
        strangers = {finding.node for finding in unserved(self.original, self.device, self.counters)}
        for violation in find_violations(self.original, self.device):
            text = self.fallback(violation.feature)
            is_named = violation.feature in self.device.fallbacks
            if not text or (violation.limit == 0 and not is_named):  # 3
                yield violation
            elif violation.feature != "update" or violation.node not in strangers:
                self.report(violation, with_limit(text, violation.feature, violation.limit, self.device))

    def report(self, violation: Violation, text: str) -> None:
        """Reports a repair by passes. Remarks: LEG015."""
        self.found.remark(
            LEG015,
            f"{words_of(violation.feature)} changed to fit on {self.device.key}",
            **violation.fields(self.device),
            step=text,
            notes=(f"by {text}",),
        )

    def report_later(self) -> None:
        """Reports approximations by repairs of features that only slices show. Remarks: LEG015."""
        before = set(self.original.approximations or ())
        recorded = [one for one in self.network.approximations or () if one not in before]
        subject = DeviceNetwork(on_chip(self.network), self.device)
        nodes = {describe_op(op)[1]: op for op in subject.ops}
        for feature in FEATURES_OF_SLICES:
            repair = parse_pipeline(self.fallback(feature) or "", registry.passes())
            passes = {step.name for step in repair}
            for one in recorded:
                at = next((nodes[name.data] for name in one.touched if name.data in nodes), self.network)
                if one.step.data.partition("{")[0] in passes:
                    limit = self.device.integer(FEATURES[feature].field)
                    expected = f"at most {limit} {words_of(feature)}"
                    self.report(subject.violation(feature, at, expected, one.what.data, None, limit), one.step.data)

    def conclude(self, is_done: bool) -> None:
        """Adds the features that the device does not support for the current network."""
        device, found = self.device, self.found
        current = on_chip(self.network) if is_done else self.original  # 4
        strangers = {finding.node: finding for finding in unserved(current, device, self.counters)}
        found.discard(lambda one: one.code is LEG025 and one.node in strangers)
        for finding in (*strangers.values(), *incapacities(current, device)):
            is_said = finding.code is LEG066 and finding.node in strangers
            if not is_said and (is_done or finding.code not in (LEG065, LEG066)):  # legalisation may repair these
                found.add(finding)
        if is_done:
            self.report_later()
            self.left = find_violations(current, device)
            return
        if strangers or any(one.code is LEG015 and one.path == "neuron.updates" for one in found.findings):
            # its neurons send spikes that it can carry
            self.left = [one for one in self.left if one.feature != "graded"]
        if any(one.code.exit_code is ExitCode.MISUSED for one in found.errors):
            self.left += self.failed_repairs()

    def failed_repairs(self) -> Iterator[Violation]:
        """Yields violations whose repair refused the device's limit, such as a fan-in limit of 1, with which no sum can be split."""
        refused = {one.step for one in self.found.errors if one.code.exit_code is ExitCode.MISUSED}
        for violation in find_violations(on_chip(self.network), self.device):
            repair = parse_pipeline(self.fallback(violation.feature) or "", registry.passes())
            if any(step.name in refused for step in repair):
                yield evolve(violation, limit=0)  # no pass takes its number

    def missing(self) -> list[Finding]:
        """Returns errors for violations without a fallback of the device. Errors: LEG016, DEV016."""  # 2
        return [unsupported(violation, self.device, self.original) for violation in self.left]


def find_violations(network: ntensor.NetworkOp, device: Device) -> list[Violation]:
    """Returns the violations of a device by a network."""
    subject = DeviceNetwork(network, device)
    return [violation for check in CHECKS.values() if (violation := check(subject)) is not None]


def unsupported(violation: Violation, device: Device, network: ntensor.NetworkOp) -> Finding:
    """Returns the error for a violation without a fallback of the device. Errors: LEG016, DEV016."""
    repair = default_repair(violation.feature, violation.limit, device) if violation.limit != 0 else None
    shorter = (
        (", or ", PassesOption(CLAMP.format(violation.limit)))
        if violation.feature == "delay" and violation.limit
        else ()
    )
    notes: tuple[str, ...] = ()
    if violation.feature in ("recurrence", "delay") and COUNTED in families_of(device) and becomes_layers(network):
        remedy = layers_remedy(network, device)
        repair = remedy and remedy[0]
        notes = (note,) if (note := loop_note(network, families_of(device))) and not remedy else ()
    elif violation.feature == "recurrence" and (reason := device.quantity("features.recurrence")) and reason.note:
        notes = (reason.note,)
    has_pool = violation.feature == "fan_in" and reads_pool(violation.node, network)
    value, limit = violation.value, violation.limit
    is_excess = value is not None and limit is not None and value > limit
    return Finding(
        DEV016 if is_excess else LEG016,
        excess_text(violation.feature, value, limit)
        if is_excess
        else f"{words_of(violation.feature)}: {device.key} does not support this",
        **violation.fields(device),
        help=Phrase(as_options(fan_in_help(device, repair, has_pool=has_pool)), *shorter) if repair else OTHER_DEVICE,
        notes=notes,
    )


def reads_pool(node: str | None, network: ntensor.NetworkOp) -> bool:
    """Returns whether a population reads spikes through a pool."""
    xs = [x for neuron in network.populations if neuron.node.data == node for x in neuron.xs]
    values = walk_upstream(xs, lambda op: not isinstance(op, ntensor.NeuronOp))
    return any(isinstance(value.owner, ntensor.PoolOp) for value in values)


def families_of(device: Device) -> list[str]:
    """Returns the families that the neurons of a device serve."""
    return sorted({family for one in device.updates.values() for family in one.families})


def unserved(network: ntensor.NetworkOp, device: Device, counters: Collection[str]) -> Iterator[Finding]:
    """Yields errors for populations of families that no neuron of the device serves, except for `counters`. Errors: LEG016."""
    updates = device.updates
    families = families_of(device)
    added = helpers_of(network)  # LEG069 is about these
    is_looped = CHECKS["recurrence"](DeviceNetwork(network, device)) is not None  # another neuron would not help
    for op in network.populations if updates else ():
        if op in added or op.node.data in counters or op.update_name.split(".")[0].rstrip("'") in updates:
            continue
        family = op.family.data if op.family is not None else f"@{op.update_name}"
        if family not in families:
            remedy = None if is_looped and COUNTED not in families else family_remedy(op, family, families, device)
            yield finding_about(
                op,
                LEG016,
                f"update: {device.key} has no neuron for this population",
                expected=f"one of {', '.join(families)}",
                found=family,
                **device.limit_facts("neuron.updates"),
                help=as_options(remedy[0]) if remedy else OTHER_DEVICE,
                notes=(
                    *(f"{name}: {one.note}" for name, one in updates.items() if one.families and one.note),
                    remedy[1]
                    if remedy
                    else loop_note(network, families) or (RATES if has_values(op) else OTHER_NEURON),
                ),
            )


def has_values(op: ntensor.NeuronOp) -> bool:
    """Returns whether a population computes values of the same tick, as those of an ONNX model do, instead of spikes."""
    return not op.initial.data and element_type(op.z) != i1


def as_options(help: Phrase) -> Phrase:
    """Returns a help whose passes are options of a verb."""
    return Phrase(*(PassesOption(part.text) if isinstance(part, Passes) else part for part in help.parts))
