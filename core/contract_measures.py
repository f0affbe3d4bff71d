"""What the expressions of a contract are measured in, and how measures multiply, divide and meet.

A measure is a product of powers of bit, second and joule, with a scale: 1 byte is 8 bit, 1 pJ is 10^-12 J, 1 W is 1 J/s. Whatever
counts (neurons, synapses, ticks) is a pure number. Booleans and lists have measures of their own, so that nothing else meets them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Literal

from attrs import evolve, frozen

from .units import Unit, unit

Powers = tuple[int, int, int]
BASES = ("bit", "s", "J")
DIMENSIONS: dict[str, tuple[Powers, Fraction]] = {
    "count": ((0, 0, 0), Fraction(1)),
    "memory": ((1, 0, 0), Fraction(1)),
    "time": ((0, 1, 0), Fraction(1, 10**15)),
    "energy": ((0, 0, 1), Fraction(1, 10**15)),
    "power": ((0, -1, 1), Fraction(1, 10**9)),
    "frequency": ((0, -1, 0), Fraction(1)),
}
"""The powers of BASES of each dimension of `units`, and its base unit in these."""
MEMORY: Powers = (1, 0, 0)
BITS_OF = {
    "byte": "bit",
    "KiB": "Kibit",
    "MiB": "Mibit",
    "GiB": "Gibit",
    "kB": "kbit",
    "MB": "Mbit",
    "GB": "Gbit",
}
"""Units of bytes, and what an eighth of each is called."""


@frozen
class Measure:
    """What a value is measured in: `scale` times the product of the base units, each to its power."""

    name: str
    powers: Powers = (0, 0, 0)
    scale: Fraction = Fraction(1)
    form: Literal["number", "boolean", "list"] = "number"

    @property
    def is_pure(self) -> bool:
        return self.form == "number" and not any(self.powers)

    @property
    def is_memory(self) -> bool:
        return self.form == "number" and self.powers == MEMORY

    @property
    def is_bit(self) -> bool:
        return self.is_memory and self.name == "bit"

    @property
    def is_bytes(self) -> bool:
        return self.is_memory and self.name in BITS_OF

    def __str__(self) -> str:
        """As messages say it."""
        if self.form == "boolean":
            return "true or false"
        if self.form == "list":
            return f"a list of {element(self)}"
        return "a pure number" if self.is_pure else f"a number of {plural(self.name)}"


PURE = Measure("1")
BIT = Measure("bit", MEMORY)
BOOLEAN = Measure("boolean", form="boolean")


def plural(name: str) -> str:
    return f"{name}s" if name in ("bit", "byte") else name


def element(measure: Measure) -> Measure:
    """What each value of a list is measured in."""
    return evolve(measure, form="number")


@cache
def measure_of(name: str) -> Measure | None:
    """The measure of a unit's name, of `boolean`, or of `list of UNIT`; None where there is none."""
    if name == "boolean":
        return BOOLEAN
    if name.startswith("list of "):
        one = measure_of(name.removeprefix("list of "))
        return evolve(one, form="list") if one and one.form == "number" else None
    numerator, slash, per = name.partition("/")
    found = unit(numerator)
    if found is None or not slash:
        return None if found is None else measured(found)
    divisor = unit(per)
    # what is counted (per spike, per hop) leaves no trace in the measure
    below = PURE if divisor is None or divisor.dimension == "count" else measured(divisor)
    return evolve(quotient(measured(found), below), name=name) if unit(name) else None


def measured(one: Unit) -> Measure:
    powers, base = DIMENSIONS[one.dimension]
    return Measure(one.name, powers, base * one.factor) if any(powers) else PURE


def product(left: Measure, right: Measure) -> Measure:
    """The measure of `left * right`; a pure one may have a scale that is still to be multiplied out."""
    if left.is_pure or right.is_pure:
        return evolve(right if left.is_pure else left, scale=left.scale * right.scale)
    first, second, third = (a + b for a, b in zip(left.powers, right.powers, strict=True))
    return Measure(f"{left.name}*{right.name}", (first, second, third), left.scale * right.scale)


def counted(measure: Measure) -> Measure:
    """What so many times a measure per count is measured in: pJ for pJ/spike."""
    numerator = unit(measure.name.partition("/")[0])
    return measured(numerator) if numerator and measured(numerator).powers == measure.powers else measure


def quotient(left: Measure, right: Measure) -> Measure:
    """The measure of `left / right`; a pure one may have a scale that is still to be multiplied out."""
    if right.is_pure:
        return left
    first, second, third = (a - b for a, b in zip(left.powers, right.powers, strict=True))
    powers = first, second, third
    name = f"{left.name}/{right.name}" if any(powers) else "1"
    return Measure(name, powers, left.scale / right.scale)


def finer(left: Measure, right: Measure) -> Measure:
    """The one of two measures of equal powers in which both are whole numbers more often."""
    return min(left, right, key=lambda one: (one.scale, len(one.name)))


def eighth(measure: Measure) -> Measure:
    """Bits for bytes, Kibit for KiB: the measure in which 8 times as many are the same amount."""
    return Measure(BITS_OF[measure.name], MEMORY, measure.scale / 8)


# ---- values as text


def written(value: Fraction | int) -> str:
    """A number, exactly: an integer, a decimal where it ends, else a quotient."""
    exact = Fraction(value)
    rest, twos, fives = exact.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > 12:
        return str(exact)
    if not places:
        return str(exact.numerator)
    digits = f"{abs(exact) * 10**places}".rjust(places + 1, "0")
    return f"{'-' if exact < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def amount(value: Fraction | int, measure: Measure) -> str:
    """A number with its unit: `64`, `1 bit`, `32768 bytes`, `1.5 pJ`."""
    if measure.is_pure:
        return written(value)
    return f"{written(value)} {measure.name if abs(value) == 1 else plural(measure.name)}"


def valued(value: object, measure: Measure) -> str:
    """A value of any form, as messages and explanations say it."""
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        listed: tuple[Fraction | int | None, ...] = tuple(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        return f"[{', '.join('not known' if one is None else amount(one, element(measure)) for one in listed)}]"
    assert isinstance(value, int | Fraction)
    return amount(value, measure)
