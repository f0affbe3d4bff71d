"""The engine `native`: it produces the results and refusals of the reference, and manages its cache without user action."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nets import Net, same_bits
from programs import needs_compiler
from real_networks import real_network
from xdsl.dialects.builtin import f32, f64, i1, i8

import nopt.api as nopt
from nopt.api.running import run as running
from nopt.api.running.run import execute
from nopt.core.cache import private_files as cache
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects.equations.build import build_update
from nopt.dialects.ntensor import CountType, NetworkOp
from nopt.simulation.runs import Unsuitable
from nopt.simulation.signals import DenseSignal, EventSignal, Signal
from nopt.targets.c import compiler
from nopt.targets.c.library import load_library
from nopt.targets.c.model import NativeModel
from nopt.targets.c.source import generate
from nopt.targets.reference.model import ReferenceModel

pytestmark = needs_compiler


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "nopt" / "native"


def leaky(
    element: Any = f64, shape: tuple[int, ...] = (3,), step: str = "v + k * (x - v)", given: Any = None
) -> NetworkOp:
    """Returns one population after a synapse."""
    text = f"neuron leaky\nparam k\nstate v = 0\ninput x\nv = {step}\nz = v > 1\nv = 0 if z else v\nemit spike z\n"
    update = build_update(parse_neurons(text).neurons[0], options={}, precision=element)
    net = Net(element, x=(shape, given or element))
    size, dtype = int(np.prod(shape)), np.float32 if element == f32 else np.float64
    y = net.linear(net.reshape(net.input("x"), (size,)), np.eye(size, dtype=dtype), node="fc")
    z = net.neuron("lif", update, [y], i1, {"k": np.array(0.5, dtype)}, {"v": np.zeros((), dtype)})
    return net.network(out=z)


def both(network: NetworkOp, signals: dict[str, Signal], record: list[str] | None = None, **options: Any) -> Any:
    """Returns the results of both engines, or their refusals."""
    found: list[Any] = []
    for kind in (ReferenceModel, NativeModel):
        try:
            found.append(kind(network, record=record or []).run(signals, **options))
        except Refused as refusal:
            found.append(str(refusal))
    return found


def require_same(found: Any) -> None:
    wanted, native = found
    assert not isinstance(wanted, str), wanted
    assert list(wanted) == list(native)
    assert all(same_bits(wanted[name], native[name]) for name in wanted)


# ---- as the reference


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads(threads: int) -> None:
    case = real_network(5, samples=9, ticks=200)
    signals = {name: DenseSignal(x) for name, x in case.inputs.items()}
    wanted = ReferenceModel(case.network, record=case.record).run(signals)
    found = NativeModel(case.network, record=case.record, threads=threads).run(signals)
    require_same((wanted, found))


def test_longer_and_shorter_runs() -> None:
    x = np.random.default_rng(0).normal(size=(3, 20, 3)) * 3
    for ticks in (0, 1, 7, 20, 500):
        require_same(both(leaky(), {"x": DenseSignal(x)}, ["lif.v", "x", "fc"], ticks=ticks))
    require_same(both(leaky(), {"x": DenseSignal(x[:0])}))


def test_every_run_starts_anew() -> None:
    model = NativeModel(leaky(), threads=1)
    signals = {"x": DenseSignal(np.random.default_rng(1).normal(size=(4, 9, 3)) * 3)}
    first = model.run(signals)
    assert first["out"].any()
    assert same_bits(first["out"], model.run(signals)["out"])


@pytest.mark.parametrize(
    ("element", "given"),
    [
        (f32, np.array([[[True, False, True]]])),
        (f64, np.array([[[1, 7, 255]]], np.uint8)),
        (f32, np.array([[[0.1, 7, -3]]], np.float64)),
        (f64, np.array([[[0.5, 7, 65504]]], np.float16)),
        (i1, np.array([[[1.0, 0, 1]]])),
        (CountType(5), np.array([[[31.0, 0, 1]]])),
        (CountType(32), np.array([[[31, 0, 2**32 - 1]]])),
        (i8, np.array([[[-128, 127, 0]]])),
    ],
)
def test_inputs_take_their_types(element: Any, given: np.ndarray) -> None:
    net = Net(f64, x=((3,), element))
    require_same(both(net.network(y=net.input("x")), {"x": DenseSignal(given)}))


@pytest.mark.parametrize(
    ("element", "given"), [(i1, 2), (i1, np.nan), (CountType(5), 32), (i8, 128), (i8, 1.5), (f64, np.inf)]
)
@pytest.mark.parametrize("threads", [1, 3])
def test_refuses_the_same_value(element: Any, given: float, threads: int) -> None:
    net = Net(f64, x=((2,), element))
    network = net.network(y=net.input("x"))
    x = np.zeros((12, 300, 2))
    x[4, 170, 1] = x[9, 2, 0] = given
    found = []
    for model in (ReferenceModel(network, block=(1, 300)), NativeModel(network, threads=threads)):
        with pytest.raises(Refused, match="SIM021") as refusal:
            model.run({"x": DenseSignal(x)})
        found.append(str(refusal.value))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("signals", "record", "options"),
    [
        ({}, [], {}),
        ({"y": (1, 3, 3)}, [], {}),
        ({"x": (1, 3, 2)}, [], {}),
        ({"x": (1, 3, 3)}, [], {"ticks": -1}),
        ({"x": (1, 3, 3)}, [], {"ticks": 10**13}),
        ({"x": (1, 3, 3)}, ["lif.w", "life", "nothing"], {}),
    ],
)
def test_refuses_in_the_same_words(signals: dict[str, tuple[int, ...]], record: list[str], options: Any) -> None:
    given: dict[str, Signal] = {name: DenseSignal(np.zeros(shape)) for name, shape in signals.items()}
    wanted, found = both(leaky(), given, record, **options)
    assert "SIM0" in wanted
    # the available memory changes between two readings
    assert wanted.split("\n")[0] == found.split("\n")[0]
    assert "10000000000000" in str(options) or wanted == found


def test_progress_ends_with_all_ticks() -> None:
    x = np.zeros((5, 400, 3))
    for threads in (1, 2):
        seen: list[tuple[int, int]] = []
        NativeModel(leaky(), threads=threads).run(
            {"x": DenseSignal(x)}, progress=lambda done, total, seen=seen: seen.append((done, total))
        )
        assert seen == sorted(seen)
        assert seen[-1] == (2000, 2000)


@pytest.mark.parametrize("has_values", [False, True])
def test_events_are_what_they_are_dense(has_values: bool) -> None:
    rng = np.random.default_rng(7)
    samples, ticks, shape, count = 6, 150, (2, 4), 900
    sample, tick, index = (rng.integers(0, n, count) for n in (samples, ticks, 8))
    value = rng.integers(-3, 4, count) if has_values else None
    dense = np.zeros((samples, ticks, 8), np.int64)
    np.add.at(dense, (sample, tick, index), 1 if value is None else value)
    signal = EventSignal(tick, index, shape=shape, ticks=ticks, sample=sample, samples=samples, value=value)
    network = leaky(f32, shape)
    for longest in (150, 90, 200):
        wanted = NativeModel(network).run({"x": DenseSignal(dense.reshape(samples, ticks, *shape))}, ticks=longest)
        found = NativeModel(network).run({"x": signal}, ticks=longest)
        require_same((wanted, found))


@pytest.mark.parametrize("settings", [[], ["c.prefix=digits", "c.fusion=false"], ["c.activity=dense", "c.unroll=4"]])
def test_a_compiled_directory_runs_as_its_network(settings: list[str], tmp_path: Path) -> None:
    case = real_network(6)
    quiet = Diagnostics()
    module = case.network.parent_op()
    nopt.compile(module, target="c", set=settings, out=tmp_path / "build", diagnostics=quiet)
    for record in ([], case.record):
        found = execute(tmp_path / "build", case.inputs, record=record, diagnostics=quiet)
        wanted = execute(module, case.inputs, record=record, engine="numpy", diagnostics=quiet)
        assert (found.engine, wanted.engine) == ("chip", "numpy")
        require_same((wanted.arrays, found.arrays))


# ---- unsupported networks


def test_sums_that_can_leave_their_type_are_not_run() -> None:
    net = Net(i8, x=((2,), i8))
    network = net.network(y=net.linear(net.input("x"), np.array([[1, 1]], np.int8), node="fc"))
    with pytest.raises(Unsuitable, match=r"CSR017.*\n.*fc.*\n.*-128..127\n.*-256..254: 9 bits\n.*ntensor-widen-sums"):
        NativeModel(network)
    net = Net(i8, x=((2,), i1))
    network = net.network(y=net.linear(net.input("x"), np.array([[100, 27]], np.int8), node="fc"))
    require_same(both(network, {"x": DenseSignal(np.ones((1, 2, 2)))}))


def test_auto_says_why_it_takes_another_engine() -> None:
    network = leaky(step="v * exp(-abs(x)) + k * x")
    assert NativeModel.differs(network) is not None
    assert NativeModel.differs(leaky()) is None
    module = network.parent_op()
    x = np.random.default_rng(2).normal(size=(20, 3))
    found = Diagnostics()
    result = execute(module, x, record=["lif.v"], diagnostics=found)
    assert result.engine == "numpy"
    assert {finding.code.id for finding in found.findings} == {"RUN016"}
    assert "not native" in found.findings[0].message
    native = execute(module, x, record=["lif.v"], engine="native", diagnostics=found)
    assert native.engine == "native"
    np.testing.assert_allclose(native.arrays["lif.v"], result.arrays["lif.v"], rtol=1e-12)


def test_a_short_internal_run_takes_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    module, x = leaky().parent_op(), np.random.default_rng(3).normal(size=(20, 3))
    found = {"short": execute(module, x, record=["lif.v"], is_internal=True), "shown": execute(module, x)}
    monkeypatch.setattr(running, "SHORT_WORK", 0)
    found["long"] = execute(module, x, record=["lif.v"], is_internal=True)
    assert {name: one.engine for name, one in found.items()} == {"short": "numpy", "shown": "native", "long": "native"}
    assert same_bits(found["short"].arrays["lif.v"], found["long"].arrays["lif.v"])


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "CC names"), ("#!/bin/sh\necho 'no space left on device' >&2\nexit 1\n", "no space left on device")],
)
def test_without_a_compiler(
    text: str, words: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mycc"
    if text:
        path.write_text(text)
        path.chmod(0o755)
    monkeypatch.setenv("CC", str(path))
    native, numpy = (one for one in nopt.engines() if one.name in ("native", "numpy"))
    assert (native.is_usable, numpy.is_usable) == (False, True)
    assert words in (native.reason or "")
    found = Diagnostics()
    module, x = leaky().parent_op(), np.ones((3, 3))
    assert execute(module, x, diagnostics=found).engine == "numpy"
    assert words in str(found.findings[0])
    with pytest.raises(Refused, match="RUN015"):
        execute(module, x, engine="native", diagnostics=found)
    with pytest.raises(Refused, match="CSR002"):
        load_library(generate(leaky()))
    assert not list(folder.glob("*")) if folder.exists() else True


def test_a_compiler_that_fails_on_a_network(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler passes its trial, so the engine is usable, but fails later, for example because the disk is full."""
    path = tmp_path / "mycc"
    path.write_text(
        '#!/bin/sh\ncase "$*" in *net.c*) echo "cannot write: file too large" >&2; exit 1;; esac\nexec cc "$@"\n'
    )
    path.chmod(0o755)
    monkeypatch.setenv("CC", str(path))
    found = Diagnostics()
    module, x = leaky().parent_op(), np.ones((3, 3))
    assert execute(module, x, diagnostics=found).engine == "numpy"
    assert "file too large" in str(found.findings[0])
    with pytest.raises(Refused, match=r"CSR003(.|\n)*note: cannot write: file too large"):
        execute(module, x, engine="native", diagnostics=found)
    assert not list(folder.glob("*.so"))


