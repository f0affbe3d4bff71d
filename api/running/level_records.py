"""Levels and their records, and the networks to measure."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import define, evolve, field, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...core.ir import pipeline
from ...dialects import ntensor
from ...dialects.ntensor.readout import joined
from ...simulation.imperfections import Imperfections
from ...simulation.learning.plastic_ops import can_learn
from ..json_record import Record, key
from ..judging.loss import Loss
from .comparison import First
from .rate_similarity import Likeness


@frozen(kw_only=True)
class Level(Record):
    """One row of the table: an entry of `levels` in the records `nopt.levels/1` and `nopt.report/1`."""

    level: str
    step: str | None
    """The pass before the run, as the user types it."""
    accuracy: float | None
    loss: Loss
    rate_cosine: float | None
    bin_cosine: float | None
    first: First | None
    """First difference of all outputs, by sample and tick."""
    output: str | None
    """The output of `first`."""
    populations: dict[str, Likeness]

    def as_json(self) -> dict[str, Any]:
        made = super().as_json()
        output, first = made.pop("output"), made["first"]
        return made | {"first": first and {"output": output, **first}}

    @classmethod
    def adapt_schema(cls, schema: dict[str, Any]) -> dict[str, Any]:
        """Returns the schema with the output in `first`."""
        properties = dict(schema["properties"])
        output, (first, *others) = properties.pop("output"), properties["first"]["anyOf"]
        held = first | {
            "properties": {"output": output, **first["properties"]},
            "required": ["output", *first["required"]],
        }
        properties["first"] = {**properties["first"], "anyOf": [held, *others]}
        return schema | {"properties": properties, "required": list(properties)}


@frozen
class Confusion(Record):
    """Numbers of samples by label and decision, at the first and the last level: the entry `confusion` of `nopt.report/1`."""

    classes: int
    before: tuple[tuple[int, int, int], ...]
    """Label, decision and number of samples of each pair that occurs, in order."""
    after: tuple[tuple[int, int, int], ...]


@frozen(kw_only=True)
class Levels(Record):
    """All levels, each compared with the first level: the record `nopt.levels/1`."""

    SCHEMA = "nopt.levels/1"
    samples: int
    ticks: int
    levels: tuple[Level, ...]
    extent: str = field(metadata=key(None))
    """Samples and ticks for messages."""
    confusion: Confusion | None = field(default=None, metadata=key(None))
    """None without labels."""


@frozen
class Stage:
    """A network to measure: its level, the pass that produced it, and its `ntensor` module."""

    level: str
    step: str | None
    module: ModuleOp
    chip: Callable[..., Any] | None = None
    """Creates the model that runs instead of an engine, from the network of the module."""
    drawn: Imperfections | None = None
    """The manufactured chip that the model simulates; None: the ideal chip."""

    def model_of(self, first: int) -> Callable[..., Any] | None:
        """Returns the function that creates the model for a group of samples; `first` is the index of the first sample."""
        if self.chip is None or self.drawn is None:
            return self.chip
        return partial(self.chip, imperfections=evolve(self.drawn, first_sample=first))


@define
class RecordedStages:
    """Networks after each pass that records an approximation, in the order of the passes: an observer of a context. Networks whose rules engines do not compute are left out."""

    known: list[ntensor.ApproximationAttr]
    stages: list[Stage] = field(factory=list[Stage])

    def __call__(self, step: ModulePass, module: ModuleOp) -> None:
        found = records_of(module)
        if any(record not in self.known for record in found):
            self.known = found
            if can_learn(module):
                self.stages.append(Stage("quantized", pipeline.typed_text(step), joined(module.clone())))


def records_of(module: ModuleOp) -> list[ntensor.ApproximationAttr]:
    return [record for op in module.ops if isinstance(op, ntensor.NetworkOp) for record in op.approximations or ()]
