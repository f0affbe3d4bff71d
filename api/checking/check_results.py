"""Result of the verb `check`: findings about a network, by node and by device."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen

from ...core.diagnostics import Finding, Severity
from ...simulation.stimuli import Stimulus
from ..compiling.device_fit import Fit
from ..json_record import Record, key
from .device_ranking import Candidate


@frozen
class Check(Record):
    """Findings about a network, in the order of the nodes; findings without a node come first."""

    SCHEMA = "nopt.check/1"

    network: str = field(metadata=key(None))
    """The file, or the names of the networks of a module."""
    findings: tuple[Finding, ...]
    """Findings of the network, then of the targets in their order."""
    targets: tuple[Fit, ...] = ()
    ranking: tuple[Candidate, ...] = ()
    """All devices in order of preference, for the target `auto`."""
    needs_one: bool = field(default=False, metadata=key(None))
    """Whether a single fitting target is sufficient."""
    stimulus: Stimulus | None = field(default=None, metadata=key(None))
    """The input, if the network was run."""
    unfinished: Finding | None = field(default=None, metadata=key(None))
    """The finding about devices that were not checked because a time budget ended (COR007)."""

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]

    @property
    def is_refused(self) -> bool:
        """Whether the network or a target has an error. If one target is sufficient, errors of targets count only if all have one."""
        has_one = self.needs_one and any(fit.fits != "no" and not fit.errors for fit in self.targets)
        return any(finding.device is None or not has_one for finding in self.errors)

    def groups(self, device: str | None = None) -> Iterator[tuple[str | None, list[Finding]]]:
        """Yields the findings about a device, or the findings without a device, by node, the most severe first. The node None is the whole network."""
        found: dict[str | None, list[Finding]] = {}
        for finding in self.findings:
            if finding.device == device:
                found.setdefault(finding.node, []).append(finding)
        yield from found.items()
