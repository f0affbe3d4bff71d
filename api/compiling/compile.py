"""Compilation of a network for a target: a directory with the artefact, the IR after every pass, and a report."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Unpack

from attrs import evolve, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...analysis.latency import output_latencies
from ...core.approximations import APPROXIMATIONS
from ...core.diagnostics import Diagnostics
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.operation import texts_of
from ...core.ir.unused_modules import free_modules
from ...core.progress import Progress, doing, report_part, require_progress
from ...core.target import Artefact
from ...dialects.ntensor.probes import require_probes
from ...passes.pipelines import DISCRETISE, LIFT, REPAIR
from ...simulation.host.hosted_model import chip_model
from ...simulation.host.readout_files import write_artefact
from ...simulation.learning.plastic_ops import can_learn
from ..atomic_files import write_arrays, write_whole
from ..budgets import MaxTime, with_max_time
from ..build_command import command_of
from ..calibration_inputs import SAMPLE_FILE, input_records, sample_bytes
from ..checking.rate_comparison import rate_changes
from ..costing.estimates import memory_use, over_limit, total_bytes
from ..discretisation import is_discretised, suspect_export, suspect_gaps
from ..executing.listing import unmeasured_chip
from ..judging.baseline import judge_build, read_gate, require_same_network
from ..judging.loss import Loss
from ..judging.loss_findings import report_loss
from ..judging.probe import probe_loss
from ..judging.remedies import Attempt, Remedies
from ..judging.sum_saturation import WatchedChip
from ..judging.thresholds import MaxLoss, parse_thresholds, require_sample
from ..modules import Network, available_passes, default_diagnostics, module_of, only_network, reading
from ..options import BuildOptions, complete, with_options
from ..permissions.calibrated_networks import CalibratedNetworks
from ..permissions.permitted_fit import Outcome, Trial, with_approximations, with_whole_permission
from ..running.chips import Start, find_start, late_passes
from ..running.labels import Labels
from ..running.level_comparison import make_stages, measure
from ..running.level_records import RecordedStages, Stage, records_of
from ..running.run import lift_graphs
from ..running.shared_reference import SharedReference
from ..running.variability import Draw, measure_chips
from .added_passes import permitted_fit, with_added_passes
from .build_report import (
    Measurement,
    added_populations,
    approximations,
    build_cost,
    described_network,
    host_record,
    mapping_summary,
    only_graph,
    probe_records,
)
from .builds import (
    ARRAYS,
    ARTEFACT,
    DEVICE,
    MAPPING,
    REPORT,
    REPORT_SCHEMA,
    STAGES,
    Stages,
    file_records,
    whole_folder,
    write_files,
    write_record,
)
from .device_fit import Fit, fit
from .fidelity import agreement
from .integer_records import integer_notes, integer_records
from .legalized_networks import first_notes, legalized_device
from .mapping import mapping
from .mappings.kept_builds import kept_record, moved_layers, require_kept
from .mappings.objectives import objective_passes
from .number_types import storage_notes
from .occupancy import unit_rows
from .request import (
    CompileRequest,
    device_of,
    effort_of,
    refuse_level,
    refuse_network_options,
    refuse_without_sample,
    require_chips,
)
from .target_pipelines import with_formed_layers
from .test_vectors import with_vectors


@frozen
class Build:
    """Result of a compilation: the directory, and the record `nopt.report/1`."""

    folder: Path
    report: dict[str, Any]

    def _repr_html_(self) -> str:
        from ..report.notebook import build_html

        return build_html(self.folder)


@with_options(BuildOptions)
@with_max_time
def compile(
    network: Network,
    *,
    out: str | Path,
    labels: Labels | None = None,
    probe: Sequence[str] | str = (),
    keep_mapping: str | Path | None = None,
    move: Sequence[str] | str = (),
    objective: str | None = None,
    until: str | None = None,
    draw: Draw | None = None,
    max_memory: int | str | None = None,
    max_loss: MaxLoss = "",
    baseline: str | Path | None = None,
    max_rom: int | str | None = None,
    max_energy: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **given: Unpack[BuildOptions],
) -> Build:
    """Compiles a network for a target and writes a directory, completely or not at all.

        build = nopt.compile("net.nir", target="c", dt="1ms", like="norse", out="build")

    `passes` run on the discretised network, before the passes of the target. `approximate` permits approximations, as `reset,count` or `all`: passes
    with these, and exact ones, are added until the network fits (`../permissions/permitted_fit.py`). `weight_bits` and `state_bits` are short for
    `ntensor-quantize-weights{bits=N per=row balance=sums}`, with `calib` also `method=adaround`, and `ntensor-quantize-state{bits=N}`; for a device that names
    passes for weights, `weight_bits` replaces its bits. `pin` sets integers of the device by hand (`1.dv=163`, `0.weight=10`), as `ntensor-pin-values` does. `probe` names populations, or states as
    `lif1:v`, that a run on the device records in addition to the outputs. `keep_mapping` names an earlier build, or its `mapping.json`: layers with the same name and shape keep their
    slices and cores, except those of `move`, and the report contains what was kept. `objective` is the quantity that places of neurons lower (`hops`, `remote-pairs`,
    `input-axons`, `crossings`, `peak-load` or `energy`). `recipe` names a recipe of the device; without it, `effort` (`fast`, `normal` or `best`,
    default `normal`) determines the recipes that are tried on the sample input (`../recipes/recipe_search.py`), and the search of passes of the target, such as the placement. With `calib`, the sample input calibrates the
    network, and the report contains the loss at each level; `axes` is that of `run`; `labels` (int `[samples]`) add the accuracy. A loss beyond a default
    threshold is a warning, and beyond one of `max_loss`, such as `accuracy=1pt,agreement=0.98`, a refusal. `set` overrides fields
    of the device (`c.prefix=digits`). `until` is a level: compilation stops after the last pass whose result is of that level, and no artefact is
    written. With `draw`, an analogue target also runs manufactured chips, and the report contains their spread. If neurons are placed on cores, `mapping.json` contains the mapping, and the report the use of cores and links. `strict`: warnings and remarks are errors. A network
    that needs more than `max_memory`, such as `64KiB`, is refused, and so is a build with more ROM than `max_rom`, or more energy in a tick than `max_energy`, such as `3nJ`, and one that is
    worse than the report or the build `baseline` (`../judging/baseline.py`). `progress` counts the passes, then the runs with `calib` and of chips.

    Errors: CMP001 to CMP007; CMP012, CMP015, CMP017 to CMP021; MAP025 to MAP031; DEV025; LOS001, LOS003, LOS004; BAS001 to BAS005; RUN011, RUN012; API021, DEV001 to DEV005; CMP008 and API012 the directory; those of reading, of the passes and of the target;
    all limits that the network exceeds (`fit`).
    """
    require_progress(progress)
    options = complete(BuildOptions, given)
    target, device, has_sample = options["target"], options["device"], options["calib"] is not None
    refuse_without_sample(options["calib"], options["axes"], labels)
    thresholds = parse_thresholds(max_loss)
    require_sample(thresholds, "--calib", has_sample=has_sample, has_labels=labels is not None)
    gate = read_gate(baseline, max_rom, max_energy)
    found = default_diagnostics(diagnostics)
    named = module_of(network, diagnostics=found) if target is None and device is None else None
    start = None if named is None else find_start(named)
    stored = None if named is None else start.device if start else legalized_device(named)
    typed = device_of(target, device, options["set"], stored)
    effort = effort_of(options["effort"], options["recipe"], has_sample=has_sample, device=typed)
    refuse_level(typed, until)
    moved = moved_layers(move)
    earlier = require_kept(keep_mapping, moved, typed, until)
    objective_passes(typed, objective, until)
    if draw is not None:
        require_chips(typed, draw, has_sample=has_sample, until=until)
    request = CompileRequest.of(
        network,
        out,
        typed,
        options,
        effort=effort,
        labels=labels,
        probes=(probe,) if isinstance(probe, str) else probe,
        keep_mapping=keep_mapping,
        move=moved,
        earlier=earlier,
        objective=objective,
        until=until,
        draw=draw,
        max_bytes=max_memory,
        strict=strict,
        thresholds=thresholds,
        gate=gate,
        progress=progress,
        diagnostics=found,
    )
    with whole_folder(request.out) as folder, reading(named or network, found) as module:
        start = find_start(module, typed, request.passes)
        if start is not None:
            refuse_network_options(request, start)
            prepared = prepare_late(request, start, folder)
        else:
            lifted = lift_graphs(module, found)
            inputs = (request.choices, request.calib, request.axes)
            formed = with_formed_layers(lifted, request.device, found)
            networks = CalibratedNetworks(formed, *inputs, is_lifted=lifted is not module)
            prepared = prepare_network(request := with_added_passes(request, networks), networks, folder)
        require_same_network(request.gate, prepared.head["network"], prepared.outputs)
        lowered = lower_network(request, prepared)
        free_modules(lowered.network)
        artefact = write_files(folder / ARTEFACT, emit_artefact(request, lowered))
        report = write_build(request, prepared, lowered, artefact, measure_build(request, prepared, lowered))
    report_part(progress, request.parts, request.parts)
    return Build(request.out, report)


@frozen
class Prepared:
    """A network in ticks, after the passes of the user."""

    folder: Path
    networks: CalibratedNetworks
    """The network that the user passed; machine graphs are converted back to networks."""
    lifts: Sequence[ModulePass]
    steps: Sequence[ModulePass]
    module: ModuleOp
    """The network in ticks; the passes of the target change it."""
    stages: Stages
    tick_ns: int
    outputs: Sequence[str]
    populations: Set[str]
    head: dict[str, Any]
    """The parts of the report that describe the network and the request."""
    start: Start | None = None
    """Start of the compilation, if it is a machine graph or a compiled network."""


@frozen
class Lowered:
    """A network after the passes of its target."""

    fit: Fit
    module: ModuleOp
    """The result of the last pass."""
    network: ModuleOp
    """The network in ticks that the target runs; the module itself if it was already compiled."""
    mapped: dict[str, Any] | None
    """Record of the mapping; None without a machine graph."""
    recorded: RecordedStages | None
    """The networks between the passes; None for a network that was compiled before."""


def prepare_network(
    request: CompileRequest, networks: CalibratedNetworks, folder: Path, stages: Stages | None = None
) -> Prepared:
    """Converts a network to ticks, and runs the passes of the user; `stages` sees every pass. Errors: those of the choices and of the passes."""
    found, given, choices = request.diagnostics, networks.network, networks.choices_for(request.device)
    lifts = pipeline.parse_pipeline(LIFT, available_passes()) if networks.is_lifted else []
    module, stages = given.clone(), stages or Stages(folder / STAGES)
    steps = [step for part in networks.steps(request.device, [request.passes], request.short) for step in part]
    if not is_discretised(given):
        if choices.get("exported_by") is None:
            suspect_export(given, choices, found)
        suspect_gaps(given, choices, found)
    run_stages(request, steps, module, stages)
    graph = only_network(module)
    require_probes(graph, request.device, is_lowered=False)
    if (sample := sample_bytes(request.calib, request.axes, texts_of(graph.input_names))) is not None:
        write_whole(folder / SAMPLE_FILE, sample)
    head = head_of(request, graph, sample)
    outputs, populations = texts_of(graph.output_names), {op.node.data for op in graph.populations}
    places = (folder, networks, lifts, steps, module, stages)
    return Prepared(*places, graph.tick_ns.value.data, outputs, populations, head)


def prepare_late(request: CompileRequest, start: Start, folder: Path) -> Prepared:
    """Runs the passes of the user on a machine graph or a compiled network. Errors: COR017 a pass of an earlier level; those of the passes."""
    steps, source_module = late_passes(request.passes, start), start.module
    module, stages = source_module.clone(), Stages(folder / STAGES)
    given = module if start.is_compiled else lift_graphs(source_module, request.diagnostics)
    run_stages(request, steps, module, stages)
    graph = None if start.is_compiled else only_network(given)
    start = find_start(module, request.device) or start
    head = head_of(request, start.op if graph is None else graph)
    outputs = () if graph is None else texts_of(graph.output_names)
    populations = frozenset[str]() if graph is None else {op.node.data for op in graph.populations}
    tick_ns = head["network"]["tick_ns"]
    networks = CalibratedNetworks(given, {})
    return Prepared(folder, networks, [], steps, module, stages, tick_ns, outputs, populations, head, start)


def run_stages(request: CompileRequest, steps: Sequence[ModulePass], module: ModuleOp, stages: Stages) -> None:
    """Runs the passes of the user, and stores the module after each. Errors: those of the passes."""
    stages.observed = request.diagnostics
    context = NoptContext(diagnostics=request.diagnostics, progress=request.part(0))
    pass_manager.run_passes(steps, context, module, stages)
    stages.observed = None


def head_of(request: CompileRequest, network: Operation, sample: bytes | None = None) -> dict[str, Any]:
    """Returns the parts of the report that describe the network and the request."""
    device = request.device
    return {
        "schema": REPORT_SCHEMA,
        "nopt": version("nopt"),
        "network": described_network(network),
        "target": device.target,
        "device": {"name": device.key, "sha256": device.digest, "overridden": device.overridden},
        "approximations": approximations(network),
        "approximations_permitted": list(request.permitted),
        "inputs": input_records(sample, network=request.network, calib=request.calib, labels=request.labels),
    }


def lower_network(request: CompileRequest, prepared: Prepared) -> Lowered:
    """Runs the passes of the target. Errors: all limits that the network exceeds (`fit`)."""
    found, module, before = request.diagnostics, prepared.module, prepared.module.clone()
    if prepared.start is not None and prepared.start.is_compiled:
        latencies = output_latencies(prepared.start.op)
        fitted = Fit(request.device.target, request.device.key, fits=None, latency_ticks=latencies)
        return Lowered(fitted, module, module, None, None)
    lifted = None if prepared.start is None else lift_graphs(module, found)
    recorded = RecordedStages(records_of(module))
    repairs = (*request.repairs, *request.searches)
    options: dict[str, Any] = {"until": request.until, "pins": request.pins, "repairs": repairs}
    options |= {"hook": prepared.stages, "lifted": lifted}
    fitted = fit(module, request.device, observer=recorded, is_brief=False, progress=request.part(1), **options)
    fitted = with_approximations(fitted, prepared.steps, names=request.needed)
    if fitted.fits == "no" and prepared.start is None and legalized_device(module) is None:
        search = permitted_fit(request, prepared.networks, tuple(APPROXIMATIONS))
        typed = tuple(map(pipeline.pass_text, pipeline.parse_pipeline(request.passes, available_passes())))
        first = None if request.permitted else Outcome(Trial(typed), fitted, before, module)
        fitted = with_whole_permission(fitted, search, typed, request.permitted, first)
    found.extend(fitted.findings)
    found.raise_errors()
    mapped = None if fitted.graph is None else mapping(fitted.graph)
    return Lowered(fitted, module, fitted.network or before, mapped, recorded)


def emit_artefact(request: CompileRequest, lowered: Lowered) -> Artefact:
    """Returns the artefact with its test vectors; an empty artefact if the compilation stops at a level. Errors: CMP012; those of the target.

    Findings stop the compilation here if they are to be errors.
    """
    found, device, made = request.diagnostics, request.device, Artefact({}, {})
    if request.is_whole and request.exit.artefact is not None:
        with doing(f"artefact of {device.key}"):
            made = write_artefact(request.exit.artefact(), lowered.module, device, found)
        with doing("test vectors"):
            made = with_vectors(made, lowered.module, lowered.network, device, request.sample)
    if lowered.fit.graph is not None:
        made = evolve(made, memory=made.memory or memory_use(lowered.fit.graph))
    found.extend(over_limit(total_bytes(made.memory or {}), request.max_bytes, f"on {device.key}"))
    return made


def measure_build(request: CompileRequest, prepared: Prepared, lowered: Lowered) -> Measurement:
    """Runs the network before and after each lossy pass, and on the chip, on the sample input; without one, on generated input.

    Errors: LOS001 a loss beyond a threshold of the user; those of a run. Warnings: LOS001, CHK016, CHK017. Remarks: those, LOS002, LOS005, RUN017.
    """
    found, device, sample = request.diagnostics, request.device, request.sample
    model = request.exit.model if request.is_whole else None
    unmeasured = None if model is None or sample is None else unmeasured_chip(device.target, found)
    request.settle()
    if lowered.recorded is None:
        return Measurement(unmeasured=unmeasured)
    if sample is None:
        loss = None if prepared.start is not None else probe(request, prepared, lowered)
        request.settle()
        return Measurement(loss=None if loss is None else loss.as_json(), unmeasured=unmeasured)
    rows = stages_of(request, prepared, lowered)
    chip = None if model is None or unmeasured else chip_model(model(), lowered.module, device)
    watched = None if chip is None else WatchedChip(chip)
    if unmeasured is None and (chip is not None or lowered.fit.network is not None):
        rows.append(Stage("target", None, lowered.network, watched))
    labels = request.labels
    measured = measure(rows, sample, labels=labels, progress=request.part(2), diagnostics=found)
    saturation = None if watched is None else watched.saturation(found)
    report_loss(measured.levels, request.thresholds, found, f"on {device.key}", remedies_of(request, prepared, rows[0]))
    request.settle()
    chips = agreed = None
    if request.draw is not None and chip is not None:
        runs = measure_chips(
            lowered.network, chip, device, request.draw, sample, labels=labels, progress=request.part(3)
        )
        chips = runs.as_json()
    if chip is not None and device.fidelity.tier != "exact" and can_learn(lowered.network):
        agreed = agreement(lowered.network, chip, device, sample).as_json()
    return Measurement(
        loss=measured.levels[-1].loss.as_json(),
        levels=[row.as_json() for row in measured.levels],
        rate_changes=rate_changes(measured.levels[-1]),
        calibration={"samples": measured.samples, "ticks": measured.ticks},
        ticks=measured.ticks,
        chips=chips,
        confusion=None if measured.confusion is None else measured.confusion.as_json(),
        agreement=agreed,
        saturation=saturation,
        unmeasured=unmeasured,
    )


def stages_of(request: CompileRequest, prepared: Prepared, lowered: Lowered) -> list[Stage]:
    """Returns the networks before and after the passes of the user, and after each lossy pass of the target."""
    own = [step for step in prepared.steps if step.name not in (REPAIR, DISCRETISE)]  # these follow from the choices
    recorded = () if lowered.recorded is None else lowered.recorded.stages
    choices = prepared.networks.choices_for(request.device)
    return [*make_stages(prepared.networks.network, own, choices, Diagnostics()), *recorded]


def probe(request: CompileRequest, prepared: Prepared, lowered: Lowered) -> Loss | None:
    """Returns the loss on generated input, if it can be measured. Remarks: LOS001, LOS002, CHK016, CHK017."""
    found, where = request.diagnostics, f"on {request.device.key}"
    stages = partial(stages_of, request, prepared, lowered)
    return probe_loss(prepared.networks.network, stages, lowered.network, request.thresholds, found, where)


def remedies_of(request: CompileRequest, prepared: Prepared, first: Stage) -> Remedies | None:
    """Returns the trials of changes for a loss; None for a compilation that stops at a level."""
    if request.until is not None or request.calib is None or request.sample is None:
        return None
    attempt = Attempt(request.device, request.typed_passes, request.bits, request.typed_bits)
    reference = partial(SharedReference.of, first, request.sample, request.labels)
    return Remedies(prepared.networks, attempt, reference, request.pins, request.permitted)


def write_build(
    request: CompileRequest, prepared: Prepared, lowered: Lowered, made: Artefact, measured: Measurement
) -> dict[str, Any]:
    """Writes the stages and the records of a compilation, and returns the report. Errors: BAS003 to BAS005 the build violates the conditions of the user."""
    folder, device = prepared.folder, request.device
    report = report_of(request, prepared, lowered, made, measured)
    request.diagnostics.extend(judge_build(request.gate, report, request.thresholds))
    request.settle()
    write_arrays(folder / STAGES / ARRAYS, prepared.stages.arrays)
    for name, record in ((MAPPING, lowered.mapped), (DEVICE, device.as_json())):
        if record is not None:
            write_record(folder / name, record)
    report["files"] = file_records(folder)
    write_record(folder / REPORT, report)
    return report


def report_of(
    request: CompileRequest, prepared: Prepared, lowered: Lowered, made: Artefact, measured: Measurement
) -> dict[str, Any]:
    """Returns the record `nopt.report/1`, without the files of the directory."""
    device, fitted, mapped, steps = request.device, lowered.fit, lowered.mapped, prepared.steps
    is_compiled = prepared.start is not None and prepared.start.is_compiled
    integers = None if is_compiled else integer_records(lowered.network)
    first = first_notes(prepared.networks.network, None if prepared.start is None else prepared.start.op.name)
    report = prepared.head
    if fitted.graph is not None:
        report["approximations"] = approximations(only_graph(fitted.graph))
    elif fitted.network is not None:
        report["approximations"] = approximations(only_network(fitted.network))
    return report | {
        "command": command_of(request),
        "fit": {"fits": fitted.fits, "approximations": [*fitted.approximations]},
        "calibration": measured.calibration,
        "recipe": None if request.choice is None else request.choice.as_json(),
        "chips": measured.chips,
        "unmeasured": None if measured.unmeasured is None else {"target": measured.unmeasured},
        "pipeline": ",".join(map(pipeline.pass_text, [*prepared.lifts, *steps, *fitted.steps])),
        "loss": measured.loss,
        "levels": measured.levels,
        "confusion": measured.confusion,
        "rate_changes": measured.rate_changes,
        "saturation": measured.saturation,
        "mapping": None
        if mapped is None or fitted.graph is None
        else mapping_summary(
            mapped, fitted.graph, device, kept_record(request.keep_mapping, request.move, request.earlier, mapped)
        ),
        "units": None if mapped is not None or is_compiled else unit_rows(lowered.module, device),
        "arithmetic": made.arithmetic,
        "storage": dict(made.storage) or None,
        "memory": made.memory or None,
        "integers": integers,
        "notes": [*first, *storage_notes(steps, made, device), *made.notes, *integer_notes(integers)],
        "cost": build_cost(lowered.module, device, mapped, prepared.head["network"], measured),
        "fidelity": {
            "tier": device.fidelity.tier,
            "source": device.sources[device.fidelity.source],
            "agreement": measured.agreement,
        },
        "added_populations": None if is_compiled else added_populations(prepared.populations, lowered.network),
        "host": host_record(lowered.module),
        "latency_ticks": dict.fromkeys(prepared.outputs, 0) | {**fitted.latency_ticks, **made.latency_ticks},
        **probe_records(lowered.network, lowered.module),
        **made.facts,
    }
