"""Networks in a folder, for other processes: `NAME.mlir`, and its arrays in `NAME/`."""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.values import Array
from ...core.diagnostics import Diagnostics
from ...core.ir import source
from ...core.ir.context import NoptContext
from ..atomic_files import write_arrays
from ..modules import parse


def write_network(folder: Path, name: str, module: ModuleOp) -> None:
    """Writes a network into a folder."""
    outside: dict[str, Array] = {}
    text = source.format_module(NoptContext(), module, False, False, outside)
    (folder / f"{name}.mlir").write_text(text, encoding="utf-8")
    write_arrays(folder / name, outside)


def read_network(folder: Path, name: str) -> ModuleOp:
    """Returns a network of a folder."""
    text = (folder / f"{name}.mlir").read_text(encoding="utf-8")
    return parse(text, name=f"{name}.mlir", arrays=folder / name, diagnostics=Diagnostics())
