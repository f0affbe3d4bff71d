"""Faulty chips and cores of a device as an option: `--set topology.faulty=5+9/3` is the whole chip 5, and core 3 of chip 9.

Cores are numbered as in a report: within their chip, row by row, and consecutively at each position. They are added to the faulty cores in
the device file; none is removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from attrs import evolve

from ..diagnostics import Code, ExitCode, refuse
from ..help_text import Flag, Phrase
from .fields import BY_USER
from .records import Device
from .topology_records import Spot

DEV019 = Code("DEV019", "faulty-core-missing", "a faulty core is not one of the device", exit_code=ExitCode.MISUSED)

FAULTY = "topology.faulty"
ONE = re.compile(r"(\d{1,9})(?:/(\d{1,9}))?", re.ASCII)


def with_faulty_cores(device: Device, text: str) -> Device:
    """Returns a device with more faulty cores. Errors: DEV019."""
    topology = device.topology
    if topology is None:
        refuse_cores(device, text, "a device with cores", "no topology")
    found = list(topology.faulty)
    for one in text.split("+"):
        for spot in spots_of(device, one.strip(), text):
            place = spot.chip, spot.x, spot.y
            same = [held for held in found if (held.chip, held.x, held.y) == place]
            if any(held.slot in (None, spot.slot) for held in same):
                continue
            if spot.slot is None:
                found = [held for held in found if held not in same]
            found.append(spot)
    before = device.overridden.get(FAULTY)
    return evolve(
        device,
        topology=evolve(topology, faulty=tuple(found)),
        sources={**device.sources, BY_USER: "set by the user"},
        overridden={**device.overridden, FAULTY: text if before in (None, text) else f"{before}+{text}"},
    )


def spots_of(device: Device, one: str, text: str) -> Iterator[Spot]:
    """Yields the positions of a chip, or of one core. Errors: DEV019."""
    chips, cores = device.integer("topology.chips") or 1, device.integer("topology.cores")
    if cores is None:
        refuse_cores(device, text, "a device with a number of cores", "an unknown number")
    own, slots = cores // chips, device.integer("topology.mesh.cores") or 1
    width = device.integer("topology.mesh.width") or own // slots
    match = ONE.fullmatch(one)
    if match is None or int(match[1]) >= chips or int(match[2] or 0) >= own:
        expected = f"CHIP or CHIP/CORE, joined by +, with chips from 0 to {chips - 1} and cores from 0 to {own - 1}"
        refuse_cores(device, text, expected, one or "nothing")
    chip = int(match[1])
    if match[2] is None:
        for place in range(own // slots):
            y, x = divmod(place, width)
            yield Spot(x=x, y=y, chip=chip, source=BY_USER)
        return
    place, slot = divmod(int(match[2]), slots)
    y, x = divmod(place, width)
    yield Spot(x=x, y=y, chip=chip, slot=slot if slots > 1 else None, source=BY_USER)


def refuse_cores(device: Device, text: str, expected: str, found: str) -> NoReturn:
    """Errors: DEV019."""
    help = Phrase(Flag(f'set="{FAULTY}=0"', f"--set {FAULTY}=0"))
    refuse(
        DEV019,
        f"{DEV019.summary}: {device.key}",
        at=f"--set {FAULTY}={text}",
        expected=expected,
        found=found,
        help=help,
    )
