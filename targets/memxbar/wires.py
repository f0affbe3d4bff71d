"""Resistance of the wires of an array: the currents of its columns, for voltages at its rows.

    row voltage -- r -- o -- r -- o -- r -- …        each o of a row and the o of a column below it are joined by a cell
                        |         |
    each column:        o -- r -- o -- … -- r -- 0 V

A wire has the resistance r between two cells, between the driver and the first cell of a row, and between the last cell of a column and its
converter, which holds 0 V. The currents are linear in the voltages. Each sweep solves all rows for the voltages of the columns, then all columns for
those of the rows: tridiagonal systems, by the Thomas algorithm. Sweeps repeat until no voltage changes by more than `TOLERANCE`.

Units: conductances [S], resistance [ohm].
Source: block Gauss-Seidel on the nodal equations; Chen, IEEE Trans. Electron Devices 60:1318 (2013), for the circuit.
"""

from __future__ import annotations

import numpy as np

from ...core.arrays.numeric import Reals

TOLERANCE = 1e-9
MOST_SWEEPS = 2000
BATCH = 32
"""Rows that are driven at a time."""


def transfer(conductance: Reals, ohm: float) -> Reals:
    """Returns the current of each column for 1 V at each row: the conductances that the wires leave. Shapes: [rows, columns]."""
    if not ohm:
        return conductance
    rows = len(conductance)
    found = np.empty_like(conductance, np.float64)
    for first in range(0, rows, BATCH):
        driven = np.arange(first, min(first + BATCH, rows))
        voltage = np.zeros((len(driven), rows))
        voltage[np.arange(len(driven)), driven] = 1.0
        found[driven] = column_currents(conductance, voltage, ohm)
    return found


def column_currents(conductance: Reals, voltage: Reals, ohm: float) -> Reals:
    """Returns the currents of the columns. Shapes: conductance [rows, columns], voltage [n, rows], result [n, columns]."""
    g = conductance * ohm  # in units of the conductance of a wire
    rows, columns = g.shape
    upper = np.broadcast_to(voltage[:, :, np.newaxis], (len(voltage), rows, columns)).copy()
    lower = np.zeros_like(upper)
    # a node has two wires; the last one of a row, and the first one of a column, has one
    along = 2.0 + g
    along[:, -1] -= 1.0
    down = 2.0 + g
    down[0] -= 1.0
    for _ in range(MOST_SWEEPS):
        source = g * lower
        source[:, :, 0] += voltage
        upper = solve(along, source)
        after = solve(down.T, (g * upper).swapaxes(1, 2)).swapaxes(1, 2)
        change = float(np.abs(after - lower).max(initial=0))
        lower = after
        if change <= TOLERANCE * float(np.abs(lower).max(initial=0)):
            break
    return lower[:, -1] / ohm


def solve(diagonal: Reals, right: Reals) -> Reals:
    """Solves tridiagonal systems along the last axis, with -1 next to the diagonal. Shapes: diagonal [lines, n], right [batch, lines, n]."""
    size = right.shape[-1]
    pivot, found = np.empty_like(diagonal), np.empty_like(right)
    pivot[:, 0], found[..., 0] = diagonal[:, 0], right[..., 0]
    for k in range(1, size):
        pivot[:, k] = diagonal[:, k] - 1.0 / pivot[:, k - 1]
        found[..., k] = right[..., k] + found[..., k - 1] / pivot[:, k - 1]
    found[..., -1] /= pivot[:, -1]
    for k in range(size - 2, -1, -1):
        found[..., k] = (found[..., k] + found[..., k + 1]) / pivot[:, k]
    return found
