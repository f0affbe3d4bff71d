"""Arrays of a JSON graph, inline or in a `.npy` file, and places in a JSON text.

    0.02        [1, 2]        [[0.5, -1.0]]                                integers are int64, anything else float64
    {"dtype": "float32", "shape": [1, 2], "values": [[0.5, -1.0]]}         explicit number format and shape
    {"dtype": "float32", "shape": [512, 512], "file": "weights/fc1.npy"}   the values in a file of NumPy

Numbers are finite and fit their format; a decimal is rounded to the nearest number of its format. A file must be in the folder of the
graph or below it, after its path is resolved, and must have the declared number format and shape. Both are checked before data is read.

Source: NumPy Enhancement Proposal 1 for `.npy` files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from math import prod
from pathlib import Path
from typing import Any, cast

import numpy as np
from attrs import define
from numpy.typing import NDArray

from ..core.arrays.numpy_files import Pickled, Unreadable, read_header
from ..core.diagnostics import Code, Diagnostics
from .limits import NIF027, raised_limit
from .nir_values import short

NIF032 = Code("NIF032", "json-graph-format-violated", "a JSON graph violates the format")
NIF033 = Code("NIF033", "json-array-invalid", "an array of a JSON graph is invalid")
NIF034 = Code("NIF034", "json-array-file-unusable", "the file of an array cannot be used")

NUMBER_FORMATS: Mapping[str, np.dtype[Any]] = {
    name: np.dtype(name)
    for name in (
        *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64"),
    )
}
"""Number formats by their names."""
FORMS = ({"dtype", "shape", "values"}, {"dtype", "shape", "file"})
"""Keys of an object that is an array."""
MOST_AXES = 32


class Object(dict[str, Any]):
    """An object of a JSON text. It stores a key that occurs twice."""

    __slots__ = ("twice",)

    twice: str | None


def objects(pairs: list[tuple[str, Any]]) -> Object:
    """Builds an object from its pairs; used as hook of the JSON parser."""
    found = Object(pairs)
    found.twice = None
    if len(found) < len(pairs):
        seen: set[str] = set()
        found.twice = next(key for key, _ in pairs if key in seen or seen.add(key))
    return found


def below(place: str, key: str | int) -> str:
    """Returns the place of an entry: `$.nodes.lif1.tau`, `$.edges[3]`, `$.nodes["my input"]`."""
    if isinstance(key, int):
        return f"{place}[{key}]"
    return f"{place}.{key}" if re.fullmatch(r"[A-Za-z_]\w*", key, re.ASCII) else f"{place}[{json.dumps(key)}]"


def kind_of(value: Any) -> str:
    """Describes a value of JSON in JSON's terms."""
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, str):
        return f"the text {short(json.dumps(value))}"
    if isinstance(value, int | float):
        return f"the number {short(json.dumps(value))}"
    return "a list" if isinstance(value, list) else "an object"


def as_list(value: Any) -> list[Any] | None:
    return cast("list[Any]", value) if isinstance(value, list) else None


def is_array(value: Any) -> bool:
    """Returns whether an object has the keys of an array."""
    return isinstance(value, dict) and set(cast("dict[Any, Any]", value)) in FORMS


