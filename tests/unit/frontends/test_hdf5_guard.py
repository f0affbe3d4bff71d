"""Untrusted files: any bytes result in a network or a refusal, and this process continues."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import h5py
import nir
import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Finding, Refused
from nopt.frontends.hdf5 import guard, survey
from nopt.frontends.limits import Limits, limits_of
from nopt.frontends.nir_file import read


def write(path: Path) -> bytes:
    size = 3
    one = np.ones(size, np.float32)
    nodes: dict[str, Any] = {
        "x": nir.Input(np.array([2])),
        "fc": nir.Linear(np.arange(6, dtype=np.float32).reshape(3, 2), metadata={"by": "größe", "n": np.int64(3)}),
        "lif": nir.LIF(one, one, 0 * one, one, 0 * one),
        "y": nir.Output(np.array([size])),
    }
    nir.write(path, nir.NIRGraph(nodes, [("x", "fc"), ("fc", "lif"), ("lif", "y")], type_check=False))
    return path.read_bytes()


def same(a: Any, b: Any) -> bool:
    """Returns whether two trees of dictionaries, texts and arrays are equal to the last bit."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    if isinstance(a, str):
        return a == b
    x, y = np.asarray(a), np.asarray(b)
    if y.dtype.hasobject:  # h5py returns texts as bytes
        texts = [text if isinstance(text, str) else text.decode() for text in y.reshape(-1)]
        y = np.array(texts, object).reshape(y.shape)
    return (x.dtype, x.shape) == (y.dtype, y.shape) and x.tolist() == y.tolist()


def test_reads_what_h5py_reads(tmp_path: Path) -> None:
    """Guarded or not, small or large, the values are those of h5py, with their number formats."""
    from nir.serialization import hdf2dict

    path = tmp_path / "net.nir"
    write(path)
    numbers = np.random.default_rng(0).standard_normal((300, 400))
    with h5py.File(path, "r+") as file:
        group: Any = file["node"].create_group("metadata")  # type: ignore[union-attr]
        group["bits"] = numbers > 0
        for name in ("<f2", ">f4", "<f8", "<i8", ">u2", "u1", "<c8"):
            group[name[1:] + name[0]] = numbers.astype(name)
        group["empty"] = np.zeros((0, 3), np.float32)
        group["texts"] = np.array([["a", "größe"], ["", "b c"]], object)
        group["scalar"] = np.float32(-0.0)
        file.flush()
        expected = hdf2dict(file["node"])
    for found in (guard.read_contents(path, Limits()), guard.read_unguarded(path, Limits())):
        assert found.version == nir.version  # type: ignore[attr-defined]
        assert same(found.node, expected)
        assert np.signbit(found.node["metadata"]["scalar"])


def test_flipped_bytes_give_a_network_or_a_refusal(tmp_path: Path) -> None:
    data = write(tmp_path / "whole.nir")
    random = np.random.default_rng(0)
    path = tmp_path / "net.nir"
    for _ in range(60):
        changed = bytearray(data)
        for place in random.integers(0, len(data), int(random.integers(1, 20))):
            changed[place] = int(random.integers(256))
        path.write_bytes(changed)
        findings: tuple[Finding, ...] = ()
        try:
            read(path, Diagnostics())
        except Refused as refusal:
            findings = refusal.findings
        assert all(finding.help and finding.file for finding in findings)


def children() -> set[str]:
    """Returns the child processes of this process; other tests may have started permanent ones, such as multiprocessing's tracker."""
    found = set[str]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[1]) == os.getpid():
            found.add(stat.parent.name)
    return found


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc to count processes and open files in")
def test_leaves_no_process_and_no_open_file(tmp_path: Path) -> None:
    path = tmp_path / "net.nir"
    write(path)
    files, processes = len(os.listdir("/proc/self/fd")), children()
    guard.read_contents(path, Limits())
    with pytest.raises(Refused):
        guard.read_contents(path, Limits(nodes=1))
    assert len(os.listdir("/proc/self/fd")) == files
    assert children() <= processes


def test_threads_of_the_caller_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "net.nir"
    write(path)
    texts: list[str] = []

    def add(nodes: int) -> None:
        found = nopt.read(
            path, limits={"nodes": nodes}, diagnostics=Diagnostics()
        )  # other limits: a process of its own
        texts.append(nopt.write(found))

    threads = [threading.Thread(target=add, args=(10 + k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 4
    assert len(set(texts)) == 1


def test_the_same_contents_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the same limits; the arrays of both readers are read-only, and a refusal names the file that was read last."""
    path, other, limits = tmp_path / "net.nir", tmp_path / "other.nir", Limits(entries=1000)
    other.write_bytes(write(path))
    started: list[Path] = []
    original = guard.read_guarded

    def read_guarded(path: Path, limits: Limits) -> bytearray | None:
        started.append(path)
        return original(path, limits)

    monkeypatch.setattr(guard, "read_guarded", read_guarded)
    first, second = (guard.read_contents(one, limits) for one in (path, other))
    assert started == [path]
    assert same(first.node, second.node)
    first.node["nodes"].clear()  # a reader may change the dictionaries, but not the arrays
    assert same(guard.read_contents(path, limits).node, second.node)
    with pytest.raises(ValueError, match="read-only"):
        second.node["nodes"]["fc"]["weight"][:] = 0
    for one in (path, other):
        with pytest.raises(Refused) as refusal:
            guard.read_contents(one, Limits(entries=3))
        assert refusal.value.findings[0].file == str(one)
    with h5py.File(path, "r+") as file:
        file["node/nodes/fc/weight"][0, 0] = 7
    assert guard.read_contents(path, limits).node["nodes"]["fc"]["weight"][0, 0] == 7
    assert started == [path, path, path]


def test_limits_are_options_of_read(tmp_path: Path) -> None:
    path = tmp_path / "net.nir"
    write(path)
    nopt.read(path, limits={"nodes": 4}, diagnostics=Diagnostics())
    with pytest.raises(Refused) as refusal:
        nopt.read(path, limits={"nodes": 3}, diagnostics=Diagnostics())
    assert refusal.value.findings[0].help == "--limit nodes=4"
    assert limits_of(["nodes=7", "bytes=9"]) == Limits(nodes=7, bytes=9)


def test_memory_that_the_library_does_not_get_is_told_in_plain_words():
    failure = OSError("Can't synchronously read data (memory allocation failed for chunk)")
    with pytest.raises(Refused) as refusal:
        survey.unreadable(failure)
    (finding,) = refusal.value.findings
    assert (finding.code, finding.found) == (survey.NIF001, "the file needs more memory than the size of its data")
