"""Differences of two builds: size, loss, rates, approximations, memory, cost and mapping, and the first divergence of their runs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...analysis.output_units import output_units
from ...core.diagnostics import Diagnostics
from ...core.number_texts import number_text
from ...core.progress import Progress, part_progress, require_progress
from ...simulation.axes import order_axes
from ...simulation.runs import CHIP
from ...simulation.stimuli import Given
from ..budgets import MaxTime, with_max_time
from ..compiling.builds import require_mapping, require_report
from ..costing.amounts import Amount, amount_of, step_amounts
from ..json_record import Record
from ..judging.loss import Loss
from ..judging.loss_texts import TITLES
from ..modules import default_diagnostics
from ..running.comparison import Comparison, compare
from ..running.level_comparison import compare_results
from ..running.level_records import Stage
from ..running.run import Result, discretise, execute, open_build

DIGEST = re.compile(r"[0-9a-f]{64}")
DIGITS = 6
"""Significant digits of a figure; two builds can differ little."""


@frozen
class Change(Record):
    """A figure that differs; None for a build without this figure."""

    topic: str
    """A section: one of `TOPICS`."""
    what: str
    a: Any
    b: Any
    range_a: Amount | None = None
    """The range of a figure of the cost, whose middle is `a`."""
    range_b: Amount | None = None

    @staticmethod
    def of(topic: str, what: str, a: Any, b: Any) -> Change:
        """Returns the change of a figure, which may be an amount with a range."""
        (value_a, range_a), (value_b, range_b) = (
            (side.value, side) if isinstance(side, Amount) else (side, None) for side in (a, b)
        )
        return Change(topic, what, value_a, value_b, range_a, range_b)

    @property
    def texts(self) -> tuple[str, str]:
        """Returns the figures of both builds for people."""
        sides = ((self.range_a, self.a), (self.range_b, self.b))
        a, b = (change_text(value) if amount is None else amount.text() for amount, value in sides)
        if a == b and self.range_a is not None and self.range_b is not None:  # they differ beyond the digits of a range
            a, b = (
                f"{change_text(one.low)} to {change_text(one.high)} {one.unit}" for one in (self.range_a, self.range_b)
            )
        return a, b


@frozen
class BuildLosses(Record):
    """Losses of two builds, each compared with the network of reals, and the loss of B compared with A."""

    a: Loss | None
    """None for a build without sample input."""
    b: Loss | None
    between: Loss | None
    """None without an input."""


@frozen
class BuildDifferences(Record):
    """Differences of two builds: the record `nopt.diff/1`."""

    SCHEMA = "nopt.diff/1"

    equal: bool
    changes: tuple[Change, ...]
    loss: BuildLosses
    outputs: Comparison | None
    """Comparison of the outputs of both, in units of the network; None without an input."""


@with_max_time
def diff(
    a: str | Path,
    b: str | Path,
    x: Given | None = None,
    *,
    axes: str | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
) -> BuildDifferences:
    """Compares two directories of `compile`.

        for change in nopt.diff("build8", "build4", x).changes: print(change.what, change.a, change.b)

    With the input `x`, both builds run it, and their outputs are compared; `progress` counts the two runs.

    Errors: CMP009 another directory; those of a run.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    folders = [Path(folder) for folder in (a, b)]
    sides = [build_figures(folder) for folder in folders]
    losses = [loss_of(require_report(folder)) for folder in folders]
    keys = dict.fromkeys([*sides[0], *sides[1]])
    changes = tuple(
        Change.of(*key, left, right)
        for key in sorted(keys, key=lambda key: TOPICS.index(key[0]))
        if (left := sides[0].get(key)) != (right := sides[1].get(key))
    )
    outputs, between = None, None
    if x is not None:
        outputs, between = compare_runs(folders, order_axes(x, axes), progress, found)
    return BuildDifferences(
        not changes and (outputs is None or outputs.equal), changes, BuildLosses(losses[0], losses[1], between), outputs
    )


def compare_runs(
    folders: Sequence[Path], given: Given, progress: Progress | None, diagnostics: Diagnostics
) -> tuple[Comparison, Loss]:
    """Runs two builds on the same input, and compares their outputs in units of the network. Errors: those of a run."""
    modules: list[ModuleOp] = []
    runs: list[Result] = []
    for number, folder in enumerate(folders):
        module, chip = open_build(folder, CHIP, diagnostics)
        part = part_progress(progress, number, len(folders))
        modules.append(module)
        runs.append(execute(module, given, chip=chip, progress=part, diagnostics=diagnostics))
    arrays = [in_units(run.arrays, module) for run, module in zip(runs, modules, strict=True)]
    level = compare_results(Stage("target", None, modules[1]), modules[0], runs[1], runs[0])
    return compare(*arrays, samples=runs[0].has_samples), level.loss


