"""The environments of the tests with external tools, and that of `nopt import`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from environments import FRAMEWORKS, IMPORTS, Tool, is_current
from installation import Installation
from wheel_environment import create_environment, variables_of


@pytest.fixture(scope="session")
def python_of(oracles: Path) -> Callable[[str], Path]:
    """Returns a function that installs a tool once, and returns the interpreter of its environment."""
    return Installation(oracles).python


@pytest.fixture(scope="session")
def environment(oracles: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Returns the variables of a fresh environment with the frameworks of `nopt import`, and nopt from a wheel."""
    return environment_of(IMPORTS, oracles, tmp_path_factory.mktemp("imports"))


@pytest.fixture(scope="session")
def spyx_environment(oracles: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Returns the variables of a fresh environment with Spyx, and nopt from a wheel."""
    return environment_of(FRAMEWORKS["spyx"], oracles, tmp_path_factory.mktemp("spyx"))


def environment_of(tool: Tool, oracles: Path, folder: Path) -> dict[str, str]:
    if not is_current(tool, oracles):
        pytest.skip(f"no environment of {tool.title} at {oracles} (make frameworks, pytest --oracles=DIR)")
    return variables_of(create_environment(tool.python(oracles), folder))
