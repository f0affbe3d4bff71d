"""Whether a network fits on a device: everything that prevents it at once, and the result of the target's pipeline where nothing does.

1. What the device lacks and names a repair for is repaired, and a remark says so (FIT001).
2. What it lacks without a repair is an error (FIT002); so is all that the passes of the target and the verifiers refuse. Each names the limit,
   where it is declared, the value that was found and what to change: the network, or the field of the device that would have to differ.
3. Limits that nobody has published are no limits; they are listed.
4. What fits is tight somewhere: the binding limit is the one that is used most, in proportion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import prod
from typing import Any

from attrs import evolve, field, frozen
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from ..analysis.latency import output_latencies
from ..core.device.device import Device, numbers
from ..core.device.features import LIMITS
from ..core.device.limits import CONSTRAINTS, CONTENTS, OTHER_DEVICE, Contracts, added
from ..core.device.mesh import mesh_of
from ..core.diagnostics import Diagnostics, Finding, Refused, Severity
from ..core.ir import pipeline
from ..core.ir.context import NoptContext
from ..core.ir.operation import shape_of
from ..core.phrases import Option, Passes, Phrase
from ..dialects import machine, ntensor
from .execution import only_network
from .exits import DISCRETE, steps_of

NATURAL = ("weight_bits", "payload_bits")
"""Limits that legalisation fills to the brim, so that they say nothing of what is tight."""
SECTIONS = ("tick", "topology", "core", "synapse", "spike")
"""Sections of a device file that hold limits."""


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
    reached: Mapping[str, ModuleOp] = field(factory=dict[str, ModuleOp], eq=False, repr=False)
    """The last module of each level that the passes arrived at."""

    @property
    def network(self) -> ModuleOp | None:
        """The discretised network as the target runs it; None where the passes left it as it was."""
        return next(
            (module for module in reversed(list(self.reached.values())) if has(module, ntensor.NetworkOp)), None
        )

    @property
    def graph(self) -> ModuleOp | None:
        """The module with the machine graph; None where there is none."""
        return next((module for module in reversed(list(self.reached.values())) if has(module, machine.GraphOp)), None)

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


def has(module: ModuleOp, kind: type[Operation]) -> bool:
    return any(isinstance(op, kind) for op in module.ops)


def fit(
    module: ModuleOp,
    device: Device,
    *,
    until: str | None = None,
    hook: pipeline.Hook | None = None,
    is_brief: bool = True,
) -> Fit:
    """Takes a discretised module along the target's pipeline as far as it goes, in place, and returns all that was found on the way.

    `until`: the level to stop after. `is_brief`: passes spend no time on the quality of a result that nobody keeps. Nothing is raised.
    """
    found = Diagnostics()
    context = NoptContext(diagnostics=found)
    neurons = neurons_of(only_network(module))
    planned, steps = steps_of(device, until), list[ModulePass]()
    examinations = list[pipeline.Examination]()
    reached, level, is_last = dict[str, ModuleOp](), DISCRETE, False
    for step, result in zip(planned, pipeline.levels_after([step.name for step in planned], level), strict=True):
        if level != result and steps:
            reached[level] = module.clone()
            is_last = bool(found.errors) or any(one.missing() for one in examinations)
        if is_brief and isinstance(step, pipeline.NoptPass):
            step = step.brief()
        examination = step.examine(context, module, found) if isinstance(step, pipeline.NoptPass) else None
        if examination is not None:
            examinations.append(examination)
            step = examination.step
        is_done = advance(step, context, module, hook, found)
        if examination is not None:
            examination.conclude(is_done)
        steps.append(step)
        if is_done:
            level = result
            reached[level] = module
        if (
            not is_done or is_last
        ):  # a conversion finds what is wrong with slices, too; what follows needs a network that fits
            break
    known = {(finding.node, finding.path) for finding in found.errors}
    for finding in (one for examination in examinations for one in examination.missing()):
        if (finding.node, finding.path) not in known:
            found.add(finding)
    has_limits = device.topology is not None
    findings = tuple(
        evolve(with_remedy(one) if has_limits else one, target=device.target, device=device.key)
        for one in found.findings
    )
    errors = [one for one in findings if one.severity is Severity.ERROR]
    made = Fit(
        target=device.target,
        device=device.key,
        fits=not errors if planned or until is not None else None,
        findings=findings,
        neurons=neurons,
        steps=tuple(steps),
        reached=reached,
    )
    if made.network is not None:
        made = evolve(made, latency_ticks=output_latencies(only_network(made.network)))
    if not has_limits:
        return made
    graph = next((op for op in made.graph.ops if isinstance(op, machine.GraphOp)), None) if made.graph else None
    if graph is None or errors:
        return evolve(made, limits_unchecked=tuple(unpublished(device)), binding_limit=tightest(errors))
    vertices = own_vertices(graph)
    return evolve(
        made,
        cores=len({vertex.place for vertex in vertices}),
        neurons=sum(vertex.neurons for vertex in vertices),
        synapses=sum(needs_of(one).get("synapses", 0) for one in vertices),
        limits_unchecked=(*unpublished(device), *undecided(graph, device)),
        binding_limit=max(used(graph, device), key=lambda one: one["used"] / max(1, one["value"]), default=None),
    )


def advance(
    step: ModulePass, context: NoptContext, module: ModuleOp, hook: pipeline.Hook | None, found: Diagnostics
) -> bool:
    """Runs a pass; whether it did not refuse. Refusals become findings, also of options: these come from the device."""
    try:
        pipeline.run([step], context, module, hook)
    except Refused as refusal:
        for finding in refusal.findings:
            found.add(finding)
        return False
    return True


# ---- numbers


def with_remedy(finding: Finding) -> Finding:
    """Returns a finding with a command as its help, and with the change of the device that removes it."""
    if isinstance(finding.help, Phrase) and any(isinstance(part, Passes) for part in finding.help.parts):
        finding = evolve(finding, help=f"--passes '{finding.help}'")
    if finding.severity is not Severity.ERROR:
        return finding
    help = finding.help or OTHER_DEVICE
    sets_device = isinstance(help, Phrase) and any(
        isinstance(part, Option) and part.is_of_device for part in help.parts
    )
    notes = finding.notes
    if finding.limit is not None and finding.value is not None and not sets_device:
        notes = (*notes, f"a device would do with --set {finding.path}={finding.value}")
    return evolve(finding, help=help, notes=notes)


def tightest(errors: Iterable[Finding]) -> dict[str, Any] | None:
    """Returns the limit that is exceeded by the largest ratio; without numbers, the first limit of an error."""
    named = [
        {
            "limit": finding.expected if finding.path == CONSTRAINTS else finding.path,
            "value": finding.limit if finding.value is not None else None,
            "used": finding.value if finding.limit is not None else None,
            "at": finding.at or None,
        }
        for finding in errors
        if finding.path is not None
    ]
    return max(named, key=over, default=None)


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
