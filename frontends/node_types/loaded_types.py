"""Node types that NIR does not define, with equations of their own: files of `--load-node`, and packages with the entry point `nopt.nodes`.

    neuron adaptive for my_cell

A neuron that is declared for `my_cell` serves nodes with `type = "my_cell"`: the node becomes a population with these equations, whose parameters are the
entries of the node. An entry point names the path of a file:

    [project.entry-points."nopt.nodes"]
    my_cell = "my_package.cells:FILE"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from ...core.diagnostics import Code, refuse
from ...core.ir.source import decode_text
from ...core.neuron.neuron import check_neuron, parse_neurons
from ...core.neuron.tree import Neuron, NeuronFile, format
from ..nir_graph import PRIMITIVES

NIF049 = Code("NIF049", "node-type-not-loadable", "a file defines no new type of nodes")

GROUP = "nopt.nodes"
LOADED: dict[str, str] = {}
"""Equations by type, of files that were loaded in this process."""
RESERVED = (*PRIMITIVES, "Input", "NIRGraph", "Output")


def load_node_types(path: str | Path) -> tuple[str, ...]:
    """Loads the types of nodes of a file, and returns them. A later file replaces a type of an earlier one.

    Errors: COR008 a file that cannot be read; those of the neuron language; NIF049 a file without a new type.
    """
    found = types_of_file(Path(path))
    LOADED.update(found)
    return tuple(found)


def types_of_file(path: Path) -> Mapping[str, str]:
    """Returns the equations of each type that a file declares."""
    from ...core.files import read_head

    read_head(path)
    found: dict[str, str] = {}
    for neuron in parse_neurons(decode_text(path.read_bytes(), str(path)), str(path)).neurons:
        check_neuron(neuron)
        found |= dict.fromkeys(new_types(neuron), format(NeuronFile(None, (neuron,))))
    if not found:
        refuse(
            NIF049,
            at=str(path),
            expected="a line `neuron NAME for TYPE` with a type that NIR does not define",
            found="neurons for types of NIR alone, or for none",
            help="--like FILE replaces the equations of a type of NIR",
        )
    return found


def new_types(neuron: Neuron) -> list[str]:
    """Returns the types that a neuron is declared for and that NIR does not define."""
    known = {name.lower().replace("_", "") for name in RESERVED}
    names = [name.removeprefix("nir.") for name in neuron.families]
    return [name for name in names if name.lower().replace("_", "") not in known]


@cache
def installed_types() -> Mapping[str, str]:
    """Returns the equations of the types of installed packages."""
    found: dict[str, str] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        found |= types_of_file(Path(point.load()))
    return found


def own_contents(type: Any, data: Mapping[Any, Any]) -> dict[Any, Any] | None:
    """Returns a node of an unknown type as a node with equations; None if no file defines the type."""
    if not isinstance(type, str):
        return None
    equations = LOADED.get(type) or installed_types().get(type)
    if equations is None:
        return None
    params = {name: value for name, value in data.items() if name not in ("type", "metadata")}
    found: dict[Any, Any] = {"type": "Neuron", "equations": equations, "params": params}
    return found | {name: data[name] for name in ("metadata",) if name in data}
