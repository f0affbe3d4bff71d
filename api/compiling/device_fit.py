"""Fit of a network on a device: all limits that it exceeds, or the result of the target's pipeline.

1. An unsupported feature for which the device names a repair is repaired, and a remark reports it (LEG015).
2. An unsupported feature without a repair is an error (DEV016, LEG016), and so is each refusal of a pass or a verifier. An error contains the limit, its
   declaration, the value, and a remedy: a change of the network, or of a field of the device.
3. Unpublished limits are not checked, but listed.
4. The binding limit of a network that fits is the limit with the largest ratio of use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, prod
from shlex import quote
from typing import Any, Literal

from attrs import evolve, field, frozen
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from ...analysis.latency import output_latencies
from ...analysis.link_loads import most_loaded_link
from ...core.approximations import NUMBER_FORMATS, approximations_of
from ...core.device.device import Device
from ...core.device.limits import CONSTRAINTS, OTHER_DEVICE, Contracts, path_of_fields
from ...core.device.numbers import numbers
from ...core.device.topology import topology_of
from ...core.diagnostics import Diagnostics, Finding, Severity
from ...core.help_text import Option, Part, Passes, PassesOption, Permission, Phrase
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext, Observer
from ...core.ir.operation import shape_of
from ...core.ir.pass_results import PassResults
from ...core.locations import Origins
from ...core.progress import Progress, part_progress, report_part
from ...dialects import machine, ntensor
from ...passes.pipeline_edits import is_pipeline, with_repairs
from ...passes.pipelines import steps_after, with_pins
from ..costing.amounts import Amount, amount_between
from ..json_record import Record, key
from ..judging.fullness import Fullness, fullest, usable_cores
from ..judging.loss import Loss
from ..modules import available_passes, only_network
from .legalized_networks import steps_on
from .occupancy import core_uses, uses_outside
from .target_pipelines import DISCRETE, steps_of

NATURAL = ("weight_bits", "payload_bits")
"""Limits that are never the binding limit, because legalisation always reaches them."""
MACHINE = machine.MACHINE.name
SECTIONS = ("tick", "topology", "core", "synapse", "spike")
"""Sections of a device file that contain limits."""


FitState = Literal["exact", "approximate", "no"]
"""Whether a network fits: as it was trained, in the number formats of the device; with approximations; or not."""


def is_fitting(state: FitState | None) -> bool:
    """Returns whether a network fits, with or without approximations."""
    return state in ("exact", "approximate")


@frozen
class Estimate(Record):
    """Estimates of one network on one device; None is an unknown value."""

    energy_pj: float | None
    """Of a step: a tick, or a frame (`per`)."""
    energy_low_pj: float | None
    energy_high_pj: float | None
    energy_source: str | None
    """The least certain confidence of its coefficients, with notes on assumed and missing values; without an energy the reason."""
    time_ns: float | None
    """Of a step, as short as the device computes it."""
    time_low_ns: float | None
    time_high_ns: float | None
    time_source: str | None
    memory_bytes: int | None
    per: str = "tick"
    """`tick` or `frame`."""
    frame_ticks: int = 1
    """Ticks of the input in a step."""
    unknown: tuple[str, ...] = ()
    """Coefficients of energy and time that are not known, and that the estimates leave out."""

    @property
    def energy(self) -> Amount | None:
        """Returns the energy of a step with its range."""
        return amount_between(self.energy_pj, self.energy_low_pj, self.energy_high_pj, "pJ")

    @property
    def time(self) -> Amount | None:
        """Returns the time of a step with its range."""
        return amount_between(self.time_ns, self.time_low_ns, self.time_high_ns, "ns")

    def per_tick(self, value: float | None) -> float | None:
        """Returns the share of a tick of the input in an energy or a time of a step."""
        return None if value is None else value / self.frame_ticks


@frozen
class Fit(Record):
    """Fit of a network on a device."""

    target: str
    device: str
    fits: FitState | None
    """None: the fit was not checked."""
    findings: tuple[Finding, ...] = field(default=(), metadata=key(None))
    approximations: tuple[str, ...] = ()
    """The approximations that the fit needs, by name."""
    passes: tuple[str, ...] = ()
    """The pipeline in place of the passes of the user, if the fit needs another one."""
    is_permitted: bool = field(default=True, metadata=key("permitted"))
    """Whether the user permits these approximations and passes; otherwise the findings refuse the network."""
    obstacle: Finding | None = field(default=None, metadata=key(None))
    """The first refusal that remains with every approximation."""
    cores: int | None = None
    usable_cores: int | None = None
    """The cores of the device that are neither faulty nor reserved; None if the device does not declare its cores."""
    fullest: Fullness | None = None
    """The capacity of a core with the largest share in use; None if the network does not fit, or no capacity has a limit."""
    neurons: int | None = None
    synapses: int | None = None
    limits_unchecked: tuple[str, ...] = ()
    binding_limit: dict[str, Any] | None = None
    steps: tuple[ModulePass, ...] = field(default=(), eq=False, metadata=key(None))
    """The passes that ran."""
    latency_ticks: Mapping[str, int] = field(factory=dict[str, int], metadata=key(None))
    estimate: Estimate | None = field(default=None, metadata=key(None))
    """Energy, time and memory, if requested."""
    recipe: str | None = None
    """The recipe of the device; None for a device with its default alone, and without a sample input."""
    loss: Loss | None = None
    """None if it was not measured."""
    reached: Mapping[str, ModuleOp] = field(factory=dict[str, ModuleOp], eq=False, repr=False, metadata=key(None))
    """The last module of each level that the passes reached."""

    @property
    def is_fitting(self) -> bool:
        """Whether the network fits, as it was trained or with permitted approximations."""
        return self.is_permitted and is_fitting(self.fits)

    @property
    def missing_option(self) -> str:
        """Returns the option with which a network fits that is not permitted; passes without approximations must be typed."""
        names = ",".join(self.approximations)
        return f"--approximate {names}" if names else f"-p {quote(','.join(self.passes))}"

    @property
    def network(self) -> ModuleOp | None:
        """Returns the discretised network that the target runs; None if the passes did not change it."""
        return self.last_with(ntensor.NetworkOp)

    @property
    def graph(self) -> ModuleOp | None:
        """Returns the module with the machine graph; None if there is none."""
        return self.last_with(machine.GraphOp)

    @property
    def errors(self) -> list[Finding]:
        return [one for one in self.findings if one.severity is Severity.ERROR]

    def last_with(self, kind: type[Operation]) -> ModuleOp | None:
        """Returns the last module with an op of a kind."""
        modules = reversed(list(self.reached.values()))
        return next((module for module in modules if any(isinstance(op, kind) for op in module.ops)), None)


def fit(
    module: ModuleOp,
    device: Device,
    *,
    until: str | None = None,
    pins: Sequence[str] = (),
    repairs: Sequence[str] = (),
    hook: pass_manager.Hook | None = None,
    observer: Observer | None = None,
    is_brief: bool = True,
    progress: Progress | None = None,
    lifted: ModuleOp | None = None,
    results: PassResults | None = None,
) -> Fit:
    """Runs the target's pipeline on a discretised module in place, up to the first refusal, and returns all findings.

    `until`: the level to stop after. `pins`: integers of the device that are set by hand. `repairs`: passes whose options the
    target's passes of the same names take. `observer` sees every pass. `is_brief`: the result is discarded,
    so passes skip optimisations, and the module is verified once on each level. `progress` counts passes. `lifted` is the network of a machine graph, from whose stage the pipeline starts. `results` are those of
    passes of earlier fits on the device. No refusal is raised.
    """
    found, origins = Diagnostics(), Origins(module)
    context = NoptContext(diagnostics=found, observer=observer, results=results)
    neurons = neurons_of(only_network(lifted or module))
    planned = steps_on(module, device, with_repairs(with_pins(steps_of(device, until), pins), repairs))
    level = DISCRETE
    reached = dict[str, ModuleOp]()
    if lifted is not None:
        graph = next(op for op in module.ops if isinstance(op, machine.GraphOp))
        planned, level = steps_after(planned, graph.stage.data.value), MACHINE
        reached |= {DISCRETE: lifted, level: module.clone()}
    steps = run_steps(planned, level, module, reached, context, hook, is_brief=is_brief, progress=progress)
    findings = fit_findings(found, origins, device)
    errors = [one for one in findings if one.severity is Severity.ERROR]
    fitted = Fit(
        target=device.target,
        device=device.key,
        fits=None if not planned and until is None else "no" if errors else "exact",
        findings=findings,
        neurons=neurons,
        steps=tuple(steps),
        reached=reached,
    )
    if fitted.network is not None:
        fitted = evolve(fitted, latency_ticks=output_latencies(only_network(fitted.network)))
    return fitted if device.topology is None else with_limits(fitted, device, errors)


def run_steps(
    planned: Sequence[ModulePass],
    level: str,
    module: ModuleOp,
    reached: dict[str, ModuleOp],
    context: NoptContext,
    hook: pass_manager.Hook | None,
    *,
    is_brief: bool,
    progress: Progress | None,
) -> list[ModulePass]:
    """Runs passes up to the first refusal, and returns the completed ones. Adds the last module of each level to `reached`.

    A refused network is converted once more: a conversion also checks slices; later passes need a network that fits.
    """
    found, steps, is_last = context.diagnostics, list[ModulePass](), False
    examinations = list[pipeline.Examination]()
    results = pipeline.levels_after([step.name for step in planned], level)
    for number, (step, result) in enumerate(zip(planned, results, strict=True)):
        if level != result and steps:
            reached[level] = module.clone()
            is_last = bool(found.errors) or any(one.missing() for one in examinations)
        if is_brief and isinstance(step, pipeline.NoptPass):
            step = step.fast_check_variant()
        examination = step.examine(context, module, found) if isinstance(step, pipeline.NoptPass) else None
        if examination is not None:
            examinations.append(examination)
            step = examination.step
        is_done, context.progress = False, part_progress(progress, number, len(planned))
        is_verified = not is_brief or results[number + 1 : number + 2] != [result]
        with found.collecting():  # also refusals of options, which come from the device
            pass_manager.run_passes([step], context, module, hook, is_verified)
            is_done = True
        if examination is not None:
            examination.conclude(is_done)
        steps.append(step)
        if is_done:
            level = result
            reached[level] = module
        report_part(progress, number + 1, len(planned))
        if not is_done or is_last:
            break
    known = {(finding.node, finding.path) for finding in found.errors}
    for finding in (one for examination in examinations for one in examination.missing()):
        if (finding.node, finding.path) not in known:
            found.add(finding)
    return steps


def fit_findings(found: Diagnostics, origins: Origins, device: Device) -> tuple[Finding, ...]:
    """Returns the findings of a fit with their places and their remedies on the device."""
    located = [with_option(origins.locate(one)) for one in found.findings]
    remedied = located if device.topology is None else map(with_remedy, located)
    return tuple(evolve(one, target=device.target, device=device.key) for one in remedied)


def with_limits(fitted: Fit, device: Device, errors: Sequence[Finding]) -> Fit:
    """Returns a fit with the resources of its cores, the limits that were not checked, and the binding limit."""
    graph = next((op for op in fitted.graph.ops if isinstance(op, machine.GraphOp)), None) if fitted.graph else None
    if graph is None or errors:
        return evolve(fitted, limits_unchecked=tuple(unpublished_limits(device)), binding_limit=tightest(errors))
    vertices = own_vertices(graph)
    return evolve(
        fitted,
        cores=len({vertex.place for vertex in vertices}),
        usable_cores=usable_cores(device),
        fullest=fullest(use for uses in core_uses(graph, device).values() for use in uses),
        neurons=sum(vertex.neurons for vertex in vertices),
        synapses=sum(needs_of(one).get("synapses", 0) for one in vertices),
        limits_unchecked=(*unpublished_limits(device), *undecided_contracts(graph, device), *undecided_loads(graph)),
        binding_limit=max(limit_uses(graph, device), key=lambda one: one["used"] / max(1, one["value"]), default=None),
    )


# ---- numbers


def passes_of_help(finding: Finding) -> list[str]:
    """Returns the pipelines in the help of a finding; each is for the network in ticks."""
    parts = finding.help.parts if isinstance(finding.help, Phrase) else ()
    return [part.text for part in parts if isinstance(part, PassesOption)]


def names_of_passes(text: str) -> tuple[str, ...]:
    """Returns the names of what passes approximate."""
    return approximations_of(pipeline.parse_pipeline(text, available_passes()))


def with_option(finding: Finding) -> Finding:
    """Returns a finding whose help names passes as an option of a verb, because users do not type the passes of a device.

    Passes with approximations become a permission; the bits of numbers stay a choice of the user.
    """
    help = finding.help
    if isinstance(help, Phrase):
        return evolve(finding, help=Phrase(*map(option_of, help.parts)))
    if help is None or not is_pipeline(help) or not names_of_passes(help):
        return finding
    return evolve(finding, help=Phrase(option_of(Passes(help))))


def option_of(part: str | Part) -> str | Part:
    """Returns the passes of a help as an option of a verb; other parts are unchanged."""
    if not isinstance(part, Passes):
        return part
    names = names_of_passes(part.text)
    if set(names) <= NUMBER_FORMATS:
        return PassesOption(part.text, part.bits, part.is_whole)
    return Permission(part.text, part.bits, part.is_whole, names)


def with_remedy(finding: Finding) -> Finding:
    """Returns a finding with a command as its help, and with the change of the device that removes it."""
    if finding.severity is not Severity.ERROR:
        return finding
    help = finding.help or OTHER_DEVICE
    sets_device = isinstance(help, Phrase) and any(
        isinstance(part, Option) and part.is_of_device for part in help.parts
    )
    notes = finding.notes
    if finding.limit is not None and finding.value is not None and not sets_device:
        notes = (*notes, f"the network would fit with --set {finding.path}={finding.value}")
    return evolve(finding, help=help, notes=notes)


def tightest(errors: Iterable[Finding]) -> dict[str, Any] | None:
    """Returns the limit with the largest ratio of need to limit; without numbers, the first limit of an error."""
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
    return max(named, key=ratio_of, default=None)


def ratio_of(entry: Mapping[str, Any]) -> float:
    if entry["value"] is None:
        return 0.0
    low, high = sorted((entry["value"], entry["used"]))
    return high / max(1, low)


def own_vertices(graph: machine.GraphOp) -> list[machine.VertexOp]:
    """Returns the vertices that use resources of a core, which are the vertices of populations."""
    inputs = graph.inputs
    return [vertex for vertex in graph.vertices.values() if vertex.source.data not in inputs]


def needs_of(vertex: machine.VertexOp) -> dict[str, int]:
    entries = dict(vertex.needs.data) if vertex.needs is not None else dict[str, Attribute]()
    return {name: n.value.data for name, n in entries.items() if isinstance(n, IntegerAttr)}


def limit_uses(graph: machine.GraphOp, device: Device) -> Iterator[dict[str, Any]]:
    """Yields every limit with its use by each core, or by each chip for memory outside of the cores."""
    topology, rows = topology_of(device, len(graph.vertices)), core_uses(graph, device)
    yield {"limit": "topology.cores", "value": int(topology.is_usable.sum()), "used": len(rows), "at": None}
    load = most_loaded_link(graph)
    if load is not None and load.is_checked:
        yield {"limit": load.path, "value": load.limit, "used": ceil(load.total), "at": load.name}
    for core, uses in rows.items():
        for use in uses:
            if use["limit"] is not None and use["used"] and use["quantity"] not in NATURAL:
                yield {
                    "limit": path_of_fields(use["fields"]),
                    "value": use["limit"],
                    "used": use["used"],
                    "at": f"core {core}",
                }
    for one in uses_outside(graph, device):
        if one.used:
            yield {"limit": one.path, "value": one.limit.room, "used": one.used, "at": one.place}


def unpublished_limits(device: Device) -> Iterator[str]:
    """Yields the limits of a device without a number."""
    for path, quantity, _ in numbers(device):
        if path.partition(".")[0] in SECTIONS and quantity is not None and quantity.value is None:
            yield path


def undecided_contracts(graph: machine.GraphOp, device: Device) -> list[str]:
    """Returns the contracts that depend on an unpublished or uncounted number."""
    contracts = device.derive(Contracts)
    listed = [needs_of(vertex) for vertex in own_vertices(graph)]
    return [
        str(contract)
        for _, contract in contracts.parsed
        if any(contract.holds({**contracts.values, **needs}) is None for needs in listed)
    ]


def undecided_loads(graph: machine.GraphOp) -> Iterator[str]:
    """Yields the limit on link load if the load depends on activity that was not observed."""
    load = most_loaded_link(graph)
    if load is not None and not load.is_checked:
        yield load.path


def neurons_of(network: ntensor.NetworkOp) -> int:
    return sum(prod(shape_of(op.z)) for op in network.body.block.ops if isinstance(op, ntensor.NeuronOp))
