"""The cores that the multicast trees of one vertex reach.

All trees are checked at once. They are valid if each router is entered once, after the link that leads to the router at its other end, which is the
order in which routes are written. Other trees are followed one by one, which names the first invalid link.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen

from ..arrays.numeric import Bools, Ints
from ..device.topology import Topology


@frozen
class TreeFault:
    """An invalid link of a tree."""

    tree: int
    link: int
    """Its index among the links of the tree."""
    message: str
    is_unknown: bool
    """Whether the device does not have the link, so that the tree reaches nothing."""


@frozen(eq=False)
class Forest:
    """Pairs of a tree and a core that it reaches, by core, then by tree. Shapes: tree and core [pairs]."""

    tree: Ints
    core: Ints
    fault: TreeFault | None

    def trees_to(self, core: int) -> Ints:
        """Returns the trees that reach a core."""
        low, high = np.searchsorted(self.core, [core, core + 1])
        return self.tree[low:high]


def follow_trees(topology: Topology, links: Ints, first: Ints, start: int) -> Forest:
    """Follows the trees of a core. Shapes: links [links, columns], integers from 0; first [trees + 1]: where the links of each tree start."""
    count = len(first) - 1
    if topology.link_layout != "medium" and topology.has_form(links):
        if not len(links):
            return forest_of(topology, np.arange(count), np.full(count, topology.router(start)), None)
        if topology.find_fault(links) is None:
            tail, head = topology.link_ends(links)
            root = int(topology.router(start))
            if are_trees(tail, head, first, root):
                tree = np.concatenate([np.arange(count), np.repeat(np.arange(count), np.diff(first))])
                return forest_of(topology, tree, np.concatenate([np.full(count, root), head]), None)
    return walk_one_by_one(topology, links, first, start)


def are_trees(tail: Ints, head: Ints, first: Ints, root: int) -> bool:
    """Returns whether all runs of links are trees from a root, each link after those that lead to it. Shapes: tail and head [links], first [trees + 1]."""
    tree = np.repeat(np.arange(len(first) - 1), np.diff(first))
    routers = int(max(tail.max(), head.max())) + 1
    entered = tree * routers + head
    order = np.argsort(entered, kind="stable")
    ordered = entered[order]
    left = tree * routers + tail
    place = np.minimum(np.searchsorted(ordered, left), len(ordered) - 1)
    is_later = (ordered[place] == left) & (order[place] < np.arange(len(tail)))
    is_once: Bools = ordered[1:] != ordered[:-1]
    return bool(is_once.all() and (head != root).all() and (is_later | (tail == root)).all())


def forest_of(topology: Topology, tree: Ints, router: Ints, fault: TreeFault | None) -> Forest:
    """Returns the trees at all cores of the routers. Shapes: tree and router [pairs], each pair once."""
    if topology.slots > 1:
        tree = np.repeat(tree, topology.slots)
        router = (router[:, None] + np.arange(topology.slots)).reshape(-1)
    order = np.lexsort((tree, router))
    return Forest(tree[order], router[order], fault)


def walk_one_by_one(topology: Topology, links: Ints, first: Ints, start: int) -> Forest:
    """Follows each tree by itself."""
    trees, cores = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    faults = list[TreeFault]()
    for k in range(len(first) - 1):
        walk = topology.follow(links[first[k] : first[k + 1]], start)
        trees.append(np.full(len(walk.reached), k))
        cores.append(np.array(sorted(walk.reached), np.int64))
        if walk.fault is not None:
            message, link = walk.fault
            faults.append(TreeFault(k, link, message, not walk.reached))
    fault = next((one for one in faults if one.is_unknown), faults[0] if faults else None)
    tree, core = np.concatenate(trees), np.concatenate(cores)
    order = np.lexsort((tree, core))
    return Forest(tree[order], core[order], fault)
