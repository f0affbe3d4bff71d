"""First screen of `compile` and `check`: verdict, loss, size, cost, and a table of the changes of a network.

fits loihi2/oheo_gulch: 1 core of 128, fullest: axons 3 %
loss: accuracy 96.33 % -> 95.99 %, agreement 98.50 %, count error 0.012; 599 samples
size: 2 populations, 138 neurons, 9,472 weights; memory 12.2 kB (synapses 11.3 kB, neurons 949 bytes)
cost: energy 303 nJ, time 3.53 us per tick; output latency 2 ticks (2 ms)
what                                    where     why                                        how much
weights quantized to 8 bits             "0", "2"  at most 8 bits (quantization.weight_bits)  error 0.0391
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..api.costing.amounts import Amount
from ..api.judging.changes import NetworkChange
from ..api.judging.loss_findings import LOS001
from ..core.diagnostics import Finding, Severity
from ..core.number_texts import counted_text, number_text, percent_text, scaled_text
from ..core.output import shortened
from .command import table

TABLE_COLUMNS = 140
"""Columns of a table that is not printed on a terminal."""
NARROWEST = 30
"""Least columns of a text of a table that is shortened."""
NAMED_NODES = 3
"""Nodes that a row names."""
ROWS = 12
"""Largest number of rows of a table of changes."""
HEAD = ("what", "where", "why", "how much")


def verdict(
    device: str,
    *,
    cores: int | None = None,
    usable: int | None = None,
    fullest: Mapping[str, Any] | None = None,
    memory: float | None = None,
    approximations: Sequence[str] = (),
) -> str:
    """Returns the verdict about a network that fits: the cores and the fullest capacity, or the memory."""
    parts: list[str] = []
    if cores is not None:
        parts.append(counted_text(cores, "core") + ("" if usable is None else f" of {number_text(usable)}"))
    if fullest is not None:
        parts.append(f"fullest: {fullest['name']} {percent_text(fullest['used'] / fullest['limit'], 0)}")
    elif memory is not None:
        parts.append(f"{scaled_text(memory, 'byte')} of memory")
    permitted = f" with approximations ({', '.join(approximations)})" if approximations else ""
    return f"fits {device}{permitted}" + (f": {', '.join(parts)}" if parts else "")


def loss_line(loss: Mapping[str, Any] | None, remedy: str) -> str:
    """Returns the line about the loss of the outputs: the accuracy first, and only the figures that apply."""
    if loss is None:
        return f"loss not measured: {remedy}"
    parts: list[str] = []
    if loss["accuracy"] is not None:
        parts.append(f"accuracy {percent_text(loss['accuracy_before'])} -> {percent_text(loss['accuracy'])}")
    if loss["agreement"] is not None:
        parts.append(f"agreement {percent_text(loss['agreement'])}")
    if loss["count_error"] is not None:
        parts.append(f"count error {number_text(loss['count_error'])}")
    if loss["spike_agreement"] is not None:
        parts.append(f"spike agreement {percent_text(loss['spike_agreement'])}")
    if loss["relative_error"] is not None:
        largest = f"{number_text(loss['largest_error'])} of {number_text(loss['largest_output'])} at most"
        parts.append(f"relative error {number_text(loss['relative_error'])} ({largest})")
    where = " on generated input" if loss["measured_on"] == "generated input" else ""
    return f"loss: {', '.join(parts) or 'no figure applies'}; {counted_text(loss['samples'], 'sample')}{where}"


def loss_remarks(findings: Sequence[Finding]) -> Iterator[str]:
    """Yields the remarks about the loss on generated input; on the input of the user they are warnings."""
    yield from (one.message for one in findings if one.code is LOS001 and one.severity is Severity.REMARK)


def memory_text(memory: Mapping[str, int | None], total: float | None) -> str:
    """Returns the total of the memory, and its regions."""
    regions = [f"{name} {'not measured' if n is None else scaled_text(n, 'byte')}" for name, n in memory.items()]
    whole = "" if total is None else f" {scaled_text(total, 'byte')}"
    return f"memory{whole} ({', '.join(regions)})"


def latency_text(
    latencies: Mapping[str, int] | None, tick_ns: int | None, frame_ticks: int = 1, sample_ticks: int | None = None
) -> str:
    """Returns the latency of the outputs in ticks and as a time, or that of frames; the names of the outputs if their latencies differ."""
    if frame_ticks > 1:
        frames = -(-(sample_ticks or 0) // frame_ticks)
        return (
            f"output latency {frame_ticks} ticks"
            + (f" ({scaled_text(tick_ns, 'ns')})" if tick_ns else "")
            + ", a frame"
            + (f"; a sample has {frames}, and layers keep no potential from one to the next" if frames > 1 else "")
        )
    known = latencies or {}
    if len(set(known.values())) > 1:
        texts = [f"{counted_text(n, 'tick')} at {name}" for name, n in known.items()]
        return f"output latency {', '.join(texts)}"
    n = max(known.values(), default=0)
    if not n:
        return "no output latency"
    return f"output latency {counted_text(n, 'tick')}" + (f" ({scaled_text(n * tick_ns, 'ns')})" if tick_ns else "")


def cost_text(energy: Amount | None, time: Amount | None, per: str, unknown: int) -> str:
    """Returns the estimated energy and time, each a range with its unit; they are bounds if coefficients are unknown."""
    known = [(what, one) for what, one in (("energy", energy), ("time", time)) if one is not None]
    if not known:
        return "energy and time unknown"
    bound = "at least " if unknown else ""
    texts = [f"{what} {bound}{one.text()}" for what, one in known]
    return f"{', '.join(texts)} per {per}" + (f" ({counted_text(unknown, 'coefficient')} unknown)" if unknown else "")


def next_lines(commands: Sequence[str]) -> str:
    """Returns the commands to type next, one per line."""
    head = "next: "
    return "\n".join(f"{' ' * len(head) if k else head}{command}" for k, command in enumerate(commands))


def changes_table(changes: Sequence[NetworkChange]) -> str:
    """Formats the changes as a table, whose longest texts are shortened to the width of the terminal; empty without a change."""
    if not changes:
        return ""
    rows = [[one.what, nodes_text(one.nodes), reason_text(one), amount_text(one)] for one in changes[:ROWS]]
    more = len(changes) - ROWS
    kept = [k for k, _ in enumerate(HEAD) if any(row[k] for row in rows)]
    return table(fit_rows([[HEAD[k] for k in kept], *([row[k] for k in kept] for row in rows)])) + (
        f"\nand {counted_text(more, 'more change')}: -v" if more > 0 else ""
    )


def fit_rows(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Shortens the texts, the longest column first, until the table has the width of the terminal."""
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else TABLE_COLUMNS
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + 2 * (len(widths) - 1) > columns:
        k = widths.index(max(widths))
        if widths[k] <= NARROWEST:
            break
        widths[k] -= 1
    return [[shortened(text, width) for text, width in zip(row, widths, strict=True)] for row in rows]


def nodes_text(nodes: Sequence[str]) -> str:
    named = ", ".join(f'"{name}"' for name in nodes[:NAMED_NODES])
    return f"{named} and {len(nodes) - NAMED_NODES} more" if len(nodes) > NAMED_NODES else named


def reason_text(change: NetworkChange) -> str:
    """Returns the limit with its field, or else the name of the pass."""
    if change.limit is not None:
        return f"{change.limit} ({change.field})" if change.field else change.limit
    return "" if change.step is None else f"by {change.step.partition('{')[0]}"


def amount_text(change: NetworkChange) -> str:
    """Returns the largest error of a recorded change, or else what was found."""
    if change.largest is None:
        return "" if change.found is None else f"found {change.found}"
    unit = "" if change.unit in (None, "none") else change.unit.removeprefix("1").strip()
    return f"error {number_text(change.largest)} {unit}".rstrip()
