"""Parameters of a population under another update, from the canonical values of its family: decay, gain, leak, threshold.

An update requires its raw parameters by name. They come from

| name | from |
| --- | --- |
| `decay`, `gain`, `leak`, `threshold`, `decay_i`, `gain_i`, … | the canonical values of the population; a family without a synaptic current has `decay_i = 0` and `gain_i = 1` |
| `unit` | integers: the membrane potential that one unit of the input adds |
| `unit_inhibitory` | the same of the second input, of a neuron with the inputs `excitatory` and `inhibitory` |
| `inhibition` | integers: the magnitude of the lowest sum of a tick, of all neurons of the population |
| `peak`, `peak_i` | the largest distance of v from the leak, and the largest input of v by the current, in a calibration; one number each for all neurons with the same `unit` |
| `step`, canonical alone | integers that are emitted as values: the membrane potential of the value 1 |
| `v_threshold`, `v_leak` | `threshold`, `leak` |
| `v_reset`, others | the parameter of the same name, where the population has it |
| `tau`, `tau_mem`, `tau_syn` | the time constant from which the new update derives the decay that is closest to the old one |
| `r`, `w_in` | the factor with which it derives the old gain |
"""

from __future__ import annotations

import numpy as np

from ....analysis.calibration_records import NEURONS, PEAKS, observed_array
from ....core.arrays.numeric import NamedReals, Reals
from ....core.diagnostics import Code, refuse_op
from ....core.help_text import Option, Phrase
from ....core.ir.operation import texts_of
from ....dialects import ntensor
from ....simulation.update import derive

LEG033 = Code("LEG033", "update-parameter-unknown", "a parameter of the new update is not known")
LEG034 = Code("LEG034", "neuron-needs-calibrated-ranges", "a neuron needs the ranges of a calibration")


CURRENTLESS = {"decay_i": np.float64(0), "gain_i": np.float64(1)}
"""Values for a family without a synaptic current: the current does not persist, and the whole input reaches the membrane."""
ALIKE = {"v_threshold": "threshold", "v_leak": "leak"}
TIMES = {"tau": "decay", "tau_mem": "decay", "tau_syn": "decay_i"}
FACTORS = {"r": "gain", "w_in": "gain_i"}
INHIBITION = "inhibition"
HEADROOM = 2.0
"""Range of the states of a neuron, relative to the calibration: one bit for other data."""


def canonical_of(op: ntensor.NeuronOp) -> dict[str, Reals]:
    """Returns the canonical values of a population, in f64."""
    given = {} if op.canonical is None else dict(op.arrays(op.canonical))
    found: dict[str, Reals] = {name: array.values.astype(np.float64) for name, array in given.items()}
    if found and "decay_i" not in found:
        found |= {name: np.asarray(value) for name, value in CURRENTLESS.items()}
    return found


def peaks_of(op: ntensor.NeuronOp, canonical: NamedReals, unit: Reals) -> dict[str, Reals]:
    """Returns two observed maxima: the distance of v from the leak, and the current's contribution to v.

    Each is one number for all neurons, or one along the axes of the population along which `unit` varies. A number of some neurons is `HEADROOM` times
    what they reached, and at most that of all neurons.
    """
    found: dict[str, Reals] = {}
    for name, state in zip(PEAKS, ("v", "i"), strict=True):
        ends, each = observed_array(op, state), observed_array(op, NEURONS, state)
        if ends is None or (state == "i" and "gain" not in canonical):
            continue

        def sizes(ends: Reals, state: str = state) -> Reals:
            if state == "v":
                return np.max([np.abs(end - canonical.get("leak", 0.0)) for end in ends], axis=0)
            return np.max(np.abs(ends), axis=0) * np.abs(canonical["gain"])

        largest = np.max(sizes(ends))
        found[name] = np.asarray(largest)
        if each is not None and unit.ndim and each.shape[1:] == unit.shape:
            constant = tuple(k for k in range(unit.ndim) if (unit == unit.take([0], axis=k)).all())
            line = np.max(np.broadcast_to(sizes(each), unit.shape), axis=constant, keepdims=True)
            found[name] = np.broadcast_to(np.minimum(HEADROOM * line, largest), unit.shape)
    return found


