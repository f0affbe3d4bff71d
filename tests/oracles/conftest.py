"""The tests of chips with external tools: `make oracles` runs them (`--chips`), `make test` does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from installation import Installation, is_of_chip


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if is_of_chip(collection_path) and not config.getoption("--chips") else None


@pytest.fixture(scope="session")
def python_of(oracles: Path) -> Callable[[str], Path]:
    """Returns a function that installs a tool once, and returns the interpreter of its environment."""
    return Installation(oracles).python
