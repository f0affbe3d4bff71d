"""Texts of numbers for people: three significant digits, a unit of a readable size, and nouns in the singular or plural.

| function | text |
| --- | --- |
| `number_text(0.0391237)` | 0.0391 |
| `scaled_text(2833580, "byte")` | 2.83 MB |
| `scaled_text(1000000, "ns")` | 1 ms |
| `range_text(1900, 3100, "pJ")` | 1.9 to 3.1 nJ |
| `counted_text(9472, "weight")` | 9,472 weights |
| `percent_text(0.906667)` | 90.67 % |
| `percent_text(0.0242, 0)` | 2 % |

Exact numbers, as in limits and JSON, are not formatted here.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

from .units import COUNT, UNITS, Unit, unit

DIGITS = 3
"""Significant digits of a real number."""
BYTE = "byte"
SMALLEST_FIXED, LARGEST_FIXED = 1e-4, 1e6
"""Real numbers between these limits are written without an exponent."""
BINARY = ("KiB", "MiB", "GiB")
"""Units of memory that texts do not use; a text has one kind of multiples."""


def number_text(value: float | str | None, digits: int = DIGITS) -> str:
    """Returns a number with at most `digits` significant digits, an integer in full; `-` for an unknown one; a text unchanged.

    number_text(0.0391237) == "0.0391", number_text(9472) == "9,472" and number_text(12345.6) == "12,346"
    """
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    if 10**digits <= abs(value) < LARGEST_FIXED:
        return f"{value:,.0f}"
    text = f"{value:.{digits}g}"
    if "e" in text and SMALLEST_FIXED <= abs(value) < LARGEST_FIXED:
        return f"{float(text):,.0f}"  # 999.6 has four digits once it is rounded
    return text


def scaled_text(value: float | Fraction | None, name: str) -> str:
    """Returns a quantity in the largest unit of its dimension in which it is at least 1; `-` for an unknown one.

        scaled_text(2833580, "byte") == "2.83 MB", scaled_text(949, "byte") == "949 bytes" and scaled_text(1500, "pJ/spike") == "1.5 nJ/spike"

    A unit outside of the tables of `units.py` follows the number as it is.
    """
    if value is None:
        return "-"
    given = unit(name)
    if given is None or given.dimension == COUNT:
        return f"{number_text(real_or_whole(value))} {name}".removesuffix(" 1")
    numerator, slash, per = given.name.partition("/")
    for one in multiples_of(UNITS[numerator]):
        scaled = value * float(given.factor / one.factor)
        if abs(float(f"{float(scaled):.{DIGITS}g}")) >= 1:
            break
    else:
        one, scaled = UNITS[numerator], value
    if one.name == BYTE and not slash:
        return f"{number_text(real_or_whole(scaled))} {'byte' if scaled == 1 else 'bytes'}"
    return f"{number_text(float(scaled))} {one.name}{slash}{per}"


def range_text(low: float, high: float, name: str) -> str:
    """Returns a quantity between two values, as one number if both have the same text.

    range_text(1900, 3100, "pJ") == "1.9 to 3.1 nJ" and range_text(0.5, 3100, "pJ") == "500 fJ to 3.1 nJ"
    """
    least, most = scaled_text(low, name), scaled_text(high, name)
    if least == most:
        return most
    number, _, unit_name = least.partition(" ")
    return f"{number if unit_name == most.partition(' ')[2] else least} to {most}"


def multiples_of(base: Unit) -> list[Unit]:
    """Returns the units of a dimension, the largest first; of memory only those of at least a byte, unless the unit is smaller."""
    found = [one for one in UNITS.values() if one.dimension == base.dimension and one.name not in BINARY]
    if base.dimension == UNITS[BYTE].dimension:
        found = [one for one in found if one.factor >= UNITS[BYTE].factor or one is base]
    return sorted(found, key=lambda one: one.factor, reverse=True)


def real_or_whole(value: float | Fraction) -> float:
    """Returns an integer if the value is integral, else a float."""
    return int(value) if isfinite(value) and value == int(value) else float(value)


def counted_text(number: int, noun: str) -> str:
    """Returns a number with its noun: `1 vertex`, `2 vertices`, `1,024 neurons`."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    if noun.endswith("ex"):
        return f"{noun[:-2]}ices"
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def percent_text(share: float | None, decimals: int = 2) -> str:
    """Returns a share in percent; `-` for an unknown one. A share below 1 is never written as 100 %, and one above 0 never as 0 %.

    percent_text(0.906667) == "90.67 %", percent_text(0.999999) == "99.99 %" and percent_text(0.0004, 0) == "under 1 %"
    """
    if share is None:
        return "-"
    scale = 10**decimals
    steps = round(100 * share * scale)
    if share > 0 and not steps:
        return f"under {1 / scale:g} %"
    if share < 1:
        steps = min(steps, 100 * scale - 1)
    return f"{steps / scale:.{decimals}f} %"
