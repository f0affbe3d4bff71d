"""Checks of the cost of a device: nothing is declared twice, added to what contains it, or out of its band."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from ...diagnostics import Code, Refused, choices_text
from ..device_report import DeviceReport
from ..fields import fields_of
from .cycles import read_cycles
from .records import (
    MEANINGS,
    POWERS,
    SPECIFIC,
    Coefficient,
    Energy,
    Latency,
    coefficients_of,
    specific_coefficients,
    superseded,
)

DEV024 = Code("DEV024", "average-added-to-marginal", "an average would be added to a part that it contains")


class CostChecks(DeviceReport):
    """Checks of the cost of one device."""

    def run(self) -> None:
        cost = self.device.cost
        if cost is None:
            return
        for at, section in self.sections():
            self.section(section, at)
        for name, one in cost.inferences.items():
            for what in ("energy", "time"):
                if (held := getattr(one, what)) is not None:
                    self.band(held, f"cost.inferences.{name}.{what}")
        self.barriers()
        self.cycles()

    def sections(self) -> Iterator[tuple[str, Energy | Latency]]:
        """Yields each section of coefficients with its path."""
        cost = self.device.cost
        assert cost is not None
        for name, section in (("energy", cost.energy), ("latency", cost.latency)):
            if section is not None:
                yield f"cost.{name}", section
        for name, other in cost.others.items():
            yield f"cost.others.{name}.energy", other.energy

    def section(self, section: Energy | Latency, at: str) -> None:
        for name in SPECIFIC:
            specific = specific_coefficients(section, name)
            if specific and getattr(section, name, None) is not None:
                message = "specific coefficients replace a general one"
                self.contradiction(message, f"{at}.{name}", f"nothing, or no {choices_text(specific)}", "a value")
        names = [one.name for one in fields_of(section.__class__) if one.name in MEANINGS or one.name in POWERS]
        for name, held in coefficients_of(section):
            self.band(held, f"{at}.{name}")
            for k, part in enumerate(held.supersedes):
                if part not in names or part == name:
                    near = get_close_matches(part, [one for one in names if one != name], 1, 0)
                    message = f"{at}.{name} contains an unknown coefficient"
                    expected = choices_text([one for one in names if one != name])
                    self.contradiction(message, f"{at}.{name}.supersedes[{k}]", expected, part, f'"{near[0]}"')
        self.averages(section, at)

    def averages(self, section: Energy | Latency, at: str) -> None:
        """Checks that each average contains all other known coefficients of events. Errors: DEV024."""
        known = {name: held for name, held in coefficients_of(section) if held.value is not None}
        counted = {name: held for name, held in known.items() if name not in superseded(section)}
        averages = [name for name, held in counted.items() if held.scope == "average"]
        added = [name for name, held in counted.items() if name in MEANINGS and held.scope == "marginal"]
        for name in averages:
            others = [*added, *(one for one in averages if one != name)]
            others += [one for one in counted if name in POWERS and one in POWERS and one not in (name, *others)]
            if others:
                parts = [*dict.fromkeys((*known[name].supersedes, *others))]
                listed = ", ".join(f'"{one}"' for one in parts)
                self.finding(
                    DEV024,
                    f"{at}.{name} is an average, and {choices_text(others)} would be added to it",
                    f"{at}.{name}.supersedes",
                    expected=f"{choices_text(others)} among what the average contains, or no average",
                    found=choices_text(known[name].supersedes) if known[name].supersedes else "nothing",
                    help=f'"supersedes": [{listed}]',
                )

    def band(self, held: Coefficient, at: str) -> None:
        """Checks that a band is a pair in order around its value."""
        if held.band is None:
            return
        text = ", ".join(f"{one:g}" for one in held.band)
        if len(held.band) != 2 or held.band[0] > held.band[1] or held.band[0] < 0:
            self.contradiction("a band is not a range", f"{at}.band", "the lowest value, then the highest", f"[{text}]")
        elif not isinstance(held.value, int | float) or not held.band[0] <= held.value <= held.band[1]:
            found = "null" if held.value is None else f"{held.value:g}"
            self.contradiction("a value is outside of its band", f"{at}.value", f"a value in [{text}]", found)

    def barriers(self) -> None:
        """Checks that no two barriers hold for the same number of routers."""
        cost = self.device.cost
        seen: dict[int, str] = {}
        for name, barrier in cost.latency.barrier.items() if cost is not None and cost.latency is not None else ():
            if (other := seen.setdefault(barrier.routers, name)) != name:
                at = f"cost.latency.barrier.{name}.routers"
                expected = f"a number other than that of {other}"
                self.contradiction("two barriers hold for the same number of routers", at, expected, barrier.routers)

    def cycles(self) -> None:
        """Checks that the expressions of cycles are numbers, and that a coefficient uses them."""
        cost = self.device.cost
        assert cost is not None
        for name, one in cost.cycles.items():
            at = f"cost.cycles.{name}.expression"
            try:
                read_cycles(one.expression, at=f"$.{at}", file=self.file)
            except Refused as refusal:
                self.passed_on(refusal, at)
