"""Damage to arrays: to `.npy` files and their headers, to the members of `.npz` files, and to events."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import file_mutations
import numpy as np

Arrays = Mapping[str, Any]

VALUES = (np.nan, np.inf, -np.inf, -0.0, -1.0, 0.5, 2.0, 1e-310, 1e300, 3e38, 2.0**31, 2.0**63, -(2.0**63), 255.0)
TYPES = (
    "?",
    "<f2",
    "<f4",
    ">f4",
    "<f8",
    ">i2",
    "<i8",
    "<u8",
    "i1",
    "<c8",
    "<c16",
    "S3",
    "<U3",
    "V4",
    "<M8[s]",
    "longdouble",
)
HEADERS = (
    "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 3), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
    "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }",
    "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (" + "1," * 200 + "), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (" + "9" * 5000 + ",), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)",
    "{'descr': '" + "(" * 3000 + "', 'fortran_order': False, 'shape': (3,), }",
    "(" * 5000,
    "__import__('os').system('true')",
    "\x00\xff",
    "",
)  # fmt: skip
NAMES = ("", "input", "a/b", "../up", "x\x1b[31m", "\u202ex", "é", "n" * 3000, "tick", "index", "shape", "a.b", "out\n")


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def npz(arrays: Arrays, method: int = zipfile.ZIP_STORED) -> bytes:
    """Returns an archive of arrays by name, without time stamps."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, array in arrays.items():
            content = array if isinstance(array, bytes) else npy(np.asarray(array))
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), content, method)
    return stream.getvalue()


def events(array: Any) -> dict[str, Any]:
    """Returns the same signal as events: one sample `[ticks, *shape]`."""
    flat = np.asarray(array).reshape(len(array), -1)
    tick, index = np.nonzero(flat)
    return {"tick": tick, "index": index, "shape": np.array(array.shape[1:], np.int64), "ticks": np.int64(len(array))}


def csv_of(arrays: Arrays) -> bytes:
    """Returns the same signals as a table of events."""
    rows = ["input,tick,index"]
    for name, array in arrays.items():
        found = events(array)
        rows += [f"{name},{tick},{index}" for tick, index in zip(found["tick"], found["index"], strict=True)]
    return ("\n".join(rows) + "\n").encode()


def change_array(random: Random, array: Any) -> Any:
    """Returns another value, type or shape."""
    array = np.array(array)
    with np.errstate(all="ignore"):
        match random.randrange(6):
            case 0:
                array = array.astype(np.float64)
                array.reshape(-1)[random.randrange(max(1, array.size)) :][:1] = random.choice(VALUES)
            case 1:
                array = np.full_like(array, random.choice(VALUES), np.float64)
            case 2:
                array = array.astype(random.choice(TYPES))
            case 3:
                shapes = (
                    array[..., None],
                    array[None],
                    array.reshape(-1)[:0],
                    array.reshape(-1),
                    array.T,
                    array.reshape(-1)[:1],
                    np.array(1.0),
                )
                array = random.choice((*shapes, np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((1,) * 32)))
            case 4:
                array = np.array([None, {"a": 1}], object)
            case _:
                array = np.repeat(array, random.choice((2, 50)), 0) if array.ndim else array
    return array


def damage_npy(random: Random, data: bytes) -> bytes:
    match random.randrange(3):
        case 0:
            return random.choice(file_mutations.BYTES)(random, data)
        case 1:
            header = random.choice(HEADERS).encode("latin1", "replace") + b"\n"
            size = struct.pack("<I", random.choice((len(header), len(header), 2**31, 0)))
            return b"\x93NUMPY" + random.choice((b"\x02\x00", b"\x03\x00", b"\x09\x00")) + size + header + data[-64:]
        case _:
            return npy(change_array(random, np.load(io.BytesIO(data))))


def damage_npz(random: Random, arrays: Arrays) -> bytes:
    """Returns an archive with wrong members, names, methods, flags or bytes."""
    made: dict[str, Any] = dict(arrays)
    name = random.choice(list(made))
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    match random.randrange(7):
        case 0:
            made[name] = change_array(random, made[name])
        case 1:
            made[random.choice(NAMES)] = made.pop(name)
        case 2:
            made[random.choice(NAMES)] = made[name]
        case 3:
            del made[name]
        case 4:
            made[name] = damage_npy(random, npy(np.asarray(made[name])))
        case 5:
            data = npz(made, method)
            return damage_members(random, data)
        case _:
            return random.choice(file_mutations.BYTES)(random, npz(made, method))
    return npz(made, method)


def damage_members(random: Random, data: bytes) -> bytes:
    """Changes bytes of the members, or their directory entries: method, flags, sizes, check sums."""
    found = bytearray(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        first = archive.start_dir
    if random.random() < 0.4:  # the compressed bytes of a member
        entry = random.choice(entries)
        start = entry.header_offset + 30 + len(entry.filename.encode())
        for _ in range(random.choice((1, 4, 20))):
            found[start + random.randrange(max(1, entry.compress_size))] = random.randrange(256)
        return bytes(found)
    offset, size = random.choice(((6, 2), (8, 2), (10, 2), (16, 4), (20, 4), (24, 4), (28, 2), (42, 4)))
    value = random.choice((0, 1, 8, 12, 14, 93, 99, 0x0801, 0xFFFF, 2**31, 2**32 - 1)) & (256**size - 1)
    found[first + offset : first + offset + size] = value.to_bytes(size, "little")
    if (offset, size) in ((8, 2), (10, 2)) and random.random() < 0.7:  # the local header agrees
        found[entries[0].header_offset + offset - 2 : entries[0].header_offset + offset] = value.to_bytes(2, "little")
    return bytes(found)


Maker = Callable[[Random], bytes]
