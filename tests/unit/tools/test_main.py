"""The `nopt` command as a process: start-up, exit codes, pipes, the examples of its help, and its registration with `xdsl-opt`."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import pytest
from help_trials import commands
from places import GOLDENS

import nopt
from nopt.tools import main as command
from nopt.tools.main import main
from nopt.tools.verbs import VERBS, verb_module

INPUTS = GOLDENS / "tools" / "inputs"
LIF = INPUTS / "lif.mlir"
CONVERT = "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
BIN = Path(sys.executable).parent


def shell(*args: object, **more: object) -> subprocess.CompletedProcess[str]:
    """Runs a program of this environment."""
    return subprocess.run(
        [str(BIN / str(args[0])), *map(str, args[1:])], capture_output=True, text=True, timeout=120, check=False, **more
    )  # type: ignore[call-overload]


SUBSTITUTES = INPUTS / "frameworks"
"""Folder of substitutes for PyTorch and snnTorch."""


@pytest.fixture(scope="module")
def example_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Creates a folder with the files that the examples of the help name."""
    import nir

    folder = tmp_path_factory.mktemp("examples")
    ones = np.ones(2, np.float32)
    weights = nir.Linear(5 * np.eye(2, dtype=np.float32))
    lif = nir.LIF(tau=0.01 * ones, r=ones, v_leak=0 * ones, v_threshold=ones, v_reset=0 * ones)
    nodes = {
        "input": nir.Input({"input": np.array([2])}),
        "fc": weights,
        "lif": lif,
        "output": nir.Output({"output": np.array([2])}),
    }
    nir.write(folder / "net.nir", nir.NIRGraph(nodes, [("input", "fc"), ("fc", "lif"), ("lif", "output")]))
    np.save(folder / "x.npy", np.ones((10, 2), bool))
    np.save(folder / "y.npy", np.array([0]))
    samples = np.random.default_rng(0).random((8, 10, 2)) < [[[0.2, 0.8]]]
    np.savez(folder / "train.npz", input=samples, labels=np.arange(8) % 2)
    np.savez(folder / "weights.npz", **{"fc.weight": 4 * np.eye(2, dtype=np.float32), "lif.r": 2 * ones})
    spikes, voltage = np.eye(10, 2, dtype=bool), np.linspace(0, 1, 20).reshape(10, 2)
    np.savez(folder / "a.npz", output=spikes, v=voltage)
    np.savez(folder / "b.npz", output=spikes, v=voltage + 1e-7)
    np.savez(folder / "c.npz", output=spikes, voltage=voltage)
    for name, target in (("build8", "c"), ("build4", "c"), ("build-mesh", "asic/mesh")):
        nopt.compile(folder / "net.nir", target=target, dt="1ms", like="norse", out=folder / name)
    (folder / "power.csv").write_text("# samples: 1\ntime_s,power_mW\n0,1\n1,1\n")
    (folder / "train.py").write_text("from networks import make_network\n")
    if is_installed("onnx"):
        writer = GOLDENS / "frontends" / "inputs" / "onnx_models.py"
        subprocess.run([sys.executable, writer, folder, "quantised"], timeout=60, check=True)
        (folder / "quantised.onnx").rename(folder / "net.onnx")
    shutil.copy(GOLDENS / "frontends" / "inputs" / "cell.nestml", folder / "iaf_psc_exp_neuron.nestml")
    return folder


