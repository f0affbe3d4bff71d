"""Choice of a device for a network: all devices in order, with the reason of each place.

Devices are ordered by: whether the network fits; whether the device has cores; the number of cores; the number of features that fallbacks change;
the latency; the name. Energy and loss need a sample input and a run, so they are not part of the order: `nopt compile` measures them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from ..core import registry
from ..core.diagnostics import Code, Finding, Severity, refuse
from .fitting import Fit
from .records import Record

if TYPE_CHECKING:
    from typing import Unpack

    from xdsl.dialects.builtin import ModuleOp

    from ..simulation.stimuli import Given
    from .discretisation import Choices

SEL001 = Code("SEL001", "the network fits on no device")
SHOWN_REASONS = 20
"""Devices that the refusal lists."""


@frozen
class Candidate(Record):
    """A device in the order of preference."""

    target: str
    device: str
    fits: bool | None
    """None: the fit was not checked."""
    cores: int | None
    changes: tuple[str, ...]
    """Device fields for which a fallback changes the network."""
    latency_ticks: int | None
    """The largest latency of an output; None if the network does not fit."""
    code: str | None
    """The first refusal."""
    reason: str


def rank_devices(fits: Sequence[Fit]) -> list[Candidate]:
    """Returns the devices in order of preference."""
    return sorted(map(candidate_of, fits), key=preference)


def candidate_of(found: Fit) -> Candidate:
    """Returns the figures of one device."""
    error = next((one for one in found.findings if one.severity is Severity.ERROR), None)
    remarks = (one for one in found.findings if one.severity is Severity.REMARK and one.path is not None)
    changes = tuple(dict.fromkeys(one.path for one in remarks if one.path is not None))
    latency = max(found.latency_ticks.values(), default=0) if found.fits else None
    where = "no cores" if found.cores is None else f"{found.cores} core{'s' * (found.cores != 1)}"
    changed = f"changes for {', '.join(changes)}" if changes else "no change"
    later = f"; {latency} ticks late" if latency else ""
    fitting = f"{where}; {changed}{later}"
    reason = error.message if error is not None else fitting if found.fits else "not checked"
    code = None if error is None else str(error.code)
    return Candidate(found.target, found.device, found.fits, found.cores, changes, latency, code, reason)


def preference(one: Candidate) -> tuple[int, bool, int, int, int, str]:
    """Returns the key by which devices are ordered."""
    order = {True: 0, None: 1, False: 2}[one.fits]
    return (order, one.cores is None, one.cores or 0, len(one.changes), one.latency_ticks or 0, one.device)


def open_findings(findings: Sequence[Finding]) -> list[Finding]:
    """Returns the errors and warnings about the network itself."""
    return [one for one in findings if one.device is None and one.severity is not Severity.REMARK]


def select_device(
    network: ModuleOp | str | Path,
    calib: Given | None = None,
    *,
    axes: str | None = None,
    set: Sequence[str] = (),
    passes: str = "",
    **choices: Unpack[Choices],
) -> str:
    """Returns the first device in the order that the network fits on and whose target writes an artefact, as `TARGET/DEVICE`.

        nopt.compile("net.nir", target=nopt.select_device("net.nir", dt="1ms", like="norse"), dt="1ms", like="norse")

    Errors: SEL001; those of `check`.
    """
    from .checking import check

    found = check(network, calib, axes=axes, target="all", set=set, passes=passes, **choices)
    usable = registry.usable_targets()
    ranking = [one for one in rank_devices(found.targets) if usable[one.target].artefact is not None]
    best = next((one for one in ranking if one.fits), None)
    if best is None:
        refuse(
            SEL001,
            at="--target auto",
            expected="a device on which the network fits",
            found=f"none of {len(ranking)} devices",
            help="nopt check FILE --target all",
            notes=[
                *(
                    f"{one.device}: {f'{one.code}, ' if one.code else ''}{one.reason}"
                    for one in ranking[:SHOWN_REASONS]
                ),
                *(f"{one.code}: {one.message}" for one in open_findings(found.findings)),
            ],
        )
    return best.device
