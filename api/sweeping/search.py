"""Search of a sweep: a greedy search for the weight bits of each layer, with as few bytes as possible for a goal.

    nopt.sweep("net.nir", x, goal="accuracy-1pt", minimize="bytes", labels=y, dt="1ms", like="norse").search.pipeline

A layer is a node with weights of reals. Candidates are the values of `weights.bits` that save bytes in that layer.

1. Start: every layer has the largest number of bits, and meets the goal.
2. Sensitivity: each layer alone at each lower candidate. A candidate that misses the goal alone is dropped.
3. Greedy: among the next candidates of all layers, the one with the most saved bytes per unit of lost score (step 2) is tried. The layer keeps it
   if the goal still holds. Equal candidates are ordered by the increase of the count error, or of the relative error of values, then by the order of the network.
4. Step 3 is repeated from its result, until no candidate of any layer is kept.

In the result, no single layer can have fewer bits, among the candidates of step 2. The search does not compute every combination:
another assignment can have fewer bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from attrs import evolve, field, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...core.diagnostics import Code, Diagnostics, ExitCode, Refused, first_of, refuse
from ...core.help_text import Phrase, WithoutOptions
from ...core.ir import pipeline
from ...passes.pipelines import SEARCHED
from ..json_record import Record, key
from ..modules import apply, available_passes
from ..running.run import discretise
from .figures import op_bytes, quantized_layers
from .keys import Axis, Value, varied_axes
from .points import ERRORS, LOSS_FIGURES, SCORES, Point, mark_best, quality_figures, value_of

SWE006 = Code("SWE006", "search-goal-unknown", "a search has no such goal", exit_code=ExitCode.MISUSED)
SWE007 = Code("SWE007", "accuracy-goal-needs-labels", "a goal of accuracy needs labels", exit_code=ExitCode.MISUSED)
SWE008 = Code("SWE008", "search-start-misses-goal", "the start of a search misses the goal")
SWE009 = Code("SWE009", "search-key-not-variable", "a search cannot vary a key", exit_code=ExitCode.MISUSED)
SWE010 = Code("SWE010", "search-needs-weighted-layers", "a search needs layers with weights")

LIMITED = tuple(name for name in LOSS_FIGURES if name != "largest_error")
"""Figures of a loss that a goal limits."""
GOAL = re.compile(rf"accuracy-(?P<points>\d+(\.\d+)?)pt|(?P<figure>{'|'.join(LIMITED)})-(?P<number>\d+(\.\d+)?)")
GOALS = ("accuracy-1pt", "accuracy-0.5pt", "agreement-0.99", "count_error-0.05", "relative_error-0.05")
"""Examples, for messages."""
QUANTITIES = ("bytes",)
BITS = (8, 6, 5, 4, 3, 2)
FIXED: Mapping[str, Value] = {"per": "row", "balance": "sums"}
"""Default values of the other options of the pass; biases stay real."""
ROUNDING = 1e-9
"""Tolerance of a goal: rounding errors of the figures are smaller, and one sample is larger."""
LEAST_LOSS = 1e-6
"""Loss of a candidate without a loss, as a divisor."""


@frozen
class Goal:
    """Condition that every accepted point meets."""

    text: str
    figure: str
    """The field of a point that is the score."""
    number: float
    """The accuracy that may be lost [percentage points], else the least or the greatest value of the figure."""

    @property
    def is_error(self) -> bool:
        """Whether smaller values are better."""
        return self.figure not in SCORES

    @property
    def name(self) -> str:
        return self.figure.replace("_", " ")

    def limit(self, accuracy: float | None) -> float:
        """Returns the least score, or the greatest error, from the accuracy before any pass."""
        return self.number if accuracy is None or self.figure != "accuracy" else accuracy - self.number / 100

    def limit_text(self, limit: float) -> str:
        return f"{self.name} of at {'most' if self.is_error else 'least'} {limit:.6f}"

    def score(self, point: Point) -> float:
        """Returns the score of a point, of which larger values are better; minus infinity without a figure."""
        found = value_of(point, self.figure)
        return float("-inf") if found is None else -found if self.is_error else found


@frozen(kw_only=True)
class Layer(Record):
    """Bits that a search found for one layer."""

    name: str
    bits: int
    weight_bytes: int
    start_bytes: int
    """Bytes of the weights at the start."""


@frozen(kw_only=True)
class Search(Record):
    """Result of a search."""

    goal: str
    minimize: str
    limit: float
    """Least accuracy or agreement, or greatest error."""
    start_bits: int
    layers: tuple[Layer, ...]
    start: Point
    found: Point
    pipeline: str
    """Passes that reproduce the result, including the passes before every point."""
    aim: Goal = field(metadata=key(None))


# ---- arguments


def parse_goal(goal: str | None, minimize: str | None) -> Goal | None:
    """Returns the goal of a search; None for a sweep without a search. Errors: SWE006."""
    if goal is None and minimize is None:
        return None
    if minimize is not None and minimize not in QUANTITIES:
        refuse(
            SWE006,
            f"a search cannot minimize {minimize}",
            at="--minimize",
            expected=" or ".join(QUANTITIES),
            found=minimize,
            help=f"--minimize {QUANTITIES[0]}",
        )
    match = GOAL.fullmatch(goal or "")
    number = 0.0 if match is None else float(match["points"] or match["number"])
    most = 100 if match is not None and match["points"] else 1
    if goal is None or match is None or (number > most and match["figure"] not in ERRORS):
        refuse(
            SWE006,
            "a search needs a goal" if goal is None else f"unknown goal: {goal}",
            at="--minimize" if goal is None else "--goal",
            expected=f"--goal accuracy-Npt with at most 100 percentage points, or --goal FIGURE-N, where FIGURE is {' or '.join(LIMITED)}",
            found=goal or "none",
            help=f"--goal {get_close_matches(goal or '', GOALS, 1, 0)[0]}",
        )
    return Goal(goal, match["figure"] or "accuracy", number)


@frozen
class Space:
    """Values that a search chooses from, and its goal."""

    goal: Goal
    bits: tuple[int, ...]
    """From the largest to the smallest."""
    options: tuple[str, ...]
    """Other options of the pass, as texts."""

    def pipeline(self, layers: Mapping[str, int]) -> str:
        """Returns the passes that set the bits of each layer: one pass for each number of bits. A single pass needs no `nodes`."""
        steps: list[str] = []
        used = sorted(set(layers.values()), reverse=True)
        for bits in used:
            names = tuple(name for name, own in layers.items() if own == bits)
            nodes = [f"nodes={pipeline.option_text(names)}"] if len(used) > 1 else []
            steps.append(f"{SEARCHED}{{{' '.join([f'bits={bits}', *self.options, *nodes])}}}")
        return normalize(",".join(steps))


def normalize(passes: str) -> str:
    """Returns the standard text of some passes. Errors: COR013 an invalid value."""
    return ",".join(map(pipeline.pass_text, pipeline.parse_pipeline(passes, available_passes()))) if passes else ""


def parse_search(
    vary: Mapping[str, Iterable[Any]] | Sequence[str], goal: str | None, minimize: str | None, has_labels: bool
) -> Space | None:
    """Returns the values that a search chooses from, and its goal; None for a sweep without a search.

    Errors: SWE006 a goal; SWE007 no labels; SWE001 a key; SWE009 a key that no search varies; COR013 an invalid value.
    """
    aim = parse_goal(goal, minimize)
    if aim is None:
        return None
    if aim.figure == "accuracy" and not has_labels:
        refuse(
            SWE007,
            at=f"--goal {aim.text}",
            expected="--labels with the class of each sample",
            found="none",
            help="--goal agreement-0.99, or --labels Y",
        )
    varied = {axis.option: axis for axis in (varied_axes(vary) if vary else []) if require_searchable(axis)}
    bits = varied.pop("bits").values if "bits" in varied else BITS
    fixed = {**FIXED, **{option: axis.values[0] for option, axis in varied.items()}}
    options = tuple(f"{option}={pipeline.option_text(value)}" for option, value in fixed.items())
    for one in bits:
        verify_bits(pipeline.option_text(one), options)
    return Space(aim, tuple(sorted({int(one) for one in bits}, reverse=True)), options)


def verify_bits(bits: str, options: Sequence[str]) -> None:
    """Refuses bits that the pass does not take. Errors: COR013; those of the pass."""
    step: Any = pipeline.parse_pipeline(f"{SEARCHED}{{bits={bits} {' '.join(options)}}}", available_passes())[0]
    try:
        step.check_options()
    except Refused as refusal:
        help = f"--vary weights.bits={','.join(map(str, BITS))}"
        raise Refused(*(evolve(finding, help=help) for finding in refusal.findings)) from None


def require_searchable(axis: Axis) -> bool:
    """Returns True. Errors: SWE009 another pass, the nodes, bits with one value, or another option with several."""
    head = axis.key.rpartition(".")[0]
    if axis.step != SEARCHED or axis.option == "nodes":
        refuse(
            SWE009,
            f"a search cannot vary {axis.key}",
            at=f"--vary {axis.key}",
            expected="weights.bits, or another option of the weights with one value",
            found=axis.key,
            help=f"leave --vary {axis.key} out, and run the pass with -p",
        )
    is_searched = axis.option == "bits"
    if is_searched == (len(axis.values) == 1):
        first = pipeline.option_text(axis.values[0])
        refuse(
            SWE009,
            f"{axis.key} has {'one value' if is_searched else 'several values'}",
            at=f"--vary {axis.key}",
            expected="two or more values" if is_searched else "one value, which all layers have",
            found=",".join(map(pipeline.option_text, axis.values)),
            help=f"--vary {head}.bits={','.join(map(str, BITS))}" if is_searched else f"--vary {axis.key}={first}",
        )
    return True


def refuse_devices(devices: Sequence[str]) -> NoReturn:
    """Refuses a search on devices. Errors: SWE009."""
    refuse(
        SWE009,
        "a search has no device",
        at="--goal",
        expected="a search without --target and --device",
        found=first_of(devices, 3),
        help=Phrase(WithoutOptions(("--target", "--device", "--set"))),
    )


# ---- the search


@frozen
class Searcher:
    """Search in one network."""

    space: Space
    limit: float
    layers: Mapping[str, Sequence[Operation]]
    """Ops with weights by their node, in the order of the network."""
    evaluate: Callable[[Sequence[Point], int], list[Point]]
    """Returns points with figures. The number is the maximum number of later points."""
    points: dict[str, Point] = field(factory=dict[str, Point])
    """Points with figures by their pipeline, in the order of the search."""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(map(bits_key, self.layers))

    def bytes_at(self, name: str, bits: int) -> int:
        return sum(op_bytes(op, bits) for op in self.layers[name])

    def candidates(self, name: str) -> list[int]:
        """Returns the lower bit numbers of a layer in descending order, each with fewer bytes than its predecessor."""
        found = [self.space.bits[0]]
        for bits in self.space.bits[1:]:
            if self.bytes_at(name, bits) < self.bytes_at(name, found[-1]):
                found.append(bits)
        return found[1:]

    def figures(self, assignments: Sequence[Mapping[str, int]], follow: int) -> list[Point]:
        """Returns the points of some assignments; each is computed once."""
        wanted = [
            Point(options={bits_key(name): bits for name, bits in one.items()}, pipeline=self.space.pipeline(one))
            for one in assignments
        ]
        missing = [point for point in wanted if point.pipeline not in self.points]
        if missing:
            self.points.update((point.pipeline, point) for point in self.evaluate(missing, follow))
        return [self.points[point.pipeline] for point in wanted]

    def is_met(self, point: Point) -> bool:
        limit = -self.limit if self.space.goal.is_error else self.limit
        return self.space.goal.score(point) >= limit - ROUNDING

    def require_start(self, start: Point, accuracy: float | None) -> None:
        """Errors: SWE008."""
        if self.is_met(start):
            return
        goal, value = self.space.goal, value_of(start, self.space.goal.figure)
        found, help = "no such figure" if value is None else f"{value:.6f}", "--vary weights.bits=16,8"
        if start.code is not None:
            found, help = f"{start.code}, {start.message}", f"nopt explain {start.code}"
        elif value is None:
            help = f"--goal {quality_figures([start])[0]}-0.05"
        elif goal.figure == "accuracy" and accuracy is not None:
            help = f"--goal accuracy-{round_up((accuracy - value) * 100, 1):g}pt"
        elif goal.is_error:
            help = f"--goal {goal.figure}-{round_up(value, 2):g}"
        elif value >= 0.01:
            help = f"--goal {goal.figure}-{-round_up(-value, 2):g}"
        refuse(
            SWE008,
            at=f"--goal {goal.text}",
            expected=f"{goal.limit_text(self.limit)} with {start.pipeline}",
            found=found,
            help=help,
        )

    def run(self, accuracy: float | None) -> tuple[Point, Point]:
        """Returns the start, and the point that the search found. Errors: SWE008 the start."""
        bits = dict.fromkeys(self.layers, self.space.bits[0])
        left = {name: self.candidates(name) for name in self.layers}
        count = sum(map(len, left.values()))
        (start,) = self.figures([bits], 2 * count)  # 1
        self.require_start(start, accuracy)
        tried = [(name, lower) for name, some in left.items() for lower in some]
        sole = self.figures([bits | {name: lower} for name, lower in tried], count)  # 2
        alone = {(name, self.space.bits[0]): start for name in self.layers} | dict(zip(tried, sole, strict=True))
        held = {name: [lower for lower in some if self.is_met(alone[name, lower])] for name, some in left.items()}
        found, is_lower = start, True

        def gain(name: str) -> tuple[float, float]:
            before, after = alone[name, bits[name]], alone[name, left[name][0]]
            saved = self.bytes_at(name, bits[name]) - self.bytes_at(name, left[name][0])
            loss = self.space.goal.score(before) - self.space.goal.score(after)
            turn = error_of(after) - error_of(before)
            return saved / max(loss, LEAST_LOSS), saved / max(turn, LEAST_LOSS)

        while is_lower:  # 4
            left = {name: [lower for lower in some if lower < bits[name]] for name, some in held.items()}
            is_lower = False
            while names := [name for name, some in left.items() if some]:  # 3
                name = max(names, key=gain)
                lower = bits | {name: left[name].pop(0)}
                (point,) = self.figures([lower], sum(map(len, left.values())))
                if self.is_met(point):
                    bits, found, is_lower = lower, point, True
        return start, found


def error_of(point: Point) -> float:
    """Returns the error of the outputs of a point: of counts, else of values."""
    return next((value for name in ERRORS if (value := value_of(point, name)) is not None), 0.0)


def bits_key(name: str) -> str:
    """Returns the key of a layer's bits in the options of a point."""
    return f"{name}.bits"


