"""Imperfections of one manufactured chip: mismatch between its elements, noise, and ageing, all drawn from a seed.

A model of an analogue chip draws the quantities that differ between chips from `Imperfections.generator`. Each quantity has its own generator, named by
its place in the chip. A further quantity therefore does not change the others, and chip 3 of 5 is identical to chip 3 of 50.

Without imperfections, a model simulates the ideal chip, whose results have the fidelity that the device file declares.
"""

from __future__ import annotations

from hashlib import sha256

import numpy as np
from attrs import frozen


@frozen
class Imperfections:
    """The chip that a model simulates."""

    seed: int
    chip: int
    """Number of the chip."""
    age: float | None = None
    """Time since the chip was programmed; None: directly after. Units: age [s]."""
    first_sample: int = 0
    """Index of the first sample of a run; many samples run in groups, each on a model of its own."""

    def generator(self, *names: str) -> np.random.Generator:
        """Returns the random generator of one quantity of one chip; all generators are independent.

        The generator does not depend on the age: the elements of a chip remain the same as it ages.
        """
        digest = sha256("\0".join(names).encode()).digest()
        words = np.frombuffer(digest, np.uint32).tolist()
        return np.random.Generator(np.random.Philox(np.random.SeedSequence([self.seed, self.chip, *words])))

    def noise(self, *names: str) -> np.random.Generator:
        """Returns the generator of noise during a run; the noise differs between samples on the same chip."""
        return self.generator(*names, *([f"sample {self.first_sample}"] if self.first_sample else []))
