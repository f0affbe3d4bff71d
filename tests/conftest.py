"""Shared fixtures of all tests: the folders of the third-party samples (`--shared=DIR`) and of other tools (`--oracles=DIR`)."""

from __future__ import annotations

import gc
import os
import runpy
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings
from places import ROOT, TESTS

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # there is a process for each processor; read as numpy is imported

from warm import compile_quickly, serving, use_huge_pages

from nopt.targets.c import compiler
from nopt.tools.main import COLLECTION

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
    parser.addoption("--count", type=int, default=100, help="generated networks of each test of tests/oracle")
    parser.addoption(
        "--part", type=int, default=1, help="run one of N tests, selected by the hash of its name and --commit"
    )
    parser.addoption("--commit", default="", help="the commit that selects the tests of --part")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the tests of a part: another commit has another part, and a commit always the same one."""
    part, commit = config.getoption("--part"), config.getoption("--commit")
    digests = [sha256(f"{commit} {item.nodeid}".encode()).digest() for item in items]
    kept = [int.from_bytes(digest) % part == 0 for digest in digests]
    config.hook.pytest_deselected(items=[item for item, is_kept in zip(items, kept, strict=True) if not is_kept])
    items[:] = [item for item, is_kept in zip(items, kept, strict=True) if is_kept]


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

    `make frameworks` creates the environments of the frameworks there (`tests/support/environments.py`).
    """
    folder: Path = pytestconfig.getoption("--oracles")
    return folder.resolve()


@pytest.fixture(scope="session")
def demo(root: Path) -> ModuleType:
    """Returns the module `examples/demo.py`."""
    spec = spec_from_file_location("demo", root / "examples" / "demo.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["demo"] = module  # dataclasses look up their module by name
    spec.loader.exec_module(module)
    return module


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
    if not {TESTS / "target" / "c", TESTS / "property" / "targets" / "c"} & {*request.path.parents}:
        compile_quickly()
    if before != compiler.WANTED:
        compiler.probe_compiler.cache_clear()  # it runs the compiler


def common_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """Returns a folder that all processes of pytest share."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def common_server(folder: Path, python: str | Path = sys.executable) -> Iterator[Path]:
    """Yields a folder with the scripts of a server (`lit-tests/warm.py`); its `python` runs there, too.

    The process of pytest that starts the server ends after the other users.
    """
    import fcntl

    with (folder / "lock").open("w") as lock, (folder / "users").open("w") as users:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / "socket").exists():
            fcntl.flock(users, fcntl.LOCK_SH)
            fcntl.flock(lock, fcntl.LOCK_UN)
            yield folder
            return
        with serving(folder, python):
            script = folder / "python"
            script.write_text(f'#!/bin/sh\nexec {folder}/warm-python "$@"\n', encoding="utf-8")
            script.chmod(0o755)
            fcntl.flock(users, fcntl.LOCK_SH)
            fcntl.flock(lock, fcntl.LOCK_UN)
            yield folder
            fcntl.flock(lock, fcntl.LOCK_EX)  # a process without the server starts another one afterwards
            fcntl.flock(users, fcntl.LOCK_EX)
        (folder / "socket").unlink()


@pytest.fixture(scope="session")
def nopt_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Returns a folder with a script `nopt` that runs each command in a fork of one process (`lit-tests/warm.py`)."""
    with common_server(common_folder(tmp_path_factory, "nopt")) as folder:
        yield folder


@pytest.fixture(scope="session")
def wheel_environment(wheel_programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Returns the variables of the environment of the wheel. Its `nopt` and `python` run in forks of one process."""
    from wheel_environment import variables_of

    with common_server(common_folder(tmp_path_factory, "wheel_nopt"), wheel_programs / "python") as folder:
        yield variables_of(folder, wheel_programs)


@pytest.fixture(scope="session")
def wheel_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the programs of an environment with nopt from a wheel. It is created once for all processes of pytest."""
    import fcntl

    from wheel_environment import add_scripts, create_environment

    folder = common_folder(tmp_path_factory, "wheel")
    with (folder / "lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if created := lock.read():
            return Path(created)
        programs = create_environment(Path(sys.executable), folder)
        add_scripts(programs, SCRIPTS)
        lock.write(str(programs))
        return programs
