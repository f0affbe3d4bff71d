"""Options of the loop of a training, and their checks."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Annotated, Any, Literal, TypedDict, get_args

from attrs import fields, frozen

from ..json_record import Record
from ..options import Option, TrainableOptions
from ..unit_values import refuse_option
from .losses import LOSSES, LossName

Schedule = Literal["constant", "cosine"]
SCHEDULES: tuple[Schedule, ...] = get_args(Schedule)
LEARNING_RATE = 0.01
"""The default, which a help proposes for a training with a much larger one."""


@frozen
class Settings(Record):
    """Options of a training."""

    epochs: int
    loss: LossName
    learning_rate: float
    schedule: Schedule
    batch: int
    drop_input: float
    seed: int


class TrainingOptions(TypedDict, total=False):
    """Options of the loop."""

    epochs: Annotated[int, Option("N", "passes over the data; 10 by default", 10)]
    batch: Annotated[int, Option("N", "samples of a step; fewer need less memory; 64 by default", 64)]
    seed: Annotated[int, Option("N", "seed of the division and the order of samples", 0)]
    output: Annotated[str | None, Option("NAME", "the output that decides, if the network has several")]
    loss: Annotated[LossName, Option(None, "cross entropy on counts of spikes (rates), or first spikes", LOSSES[0])]
    schedule: Annotated[Schedule, Option(None, "of the learning rate; cosine by default", "cosine")]
    learning_rate: Annotated[
        float,
        Option("R", f"step relative to the root mean square of a parameter; {LEARNING_RATE} by default", LEARNING_RATE),
    ]
    hold_back: Annotated[float, Option("SHARE", "share of the samples that choose the epoch; 0.2 by default", 0.2)]
    drop_input: Annotated[
        float, Option("SHARE", "probability that an input value is 0 during training; 0.2 by default", 0.2)
    ]


class TuneOptions(TrainableOptions, TrainingOptions, total=False):
    """Options of `tune`."""


def checked_settings(given: Mapping[str, Any]) -> Settings:
    """Returns the settings of a training after a check of all its options. Errors: API022."""
    for flag, count in (("--epochs", given["epochs"]), ("--batch", given["batch"])):
        if count < 1:
            refuse_option(flag, count, "an integer of 1 or more", "20")
    if not 0 < given["learning_rate"] < inf:
        refuse_option("--learning-rate", given["learning_rate"], "a number above 0", "0.01")
    if not 0 < given["hold_back"] < 1:
        refuse_option("--hold-back", given["hold_back"], "a share between 0 and 1", "0.2")
    if not 0 <= given["drop_input"] < 1:
        refuse_option("--drop-input", given["drop_input"], "a share of 0 or more, and below 1", "0.2")
    if given["seed"] < 0:
        refuse_option("--seed", given["seed"], "an integer of 0 or more", "0")
    for flag, value, known in (("--loss", given["loss"], LOSSES), ("--schedule", given["schedule"], SCHEDULES)):
        if value not in known:
            refuse_option(flag, value, f"one of {', '.join(known)}", known[0])
    return Settings(**{one.name: given[one.name] for one in fields(Settings)})
