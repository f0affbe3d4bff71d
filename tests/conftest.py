"""What all tests share: where the third-party samples are (`--shared=DIR`)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def pytest_configure(config: pytest.Config) -> None:
    """Compiled networks are kept in the tree, from run to run, and not in the user's cache."""
    del config
    os.environ["XDG_CACHE_HOME"] = str(ROOT / "build" / "cache")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shared", type=Path, default=ROOT.parent / "shared", help="folder of the third-party samples")
    home = Path.home() / ".cache" / "oracle-venvs"
    parser.addoption("--oracles", type=Path, default=home, help="folder of the vendors' tools, one environment each")


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the project's tree."""
    return ROOT


@pytest.fixture(scope="session")
def shared(pytestconfig: pytest.Config) -> Path:
    """The folder of the third-party samples, which are not part of the tree."""
    folder: Path = pytestconfig.getoption("--shared").resolve()
    if not folder.is_dir():
        pytest.skip(f"no samples at {folder} (make test SHARED=DIR, pytest --shared=DIR)")
    return folder


@pytest.fixture(scope="session")
def oracles(pytestconfig: pytest.Config) -> Path:
    """The folder of the vendors' tools that results are compared with; a test skips where its tool is not there."""
    folder: Path = pytestconfig.getoption("--oracles")
    return folder.resolve()
