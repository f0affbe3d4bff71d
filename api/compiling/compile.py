"""Compilation of a network for a target: a directory with the artefact, the IR after every pass, and a report."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import partial
from importlib.metadata import version
from math import prod
from pathlib import Path
from typing import Any, Unpack

from attrs import evolve, frozen
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.passes import ModulePass

from ...core import registry
from ...core.arrays.values import Array
from ...core.device import device as devices
from ...core.device.device import Device
from ...core.device.device_pass import on_device
from ...core.device.records import Naming
from ...core.device.topology import topology_of
from ...core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ...core.ir import pass_manager, pipeline, source
from ...core.ir.context import NoptContext
from ...core.ir.operation import shape_of, texts_of
from ...core.phrases import Phrase, WithoutOptions
from ...core.progress import Progress, doing, part_progress, report_part, require_progress
from ...core.target import Artefact, HardwareTarget
from ...dialects import machine, ntensor
from ...passes.pipelines import DISCRETISE, LIFT, REPAIR, shorthands
from ...simulation.axes import order_axes, refuse_axes
from ...simulation.stimuli import Given
from ..atomic_files import write_arrays, write_whole
from ..budgets import MaxTime, with_max_time
from ..calibration_inputs import SAMPLE_FILE, calibration_pass, input_records, sample_bytes
from ..catalogue.listing import target as entry_of
from ..discretisation import (
    Choices,
    conversion_pass,
    is_discretised,
    refuse_choices,
    repair_passes,
    split_by_level,
    suspect_export,
    suspect_gaps,
)
from ..modules import Network, available_passes, default_diagnostics, only_network, reading
from ..running.level_comparison import Labels, Levels, RecordedStages, Stage, make_stages, measure, records_of
from ..running.run import lift_graphs, unmeasured_chip
from ..running.variability import Draw, measure_chips, require_imperfect
from ..unit_values import memory_bytes
from .builds import (
    ARRAYS,
    ARTEFACT,
    DEVICE,
    MAPPING,
    REPORT,
    REPORT_SCHEMA,
    STAGES,
    file_records,
    json_bytes,
    whole_folder,
)
from .costs import cost_of
from .device_fit import fit, neurons_of
from .estimates import memory_use, over_limit, total_bytes
from .fidelity import agreement
from .integer_records import integer_notes, integer_records
from .mapping import mapping
from .number_types import storage_notes, with_precision
from .occupancy import link_loads, occupancy, projection_rows, store_rows
from .target_pipelines import compiled_targets, levels_of
from .test_vectors import with_vectors

CMP001 = Code("CMP001", "the target cannot be compiled for", exit_code=ExitCode.MISUSED)
CMP002 = Code("CMP002", "no target was named", exit_code=ExitCode.MISUSED)

CMP003 = Code("CMP003", "two devices are named", exit_code=ExitCode.MISUSED)
CMP005 = Code("CMP005", "the states of a device have the widths of its neurons", exit_code=ExitCode.MISUSED)
CMP004 = Code("CMP004", "labels have no sample input", exit_code=ExitCode.MISUSED)
CMP006 = Code("CMP006", "the weights of a device have fewer bits", exit_code=ExitCode.MISUSED)
CMP007 = Code("CMP007", "manufactured chips have nothing to run", exit_code=ExitCode.MISUSED)

ADVICE = "quantization.weight_bits"
"""The field with the bits to which a device quantises weights by its own passes; `--weight-bits` overrides it."""
RATE_CHANGE = 0.2
"""Change of a population's rate, relative to the first level, beyond which the report names the population."""


@frozen
class Build:
    """Result of a compilation: the directory, and the record `nopt.report/1`."""

    folder: Path
    report: dict[str, Any]

    def _repr_html_(self) -> str:
        from ..report.notebook import build_html

        return build_html(self.folder)


def device_of(target: str | None, file: str | Path | None, settings: Sequence[str]) -> Device:
    """Returns the device to compile for: `T`, `T/DEVICE` or a device file, with its overrides.

    Errors: CMP002 neither is named; CMP003 both are; TAR001, DEV001 to DEV005; DEV011 a target of several devices.
    """
    if file is not None and target is not None:
        refuse(
            CMP003,
            at=f"--device {file} --target {target}",
            expected="--target or --device, which names its target",
            found=f"{target} and {file}",
            help=Phrase(WithoutOptions(("--target",), target)),
        )
    if file is not None:
        found = evolve(devices.load_device(Path(file)), named_as=Naming(str(file)))
        entry_of(found.target)
    elif target is not None:
        slug, _, name = target.partition("/")
        entry_of(slug)
        found = devices.find_device(slug, name or None)
    else:
        refuse(
            CMP002,
            at="nopt compile",
            expected="--target T, or --device FILE.json",
            help=f"--target {compiled_targets()[0]}",
        )
    return devices.override_fields(found, settings)