def round_up(number: float, digits: int) -> float:
    """Rounds a number up to a number of decimal digits."""
    step = 10**digits
    return -(-number * step // 1) / step


def search(
    base: ModuleOp,
    space: Space,
    accuracy: float | None,
    before: str,
    evaluate: Callable[[Sequence[Point], int], list[Point]],
) -> tuple[tuple[str, ...], tuple[Point, ...], Search]:
    """Returns the keys, all points and the result of a search. `before` is the text of the passes before every point.

    Errors: SWE008 the start misses the goal; SWE010 no layers; those of the pass at the start.
    """
    first = apply(base.clone(), space.pipeline({"": space.bits[0]}), diagnostics=Diagnostics())
    layers = quantized_layers(discretise(first, {}, Diagnostics()))
    if not layers:
        refuse(
            SWE010,
            at=f"--goal {space.goal.text}",
            expected="a network with weights of reals",
            found="none",
            help="replace --goal and --minimize by values: --vary threshold.bits=8,16",
        )
    searcher = Searcher(space, space.goal.limit(accuracy), layers, evaluate)
    ends = [point.pipeline for point in searcher.run(accuracy)]
    points = mark_best(list(searcher.points.values()), (space.goal.figure, "weight_bytes"))
    start, found = (next(point for point in points if point.pipeline == end) for end in ends)
    chosen = {name: int(found.options[bits_key(name)]) for name in layers}
    return (
        searcher.keys,
        points,
        Search(
            goal=space.goal.text,
            minimize=QUANTITIES[0],
            limit=searcher.limit,
            start_bits=space.bits[0],
            layers=tuple(
                Layer(
                    name=name,
                    bits=bits,
                    weight_bytes=searcher.bytes_at(name, bits),
                    start_bytes=searcher.bytes_at(name, space.bits[0]),
                )
                for name, bits in chosen.items()
            ),
            start=start,
            found=found,
            pipeline=",".join(filter(None, (normalize(before), found.pipeline))),
            aim=space.goal,
        ),
    )
