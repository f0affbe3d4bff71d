"""Reader of `.nir` files and of graphs of the `nir` package into the nir dialect, and writer of `.nir` files.

An HDF5 file with a group `layer` in place of `node` is one of Lava's netx (`netx_network.py`).

The steps are: `hdf5/guard.py` reads the format, `nir_network.py` converts nodes, `nir_graph.py` connects and checks them,
`nir_shapes.py` infers shapes and kinds, and this module builds the ops. nopt infers the shapes itself, because the package supports only
square kernels in one group. Parameters keep their shape and number format. Nodes are in topological order of the signals, and by name
within that; the order of nodes and edges in the file has no effect. A written module (`nir_writing.py`) reads back as the same text,
except for its symbol, which is the stem of the file.

Source: the `nir` package 1.0.8, nir/serialization.py and nir/ir.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    ModuleOp,
    StringAttr,
)

from ..core.diagnostics import Code, Diagnostics, refuse
from ..core.files import is_hdf5
from .limits import DEFAULTS, Limits
from .nir_module import build_module
from .nir_network import PackageNode
from .nir_values import group_of

if TYPE_CHECKING:
    import nir

NIF002 = Code("NIF002", "file-without-network", "the file does not contain a network")

IS_CONTINUOUS = True
"""Networks of this format are in continuous time: a network in ticks is converted before it is written."""


def recognises(head: bytes) -> bool:
    """Returns whether a file that starts with these bytes is an HDF5 file."""
    return is_hdf5(head)


def read(path: Path, diagnostics: Diagnostics, limits: Limits = DEFAULTS) -> ModuleOp:
    """Reads a `.nir` file; the symbol of the graph is the stem of the file name. Remarks and warnings go to `diagnostics`.

    Errors: NIF001 to NIF011, NIF014 to NIF018, NIF027 to NIF029, NIR001 to NIR003, all raised together; NTX001 to NTX004.
    """
    from .hdf5.guard import read_contents

    found, version, group = read_contents(path, limits)
    contents = group_of(found)
    if contents is not None and group == "layer":
        from .hdf5.netx_network import read_netx

        return read_netx(contents, path.stem, str(path))
    if contents is None or str(contents.get("type")) != "NIRGraph":
        refuse(
            NIF002,
            file=str(path),
            expected="a group `node` whose type is NIRGraph",
            found="no such group" if contents is None else f"node of type {contents.get('type')}",
            help="export the network with nir.write(path, graph)",
        )
    module = build_module(contents, path.stem, diagnostics, str(path), limits)
    if version is not None:
        for op in module.ops:
            op.properties["version"] = StringAttr(version)
    return module


def is_graph(value: object) -> bool:
    """Returns whether a value is a graph of the `nir` package, which this function does not import."""
    package = sys.modules.get("nir")
    return package is not None and isinstance(value, package.NIRGraph)


def from_nir(graph: nir.NIRGraph, name: str, diagnostics: Diagnostics, file: str | None = None) -> ModuleOp:
    """Converts a graph of the `nir` package to a module; `name` is the symbol, `file` the name of the source in messages.

    The module keeps the current values of the arrays. Remarks and warnings go to `diagnostics`.

    Errors: NIF003 to NIF011, NIF014 to NIF018, NIR001 to NIR003; all errors are raised together.
    """
    return build_module(PackageNode(graph).contents(), name, diagnostics, file)


def emit(module: ModuleOp, diagnostics: Diagnostics) -> bytes:
    """Returns the bytes of a `.nir` file with the network of a module. Remarks and warnings go to `diagnostics`.

    Errors: NIF038, NIF039, NIF040, NIF041, NIF042, NIF043, NIF044, NIF045 a network that NIR cannot represent, or its file cannot contain.
    """
    from .nir_writing import write_nir

    return write_nir(module, diagnostics)
