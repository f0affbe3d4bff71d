"""Mapping that an earlier compilation chose and a new one keeps: an attribute of a network, and of its machine graph until it is placed.

    machine.kept = {device = "asic/mesh", file = "build/mapping.json", moved = ["lif2"],
                    layers = [{node = "lif1", boxes = #nopt.array<[[[0, 64]]] …>, places = #nopt.array<[[0, 1, 2, 0]] …>}, …]}

`layers` holds the populations of the earlier network without those that shall move (`moved`). Each has the slices and the order of the plan, and for each
slice the place of its core: the chip, the column, the row, and the slot. A population keeps its slices if it has the same name and the same shape (`KeptLayer.slicing_of`),
and a vertex keeps its core if its population has these slices (`kept_places`).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.topology import Topology
from ...core.diagnostics import Code, invalid
from ...core.help_text import Option, Phrase, WithoutOptions
from ...core.ir.pipeline import option_text
from ..chip_base.slicing import Slicing
from .graph import GraphOp

MCH018 = Code("MCH018", "kept-mapping-invalid", "the attribute with a kept mapping is invalid")

MACHINE_KEPT = "machine.kept"
"""The attribute."""
KEEP_MAPPING, KEEP_OPTION, MOVE_OPTION = "ntensor-keep-mapping", "--keep-mapping", "--move"
"""The pass that sets it, and the options of `compile` for that."""
WITHOUT_MAPPING = Phrase(WithoutOptions((KEEP_OPTION, MOVE_OPTION), in_pipeline=f"leave {KEEP_MAPPING} out"))
"""The help with which no mapping is kept."""

CorePlace = tuple[int, int, int, int]
"""The chip of a core, its column, its row and its slot."""


@frozen(eq=False)
class KeptLayer:
    """The slices of a population, and their places. Shapes: boxes [slices, axes, 2], order [neurons], places [slices, 4]."""

    node: str
    boxes: Ints
    order: Ints | None
    places: Ints

    def slicing_of(self, shape: tuple[int, ...]) -> Slicing | None:
        """Returns the slices of a population of this shape; None if the shape was another."""
        if self.order is not None:
            fits = len(self.order) == int(np.prod(shape)) and self.boxes.shape[1] == 1
        else:
            fits = self.boxes.shape[1] == len(shape) and (self.boxes[:, :, 1].max(axis=0) == shape).all()
        return Slicing(shape, self.boxes, self.order) if fits else None

    def as_attribute(self) -> DictionaryAttr:
        entries: dict[str, Attribute] = {"node": StringAttr(self.node), "boxes": ArrayAttr.of(self.boxes)}
        if self.order is not None:
            entries["order"] = ArrayAttr.of(self.order)
        return DictionaryAttr(entries | {"places": ArrayAttr.of(self.places)})


@frozen(eq=False)
class KeptMapping:
    """The layers that keep their mapping, by name."""

    device: str
    file: str
    moved: Sequence[str]
    layers: dict[str, KeptLayer]

    def put(self, op: Operation) -> None:
        """Sets the attribute of a network."""
        op.attributes[MACHINE_KEPT] = DictionaryAttr(
            {
                "device": StringAttr(self.device),
                "file": StringAttr(self.file),
                "moved": ListAttr([StringAttr(name) for name in self.moved]),
                "layers": ListAttr([one.as_attribute() for one in self.layers.values()]),
            }
        )

    def move_help(self, names: Iterable[str]) -> Phrase:
        """Returns the option that maps further layers anew."""
        moved = tuple(dict.fromkeys([*self.moved, *names]))
        step = f"{KEEP_MAPPING}{{mapping={option_text(self.file)} move={option_text(moved)}}}"
        return Phrase(Option(step, f"{MOVE_OPTION} {shlex.quote(','.join(moved))}"))

    @staticmethod
    def of(op: Operation) -> KeptMapping | None:
        """Returns the mapping that a network or a graph keeps; None if it keeps none."""
        if (given := op.attributes.get(MACHINE_KEPT)) is None:
            return None
        entries = attributes_in(given)
        device, file, moved, listed = (entries.get(name) for name in ("device", "file", "moved", "layers"))
        layers = [layer_of(one) for one in members_of(listed)]
        if not isinstance(device, StringAttr) or not isinstance(file, StringAttr) or None in layers:
            invalid(
                op,
                MCH018,
                f"{MACHINE_KEPT} is invalid",
                expected="device, file, moved and layers",
                found=str(given)[:80],
            )
        names = [one.data for one in members_of(moved) if isinstance(one, StringAttr)]
        return KeptMapping(device.data, file.data, names, {one.node: one for one in layers if one is not None})


def attributes_in(attribute: Attribute) -> Mapping[str, Attribute]:
    return attribute.data if isinstance(attribute, DictionaryAttr) else {}


def members_of(attribute: Attribute | None) -> Iterator[Attribute]:
    yield from cast("ListAttr[Attribute]", attribute) if isinstance(attribute, ListAttr) else ()


def layer_of(attribute: Attribute) -> KeptLayer | None:
    """Returns the layer of an attribute; None if a part is missing, or has another form."""
    entries = attributes_in(attribute)
    arrays = {name: one.values.astype(np.int64) for name, one in entries.items() if isinstance(one, ArrayAttr)}
    node, boxes, places = entries.get("node"), arrays.get("boxes"), arrays.get("places")
    if not isinstance(node, StringAttr) or boxes is None or places is None:
        return None
    is_valid = boxes.ndim == 3 and boxes.shape[2] == 2 and len(boxes) and places.shape == (len(boxes), 4)
    return KeptLayer(node.data, boxes, arrays.get("order"), places) if is_valid else None


def kept_places(graph: GraphOp) -> Iterator[tuple[str, CorePlace]]:
    """Yields the vertices of a graph that keep their place: those of layers whose slices are the earlier ones."""
    kept = KeptMapping.of(graph)
    if kept is None:
        return
    populations = graph.populations
    for name, vertices in graph.vertices_by_source().items():
        layer = kept.layers.get(name)
        order = populations[name].order if name in populations else None
        if layer is None or not has_slices(layer, [one.box.values for one in vertices], order):
            continue
        for vertex, place in zip(vertices, layer.places.tolist(), strict=True):
            yield vertex.node.data, tuple(place)


def has_slices(layer: KeptLayer, boxes: Sequence[Ints], order: ArrayAttr | None) -> bool:
    """Returns whether the slices and the order of neurons are those of a layer."""
    if (order is None) != (layer.order is None) or len(boxes) != len(layer.boxes):
        return False
    if order is not None and not np.array_equal(order.values, cast("Ints", layer.order)):
        return False
    return all(np.array_equal(*pair) for pair in zip(boxes, layer.boxes, strict=True))


def cores_of_places(topology: Topology) -> dict[CorePlace, int]:
    """Returns the core of each place of a device."""
    return {(*topology.place(core), topology.slot(core)): core for core in range(topology.cores)}