@define
class Arrays:
    """Reader for the arrays of one document in `folder`. Errors go to `problems`."""

    file: str
    folder: Path
    problems: Diagnostics
    most_bytes: int
    """Maximum number of bytes of all arrays in files."""
    read_bytes: int = 0

    def refuse(self, code: Code, place: str, message: str, expected: str, found: str, help: str) -> None:
        where = f"{self.file}:{place}"
        self.problems.error(code, message, place=where, expected=expected, found=found, help=help)

    def array(self, value: Any, place: str) -> NDArray[Any] | None:
        """Reads a number, nested lists of numbers, or an object with format and shape; returns None if it is refused."""
        if not isinstance(value, Object):
            shape: list[int] = []
            first = value
            while (items := as_list(first)) is not None:
                shape.append(len(items))
                first = items[0] if items else 0
            return self.inline(value, tuple(shape), None, place)
        if not is_array(value) or value.twice is not None:
            self.refuse(
                NIF032,
                place,
                "the object is not an array",
                'the keys "dtype", "shape", and "values" or "file"',
                ", ".join(map(json.dumps, value)) or "no key",
                '{"dtype": "float32", "shape": [2], "values": [0.5, 1.0]}',
            )
            return None
        dtype = NUMBER_FORMATS.get(value["dtype"]) if isinstance(value["dtype"], str) else None
        sizes = as_list(value["shape"])
        if dtype is None:
            known = ", ".join(NUMBER_FORMATS)
            found = kind_of(value["dtype"])
            self.refuse(NIF033, below(place, "dtype"), "unknown number format", f"one of {known}", found, '"float32"')
        if sizes is None or len(sizes) > MOST_AXES or not all(type(n) is int and 0 <= n < 2**63 for n in sizes):
            self.refuse(
                NIF033,
                below(place, "shape"),
                "the shape of an array is not a list of sizes",
                f"at most {MOST_AXES} integers from 0",
                short(json.dumps(value["shape"])),
                "[] for a single number, [2, 3] for two rows of three numbers",
            )
        elif dtype is not None and "file" in value:
            return self.stored(value["file"], tuple(sizes), dtype, below(place, "file"))
        elif dtype is not None:
            return self.inline(value["values"], tuple(sizes), dtype, below(place, "values"))
        return None

    # ---- in line

    def inline(
        self, value: Any, shape: tuple[int, ...], dtype: np.dtype[Any] | None, place: str
    ) -> NDArray[Any] | None:
        """Converts nested lists to an array of a shape."""
        level: list[Any] = [value]
        for axis, size in enumerate(shape):
            for number, items in enumerate(level):
                if as_list(items) is None or len(items) != size:
                    what = f"{len(items)} entries" if as_list(items) is not None else kind_of(items)
                    here = entry(place, number, shape[:axis])
                    wanted = f"a list of {size}, for the shape {list(shape)}"
                    self.refuse(
                        NIF033, here, "the lists have another shape", wanted, what, "correct the lists or the shape"
                    )
                    return None
            level = [item for items in level for item in items]
        types: list[type[Any]] = [type(item) for item in level]
        kinds = set(types)
        if dtype is None:
            chosen: np.dtype[Any] = np.dtype(bool if kinds == {bool} else np.int64 if kinds <= {int} else np.float64)
            dtype = chosen
        allowed: tuple[type[Any], ...] = (
            (bool,) if dtype.kind == "b" else (int,) if dtype.kind in "iu" else (int, float)
        )
        wrong = next((number for number, type in enumerate(types) if type not in allowed), None)
        if wrong is None and dtype.kind in "iu":
            least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
            wrong = next((number for number, item in enumerate(level) if not least <= item <= most), None)
        if wrong is None:
            try:
                with np.errstate(over="ignore"):
                    array = np.array(level, dtype)
            except OverflowError:  # an integer beyond all float64
                array = np.full(len(level), np.inf)
            if dtype.kind != "f" or np.isfinite(array).all():
                return array.reshape(shape)
            wrong = int(np.argmin(np.isfinite(array)))
        self.refuse(
            NIF033,
            entry(place, wrong, shape),
            f"the value is not of type {dtype.name}",
            {"b": "true or false", "f": "a finite number that the format holds"}.get(
                dtype.kind, "an integer in its range"
            ),
            kind_of(level[wrong]),
            "correct the value or the dtype",
        )
        return None

    # ---- in files

    def stored(self, name: Any, shape: tuple[int, ...], dtype: np.dtype[Any], place: str) -> NDArray[Any] | None:
        """Reads the array of a `.npy` file."""
        path = self.found(name, place)
        if path is None:
            return None
        wanted = f"a .npy file of {dtype.name} {list(shape)}"
        size = prod(shape) * dtype.itemsize
        self.read_bytes += size
        if self.read_bytes > self.most_bytes:
            message, limit = "the file exceeds the limit of bytes", f"at most {self.most_bytes} bytes"
            help = raised_limit("bytes", self.read_bytes)
            self.refuse(NIF027, place, message, limit, f"{self.read_bytes} bytes of arrays in files", help)
            return None
        try:
            with open(path, "rb") as file:
                header = read_header(file)
                found = header.dtype
                there = path.stat().st_size - file.tell()
                if (header.shape, found.newbyteorder("<").str) != (shape, dtype.newbyteorder("<").str):
                    problem = f"{found.name} {list(header.shape)}"
                elif there < size:
                    problem = f"{there} bytes of {size}"
                else:
                    array = np.frombuffer(file.read(size), found).reshape(
                        shape, order="F" if header.is_fortran else "C"
                    )
                    return array.astype(dtype)
        except (OSError, Unreadable, Pickled) as failure:
            problem = str(failure).split("\n")[0]
        help = f"numpy.save({path.name!r}, x.astype({dtype.name!r}))"
        self.refuse(NIF034, place, "the file does not contain the declared array", wanted, short(problem), help)
        return None

    def found(self, name: Any, place: str) -> Path | None:
        """Resolves a file name in the graph to a path; refuses a path outside the folder of the graph."""
        problem = None
        if not isinstance(name, str) or not name or "\0" in name or "\\" in name or ":" in name:
            problem = kind_of(name)
        elif name.startswith("/") or ".." in name.split("/"):
            problem = f"{name}, which leaves the folder"
        else:
            try:
                path = (self.folder / name).resolve()
                if not path.is_relative_to(self.folder.resolve()):
                    problem = f"{name}, a link that leaves the folder"
                elif path.is_file():
                    return path
                else:
                    problem = f"{name}, which is not a file"
            except (OSError, RuntimeError) as failure:  # RuntimeError: a loop of links
                problem = f"{name}: {failure}"
        self.refuse(
            NIF034,
            place,
            "the file of an array cannot be used",
            "a relative path with / to a .npy file in the folder of the graph or below it",
            short(problem),
            "numpy.save('x.npy', x) in the folder of the graph",
        )
        return None


def entry(place: str, number: int, shape: Iterable[int]) -> str:
    """Returns the place of an entry of nested lists, from its flat index."""
    sizes = tuple(shape)
    for index in np.unravel_index(number, sizes) if sizes else ():
        place = below(place, int(index))
    return place


# ---- out


def inline_text(array: NDArray[Any]) -> str:
    """Formats an array of finite numbers as JSON, with the shortest decimals that restore the same bits."""
    flat = array.reshape(-1)
    if array.dtype.kind != "f":
        texts = list(map(json.dumps, flat.tolist()))
    else:
        texts = list(map(str, flat.tolist() if array.dtype.itemsize == 8 else flat))
        if array.dtype.itemsize < 8:  # a reader of a decimal rounds to float64 first
            again = np.array(list(map(float, texts))).astype(array.dtype)
            for number in np.flatnonzero(again != flat):
                texts[number] = repr(float(flat[number]))
    for size in reversed(array.shape if array.size else ()):
        texts = [f"[{', '.join(texts[start : start + size])}]" for start in range(0, len(texts), size)]
    values = texts[0] if array.size else json.dumps(array.tolist())
    return f'{{"dtype": "{array.dtype.name}", "shape": {list(array.shape)}, "values": {values}}}'
