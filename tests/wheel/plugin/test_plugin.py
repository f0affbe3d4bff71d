"""A target in a package outside of nopt: it is compiled for and run without an edit of nopt, and refused if it is unusable.

The package is that of `examples/plugin_target`; `conftest.py` installs it for each test.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import times
from places import ROOT
from plugin_packages import EXAMPLE, Command, Install, add_metadata, run

from nopt.core.target import API_VERSION

NETWORK = EXAMPLE.parent / "digits" / "fc.nir"
SMALL = ROOT / "lit-tests" / "tools" / "inputs" / "lif.mlir"
"""A network of two neurons, for tests whose result does not depend on the network."""
CHOICES = ("--dt", "1ms", "--like", "norse", "--reset", "subtract")
NETWORKS = times(4)
OTHERS = sorted(file.parent.name for file in (ROOT / "targets").glob("*/target.py"))
"""Targets of nopt itself."""
WITH_DEVICES = sorted({file.parent.parent.name for file in (ROOT / "targets").glob("*/devices/*.json")})


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def stages(nopt: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with the network up to the level of the target, which no test changes."""
    folder = tmp_path_factory.mktemp("stages") / "build"
    nopt("compile", NETWORK, "--target", "tally", *CHOICES, "--until", "tally", "-o", folder)
    return folder


