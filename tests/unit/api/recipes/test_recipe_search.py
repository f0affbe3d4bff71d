"""Choice of a recipe: decisions first, within their standard error, then the error; ties take the first. Samples are held back from fits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nopt.analysis.calibration_records import spread_places
from nopt.api.compiling.device_fit import Fit
from nopt.api.permissions.permitted_fit import Outcome, Trial
from nopt.api.recipes.held_samples import HELD_SAMPLES, HELD_TICKS, hold_samples
from nopt.api.recipes.recipe_search import Candidate, choose, is_lossless, standard_error, with_recipe
from nopt.api.recipes.records import RecipeTrial
from nopt.core.device.records import Fallback, Recipe
from nopt.simulation.signals import DenseSignal
from nopt.simulation.stimuli import Stimulus

NOTHING = Outcome(Trial(()), Fit("", "", None))


def candidates(*figures: tuple[float | None, float | None], samples: int = 128) -> list[Candidate]:
    """Returns candidates `r0`, `r1`, … with an agreement and a count error; None for both is a refusal."""
    found: list[Candidate] = []
    for k, (agreement, error) in enumerate(figures):
        refused = "LEG001: no" if agreement is None and error is None else None
        trial = RecipeTrial(name=f"r{k}", agreement=agreement, count_error=error, refused=refused)
        found.append(Candidate(Recipe(name=f"r{k}", reason=""), trial, NOTHING, samples))
    return found


@pytest.mark.parametrize(
    ("figures", "chosen"),
    [
        ([(0.8, 0.1), (0.95, 0.3)], "r1"),  # decisions count more than spikes
        ([(0.96, 0.2), (0.97, 0.1), (0.97, 0.3)], "r1"),
        ([(0.97, 0.2), (0.96, 0.1)], "r1"),  # one standard error of 0.97 over 128 samples is 0.016
        ([(0.97, 0.2), (0.97, 0.2)], "r0"),
        ([(0.97, 0.2), (0.97, 0.195)], "r0"),  # less than a twentieth
        ([(None, 0.2), (None, 0.1)], "r1"),  # one output neuron decides nothing
        ([(0.8, 0.1), (None, None)], "r0"),
        ([(None, None), (0.8, 0.1)], "r1"),
        ([(None, None), (None, None)], "r0"),
    ],
)
def test_least_loss_is_chosen(figures: list[tuple[float | None, float | None]], chosen: str) -> None:
    assert choose(candidates(*figures)).result.name == chosen


def test_values_are_compared_by_their_relative_error() -> None:
    assert RecipeTrial(name="a", relative_error=0.25).error == 0.25
    assert RecipeTrial(name="a", count_error=0.5, relative_error=0.25).error == 0.5
    assert is_lossless(RecipeTrial(name="a", agreement=1.0, count_error=0.001))
    assert not is_lossless(RecipeTrial(name="a", agreement=0.99, count_error=0.001))
    assert not is_lossless(RecipeTrial(name="a", agreement=1.0, count_error=0.1))


def test_standard_error_of_a_perfect_share_is_not_zero() -> None:
    """(128 + 1) / (128 + 2) = 0.9923, and sqrt(0.9923 x 0.0077 / 128) = 0.0077."""
    assert standard_error(1.0, 128) == pytest.approx(0.00772, abs=1e-5)
    assert standard_error(0.5, 100) == pytest.approx(0.05)


def fed(samples: int, ticks: int = 2, *, has_samples: bool = True) -> Stimulus:
    values = np.arange(samples)[:, None, None] * np.ones((1, ticks, 1), np.int64)
    return Stimulus({"input": DenseSignal(values)}, samples, ticks, has_samples)


def rows(held: Any) -> list[int]:
    return held["input"].values[:, 0, 0].tolist()


def test_samples_of_fits_are_held_back() -> None:
    held = hold_samples(fed(40), 8, "normal")
    kept = spread_places(40, 8)  # those that a calibration keeps
    assert rows(held) == [k for k in range(40) if k not in kept]
    held = hold_samples(fed(1000), 8, "normal")
    assert len(rows(held)) == HELD_SAMPLES["normal"]
    assert not {*spread_places(1000, 8)} & {*rows(held)}


def test_inputs_are_bounded() -> None:
    assert len(rows(hold_samples(fed(600, ticks=1024), 8, "normal"))) == HELD_TICKS["normal"] // 1024
    assert len(rows(hold_samples(fed(20, ticks=10**5), 8, "normal"))) == 1
    assert hold_samples(fed(4), 8, "normal") is None  # a calibration keeps all of them
    assert hold_samples(fed(1, has_samples=False), 0, "best") is None


def test_passes_of_the_user_win() -> None:
    recipe = Recipe(
        name="late",
        reason="",
        passes="ntensor-split-pools{load=1}",
        fallbacks={"weight_bits": Fallback(passes="ntensor-quantize-weights{bits=4}")},
    )
    legalize = "ntensor-legalize{recipe=late}"
    assert with_recipe(Trial(()), recipe, "") == Trial(("ntensor-split-pools{load=1}",), (legalize,))
    added = Trial(("ntensor-split-pools",), ("ntensor-legalize{approximate=count}",))
    changed = Trial(("ntensor-split-pools{load=1}",), ("ntensor-legalize{approximate=count recipe=late}",))
    assert with_recipe(added, recipe, "") == changed  # permissions added the pass
    typed = Trial(("ntensor-split-pools{load=0.5}",))
    assert with_recipe(typed, recipe, "ntensor-split-pools{load=0.5}") == Trial(typed.passes, (legalize,))
