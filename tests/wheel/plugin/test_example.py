"""The example of a plug-in: its installation, its loader, and `--load-target` on every verb."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from places import ROOT
from plugin_packages import EXAMPLE, Command, Install, run
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

import nopt.api as api
from nopt.api.compiling.device_fit import fit
from nopt.api.conformance.networks import RULE, Drawing, discretised
from nopt.api.modules import available_passes
from nopt.core import plugins, registry
from nopt.core.device.device import Device, load_device, override_fields
from nopt.core.device.named_device import name_device
from nopt.core.diagnostics import Diagnostics, Refused, Severity
from nopt.core.ir import source
from nopt.dialects import nir
from nopt.tools.verbs import VERBS

NETWORK = EXAMPLE.parent / "digits" / "fc.nir"
SMALL = ROOT / "lit-tests" / "tools" / "inputs" / "lif.mlir"
RECORD = EXAMPLE / "tally_chip" / "target.py"
CHOICES = ("--dt", "1ms", "--like", "norse", "--reset", "subtract")
CHIP = ROOT / "lit-tests" / "core" / "inputs" / "tally.mlir"
DAMAGES = 40

Rooms = Callable[[str], Any]


# ---- an installed package


def test_pip_installs_the_whole_package(tmp_path: Path) -> None:
    """A wheel that lacks a data file would lack the device, the neuron, the preset or the codes."""
    copy = tmp_path / "source"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
    place = tmp_path / "environment"
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--target", place)
    run(sys.executable, "-m", "pip", "install", *options, copy, folder=tmp_path)
    shown = {one.relative_to(EXAMPLE) for one in EXAMPLE.glob("tally_chip/**/*.*") if one.suffix != ".pyc"}
    assert shown <= {one.relative_to(place) for one in place.glob("tally_chip/**/*.*")}
    assert "tally/nine" in run(sys.executable, "-m", "nopt.tools.main", "targets", "tally", folder=place).stdout


def test_an_installed_package_may_be_named_as_a_file_too(tmp_path: Path, install: Install) -> None:
    """The goldens of a package use --load-target, whether or not the package is installed."""
    nopt = install(tmp_path)
    listed = nopt("targets", "--load-target", tmp_path / "tally_chip" / "target.py", "--format", "json")
    assert [one["slug"] for one in json.loads(listed.stdout)["targets"]].count("tally") == 1


# ---- --load-target on every verb

SUBSTITUTES = ROOT / "lit-tests" / "tools" / "inputs" / "frameworks" / "networks.py"
"""Networks of substitutes for PyTorch and snnTorch."""

NO_TARGET = {"compare", "completion", "diff", "import", "import-weights", "plot"}
"""Verbs whose result depends on no target; they accept the option."""
USES: dict[str, tuple[tuple[str | Path, ...], str]] = {
    "run": (("{build}", "--ticks", "2", "--input", "{x}"), "model of the target"),
    "compile": ((SMALL, "--target", "tally", *CHOICES, "-o", "{out}"), "fits tally/nine"),
    "check": ((NETWORK, "--target", "tally", *CHOICES), "tally/nine"),
    "compare": (("{x}", "{x}"), "equal"),
    "import": ((f"{SUBSTITUTES}:make_network",), "equal in f64"),
    "import-weights": ((NETWORK, "{weights}", "-o", "{out}/net.nir"), "wrote"),
    "export": ((SMALL, "--torch", "--target", "tally", *CHOICES, "-o", "{out}/chip.py"), "chip.npz"),
    "tune": ((NETWORK, "--data", "{x}", "--target", "tally", *CHOICES, "-o", "{out}/net.mlir"), "error[TUN00"),
    "report": (("{build}", "-o", "{out}/report.html"), "report.html"),
    "plot": (("{x}", "-o", "{out}/plot.svg", "--samples", "no"), "plot.svg"),
    "diff": (("{build}", "{build}"), "equal"),
    "config": (("--target", "tally"), "tally"),
    "completion": (("bash",), "_nopt()"),
    "bench": (("{build}", "--input", "{x}", "--engine", "numpy", "--seconds", "0.1"), "compared with numpy"),
    "sweep": (
        (NETWORK, "--input", "{x}", "--vary", "weights.bits=3,4", *CHOICES[:2], "--like", "tally_float"),
        "weights",
    ),
    "reduce": ((NETWORK, "--target", "tally", *CHOICES[:2], "--code", "ANA020"), "trials"),
    "explain": (("TLY002",), "TLY002"),
    "passes": (("tally-drop-zeros",), "tally-drop-zeros"),
    "engines": ((), "numpy"),
    "presets": ((), "tally_float"),
    "neurons": ((), "tally/nine"),
    "targets": (("tally",), "tally/nine"),
    "device": (("check", "tally/nine"), "tally/nine"),
    "new": (("device", "another", "--at", "{out}"), "another.json"),
    "conform": (("tally/nine", "--only", "delays", "--networks", "2"), "delays"),
}
"""Arguments of each verb, and a text that its output then contains."""
REFUSED = {"tune"}
"""Verbs whose arguments are refused after the target is loaded: a training has no labels here, and needs PyTorch."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory, command: Callable[[Path], Command]) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("loaded")
    (folder / "made").mkdir()
    np.save(folder / "x.npy", np.random.default_rng(0).random((2, 64)) < 0.3)
    np.savez(folder / "weights.npz", **{"2.bias": np.zeros(10)})
    build = ("compile", NETWORK, "--target", "tally", *CHOICES, "--load-target", RECORD, "-o", folder / "build")
    command(folder)(*build)
    return {
        "build": str(folder / "build"),
        "x": str(folder / "x.npy"),
        "weights": str(folder / "weights.npz"),
        "out": str(folder / "made"),
    }


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_a_target_from_a_file(
    verb: str, places: dict[str, str], tmp_path: Path, command: Callable[[Path], Command]
) -> None:
    words, expected = USES[verb]
    given = [str(word).format_map(places) if isinstance(word, str) else word for word in words]
    done = command(tmp_path)(verb, *given, "--load-target", RECORD, code=int(verb in REFUSED))
    assert expected in done.stdout + done.stderr
    with_unknown = command(tmp_path)(verb, *given, "--load-target", "none.py", code=1)
    assert "[COR008]" in with_unknown.stderr


