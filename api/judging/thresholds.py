"""Thresholds of loss, by the figure of the record `loss` that they limit, and the option `--max-loss`.

| figure | default | limit |
| --- | --- | --- |
| accuracy | 1pt | largest fall in percentage points, with the unit `pt`; it applies with labels |
| agreement | 0.95 | least share of samples with the same decision |
| count_error | 0.1 | largest error of the counts of events, relative to the mean count |
| relative_error | 0.1 | largest error of values, relative to their root mean square |
| spike_agreement | none | least share of spikes with a partner |

A figure that is not defined for a network, such as the agreement of an output of one neuron, exceeds no threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, nan
from re import fullmatch
from typing import NoReturn

from attrs import field, frozen

from ...core.contradictions import find_contradiction
from ...core.diagnostics import Code, ExitCode, near_names, refuse
from ...core.help_text import Phrase, WithoutOptions
from ...core.number_texts import number_text, percent_text
from ...core.output import shortened
from .loss import Loss

LOS003 = Code("LOS003", "max-loss-unreadable", "a threshold of loss cannot be read", exit_code=ExitCode.MISUSED)
LOS004 = Code("LOS004", "max-loss-without-input", "a threshold of loss has no input", exit_code=ExitCode.MISUSED)

MaxLoss = Mapping[str, float | str] | str
"""Thresholds as `accuracy=1pt,agreement=0.98`, or by name."""
POINTS = "pt"
"""Unit of the accuracy: percentage points."""
LIMIT_TEXT = r"(?P<number>[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)(?P<unit>\D*)"


@frozen
class Figure:
    """A figure of the record `loss` that a threshold can limit."""

    name: str
    words: str
    is_share: bool
    """Whether a larger figure is better; such a figure is at most 1."""
    default: float | None
    unit: str = ""
    most: float = float("inf")
    """The largest threshold."""

    @property
    def example(self) -> str:
        return f"{0.95 if self.default is None else self.default:g}{self.unit}"

    @property
    def range(self) -> str:
        """Returns the values of a threshold in words."""
        if self.unit:
            return f"a number from 0 to {self.most:g} with the unit {self.unit} (percentage points), such as {self.example}"
        return f"a share from 0 to {self.most:g}" if isfinite(self.most) else "a number of at least 0"

    def value_of(self, loss: Loss) -> float | None:
        """Returns the value to compare with a threshold; None if it is not defined. The accuracy is its fall in points."""
        if self.name != "accuracy":
            return getattr(loss, self.name)
        if loss.accuracy is None or loss.accuracy_before is None:
            return None
        return round(100 * (loss.accuracy_before - loss.accuracy), 9)  # 0.9 - 0.89 is 0.01, not a little more

    @property
    def is_for_frames(self) -> bool:
        """Whether the figure is defined for a network of frames, too."""
        return self.name != "spike_agreement"

    def is_beyond(self, value: float, threshold: float) -> bool:
        return not (value >= threshold if self.is_share else value <= threshold)  # NaN is beyond

    def threshold_text(self, threshold: float) -> str:
        """Formats a threshold in words: `agreement of at least 95 %`."""
        if self.unit:
            return f"accuracy down by at most {points_text(threshold)}"
        limit = f"least {100 * threshold:g} %" if self.is_share else f"most {threshold:g}"
        return f"{self.words} of at {limit}"

    def text(self, loss: Loss) -> str:
        """Formats the figure of a loss in words: `count error 0.42`."""
        if self.unit:
            return f"accuracy {percent_text(loss.accuracy_before or 0.0)} -> {percent_text(loss.accuracy or 0.0)}"
        value = getattr(loss, self.name)
        if value is None:
            return f"{self.words} not defined"
        return f"{self.words} {percent_text(value) if self.is_share else number_text(value)}"


def points_text(points: float) -> str:
    return f"{points:g} point{'s' * (points != 1)}"


LOSS_FIGURES = (
    Figure("accuracy", "accuracy", is_share=False, default=1.0, unit=POINTS, most=100.0),
    Figure("agreement", "agreement", is_share=True, default=0.95, most=1.0),
    Figure("count_error", "count error", is_share=False, default=0.1),
    Figure("relative_error", "relative error", is_share=False, default=0.1),
    Figure("spike_agreement", "spike agreement", is_share=True, default=None, most=1.0),
)
"""Figures in the order of messages."""
BY_NAME: Mapping[str, Figure] = {one.name: one for one in LOSS_FIGURES}


@frozen
class Excess:
    """A figure beyond its threshold."""

    figure: Figure
    value: float
    threshold: float
    is_required: bool
    """Whether the user set the threshold, so that exceeding it is an error."""


@frozen
class Thresholds:
    """Thresholds of loss by figure: the defaults, and those that the user sets."""

    required: Mapping[str, float] = field(factory=dict[str, float])
    """Thresholds of the user."""

    @property
    def limits(self) -> dict[Figure, float]:
        given = {one: self.required.get(one.name, one.default) for one in LOSS_FIGURES}
        return {one: limit for one, limit in given.items() if limit is not None}

    def excesses(self, loss: Loss, first: Loss | None = None) -> list[Excess]:
        """Returns the figures of a loss that are beyond their thresholds; also those that are defined for `first`, the loss of the first level, but not here."""
        excesses: list[Excess] = []
        for one, limit in self.limits.items():
            value = one.value_of(loss)
            if value is None and first is not None and one.is_for_frames and one.value_of(first) is not None:
                value = nan
            if value is not None and one.is_beyond(value, limit):
                excesses.append(Excess(one, value, limit, one.name in self.required))
        return excesses

    def undefined(self, loss: Loss) -> list[str]:
        """Returns the names of the user's thresholds whose figure is not defined for a loss."""
        return [name for name in self.required if BY_NAME[name].value_of(loss) is None]


