"""`nopt.api` from the perspective of Python users."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import nir
import numpy as np
import pytest
from places import EXAMPLES, GOLDENS

import nopt.api as nopt
from nopt.api.checking.expectations import Expectation, expectations, unmet
from nopt.api.unit_values import time_ns
from nopt.core import registry
from nopt.core.diagnostics import Code, Finding, Severity
from nopt.core.ir.pipeline import parse_pipeline

LIF = GOLDENS / "tools" / "inputs" / "lif.mlir"
CONVERT = "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
X = np.full((10, 2), [2.0, 6.0])


@pytest.mark.parametrize("name", nopt.__all__)
def test_names_are_there_and_documented(name: str) -> None:
    found = getattr(nopt, name)
    assert found.__doc__
    assert name in dir(nopt)


@pytest.mark.parametrize(
    "name", [name for name in nopt.__all__ if name[0].islower() and name not in ("codes", "findings", "targets")]
)
def test_functions_have_an_example(name: str) -> None:
    assert "\n    " in getattr(nopt, name).__doc__.split("Errors:")[0]


def test_package_is_the_api() -> None:
    """`import nopt` has the functions of `nopt.api`, except the names of packages, and is typed."""
    import nopt as package

    names = [name for name in nopt.__all__ if name not in package.PACKAGES]
    assert [name for name in names if getattr(package, name) is not getattr(nopt, name)] == []
    assert set(names) | {"__version__", "api"} == set(dir(package)) - set(package.PACKAGES)
    assert package.__version__
    assert (files("nopt") / "py.typed").is_file()
    with pytest.raises(AttributeError, match="no attribute 'absent'"):
        _ = package.absent


def test_import_is_light() -> None:
    script = "import sys, nopt, nopt.api\nprint(*(name for name in ('xdsl', 'numpy', 'h5py') if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == ""


def test_names_are_no_modules() -> None:
    """A module of the same name in the room would replace the function once it is imported."""
    import_module("nopt.tools.config")  # it imports modules of the room
    assert [name for name in nopt.__all__ if isinstance(getattr(nopt, name), ModuleType)] == []


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        _ = nopt.nope  # type: ignore[attr-defined]


def test_text_round_trip(tmp_path: Path) -> None:
    module = nopt.read(LIF)
    for stage in (module, nopt.apply(module.clone(), CONVERT)):
        text = nopt.write(stage)
        assert nopt.write(nopt.parse(text)) == text
        assert nopt.write(nopt.parse(nopt.write(stage, generic=True))) == text
    nopt.write(module, tmp_path / "net.mlir")
    assert nopt.write(nopt.read(tmp_path / "net.mlir")) == nopt.write(module)


def test_run_takes_every_level_and_changes_nothing() -> None:
    module = nopt.read(LIF)
    before = nopt.write(module)
    from_file = nopt.run(LIF, X, dt="1ms", like="norse", record=["lif.v"])
    from_module = nopt.run(module, {"input": X}, dt="1ms", like="norse", record=["lif.v"])
    converted = nopt.run(nopt.apply(module.clone(), CONVERT), nopt.DenseSignal(X[None]), record=["lif.v"])
    assert nopt.write(module) == before
    for arrays in (from_file, from_module):
        assert list(arrays) == ["output", "lif.v"]
        np.testing.assert_array_equal(arrays["output"], converted["output"][0], strict=True)
        np.testing.assert_array_equal(arrays["lif.v"], converted["lif.v"][0], strict=True)
    assert from_file["output"].dtype == np.bool_
    assert from_file["lif.v"].dtype == np.float64
    single = nopt.run(LIF, X, dt="1ms", like="norse", precision="f32", record=["lif.v"])
    assert single["lif.v"].dtype == np.float32


def small_graph() -> nir.NIRGraph:
    fields = {"tau": 0.01, "r": 1.0, "v_leak": 0.0, "v_threshold": 0.1}
    neuron = nir.LIF(**{name: np.full(3, value) for name, value in fields.items()})
    layer = nir.Affine(np.linspace(-1, 1, 12).reshape(3, 4), np.zeros(3))
    nodes = {"fc": layer, "lif": neuron}
    ends = {"input": nir.Input({"input": np.array([4])}), "output": nir.Output({"output": np.array([3])})}
    return nir.NIRGraph({**ends, **nodes}, [("input", "fc"), ("fc", "lif"), ("lif", "output")])


def test_networks_are_graphs_modules_or_files(tmp_path: Path) -> None:
    """Each form of a network has the same outputs."""
    graph, x = small_graph(), np.random.default_rng(0).random((20, 4)) < 0.5
    nir.write(tmp_path / "net.nir", graph)
    choices: nopt.Choices = {"dt": "1ms", "like": "norse", "reset": "value"}
    found = [nopt.run(one, x, **choices)["output"] for one in (graph, nopt.from_nir(graph), tmp_path / "net.nir")]
    assert found[0].any()
    assert all(np.array_equal(found[0], one) for one in found[1:])
    assert nopt.check(graph, target="loihi2/loihi1", **choices).network == "@network"


def test_passes_are_text_or_objects() -> None:
    text = nopt.apply(nopt.read(LIF), CONVERT)
    steps = parse_pipeline(CONVERT, registry.passes())
    for one in (steps, steps[0]):
        assert str(nopt.apply(nopt.read(LIF), one)) == str(text)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: nopt.run(cast("Any", 3), X), "network: expected a path, a module or a nir.NIRGraph, found int"),
        (lambda: nopt.apply(cast("Any", "net.nir"), CONVERT), "module: expected a module, as nopt.read"),
        (lambda: nopt.apply(nopt.read(LIF), cast("Any", 3)), "passes: expected the text of a pipeline"),
        (lambda: nopt.apply(nopt.read(LIF), cast("Any", ["cse"])), "passes: expected the text of a pipeline"),
    ],
)
def test_wrong_types_are_named(call: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call()


def test_refusals_carry_findings() -> None:
    with pytest.raises(nopt.Refused) as refusal:
        nopt.run(LIF, X)
    assert [finding.code.id for finding in refusal.value.findings] == ["ANA033", "ANA020"]
    with pytest.raises(nopt.Refused) as refusal:
        nopt.parse('"no.op"() : () -> ()')
    assert [finding.code.id for finding in refusal.value.findings] == ["COR024"]


def test_findings_go_where_they_are_asked_to_go(capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        'nir.graph @n("i" %x: tensor<2xf32>) -> ("o": tensor<2xf32>) {\n'
        '  %z = nir.i "i1" %x {r = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>\n'
        "  nir.output %z : tensor<2xf32>\n}\n"
    )
    collected = nopt.Diagnostics()
    nopt.apply(nopt.parse(text), CONVERT, diagnostics=collected)
    assert [finding.severity for finding in collected.findings] == [Severity.REMARK]
    assert capsys.readouterr().err == ""
    nopt.apply(nopt.parse(text), CONVERT)
    assert "remark[ANA018]" in capsys.readouterr().err


def test_a_python_session_prints_warnings_but_no_remarks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network = EXAMPLES / "digits" / "fc.nir"
    collected = nopt.Diagnostics()
    nopt.compile(network, target="loihi2", dt="1ms", like="norse", out=tmp_path / "a", diagnostics=collected)
    assert any(finding.code.id == "LEG015" for finding in collected.findings)
    nopt.compile(network, target="loihi2", dt="1ms", like="norse", out=tmp_path / "b")
    assert capsys.readouterr().err == ""
    spread = GOLDENS / "targets" / "spinnaker" / "inputs" / "spread.mlir"
    nopt.compile(spread, target="spinnaker", dt="1ms", like="euler", reset="value", out=tmp_path / "c")
    assert "warning[SPN011]" in capsys.readouterr().err


@pytest.mark.parametrize("name", nopt.codes())
def test_every_code_is_explained(name: str) -> None:
    found = nopt.explain(name)
    assert found.code.id == name
    first = found.code.summary.split()[0]
    assert first[0].islower() or first[0] in "-`" or first.isupper()
    assert not found.code.summary.endswith(".")
    assert found.explanation is not None
    assert found.explanation.cause.endswith((".", "?"))
    assert found.explanation.remedy.endswith((".", "?"))


def test_engines_and_passes() -> None:
    assert [engine.name for engine in nopt.engines() if engine.is_usable][-1] == "numpy"
    entry = next(entry for entry in nopt.passes() if entry.name == "convert-nir-to-ntensor")
    assert {"dt-ns", "like", "precision"} <= {option.name for option in entry.options}


@pytest.mark.parametrize(
    ("text", "ns"),
    [("0.1ms", 100_000), ("100us", 100_000), ("1e-4s", 100_000), ("100 µs", 100_000), ("1ns", 1), ("2s", 2 * 10**9)],
)
def test_times(text: str, ns: int) -> None:
    assert time_ns(text) == ns


@pytest.mark.parametrize(
    "text", ["", "1", "ms", "1 hour", "0ms", "-1ms", "0.5ns", "nan s", "1e400s", "1.2.3ms", "1e99999999s"]
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(nopt.Refused) as refusal:
        time_ns(text)
    assert [finding.code.id for finding in refusal.value.findings] == ["API022"]


# Expectations.

NOTED = Code("XXX001", "a-note", "noted")


def parsed(text: str) -> Iterator[tuple[str, int | None]]:
    for item in expectations(text, "f", 10):
        assert isinstance(item, Expectation)
        yield item.kind, item.at


def test_places_of_expectations() -> None:
    text = "\n".join(
        [
            "op // expected-error {{a}}",  # 11
            "// expected-error @+2 {{a}}",
            "// expected-note @below {{a}}",
            "// expected-remark @unknown {{a}}",
            "op",  # 15
            "// expected-warning @above {{a}}",
            "// expected-error-re @-2 {{a{{.*}}}}",
            "// what is expected-to-be here is not an expectation",
        ]
    )
    places = [("error", 11), ("error", 14), ("note", 15), ("remark", None), ("warning", 15), ("error", 15)]
    assert list(parsed(text)) == places


def test_each_expectation_stands_for_one_finding() -> None:
    finding = Finding(NOTED, "twice", place="f:1:1")
    other = Finding(NOTED, "twice", place="f:1:7")
    once = "op // expected-error {{twice}}"
    assert not unmet(once, "f", 0, [finding])
    assert [found.code.id for found in unmet(once, "f", 0, [finding, other])] == ["CHK019"]
    assert [found.code.id for found in unmet(once, "f", 0, [])] == ["CHK020"]
    elsewhere = Finding(NOTED, "twice", place="other.neuron:1:1")
    assert {found.code.id for found in unmet(once, "f", 0, [elsewhere])} == {"CHK019", "CHK020"}
    assert not unmet("// expected-error @unknown {{twice}}", "f", 0, [elsewhere])


def test_refused_target_is_not_registered() -> None:
    twin = GOLDENS / "core" / "inputs" / "plugins" / "twin_chip.py"
    with pytest.raises(nopt.Refused) as refusal:
        nopt.load_target(twin)
    assert [finding.code.id for finding in refusal.value.findings] == ["COR021"]
    assert "c" in [target.slug for target in nopt.targets()]
