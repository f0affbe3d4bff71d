"""Runs of several manufactured chips, whose elements differ, and the spread of their results.

    found = nopt.run_chips("build", x, chips=20, seed=0, labels=y, ages=["1h", "1d"])
    found.ages[0].accuracy.mean

The model of an analogue target simulates chips whose `imperfections`, from the device file, are drawn from a seed. The network and the ideal
chip run first. All figures are compared with the network.

The bound assumes no distribution. If a share q of all chips is at least as good as the worst of N drawn chips, all N are that good with
probability q^N. So with 95 % confidence, at least 0.05^(1/N) of all chips are as good as the worst one.

Source: S. S. Wilks, Determination of sample sizes for setting tolerance limits, Annals of Mathematical Statistics 12 (1941), 91-96.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, NoReturn, cast

from attrs import frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.help_text import Phrase, WithoutOptions
from ...core.progress import Progress, require_progress
from ...simulation.axes import order_axes
from ...simulation.imperfections import Imperfections
from ...simulation.runs import CHIP
from ...simulation.stimuli import Given
from ..budgets import MaxTime, with_max_time
from ..modules import default_diagnostics
from ..unit_values import refuse_option
from .chip_records import ChipRuns, ChipsOfAge
from .labels import Labels
from .level_comparison import measure
from .level_records import Stage
from .run import open_build

RUN011 = Code("RUN011", "model-without-manufactured-chips", "the model simulates no manufactured chips")
RUN012 = Code("RUN012", "model-without-ageing", "the model has no ageing")

FLAGS = ("--chips", "--seed", "--at")
MOST_CHIPS = 10_000
CONFIDENCE = 0.95
AGE = re.compile(r"(\d+(?:\.\d+)?)(s|min|h|d|y)")
SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "y": 365 * 86400}
"""Length of each unit of ages; a year has 365 days."""


@frozen
class Draw:
    """The chips to draw. Errors: API022 a number or an age out of its range."""

    chips: int = 20
    seed: int = 0
    ages: Sequence[str] = ()
    """Times since programming: `90s`, `5min`, `1h`, `1d`, `1y`."""

    def __attrs_post_init__(self) -> None:
        if not 1 <= self.chips <= MOST_CHIPS:
            refuse_option("--chips", self.chips, f"1 to {MOST_CHIPS}", "20")
        if self.seed < 0:
            refuse_option("--seed", self.seed, "0 or more", "0")
        for text in self.ages:
            age_of(text)

    def drawn(self) -> Iterator[Imperfections]:
        """Yields the chips, age after age."""
        for age in map(age_of, self.ages) if self.ages else [None]:
            for chip in range(self.chips):
                yield Imperfections(self.seed, chip, age)


@with_max_time
def run_chips(
    folder: str | Path,
    given: Given,
    *,
    chips: int = 20,
    seed: int = 0,
    ages: Sequence[str] = (),
    labels: Labels | None = None,
    axes: str | None = None,
    ticks: int | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
) -> ChipRuns:
    """Runs manufactured chips with a network that `compile` wrote into a folder, and returns the spread of their results.

        nopt.run_chips("build", x, chips=20, labels=y).ages[0].accuracy.mean

    `ages` are times since programming: `90s`, `5min`, `1h`, `1d`, `1y`. The same seed draws the same chips at each age.

    Errors: RUN011 a target whose model has no imperfections; RUN012 ages of a model without ageing; API022 an option; RUN020, RUN021 labels;
    CMP009 another folder; those of a run.
    """
    require_progress(progress)
    draw, found = Draw(chips, seed, ages), default_diagnostics(diagnostics)
    module, model = open_build(Path(folder), CHIP, found)
    if model is None:
        refuse_model("a network in ticks")
    assert isinstance(model, partial)  # the class with the chip and its device
    device: Device = model.keywords["device"]
    require_imperfect(model.func, device, draw)
    return measure_chips(
        module,
        cast("Callable[..., Any]", model),
        device,
        draw,
        order_axes(given, axes),
        labels=labels,
        ticks=ticks,
        progress=progress,
        diagnostics=found,
    )


def measure_chips(
    module: ModuleOp, model: Callable[..., Any], device: Device, draw: Draw, given: Given, **options: Any
) -> ChipRuns:
    """Runs the network, the ideal chip, and the drawn chips; `options` are passed to `measure`."""
    stages = [Stage("network", None, module), Stage("ideal chip", None, module, model)]
    stages += [Stage(f"chip {one.chip}", None, module, model, one) for one in draw.drawn()]
    measured = measure(stages, given, **options)
    network, ideal, *rest = measured.levels
    count = draw.chips
    ages = tuple(ChipsOfAge.of(text, rest[k * count : (k + 1) * count]) for k, text in enumerate(draw.ages or [None]))
    return ChipRuns(
        device=device.key,
        imperfections={name: fact.value for name, fact in device.imperfections.items()},
        chips=count,
        seed=draw.seed,
        samples=measured.samples,
        ticks=measured.ticks,
        network=network,
        ideal=ideal,
        ages=ages,
        share=(1 - CONFIDENCE) ** (1 / count),
        extent=measured.extent,
    )


def age_of(text: str) -> float:
    """Parses a time since programming in seconds: `1h`, `1.5d`, `1y`. Errors: API022."""
    match = AGE.fullmatch(text.strip())
    age = inf if match is None else float(match[1]) * SECONDS[match[2]]
    if age == inf:
        refuse_option("--at", text, "times with a unit: s, min, h, d or y", "1h,1d,1y")
    return age


def require_imperfect(kind: Any, device: Device, draw: Draw, flags: tuple[str, ...] = FLAGS) -> None:
    """Refuses a class of models that simulates no manufactured chips, or no ages. `flags` are the options of chips. Errors: RUN011, RUN012."""
    if not getattr(kind, "is_imperfect", False):
        refuse_model(f"the model of {device.key}", flags)
    if draw.ages and not kind.ages:
        refuse(
            RUN012,
            f"the model of {device.key} has no ageing",
            at="--at",
            expected="a target whose model ages",
            found=device.key,
            help=Phrase(WithoutOptions(("--at",))),
        )


def refuse_model(found: str, flags: tuple[str, ...] = FLAGS) -> NoReturn:
    refuse(
        RUN011,
        at=flags[0],
        expected="a network that is compiled for an analogue target, whose chips differ",
        found=found,
        help=Phrase(WithoutOptions(flags)),
    )
