"""The function of one chip."""

from __future__ import annotations

from typing import Any

from ..configurations import Configuration, configuration


def config_from_specification(**given: Any) -> tuple[Configuration, bool, str]:
    return configuration("hidden", False, given)
