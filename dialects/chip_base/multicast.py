"""Ops that hold the multicast trees of one vertex as arrays, one op for all of them.

trees    [[links, neurons], …]        default: one tree with all links, for all neurons that are listed
links    of the first tree, then of the second, …
neurons  of the first tree, then of the second, …; a tree without neurons in the list is used by all of them
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from xdsl.irdl import opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Bools, Ints
from ...core.arrays.runs import indices_of_runs
from ...core.device.topology import Topology
from ...core.ir.operation import NoptOperation
from ...core.routing.forest import Forest, follow_trees


class MulticastOp(NoptOperation):
    """Base of ops with the multicast trees of one vertex. Shapes: links [links, columns]; trees [trees, 2], links and neurons of each; neurons [n]."""

    links = prop_def(ArrayAttr)
    trees = opt_prop_def(ArrayAttr)
    neurons = opt_prop_def(ArrayAttr)

    @property
    def tree_sizes(self) -> Ints:
        """Returns the number of links and of listed neurons of each tree. Shapes: [trees, 2]."""
        if self.trees is not None:
            return self.trees.values.astype(np.int64)
        return np.array([[self.links.shape[0], 0 if self.neurons is None else self.neurons.shape[0]]], np.int64)

    @property
    def first_links(self) -> Ints:
        """Returns where the links of each tree start. Shapes: [trees + 1]."""
        return starts_of(self.tree_sizes[:, 0])

    @property
    def listed_neurons(self) -> Ints:
        """Returns the listed neurons of all trees."""
        return np.zeros(0, np.int64) if self.neurons is None else self.neurons.values.astype(np.int64)

    def users(self) -> Iterator[Ints | None]:
        """Yields the neurons that use each tree, by their index in the vertex; None for all."""
        sizes, listed = self.tree_sizes[:, 1], self.listed_neurons
        for low, size in zip(starts_of(sizes).tolist(), sizes.tolist(), strict=False):
            yield listed[low : low + size] if size else None

    def user_counts(self, neurons: int) -> Ints:
        """Returns the number of neurons that use each tree of a vertex with `neurons`. Shapes: [trees]."""
        sizes = self.tree_sizes[:, 1]
        return np.where(sizes > 0, sizes, neurons)

    def tree_links(self) -> Iterator[Ints]:
        """Yields the links of each tree."""
        links, first = self.links.values, self.first_links
        for k in range(len(first) - 1):
            yield links[first[k] : first[k + 1]]

    def follow(self, topology: Topology, start: int) -> Forest:
        """Returns the cores that the trees reach from the core of the vertex."""
        return follow_trees(topology, self.links.values.astype(np.int64), self.first_links, start)

    def served(self, trees: Ints, neurons: int) -> Bools:
        """Returns which neurons of a vertex with `neurons` use one of some trees. Shapes: result [neurons]."""
        sizes, found = self.tree_sizes[:, 1], np.zeros(neurons, np.bool_)
        if (sizes[trees] == 0).any():
            found[:] = True
        else:
            found[self.listed_neurons[indices_of_runs(starts_of(sizes)[trees], sizes[trees])]] = True
        return found

    def find_size_fault(self) -> tuple[str, str, str] | None:
        """Returns the subject, the expected and the found form if the sizes of the trees do not fit links and neurons; those are verified before."""
        if self.neurons is not None and not self.neurons.shape[0]:
            return "neurons", "at least one neuron, or no list", "none"
        if self.trees is None:
            return None
        shape = self.trees.shape
        if len(shape) != 2 or shape[1] != 2 or not shape[0]:
            return "trees", "[trees, 2] of links and neurons, at least one tree", str(list(shape))
        counts = (self.links.shape[0], len(self.listed_neurons))
        for what, total, held in zip(("links", "neurons"), self.tree_sizes.sum(axis=0).tolist(), counts, strict=True):
            if total != held:
                return f"the number of {what}", f"{total}, the sum over trees", str(held)
        return None


def starts_of(sizes: Ints) -> Ints:
    """Returns where each of several runs starts, and where the last ends. Shapes: sizes [n], result [n + 1]."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
