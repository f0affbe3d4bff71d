"""Damage to `.nir` files: to their bytes, and to their HDF5 content: members, data, edges and links."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import h5py
import numpy as np
from seeds import put

LARGEST = 1_000_000
"""Maximal number of elements that a mutation reads."""

# ---- bytes


def flip_bits(random: Random, data: bytes) -> bytes:
    found = bytearray(data)
    for _ in range(random.choice((1, 2, 8, 64))):
        found[random.randrange(len(found))] ^= 1 << random.randrange(8)
    return bytes(found)


def flip_near_the_start(random: Random, data: bytes) -> bytes:
    """Flips bytes of the superblock and the first groups."""
    found = bytearray(data)
    for _ in range(random.choice((1, 2, 4))):
        found[random.randrange(min(2048, len(found)))] = random.choice((0x00, 0x01, 0x7F, 0x80, 0xFF))
    return bytes(found)


def truncate(random: Random, data: bytes) -> bytes:
    return data[: random.choice((0, 4, 8, 9, 96, random.randrange(len(data)), len(data) - 1))]


def blank(random: Random, data: bytes) -> bytes:
    """Overwrites a block with zeros or ones."""
    start, size = random.randrange(len(data)), random.choice((16, 512, 4096))
    return data[:start] + random.choice((b"\x00", b"\xff")) * min(size, len(data) - start) + data[start + size :]


def move(random: Random, data: bytes) -> bytes:
    """Overwrites a block with another one, or inserts it."""
    start, size, target = random.randrange(len(data)), random.choice((8, 64, 2048)), random.randrange(len(data))
    block = data[start : start + size]
    return data[:target] + block + data[target + random.choice((0, len(block))) :]


def append(random: Random, data: bytes) -> bytes:
    return data + random.choice((b"\x00" * 4096, data, b"trailing"))


BYTES: tuple[Callable[[Random, bytes], bytes], ...] = (flip_bits, flip_near_the_start, truncate, blank, move, append)

# ---- members


def members(file: Any) -> list[str]:
    """Returns the paths of everything in the file, in a fixed order."""
    found: list[str] = []
    file.visit(found.append)
    return sorted(found)


def groups(file: Any) -> list[str]:
    return [path for path in members(file) if isinstance(file[path], h5py.Group)]


def datasets(file: Any) -> list[str]:
    return [path for path in members(file) if isinstance(file[path], h5py.Dataset)]


def numeric(file: Any) -> list[str]:
    return [path for path in datasets(file) if file[path].dtype.kind in "fiu"] or datasets(file)


def values_of(dataset: Any) -> Any:
    """Returns the content of a dataset; skips it if an earlier mutation made it large or virtual."""
    if dataset.is_virtual or dataset.external or (dataset.size or 0) > LARGEST:
        raise ValueError("not to be read")
    return np.array(dataset[()])


def graph_groups(file: Any) -> list[str]:
    """Returns groups with nodes and a list of edges; an earlier mutation may have replaced the list by a group."""
    return [
        path for path in groups(file) if "nodes" in file[path] and isinstance(file[path].get("edges"), h5py.Dataset)
    ]


def replace(file: Any, path: str, value: Any, **how: Any) -> None:
    """Stores other data under the same name."""
    del file[path]
    file.create_dataset(path, data=value, **how)


def drop_member(random: Random, file: Any) -> None:
    del file[random.choice(members(file))]


def rename_member(random: Random, file: Any) -> None:
    path = random.choice(members(file))
    parent, _, old = path.rpartition("/")
    names = (
        f"{old}_",
        old.upper(),
        "",
        "ä漢",
        "a.b",
        "x" * 5000,
        "type",
        "nodes",
        "\x01\x7f",
        " ",
        "..",
        "%0",
        '"',
        "\n",
    )
    new = random.choice(names) or "0"
    if new not in (".", "..") and f"{parent}/{new}" not in file:
        file.move(path, f"{parent}/{new}")


def swap_members(random: Random, file: Any) -> None:
    first, second = random.choice(datasets(file)), random.choice(datasets(file))
    if first != second:
        file.move(first, "aside")
        file.move(second, first)
        file.move("aside", second)


def copy_member(random: Random, file: Any) -> None:
    """Adds a copy of a member at a meaningless or wrong place."""
    source, target = random.choice(members(file)), random.choice(groups(file))
    file.copy(source, f"{target}/more")


def exchange_kinds(random: Random, file: Any) -> None:
    """Replaces data by a group, or a group by data."""
    path = random.choice(members(file))
    was_group = isinstance(file[path], h5py.Group)
    del file[path]
    if was_group:
        file.create_dataset(path, data=1.0)
    else:
        file.create_group(path)


# ---- data


def change_values(random: Random, file: Any) -> None:
    path = random.choice(numeric(file))
    array = values_of(file[path])
    values = (np.nan, np.inf, -np.inf, -0.0, 0.0, -1.0, 1e-45, 3e38, -3e38, 0.5, 2**31, -(2**63))
    with np.errstate(all="ignore"):
        value = np.array(random.choice(values)).astype(array.dtype)
    if array.ndim and array.size and random.random() < 0.5:
        array.reshape(-1)[random.randrange(array.size)] = value
    else:
        array = np.full_like(array, value)
    replace(file, path, array)


def change_type(random: Random, file: Any) -> None:
    """Changes numbers to another type, or to other data."""
    path = random.choice(datasets(file))
    old = file[path]
    array = values_of(old) if old.dtype.kind in "fiub" and old.shape is not None else np.ones(2)
    types = (
        "<f8",
        ">f4",
        "<f2",
        "<i1",
        "<u8",
        ">i8",
        "?",
        "<c8",
        "<c16",
        "S4",
        "longdouble",
        "strings",
        "words",
        "record",
        "enum",
    )
    types += ("ragged", "opaque", "references", "empty", "bytes")
    match random.choice(types):
        case "strings":
            replace(file, path, np.full(array.shape, "0.5", object), dtype=h5py.string_dtype())
        case "words":
            replace(file, path, random.choice(("", "LIF", "NIRGraph", "\x00", "ä" * 9, "x" * 100_000)))
        case "bytes":
            replace(file, path, np.array(b"\xff\xfe\x00"))
        case "record":
            replace(file, path, np.zeros(array.shape, [("a", "<f4"), ("b", "<i4")]))
        case "enum":
            replace(file, path, np.zeros(array.shape, "i1"), dtype=h5py.enum_dtype({"A": 0, "B": 1}, basetype="i1"))
        case "ragged":
            del file[path]
            file.create_dataset(path, (2,), h5py.vlen_dtype(np.float32))[0] = np.ones(3, np.float32)
        case "opaque":
            replace(file, path, np.zeros(array.shape, "V8"))
        case "references":
            replace(file, path, np.full(array.shape or (1,), file.ref, object), dtype=h5py.ref_dtype)
        case "empty":
            replace(file, path, h5py.Empty("f"))
        case type:
            with np.errstate(all="ignore"):
                replace(file, path, array.astype(type))


def change_shape(random: Random, file: Any) -> None:
    path = random.choice(numeric(file))
    array = values_of(file[path])
    flat = array.reshape(-1) if array.dtype.kind in "fiub" else np.ones(2)
    one = flat[:1] if flat.size else np.ones(1)
    shapes = (
        flat,
        one,
        one[0],
        flat[:0],
        flat[:-1],
        flat[None],
        flat[:, None],
        array[..., None],
        array.T,
        np.tile(flat, 3),
    )
    replace(file, path, [*shapes, one.reshape((1,) * 32), np.zeros((0, 5)), np.zeros((2, 0))][random.randrange(13)])


def declare_much(random: Random, file: Any) -> None:
    """Declares data that are not stored, or stored compactly."""
    path = random.choice(datasets(file))
    dtype = file[path].dtype if random.random() < 0.5 else np.dtype(random.choice(("<f4", "<f8", "<i8", "S1", "?")))
    del file[path]
    shape = random.choice(
        ((1 << 34,), (1 << 17, 1 << 17), (1 << 60,), (1 << 30, 2), (1 << 28,), (2,) * 30, (1 << 62, 0))
    )
    if shape[-1] == 0:
        file.create_dataset(path, shape, dtype)
    elif random.random() < 0.5:
        chunks = (*(1 for _ in shape[1:]), min(1 << 10, shape[-1]))
        file.create_dataset(path, shape, dtype, chunks=chunks, maxshape=(None,) * len(shape))
    else:
        file.create_dataset(path, shape, dtype, chunks=True, compression="gzip")


def declare_many(random: Random, file: Any) -> None:
    """Adds a chain of many nodes, many edges, or deeply nested graphs."""
    top = random.choice(graph_groups(file) or ["node"])
    text = h5py.string_dtype()
    match random.choice(("chain", "edges", "nest", "metadata")):
        case "chain":
            count = random.choice((50, 300))
            nodes = file.require_group(f"{top}/nodes")
            for number in range(count):
                put(nodes, {f"link{number}": {"type": "Threshold", "threshold": np.float32(1)}})
            pairs = [
                ["input", "link0"],
                *([f"link{n}", f"link{n + 1}"] for n in range(count - 1)),
                [f"link{count - 1}", "output"],
            ]
            replace(file, f"{top}/edges", np.array(pairs, object), dtype=text)
        case "edges":
            pairs = values_of(file[f"{top}/edges"]).reshape(-1, 2)
            replace(file, f"{top}/edges", np.tile(pairs, (random.choice((2, 100)), 1)), dtype=text)
        case "nest":
            here = file[f"{top}/nodes"]
            for _ in range(random.choice((10, 70, 150))):
                put(here, {"deep": {"type": "NIRGraph", "nodes": {}, "edges": [["a", "b"]]}})
                here = here["deep/nodes"]
        case _:
            here = file.require_group(f"{top}/metadata")
            for _ in range(random.choice((10, 70, 150))):
                here = here.require_group("m")
            put(here, {"words": "x" * 10_000, "wide": np.zeros((64, 64)), "strange": np.complex64(1)})


# ---- edges


def damage_edges(random: Random, file: Any) -> None:
    tops = graph_groups(file)
    if not tops:
        return
    path = f"{random.choice(tops)}/edges"
    text = h5py.string_dtype()
    pairs = [[str(end, "utf-8", "replace") for end in row] for row in values_of(file[path]).reshape(-1, 2).tolist()]
    names = sorted({end for pair in pairs for end in pair}) or ["input"]
    one = random.randrange(len(pairs)) if pairs else 0
    match random.randrange(16):
        case 0:
            del pairs[one : one + 1]
        case 1:
            pairs += pairs[one : one + 1]
        case 2:
            pairs = [pair[::-1] for pair in pairs]
        case 3:
            pairs.append([random.choice(names)] * 2)
        case 4:
            pairs.append([random.choice(names), random.choice(names)])
        case 5:
            pairs.append([random.choice(names), random.choice(("nobody", "", " ", "input.input", "block.if", "lif1"))])
        case 6:
            random.shuffle(pairs)
        case 7:
            pairs = []
        case 8:
            return replace(file, path, np.arange(2 * len(pairs)).reshape(-1, 2))
        case 9:
            return replace(file, path, np.array([end for pair in pairs for end in pair], object), dtype=text)
        case 10:
            return replace(file, path, np.array([[*pair, "x"] for pair in pairs], object).reshape(-1, 3), dtype=text)
        case 11:
            return replace(file, path, np.array([[b"\xff\xfe", b"\x80"]], "S2"))
        case 12:
            return replace(
                file, path, np.array([[end.encode()[:9] for end in pair] for pair in pairs] or [[b"a", b"b"]], "S10")
            )
        case 13:
            return replace(file, path, ">".join(names))
        case 14:
            return replace(file, path, h5py.Empty("f"))
        case _:
            return replace(file, path, np.zeros((len(pairs), 2)))
    shape = np.array(pairs, object).reshape(-1, 2)
    return replace(file, path, shape, dtype=text)


def damage_type(random: Random, file: Any) -> None:
    """Changes the type name of a node."""
    paths = [path for path in datasets(file) if path.endswith("/type")]
    if not paths:
        return
    words = (
        "",
        "LIF",
        "lif",
        "NIRGraph",
        "Input",
        "Output",
        "Conv1d",
        "Conv2d",
        "Delay",
        "Flatten",
        "__class__",
        "NIRNode",
        "Affine",
        "Identity",
    )
    value = random.choice((*words, "os.system", "x" * 100_000, 3, 1.5, b"\xff", ["LIF", "IF"]))
    replace(file, random.choice(paths), value)


def damage_version(random: Random, file: Any) -> None:
    if "version" in file:
        del file["version"]
    value = random.choice(
        (None, 1, "0.1", "99.0", "", "x" * 100_000, b"\xff\xfe", [1, 2], h5py.Empty("f"), np.nan, "group")
    )
    if value == "group":
        file.create_group("version")
    elif value is not None:
        file.create_dataset("version", data=value)


# ---- links


def play_with_links(random: Random, file: Any) -> None:
    """Adds links to themselves, in cycles, to nowhere, and out of the file."""
    path = random.choice(members(file))
    other = random.choice(members(file))
    parent = path.rpartition("/")[0] or "/"
    match random.randrange(11):
        case 0:
            del file[path]
            file[path] = h5py.SoftLink(f"/{path}")
        case 1:
            del file[path]
            file[path] = h5py.SoftLink("/nowhere")
        case 2:
            del file[path]
            file[path] = h5py.SoftLink(f"/{other}")
        case 3:
            del file[path]
            file[path] = h5py.ExternalLink("/etc/passwd", "/node")
        case 4:
            del file[path]
            file[path] = h5py.ExternalLink("case.nir", f"/{other}")
        case 5:
            del file[path]
            file[path] = h5py.ExternalLink("not-there.h5", "/node")
        case 6:
            file[random.choice(groups(file))]["again"] = file[parent]
        case 7:
            file[random.choice(groups(file))]["again"] = file[path]
        case 8:
            if (node := random.choice(groups(file))) != "node":
                del file[node]
                file[node] = file["node"]
        case 9:
            target = random.choice(numeric(file))
            shape, dtype = file[target].shape or (4,), file[target].dtype
            if dtype.kind in "fiu" and 0 not in shape:
                del file[target]
                file.create_dataset(target, shape, dtype, external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)])
        case _:
            target = random.choice(numeric(file))
            shape, dtype = file[target].shape or (4,), file[target].dtype
            if dtype.kind in "fiu" and 0 not in shape:
                del file[target]
                layout = h5py.VirtualLayout(shape, dtype)
                layout[...] = h5py.VirtualSource(random.choice((".", "case.nir", "/etc/passwd")), target, shape)
                file.create_virtual_dataset(target, layout)


def add_attributes(random: Random, file: Any) -> None:
    """Adds attributes, which NIR does not have."""
    place = file[random.choice(members(file))]
    place.attrs["note"] = random.choice(("x", 1, np.zeros(100), b"\xff", np.nan))


STRUCTURES: tuple[Callable[[Random, Any], None], ...] = (
    drop_member,
    rename_member,
    swap_members,
    copy_member,
    exchange_kinds,
    change_values,
    change_values,
    change_type,
    change_type,
    change_shape,
    change_shape,
    declare_much,
    declare_many,
    damage_edges,
    damage_edges,
    damage_type,
    damage_version,
    play_with_links,
    play_with_links,
    add_attributes,
)


def damaged(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Returns the bytes of a `.nir` file after one to three mutations."""
    if random.random() < 0.35:
        return random.choice(BYTES)(random, data)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        stream = io.BytesIO(data)
        try:
            with h5py.File(stream, "r+") as file:
                random.choice(STRUCTURES)(random, file)
        except (OSError, KeyError, RuntimeError, TypeError, ValueError, IndexError):
            continue  # HDF5 refuses this change, or an earlier mutation removed its target
        data = stream.getvalue()
    return data
