"""The examples compute the results on their pages, and their scripts reproduce their files."""

from __future__ import annotations

import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from attrs import define, field


def entries(node: object, path: str = "") -> dict[str, object]:
    """Returns a record of the `nir` package as one flat dictionary."""
    if not isinstance(node, dict):
        return {path: node}
    return {key: value for name, inner in node.items() for key, value in entries(inner, f"{path}/{name}").items()}


@pytest.mark.parametrize("name", ["bars", "rhythm"])
def test_network_is_what_the_script_makes(demo: ModuleType, root: Path, name: str) -> None:
    import nir

    made = entries(getattr(demo.make_examples, name)().to_dict())
    read = entries(nir.read(root / "examples" / name / f"{name}.nir").to_dict())
    assert made.keys() == read.keys()
    for key, value in made.items():
        if key.endswith("edges"):
            assert set(map(tuple, value)) == set(map(tuple, read[key])), key
        else:
            np.testing.assert_array_equal(value, read[key], key)


def test_inputs_are_what_the_script_makes(demo: ModuleType, root: Path) -> None:
    bars, rhythm = (np.load(root / "examples" / name / "input.npy") for name in ("bars", "rhythm"))
    np.testing.assert_array_equal(bars, demo.encode.samples(8)[0])
    np.testing.assert_array_equal(rhythm, demo.make_examples.drive())


