"""Synapses and destinations of the dynapse dialect: the words that each neuron compares with the tags of events, and where its own events go."""

from __future__ import annotations

import numpy as np
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.ir.operation import NoptOperation
from ..chip_base.parts import refuse_table, verify_below, verify_index

MASKS = 16
"""Subsets of the four currents of a core, and of the four cores of a chip."""


@irdl_op_definition
class SynapsesOp(NoptOperation):
    """The synapses of a group: an event with the tag of a synapse adds the currents of its mask, or subtracts them if it is inhibitory.

    `neuron` is a place in the group. Synapses are sorted by neuron, then by tag.

    Shapes: neuron, tag, mask and is_inhibitory [synapses]. Errors: CHI001.
    """

    name = "dynapse.synapses"
    neuron = prop_def(ArrayAttr)
    tag = prop_def(ArrayAttr)
    mask = prop_def(ArrayAttr)
    is_inhibitory = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    @property
    def signs(self) -> Ints:
        """Returns 1 or -1 for each synapse."""
        return np.where(self.is_inhibitory.values != 0, -1, 1)

    def verify_(self) -> None:
        shape = self.neuron.shape
        verify_index(self, "neuron", self.neuron)
        for what, array in (("tag", self.tag), ("mask", self.mask), ("is_inhibitory", self.is_inhibitory)):
            verify_index(self, what, array, shape)
        for what, array, below in (("mask", self.mask, MASKS), ("is_inhibitory", self.is_inhibitory, 2)):
            verify_below(self, f"{what} is out of range", "a number", array, below)
        neuron, tag = self.neuron.values.astype(np.int64), self.tag.values.astype(np.int64)
        if (np.diff(neuron * (int(tag.max(initial=0)) + 1) + tag) < 0).any():
            refuse_table(self, "synapses are not sorted", "by neuron, then by tag", "another order")

    def verify_against(self, neurons: int) -> None:
        """Refuses synapses of neurons that the group does not have. Errors: CHI001."""
        self.verify_()  # a group verifies before its synapses
        verify_below(self, "neuron is not in the group", "a neuron", self.neuron, neurons)


@irdl_op_definition
class DestinationsOp(NoptOperation):
    """The destinations of the events of a group or input: an event goes to the cores of a mask on a chip, with a tag.

    `neuron` is a place in the group; destinations are sorted by neuron. Bit k of `cores` stands for core k of the chip.

    Shapes: neuron, chip, cores and tag [destinations]. Errors: CHI001.
    """

    name = "dynapse.destinations"
    neuron = prop_def(ArrayAttr)
    chip = prop_def(ArrayAttr)
    cores = prop_def(ArrayAttr)
    tag = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"

    @property
    def most(self) -> int:
        """Returns the destinations of the neuron with the most."""
        return int(np.bincount(self.neuron.values, minlength=1).max())

    def verify_(self) -> None:
        verify_index(self, "neuron", self.neuron)
        for what, array in (("chip", self.chip), ("cores", self.cores), ("tag", self.tag)):
            verify_index(self, what, array, self.neuron.shape)
        if (np.diff(self.neuron.values.astype(np.int64)) < 0).any():
            refuse_table(self, "destinations are not sorted", "by neuron", "another order")
        cores = self.cores.values
        if cores.size and not 1 <= cores.min() <= cores.max() < MASKS:
            refuse_table(self, "cores is out of range", f"1 to {MASKS - 1}", f"{cores.min()} to {cores.max()}")

    def verify_against(self, neurons: int) -> None:
        """Refuses destinations of neurons that the group does not have. Errors: CHI001."""
        self.verify_()  # a group verifies before its destinations
        verify_below(self, "a destination belongs to no neuron", "a neuron", self.neuron, neurons)
