"""Neurocores of the neurogrid dialect, and the inputs and outputs of the network.

| parameters | meaning |
| --- | --- |
| `dt` | the tick of the model [s] |
| `tau_s`, `tau_d`, `tau_k` | time constants of soma, dendrite and potassium conductance [s] |
| `i_in` | constant current of the soma |
| `g_inf`, `g_res` | potassium conductance, and conductance that resets the soma, after a spike for `lasts` ticks |
| `v_reset` | soma after a spike |
| `tau_X`, `e_X`, `sat_X` | time constant [s], reversal potential and saturated conductance of a synapse population X |
| `rise_X` | duration of the pulse of one event [s]; with an arbor, of the least part of an event |

States are v_d, g_k, v and wait, and for each synapse population left_X and g_X. Synapse populations X are exc, inh, exc_2 and inh_2. Source: P. Gao et al., IEEE TCAS-I 59(11), 2012.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, i1
from xdsl.irdl import irdl_op_definition, prop_def, traits_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.records import Device
from ...core.diagnostics import Code
from ...core.ir.body_ops import body_ops
from ...core.ir.operation import HasParentNamed, element_type
from ..chip_base.groups import CHI013, CoreBase, GroupOp
from ..chip_base.parts import InputBase, OutputBase, SenderOp, refuse_chip, verify_index
from ..chip_base.values import NOT_NEGATIVE, POSITIVE, Range
from ..chip_base.weights import bits_of_range
from .arbors import LARGEST_RADIUS
from .terminals import TerminalsOp

NGR003 = Code("NGR003", "events-not-binary", "events are binary")
NGR004 = Code("NGR004", "arbor-unsupported", "an arbor is not one of the chip")

SYNAPSES = ("exc", "inh", "exc_2", "inh_2")
"""Synapse populations of a neuron, by their number."""
SOMA = ("dt", "tau_s", "tau_k", "tau_d", "i_in", "g_inf", "g_res", "v_reset", "lasts")
SITE_BITS = 32
"""Bits of a column in the number of a site."""
OF_SYNAPSE = ("tau", "e", "sat", "rise")
STATES = ("v_d", "g_k", "v", "wait")
STATES_OF_SYNAPSE = ("left", "g")
TIMES = ("dt", "tau_s", "tau_k", "tau_d", *(f"{name}_{one}" for one in SYNAPSES for name in ("tau", "rise")))
CONDUCTANCES = ("g_inf", "g_res", "g_k", *(f"{name}_{one}" for one in SYNAPSES for name in ("sat", "g", "left")))
RANGES: Mapping[str, Range] = dict.fromkeys(TIMES, POSITIVE) | dict.fromkeys(CONDUCTANCES, NOT_NEGATIVE)
"""Ranges of parameters and states: times are above 0, conductances and the rests of pulses not below."""


def count_synapse_populations(names: Sequence[str]) -> int | None:
    """Returns the number of synapse populations of a neuron with these parameters; None if a neuron has other parameters."""
    for count in range(len(SYNAPSES) + 1):
        own = [f"{name}_{one}" for one in SYNAPSES[:count] for name in OF_SYNAPSE]
        if set(names) == {*SOMA, *own}:
            return count
    return None


def terminals_of(op: SenderOp) -> Sequence[TerminalsOp]:
    """Returns the terminals of a group or input."""
    return [one for one in op.body.block.ops if isinstance(one, TerminalsOp)]


@irdl_op_definition
class InputOp(InputBase):
    """Entries of an input of the network, whose events the host sends with their terminals. Errors: CHI001, CHI002."""

    SEVERAL: ClassVar[tuple[str, ...]] = ("neurogrid.terminals",)

    name = "neurogrid.input"

    def verify_(self) -> None:
        super().verify_()
        verify_binary(self)


@irdl_op_definition
class OutputOp(OutputBase):
    name = "neurogrid.output"


def verify_binary(op: SenderOp) -> None:
    """Errors: NGR003."""
    if (element := element_type(op.type)) != i1:
        refuse_chip(op, NGR003.summary, "i1", str(element), NGR003)


@irdl_op_definition
class SomasOp(GroupOp):
    """Neurons of one population on a Neurocore, with the row and column of each, their parameters, and their terminals.

    `arbors` is the radius of the arbor of each synapse population; 0: an event reaches the neuron at its site alone.

    Shapes: row and column [neurons]; arbors [synapse populations]; states () or [neurons]. Units: arbors [neurons].
    Errors: CHI001, CHI002, CHI013, NGR003, NGR004.
    """

    SEVERAL: ClassVar[tuple[str, ...]] = ("neurogrid.terminals",)

    RANGES: ClassVar[Mapping[str, Range]] = RANGES

    name = "neurogrid.somas"
    row = prop_def(ArrayAttr)
    column = prop_def(ArrayAttr)
    params = prop_def(DictionaryAttr)
    arbors = prop_def(ArrayAttr)
    traits = traits_def(HasParentNamed("neurogrid.core"))

    @property
    def synapses(self) -> int:
        """Returns the number of synapse populations of each neuron."""
        found = count_synapse_populations(list(self.params.data))
        assert found is not None  # verified
        return found

    @property
    def sites(self) -> Ints:
        """Returns the row and the column of each neuron. Shapes: [2, neurons]."""
        return np.stack([self.row.values, self.column.values]).astype(np.int64)

    @property
    def radii(self) -> tuple[float, ...]:
        return tuple(self.arbors.values.astype(np.float64).tolist())

    def quantities(self, device: Device) -> dict[str, int]:
        counted = super().quantities(device).items()
        used = {name: n for name, n in counted if name in ("neurons", "payload_bits") or name.startswith("classes.")}
        listed = terminals_of(self)
        cores = [one.places[:2] for one in listed]
        pairs = np.unique(np.concatenate([np.zeros((2, 0), np.int64), *cores], axis=1), axis=1)
        used["fan_out"] = int(np.bincount(pairs[0]).max(initial=0))
        used["output_axons"] = pairs.shape[1]
        return used | event_quantities(listed)

    def verify_(self) -> None:
        super().verify_()
        verify_index(self, "row", self.row, self.index.shape)
        verify_index(self, "column", self.column, self.index.shape)
        verify_binary(self)
        self.verify_parameters()
        self.verify_arbors()

    def verify_parameters(self) -> None:
        """Refuses parameters and states of another neuron. Errors: CHI013."""
        given = self.parameters()
        if count_synapse_populations(list(given)) is None:
            expected = f"{', '.join(SOMA)}, and {', '.join(OF_SYNAPSE)} of at most {len(SYNAPSES)} synapse populations"
            refuse_chip(self, CHI013.summary, expected, ", ".join(given) or "none", CHI013)
        own = {f"{name}_{one}" for one in SYNAPSES[: self.synapses] for name in STATES_OF_SYNAPSE}
        if (states := self.states()).keys() != (expected := {*STATES, *own}):
            refuse_chip(
                self, CHI013.summary, f"states {', '.join(sorted(expected))}", ", ".join(states) or "none", CHI013
            )

    def verify_arbors(self) -> None:
        """Errors: NGR004."""
        values = self.arbors.values
        if values.shape != (self.synapses,) or values.dtype.kind != "f":
            found = f"{values.dtype} of shape {list(values.shape)}"
            refuse_chip(self, NGR004.summary, f"reals of shape [{self.synapses}]", found, NGR004)
        if not ((values >= 0) & (values <= LARGEST_RADIUS)).all():
            expected = f"radii from 0 to {LARGEST_RADIUS:g}"
            refuse_chip(self, NGR004.summary, expected, str(values.tolist()), NGR004)


def event_quantities(listed: Sequence[TerminalsOp]) -> dict[str, int]:
    """Returns the quantities of terminals: synapses, the signed width of the greatest event count, and a delay of one tick per event."""
    most = max((int(one.counts.max(initial=0)) for one in listed), default=0)
    found = {"synapses": sum(one.size for one in listed)}
    return found | ({"weight_bits": bits_of_range(-most, most), "delay": 1} if most else {})


@irdl_op_definition
class CoreOp(CoreBase):
    """A Neurocore. Events address sites, so that it has no input axons: `axons` is 0."""

    HOLDS: ClassVar[tuple[str, ...]] = ("neurogrid.somas",)

    name = "neurogrid.core"
    traits = traits_def(HasParentNamed("neurogrid.chip"))

    groups = body_ops(SomasOp)

    def verify_(self) -> None:
        if self.axons.value.data:
            refuse_chip(self, "a Neurocore has no input axons", "0", str(self.axons.value.data))
        super().verify_()


def occupied(groups: Sequence[SomasOp]) -> Iterator[tuple[SomasOp, Ints]]:
    """Yields each group with the site of each neuron as one number. Shapes: [neurons]."""
    for group in groups:
        row, column = group.sites
        yield group, (row << SITE_BITS) + column