# ---- the cache


def test_compiles_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = generate(leaky())
    load_library(source)
    (made,) = folder.glob("*.so")

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("compiled again")

    monkeypatch.setattr(compiler.Compiler, "compile", refuse)
    load_library(source)
    assert [*folder.glob("*.so")] == [made]
    assert not [*folder.glob(".*")]


@pytest.mark.parametrize("damage", [b"", b"\x7fELF", None])
def test_a_damaged_entry_is_made_anew(damage: bytes | None, folder: Path) -> None:
    x = {"x": DenseSignal(np.full((1, 9, 3), 3.0))}
    wanted = NativeModel(leaky()).run(x)
    (path,) = folder.glob("*.so")
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(whole[: len(whole) // 2] + whole[len(whole) // 2 + 1 :] if damage is None else damage)
    assert same_bits(NativeModel(leaky()).run(x)["out"], wanted["out"])
    assert cache.Cache(path.parent).read(path.name) is not None


def test_runs_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    require_same(both(leaky(), {"x": DenseSignal(np.full((1, 9, 3), 3.0))}))


RACES = """
import sys
import numpy as np
from test_c_native import leaky
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
print(NativeModel(leaky()).run({"x": DenseSignal(np.full((1, 9, 3), 3.0))})["out"].sum())
"""


def test_processes_may_race(root: Path, folder: Path, nopt_folder: Path) -> None:
    command = [
        "env",
        f"PYTHONPATH={root / 'tests' / 'support'}:{Path(__file__).parent}",
        nopt_folder / "warm-python",
        "-c",
        RACES,
    ]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]
    assert len({process.communicate()[0] for process in running}) == 1
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len([*folder.glob("*.so")]) == 1
    assert not [*folder.glob(".*")]
