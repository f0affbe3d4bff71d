"""Tables of the ops that devices run: one column for each device, or for each type of weights of a single device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .op_support import OpCell, OpState
from .tables import Link, Table, no_link


def op_tables(cells: Sequence[OpCell], link: Link = no_link) -> Iterator[Table]:
    """Yields a table for each dialect."""
    devices = list(dict.fromkeys(cell.device for cell in cells))
    for dialect in dict.fromkeys(cell.op.partition(".")[0] for cell in cells):
        own = [cell for cell in cells if cell.op.partition(".")[0] == dialect]
        if len(devices) == 1:
            yield device_op_table(dialect, own)
            continue
        rows = tuple(
            (op, *(entry_of([one for one in own if (one.op, one.device) == (op, device)]) for device in devices))
            for op in dict.fromkeys(cell.op for cell in own)
        )
        names = [link(key, f"targets/{key.partition('/')[0]}.md") for key in devices]
        yield Table(dialect, ("op", *names), rows)


def entry_of(cells: Sequence[OpCell]) -> str:
    """Returns the state of an op on a device: one for all types of weights, or each with its types."""
    groups: dict[OpState, list[str]] = {}
    for cell in cells:
        groups.setdefault(cell.state, []).append(cell.dtype)
    if len(groups) == 1:
        return next(iter(groups))
    return "; ".join(f"{', '.join(dtypes)}: {state}" for state, dtypes in groups.items())


def device_op_table(dialect: str, cells: Sequence[OpCell]) -> Table:
    """Returns the table of one device, with the notes."""
    rows: list[tuple[str, ...]] = []
    for op in dict.fromkeys(cell.op for cell in cells):
        own = [cell for cell in cells if cell.op == op]
        notes = dict.fromkeys(cell.note for cell in own if cell.note)
        rows.append((op, entry_of(own), "; ".join(notes)))
    return Table(dialect, ("op", "state", "note"), tuple(rows))
