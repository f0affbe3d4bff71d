"""Points of a sweep: the keys that are varied, their values, and every combination of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import product
from typing import Any

from attrs import evolve, field, frozen

from ..core.diagnostics import Code, ExitCode, refuse
from ..core.ir import pipeline
from ..passes.pipelines import CONTINUOUS, QUANTIZE, QUANTIZE_ORDER
from .modules import available_passes
from .records import Record, key

SWE005 = Code("SWE005", "a pass on networks in continuous time cannot be varied", exit_code=ExitCode.MISUSED)
SWE001 = Code("SWE001", "a key names no option of a pass", exit_code=ExitCode.MISUSED)

NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
Value = int | float | str


@frozen
class Axis:
    """One key with its values."""

    key: str
    step: str
    """The name of the pass."""
    option: str
    values: tuple[Value, ...]


@frozen(kw_only=True)
class Point(Record):
    """One combination of values with its figures; a refused combination has none."""

    options: Mapping[str, Value]
    pipeline: str
    code: str | None = None
    message: str | None = None
    accuracy: float | None = None
    rate_cosine: float | None = None
    bin_cosine: float | None = None
    weight_error: float | None = None
    weight_bytes: int | None = None
    findings: tuple[str, ...] = ()
    """Codes of the findings of the passes, each once."""
    is_best: bool = field(default=False, metadata=key("best"))


# ---- keys


def parse_value(value: Any) -> Value:
    """Returns a value as a number if its text is a number."""
    text = str(value).strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if NUMBER.fullmatch(text):
        return int(text) if text.lstrip("+-").isdecimal() else float(text)
    return str(value).lower() if isinstance(value, bool) else text


def varied_axes(vary: Mapping[str, Iterable[Any]] | Sequence[str]) -> list[Axis]:
    """Returns the keys with their values, from a mapping or from texts `KEY=A,B,C`.

    Errors: SWE001 no keys, a repeated key, one without values, or one that names no option.
    """
    pairs: list[tuple[str, Iterable[Any]]] = []
    if isinstance(vary, Mapping):
        pairs = list(vary.items())
    else:
        for text in vary:
            key, _, values = text.partition("=")
            pairs.append((key.strip(), [value for value in values.split(",") if value.strip()]))
    if not pairs:
        refuse(
            SWE001,
            "nothing is varied",
            at="--vary",
            expected="KEY=A,B,… at least once",
            found="none",
            help="--vary weights.bits=2,4,8",
        )
    found: list[Axis] = []
    for key, values in pairs:
        step, option = option_of(key)
        given = tuple(dict.fromkeys(parse_value(value) for value in values))
        if not given or any(axis.key == key for axis in found):
            refuse(
                SWE001,
                f"{key} is repeated" if given else f"{key} has no values",
                at=f"--vary {key}",
                expected="each key once, with all of its values",
                found="two of them" if given else "none",
                help=f"--vary {key}=A,B",
            )
        found.append(Axis(key, step, option, given))
    return found


def require_ticks(axes: Sequence[Axis]) -> None:
    """Refuses passes on networks in continuous time: every point starts from the network in ticks. Errors: SWE005."""
    for axis in axes:
        if axis.step.removeprefix("convert-").startswith(f"{CONTINUOUS}-"):
            refuse(
                SWE005,
                f"{axis.step} works on another level",
                at=f"--vary {axis.key}",
                expected="a pass on the network in ticks",
                found=f"a pass of the level {CONTINUOUS}",
                help=f"leave --vary {axis.key} out, and run the pass with -p",
            )


def option_of(key: str) -> tuple[str, str]:
    """Returns the pass and the option of a key. Errors: SWE001."""
    known = available_passes()
    head, _, option = key.rpartition(".")
    step = next((name for name in (f"{QUANTIZE}{head}", head) if head and name in known), None)
    if step is None:
        shorts = [name.removeprefix(QUANTIZE) for name in known if name.startswith(QUANTIZE)]
        near = get_close_matches(head or key, [*shorts, *known], 1)
        refuse(
            SWE001,
            f"{key} names no pass",
            at=f"--vary {key}",
            expected=f"{' or '.join(sorted(shorts)) or 'the name of a pass'}, or a pass of `nopt passes`, a dot, and an option",
            found=head or key,
            help=f"nopt passes {f'{QUANTIZE}{near[0]}' if near and near[0] in shorts else ''.join(near)}".strip(),
        )
    options = [name for name, _, _ in pipeline.options(known[step]())]
    if option not in options:
        near = get_close_matches(option, options, 1, 0)
        refuse(
            SWE001,
            f"{step} has no option {option or 'without a name'}",
            at=f"--vary {key}",
            expected=f"one of {', '.join(options)}" if options else "a pass with options",
            found=option or "none",
            help=f"--vary {head}.{near[0]}=A,B" if near else "nopt passes",
        )
    return step, option


def combinations(axes: Sequence[Axis]) -> Iterator[Point]:
    """Yields every point, without figures. Errors: PAS002 a value that a pass does not accept."""
    named = [axis.step for axis in axes]
    names = sorted(dict.fromkeys(named), key=[*QUANTIZE_ORDER, *named].index)
    for values in product(*(axis.values for axis in axes)):
        chosen, steps = list(zip(axes, values, strict=True)), list[str]()
        for name in names:
            given = [f"{axis.option}={pipeline.option_text(value)}" for axis, value in chosen if axis.step == name]
            steps.append(f"{name}{{{' '.join(given)}}}")
        parsed = pipeline.parse_pipeline(",".join(steps), available_passes())
        options = {axis.key: value for axis, value in chosen}
        yield Point(options=options, pipeline=",".join(map(pipeline.pass_text, parsed)))


def mark_best(points: Sequence[Point], figure: str | None = None) -> tuple[Point, ...]:
    """Marks the points that are best in score and bytes of weights. The score is a field, by default the accuracy or else the rate cosine."""
    by_accuracy = any(point.accuracy is not None for point in points)
    field = figure or ("accuracy" if by_accuracy else "rate_cosine")

    def score(point: Point) -> float | None:
        return getattr(point, field)

    rated = [(found, point.weight_bytes) for point in points if (found := score(point)) is not None]

    def is_beaten(a: float, b: int | None) -> bool:
        return any(x >= a and (y or 0) <= (b or 0) and (x > a or (y or 0) < (b or 0)) for x, y in rated)

    return tuple(
        evolve(point, is_best=(found := score(point)) is not None and not is_beaten(found, point.weight_bytes))
        for point in points
    )
