"""Costs of trees on a mesh: no trees have no costs."""

from __future__ import annotations

import numpy as np

from nopt.core.routing.mesh_covers import MeshCovers


def test_no_trees_have_no_costs() -> None:
    covers = MeshCovers(np.arange(3.0), np.arange(4.0))
    none, source = np.zeros((0, 12), np.bool_), np.zeros(0, np.int64)
    spans = covers.spans(source, none)
    assert covers.costs(source, none).shape == (0,)
    for changes in (covers.source_costs(none), spans.added(), spans.removed()):
        assert changes.shape == (0, 12)
