"""Weights of synapses that learn, over the ticks of a run: which records a report needs, and their values.

A record `NODE.weight@100ticks` that the user asked for sets the interval; otherwise a run has at most 40 rows. With the mode `continue` the rows of all samples
follow each other, and with `sample` those of the first sample are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import frozen

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Reals
from ...core.ir.operation import shape_of
from ...dialects.ntensor import NetworkOp, SynapseOpInterface
from ...simulation.records import INTERVAL, WEIGHT
from ..running.learning import LearnMode, plastic_nodes

ROWS = 40
"""Largest number of rows of a record that the user did not specify."""
NODES = 4
"""Largest number of nodes whose weights are drawn."""
MOST_VALUES = 4_000_000
"""Largest number of values of such a record; at least two rows are recorded."""


@frozen
class Learning:
    """How a run of a report learns."""

    records: tuple[str, ...] = ()
    """Records of the user, such as `fc.weight@100ticks`."""
    mode: LearnMode = "sample"


ONCE = Learning()
"""Each sample starts with the weights of the network, and the report chooses the intervals."""


@frozen
class WeightHistory:
    """Weights of a node at the start and after every interval. Shapes: values [rows, weights]."""

    values: Reals
    ticks: tuple[int, ...]
    """The tick of each row; the first is 0, before the first tick."""
    fields: tuple[int, ...] | None
    """The shape of the sources if each target has a weight for each of them; the weights are then [targets, sources]."""


def weight_records(network: NetworkOp, ticks: int, requested: Sequence[str]) -> dict[str, str]:
    """Returns the record of the weights of each node that learns, with its interval."""
    found: dict[str, str] = {}
    own = [match for name in requested for one in name.split(",") if (match := INTERVAL.fullmatch(one.strip()))]
    intervals = {match[1].removesuffix(f".{WEIGHT}"): int(match[2]) for match in own if match[1].endswith(f".{WEIGHT}")}
    for node, op in list(plastic_nodes(network).items())[:NODES] if ticks else ():
        size = max(1, op.weights.data.size if op.weights is not None else 1)
        rows = min(ROWS, max(2, MOST_VALUES // size))
        every = intervals.get(node) or -(-ticks // rows)
        if every <= ticks:
            found[node] = f"{node}.{WEIGHT}@{every}ticks"
    return found


def weight_histories(
    network: NetworkOp, arrays: Mapping[str, AnyArray], records: Mapping[str, str], ticks: int, mode: LearnMode
) -> dict[str, WeightHistory]:
    """Returns the weights of each recorded node. Shapes: arrays [samples, rows, *weights]."""
    found: dict[str, WeightHistory] = {}
    for node, op in plastic_nodes(network).items():
        if node not in records or (first := first_weights(op)) is None:
            continue
        array = np.asarray(arrays[records[node]], np.float64)
        samples, rows = array.shape[:2]
        shown = samples if mode == "continue" else 1
        match = INTERVAL.fullmatch(records[node])
        assert match is not None  # weight_records adds an interval
        every = int(match[2])
        later = [sample * ticks + (row + 1) * every for sample in range(shown) for row in range(rows)]
        values = np.concatenate([first[None], array[:shown].reshape(shown * rows, -1)])
        found[node] = WeightHistory(values, (0, *later), field_shape(op))
    return found


def first_weights(op: SynapseOpInterface) -> Reals | None:
    """Returns the weights before the first tick in the unit of the network, flat."""
    weight, quantized = op.properties.get("weight"), op.quantized_weights
    if not isinstance(weight, ArrayAttr):
        return None
    values = weight.values if quantized is None else quantized.values_of(weight.values, np.dtype(np.float64))
    return np.asarray(values, np.float64).reshape(-1)


def field_shape(op: SynapseOpInterface) -> tuple[int, ...] | None:
    """Returns the shape of the sources of a dense op: height and width, or one of a square number of sources."""
    sources, targets = shape_of(op.x), shape_of(op.y)
    size = int(np.prod(sources))
    if op.weights is None or op.weights.shape != (*targets, size) or len(targets) != 1:
        return None
    side = int(size**0.5)
    return sources if len(sources) == 2 else (side, side) if side > 1 and side * side == size else None
