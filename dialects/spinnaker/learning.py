"""Learning rules of the spinnaker dialect: those of sPyNNaker's STDPMechanism, for all synapses of a table of rows.

    #spinnaker.stdp<"spike_pair", "additive", 20.0 : f64, 20.0 : f64, 81.92 : f64, 98.304 : f64, 0.0 : f64, 8192.0 : f64>

| part | what it is |
| --- | --- |
| timing | `spike_pair`: each pair of spikes; `spike_nearest_pair`: the last spike of the target, and its first one after the last spike of the source; `pfister_triplet`: pairs, and triplets by the numbers of `#spinnaker.triplet` |
| weights | `additive`: a pair changes a weight by a constant times exp(-interval / tau); `multiplicative`: also times its distance from the bound |
| tau_plus, tau_minus | time constants [ticks] |
| a_plus, a_minus | changes by a pair without an interval: in integers of the weights, or as a share of the distance |
| w_min, w_max | bounds, in integers of the weights |

1. Weights have no sign, so that the bounds are from 0 to 65535, and the lower one is below the upper one. All delays are dendritic (the fraction is 1).
2. All rows of a core that learn have the same rule, since the program of a core has one.
3. Rows that learn have another form. `weights` are half words, one for each synapse in the order of the controls; both are padded to words.

    row = [words of plastic data, time of the last spike, trace, weights, 0 fixed synapses, controls, controls as half words]
    row = [words of plastic data, time of the last spike, weights, …] of `spike_nearest_pair`, which has no trace
    control = delay << (index_bits + 1) | receptor << index_bits | neuron

Source: sPyNNaker 7.4.1, synapse_dynamics_stdp.py (get_plastic_synaptic_data, merge), timing_dependence_spike_pair.py, weight_dependence_additive.py.
"""

from __future__ import annotations

from math import isfinite

import numpy as np
from xdsl.dialects.builtin import FloatAttr, StringAttr, f64
from xdsl.ir import ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

from ...core.arrays.numeric import AnyArray, Ints

DATA_HEADERS = {"spike_pair": 2, "spike_nearest_pair": 1, "pfister_triplet": 2}
"""Words of plastic data before the weights by timing: the time of the last spike, and the trace of timings that have one. Source: _n_header_bytes."""
TIMINGS = tuple(DATA_HEADERS)
DEVICE_RULES = {"spike_pair": "stdp", "spike_nearest_pair": "stdp_nearest_pair", "pfister_triplet": "triplet"}
"""The rule of a device by timing, with additive weights."""
WEIGHTS = ("additive", "multiplicative")
TRIPLET = "pfister_triplet"
MULTIPLICATIVE_RULE = "stdp_multiplicative"
"""The rule of a device with `spike_pair` and multiplicative weights."""
TRIPLET_NUMBERS = ("tau_x", "tau_y", "a3_plus", "a3_minus")
NUMBERS = ("tau_plus", "tau_minus", "a_plus", "a_minus", "w_min", "w_max")
MOST_WEIGHT = 0xFFFF


@irdl_attr_definition
class StdpAttr(ParametrizedAttribute):
    """A learning rule, with numbers for the weights as the chip stores them. Units: tau_plus and tau_minus [ticks]."""

    name = "spinnaker.stdp"
    timing: StringAttr
    weights: StringAttr
    tau_plus: FloatAttr
    tau_minus: FloatAttr
    a_plus: FloatAttr
    a_minus: FloatAttr
    w_min: FloatAttr
    w_max: FloatAttr

    @staticmethod
    def of(timing: str, weights: str, *numbers: float) -> StdpAttr:
        """Returns a rule; the numbers are in the order of `NUMBERS`."""
        return StdpAttr(StringAttr(timing), StringAttr(weights), *(FloatAttr(x, f64) for x in numbers))

    @property
    def values(self) -> dict[str, float]:
        """Returns the numbers by name."""
        return {name: getattr(self, name).value.data for name in NUMBERS}

    @property
    def device_rule(self) -> str:
        """Returns the rule of a device that computes this one; multiplicative weights of other timings than `spike_pair` have none."""
        known = DEVICE_RULES[self.timing.data]
        return known if self.weights.data == "additive" else f"{known}_multiplicative"

    @property
    def data_header(self) -> int:
        """Returns the words of plastic data before the weights."""
        return DATA_HEADERS[self.timing.data]

    def verify(self) -> None:
        for what, given, known in (("timing", self.timing, TIMINGS), ("weights", self.weights, WEIGHTS)):
            if given.data not in known:
                raise VerifyException(f"{what} of a learning rule are {' or '.join(known)}, not {given.data}")
        values = self.values
        if not all(map(isfinite, values.values())) or min(values["tau_plus"], values["tau_minus"]) <= 0:
            raise VerifyException("the numbers of a learning rule are finite, and its time constants positive")
        if not 0 <= values["w_min"] < values["w_max"] <= MOST_WEIGHT:
            raise VerifyException(
                f"the bounds of a learning rule are from 0 to {MOST_WEIGHT}, and w_min is below w_max"
            )


