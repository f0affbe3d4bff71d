"""The environment of the pages: nopt from a wheel, outside of the tree."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from warm import serving
from wheel_environment import add_scripts, create_environment, variables_of

SCRIPTS = ("filecheck", "lit")
"""Programs of other packages that the pages run."""


@pytest.fixture(scope="session")
def wheel_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the programs of an environment with nopt from a wheel. It is created once for all processes of pytest."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "wheel"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if created := lock.read():
            return Path(created)
        programs = create_environment(Path(sys.executable), folder)
        add_scripts(programs, SCRIPTS)
        lock.write(str(programs))
        return programs


@pytest.fixture(scope="session")
def wheel_environment(wheel_programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Returns the variables of that environment. Its command `nopt` runs in forks of one process (`lit-tests/warm.py`)."""
    with serving(tmp_path_factory.mktemp("nopt"), wheel_programs / "python") as folder:
        yield variables_of(folder, wheel_programs)
