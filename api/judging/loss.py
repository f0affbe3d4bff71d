"""Loss of the outputs of a network at a later level, each figure over samples, compared with the first level.

| figure | definition | where |
| --- | --- | --- |
| `agreement` | share of samples with the same decision. The decision is the set of neurons with the largest count over the compared ticks (events), or with the largest value in the last compared tick (values) | outputs of two neurons or more |
| `count_error` | mean over samples and neurons of the magnitude of the difference of counts, relative to the mean count of the first level; 0 if neither level has an event, 1 if only the other has | events |
| `spike_agreement` | spikes of both levels, matched one to one in the order of time if they are at most one tick apart: twice the matches, relative to the spikes of both levels; 1 if neither has a spike | events, except frames |
| `relative_error` | root mean square of the difference of values, relative to that of the first level; 0 if both are zero, 1 if only that of the first level is | values and graded spikes |
| `largest_error`, `largest_output` | the largest difference, and the largest value of the first level, in units of the network | as `relative_error` |
| `accuracy`, `accuracy_before` | share of samples whose arg-max, as in `run`, but over the compared ticks, is the label | with labels |

Row t of the first level is compared with row t + L, where L is the latency of the output: a later level runs L ticks longer, with inputs of zeros. A
network of frames is compared with the sums of the first level over the ticks of each frame; it runs no longer, and rows without a partner are left out. Values of chips are scaled into units of the network (`analysis/output_units.py`).
A NaN is larger than every number, as in `numpy.argmax`. A figure is null where it does not apply, where the arrays have different shapes, and where a value
that it needs is not finite.

The figures of a level are those of its worst output, each on its own; one that is null for an output to which it applies is null for the level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import field, frozen

from ..json_record import Record, key

MeasuredOn = Literal["sample input", "generated input"]
State = Literal["silent", "saturated", "bursting"]


@frozen(kw_only=True)
class OutputLoss(Record):
    """Loss of one output."""

    agreement: float | None = None
    count_error: float | None = None
    spike_agreement: float | None = None
    relative_error: float | None = None
    largest_error: float | None = None
    largest_output: float | None = None
    is_silent: bool = field(default=False, metadata=key(None))
    """Whether neither level has an event."""


@frozen(kw_only=True)
class PopulationChange(Record):
    """A population that fires in another way than at the first level."""

    population: str
    state: State
    before: float
    """Events per neuron and tick, or per neuron and frame, of the first level."""
    after: float


@frozen(kw_only=True)
class Loss(Record):
    """Loss of a level: the entry `loss` of the records of levels, builds, devices and sweeps."""

    agreement: float | None
    count_error: float | None
    spike_agreement: float | None
    relative_error: float | None
    largest_error: float | None
    largest_output: float | None
    accuracy: float | None
    accuracy_before: float | None
    measured_on: MeasuredOn
    samples: int
    gained: tuple[int, ...] | None
    """Samples whose decision became right; None without labels."""
    lost: tuple[int, ...] | None
    """Samples whose decision became wrong; None without labels."""
    outputs: dict[str, OutputLoss]
    populations: tuple[PopulationChange, ...]
    is_silent: bool = field(default=False, metadata=key(None))
    """Whether no output has an event at either level, so that the figures compare nothing."""

    @staticmethod
    def of_json(record: Mapping[str, Any]) -> Loss:
        """Returns the loss of a record that `as_json` returned."""
        fields: dict[str, Any] = dict(record)
        for name in ("gained", "lost"):
            fields[name] = None if fields[name] is None else tuple(fields[name])
        fields["outputs"] = {name: OutputLoss(**one) for name, one in dict(fields["outputs"]).items()}
        fields["populations"] = tuple(PopulationChange(**one) for one in fields["populations"])
        return Loss(**fields)


def unite_losses(
    outputs: Mapping[str, tuple[OutputLoss, frozenset[str]]],
    right_before: Sequence[bool] | None,
    right: Sequence[bool] | None,
    populations: Sequence[PopulationChange],
    *,
    samples: int,
    measured_on: MeasuredOn,
) -> Loss:
    """Returns the loss of a level: the worst figures of its outputs, each with the names of the figures that apply to the output.

    `right_before` and `right` hold for each sample whether its decision is the label, at the first level and at this one.
    """

    def worst(name: str, *, is_similarity: bool) -> tuple[float, OutputLoss] | None:
        known = [(getattr(one, name), one) for one, applicable in outputs.values() if name in applicable]
        if not known or any(value is None for value, _ in known):
            return None
        return (min if is_similarity else max)(known, key=lambda pair: pair[0])

    agreement, spikes = (worst(name, is_similarity=True) for name in ("agreement", "spike_agreement"))
    counts, values = (worst(name, is_similarity=False) for name in ("count_error", "relative_error"))
    pairs = None if right_before is None or right is None else list(zip(right_before, right, strict=True))
    return Loss(
        agreement=None if agreement is None else agreement[0],
        count_error=None if counts is None else counts[0],
        spike_agreement=None if spikes is None else spikes[0],
        relative_error=None if values is None else values[0],
        largest_error=None if values is None else values[1].largest_error,
        largest_output=None if values is None else values[1].largest_output,
        accuracy=None if not pairs else sum(after for _, after in pairs) / len(pairs),
        accuracy_before=None if not pairs else sum(before for before, _ in pairs) / len(pairs),
        measured_on=measured_on,
        samples=samples,
        gained=None if pairs is None else tuple(k for k, (before, after) in enumerate(pairs) if after and not before),
        lost=None if pairs is None else tuple(k for k, (before, after) in enumerate(pairs) if before and not after),
        outputs={name: one for name, (one, _) in outputs.items()},
        populations=tuple(populations),
        is_silent=bool(outputs) and all(one.is_silent for one, _ in outputs.values()),
    )
