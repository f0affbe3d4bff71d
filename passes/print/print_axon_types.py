"""Prints the axons of the crossbar cores of a network; the network stays as it is.

    remark[MAP015]: axon types of @net
      note: "hid" slice 0: 4 neurons, 12 axons of 8 sources (4 duplicates), types 6 + 6, 31 synapses

Populations whose weights have no axon types (`ntensor-fit-axon-types`) are omitted.

Errors: NTE009 a network in continuous time; ANA005 ops of one population that disagree; ANA038, ANA039, ANA040.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...analysis.axon_types import population_axons
from ...analysis.wiring import wiring_of
from ...core.diagnostics import Code
from ...dialects import ntensor
from ..pipelines import MERGE_SUMS
from ._remarks import PrintPass

MAP015 = Code("MAP015", "axon-types-printed", "the axon types of a network")


@dataclass(frozen=True)
class PrintAxonTypesPass(PrintPass):
    """Prints the axons of every slice of each `ntensor.network` with axon types, as a remark."""

    name = "print-axon-types"
    remark = MAP015
    subject = "axon types"

    def lines(self, network: ntensor.NetworkOp) -> Iterator[str]:
        """Yields a line for every slice of a population with axon types."""
        for name, slices in population_axons(wiring_of(network, MERGE_SUMS)).items():
            for k, one in enumerate(slices):
                where = f'"{name}"' if len(slices) == 1 else f'"{name}" slice {k}'
                sources = len(one.op) - one.duplicates
                types = " + ".join(str(n) for n in one.type_counts())
                yield (
                    f"{where}: {len(one.neurons)} neurons, {len(one.op)} axons of {sources} sources "
                    f"({one.duplicates} duplicates), types {types}, {len(one.axon)} synapses"
                )
