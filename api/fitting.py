"""Whether a network fits on a device: everything that stands in its way at once, and the mapping where nothing does.

    network -> ntensor-legalize -> convert-ntensor-to-machine -> machine-place-vertices -> machine-route-edges

1. What the device lacks and names a repair for is repaired, and a remark says so (FIT001).
2. What it lacks without a repair is an error (FIT002); so is all that the plan, the conversion and the verifiers refuse. Each names the limit,
   where it is declared, the value that was found and what to change: the network, or the field of the device that would have to differ.
3. Limits that nobody has published are no limits; they are listed.
4. What fits is tight somewhere: the binding limit is the one that is used most, in proportion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

from attrs import evolve, field, frozen
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from ..core import pipeline, registry
from ..core.context import NoptContext
from ..core.device import Device, numbers
from ..core.diagnostics import Code, Diagnostics, ExitCode, Finding, Refused, Severity, described
from ..core.limits import CONTENTS, LIMITS, Contracts, added
from ..core.mesh import mesh_of
from ..core.named_device import name_device
from ..core.operation import shape_of
from ..dialects import machine, ntensor
from ..passes.legalize.ntensor_check_device import NCD003, NCD004
from ..passes.legalize.ntensor_check_device import findings as incapacities
from ..passes.legalize.ntensor_legalize import Legalization, NtensorLegalizePass
from ..passes.legalize.rules.choices import LGC001
from ..passes.legalize.rules.helpers import helpers_of
from ..passes.legalize.rules.misfits import CHECKS, LISTS, Fitting, Misfit
from ..passes.legalize.rules.retiming import LATENCY
from .execution import only_network
from .modules import available_passes

FIT001 = Code(
    "FIT001",
    "the network is changed to fit on the device",
    cause="The network asks for something that the device does not have, and the device names passes that do without. Where they lose "
    "something, the report of `nopt compile` says how much.",
    remedy="Nothing, or run another pass before, with `--passes`.",
)
FIT002 = Code(
    "FIT002",
    "the device cannot do what the network asks for",
    cause="The network needs something that the device does not have, and the device names no pass that does without.",
    remedy="Change the network as the message says, or take another device; a device file may name a pass under `fallbacks`.",
)

PASSES = "convert-ntensor-to-machine,machine-place-vertices{},machine-route-edges"
BRIEF, WHOLE = 0, None
"""Moves of the placement where only the answer counts, and where the mapping does."""
REPAIRS = {
    "plasticity": "ntensor-freeze-plasticity",
    "weight_bits": "ntensor-quantize-weights{{bits={limit}}}",
    "activation_bits": "ntensor-quantize-inputs{{kind=spike}}",
    "delay": "ntensor-relay-delays{{most={limit}}}",
    "fan_in": "ntensor-split-fan-in{{most={limit}}}",
    "latency": "ntensor-retime{{op-ticks={limit}}}",
    "fan_out": "ntensor-replicate-fan-out{{most={limit}}}",
}
"""The pass that does without a feature, where the device names none."""
NATURAL = ("weight_bits", "payload_bits")
"""Limits that legalisation fills to the brim, so that they say nothing of what is tight."""
SECTIONS = ("tick", "topology", "core", "synapse", "spike")
"""Sections of a device file that hold limits."""
PLACE = re.compile(r"[,:] ([a-z_]+(?:\.\w+)*)")
LEADING = re.compile(r"at (?:most|least) (\d+)")
CONSTRAINTS = "constraints"
OTHERS = "--target auto, which looks for a device that can"


@frozen
class Fit:
    """What is to be said about a network on a device."""

    target: str
    device: str
    fits: bool | None
    """None: it could not be looked at."""
    findings: tuple[Finding, ...] = ()
    cores: int | None = None
    neurons: int | None = None
    synapses: int | None = None
    limits_unchecked: tuple[str, ...] = ()
    binding_limit: dict[str, Any] | None = None
    steps: tuple[ModulePass, ...] = field(default=(), eq=False)
    """What ran, so that it can be repeated."""
    latency_ticks: Mapping[str, int] = field(factory=dict[str, int])

    def as_json(self) -> dict[str, Any]:
        """An entry of `targets` in `nopt.check/1`."""
        return {
            "target": self.target,
            "device": self.device,
            "fits": self.fits,
            "cores": self.cores,
            "neurons": self.neurons,
            "synapses": self.synapses,
            "limits_unchecked": list(self.limits_unchecked),
            "binding_limit": self.binding_limit,
        }


def fit(
    module: ModuleOp,
    device: Device,
    key: str,
    settings: Sequence[str] = (),
    *,
    hook: pipeline.Hook | None = None,
    moves: int | None = BRIEF,
) -> Fit:
    """Takes a module in `ntensor` as far towards the machine as it goes, in place, and says all that was found on the way.

    `key` and `settings` are how the module shall name the device: `TARGET/NAME` or the path of a file, and what was overridden. Nothing is
    raised.
    """
    if device.topology is None:
        return lowered(module, device, hook)
    found = Diagnostics()
    context = NoptContext(diagnostics=found)
    network = only_network(module)
    neurons = neurons_of(network)
    name_device(network, key, settings)
    legalize = NtensorLegalizePass(device=key, set=tuple(settings))
    standing = list(repairs(module, network, device, legalize, context, found))
    legalize = replace(legalize, skip=tuple(misfit.feature for misfit in standing if misfit.limit == 0))
    steps: list[ModulePass] = [legalize]
    original = network.clone()
    has_failed = not advance(steps, context, module, hook, found)
    current = original if has_failed else only_network(module)
    strangers = {finding.node: finding for finding in unserved(current, device)}
    for finding in (*strangers.values(), *incapacities(current, device)):
        is_said = finding.code is NCD004 and finding.node in strangers
        if not is_said and not (has_failed and finding.code in (NCD003, NCD004)):  # legalisation may repair these
            found.add(finding)
    left = standing if has_failed else misfits(module, current, device)
    if has_failed and any(
        one.code is FIT001 and one.source == f"{device.key}, neuron.updates" for one in found.findings
    ):
        left = [one for one in left if one.feature != "graded"]  # the device's neurons send what it can carry
    if has_failed and any(one.code.exit_code is ExitCode.MISUSED for one in found.errors):
        left += stranded(module, device, legalize, context, found)
    latency = latencies(current)
    graph = None
    if not has_failed:
        more = pipeline.parse(PASSES.format("" if moves is None else f"{{moves={moves}}}"), available_passes())
        ready = more[:1] if left or found.errors else more  # the conversion finds what is wrong with slices, too
        if advance(ready, context, module, hook, found):
            graph = next((op for op in module.ops if isinstance(op, machine.GraphOp)), None)
        steps += more
    known = {(finding.node, limit_of(finding)) for finding in found.errors}
    for misfit in left:
        if (misfit.node, misfit.path) not in known:
            found.add(lacking(misfit, device))
    findings = tuple(evolve(changed(one), target=device.target, device=device.key) for one in found.findings)
    errors = [one for one in findings if one.severity is Severity.ERROR]
    if graph is not None and not errors:
        uses = [*used(graph, device)]
        binding = max(uses, key=lambda one: one["used"] / max(1, one["value"]), default=None)
    else:
        graph, binding = None, tightest(errors)
    return Fit(
        target=device.target,
        device=device.key,
        fits=not errors,
        findings=findings,
        cores=None if graph is None else len({vertex.place for vertex in own_vertices(graph)}),
        neurons=neurons if graph is None else sum(vertex.neurons for vertex in own_vertices(graph)),
        synapses=None if graph is None else sum(needs_of(one).get("synapses", 0) for one in own_vertices(graph)),
        limits_unchecked=(*unpublished(device), *(undecided(graph, device) if graph is not None else ())),
        binding_limit=binding,
        steps=tuple(steps),
        latency_ticks=latency,
    )


def lowered(module: ModuleOp, device: Device, hook: pipeline.Hook | None) -> Fit:
    """A target without cores: its own passes refuse what it cannot do."""
    target = registry.targets()[device.target]()
    neurons, found, steps = neurons_of(only_network(module)), Diagnostics(), list[ModulePass]()
    if target.pipeline is not None:
        steps = pipeline.parse(target.pipeline(device), available_passes())
        advance(steps, NoptContext(diagnostics=found), module, hook, found)
    findings = tuple(evolve(one, target=device.target, device=device.key) for one in found.findings)
    fits = not any(one.severity is Severity.ERROR for one in findings) if target.pipeline is not None else None
    return Fit(device.target, device.key, fits, findings, neurons=neurons, steps=tuple(steps))


def advance(
    steps: Sequence[ModulePass], context: NoptContext, module: ModuleOp, hook: pipeline.Hook | None, found: Diagnostics
) -> bool:
    """Runs passes; whether none of them refused. Refusals become findings, also of options: these come from the device."""
    try:
        pipeline.run(steps, context, module, hook)
    except Refused as refusal:
        for finding in refusal.findings:
            found.add(finding)
        return False
    return True


# ---- misfits


def misfits(module: ModuleOp, network: ntensor.NetworkOp, device: Device) -> list[Misfit]:
    fitting = Fitting(module, network, device)
    return [misfit for check in CHECKS.values() if (misfit := check(fitting)) is not None]


def repairs(
    module: ModuleOp,
    network: ntensor.NetworkOp,
    device: Device,
    step: NtensorLegalizePass,
    context: NoptContext,
    found: Diagnostics,
) -> Iterator[Misfit]:
    """Says what is repaired, and gives what is not. Remarks: FIT001."""
    legalization = Legalization(context, module, 0, step)
    for misfit in misfits(module, network, device):
        text = legalization.fallback(misfit.feature)
        if not text or misfit.limit == 0:  # no pass makes nothing of something
            yield misfit
            continue
        found.remark(
            FIT001,
            f"{misfit.feature.replace('_', ' ')}: the network is changed to fit on {device.key}",
            at=misfit.at,
            node=misfit.node,
            expected=misfit.expected,
            found=misfit.found,
            source=source_of(misfit, device),
            notes=(f"by {text}",),
        )


def stranded(
    module: ModuleOp, device: Device, step: NtensorLegalizePass, context: NoptContext, found: Diagnostics
) -> Iterator[Misfit]:
    """Misfits whose repair refused the number of the device, as a fan-in of one is too few to add anything."""
    legalization = Legalization(context, module, 0, step)
    names = [(one.help or "").partition("{")[0] for one in found.errors if one.code.exit_code is ExitCode.MISUSED]
    for misfit in misfits(module, only_network(module), device):
        text = legalization.fallback(misfit.feature) or ""
        if any(name and name in text for name in names):
            yield evolve(misfit, limit=0)  # no pass takes its number


def source_of(misfit: Misfit, device: Device) -> str:
    return f"{device.key}, {misfit.path}" if misfit.path in LISTS else device.cite(misfit.path)


def lacking(misfit: Misfit, device: Device) -> Finding:
    """What no fallback of the device repairs. Errors: FIT002."""
    repair = REPAIRS.get(misfit.feature, "").format(limit=misfit.limit) if misfit.limit != 0 else ""
    return Finding(
        FIT002,
        f"{misfit.feature.replace('_', ' ')}: {device.key} cannot do this",
        at=misfit.at,
        node=misfit.node,
        expected=misfit.expected,
        found=misfit.found,
        source=source_of(misfit, device),
        help=f"--passes '{repair}'" if repair else OTHERS,
    )


def unserved(network: ntensor.NetworkOp, device: Device) -> Iterator[Finding]:
    """Populations of families that no neuron of the device serves. Errors: FIT002."""
    updates = device.neuron.updates if device.neuron is not None else {}
    families = sorted({family for one in updates.values() for family in one.families})
    added = helpers_of(network)  # NCD007 is about these
    for op in network.body.block.ops if updates else ():
        if (
            not isinstance(op, ntensor.NeuronOp)
            or op in added
            or op.update.root_reference.data.split(".")[0].rstrip("'") in updates
        ):
            continue
        family = op.family.data if op.family is not None else f"@{op.update.root_reference.data}"
        if family not in families:
            at, node = described(op)
            yield Finding(
                FIT002,
                f"update: {device.key} has no neuron for this population",
                at=at,
                node=node,
                expected=f"one of {', '.join(families)}",
                found=family,
                source=f"{device.key}, neuron.updates",
                help="--target auto finds a device that has one, or ntensor-convert-updates makes it another neuron",
            )


# ---- numbers


def limit_of(finding: Finding) -> str | None:
    """The field of the device that a finding is about."""
    match = PLACE.search(finding.source or "")
    return match[1] if match else None


def numbers_of(finding: Finding) -> tuple[int, int] | None:
    """The limit and the value that a finding names."""
    limit, value = LEADING.match(finding.expected or ""), re.match(r"\d+", finding.found or "")
    return (int(limit[1]), int(value[0])) if limit and value else None


def changed(finding: Finding) -> Finding:
    """An error, with something to do, and with the smallest change of the device under which it would not be there."""
    if finding.code is LGC001 and finding.help:
        finding = evolve(finding, help=f"--passes '{finding.help}'")
    if finding.severity is Severity.ERROR and not finding.help:
        finding = evolve(finding, help=OTHERS)
    path, both = limit_of(finding), numbers_of(finding)
    if finding.severity is not Severity.ERROR or path is None or both is None or "set=" in (finding.help or ""):
        return finding
    return evolve(finding, notes=(*finding.notes, f"a device would do with --set {path}={both[1]}"))


def tightest(errors: Iterable[Finding]) -> dict[str, Any] | None:
    """The limit that is exceeded most, in proportion; without numbers, the first that is named."""
    worst: dict[str, Any] | None = None
    for finding in errors:
        path, both = limit_of(finding), numbers_of(finding)
        if path is None:
            continue
        value, found = both if both is not None else (None, None)
        named = finding.expected if path == CONSTRAINTS else path
        entry = {"limit": named, "value": value, "used": found, "at": finding.at or None}
        if worst is None or over(entry) > over(worst):
            worst = entry
    return worst


def over(entry: Mapping[str, Any]) -> float:
    if entry["value"] is None:
        return 0.0
    low, high = sorted((entry["value"], entry["used"]))
    return high / max(1, low)


def own_vertices(graph: machine.GraphOp) -> list[machine.VertexOp]:
    """The vertices that take something of a core: those of populations."""
    inputs = graph.inputs
    return [vertex for vertex in graph.vertices.values() if vertex.source.data not in inputs]


def needs_of(vertex: machine.VertexOp) -> dict[str, int]:
    entries = dict(vertex.needs.data) if vertex.needs is not None else dict[str, Attribute]()
    return {name: n.value.data for name, n in entries.items() if isinstance(n, IntegerAttr)}


def used(graph: machine.GraphOp, device: Device) -> Iterator[dict[str, Any]]:
    """Every limit with the most that a core, or one vertex of it, takes of it."""
    cores: dict[int | None, list[machine.VertexOp]] = {}
    for vertex in own_vertices(graph):
        cores.setdefault(vertex.place, []).append(vertex)
    mesh = mesh_of(device, len(graph.vertices))
    yield {"limit": "topology.cores", "value": int(mesh.is_usable.sum()), "used": len(cores), "at": None}
    for core, vertices in cores.items():
        listed = [needs_of(vertex) for vertex in vertices]
        total = added(listed)
        most = {name: max(one.get(name, 0) for one in listed) for name in {name for one in listed for name in one}}
        for name, path in limits(device):
            need = sum(total.get(part, most.get(part, 0)) for part in name.split("+"))
            limit = device.whole(path)
            if limit is not None and need:
                yield {"limit": path, "value": limit, "used": need, "at": f"core {core}"}


def limits(device: Device) -> Iterator[tuple[str, str]]:
    """Needs, with plus signs between those that are counted together, and the field that limits each."""
    yield from ((need, path) for need, path in LIMITS.items() if need not in NATURAL)
    if device.core is None:
        return
    yield from ((f"classes.{name}", f"core.shared.{name}.classes") for name in device.core.shared)
    yield "+".join(CONTENTS), "core.memory_bytes"
    for name, region in device.core.memory.items():
        held = [need for need, contents in CONTENTS.items() if {*contents} & {*region.holds}]
        if held:
            yield "+".join(held), f"core.memory.{name}.bytes"


def unpublished(device: Device) -> Iterator[str]:
    """Limits that a device has a place for and no number."""
    for path, quantity, _ in numbers(device):
        if path.partition(".")[0] in SECTIONS and quantity is not None and quantity.value is None:
            yield path


def undecided(graph: machine.GraphOp, device: Device) -> list[str]:
    """Contracts that depend on a number that nobody has published, or that is not counted."""
    contracts = Contracts(device)
    listed = [needs_of(vertex) for vertex in own_vertices(graph)]
    return [
        str(contract)
        for _, contract in contracts.parsed
        if any(contract.holds({**contracts.values, **needs}) is None for needs in listed)
    ]


def neurons_of(network: ntensor.NetworkOp) -> int:
    return sum(prod(shape_of(op.z)) for op in network.body.block.ops if isinstance(op, ntensor.NeuronOp))


def latencies(network: Operation) -> dict[str, int]:
    """How many ticks later each output leaves, as legalisation has left it."""
    held = network.attributes.get(LATENCY)
    entries = dict(held.data) if isinstance(held, DictionaryAttr) else dict[str, Attribute]()
    return {name: entry.value.data for name, entry in entries.items() if isinstance(entry, IntegerAttr)}