def in_units(arrays: Mapping[str, NDArray[Any]], module: ModuleOp) -> dict[str, NDArray[Any]]:
    """Returns outputs in units of the network."""
    units = output_units(discretise(module, {}, Diagnostics()))
    return {name: array * units[name] if name in units else array for name, array in arrays.items()}


def loss_of(report: Mapping[str, Any]) -> Loss | None:
    """Returns the loss in the report of a build."""
    found = report.get("loss")
    return None if found is None else Loss.of_json(found)


TOPICS = ("network", "device", "pipeline", "approximations", "loss", "rates", "latency", "memory", "mapping", "cost")
"""Topics in the order of the record."""
TITLES_OF_COST = {"energy": "energy", "latency": "time"}
"""Titles of the sums of a cost."""


def build_figures(folder: Path) -> dict[tuple[str, str], Any]:
    """Returns the figures of a build by topic and name. Errors: CMP009."""
    report = require_report(folder)
    found: dict[tuple[str, str], Any] = {("network", name): value for name, value in report["network"].items()}
    found |= {("device", name): report["device"][name] for name in ("name", "sha256")}
    found |= {("device", field): value for field, value in report["device"]["overridden"].items()}
    found |= {("pipeline", step): "yes" for step in filter(None, split_passes(report["pipeline"]))}
    for one in report["approximations"]:
        found[("approximations", f"{one['step']}: {one['what']}")] = "exact" if one["largest"] == 0 else one["largest"]
    levels: list[dict[str, Any]] = report["levels"] or []
    last = levels[-1] if levels else {}
    loss: dict[str, Any] = report.get("loss") or {}
    found |= {("loss", title): loss[name] for name, title in TITLES.items() if loss.get(name) is not None}
    for name, one in last.get("populations", {}).items():
        found[("rates", f'"{name}"')] = one["rate"]
    latencies: dict[str, int] = report["latency_ticks"] or {}
    memory: dict[str, int | None] = report["memory"] or {}
    found |= {("latency", name): ticks for name, ticks in latencies.items()}
    found |= {("memory", region): count for region, count in memory.items()}
    return (
        found | mapping_figures(folder, report["mapping"]) | cost_figures(report["cost"], report["network"]["tick_ns"])
    )


def mapping_figures(folder: Path, summary: Mapping[str, Any] | None) -> dict[tuple[str, str], Any]:
    """Returns the counts of a mapping, its cost, and the place of each vertex."""
    if summary is None:
        return {}
    counts = {("mapping", name): summary[name] for name in ("vertices", "edges", "routes", "cores")}
    vertices: list[dict[str, Any]] = require_mapping(folder)["vertices"]
    places = {("mapping", f"core of {one['id']}"): f"chip {one['chip']}, core {one['core']}" for one in vertices}
    return {**counts, ("mapping", "communication cost"): summary["cost"]["value"], **places}


def cost_figures(cost: Mapping[str, Any], tick_ns: int) -> dict[tuple[str, str], Any]:
    """Returns energy, time and power with their ranges, those of the terms, and energy and time of a sample."""
    found: dict[tuple[str, str], Any] = {}
    for what, amount in step_amounts(cost, tick_ns).items():
        title = "mean power, in real time" if what == "power" else f"{TITLES_OF_COST[what]} per {cost['per']}"
        found[("cost", title)] = amount
        for term in cost[what]["terms"] if what in TITLES_OF_COST else ():
            found[("cost", f"{TITLES_OF_COST[what]}, {term['name']}")] = amount_of({**term, "unit": amount.unit})
    energy = None if cost["sample"] is None else cost["sample"]["real_time"]["energy"]
    if energy is not None:
        found[("cost", "energy per sample, in real time")] = amount_of(energy)
    return found


def change_text(value: Any) -> str:
    """Returns a figure for people; a digest is shortened."""
    if isinstance(value, str) and DIGEST.fullmatch(value):
        return f"{value[:12]}…"
    return number_text(value, DIGITS) if value is None or isinstance(value, float) else str(value)


def split_passes(text: str) -> list[str]:
    """Returns the passes of a pipeline text."""
    found, depth, is_text = [""], 0, False
    for letter in text:
        is_text ^= letter == '"'
        depth += 0 if is_text else (letter == "{") - (letter == "}")
        if letter == "," and not depth and not is_text:
            found.append("")
        else:
            found[-1] += letter
    return found