def refuse_state_bits(device: Device, bits: int) -> None:
    """Refuses a width of states for a device with neurons of its own. Errors: CMP005."""
    if device.updates:
        refuse(
            CMP005,
            at=f"--state-bits {bits}",
            expected=f"no width for {device.key}, whose neurons are {', '.join(device.updates)}",
            found=str(bits),
            help=Phrase(WithoutOptions(("--state-bits",))),
        )


def with_weight_bits(device: Device, bits: int) -> Device:
    """Returns the device with the bits to which it quantizes weights. Errors: CMP006; DEV020 other bits are set."""
    chosen = device.overridden.get(ADVICE, bits)
    if chosen != bits:
        devices.refuse_two_values(device, ADVICE, chosen, bits)
    most = device.whole("synapse.bits")
    if most is not None and bits > most:
        refuse(
            CMP006,
            at=f"--weight-bits {bits}",
            expected=f"at most {most} bits ({device.cite('synapse.bits')})",
            found=str(bits),
            help=f"--weight-bits {most}",
        )
    return devices.override_fields(device, [f"{ADVICE}={bits}"])


@with_max_time
def compile(
    network: Network,
    *,
    out: str | Path,
    target: str | None = None,
    device: str | Path | None = None,
    set: Sequence[str] = (),
    passes: str = "",
    calib: Given | None = None,
    axes: str | None = None,
    labels: Labels | None = None,
    weight_bits: int | None = None,
    state_bits: int | None = None,
    pin: Sequence[str] = (),
    until: str | None = None,
    draw: Draw | None = None,
    max_memory: int | str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **choices: Unpack[Choices],
) -> Build:
    """Compiles a network for a target and writes a directory, completely or not at all.

        build = nopt.compile("net.nir", target="c", dt="1ms", like="norse", out="build")

    `passes` run on the discretised network, before those of the target; `weight_bits` and `state_bits` are short for
    `ntensor-quantize-weights{bits=N per=row}` and `ntensor-quantize-state{bits=N}`; for a device that names passes for weights, `weight_bits`
    replaces its bits. `pin` sets integers of the device by hand (`1.dv=163`, `0.weight=10`), as `ntensor-pin-values` does. With `calib`, the sample input calibrates the
    network, and the report contains the loss at each level; `axes` is that of `run`; `labels` (int `[samples]`) add the accuracy. `set` overrides fields
    of the device (`c.prefix=digits`). `until` is a level: compilation stops after the last pass whose result is of that level, and no artefact is
    written. With `draw`, an analogue target also runs manufactured chips, and the report contains their spread. If neurons are placed on cores, `mapping.json` contains the mapping, and the report the use of cores and links. `strict`: warnings and remarks are errors. A network
    that needs more than `max_memory`, such as `64KiB`, is refused. `progress` counts the passes, then the runs with `calib` and of chips.

    Errors: CMP001 to CMP007; SEL002; CHP001, CHP002; TAR001, DEV001 to DEV005; BLD001 and FIL002 the directory; those of reading, of the passes and of the target;
    all limits that the network exceeds (`fit`).
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    most = None if max_memory is None else memory_bytes(max_memory)
    if axes is not None and calib is None:
        refuse_axes(axes, "no sample input (--calib)")
    if labels is not None and calib is None:
        refuse_labels(labels)
    chosen = device_of(target, device, set)
    exit = registry.targets()[chosen.target]()
    refuse_level(chosen, until)
    if draw is not None:
        require_chips(exit, chosen, draw, has_sample=calib is not None, until=until)
    if state_bits is not None:
        refuse_state_bits(chosen, state_bits)
    if weight_bits is not None and "weight_bits" in chosen.fallbacks and chosen.whole(ADVICE) is not None:
        chosen, weight_bits = with_weight_bits(chosen, weight_bits), None
    with whole_folder(Path(out)) as folder, reading(network, found) as source_module:
        given = lift_graphs(source_module, found)
        lifts = [] if given is source_module else pipeline.parse_pipeline(LIFT, available_passes())
        choices = with_precision(choices, given, chosen)
        parts = 2 + (calib is not None) + (draw is not None)
        module, stages = given.clone(), Stages(folder / STAGES)
        context = NoptContext(diagnostics=found, progress=part_progress(progress, 0, parts))
        first, late = passes_before_target(module, choices, passes, chosen)
        texts = shorthands(weight_bits=weight_bits, state_bits=state_bits)
        short = pipeline.parse_pipeline(",".join(texts), available_passes())
        steps = [*first, *calibration_pass(calib, axes), *short, *late]
        if not is_discretised(given) and choices.get("exported_by") is None:
            suspect_export(given, choices, found)
        if not is_discretised(given):
            suspect_gaps(given, choices, found)
        stages.observed = found
        pass_manager.run_passes(steps, context, module, stages)
        stages.observed = None
        graph = only_network(module)
        graph_tick = graph.tick_ns.value.data
        if (sample := sample_bytes(calib, axes, texts_of(graph.input_names))) is not None:
            write_whole(folder / SAMPLE_FILE, sample)
        report: dict[str, Any] = {
            "schema": REPORT_SCHEMA,
            "nopt": version("nopt"),
            "network": described_network(graph),
            "target": chosen.target,
            "device": {"name": chosen.key, "sha256": chosen.digest, "overridden": chosen.overridden},
            "approximations": approximations(graph),
            "inputs": input_records(sample, network=network, calib=calib, labels=labels),
        }
        names = [name.data for name in graph.output_names]
        given_populations = {op.node.data for op in graph.populations}
        lowered = module.clone()
        recorded = None if calib is None else RecordedStages(records_of(module))
        options: dict[str, Any] = {"until": until, "pins": pin, "hook": stages, "observer": recorded}
        fitted = fit(module, chosen, **options, is_brief=False, progress=part_progress(progress, 1, parts))
        found.extend(fitted.findings)
        found.check()
        lowered = fitted.network or lowered
        mapped = None if fitted.graph is None else mapping(fitted.graph)
        is_whole = until is None and exit.artefact is not None
        made = Artefact({}, {})
        if is_whole and exit.artefact is not None:
            with doing(f"artefact of {chosen.key}"):
                made = exit.artefact()(module, chosen, found)
        if is_whole:
            given_sample = None if calib is None else order_axes(calib, axes)
            with doing("test vectors"):
                made = with_vectors(made, module, lowered, chosen, given_sample)
        if fitted.graph is not None:
            report["approximations"] = approximations(only_graph(fitted.graph))
            made = evolve(made, memory=made.memory or memory_use(fitted.graph))
        elif fitted.network is not None:
            report["approximations"] = approximations(only_network(fitted.network))
        found.extend(over_limit(total_bytes(made.memory or {}), most, f"on {chosen.key}"))
        is_run = is_whole and exit.model is not None and calib is not None
        unmeasured = unmeasured_chip(chosen.target, found) if is_run else None
        if strict:
            found.strict()
        found.check()
        levels = report["calibration"] = report["chips"] = agrees = changes = ticks = None
        report["unmeasured"] = None if unmeasured is None else {"target": unmeasured}
        if calib is not None:
            own = [step for step in steps if step.name not in (REPAIR, DISCRETISE)]  # these follow from the choices
            rows = [*make_stages(given, own, choices, Diagnostics()), *(recorded.stages if recorded else ())]
            model = None if not is_whole or unmeasured else exit.model
            chip = None if model is None else partial(model(), module, device=chosen)
            if unmeasured is None and (chip is not None or fitted.network is not None):
                rows.append(Stage("target", None, lowered, chip))
            step = part_progress(progress, 2, parts)
            measured = measure(rows, order_axes(calib, axes), labels=labels, progress=step, diagnostics=found)
            levels = [row.as_json() for row in measured.levels]
            changes, ticks = rate_changes(measured), measured.ticks
            if draw is not None and chip is not None:
                step = part_progress(progress, 3, parts)
                given_sample = order_axes(calib, axes)
                runs = measure_chips(lowered, chip, chosen, draw, given_sample, labels=labels, progress=step)
                report["chips"] = runs.as_json()
            if chip is not None and chosen.fidelity.tier != "exact":
                agrees = agreement(lowered, chip, chosen, order_axes(calib, axes)).as_json()
            report["calibration"] = {"samples": measured.samples, "ticks": ticks}
        report |= {
            "pipeline": ",".join(map(pipeline.pass_text, [*lifts, *steps, *fitted.steps])),
            "levels": levels,
            "rate_changes": changes,
            "mapping": None
            if mapped is None or fitted.graph is None
            else mapping_summary(mapped, fitted.graph, chosen),
            "arithmetic": made.arithmetic,
            "storage": dict(made.storage) or None,
            "memory": made.memory or None,
            "integers": (integers := integer_records(lowered)),
            "notes": [*storage_notes(steps, made, chosen), *made.notes, *integer_notes(integers)],
            "cost": None if mapped is None else cost_of(chosen, mapped, graph_tick, ticks),
            "fidelity": {
                "tier": chosen.fidelity.tier,
                "source": chosen.sources[chosen.fidelity.source],
                "agreement": agrees,
            },
            "added_populations": added_populations(given_populations, lowered),
            "latency_ticks": dict.fromkeys(names, 0) | {**fitted.latency_ticks, **made.latency_ticks},
            **made.facts,
        }
        for path, data in made.files.items():
            (folder / ARTEFACT / path).parent.mkdir(parents=True, exist_ok=True)
            write_whole(folder / ARTEFACT / path, data)
        write_arrays(folder / STAGES / ARRAYS, stages.arrays)
        for name, record in ((MAPPING, mapped), (DEVICE, chosen.as_json())):
            if record is not None:
                write_record(folder / name, record)
        report["files"] = file_records(folder)
        write_record(folder / REPORT, report)
    report_part(progress, parts, parts)
    return Build(Path(out), report)


def require_chips(exit: HardwareTarget, device: Device, draw: Draw, *, has_sample: bool, until: str | None) -> None:
    """Refuses manufactured chips without a sample input, or of a target whose chips do not differ. Errors: CMP007, CHP001, CHP002."""
    if not has_sample or until is not None:
        refuse(
            CMP007,
            at="--chips" if not has_sample else f"--until {until}",
            expected="--calib FILE.npy, which the chips run" if not has_sample else "a compilation up to the chip",
            found="no sample input (--calib)" if not has_sample else f"--until {until}",
            help=Phrase(WithoutOptions(("--chips", "--seed", "--at"))),
        )
    require_imperfect(None if exit.model is None else exit.model(), device, draw)


def refuse_labels(labels: Labels) -> None:
    """Refuses labels without a sample input. Errors: CMP004."""
    file = str(labels) if isinstance(labels, str | Path) else None
    refuse(
        CMP004,
        "--labels has no effect without a sample input",
        at="--labels" if file is None else f"--labels {file}",
        expected="--calib FILE.npy, whose samples the labels classify",
        found="no sample input (--calib)",
        help=Phrase(WithoutOptions(("--labels",))),
    )


def refuse_level(chosen: Device, until: str | None) -> None:
    """Refuses a level that the pipeline of a device does not contain. Errors: CMP001."""
    levels, has_artefact = levels_of(chosen), registry.targets()[chosen.target]().artefact is not None
    if until in levels or (until is None and levels and has_artefact):
        return
    others = compiled_targets()
    if until is not None and levels:
        expected, help = " or ".join(f"--until {level}" for level in levels), f"--until {levels[-1]}"
    elif levels:
        expected, help = f"--until {levels[-1]}, or {', '.join(others)}", f"--until {levels[-1]}"
    else:
        expected, help = ", ".join(others), f"--target {others[0]}" if others else None
    refuse(
        CMP001,
        f"{chosen.target} has no level {until}"
        if until and levels
        else f"{chosen.target} has no artefact for its loader"
        if levels
        else f"{chosen.target} cannot be compiled for",
        at=f"--until {until}" if until else f"--target {chosen.key}",
        expected=expected,
        found=until or chosen.target,
        help=help,
    )


def only_graph(module: ModuleOp) -> machine.GraphOp:
    """Returns the machine graph of a module that fits."""
    return next(op for op in module.ops if isinstance(op, machine.GraphOp))


def mapping_summary(mapped: dict[str, Any], module: ModuleOp, device: Device) -> dict[str, Any]:
    """Returns the main numbers of a mapping, and the use of its cores and links."""
    inputs = {one["id"] for one in mapped["vertices"]} - {one["target"] for one in mapped["edges"]}
    placed = {(one["chip"], one["core"]) for one in mapped["vertices"] if one["id"] not in inputs}
    counts = {part: len(mapped[part]) for part in ("vertices", "edges", "routes")}
    return {
        "file": MAPPING,
        **counts,
        "cores": len(placed),
        "cost": mapped["cost"],
        "occupancy": occupancy(only_graph(module), device),
        "links": link_loads(mapped["routes"], topology_of(device, len(mapped["vertices"]))),
        "stores": store_rows(only_graph(module), device),
        "projections": projection_rows(only_graph(module), device),
    }


def rate_changes(measured: Levels) -> list[dict[str, Any]]:
    """Returns the populations whose rate at the last level differs from that of the first by more than RATE_CHANGE.

    The change is relative to the first level; None if the population was silent there.
    """
    changes: list[dict[str, Any]] = []
    for name, one in measured.levels[-1].populations.items():
        before, after = one.rate_before, one.rate
        if before is not None and after is not None and abs(after - before) > RATE_CHANGE * before:
            change = (after - before) / before if before else None
            changes.append({"population": name, "before": before, "after": after, "change": change})
    return changes


def passes_before_target(
    module: ModuleOp, choices: Choices, passes: str, device: Device
) -> tuple[list[ModulePass], list[ModulePass]]:
    """Returns the passes of the user before those of the target: with the conversion, before and after the network is quantised.

    Passes for a device are for that of the target, unless they name another one. Errors: CHO001 choices for a discretised network; VAL001, PAS001 to PAS003.
    """
    steps: list[ModulePass] = []
    early, late = split_by_level(pipeline.parse_pipeline(passes, available_passes()), module)
    if is_discretised(module):
        refuse_choices(choices)
    else:
        steps += [*repair_passes(choices), *early, conversion_pass(choices)]
    first, late = pipeline.split_enabling(on_device(late, device))
    return [*steps, *first], late


class Stages:
    """Writes the module after every pass: a hook of the pipeline."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.arrays: dict[str, Array] = {}
        self.count = 0
        self.observed: Diagnostics | None = None
        """Collection of the remarks about passes of the user that change nothing."""
        self.text: str = ""

    def __call__(self, done: ModulePass | None, module: ModuleOp, next: ModulePass | None) -> None:
        if done is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self.count:
                return  # the passes of the target follow those of the user
        text = source.format_module(NoptContext(), module, outside=self.arrays)
        name = "input" if done is None else done.name
        if done is not None and self.observed is not None and text == self.text:
            pass_manager.remark_unchanged(done, self.observed)
        self.text = text
        write_whole(self.folder / f"{self.count:02}-{name}.mlir", text.encode())
        self.count += 1