def test_chance_is_splitmix64(demo: ModuleType) -> None:
    """From state 1234567 the generator returns 6457827717110365317, 3203168211198807973, …: the values of all implementations."""
    steps = np.uint64(1234567) + np.arange(1, 3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    assert demo.encode.mixed(steps).tolist() == [6457827717110365317, 3203168211198807973]


def test_bars_depend_on_the_rule(demo: ModuleType) -> None:
    """63 of 64 samples are correct under the rule of the weights, fewer under others, and none if dt scales the input."""
    spikes, labels = demo.encode.samples(demo.SAMPLES)
    right = {(like, reset): 0 for like, reset, _ in demo.RULES}
    for like, reset in right:
        classes, _ = demo.classified(like, reset, spikes)
        right[like, reset] = int((classes == labels).sum())
    assert right == {("sinabs", None): 63, ("norse", "subtract"): 51, ("norse", None): 43, ("euler", None): 0}


def test_bars_equal_a_plain_loop(demo: ModuleType) -> None:
    """Computes one sample neuron by neuron as sinabs would: all numbers are short binary fractions, so every sum is exact."""
    frames = demo.encode.sample(1)[:, 0].astype(float)
    graph = demo.make_examples.bars()
    kernels, vote = graph.nodes["detect"].weight[:, 0], graph.nodes["vote"].weight
    v, w = np.zeros((2, 8, 8)), np.zeros(2)
    votes = np.zeros(2)
    for frame in frames:
        windows = np.lib.stride_tricks.sliding_window_view(frame, (5, 5))
        v += np.einsum("yxij,cij->cyx", windows, kernels)
        fired = np.maximum(np.floor(v / 2), 0)
        v = np.maximum(v - 2 * fired, -2)
        w += vote @ fired.reshape(2, 4, 2, 4, 2).sum((2, 4)).reshape(-1)
        voted = np.maximum(np.floor(w / 2), 0)
        w = np.maximum(w - 2 * voted, -2)
        votes += voted
    import nopt.api as nopt

    arrays = nopt.run(demo.BARS, demo.encode.sample(1), dt="1ms", like="sinabs")
    assert arrays["output"].sum(0).tolist() == votes.tolist()


def test_rhythm_follows_the_drive(demo: ModuleType) -> None:
    """The network is silent without drive; a stronger drive produces more steps per second; the legs alternate."""
    legs = demo.stepped()["output"]
    rates = {name: demo.steps(legs[ticks]) / (ticks.stop - ticks.start) * 1000 for name, ticks, _ in demo.parts()}
    assert rates["rest"] == 0
    assert legs[: demo.make_examples.REST[0]].sum() == 0
    assert 7 < rates["walk"] < 10
    assert rates["run"] > 1.3 * rates["walk"]
    for leg in (legs[:, :6], legs[:, 6:]):
        assert leg.sum() > 0.4 * legs.sum()


# ---- the whole script


@define
class Shown:
    """The output of a run of the script, and the results of its functions."""

    printed: str = ""
    errors: str = ""
    evaluated: dict[str, Any] = field(factory=dict[str, Any])
    compiled: dict[str, Any] = field(factory=dict[str, Any])
    page: Path | None = None


@pytest.fixture(scope="module")
def shown(demo: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """Runs the script once in this process, and keeps the results that it prints."""
    found, folder = Shown(), tmp_path_factory.mktemp("clone") / "build" / "demo"  # a clone has no folder build
    evaluated, compiled, reported = demo.evaluated, demo.compiled, demo.reported

    def keep_evaluated(net: Any) -> Any:
        return found.evaluated.setdefault(net.name, evaluated(net))

    def keep_compiled(net: Any, out: Path) -> Any:
        return found.compiled.setdefault(net.name, compiled(net, out))

    def keep_page(out: Path) -> Path:
        assert out == demo.HERE.parent / "build" / "demo"
        found.page = reported(folder)
        return found.page

    out, errors = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(errors):
        patch.setattr(demo, "evaluated", keep_evaluated)
        patch.setattr(demo, "compiled", keep_compiled)
        patch.setattr(demo, "reported", keep_page)
        demo.main()
    found.printed, found.errors = out.getvalue(), errors.getvalue()
    return found


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler, or no make")
def test_compiled_networks_equal_the_model(demo: ModuleType, shown: Shown) -> None:
    """The program and the shared object produce every spike of the model; the engine has the same accuracy."""
    for net in demo.TRAINED:
        found = shown.compiled[net.name]
        assert found.equal, net.name
        assert found.right == shown.evaluated[net.name].right
        assert found.constants > 0
        assert found.state > 0


def test_demo_prints_its_results(demo: ModuleType, shown: Shown) -> None:
    """The last lines, and the line with the path of the page, may be longer than 80 characters."""
    assert shown.errors == ""
    assert "98%" in shown.printed
    lines = [line for line in shown.printed.splitlines() if str(shown.page) not in line]
    assert max(map(len, lines[: -1 - len(demo.COMMANDS)])) <= 80


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_names_and_order_of_edges_change_no_bit(demo: ModuleType, precision: str) -> None:
    """Three edges end before the legs; neither their order in the file nor the names of their nodes have an effect."""
    import nir

    import nopt.api as nopt

    graph = demo.make_examples.rhythm()
    names = {name: name if name in ("input", "output") else f"{9 - k} é\"'{k}" for k, name in enumerate(graph.nodes)}
    other = nir.NIRGraph(
        nodes={names[name]: node for name, node in reversed(graph.nodes.items())},
        edges=[(names[a], names[b]) for a, b in reversed(graph.edges)],
    )
    drive = demo.make_examples.drive()
    runs = [
        nopt.run(
            nopt.from_nir(network), drive, dt="1ms", like="norse", precision=precision, record=[names_of["legs"] + ".v"]
        )
        for network, names_of in ((graph, {"legs": "legs"}), (other, names))
    ]
    (spikes, v), (other_spikes, other_v) = (list(run.values()) for run in runs)
    assert spikes.any()
    np.testing.assert_array_equal(spikes, other_spikes)
    np.testing.assert_array_equal(v, other_v)


def test_report_has_the_accuracy_of_each_level(shown: Shown) -> None:
    assert shown.page is not None
    page = shown.page.read_text(encoding="utf-8")
    report = json.loads((shown.page.parent / "report.json").read_text(encoding="utf-8"))
    first, *_, last = (level["accuracy"] for level in report["levels"])
    assert first > 0.9
    assert f"{first:.2%}".replace("%", " %") in page
    assert f"{last:.2%}".replace("%", " %") in page
    assert page.count("<svg") > 10
