"""Section of a build with the metrics of NeuroBench, before and after all passes."""

from __future__ import annotations

from collections.abc import Sequence

from ...metrics.records import NeuroBench, metric_lines, metric_rows
from ..sections import Section, TableBlock


def neurobench_section(networks: Sequence[NeuroBench]) -> Section:
    """Returns a table with a column for each network."""
    head = ("metric", *(one.stage or one.network for one in networks))
    rows = TableBlock(head, tuple(metric_rows(networks)), numbers=tuple(range(1, len(head))))
    return Section("NeuroBench metrics", text="; ".join(metric_lines(networks)) + ".", blocks=(rows,))