def write_record(path: Path, record: dict[str, Any]) -> None:
    write_whole(path, json_bytes(record))


def approximations(network: ntensor.NetworkOp | machine.GraphOp) -> list[dict[str, Any]]:
    """Returns the records of lossy passes for the report."""
    return [
        {
            "step": one.step.data,
            "what": one.what.data,
            "touched": [name.data for name in one.touched],
            "largest": one.largest.value.data if isinstance(one.largest, FloatAttr) else None,
            "mean": one.mean.value.data if isinstance(one.mean, FloatAttr) else None,
            "unit": one.unit.data,
        }
        for one in network.approximations or ()
    ]


def described_network(network: ntensor.NetworkOp) -> dict[str, Any]:
    """Returns name, tick and size of a network."""
    ops = list(network.body.block.ops)
    kinds = (ntensor.LinearOp, ntensor.SparseLinearOp, ntensor.ConvolutionOp)
    return {
        "name": network.sym_name.data,
        "tick_ns": network.tick_ns.value.data,
        "populations": sum(isinstance(op, ntensor.NeuronOp) for op in ops),
        "neurons": neurons_of(network),
        "weights": sum(op.weight.data.size for op in ops if isinstance(op, kinds)),
    }


def added_populations(given: Set[str], lowered: ModuleOp) -> dict[str, int]:
    """Returns the neurons of the populations that the target's pipeline added: relays, splitters, partial sums, copies."""
    populations = only_network(lowered).populations
    return {op.node.data: prod(shape_of(op.z.type)) for op in populations if op.node.data not in given}
