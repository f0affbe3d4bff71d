"""The program `net` of a compiled directory: its output equals the reference's, and it reports unreadable input."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from integer_networks import integer_network
from programs import COMPILERS, SANITIZED, STRICT, called, needs_compiler, reference, write
from real_networks import real_network

from nopt.targets.c.source import CSource, generate

pytestmark = needs_compiler


def program(source: CSource, folder: Path) -> Path:
    write(source, folder)
    files = [folder / "main.c", folder / f"{source.manifest['prefix']}.c"]
    called(COMPILERS[0], *STRICT, *source.flags, *SANITIZED, *files, "-o", folder / "net", "-lm")
    return folder / "net"


def given(path: Path, arrays: dict[str, np.ndarray]) -> Path:
    """Writes inputs in the program's format: a file, or a directory with one file per input."""
    if len(arrays) == 1:
        np.save(path.with_suffix(".npy"), *arrays.values())
        return path.with_suffix(".npy")
    path.mkdir()
    for name, array in arrays.items():
        np.save(path / f"{name}.npy", array)
    return path


@pytest.mark.parametrize(("kind", "seed"), [("integers", 1), ("integers", 4), ("reals", 2), ("reals", 3)])
def test_writes_what_the_reference_gives(kind: str, seed: int, tmp_path: Path) -> None:
    case = integer_network(seed) if kind == "integers" else real_network(seed)
    inputs = {name: x[0].astype(np.float32 if x.dtype.kind == "f" else np.int32) for name, x in case.inputs.items()}
    source = generate(case.network)
    wanted = reference(case.network, inputs, ())
    out = tmp_path / ("out" if len(wanted) > 1 else "out.npy")
    if len(wanted) > 1:
        out.mkdir()
    said = called(program(source, tmp_path / "c"), "-r", "2", "-t", given(tmp_path / "in", inputs), out)
    assert re.fullmatch(rb"\d+\.\d ns/tick\n", said)
    for name, array in wanted.items():
        found = np.load(out / f"{name}.npy" if len(wanted) > 1 else out)
        assert found.dtype == array.dtype
        np.testing.assert_array_equal(found, array, err_msg=name)


@pytest.fixture(scope="module")
def summing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a program that adds two spikes."""
    import nopt.api as nopt
    from nopt.dialects.ntensor import NetworkOp

    module = nopt.parse("""
ntensor.network @net("x" %x: tensor<2xi1>) -> ("y": tensor<1xf32>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}""")
    network = next(op for op in module.ops if isinstance(op, NetworkOp))
    return program(generate(network), tmp_path_factory.mktemp("summing"))


def ran(net: Path, *words: str | Path) -> tuple[int, str]:
    done = subprocess.run([str(word) for word in (net, *words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


SPIKES = np.array([[1, 0], [1, 1], [0, 0]])


@pytest.mark.parametrize("dtype", ["bool", "u1", "i1", "u2", "i2", "u4", "i4", "i8", "f4", "f8"])
def test_reads_numbers_of_every_type(dtype: str, summing: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", SPIKES.astype(dtype))
    assert ran(summing, tmp_path / "x.npy", tmp_path / "y.npy") == (0, "")
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), np.array([[1], [3], [0]], np.float32))


def test_runs_longer_and_shorter(summing: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", SPIKES)
    for ticks in (1, 5):
        assert ran(summing, "-n", str(ticks), tmp_path / "x.npy", tmp_path / "y.npy") == (0, "")
        assert np.load(tmp_path / "y.npy").tolist() == [[1], [3], [0], [0], [0]][:ticks]


BAD: dict[str, Callable[[bytes], bytes]] = {
    "is not a .npy file": lambda data: b"hello",
    "ends early": lambda data: data[:-1],
    "has another shape": lambda data: data.replace(b"(3, 2)", b"(2, 3)"),
    "has another number of axes": lambda data: data.replace(b"(3, 2), }  ", b"(3, 2, 1), }"),
    "is not in C order": lambda data: data.replace(b"False", b"True "),
    "is not of bool": lambda data: data.replace(b"<i8", b"<c8"),
    "has a value that the input does not take": lambda data: data[:-8] + b"\x02" + data[-7:],
}


@pytest.mark.parametrize("said", BAD)
def test_says_what_it_cannot_read(said: str, summing: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, SPIKES)
    path.write_bytes(BAD[said](path.read_bytes()))
    code, error = ran(summing, path, tmp_path / "y.npy")
    assert code == 1
    assert error.startswith(f"error: {path}: {said}"), error
    assert not list(tmp_path.glob("y.npy*"))


@pytest.mark.parametrize("words", [(), ("-x", "a", "b"), ("a", "b", "c"), ("-r", "0", "a", "b")])
def test_says_how_it_is_used(words: tuple[str, ...], summing: Path) -> None:
    code, error = ran(summing, *words)
    assert code in (1, 2)
    assert error


def test_leaves_nothing_half_written(summing: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", SPIKES)
    code, error = ran(summing, tmp_path / "x.npy", tmp_path / "nowhere" / "y.npy")
    assert (code, error) == (1, f"error: {tmp_path / 'nowhere' / 'y.npy'}: cannot be written\n")
