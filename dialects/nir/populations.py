"""Populations of neurons: threshold, integrators and integrate-and-fire neurons, without and with a synaptic current.

Every parameter is a scalar or has one entry per neuron; operand and result have the shape of the population. The input is x, the
membrane potential v, the synaptic current i. The equations are in continuous time: the conversion to `ntensor` chooses the order of
operations in a tick and the role of dt.

Units: tau, tau_mem, tau_syn [s]; everything else [1], as in NIR.
Source: Pedersen et al., Nature Communications 15:8122 (2024), table of primitives.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import f32, i1
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, prop_def

from ...core.arrays.arrays import ArrayAttr
from .node import NodeOp, verify_parameter, verify_sign


class PopulationOp(NodeOp):
    """A population of neurons.

    Errors: NIR001 parameters of different shapes; NIR002 a time constant that is not positive; NIR003 an operand of another
    shape than the parameters.
    """

    SPIKES: ClassVar[bool]
    """Whether the output of the neurons is spikes; otherwise it is values."""
    TIMES: ClassVar[tuple[str, ...]] = ()
    """Time constants [s]."""

    def verify_parameters(self) -> None:
        shape = self.operand_shape() or ()
        for name, array in self.parameters():
            verify_parameter(self, name, array, (), shape, note=", one entry for each neuron")
            if name in self.TIMES:
                verify_sign(self, name, array, "s", is_positive=True)

    def operand_shape(self) -> tuple[int, ...] | None:
        return next((array.shape for _, array in self.parameters() if array.shape), None)

    def result_kind(self, kind: Attribute) -> Attribute:
        return i1 if self.SPIKES else f32


@irdl_op_definition
class ThresholdOp(PopulationOp):
    """Stateless threshold: `z = x > threshold`."""

    name = "nir.threshold"
    threshold = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = True
    PARAMETERS: ClassVar[tuple[str, ...]] = ("threshold",)


@irdl_op_definition
class IOp(PopulationOp):
    """Integrator: `dv/dt = r x`; the output is v."""

    name = "nir.i"
    r = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = False
    PARAMETERS: ClassVar[tuple[str, ...]] = ("r",)


@irdl_op_definition
class IFOp(PopulationOp):
    """Integrate-and-fire neuron: `dv/dt = r x`; a spike and `v = v_reset` if `v > v_threshold`."""

    name = "nir.if"
    r = prop_def(ArrayAttr)
    v_threshold = prop_def(ArrayAttr)
    v_reset = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = True
    PARAMETERS: ClassVar[tuple[str, ...]] = ("r", "v_threshold", "v_reset")


@irdl_op_definition
class LIOp(PopulationOp):
    """Leaky integrator: `tau dv/dt = (v_leak - v) + r x`; the output is v."""

    name = "nir.li"
    tau = prop_def(ArrayAttr)
    r = prop_def(ArrayAttr)
    v_leak = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = False
    TIMES: ClassVar[tuple[str, ...]] = ("tau",)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("tau", "r", "v_leak")


@irdl_op_definition
class LIFOp(PopulationOp):
    """Leaky integrate-and-fire neuron: as `nir.li`; a spike and `v = v_reset` if `v > v_threshold`."""

    name = "nir.lif"
    tau = prop_def(ArrayAttr)
    r = prop_def(ArrayAttr)
    v_leak = prop_def(ArrayAttr)
    v_threshold = prop_def(ArrayAttr)
    v_reset = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = True
    TIMES: ClassVar[tuple[str, ...]] = ("tau",)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("tau", "r", "v_leak", "v_threshold", "v_reset")


@irdl_op_definition
class CubaLIOp(PopulationOp):
    """Current-based leaky integrator: `tau_syn di/dt = -i + w_in x`, `tau_mem dv/dt = (v_leak - v) + r i`; the output is v."""

    name = "nir.cuba_li"
    tau_syn = prop_def(ArrayAttr)
    tau_mem = prop_def(ArrayAttr)
    r = prop_def(ArrayAttr)
    v_leak = prop_def(ArrayAttr)
    w_in = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = False
    TIMES: ClassVar[tuple[str, ...]] = ("tau_syn", "tau_mem")
    PARAMETERS: ClassVar[tuple[str, ...]] = ("tau_syn", "tau_mem", "r", "v_leak", "w_in")


@irdl_op_definition
class CubaLIFOp(PopulationOp):
    """Current-based leaky integrate-and-fire neuron: as `nir.cuba_li`; a spike and `v = v_reset` if `v > v_threshold`."""

    name = "nir.cuba_lif"
    tau_syn = prop_def(ArrayAttr)
    tau_mem = prop_def(ArrayAttr)
    r = prop_def(ArrayAttr)
    v_leak = prop_def(ArrayAttr)
    v_threshold = prop_def(ArrayAttr)
    v_reset = prop_def(ArrayAttr)
    w_in = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = True
    TIMES: ClassVar[tuple[str, ...]] = ("tau_syn", "tau_mem")
    PARAMETERS: ClassVar[tuple[str, ...]] = ("tau_syn", "tau_mem", "r", "v_leak", "v_threshold", "v_reset", "w_in")
