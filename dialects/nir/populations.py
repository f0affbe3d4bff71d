"""Populations of neurons: threshold, integrators and integrate-and-fire neurons, without and with a synaptic current.

Every parameter is a scalar or has one entry per neuron; operand and result have the shape of the population. The input is x, the
membrane potential v, the synaptic current i. The equations are in continuous time: the conversion to `ntensor` chooses the order of
operations in a tick and the role of dt.

`nir.neuron` has equations of its own instead, in the neuron language.

Units: tau, tau_mem, tau_syn [s]; everything else [1], as in NIR.
Source: Pedersen et al., Nature Communications 15:8122 (2024), table of primitives.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

from xdsl.dialects.builtin import DictionaryAttr, StringAttr, f32, i1
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, Refused, invalid, refuse
from ...core.neuron.neuron import check_neuron, parse_neurons
from ...core.neuron.tree import Emit, Neuron
from .node import NodeOp, verify_parameter, verify_sign

NIR007 = Code("NIR007", "nir-equations-invalid", "the equations of a population are invalid")


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

    @property
    def is_spiking(self) -> bool:
        return self.SPIKES

    def result_kind(self, kind: Attribute) -> Attribute:
        return i1 if self.is_spiking else f32


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


@lru_cache
def parse_own_neuron(text: str) -> Neuron:
    """Returns the neuron of a text that a population holds. Errors: those of the language; NIR007 a text with other content than one neuron."""
    file = parse_neurons(text, "the equations of a population")
    if len(file.neurons) != 1 or file.preset is not None:
        names = ", ".join(neuron.name for neuron in file.neurons) or "none"
        refuse(
            NIR007,
            "the equations of a population are not one neuron",
            expected="one neuron, and no preset",
            found=f"{names}{'' if file.preset is None else ', and a preset'}",
            help="store each neuron with its own population",
        )
    check_neuron(file.neurons[0])
    return file.neurons[0]


@irdl_op_definition
class NeuronOp(PopulationOp):
    """Population with its own equations: `equations` is one neuron of the neuron language, and `params` holds its parameters by name.

    The neuron computes one tick, whichever preset the conversion uses; its options have their first value unless `options-at` names another. It is
    not a node of the `nir` package.

    Errors: NIR007 a text with other content, or parameters of other names; NIR001 parameters of different shapes.
    """

    name = "nir.neuron"
    equations = prop_def(StringAttr)
    params = prop_def(DictionaryAttr)
    SPIKES: ClassVar[bool] = True
    PARAMETERS: ClassVar[tuple[str, ...]] = ("equations", "params")

    def neuron(self) -> Neuron:
        """Returns the neuron of the equations. Errors: those of the neuron language."""
        return parse_own_neuron(self.equations.data)

    @property
    def is_spiking(self) -> bool:
        (emit,) = self.neuron().of(Emit)
        return emit.kind in ("spike", "count")

    def parameters(self) -> Iterator[tuple[str, ArrayAttr]]:
        for name, array in self.params.data.items():
            if isinstance(array, ArrayAttr):
                yield name, array

    def verify_parameters(self) -> None:
        try:
            neuron = self.neuron()
        except Refused as refusal:
            first = refusal.findings[0]
            help = f"nopt explain {first.code}"
            found = f"{first.code}: {first.message}"
            invalid(self, NIR007, NIR007.summary, expected="one neuron of the neuron language", found=found, help=help)
        names = sorted(param.name for param in neuron.raw_params)
        if names != sorted(name for name, _ in self.parameters()) or len(names) != len(self.params.data):
            invalid(
                self,
                NIR007,
                "the parameters are not those of the equations",
                expected=f"arrays {', '.join(names) or 'of no names'}",
                found=", ".join(self.params.data) or "none",
                help="name the parameters as the lines `param` of the equations do",
            )
        super().verify_parameters()
