"""Units of NESTML as factors to one coherent system: ms, mV and pA, hence pF, nS and GOhm, in which NEST stores numbers.

1 pF = 1 pA ms / mV and 1 nS = 1 pA / mV, so that a formula with correct units has the same numbers without any factor.
"""

from __future__ import annotations

from fractions import Fraction

PREFIXES = {"": 0, "da": 1} | dict(
    zip("hkMGTPEdcmunpfa", (2, 3, 6, 9, 12, 15, 18, -1, -2, -3, -6, -9, -12, -15, -18), strict=True)
)
"""Exponents of ten of the prefixes of SI."""
SECOND, VOLT, AMPERE = Fraction(10**3), Fraction(10**3), Fraction(10**12)
JOULE = VOLT * AMPERE * SECOND
KILOGRAM = JOULE * SECOND**2
UNIT_FACTORS: dict[str, Fraction] = {
    "s": SECOND,
    "V": VOLT,
    "A": AMPERE,
    "F": AMPERE * SECOND / VOLT,
    "S": AMPERE / VOLT,
    "Ohm": VOLT / AMPERE,
    "C": AMPERE * SECOND,
    "Hz": 1 / SECOND,
    "Bq": 1 / SECOND,
    "J": JOULE,
    "W": JOULE / SECOND,
    "g": KILOGRAM / 1000,
    "N": JOULE,
    "Pa": JOULE,
    "H": VOLT * SECOND / AMPERE,
    "Wb": VOLT * SECOND,
    "T": VOLT * SECOND,
    "L": Fraction(1, 1000),
    "M": Fraction(1000),
    **dict.fromkeys(("m", "mol", "K", "rad"), Fraction(1)),
}
"""Factors of the units of SI that NESTML reads; metre, mole and kelvin are units of the system itself."""


def unit_factor(name: str) -> Fraction | None:
    """Returns the factor of a unit with a prefix; None for another name."""
    for prefix, exponent in PREFIXES.items():
        if name.startswith(prefix) and (factor := UNIT_FACTORS.get(name[len(prefix) :])) is not None:
            return factor * Fraction(10) ** exponent
    return None