@pytest.fixture
def here(example_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Returns the current folder, a copy of the files of the examples."""
    shutil.copytree(example_files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.syspath_prepend(SUBSTITUTES)
    for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:  # a test before this one used it
        monkeypatch.delitem(sys.modules, name)
    yield tmp_path
    for name in ("torch", "snntorch", "snntorch.export_nir", "networks", "train"):  # other tests have their own
        sys.modules.pop(name, None)


# Start-up.


def test_version_and_overview_import_nothing_heavy() -> None:
    heavy = ("xdsl", "numpy", "h5py", "scipy", "nir", "lark", "rich", "attrs")
    script = (
        "import sys\nfrom nopt.tools.main import main\n"
        "assert main(['--version']) == main(['--help']) == 0\n"
        f"print(*(name for name in {heavy!r} if name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_stands_in_its_file(verb: str) -> None:
    module = verb_module(verb)
    assert f"nopt {verb}" == module.PROG
    assert callable(module.configure)
    assert callable(module.run)


@pytest.mark.parametrize("args", [["-"], *([verb] for verb in VERBS)], ids=" ".join)
def test_help_ends_with_examples_that_work(
    args: list[str], here: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)  # api/sweeping/test_sweep.py has the processes of a sweep
    assert main([*args, "--help"]) == 0
    _, _, text = capfd.readouterr().out.partition("\nexamples:\n")
    examples = [shlex.split(line) for line in text.rstrip().splitlines() if not line.startswith("  # ")]
    assert examples
    if args == ["import-weights"]:
        write_trained_chip(here)
        examples = [[one.replace("trained.pt", "trained.npz") for one in words] for words in examples]
    if args == ["export"]:
        assert main(["import", "train.py:make_network", "-o", "quantized.mlir"]) == 0
    if args == ["tune"]:
        run_apart(examples)
        return
    for program, *rest in examples:
        if "net.onnx" in rest and not is_installed("onnx"):
            continue
        if any(".nestml" in word for word in rest) and not is_installed("pynestml"):
            continue
        assert program == "nopt"
        assert main(rest) == 0, capfd.readouterr().err


def write_trained_chip(folder: Path) -> None:
    """Writes a network that is legalised for a device, and the state of its module after a training. PyTorch, which writes a .pt, is hidden here."""
    assert (
        main(["export", "net.nir", "--torch", "--target", "loihi2", "--dt", "1ms", "--like", "norse", "-o", "chip.py"])
        == 0
    )
    (digest,) = re.findall(r'machine.legalized = "(\w+)"', (folder / "chip.mlir").read_text())
    numbers = {"on_chip:fc.weight": np.array([[100.0, 2.0], [0.0, -100.0]])}
    np.savez(folder / "trained.npz", **numbers, **{"on_chip:arrays": np.array(list(bytes.fromhex(digest)), np.uint8)})


def run_apart(examples: list[list[str]]) -> None:
    """Runs commands that need the real PyTorch, which the substitutes hide here."""
    if not is_installed("torch"):
        pytest.skip("torch is not installed")
    for example in examples:
        done = shell(*example)
        assert done.returncode == 0, done.stderr


def is_installed(distribution: str) -> bool:
    try:
        return bool(version(distribution))
    except PackageNotFoundError:
        return False


def test_overview_ends_with_an_example_that_works(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    program, *rest = shlex.split(capfd.readouterr().out.rstrip().splitlines()[-1])
    assert program == "nopt"
    assert main(rest) == 0


# Exit codes.


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ([LIF], 0),
        ([LIF, "-p", CONVERT], 0),
        (["none.mlir"], 1),
        ([LIF, "-p", "convert-nir-to-ntensor"], 1),
        (["explain", "NIR002"], 0),
        (["explain", "XYZ999"], 2),
        ([LIF, "-p", "nope"], 2),
        ([LIF, "-p", "cse{"], 2),
        ([LIF, "--nope"], 2),
        ([], 2),
        ([LIF, "-p", "convert-nir-to-ntensor{dt-ns=1000000 like=nope}"], 2),
        (["run", LIF, "--input", "x.npy", "--dt", "1"], 2),
        (["run", LIF, "--input", "x.npy", "--engine", "nope"], 2),
        (["compare", "a.npz", "a.npz"], 0),
        (["compare", "a.npz", "b.npz"], 1),
        (["compare", "a.npz", "none.npz"], 1),
        (["compare", "a.npz", "b.npz", "--shift", "x"], 2),
        ([LIF, "-p", "apply-pdl-interp"], 3),
    ],
    ids=lambda value: " ".join(map(str, value)).replace(str(INPUTS), "") if isinstance(value, list) else "",
)
def test_exit_code(args: list[object], code: int, here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([str(arg) for arg in args]) == code
    error = capfd.readouterr().err
    assert "Traceback" not in error
    assert bool(error) == (code != 0 and "compare" not in args) or "compare" in args


def test_interrupt_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(args: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "dispatch", interrupted)
    assert main(["x"]) == 130


def test_a_closed_pipe_is_no_defect(tmp_path: Path) -> None:
    many = "\n".join(f"func.func @f{k}() {{\n  func.return\n}}" for k in range(2500))  # more than the 64 KiB of a pipe
    (tmp_path / "many.mlir").write_text(many)
    script = f"'{BIN}/nopt' '{tmp_path}/many.mlir' | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 141
    assert done.stderr == ""


def test_traceback_shows_the_rest(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([str(LIF), "-p", "apply-pdl-interp", "--traceback"]) == 3
    assert "Traceback" in capfd.readouterr().err
    assert main(["none.mlir", "--traceback"]) == 1
    assert "Traceback" in capfd.readouterr().err


# Findings.


def test_strict_makes_remarks_errors_and_writes_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    threshold = (
        'nir.graph @n("i" %x: tensor<2xf32>) -> ("o": tensor<2xf32>) {\n'
        '  %z = nir.i "i1" %x {r = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>\n'
        "  nir.output %z : tensor<2xf32>\n}\n"
    )
    (tmp_path / "i.mlir").write_text(threshold)
    args = [str(tmp_path / "i.mlir"), "-p", CONVERT, "-o", str(tmp_path / "out.mlir")]
    assert main([*args, "--strict"]) == 1
    assert "error[ANA018]" in capfd.readouterr().err
    assert not (tmp_path / "out.mlir").exists()
    assert main(args) == 0
    error = capfd.readouterr().err
    assert error.count("remark[ANA018]") == 1
    assert (tmp_path / "out.mlir").exists()


def test_findings_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert main([str(LIF), "-p", "convert-nir-to-ntensor", "--format", "json"]) == 1
    record = json.loads(capfd.readouterr().err)
    assert record["schema"] == "nopt.findings/1"
    assert [finding["code"] for finding in record["findings"]] == ["ANA033", "ANA020"]
    keys = "code name severity message at place node file target device expected found source path limit value step help notes"
    assert set(record["findings"][0]) == set(keys.split())


def test_colours_on_a_terminal_only(nopt_folder: Path) -> None:
    pty = pytest.importorskip("pty")

    def said(**environment: str) -> bytes:
        master, slave = pty.openpty()
        done = subprocess.Popen(
            [str(nopt_folder / "nopt"), "none.mlir"], stderr=slave, env={**os.environ, **environment}, cwd="/"
        )
        done.wait(60)
        os.close(slave)
        text = os.read(master, 10_000)
        os.close(master)
        return text

    without = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    assert "NO_COLOR" not in without
    assert b"\x1b[1;31merror[COR008]\x1b[0m" in said(NO_COLOR="")
    assert b"\x1b" not in said(NO_COLOR="1")
    assert "\x1b" not in shell(nopt_folder / "nopt", "none.mlir").stderr


def test_help_of_a_refusal_works_when_pasted(capfd: pytest.CaptureFixture[str]) -> None:
    assert main([str(LIF), "-p", "convert-nir-to-ntensor"]) == 1
    help = re.search(r"help: (nopt .*)", capfd.readouterr().err)
    assert help is not None
    pasted = list(commands(help[1]))
    assert len(pasted) > 5
    for text in pasted:
        assert main(shlex.split(text)[1:]) == 0, text


TYPED = [["run"], ["compile", "--target", "c", "-o", "build"], ["sweep", "--vary", "threshold.bits=8", "-j", "1"]]


@pytest.mark.parametrize("verb", TYPED, ids=lambda verb: verb[0])
def test_help_is_in_the_verb_that_was_typed(verb: list[str], here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    np.save(here / "in.npy", np.ones((5, 2)))
    given = [] if verb[0] == "compile" else ["--input", "in.npy"]
    assert main([verb[0], str(LIF), *verb[1:], *given]) == 1
    helps = set(re.findall(r"help: (nopt .*)", capfd.readouterr().err))
    assert len(helps) == 1
    for text in commands(helps.pop()):
        assert text.startswith(f"nopt {verb[0]} ")
        assert main(shlex.split(text)[1:]) == 0, text


# A defect can be reproduced from the written files.


@pytest.mark.parametrize("step", ["pretend-to-break", "pretend-to-spoil"])
def test_reproducer_repeats_the_defect(step: str, tmp_path: Path, nopt_folder: Path) -> None:
    pretend = str(INPUTS / "pretend.py")
    first = shell(nopt_folder / "warm-python", pretend, LIF, "-p", f"{CONVERT},{step}", cwd=tmp_path)
    assert first.returncode == 3
    note = re.search(r"note: nopt (\S+) -p (\S+) repeats it", first.stderr)
    assert note is not None
    text = Path(note[1]).read_text()
    assert text.startswith(f"// nopt {note[1]} -p {step}\n")
    assert "ntensor.network" in text  # the module before the pass, not the input
    second = shell(nopt_folder / "warm-python", pretend, note[1], "-p", note[2], cwd=tmp_path)
    assert second.returncode == 3
    assert second.stderr.splitlines()[0] == first.stderr.splitlines()[0]


# xdsl-opt.


XDSL_OPT = ("-m", "xdsl.tools.xdsl_opt")
"""The module of the program `xdsl-opt`, for a process that has imported nopt."""


def test_xdsl_opt_sees_our_dialects_and_passes(tmp_path: Path, nopt_folder: Path) -> None:
    import nopt.api as nopt

    module = nopt.apply(nopt.read(LIF), CONVERT)
    done = shell("xdsl-opt", LIF, "-p", CONVERT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip("\n") == nopt.write(module).rstrip("\n")
    nopt.write(module, tmp_path / "net.mlir")
    again = shell(nopt_folder / "warm-python", *XDSL_OPT, tmp_path / "net.mlir", "-p", "canonicalize")
    assert again.returncode == 0, again.stderr


def test_xdsl_opt_says_why_a_pass_refuses(nopt_folder: Path) -> None:
    done = shell(nopt_folder / "warm-python", *XDSL_OPT, LIF, "-p", "convert-nir-to-ntensor")
    assert done.returncode != 0
    assert "error[ANA033]" in done.stderr
