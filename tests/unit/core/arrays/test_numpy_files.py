"""NumPy files: output of numpy.save is read unchanged, and damaged bytes are refused with one kind of error."""

from __future__ import annotations

import io
import struct
import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from nopt.core.arrays.numpy_files import Pickled, Unreadable, load_npy, load_npz, read_npy

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
ARRAYS = [
    np.arange(6.0).reshape(2, 3),
    np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    np.zeros((0, 3), np.int8),
    np.array(1.5, np.float32),
    np.arange(5, dtype=">i2"),
    np.array([True, False]),
    np.array(["a", "bcd"]),
    np.ones(3, np.complex64),
    np.array(["2020-01-01"], "M8[D]"),
    np.ones(2, np.longdouble),
]


def saved(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}{array.shape}")
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_arrays_come_back(array: Any, version: tuple[int, int], tmp_path: Path) -> None:
    with open(tmp_path / "x.npy", "wb") as file:
        np.lib.format.write_array(file, array, version)
    found = load_npy(tmp_path / "x.npy")
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert np.array_equal(found, array)


@pytest.mark.parametrize("compressed", [False, True])
def test_archives_come_back(compressed: bool, tmp_path: Path) -> None:
    (np.savez_compressed if compressed else np.savez)(tmp_path / "x.npz", a=ARRAYS[0], **{"b/é": ARRAYS[3]})
    found, comment = load_npz(tmp_path / "x.npz")
    assert (list(found), comment) == (["a", "b/é"], b"")
    assert np.array_equal(found["a"], ARRAYS[0])


def with_header(text: str, claimed: int | None = None) -> bytes:
    data = text.encode("latin1")
    return b"\x93NUMPY\x02\x00" + struct.pack("<I", len(data) if claimed is None else claimed) + data + bytes(24)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a .npy file"),
        (b"\x93NUMPY\x09\x00", "not a .npy file"),
        (with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)"), None),
        (with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 3), }"), "in a file of"),
        (with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999999999999, 9), }"), "larger than any memory"),
        (with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 9999999999999999999, 9), }"), "larger than any memory"),
        (with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (" + "1," * 40 + "), }"), "larger than any memory"),
        (with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }"), "cannot be read"),
        (with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (" + "9" * 5000 + ",), }"), "cannot be read"),
        (with_header("{'descr': '<q9', 'fortran_order': False, 'shape': (3,), }"), "the type <q9"),
        (with_header("{'descr': '(2,)<f8', 'fortran_order': False, 'shape': (3,), }"), "cannot be read"),
        (with_header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }"), "several fields"),
        (with_header("(" * 5000), "cannot be read"),
        (with_header("{", 2**31), "a header of 2147483648 bytes"),
        (saved(np.ones(3))[:-1], "23 bytes of 24|24 bytes in a file"),
    ],
)  # fmt: skip
def test_damage_is_told(data: bytes, words: str | None, tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(data)
    if words is None:  # omitted bytes at the end of a header have no effect
        assert load_npy(tmp_path / "x.npy").shape == (3,)
        return
    with pytest.raises(Unreadable, match=words):
        load_npy(tmp_path / "x.npy")


def test_objects_are_not_loaded(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([None], object), allow_pickle=True)
    with pytest.raises(Pickled):
        load_npy(tmp_path / "x.npy")


@pytest.mark.parametrize("method", METHODS)
def test_damaged_members(method: int, tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr(zipfile.ZipInfo("a.npy"), saved(np.arange(400.0)), method)
    data, random = stream.getvalue(), Random(method)
    for _ in range(150):
        found = bytearray(data)
        for _ in range(random.choice((1, 3, 30))):
            found[random.randrange(len(found))] = random.randrange(256)
        (tmp_path / "x.npz").write_bytes(found)
        with suppress(Unreadable, Pickled):
            load_npz(tmp_path / "x.npz")


@pytest.mark.parametrize(("offset", "value", "words"), [(8, 1, "encrypted"), (10, 99, "unknown method")])
def test_members_that_are_not_read(offset: int, value: int, words: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", a=np.ones(3))
    data = bytearray((tmp_path / "x.npz").read_bytes())
    data[data.rindex(b"PK\x01\x02") + offset] = value
    (tmp_path / "x.npz").write_bytes(data)
    with pytest.raises(Unreadable, match=words) as refusal:
        load_npz(tmp_path / "x.npz")
    assert refusal.value.args[1] == "a"


def test_no_more_memory_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nopt.core.arrays.numpy_files.available_bytes", lambda: 1000)
    with pytest.raises(Unreadable, match="available"):
        read_npy(io.BytesIO(saved(np.ones(200))), 10_000)
