"""Resources that vertices on one core share (a core needs their union), as plain arrays: input axons and classes of parameters.

A vertex uses a set of elements, and a core needs the weight of the union of its vertices' sets. Elements that are in the same sets are one
element with their number as its weight: of a dense layer that is cut into slices, all axons are one element.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from attrs import frozen

from ..core.arrays.numeric import Bools, Ints
from ..core.arrays.unique_integers import unique_integers
from ..dialects.chip_base.sharing import Contents


@frozen(eq=False)
class JoinedResource:
    """The elements that each vertex uses of one resource.

    Shapes: start [vertices + 1], element [start[-1]], ascending for each vertex; weight [elements].
    """

    start: Ints
    element: Ints
    weight: Ints

    def elements(self, vertex: int) -> Ints:
        return self.element[self.start[vertex] : self.start[vertex + 1]]

    def count(self, vertices: Sequence[int]) -> int:
        """Returns the need of some vertices; an element that several use counts once."""
        if not len(vertices):
            return 0
        used = unique_integers(np.concatenate([self.elements(one) for one in vertices]))
        return int(self.weight[used].sum())

    @property
    def total(self) -> int:
        """Returns the need of all vertices; an element that several vertices use counts once."""
        return int(self.weight.sum())


def joined_axons(names: Sequence[str], contents: Mapping[str, Contents]) -> JoinedResource:
    """Returns the input axons that vertices use; a vertex without contents uses no axon."""
    users: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        for source in contents[name].axons if name in contents else ():
            users.setdefault(source, []).append(k)
    vertex, element, weights, count = list[Ints](), list[Ints](), list[Ints](), 0
    for source, listed in users.items():
        masks = np.stack([contents[names[k]].axons[source] for k in listed])
        bits = np.unpackbits(masks, axis=1).astype(np.bool_)
        held, weight = distinct_columns(bits[:, bits.any(axis=0)])
        row, column = np.nonzero(held)
        vertex.append(np.asarray(listed)[row])
        element.append(column + count)
        weights.append(weight)
        count += len(weight)
    return joined_from(len(names), vertex, element, weights)


def distinct_columns(bits: Bools) -> tuple[Bools, Ints]:
    """Returns the distinct columns of a matrix, and how often each occurs."""
    if not bits.size:
        return bits[:, :0], np.zeros(0, np.int64)
    packed = np.ascontiguousarray(np.packbits(bits, axis=0).T)
    _, first, counts = np.unique(packed.view(f"V{packed.shape[1]}")[:, 0], return_index=True, return_counts=True)
    return bits[:, first], counts.astype(np.int64)


def joined_classes(names: Sequence[str], contents: Mapping[str, Contents], group: str) -> JoinedResource:
    """Returns the parameter classes that vertices use, for one group of parameters; a vertex without contents uses no class."""
    known: dict[Hashable, int] = {}
    vertex, element = list[Ints](), list[Ints]()
    for k, name in enumerate(names):
        classes = sorted(contents[name].classes.get(group, ())) if name in contents else []
        element.append(np.array([known.setdefault(one, len(known)) for one in classes], np.int64))
        vertex.append(np.full(len(classes), k))
    return joined_from(len(names), vertex, element, [np.ones(len(known), np.int64)])


def joined_from(count: int, vertex: list[Ints], element: list[Ints], weight: list[Ints]) -> JoinedResource:
    """Returns the resource of pairs of a vertex and an element."""
    none = np.zeros(0, np.int64)
    vertices, elements = (np.concatenate([none, *part]) for part in (vertex, element))
    order = np.lexsort((elements, vertices))
    start = np.concatenate([[0], np.cumsum(np.bincount(vertices, minlength=count))])
    return JoinedResource(start.astype(np.int64), elements[order], np.concatenate([none, *weight]))
