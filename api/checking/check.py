"""The verb `check`: all findings about a network, grouped by node.

They are ambiguities (time step, reset, loop delay: a warning here, an error in a run), repairs of the frontend, and suspicious parts
(`lint.py`). With an input, they include the activity of the network (`activity.py`). With devices, they include the limits that the
network exceeds (`../compiling/device_fit.py`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Unpack

from attrs import define, field, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...core import registry
from ...core.budget import OutOfTime, Partial
from ...core.device.device import Device
from ...core.device.device_pass import asks_device
from ...core.device.recipes import Effort
from ...core.diagnostics import (
    Code,
    Diagnostics,
    ExitCode,
    Finding,
    Refused,
    Severity,
    describe_op,
    refuse,
)
from ...core.files import COR008
from ...core.help_text import OtherDevice, Phrase
from ...core.ir import pipeline
from ...core.locations import Origins
from ...core.progress import Progress, doing, part_progress, report_part, require_progress
from ...dialects import nir, ntensor
from ...simulation.axes import order_axes, refuse_axes
from ...simulation.stimuli import Given, Stimulus
from ..budgets import MaxTime, with_max_time
from ..compiling.device_fit import Fit
from ..compiling.request import device_of, effort_of, refuse_labels, require_recipe_effect
from ..discretisation import split_by_level
from ..judging.loss_findings import LOS001
from ..judging.thresholds import MaxLoss, Thresholds, parse_thresholds, require_sample, require_subject
from ..modules import Network, available_passes, module_of
from ..options import Choices, DeviceOptions, FitOptions, choices_in, complete, with_options
from ..permissions.approximation_names import DEVICE_OPTIONS, permitted_names, require_effect
from ..recipes.recipe_search import HeldReference
from ..running.labels import Labels
from ..running.run import lift_graphs
from ..unit_values import memory_bytes
from .check_results import Check
from .device_ranking import Candidate, figure_weights, rank_devices
from .device_recipes import DeviceRecipes
from .inspection import Inspection, networks_of
from .loss_judge import LossJudge


@frozen
class CheckRequest:
    """Arguments of a check."""

    network: Network
    calib: Given | None
    axes: str | None
    labels: Labels | None
    devices: Sequence[Device]
    is_ranked: bool
    """Whether the devices are put in an order."""
    passes: str
    arrays: str | Path | None
    limits: Mapping[str, int] | Sequence[str]
    max_bytes: int | None
    permitted: Sequence[str]
    """Names of permitted approximations."""
    thresholds: Thresholds
    weights: Mapping[str, float]
    """Weights of the figures in the order of the devices."""
    recipe: str | None
    effort: Effort
    progress: Progress | None
    choices: Choices

    @property
    def name(self) -> str:
        """Returns the name of the file; empty for a module."""
        return str(self.network) if isinstance(self.network, str | Path) else ""

    @property
    def sample(self) -> Given | None:
        return None if self.calib is None else order_axes(self.calib, self.axes)

    @property
    def flags(self) -> list[tuple[str, str]]:
        """Returns the options of the command, without the choices."""
        calib = self.calib if isinstance(self.calib, str | Path) else None
        labels = self.labels if isinstance(self.labels, str | Path) else None
        given = {"input": calib, "labels": labels, "arrays": self.arrays, "axes": self.axes}
        given |= {"approximate": ",".join(self.permitted) or None}
        limits = self.limits
        texts = [f"{limit}={number}" for limit, number in limits.items()] if isinstance(limits, Mapping) else limits
        return [
            *((option, str(value)) for option, value in given.items() if value is not None),
            *(("limit", text) for text in texts),
        ]


@define
class Checked:
    """Results for one module; empty for a network that cannot be read."""

    name: str
    origins: Origins = field(factory=lambda: Origins(ModuleOp([])))
    order: list[str] = field(factory=list[str])
    """Names of the nodes."""
    fits: list[Fit] = field(factory=list[Fit])
    ranking: tuple[Candidate, ...] = ()
    stimulus: Stimulus | None = None
    unfinished: Finding | None = None


@with_options(DeviceOptions)
@with_max_time
def check(
    network: Network,
    calib: Given | None = None,
    *,
    labels: Labels | None = None,
    arrays: str | Path | None = None,
    limits: Mapping[str, int] | Sequence[str] = (),
    strict: bool = False,
    prefer: Mapping[str, float] | str = "",
    max_memory: int | str | None = None,
    max_loss: MaxLoss = "",
    progress: Progress | None = None,
    max_time: MaxTime = None,
    **given: Unpack[DeviceOptions],
) -> Check:
    """Reports ambiguities of a network, repairs, and suspicious parts.

        found = nopt.check("net.nir", dt="1ms", like="norse")
        [finding.message for finding in found.findings if finding.node == "lif1"]

    A refusal is a finding of severity error; only misuse raises an exception. `target` is `T/DEVICE`, `all`, or `auto`: the first device
    in the order of `device_ranking.py` that the network fits on, with the order of all devices. `device` is a file, and `set` overrides its fields. `passes` run on the network in ticks before.
    `approximate` permits approximations, as `reset,count` or `all`: then a device may take passes with these, and exact ones, until the network fits.
    `calib` is an input as in `run`: the network is run, and populations that never fire or always fire are reported. It calibrates each device that
    requires a calibration, and the loss of each device is measured on it; `labels` (int `[samples]`) add the accuracy. `axes` is the order of its
    axes as in `run`. `arrays` and `limits` are those of `read`. `strict` turns warnings and remarks into errors. `prefer` weights the figures of
    the order, as `energy=2,latency=1`. A device that needs more than `max_memory`, such as `64KiB`, does not fit. A loss beyond a default threshold is
    a warning, and beyond one of `max_loss`, such as `accuracy=1pt,agreement=0.98`, an error; without `calib`, the loss is measured on generated input.
    `recipe` and `effort` are those of `compile`: each device has the recipe that a compilation chooses.
    `progress` counts the run with `calib`, and the devices.

    Errors: CMP015 to CMP018, DEV025, LOS003, LOS004, NIF036, API022, ANA017, ANA019, ANA021, ANA014 invalid choices; COR008 a missing file; API021, DEV001 to DEV009 an unknown
    device.
    """
    require_progress(progress)
    options = complete(DeviceOptions, given)
    axes, recipe, effort = options["axes"], options["recipe"], options["effort"]
    if axes is not None and calib is None:
        refuse_axes(axes, "no input")
    if labels is not None and calib is None:
        refuse_labels(labels, "--input")
    thresholds = parse_thresholds(max_loss)
    require_sample(thresholds, "--input", has_sample=calib is not None, has_labels=labels is not None)
    own_effort = effort_of(effort, recipe, has_sample=calib is not None, flag="--input")
    weights, most = figure_weights(prefer), None if max_memory is None else memory_bytes(max_memory)
    permitted = permitted_names(options["approximate"])
    chosen = devices_of(options["target"], options["device"], options["set"])
    passes, is_ranked = options["passes"], options["target"] == "auto"
    require_effect(permitted, DEVICE_OPTIONS, has_effect=bool(chosen))
    require_recipe_effect(recipe, effort, has_device=bool(chosen))
    if not chosen and not passes:
        require_subject(thresholds)
    inputs, limited = (network, calib, axes, labels), (limits, most, permitted, thresholds)
    others = (weights, recipe, own_effort, progress, choices_in(options))
    request = CheckRequest(*inputs, chosen, is_ranked, passes, arrays, *limited, *others)
    diagnostics, module = Diagnostics(), None
    with keep_refusals(diagnostics):
        module = lift_graphs(module_of(network, arrays=arrays, limits=limits, diagnostics=diagnostics), diagnostics)
    checked = Checked(request.name) if module is None else check_module(request, module, diagnostics)
    fits, ranking = checked.fits, checked.ranking
    if ranking and ranking[0].is_fitting:
        fits = [one for one in fits if one.device == ranking[0].device]
    findings: list[Finding] = [] if checked.unfinished is None else [checked.unfinished]
    for found in (diagnostics, *(Diagnostics(one.findings) for one in fits)):
        if strict:
            found.promote_warnings()
        findings += sorted_findings([*map(checked.origins.locate, found.findings)], checked.order)
    return Check(
        "standard input" if checked.name == "-" else checked.name,
        tuple(findings),
        tuple(fits),
        ranking,
        needs_one=options["target"] in ("all", "auto"),
        stimulus=checked.stimulus,
        unfinished=checked.unfinished,
    )


@contextmanager
def keep_refusals(diagnostics: Diagnostics) -> Generator[None]:
    """Adds the findings of a network that is refused; misuse and a missing file are raised. Errors: COR008."""
    try:
        yield
    except Refused as refusal:
        if refusal.exit_code is ExitCode.MISUSED or any(finding.code is COR008 for finding in refusal.findings):
            raise
        diagnostics.extend(refusal.findings)


def check_module(request: CheckRequest, module: ModuleOp, diagnostics: Diagnostics) -> Checked:
    """Inspects a network, and fits it on the devices while the time budget lasts. Errors: those of invalid choices."""
    name = request.name or ", ".join(f"@{graph.sym_name.data}" for graph in networks_of(module))
    checked = Checked(name, Origins(module), list(nodes_of(module)))
    passes = pipeline.parse_pipeline(request.passes, available_passes()) if request.passes else []
    early, late = split_by_level(passes, module)
    progress, chosen = request.progress, request.devices
    parts = len(chosen) + (request.sample is not None)
    step = part_progress(progress, 0, parts) if chosen else progress
    given = (request.sample, request.labels)
    inspection = Inspection(module, name, *given, request.choices, request.flags, early, diagnostics, step)
    with doing("inspection of the network"):
        inspection.run(late)
        if chosen or request.passes or request.labels is not None:
            inspection.run_reference(late)
    checked.stimulus = inspection.stimulus
    sample = None if checked.stimulus is None else inspection.calib
    asks = chosen or (request.passes and sample is not None)
    is_shared = not chosen or not any(map(asks_device, late))
    ready = inspection.after_passes(late if is_shared else (), sample) if asks else None
    judge = judge_of(request, inspection, sample)
    if request.passes and not chosen and ready is not None and judge is not None:
        judge.judge_passes(ready, diagnostics)
    is_estimated = request.is_ranked or request.max_bytes is not None or len(chosen) == 1
    given = (late, sample)
    limits = (is_estimated, request.max_bytes, request.permitted)
    recipes = recipes_of(request, inspection, sample)
    with Partial() as result:
        for number, one in enumerate(chosen, parts - len(chosen)):
            step = part_progress(progress, number, parts)
            with doing(f"device {one.key}", len(checked.fits) + 1, len(chosen)):
                own = None if request.is_ranked and sample is None else judge
                is_thorough = len(chosen) == 1
                fitted = inspection.fit_on(one, ready, *given, step, *limits, own, recipes, is_thorough=is_thorough)
                checked.fits.append(fitted)
            report_part(progress, number + 1, parts)
    left = chosen[len(checked.fits) :]
    checked.unfinished = result.finding(f"{len(left)} of {len(chosen)} devices are")
    checked.fits += [Fit(one.target, one.key, None) for one in left]
    if not request.is_ranked or not checked.fits:
        return checked
    checked.ranking = tuple(rank_devices(checked.fits, request.weights))
    best = next(k for k, one in enumerate(checked.fits) if one.device == checked.ranking[0].device)
    is_lossy = any(one.code is LOS001 for one in checked.fits[best].findings)
    if checked.fits[best].is_fitting and checked.unfinished is None and (sample is None or is_lossy):
        with doing(f"device {chosen[best].key}"):
            own = (*limits, judge)
            checked.fits[best] = inspection.fit_on(chosen[best], ready, *given, None, *own, recipes, is_thorough=True)
    return checked


def recipes_of(request: CheckRequest, inspection: Inspection, sample: Given | None) -> DeviceRecipes:
    """Returns the choice of recipes; none is tried without a sample input that the network runs."""
    losses = inspection.losses
    held = None
    if sample is not None and losses is not None:
        held = HeldReference(lambda: losses.reference.stage, sample, request.effort)
    return DeviceRecipes(request.recipe, request.effort, held, request.permitted)


def judge_of(request: CheckRequest, inspection: Inspection, sample: Given | None) -> LossJudge | None:
    """Returns the judge of the loss; None for a sample input that the network refuses."""
    if request.sample is not None and (sample is None or inspection.losses is None):
        return None
    limits = (request.thresholds, request.passes, request.permitted)
    return LossJudge(inspection.networks(sample), inspection.losses, *limits)


def devices_of(target: str | None, file: str | Path | None, settings: Sequence[str]) -> list[Device]:
    """Returns the requested devices; `all` and `auto` request every device of the installation."""
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


CHK022 = Code("CHK022", "network-fits-no-device", "the network fits on no device")


SHOWN_REASONS = 20
"""Maximum number of devices in the refusal."""


@with_options(FitOptions)
@with_max_time
def select_device(
    network: Network,
    calib: Given | None = None,
    *,
    labels: Labels | None = None,
    prefer: Mapping[str, float] | str = "",
    max_memory: int | str | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    **given: Unpack[FitOptions],
) -> str:
    """Returns the first device in the order that the network fits on and whose target writes an artefact, as `TARGET/DEVICE`.

        nopt.compile("net.nir", target=nopt.select_device("net.nir", dt="1ms", like="norse"), dt="1ms", like="norse")

    The options are those of `check`. Errors: CHK022, CHK023; those of `check`.
    """
    limits: dict[str, Any] = {"labels": labels, "prefer": prefer, "max_memory": max_memory, "progress": progress}
    found = check(network, calib, **limits, **given, target="auto")
    if found.unfinished is not None:
        raise OutOfTime(found.unfinished)
    usable = registry.usable_targets()
    ranking = [one for one in found.ranking if usable[one.target].artefact is not None]
    best = next((one for one in ranking if one.is_fitting), None)
    if best is None:
        refuse(
            CHK022,
            at="--target auto",
            expected="a device on which the network fits",
            found=f"none of {len(ranking)} devices",
            help=Phrase(OtherDevice()),
            notes=[
                *(
                    f"{one.device}: {f'{one.code}, ' if one.code else ''}{one.reason}"
                    for one in ranking[:SHOWN_REASONS]
                ),
                *(
                    f"{one.code}: {one.message}"
                    for one in found.findings
                    if one.device is None and one.severity is not Severity.REMARK
                ),
            ],
        )
    return best.device
