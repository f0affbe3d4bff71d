"""The environment of the pages: nopt from a wheel, outside of the tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from warm import serving
from wheel_environment import variables_of


@pytest.fixture(scope="session")
def wheel_environment(wheel_programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Returns the variables of that environment. Its command `nopt` runs in forks of one process (`lit-tests/warm.py`)."""
    with serving(tmp_path_factory.mktemp("nopt"), wheel_programs / "python") as folder:
        yield variables_of(folder, wheel_programs)
