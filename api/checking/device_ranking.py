"""Choice of a device for a network: all devices in order, with the reason of each place.

The order, each criterion among the devices that the ones before leave equal:

1. Devices on which the network fits; devices on which it would fit with approximations that are not permitted, or with exact passes that are not typed;
   devices that were not checked; the others.
2. The loss (`api/judging/loss.py`), the least first: the fall of the accuracy; 1 minus the agreement; the count error or the relative error, the larger one. A rise
   of the accuracy is not a loss. An unknown loss follows all known ones.
3. With weights, the score, the least first. If the loss has a weight, the score replaces the loss as the criterion 2.
4. A network that fits as it was trained precedes one that needs approximations.
5. Whether the device has cores; the number of cores; the number of features that fallbacks change; the latency; the name.

    score = sum over figures of weight * figure / largest known figure of a fitting device

| figure | unit |
| --- | --- |
| loss | fall of the accuracy; without labels, 1 minus the agreement; without an agreement, the count error or the relative error |
| cores | cores; 0 for a device without any |
| energy, time | of a tick of the input, from the coefficients of the device file; the highest value of a range |
| memory | bytes |
| latency | ticks until the outputs |

An unknown figure counts as the largest one, the worst case. The time of a compilation is not a figure, because no measured model of it exists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any

from attrs import evolve, field, frozen

from ...core.contradictions import find_contradiction
from ...core.diagnostics import Code, ExitCode, Severity, refuse
from ...core.number_texts import counted_text
from ..compiling.device_fit import Estimate, Fit, FitState, is_fitting
from ..json_record import Record, key
from ..judging.loss import Loss

CHK023 = Code(
    "CHK023", "ranking-figure-unknown", "the order is weighted by an unknown figure", exit_code=ExitCode.MISUSED
)
FIGURE_WEIGHT = re.compile(r"\d+(\.\d+)?")


@frozen
class Candidate(Record):
    """A device in the order of preference."""

    target: str
    device: str
    fits: FitState | None
    """None: the fit was not checked."""
    approximations: tuple[str, ...]
    """The approximations that the fit needs."""
    passes: tuple[str, ...]
    """The pipeline in place of the passes of the user, if the fit needs another one."""
    is_permitted: bool = field(metadata=key("permitted"))
    """Whether the user permits these approximations and passes."""
    cores: int | None
    changes: tuple[str, ...]
    """Device fields whose fallbacks change the network."""
    latency_ticks: int | None
    """The largest latency of an output; None if the network does not fit."""
    code: str | None
    """The first refusal; for a network that no approximation makes fit, the first one that remains with all of them."""
    reason: str
    estimate: Estimate | None = None
    """Energy and time of a step, and memory; None if the network does not fit."""
    loss: Loss | None = None
    """None if it was not measured."""
    score: float | None = None
    """The weighted sum of the figures, if there are weights and the network fits."""

    @property
    def is_fitting(self) -> bool:
        """Whether the network fits, as it was trained or with permitted approximations."""
        return self.is_permitted and is_fitting(self.fits)


def loss_figures(loss: Loss | None) -> tuple[float | None, float | None, float | None]:
    """Returns the fall of the accuracy, 1 minus the agreement, and the larger error of counts or values; None where a figure is unknown."""
    if loss is None:
        return None, None, None
    before, after = loss.accuracy_before, loss.accuracy
    errors = [error for error in (loss.count_error, loss.relative_error) if error is not None]
    return (
        None if before is None or after is None else max(0.0, before - after),
        None if loss.agreement is None else 1 - loss.agreement,
        max(errors, default=None),
    )


FIGURES: Mapping[str, Callable[[Candidate], float | None]] = {
    "loss": lambda one: next((figure for figure in loss_figures(one.loss) if figure is not None), None),
    "cores": lambda one: one.cores or 0,
    "energy": lambda one: None if one.estimate is None else one.estimate.per_tick(one.estimate.energy_high_pj),
    "time": lambda one: None if one.estimate is None else one.estimate.per_tick(one.estimate.time_high_ns),
    "memory": lambda one: None if one.estimate is None else one.estimate.memory_bytes,
    "latency": lambda one: one.latency_ticks,
}
"""Figures that `prefer` can weight."""


def rank_devices(fits: Sequence[Fit], weights: Mapping[str, float] | None = None) -> list[Candidate]:
    """Returns the devices in order of preference, with weights by their score."""
    found = [candidate_of(one) for one in fits]
    if weights:
        largest = {
            name: max((FIGURES[name](one) or 0 for one in found if one.is_fitting), default=0) for name in weights
        }
        found = [evolve(one, score=score_of(one, weights, largest)) if one.is_fitting else one for one in found]
    return sorted(found, key=partial(preference, is_by_score=bool(weights) and "loss" in weights))


def score_of(one: Candidate, weights: Mapping[str, float], largest: Mapping[str, float]) -> float:
    """Returns the weighted sum of the figures, each relative to its largest value; an unknown figure counts as 1."""

    def share(name: str) -> float:
        value = FIGURES[name](one)
        return 1.0 if value is None else value / largest[name] if largest[name] else 0.0

    return sum(weight * share(name) for name, weight in weights.items())


def figure_weights(given: Mapping[str, float] | str) -> dict[str, float]:
    """Parses the weights of figures, `energy=2,latency=1`; a figure without a number has the weight 1.

        figure_weights("energy=2,loss") == {"energy": 2.0, "loss": 1.0}

    Errors: CHK023 an unknown figure, a weight that is not a positive number, or two weights of one figure.
    """
    parts = given.split(",") if isinstance(given, str) else [f"{name}={weight}" for name, weight in given.items()]
    entries = [part.strip().partition("=") for part in parts if part.strip()]
    pairs = [(name, weight_of(name, text if equals else "1")) for name, equals, text in entries]
    if (wrong := find_contradiction(pairs)) is not None:
        name, first, second = wrong
        refuse(
            CHK023,
            f"{name} has two weights",
            at=f"--prefer {name}={first:g},{name}={second:g}",
            expected="one weight for each figure",
            found=f"{first:g} and {second:g}",
            help=f"--prefer {name}={second:g}",
        )
    return dict(pairs)


def weight_of(name: str, text: str) -> float:
    """Returns the weight of a figure. Errors: CHK023."""
    weight = float(text) if FIGURE_WEIGHT.fullmatch(text) else 0.0
    if name in FIGURES and weight > 0:
        return weight
    near = (get_close_matches(name, FIGURES, 1, 0.5) or ["energy"])[0]
    refuse(
        CHK023,
        f"{name} is not a figure" if name not in FIGURES else f"the weight of {name} is not a positive number",
        at=f"--prefer {name}={text}",
        expected=f"{', '.join(FIGURES)}, each with a positive number",
        found=name if name not in FIGURES else text,
        help=f"--prefer {near}=1",
    )


def candidate_of(found: Fit) -> Candidate:
    """Returns the figures of one device."""
    error = found.obstacle or next((one for one in found.findings if one.severity is Severity.ERROR), None)
    remarks = (one for one in found.findings if one.severity is Severity.REMARK and one.path is not None)
    changes = tuple(dict.fromkeys(one.path for one in remarks if one.path is not None))
    latency = max(found.latency_ticks.values(), default=0) if found.is_fitting else None
    where = "no cores" if found.cores is None else counted_text(found.cores, "core")
    changed = f"changes for {', '.join(changes)}" if changes else "no change"
    later = f"; {latency} ticks late" if latency else ""
    fitting = f"{where}; {changed}{later}"
    if not found.is_permitted:
        error, reason = None, f"with {found.missing_option}"
    else:
        reason = error.message if error is not None else fitting if found.is_fitting else "not checked"
    code = None if error is None else str(error.code)
    return Candidate(
        found.target,
        found.device,
        found.fits,
        found.approximations,
        found.passes,
        found.is_permitted,
        found.cores,
        changes,
        latency,
        code,
        reason,
        found.estimate,
        found.loss,
    )


def preference(one: Candidate, *, is_by_score: bool) -> tuple[Any, ...]:
    """Returns the sort key of a device. With `is_by_score`, the score contains the loss."""
    loss = tuple((figure is None, figure or 0.0) for figure in loss_figures(one.loss))
    return (
        0 if one.is_fitting else 2 if one.fits is None else 3 if one.fits == "no" else 1,
        () if is_by_score else loss,
        one.score or 0.0,
        one.fits == "approximate",
        one.cores is None,
        one.cores or 0,
        len(one.changes),
        one.latency_ticks or 0,
        one.device,
    )
