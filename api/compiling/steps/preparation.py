"""Preparation of a compilation: the network in ticks, after the passes of the user."""

from __future__ import annotations

from collections.abc import Sequence, Set
from importlib.metadata import version
from pathlib import Path
from typing import Any

from attrs import frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ....core.ir import pass_manager, pipeline
from ....core.ir.context import NoptContext
from ....core.ir.operation import texts_of
from ....dialects.ntensor.probes import require_probes
from ....passes.pipelines import LIFT
from ...atomic_files import write_whole
from ...calibration_inputs import SAMPLE_FILE, input_records, sample_bytes
from ...discretisation import is_discretised, suspect_export, suspect_gaps
from ...modules import available_passes, only_network
from ...permissions.calibrated_networks import CalibratedNetworks
from ...running.chips import Start, find_start, late_passes
from ...running.run import lift_graphs
from ..build_report import (
    approximations,
    described_network,
)
from ..builds import (
    REPORT_SCHEMA,
    STAGES,
    Stages,
)
from ..request import (
    CompileRequest,
)


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
