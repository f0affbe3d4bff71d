"""Conversion of a network to the bytes of a `.nir` file, with the writer of the `nir` package.

The same network produces the same bytes. The file has the `version` of the module, so that import and export are inverse; a
module without a version receives the version of the package. In HDF5, `/` in a name separates groups, and `.` is the group itself.

Source: the `nir` package 1.0.8, nir/serialization.py; HDF5 User Guide, "Path names".
"""

from __future__ import annotations

from io import BytesIO
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..core.diagnostics import Code, Diagnostics
from .nir_export import NIF044, Contents, contents_of, network_in
from .nir_graph import PRIMITIVES

NIF040 = Code("NIF040", "nir-name-not-storable", "a `.nir` file cannot store a name")
NIF048 = Code("NIF048", "nir-package-cannot-read", "the `nir` package cannot read a node that it writes")


UNREAD = {"Identity": "-p nir-fold-identities"} | dict.fromkeys(
    ("ConvTranspose2d", "MaxPool2d", "Neuron", "Reshape", "Upsample2d"), "-t json"
)
"""Nodes that the package does not read, each with a remedy."""


def write_nir(module: ModuleOp, diagnostics: Diagnostics) -> bytes:
    """Returns the bytes of a `.nir` file.

    Remarks and warnings go to `diagnostics`. Errors: NIF038, NIF039, NIF040, NIF041, NIF042, NIF043, NIF044, NIF045; errors of names and metadata are raised together.
    """
    contents = contents_of(module, diagnostics)
    problems = Diagnostics()
    whole = storable(contents, "", diagnostics, problems)
    problems.raise_errors()
    version = network_in(module).version
    return write_contents(whole, version.data if version else None)


def write_contents(contents: Contents, version: str | None) -> bytes:
    import h5py
    import nir

    hdf5 = cast(Any, h5py)
    text = hdf5.string_dtype()
    buffer = BytesIO()
    nir.write(cast(Any, buffer), cast(Any, SimpleNamespace(to_dict=lambda: contents)))  # which only uses its dictionary
    if version not in (None, nir.version):
        with hdf5.File(buffer, "r+") as file:
            del file["version"]
            file.create_dataset("version", data=version, dtype=text)
    return buffer.getvalue()


def storable(contents: Contents, path: str, diagnostics: Diagnostics, problems: Diagnostics) -> Contents:
    """Converts a graph or node for `nir.write`: scalars become numbers, because HDF5 cannot compress an array without axes."""
    found: Contents = {}
    at = f'"{path}"' if path else "the network"
    for name, value in contents.items():
        if name == "nodes":
            found[name] = dict[str, Any]()
            for node, inner in value.items():
                inside = f"{path}.{node}" if path else node
                check_name(node, "node", f'"{inside}"', problems)
                found[name][node] = storable(inner, inside, diagnostics, problems)
        elif name == "metadata":
            found[name] = storable_metadata(value, at, problems)
        elif isinstance(value, dict):
            found[name] = {key: scalar(entry) for key, entry in cast(Contents, value).items()}
        else:
            found[name] = scalar(value)
    type = contents["type"]
    if type in UNREAD:
        diagnostics.warning(
            NIF048,
            f"the `nir` package cannot read {'an' if type == 'Identity' else 'the node'} {type}",
            at=f'{PRIMITIVES[type].name} "{path}"',
            node=path,
            expected="a primitive that `nir` 1.0.8 reads",
            found=type,
            help=UNREAD[type],
        )
    return found


def scalar(value: Any) -> Any:
    """Converts an array without axes to a number of the same format; returns other values unchanged."""
    array: Any = value
    return array[()] if isinstance(value, np.ndarray) and not array.ndim else array


def check_name(name: str, what: str, at: str, problems: Diagnostics) -> None:
    if name in ("", ".") or "/" in name or "\0" in name:
        problems.error(
            NIF040,
            f"a `.nir` file cannot store the name of this {what}",
            at=at,
            expected="a name that is not empty or a dot, without slashes and null characters",
            found=f"{name!r}",
            help="rename it, or -t json",
        )


def storable_metadata(metadata: Contents, at: str, problems: Diagnostics) -> Contents:
    """Converts a group of metadata for `nir.write`."""
    found: Contents = {}
    for name, value in metadata.items():
        check_name(name, "entry of metadata", at, problems)
        if isinstance(value, dict) and (value or name != "metadata"):
            found[name] = storable_metadata(cast(Contents, value), at, problems)
        elif name != "metadata" and is_storable(value):
            found[name] = scalar(value)
        else:
            problems.error(
                NIF044,
                f'a `.nir` file cannot store the metadata "{name}"',
                at=at,
                expected="text without null characters, arrays, lists of text of one length, or groups of these",
                found=f"{value!r:.60}",
                help="write it as text or as an array, or -t json",
            )
    return found


def is_storable(value: Any) -> bool:
    """Returns whether the package can write a value of metadata: an array, text, or rows of text of equal length."""
    if isinstance(value, str):
        return "\0" not in value
    if not isinstance(value, list):
        return isinstance(value, np.ndarray)
    rows = cast("list[Any]", value)
    if rows and all(isinstance(row, list) for row in rows):
        return len({len(row) for row in rows}) == 1 and all(map(is_storable, rows))
    return all(isinstance(item, str) and is_storable(item) for item in rows)
