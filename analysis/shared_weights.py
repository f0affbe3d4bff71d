"""Ops with weights and sums of reals, by the populations that their sums reach."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from ..core.ir.graph_region import walk_upstream
from ..core.ir.operation import element_type
from ..dialects import ntensor

Weighted = ntensor.SynapseOpInterface


def adds_reals(value: SSAValue) -> bool:
    return isinstance(element_type(value), Float32Type | Float64Type)


def weights_into(population: ntensor.NeuronOp) -> Iterator[Weighted]:
    """Yields the synapse ops with weights and sums of reals whose paths to a population pass through no other population."""
    for value in walk_upstream(population.xs, lambda op: not isinstance(op, ntensor.NeuronOp)):
        if isinstance(op := value.owner, Weighted) and op.has_quantized_weights and adds_reals(op.y):
            yield op


def populations_by_weights(network: ntensor.NetworkOp) -> list[tuple[list[ntensor.NeuronOp], list[Weighted]]]:
    """Returns the populations that share ops with weights, with these ops, in the order of the network."""
    weights = {op: [*weights_into(op)] for op in network.populations}
    sets, reader = DisjointSet(list(weights)), dict[Weighted, ntensor.NeuronOp]()  # pyrefly: ignore[bad-specialization]
    for population, ops in weights.items():
        for op in ops:
            sets.union(population, reader.setdefault(op, population))
    members: dict[ntensor.NeuronOp, list[ntensor.NeuronOp]] = {}
    for population, ops in weights.items():
        if ops:
            members.setdefault(sets.find(population), []).append(population)
    return [(some, list(dict.fromkeys(op for each in some for op in weights[each]))) for some in members.values()]
