"""Report of the checks of one device."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from ..diagnostics import Code, Diagnostics, Finding, Refused
from .records import Device

DEV008 = Code("DEV008", "device-fields-contradict", "fields of a device contradict each other")


class DeviceReport:
    """Base of the checks of one device; findings are added to `found` with their JSON paths."""

    def __init__(self, device: Device, file: str, found: Diagnostics):
        self.device = device
        self.file = file
        self.found = found

    def finding(self, code: Code, message: str, at: str, **parts: Any) -> None:
        self.found.error(code, message, file=self.file, at=f"$.{at}", **parts)

    def contradiction(self, message: str, at: str, expected: str, found: Any, help: str | None = None) -> None:
        self.finding(DEV008, message, at, expected=expected, found=str(found), help=help)

    def ordered(self, low: str, high: str) -> None:
        """Checks that the first number is at most the second."""
        a, b = self.device.number(low), self.device.number(high)
        if a is not None and b is not None and a > b:
            self.contradiction(f"{low} is greater than {high}", low, f"at most {b}, which is {high}", a)

    def equal(self, path: str, value: int, meaning: str) -> None:
        """Checks a number that is derived from others."""
        given = self.device.number(path)
        if given is not None and given != value:
            help = f"--set {path}={value}" if self.device.overridden else f'"value": {value}'
            self.contradiction(f"{path} is not {meaning}", path, f"{value}, which is {meaning}", given, help)

    def passed_on(self, refusal: Refused, at: str) -> None:
        """Adds findings of another language's reader, with the JSON path of the text."""
        for finding in refusal.findings:
            path = f"$.{at}"
            note = () if finding.at in ("", path) else (f"at {finding.at}",)
            here: Finding = evolve(finding, at=path, file=self.file, notes=(*note, *finding.notes))
            self.found.add(here)
