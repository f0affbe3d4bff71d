"""Results of `check`: within the time limit on the samples, in every format, and consistent with runs."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
import sarif_pydantic
from help_trials import commands
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.flat_graph import flatten
from nopt.api.checking.inspection import neurons_of
from nopt.api.checking.membrane_bounds import Bounds
from nopt.core.diagnostics import Diagnostics, Severity
from nopt.core.sarif import sarif
from nopt.dialects.nir import GraphOp, PopulationOp
from nopt.dialects.ntensor import NetworkOp

FIELDS = [
    *(
        "code",
        "name",
        "severity",
        "message",
        "at",
        "place",
        "node",
        "file",
        "target",
        "device",
        "expected",
        "found",
        "source",
    ),
    *("path", "limit", "value", "step", "help", "notes"),
]
PRESETS = ["norse", "snntorch", "nengo", "lava", "spyx", "spinnaker2", "rockpool", "sinabs"]


def samples(shared: Path) -> list[Path]:
    return sorted(shared.glob("samples/**/*.nir"))


def network(seed: int, gain: float = 1.0) -> nir.NIRGraph:
    """Returns a chain of three populations, the second with a cycle, and a leaky integrator at the end."""
    random = np.random.default_rng(seed)

    def full(value: float, size: int) -> Any:
        return np.full(size, value)

    def lif(size: int) -> nir.LIF:
        return nir.LIF(full(0.01, size), full(gain, size), full(0, size), full(1, size), full(0, size))

    def linear(outputs: int, inputs: int) -> nir.Affine:
        return nir.Affine(random.normal(0, 0.7, (outputs, inputs)), random.normal(0, 0.2, outputs))

    nodes = {
        "input": nir.Input({"input": np.array([3])}),
        "a": lif(3),
        "fc1": linear(5, 3),
        "b": nir.CubaLIF(
            *(full(value, 5) for value in (0.004, 0.01, gain, 0, 1)), v_reset=full(0, 5), w_in=full(1.0, 5)
        ),
        "rec": linear(5, 5),
        "fc2": linear(4, 5),
        "mean": nir.LI(full(0.02, 4), full(1.5, 4), full(0.1, 4)),
        "fc3": linear(4, 4),
        "c": lif(4),
        "output": nir.Output({"output": np.array([4])}),
    }
    path = ["input", "a", "fc1", "b", "fc2", "mean", "fc3", "c", "output"]
    return nir.NIRGraph(nodes, [*pairwise(path), ("b", "rec"), ("rec", "b")], type_check=False)


def codes(found: nopt.Check, node: str | None = None) -> list[str]:
    return [finding.code.id for finding in found.findings if finding.node == node]


# ---- samples


def test_every_sample_can_be_checked(shared: Path) -> None:
    for path in samples(shared):
        found = nopt.check(path)
        assert not found.errors, path
        assert {"ANA033", "ANA020"} & set(codes(found)), path
        assert not nopt.check(path, dt="0.1ms", like="norse").errors, path


def test_formats_hold_the_same_findings(shared: Path) -> None:
    for path in samples(shared):
        found = nopt.check(path)
        record = json.loads(json.dumps(found.as_json()))
        assert list(record) == ["schema", "findings", "targets", "ranking"]
        assert record["schema"] == "nopt.check/1"
        assert record["targets"] == record["ranking"] == []
        assert all(list(finding) == FIELDS for finding in record["findings"])
        log = sarif_pydantic.Sarif.model_validate_json(json.dumps(sarif(found.findings)))
        rules = [result.rule_id for result in log.runs[0].results or ()]
        assert rules == [finding["code"] for finding in record["findings"]]


def test_help_lines_work_when_pasted(shared: Path) -> None:
    helps = {
        finding.help
        for path in samples(shared)
        for finding in nopt.check(path).findings
        if (finding.help or "").startswith("nopt check ")
    }
    assert helps
    for help in sorted(filter(None, helps)):
        first = next(commands(help))
        arguments = first.removeprefix("nopt check ").split()
        assert len(arguments) == 5, help
        found = nopt.check(arguments[0], dt=arguments[2], like=arguments[4])
        assert not {"ANA033", "ANA020", "ANA016"} & {finding.code.id for finding in found.findings}, help


# ---- groups


def test_findings_stand_by_node_in_the_order_of_the_network() -> None:
    graph = network(1)
    graph.nodes["fc3"].weight[:] = 0
    graph.nodes["fc1"].weight[0, 0] = 1e4
    graph.nodes["a"].v_reset[1] = 5.0
    found = nopt.check(nopt.from_nir(graph, name="net"))
    assert [node for node, _ in found.groups()] == [None, "a", "fc1", "b", "fc3", "c"]
    assert found.network == "@net"
    assert codes(found, "a") == ["CHK007"]
    assert codes(found, "fc1") == ["CHK004"]
    assert codes(found, "fc3") == ["CHK003"]
    for _, findings in found.groups():
        severities = [list(Severity).index(finding.severity) for finding in findings]
        assert severities == sorted(severities)


def test_module_is_not_changed() -> None:
    module = nopt.from_nir(network(2))
    before = nopt.write(module)
    nopt.check(module, np.ones((12, 3)), dt="1ms", like="norse")
    assert nopt.write(module) == before


def test_strict_makes_errors_of_remarks() -> None:
    module = nopt.from_nir(network(3))
    kinds = {finding.severity for finding in nopt.check(module, dt="1ms", like="sinabs").findings}
    assert Severity.REMARK in kinds
    strict = nopt.check(module, dt="1ms", like="sinabs", strict=True)
    assert Severity.REMARK not in {finding.severity for finding in strict.findings}
    assert strict.errors


def test_misuse_is_raised() -> None:
    module = nopt.from_nir(network(4))
    for choices in ({"dt": "1"}, {"like": "nors"}, {"dt": "1ms", "like": "norse", "reset": "none"}):
        with pytest.raises(nopt.Refused):
            nopt.check(module, **choices)  # type: ignore[arg-type]


# ---- bounds


def discretised(module: ModuleOp, like: str) -> NetworkOp:
    converted = nopt.apply(
        module.clone(), f"convert-nir-to-ntensor{{dt-ns=1000000 like={like}}}", diagnostics=nopt.Diagnostics()
    )
    return next(op for op in converted.ops if isinstance(op, NetworkOp))


@pytest.mark.parametrize("like", PRESETS)
@pytest.mark.parametrize("seed", range(4))
def test_no_run_leaves_the_bounds(seed: int, like: str) -> None:
    """For every input of the first population, later populations stay below the limits of `Bounds`."""
    module = nopt.from_nir(network(seed, gain=0.9 + seed))
    graph = next(op for op in module.ops if isinstance(op, GraphOp))
    converted = discretised(module, like)
    flat = flatten(graph)
    bounds = Bounds(flat, neurons_of(converted))
    x = np.random.default_rng(seed).normal(5, 30, (2, 200, 3))
    watched = [node for node in flat.nodes if isinstance(node.op, PopulationOp) and node.name in ("b", "mean", "c")]
    states = [f"{node.name}.v" for node in watched]
    arrays = nopt.run(module, x, dt="1ms", like=like, record=states, engine="numpy", diagnostics=nopt.Diagnostics())
    for node in watched:
        most = bounds.membrane(node, node.op, bounds.intervals[node.reads[0]])[1]  # type: ignore[arg-type]
        assert (arrays[f"{node.name}.v"] <= np.maximum(most, 0) * (1 + 1e-9) + 1e-9).all(), node.name


@pytest.mark.parametrize("like", ["norse", "lava", "spyx"])
def test_a_population_that_can_never_fire_never_does(like: str) -> None:
    seen: set[bool] = set()
    x = np.random.default_rng(0).normal(5, 30, (300, 3))
    for seed in range(12):
        module = nopt.from_nir(network(seed, gain=0.5))
        found = nopt.check(module, dt="1ms", like=like)
        arrays = nopt.run(
            module, x, dt="1ms", like=like, record=["b", "c"], engine="numpy", diagnostics=nopt.Diagnostics()
        )
        for name in ("b", "c"):
            is_deaf = "CHK008" in codes(found, name)
            assert not (is_deaf and arrays[name].any())
            seen.add(is_deaf)
    assert seen == {False, True}


def test_silence_is_found_in_a_run() -> None:
    module = nopt.from_nir(network(5, gain=0.01))
    found = nopt.check(module, np.ones((3, 30, 3)), dt="1ms", like="norse")
    arrays = nopt.run(module, np.ones((3, 30, 3)), dt="1ms", like="norse", record=["a", "b", "c"])
    for name in ("a", "b", "c"):
        assert ("CHK013" in codes(found, name)) is (not arrays[name].any())


def test_samples_in_parts_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from nopt.api.checking import activity

    module = nopt.from_nir(network(6, gain=2.0))
    x = np.random.default_rng(6).normal(2, 5, (5, 40, 3))
    whole = nopt.check(module, x, dt="1ms", like="norse")
    monkeypatch.setattr(activity, "ROOM_BYTES", 1)
    done: list[tuple[int, int]] = []
    parts = nopt.check(module, x, dt="1ms", like="norse", progress=lambda *state: done.append(state))
    assert parts.findings == whole.findings
    assert done[-1] == (200, 200)
    assert [now for now, _ in done] == sorted(now for now, _ in done)


@pytest.mark.parametrize(("is_array", "target"), [(True, "all"), (False, "c/int8")], ids=["array", "file"])
def test_reports_the_warnings_of_a_calibration(is_array: bool, target: str, tmp_path: Path) -> None:
    """A silent input is reported once by `check`, even for all devices, and once by `compile`."""
    path, silent = tmp_path / "net.nir", np.zeros((2, 12, 3), np.float32)
    nir.write(path, network(0))
    np.save(tmp_path / "silent.npy", silent)
    calib = silent if is_array else str(tmp_path / "silent.npy")
    choices: Any = {"dt": "1ms", "like": "norse"}
    found = nopt.check(path, calib, target=target, **choices)
    assert [one.code.id for one in found.findings].count("QUA004") == 1
    diagnostics = Diagnostics()
    with diagnostics.collecting():  # the ranges of a silent input are empty
        nopt.compile(path, out=tmp_path / "out", target="c/int8", calib=calib, diagnostics=diagnostics, **choices)
    assert [one.code.id for one in diagnostics.findings].count("QUA004") == 1
