"""Inspection of a network: its conversion, its open choices, its activity, and its fit on devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from math import exp
from shlex import quote
from typing import Any

from attrs import Factory, define, evolve, field
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...analysis import loop_delays as loops
from ...analysis import presets
from ...analysis import time_constants as times
from ...analysis.discretisation_conflicts import ANA006, ANA007, ANA009, START_WINDOW, reads_rates
from ...analysis.flat_graph import ANA011, ANA012, Flat, flatten
from ...core.approximations import APPROXIMATIONS
from ...core.device.device import Device
from ...core.device.device_pass import asks_device
from ...core.diagnostics import (
    Code,
    Diagnostics,
    ExitCode,
    Finding,
    Refused,
    Severity,
    placeholders_text,
)
from ...core.explanations import cause_of
from ...core.help_text import in_command, time_text
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.location_parts import line_of
from ...core.ir.pass_results import PassResults
from ...core.progress import Progress
from ...dialects import nir, ntensor
from ...simulation.stimuli import Given, Stimulus
from ..calibration_inputs import calibration_pass
from ..compiling.device_fit import Fit, fit
from ..compiling.target_pipelines import readout_passes
from ..costing.estimates import with_estimate
from ..discretisation import conversion_options, conversion_pass, is_discretised, refuse_choices, repair_numbers
from ..modules import API011, absent_network, only_network
from ..options import Choices
from ..permissions.calibrated_networks import CalibratedNetworks
from ..permissions.permitted_fit import (
    KEPT_STEPS,
    Outcome,
    PermittedFit,
    Trial,
    with_approximations,
    with_whole_permission,
)
from ..running.labels import Labels
from ..running.level_comparison import make_stages, run_enabling_passes
from ..running.run import discretise
from ..running.shared_reference import SharedReference
from .activity import check_activity
from .device_losses import DeviceLosses
from .device_recipes import DeviceRecipes
from .lint import check_time_step, suspicions
from .loss_judge import LossJudge

CHK011 = Code("CHK011", "input-not-run", "the network was not run with the input")


OPEN = (times.ANA033, presets.ANA020, loops.ANA016, ANA009)
"""Choices that a file leaves open, by the codes that refuse them."""


ALWAYS = (ANA006, ANA007, ANA011, ANA012, loops.ANA016)
"""Refusals that do not depend on the time step and the reset rule."""


RULES = (
    "value sets v to v_reset, zero sets it to 0, subtract takes v_threshold from it",
    "frameworks interpret this differently, and produce different spikes",
)


def networks_of(module: ModuleOp) -> list[nir.GraphOp | ntensor.NetworkOp]:
    return [op for op in module.ops if isinstance(op, nir.GraphOp | ntensor.NetworkOp)]


def about(device: Device, found: Diagnostics) -> Iterator[Finding]:
    """Adds the device to findings about it, and yields them."""
    return (evolve(finding, target=device.target, device=device.key) for finding in found.findings)


@define
class Inspection:
    """Check of one module."""

    module: ModuleOp
    name: str
    calib: Given | None
    labels: Labels | None
    choices: Choices
    flags: Sequence[tuple[str, str]]
    """Options of the command, without the choices."""
    early: Sequence[ModulePass]
    """Passes on the network in continuous time."""
    diagnostics: Diagnostics
    progress: Progress | None
    tick_ns: int | None = field(
        init=False, default=Factory(lambda self: conversion_options(self.choices).get("dt_ns"), takes_self=True)
    )
    """The chosen time step; an invalid time is refused here."""
    flats: dict[str, Flat] = field(init=False, factory=dict[str, Flat])
    """Networks in continuous time, by name."""
    has_open_loop: bool = False
    has_open_window: bool = False
    stimulus: Stimulus | None = None
    start: Sequence[ModulePass] = ()
    """The passes before the run on the sample input that restore the rates of the network, with those before them."""
    module_in_ticks: ModuleOp | None = None
    """The module with its networks in ticks, if they can be converted."""
    losses: DeviceLosses | None = None
    """Comparisons with the network of reals, if it runs."""
    ready: dict[tuple[str, str | None], ModuleOp | None] = field(init=False, factory=dict[Any, "ModuleOp | None"])
    """The module after all passes of the user. The keys are the device, if passes depend on it, and the precision that the target chooses."""
    calibrated: CalibratedNetworks | None = field(init=False, default=None)
    """The module with its sample input, for all devices."""

    @property
    def graphs(self) -> list[nir.GraphOp]:
        return [op for op in self.module.ops if isinstance(op, nir.GraphOp)]

    def run(self, late: Sequence[ModulePass] = ()) -> None:
        """Inspects the network, and runs it on the sample input, after leading passes among `late` that restore its rates."""
        if not networks_of(self.module):
            self.diagnostics.error(API011, **{"help": f"nopt {self.file}"} | absent_network(self.module))
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
            network = self.restored(discretise(converted, {}, self.diagnostics), late)
            self.stimulus = check_activity(network, self.calib, self.diagnostics, self.progress)

    def restored(self, network: ntensor.NetworkOp, late: Sequence[ModulePass]) -> ntensor.NetworkOp:
        """Returns a network after leading passes that restore its rates, if there are some and they run; `after_passes` reports their findings."""
        first, others = pipeline.split_enabling(late)
        calibration = calibration_pass(self.calib, None, later=others)
        start, _ = pipeline.split_start([*first, *calibration, *others])
        if not any(getattr(step, "restores_rates", False) for step in start):
            return network
        found, module = Diagnostics(), None
        with found.collecting():
            module = run_enabling_passes(network, start, found)
        if module is None or found.errors:
            return network
        self.start = start
        return only_network(module)

    def run_reference(self, late: Sequence[ModulePass]) -> None:
        """Runs the network of reals, with which every device is compared; nothing without an input, or if the network cannot be run.

        Errors: RUN020, RUN021 labels; those of the input and of the run.
        """
        if self.module_in_ticks is None or self.stimulus is None or self.calib is None:
            return
        first = [*pipeline.defining_steps(self.early), *(self.start or pipeline.split_enabling(late)[0])]
        with self.collecting():
            stage = make_stages(self.module, first, self.choices, Diagnostics())[0]
            reference = SharedReference.of(stage, self.calib, self.labels, progress=self.progress)
            self.losses = DeviceLosses.of(reference)

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
        if any(finding.code in (times.ANA033, presets.ANA020, ANA009) for finding in findings):
            findings += self.inevitable_findings()
        self.has_open_loop = any(finding.code is loops.ANA016 for finding in findings)
        self.has_open_window = any(finding.code is ANA009 for finding in findings)
        for finding in findings:
            self.diagnostics.add(self.as_warning(finding) if finding.code in OPEN else finding)
        return None

    def after_passes(self, late: Sequence[ModulePass], calib: Given | None) -> ModuleOp | None:
        """Returns the module in ticks after the user's passes on it; None after a refusal.

        As in a compilation, sample input calibrates it before these passes.
        """
        if self.module_in_ticks is None or not networks_of(self.module_in_ticks):
            return None
        module, context = self.module_in_ticks.clone(), NoptContext(diagnostics=self.diagnostics)
        first, others = pipeline.split_enabling(late)
        with self.collecting():
            pass_manager.run_observed(first, context, module, self.diagnostics)
            pass_manager.run_passes(calibration_pass(calib, None, later=others), context, module)
            pass_manager.run_observed(others, context, module, self.diagnostics)
            return module
        return None

    def ready_for(
        self, device: Device, ready: ModuleOp, late: Sequence[ModulePass], calib: Given | None, seen: Diagnostics
    ) -> ModuleOp | None:
        """Returns the module in ticks after passes, in the precision that the device's target chooses; None after a refusal.

        Passes that depend on a device but name none are run for this device. `seen` receives their findings.
        """
        own, asks = self.networks(calib).choices_for(device), any(map(asks_device, late))
        asks |= bool(readout_passes(self.module, late, device))
        if not asks and own.get("precision") == self.choices.get("precision"):
            return ready
        key = (device.naming.key if asks else "", own.get("precision"))
        if key not in self.ready:
            found = Diagnostics()
            with found.collecting(except_misuse=True):
                self.ready[key] = self.networks(calib).after(device, self.texts_of(late), diagnostics=found)
            seen.extend(found.findings if asks else found.errors)
        return self.ready.setdefault(key, None)

    def networks(self, calib: Given | None) -> CalibratedNetworks:
        """Returns the module, which is repaired, with its sample input, for all devices."""
        if self.calibrated is None:
            choices: Choices = {**self.choices}
            choices.pop("exported_by", None)
            self.calibrated = CalibratedNetworks(self.module, choices, calib)
        return self.calibrated

    def to_ticks(self, choices: Choices, diagnostics: Diagnostics) -> ModuleOp:
        if is_discretised(self.module):
            refuse_choices(choices)
            return self.module
        module = self.module.clone()
        pass_manager.run_passes([*self.early, conversion_pass(choices)], NoptContext(diagnostics=diagnostics), module)
        return module

    def inevitable_findings(self) -> Iterator[Finding]:
        """Yields the refusals that occur for every value of the open choices, found by one trial conversion."""
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
            times.ANA033: (
                f"the {what} contains no time step",
                (cause_of(times.ANA033.id), *self.consequences(), *finding.notes),
            ),
            presets.ANA020: (
                f"the {what} specifies v_reset, but not whether a spike sets v to it or subtracts v_threshold",
                RULES,
            ),
            loops.ANA016: (
                f"the {what} does not specify the delay of a loop",
                (cause_of(loops.ANA016.id),),
            ),
            ANA009: (finding.message, (cause_of(ANA009.id),)),
        }[finding.code]
        return evolve(
            finding,
            severity=Severity.WARNING,
            message=message,
            node=finding.node if finding.code in (loops.ANA016, ANA009) else None,
            expected=in_command(finding.expected or ""),
            help=self.command(),
            notes=notes,
        )

    @property
    def is_binary(self) -> bool:
        """Whether the source of the network is a file without lines."""
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
        """Returns the command with values for the open choices, ready to run."""
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
        permitted: Sequence[str] = (),
        judge: LossJudge | None = None,
        recipes: DeviceRecipes | None = None,
        *,
        is_thorough: bool = False,
    ) -> Fit:
        """Returns the fit of the network on a device, after the passes `late`, with permitted approximations and its best recipe.

        `judge` reports the loss; with `is_thorough`, also its cause, and changes that were tried. `recipes` chooses its recipe.
        """
        seen, warned = Diagnostics(), Diagnostics()
        module = None if ready is None else self.ready_for(device, ready, late, given, seen)
        if module is None:
            return Fit(device.target, device.key, None, tuple(about(device, seen)))
        lowered = module.clone()
        results = PassResults(KEPT_STEPS)
        found = fit(lowered, device, progress=progress, results=results)
        typed = tuple(self.texts_of(late))
        trial = Trial(typed)
        if found.is_fitting:
            found = with_approximations(found, late)
        elif found.fits == "no":
            prepare, first = partial(self.networks(given).after, device), Outcome(Trial(typed), found, module, lowered)
            if permitted:
                best = PermittedFit(device, prepare, permitted, results=results).best(typed, first)
                found, module, lowered, trial = best.fit, best.network or module, best.module or lowered, best.trial
            search = PermittedFit(device, prepare, tuple(APPROXIMATIONS), results=results)
            found = with_whole_permission(found, search, typed, permitted, first)
        if found.is_fitting and recipes is not None:
            name, best = recipes.fit(device, trial, partial(self.networks(given).after, device), typed)
            if best is not None:
                typed_again = found.passes  # a compilation chooses the recipe again
                found = evolve(best.fit, passes=typed_again)
                module, lowered = best.network or module, best.module or lowered
            found = evolve(found, recipe=name)
        if found.is_fitting and judge is not None:
            loss = judge.judge(device, found, module, lowered, warned, is_thorough=is_thorough)
            found = evolve(found, loss=loss)
        found = evolve(found, findings=(*found.findings, *about(device, seen), *about(device, warned)))
        return with_estimate(found, device, module, lowered, most) if is_estimated else found

    def texts_of(self, late: Sequence[ModulePass]) -> list[str]:
        """Returns the passes in continuous time, then further passes."""
        return [pipeline.pass_text(step) for step in (*self.early, *late)]

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
