"""Values of the command line: times with a unit."""

from __future__ import annotations

import re
from decimal import Decimal

from ..core.diagnostics import Code, ExitCode, choose, refuse
from ..core.phrases import Phrase, option

VAL001 = Code("VAL001", "a value cannot be parsed", exit_code=ExitCode.MISUSED)

TIME = re.compile(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([a-zµμ]*)\s*")
UNITS_NS = {
    "s": Decimal(10) ** 9,
    "ms": Decimal(10) ** 6,
    "us": Decimal(10) ** 3,
    "µs": Decimal(10) ** 3,  # the micro sign
    "μs": Decimal(10) ** 3,
    "ns": Decimal(1),
}

EXAMPLES = ("0.1ms", "100us", "1e-4s")


def meanings(number: str) -> list[str]:
    """Returns the possible meanings of a time without a unit: one for each unit in which it is an integer number of nanoseconds, else the examples."""

    def is_whole(unit: Decimal) -> bool:
        try:
            time = Decimal(number) * unit
        except ArithmeticError:
            return False
        return 0 < time < 2**63 and time == time.to_integral_value()

    return [f"{number}{name}" for name in ("s", "ms", "us", "ns") if is_whole(UNITS_NS[name])] or [*EXAMPLES]


def time_ns(text: str) -> int:
    """Parses a time as an integer number of nanoseconds: `0.1ms`, `100us`, `1e-4s`.

        time_ns("0.1ms") == 100000

    Errors: VAL001 no unit, no number, not positive, or not an integer number of nanoseconds.
    """
    match = TIME.fullmatch(text)
    unit = UNITS_NS.get(match[2]) if match else None
    try:
        time = Decimal(match[1]) * unit if match and unit is not None else None
    except ArithmeticError:  # too many digits
        time = None
    if time is not None and 0 < time < 2**63 and time == time.to_integral_value():
        return int(time)
    if time is None:
        bare = match is not None and not match[2]
        what = "a time with a unit: s, ms, us or ns"
        help = choose(option("dt", "TIME"), meanings(match[1]) if match and bare else EXAMPLES, "TIME")
    elif time <= 0:
        what, help = "a positive time", choose(option("dt", "TIME"), EXAMPLES, "TIME")
    elif time >= 2**63:
        what, help = "a time of less than 2^63 nanoseconds", choose(option("dt", "TIME"), EXAMPLES, "TIME")
    else:
        what, help = "an integer number of nanoseconds", Phrase(option("dt", f"{max(int(time), 1)}ns"))
    refuse(
        VAL001, "the time step cannot be parsed", at=Phrase(option("dt", text)), expected=what, found=text, help=help
    )