def parse_thresholds(given: MaxLoss) -> Thresholds:
    """Parses the thresholds of `--max-loss`; the figures without one keep their default.

        parse_thresholds("accuracy=1pt,agreement=0.98").required == {"accuracy": 1.0, "agreement": 0.98}

    Errors: LOS003 an unknown figure, no number, a missing or another unit, a number out of range, or two thresholds of one figure.
    """
    parts = given.split(",") if isinstance(given, str) else [f"{name}={value}" for name, value in given.items()]
    entries = [
        (name.strip(), value.strip()) for part in parts if part.strip() for name, _, value in [part.partition("=")]
    ]
    for name, text in entries:
        figure = BY_NAME.get(name)
        if figure is None:
            refuse_entries(
                entries, f"{shortened(name or text)} is not a figure of loss", ", ".join(BY_NAME), name or text
            )
        if near_value(figure, text) != text:
            refuse_entries(entries, f"the threshold of {name} cannot be read", figure.range, text or "no value")
    values = [(name, float(text.removesuffix(BY_NAME[name].unit))) for name, text in entries]
    if (wrong := find_contradiction(values)) is not None:
        name, first, second = wrong
        refuse_entries(
            entries, f"{name} has two thresholds", "one threshold for each figure", f"{first:g} and {second:g}"
        )
    return Thresholds(dict(values))


def near_entry(name: str, text: str) -> tuple[str, str]:
    """Returns an entry as it is typed if it is valid, else a valid one near it."""
    near = name if name in BY_NAME else (near_names(name, BY_NAME) or ["agreement"])[0]
    value = near_value(BY_NAME[near], text)
    return near, value if near == name or value == text else BY_NAME[near].example


def near_value(figure: Figure, text: str) -> str:
    """Returns a threshold as it is typed if it is valid, else a valid one near it, or the example of the figure.

    near_value(accuracy, "2") == "2pt"
    """
    match = fullmatch(LIMIT_TEXT, text)
    if match is None:
        return figure.example
    number, unit = match["number"], match["unit"].strip()
    if unit == figure.unit and is_in_range(figure, float(number)):
        return text
    percent = float(number) / 100
    if not figure.unit and (unit == "%" or float(number) > figure.most) and is_in_range(figure, percent):
        return f"{percent:g}"
    return f"{number}{figure.unit}" if is_in_range(figure, float(number)) else figure.example


def is_in_range(figure: Figure, number: float) -> bool:
    return isfinite(number) and 0 <= number <= figure.most


def refuse_entries(entries: Sequence[tuple[str, str]], message: str, expected: str, found: str) -> NoReturn:
    """Refuses `--max-loss`; the help has a valid entry for each figure. Errors: LOS003."""
    fitting = dict(near_entry(name, text) for name, text in entries)
    at = shortened(option_of(entries), 200)
    refuse(LOS003, message, at=at, expected=expected, found=shortened(found), help=option_of([*fitting.items()]))


def option_of(entries: Sequence[tuple[str, str]]) -> str:
    return f"--max-loss {','.join(f'{name}={value}' if value else name for name, value in entries)}"


def require_subject(thresholds: Thresholds) -> None:
    """Refuses thresholds of a network without passes and without a device, which has no loss. Errors: LOS004."""
    if thresholds.required:
        refuse(
            LOS004,
            "a threshold of loss has no device",
            at="--max-loss",
            expected="--target, --device or --passes, whose loss is measured",
            found="the network of reals alone",
            help=Phrase(WithoutOptions(("--max-loss",))),
        )


def require_sample(thresholds: Thresholds, flag: str, *, has_sample: bool, has_labels: bool) -> None:
    """Refuses thresholds that nothing measures: without a sample input, and of the accuracy without labels. Errors: LOS004."""
    if thresholds.required and not has_sample:
        refuse(
            LOS004,
            at="--max-loss",
            expected=f"{flag} FILE.npy, on which the loss is measured",
            found=f"no sample input ({flag})",
            help=Phrase(WithoutOptions(("--max-loss",))),
        )
    if "accuracy" in thresholds.required and not has_labels:
        kept = [(name, f"{limit:g}") for name, limit in thresholds.required.items() if name != "accuracy"]
        refuse(
            LOS004,
            "a threshold of the accuracy has no labels",
            at="--max-loss accuracy",
            expected="--labels FILE.npy with the class of each sample",
            found="no labels",
            help=option_of(kept) if kept else Phrase(WithoutOptions(("--max-loss",))),
        )
