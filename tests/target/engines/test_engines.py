"""Every engine that is usable on this machine has the results of the reference, also one of a package of its own."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_comparison import compare_engine
from places import EXAMPLES

from nopt.core import registry

EXAMPLE = EXAMPLES / "plugin_engine"
OWN = [engine.name for engine in registry.engines()]


def install(folder: Path) -> None:
    """Copies the example into a folder, with the metadata of an installed package."""
    shutil.copytree(EXAMPLE / "numpy_threads", folder / "numpy_threads", ignore=shutil.ignore_patterns("__pycache__"))
    info = folder / "nopt_numpy_threads-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nopt-numpy-threads\nVersion: 1.0\n", encoding="utf-8")
    points = "[nopt.engines]\nnumpy_threads = numpy_threads.engine:ENGINE\n"
    assert 'numpy_threads = "numpy_threads.engine:ENGINE"' in (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    registry.forget_names()
    yield
    registry.forget_names()
    for name in [one for one in sys.modules if one.partition(".")[0] == "numpy_threads"]:
        del sys.modules[name]
    importlib.invalidate_caches()


@pytest.mark.parametrize("name", OWN)
def test_an_engine_has_the_results_of_the_reference(name: str) -> None:
    compare_engine(name)


@pytest.mark.usefixtures("example")
def test_an_engine_of_a_package_has_the_results_of_the_reference() -> None:
    assert {engine.name for engine in registry.engines()} == {*OWN, "numpy_threads"}
    compare_engine("numpy_threads")


def test_an_engine_of_a_package_is_listed_and_runs(tmp_path: Path) -> None:
    install(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "nopt.tools.main"]

    def nopt(*words: str) -> str:
        done = subprocess.run(
            [*command, *words], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
        )
        return done.stdout

    assert "numpy_threads" in nopt("engines")
    network = str(EXAMPLES / "bars" / "bars.nir")
    options = ("--input", "poisson:0.3,samples=4,ticks=8", "--dt", "1ms", "--like", "norse")
    assert "engine numpy_threads" in nopt("run", network, *options, "--engine", "numpy_threads")
