"""Observations of a calibration: a dictionary attribute of a network and of its nodes; and the neurons that need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from ..core.arrays.arrays import ArrayAttr
from ..core.arrays.numeric import AnyArray, Bools, Ints, Reals
from ..core.device.records import Device
from ..core.ir.operation import shape_of

if TYPE_CHECKING:
    from ..dialects.ntensor import NetworkOp, SynapseOpInterface

OBSERVED = "ntensor.observed"
"""Attribute of a network or node: the observations of a calibration, by name."""
KEPT = "kept"
"""Observation of an input: the samples whose data the network keeps."""
KEPT_EVENTS = "kept_events"
"""Observation of a population: the events of each neuron in each sample whose data the network keeps."""
RAW = "raw"
"""Entry of a population whose update was replaced after such an observation: the raw parameters of its update."""

NEURONS, MEANS = "neurons", "means"
"""Observations of a population and of a synapse op: the range of each state by neuron, and the means of operand and result."""
PEAKS = ("peak", "peak_i")
"""Parameters of a neuron that only a calibration shows: the largest distance of v from the leak, and the largest input of v by the current."""
Places = Ints | slice
"""Places of some samples among the kept ones."""
GOLDEN_STEP = 0x9E3779B9
"""The fraction of the golden ratio times 2^32. Multiples of this fraction fill every interval of fractions evenly, without a period."""


def find_observation(op: Operation, *keys: str) -> Attribute | None:
    """Returns an entry of the observations of a network or node, through nested dictionaries; None if it is missing."""
    found: Attribute | None = op.attributes.get(OBSERVED)
    for key in keys:
        found = found.data.get(key) if isinstance(found, DictionaryAttr) else None
    return found


def observed_rate(op: Operation, *keys: str) -> float | None:
    """Returns an observed number, such as a rate or density; None if it is missing."""
    found = find_observation(op, *keys)
    return float(found.value.data) if isinstance(found, FloatAttr) else None


def observed_number(op: Operation, *keys: str) -> int | None:
    """Returns an observed integer, such as a number of ticks; None if it is missing."""
    found = find_observation(op, *keys)
    return int(found.value.data) if isinstance(found, IntegerAttr) else None


def observed_array(op: Operation, *keys: str) -> Reals | None:
    """Returns an observed array, such as means; None if it is missing."""
    found = find_observation(op, *keys)
    return found.values.astype(np.float64) if isinstance(found, ArrayAttr) else None


def weight_means(op: SynapseOpInterface) -> Reals | None:
    """Returns the observed mean of the operand of each weight; None without a calibration of this operand. Shapes: those of the weights."""
    means = observed_array(op, MEANS, "x")
    if means is None or op.weights is None or means.shape != shape_of(op.x):
        return None
    return op.operand_means(means)


def divide_means(op: Operation, factor: float) -> None:
    """Divides the observed mean of the operand of a synapse op whose weights were multiplied by a factor. The mean of its result stays."""
    held = op.attributes.get(OBSERVED)
    means, x = find_observation(op, MEANS), observed_array(op, MEANS, "x")
    if isinstance(held, DictionaryAttr) and isinstance(means, DictionaryAttr) and x is not None:
        changed = DictionaryAttr({**means.data, "x": ArrayAttr.of(x / factor)})
        op.attributes[OBSERVED] = DictionaryAttr({**held.data, MEANS: changed})


def forget_means(op: Operation) -> None:
    """Removes the observed means of a synapse op with other operands or results than those of the calibration."""
    if OBSERVED in op.attributes:
        op.attributes[OBSERVED] = without(op.attributes[OBSERVED], MEANS)


def kept_samples(network: Operation) -> dict[str, AnyArray]:
    """Returns the samples that a network keeps, by input. Shapes: each [samples, ticks, *shape]."""
    inputs = find_observation(network, "inputs")
    found = {name: find_observation(network, "inputs", name, KEPT) for name in getattr(inputs, "data", ())}
    return {name: array.values for name, array in found.items() if isinstance(array, ArrayAttr)}


def kept_events(population: Operation) -> Reals | None:
    """Returns the events of each neuron in the samples that the network keeps; None if they were not observed. Shapes: [samples, *shape]."""
    return observed_array(population, KEPT_EVENTS)


def fit_samples(network: Operation) -> dict[str, AnyArray]:
    """Returns the kept samples that a fit reads, by input. Shapes: each [samples, ticks, *shape]."""
    return {name: x[places_to_fit(len(x))] for name, x in kept_samples(network).items()}


def judge_samples(network: Operation) -> dict[str, AnyArray]:
    """Returns the kept samples that judge a fit, by input; a single sample is in both parts. Shapes: each [samples, ticks, *shape]."""
    return {name: x[places_to_judge(len(x))] for name, x in kept_samples(network).items()}


def places_to_fit(samples: int) -> Places:
    """Returns the places of the kept samples that a fit reads; all of them if there is only one."""
    return np.flatnonzero(~thue_morse(samples)) if samples > 1 else slice(None)


def places_to_judge(samples: int) -> Places:
    """Returns the places of the kept samples that a fit does not read and is judged on; all of them if there is only one.

    One of each two neighbours judges, by the Thue-Morse sequence. It has no period, so both parts see all classes of samples that are sorted by class, and
    of samples whose classes alternate.
    """
    return np.flatnonzero(thue_morse(samples)) if samples > 1 else slice(None)


def thue_morse(count: int) -> Bools:
    """Returns whether each number from 0 has an odd number of ones in binary. Shapes: [count]."""
    return np.array([number.bit_count() % 2 == 1 for number in range(count)], np.bool_)


def spread_places(samples: int, count: int) -> Ints:
    """Returns `count` places among some samples, or all of them if they are fewer: one in each of `count` equal intervals.

    The place in its interval follows multiples of the golden ratio. It has no period, so that the places see all classes of samples that are sorted by
    class, and of samples whose classes alternate. Shapes: result [places].
    """
    if count >= samples:
        return np.arange(samples)
    bounds = np.arange(count + 1, dtype=np.int64) * samples // max(1, count)
    fraction = np.arange(count, dtype=np.int64) * GOLDEN_STEP % 2**32
    return bounds[:-1] + (np.diff(bounds) * fraction >> 32)


def fit_events(population: Operation) -> Reals | None:
    """Returns the kept events of the samples that a fit reads; None if they were not observed. Shapes: [samples, *shape]."""
    events = kept_events(population)
    return None if events is None else events[places_to_fit(len(events))]


def judge_events(population: Operation) -> Reals | None:
    """Returns the kept events of the samples that judge a fit; None if they were not observed. Shapes: [samples, *shape]."""
    events = kept_events(population)
    return None if events is None else events[places_to_judge(len(events))]


def raw_parameters(population: Operation) -> dict[str, Reals]:
    """Returns the raw parameters of the update of a population, in f64; empty where they were not kept."""
    raw = find_observation(population, RAW)
    entries = raw.data.items() if isinstance(raw, DictionaryAttr) else ()
    return {name: array.values.astype(np.float64) for name, array in entries if isinstance(array, ArrayAttr)}


def forget_samples(network: NetworkOp) -> None:
    """Removes the samples that a network keeps, and the observations of its populations in them."""
    inputs = find_observation(network, "inputs")
    if isinstance(inputs, DictionaryAttr):
        left = {name: without(entry, KEPT) for name, entry in inputs.data.items()}
        held = network.attributes[OBSERVED]
        assert isinstance(held, DictionaryAttr)  # find_observation
        network.attributes[OBSERVED] = DictionaryAttr({**held.data, "inputs": DictionaryAttr(left)})
    for op in network.body.block.ops:
        if OBSERVED in op.attributes:
            op.attributes[OBSERVED] = without(op.attributes[OBSERVED], KEPT_EVENTS, RAW)


def without(entry: Attribute, *names: str) -> Attribute:
    """Returns a dictionary without some names; other attributes as they are."""
    if not isinstance(entry, DictionaryAttr):
        return entry
    return DictionaryAttr({name: value for name, value in entry.data.items() if name not in names})


def needs_calibration(device: Device) -> bool:
    """Returns whether a neuron of a device has a parameter that only a calibration shows."""
    from ..core.neuron.neuron import parse_neurons

    for name, update in device.updates.items():
        for neuron in parse_neurons("\n".join(update.text), update.file or device.key).neurons:
            if neuron.name == name and any(one.name in PEAKS and one.value is None for one in neuron.params):
                return True
    return False