def test_the_textual_driver_takes_a_target_from_a_file(tmp_path: Path, command: Callable[[Path], Command]) -> None:
    done = command(tmp_path)(CHIP, "-p", "tally-drop-zeros", "-t", "tally", "--load-target", RECORD)
    assert len(json.loads(done.stdout)["tables"][0]["synapses"]) == 2


# ---- its verifier and its lowering


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("[3, 0, -8]", "[3, 0, 8]", "[TLY001]: a weight has more than four bits"),
        ("[0, 1, 2] : tensor<3xi32>", "[0, 1] : tensor<2xi32>", "[TLY001]: a table has lists of several lengths"),
        ("ticks = 1", "ticks = 16", "[TLY001]: a delay is too short or too long"),
        ('"input" ->', '"hidden/0" ->', '[TLY001]: the chip has no "hidden/0"'),
        ('-> "hidden/0"', '-> "hidden"', '[TLY001]: the chip has no "hidden"'),
        ('of "input" {', 'of "other" {', '[TLY001]: the chip has no "other"'),
        ("[0, 1, 2]", "[0, 1, 3]", '[TLY001]: an index is outside of "input"'),
        ("[0, 0, 1]", "[0, 0, 2]", '[TLY001]: an index is outside of "hidden/0"'),
        ("[0, 3] : tensor<2xi16>", "[0, 32768] : tensor<2xi32>", "[TLY005]: a bias has more than 16 bits"),
        ("[0, 3] : tensor<2xi16>", "[0] : tensor<1xi16>", "[TLY005]: each neuron has one bias"),
        ("[0, 1] : tensor<2xi64>", "[0, 0] : tensor<2xi64>", "[TLY005]: the indices of neurons are invalid"),
        ("[0, 1] : tensor<2xi64>", "[0, 2] : tensor<2xi64>", "[TLY005]: the indices of neurons are invalid"),
    ],
)
def test_verifier_refuses(
    old: str, new: str, expected: str, tmp_path: Path, command: Callable[[Path], Command]
) -> None:
    text, wrong = CHIP.read_text(encoding="utf-8"), tmp_path / "wrong.mlir"
    assert old in text
    wrong.write_text(text.replace(old, new), encoding="utf-8")
    command(tmp_path)(CHIP, "--load-target", RECORD)
    assert expected in command(tmp_path)(wrong, "--load-target", RECORD, code=1).stderr