@irdl_attr_definition
class TripletAttr(ParametrizedAttribute):
    """The terms of triplets of a rule with the timing `pfister_triplet`: the time constants of the slow traces, and the changes by a triplet without intervals.

    Units: tau_x and tau_y [ticks]; a3_plus and a3_minus in integers of the weights.
    """

    name = "spinnaker.triplet"
    tau_x: FloatAttr
    tau_y: FloatAttr
    a3_plus: FloatAttr
    a3_minus: FloatAttr

    @staticmethod
    def of(*numbers: float) -> TripletAttr:
        """Returns the terms; the numbers are in the order of `TRIPLET_NUMBERS`."""
        return TripletAttr(*(FloatAttr(x, f64) for x in numbers))

    @property
    def values(self) -> dict[str, float]:
        """Returns the numbers by name."""
        return {name: getattr(self, name).value.data for name in TRIPLET_NUMBERS}

    def verify(self) -> None:
        values = self.values
        if not all(map(isfinite, values.values())) or min(values["tau_x"], values["tau_y"]) <= 0:
            raise VerifyException("the numbers of triplets are finite, and their time constants positive")


def plastic_words(
    header: int, data_header: int, source: Ints, weight: Ints, control: Ints, rows: int
) -> tuple[AnyArray, int]:
    """Returns the words of rows that learn, and the length of a row. Shapes: source, weight and control [synapses], by row; words [rows, header + length]."""
    count = np.bincount(source, minlength=rows)
    most = int(count.max(initial=0))
    data = data_header + -(-most // 2)
    length = data + -(-most // 2)
    words = np.zeros((rows, header + length), np.uint32)
    words[:, 0] = data
    words[:, data + 2] = count
    halves = words.view("<u2")
    column = np.arange(len(source)) - (np.cumsum(count) - count)[source]
    halves[source, 2 * (1 + data_header) + column] = weight
    halves[source, 2 * (header + data) + column] = control
    return words.view(np.int32), length


def plastic_synapses(words: AnyArray, header: int, data_header: int) -> tuple[Ints, Ints, Ints]:
    """Returns the row, weight and control word of each plastic synapse; counts of synapses are limited to the words of a row."""
    room = words.shape[1] - header
    if not len(words) or room < data_header:
        none = np.zeros(0, np.int64)
        return none, none, none
    data = min(max(int(words[0, 0]), data_header), room)
    count = np.clip(words[:, data + 2].astype(np.int64), 0, min(2 * (data - data_header), 2 * (room - data)))
    halves = np.ascontiguousarray(words).view("<u2")
    source = np.repeat(np.arange(len(words)), count)
    column = np.arange(len(source)) - np.repeat(np.cumsum(count) - count, count)
    weight = halves[source, 2 * (1 + data_header) + column].astype(np.int64)
    return source, weight, halves[source, 2 * (header + data) + column].astype(np.int64)


def has_plastic_form(words: AnyArray, header: int, data_header: int) -> bool:
    """Returns whether the counts in the headers of rows are possible for plastic rows."""
    given = words.astype(np.int64) & 0xFFFFFFFF
    if not len(given):
        return True
    width, data = given.shape[1], int(given[0, 0])
    if (given[:, 0] != data).any() or not data_header <= data <= width - header:
        return False
    longest = -(-int(given[:, data + 2].max()) // 2)
    return bool((given[:, data + 1] == 0).all()) and data == data_header + longest <= width - header - longest
