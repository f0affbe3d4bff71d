"""Conductances of manufactured cells: programming, stuck cells, drift, and the noise of a read. Units: conductances [uS], times [s].

    g_programmed = max(0, g + noise (0.26348 + 1.9650 x - 1.1731 x^2) (g_max / 25) N(0, 1) + variation g N(0, 1)),    x = g / g_max
    nu = |clip(-0.0155 ln x + 0.0244, 0.049, 0.1) + clip(-0.0125 ln x - 0.0059, 0.008, 0.045) N(0, 1)|
    g(t) = g_programmed ((t + t_0) / t_0)^(-drift nu)
    g_read = max(0, g(t) (1 + noise q sqrt(ln((t + t_0 + t_read) / (2 t_read))) N(0, 1))),    q = min(0.0088 / x_programmed^0.65, 0.2)

The time t counts from the end of programming. One draw of the noise of a read holds for a whole run, as in the source.

Source: aihwkit 1.1.0, PCMLikeNoiseModel, after Nandakumar et al. (ICECS 2019).
"""

from __future__ import annotations

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import Bools, Reals
from ...core.device.records import Device
from ...dialects.memxbar import Crossbar
from ...simulation.imperfections import Imperfections

PROGRAMMING = (0.26348, 1.9650, -1.1731)
"""Coefficients of the deviation [uS], for a greatest conductance of `REFERENCE`."""
REFERENCE = 25.0
DRIFT_MEAN, DRIFT_DEVIATION = (-0.0155, 0.0244, 0.049, 0.1), (-0.0125, -0.0059, 0.008, 0.045)
"""Slope and offset over the logarithm of the conductance, and the least and greatest value."""
READ_FACTOR, READ_POWER, MOST_READ = 0.0088, 0.65, 0.2
LEAST_SHARE = 1e-7
"""The least conductance of a logarithm, as a share of the greatest."""
LEAST_POWER = 1e-3


@frozen
class CellPhysics:
    """Imperfections of the cells of a device. An unknown imperfection is not simulated."""

    g_max: float
    programming_noise: float
    read_noise: float
    drift: float
    variation: float
    stuck_low: float
    stuck_high: float
    t_0: float
    t_read: float

    @staticmethod
    def of(device: Device, crossbar: Crossbar) -> CellPhysics:
        names = ("programming_noise", "read_noise", "drift", "variation", "stuck_low", "stuck_high")
        return CellPhysics(
            g_max=crossbar.g_max,
            t_0=feature(device, "t_0", 20.0),
            t_read=feature(device, "t_read", 250e-9),
            **{name: imperfection(device, name) for name in names},
        )

    def programmed(self, target: Reals, rng: np.random.Generator) -> Reals:
        """Returns the conductances after programming."""
        share = target / self.g_max
        first, second, third = PROGRAMMING
        deviation = (first + second * share + third * share**2) * (self.g_max / REFERENCE)
        found = target + self.programming_noise * deviation * rng.standard_normal(target.shape)
        found += self.variation * target * rng.standard_normal(target.shape)
        return np.maximum(found, 0.0)

    def exponents(self, target: Reals, rng: np.random.Generator) -> Reals:
        """Returns the exponent of the drift of each cell."""
        logarithm = np.log(np.maximum(np.abs(target / self.g_max), LEAST_SHARE))
        mean, deviation = (
            np.clip(slope * logarithm + offset, low, high) for slope, offset, low, high in (DRIFT_MEAN, DRIFT_DEVIATION)
        )
        return self.drift * np.abs(mean + deviation * rng.standard_normal(target.shape))

    def drifted(self, programmed: Reals, exponents: Reals, age: float) -> Reals:
        """Returns the conductances some time after programming."""
        return programmed * ((age + self.t_0) / self.t_0) ** -exponents

    def read(self, programmed: Reals, drifted: Reals, age: float, rng: np.random.Generator) -> Reals:
        """Returns the conductances of a read, with the noise that has accumulated since programming."""
        power = np.maximum(np.abs(programmed / self.g_max) ** READ_POWER, LEAST_POWER)
        factor = np.minimum(READ_FACTOR / power, MOST_READ)
        factor = factor * np.sqrt(np.log((age + self.t_0 + self.t_read) / (2 * self.t_read)))
        noise = self.read_noise * factor * rng.standard_normal(programmed.shape)
        return np.maximum(drifted * (1 + noise), 0.0)


@frozen(eq=False)
class ManufacturedCells:
    """The cells of a tile on one chip."""

    physics: CellPhysics
    programmed: Reals
    exponents: Reals
    low: Bools
    high: Bools
    ends: tuple[float, float]

    @staticmethod
    def of(
        physics: CellPhysics, crossbar: Crossbar, target: Reals, chip: Imperfections, names: tuple[str, ...]
    ) -> ManufacturedCells:
        """Returns the cells of a chip that were programmed to target conductances."""
        stuck = chip.generator(*names, "stuck").random(target.shape)
        return ManufacturedCells(
            physics,
            physics.programmed(target, chip.generator(*names, "programming")),
            physics.exponents(target, chip.generator(*names, "drift")),
            stuck < physics.stuck_low,
            stuck >= 1 - physics.stuck_high,
            (crossbar.g_min, crossbar.g_max),
        )

    def at(self, age: float | None, rng: np.random.Generator) -> Reals:
        """Returns the conductances at an age, with drift and read noise; without an age, directly after programming."""
        found = self.programmed
        if age is not None:
            found = self.physics.read(found, self.physics.drifted(found, self.exponents, age), age, rng)
        return np.where(self.low, self.ends[0], np.where(self.high, self.ends[1], found))


def imperfection(device: Device, name: str) -> float:
    """Returns an imperfection of a device; 0 if it is unknown."""
    return float(device.number(f"imperfections.{name}") or 0.0)


def feature(device: Device, name: str, default: float) -> float:
    """Returns a number of a device."""
    value = device.number(f"features.{name}")
    return default if value is None else float(value)
