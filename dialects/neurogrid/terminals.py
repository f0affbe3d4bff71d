"""Axonal terminals of the neurogrid dialect: the sites of synapse populations that the events of a neuron reach.

A site is a row and a column of the array of a Neurocore. The arbor of a synapse population spreads an event from its site to the neurons near it.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.diagnostics import Code
from ...core.ir.operation import NoptOperation
from ..chip_base.parts import refuse_table, verify_index

NGR002 = Code("NGR002", "site-missing", "a site does not exist")

PLACES = ("neuron", "core", "synapse", "row", "column")
"""The sender, and the site of a terminal."""


@irdl_op_definition
class TerminalsOp(NoptOperation):
    """The terminals of a group or input through one projection, by neuron, core, synapse population, row and column.

    `neuron` is a place in the group, `synapse` the number of a synapse population, `events` the events that the site gets for one spike.

    Shapes: all [terminals]. Errors: CHI001, NGR002.
    """

    name = "neurogrid.terminals"
    node = prop_def(StringAttr)
    neuron = prop_def(ArrayAttr)
    core = prop_def(ArrayAttr)
    synapse = prop_def(ArrayAttr)
    row = prop_def(ArrayAttr)
    column = prop_def(ArrayAttr)
    events = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict"

    def __init__(self, node: str, places: Ints, events: Ints):
        """Shapes: places [5, terminals], in the order of `PLACES`; events [terminals]."""
        given = {name: ArrayAttr.of(one.astype(np.int32)) for name, one in zip(PLACES, places, strict=True)}
        smallest = ArrayAttr.of(events.astype(np.int8 if int(events.max(initial=0)) < 128 else np.int32))
        super().__init__(properties={"node": StringAttr(node), **given, "events": smallest})

    @property
    def size(self) -> int:
        """Returns the number of terminals."""
        return self.neuron.data.size

    @property
    def places(self) -> Ints:
        """Returns neuron, core, synapse population, row and column. Shapes: [5, terminals]."""
        return np.stack([cast("ArrayAttr", self.properties[name]).values.astype(np.int64) for name in PLACES])

    @property
    def counts(self) -> Ints:
        """Returns the events of each terminal. Shapes: [terminals]."""
        return self.events.values.astype(np.int64)

    def verify_(self) -> None:
        for name in (*PLACES, "events"):
            verify_index(self, name, cast("ArrayAttr", self.properties[name]), self.neuron.shape)
        if not self.counts.all():
            refuse_table(self, "a terminal without events", "at least 1", "0")
        places = self.places
        order = np.lexsort(places[::-1])
        if (order != np.arange(self.size)).any() or (np.diff(places, axis=1) == 0).all(axis=0).any():
            expected = "each site of a neuron once, by neuron, core, synapse, row and column"
            refuse_table(self, "terminals are not sorted", expected, "another order")
