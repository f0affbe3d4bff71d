"""Operations of the connections and neurons of a network, for samples that were run.

Each connection reads the records of its input. An entry that is not zero causes one operation for each weight that is not zero: an
accumulation if the input of the tick holds only -1, 0 and 1, else a multiply-accumulate. Taps in the padding of a convolution, and biases, are none.
"""

from __future__ import annotations

import numpy as np
from attrs import define, frozen

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.ir.operation import shape_of
from ...dialects.ntensor import NeuronOp, SynapseOpInterface

MEMBRANE = "v"
"""The state of a neuron that is its membrane potential."""
TORCH_CLASSES = {"lif": "Leaky", "cuba_lif": "Synaptic"}
"""The class of snnTorch that NeuroBench counts operations for, by the family of a population."""
OPERATIONS = {
    "Leaky": {"subtract": 4, "zero": 4},
    "Synaptic": {"subtract": 6, "zero": 8},
    "Lapicque": {"subtract": 11, "zero": 11},
    "Alpha": {"subtract": 18, "zero": 24},
}
"""Operations of an update of one neuron, by class and reset. Source: NeuroBench 2.3.0, neurobench/metrics/workload/neuron_operations.py."""
RESETS = {
    "subtract": "subtract",
    "subtract_next": "subtract",
    "zero": "zero",
    "zero_next": "zero",
    "zero_hold": "zero",
    "value": "zero",
}
"""The reset mechanism of snnTorch for the option `reset` of an update."""


@frozen(eq=False)
class Fanout:
    """The weights of a connection that each element of its input reaches."""

    nonzero: AnyArray
    """Weights that are not zero, by flat index of the input. Shapes: [inputs]."""
    dense: int
    """Weights of all elements, zeros included."""

    @staticmethod
    def of(op: SynapseOpInterface) -> Fanout:
        weights = op.weights
        assert weights is not None  # the op is a connection
        nonzero = op.prepare_backwards()(np.ones(shape_of(op.y))).reshape(-1)
        return Fanout(nonzero, count_kernel_taps(op, weights) if op.SHARES_WEIGHTS else weights.data.size)


def count_kernel_taps(op: SynapseOpInterface, weights: ArrayAttr) -> int:
    """Returns the taps of a kernel at all positions that read an element of the map."""
    full = op.clone()
    full.replace_weights(ArrayAttr.of(np.ones(weights.shape, np.int8)), None)
    taps = int(full.count_forwards(np.ones(shape_of(op.x))).sum())
    full.erase()
    return taps


@define
class SynapticTotals:
    """Operations of connections over all samples."""

    macs: int = 0
    acs: int = 0
    dense: int = 0

    def add(self, fanout: Fanout, rows: AnyArray) -> None:
        """Adds the operations of an input. Shapes: rows [samples, ticks, *shape]."""
        flat = rows.reshape(*rows.shape[:2], -1)
        counts = (flat != 0) @ fanout.nonzero
        is_binary = np.ones(counts.shape, np.bool_) if rows.dtype == np.bool_ else (np.abs(flat) <= 1).all(-1)
        if rows.dtype.kind == "f":
            is_binary &= (flat == np.trunc(flat)).all(-1)
        self.acs += int(counts[is_binary].sum())
        self.macs += int(counts[~is_binary].sum())
        self.dense += fanout.dense * counts.size


@define
class NeuronTotals:
    """Outputs and updates of a population over all samples."""

    outputs: int = 0
    """Neurons times ticks times samples."""
    active: int = 0
    """Outputs that are not zero."""
    updates: int = 0
    """Updates that changed the membrane potential; in the first tick of a sample, all of them."""

    @property
    def sparsity(self) -> float:
        """The share of outputs that are zero."""
        return share_of_zeros(self.outputs, self.active)

    def add(self, outputs: AnyArray, membrane: AnyArray | None) -> None:
        """Adds samples. Shapes: both [samples, ticks, *shape]."""
        self.outputs += outputs.size
        self.active += int(np.count_nonzero(outputs))
        if membrane is not None:
            self.updates += membrane[:, :1].size + int(np.count_nonzero(membrane[:, 1:] != membrane[:, :-1]))


def share_of_zeros(count: int, active: int) -> float:
    """Returns the share of outputs that are zero; 0 without outputs, as in NeuroBench."""
    return (count - active) / count if count else 0.0


def membrane_of(op: NeuronOp) -> str | None:
    """Returns the name of the membrane potential of a population: its state `v`, or its only state; None if it has neither."""
    states = [*op.initial.data]
    return MEMBRANE if MEMBRANE in states else states[0] if len(states) == 1 else None


def operations_of_update(op: NeuronOp) -> int | str:
    """Returns the operations of an update of one neuron by NeuroBench's table, or the reason why the table has none."""
    family = None if op.family is None else op.family.data
    known = TORCH_CLASSES.get(family or "")
    if known is None:
        kind = "no family" if family is None else f"the family {family}"
        return f'NeuroBench counts operations of {", ".join(OPERATIONS)}; "{op.node.data}" has {kind}'
    _, *options = op.update_name.rstrip("'").split(".")
    reset = RESETS.get(options[0] if options else "")
    if reset is None:
        return (
            f'NeuroBench counts operations of resets by subtraction and to zero; "{op.node.data}" has @{op.update_name}'
        )
    return OPERATIONS[known][reset]
