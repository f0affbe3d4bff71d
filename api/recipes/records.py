"""Records of the choice of a recipe: the entry `recipe` of `nopt.report/1`."""

from __future__ import annotations

from attrs import frozen

from ...core.device.recipes import DEFAULT_RECIPE, Effort
from ..json_record import Record


@frozen(kw_only=True)
class RecipeTrial(Record):
    """Loss of a network with one recipe, on samples that no pass has fitted to."""

    name: str
    agreement: float | None = None
    count_error: float | None = None
    relative_error: float | None = None
    refused: str | None = None
    """Code and message of the refusal; None for a network that fits."""
    reason: str | None = None
    """The reason for the recipe in the device file; None for the default."""

    @property
    def error(self) -> float:
        """Returns the count error, or the relative error of an output of values; 0 if neither applies."""
        return self.count_error if self.count_error is not None else self.relative_error or 0.0


@frozen(kw_only=True)
class RecipeChoice(Record):
    """The recipe of a build, and the recipes that were tried."""

    name: str
    effort: Effort | None
    """None for a recipe that the user names."""
    samples: int = 0
    """The number of samples of the trials; 0 if none ran."""
    trials: tuple[RecipeTrial, ...] = ()

    @property
    def is_default(self) -> bool:
        return self.name == DEFAULT_RECIPE
