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
    from .build_differences import BuildDifferences, Change, diff
    from .catalogue import codes, explain, left_out, load_target, passes, targets
    from .checking import Check, check
    from .comparison import Comparison, Difference, First, compare
    from .compiling import Build, compile
    from .configuring import Configuration, configuration, configuration_schema
    from .conformance.questions import Conformance, conform
    from .costs import cost_of
    from .devices import DeviceCheck, check_device, device_doc, matrix
    from .discretisation import Choices
    from .estimates import Estimate
    from .execution import Engine, Result, engines, execute, run
    from .feature_services import FeatureChoice, feature_choices
    from .importing import Imported, import_network
    from .levelling import Level, Levels, Likeness, compare_presets, levels
    from .manufactured import ChipRuns, Draw, run_chips
    from .modules import apply, findings, from_nir, parse, read, verify, write
    from .neuron_entries import NeuronEntry, neurons
    from .op_states import OpCell, op_support
    from .outputs import save
    from .package_extras import Extra, extras
    from .preset_entries import presets
    from .readiness import (
        Cell,
        Readiness,
        capabilities,
        capability_totals,
        pending_capabilities,
        readiness_ranking,
    )
    from .report.pages import write_report
    from .report.plots import plot
    from .selection import Candidate, select_device
    from .sweep_points import Point
    from .sweep_search import Search
    from .sweeping import Sweep, sweep
    from .templates import new_device, new_dialect, new_pass, new_target

__all__ = [
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
    "DenseSignal",
    "DeviceCheck",
    "Diagnostics",
    "Difference",
    "Draw",
    "Engine",
    "Estimate",
    "EventSignal",
    "Extra",
    "FeatureChoice",
    "Finding",
    "First",
    "Imported",
    "Level",
    "Levels",
    "Likeness",
    "NeuronEntry",
    "OpCell",
    "OutOfTime",
    "Point",
    "Readiness",
    "Refused",
    "Result",
    "Search",
    "Severity",
    "Sweep",
    "apply",
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
    "execute",
    "explain",
    "extras",
    "feature_choices",
    "findings",
    "from_nir",
    "import_network",
    "left_out",
    "levels",
    "load_target",
    "matrix",
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
    "run",
    "run_chips",
    "save",
    "select_device",
    "sweep",
    "targets",
    "verify",
    "write",
    "write_report",
]

HOMES = {
    "..core.budget": ("OutOfTime",),
    "..core.diagnostics": ("Code", "Diagnostics", "Finding", "Refused", "Severity"),
    "..simulation.signals": ("DenseSignal", "EventSignal"),
    ".build_differences": ("BuildDifferences", "Change", "diff"),
    ".readiness": (
        "Cell",
        "Readiness",
        "capabilities",
        "capability_totals",
        "pending_capabilities",
        "readiness_ranking",
    ),
    ".catalogue": ("codes", "explain", "left_out", "load_target", "passes", "targets"),
    ".checking": ("Check", "check"),
    ".comparison": ("Comparison", "Difference", "First", "compare"),
    ".compiling": ("Build", "compile"),
    ".conformance.questions": ("Conformance", "conform"),
    ".configuring": ("Configuration", "configuration", "configuration_schema"),
    ".costs": ("cost_of",),
    ".devices": ("DeviceCheck", "check_device", "device_doc", "matrix"),
    ".discretisation": ("Choices",),
    ".estimates": ("Estimate",),
    ".execution": ("Engine", "Result", "engines", "execute", "run"),
    ".package_extras": ("Extra", "extras"),
    ".feature_services": ("FeatureChoice", "feature_choices"),
    ".importing": ("Imported", "import_network"),
    ".levelling": ("Level", "Levels", "Likeness", "compare_presets", "levels"),
    ".manufactured": ("ChipRuns", "Draw", "run_chips"),
    ".modules": ("apply", "findings", "from_nir", "parse", "read", "verify", "write"),
    ".preset_entries": ("presets",),
    ".report.pages": ("write_report",),
    ".report.plots": ("plot",),
    ".neuron_entries": ("NeuronEntry", "neurons"),
    ".op_states": ("OpCell", "op_support"),
    ".outputs": ("save",),
    ".selection": ("Candidate", "select_device"),
    ".sweep_points": ("Point",),
    ".sweep_search": ("Search",),
    ".sweeping": ("Sweep", "sweep"),
    ".templates": ("new_device", "new_dialect", "new_pass", "new_target"),
}


def __getattr__(name: str) -> Any:
    for home, names in HOMES.items():
        if name in names:
            return getattr(import_module(home, __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
