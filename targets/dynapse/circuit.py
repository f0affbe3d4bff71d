"""The neurons of DYNAP-SE2 in current mode, from the currents and capacitances of their circuits.

    tau(I, C) = C Ut / (kappa I)      t_pulse = Vth C_pulse / I_pulse      t_ref = Vth C_ref / I_ref

    isyn += sum of a tick:  isyn = isyn exp(-dt / tau_syn) + (1 - exp(-t_pulse / tau_syn)) max(Io, I_gain_syn / I_tau_syn I_w x)
    iahp likewise, from the spikes of the tick before
    I_leak = I_tau_mem + iahp
    I_in = max(Io, isyn - I_leak + I_dc), but Io in the refractory time
    f = Io exp(kappa / (kappa + 1) ln(imem / Io)) / I_leak (imem + I_gain_mem), with imem before its reset
    imem += dt imem / (tau(I_leak, C_mem) (imem + I_gain_mem)) (I_gain_mem / I_tau_mem (I_in - I_leak) + f - imem (1 + iahp / I_tau_mem))
    n = max(0, ceil(ln(imem / I_spkthr)));  imem = Io where n > 0

The refractory time is counted in single precision, as DynapSim does: whether a multiple of a tick is over depends on its rounding.

Parameters of the update are numbers of these circuits: `currents_of` returns the currents that they come from.

Source: rockpool 3.1.0, devices/dynapse (DynapSim and its default layout). The equations were written from its documentation and behaviour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import AnyArray, Reals
from ...dialects.dynapse.circuit import LAYOUT, kappa_of
from ...simulation.imperfections import Imperfections

AHP = ("i_gain_ahp", "i_tau_ahp", "i_pulse_ahp", "i_w_ahp")
CURRENT_NAMES = ("i_dc", "i_gain_mem", "i_tau_mem", "i_spkthr", "i_gain_syn", "i_tau_syn", "i_pulse", "i_ref", *AHP)
LEAST_FACTOR = 0.01
"""Least ratio of a mismatched number to its ideal one."""


def refractory_time(vth: Any, capacity: Any, current: Any) -> AnyArray:
    """Returns the refractory time in the order of the roundings of DynapSim, in single precision. Units: [s]."""
    vth, capacity, current = (np.asarray(values).astype(np.float32) for values in (vth, capacity, current))
    with np.errstate(divide="ignore"):
        return np.asarray(vth * capacity / current)


def refractory_current(time: Reals) -> Reals:
    """Returns a current whose refractory time equals `time` in every bit, else the nearest current; infinity for a time of 0. Units: time [s]."""
    numbers = LAYOUT["vth"], LAYOUT["c_ref"]
    found = refractory_time(*numbers, time)  # the rule is its own inverse, but for roundings
    for nearby in (np.nextafter(found, np.float32(0)), np.nextafter(found, np.float32(np.inf))):
        found = np.where(refractory_time(*numbers, nearby) == time, nearby, found)
    return found.astype(np.float64)


def currents_of(params: Mapping[str, AnyArray], dt: float) -> dict[str, Reals]:
    """Returns the currents that the parameters of an update come from. Shapes: () or [neurons]. Units: dt [s].

    A neuron without an adaptation has no current of its spikes, one without a refractory time an infinite I_ref.
    """
    held = {name: np.asarray(values, np.float64) for name, values in params.items()}
    found = {name: held[name] for name in ("i_dc", "i_gain_mem", "i_tau_mem", "i_spkthr")}
    speed = float(kappa_of(LAYOUT)) / LAYOUT["ut"]
    for kind in ("syn", "ahp"):
        suffix = "" if kind == "syn" else "_ahp"
        if f"decay_{kind}" not in held:
            continue
        rate = -np.log(held[f"decay_{kind}"]) / dt  # 1 / tau
        found[f"i_tau_{kind}"] = rate * LAYOUT[f"c_{kind}"] / speed
        found[f"i_gain_{kind}"] = held[f"gain_{kind}"] * found[f"i_tau_{kind}"]
        with np.errstate(divide="ignore"):  # a pulse that charges fully has no end, and its current is zero
            length = -np.log1p(-held[f"charge_{kind}"])
        found[f"i_pulse{suffix}"] = LAYOUT["vth"] * LAYOUT[f"c_pulse{suffix}"] * rate / length
    found["i_w_ahp"] = held.get("i_w_ahp", np.zeros(()))
    for name, like in (("i_tau_ahp", "i_tau_syn"), ("i_gain_ahp", "i_gain_syn"), ("i_pulse_ahp", "i_pulse")):
        found.setdefault(name, found[like])
    found["i_ref"] = refractory_current(held.get("t_ref", np.zeros(())))
    return {name: found[name] for name in CURRENT_NAMES}


def mismatched(
    numbers: Mapping[str, AnyArray | float], spread: float, size: int, source: str, imperfections: Imperfections
) -> Iterator[tuple[str, Reals]]:
    """Yields each number of all neurons of a population, multiplied by a normal number with the mean 1. Shapes: [size]."""
    for name, values in numbers.items():
        factor = 1 + spread * imperfections.generator(source, name).standard_normal(size)
        yield name, np.asarray(values, np.float64) * np.maximum(factor, LEAST_FACTOR)


@frozen(eq=False)
class Circuit:
    """Neurons whose numbers are known. Shapes: () or [neurons]."""

    io: Reals
    decay_syn: Reals
    charge_syn: Reals
    decay_ahp: Reals
    charge_ahp: Reals
    i_w_ahp: Reals
    i_tau_mem: Reals
    i_gain_mem: Reals
    i_dc: Reals
    i_spkthr: Reals
    speed: Reals
    """dt / (tau I_leak)."""
    feed: Reals
    """kappa / (kappa + 1)."""
    t_ref: AnyArray
    unit: Reals
    """Current of a weight of 1 after the gain of the synapse."""
    dt: np.float32

    @staticmethod
    def of(given: Mapping[str, AnyArray | float], i_w: AnyArray, dt: float) -> Circuit:
        """Returns the circuits of some currents and constants; `i_w` is the current of a weight of 1. Units: dt [s]."""
        held = {name: np.asarray(values, np.float64) for name, values in given.items()}
        kappa = np.asarray(kappa_of(held))
        decay: dict[str, Reals] = {}
        charge: dict[str, Reals] = {}
        for kind, suffix in (("syn", ""), ("ahp", "_ahp")):
            rate = kappa * held[f"i_tau_{kind}"] / (held[f"c_{kind}"] * held["ut"])
            with np.errstate(divide="ignore"):
                pulse = held["vth"] * held[f"c_pulse{suffix}"] / held[f"i_pulse{suffix}"]
            decay[kind], charge[kind] = np.exp(-dt * rate), -np.expm1(-pulse * rate)
        return Circuit(
            io=held["io"],
            decay_syn=decay["syn"],
            charge_syn=charge["syn"],
            decay_ahp=decay["ahp"],
            charge_ahp=charge["ahp"],
            i_w_ahp=held["i_gain_ahp"] / held["i_tau_ahp"] * held["i_w_ahp"],
            i_tau_mem=held["i_tau_mem"],
            i_gain_mem=held["i_gain_mem"],
            i_dc=held["i_dc"],
            i_spkthr=held["i_spkthr"],
            speed=dt * kappa / (held["c_mem"] * held["ut"]),
            feed=kappa / (kappa + 1),
            t_ref=refractory_time(held["vth"], held["c_ref"], held["i_ref"]),
            unit=held["i_gain_syn"] / held["i_tau_syn"] * np.asarray(i_w, np.float64),
            dt=np.float32(dt),
        )


def parameters_of(circuit: Circuit) -> dict[str, Reals]:
    """Returns the parameters of an update from circuits: the inverse of `currents_of`. Shapes: () or [neurons].

    The update has the io of the layout. The equations hold for currents in any unit, so those of a circuit with another io are scaled.
    """
    unit = LAYOUT["io"] / circuit.io
    names = ("i_tau_mem", "i_gain_mem", "i_dc", "i_spkthr", "i_w_ahp")
    found: dict[str, Reals] = {name: getattr(circuit, name) * unit for name in names}
    found |= {name: getattr(circuit, name) for name in ("decay_syn", "charge_syn", "decay_ahp", "charge_ahp", "feed")}
    return found | {
        "speed": circuit.speed / unit,
        "gain_mem": circuit.i_gain_mem / circuit.i_tau_mem,
        "i_w": circuit.unit * unit,
        "gain_syn": np.ones_like(circuit.unit),
        "gain_ahp": np.ones_like(circuit.i_w_ahp),
        "rest": 1 + circuit.io / circuit.i_tau_mem,
        "t_ref": circuit.t_ref.astype(np.float64),
    }


class RunningNeurons:
    """The states of some samples of neurons. Shapes: [samples, neurons]."""

    def __init__(self, circuit: Circuit, samples: int, neurons: int):
        self.circuit, shape = circuit, (samples, neurons)
        self.isyn, self.iahp, self.imem = (np.broadcast_to(circuit.io, shape).copy() for _ in range(3))
        self.v = np.zeros(shape)
        """ln(imem / Io) before the reset."""
        self.timer = np.zeros(shape, np.float32)
        self.n = np.zeros(shape, np.int64)

    def tick(self, x: Reals, most: int) -> AnyArray:
        """Runs one tick with the weight sums `x`, and returns the spikes of each neuron, at most `most`."""
        one = self.circuit
        with np.errstate(all="ignore"):
            self.isyn = self.isyn * one.decay_syn + one.charge_syn * np.maximum(one.io, one.unit * x)
            self.iahp = np.maximum(one.io, self.iahp * one.decay_ahp + one.charge_ahp * (one.i_w_ahp * self.n))
            leak = one.i_tau_mem + self.iahp
            given = np.where(self.timer <= 0, np.maximum(one.io, self.isyn - leak + one.i_dc), one.io)
            back = one.io * np.exp(one.feed * self.v) / leak * (self.imem + one.i_gain_mem)
            drive = one.i_gain_mem / one.i_tau_mem * (given - leak) + back - self.imem * (1 + self.iahp / one.i_tau_mem)
            self.imem = self.imem + one.speed * leak * self.imem / (self.imem + one.i_gain_mem) * drive
            self.imem = np.maximum(one.io, self.imem)
            self.v = np.log(self.imem / one.io)
            self.n = np.clip(np.ceil(np.log(self.imem / one.i_spkthr)), 0, most).astype(np.int64)
        fired = self.n > 0
        self.imem = np.where(fired, one.io, self.imem)
        self.timer = np.where(fired, one.t_ref, np.maximum(self.timer - one.dt, np.float32(0))).astype(np.float32)
        return self.n
