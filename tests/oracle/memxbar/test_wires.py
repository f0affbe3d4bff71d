"""Wires reduce currents as in a circuit: the nodal equations of the array, solved directly, for arrays of several sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve

from nopt.targets.memxbar.wires import column_currents, transfer

SIZES = [(16, 16), (64, 32), (128, 128)]
HIGHEST = 25e-6


def solved_currents(conductance: Any, voltage: Any, ohm: float) -> Any:
    """Returns the currents of the columns, from Kirchhoff's law at all nodes of rows and columns."""
    rows, columns = conductance.shape
    wire, size = 1 / ohm, rows * columns
    node = np.arange(size).reshape(rows, columns)
    pairs = [
        (node[:, :-1], size * 0 + node[:, 1:], np.full((rows, columns - 1), wire)),
        (size + node[:-1], size + node[1:], np.full((rows - 1, columns), wire)),
        (node, size + node, conductance),
    ]
    first, second, value = (np.concatenate([part[k].reshape(-1) for part in pairs]) for k in range(3))
    diagonal = np.bincount(first, value, 2 * size) + np.bincount(second, value, 2 * size)
    diagonal[node[:, 0]] += wire  # the drivers
    diagonal[size + node[-1]] += wire  # the converters, at 0 V
    every = np.arange(2 * size)
    entries = np.concatenate([-value, -value, diagonal])
    places = (np.concatenate([first, second, every]), np.concatenate([second, first, every]))
    matrix = coo_array((entries, places), shape=(2 * size, 2 * size)).tocsc()
    right = np.zeros(2 * size)
    right[node[:, 0]] = wire * voltage
    return spsolve(matrix, right)[size + node[-1]] * wire


@pytest.mark.parametrize("ohm", [0.15, 1.0, 5.0])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_currents_are_those_of_the_circuit(size: tuple[int, int], ohm: float) -> None:
    rng = np.random.default_rng(3)
    conductance = rng.uniform(0.05, 1, size) * HIGHEST
    voltage = 0.2 * (rng.random(size[0]) < 0.5)
    mine, wanted = column_currents(conductance, voltage[None], ohm)[0], solved_currents(conductance, voltage, ohm)
    assert (np.abs(mine - wanted) <= 0.01 * wanted).all()
    ideal = voltage @ conductance
    loss = 1 - wanted / ideal
    assert loss.max() > 2e-4 * ohm  # the wires have an effect
    if size == SIZES[0]:
        assert np.allclose(voltage @ transfer(conductance, ohm), wanted, rtol=1e-6)
