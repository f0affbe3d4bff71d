"""Values of the command line: times and sizes of memory with a unit."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import NoReturn

from ..core.diagnostics import Code, ExitCode, choose, refuse
from ..core.help_text import Phrase, option
from ..core.units import convert_value, like

API022 = Code("API022", "value-unparsable", "a value cannot be parsed", exit_code=ExitCode.MISUSED)

TIME = re.compile(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([A-Za-zµμ]*)\s*")
UNITS_NS = {
    "s": 10**9,
    "ms": 10**6,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ns": 1,
}  # the micro sign, and the letter mu

UNITS_BUDGET = {"": 1.0, "s": 1.0, "ms": 1e-3, "min": 60.0, "h": 3600.0}
"""Units of a time budget in seconds; a number without a unit is in seconds."""
MOST_S = 10**7
"""Largest time budget, about four months [s]."""

SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*")
UNITS_BYTES = {"B": "byte", "kB": "kB", "KB": "kB", **{name: name for name in ("KiB", "MB", "MiB", "GB", "GiB")}}
EXAMPLES = ("0.1ms", "100us", "1e-4s")


def refuse_option(flag: str, given: object, expected: str, example: str) -> NoReturn:
    """Refuses the value of an option. Errors: API022."""
    at, found, help = f"{flag} {given}", str(given), f"{flag} {example}"
    refuse(API022, f"{flag} cannot be parsed", at=at, expected=expected, found=found, help=help)


def nanoseconds(number: str, unit: str) -> Decimal | None:
    """Returns a time in nanoseconds; None for an unknown unit, or too many digits."""
    try:
        return Decimal(number) * UNITS_NS[unit]
    except (ArithmeticError, KeyError):
        return None


def is_whole(time: Decimal | None) -> bool:
    """Returns whether a time is a positive integer number of nanoseconds within 64 bits."""
    return time is not None and 0 < time < 2**63 and time == time.to_integral_value()


def meanings(number: str) -> list[str]:
    """Returns the possible meanings of a number without a unit: each unit that makes it an integer number of nanoseconds. Without one, returns examples."""
    return [f"{number}{unit}" for unit in ("s", "ms", "us", "ns") if is_whole(nanoseconds(number, unit))] or [*EXAMPLES]


def time_ns(text: str) -> int:
    """Parses a time as an integer number of nanoseconds: `0.1ms`, `100us`, `1e-4s`.

        time_ns("0.1ms") == 100000

    Errors: API022 no unit, no number, not positive, or not an integer number of nanoseconds.
    """
    match = TIME.fullmatch(text)
    time = nanoseconds(match[1], match[2]) if match else None
    if time is not None and is_whole(time):
        return int(time)
    what, help = "a time with a unit: s, ms, us or ns", choose(option("dt", "TIME"), EXAMPLES, "TIME")
    if time is None and match and (unit := match[2].lower()) in UNITS_NS and is_whole(nanoseconds(match[1], unit)):
        help = Phrase(option("dt", f"{match[1]}{unit}"))
    elif time is None and match and not match[2]:
        help = choose(option("dt", "TIME"), meanings(match[1]), "TIME")
    elif time is not None and time <= 0:
        what = "a positive time"
    elif time is not None and time >= 2**63:
        what = "a time of less than 2^63 nanoseconds"
    elif time is not None:
        what, help = "an integer number of nanoseconds", Phrase(option("dt", f"{max(int(time), 1)}ns"))
    refuse(
        API022, "the time step cannot be parsed", at=Phrase(option("dt", text)), expected=what, found=text, help=help
    )


def memory_bytes(given: int | str, flag: str = "--max-memory") -> int:
    """Parses a size of memory, rounded down to bytes: `64KiB`, `64KB`, `1.5MiB`.

        memory_bytes("64KiB") == 65536

    Errors: API022 no unit, or no number.
    """
    if isinstance(given, int):
        return given
    match = SIZE.fullmatch(given)
    if match is None or match[2] not in UNITS_BYTES:
        refuse_option(flag, given, f"a number with a unit: {', '.join(UNITS_BYTES)}", "64KiB")
    return int(convert_value(Fraction(match[1]), UNITS_BYTES[match[2]], "byte"))


def energy_pj(given: str, flag: str) -> float:
    """Parses an energy in picojoule: `3nJ`, `1.5 uJ`.

        energy_pj("3nJ", "--max-energy") == 3000.0

    Errors: API022 no unit, or no number.
    """
    match = SIZE.fullmatch(given)
    names = like("pJ")
    if match is None or match[2] not in names:
        refuse_option(flag, given, f"a number with a unit: {', '.join(names)}", f"{match[1] if match else 3}nJ")
    return float(convert_value(Fraction(match[1]), match[2], "pJ"))


def budget_seconds(given: float | str) -> float | None:
    """Parses a time budget: `30s`, `2min`, `1.5h`, or a number of seconds; None for `none`, no budget.

        budget_seconds("2min") == 120.0

    Errors: API022 an unknown unit, no number, or a time that is not positive or more than `MOST_S`.
    """
    if given == "none":
        return None
    match = TIME.fullmatch(str(given))
    try:
        seconds = float(match[1]) * UNITS_BUDGET[match[2]] if match else 0.0
    except (ValueError, KeyError):
        seconds = 0.0
    if not 1e-6 <= seconds <= MOST_S:
        expected = f"a time of at most {MOST_S} s: seconds, or a number with ms, s, min or h; or none"
        refuse_option("--max-time", given, expected, "30s")
    return seconds
