"""The verb `check`: all findings about a network, grouped by node.

They are ambiguities (time step, reset, loop delay: a warning here, an error in a run), repairs of the frontend, and suspicious parts
(`suspicions.py`). With an input, they include the activity of the network (`activity.py`). With devices, they include the limits that the
network exceeds (`fitting.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from math import exp
from pathlib import Path
from shlex import quote
from typing import Any, Unpack

from attrs import Factory, define, evolve, field
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...analysis import loop_delays as loops
from ...analysis import presets
from ...analysis import time_constants as times
from ...analysis.discrete_forms import DIS001, DIS006, DIS008, START_WINDOW, reads_rates
from ...analysis.flat_graph import FLA001, FLA002, Flat, flatten
from ...core import registry
from ...core.budget import OutOfTime, Partial
from ...core.device.device import Device
from ...core.device.device_pass import asks_device, on_device
from ...core.diagnostics import (
    Code,
    Diagnostics,
    ExitCode,
    Finding,
    Refused,
    Severity,
    describe_op,
    placeholders_text,
    refuse,
)
from ...core.explanations import cause_of
from ...core.files import FIL001
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.location_parts import line_of
from ...core.locations import Origins
from ...core.phrases import in_command, time_text
from ...core.progress import Progress, doing, part_progress, report_part, require_progress
from ...dialects import nir, ntensor
from ...simulation.axes import order_axes, refuse_axes
from ...simulation.stimuli import Given, Stimulus
from ..budgets import MaxTime, with_max_time
from ..calibration_inputs import calibration_pass
from ..compiling.device_fit import Fit, fit
from ..compiling.estimates import with_estimate
from ..compiling.number_types import with_precision
from ..compiling.request import device_of
from ..discretisation import (
    Choices,
    conversion_options,
    conversion_pass,
    is_discretised,
    refuse_choices,
    repair_numbers,
    split_by_level,
)
from ..modules import EXE001, Network, absent_network, available_passes, module_of
from ..running.run import discretise, lift_graphs
from ..unit_values import memory_bytes
from .activity import check_activity
from .check_results import Check
from .device_ranking import Candidate, figure_weights, rank_devices
from .lint import check_time_step, suspicions
from .rate_comparison import check_rates

CHK011 = Code("CHK011", "the network was not run with the input")

OPEN = (times.TIM001, presets.PRE004, loops.LOO004, DIS008)
"""Choices that a file leaves open, by the codes that refuse them."""
ALWAYS = (DIS001, DIS006, FLA001, FLA002, loops.LOO004)
"""Refusals that do not depend on the time step and the reset rule."""
RULES = (
    "value sets v to v_reset, zero sets it to 0, subtract takes v_threshold from it",
    "frameworks interpret this differently, and produce different spikes",
)


@with_max_time
def check(
    network: Network,
    calib: Given | None = None,
    *,
    axes: str | None = None,
    target: str | None = None,
    device: str | Path | None = None,
    set: Sequence[str] = (),
    passes: str = "",
    arrays: str | Path | None = None,
    limits: Mapping[str, int] | Sequence[str] = (),
    strict: bool = False,
    prefer: Mapping[str, float] | str = "",
    max_memory: int | str | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    **choices: Unpack[Choices],
) -> Check:
    """Reports ambiguities of a network, repairs, and suspicious parts.

        found = nopt.check("net.nir", dt="1ms", like="norse")
        [finding.message for finding in found.findings if finding.node == "lif1"]

    A refusal is a finding of severity error; only misuse raises an exception. `target` is `T/DEVICE`, `all`, or `auto`: the first device
    in the order of `selection` that the network fits on, with the order of all devices. `device` is a file, and `set` overrides its fields. `passes` run on the network in ticks before.
    `calib` is an input as in `run`: the network is run, and populations that never fire or always fire are reported. `axes` is the order of its
    axes as in `run`. `arrays` and `limits` are those of `read`. `strict` turns warnings and remarks into errors. `prefer` weights the figures of
    the order, as `energy=2,latency=1`. A device that needs more than `max_memory`, such as `64KiB`, does not fit.
    `progress` counts the run with `calib`, and the devices.

    Errors: LIM001, VAL001, PRE001, PRE003, PRE005, LOO002 invalid choices; FIL001 a missing file; TAR001, DEV001 to DEV009 an unknown
    device.
    """
    require_progress(progress)
    if axes is not None and calib is None:
        refuse_axes(axes, "no input")
    weights, most = figure_weights(prefer), None if max_memory is None else memory_bytes(max_memory)
    chosen = devices_of(target, device, set)
    fits: list[Fit] = []
    diagnostics, origins = Diagnostics(), Origins(ModuleOp([]))
    name = str(network) if isinstance(network, str | Path) else ""
    order: list[str] = []
    stimulus: Stimulus | None = None
    unfinished: Finding | None = None
    ranking: tuple[Candidate, ...] = ()
    try:
        module = module_of(network, arrays=arrays, limits=limits, diagnostics=diagnostics)
        module = lift_graphs(module, diagnostics)
    except Refused as refusal:
        if refusal.exit_code is ExitCode.MISUSED or any(finding.code is FIL001 for finding in refusal.findings):
            raise
        diagnostics.extend(refusal.findings)
    else:
        origins = Origins(module)
        order += nodes_of(module)
        name = name or ", ".join(f"@{graph.sym_name.data}" for graph in networks_of(module))
        given = {"input": calib if isinstance(calib, str | Path) else None, "arrays": arrays, "axes": axes}
        flags = [(option, str(value)) for option, value in given.items() if value is not None]
        texts = [f"{limit}={number}" for limit, number in limits.items()] if isinstance(limits, Mapping) else limits
        flags += [("limit", text) for text in texts]
        early, late = split_by_level(pipeline.parse_pipeline(passes, available_passes()) if passes else [], module)
        sample = order_axes(calib, axes) if calib is not None else None
        parts = len(chosen) + (sample is not None)
        step = part_progress(progress, 0, parts) if chosen else progress
        inspection = Inspection(module, name, sample, choices, flags, early, diagnostics, step)
        with doing("inspection of the network"):
            inspection.run()
        stimulus = inspection.stimulus
        given_input = None if stimulus is None else inspection.calib
        asks = chosen or (passes and given_input is not None)
        is_shared = not chosen or not any(map(asks_device, late))
        ready = inspection.after_passes(late if is_shared else (), given_input) if asks else None
        reals = inspection.module_in_ticks
        if passes and is_shared and given_input is not None and ready is not None and reals is not None:
            check_rates(reals, ready, given_input, diagnostics, "after the passes")
        with Partial() as result:
            for number, one in enumerate(chosen, parts - len(chosen)):
                step = part_progress(progress, number, parts)
                with doing(f"device {one.key}", len(fits) + 1, len(chosen)):
                    fits.append(
                        inspection.fit_on(
                            one, ready, late, given_input, step, target == "auto" or most is not None, most
                        )
                    )
                report_part(progress, number + 1, parts)
        unfinished = result.finding(f"{len(chosen) - len(fits)} of {len(chosen)} devices are")
        fits += [Fit(one.target, one.key, None) for one in chosen[len(fits) :]]
        if target == "auto":
            ranking = tuple(rank_devices(fits, weights))
            best = ranking[0].device if ranking and ranking[0].fits else None
            fits = [one for one in fits if best in (None, one.device)]
    findings: list[Finding] = [] if unfinished is None else [unfinished]
    for found in (diagnostics, *(Diagnostics(one.findings) for one in fits)):
        if strict:
            found.strict()
        findings += sorted_findings([*map(origins.locate, found.findings)], order)
    shown = "standard input" if name == "-" else name
    return Check(
        shown,
        tuple(findings),
        tuple(fits),
        ranking,
        needs_one=target in ("all", "auto"),
        stimulus=stimulus,
        unfinished=unfinished,
    )


def devices_of(target: str | None, file: str | Path | None, settings: Sequence[str]) -> list[Device]:
    """Returns the requested devices; `all` and `auto` request every device of the installation.

    Errors: TAR001, DEV001 to DEV009.
    """
    if file is None and target in ("all", "auto"):
        usable = registry.usable_targets()
        keys = [
            f"{slug}/{name}" for slug, known in sorted(registry.devices().items()) if slug in usable for name in known
        ]
        return [device_of(key, None, settings) for key in keys]
    return [] if file is None and target is None else [device_of(target, file, settings)]


def sorted_findings(findings: Iterable[Finding], order: Iterable[str]) -> list[Finding]:
    """Sorts findings by node, in the order of the network, and by severity; unknown nodes come last."""
    ranks = {name: k for k, name in enumerate(["", *order])}
    for finding in findings:
        ranks.setdefault(finding.node or "", len(ranks))
    severities = list(Severity)
    return sorted(findings, key=lambda found: (ranks[found.node or ""], severities.index(found.severity)))


def networks_of(module: ModuleOp) -> list[nir.GraphOp | ntensor.NetworkOp]:
    return [op for op in module.ops if isinstance(op, nir.GraphOp | ntensor.NetworkOp)]


def nodes_of(module: ModuleOp) -> Iterator[str]:
    """Yields the names of all nodes in the order of the IR, inputs and outputs first; nodes of nested graphs have their full name."""
    work: list[tuple[Operation, str]] = [(op, "") for op in reversed(networks_of(module))]
    while work:
        op, prefix = work.pop()
        if (node := describe_op(op)[1]) is not None:
            yield f"{prefix}{node}"
            prefix = f"{prefix}{node}."
        if isinstance(op, nir.GraphOp | nir.SubgraphOp | ntensor.NetworkOp):
            yield from (prefix + name.data for name in (*op.input_names, *op.output_names))
            work += [(inner, prefix) for inner in reversed(list(op.body.block.ops))]


def about(device: Device, found: Diagnostics) -> Iterator[Finding]:
    """Yields findings with the device that they are about."""
    return (evolve(finding, target=device.target, device=device.key) for finding in found.findings)


def chosen_tick(inspection: Inspection) -> int | None:
    """Returns the time step that the user chose. Errors: those of an invalid time."""
    return conversion_options(inspection.choices).get("dt_ns")


@define
class Inspection:
    """Check of one module."""

    module: ModuleOp
    name: str
    calib: Given | None
    choices: Choices
    flags: Sequence[tuple[str, str]]
    """Options of the command, without the choices."""
    early: Sequence[ModulePass]
    """Passes on the network in continuous time."""
    diagnostics: Diagnostics
    progress: Progress | None
    tick_ns: int | None = field(init=False, default=Factory(chosen_tick, takes_self=True))
    """The chosen time step; an invalid time is refused here."""
    flats: dict[str, Flat] = field(init=False, factory=dict[str, Flat])
    """Networks in continuous time, by name."""
    has_open_loop: bool = False
    has_open_window: bool = False
    stimulus: Stimulus | None = None
    module_in_ticks: ModuleOp | None = None
    """The module with its networks in ticks, if they can be converted."""
    ready: dict[tuple[str, str | None], ModuleOp | None] = field(init=False, factory=dict[Any, "ModuleOp | None"])
    """The module after all passes of the user, by the device that they ask for, and by the precision that a target chooses."""

    @property
    def graphs(self) -> list[nir.GraphOp]:
        return [op for op in self.module.ops if isinstance(op, nir.GraphOp)]

    def run(self) -> None:
        if not networks_of(self.module):
            self.diagnostics.error(EXE001, **absent_network(self.module), help=f"nopt {self.file}")
            return
        with self.collecting():
            self.module = repair_numbers(self.module, self.choices, self.diagnostics)
        for graph in self.graphs:
            with self.collecting():  # the conversion reports a refusal too, if it gets that far
                self.flats[graph.sym_name.data] = flatten(graph)
        converted = self.module_in_ticks = self.convert()
        networks = networks_of(converted) if converted else []
        named = {op.sym_name.data: op for op in networks if isinstance(op, ntensor.NetworkOp)}
        for name, flat in self.flats.items():
            suspicions(flat, neurons_of(named.get(name)), self.diagnostics)
        self.check_times(has_failed=converted is None)
        if self.calib is None:
            return
        if converted is None:
            self.diagnostics.warning(
                CHK011, expected="a network that can be run", found="open choices, or errors", help=self.command()
            )
            return
        with self.collecting():
            network = discretise(converted, {}, self.diagnostics)
            self.stimulus = check_activity(network, self.calib, self.diagnostics, self.progress)

    def collecting(self) -> AbstractContextManager[None]:
        """Adds the findings of a refusal of the network; a refusal of the command is raised."""
        return self.diagnostics.collecting(except_misuse=True)

    def convert(self) -> ModuleOp | None:
        """Returns the networks in ticks, or None; open choices become warnings, and refusals become errors."""
        try:
            return self.to_ticks(self.choices, self.diagnostics)
        except Refused as refusal:
            if refusal.exit_code is ExitCode.MISUSED:
                raise
            findings = list(refusal.findings)
        if any(finding.code in (times.TIM001, presets.PRE004, DIS008) for finding in findings):
            findings += self.inevitable_findings()
        self.has_open_loop = any(finding.code is loops.LOO004 for finding in findings)
        self.has_open_window = any(finding.code is DIS008 for finding in findings)
        for finding in findings:
            self.diagnostics.add(self.as_warning(finding) if finding.code in OPEN else finding)
        return None

    def after_passes(self, late: Sequence[ModulePass], calib: Given | None) -> ModuleOp | None:
        """Returns the module in ticks after the user's passes on it; None after a refusal.

        As in a compilation, sample input calibrates it before these passes.
        """
        if self.module_in_ticks is None or not networks_of(self.module_in_ticks):
            return None
        module, ctx = self.module_in_ticks.clone(), NoptContext(diagnostics=self.diagnostics)
        first, others = pipeline.split_enabling(late)
        with self.collecting():
            pass_manager.run_observed(first, ctx, module, self.diagnostics)
            pass_manager.run_passes(calibration_pass(calib, None), ctx, module)
            pass_manager.run_observed(others, ctx, module, self.diagnostics)
            return module
        return None

    def ready_for(
        self, device: Device, ready: ModuleOp, late: Sequence[ModulePass], calib: Given | None, seen: Diagnostics
    ) -> ModuleOp | None:
        """Returns the module in ticks in the precision that the target of a device chooses, after passes; None after a refusal.

        Passes for a device that is not named are for this one, and `seen` receives their findings.
        """
        own = with_precision(self.choices, self.module, device)
        asks = any(map(asks_device, late))
        if not asks and own == self.choices:
            return ready
        key = (device.naming.key if asks else "", own.get("precision"))
        if key not in self.ready:
            found = Diagnostics()
            with found.collecting(except_misuse=True):
                self.ready[key] = self.run_late(own, on_device(late, device), calib, found)
            seen.extend(found.findings if asks else found.errors)
        return self.ready.setdefault(key, None)

    def run_late(
        self, choices: Choices, late: Sequence[ModulePass], calib: Given | None, seen: Diagnostics
    ) -> ModuleOp:
        """Returns the module in ticks after the calibration and passes, whose findings `seen` receives."""
        made, (first, others) = self.to_ticks(choices, Diagnostics()).clone(), pipeline.split_enabling(late)
        pass_manager.run_passes(first, NoptContext(diagnostics=seen), made)
        pass_manager.run_passes(calibration_pass(calib, None), NoptContext(diagnostics=Diagnostics()), made)
        pass_manager.run_passes(others, NoptContext(diagnostics=seen), made)
        return made

    def to_ticks(self, choices: Choices, diagnostics: Diagnostics) -> ModuleOp:
        if is_discretised(self.module):
            refuse_choices(choices)
            return self.module
        module = self.module.clone()
        pass_manager.run_passes([*self.early, conversion_pass(choices)], NoptContext(diagnostics=diagnostics), module)
        return module

    def inevitable_findings(self) -> Iterator[Finding]:
        """Yields the refusals that occur for every value of the open choices: those of one trial conversion."""
        some: Choices = {**self.choices}
        some["dt"] = some.get("dt") or f"{self.suggested_ticks()[0]}ns"
        if not some.get("like") and not some.get("reset"):
            some["reset"] = "value"
        if any(reads_rates(node.op) for flat in self.flats.values() for node in flat.nodes):
            some["rate_window"] = some.get("rate_window") or START_WINDOW
        try:
            self.to_ticks(some, Diagnostics())
        except Refused as refusal:
            yield from (finding for finding in refusal.findings if finding.code in ALWAYS)

    def populations(self) -> list[tuple[str, nir.PopulationOp]]:
        """Returns the populations of all networks, with their full names."""
        nodes = [node for flat in self.flats.values() for node in flat.nodes]
        return [(node.name, node.op) for node in nodes if isinstance(node.op, nir.PopulationOp)]

    def suggested_ticks(self) -> list[int]:
        """Returns time steps [ns] for a suggestion."""
        return times.advice(node.op for flat in self.flats.values() for node in flat.nodes)[0]

    # ---- open choices

    def as_warning(self, finding: Finding) -> Finding:
        """Returns a refusal of the conversion as a warning of this command."""
        what = "file" if self.is_binary else "network"
        message, notes = {
            times.TIM001: (
                f"the {what} contains no time step",
                (cause_of(times.TIM001.name), *self.consequences(), *finding.notes),
            ),
            presets.PRE004: (
                f"the {what} specifies v_reset, but not whether a spike sets v to it or subtracts v_threshold",
                RULES,
            ),
            loops.LOO004: (
                f"the {what} does not specify the delay of a loop",
                (cause_of(loops.LOO004.name),),
            ),
            DIS008: (finding.message, (cause_of(DIS008.name),)),
        }[finding.code]
        return evolve(
            finding,
            severity=Severity.WARNING,
            message=message,
            node=finding.node if finding.code in (loops.LOO004, DIS008) else None,
            expected=in_command(finding.expected or ""),
            help=self.command(),
            notes=notes,
        )

    @property
    def is_binary(self) -> bool:
        """Whether the network comes from a file without lines."""
        return any((line := line_of(one.location)) is not None and not line.line.data for one in self.graphs)

    def consequences(self) -> Iterator[str]:
        """Yields the effect of two time steps on one population of this network."""
        for node, op in self.populations():
            if not op.TIMES or not (values := dict(op.parameters())[op.TIMES[-1]].values).size:
                continue
            tau = float(values.reshape(-1)[0])
            short, long = (f"{exp(-ns / 1e9 / tau):.1%}" for ns in (100_000, 1_000_000))
            name = f'"{node}" ({op.TIMES[-1]} = {tau:g} s)'
            yield f"for example, {name} keeps {short} of v over a tick of 0.1 ms, and {long} over one of 1 ms"
            return

    def command(self) -> str:
        """Returns this command with values for the open choices; it works as it is."""
        made: dict[str, Any] = {name: value for name, value in self.choices.items() if value is not None}
        dt, choices = made.pop("dt", None), dict[str, Iterable[str]]()
        if dt is None:
            dt, *others = map(time_text, self.suggested_ticks())
            if others:
                choices["TIME"], dt = [dt, *others], "TIME"
        if not made.get("like") and not made.get("reset"):
            made = {"like": "NAME"} | made
            choices["NAME"] = presets.presets()
        elif self.has_open_loop:
            made["loop_delay"] = "spikes"
        if self.has_open_window:
            made |= {"rate_window": START_WINDOW}  # one of 0 or less is replaced
        flags = [("dt", dt), *made.items(), *self.flags]
        shown = " ".join(f"--{name.replace('_', '-')} {quote(str(value))}" for name, value in flags)
        return f"nopt check {self.file} {shown}{placeholders_text(choices)}"

    @property
    def file(self) -> str:
        """Returns the name of the network in a command."""
        return "FILE" if self.name.startswith("@") or not self.name else quote(self.name)

    def fit_on(
        self,
        device: Device,
        ready: ModuleOp | None,
        late: Sequence[ModulePass],
        given: Given | None,
        progress: Progress | None,
        is_estimated: bool,
        most: int | None,
    ) -> Fit:
        """Returns the fit of the network on a device, after the passes `late`."""
        seen, warned = Diagnostics(), Diagnostics()
        module = None if ready is None else self.ready_for(device, ready, late, given, seen)
        if module is None:
            return Fit(device.target, device.key, None, tuple(about(device, seen)))
        lowered = module.clone()
        found, cosine = fit(lowered, device, progress=progress), None
        if found.fits and given is not None and self.module_in_ticks is not None:
            cosine = check_rates(self.module_in_ticks, found.network or module, given, warned, f"on {device.key}")
        found = evolve(found, findings=(*found.findings, *about(device, seen), *about(device, warned)))
        return with_estimate(found, device, module, lowered, cosine, most) if is_estimated else found

    # ---- times

    def check_times(self, has_failed: bool) -> None:
        """Warns about units, and about a time step that contradicts the file."""
        populations = [op for _, op in self.populations()]
        names: times.Names = {op: name for name, op in self.populations()}
        if self.tick_ns is not None:
            check_time_step(populations, names, self.tick_ns, self.diagnostics)
        if has_failed:  # otherwise the conversion has checked the units
            nodes = [node.op for flat in self.flats.values() for node in flat.nodes]
            times.check_times(nodes, self.tick_ns or 1, self.diagnostics, names)


def neurons_of(network: ntensor.NetworkOp | None) -> dict[str, ntensor.NeuronOp]:
    """Returns the populations of a network by name."""
    ops = network.body.block.ops if network is not None else ()
    return {op.node.data: op for op in ops if isinstance(op, ntensor.NeuronOp)}


SEL001 = Code("SEL001", "the network fits on no device")


SHOWN_REASONS = 20
"""Devices that the refusal lists."""


def open_findings(findings: Sequence[Finding]) -> list[Finding]:
    """Returns the errors and warnings about the network itself."""
    return [one for one in findings if one.device is None and one.severity is not Severity.REMARK]


@with_max_time
def select_device(
    network: Network,
    calib: Given | None = None,
    *,
    axes: str | None = None,
    set: Sequence[str] = (),
    passes: str = "",
    prefer: Mapping[str, float] | str = "",
    max_memory: int | str | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    **choices: Unpack[Choices],
) -> str:
    """Returns the first device in the order that the network fits on and whose target writes an artefact, as `TARGET/DEVICE`.

        nopt.compile("net.nir", target=nopt.select_device("net.nir", dt="1ms", like="norse"), dt="1ms", like="norse")

    `prefer`, `max_memory` and `progress` are those of `check`. Errors: SEL001, SEL003; those of `check`.
    """
    limit: dict[str, Any] = {"prefer": prefer, "max_memory": max_memory}
    found = check(
        network, calib, axes=axes, target="auto", set=set, passes=passes, progress=progress, **limit, **choices
    )
    if found.unfinished is not None:
        raise OutOfTime(found.unfinished)
    usable = registry.usable_targets()
    ranking = [one for one in found.ranking if usable[one.target].artefact is not None]
    best = next((one for one in ranking if one.fits), None)
    if best is None:
        refuse(
            SEL001,
            at="--target auto",
            expected="a device on which the network fits",
            found=f"none of {len(ranking)} devices",
            help="nopt check FILE --target all",
            notes=[
                *(
                    f"{one.device}: {f'{one.code}, ' if one.code else ''}{one.reason}"
                    for one in ranking[:SHOWN_REASONS]
                ),
                *(f"{one.code}: {one.message}" for one in open_findings(found.findings)),
            ],
        )
    return best.device
