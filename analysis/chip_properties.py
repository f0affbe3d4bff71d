"""Properties of the ops of an exit dialect that follow from a routed graph alone, for every chip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Block, Region

from ..core.arrays.arrays import ArrayAttr
from ..core.arrays.numeric import Ints
from ..dialects import machine
from ..dialects.chip_base.chip import ChipBase
from ..dialects.ntensor import find_updates
from .core_tables import output_delay

Chip = TypeVar("Chip", bound=ChipBase)


def routed_chip(
    kind: type[Chip], graph: machine.GraphOp, block: Block, own: Mapping[str, Attribute] | None = None
) -> Chip:
    """Returns a chip with the name, the tick and the record of a graph. `own`: the properties that only this dialect has.

    Errors: CHI007 a parameter or state of a neuron that the chip does not have; DSN007.
    """
    properties = {"sym_name": graph.sym_name, "tick_ns": graph.tick_ns, "approximations": graph.approximations}
    chip = kind.create(
        properties={**{k: v for k, v in properties.items() if v is not None}, **(own or {})}, regions=[Region(block)]
    )
    chip.attributes.update(graph.attributes)
    chip.location = graph.location
    updates = find_updates(graph.parent_op())
    for group in chip.groups:
        group.verify_numbers(updates[group.update_name], graph.tick_ns.value.data)
    return chip


def input_properties(input: machine.InputOp, vertex: machine.VertexOp, own: Ints) -> dict[str, Attribute]:
    """Returns the properties of an input on a core. `own`: the flat indices of its elements."""
    assert vertex.place is not None  # the graph is routed
    return {
        "node": vertex.node,
        "source": vertex.source,
        "at": IntegerAttr(vertex.place, i64),
        "index": ArrayAttr.of(own.astype(np.int32)),
        "type": input.type,
    }


def output_properties(output: machine.OutputOp) -> dict[str, Attribute]:
    """Returns the properties of an output, with the delays of its chain added."""
    delay = ArrayAttr.of(output_delay(output))
    return {"node": output.node, "source": output.source, "delay": delay, "type": output.type}
