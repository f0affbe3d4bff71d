"""Imperfections of one manufactured chip: mismatch between its elements, noise, and ageing, all drawn from a seed.

A model of an analogue chip draws what differs between chips from `Imperfections.generator`. Each quantity has its own generator, named by
the place in the chip, so that a further quantity does not change the others, and chip 3 is the same chip among 5 and among 50.

The ideal chip has no imperfections: a model without them computes what the device file promises as its fidelity.
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

        It does not depend on the age: an aged chip has the elements of the new one.
        """
        digest = sha256("\0".join(names).encode()).digest()
        words = np.frombuffer(digest, np.uint32).tolist()
        return np.random.Generator(np.random.Philox(np.random.SeedSequence([self.seed, self.chip, *words])))

    def noise(self, *names: str) -> np.random.Generator:
        """Returns the generator of noise during a run: other samples have other noise on the same chip."""
        return self.generator(*names, *([f"sample {self.first_sample}"] if self.first_sample else []))
