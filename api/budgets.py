"""Time budgets of the functions of `nopt.api`: their argument `max_time`, in seconds or as text such as `2min`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import ParamSpec, TypeVar

from ..core.budget import Budget
from .unit_values import budget_seconds

Given = ParamSpec("Given")
Result = TypeVar("Result")

MaxTime = float | str | None
"""A time budget in seconds, or a text such as `2min`; None for no budget."""


def budget_of(given: MaxTime, help: str | None = None) -> AbstractContextManager[object]:
    """Returns the context of a time budget. Errors: API022; COR006 the time is used up."""
    seconds = None if given is None else budget_seconds(given)
    return nullcontext() if seconds is None else Budget(seconds, help)


def with_max_time(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Decorator of a function whose argument `max_time` limits its time. Errors: API022; COR006 the time is used up."""

    @wraps(function)
    def limited(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        given = kwargs.get("max_time")
        with budget_of(given if isinstance(given, float | int | str) else None):
            return function(*args, **kwargs)

    return limited
