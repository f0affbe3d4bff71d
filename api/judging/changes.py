"""Changes of a network: one entry for each fact, from the records of lossy passes and from remarks.

A remark about a limit and the record of the pass that meets the limit are one entry: the record has the change and its largest error, and the remark the
limit. Remarks that differ only in their nodes are one entry, too. Remarks about the loss are not changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from ...core.diagnostics import Finding, Severity
from ...core.ir.pipeline import specs_of
from .loss_findings import LOS001, LOS002

OF_LOSS = (LOS001, LOS002)
"""Remarks about the loss as a whole, which the line of the loss reports."""


@frozen
class NetworkChange:
    """A change of a network, or another fact that a remark reports."""

    what: str
    nodes: tuple[str, ...]
    """Names of the nodes; empty for the whole network."""
    limit: str | None = None
    """The requirement of the device or of the format."""
    field: str | None = None
    """The device field that declares the limit."""
    step: str | None = None
    """The passes that made the change."""
    found: str | None = None
    """The value that the remark found, for a change without a record."""
    largest: float | None = None
    """The largest error; None if it is unknown."""
    unit: str | None = None
    """The unit of the error; `1` for that of the changed numbers."""


def find_changes(records: Iterable[Mapping[str, Any]], findings: Iterable[Finding]) -> tuple[NetworkChange, ...]:
    """Returns the changes in the order of the records, and then of the other remarks. `records` are the approximations of a report."""
    recorded = [change_of_record(one) for one in records]
    others: dict[tuple[str, str], NetworkChange] = {}
    for remark in (one for one in findings if one.severity is Severity.REMARK and one.code not in OF_LOSS):
        passes: set[str] = set() if remark.step is None else {spec.name for spec in specs_of(remark.step)}
        own = [k for k, one in enumerate(recorded) if pass_name(one.step or "") in passes]
        for k in own:
            if recorded[k].limit is None:
                recorded[k] = evolve(recorded[k], limit=remark.expected, field=remark.path)
        if not own:
            key = (remark.code.id, remark.message)
            others[key] = with_nodes(others[key], remark) if key in others else change_of_remark(remark)
    return (*recorded, *others.values())


def pass_name(step: str) -> str:
    """Returns the name of a pass in a record."""
    return step.partition("{")[0]


def change_of_record(record: Mapping[str, Any]) -> NetworkChange:
    return NetworkChange(
        record["what"],
        tuple(record["touched"]),
        step=record["step"],
        largest=record["largest"],
        unit=record["unit"],
    )


def change_of_remark(remark: Finding) -> NetworkChange:
    nodes: Sequence[str] = () if remark.node is None else (remark.node,)
    return NetworkChange(remark.message, tuple(nodes), remark.expected, remark.path, remark.step, remark.found)


def with_nodes(change: NetworkChange, remark: Finding) -> NetworkChange:
    """Returns a change with the node of one more remark. A limit or a value that differs between the nodes is left out."""
    nodes = change.nodes if remark.node is None or remark.node in change.nodes else (*change.nodes, remark.node)
    limit = change.limit if change.limit == remark.expected else None
    return evolve(change, nodes=nodes, limit=limit, found=change.found if change.found == remark.found else None)
