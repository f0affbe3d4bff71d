"""Compilation of a network for a target: a directory with the artefact, the IR after every pass, and a report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from attrs import frozen

from ...core.diagnostics import Diagnostics
from ...core.progress import Progress, report_part, require_progress
from ...core.unused_modules import free_modules
from ..budgets import MaxTime, with_max_time
from ..judging.baseline import read_gate, require_same_network
from ..judging.thresholds import MaxLoss, parse_thresholds, require_sample
from ..modules import Network, default_diagnostics, module_of, reading
from ..options import BuildOptions, complete, with_options
from ..permissions.calibrated_networks import CalibratedNetworks
from ..running.chips import find_start
from ..running.labels import Labels
from ..running.run import lift_graphs
from ..running.variability import Draw
from .added_passes import with_added_passes
from .builds import (
    ARTEFACT,
    whole_folder,
    write_files,
)
from .legalized_networks import legalized_device
from .mappings.kept_builds import moved_layers, require_kept
from .mappings.objectives import objective_passes
from .request import (
    CompileRequest,
    device_of,
    effort_of,
    refuse_level,
    refuse_network_options,
    refuse_without_sample,
    require_chips,
)
from .steps.lowering import emit_artefact, lower_network
from .steps.measurement import measure_build
from .steps.preparation import prepare_late, prepare_network
from .steps.writing import write_build
from .target_pipelines import with_formed_layers


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