def slugs(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [one["slug"] for one in json.loads(done.stdout)["targets"]]


# ---- features without an edit of nopt


def test_a_new_process_finds_it(tmp_path: Path, install: Install) -> None:
    """The other tests run commands in forks of one process."""
    install(tmp_path)
    assert "tally" in run(sys.executable, "-m", "nopt.tools.main", "targets", folder=tmp_path).stdout


def test_target_is_listed_with_its_device(nopt: Command) -> None:
    assert slugs(nopt("targets", "--format", "json")) == sorted([*OTHERS, "tally"])
    assert "tally/nine" in nopt("targets", "tally").stdout
    assert "tally/nine" in nopt("targets", "--matrix").stdout
    assert "tally_float" in nopt("presets").stdout
    assert "tally-drop-zeros" in nopt("passes").stdout
    assert "tally_chip/_synapses.py" in nopt("explain", "TLY002", "--format", "json").stdout


def test_check_of_all_targets_finds_that_it_fits(nopt: Command) -> None:
    found = json.loads(nopt("check", NETWORK, "--target", "all", *CHOICES, "--format", "json").stdout)
    fits: dict[str, Any] = {one["device"]: one for one in found["targets"]}
    assert fits["tally/nine"]["fits"] == "exact"
    assert fits["tally/nine"]["cores"] == 5  # 128 and 10 neurons on cores of 32
    assert {"asic/edge", "c/generic"} <= fits.keys()


def test_compiled_directory_runs_as_its_network(nopt: Command, tmp_path: Path) -> None:
    build, x = tmp_path / "build", tmp_path / "x.npy"
    rng = np.random.default_rng(0)
    bright = rng.random((4, 1, 64)) < 0.35  # a third of the pixels, as in a digit
    np.save(x, rng.random((4, 40, 64)) < bright * 0.9)
    nopt("compile", NETWORK, "--target", "tally", *CHOICES, "-o", build)
    report = json.loads((build / "report.json").read_text(encoding="utf-8"))
    assert report["pipeline"].endswith("machine-route-edges,convert-machine-to-tally,tally-drop-zeros")
    assert report["latency_ticks"] == {"output": 2}
    assert report["mapping"]["cores"] == 5
    tables = json.loads((build / "artefact" / "chip.json").read_text(encoding="utf-8"))["tables"]
    weights = [weight for table in tables for _, _, weight in table["synapses"]]
    assert report["memory"]["synapses"] == 4 * len(weights)
    assert 0 not in weights
    assert len(weights) < report["network"]["weights"]
    found: dict[str, dict[str, np.ndarray]] = {}
    for model in ("chip", "reference"):
        out = tmp_path / f"{model}.npz"
        nopt("run", build, "--input", x, "--model", model, "--record", "1,1.v,input", "-o", out)
        found[model] = dict(np.load(out))
    assert {*found["chip"]} == {"output", "1", "1.v", "input"}
    for name, array in found["reference"].items():
        np.testing.assert_array_equal(found["chip"][name], array)
    assert 0.01 < found["chip"]["1"].mean() < 0.5
    assert 0.01 < found["chip"]["output"].mean() < 0.5
    assert "[TLY006]" in nopt("run", build, "--input", x, "--record", "0", code=1).stderr


def test_device_conforms(nopt: Command) -> None:
    """Every question but that of learning rules has cases and passes, on layers with biases, convolutions and pools."""
    done = nopt("conform", "tally/nine", "--networks", str(NETWORKS), "--format", "json")
    (device,) = json.loads(done.stdout)["devices"]
    assert device["conforms"]
    unanswered = {one["name"]: one["status"] for one in device["questions"] if one["status"] != "passed"}
    assert unanswered == {"learning": "not_applicable"}  # the device declares no rule
    cases = {one["name"]: one["cases"] for one in device["questions"]}
    assert cases["equivalence"] > 0.75 * NETWORKS  # a case for each network that fits, and one for their share


def test_levels_and_formats_are_those_of_the_target(nopt: Command, stages: Path, tmp_path: Path) -> None:
    done = nopt("compile", NETWORK, "--target", "tally", *CHOICES, "--until", "silicon", "-o", tmp_path / "b", code=2)
    assert "--until ntensor or --until machine or --until tally" in done.stderr
    stage = next((stages / "ir").glob("*-tally-drop-zeros.mlir"))
    text = nopt(stage, "--arrays", stages / "ir" / "arrays", "-t", "tally").stdout
    assert json.loads(text)["outputs"] == [{"name": "output", "population": "3", "ticks": 0}]
    assert not (stages / "artefact").exists()


def test_a_build_asks_for_its_target(stages: Path, tmp_path: Path, command: Callable[[Path], Command]) -> None:
    done = command(tmp_path)("run", stages, "--ticks", "1", code=2)
    assert "[API021]: unknown target tally" in done.stderr


# ---- refusals


def test_another_api_version_is_refused_with_both_numbers(tmp_path: Path, install: Install) -> None:
    other = API_VERSION + 1
    nopt = install(
        tmp_path, lambda package: replace(package / "target.py", f"api_version={API_VERSION}", f"api_version={other}")
    )
    listed = nopt("targets", "--format", "json")
    assert slugs(listed) == OTHERS
    finding = json.loads(listed.stderr)["findings"][0]
    assert (finding["code"], finding["severity"]) == ("COR020", "warning")
    assert (finding["expected"], finding["found"]) == (f"api_version {API_VERSION}", f"api_version {other}")
    named = nopt("targets", "tally", code=1).stderr
    assert "error[COR020]" in named
    assert "help: pip uninstall nopt-tally" in named


@pytest.mark.parametrize(
    ("broken", "found"),
    [
        (
            "import a_package_that_is_not_installed",
            "ModuleNotFoundError: No module named 'a_package_that_is_not_installed'",
        ),
        ("def pipeline(:", "SyntaxError: invalid syntax"),
        ("raise type('NoLicence', (Exception,), {})('it has run out')", "NoLicence: it has run out"),
    ],
    ids=["missing", "syntax", "own"],
)
def test_an_import_error_leaves_the_target_out_and_the_rest_works(
    tmp_path: Path, broken: str, found: str, install: Install
) -> None:
    nopt = install(
        tmp_path, lambda package: (package / "target.py").write_text(f"{broken}\n", encoding="utf-8") and None
    )
    listed = nopt("targets")
    assert "tally" not in listed.stdout
    assert "warning[COR019]: the target tally cannot be imported" in listed.stderr
    assert f"found: {found}" in listed.stderr
    assert "at: the package nopt-tally 1.0 (tally_chip.target:TARGET)" in listed.stderr
    assert "[COR019]" in nopt("compile", SMALL, "--target", "tally", *CHOICES, "-o", tmp_path / "t", code=1).stderr
    nopt("compile", SMALL, "--target", "c", *CHOICES, "-o", tmp_path / "b")
    if found.startswith("ModuleNotFoundError"):  # each of these errors leaves it out of the list
        checked = nopt("check", SMALL, "--target", "all", *CHOICES, "--format", "json")
        assert {one["target"] for one in json.loads(checked.stdout)["targets"]} == {*WITH_DEVICES}
    for verb in ("engines", "presets", "passes"):
        nopt(verb)


def test_a_pass_that_cannot_be_imported_is_left_out(tmp_path: Path, install: Install) -> None:
    nopt = install(
        tmp_path, lambda package: replace(package / "passes" / "tally_drop_zeros.py", "import annotations", "import an")
    )
    listed = nopt("passes")
    assert "ntensor-legalize" in listed.stdout
    assert "tally-drop-zeros" not in listed.stdout
    assert "warning[COR019]" in listed.stderr
    assert "error[COR019]" in nopt("passes", "tally-drop-zeros", code=1).stderr


ENGINE_OF_A_TARGET = """
def model(*given, **options):
    from .models import Model

    return Model


ENGINE = HostEngine(
    name="tally",
    summary="",
    needs="",
    exactness="",
    speed=9,
    probe=model,
    start=model,
    differs=model,
    demand=model,
    api_version=4,
)
TARGET ="""


def test_an_engine_or_model_that_cannot_be_imported_is_left_out_or_refused(tmp_path: Path, install: Install) -> None:
    def edit(package: Path) -> None:
        record = package / "target.py"
        replace(record, "import HardwareTarget", "import HardwareTarget, HostEngine")
        replace(record, "TARGET =", ENGINE_OF_A_TARGET)
        replace(record, "    pipeline=", "    model=model,\n    engine=ENGINE,\n    pipeline=")

    nopt = install(tmp_path, edit)
    listed = nopt("engines", "--format", "json")
    names = [one["name"] for one in json.loads(listed.stdout)["engines"]]
    assert names[-1] == "numpy"
    assert "tally" not in names
    report = listed.stderr[listed.stderr.index("{") :]  # drivers of GPUs may write lines before it
    assert json.loads(report)["findings"][0]["code"] == "COR019"
    nopt("compile", SMALL, "--target", "tally", *CHOICES, "-o", tmp_path / "b")
    np.save(tmp_path / "x.npy", np.zeros((2, 2), np.bool_))
    refused = nopt("run", tmp_path / "b", "--input", tmp_path / "x.npy", code=1).stderr
    assert "error[COR019]" in refused
    assert "found: ModuleNotFoundError: No module named 'tally_chip.models'" in refused
    nopt("run", tmp_path / "b", "--input", tmp_path / "x.npy", "--model", "reference")


FAULTS = {
    "passes/tally_drop_zeros.py": ("the pass tally-drop-zeros", "DropZeros.match_and_rewrite"),
    "emitter.py": ("the emitter", "emit"),
    "loader.py": ("the loader", "load"),
}
"""Files of parts of the package that fail, the part in the message, and the function that fails."""


@pytest.mark.parametrize("file", FAULTS)
def test_installed_part_that_fails_is_named(file: str, tmp_path: Path, install: Install) -> None:
    """The command that repeats it needs no option for an installed package."""
    part, function = FAULTS[file]
    failing = f"\n\ndef fail(*given):\n    raise ValueError('boom')\n\n\n{function} = fail\n"

    def edit(package: Path) -> None:
        path = package / file
        if "." in function:
            replace(path, "        is_kept = op", "        raise ValueError('boom')\n        is_kept = op")
        else:
            path.write_text(path.read_text(encoding="utf-8") + failing, encoding="utf-8")

    nopt = install(tmp_path, edit)
    tables = ROOT / "lit-tests" / "core" / "inputs" / "tally.mlir"
    words = {"DropZeros.match_and_rewrite": [tables, "-p", "tally-drop-zeros"], "emit": [tables, "-t", "tally"]}
    said = nopt(*words.get(function, ["conform", "tally", "--networks", "1"]), code=3).stderr
    assert f"{tmp_path / 'tally_chip' / file}:" in said
    assert f"error[COR023]: {part} of a plug-in fails: ValueError: boom" in said
    assert "at: the package nopt-tally 1.0 (tally_chip.target:TARGET)" in said
    note = next(line for line in said.splitlines() if line.endswith("repeats it"))
    again = nopt(*shlex.split(note.removeprefix("  note: nopt ").removesuffix(" repeats it")), code=3).stderr
    assert f"error[COR023]: {part} of a plug-in fails: ValueError: boom" in again


@pytest.mark.parametrize("kind", ["target", "dialect", "pass", "preset"])
def test_a_clash_of_names_is_an_error(tmp_path: Path, kind: str, install: Install) -> None:
    def edit(package: Path) -> None:
        if kind == "dialect":
            (package / "dialects" / "ntensor.py").write_text("", encoding="utf-8")
        elif kind == "pass":
            (package / "passes" / "ntensor_retime.py").write_text("", encoding="utf-8")
        elif kind == "preset":
            shutil.copy(package / "presets" / "tally_float.neuron", package / "presets" / "norse.neuron")

    nopt = install(tmp_path, edit)
    if kind == "target":
        add_metadata(tmp_path, "nopt-twin", "tally = tally_chip.target:TARGET")
    name = {"target": "tally", "dialect": "ntensor", "pass": "ntensor-retime", "preset": "norse"}[kind]
    verb = {"target": "targets", "preset": "presets"}.get(kind, "passes")
    refused = nopt(verb, code=1).stderr
    assert f"error[COR021]: the {kind} {name} is defined twice" in refused
    assert "nopt-tally" in refused
    assert "help: pip uninstall nopt-t" in refused
