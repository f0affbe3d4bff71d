"""The links of multicast trees in dimension order, for all nets of a placement at once.

    0 -- 1 -- 2 -- 3      from core 1 to the cores marked *, along x first: 1 to 2, 2 to 3, then down from 2 and from 3
              |    |
              *    6
                   |
                   *

A tree goes along its source's row as far as a target lies, and from there along the columns; routers that go along y first exchange the two.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen

from ...analysis.placement_problem import Problem
from ...core.arrays.numeric import Ints, Reals
from ...core.device.mesh import Mesh


@frozen(eq=False)
class Trees:
    """A tree for every net, as links from core to core; a link follows the one that leads to it.

    Shapes: start [nets + 1]: where the links of each net start; tail and head [links]: cores.
    """

    mesh: Mesh
    start: Ints
    tail: Ints
    head: Ints

    def links(self, net: int) -> Ints:
        """Returns the links of a net as [x0, y0, x1, y1], with the chip before x where there are several. Shapes: [links, 4] or [links, 6]."""
        mine = slice(int(self.start[net]), int(self.start[net + 1]))
        return np.concatenate([spots(self.mesh, self.tail[mine]), spots(self.mesh, self.head[mine])], axis=1)

    def cost(self, activity: Reals) -> float:
        """Activity times what the links of each tree cost."""
        mesh, own = self.mesh, self.mesh.width * self.mesh.height
        price = mesh.hop + mesh.crossing * (self.tail // own != self.head // own)
        return float(np.repeat(activity, np.diff(self.start)) @ price)

    def entries(self, source: Ints) -> Ints:
        """How many nets pass each core's router or start there; one without links needs none. Shapes: source [nets]: cores; result [cores]."""
        size = np.diff(self.start)
        return np.bincount(np.concatenate([self.head, source[size > 0]]), minlength=self.mesh.cores)


def spots(mesh: Mesh, core: Ints) -> Ints:
    chip, place = np.divmod(core, mesh.width * mesh.height)
    parts = [place % mesh.width, place // mesh.width]
    return np.stack([chip, *parts] if mesh.chips > 1 else parts, axis=1)


def trees_of(problem: Problem, core: Ints) -> Trees:
    """Returns the tree of every net where vertex v is on `core[v]`. Shapes: core [vertices]."""
    mesh = problem.mesh
    a, b = (mesh.x, mesh.y) if mesh.is_x_first else (mesh.y, mesh.x)
    places = mesh.columns if mesh.is_x_first else mesh.rows
    net = np.repeat(np.arange(problem.nets), np.diff(problem.start))
    source, target = core[problem.source], core[problem.target]
    a0, b0 = a[source], b[source]
    ahead, behind = np.zeros((2, problem.nets), np.int64)
    np.maximum.at(ahead, net, a[target] - a0[net])
    np.maximum.at(behind, net, a0[net] - a[target])
    branch, place = np.unique(net * places + a[target], return_inverse=True)
    owner, column = np.divmod(branch, places)
    up, down = np.zeros((2, len(branch)), np.int64)
    np.maximum.at(up, place, b[target] - b0[net])
    np.maximum.at(down, place, b0[net] - b[target])
    every = np.arange(problem.nets)
    zero, one = np.zeros(problem.nets, np.int64), np.zeros(len(branch), np.int64)
    runs = [
        (every, a0, b0, zero + 1, zero, ahead),
        (every, a0, b0, zero - 1, zero, behind),
        (owner, column, b0[owner], one, one + 1, up),
        (owner, column, b0[owner], one, one - 1, down),
    ]
    owner, x, y, dx, dy, length = (np.concatenate(part) for part in zip(*runs, strict=True))
    run = np.repeat(np.arange(len(owner)), length)
    step = np.arange(len(run)) - np.repeat(np.cumsum(length) - length, length)
    order = np.argsort(owner[run], kind="stable")
    run, step = run[order], step[order]
    at = [(x[run] + dx[run] * k, y[run] + dy[run] * k) for k in (step, step + 1)]
    tail, head = (mesh.core(*(one if mesh.is_x_first else one[::-1])) for one in at)
    size = np.bincount(owner[run], minlength=problem.nets)
    return Trees(mesh, np.concatenate([[0], np.cumsum(size)]), np.asarray(tail), np.asarray(head))
