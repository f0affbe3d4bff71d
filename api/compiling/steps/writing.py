"""Files of a compilation: the IR after every pass, the records of mapping and device, and the report."""

from __future__ import annotations

from typing import Any

from ....core.ir import pipeline
from ....core.target import Artefact
from ...atomic_files import write_arrays
from ...build_command import command_of
from ...judging.baseline import judge_build
from ...modules import only_network
from ..build_report import (
    Measurement,
    added_populations,
    approximations,
    build_cost,
    host_record,
    mapping_summary,
    only_graph,
    probe_records,
)
from ..builds import (
    ARRAYS,
    DEVICE,
    MAPPING,
    REPORT,
    STAGES,
    file_records,
    write_record,
)
from ..integer_records import integer_notes, integer_records
from ..legalized_networks import first_notes
from ..mappings.kept_builds import kept_record
from ..number_types import storage_notes
from ..occupancy import unit_rows
from ..request import (
    CompileRequest,
)
from .lowering import Lowered
from .preparation import Prepared


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
