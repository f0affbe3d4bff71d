"""Fixtures of plug-ins: the command `nopt` in an environment with the package of `examples/plugin_target`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from plugin_packages import Command, Install, copy_package, run


@pytest.fixture(scope="session")
def command(nopt_folder: Path) -> Callable[[Path], Command]:
    """Returns a function that returns the command `nopt` with a folder in its PYTHONPATH."""
    return lambda folder: partial(run, nopt_folder / "nopt", folder=folder)


@pytest.fixture(scope="session")
def install(command: Callable[[Path], Command]) -> Install:
    """Returns a function that installs the package in a folder, after an edit, and returns the command that finds it."""

    def installed(folder: Path, edit: Callable[[Path], None] = lambda package: None) -> Command:
        copy_package(folder, edit)
        return command(folder)

    return installed


@pytest.fixture(scope="module")
def nopt(tmp_path_factory: pytest.TempPathFactory, install: Install) -> Command:
    """Returns the command with the unchanged package."""
    return install(tmp_path_factory.mktemp("installed"))
