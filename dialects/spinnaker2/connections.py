"""Connections of the spinnaker2 dialect, as a projection of py-spinnaker2 lists them: pre, post, weight and delay."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.ir.operation import NoptOperation
from ..chip_base.parts import refuse_table, verify_below, verify_index
from ..chip_base.weights import bits_of_range


@irdl_op_definition
class ConnectionsOp(NoptOperation):
    """The connections of one projection from a population or input into a group of neurons, by pre, then by post.

    `pre` is a flat index in the population or input, `post` a place in the group. A delay of d delivers a spike d + 1 ticks later.

    Shapes: pre, post and weight [synapses]; delay () or [synapses]. Units: delay [ticks]. Errors: CHI001.
    """

    name = "spinnaker2.connections"
    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    pre = prop_def(ArrayAttr)
    post = prop_def(ArrayAttr)
    weight = prop_def(ArrayAttr)
    delay = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source attr-dict"

    @property
    def delays(self) -> Ints:
        """Returns the delay of each connection. Units: [ticks]."""
        return np.broadcast_to(self.delay.values, self.pre.shape).astype(np.int64)

    @property
    def longest(self) -> int:
        """Returns the delivery time of the slowest connection [ticks]; 0 without connections."""
        return int(self.delays.max(initial=-1)) + 1

    @property
    def largest(self) -> int:
        """Returns the largest magnitude of a weight."""
        return int(np.abs(self.weight.values.astype(np.int64)).max(initial=0))

    @property
    def weight_bits(self) -> int:
        values = self.weight.values
        return bits_of_range(int(values.min(initial=0)), int(values.max(initial=0)))

    def verify_(self) -> None:
        shape = self.weight.shape
        verify_index(self, "pre", self.pre, shape)
        verify_index(self, "post", self.post, shape)
        if self.weight.data.dtype.kind != "i":
            refuse_table(self, "weight has other numbers", "integers", str(self.weight.data.dtype))
        if self.delay.shape not in ((), shape):
            refuse_table(self, "delay has another shape", f"[] or {list(shape)}", str(list(self.delay.shape)))
        verify_index(self, "delay", ArrayAttr.of(self.delay.values.reshape(-1)))
        pre, post = self.pre.values.astype(np.int64), self.post.values.astype(np.int64)
        if (np.diff(pre * (int(post.max(initial=0)) + 1) + post) < 0).any():
            refuse_table(self, "connections are not sorted", "by pre, then by post", "another order")

    def verify_against(self, neurons: int) -> None:
        """Refuses connections into neurons that the group does not have. Errors: CHI001."""
        self.verify_()  # a group verifies before its connections
        verify_below(self, "post is not in the group", "a neuron", self.post, neurons)