def raw_values(op: ntensor.NeuronOp, update: ntensor.UpdateOp, units: NamedReals, dt: float) -> dict[str, Reals]:
    """Returns the raw parameters of an update for a population; `units` where it takes integers.

    Units: dt [s], units [unit of the membrane potential]. Errors: LEG033 a name without a source; LEG034 a range without a calibration.
    """
    canonical = canonical_of(op)
    known: dict[str, Reals] = {**canonical, **units}
    known |= peaks_of(op, canonical, np.asarray(units.get("unit", 1.0)))
    known |= {name: canonical[like] for name, like in ALIKE.items() if like in canonical and name not in known}
    wanted, meanings = texts_of(update.raw), texts_of(update.canonical)
    solvable = {
        name
        for name in wanted
        if (meaning := (TIMES | FACTORS).get(name)) in canonical and meaning in meanings and name not in known
    }
    own = {name: array.values.astype(np.float64) for name, array in op.arrays(op.params)}
    known |= {name: value for name, value in own.items() if name not in solvable and name not in known}
    missing = [name for name in wanted if name not in solvable and name not in known]
    if missing and missing[0] in PEAKS:
        refuse_op(
            op,
            LEG034,
            f"the range of states is not known, and @{update.sym_name.data} has steps that follow from it",
            expected="a calibration: a run of the network in reals with sample input",
            found="none",
            help=Phrase(Option("ntensor-calibrate{data=x.npy}", "--calib x.npy", is_of_device=True)),
            notes=["x.npy is [samples, ticks, *shape]: some samples of the data that the network is for"],
        )
    if missing:
        is_derived = missing[0] in {*TIMES.values(), *FACTORS.values(), *ALIKE.values()}
        owner = op.update.root_reference.data
        refuse_op(
            op,
            LEG033,
            f"parameter {missing[0]} of @{update.sym_name.data} is not known",
            expected=", ".join(wanted),
            found=", ".join(sorted(known)) or "no canonical parameters",
            help=f"add the value of {missing[0]} to the neuron @{owner}: canonical {missing[0]} = …"
            if is_derived
            else f"give it a value in the file, for example: param {missing[0]} = 1",
        )
    given = {name: known[name] for name in wanted if name in known}
    return given | solved(update, given, [name for name in wanted if name in solvable], canonical, dt)


def solved(
    update: ntensor.UpdateOp, given: NamedReals, sought: list[str], canonical: NamedReals, dt: float
) -> dict[str, Reals]:
    """Returns time constants and factors such that an update derives the canonical values from them."""
    if not sought:
        return {}
    times = [name for name in sought if name in TIMES]
    factors = [name for name in sought if name in FACTORS]
    ones: dict[str, Reals] = {name: np.asarray(1.0) for name in factors}

    def found(taus: NamedReals) -> dict[str, Reals]:
        return derive(update, dt, {**given, **ones, **taus})

    with np.errstate(all="ignore"):
        ways = [
            {name: dt / (1 - canonical[TIMES[name]]) for name in times},
            {name: -dt / np.log(canonical[TIMES[name]]) for name in times},
        ]
        errors = [
            {name: np.max(np.abs(way[TIMES[name]] - canonical[TIMES[name]]), initial=0) for name in times}
            for way in map(found, ways if times else ())
        ]
        chosen = {name: ways[int(errors[1][name] < errors[0][name])][name] for name in times}
        derived = found(chosen)
        scaled = {name: canonical[FACTORS[name]] / derived[FACTORS[name]] for name in factors}
    return {**chosen, **scaled}
