"""Choice of an engine: speed, software devices, last bits, memory, failures, and libraries, drivers and compilers that are missing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from integer_networks import integer_network

import nopt.api as nopt
from nopt.core import registry
from nopt.core.diagnostics import Code, Diagnostics, Finding
from nopt.core.engine import API_VERSION, Demand, EngineDevice, EngineState, HostEngine
from nopt.simulation.runs import Unsuitable

FAI001 = Code("FAI001", "device-lost", "a device that fails")
GPU = EngineDevice("G1", "CUDA", 2**40, 2**40)
LIBRARIES = {"cuda": "cupy", "wgpu": "wgpu", "opencl": "pyopencl", "iree": "iree.compiler"}
SAMPLES = 5


class Fake:
    """The reference with a fault, and a record of its runs."""

    def __init__(self, network: Any, record: Sequence[str], change: int, is_failing: bool):
        self.model = registry.reference()(network, record=record)
        self.change, self.is_failing = change, is_failing
        self.samples: list[int] = []

    def run(self, signals: Mapping[str, Any], *, ticks: int | None = None, progress: Any = None) -> dict[str, Any]:
        self.samples.append(next(iter(signals.values())).samples)
        if self.is_failing:
            raise Unsuitable(Finding(FAI001, "the device is lost"))
        found = self.model.run(signals, ticks=ticks, progress=progress)
        for values in found.values():
            values.reshape(-1)[:1] ^= values.dtype.type(self.change)
        return found


def fake(
    name: str = "fake", change: int = 0, is_failing: bool = False, started: list[Fake] | None = None, **fields: Any
) -> HostEngine:
    """Returns an engine with a device of CUDA that promises the bits of the reference."""

    def start(network: Any, *, record: Sequence[str] = (), **options: Any) -> Fake:
        made = Fake(network, record, change, is_failing)
        if started is not None:
            started.append(made)
        return made

    given = {
        "probe": lambda: EngineState(version="1", devices=(GPU,)),
        "differs": lambda network, device: None,
        "demand": lambda network, device, record: Demand(100, 100),
        **fields,
    }
    return HostEngine(
        name=name, summary="", needs="", exactness="", speed=9, start=start, api_version=API_VERSION, **given
    )


Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Returns a function that makes some engines those of this machine, with the reference; no time is known."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    reference = registry.engines()[-1]

    def installed(*engines: HostEngine) -> None:
        monkeypatch.setattr(registry, "engines", lambda: (*engines, reference))

    return installed


def run(engine: str = "auto", **options: Any) -> tuple[Any, list[Any]]:
    """Returns the result of a network of integers, and the findings."""
    made = integer_network(1)
    x = {name: np.repeat(values[:1], SAMPLES, 0) for name, values in made.inputs.items()}
    found = Diagnostics()
    result = nopt.execute(made.module, x, engine=engine, diagnostics=found, **options)
    wanted = nopt.execute(made.module, x, engine="numpy", diagnostics=Diagnostics())
    for name, values in wanted.arrays.items():
        changed = np.count_nonzero(result.arrays[name] != values)
        assert changed == 0 or engine == "any"
    return result, [one for one in found.findings if one.code.id.startswith("RUN")]


def test_the_only_engine_is_taken_without_a_comparison(install: Install) -> None:
    started: list[Fake] = []
    install(fake(started=started))
    result, findings = run()
    assert (result.engine, findings) == ("fake", [])
    assert [one.samples for one in started] == [[SAMPLES]]


def test_the_fastest_of_several_is_taken_and_kept(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    from nopt.api.executing import speeds

    times = {"slow": 2.0, "fast": 1.0}
    started: list[Fake] = []
    slow, fast = fake("slow", started=started), fake("fast", started=started)
    fast = evolve(fast, probe=lambda: EngineState(version="1", devices=(evolve(GPU, interface="OpenCL", name="O1"),)))
    measured: list[Fake] = []

    def time_of(runner: Fake, first: Any, wanted: Any) -> speeds.Speed:
        measured.append(runner)
        return speeds.Speed(times["slow" if len(measured) == 1 else "fast"], 0, 10)

    monkeypatch.setattr(speeds, "time_of", time_of)
    install(slow, fast)
    first, findings = run()
    second, _ = run()
    assert (first.engine, second.engine) == ("fast", "fast")
    assert len(measured) == 2  # not again in the second run
    assert len(started) == 3  # the second run starts the chosen engine only
    assert "fast 1e+03 ms, slow 2e+03 ms" in first.engine_reason
    assert [one.code.id for one in findings] == []


@pytest.mark.parametrize("choice", ["auto", "any"])
def test_software_devices_are_taken_only_by_name(choice: str, install: Install) -> None:
    software = EngineState(version="1", devices=(evolve(GPU, is_software=True),))
    install(fake(probe=lambda: software))
    result, findings = run(choice)
    assert (result.engine, findings) == ("numpy", [])
    assert "fake does not run it: its devices are software: G1" in result.engine_reason
    assert run("fake")[0].engine == "fake"


def test_an_engine_that_breaks_its_promise_is_passed_over(install: Install) -> None:
    """Two engines are compared, and with them their results."""
    install(fake("wrong", change=1), fake("right"))
    result, findings = run()
    assert result.engine == "right"
    (finding,) = findings
    assert finding.code.id == "RUN016"
    assert "entries of the first samples differ from the reference" in finding.found


def test_any_takes_other_bits_and_counts_them(install: Install) -> None:
    install(fake(change=1, differs=lambda network, device: "it adds 1"))
    assert run()[0].engine == "numpy"
    result, findings = run("any")
    assert result.engine == "fake"
    (finding,) = findings
    assert (finding.code.id, finding.expected) == ("RUN027", "it adds 1")
    outputs = len(result.arrays)
    assert finding.found.startswith(f"{outputs} of ")


def test_samples_that_do_not_fit_run_in_batches(install: Install) -> None:
    started: list[Fake] = []
    small = EngineState(version="1", devices=(evolve(GPU, memory_total_bytes=1000, memory_free_bytes=350),))
    install(fake(probe=lambda: small, started=started))
    result, _ = run()
    assert result.engine == "fake"
    assert [one.samples for one in started] == [[2, 2, 1]]
    assert "2 samples fit into memory at once" in result.engine_reason
    assert nopt.estimate(integer_network(1).module, "fake", samples=SAMPLES).samples_at_once == 2


def test_a_network_that_does_not_fit_runs_elsewhere(install: Install) -> None:
    small = EngineState(version="1", devices=(evolve(GPU, memory_total_bytes=1000, memory_free_bytes=150),))
    install(fake(probe=lambda: small))
    result, (finding,) = run()
    assert result.engine == "numpy"
    assert finding.code.id == "RUN016"
    assert "does not fit into the memory of G1, found 200 bytes for one sample" in finding.found
    with pytest.raises(nopt.Refused, match="RUN026"):
        run("fake")
    assert nopt.estimate(integer_network(1).module, "fake").samples_at_once == 0


def test_max_memory_limits_each_engine(install: Install) -> None:
    install(fake(demand=lambda network, device, record: Demand(2**30, 100)))
    assert run(max_memory="100MiB")[0].engine == "numpy"
    with pytest.raises(nopt.Refused, match=r"CMP012") as refused:
        run("fake", max_memory="100MiB")
    (finding,) = refused.value.findings
    assert finding.found == "1073746724 bytes", "those of the engine, 4,800 of the input and results"
    assert run("fake", max_memory=(finding.help or "").removeprefix("--max-memory "))[0].engine == "fake"


def test_an_engine_that_fails_during_the_run_is_replaced(install: Install) -> None:
    install(fake("lost", is_failing=True))
    result, (finding,) = run()
    assert result.engine == "numpy"
    assert finding.found == "the device is lost"
    with pytest.raises(nopt.Refused, match="FAI001"):
        run("lost")


def test_a_failing_driver_is_a_line(install: Install) -> None:
    install(fake(probe=lambda: EngineState("no driver", "1", help="install one")))
    result, (finding,) = run()
    assert (result.engine, finding.found) == ("numpy", "no driver")
    with pytest.raises(nopt.Refused, match=r"RUN015(.|\n)*to use it: install one"):
        run("fake")


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_missing_library_is_a_reason(
    name: str, install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    engine = next(one for one in registry.engines() if one.name == name)
    monkeypatch.setitem(sys.modules, LIBRARIES[name], None)
    state = engine.probe()
    assert (state.reason, state.is_absent) == (f"{LIBRARIES[name]} is not installed", True)
    assert state.help == f"pip install 'nopt[engine_{name}]'"
    install(engine)
    result, findings = run()
    assert (result.engine, findings) == ("numpy", [])
    assert f"{name} does not run it: {LIBRARIES[name]} is not installed" in result.engine_reason
    with pytest.raises(nopt.Refused, match=rf"RUN015(.|\n)*engine_{name}"):
        run(name)


def test_a_missing_vulkan_driver_is_a_line(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    adapters = [SimpleNamespace(info={"backend_type": "OpenGL"})]
    gpu = SimpleNamespace(enumerate_adapters_sync=lambda: adapters)
    monkeypatch.setitem(sys.modules, "wgpu", SimpleNamespace(gpu=gpu, __version__="0"))
    engine = next(one for one in registry.engines() if one.name == "wgpu")
    install(engine)
    result, (finding,) = run()
    assert result.engine == "numpy"
    assert finding.found == "no driver of Vulkan, Metal or Direct3D 12 has a device"


def test_a_missing_opencl_driver_is_a_line(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    class Error(Exception):
        pass

    def fail() -> None:
        raise Error("PLATFORM_NOT_FOUND_KHR")

    fake_library = SimpleNamespace(VERSION_TEXT="0", Error=Error, get_platforms=fail)
    monkeypatch.setitem(sys.modules, "pyopencl", fake_library)
    install(next(one for one in registry.engines() if one.name == "opencl"))
    result, (finding,) = run()
    assert result.engine == "numpy"
    assert finding.found == "no OpenCL driver: PLATFORM_NOT_FOUND_KHR"


def test_a_missing_compiler_is_a_line(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "nothing")
    install(next(one for one in registry.engines() if one.name == "native"))
    result, (finding,) = run()
    assert result.engine == "numpy"
    assert "CC names nothing" in finding.found
