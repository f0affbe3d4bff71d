"""Shared fixtures of all tests: the folders of the third-party samples (`--shared=DIR`) and of other tools (`--oracles=DIR`)."""

from __future__ import annotations

import gc
import os
import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "lit-tests"))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # there is a process for each processor; read as numpy is imported

from warm import compile_quickly, serving, use_huge_pages  # noqa: E402

from nopt.targets.c import compiler  # noqa: E402
from nopt.tools.main import COLLECTION  # noqa: E402

FLAGS = compiler.WANTED
SCRIPTS = ("filecheck", "lit")
"""Programs of other packages in the environment of the wheel, which the pages of the documentation run."""


def pytest_configure(config: pytest.Config) -> None:
    """Caches compiled networks in the tree instead of the user's cache, and generates few examples without a time limit.

    `make soak` generates many: `pytest --hypothesis-profile=soak`.
    """
    del config
    settings.register_profile("nopt", deadline=None, max_examples=20)
    settings.register_profile("soak", deadline=None, max_examples=1000)
    settings.load_profile("nopt")
    os.environ["XDG_CACHE_HOME"] = str(ROOT / "build" / "cache")
    gc.set_threshold(*COLLECTION)  # imported modules stay, and networks are large trees of small objects


def pytest_collection_finish() -> None:
    """Leaves the imported modules out of the collection of garbage, and prepares forks of this process."""
    gc.collect()
    gc.freeze()
    use_huge_pages()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shared", type=Path, default=ROOT.parent / "shared", help="folder of the third-party samples")
    environments = ROOT / ".venv-oracles"
    parser.addoption("--oracles", type=Path, default=environments, help="folder of others' tools, one environment each")
    parser.addoption("--chips", action="store_true", help="also run the tests of tests/oracles/TARGET (make oracles)")
    parser.addoption("--count", type=int, default=100, help="generated networks of each of these tests")


@pytest.fixture(scope="session")
def root() -> Path:
    """Returns the root of the project's tree."""
    return ROOT


@pytest.fixture(scope="session")
def shared(pytestconfig: pytest.Config) -> Path:
    """Returns the folder of the third-party samples, which are not part of the tree."""
    folder: Path = pytestconfig.getoption("--shared").resolve()
    if not folder.is_dir():
        pytest.skip(f"no samples at {folder} (make test SHARED=DIR, pytest --shared=DIR)")
    return folder


@pytest.fixture(scope="session")
def oracles(pytestconfig: pytest.Config) -> Path:
    """Returns the folder of the tools for comparison, one environment each; a test is skipped if its tool is missing.

    `make frameworks` creates the environments of the frameworks there (`tests/oracles/environments.py`).
    """
    folder: Path = pytestconfig.getoption("--oracles")
    return folder.resolve()


@pytest.fixture(scope="session")
def encoded(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Path]]:
    """Returns a function that writes the test samples of a trained network and their classes (`examples/encoder.py`)."""

    def write(name: str) -> tuple[Path, Path]:
        folder = tmp_path_factory.mktemp(name)
        files = folder / "x.npy", folder / "y.npy"
        before = sys.argv
        sys.argv = ["encoder.py", name, *map(str, files)]
        try:
            runpy.run_path(str(root / "examples" / "encoder.py"), run_name="__main__")
        finally:
            sys.argv = before
        return files

    return write


@pytest.fixture(scope="module", autouse=True)
def levels_of_compilers(request: pytest.FixtureRequest) -> None:
    """Lowers the level of optimisation of compiled networks, except for the tests of the target `c`."""
    before = compiler.WANTED
    compiler.WANTED = FLAGS
    if ROOT / "tests" / "targets" / "c" not in request.path.parents:
        compile_quickly()
    if before != compiler.WANTED:
        compiler.probe_compiler.cache_clear()  # it runs the compiler


@pytest.fixture(scope="session")
def nopt_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Returns a folder with a script `nopt` that runs each command in a fork of one process (`lit-tests/warm.py`)."""
    with serving(tmp_path_factory.mktemp("nopt")) as folder:
        yield folder


@pytest.fixture(scope="session")
def wheel_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the programs of an environment with nopt from a wheel. It is created once for all processes of pytest."""
    import fcntl

    from wheel_environment import add_scripts, create_environment

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
