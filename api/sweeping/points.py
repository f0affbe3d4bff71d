"""Points of a sweep: every combination of the values of the keys, on every device, and the best ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import product
from typing import Any

from attrs import evolve, field, frozen

from ...core.diagnostics import Code, ExitCode, refuse
from ...core.ir import pipeline
from ...passes.pipelines import QUANTIZE, QUANTIZE_ORDER, REAL_BIASES, SEARCHED
from ..compiling.device_fit import FitState
from ..json_record import Record, key
from ..judging.loss import Loss
from ..modules import available_passes
from .keys import Axis, Value
from .ranges import RANGE_OF

SWE015 = Code("SWE015", "sweep-figure-unknown", "a sweep has no such figure", exit_code=ExitCode.MISUSED)

SCORES = ("accuracy", "agreement", "spike_agreement")
"""Figures of which larger values are better."""
ERRORS = ("count_error", "relative_error", "largest_error")
COSTS = (*ERRORS, "weight_bytes", "weight_error", "cores", "memory_bytes", *RANGE_OF, "latency_ticks")
"""Figures of which smaller values are better; the same applies to the numbers of keys."""
REPLACED = {"rate_cosine": "count_error", "bin_cosine": "spike_agreement"}
"""Figures that decide nothing, since they do not see every loss, with one that does."""
LOSS_FIGURES = (*SCORES[1:], *ERRORS)
"""Figures of the loss of a point."""
INCOMPLETE = frozenset(RANGE_OF)
"""Figures that leave out unpublished coefficients."""


@frozen(kw_only=True)
class Point(Record):
    """One combination of values with its figures; a refused combination has none."""

    options: Mapping[str, Value]
    pipeline: str
    code: str | None = None
    message: str | None = None
    accuracy: float | None = None
    loss: Loss | None = None
    rate_cosine: float | None = None
    bin_cosine: float | None = None
    weight_error: float | None = None
    weight_bytes: int | None = None
    findings: tuple[str, ...] = ()
    """Codes of the findings of the passes, each once."""
    device: str | None = None
    """The device. This and the following figures are None in a sweep without devices."""
    settings: tuple[str, ...] = ()
    """The varied fields of the device, `FIELD=VALUE`."""
    fits: FitState | None = None
    approximations: tuple[str, ...] = ()
    """The approximations that the fit needs, by name."""
    cores: int | None = None
    memory_bytes: int | None = None
    energy_pj: float | None = None
    """Energy of a step, a tick or a frame; the following two are the ends of its range."""
    energy_low_pj: float | None = None
    energy_high_pj: float | None = None
    latency_ns: float | None = None
    """Time of a step."""
    latency_low_ns: float | None = None
    latency_high_ns: float | None = None
    power_mw: float | None = None
    """Mean power in real time."""
    power_low_mw: float | None = None
    power_high_mw: float | None = None
    per: str | None = None
    """The step: `tick` or `frame`."""
    frame_ticks: int | None = None
    """Ticks of the input in a step."""
    latency_ticks: int | None = None
    unpublished: tuple[str, ...] = ()
    """Unpublished coefficients, which energy and latency do not include."""
    recipe: str | None = None
    """The recipe of the device; None for a device with its default alone, and without a sample input."""
    is_best: bool = field(default=False, metadata=key("best"))


def combinations(axes: Sequence[Axis], devices: Sequence[str | None] = (None,)) -> Iterator[Point]:
    """Yields every point, without figures: all combinations on the first device, then on the next one.

    Errors: COR013 a value that a pass does not accept.
    """
    for device in devices:
        for point in options_of(axes):
            yield evolve(point, device=device)


def options_of(axes: Sequence[Axis]) -> Iterator[Point]:
    """Yields every combination of values; without a key of biases, weights are balanced for biases that stay real. Errors: COR013."""
    named = [axis.step for axis in axes if not axis.is_field]
    names = sorted(dict.fromkeys(named), key=[*QUANTIZE_ORDER, *named].index)
    for values in product(*(axis.values for axis in axes)):
        chosen, steps = list(zip(axes, values, strict=True)), list[str]()
        for name in names:
            given = [f"{axis.option}={pipeline.option_text(value)}" for axis, value in chosen if axis.step == name]
            is_balanced = any(axis.option == "balance" for axis in axes if axis.step == name)
            if name == SEARCHED and not is_balanced and f"{QUANTIZE}bias" not in names:
                given.append(REAL_BIASES)
            steps.append(f"{name}{{{' '.join(given)}}}")
        parsed = pipeline.parse_pipeline(",".join(steps), available_passes()) if steps else []
        options = {axis.key: value for axis, value in chosen}
        settings = tuple(f"{axis.option}={value}" for axis, value in chosen if axis.is_field)
        yield Point(options=options, pipeline=",".join(map(pipeline.pass_text, parsed)), settings=settings)


# ---- the Pareto front


def choose_objectives(given: str | Sequence[str] | None, points: Sequence[Point]) -> tuple[str, ...]:
    """Returns the objectives: figures that determine the best points.

    By default they are the quality and the bytes of weights; on devices the quality, if it was measured, and the memory, else the memory and the cores. The
    quality is the accuracy with labels, else the count error and the relative error, of which each sees every change of a decision; the agreement
    where neither is known. Errors: SWE015 an unknown name.
    """
    keys = list(points[0].options) if points else list[str]()
    if given is not None:
        names = given.split(",") if isinstance(given, str) else given
        return tuple(dict.fromkeys(require_objective(name.strip(), keys) for name in names))
    quality, *others = quality_figures(points)
    if all(point.device is None for point in points):
        return (quality, "weight_bytes", *others)
    has_quality = any(value_of(point, quality) is not None for point in points)
    chosen = (quality, "memory_bytes", *others) if has_quality else ("memory_bytes", "cores")
    return tuple(name for name in chosen if any(value_of(point, name) is not None for point in points)) or chosen[:1]


def quality_figures(points: Sequence[Point]) -> list[str]:
    """Returns the figures by which points are compared without chosen objectives; at least one."""
    for names in (("accuracy",), ("count_error", "relative_error"), ("agreement",)):
        known = [name for name in names if any(value_of(point, name) is not None for point in points)]
        if known:
            return known
    return ["count_error"]


def require_objective(name: str, keys: Iterable[str]) -> str:
    """Returns the name of an objective. Errors: SWE015."""
    known = [*SCORES, *COSTS, *keys]
    if name not in known:
        near = [REPLACED[name]] if name in REPLACED else get_close_matches(name, known, 1, 0)
        refuse(
            SWE015,
            f"a sweep has no figure {name}" if name else "no figure is named",
            at="--pareto",
            expected=", ".join(known),
            found=name or "nothing",
            help=f"--pareto {near[0]}",
        )
    return name


def value_of(point: Point, objective: str) -> float | None:
    """Returns a figure of a point, or the number of a key; the upper end of a range, of a tick of the input; None if it is unknown."""
    if objective in RANGE_OF and objective not in point.options:
        ends = RANGE_OF[objective].ends(point)
        return None if ends is None else ends[1]
    holder: Any = point.loss if objective in LOSS_FIGURES else point
    value: Any = point.options[objective] if objective in point.options else getattr(holder, objective, None)
    return value if isinstance(value, int | float) else None


def mark_best(points: Sequence[Point], objectives: Sequence[str]) -> tuple[Point, ...]:
    """Marks the points of the Pareto front: no other point is at least as good in all objectives, and better in one.

    A refused point, and one with an unknown objective, is not on the front. Costs without some unpublished coefficients are compared on the
    same device only.
    """
    rated = [(point, row) for point in points if (row := losses(point, objectives)) is not None]
    incomplete = INCOMPLETE & {*objectives}

    def beats(a: Point, x: Sequence[float], b: Point, y: Sequence[float]) -> bool:
        if incomplete and a.device != b.device and (a.unpublished or b.unpublished):
            return False
        return x != y and all(i <= j for i, j in zip(x, y, strict=True))

    best = {id(b) for b, y in rated if not any(beats(a, x, b, y) for a, x in rated)}
    return tuple(evolve(point, is_best=id(point) in best) for point in points)


def losses(point: Point, objectives: Sequence[str]) -> tuple[float, ...] | None:
    """Returns the objectives of a point, with signs such that smaller is better; None if one is unknown."""
    found: list[float] = []
    for name in objectives:
        value = value_of(point, name)
        if point.code is not None or value is None:
            return None
        found.append(-value if name in SCORES else value)
    return tuple(found)
