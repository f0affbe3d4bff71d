"""Node types that NIR does not define, with equations of their own, or as small graphs: files of `--load-node`, and packages with the entry point `nopt.nodes`.

    neuron adaptive for my_cell

A neuron that is declared for `my_cell` serves nodes with `type = "my_cell"`: the node becomes a population with these equations, whose parameters are the
entries of the node. A document of `node_templates.py` makes a node a graph of synapses and populations. The folder `proposals` has files for types that the community
of NIR discusses, which `--load-node` accepts by their name: `--load-node refractory`. An entry point names the path of a file:

    [project.entry-points."nopt.nodes"]
    my_cell = "my_package.cells:FILE"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NoReturn

from ...core.diagnostics import Code, refuse
from ...core.ir.source import decode_text
from ...core.neuron.neuron import check_neuron, parse_neurons
from ...core.neuron.tree import Neuron, NeuronFile, format
from ..nir_graph import PRIMITIVES
from .node_templates import NodeTemplate, templates_of

NIF049 = Code("NIF049", "node-type-not-loadable", "a file defines no new type of nodes")

GROUP = "nopt.nodes"
PROPOSALS = Path(__file__).parent / "proposals"
NodeType = str | NodeTemplate
"""The equations of a type, or its graph."""
LOADED: dict[str, NodeType] = {}
"""Types of files that were loaded in this process."""
RESERVED = (*PRIMITIVES, "Input", "NIRGraph", "Output")


def load_node_types(path: str | Path) -> tuple[str, ...]:
    """Loads the types of nodes of a file, and returns them. A later file replaces a type of an earlier one.

    `path` may be the name of a file that nopt ships. Errors: COR008 a file that cannot be read; those of the neuron language; NIF049 a file without a new type; NIF054 a graph.
    """
    found = types_of_file(proposals().get(str(path), Path(path)))
    LOADED.update(found)
    return tuple(found)


@cache
def proposals() -> Mapping[str, Path]:
    """Returns the files that nopt ships, by name."""
    return {path.stem: path for path in sorted(PROPOSALS.iterdir()) if path.suffix in (".json", ".neuron")}


def serving_proposals(type: str) -> list[str]:
    """Returns the names of shipped files that declare a type."""
    return [name for name, path in proposals().items() if type in types_of_file(path)]


def types_of_file(path: Path) -> Mapping[str, NodeType]:
    """Returns the equations or the graph of each type that a file declares."""
    from ...core.files import read_head

    if read_head(path).lstrip().startswith(b"{"):
        graphs = {name: one for name, one in templates_of(path).items() if is_new(name)}
        if not graphs:
            refuse_known(path)
        return dict[str, NodeType](graphs)
    found: dict[str, NodeType] = {}
    for neuron in parse_neurons(decode_text(path.read_bytes(), str(path)), str(path)).neurons:
        check_neuron(neuron)
        found |= dict.fromkeys(new_types(neuron), format(NeuronFile(None, (neuron,))))
    if not found:
        refuse_known(path)
    return found


def refuse_known(path: Path) -> NoReturn:
    """Refuses a file that serves types of NIR alone. Errors: NIF049."""
    refuse(
        NIF049,
        at=str(path),
        expected="a line `neuron NAME for TYPE` with a type that NIR does not define",
        found="types of NIR alone, or none",
        help="--like FILE replaces the equations of a type of NIR",
    )


def is_new(name: str) -> bool:
    return name.lower().replace("_", "") not in {one.lower().replace("_", "") for one in RESERVED}


def new_types(neuron: Neuron) -> list[str]:
    """Returns the types that a neuron is declared for and that NIR does not define."""
    names = [name.removeprefix("nir.") for name in neuron.families]
    return list(filter(is_new, names))


@cache
def installed_types() -> Mapping[str, NodeType]:
    """Returns the types of installed packages."""
    found: dict[str, NodeType] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        found |= types_of_file(Path(point.load()))
    return found


def own_contents(type: Any, data: Mapping[Any, Any]) -> dict[Any, Any] | None:
    """Returns a node of an unknown type as a node with equations, or as a nested graph; None if no file defines the type. Errors: NIF055."""
    if not isinstance(type, str):
        return None
    equations = LOADED.get(type) or installed_types().get(type)
    if equations is None:
        return None
    if isinstance(equations, NodeTemplate):
        return equations.contents(type, data)
    params = {name: value for name, value in data.items() if name not in ("type", "metadata")}
    found: dict[Any, Any] = {"type": "Neuron", "equations": equations, "params": params}
    return found | {name: data[name] for name in ("metadata",) if name in data}
