"""Units of numbers in devices and contracts, and exact conversion between units of one dimension.

| dimension | units | base |
| --- | --- | --- |
| count | 1, and every word of COUNTS: neurons, synapses, ticks, … | 1 |
| memory | bit, byte, KiB, MiB, GiB, kB, MB, GB | bit |
| time | fs, ps, ns, us, ms, s | fs |
| energy | fJ, pJ, nJ, uJ, mJ, J | fJ |
| power | nW, uW, mW, W | nW |
| frequency | Hz, kHz, MHz, GHz | Hz |

A quotient of units (`pJ/spike`) has its own dimension, `energy per spike`; the divisor must be the same on both sides.

Source: BIPM, The International System of Units, 9th edition (2019), for prefixes; IEC 80000-13:2008 for KiB, MiB and GiB.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from attrs import frozen

COUNT = "count"
COUNTS = (
    "1",
    "axons",
    "channels",
    "chips",
    "classes",
    "cores",
    "elements",
    "entries",
    "events",
    "groups",
    "hops",
    "links",
    "neurons",
    "rows",
    "spikes",
    "synapses",
    "taps",
    "ticks",
    "weights",
    "vertices",
)
"""Units of pure numbers. They name the counted things, and are interchangeable one to one."""


@frozen
class Unit:
    """Unit, as a multiple of the base unit of its dimension."""

    name: str
    dimension: str
    factor: Fraction = Fraction(1)


def multiples(dimension: str, **factors: int) -> dict[str, Unit]:
    return {name: Unit(name, dimension, Fraction(factor)) for name, factor in factors.items()}


UNITS = {
    **{name: Unit(name, COUNT) for name in COUNTS},
    **multiples("memory", bit=1, byte=8, KiB=8 << 10, MiB=8 << 20, GiB=8 << 30, kB=8000, MB=8 * 10**6, GB=8 * 10**9),
    **multiples("time", fs=1, ps=10**3, ns=10**6, us=10**9, ms=10**12, s=10**15),
    **multiples("energy", fJ=1, pJ=10**3, nJ=10**6, uJ=10**9, mJ=10**12, J=10**15),
    **multiples("power", nW=1, uW=10**3, mW=10**6, W=10**9),
    **multiples("frequency", Hz=1, kHz=10**3, MHz=10**6, GHz=10**9),
}
SPELLINGS = {"bits": "bit", "bytes": "byte", "µs": "us", "µJ": "uJ", "µW": "uW"}
"""Other spellings of units."""


@cache
def unit(name: str) -> Unit | None:
    """Returns the unit of that name, also `pJ/spike`, or None if it does not exist."""
    name, slash, per = name.partition("/")
    found = UNITS.get(SPELLINGS.get(name, name))
    if found is None or not slash:
        return found
    return Unit(f"{found.name}/{per}", f"{found.dimension} per {per}", found.factor) if per.isidentifier() else None


def like(name: str) -> list[str]:
    """Returns the units of the same dimension, for messages; for counts the counted things, for `pJ/spike` also with `/spike`."""
    given = unit(name)
    if given is None:
        return []
    numerator, slash, per = given.name.partition("/")
    dimension = UNITS[numerator].dimension
    if dimension == COUNT:
        return [given.name]
    return [f"{one.name}{slash}{per}" for one in UNITS.values() if one.dimension == dimension]


def convert_value(value: int | float | Fraction, source: str, target: str) -> int | Fraction:
    """Converts a value exactly into another unit of the same dimension; the result is an integer where possible."""
    given, wanted = unit(source), unit(target)
    if given is None or wanted is None or given.dimension != wanted.dimension:
        raise ValueError(f"no conversion from {source} to {target}")
    exact = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    exact = exact * given.factor / wanted.factor
    return exact.numerator if exact.denominator == 1 else exact