def two_layers(drawing: Drawing) -> SSAValue:
    """Adds two layers without neurons between them."""
    weight = np.full((4, 4), 7.0)
    return drawing.linear("second", drawing.linear("first", drawing.x, weight), weight)


def early_bias(drawing: Drawing) -> SSAValue:
    """Adds a layer with a bias before a delay."""
    current = drawing.linear("first", drawing.x, np.eye(4), bias=np.ones(4))
    return drawing.add(nir.DelayOp, "late", current, delay=np.full(4, 0.001))


@pytest.mark.parametrize(
    ("add", "expected", "found"),
    [(two_layers, "a weight from -8 to 7", "49"), (early_bias, "a bias after the last delay", "a bias before it")],
)
def test_lowering_refuses(add: Callable[[Drawing], SSAValue], expected: str, found: str, tally: object) -> None:
    drawing = Drawing(4)
    module = discretised(drawing.finish(drawing.population("lif", "lif", add(drawing), 9.0)), RULE)
    given = fit(module, load_device(EXAMPLE / "tally_chip" / "devices" / "nine.json"))
    (error,) = [one for one in given.findings if one.severity is Severity.ERROR]
    assert (str(error.code), error.expected, error.found) == ("TLY002", expected, found)


# ---- its loader


@pytest.fixture
def tally() -> Iterator[Rooms]:
    """Returns a function that imports a module of the example, which is registered during the test."""
    registry.load_target(RECORD)
    yield lambda name: import_module(f"tally_chip.{name}")
    plugins.FILES.clear()
    registry.forget_names()


@pytest.fixture
def chip(tally: object) -> tuple[ModuleOp, Device]:
    device = load_device(EXAMPLE / "tally_chip" / "devices" / "nine.json")
    module = api.read(NETWORK, diagnostics=Diagnostics())
    api.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract}", diagnostics=Diagnostics())
    assert fit(module, device).is_fitting
    return module, device


def test_passes_are_known_that_were_listed_before() -> None:
    """The list of passes was not made anew for a target that is loaded later."""
    assert "convert-machine-to-tally" not in available_passes()
    registry.load_target(RECORD)
    assert "convert-machine-to-tally" in available_passes()
    plugins.FILES.clear()
    registry.forget_names()
    assert "convert-machine-to-tally" not in available_passes()


def test_the_artefact_is_complete(chip: tuple[ModuleOp, Device], tally: Rooms) -> None:
    module, device = chip
    files = tally("emitter").artefact(module, device, Diagnostics()).files
    chip_op = tally("emitter").chip_of(module)
    for name in {*chip_op.attributes} - {"machine.device"}:
        del chip_op.attributes[name]  # the history of the compilation is in the report
    assert tally("loader").load(files, Diagnostics()).is_structurally_equivalent(module)


def test_damaged_artefacts_are_refused_with_the_file(chip: tuple[ModuleOp, Device], tally: Rooms) -> None:
    module, device = chip
    files = tally("emitter").artefact(module, device, Diagnostics()).files
    refusals: list[Refused] = []
    for seed in range(DAMAGES):
        random = Random(seed)
        name = random.choice(sorted(files))
        text = bytearray(files[name])
        for _ in range(random.choice((1, 3, 30))):
            text[random.randrange(len(text))] = random.randrange(256)
        try:
            tally("loader").load({**files, name: bytes(text)}, Diagnostics())
        except Refused as refusal:
            refusals.append(refusal)
    assert len(refusals) > DAMAGES // 2
    assert all(refusal.exit_code == 1 for refusal in refusals)


def test_the_verifier_counts_the_resources_of_a_core(chip: tuple[ModuleOp, Device], tally: Rooms) -> None:
    module, device = chip
    chip_op = tally("emitter").chip_of(module)
    used = chip_op.cores[0].quantities(device)
    assert used["neurons"] <= 32
    assert 0 < used["fan_in"] <= used["input_axons"] <= 256
    small = override_fields(device, [f"core.fan_in={used['fan_in'] - 1}"])
    name_device(chip_op, small)
    found = [finding for finding in source.verify(module) if finding.code.id == "DEV016"]
    assert found[0].path == "core.fan_in"
