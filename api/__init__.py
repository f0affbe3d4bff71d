"""nopt from Python: `import nopt.api as nopt`.

    module = nopt.read("net.nir")
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=100000 like=norse}")
    arrays = nopt.run(module, x, record=["lif1.lif"])

Every verb of the command is a function here, and each raises `Refused` with the findings that the command would print. Names are
imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..core.budget import OutOfTime
    from ..core.diagnostics import Code, Diagnostics, Finding, Refused, Severity
    from ..simulation.signals import DenseSignal, EventSignal
    from .benching.bench import Bench, CoreBench, EngineBench, OpBench, bench
    from .capability.feature_services import FeatureChoice, feature_choices
    from .capability.matrix import (
        Cell,
        Readiness,
        capabilities,
        capability_totals,
        pending_capabilities,
        readiness_ranking,
    )
    from .capability.op_support import OpCell, op_support
    from .catalogue.listing import codes, explain, left_out, load_target, passes, targets
    from .catalogue.neuron_entries import NeuronEntry, neurons
    from .catalogue.package_extras import Extra, extras
    from .catalogue.preset_entries import presets
    from .catalogue.record_formats import record_formats, record_schema
    from .checking.check import Check, check, select_device
    from .checking.device_ranking import Candidate
    from .clusters.batched_run import execute_batches
    from .compiling.compile import Build, compile
    from .compiling.device_fit import Estimate
    from .configuration_files import Configuration, configuration, configuration_schema
    from .conformance.conform import Conformance, conform
    from .costing.costs import cost_of
    from .devices.device_files import DeviceCheck, check_device, device_doc, matrix
    from .executing.listing import Engine, engines
    from .exporting.brian2.export_brian2 import ExportedBrian, export_brian2
    from .exporting.export_torch import Exported, export_torch
    from .exporting.state_dict.export_state_dict import ExportedState, StateEntry, export_state_dict
    from .importing.import_nestml import ImportedNestml, import_nestml
    from .importing.import_network import Imported, import_network
    from .importing.import_onnx import ImportedOnnx, import_onnx
    from .importing.import_weights import ImportedWeights, WeightChange, import_weights
    from .judging.loss import Loss, OutputLoss, PopulationChange
    from .measuring.engine_memory import EngineMemory, estimate
    from .measuring.host_log import HostLog, measure_host
    from .measuring.measured import Measured, measurements
    from .metrics.builds import build_metrics
    from .metrics.neurobench import neurobench
    from .metrics.records import Metrics, NeuroBench
    from .modules import apply, findings, from_nir, parse, read, verify, write
    from .options import Choices
    from .reasons.records import Alternative, Fact, Why
    from .reasons.why import why
    from .report.build_differences import BuildDifferences, Change, diff
    from .report.pages import write_report
    from .report.plots import plot
    from .running.array_writers import save
    from .running.chip_records import ChipRuns
    from .running.comparison import Comparison, Difference, First, compare
    from .running.level_comparison import compare_presets, levels
    from .running.level_records import Level, Levels
    from .running.rate_similarity import Likeness
    from .running.run import Result, execute, run
    from .running.variability import Draw, run_chips
    from .sweeping.points import Point
    from .sweeping.result import Sweep
    from .sweeping.search import Search
    from .sweeping.sweep import sweep
    from .templates.new import new_device, new_dialect, new_pass, new_target
    from .tuning.tune import Accuracy, Tuned, tune

__all__ = [
    "Accuracy",
    "Alternative",
    "Bench",
    "Build",
    "BuildDifferences",
    "Candidate",
    "Cell",
    "Change",
    "Check",
    "ChipRuns",
    "Choices",
    "Code",
    "Comparison",
    "Configuration",
    "Conformance",
    "CoreBench",
    "DenseSignal",
    "DeviceCheck",
    "Diagnostics",
    "Difference",
    "Draw",
    "Engine",
    "EngineBench",
    "EngineMemory",
    "Estimate",
    "EventSignal",
    "Exported",
    "ExportedBrian",
    "ExportedState",
    "Extra",
    "Fact",
    "FeatureChoice",
    "Finding",
    "First",
    "HostLog",
    "Imported",
    "ImportedNestml",
    "ImportedOnnx",
    "ImportedWeights",
    "Level",
    "Levels",
    "Likeness",
    "Loss",
    "Measured",
    "Metrics",
    "NeuroBench",
    "NeuronEntry",
    "OpBench",
    "OpCell",
    "OutOfTime",
    "OutputLoss",
    "Point",
    "PopulationChange",
    "Readiness",
    "Refused",
    "Result",
    "Search",
    "Severity",
    "StateEntry",
    "Sweep",
    "Tuned",
    "WeightChange",
    "Why",
    "apply",
    "bench",
    "build_metrics",
    "capabilities",
    "capability_totals",
    "check",
    "check_device",
    "codes",
    "compare",
    "compare_presets",
    "compile",
    "configuration",
    "configuration_schema",
    "conform",
    "cost_of",
    "device_doc",
    "diff",
    "engines",
    "estimate",
    "execute",
    "execute_batches",
    "explain",
    "export_brian2",
    "export_state_dict",
    "export_torch",
    "extras",
    "feature_choices",
    "findings",
    "from_nir",
    "import_nestml",
    "import_network",
    "import_onnx",
    "import_weights",
    "left_out",
    "levels",
    "load_target",
    "matrix",
    "measure_host",
    "measurements",
    "neurobench",
    "neurons",
    "new_device",
    "new_dialect",
    "new_pass",
    "new_target",
    "op_support",
    "parse",
    "passes",
    "pending_capabilities",
    "plot",
    "presets",
    "read",
    "readiness_ranking",
    "record_formats",
    "record_schema",
    "run",
    "run_chips",
    "save",
    "select_device",
    "sweep",
    "targets",
    "tune",
    "verify",
    "why",
    "write",
    "write_report",
]

HOMES = {
    "..core.budget": ("OutOfTime",),
    "..core.diagnostics": ("Code", "Diagnostics", "Finding", "Refused", "Severity"),
    "..simulation.signals": ("DenseSignal", "EventSignal"),
    ".report.build_differences": ("BuildDifferences", "Change", "diff"),
    ".capability.matrix": (
        "Cell",
        "Readiness",
        "capabilities",
        "capability_totals",
        "pending_capabilities",
        "readiness_ranking",
    ),
    ".catalogue.listing": ("codes", "explain", "left_out", "load_target", "passes", "targets"),
    ".catalogue.record_formats": ("record_formats", "record_schema"),
    ".checking.check": ("Check", "check", "select_device"),
    ".running.comparison": ("Comparison", "Difference", "First", "compare"),
    ".compiling.compile": ("Build", "compile"),
    ".conformance.conform": ("Conformance", "conform"),
    ".configuration_files": ("Configuration", "configuration", "configuration_schema"),
    ".costing.costs": ("cost_of",),
    ".benching.bench": ("Bench", "CoreBench", "EngineBench", "OpBench", "bench"),
    ".devices.device_files": ("DeviceCheck", "check_device", "device_doc", "matrix"),
    ".options": ("Choices",),
    ".compiling.device_fit": ("Estimate",),
    ".executing.listing": ("Engine", "engines"),
    ".measuring.engine_memory": ("EngineMemory", "estimate"),
    ".running.run": ("Result", "execute", "run"),
    ".catalogue.package_extras": ("Extra", "extras"),
    ".capability.feature_services": ("FeatureChoice", "feature_choices"),
    ".exporting.brian2.export_brian2": ("ExportedBrian", "export_brian2"),
    ".exporting.export_torch": ("Exported", "export_torch"),
    ".exporting.state_dict.export_state_dict": ("ExportedState", "StateEntry", "export_state_dict"),
    ".importing.import_nestml": ("ImportedNestml", "import_nestml"),
    ".importing.import_network": ("Imported", "import_network"),
    ".importing.import_onnx": ("ImportedOnnx", "import_onnx"),
    ".importing.import_weights": ("ImportedWeights", "WeightChange", "import_weights"),
    ".running.level_comparison": ("compare_presets", "levels"),
    ".running.level_records": ("Level", "Levels"),
    ".running.rate_similarity": ("Likeness",),
    ".judging.loss": ("Loss", "OutputLoss", "PopulationChange"),
    ".measuring.host_log": ("HostLog", "measure_host"),
    ".measuring.measured": ("Measured", "measurements"),
    ".metrics.builds": ("build_metrics",),
    ".metrics.neurobench": ("neurobench",),
    ".metrics.records": ("Metrics", "NeuroBench"),
    ".reasons.records": ("Alternative", "Fact", "Why"),
    ".reasons.why": ("why",),
    ".clusters.batched_run": ("execute_batches",),
    ".running.chip_records": ("ChipRuns",),
    ".running.variability": ("Draw", "run_chips"),
    ".modules": ("apply", "findings", "from_nir", "parse", "read", "verify", "write"),
    ".catalogue.preset_entries": ("presets",),
    ".report.pages": ("write_report",),
    ".report.plots": ("plot",),
    ".catalogue.neuron_entries": ("NeuronEntry", "neurons"),
    ".capability.op_support": ("OpCell", "op_support"),
    ".running.array_writers": ("save",),
    ".checking.device_ranking": ("Candidate",),
    ".sweeping.points": ("Point",),
    ".sweeping.result": ("Sweep",),
    ".sweeping.search": ("Search",),
    ".sweeping.sweep": ("sweep",),
    ".tuning.tune": ("Accuracy", "Tuned", "tune"),
    ".templates.new": ("new_device", "new_dialect", "new_pass", "new_target"),
}


def __getattr__(name: str) -> Any:
    for home, names in HOMES.items():
        if name in names:
            return getattr(import_module(home, __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
